"""An encounter as a process: the Time Phase, the turns of every hero and of the enemies, and the Event Phase."""

from __future__ import annotations

from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import Process, State, Step
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.board.battle import is_over
from balance.game.setup import Setup
from balance.games.immortal_souls.encounter.heroes.hero_turn import hero_turn
from balance.games.immortal_souls.encounter.phases.enemy_turn import enemy_turn
from balance.games.immortal_souls.encounter.phases.rounds import event_phase_of, start, time_phase
from balance.games.immortal_souls.encounter.phases.shadows import reveal_shadows
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import in_play, settle_winner


def encounter_processes(setup: Setup[Scene], lane: str = "literal") -> tuple[Process, ...]:
    """Return the one process of an encounter; attacks are drawn from their exact distributions in every lane."""
    scene = setup.play
    turns = [
        step
        for hero in range(scene.n_heroes)
        for step in (partial(hero_turn, scene, hero), _with_shadows(scene, partial(enemy_turn, scene, hero), hero))
    ]
    steps = (
        _with_shadows(scene, partial(time_phase, scene), 0),
        *turns,
        _with_shadows(scene, partial(event_phase_of, scene), 0),
    )  # fmt: skip
    return (
        Process(
            partial(start, scene), steps, is_over, partial(_outcome, scene), (scene.round_limit + 1) * len(steps),
            scene.policies,
        ),
    )  # fmt: skip


def _with_shadows(scene: Scene, step: Step, active: int) -> Step:
    """Return the step, followed by turning over the Shadows that it brings into sight, if there are any."""
    return step if scene.shadows is None else partial(_then_reveal, scene, step, active)


def _then_reveal(scene: Scene, step: Step, active: int, state: State, rolls: Rolls) -> State:
    after = step(state, rolls)
    reveal_shadows(scene, after, active, rolls)
    return settle_winner(scene, after)


def _outcome(scene: Scene, state: State, steps: IntArray) -> State:
    columns = {name: state[name] for name in ("winner", "rounds", "wounds", "deaths")}
    ghosts = ~in_play(scene, state)
    columns |= {"ghosts": ghosts.sum(axis=1).astype(np.int16), "kills": state["kills"]}
    return columns | {
        "soul_points": state["gained"],
        **{name: state[name] for name in ("hero_attacks", "enemy_attacks")},
    }

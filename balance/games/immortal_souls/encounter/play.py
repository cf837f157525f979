"""An encounter as a process: the Time Phase, the turns of every hero and of the enemies, and the Event Phase."""

from __future__ import annotations

from functools import partial

import numpy as np

from balance.core.process import BoolArray, Process, State
from balance.games.immortal_souls.encounter.enemy_turn import enemy_turn
from balance.games.immortal_souls.encounter.hero_turn import hero_turn
from balance.games.immortal_souls.encounter.rounds import event_phase_of, start, time_phase
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import in_play
from balance.pmf.arrays import IntArray
from balance.protocol.asked import Setup

__all__ = ["encounter_processes"]


def encounter_processes(setup: Setup[Scene], lane: str = "literal") -> tuple[Process, ...]:
    """Return an encounter as a process; attacks are drawn from their exact distributions in every lane."""
    scene = setup.play
    turns = [partial(turn, scene, hero) for hero in range(scene.n_heroes) for turn in (hero_turn, enemy_turn)]
    steps = (partial(time_phase, scene), *turns, partial(event_phase_of, scene))
    return (
        Process(
            partial(start, scene), steps, _decided, partial(_outcome, scene), (scene.round_limit + 1) * len(steps),
            scene.policies,
        ),
    )  # fmt: skip


def _decided(state: State) -> BoolArray:
    return np.asarray(state["winner"] > 0)


def _outcome(scene: Scene, state: State, steps: IntArray) -> State:
    columns = {name: state[name] for name in ("winner", "rounds", "wounds", "deaths")}
    ghosts = ~in_play(scene, state)
    columns |= {"ghosts": ghosts.sum(axis=1).astype(np.int16), "kills": state["kills"]}
    return columns | {
        "soul_points": state["gained"],
        **{name: state[name] for name in ("hero_attacks", "enemy_attacks")},
    }

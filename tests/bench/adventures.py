"""Whole adventures of BattleLore: Agincourt and the Lore duel, each side played in some way.

The peer of random play is the tests' second engine in plain Python, which plays one adventure after another by the same
luck: every one must end alike, to the last figure and after as many turns.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

import balance
from balance import Question
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.kit.board.battle import keys_of
from balance.games.battlelore.adventure.luck import LUCK
from balance.games.battlelore.adventure.question.columns import AskedAdventure
from tests.bench.known import WrongAnswerError
from tests.games.battlelore.adventure.adventure_twins import Encounter
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_play import play
from tests.games.battlelore.adventure.reference_terms import Terms

BATTLELORE = balance.load("battlelore")
BLOCK = BATTLELORE.definition.kinds["battle"].block_trials
"""Adventures that a study plays at a time."""
SIDES = {"agincourt": ("english", "french"), "lore_duel": ("south", "north")}
"""Name of an adventure -> its forces."""
ENDS = ("winner", "turns", "a_banners", "b_banners", "a_units", "b_units", "a_figures", "b_figures")
Ends = npt.NDArray[np.int32]
"""How adventures ended, `int32[n, 8]`, by `ENDS`."""


@cache
def asked(name: str, policies: tuple[str, str]) -> Question:
    """Return the question of an adventure; kept between calls, with its tables."""
    a, b = (f"{name}:{force}" for force in SIDES[name])
    return BATTLELORE.ask("battle", a, b, {}, "adventure", policy_a=policies[0], policy_b=policies[1])


def played(name: str, policies: tuple[str, str], n: int, block: int = 0) -> Ends:
    """Play a block of adventures in the game's own engine."""
    question = asked(name, policies)
    (process,) = question.kind.processes(question.setup, "literal")
    columns = simulate(process, RandomRolls(0, "bench", block, n), in_order=True)
    return np.stack([columns[end] for end in ENDS], axis=1).astype(np.int32)


@cache
def told_terms(name: str) -> Terms:
    """Return an adventure for the second engine."""
    battle = cast("AskedAdventure", asked(name, ("random", "random")).setup.play).battle
    adventure, fighters = battle.adventure, battle.muster.fighters
    units = tuple([(fighters[member], cell) for member, cell in members] for members in battle.members)
    a, b = adventure.forces
    changes: dict[str, Any] = {"lore": adventure.lore, "councils": (a.council, b.council)}
    return Encounter(
        terrain={cell: ids for cell, ids in enumerate(adventure.terrain) if ids},
        units=(units[0], units[1]),
        owners=dict(adventure.owners),
        blazons=adventure.blazons,
        banners=battle.terms.banners,
        hands=battle.terms.cards,
        first=adventure.first,
        turn_limit=battle.terms.turn_limit,
        tokens=(a.tokens, b.tokens),
        masters_landmarks=adventure.masters_landmarks,
        **changes,
    ).terms()


def told(name: str, n: int) -> Ends:
    """Play the first adventures of the first block at random, in the tests' plain Python."""
    terms, ends = told_terms(name), []
    for key in keys_of(RandomRolls(0, "bench", 0, n), LUCK).tolist():
        game = Game(terms, key)
        play(game)
        armies = [game.army(side) for side in (0, 1)]
        figures = [sum(unit.figures for unit in army) for army in armies]
        ends.append([game.winner % 3, game.turn, *game.banners, *map(len, armies), *figures])
    return np.array(ends, np.int32)


def check_same(name: str, ends: Ends, known: Ends) -> None:
    """Raise WrongAnswerError unless adventures ended as the engine's first ones did."""
    differ = np.flatnonzero((ends != known[: len(ends)]).any(axis=1))
    if len(differ):
        first = differ[0]
        said = f"{ends[first].tolist()}, not {known[first].tolist()}"
        raise WrongAnswerError(f"{name} ends {len(differ)} of {len(ends)} adventures otherwise; number {first}: {said}")

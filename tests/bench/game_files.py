"""One game told twice, as a file of rules and as the Python package of `balance new-game`: what the file costs more.

Both tell of fighters who throw dice and may go all out, and give the same laws. A game of a file keeps the laws of its
steps from one question to the next: exact rows are told with them, and as the first question of a game just opened.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance import Pmf, Question
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.authoring.template.game import GAME
from balance.game.game import Game
from balance.rulebook.kinds import kinds_of
from balance.rulebook.opening import open_file, rulebook_of
from tests.bench import known
from tests.bench.contest import BLOCK, Contender, Contest

TOLD = {"file": open_file(Path(__file__).parent / "skirmishers.toml"), "package": GAME}
"""The game, by how it is told."""
ATTACK = [1 / 8, 3 / 8, 3 / 8, 1 / 8]
"""P(the target loses 0, 1, 2, 3 health): three dice, of which half the faces hit."""
DUEL = [0.0, 0.6056959076023695, 0.39430409239763065]
"""P(draw), P(whoever strikes first wins), P(the other wins), where both go all out to finish each other."""
PACKAGE = "Python package of new-game"


@cache
def question(told: str, kind: str) -> Question:
    """Return a question of the game told as a file or as a package."""
    return _asked(TOLD[told], kind)


def _asked(game: Game, kind: str) -> Question:
    """Return a question about two giants, both of whom go all out as soon as that may finish the other."""
    if kind == "attack":
        return balance.load(game).attack("giant", "giant")
    return balance.load(game).ask(kind, "giant", "giant", {}, "a", policy_a="finisher", policy_b="finisher")


def exact(told: str, kind: str) -> list[float]:
    """Return the chances of each damage, or of each winner, from the joint law of all columns, worked out anew."""
    return _chances(replace(question(told, kind)).distribution)


def first_exact(kind: str) -> tuple[float, list[float]]:
    """Return the seconds of the first answer of the file's game when nothing is known of its steps, and the answer."""
    asked = _asked(replace(TOLD["file"], kinds=kinds_of(rulebook_of(TOLD["file"]))), kind)
    start = perf_counter()
    distribution = asked.distribution
    return perf_counter() - start, _chances(distribution)


def sampled(told: str, kind: str, n_trials: int) -> npt.NDArray[Any]:
    """Return how often each damage came up, or each winner, in the compiled lane on one thread."""
    counts = collect(question(told, kind).task("compiled"), FixedTrials(n_trials), seed=0).counts
    values, weights = _column(counts)
    return np.bincount(values, weights, minlength=3).astype(np.int64)


def _chances(distribution: Pmf) -> list[float]:
    values, chances = _column(distribution)
    return list(np.bincount(values, chances / chances.sum(), minlength=3))


def _column(distribution: Pmf) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    (column,) = {"damage", "winner"} & {*distribution.columns}
    law = distribution.marginal(column)
    return law[column], law.weights


def contests() -> list[Contest]:
    """Return the contests of a game file with the package: one attack, exact and sampled, and a duel likewise."""
    found = []
    for kind, answer, most in (("attack", ATTACK, 2**20), ("duel", DUEL, 2**17)):
        exact_ones = [
            Contender("file, laws of its steps kept", partial(exact, "file", kind)),
            Contender("file, its first answer", partial(first_exact, kind), own_clock=True),
        ]
        package = Contender(PACKAGE, partial(exact, "package", kind))
        found += [
            Contest(f"Game file {kind}, exact", exact_ones, [package], known.checker(known.check, answer)),
            Contest(
                f"Game file {kind}, sampled",
                [Contender("file, 1 thread", partial(sampled, "file", kind), most, BLOCK)],
                [Contender(PACKAGE, partial(sampled, "package", kind), most, BLOCK)],
                known.checker(known.check_counts, answer),
            ),
        ]
    return found

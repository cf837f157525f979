"""Totals at the end of a game: what either side has left or has done, and what was wasted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Annotated, TypeAlias

import numpy as np

from balance.base.answers import Doc
from balance.base.arrays import Array, FloatArray
from balance.chance.trials.estimate import Estimate
from balance.game.game import QuestionKind

Endings: TypeAlias = tuple[FloatArray, FloatArray, Mapping[str, Array]]
"""How much each of some endings weighs, `float64[n]`; what side a scores in them; and their outcome columns."""


@dataclass(frozen=True)
class EndTotals:
    """One quantity at the end of a game, as a mean; what was wasted has one, over all trials."""

    name: Annotated[str, Doc("What is counted of either side, such as health, or the column of what was wasted.")]
    winner: Annotated[Estimate, Doc("Over trials that somebody wins.")]
    loser: Annotated[Estimate | None, Doc("Likewise; null where only one is counted.")]


def at_end(kind: QuestionKind, endings: Iterable[Endings], n_trials: int = 0) -> tuple[EndTotals, ...]:
    """Return the totals at the end of a kind of question, for the winner and for the loser, over all endings.

    `n_trials` counts trials of weight 1 each; 0 says that the endings are an exact distribution.
    """
    pairs, waste, waste_sums = _pairs(kind), kind.column("waste"), _Sums()
    sums = {name: (_Sums(), _Sums()) for name in pairs}
    for weights, scores, outcome in endings:
        for name, (a, b) in pairs.items():
            for side_sums, side_score in zip(sums[name], (1.0, 0.0), strict=True):
                side_sums.add(weights * (scores == side_score), outcome[a])
                side_sums.add(weights * (scores == 1 - side_score), outcome[b])
        if waste:
            waste_sums.add(weights, outcome[waste])
    totals = [
        EndTotals(name, *(side_sums.mean(n_trials) for side_sums in pair))
        for name, pair in sums.items()
        if pair[0].n > 0
    ]
    return (*totals, EndTotals(waste, waste_sums.mean(n_trials), None)) if waste else tuple(totals)


def _pairs(kind: QuestionKind) -> dict[str, tuple[str, str]]:
    """Return what is counted of both sides -> its column for side a and for side b."""
    sides_by_name = dict[str, dict[str, str]]()
    for name, column in kind.columns.items():
        if column.of and not column.names:
            sides_by_name.setdefault(column.called or column.of, {})[column.side] = name
    a, b = kind.sides
    return {of: (by_side[a], by_side[b]) for of, by_side in sides_by_name.items() if {a, b} <= set(by_side)}


@dataclass
class _Sums:
    """Weighted sums over endings: of weights, and of a number and its square."""

    n: float = 0.0
    powers: FloatArray = field(default_factory=lambda: np.zeros(2))

    def add(self, weights: FloatArray, column: Array) -> None:
        x = np.broadcast_to(column, len(weights)).astype(np.float64)
        self.n += float(weights.sum())
        self.powers = self.powers + np.array([weights @ x, weights @ x**2])

    def mean(self, n_trials: int) -> Estimate:
        mean, square = self.powers / self.n
        if not n_trials:
            return Estimate.exact(float(mean))
        error = sqrt(max(square - mean**2, 0.0) / max(self.n - 1, 1))
        return Estimate.of_mean(float(mean), error, n_trials)

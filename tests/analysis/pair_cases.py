"""Synthetic battles whose truth is known, for the tests of prices by battles; `python -m tests.analysis.pair_cases`.

Random legal armies of known worth meet in mirrored pairs. The chances follow the log-odds that are fitted, and the two
games of a pair share the luck of the first player with a given chance, so that errors that took games for data would be
too small or too large.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.legal_armies import drawn_armies
from balance.analysis.prices.entries import typical
from balance.analysis.prices.fits.battle_prices import beside_printed, counts_of
from balance.analysis.prices.fits.pair_fit import Pairs, fit_winners
from balance.base.arrays import FloatArray
from balance.game.armies.copies import Copies

PER_POINT, GOING_FIRST = 0.03, 0.3
SURE = 1.959963984540054


@dataclass(frozen=True)
class Truth:
    """Printed and true costs of m members; the typical one is printed as it is worth."""

    printed: FloatArray
    worth: FloatArray

    @property
    def fair(self) -> FloatArray:
        off = np.log(self.worth / self.printed)
        return np.asarray(self.worth / np.exp(typical(off[None, :], np.ones(len(off), np.int64))[0]))


def a_truth(m: int, seed: int, error: float = 0.2) -> Truth:
    rng = np.random.default_rng([20261123, seed])
    printed = np.exp(rng.uniform(np.log(8), np.log(60), m)).round()
    return Truth(printed, printed * np.exp(rng.normal(0, error, m)))


def fought(truth: Truth, n: int, seed: int, shared: float = 0.5, limit: int = 7) -> Pairs:
    """Return n mirrored pairs."""
    rng, m = np.random.default_rng([20261124, seed]), len(truth.printed)
    budgets, limits = rng.uniform(200, 300, n), np.full(n, limit)
    free = Copies.of([[]] * m)
    x, y = (counts_of(drawn_armies(budgets, limits, truth.printed, free, rng), m) for _ in range(2))
    counts = x - y
    odds = PER_POINT * counts @ truth.worth
    one = rng.random(n)
    two = np.where(rng.random(n) < shared, one, rng.random(n))
    first = one < 1 / (1 + np.exp(-odds - GOING_FIRST))
    second = two >= 1 / (1 + np.exp(odds - GOING_FIRST))
    return Pairs(counts, first.astype(float), second.astype(float))


def off(truth: Truth, pairs: Pairs) -> FloatArray:
    """Return how far each fair cost is off, in its standard errors, `float64[m]`."""
    m = len(truth.printed)
    found = beside_printed(fit_winners(pairs), truth.printed, np.arange(m))
    return np.asarray((found.fair - truth.fair) / found.error)


def main(n_sets: int, m: int, n: int) -> None:
    """Say how many intervals cover the truth."""
    rows = np.array(
        [off(a_truth(m, at), fought(a_truth(m, at), n, at, (0.0, 0.5, 1.0)[at % 3])) for at in range(n_sets)]
    )
    covered = np.abs(rows) < SURE
    by_shared = [round(float(covered[at::3].mean()), 4) for at in range(3)]
    sys.stdout.write(
        f"{n_sets} data sets of {n} pairs, {m} members: {covered.mean():.4f} covered, by shared luck {by_shared}; "
        f"error {covered.mean(axis=1).std() / n_sets**0.5:.4f}; mean {rows.mean():.3f}, sd {rows.std():.3f}\n"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

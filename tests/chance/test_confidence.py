"""Intervals that stay valid under repeated looks: their error rate, and a control that shows looking does harm."""

from __future__ import annotations

from math import exp, fsum, log, log1p

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.chance.trials.confidence import anytime_mean_interval
from balance.chance.trials.stopping import wilson_interval

VALUES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def fair_runs(n_runs: int, n_looks: int, batch: int) -> np.ndarray:
    """Return cumulative counts [runs, looks, 5] of pair scores with mean exactly 1/2."""
    generator = np.random.default_rng(20261121)
    steps = generator.multinomial(batch, [0.15, 0.2, 0.3, 0.2, 0.15], size=(n_runs, n_looks))
    return np.asarray(steps.cumsum(axis=1))


@pytest.mark.parametrize(
    ("n_runs", "most_misses"),
    [(30, 5), pytest.param(150, 16, marks=pytest.mark.slow), pytest.param(2000, 100, marks=pytest.mark.slow)],
)
def test_looking_after_every_batch_misses_the_truth_in_at_most_five_percent_of_runs(
    n_runs: int, most_misses: int
) -> None:
    """25 looks a run; at a true rate of 5 %, over 16 misses in 150, or 5 in 30, come up once in 300 choices of seed."""
    misses = 0
    for run in fair_runs(n_runs, 25, 50):
        ends = [anytime_mean_interval(VALUES, counts) for counts in run]
        misses += any(not low <= 0.5 <= high for low, high in ends)
    assert misses <= most_misses


def test_a_fixed_interval_looked_at_repeatedly_does_miss_it() -> None:
    generator = np.random.default_rng(20261121)
    wins = generator.binomial(50, 0.5, size=(400, 40)).cumsum(axis=1)
    missed = 0
    for run in wins:
        ends = [wilson_interval(int(s), 50 * (look + 1)) for look, s in enumerate(run)]
        missed += any(not low <= 0.5 <= high for low, high in ends)
    assert missed > 60


def test_it_is_much_narrower_where_pairs_cancel_luck() -> None:
    noisy = anytime_mean_interval([0.0, 1.0], [5000, 5000])
    calm = anytime_mean_interval([0.25, 0.5, 0.75], [500, 9000, 500])
    assert calm[1] - calm[0] < (noisy[1] - noisy[0]) / 3


def test_it_never_leaves_the_unit_interval_and_shrinks() -> None:
    widths = []
    for n in (1, 10, 100, 1000, 10**6, 10**9):
        low, high = anytime_mean_interval([0.0, 1.0], [n // 2, n - n // 2])
        assert 0 <= low <= (n - n // 2) / n <= high <= 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert anytime_mean_interval([1.0], [0]) == (0.0, 1.0)


def test_all_wins_leave_room_below_one_only_on_one_side() -> None:
    low, high = anytime_mean_interval([1.0], [1000])
    assert 0.98 < low < 1
    assert high == 1


@pytest.mark.parametrize(("values", "counts", "level"), [([1.1], [1], 0.95), ([0.5], [-1], 0.95), ([0.5], [1], 1.0)])
def test_nonsense_is_refused(values: list[float], counts: list[int], level: float) -> None:
    with pytest.raises(UsageError):
        anytime_mean_interval(values, counts, level)


def capital(values: list[float], counts: list[int], mean: float) -> float:
    """Return the mean log-capital of fourteen gamblers who stake 0.96, 0.48, 0.24 ... of theirs on "above"."""
    logs = [
        fsum(n * log1p(0.96 / 2**halvings * (x - mean)) for x, n in zip(values, counts, strict=True))
        for halvings in range(14)
    ]
    top = max(logs)
    return top + log(fsum(exp(value - top) for value in logs) / 14)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("values", "counts"),
    [([0.0, 1.0], [3, 40]), ([0.0, 0.5, 1.0], [300, 400, 300]), ([0.25, 0.75], [9000, 11]), ([0.5, 1.0], [0, 20])],
)
def test_the_interval_ends_where_a_gambler_is_ruled_out(values: list[float], counts: list[int], level: float) -> None:
    """At an end one of the two gamblers holds 2 / (1 - level) times what it began with."""
    low, high = anytime_mean_interval(values, counts, level)
    limit = log(2 / (1 - level))
    assert 0 < low < high <= 1
    assert capital(values, counts, low) == pytest.approx(limit, abs=1e-6)
    if high < 1:
        assert capital([1 - x for x in values], counts, 1 - high) == pytest.approx(limit, abs=1e-6)
    else:
        assert capital([1 - x for x in values], counts, 0.0) < limit
    if level == 0.95:
        assert anytime_mean_interval(values, counts) == (low, high)


def test_nothing_seen_or_hardly_anything_rules_nothing_out() -> None:
    assert anytime_mean_interval([], []) == (0.0, 1.0)
    assert anytime_mean_interval([0.0, 1.0], [0, 0]) == (0.0, 1.0)
    assert anytime_mean_interval([0.0, 1.0], [1, 1]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("values", "counts", "level"),
    [([-0.1], [1], 0.9), ([1.1], [1], 0.9), ([0.5], [-1], 0.9), ([0.5], [1], 0.0), ([0.5], [1], 1.0)],
)
def test_nonsense_is_refused_in_full(values: list[float], counts: list[int], level: float) -> None:
    with pytest.raises(UsageError) as error:
        anytime_mean_interval(values, counts, level)
    assert str(error.value) == (
        "an anytime interval needs values from 0 to 1, counts from 0 up and a level between 0 and 1"
    )

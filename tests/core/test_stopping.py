"""Stopping rules and their intervals: what they promise holds, and what does not promise it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.core import FixedTrials, HalfWidth, Tally, anytime_interval, wilson_interval
from balance.core.stopping import MAX_TRIALS
from balance.errors import UsageError
from balance.pmf import Pmf

Interval: TypeAlias = Callable[[int, int], tuple[float, float]]
N_COINS, LOOKS = 1000, np.unique(np.geomspace(10, 5000, 30).astype(int))


@pytest.fixture(scope="module")
def heads() -> np.ndarray:
    """Heads of 1000 fair coins after each look, `int[1000, looks]`."""
    tosses = np.random.default_rng(20261121).integers(0, 2, (N_COINS, LOOKS[-1]), dtype=np.int8)
    return np.asarray(tosses.cumsum(axis=1, dtype=np.int32)[:, LOOKS - 1])


def _missed(heads: np.ndarray, inside: Sequence[tuple[int, int]]) -> int:
    """Return how many coins were outside the interval's counts at some look."""
    low, high = np.array(inside).T
    return int(((heads < low) | (heads > high)).any(axis=1).sum())


def _counts_inside(interval: Interval, n: int) -> tuple[int, int]:
    """Return the smallest and the largest number of heads in n tosses whose interval holds 1/2."""
    low, high = 0, n // 2
    while low < high:
        middle = (low + high) // 2
        if interval(middle, n)[1] >= 0.5:
            high = middle
        else:
            low = middle + 1
    return low, n - low


def test_the_anytime_interval_holds_at_every_look_at_once(heads: np.ndarray) -> None:
    """At most 5 % of runs may ever miss; more than 71 of 1000 would come up once in 1000 choices of seed."""
    assert _missed(heads, [_counts_inside(anytime_interval, int(n)) for n in LOOKS]) <= 71


def test_wilsons_interval_does_not(heads: np.ndarray) -> None:
    limits = [_counts_inside(wilson_interval, int(n)) for n in LOOKS]
    assert _missed(heads, limits) > 150
    assert _missed(heads[:, -1:], limits[-1:]) <= 71


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_hold_the_estimate_and_mirror(case: tuple[int, int]) -> None:
    successes, trials = case
    for interval in (anytime_interval, wilson_interval):
        low, high = interval(successes, trials)
        assert 0 <= low <= successes / trials <= high <= 1
        mirrored = interval(trials - successes, trials)
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.mark.parametrize("trials", [50, 5000, 10**6, 10**9])
def test_the_anytime_interval_is_wider_but_shrinks_as_fast(trials: int) -> None:
    anytime, fixed = anytime_interval(trials // 2, trials), wilson_interval(trials // 2, trials)
    ratio = (anytime[1] - anytime[0]) / (fixed[1] - fixed[0])
    assert 1 < ratio < 3.2


def test_a_higher_level_is_a_wider_interval() -> None:
    for interval in (anytime_interval, wilson_interval):
        low, high = interval(300, 1000, 0.95)
        lower, higher = interval(300, 1000, 0.99)
        assert lower < low < high < higher


def test_wilsons_interval_at_its_known_value() -> None:
    """Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_half_width_is_what_it_says() -> None:
    tally = Tally(Pmf.of({0: 500_000, 1: 500_000}, "won"))
    rule = HalfWidth(0.01, (lambda won: won == 1,))
    low, high = anytime_interval(500_000, 10**6)
    assert rule.half_width(tally, rule.events[0]) == (high - low) / 2 < 2.5 / sqrt(10**6)
    assert rule.enough(tally)
    assert not HalfWidth(0.001, rule.events).enough(tally)


def test_every_event_must_be_known_well_enough() -> None:
    tally = Tally(Pmf.of({0: 1, 1: 999}, "won"))
    rare, even = (lambda won: won == 0), (lambda won: won < 5)
    assert HalfWidth(0.01, (rare,)).enough(tally)
    half = Tally(Pmf.of({0: 500, 1: 500}, "won"))
    assert not HalfWidth(0.01, (even, rare)).enough(half)


@pytest.mark.parametrize("n", [0, -1, MAX_TRIALS + 1])
def test_a_number_of_trials_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(UsageError, match="trials must be"):
        FixedTrials(n)
    with pytest.raises(UsageError, match="trials must be"):
        HalfWidth(0.1, (), cap=n)


@pytest.mark.parametrize("width", [0.0, -0.1, 0.5, 2.0, float("nan")])
def test_a_width_out_of_range_is_refused(width: float) -> None:
    with pytest.raises(UsageError, match="half-width"):
        HalfWidth(width, ())

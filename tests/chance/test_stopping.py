"""Stopping rules and their intervals: what they promise holds, and what does not promise it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import lgamma, log, sqrt
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.trials.stopping import (
    MAX_TRIALS,
    FixedTrials,
    HalfWidth,
    anytime_interval,
    normal_width,
    wilson_interval,
)
from balance.chance.trials.tally import Tally

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


@settings(deadline=None)  # the first call imports scipy
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
    assert rule.is_enough(tally)
    assert not HalfWidth(0.001, rule.events).is_enough(tally)


def test_every_event_must_be_known_well_enough() -> None:
    tally = Tally(Pmf.of({0: 1, 1: 999}, "won"))
    rare, even = (lambda won: won == 0), (lambda won: won < 5)
    assert HalfWidth(0.01, (rare,)).is_enough(tally)
    half = Tally(Pmf.of({0: 500, 1: 500}, "won"))
    assert not HalfWidth(0.01, (even, rare)).is_enough(half)


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


def robbins(successes: int, trials: int, level: float) -> tuple[float, float]:
    """Return the p at which B(1 + s, 1 + n - s) / (p**s (1 - p)**(n - s)) is 1 / (1 - level), by halving intervals."""
    misses = trials - successes
    beta = lgamma(1 + successes) + lgamma(1 + misses) - lgamma(2 + trials)

    def ruled_out(p: float) -> bool:
        likelihood = (successes * log(p) if successes else 0) + (misses * log(1 - p) if misses else 0)
        return beta - likelihood > -log(1 - level)

    def edge(out: float, inside: float) -> float:
        for _ in range(80):
            middle = (out + inside) / 2
            out, inside = (middle, inside) if ruled_out(middle) else (out, middle)
        return inside

    share = min(max(successes / trials, 1e-12), 1 - 1e-12)
    low = edge(1e-15, share) if successes else 0.0
    return low, edge(1 - 1e-15, share) if misses else 1.0


CASES = [(0, 1), (1, 1), (0, 100), (100, 100), (1, 3), (37, 100), (99, 100), (500, 1000), (12_345, 70_000)]


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "trials"), CASES)
def test_the_anytime_interval_ends_where_the_martingale_says(successes: int, trials: int, level: float) -> None:
    found = anytime_interval(successes, trials, level)
    assert found == pytest.approx(robbins(successes, trials, level), rel=1e-9, abs=1e-12)
    if level == 0.95:
        assert anytime_interval(successes, trials) == found


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "trials"), CASES)
def test_wilsons_interval_ends_where_the_score_is_as_large_as_its_level_allows(
    successes: int, trials: int, level: float
) -> None:
    """The ends are the p with (s - np)**2 = z**2 np(1 - p), but for 0 and 1 themselves."""
    low, high = wilson_interval(successes, trials, level)
    z = {0.8: 1.2815515655446004, 0.95: 1.959963984540054, 0.999: 3.2905267314918945}[level]
    assert normal_width(level) == pytest.approx(z, rel=1e-12)
    for p in (low, high):
        assert (successes - trials * p) ** 2 == pytest.approx(z**2 * trials * p * (1 - p), rel=1e-9, abs=1e-9)
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (successes == trials)
    if level == 0.95:
        assert wilson_interval(successes, trials) == (low, high)


def test_trials_are_enough_when_all_are_counted() -> None:
    assert [FixedTrials(10).is_enough(Tally(Pmf.of({0: n}))) for n in (9, 10, 11)] == [False, True, True]


def test_a_width_is_enough_when_it_is_reached_at_the_level_asked_for() -> None:
    tally = Tally(Pmf.of({0: 700, 1: 300}, "won"))
    for level, events in ((0.95, (lambda won: won == 1,)), (0.8, (lambda won: won == 0,))):
        low, high = anytime_interval(300, 1000, level)
        rule = HalfWidth((high - low) / 2, events, level=level)
        assert rule.half_width(tally, events[0]) == pytest.approx((high - low) / 2, rel=1e-9)
        assert HalfWidth(rule.half_width(tally, events[0]), events, level=level).is_enough(tally)
        assert not HalfWidth(rule.half_width(tally, events[0]) * (1 - 1e-9), events, level=level).is_enough(tally)
    assert HalfWidth(0.1, ()).level == 0.95


def test_what_is_out_of_range_is_told_with_what_is_not() -> None:
    for n, found in ((0, "0"), (10**12 + 1, "1,000,000,000,001")):
        for rule in (lambda n=n: FixedTrials(n), lambda n=n: HalfWidth(0.1, (), cap=n)):
            with pytest.raises(UsageError) as error:
                rule()
            assert str(error.value) == f"trials must be from 1 to 1,000,000,000,000, found {found}"
    for width in (0.0, 0.5, -1.0):
        with pytest.raises(UsageError) as error:
            HalfWidth(width, ())
        assert str(error.value) == f"a half-width lies between 0 and 0.5, found {width}"
    assert [FixedTrials(n).cap for n in (1, 10**12)] == [HalfWidth(0.499, (), cap=n).cap for n in (1, 10**12)]

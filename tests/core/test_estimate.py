"""Numbers with their errors: what sums keep, and how often intervals miss."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from balance.core import Estimate
from balance.core.estimate import SOURCES, Source

LEVEL = 0.9


def missed(found: list[Estimate], truth: float) -> int:
    return sum(not one.low <= truth <= one.high for one in found)


def too_many(n: int, level: float) -> float:
    """Misses of n intervals that come up once in a thousand such tests if the level is right."""
    rate = 1 - level
    return n * rate + NormalDist().inv_cdf(0.999) * sqrt(n * rate * (1 - rate))


def shares(p: float, n: int, times: int, seed: int) -> list[Estimate]:
    wins = np.random.default_rng(seed).binomial(n, p, times)
    return [Estimate.of_share(int(won) / n, n, level=LEVEL) for won in wins]


def test_differences_of_shares_hold_the_truth_as_often_as_they_say_and_half_as_wide_ones_do_not() -> None:
    found = [one - other for one, other in zip(shares(0.55, 400, 3000, 1), shares(0.4, 300, 3000, 2), strict=True)]
    assert missed(found, 0.15) <= too_many(3000, LEVEL)
    assert missed(found, 0.15) >= 3000 * 0.07  # nor are they wider than they say
    halved = [Estimate.of_mean(one.value, (one.error or 0) / 2, 1, level=LEVEL) for one in found]
    assert missed(halved, 0.15) > 2 * too_many(3000, LEVEL)


def test_exact_terms_move_an_interval_without_widening_it() -> None:
    share = Estimate.of_share(0.1, 50)
    moved = share - Estimate.exact(0.25)
    assert (moved.value, moved.low, moved.high) == pytest.approx((-0.15, share.low - 0.25, share.high - 0.25))
    assert (moved.n_trials, moved.how, moved.error) == (50, "simulated", share.error)
    turned = Estimate.exact(0.25) - share
    assert (turned.low, turned.high) == pytest.approx((0.25 - share.high, 0.25 - share.low))


def test_exact_numbers_stay_exact() -> None:
    found = Estimate.exact(0.75) - Estimate.exact(0.25) + 0.125
    assert found == Estimate.exact(0.625)
    assert found.is_exact
    assert found.half_width == 0


def test_intervals_without_a_standard_error_add_their_ends_and_their_risks() -> None:
    """As wide as it takes, however the two depend on each other: here one is the other."""
    one = Estimate(0.5, 0.4, 0.7, 100, level=0.95)
    apart = one - one
    assert (apart.low, apart.high, apart.level) == pytest.approx((-0.3, 0.3, 0.9))
    assert apart.n_trials == 200


@pytest.mark.parametrize(("one", "other"), [(a, b) for a in SOURCES for b in SOURCES])
def test_a_sum_was_had_as_the_less_certain_of_its_terms(one: Source, other: Source) -> None:
    def made(how: Source) -> Estimate:
        return Estimate.exact(1.0) if how == "exact" else Estimate.of_mean(1.0, 0.1, 10, how)

    found = made(one) + made(other)
    assert found.how == max(one, other, key=SOURCES.index)
    assert found.is_exact == (one == other == "exact")


def test_a_share_with_halves_is_no_narrower_than_either_whole_one() -> None:
    found, below, above = (Estimate.of_share(won / 10, 10) for won in (4.5, 4, 5))
    assert (found.low, found.high) == (below.low, above.high)

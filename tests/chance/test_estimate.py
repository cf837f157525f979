"""Numbers with their errors: what sums keep, and how often intervals miss."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from balance.chance.trials.estimate import SOURCES, Estimate, Source
from balance.chance.trials.stopping import wilson_interval

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


def test_every_kind_of_number_with_all_it_knows() -> None:
    assert Estimate.exact(0.3) == Estimate(0.3, 0.3, 0.3, 0, "exact", 0.95, 0.0)
    z = NormalDist().inv_cdf(0.975)
    assert Estimate.of_mean(5.0, 0.5, 40) == Estimate(5.0, 5 - z * 0.5, 5 + z * 0.5, 40, "simulated", 0.95, 0.5)
    z = NormalDist().inv_cdf(0.95)
    fitted = Estimate(5.0, 5 - z * 0.5, 5 + z * 0.5, 40, "fitted", 0.9, 0.5)
    assert Estimate.of_mean(5.0, 0.5, 40, "fitted", 0.9) == fitted
    assert fitted.half_width == pytest.approx(z * 0.5)
    assert not fitted.is_exact
    share = Estimate.of_share(0.25, 48)
    assert share == Estimate(0.25, *wilson_interval(12, 48), 48, "simulated", 0.95, sqrt(0.25 * 0.75 / 48))
    measured = Estimate.of_share(0.5, 9, "measured", 0.8)
    low, high = wilson_interval(4, 9, 0.8)[0], wilson_interval(5, 9, 0.8)[1]
    assert measured == Estimate(0.5, low, high, 9, "measured", 0.8, sqrt(0.25 / 9))
    assert Estimate(1.0, 0.0, 2.0) == Estimate(1.0, 0.0, 2.0, 0, "simulated", 0.95, None)


@pytest.mark.parametrize("won", range(51))
def test_a_share_that_is_a_fraction_but_for_rounding_is_that_fraction(won: int) -> None:
    for off in (-1e-9, 0.0, 1e-9):
        found = Estimate.of_share(won / 50 + off, 50)
        assert (found.low, found.high) == wilson_interval(won, 50)


def test_sums_of_what_has_errors_with_all_they_know() -> None:
    one, other = Estimate.of_mean(5.0, 0.3, 40, "fitted", 0.9), Estimate.of_mean(2.0, 0.4, 7, "simulated", 0.8)
    for found, value in ((one + other, 7.0), (other + one, 7.0), (one - other, 3.0)):
        assert found.value == pytest.approx(value)
        assert found == Estimate.of_mean(found.value, found.error or 0, 47, "fitted", 0.8)
        assert found.error == pytest.approx(0.5)


def test_sums_of_intervals_alone_with_all_they_know() -> None:
    bare, mean = Estimate(0.5, 0.4, 0.7, 100, "measured", 0.95), Estimate.of_mean(2.0, 0.4, 7, level=0.9)
    found = bare + mean
    assert (found.value, found.low, found.high) == pytest.approx((2.5, 0.4 + mean.low, 0.7 + mean.high))
    assert (found.n_trials, found.how, found.error) == (107, "measured", None)
    assert found.level == pytest.approx(0.85)
    assert (mean + bare).error is None
    risky = Estimate(0.5, 0.4, 0.7, level=0.3)
    assert (risky + risky).level == 0.0


def test_a_number_with_the_other_sign_and_moved() -> None:
    bare = Estimate(0.5, 0.4, 0.7, 100, "measured", 0.9, 0.1)
    assert -bare == Estimate(-0.5, -0.7, -0.4, 100, "measured", 0.9, 0.1)
    for moved in (bare + 2, bare + Estimate.exact(2.0), Estimate.exact(2.0) + bare, bare - (-2)):
        assert moved == Estimate(2.5, 2.4, 2.7, 100, "measured", 0.9, 0.1)

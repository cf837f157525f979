import numpy as np
import pytest

from balance.analysis.prices.fits.pair_fit import Pairs, calibration, fit_winners
from balance.base.errors import UsageError
from tests.analysis.pair_cases import GOING_FIRST, PER_POINT, SURE, a_truth, fought, off

TRUTH = a_truth(12, 0)


def both(pairs: Pairs, other: Pairs) -> Pairs:
    return Pairs(
        np.concatenate([pairs.counts, other.counts]),
        np.concatenate([pairs.first, other.first]),
        np.concatenate([pairs.second, other.second]),
    )


def mirrored(pairs: Pairs) -> Pairs:
    """Return the pairs with X and Y in each other's place."""
    return Pairs(-pairs.counts, 1 - pairs.second, 1 - pairs.first)


@pytest.mark.slow("test_games_that_share_all_luck_are_no_more_than_pairs")
@pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
def test_intervals_cover_the_truth_however_much_luck_games_share(shared: float) -> None:
    """60 sets of 20 prices: 95 % of 1,200, give or take 3 standard errors of sets, which are clusters."""
    found = np.array([off(a_truth(20, at), fought(a_truth(20, at), 1500, at, shared)) for at in range(60)])
    covered = (np.abs(found) < SURE).mean(axis=1)
    assert abs(covered.mean() - 0.95) < 3 * covered.std() / 60**0.5 + 0.005


def test_going_first_is_found_beside_the_members() -> None:
    found = fit_winners(fought(TRUTH, 6000, 1))
    assert abs(found.going_first - GOING_FIRST) < 4 * found.first_error < 0.2
    assert np.all(np.abs(found.beta - PER_POINT * TRUTH.worth) < 5 * found.errors)


def test_x_and_y_may_change_places() -> None:
    pairs = fought(TRUTH, 800, 2)
    one, other = fit_winners(pairs), fit_winners(mirrored(pairs))
    assert np.allclose(one.beta, other.beta, rtol=1e-9)
    assert np.allclose(one.errors, other.errors, rtol=1e-9)


def test_members_may_stand_in_any_order() -> None:
    pairs, order = fought(TRUTH, 800, 3), np.random.default_rng(0).permutation(12)
    turned = Pairs(pairs.counts[:, order], pairs.first, pairs.second)
    assert np.allclose(fit_winners(turned).beta, fit_winners(pairs).beta[order], rtol=1e-9)


def test_games_that_share_all_luck_are_no_more_than_pairs() -> None:
    """The same pairs twice halve the variance; a game counted as a datum would have done so already."""
    pairs = fought(TRUTH, 2000, 4)
    one, twice = fit_winners(pairs), fit_winners(both(pairs, pairs))
    assert np.allclose(twice.beta, one.beta, rtol=1e-4)
    assert np.allclose(twice.errors * 2**0.5, one.errors, rtol=0.01)


def test_a_member_never_seen_is_worth_nothing_known() -> None:
    pairs = fought(TRUTH, 500, 6)
    wider = Pairs(np.column_stack([pairs.counts, np.zeros(500, int)]), pairs.first, pairs.second)
    assert abs(fit_winners(wider).beta[-1]) < 1e-9


def test_who_always_wins_has_finite_worth() -> None:
    counts = np.resize([[1], [-1]], (40, 1))
    won = np.where(counts[:, 0] > 0, 1.0, 0.0)
    found = fit_winners(Pairs(counts, won, won))
    assert np.isfinite(found.beta).all()
    assert found.beta[0] > 5


def test_predictions_are_right_on_battles_that_were_not_fitted() -> None:
    bins = calibration(fought(TRUTH, 6000, 7))
    assert sum(one.battles for one in bins) == 12_000
    assert sum(((one.observed - one.predicted) / one.error) ** 2 for one in bins) < 30
    assert bins[0].predicted < 0.2 < 0.8 < bins[-1].predicted


def test_a_wrong_law_shows_in_the_calibration() -> None:
    pairs = fought(TRUTH, 6000, 8)
    ahead = pairs.counts @ TRUTH.worth
    won = np.array(np.where(np.abs(ahead) < 40, 0.5, ahead > 0), np.float64)  # even for long, then all at once
    bins = calibration(Pairs(pairs.counts, won, won))
    assert max(abs(one.observed - one.predicted) / one.error for one in bins) > 5


def test_too_few_battles_are_refused() -> None:
    with pytest.raises(UsageError, match="13 pairs of battles cannot tell 12 members apart"):
        fit_winners(fought(TRUTH, 13, 9))

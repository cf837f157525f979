"""Plans with one look: textbook sizes, a brute search, and what the promise means."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from balance.base.errors import UsageError
from balance.playtests.need.fixed import about, error_of, fixed_size, power_of, told_by
from balance.playtests.need.goals import Goal


def exact_power(games: int, score: float) -> float:
    """The power of the two-sided exact binomial test of one half at 5%, by scipy alone."""
    near = max(games // 2, int(games / 2 + 0.9 * games**0.5))
    least = next(wins for wins in range(near, games + 2) if binom.sf(wins - 1, games, 0.5) <= 0.025)
    return float(binom.sf(least - 1, games, score))


@pytest.mark.parametrize(("difference", "games"), [(0.05, 785), (0.1, 196), (0.02, 4906), (0.01, 19622)])
def test_sizes_are_those_of_the_sign_test_in_textbooks(difference: float, games: int) -> None:
    # Noether 1987, JASA 82, 645: (z + z')^2 / (4 (p - 1/2)^2), here (1.95996 + 0.84162)^2 / (2 difference)^2
    assert about(Goal(difference)) == pytest.approx(games, rel=0.02)
    assert games <= fixed_size(Goal(difference)).games <= 1.05 * games + 4


def test_the_size_of_a_band_is_that_of_two_one_sided_tests() -> None:
    # Chow, Shao, Wang and Lokhnygina 2017, section 4.1: (z + z'')^2 p (1 - p) / margin^2, z'' of power (1 + .8) / 2
    assert about(Goal(None, (0.45, 0.55))) == pytest.approx((1.95996 + 1.28155) ** 2 * 0.25 / 0.05**2, rel=0.01)


@pytest.mark.parametrize("difference", [0.07, 0.1, 0.2, 0.3, 0.45])
def test_a_brute_search_finds_the_same(difference: float) -> None:
    size = fixed_size(Goal(difference, games_per_evening=1))
    powers = [exact_power(games, 0.5 + difference) for games in range(1, 2 * size.for_good + 60)]
    assert size.games == 1 + next(at for at, power in enumerate(powers) if power >= 0.8)
    assert size.for_good == 2 + max(at for at, power in enumerate(powers) if power < 0.8)
    assert size.dip == pytest.approx(min(powers[size.games - 1 : size.for_good]), abs=1e-9)


@pytest.mark.parametrize(
    "goal",
    [
        Goal(0.1), Goal(0.1, draws=0.3, games_per_evening=7), Goal(None, (0.4, 0.6)),
        Goal(0.2, (0.42, 0.6), draws=0.1), Goal(0.1, options=5), Goal(0.15, power=0.95, error=0.01),
    ],
)  # fmt: skip
def test_the_promise_holds_to_the_end_of_the_evening_and_from_one_number_on_for_good(goal: Goal) -> None:
    size, unit = fixed_size(goal), goal.options - 1
    evening = goal.games_per_evening if unit == 1 else 1
    end = -(-size.games // evening) * evening
    assert all(power_of(goal, games) >= goal.power for games in range(size.games, end + 1, unit))
    assert all(power_of(goal, size.for_good + unit * more) >= goal.power for more in range(120))
    assert error_of(goal, size.games) <= goal.error / goal.things


def test_less_certainty_and_more_draws_take_fewer_games() -> None:
    sizes = [
        fixed_size(goal).games
        for goal in (Goal(0.1, draws=0.4), Goal(0.1), Goal(0.1, power=0.9), Goal(0.1, power=0.9, error=0.01))
    ]
    assert sizes == sorted(sizes)


def test_what_few_games_tell_is_the_inverse() -> None:
    for games in (10, 40, 203, 807):
        least = told_by(games)
        assert least is not None
        assert exact_power(games, 0.5 + least) >= 0.8 > exact_power(games, 0.499 + least)
    assert told_by(5) is None


def test_plans_that_nobody_plays_are_refused_with_their_size() -> None:
    with pytest.raises(UsageError, match=r"about 490,000 games.*at most 100,000"):
        fixed_size(Goal(0.002))


def test_all_faults_of_a_goal_are_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        Goal(0.0, (0.55, 0.45), options=1, power=0.3, error=0.9, draws=1.0, games_per_evening=0)
    assert [fault.path for fault in caught.value.faults] == [
        "§power", "§error", "§draws", "§difference", "§options", "§games_per_evening", "§band",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="leave no room"):
        Goal(0.3, draws=0.9)
    with pytest.raises(UsageError, match="does not reach outside the band"):
        Goal(0.05, (0.45, 0.55))
    with pytest.raises(UsageError, match="nothing is asked for"):
        Goal(None)

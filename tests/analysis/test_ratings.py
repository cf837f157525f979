from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from balance.analysis.ratings import PRIOR_SD, cyclic_share, fit_ratings, ratings_against
from balance.errors import UsageError

RNG = np.random.default_rng(5)
THETA = np.array([-2.0, -0.5, 0.0, 0.8, 1.7])


def ladder(theta: np.ndarray, first_mover: float = 0.4) -> np.ndarray:
    scores: np.ndarray = 1 / (1 + np.exp(-(theta[:, None] - theta[None, :] + first_mover)))
    return scores


ROCK_PAPER_SCISSORS = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


def test_a_ladder_is_found_again() -> None:
    found = fit_ratings(ladder(THETA))
    assert found.theta == pytest.approx(THETA - THETA.mean(), abs=0.05)
    assert found.first_mover == pytest.approx(0.4, abs=0.01)
    assert found.explained > 0.999
    assert found.iterations < 20


def test_the_fit_is_the_maximum_that_a_general_optimiser_finds() -> None:
    scores = np.clip(ladder(THETA) + RNG.normal(0, 0.1, (5, 5)), 0.01, 0.99)

    def lost(values: np.ndarray) -> float:
        gap = values[:5, None] - values[None, :5] + values[5]
        likelihood = np.sum(scores * gap - np.logaddexp(0, gap))
        return float(values @ values / (2 * PRIOR_SD**2) - likelihood)

    best = minimize(lost, np.zeros(6), tol=1e-12).x
    found = fit_ratings(scores)
    assert [*found.theta, found.first_mover] == pytest.approx(best, abs=1e-4)


def test_one_who_always_wins_has_a_finite_strength() -> None:
    found = fit_ratings([[0.5, 1.0], [0.0, 0.5]])
    assert np.isfinite(found.theta).all()
    assert found.theta[0] > found.theta[1] + 4


def test_one_alone_tells_only_of_the_first_move() -> None:
    found = fit_ratings([[0.6]])
    assert found.theta == pytest.approx([0.0])
    assert found.first_mover == pytest.approx(np.log(0.6 / 0.4), abs=0.02)


def test_match_ups_without_weight_do_not_count() -> None:
    scores = ladder(THETA)
    weights = np.ones((5, 5))
    weights[0, 1] = weights[1, 0] = 0
    wrong = scores.copy()
    wrong[0, 1] = wrong[1, 0] = np.nan
    assert fit_ratings(wrong, weights).theta == pytest.approx(fit_ratings(scores).theta, abs=0.05)


@pytest.mark.parametrize("scores", [[[0.5, 0.5]], [[1.5]], [[float("nan")]]])
def test_scores_that_make_no_sense_are_refused(scores: list[list[float]]) -> None:
    with pytest.raises(UsageError):
        fit_ratings(scores)


def test_ratings_against_the_field_agree_with_the_fit() -> None:
    scores, found = ladder(THETA), fit_ratings(ladder(THETA))
    again = ratings_against(scores, 1 - scores.T, found.theta, found.first_mover, np.ones((2, 5)))
    assert again.shape == (2, 5)
    assert again[0] == pytest.approx(found.theta, abs=0.02)


def test_a_pure_ladder_has_no_cycles_and_rock_paper_scissors_nothing_else() -> None:
    assert cyclic_share(ladder(THETA)) == pytest.approx(0, abs=1e-12)
    assert cyclic_share(ladder(THETA, 0.0)) == pytest.approx(0, abs=1e-12)
    assert cyclic_share(ROCK_PAPER_SCISSORS) == pytest.approx(1)


def test_the_share_grows_with_the_cycle() -> None:
    odds = np.log(ROCK_PAPER_SCISSORS / (1 - ROCK_PAPER_SCISSORS))
    slope = np.array([1.0, 0.0, -1.0])[:, None] - np.array([1.0, 0.0, -1.0])
    shares = [cyclic_share(1 / (1 + np.exp(-(slope + share * odds)))) for share in (0.0, 0.2, 0.5, 1.0)]
    assert shares == sorted(shares)
    assert cyclic_share(np.full((3, 3), 0.5)) == 0

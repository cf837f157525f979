from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from balance.analysis.scores.ratings import PRIOR_SD, cyclic_share, fit_ratings, ratings_against, strength_errors
from balance.base.errors import UsageError

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
    assert found.explained_share > 0.999
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


# -- the same numbers by plain loops -----------------------------------------------------------------------------------


def lost(values: np.ndarray, scores: np.ndarray, counts: np.ndarray, share: np.ndarray) -> float:
    """Return what a fit makes least: the lost log-likelihood and the prior, pair by pair."""
    n, whole = len(scores), 0.0
    for i in range(n):
        whole += share[i] * values[i] ** 2 / (2 * 10.0**2)
        for j in range(n):
            if counts[i, j] > 0:
                p = 1 / (1 + np.exp(values[j] - values[i] - values[n]))
                fit = scores[i, j] * np.log(p) + (1 - scores[i, j]) * np.log(1 - p)
                whole -= counts[i, j] * share[i] * share[j] * fit
    return float(whole + values[n] ** 2 / (2 * 10.0**2))


def deviance(scores: np.ndarray, fitted: np.ndarray, counts: np.ndarray) -> float:
    whole = 0.0
    for s, p, c in zip(scores.ravel(), fitted.ravel(), counts.ravel(), strict=True):
        whole += 2 * c * sum(x * np.log(x / y) for x, y in ((s, p), (1 - s, 1 - p)) if x > 0)
    return float(whole)


def test_weights_and_shares_count_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    scores, counts = rng.uniform(0.1, 0.9, (4, 4)), rng.uniform(0.2, 3, (4, 4))
    counts[0, 3] = counts[3, 0] = 0.0
    share = np.array([1.0, 0.5, 0.5, 2.0])
    best = minimize(lost, np.zeros(5), (scores, counts, share), tol=1e-14).x
    found = fit_ratings(scores, counts, share)
    assert [*found.theta, found.first_mover] == pytest.approx(best, abs=1e-5)
    both = counts * share[:, None] * share
    settled = np.where(counts > 0, scores, 0.5)
    predicted = [
        [1 / (1 + np.exp(found.theta[j] - found.theta[i] - found.first_mover)) for j in range(4)] for i in range(4)
    ]
    assert found.predict() == pytest.approx(np.array(predicted))
    assert found.deviance == pytest.approx(deviance(settled, np.array(predicted), both))
    assert found.null_deviance == pytest.approx(deviance(settled, np.full((4, 4), 0.5), both))
    assert found.explained_share == pytest.approx(1 - found.deviance / found.null_deviance)
    assert 0 < found.explained_share < 1


def test_equals_leave_nothing_to_explain() -> None:
    found = fit_ratings(np.full((3, 3), 0.5))
    assert (found.explained_share, found.null_deviance, found.iterations) == (1.0, 0.0, 1)
    assert (found.theta.tolist(), found.first_mover) == ([0.0] * 3, 0.0)


def test_a_fit_takes_a_handful_of_steps_and_stops() -> None:
    """Newton's method doubles the right digits, and goes on while any changes by 1e-10."""
    assert fit_ratings(ladder(THETA)).iterations == 7
    assert fit_ratings([[0.5, 1.0], [0.0, 0.5]]).iterations == 8
    assert fit_ratings([[0.5, 1.0, 1.0], [0.0, 0.5, 1.0], [0.0, 0.0, 0.5]]).iterations == 9
    far = fit_ratings([[0.5, 1.0], [0.0, 0.5]]).theta
    assert far[0] == pytest.approx(-far[1])
    assert 2 * (1 - 1 / (1 + np.exp(-2 * far[0]))) == pytest.approx(far[0] / 100, rel=1e-6)  # two seats, one prior


@pytest.mark.parametrize(
    ("scores", "weights", "words"),
    [
        ([[0.5, 0.5]], None, "scores must be a square matrix with weights alike, found (1, 2) and (1, 2)"),
        ([0.5], None, "scores must be a square matrix with weights alike, found (1,) and (1,)"),
        ([[0.5]], [1.0], "scores must be a square matrix with weights alike, found (1, 1) and (1,)"),
        ([[1.01]], None, "scores lie between 0 and 1"),
        ([[-0.01]], None, "scores lie between 0 and 1"),
        ([[float("nan")]], None, "scores lie between 0 and 1"),
    ],
)
def test_why_scores_are_refused_is_told(scores: list[list[float]], weights: list[float] | None, words: str) -> None:
    with pytest.raises(UsageError) as told:
        fit_ratings(scores, weights)
    assert str(told.value) == words


def test_what_was_given_stays_as_it_was() -> None:
    scores, counts = np.full((2, 2), np.nan), np.zeros((2, 2))
    fit_ratings(scores, counts)
    assert np.isnan(scores).all()
    assert (counts == 0).all()


def test_a_strength_against_others_is_where_its_expected_score_is_its_score() -> None:
    """By halving an interval, for each way to count and each entrant by itself."""
    rng = np.random.default_rng(12)
    first, second = rng.uniform(0, 1, (3, 4)), rng.uniform(0, 1, (3, 4))
    first[0], second[0] = 1.0, 1.0  # one who always wins
    panel, weights = rng.normal(0, 2, 4), rng.uniform(0, 2, (2, 4))
    counts = rng.uniform(0, 2, (3, 4))
    counts[1, 2] = 0.0

    def strength(way: int, one: int, times: np.ndarray) -> float:
        low, high = -100.0, 100.0
        for _ in range(200):
            theta = (low + high) / 2
            missing = -theta / 100
            for j in range(4):
                p, q = (1 / (1 + np.exp(panel[j] - theta - seat)) for seat in (0.3, -0.3))
                missing += weights[way, j] * times[one, j] * (first[one, j] + second[one, j] - p - q)
            low, high = (theta, high) if missing > 0 else (low, theta)
        return low

    for times in (counts, np.ones((3, 4))):
        wanted = [[strength(way, one, times) for one in range(3)] for way in range(2)]
        found = ratings_against(first, second, panel, 0.3, weights, times)
        assert found == pytest.approx(np.array(wanted), abs=1e-6)
    assert ratings_against(first, second, panel, 0.3, weights) == pytest.approx(np.array(wanted), abs=1e-6)


def test_the_error_of_a_strength_is_that_of_its_score_over_its_slope() -> None:
    rng = np.random.default_rng(13)
    error, counts, fit = rng.uniform(0, 0.1, (4, 4)), rng.uniform(0, 2, (4, 4)), fit_ratings(ladder(THETA[:4]))
    told = []
    for i in range(4):
        noise, slope = 0.0, 1 / 100
        for j in range(4):
            gap = fit.theta[i] - fit.theta[j]
            p, q = (1 / (1 + np.exp(-gap - seat)) for seat in (fit.first_mover, -fit.first_mover))
            noise += counts[i, j] ** 2 * (error[i, j] ** 2 + error[j, i] ** 2)
            slope += counts[i, j] * (p * (1 - p) + q * (1 - q))
        told.append(np.sqrt(noise) / slope)
    assert strength_errors(error, fit, counts) == pytest.approx(np.array(told))


def test_the_cyclic_share_is_what_weighted_least_squares_leave() -> None:
    """The ladder is fitted pair by pair with numpy, on log-odds weighted by p(1 - p)."""
    scores = np.random.default_rng(14).uniform(0.05, 0.95, (5, 5))
    rows, wanted, root = [], [], []
    for i in range(5):
        for j in range(5):
            if i != j:
                odds = (np.log(scores[i, j] / (1 - scores[i, j])) - np.log(scores[j, i] / (1 - scores[j, i]))) / 2
                p = 1 / (1 + np.exp(-odds))
                rows.append([float(k == i) - float(k == j) for k in range(5)])
                wanted.append(odds)
                root.append(np.sqrt(p * (1 - p)))
    design, target = np.array(rows) * np.array(root)[:, None], np.array(wanted) * root
    rest = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    assert cyclic_share(scores) == pytest.approx(rest @ rest / (target @ target))


def test_the_share_of_a_faint_cycle_is_that_of_a_strong_one() -> None:
    cycle = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    slope = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]])
    faint = cyclic_share(0.5 + (cycle + slope) / 1e6)
    assert faint == pytest.approx(np.sum(cycle**2) / np.sum((cycle + slope) ** 2), rel=1e-6)


def test_a_certain_cycle_is_one_too() -> None:
    certain = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])
    assert cyclic_share(certain) == pytest.approx(1)

"""What worths are at all nodes, told from a few: right where that can be told, from the points that tell most."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.games.edadh.solving.approximate.prediction import (
    MORE,
    MOST_POINTS,
    NOISE,
    Prediction,
    Worths,
    chosen_points,
)

N = 30
EVEN = np.full(N, 1 / N)
ALONG = np.linspace(0, 1, N)


def smooth(n: int, seed: int) -> Worths:
    """Return curves of three kinds mixed: a slope, a bend somewhere in the middle, a wave."""
    rng = np.random.default_rng(seed)
    kinds = np.stack([ALONG, np.maximum(ALONG - 0.4, 0), 0.2 * np.sin(6 * ALONG)])
    return np.asarray(0.2 + rng.random((n, 3)) @ kinds * 0.4, np.float32)


def missed(found: Prediction, worths: Worths) -> float:
    """Return the root of the mean squared error of what is told of some worths."""
    return float(np.sqrt(((found(worths[:, found.points]) - worths) ** 2).mean()))


def test_what_has_three_kinds_of_bend_is_told_from_three_points() -> None:
    """Of curves that were not in the sample; a fourth point is of no use at a price, two are too few."""
    found = chosen_points(smooth(160, 1), EVEN, 1e-5)
    assert len(found.points) == 3
    assert missed(found, smooth(500, 2)) < 0.003
    assert missed(chosen_points(smooth(160, 1), EVEN, 3e-3), smooth(500, 2)) > 0.01


def test_noise_cannot_be_told() -> None:
    """What has nothing in common is told by its mean, and no points are bought for it."""
    rng = np.random.default_rng(3)
    sample, fresh = (np.asarray(0.5 + 0.1 * rng.standard_normal((n, N)), np.float32) for n in (160, 500))
    found = chosen_points(sample, EVEN, 1e-3)
    assert len(found.points) == 1
    assert missed(found, fresh) > 0.09


def test_worths_at_points_are_kept_and_all_others_lie_in_0_to_1() -> None:
    found = chosen_points(smooth(160, 1), EVEN, 1e-5)
    given = np.random.default_rng(4).random((9, len(found.points)), np.float32)
    told = found(given)
    assert told.shape == (9, N) and told.dtype == np.float32
    assert told[:, found.points] == pytest.approx(given, abs=1e-5)
    assert told.min() >= 0 and told.max() <= 1


def test_some_nodes_are_told_as_all_are() -> None:
    rng, found = np.random.default_rng(5), chosen_points(smooth(160, 1), EVEN, 1e-6)
    given, nodes = rng.random((9, len(found.points)), np.float32), rng.integers(0, N, (4, 9))
    assert found.at(given, nodes) == pytest.approx(found(given)[np.arange(9), nodes], abs=1e-6)


def test_the_first_points_are_those_that_leave_least_to_be_guessed() -> None:
    """The first of all nodes, and the second of all the others, by least squares with a penalty; weights count."""
    rng = np.random.default_rng(6)
    sample = np.asarray(0.5 + 0.05 * np.cumsum(rng.standard_normal((400, N)), axis=1) / 3, np.float32)
    weights = np.where(ALONG < 0.5, 3.0, 0.1) / np.where(ALONG < 0.5, 3.0, 0.1).sum()
    shared = np.cov(sample.astype(np.float64), rowvar=False) + NOISE * np.eye(N)

    def left(points: list[int]) -> float:
        part = shared[:, points]
        return float(weights @ np.diag(shared - part @ np.linalg.solve(shared[np.ix_(points, points)], part.T)))

    first, second = chosen_points(sample, weights, 1e-5).points[:2].tolist()
    assert left([first]) == pytest.approx(min(left([each]) for each in range(N)))
    assert left([first, second]) == pytest.approx(min(left([first, each]) for each in range(N) if each != first))
    even = chosen_points(sample, EVEN, 1e-5).points[0]
    assert first < even, "where nothing counts nothing has to be known"


def test_the_cheaper_a_point_the_more_there_are_and_the_less_is_missed() -> None:
    rng = np.random.default_rng(7)
    sample, fresh = ((np.cumsum(rng.standard_normal((n, N)), axis=1) / 40 + 0.5).astype(np.float32) for n in (160, 500))
    found = [chosen_points(sample, EVEN, cost) for cost in (1e-2, 1e-4, 1e-6)]
    sizes, errors = [len(each.points) for each in found], [missed(each, fresh) for each in found]
    assert sizes == sorted(sizes) and len(set(sizes)) == 3 and sizes[-1] <= MOST_POINTS
    assert errors == sorted(errors, reverse=True)


def test_answers_have_the_same_points_and_half_as_many_more() -> None:
    """They know more by them; the order of the sample changes nothing."""
    sample = smooth(160, 1)
    found, turned = (chosen_points(each, EVEN, 1e-5) for each in (sample, sample[::-1]))
    closer = found.closer
    assert closer is not None and closer.closer is None
    assert len(closer.points) == int(MORE * len(found.points)) > len(found.points)
    assert closer.points[: len(found.points)].tolist() == found.points.tolist()
    assert missed(closer, smooth(500, 2)) < 0.8 * missed(found, smooth(500, 2))
    assert np.array_equal(found.points, turned.points)
    assert found.weights == pytest.approx(turned.weights, abs=1e-4)


def test_a_sample_of_a_few_buys_no_more_points_than_it_can_tell_of() -> None:
    rng: FloatArray = np.random.default_rng(8).random((12, N))
    assert len(chosen_points(rng.astype(np.float32), EVEN, 0.0).points) <= 6

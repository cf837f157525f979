"""Verdicts looked at after every round: how often they are wrong, and that looking naively is wrong far more often."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.study.match_ups.verdict import (
    LONGEST,
    expected_more,
    judge_match_up,
    judge_score,
    mean_of,
    more_needed,
    stop_reason,
)
from balance.study.settings.grid import Budget, Scene, Situation, scenes

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
FAIR = [0.15, 0.2, 0.3, 0.2, 0.15]
EDGE = [0.13, 0.19, 0.3, 0.21, 0.17]
"""Pair scores with mean 0.5 and 0.525."""


def looks(chances: list[float], n_studies: int) -> npt.NDArray[np.int64]:
    """Return counts of each pair score after 100, 200, 400... pairs, `[studies, 9, 5]`."""
    generator = np.random.default_rng(20261121)
    sizes = np.diff([0, *(100 * 2**r for r in range(9))])
    steps = [generator.multinomial(size, chances, size=n_studies) for size in sizes]
    return np.stack(steps, axis=1).cumsum(axis=1)


def estimate(counts: npt.NDArray[np.int64]) -> Estimate:
    seen = np.flatnonzero(counts)
    return mean_of(SCORES[seen], Pmf(("score",), seen.reshape(-1, 1), counts[seen]), 0.95)


def naive(counts: npt.NDArray[np.int64]) -> Estimate:
    """Return the interval of a textbook, for one look at a fixed number of pairs."""
    n = int(counts.sum())
    mean = float(SCORES @ counts) / n
    half = 1.96 * (float(SCORES**2 @ counts) / n - mean**2) ** 0.5 / n**0.5
    return Estimate(mean, mean - half, mean + half, n)


def false_alarms(chances: list[float], n_studies: int, imbalance: float, wrong: str, how: Any) -> float:
    """Return the share of studies that give a wrong verdict at some look."""
    alarms = 0
    for study in looks(chances, n_studies):
        alarms += any(judge_score(how(counts), imbalance) == wrong for counts in study)
    return alarms / n_studies


@pytest.mark.parametrize(("n_studies", "most"), [(200, 0.08), pytest.param(2000, 0.05, marks=pytest.mark.slow)])
def test_fair_studies_rarely_raise_a_false_alarm(n_studies: int, most: float) -> None:
    """With a true rate of 5 %, more than 8 % of 200 come up once in 40 choices of seed; the bound leaves room."""
    assert false_alarms(FAIR, n_studies, 1e-9, "unfair", estimate) <= most


def test_looking_naively_raises_far_more() -> None:
    assert false_alarms(FAIR, 1000, 1e-9, "unfair", naive) > 0.15


@pytest.mark.slow("test_looking_naively_raises_far_more")
@pytest.mark.parametrize("wrong", ["fair", "unfair"])
def test_on_the_edge_of_a_verdict_neither_is_given_too_often(wrong: str) -> None:
    assert false_alarms(EDGE, 200, 0.025, wrong, estimate) <= 0.08


def test_unfair_studies_are_found() -> None:
    assert false_alarms([0.1, 0.15, 0.3, 0.25, 0.2], 100, 0.02, "unfair", estimate) == 1.0


def test_fair_studies_are_found() -> None:
    found = [estimate(np.array(FAIR) * 60_000), naive(np.array(FAIR) * 60_000)]
    assert [judge_score(one, 0.02) for one in found] == ["fair", "fair"]


def test_an_exact_score_is_always_judged() -> None:
    points = [Estimate.exact(score) for score in (0.48, 0.5, 0.52, 0.5201, 0.0)]
    assert [judge_score(point, 0.02) for point in points] == ["fair", "fair", "fair", "unfair", "unfair"]


def test_more_is_needed_only_until_there_is_a_verdict() -> None:
    assert more_needed(Estimate(0.5, 0.49, 0.51, 100), 0.02) == 0
    assert more_needed(Estimate(0.55, 0.45, 0.65, 100), 0.02) > 100
    assert more_needed(Estimate(0.52, 0.50, 0.54, 100), 0.02) == LONGEST


@pytest.mark.parametrize(
    ("budget", "found", "reason"),
    [
        (Budget(trials=100), Estimate(0.9, 0.85, 0.95, 50), ""),
        (Budget(trials=100), Estimate(0.9, 0.85, 0.95, 100), "trials"),
        (Budget(half_width=0.06), Estimate(0.9, 0.85, 0.95, 50), "half-width"),
        (Budget(half_width=0.04), Estimate(0.9, 0.85, 0.95, 50), ""),
        (Budget(half_width=0.04), Estimate(0.9, 0.85, 0.95, 100), "cap"),
        (Budget(), Estimate(0.9, 0.85, 0.95, 50), "verdict"),
        (Budget(), Estimate(0.5, 0.45, 0.55, 50), ""),
        (Budget(verdict=0.1), Estimate(0.5, 0.45, 0.55, 50), "verdict"),
        (Budget(), Estimate(0.5, 0.45, 0.55, 100), "cap"),
    ],
)
def test_a_match_up_is_closed_by_its_rule(budget: Budget, found: Estimate, reason: str) -> None:
    assert stop_reason(found, budget, 100) == reason
    if not reason:
        assert 0 < expected_more(found, budget, 100) <= 50


def test_scenes_are_every_combination() -> None:
    found = scenes(
        [Situation(name="x", set={"b.cover": 1})], {"d": [2, 4]}, {"policy_a": ["bold"], "policy_b": ["c", "d"]}
    )
    assert len(found) == 4
    assert found[1] == Scene(
        name="x, d 2, policy_b d",
        changes=("b.cover=1", "situation.d=2"),
        choices=(("policy_a", "bold"), ("policy_b", "d")),
    )


WIDE = Estimate(0.5, 0.46, 0.54, 100)


@pytest.mark.parametrize(
    ("found", "even", "more"),
    [
        (WIDE, 0.5, 300),  # half as wide takes four times as many
        (Estimate(0.525, 0.500, 0.550, 100), 0.5, 2400),  # a fifth as wide takes 25 times as many
        (Estimate(0.475, 0.450, 0.500, 100), 0.5, 2400),
        (Estimate(0.025, -0.0, 0.05, 100), 0.0, 2400),
        (Estimate(0.0, -0.04, 0.04, 100), 0.0, 300),
        (Estimate(0.53, 0.519, 0.541, 10), 0.5, 3),
        (Estimate(0.5, 0.4799, 0.5201, 1), 0.5, 1),  # one at least, while there is no verdict
        (Estimate(0.52 + 2e-8, 0.50, 0.54, 100), 0.5, 10**14),
        (Estimate(0.52 + 2e-8, 0.50, 0.54, 10**6), 0.5, 10**15),
        (Estimate(0.52 + 1.9e-8, 0.50, 0.54, 1), 0.5, LONGEST),  # nearer to the edge than a millionth of the width
        (Estimate(0.5, 0.481, 0.519, 1), 0.5, 0),
        (Estimate(0.6, 0.521, 0.7, 1), 0.5, 0),
        (Estimate(0.4, 0.3, 0.479, 1), 0.5, 0),
    ],
)
def test_so_many_more_are_needed(found: Estimate, even: float, more: int) -> None:
    assert more_needed(found, 0.02, even) == pytest.approx(more, rel=1e-5, abs=1)


@pytest.mark.parametrize(
    ("budget", "found", "planned", "more"),
    [
        (Budget(trials=1000), WIDE, 1024, 924),
        (Budget(trials=100), WIDE, 100, 0),
        (Budget(half_width=0.02), WIDE, 1024, 300),
        (Budget(half_width=0.01), WIDE, 1024, 924),
        (Budget(half_width=0.04), Estimate(0.5, 0.46, 0.5399, 100), 1024, 0),
        (Budget(verdict=0.02), WIDE, 1024, 300),
        (Budget(verdict=0.02), WIDE, 300, 200),
        (Budget(verdict=0.2), WIDE, 300, 0),
        (Budget(verdict=0.02), WIDE, 100, 0),
    ],
)
def test_so_many_more_are_given(budget: Budget, found: Estimate, planned: int, more: int) -> None:
    assert expected_more(found, budget, planned) == pytest.approx(more, abs=1)


@pytest.mark.parametrize(
    ("low", "high", "fair", "even"),
    [
        (0.48, 0.52, "fair", "even"),
        (0.48 - 1e-9, 0.52, "not yet known", "not yet known"),
        (0.48, 0.52 + 1e-9, "not yet known", "not yet known"),
        (0.52, 0.6, "not yet known", "not yet known"),
        (0.52 + 1e-9, 0.6, "unfair", "one-sided"),
        (0.4, 0.48, "not yet known", "not yet known"),
        (0.4, 0.48 - 1e-9, "unfair", "one-sided"),
    ],
)
def test_a_verdict_is_about_the_whole_interval(low: float, high: float, fair: str, even: str) -> None:
    found = Estimate((low + high) / 2, low, high, 100)
    assert (judge_match_up(found, 0.02, True), judge_match_up(found, 0.02, False)) == (fair, even)


def test_a_mean_is_weighted_by_counts_and_lies_between_its_ends() -> None:
    counts = Pmf(("x",), np.array([[0], [1], [2]]), np.array([100, 200, 500]))
    plain = mean_of(np.array([0.0, 0.5, 0.5]), counts, 0.9)
    wide = mean_of(np.array([-1.0, 0.0, 0.0]), counts, 0.9, -1.0, 1.0)
    assert (plain.value, plain.n_trials, plain.level) == (0.4375, 800, 0.9)
    assert (wide.value, wide.low, wide.high) == pytest.approx((-0.125, 2 * plain.low - 1, 2 * plain.high - 1))
    assert mean_of(np.array([0.0, 0.5, 0.5]), counts, 0.99).half_width > plain.half_width

"""Numbers read off answers, each against the sum that it is."""

from __future__ import annotations

import numpy as np
import pytest

from balance.core import Estimate
from balance.pmf import Pmf
from balance.study.estimates import Answer, read_off, solve_steps
from balance.study.table_settings import Measure

WINNERS = {"a": 1, "b": 2, "draw": 0}
OUTCOMES = np.array([[0, 5, 1], [1, 6, 2], [1, 7, 4], [2, 5, 8]])
"""Who won, and two columns that count, of four outcomes in 10 trials: 1, 2, 3 and 4 times."""
WEIGHTS = [1, 2, 3, 4]
READ = [
    (Measure(mean="x"), 5.8, 5 * 0.1 + 6 * 0.2 + 7 * 0.3 + 5 * 0.4, [5, 6, 7, 5]),
    (Measure(mean="x", less="y"), None, 4 * 0.1 + 4 * 0.2 + 3 * 0.3 - 3 * 0.4, [4, 4, 3, -3]),
    (Measure(chance="x"), 1.0, 1.0, [1, 1, 1, 1]),
    (Measure(chance="x", at_least=6), 0.5, 0.5, [0, 1, 1, 0]),
    (Measure(wins="a"), 0.5, 0.5, [0, 1, 1, 0]),
    (Measure(wins="draw"), 0.1, 0.1, [1, 0, 0, 0]),
    (Measure(score="a"), 0.55, 0.55, [0.5, 1, 1, 0]),
    (Measure(score="b"), 0.45, 0.45, [0.5, 0, 0, 1]),
]


def answer(n_trials: int | None = None) -> Answer:
    weights = np.array(WEIGHTS) if n_trials else np.array(WEIGHTS) / 10
    return Answer(Pmf(("won", "x", "y"), OUTCOMES, weights), n_trials)


@pytest.mark.parametrize(("measure", "plain", "mean", "values"), READ, ids=lambda one: str(one))
def test_a_number_is_the_mean_of_its_variable(
    measure: Measure, plain: float | None, mean: float, values: list[float]
) -> None:
    exact, drawn = (read_off(measure, answer(n), WINNERS, "won") for n in (None, 10))
    assert exact.is_exact
    assert exact.value == drawn.value == pytest.approx(mean)
    assert plain is None or mean == pytest.approx(plain)
    error = (np.average(np.square(values), weights=WEIGHTS) - mean**2) ** 0.5 / 10**0.5
    assert drawn.error == pytest.approx(error, abs=1e-8)
    assert (drawn.n_trials, drawn.how) == (10, "simulated")
    twin = Estimate.of_share(drawn.value, 10) if measure.mean is None else Estimate.of_mean(drawn.value, error, 10)
    assert (drawn.low, drawn.high) == pytest.approx((twin.low, twin.high))


def test_where_nobody_can_draw_a_score_is_a_chance_to_win() -> None:
    assert read_off(Measure(score="a"), answer(), {"a": 1, "b": 2}, "won").value == 0.5


@pytest.mark.parametrize(
    ("steps", "values", "target", "place"),
    [
        ([0, 1, 2], [1.0, 3.0, 4.0], 2.0, (0.5, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 3.5, (1.5, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0, (0.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0, (2.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0 + 5e-10, (2.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0 - 5e-10, (0.0, None)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 4.0 + 2e-9, (None, 2)),
        ([0, 1, 2], [1.0, 3.0, 4.0], 1.0 - 2e-9, (None, 0)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 2.0, (1.5, None)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 5.0, (None, 0)),
        ([0, 1, 2], [4.0, 3.0, 1.0], 0.5, (None, 2)),
        ([3, 4], [0.0, 1.0], 0.25, (3.25, None)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], 5.0, (None, 1)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], -1.0, (None, -1)),
        ([-2, -1, 0, 1, 2], [0.0, 0.0, 2.0, 4.0, 4.0], 3.0, (0.5, None)),
        ([-2, -1, 0, 1], [5e-10, 0.0, 2.0, 4.0], 1.0, (-0.5, None)),
        ([0, 1, 2, 3], [0.0, 1.0, 1.0, 2.0], 0.5, (None, None)),
        ([0, 1, 2], [0.0, 2.0, 1.0], 0.5, (None, None)),
        ([0, 1, 2], [1.0, 1.0, 1.0], 1.0, (None, None)),
    ],
)
def test_straight_lines_reach_a_target_there(
    steps: list[int], values: list[float], target: float, place: tuple[float | None, int | None]
) -> None:
    assert solve_steps(steps, values, target) == place

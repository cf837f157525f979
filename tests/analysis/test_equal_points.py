"""What armies of equal points score is known in tug of war: S^2 / (S^2 + T^2)."""

from itertools import product

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.equal_points import EqualPoints, alike_scores, mixed_scores
from balance.analysis.armies.equal_points import _equal_points as scored
from balance.base.arrays import FloatArray
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME

SETTING = ArmySetting("lineup", ((100, 4), (170, 6)))
FAIR = np.array([60.0, 90, 200, 300, 130, 195]) / 8
PRINTED = np.array([10.0, 14, 24, 28, 16, 20])


@pytest.fixture(scope="module")
def runner() -> Runner:
    return Runner(load(GAME))


def score_of(one: int, other: int, budget: float, costs: FloatArray) -> float:
    """What armies of `one` score against armies of `other`, over all that the last unit of either may do."""
    found = 0.0
    sides = []
    for member in (one, other):
        n, part = divmod(budget / costs[member], 1)
        sides.append([(n * FAIR[member], 1 - part), ((n + 1) * FAIR[member], part)])
    for (s, p), (t, q) in product(*sides):
        found += p * q * s**2 / (s**2 + t**2)
    return found


@pytest.mark.parametrize("costs", [FAIR, PRINTED])
@pytest.mark.parametrize(("n", "near"), [(200, 0.03), pytest.param(2000, 0.01, marks=pytest.mark.slow)])
def test_scores_of_armies_of_equals_are_those_worked_out_by_hand(
    runner: Runner, costs: FloatArray, n: int, near: float
) -> None:
    grid, found = alike_scores(runner, SETTING, runner.game.entrants, costs, n, seed=1)
    exact = np.array([
        [np.mean([score_of(one, other, budget, costs) for budget, _ in SETTING.budgets]) for other in range(6)]
        for one in range(6)
    ])  # fmt: skip
    rows, columns = np.triu_indices(6, 1)
    assert np.abs(grid - exact)[rows, columns].max() < 4 * np.sqrt(0.25 / (2 * n))
    assert (grid + grid.T).tolist() == np.ones((6, 6)).tolist()
    truth = np.sqrt(np.mean((exact[rows, columns] - 0.5) ** 2))
    assert found.rms == pytest.approx(truth, abs=near)


def test_fair_costs_leave_nothing_and_equal_ones_much(runner: Runner) -> None:
    fair = mixed_scores(runner, SETTING, runner.game.entrants, FAIR, 300, 40, seed=2)
    equal = mixed_scores(runner, SETTING, runner.game.entrants, np.full(6, 16.0), 300, 40, seed=2)
    assert fair.rms < 0.025
    assert equal.rms > 0.06


def test_what_dice_add_is_taken_off() -> None:
    """Scores of 20 throws of a fair coin spread by sqrt(1/80), and nothing is unfair; a negative rest is none."""
    scores = np.random.default_rng(3).binomial(20, 0.5, 4000) / 20
    assert np.sqrt(np.mean((scores - 0.5) ** 2)) == pytest.approx(np.sqrt(1 / 80), rel=0.05)
    assert EqualPoints(scores, scores * (1 - scores) / 19).rms < 0.03
    assert EqualPoints(np.array([0.5, 0.5]), np.array([0.1, 0.1])).rms == 0


def test_the_same_seed_gives_the_same_scores_and_another_does_not(runner: Runner) -> None:
    one, again, other = (
        mixed_scores(runner, SETTING, runner.game.entrants, PRINTED, 50, 4, seed).scores.tolist() for seed in (1, 1, 2)
    )
    assert one == again != other


def test_what_going_first_is_worth_is_not_taken_for_noise() -> None:
    """Whoever goes first always wins: that is fair, and no noise. One always wins: that is neither."""
    first_wins = scored(np.array([[1.0] * 50, [0.0] * 50]), 2)
    assert first_wins.rms == 0
    assert first_wins.variances.tolist() == [0.0] * 50
    one_wins = scored(np.ones((2, 50)), 2)
    assert one_wins.rms == 0.5


@pytest.mark.slow("test_what_dice_add_is_taken_off")
def test_few_battles_of_a_match_up_tell_the_same_as_many(runner: Runner) -> None:
    few = alike_scores(runner, SETTING, runner.game.entrants, np.full(6, 16.0), 4, seed=3)[1]
    many = alike_scores(runner, SETTING, runner.game.entrants, np.full(6, 16.0), 400, seed=3)[1]
    assert few.rms == pytest.approx(many.rms, abs=0.06)

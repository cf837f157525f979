"""How far groups of one size lie apart without the dice, and the smallest change by which sizes win alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from statistics import median, quantiles

import numpy as np
import pytest

from balance.analysis.scaling.search import Choice, Goal, goal_of, smallest_steps
from balance.analysis.scaling.spread import spread_of

TRIALS = 512
TRUE_CHANCES = np.array(
    [0.25, 0.29, 0.33, 0.36, 0.40, 0.47, 0.50, 0.52, 0.57, 0.62, 0.67, 0.71, 0.77, 0.80, 0.87, 0.94]
)


def test_the_five_numbers_are_those_of_any_textbook_once_the_dice_are_out() -> None:
    wins = [100, 200, 300, 400, 450]
    spread = spread_of(wins, 500)
    chances = sorted(spread.chances.tolist())
    assert spread.values[2] == median(chances)
    assert [spread.values[1], spread.values[3]] == pytest.approx(quantiles(chances, n=4, method="inclusive")[::2])
    assert (spread.values[0], spread.values[4]) == (chances[0], chances[-1])
    assert spread.places == (0, 1, 2, 3, 4)


def test_groups_keep_their_numbers_in_any_order() -> None:
    wins, order = [100, 450, 300, 120, 200], [4, 2, 0, 1, 3]
    first, second = spread_of(wins, 500), spread_of([wins[place] for place in order], 500)
    assert second.chances.tolist() == pytest.approx(first.chances[order].tolist())
    assert second.values == pytest.approx(first.values)


def test_what_the_dice_add_is_taken_out_of_the_spread() -> None:
    """Groups that are alike seem to lie apart by their dice alone; of 400 such fields little of that is left."""
    rng = np.random.default_rng(1)
    alike = [spread_of(rng.binomial(TRIALS, np.full(20, 0.5)), TRIALS).chances.var(ddof=1) for _ in range(400)]
    apart = [spread_of(rng.binomial(TRIALS, TRUE_CHANCES), TRIALS).chances.var(ddof=1) for _ in range(400)]
    dice = 0.25 / TRIALS
    assert np.mean(alike) < 0.25 * dice
    assert np.mean(apart) == pytest.approx(TRUE_CHANCES.var(ddof=1), rel=0.01)


def test_the_interval_of_a_median_holds_it() -> None:
    """95 of 100 intervals should hold the truth; 600 draws give 93 to 97 with at most 2 % of chance to fail."""
    rng, held, n = np.random.default_rng(2), 0, 600
    truth = float(np.median(TRUE_CHANCES))
    for number in range(n):
        spread = spread_of(rng.binomial(TRIALS, TRUE_CHANCES), TRIALS)
        low, high = np.quantile(spread.medians(np.random.default_rng(number), 200), [0.025, 0.975])
        held += low <= truth <= high
    assert 0.92 <= held / n <= 0.98


@pytest.mark.parametrize(
    ("chances", "kept"),
    [
        ({2: 0.58, 3: 0.78, 4: 0.36, 5: 0.62}, (2, 5)),
        ({2: 0.5, 3: 0.5, 4: 0.5, 5: 0.5}, (2, 3, 4, 5)),
        ({2: 0.1, 3: 0.5, 4: 0.9}, (3,)),
    ],
)
def test_the_sizes_that_agree_are_kept(chances: dict[int, float], kept: tuple[int, ...]) -> None:
    goal = goal_of(chances, 0.10)
    assert goal.kept == kept
    assert goal.high - goal.low == pytest.approx(0.10)
    assert all(goal.low <= chances[size] <= goal.high for size in kept)


def twin(
    chances: Mapping[int, float], goal: Goal, after: Mapping[int, Sequence[float]], easier: Mapping[int, Sequence[bool]]
) -> dict[int, int | None]:
    """Choose by trying every combination of steps: as many sizes in the band as can be, by the smallest steps."""
    sizes = sorted(chances)

    def value(size: int, step: int | None) -> float:
        return chances[size] if step is None else after[size][step]

    def allowed(size: int, step: int | None) -> bool:
        if step is None or size in goal.kept:
            return step is None
        gains = abs(value(size, step) - goal.middle) <= 0.75 * abs(chances[size] - goal.middle)
        return gains and easier[size][step] == (chances[size] < goal.middle)

    combinations = [
        dict(zip(sizes, steps, strict=True))
        for steps in product(*([None, *range(len(after[size]))] for size in sizes))
        if all(map(allowed, sizes, steps))
    ]

    def key(steps: Mapping[int, int | None]) -> tuple[float, float]:
        outside = [size for size in sizes if not goal.low <= value(size, steps[size]) <= goal.high]
        cost = sum(0 if step is None else step + 1 for size, step in steps.items() if size not in outside)
        return len(outside) + sum(abs(value(size, steps[size]) - goal.middle) for size in outside) / 100, cost

    return min(combinations, key=key)


@pytest.mark.parametrize("seed", range(20))
def test_the_search_finds_what_trying_everything_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances = {size: float(rng.uniform(0.2, 0.9)) for size in (2, 3, 4)}
    goal = goal_of(chances, 0.10)
    easier = {size: [bool(value) for value in rng.integers(0, 2, 3)] for size in chances}
    after = {
        size: [chances[size] + (1 if easier[size][step] else -1) * float(rng.uniform(0, 0.4)) for step in range(3)]
        for size in chances
    }
    choices = smallest_steps(chances, goal, easier, lambda size, step: after[size][step])
    assert {size: choice.step for size, choice in choices.items()} == twin(chances, goal, after, easier)


@pytest.mark.parametrize("after", [0.1, 0.9, 0.77])
def test_a_step_that_makes_it_worse_or_hardly_better_is_never_taken(after: float) -> None:
    goal = goal_of({2: 0.5, 3: 0.8}, 0.1)
    choices = smallest_steps({2: 0.5, 3: 0.8}, goal, {3: [False]}, lambda size, step: after)
    assert choices[3] == Choice(None, 1)

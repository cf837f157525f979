"""What results are spent on: the best affordable set of effects, and the dearest first, against trying every set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.chance.rolls.purchases import EQUAL, MOST_EFFECTS, Purchase


def sets_that_fit(costs: list[tuple[int, ...]], roll: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every set of effects that a roll pays for and that holds all free ones, by trying each."""
    found = []
    for k in range(len(costs) + 1):
        for one in combinations(range(len(costs)), k):
            paid = [sum(costs[effect][kind] for effect in one) for kind in range(len(roll))]
            free_too = all(effect in one for effect, cost in enumerate(costs) if not any(cost))
            if free_too and all(cost <= there for cost, there in zip(paid, roll, strict=True)):
                found.append(one)
    return found


def test_the_best_set_is_that_of_trying_every_set() -> None:
    """10,000 random rolls on 500 random markets; values are coarse, so that many sets are equally good."""
    dice = np.random.default_rng(11)
    for _ in range(500):
        n_effects, n_kinds = int(dice.integers(1, 6)), int(dice.integers(1, 5))
        costs = [tuple(int(cost) for cost in row) for row in dice.integers(0, 3, (n_effects, n_kinds))]
        purchase, rolls = Purchase(tuple(costs)), dice.integers(0, 5, (20, n_kinds))
        values = dice.integers(0, 4, (20, len(purchase.sets))) / 2 + dice.uniform(0, EQUAL / 4, (20, 1))
        best = purchase.best(purchase.affordable(rolls), values)
        for row, roll in enumerate(rolls.tolist()):
            fitting = {one: values[row, purchase.sets.index(one)] for one in sets_that_fit(costs, roll)}
            most = max(fitting.values())
            good = [one for one, value in fitting.items() if value >= most - EQUAL]
            assert purchase.sets[best[row]] == min(good, key=lambda one: (-len(one), one))


def test_sets_worth_almost_as_much_are_as_good() -> None:
    """Half of `EQUAL` below the best is as good, and then more effects decide; twice `EQUAL` below is not."""
    purchase = Purchase(((1,), (1,), (0,)))
    assert purchase.sets == ((0, 1, 2), (0, 2), (1, 2), (2,))
    can = purchase.affordable(np.array([[2], [2], [1], [1], [0]]))
    assert can.tolist() == [[True] * 4, [True] * 4, [False, *[True] * 3], [False, *[True] * 3], [False] * 3 + [True]]
    near, far = 1 - EQUAL / 2, 1 - EQUAL * 2
    values = np.array([[near, 0, 1, 0], [far, 0, 1, 0], [9, near, 1, near], [9, far, 1, near], [9, 9, 9, 0]])
    assert purchase.best(can, values).tolist() == [0, 2, 1, 2, 3]


def test_what_each_roll_can_pay_is_what_fits() -> None:
    dice = np.random.default_rng(13)
    for _ in range(100):
        n_effects, n_kinds = int(dice.integers(0, 6)), int(dice.integers(1, 5))
        costs = [tuple(int(cost) for cost in row) for row in dice.integers(0, 3, (n_effects, n_kinds))]
        purchase, rolls = Purchase(tuple(costs)), dice.integers(0, 5, (10, n_kinds))
        for can, roll in zip(purchase.affordable(rolls), rolls.tolist(), strict=True):
            fitting = sorted(sets_that_fit(costs, roll), key=lambda one: (-len(one), one))
            assert [purchase.sets[place] for place in np.flatnonzero(can)] == fitting


@pytest.mark.slow("test_what_each_roll_can_pay_is_what_fits")
def test_the_dearest_first_is_that_of_buying_one_by_one() -> None:
    dice = np.random.default_rng(12)
    for _ in range(500):
        n_effects, n_kinds = int(dice.integers(1, 6)), int(dice.integers(1, 5))
        costs = [tuple(int(cost) for cost in row) for row in dice.integers(0, 3, (n_effects, n_kinds))]
        purchase, rolls = Purchase(tuple(costs)), dice.integers(0, 5, (20, n_kinds))
        for row, roll in enumerate(rolls.tolist()):
            bought = []
            for effect in sorted(range(n_effects), key=lambda effect: (-sum(costs[effect]), effect)):
                if all(there >= cost for there, cost in zip(roll, costs[effect], strict=True)):
                    roll = [there - cost for there, cost in zip(roll, costs[effect], strict=True)]
                    bought.append(effect)
            assert purchase.sets[purchase.dearest(rolls)[row]] == tuple(sorted(bought))


def test_a_free_effect_is_in_every_set() -> None:
    assert Purchase(((0,), (1,))).sets == ((0, 1), (0,))


def test_without_effects_nothing_is_bought() -> None:
    purchase, rolls = Purchase(()), np.array([[2, 1], [0, 0]])
    assert purchase.sets == ((),)
    assert purchase.affordable(rolls).tolist() == [[True], [True]]
    assert purchase.dearest(rolls).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (((1,),) * (MOST_EFFECTS + 1), "13 effects compete for one roll; let at most 12 do so"),
        (((1, -1),), "an effect costs fewer than no results; a cost is 0 or more"),
    ],
)
def test_what_is_no_market(costs: tuple[tuple[int, ...], ...], message: str) -> None:
    with pytest.raises(UsageError) as error:
        Purchase(costs)
    assert str(error.value) == message

"""Every option of every choice: the branches of a step against plain loops."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.base.errors import RollsError
from balance.chance.exact.tree import every_option
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls


def bid(state: State, rolls: Rolls) -> State:
    """Side a bids up to its coins, a die of as many faces follows, then side b passes or doubles if the die allows."""
    coins = state["coins"]
    bids = rolls.choose("a", "bid", np.arange(4) <= coins[:, None], state)
    die = rolls.uniform(bids + 1, "die")
    double = rolls.choose("b", "double", np.where(die > 0, 2, 1), {"bid": bids})
    return {"coins": coins - bids + die * (1 + double)}


def test_branches_are_what_plain_loops_list() -> None:
    state: State = {"coins": np.array([2, 0, 1])}
    branches = every_option(bid, state)
    assert list(branches.choices) == [("a", "bid"), ("b", "double")]
    expected: Counter[tuple[int, ...]] = Counter()
    for origin, coins in enumerate([2, 0, 1]):
        for bids in range(coins + 1):
            for die in range(bids + 1):
                for double in range(2 if die else 1):
                    expected[origin, bids, double, coins - bids + die * (1 + double)] += 6 // (bids + 1)
    columns: list[IntArray] = [branches.origin, *branches.choices.values(), branches.state["coins"]]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    assert branches.denominator == 6
    assert dict(zip(rows, branches.weights.tolist(), strict=True)) == expected


class Half:
    """Bids half of what it may."""

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        """Return the middle option."""
        return np.asarray((legal.sum(axis=1) - 1) // 2)


def test_sides_with_policies_choose_as_these_do() -> None:
    process = Process({"coins": 3}, (bid,), lambda s: s["coins"] < 0, lambda s, steps: s, 1, {"a": Half()})
    branches = every_option(process.step(0), {"coins": np.array([3])})
    assert list(branches.choices) == [("b", "double")]
    assert branches.state["coins"].tolist() == [2, 3, 4]
    assert branches.weights.tolist() == [1, 1, 1]
    assert branches.denominator == 2


def test_a_choice_without_options_or_asked_twice_is_refused() -> None:
    state: State = {"coins": np.array([0, 1])}
    with pytest.raises(RollsError, match="nothing to choose from for 'x'"):
        every_option(lambda s, r: {"coins": r.choose("a", "x", s["coins"], s)}, state)
    with pytest.raises(RollsError, match="asked to choose 'x' twice in one step"):
        every_option(lambda s, r: {"coins": r.choose("a", "x", 2, s) + r.choose("a", "x", 2, s)}, state)


def test_what_cannot_happen_needs_no_option() -> None:
    """No die of 0 faces: four of the five numbers of successes of a `count` of one die cannot happen."""

    def step(state: State, rolls: Rolls) -> State:
        hits = rolls.count(6, 4, [6], "dice", np.minimum(state["coins"], 1))
        return {"coins": rolls.choose("a", "which", np.arange(2) <= np.where(hits > 1, -1, hits)[:, None], state)}

    branches = every_option(step, {"coins": np.array([3])})
    assert branches.state["coins"].tolist() == [0, 0, 1]
    assert branches.weights.tolist() == [5 * 216, 216, 216]


def test_branches_are_listed_choice_by_choice_and_fall_by_fall() -> None:
    branches = every_option(bid, {"coins": np.array([1, 0])})
    assert branches.origin.tolist() == [0, 0, 0, 0, 1]
    assert {choice: options.tolist() for choice, options in branches.choices.items()} == {
        ("a", "bid"): [0, 1, 1, 1, 0],
        ("b", "double"): [0, 0, 0, 1, 0],
    }
    assert branches.state["coins"].tolist() == [1, 0, 1, 2, 0]
    assert (branches.weights.tolist(), branches.denominator) == ([2, 1, 1, 1, 2], 2)


def test_the_two_refusals_of_a_choice_in_full() -> None:
    state: State = {"coins": np.array([0, 1])}
    with pytest.raises(RollsError) as error:
        every_option(lambda s, r: {"coins": r.choose("a", "x", s["coins"], s)}, state)
    assert str(error.value) == "there is nothing to choose from for 'x'"
    with pytest.raises(RollsError) as error:
        every_option(lambda s, r: {"coins": r.choose("a", "x", 2, s) + r.choose("a", "x", 2, s)}, state)
    assert str(error.value) == (
        "side 'a' is asked to choose 'x' twice in one step; give each choice of a step a name of its own"
    )

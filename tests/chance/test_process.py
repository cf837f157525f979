"""State of any shape and type, and a start that chance decides: every engine copes alike."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.base.errors import DistributionError, UsageError
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.process import Process, State, flat_columns, n_trials, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.chance.trials.tally import count_rows

CELLS = np.zeros((2, 2), bool)


def fill(state: State, rolls: Rolls) -> State:
    """Mark one of four cells, and count the marks on either diagonal as bits of a 64-bit word beyond all others."""
    cell = rolls.uniform(4, "cell")
    cells = state["cells"] | (np.arange(4) == cell[:, None]).reshape(-1, 2, 2)
    return {
        "cells": cells,
        "bits": state["bits"] | (np.uint64(1) << (np.uint64(60) + cell.astype(np.uint64))),
        "weight": state["weight"] + 0.5,
    }


def board(max_steps: int = 3) -> Process:
    """Mark cells until a row is full, or so many times."""
    return Process(
        {"cells": CELLS, "bits": np.uint64(0), "weight": 0.0},
        (fill,),
        lambda s: s["cells"].sum(axis=2).max(axis=1) == 2,
        reported,
        max_steps,
    )


def reported(state: State, steps: IntArray) -> State:
    assert state["cells"].dtype == bool
    assert state["cells"].shape[1:] == (2, 2)
    assert state["bits"].dtype == np.uint64
    high = (state["bits"] >> np.uint64(60)).astype(np.int64)
    return {"marks": state["cells"].sum(axis=(1, 2)), "high": high, "steps": steps, "doubled": state["weight"] * 2}


def by_hand(max_steps: int) -> Counter[tuple[int, ...]]:
    found: Counter[tuple[int, ...]] = Counter()
    for falls in product(range(4), repeat=max_steps):
        marked: set[int] = set()
        for number, cell in enumerate(falls, 1):
            marked.add(cell)
            if {0, 1} <= marked or {2, 3} <= marked or number == max_steps:
                found[len(marked), sum(1 << cell for cell in marked), number, number] += 1
                break
    return found


def test_exact_chain_and_simulated_boards_agree_with_plain_loops() -> None:
    expected = {key: n / 4**3 for key, n in by_hand(3).items()}
    for distribution in (exact_distribution(board()), chain_distribution(board())):
        got = dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True))
        assert got == pytest.approx(expected, rel=1e-12)
    sample = count_rows(simulate(board(), RandomRolls(20261122, "board", 0, 50_000)))
    assert exact_distribution(board()).agreement(sample).p_value > 1e-3


def test_a_board_is_played_from_an_example_and_in_order() -> None:
    assert play_fixed(board(), {"cell": [0, 3, 1]}) == {"marks": 3, "high": 11, "steps": 3, "doubled": 3}
    ended, ordered = (simulate(board(), RandomRolls(0, "board", 0, 100), in_order=flag) for flag in (False, True))
    assert ended["high"].tolist() != ordered["high"].tolist()
    assert sorted(ended["high"].tolist()) == sorted(ordered["high"].tolist())


def dealt(**more: Any) -> Process:
    """Start with a card of three, then throw as many dice of two faces as it says."""

    def start(rolls: Rolls, n: int) -> State:
        return {"card": rolls.deal(3, 1, "card")[:, 0], "sum": np.zeros(n, np.int16)}

    def step(state: State, rolls: Rolls) -> State:
        return {**state, "sum": state["sum"] + rolls.d(2, 2, "dice", state["card"]).sum(axis=1)}

    return Process(start, (step,), lambda s: s["sum"] >= 0, lambda s, steps: s, 1)


def test_a_start_may_be_left_to_chance() -> None:
    expected = {(0, 0): 1 / 3, (1, 1): 1 / 6, (1, 2): 1 / 6, (2, 2): 1 / 12, (2, 3): 1 / 6, (2, 4): 1 / 12}
    for distribution in (exact_distribution(dealt()), chain_distribution(dealt())):
        got = dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True))
        assert got == pytest.approx(expected, rel=1e-12)
    assert exact_distribution(dealt()).total == 3 * 4
    assert chain_distribution(dealt()).total == pytest.approx(1)
    sample = count_rows(simulate(dealt(), RandomRolls(20261122, "dealt", 0, 50_000)))
    assert exact_distribution(dealt()).agreement(sample).p_value > 1e-3
    assert play_fixed(dealt(), {"card": [2], "dice": [1, 2]}) == {"card": 2, "sum": 3}
    with pytest.raises(UsageError, match="needs rolls"):
        start_state(dealt(), 3)


def test_columns_are_taken_along_the_first_axis() -> None:
    state = start_state(board(), 3)
    assert n_trials(take_trials(state, [0, 2])) == 2
    assert [column.tolist() for column in flat_columns({"x": np.array([[1, 2], [3, 4]])})] == [[1, 3], [2, 4]]


def test_a_chain_refuses_numbers_that_its_keys_cannot_hold() -> None:
    """65,536 would be taken for 0 of the next column; a column that starts wide may hold it."""

    def step(state: State, rolls: Rolls) -> State:
        return {"x": state["x"] + 40_000 * rolls.count(2, 1, [2], "coin").astype(np.int64), "n": state["n"] + 1}

    def process(x: Any) -> Process:
        return Process({"x": x, "n": 0}, (step,), lambda s: s["n"] == 2, lambda s, steps: {"x": s["x"]}, 5)

    with pytest.raises(DistributionError, match="beyond 16 bits"):
        chain_distribution(process(0))
    assert chain_distribution(process(np.int64(0))).to_dict() == {"x": [0, 40_000, 80_000], "weight": [0.25, 0.5, 0.25]}


def test_the_start_of_a_process_is_repeated_for_each_trial_in_its_own_type() -> None:
    start: dict[str, Any] = {
        "n": 3,
        "wide": np.int64(4),
        "share": 0.5,
        "board": np.array([[1, 2], [3, 4]], np.int8),
        "flag": True,
    }
    state = start_state(Process(start, (), lambda s: s["n"] > 0, lambda s, n: s, 0), 2)
    assert {name: (values.tolist(), values.dtype.name) for name, values in state.items()} == {
        "n": ([3, 3], "int16"),
        "wide": ([4, 4], "int64"),
        "share": ([0.5, 0.5], "float64"),
        "board": ([[[1, 2], [3, 4]]] * 2, "int8"),
        "flag": ([True, True], "bool"),
    }
    assert n_trials(state) == 2


def test_the_numbers_of_a_state_are_equal_where_its_trials_are() -> None:
    state: State = {
        "n": np.array([1, 2, 1], np.int16),
        "share": np.array([0.5, -0.0, 0.5], np.float32),
        "bits": np.array([2**64 - 1, 0, 2**64 - 1], np.uint64),
        "board": np.array([[[True, False]], [[False, False]], [[True, False]]]),
    }
    halves = int(np.array(0.5).view(np.int64))
    zero = int(np.array(-0.0).view(np.int64))
    columns = flat_columns(state)
    expected = [[1, 2, 1], [halves, zero, halves], [-1, 0, -1], [1, 0, 1], [0, 0, 0]]
    assert [column.tolist() for column in columns] == expected
    assert {column.dtype.kind for column in columns} == {"i"}


def test_steps_come_round_and_the_same_policies_choose_in_each() -> None:
    class Second:
        def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
            """Return the second option."""
            return np.ones(rolls.n, np.int64)

    def step(by: int, state: State, rolls: Rolls) -> State:
        return {"x": state["x"] * 10 + by + rolls.choose("a", "x", 2, state)}

    steps = tuple(partial(step, by) for by in (0, 2, 4))
    process = Process({"x": 0}, steps, lambda s: s["x"] < 0, lambda s, n: s, 4, {"a": Second()})
    assert simulate(process, RandomRolls(0, "k", 0, 2))["x"].tolist() == [1351, 1351]
    free = Process({"x": 0}, steps, lambda s: s["x"] < 0, lambda s, n: s, 4)
    assert [free.step(number) for number in range(5)] == [steps[0], steps[1], steps[2], steps[0], steps[1]]

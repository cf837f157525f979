"""Every way the dice can fall: the merged enumeration equals the one that lists every die, in integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.base.arrays import IntArray
from balance.base.errors import DistributionError, RollsError
from balance.chance.exact import enumeration as module
from balance.chance.exact.chain import chain_distribution
from balance.chance.exact.enumeration import (
    GridRolls,
    StepWays,
    exact_distribution,
    expand,
    list_starts,
    plan_step,
    run_in_every_way,
)
from balance.chance.pmf import die
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from tests.chance.toys import race


def one_step(step: object, start: dict[str, int], n_steps: int = 1) -> Process:
    never = lambda state: np.zeros(len(next(iter(state.values()))), bool)  # noqa: E731
    return Process(start, (step,), never, lambda s, steps: s, n_steps)  # type: ignore[arg-type]


def volley(k: int, good: list[int], cap: int, state: State, rolls: Rolls) -> State:
    """Roll as many dice as a first die shows, at most `cap`, and count successes."""
    n_dice = np.minimum(rolls.d(4, 1, "how many")[:, 0], cap)
    hits = rolls.count(6, k, good, "dice", n_dice)
    return {"hits": (state["hits"] + hits).astype(np.int16), "n": n_dice.astype(np.int16)}


@given(st.integers(1, 4), st.sets(st.integers(1, 6)), st.integers(0, 4), st.integers(1, 2))
@settings(max_examples=20, deadline=None)
def test_merged_equals_every_die(k: int, good: set[int], cap: int, n_steps: int) -> None:
    process = one_step(lambda s, r: volley(k, sorted(good), cap, s, r), {"hits": 0, "n": 0}, n_steps)
    merged, listed = exact_distribution(process), exact_distribution(process, each_die=True)
    assert merged.total == listed.total == (4 * 6**k) ** n_steps
    assert merged.to_dict() == listed.to_dict()


def test_it_is_what_a_loop_over_all_dice_counts() -> None:
    process = one_step(lambda s, r: volley(3, [5, 6], 2, s, r), {"hits": 0, "n": 0})
    counts: dict[tuple[int, int], int] = {}
    for first, *dice in product(range(1, 5), *[range(1, 7)] * 3):
        n = min(first, 2)
        key = (sum(face >= 5 for face in dice[:n]), n)
        counts[key] = counts.get(key, 0) + 1
    distribution = exact_distribution(process)
    assert dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.weights.tolist(), strict=True)) == counts


def test_faces_that_count_may_differ_by_state() -> None:
    def step(state: State, rolls: Rolls) -> State:
        flags = np.arange(1, 7) <= np.asarray(state["skill"])[:, None]
        return {"skill": (rolls.count(6, 3, flags, "dice") + 1).astype(np.int16)}

    process = one_step(step, {"skill": 2}, 2)
    assert exact_distribution(process).to_dict() == exact_distribution(process, each_die=True).to_dict()


def test_weights_grow_beyond_64_bits_without_rounding() -> None:
    process = one_step(lambda s, r: {"n": s["n"] + r.count(10, 7, [1], "dice")}, {"n": 0}, 4)
    distribution = exact_distribution(process)
    assert distribution.total == 10**28
    assert distribution.fraction(lambda n: n == 28) == Fraction(1, 10**28)
    assert sum(distribution.weights.tolist()) == 10**28


def test_trials_that_are_over_wait() -> None:
    distribution = exact_distribution(
        Process({"six": 0}, (roll_six,), lambda s: s["six"] > 0, lambda s, n: {"rolls": n, **s}, 3)
    )
    assert distribution.to_dict() == {"rolls": [1, 2, 3, 3], "six": [1, 1, 0, 1], "weight": [36, 30, 125, 25]}


def roll_six(state: State, rolls: Rolls) -> State:
    return {"six": rolls.count(6, 1, [6], "die")}


def test_drawing_from_a_distribution_gives_the_distribution_of_the_dice() -> None:
    short = [
        Process(p.start, p.steps, p.over, p.outcome, 4) for p in (race(3, 3, literal=True), race(3, 3, literal=False))
    ]
    literal, drawn = map(exact_distribution, short)
    assert literal.is_exact and not drawn.is_exact
    assert literal.outcomes.tolist() == drawn.outcomes.tolist()
    np.testing.assert_allclose(literal.p, drawn.p, rtol=1e-12)


def test_a_step_in_every_way_sums_to_the_denominator_for_each_state() -> None:
    state: State = {"hits": np.array([0, 5], np.int16), "n": np.array([0, 1], np.int16)}
    step = lambda s, r: volley(2, [6], 4, s, r)  # noqa: E731
    origin, after, weights, denominator = expand(step, state, plan_step(step, state))
    assert [int(weights[origin == place].sum()) for place in (0, 1)] == [denominator] * 2
    assert (after["hits"][origin == 1] >= 5).all()


def test_too_many_combinations_are_refused_with_a_tip() -> None:
    with pytest.raises(DistributionError, match="fewer dice"):
        GridRolls(StepWays((10**6, 10**6)), 1)


def test_weights_beyond_int64_are_exact_though_most_of_the_grid_cannot_happen() -> None:
    """Each of 12 dice that shows a six is thrown again: Binomial(12, 1/36), in one step of 6**36 ways."""

    def step(state: State, rolls: Rolls) -> State:
        sixes = rolls.count(6, 12, [6], "first")
        return {"n": rolls.count(6, 24, [6], "again", sixes)}

    distribution = exact_distribution(one_step(step, {"n": 0}))
    assert distribution.total == 6**36
    assert distribution.to_dict()["weight"] == [comb(12, n) * 35 ** (12 - n) * 36**6 for n in range(13)]


# -- plans, rows and weights in full -----------------------------------------------------------------------------------


def shoot(state: State, rolls: Rolls) -> State:
    """Throw one or two dice of three faces and count threes."""
    n_dice = rolls.d(2, 1, "how many")[:, 0]
    return {"hits": state["hits"] + rolls.count(3, 2, [3], "dice", n_dice), "n": n_dice}


TWO: State = {"hits": np.array([0, 5]), "n": np.array([0, 0])}


def test_a_plan_tells_the_ways_of_each_request_from_one_trial() -> None:
    def step(state: State, rolls: Rolls) -> State:
        assert len(state["hits"]) == rolls.n == 1
        rolls.draw(DistributionStack((die(3), die(2))), 0, "drawn")
        card = rolls.deal(4, 2, "deck")[:, 0]
        rolls.uniform(card + 1, "ragged")
        state = shoot(state, rolls)
        rolls.choose("a", "which", 2, state)
        raise AssertionError("nothing is asked after a choice")

    assert plan_step(step, TWO) == StepWays((3, 12, None, 2, 3), each_die=False)
    assert plan_step(step, TWO, each_die=True) == StepWays((3, 12, None, 2, 9), each_die=True)
    assert plan_step(shoot, TWO) == StepWays((2, 3))


def test_a_policy_is_asked_when_the_plan_is_known_and_only_in_what_can_happen() -> None:
    seen: list[list[int]] = []

    class Noted:
        def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
            """Note what is asked."""
            seen.append(view["hits"].tolist())
            return np.zeros(rolls.n, np.int64)

    def step(state: State, rolls: Rolls) -> State:
        after = shoot(state, rolls)
        return {**after, "n": rolls.choose("a", "x", 2, after)}

    process = Process({"hits": 0, "n": 0}, (step,), lambda s: s["n"] > 9, lambda s, steps: s, 1, {"a": Noted()})
    assert exact_distribution(process).to_dict() == {"hits": [0, 1, 2], "n": [0, 0, 0], "weight": [10, 7, 1]}
    assert seen == [[0, 1, 0, 1, 2]]


@pytest.mark.parametrize("each_die", [False, True])
def test_a_step_in_every_way_row_by_row(each_die: bool) -> None:
    """With one die no two threes can show: of five falls each, the last is left out."""
    origin, after, weights, denominator = expand(shoot, TWO, plan_step(shoot, TWO, each_die=each_die))
    if each_die:
        falls = [(n, first, second) for n in (1, 2) for second in (1, 2, 3) for first in (1, 2, 3)]
        rows = [(sum(face == 3 for face in (first, second)[:n]), n, 1) for n, first, second in falls]
    else:
        rows = [(0, 1, 6), (1, 1, 3), (0, 2, 4), (1, 2, 4), (2, 2, 1)]
    assert origin.tolist() == [0] * len(rows) + [1] * len(rows)
    assert after["hits"].tolist() == [hits for hits, _, _ in rows] + [5 + hits for hits, _, _ in rows]
    assert after["n"].tolist() == [n for _, n, _ in rows] * 2
    assert weights.tolist() == [weight for _, _, weight in rows] * 2
    assert denominator == 18
    assert weights.dtype == np.int64


@pytest.mark.parametrize(("k", "exact"), [(6, "int64"), (12, "object")])
def test_what_cannot_happen_is_left_out_however_large_the_weights_are(k: int, exact: str) -> None:
    def step(state: State, rolls: Rolls) -> State:
        sixes = rolls.count(6, k, [6], "first")
        return {"sixes": sixes, "again": rolls.count(6, 2 * k, [6], "again", sixes)}

    state: State = {"sixes": np.zeros(2, np.int16), "again": np.zeros(2, np.int16)}
    origin, after, weights, denominator = expand(step, state, plan_step(step, state))
    rows = [(sixes, again) for sixes in range(k + 1) for again in range(sixes + 1)]
    assert origin.tolist() == [0] * len(rows) + [1] * len(rows)
    assert list(zip(after["sixes"].tolist(), after["again"].tolist(), strict=True)) == rows * 2
    ways = [comb(k, n) * 5 ** (k - n) * comb(n, again) * 5 ** (n - again) * 6 ** (2 * k - n) for n, again in rows]
    assert weights.tolist() == ways * 2
    assert (denominator, weights.dtype.name) == (6 ** (3 * k), exact)


def test_rows_that_differ_in_their_ways_are_scaled_to_one_denominator() -> None:
    """One of 2 or of 3 numbers, then as many again and one more: halves, thirds and quarters of 12."""

    def step(state: State, rolls: Rolls) -> State:
        first = rolls.uniform(state["m"], "first")
        return {"m": first, "n": rolls.uniform(first + 2, "second")}

    origin, after, weights, denominator = expand(step, {"m": np.array([2, 3, 1]), "n": np.zeros(3, int)}, StepWays())
    rows = [(m, first, second) for m in (2, 3, 1) for first in range(m) for second in range(first + 2)]
    assert origin.tolist() == [(2, 3, 1).index(m) for m, _, _ in rows]
    assert list(zip(after["m"].tolist(), after["n"].tolist(), strict=True)) == [row[1:] for row in rows]
    assert denominator == 6 * 12
    assert weights.tolist() == [6 // m * (12 // (first + 2)) for m, first, _ in rows]


def test_every_start_with_its_weight() -> None:
    def start(rolls: Rolls, n: int) -> State:
        return {"x": rolls.count(3, 2, [3], "dice"), "n": np.full(n, n)}

    over = lambda s: s["x"] < 9  # noqa: E731
    state, weights, total = list_starts(Process(start, (), over, lambda s, steps: s, 0))
    assert ({name: x.tolist() for name, x in state.items()}, weights.tolist(), total) == (
        {"x": [0, 1, 2], "n": [3, 3, 3]}, [4, 4, 1], 9,
    )  # fmt: skip
    state, weights, total = list_starts(Process({"x": 4}, (), over, lambda s, steps: s, 0))
    assert (state["x"].tolist(), weights.tolist(), total) == ([4], [1], 1)


def test_whether_a_trial_is_over_is_asked_after_each_step_and_no_step_is_made_beyond() -> None:
    """Also where its limit is so far that nobody could go through all steps up to it."""
    once = Process(
        {"x": 0}, (lambda s, r: {"x": s["x"] + 1},), lambda s: s["x"] >= 0, lambda s, n: {"x": s["x"], "n": n}, 10**15
    )
    assert exact_distribution(once).to_dict() == {"x": [1], "n": [1], "weight": [1]}
    assert chain_distribution(once).to_dict() == {"x": [1], "n": [1], "weight": [1.0]}
    played = simulate(once, RandomRolls(0, "k", 0, 3))
    assert (played["x"].tolist(), played["n"].tolist()) == ([1, 1, 1], [1, 1, 1])


def test_tables_that_are_too_large_are_refused_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six ways of each of two states, and a state of four numbers: 48 cells."""

    def step(state: State, rolls: Rolls) -> State:
        return {**state, "x": rolls.d(6, 1, "die")[:, 0]}

    state: State = {"x": np.zeros(2, int), "board": np.zeros((2, 3), int)}
    for largest in (48, 47):
        monkeypatch.setattr(module, "LARGEST_TABLE", largest)
        if largest == 48:
            assert (
                run_in_every_way(step, state, GridRolls(plan_step(step, state), 2))["x"].tolist()
                == [1, 2, 3, 4, 5, 6] * 2
            )
            continue
        with pytest.raises(DistributionError) as error:
            expand(step, state, plan_step(step, state))
        assert str(error.value) == (
            "12 combinations of dice and states, 4 numbers each, are too many to list; "
            "simulate this one, or ask with fewer dice"
        )
    for largest in (12, 11):
        monkeypatch.setattr(module, "LARGEST_GRID", largest)
        if largest == 12:
            assert GridRolls(StepWays((3, None, 2)), 2).n == 12
            continue
        with pytest.raises(DistributionError) as error:
            GridRolls(StepWays((3, None, 2)), 2)
        assert str(error.value) == (
            "12 combinations of dice are too many to list (limit 11); simulate this one, or ask with fewer dice"
        )


def test_a_choice_that_nobody_makes_is_refused_in_an_exact_distribution() -> None:
    with pytest.raises(RollsError) as error:
        exact_distribution(one_step(lambda s, r: {"x": r.choose("a", "x", 2, s)}, {"x": 0}))
    assert str(error.value) == "nobody chooses 'x' for side 'a'; bind a policy to the process: policies={'a': ...}"


def test_as_much_is_listed_as_half_a_gigabyte_holds() -> None:
    assert (module.LARGEST_GRID, module.LARGEST_TABLE) == (750_000, 8_000_000)

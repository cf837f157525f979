"""Every way the dice can fall: the merged enumeration equals the one that lists every die, in integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.core import Process, Rolls, State, exact_distribution
from balance.core.enumeration import GridRolls, Plan, expand, plan_step
from balance.errors import DistributionError
from tests.core.toys import race


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
        GridRolls(Plan((10**6, 10**6)), 1)


def test_weights_beyond_int64_are_exact_though_most_of_the_grid_cannot_happen() -> None:
    """Each of 12 dice that shows a six is thrown again: Binomial(12, 1/36), in one step of 6**36 ways."""

    def step(state: State, rolls: Rolls) -> State:
        sixes = rolls.count(6, 12, [6], "first")
        return {"n": rolls.count(6, 24, [6], "again", sixes)}

    distribution = exact_distribution(one_step(step, {"n": 0}))
    assert distribution.total == 6**36
    assert distribution.to_dict()["weight"] == [comb(12, n) * 35 ** (12 - n) * 36**6 for n in range(13)]

"""New kinds of request: each answered alike at random, by a written example, and in every way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import factorial, perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.core import (
    FixedRolls,
    Process,
    RandomRolls,
    Rolls,
    State,
    SymbolDie,
    count_rows,
    exact_law,
    play_fixed,
    simulate,
)
from balance.core.process import Step
from balance.core.requests import scale_words
from balance.errors import RollsError
from balance.pmf.arrays import IntArray

SEED = 20261122
ONE_IN_A_THOUSAND = 1e-3
"""Tests of samples fail for this share of seeds."""


def once(step: Step, **start: Any) -> Process:
    """Return the process of one step that reports its state."""
    return Process(start, (step,), lambda s: np.ones(len(next(iter(s.values()))), bool), lambda s, steps: s, 1)


def law_of(step: Step, **start: Any) -> dict[tuple[int, ...], float]:
    """Return the probability of each outcome of one step, which must come from integer weights."""
    law = exact_law(once(step, **start))
    assert law.is_exact
    return dict(zip(map(tuple, law.outcomes.tolist()), law.p.tolist(), strict=True))


def shares(outcomes: list[tuple[int, ...]]) -> Any:
    """Return what a brute-force list of equally likely outcomes expects, within rounding."""
    return pytest.approx({key: n / len(outcomes) for key, n in Counter(outcomes).items()}, rel=1e-12)


def sample_agrees(step: Step, **start: Any) -> float:
    """Return the p-value of a G-test of a simulation against the exact law."""
    process = once(step, **start)
    return exact_law(process).agreement(count_rows(simulate(process, RandomRolls(SEED, "k", 0, 50_000)))).p_value


@pytest.mark.parametrize("m", [1, 2, 3, 6, 7, 36, 840, 30_000, 65_535, 65_536])
def test_every_number_is_made_of_equally_many_words(m: int) -> None:
    """Of the 65,536 words of 16 bits, floor(65536 / m) fall on each number; the rest are drawn again."""
    values, rejected = scale_words(np.arange(65_536).astype(np.uint16), m, 16)
    assert set(np.bincount(values[~rejected], minlength=m).tolist()) == {65_536 // m}
    assert rejected.sum() == 65_536 % m


def test_numbers_of_each_size_of_their_own() -> None:
    sizes = np.tile([1, 2, 3, 5], 20_000)
    drawn = RandomRolls(SEED, "k", 0, len(sizes)).uniform(sizes, "x")
    assert (drawn < sizes).all()
    for m in (2, 3, 5):
        seen = np.bincount(drawn[sizes == m], minlength=m)
        assert np.abs(seen - 20_000 / m).max() < 5 * np.sqrt(20_000 / m)
    assert RandomRolls(SEED, "k", 0, 4).uniform(2**32, "x").max() > 2**16


def test_there_must_be_something_to_choose_from() -> None:
    with pytest.raises(RollsError, match="nothing to choose from"):
        RandomRolls(0, "k", 0, 2).uniform(np.array([1, 0]), "x")
    with pytest.raises(RollsError, match="nothing to choose from"):
        exact_law(once(lambda s, r: {"x": r.uniform(np.array([0]), "x")}, x=0))


def sizes_by_chance(state: State, rolls: Rolls) -> State:
    """Draw one of 2, 3 or 4 numbers, then one of so many more."""
    m = rolls.uniform(3, "how many") + 2
    first = rolls.uniform(m, "first")
    return {"m": m, "first": first, "second": rolls.uniform(first + 1, "second")}


def test_ragged_requests_are_listed_with_exact_weights() -> None:
    law = exact_law(once(sizes_by_chance, m=0, first=0, second=0))
    rows = [[m, first, second] for m in (2, 3, 4) for first in range(m) for second in range(first + 1)]
    assert law.outcomes.tolist() == rows
    assert law.weights.tolist() == [3 * 12 * 12 // (3 * m * (first + 1)) for m, first, _ in rows]
    assert law.total == 3 * 12 * 12
    assert sample_agrees(sizes_by_chance, m=0, first=0, second=0) > ONE_IN_A_THOUSAND


@pytest.mark.parametrize(("m", "k"), [(1, 1), (4, 4), (5, 2)])
def test_every_order_of_a_deck_is_as_likely(m: int, k: int) -> None:
    def step(state: State, rolls: Rolls) -> State:
        cards = rolls.deal(m, k, "deck")
        return {f"card_{place}": cards[:, place] for place in range(k)}

    start = {f"card_{place}": 0 for place in range(k)}
    law = exact_law(once(step, **start))
    assert law.outcomes.tolist() == [list(order) for order in permutations(range(m), k)]
    assert set(law.weights.tolist()) == {1}
    assert law.total == perm(m, k)
    assert m == 1 or sample_agrees(step, **start) > ONE_IN_A_THOUSAND


def test_a_careless_shuffle_would_be_found_out() -> None:
    """Swapping each card with any other, not with those that are left, is the classic mistake."""

    def careless(state: State, rolls: Rolls) -> State:
        deck, rows = np.tile(np.arange(3), (rolls.n, 1)), np.arange(rolls.n)
        for place in range(3):
            other = rolls.uniform(3, "deck")
            here, there = deck[:, place].copy(), deck[rows, other]
            deck[rows, other], deck[:, place] = here, there
        return {"order": deck @ [9, 3, 1]}

    sample = count_rows(simulate(once(careless, order=0), RandomRolls(SEED, "k", 0, 50_000)))
    honest = exact_law(once(lambda s, r: {"order": r.shuffle(3, "deck") @ np.array([9, 3, 1])}, order=0))
    assert len(honest) == factorial(3)
    assert honest.agreement(sample).p_value < 1e-6


def test_decks_of_different_sizes() -> None:
    def step(state: State, rolls: Rolls) -> State:
        n_cards = rolls.uniform(4, "size")
        cards = rolls.deal(3, 2, "deck", n_cards)
        return {"n": n_cards, "first": cards[:, 0], "second": cards[:, 1]}

    expected = {(0, -1, -1): 1 / 4, (1, 0, -1): 1 / 4, (2, 0, 1): 1 / 8, (2, 1, 0): 1 / 8}
    expected |= {(3, *order): 1 / 24 for order in permutations(range(3), 2)}
    assert law_of(step, n=0, first=0, second=0) == pytest.approx(expected)
    assert sample_agrees(step, n=0, first=0, second=0) > ONE_IN_A_THOUSAND


def test_a_card_of_those_left() -> None:
    def step(state: State, rolls: Rolls) -> State:
        card = rolls.pick(state["deck"], "card")
        return {"deck": state["deck"] & (np.arange(4) != card[:, None]), "sum": state["sum"] + card}

    process = Process(
        {"deck": np.array([True, False, True, True]), "sum": 0},
        (step,),
        lambda s: s["deck"].sum(axis=1) == 1,
        lambda s, steps: {"sum": s["sum"], "left": s["deck"].argmax(axis=1)},
        9,
    )
    expected = shares([(a + b, 5 - a - b) for a, b in combinations((0, 2, 3), 2)])
    law = exact_law(process)
    assert dict(zip(map(tuple, law.outcomes.tolist()), law.p.tolist(), strict=True)) == expected


def lowest_again(state: State, rolls: Rolls) -> State:
    """Throw three dice of four faces and each that shows 1 once more."""
    dice = rolls.d(4, 3, "dice")
    dice, _ = rolls.reroll(dice, dice == 1, 4, "again")
    return {"sum": dice.sum(axis=1)}


def test_dice_rolled_again() -> None:
    """Against a list of all 4**6 falls of the first three dice and of three that may replace them."""
    falls: list[tuple[int, ...]] = [
        (sum(new if old == 1 else old for old, new in zip(first, again, strict=True)),)
        for first, again in product(product(range(1, 5), repeat=3), repeat=2)
    ]
    assert law_of(lowest_again, sum=0) == shares(falls)
    assert sample_agrees(lowest_again, sum=0) > ONE_IN_A_THOUSAND
    assert play_fixed(once(lowest_again, sum=0), {"dice": [1, 3, 1], "again": [4, 2]}) == {"sum": 9}


def test_no_die_is_rolled_again_twice() -> None:
    rolls = RandomRolls(0, "k", 0, 1)
    dice, spent = rolls.reroll(np.array([[1, 2]]), np.array([[True, False]]), 6, "again")
    rolls.reroll(dice, np.array([[False, True]]), 6, "again", spent)
    with pytest.raises(RollsError, match="rolled again twice"):
        rolls.reroll(dice, np.array([[True, False]]), 6, "again", spent)
    with pytest.raises(RollsError, match="never rolled"):
        rolls.reroll(np.array([[1, 0]]), np.array([[False, True]]), 6, "again")


DIE = SymbolDie(("hit", "flag", "blank"), (("hits", ("hit",)), ("flags", ("flag",))))


def pool_by_chance(state: State, rolls: Rolls) -> State:
    n_dice = rolls.uniform(4, "how many")
    return {"n": n_dice, **rolls.pool(DIE, 3, "pool", n_dice)}


def test_pools_of_different_sizes_are_a_mixture() -> None:
    expected: dict[tuple[int, ...], float] = {}
    for n in range(4):
        law = DIE.law(n)
        for row, p in zip(law.outcomes.tolist(), law.p.tolist(), strict=True):
            expected[n, *row] = p / 4
    process = once(pool_by_chance, n=0, hits=0, flags=0)
    assert law_of(pool_by_chance, n=0, hits=0, flags=0) == pytest.approx(expected, rel=1e-12)
    assert np.allclose(exact_law(process).p, exact_law(process, each_die=True).p, rtol=1e-12)
    assert sample_agrees(pool_by_chance, n=0, hits=0, flags=0) > ONE_IN_A_THOUSAND
    assert play_fixed(process, {"how many": [2], "pool": ["hit", "flag"]}) == {"n": 2, "hits": 1, "flags": 1}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_dice_of_different_numbers(numbers: list[int]) -> None:
    def step(state: State, rolls: Rolls) -> State:
        n_dice = np.array(numbers)[rolls.uniform(len(numbers), "which")]
        return {"sum": rolls.d(3, 3, "dice", n_dice).sum(axis=1)}

    expected: Counter[tuple[int]] = Counter()
    for n in numbers:
        for faces in product(range(1, 4), repeat=n):
            expected[sum(faces),] += 3 ** (3 - n)
    assert law_of(step, sum=0) == pytest.approx({key: n / (27 * len(numbers)) for key, n in expected.items()})


@dataclass(frozen=True)
class Highest:
    """Choose the legal option with the highest number, or one below it on a coin's tails."""

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return an option."""
        best: IntArray = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        return best


@dataclass(frozen=True)
class Always:
    """Choose one option, legal or not."""

    option: int

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return that option."""
        return np.full(rolls.n, self.option)


@dataclass(frozen=True)
class Mixed:
    """Choose by chance of its own."""

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> IntArray:
        """Return one of the legal options."""
        return rolls.pick(legal, "mind")


def spend(state: State, rolls: Rolls) -> State:
    """Spend one of the coins that a die leaves."""
    legal = np.arange(3) < rolls.d(3, 1, "die")
    return {"spent": rolls.choose("a", "coin", legal, state, ("copper", "silver", "gold"))}


def bound_to(policy: Any) -> Process:
    plain = once(spend, spent=0)
    return Process(plain.start, plain.steps, plain.over, plain.outcome, 1, {"a": policy})


def test_policies_choose_in_simulation_and_in_the_exact_law() -> None:
    assert exact_law(bound_to(Highest())).to_dict() == {"spent": [0, 1, 2], "weight": [1, 1, 1]}
    mixed = exact_law(bound_to(Mixed()))
    assert mixed.to_dict() == {"spent": [0, 1, 2], "weight": [11, 5, 2]}
    sample = count_rows(simulate(bound_to(Mixed()), RandomRolls(SEED, "k", 0, 50_000)))
    assert mixed.agreement(sample).p_value > ONE_IN_A_THOUSAND


def test_an_illegal_choice_is_refused_by_name() -> None:
    with pytest.raises(RollsError, match=r"Always\(option=2\) chooses option 2 of 'coin' for side 'a'.*not legal"):
        simulate(bound_to(Always(2)), RandomRolls(0, "k", 0, 50))
    with pytest.raises(RollsError, match=r"legal there: 0 \(copper\)"):
        exact_law(bound_to(Always(2)))
    with pytest.raises(RollsError, match="nobody chooses 'coin'"):
        simulate(once(spend, spent=0), RandomRolls(0, "k", 0, 5))


def test_an_example_writes_choices_by_number_or_name() -> None:
    assert play_fixed(once(spend, spent=0), {"die": [3], "coin": ["silver"]}) == {"spent": 1}
    assert play_fixed(bound_to(Highest()), {"die": [2]}) == {"spent": 1}
    assert play_fixed(bound_to(Highest()), {"die": [2], "coin": [0]}) == {"spent": 0}
    with pytest.raises(RollsError, match="'coin' cannot be 'gold' here; it may be copper, silver"):
        play_fixed(once(spend, spent=0), {"die": [2], "coin": ["gold"]})
    with pytest.raises(RollsError, match="leave the outcome open"):
        play_fixed(once(spend, spent=0), {"die": [2]})
    deck = once(lambda s, r: {"top": r.shuffle(4, "deck")[:, 0], "n": r.uniform(3, "n")}, top=0, n=0)
    assert play_fixed(deck, {"deck": [2], "n": [1]}) == {"top": 2, "n": 1}
    with pytest.raises(RollsError, match="cannot be 4"):
        FixedRolls({"deck": [4]}).shuffle(4, "deck")
    with pytest.raises(RollsError, match="cannot be 2"):
        FixedRolls({"deck": [2, 2]}).shuffle(4, "deck")

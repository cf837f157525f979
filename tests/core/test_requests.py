"""Numbers and cards: answered alike at random, by a written example, and in every way."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial, perm

import numpy as np
import pytest

from balance.core import (
    Process,
    RandomRolls,
    Rolls,
    State,
    count_rows,
    exact_distribution,
    simulate,
)
from balance.core.requests import scale_words
from balance.errors import RollsError
from tests.core.one_step import ONE_IN_A_THOUSAND, SEED, distribution_of, once, sample_agrees, shares


@pytest.mark.parametrize("m", [1, 2, 3, 6, 7, 36, 840, 30_000, 65_535, 65_536])
def test_every_number_is_made_of_equally_many_words(m: int) -> None:
    """Of the 65,536 words of 16 bits, floor(65536 / m) fall on each number; the rest are drawn again."""
    values, rejected = scale_words(np.arange(65_536).astype(np.uint16), m, 16)
    assert set(np.bincount(np.delete(values, rejected), minlength=m).tolist()) == {65_536 // m}
    assert len(rejected) == 65_536 % m


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
        exact_distribution(once(lambda s, r: {"x": r.uniform(np.array([0]), "x")}, x=0))


def test_any_integer_is_a_number_of_options() -> None:
    rolls = RandomRolls(0, "k", 0, 50)
    assert set(rolls.uniform(np.int64(3), "x").tolist()) == {0, 1, 2}
    with pytest.raises(RollsError, match="0 cards cannot be dealt from the 3 of 'deck'; deal 1 to 3"):
        rolls.deal(3, 0, "deck")
    with pytest.raises(RollsError, match="a deck of 4 cards is larger than the 3"):
        rolls.shuffle(3, "deck", np.array([2, 4]))


def sizes_by_chance(state: State, rolls: Rolls) -> State:
    """Draw one of 2, 3 or 4 numbers, then one of so many more."""
    m = rolls.uniform(3, "how many") + 2
    first = rolls.uniform(m, "first")
    return {"m": m, "first": first, "second": rolls.uniform(first + 1, "second")}


def test_ragged_requests_are_listed_with_exact_weights() -> None:
    distribution = exact_distribution(once(sizes_by_chance, m=0, first=0, second=0))
    rows = [[m, first, second] for m in (2, 3, 4) for first in range(m) for second in range(first + 1)]
    assert distribution.outcomes.tolist() == rows
    assert distribution.weights.tolist() == [3 * 12 * 12 // (3 * m * (first + 1)) for m, first, _ in rows]
    assert distribution.total == 3 * 12 * 12
    assert sample_agrees(sizes_by_chance, m=0, first=0, second=0) > ONE_IN_A_THOUSAND


@pytest.mark.parametrize(("m", "k"), [(1, 1), (4, 4), (5, 2)])
def test_every_order_of_a_deck_is_as_likely(m: int, k: int) -> None:
    def step(state: State, rolls: Rolls) -> State:
        cards = rolls.deal(m, k, "deck")
        return {f"card_{place}": cards[:, place] for place in range(k)}

    start = {f"card_{place}": 0 for place in range(k)}
    distribution = exact_distribution(once(step, **start))
    assert distribution.outcomes.tolist() == [list(order) for order in permutations(range(m), k)]
    assert set(distribution.weights.tolist()) == {1}
    assert distribution.total == perm(m, k)
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
    honest = exact_distribution(once(lambda s, r: {"order": r.shuffle(3, "deck") @ np.array([9, 3, 1])}, order=0))
    assert len(honest) == factorial(3)
    assert honest.agreement(sample).p_value < 1e-6


def test_decks_of_different_sizes() -> None:
    def step(state: State, rolls: Rolls) -> State:
        n_cards = rolls.uniform(4, "size")
        cards = rolls.deal(3, 2, "deck", n_cards)
        return {"n": n_cards, "first": cards[:, 0], "second": cards[:, 1]}

    expected = {(0, -1, -1): 1 / 4, (1, 0, -1): 1 / 4, (2, 0, 1): 1 / 8, (2, 1, 0): 1 / 8}
    expected |= {(3, *order): 1 / 24 for order in permutations(range(3), 2)}
    assert distribution_of(step, n=0, first=0, second=0) == pytest.approx(expected)
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
    distribution = exact_distribution(process)
    assert dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True)) == expected

"""Numbers and cards: answered alike at random, by a written example, and in every way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from math import factorial, perm

import numpy as np
import pytest

from balance.base.errors import RollsError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import die
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.requests import Deal, Draw, Uniform, scale_words
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.tally import count_rows
from tests.chance.one_step import ONE_IN_A_THOUSAND, SEED, distribution_of, once, sample_agrees, shares


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


# -- every way, in its order, with its weight --------------------------------------------------------------------------


def dealt(m: int, k: int) -> list[list[int]]:
    """Return the hands in order: each place in turn swaps its card with one of those left, the first place fastest."""
    hands = []
    for number in range(perm(m, k)):
        deck = list(range(m))
        for place in range(k):
            number, pick = divmod(number, m - place)
            deck[place], deck[place + pick] = deck[place + pick], deck[place]
        hands.append(deck[:k])
    return hands


@pytest.mark.parametrize(("m", "k"), [(1, 1), (3, 1), (4, 2), (4, 4), (5, 3)])
def test_every_hand_in_its_order(m: int, k: int) -> None:
    deal = Deal("deck", m, k)
    assert deal.n_ways() == perm(m, k)
    assert deal.way(np.arange(perm(m, k))).tolist() == dealt(m, k)
    assert deal.weigh(np.arange(3)) == (None, perm(m, k))


def test_hands_of_decks_of_different_sizes() -> None:
    """From four cards one deals 12 hands of two; from one card one, from none one that is empty."""
    sizes = [0, 1, 2, 2, 3, 4, 4]
    deal = Deal("deck", 4, 2, np.array(sizes))
    ways = deal.n_ways()
    assert isinstance(ways, np.ndarray)
    assert ways.tolist() == [1, 1, 2, 2, 6, 12, 12]
    numbers = [0, 0, 0, 1, 5, 0, 11]
    whole = [[-1, -1], [0, -1], *(dealt(n, 2)[number] for n, number in zip(sizes[2:], numbers[2:], strict=True))]
    assert deal.way(np.array(numbers)).tolist() == whole
    weights, total = deal.weigh(np.array(numbers))
    assert weights is None
    assert isinstance(total, np.ndarray)
    assert (total.tolist(), total.dtype.name) == ([1, 1, 2, 2, 6, 12, 12], "object")


def test_every_number_and_every_outcome_drawn() -> None:
    for m in (5, np.array([5, 1])):
        uniform = Uniform("x", m)
        assert uniform.n_ways() is m
        assert uniform.way(np.array([3, 0])).tolist() == [3, 0]
        assert uniform.weigh(np.array([3, 0]))[0] is None
    assert Uniform("x", 5).weigh(np.array([0]))[1] == 5
    draw = Draw("x", DistributionStack((die(4), die(2))), np.array([0, 1, 1]))
    assert draw.n_ways() == 4
    assert draw.way(np.array([3, 0, 2]))["value"].tolist() == [4, 1, 3]
    weights, total = draw.weigh(np.array([3, 0, 2]))
    assert weights is not None
    assert (weights.tolist(), total) == ([0.25, 0.5, 0.0], 1)


# -- written examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", [1, 2, 3, 9])
def test_what_an_example_does_not_give_is_the_possible_answer_of_its_fill(fill: int) -> None:
    rolls = FixedRolls({"deck": [2], "n": [4], "option": ["b"]}, fill)
    third = sorted({0, 1, 3})[min(fill, 3) - 1]
    last = [card for card in (0, 1, 3) if card != third]
    expected = [2, third, last[min(fill, 2) - 1]]
    assert rolls.deal(4, 3, "deck").tolist() == [expected]
    assert [rolls.uniform(5, "n").tolist() for _ in range(2)] == [[4], [min(fill, 5) - 1]]
    assert rolls.deal(4, 3, "cards", np.array([1])).tolist() == [[0, -1, -1]]
    legal = np.array([[True, True, False]])
    assert [rolls.choose("a", "option", legal, None, "abc").tolist() for _ in range(2)] == [[1], [min(fill, 2) - 1]]


def test_what_an_example_may_not_give_is_told_with_what_it_may() -> None:
    refused: dict[str, Callable[[], object]] = {
        "'deck' cannot be 4 here; it may be 0, 1, 2, 3": lambda: FixedRolls({"deck": [4]}).shuffle(4, "deck"),
        "'deck' cannot be 2 here; it may be 0, 1, 3": lambda: FixedRolls({"deck": [2, 2]}).deal(4, 2, "deck"),
        "'n' cannot be 3 here; it may be 0, 1, 2": lambda: FixedRolls({"n": [3]}).uniform(3, "n"),
        "'n' cannot be -1 here; it may be 0 to 4294967295": lambda: FixedRolls({"n": [-1]}).uniform(2**32, "n"),
        "'n' cannot be 'two' here; it may be 0, 1, 2": lambda: FixedRolls({"n": ["two"]}).uniform(3, "n"),
        "'w' cannot be 'silvr' here; did you mean silver?": lambda: FixedRolls({"w": ["silvr"]}).choose(
            "a", "w", 3, None, ("copper", "silver")
        ),
        "'w' cannot be 2 here; it may be copper, silver": lambda: FixedRolls({"w": [2]}).choose(
            "a", "w", 2, None, ("copper", "silver", "gold")
        ),
        "there is nothing to choose from for 'w'": lambda: FixedRolls({}).choose("a", "w", 0, None),
        "'u' is to be one of 0: there is nothing to choose from": lambda: RandomRolls(0, "k", 0, 2).uniform(0, "u"),
    }
    for message, asked in refused.items():
        with pytest.raises(RollsError) as error:
            asked()
        assert str(error.value) == message

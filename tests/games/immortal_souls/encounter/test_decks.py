"""Decks that are drawn from, discarded and shuffled anew."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from balance.chance.exact.enumeration import expand, plan_step
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.games.immortal_souls.encounter.board.decks import (
    DISCARD_PILE,
    IN_DECK,
    NO_CARD,
    OUT,
    draw,
    draw_named,
    full_deck,
    lay_card,
    shuffle_in,
)


def test_a_deck_is_drawn_once_through_before_it_is_shuffled_anew() -> None:
    """Golden rules of section 1: it is reshuffled from its discards when it runs out."""
    rolls, places = RandomRolls(1, "deck", 0, 500), full_deck(500, 4)
    for _ in range(3):
        cards = []
        for _ in range(4):
            card, places = draw(places, np.ones(500, bool), DISCARD_PILE, rolls, "card")
            cards.append(card)
        assert np.sort(np.stack(cards, axis=1), axis=1).tolist() == [[0, 1, 2, 3]] * 500
    assert len({tuple(row) for row in np.stack(cards, axis=1).tolist()}) == 24, "in any order"


def test_cards_that_are_out_do_not_come_back() -> None:
    """IS-ENE.16: with all cards in play there is none to draw; one that is discarded is the next."""
    rolls, places = RandomRolls(2, "deck", 0, 1), full_deck(1, 2)
    always = np.ones(1, bool)
    drawn = []
    for _ in range(3):
        card, places = draw(places, always, OUT, rolls, "card")
        drawn.append(int(card[0]))
    assert sorted(drawn[:2]) == [0, 1] and drawn[2] == NO_CARD
    assert places.tolist() == [[OUT, OUT]]
    card, places = draw(lay_card(places, np.array([1]), DISCARD_PILE), always, OUT, rolls, "card")
    assert card.tolist() == [1] and places.tolist() == [[OUT, OUT]]


def test_nothing_happens_where_no_card_is_drawn() -> None:
    places = np.array([[DISCARD_PILE, DISCARD_PILE, OUT], [IN_DECK, DISCARD_PILE, OUT]], np.int8)
    card, after = draw(places, np.array([False, False]), DISCARD_PILE, RandomRolls(3, "deck", 0, 2), "card")
    assert card.dtype == after.dtype == np.int8
    assert card.tolist() == [NO_CARD, NO_CARD] and after.tolist() == places.tolist()


def test_discards_are_shuffled_in_where_it_is_said() -> None:
    places = np.array([[DISCARD_PILE, IN_DECK, OUT]] * 2, np.int8)
    after = shuffle_in(places, np.array([True, False]))
    assert after.tolist() == [[IN_DECK, IN_DECK, OUT], [DISCARD_PILE, IN_DECK, OUT]]
    assert lay_card(places, np.array([1, NO_CARD]), OUT).tolist() == [
        [DISCARD_PILE, OUT, OUT],
        [DISCARD_PILE, IN_DECK, OUT],
    ]


@pytest.mark.parametrize(("places", "drawing", "expected"), [
    ([IN_DECK, DISCARD_PILE, IN_DECK], 1, {0: 0.5, 2: 0.5}),
    ([DISCARD_PILE, DISCARD_PILE, DISCARD_PILE], 1, {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}),
    ([OUT, DISCARD_PILE, OUT], 1, {1: 1.0}),
    ([OUT, OUT, OUT], 1, {NO_CARD: 1.0}),
    ([IN_DECK, IN_DECK, IN_DECK], 0, {NO_CARD: 1.0}),
])  # fmt: skip
def test_every_card_of_a_deck_is_as_likely(places: list[int], drawing: int, expected: dict[int, float]) -> None:
    def step(state: State, rolls: Rolls) -> State:
        return {"card": draw(state["places"], state["drawing"] > 0, OUT, rolls, "card")[0]}

    start = {"places": np.array([places], np.int8), "drawing": np.array([drawing])}
    _, after, weights, total = expand(step, start, plan_step(step, start))
    assert dict(zip(after["card"].tolist(), (weights / total).tolist(), strict=True)) == pytest.approx(expected)


def test_a_written_card() -> None:
    card, _ = draw(full_deck(1, 5), np.array([True]), OUT, FixedRolls({"top": [3]}), "top")
    assert card.tolist() == [3]


@pytest.mark.parametrize("places", [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 2, 1], [1, 1, 0, 2], [0, 2, 2, 0], [2, 0, 1, 1]])
def test_cards_are_turned_up_until_one_that_is_named(places: list[int]) -> None:
    """Of cards 1 and 2: every order of the deck, a card at a time; a deck without one is shuffled with its discards."""
    for order in permutations(range(4)):
        now, found = list(places), NO_CARD
        if any(places[one] != OUT for one in (1, 2)):
            if all(places[one] != IN_DECK for one in (1, 2)):
                now = [IN_DECK if where == DISCARD_PILE else where for where in now]
            deck = [one for one in order if now[one] == IN_DECK]
            found = next(one for one in deck if one in (1, 2))
            for one in deck[: deck.index(found)]:
                now[one] = DISCARD_PILE
            now[found] = OUT
        for drawing, told in ((True, (found, now)), (False, (NO_CARD, places))):
            start, top = np.array([places], np.int8), FixedRolls({"top": list(order)})
            card, after = draw_named(start, np.array([drawing]), np.array([False, True, True, False]), top, "top")
            assert (int(card[0]), after[0].tolist()) == told

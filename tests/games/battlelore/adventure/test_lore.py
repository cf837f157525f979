"""Lore in adventures: decks and hands, when cards are played, tokens, and the end of a turn."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.battlelore.adventure.lore.hands import clear_table, deal_lore, refill
from balance.games.battlelore.adventure.map.adventure import MASTERS, Council
from balance.games.battlelore.adventure.terms.drawing import LORE_PILE, draw
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS
from balance.games.battlelore.tables import PHASES_OF, LoreCard
from tests.games.battlelore.adventure.lore_scenes import ALL, CARDS, WIZARD, A, B, begun, cast, held, played, staged
from tests.games.battlelore.adventure.scenes import POOL, Owner, battle_of, catalogue, scene

# -- the cards ---------------------------------------------------------------------------------------------------------


def test_each_class_has_fifteen_cards_and_each_is_played_when_it_can_do_something() -> None:
    cards = catalogue().entries(LoreCard).values()
    numbers = {master: sorted(card.number for card in cards if card.master == master) for master in MASTERS}
    assert numbers == {master: list(range(1, 16)) for master in MASTERS}
    assert {card.mechanism for card in cards} == set(MECHANISMS)
    assert all(card.phase in PHASES_OF[card.mechanism] for card in cards)


@pytest.mark.rule("BL-LORE-06", "BL-LORE-23")
def test_cards_cost_more_and_do_less_out_of_character() -> None:
    deck = battle_of(A, B, lore=True, councils=(Council(wizard=3), Council(cleric=2))).lore_deck
    doom, bless, fireball = (CARDS.index(name) for name in ("wizard_5", "cleric_3", "wizard_14"))
    assert deck.cost[:, doom].tolist() == [9, 12] and deck.value[:, doom].tolist() == [6, 2]
    assert deck.cost[:, bless].tolist() == [5, 2] and deck.value[:, bless].tolist() == [1, 2]
    assert deck.value[:, fireball].tolist() == [5, 3]


# -- the beginning -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-WC-05")
@pytest.mark.parametrize(("reading", "sizes"), [("as_read", [14, 8, 8, 5]), ("any", [14, 14, 14, 5])])
def test_the_lore_deck_is_built_by_who_sits_in_the_councils(reading: str, sizes: list[int]) -> None:
    councils = Council(wizard=1, rogue=2), Council(wizard=3, cleric=1)
    made = begun(councils=councils, lore_deck=reading)
    assert made.battle.lore_deck.cards_of_class.tolist() == sizes
    cards = made.state["lore_deck"] + made.state["lore_hand"].sum(axis=1)
    for master, size in enumerate(sizes):
        of_class = made.battle.lore_deck.master == master
        assert set(cards[:, of_class].sum(axis=1).tolist()) == {size}
        assert len(np.unique(cards[:, of_class], axis=0)) > 5, "which ones is left to chance"
    assert cards.max() == 1


@pytest.mark.rule("BL-WC-03", "BL-WC-04", "BL-WC-06", "BL-LORE-01", "BL-LORE-02")
@pytest.mark.parametrize(("level", "cards", "tokens"), [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3)])
def test_the_highest_level_says_with_what_a_side_begins(level: int, cards: int, tokens: int) -> None:
    made = begun(councils=(Council(commander=3, wizard=level, rogue=min(level, 1)), WIZARD))
    assert set(held(made, 0).tolist()) == {cards} and set(held(made, 1).tolist()) == {1}
    assert made.state["tokens"].tolist() == [[tokens, 1]] * made.n
    assert (made.state["pool"] == 40 - tokens - 1).all()
    assert made.asked(0).get("lore_start", 0) == cards * made.n


@pytest.mark.rule("BL-WC-06")
def test_four_cards_are_dealt_and_the_others_go_back() -> None:
    made = scene(battle_of(A, B, lore=True, councils=(ALL, WIZARD)), 30)
    deal_lore(made.turn)
    assert (made.state["lore_deck"].sum(axis=1) + held(made, 0) + held(made, 1) == 14 + 3 * 8).all()
    assert not made.state["lore_discard"].any()


def test_cards_are_drawn_each_as_often_as_any_other_until_none_is_there() -> None:
    """Of 3,000 cards drawn from four no count is further than five standard deviations from a quarter."""
    made = scene(battle_of(A, B, lore=True), 3000)
    made.state["lore_deck"][:, [3, 10, 20, 50]] = 1
    counts = np.bincount(draw(made.state, np.arange(3000), LORE_PILE), minlength=60)
    assert set(np.flatnonzero(counts)) == {3, 10, 20, 50} and abs(counts[[3, 10, 20, 50]] - 750).max() < 5 * 23.8
    made.state["lore_deck"][:], made.state["lore_discard"][:, 7] = 0, 1
    assert set(draw(made.state, np.arange(3000), LORE_PILE)) == {7} and not made.state["lore_discard"].any()
    assert set(draw(made.state, np.arange(3000), LORE_PILE)) == {-1}


# -- playing them ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-LORE-07")
def test_a_card_is_paid_for_at_once_and_put_away_at_the_end_of_the_turn() -> None:
    made = cast(staged("rogue_13", n=5))
    assert (held(made, 0) == 0).all() and (made.state["lore_paid"][:, 0] == 4).all(), "1, and 3 out of character"
    assert (made.state["tokens"][:, 0] == 30 - 4 + 2).all() and (made.state["pool"] == POOL - 2).all()
    assert not made.state["lore_discard"].any()
    clear_table(made.turn, np.arange(5))
    assert (made.state["pool"] == POOL + 2).all() and not made.state["lore_paid"].any()
    assert (made.state["lore_discard"][:, CARDS.index("rogue_13")] == 1).all()


@pytest.mark.rule("BL-LORE-05", "BL-LORE-07", "BL-LORE-15")
def test_who_cannot_pay_or_has_no_target_plays_nothing() -> None:
    poor = staged("wizard_14").hold(0, tokens=12)
    assert not played(cast(poor)) and not poor.asked(0)
    idle = staged("cleric_10", "rogue_1")
    idle.state["tokens"][:, 1] = 0
    assert not played(cast(idle)) and not idle.asked(0), "nobody is hurt, and the enemy has no token"


@pytest.mark.rule("BL-LORE-13", "BL-LORE-14")
def test_each_side_plays_one_card_a_turn_and_only_reactions_in_the_enemys() -> None:
    made = staged("rogue_13", "warrior_1", n=50)
    made.hold(1, "warrior_2", "wizard_12", "warrior_1", "rogue_13")
    cast(made).fight()
    assert (held(made, 0) == 1).all(), "Strength is not played any more"
    assert made.asked(1)["lore"] == 50 and made.owner(1).offered["lore"] == {"", "warrior_2", "wizard_12"}


@pytest.mark.rule("BL-LORE-16")
@pytest.mark.parametrize(("card", "returned"), [("wizard_6", 4), ("rogue_15", 0)])
def test_a_card_may_be_cancelled(card: str, returned: int) -> None:
    made = staged("wizard_14", n=20, councils=(Council(wizard=3), ALL))
    made.hold(1, card, tokens=9)
    owner = made.owner(1)
    owner.wishes = {"lore": [card]}
    cast(made)
    assert not made.times("throw") and (made.state["lore_card"][:, 0] == -1).all()
    assert (made.state["tokens"][:, 0] == 20 + returned).all() and (held(made, 1) == 0).all()
    clear_table(made.turn, np.arange(20))
    assert (made.state["lore_discard"].sum(axis=1) == 2).all()


def test_a_card_may_be_kept_by_discarding_another() -> None:
    """Deja Vu: it is discarded instead, for its own price."""
    made = staged("rogue_13", "rogue_3", n=10)
    owner = made.owner(0)
    owner.wishes = {"lore": ["rogue_13"], "again": [1]}
    cast(made)
    clear_table(made.turn, np.arange(10))
    assert (made.state["lore_hand"][:, 0, CARDS.index("rogue_13")] == 1).all() and (held(made, 0) == 1).all()
    assert (made.state["lore_discard"][:, CARDS.index("rogue_3")] == 1).all()
    assert (made.state["tokens"][:, 0] == 30 - 8 + 2).all()


# -- the end of a turn -------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-LORE-20", "BL-LORE-22")
@pytest.mark.parametrize(("option", "cards", "tokens", "gone"), [(0, 1, 1, 1), (1, 1, 2, 0), (2, 0, 3, 0)])
def test_a_side_takes_cards_or_tokens(option: int, cards: int, tokens: int, gone: int) -> None:
    made = scene(battle_of(A, B, lore=True, councils=(WIZARD, WIZARD)), 30, a=Owner({"refill": [option]}))
    made.state["lore_deck"][:] = 1
    refill(made.turn, np.arange(30))
    assert (held(made, 0) == cards).all() and (made.state["tokens"][:, 0] == tokens).all()
    assert (made.state["lore_discard"].sum(axis=1) == gone).all() and (held(made, 1) == 0).all()


@pytest.mark.rule("BL-LORE-21", "BL-WC-03")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_side_holds_a_card_more_than_its_highest_level(level: int) -> None:
    made = scene(battle_of(A, B, lore=True, councils=(Council(rogue=level), WIZARD)), 30, a=Owner({"refill": [1]}))
    made.state["lore_deck"][:] = 1
    for turns in range(1, 8):
        refill(made.turn, np.arange(30))
        assert (held(made, 0) == min(turns, level + 1)).all()
    assert made.asked(0)["lore_drop"] == 30 * (7 - level - 1)

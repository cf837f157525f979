"""Encounter cards and whom new enemies go to: the rulebook's examples, and random bands against plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from balance.chance.rolls.rolls import FixedRolls, RandomRolls
from balance.games.immortal_souls.encounter.board.activation import (
    ALL_ENEMIES,
    CALLS,
    JOLLY,
    MOST_ENEMIES,
    RANKS,
    Band,
    Call,
    Cards,
    activation_order,
    assign_player,
    draw_card,
)
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, IN_DECK, NO_CARD, full_deck
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX, STYLES

MASTER_ASSAULT = (Call("purple"), Call("highest_rank"), False)
FIGHT = (Call("any", 3), None, True)
REST = (Call("any", 0), Call("any", 2), True)


class Foe(NamedTuple):
    """An enemy as encounter cards see it."""

    rank: str
    owner: int = 0
    style: str = "jolly"
    engaged: bool = False
    wounded: bool = False
    stunned: bool = False
    in_play: bool = True


def band(trials: Sequence[Sequence[Foe]]) -> Band:
    """Return the enemies of some trials as columns."""

    def flags(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.array([[getattr(foe, name) for foe in foes] for foes in trials], bool)

    return Band(
        flags("in_play"),
        np.array([[RANKS.index(foe.rank) for foe in foes] for foes in trials], np.int8),
        np.array([[(*STYLES, "jolly").index(foe.style) for foe in foes] for foes in trials], np.int8),
        flags("engaged"),
        flags("wounded"),
        flags("stunned"),
        np.array([[foe.owner for foe in foes] for foes in trials], np.int8),
    )


def acting(card: tuple[Call, Call | None, bool], *foes: Foe, active: int = 0) -> list[int]:
    """Return the enemies that a card activates, in order, in a game of four players."""
    cards = Cards((card[0],), (card[1],), (card[2],))
    found = activation_order(cards, np.array([0], np.int8), band([foes]), np.array([active]), 4)
    assert found.dtype == np.int8 and found.shape == (1, len(foes))
    return [foe for foe in found[0].tolist() if foe != NO_INDEX]


def test_master_assault() -> None:
    """IS-EX-60, IS-AI.5: no Master is in play, so that all of the highest rank act, and nobody else."""
    orc, gremlin = Foe("green"), Foe("blue", owner=1)
    assert acting(MASTER_ASSAULT, orc, gremlin, gremlin) == [1, 2]
    assert acting(MASTER_ASSAULT, orc, gremlin, Foe("purple", owner=NO_INDEX)) == [2]


def test_fight() -> None:
    """IS-EX-61, IS-AI.3, IS-AI.4: both bandits of the active player, then the next player's gremlin: blue is higher."""
    bandit, orc, gremlin = Foe("green"), Foe("green", owner=1), Foe("blue", owner=1)
    assert acting(FIGHT, bandit, orc, gremlin, bandit) == [0, 3, 2]


def test_fight_shuffles_the_deck_and_is_then_discarded() -> None:
    """IS-EX-61, IS-AI.6: all other cards are in the deck again."""
    cards = Cards((FIGHT[0],) * 3, (None,) * 3, (False, True, False))
    places = np.array([[DISCARD_PILE, IN_DECK, DISCARD_PILE]], np.int8)
    card, after = draw_card(cards, places, np.array([True]), FixedRolls({"encounter card": [0]}))
    assert card.tolist() == [1] and after.tolist() == [[IN_DECK, DISCARD_PILE, IN_DECK]]
    card, after = draw_card(cards, full_deck(1, 3), np.array([True]), FixedRolls({"encounter card": [2]}))
    assert card.tolist() == [2] and after.tolist() == [[IN_DECK, IN_DECK, DISCARD_PILE]]


def test_no_card_is_drawn_without_an_enemy_in_play() -> None:
    """IS-AI.1; whatever was drawn, nobody acts."""
    cards = Cards((MASTER_ASSAULT[0], FIGHT[0]), (MASTER_ASSAULT[1], None), (False, True))
    card, after = draw_card(cards, full_deck(1, 2), np.array([False]), RandomRolls(0, "cards", 0, 1))
    assert card.tolist() == [NO_CARD] and after.tolist() == [[IN_DECK, IN_DECK]]
    assert activation_order(cards, card, band([[Foe("red")]]), np.array([0]), 2).tolist() == [[NO_INDEX]]
    assert acting(FIGHT, Foe("red", in_play=False)) == []


def test_a_stunned_enemy_is_skipped_if_possible() -> None:
    """IS-EX-62, IS-AI.4: it acts only if its player has no other; then it counts."""
    one = (Call("any", 1), None, False)
    assert acting(one, Foe("green", stunned=True), Foe("green")) == [1]
    assert acting(one, Foe("red", stunned=True), Foe("green")) == [1], "even one of a higher rank"
    assert acting(one, Foe("green", stunned=True), Foe("red", owner=1)) == [0]
    assert acting((Call("green"), None, False), Foe("green", stunned=True), Foe("green")) == [1, 0]


def test_whom_cards_call() -> None:
    """IS-AI.2, IS-MAST.3: a rank, a style (the jolly has all), a condition; never those that are not in play."""
    foes = (
        Foe("green", style="magic", engaged=True),
        Foe("blue", style="faith", wounded=True),
        Foe("red", in_play=False, engaged=True, wounded=True),
        Foe("green", owner=3),
    )
    found = {whom: acting((Call(whom), None, False), *foes, active=3) for whom in CALLS}
    assert found == {
        "green": [3, 0],
        "blue": [1],
        "red": [],
        "purple": [],
        "dexterity": [3],
        "faith": [3, 1],
        "magic": [3, 0],
        "strength": [3],
        "engaged": [0],
        "wounded": [1],
        "highest_rank": [1],
        "any": [3, 1, 0],
    }


def test_no_enemies_is_an_order_like_any_other() -> None:
    """IS-AI.2, IS-AI.5: a part that says "no enemies" is always carried out."""
    assert acting(REST, Foe("red")) == []
    assert acting((Call("any", 2), None, False), Foe("red")) == [0], "in part"


def test_a_master_goes_with_the_active_player() -> None:
    """IS-MAST.2, IS-AI.4."""
    foes = Foe("red", owner=2), Foe("purple", owner=NO_INDEX), Foe("green", owner=1)
    assert acting(FIGHT, *foes, active=2) == [1, 0, 2]
    assert acting(FIGHT, *foes, active=1) == [1, 2, 0]


def test_the_active_player_decides_between_equals() -> None:
    """IS-AI.4."""
    cards = Cards((Call("any", 2),), (None,), (False,))
    foes = band([[Foe("green"), Foe("green"), Foe("green")]])
    found = activation_order(cards, np.array([0]), foes, np.array([0]), 2, np.array([[15, 3, 0]]))
    assert found.tolist() == [[2, 1, NO_INDEX]]


def test_the_second_copy_goes_with_the_first() -> None:
    """IS-EX-63, IS-ENE.15: player 1 has a blue gremlin already; another kind goes to who has none."""
    gremlin, bandit = 4, 7
    owner, kind = np.array([[1, NO_INDEX]]), np.array([[gremlin, gremlin]])
    assert assign_player(owner, kind, np.array([gremlin]), np.array([0]), 3).tolist() == [1]
    assert assign_player(owner, kind, np.array([bandit]), np.array([1]), 3).tolist() == [2]
    assert assign_player(owner, kind, np.array([bandit]), np.array([0]), 3).tolist() == [0]
    gone = np.array([[NO_INDEX, NO_INDEX]])
    assert assign_player(gone, kind, np.array([gremlin]), np.array([2]), 3).tolist() == [2]


def literally(cards: Cards, card: int, foes: Sequence[Foe], active: int, n_players: int) -> list[int]:
    """Return who acts, player after player, as section 15.7 of the rulebook tells it."""
    if card == NO_CARD:
        return []
    matching = [place for place in range(len(foes)) if calls(cards.main[card].group, place, foes)]
    number, second = cards.main[card].number, cards.otherwise[card]
    if not matching and number != 0:
        if second is None:
            return []
        matching = [place for place in range(len(foes)) if calls(second.group, place, foes)]
        number = second.number
    order: list[int] = []
    for player in (*range(active, n_players), *range(active)):
        for stunned in (False, True):
            for rank in reversed(RANKS):
                for place in matching:
                    foe = foes[place]
                    owner = active if foe.rank == "purple" else foe.owner
                    if (owner, foe.stunned, foe.rank) == (player, stunned, rank):
                        order.append(place)
    return order[:number]


def calls(whom: str, place: int, foes: Sequence[Foe]) -> bool:
    """Return whether an enemy is among those that a part of a card names."""
    foe = foes[place]
    highest = max((RANKS.index(other.rank) for other in foes if other.in_play), default=-1)
    told = {
        "engaged": foe.engaged,
        "wounded": foe.wounded,
        "any": True,
        "highest_rank": RANKS.index(foe.rank) == highest,
        **{rank: foe.rank == rank for rank in RANKS},
        **{style: foe.style in (style, "jolly") for style in STYLES},
    }
    return foe.in_play and told[whom]


def some_foe(rng: np.random.Generator, n_players: int) -> Foe:
    """Return an enemy."""
    rank, style = rng.choice(RANKS, p=[0.4, 0.3, 0.2, 0.1]), rng.choice([*STYLES, "jolly"])
    return Foe(str(rank), int(rng.integers(n_players)), str(style), *(rng.random(4) < [0.3, 0.3, 0.3, 0.8]).tolist())


def some_call(rng: np.random.Generator) -> Call:
    """Return a part of a card."""
    return Call(str(rng.choice(CALLS)), int(rng.choice([0, 1, 2, 3, ALL_ENEMIES])))


@pytest.mark.parametrize("seed", range(20))
def test_random_bands_as_in_plain_python(seed: int) -> None:
    """IS-AI.2 to IS-AI.5: two hundred bands of up to sixteen, and twelve random cards."""
    rng = np.random.default_rng([41, seed])
    n, n_players, n_foes = 200, int(rng.integers(2, 6)), int(rng.choice([1, 3, 6, MOST_ENEMIES]))
    second = tuple(some_call(rng) if rng.random() < 0.7 else None for _ in range(12))
    cards = Cards(tuple(some_call(rng) for _ in range(12)), second, (False,) * 12)
    foes = [[some_foe(rng, n_players) for _ in range(n_foes)] for _ in range(n)]
    card, active = rng.integers(-1, 12, n).astype(np.int8), rng.integers(0, n_players, n).astype(np.int8)
    found = activation_order(cards, card, band(foes), active, n_players)
    assert [[foe for foe in row if foe != NO_INDEX] for row in found.tolist()] == [
        literally(cards, int(card[row]), foes[row], int(active[row]), n_players) for row in range(n)
    ]
    assert ((found == NO_INDEX).cumsum(axis=1) > 0).tolist() == (found == NO_INDEX).tolist(), (
        "nobody comes after nobody"
    )


@pytest.mark.parametrize("seed", range(10))
def test_random_assignments_as_in_plain_python(seed: int) -> None:
    """IS-ENE.15: the fewest, of these the active player or the first clockwise."""
    rng = np.random.default_rng([42, seed])
    n, n_players, n_foes = 200, int(rng.integers(2, 6)), int(rng.integers(1, 9))
    owner, kind = rng.integers(-1, n_players, (n, n_foes)), rng.integers(0, 9, (n, n_foes))
    for row in range(n):  # copies of one card have one owner
        for place in range(n_foes):
            owner[row, place] = owner[row, kind[row].tolist().index(kind[row, place])]
    drawn, active = rng.integers(0, 9, n), rng.integers(0, n_players, n)
    found = assign_player(owner.astype(np.int8), kind, drawn, active, n_players)
    assert found.dtype == np.int8
    for row, player in enumerate(found.tolist()):
        copies = {owner[row, place] for place in range(n_foes) if kind[row, place] == drawn[row]} - {NO_INDEX}
        if copies:
            assert {player} == copies
            continue
        numbers = [owner[row].tolist().count(one) for one in range(n_players)]
        clockwise = [(active[row] + step) % n_players for step in range(n_players)]
        assert player == next(one for one in clockwise if numbers[one] == min(numbers))


def test_styles_are_told_by_number() -> None:
    assert JOLLY == len(STYLES) == 4

"""Which enemies an encounter card activates, in which order, and to whom a new enemy is assigned (IS-AI.1 to IS-AI.6).

What a card asks for and what an enemy is are bits of one number, so that all cards are played at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, Places, draw, lay_card, shuffle_in
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX, STYLES

RANKS = ("green", "blue", "red", "purple")
"""From the lowest to Masters (IS-ENE.1); enemies tell theirs by its number."""
JOLLY = len(STYLES)
"""The style that counts as all of them."""
CALLS = (*RANKS, *STYLES, "engaged", "wounded", "highest_rank", "any")
"""Whom a card may call: a rank, a style, who has a hero in its area, the wounded, the highest rank in play, anybody."""
ALL_ENEMIES = 99
"""Instead of a number of enemies: all of them."""
MOST_ENEMIES = 16
"""Enemies that may be in play at a time."""


@dataclass(frozen=True)
class Call:
    """A part of an encounter card (IS-AI.2): whom it activates, one of CALLS, and how many at most; 0 for nobody."""

    group: str
    number: int = ALL_ENEMIES


@dataclass(frozen=True)
class Cards:
    """The encounter cards.

    `main` and `otherwise`: the two parts of each card; None where it has no second one. `reshuffles`: whether the deck
    is shuffled with the discards after it (IS-AI.6).
    """

    main: tuple[Call, ...]
    otherwise: tuple[Call | None, ...]
    reshuffles: tuple[bool, ...]

    @cached_property
    def call_tables(self) -> tuple[IntArray, IntArray]:
        """Whom each part calls, as a bit of CALLS, and how many, `int16[2, cards + 1]` each.

        The last is no card, which calls nobody.
        """
        parts = [(*part, None) for part in (self.main, self.otherwise)]
        bits = [[0 if call is None else 1 << CALLS.index(call.group) for call in part] for part in parts]
        numbers = [[ALL_ENEMIES if call is None else call.number for call in part] for part in parts]
        return np.array(bits, np.int16), np.array(numbers, np.int16)


class Band(NamedTuple):
    """The enemies as encounter cards see them, `[n, enemies]` each; at most 16.

    `rank` and `style`: numbers in RANKS, and in STYLES or JOLLY. `engaged`: whether a hero is in its area. `owner`: the
    player it is assigned to, from 0; Masters go with the active player whatever this says (IS-MAST.2).
    """

    in_play: BoolArray
    rank: IntArray
    style: IntArray
    engaged: BoolArray
    has_wounds: BoolArray
    stunned: BoolArray
    owner: IntArray

    def traits(self) -> IntArray:
        """Return the groups of CALLS that each enemy is in, as bits, `int16[n, enemies]`; 0 if out of play."""
        rank = np.where(self.in_play, self.rank, -1)
        by_style = np.array(
            [*(1 << len(RANKS) + style for style in range(JOLLY)), (1 << JOLLY) - 1 << len(RANKS)], np.int16
        )
        bits = np.int16(1) << self.rank.astype(np.int16) | by_style.take(self.style)
        highest = rank == rank.max(axis=1, keepdims=True)
        for name, flags in (("engaged", self.engaged), ("wounded", self.has_wounds), ("highest_rank", highest)):
            bits |= flags.astype(np.int16) << CALLS.index(name)
        return np.where(self.in_play, bits | 1 << CALLS.index("any"), np.int16(0))


def draw_card(cards: Cards, places: Places, drawing: BoolArray, rolls: Rolls) -> tuple[IntArray, Places]:
    """Draw an encounter card where an enemy is in play, `drawing`, and discard it: IS-AI.1, IS-AI.6.

    After a card that says so the deck is shuffled with the discards, and only then that card is discarded. Returns the
    card, `int8[n]`, NO_CARD where none is drawn, and where cards are now.
    """
    card, places = draw(places, drawing, DISCARD_PILE, rolls, "encounter card")
    anew = np.array((*cards.reshuffles, False)).take(card)
    return card, lay_card(shuffle_in(places, anew), card, DISCARD_PILE)


def activation_order(
    cards: Cards, card: IntArray, band: Band, active: IntArray, n_players: int, wishes: IntArray | None = None
) -> IntArray:
    """Return the enemies that act, in order, `int8[n, enemies]`; NO_INDEX beyond the last: IS-AI.2 to IS-AI.5.

    Those of the active player come first, and then clockwise; of a player's the stunned ones come last, of the others
    those of the highest rank first. The second part of a card counts if the first calls nobody at all. `card` and
    `active`, the active player, are `int[n]`; `wishes` breaks ties of rank, 0 to 15, lower first, `int[n, enemies]`, of
    equals the first.
    """
    bits, numbers = cards.call_tables
    traits, n_enemies = band.traits(), band.rank.shape[1]
    main, otherwise = ((traits & part.take(card)[:, None]) != 0 for part in bits)
    first = main.any(axis=1) | (numbers[0].take(card) == 0)
    is_called = np.where(first[:, None], main, otherwise)
    number = np.where(first, *(part.take(card) for part in numbers))
    seat = np.where(band.rank == RANKS.index("purple"), 0, (band.owner - active[:, None]) % n_players)
    key = (seat.astype(np.int16) * 2 + band.stunned) * 4 + (RANKS.index("purple") - band.rank)
    places = (key * 16 + (0 if wishes is None else wishes)) * MOST_ENEMIES + np.arange(n_enemies, dtype=np.int16)
    last = np.iinfo(np.int16).max
    order = np.sort(np.where(is_called, places, last).astype(np.int16), axis=1)
    acts = (order < last) & (np.arange(n_enemies) < number[:, None])
    return np.where(acts, order % MOST_ENEMIES, NO_INDEX).astype(np.int8)


def assign_player(owner: IntArray, kind: IntArray, new_kind: IntArray, active: IntArray, n_players: int) -> IntArray:
    """Return the player whom a new enemy is assigned to, `int8[n]`: IS-ENE.15, IS-Q32.

    A second copy goes to the owner of the first. Another goes to who has the fewest enemies; of several the active
    player, or else the first clockwise. `owner` is the player of each enemy, NO_INDEX for Masters and those not in
    play, and `kind` numbers name and rank, `int[n, enemies]` each; `new_kind` is that of the new one, `int[n]`.

    >>> assign_player(np.array([[0, 0, 2]]), np.array([[5, 6, 7]]), np.array([8]), np.array([2]), 3).tolist()
    [1]
    """
    players = np.arange(n_players)
    n_owned = (owner[:, :, None] == players).sum(axis=1)
    player_with_fewest = (n_owned * n_players + (players - active[:, None]) % n_players).argmin(axis=1)
    copy = (kind == new_kind[:, None]) & (owner != NO_INDEX)
    first = np.take_along_axis(owner, copy.argmax(axis=1)[:, None], axis=1)[:, 0]
    return np.where(copy.any(axis=1), first, player_with_fewest).astype(np.int8)

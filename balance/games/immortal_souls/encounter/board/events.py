"""The Event Phase: which card is revealed, how many enemies appear and at which gate (IS-EVT, IS-SPAWN)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import UsageError, comma_list
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.activation import Cards
from balance.games.immortal_souls.encounter.board.decks import IN_DECK, NO_CARD, OUT, Places, draw

NO_SPAWN = -99
"""Instead of the number of a spawn formula: the card has none."""
NO_GATE = -1
"""Instead of a gate: none is open."""


class EventLimits(NamedTuple):
    """The most enemies that a card of some events spawns, and that it activates."""

    max_spawns: int
    max_active: int


@dataclass(frozen=True, eq=False)
class EventCards:
    """The event cards, `[events + 1]`; the last is no card.

    * `set_aside`: whether it is set beside the deck, as Night and Day are.
    * `spawn_few`, `spawn_many`, `spawns`: what the spawn formula adds with few heroes and with many, NO_SPAWN for no
      formula, and enemies beside those.
    * `hero_hits` and `enemy_hits`: hits added to attacks while it lies open.
    * `power_turns`, `rekindles`, `shadows`: steps that powers turn, whether areas burn again as at the start, and
      Shadows that are laid anew.
    * `calls`: whom it activates, as an encounter card.
    * `starts`: where each card is at the start, `int8[events]`: in the deck, or a story on the map.
    * `of_deck` and `of_map`: the most that cards of the deck bring, and stories on the map.
    """

    names: tuple[str, ...]
    set_aside: BoolArray
    spawn_few: IntArray
    spawn_many: IntArray
    hero_hits: IntArray
    enemy_hits: IntArray
    power_turns: IntArray
    spawns: IntArray
    rekindles: BoolArray
    shadows: IntArray
    calls: Cards
    starts: Places
    of_deck: EventLimits
    of_map: EventLimits


class Events(NamedTuple):
    """The event cards that lie open, `int8[n]` each.

    `face_up`: the card face up on the deck; NO_CARD for none. `stories`: how many story cards lie on top of it and
    cover it. `aside`: the Night or Day card beside the deck, which holds until the next of them (IS-EVT.4); NO_CARD for
    none.
    """

    face_up: IntArray
    stories: IntArray
    aside: IntArray


class EventResult(NamedTuple):
    """What an Event Phase brings: the cards that lie open then, and where all cards are.

    `card`: the card that is revealed and resolved, `int8[n]`; NO_CARD where one is discarded instead. `quest_failed`:
    where no card is left, and with it the quest is lost (IS-EVT.5), `bool[n]`.
    """

    card: IntArray
    events: Events
    places: Places
    quest_failed: BoolArray


def event_phase(events: Events, places: Places, set_aside: BoolArray, rolls: Rolls) -> EventResult:
    """Reveal an event card, or discard the one that lies open: IS-EVT.1, IS-EVT.3 to IS-EVT.6.

    Story cards on top go first, one a phase; the card that they cover is then open again, and not resolved again. The
    deck is never shuffled anew. A quest fails with its last card: when that is discarded, or when it is set aside.
    `set_aside` is which cards go beside the deck at once, Night and Day, `bool[cards]`.
    """
    is_covered = events.stories > 0
    card, places = draw(places, ~is_covered & (events.face_up == NO_CARD), OUT, rolls, "event")
    beside = np.append(set_aside, False).take(card)
    face_up = np.where(is_covered, events.face_up, np.where(beside, NO_CARD, card)).astype(np.int8)
    aside = np.where(beside, card, events.aside).astype(np.int8)
    stories = events.stories - is_covered
    quest_failed = (face_up == NO_CARD) & (stories == 0) & ~(places == IN_DECK).any(axis=1)
    return EventResult(card, Events(face_up, stories.astype(np.int8), aside), places, quest_failed)


def open_cards(state: State) -> Events:
    """Return the event cards that lie open, from the columns `face_up`, `stories` and `aside`."""
    return Events(state["face_up"], state["stories"], state["aside"])


def lay_on_top(events: Events, stories: IntArray) -> Events:
    """Return the open cards after so many story cards, `int[n]`, are laid face up on the Event deck: IS-EVT.3."""
    return events._replace(stories=(events.stories + stories).astype(np.int8))


def lasting_card(events: Events) -> IntArray:
    """Return the card whose lasting effect holds, `int8[n]`: the one face up, unless stories cover it (IS-EVT.2)."""
    return np.asarray(np.where(events.stories > 0, NO_CARD, events.face_up), np.int8)


def to_spawn(
    heroes: IntArray, enemies: IntArray, spawn_few: IntArray, spawn_many: IntArray, from_many: int
) -> IntArray:
    """Return how many enemies an event brings, `int8[n]`, by the numbers in play, `int[n]`: IS-SPAWN.1, IS-SPAWN.2.

    Neither ghosts nor companions count as `heroes`, and a horde is one enemy. The card adds `spawn_few`, or with
    `from_many` heroes in play or more `spawn_many`, `int[n]` each; NO_SPAWN brings nothing at all.

    >>> to_spawn(np.array([3, 5, 4, 1]), np.array([1, 0, 2, 4]), np.full(4, -1), np.full(4, -2), 4).tolist()
    [1, 3, 0, 0]
    """
    plus = np.where(heroes < from_many, spawn_few, spawn_many).astype(np.int16)
    return np.asarray(np.maximum(plus + heroes - enemies, 0), np.int8)


@dataclass(frozen=True)
class Gates:
    """The spawn gates of a map, and the die that picks one of those that are open.

    `symbols` has a different symbol for each gate, `faces` what each face of the die shows.
    """

    symbols: tuple[str, ...]
    faces: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Raise UsageError if two gates have the same symbol, or one has a symbol that no face shows."""
        die_symbols = {symbol for face in self.faces for symbol in face}
        if missing := [symbol for symbol in self.symbols if symbol not in die_symbols]:
            raise UsageError(
                f"no face of the die shows the spawn gate {missing[0]}", f"it shows {comma_list(sorted(die_symbols))}"
            )
        if len(set(self.symbols)) < len(self.symbols):
            raise UsageError(
                f"two spawn gates have the same symbol: {comma_list(self.symbols)}", "let each have its own"
            )

    def pick(self, is_open: BoolArray, rolls: Rolls, name: str) -> IntArray:
        """Return the gate at which an enemy appears, `int8[n]`, NO_GATE where none is open: IS-SPAWN.3, IS-SPAWN.4.

        The die is rolled until it shows the symbol of an open gate, `bool[n, gates]`: one of the faces that do so, all
        equally likely. Of two open gates on one face it is the first. Where one gate is open no die is rolled.
        """
        open_bits = is_open @ (1 << np.arange(len(self.symbols)))
        possible, gate = self._tables
        face = rolls.pick(possible.take(open_bits, axis=0), name)
        return gate.take(open_bits * len(self.faces) + face)

    @cached_property
    def _tables(self) -> tuple[BoolArray, IntArray]:
        """Which faces end the rolling, `bool[2**gates, faces]`, and each one's gate, flat, by open gates as bits."""
        n_gates, n_faces = len(self.symbols), len(self.faces)
        possible, gate = np.zeros((1 << n_gates, n_faces), bool), np.full((1 << n_gates, n_faces), NO_GATE, np.int8)
        for open_bits in range(1 << n_gates):
            open_gates = [number for number in range(n_gates) if open_bits >> number & 1]
            for face, shows in enumerate(self.faces):
                gate[open_bits, face] = _first(open_gates, self.symbols, shows)
            possible[open_bits] = gate[open_bits] != NO_GATE
            if len(open_gates) < 2:
                possible[open_bits], gate[open_bits] = np.arange(n_faces) == 0, open_gates[0] if open_gates else NO_GATE
        return possible, gate.ravel()


def _first(gates: Sequence[int], symbols: Sequence[str], shows: Collection[str]) -> int:
    return next((number for number in gates if symbols[number] in shows), NO_GATE)

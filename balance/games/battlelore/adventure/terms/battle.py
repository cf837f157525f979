"""A battle as it is asked for: the adventure, the rules in force, and tables of all that may happen in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.map.adventure import Adventure
from balance.games.battlelore.adventure.map.field import LANDMARKS, Field
from balance.games.battlelore.adventure.terms.deck import CommandDeck
from balance.games.battlelore.adventure.terms.lore_deck import LoreDeck
from balance.games.battlelore.adventure.terms.muster import Muster
from balance.games.battlelore.ruleset import BattleLoreRules, Constants

NOBODY = -1
"""The slot of nobody."""
TOP_LEVEL = 3
"""The level of a master, or of a Commander, that brings a landmark (BL-LMK-02)."""
STRONGHOLD = "stronghold"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The rules and numbers under which a battle is fought.

    `banners` and `cards`: victory banners that each side needs, and command cards in its hand. `turn_limit`: turns of
    either side after which nobody has won.
    """

    rules: BattleLoreRules
    constants: Constants
    banners: tuple[int, int]
    cards: tuple[int, int]
    turn_limit: int


@dataclass(frozen=True, eq=False)
class Battle:
    """An adventure with its tables; K units a side at most, N numbers of cells.

    `members`: for each side its units: the number of the member, and the cell where it begins. `lore_deck`: the Lore
    cards, as the councils of both sides play them; without any in a Medieval adventure. `room`: units a side for which
    there is room at least.
    """

    adventure: Adventure
    field: Field
    muster: Muster
    deck: CommandDeck
    terms: Terms
    members: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    lore_deck: LoreDeck
    room: int = 0

    @property
    def lore(self) -> bool:
        """Whether the Lore system is in use (BL-SETUP-02)."""
        return self.adventure.lore

    @cached_property
    def n_slots(self) -> int:
        """K, the larger number of units of the two sides, or the room that there is."""
        return max(self.room, *(len(members) for members in self.members))

    @cached_property
    def _slots(self) -> tuple[IntArray, IntArray]:
        """For each side occupant number -> slot of its unit, `int8[2 K + 1]`; NOBODY for all others."""
        own, others = np.arange(self.n_slots), np.full(self.n_slots, NOBODY)
        sides = ([NOBODY], own, others), ([NOBODY], others, own)
        first, second = (np.concatenate(parts).astype(np.int8) for parts in sides)
        return first, second

    def slots_of(self, side: int, occupants: IntArray) -> IntArray:
        """Return the slots of those occupants that are of a side, `int8` in the same shape; NOBODY for others."""
        return np.asarray(self._slots[side].take(occupants))

    def owner_and_slot(self, side: int, units: IntArray) -> tuple[IntArray, IntArray]:
        """Return the side and slot of units, `int64` each, where slots from K on are those of the other side."""
        is_other = units >= self.n_slots
        return np.where(is_other, 1 - side, side), units - is_other * self.n_slots

    def place_of(self, side: int, cells: IntArray) -> IntArray:
        """Return cells as a side counts them, `int64`, by which luck knows its options; OFF_BOARD is allowed."""
        return np.asarray(self.field.relative[side].take(cells + 1), np.int64)

    def ground_at(self, state: State, rows: IntArray, cells: IntArray) -> IntArray:
        """Return the codes of the ground of cells, `uint8` of the shape of `cells`, which may be OFF_BOARD.

        `rows`, the trial of each cell, broadcasts with `cells`.
        """
        if "ground" in state:
            return np.asarray(state["ground"][rows, cells + 1])
        return np.asarray(self.field.ground.take(cells + 1))

    @cached_property
    def has_landmarks(self) -> bool:
        """Whether landmarks with powers may be on the board: Lore, and some drawn or brought."""
        drawn = any(self.field.cells_with(terrain) for terrain in LANDMARKS)
        return self.lore and (self.adventure.masters_landmarks or drawn or bool(self.stronghold_owners))

    @cached_property
    def strongholds(self) -> tuple[int, ...]:
        """The cells of the strongholds that the map has, rising."""
        return tuple(cell for cell in self.field.cells_with(STRONGHOLD) if self.field.owner[cell + 1] >= 0)

    @cached_property
    def stronghold_owners(self) -> tuple[int, ...]:
        """The sides that own strongholds: those of the map, then those that Commanders bring (BL-LMK-11).

        A Commander of level 3 brings one, with or without masters' landmarks, if the map has none of its side.
        """
        owners = [int(self.field.owner[cell + 1]) for cell in self.strongholds]
        commanders = [force.council.commander for force in self.adventure.forces]
        by_commanders = [s for s in (0, 1) if self.lore and commanders[s] == TOP_LEVEL and s not in owners]
        return (*owners, *by_commanders)

    def commanders_site(self, side: int) -> int | None:
        """Return the index of the stronghold that a side's Commander brings; None if it brings none."""
        sites = range(len(self.strongholds), len(self.stronghold_owners))
        return next((site for site in sites if self.stronghold_owners[site] == side), None)

    def owner_at(self, state: State, rows: IntArray, cells: IntArray) -> IntArray:
        """Return the side that owns what stands on cells, `int8` of the shape of `cells`; -1 for nobody.

        `rows`, the trial of each cell, broadcasts with `cells`, which may be OFF_BOARD.
        """
        if "owner" in state:
            return np.asarray(state["owner"][rows, cells + 1])
        return np.asarray(self.field.owner.take(cells + 1))

    def free_at(self, state: State, rows: IntArray, cells: IntArray) -> BoolArray:
        """Return whether cells are passable and empty now, in the shape of `cells`; OFF_BOARD never is.

        `rows`, the trial of each cell, broadcasts with `cells`.
        """
        passable = self.field.passable.take(self.ground_at(state, rows, cells))
        return np.asarray(passable & (self.occupant_at(state, rows, cells) == 0))

    def occupant_at(self, state: State, rows: IntArray, cells: IntArray) -> IntArray:
        """Return who stands on cells, `int8`: 0 nobody, slot + 1 of side 0, K + slot + 1 of side 1.

        `rows`, the trial of each cell, broadcasts with `cells`, which may be OFF_BOARD.
        """
        return np.asarray(state["occupant"][rows, cells + 1])

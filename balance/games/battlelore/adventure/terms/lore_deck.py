"""The Lore cards as numbers: when each is played, what it does, and what it costs a side (BL-LORE-05, BL-LORE-23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.map.adventure import MASTERS, Council
from balance.games.battlelore.ruleset import BattleLoreRules, Constants
from balance.games.battlelore.tables import LoreCard, Mechanism, Phase

PHASES: tuple[Phase, ...] = get_args(Phase)
MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
"""Moments and effects of Lore cards; the number of each is its place here."""
NO_LORE_CARD = -1


@dataclass(frozen=True, eq=False)
class LoreDeck:
    """L kinds of Lore cards, as the war councils of two sides play them."""

    cards: Sequence[LoreCard]
    councils: tuple[Council, Council]
    rules: BattleLoreRules
    constants: Constants

    @property
    def n_types(self) -> int:
        """L, the number of kinds of cards."""
        return len(self.cards)

    @cached_property
    def levels(self) -> IntArray:
        """Levels of the Lore Masters of each side, in the order of MASTERS, `int64[2, 4]`; 0 for nobody."""
        return np.array([[getattr(council, master) for master in MASTERS] for council in self.councils])

    @cached_property
    def top(self) -> IntArray:
        """The highest level of each side's Lore Masters, `int64[2]`; 0 without any."""
        return np.asarray(self.levels.max(axis=1))

    @cached_property
    def cost(self) -> IntArray:
        """What each card costs each side, `int64[2, L]`: out of character more (BL-LORE-23)."""
        cost, per = self._column("cost"), self._column("cost_per_level")
        foreign = self.levels[:, self.master] == 0
        return np.asarray(cost + per * self._level + foreign * self.constants.lore.out_of_character)

    @cached_property
    def value(self) -> IntArray:
        """Strength of each card for each side, in dice, hexes, figures, tokens or units, `int64[2, L]` (BL-LORE-06)."""
        return np.maximum(self._column("base") + self._column("per_level") * self._level, 0)

    @cached_property
    def _level(self) -> IntArray:
        return np.maximum(self.levels[:, self.master], 1)

    @cached_property
    def master(self) -> IntArray:
        """The place of each card's class in MASTERS, `int64[L]`."""
        return np.array([MASTERS.index(card.master) for card in self.cards], np.int64)

    @cached_property
    def phase(self) -> IntArray:
        """Number of the phase in which each card is played, `int64[L]`."""
        return np.array([PHASES.index(card.phase) for card in self.cards], np.int64)

    @cached_property
    def mechanism(self) -> IntArray:
        """Number of each card's mechanism, `int64[L + 1]`; the last, for no card, is -1."""
        return np.array([*(MECHANISMS.index(card.mechanism) for card in self.cards), -1], np.int64)

    @cached_property
    def is_for_any(self) -> BoolArray:
        """Which cards may be played on units of either side, `bool[L]`."""
        return np.array([card.target == "any_unit" for card in self.cards], bool)

    def in_phases(self, phases: Sequence[Phase]) -> BoolArray:
        """Return which cards are played in one of `phases`, `bool[L]`."""
        numbers = np.array([PHASES.index(phase) for phase in phases])
        return np.asarray((self.phase[:, None] == numbers).any(axis=1))

    def with_mechanism(self, mechanism: Mechanism) -> IntArray:
        """Return the kinds of cards with a mechanism, rising, `int64[...]`."""
        return np.flatnonzero(self.mechanism[:-1] == MECHANISMS.index(mechanism))

    # -- the deck of an adventure, and hands ---------------------------------------------------------------------------

    @cached_property
    def copies(self) -> tuple[IntArray, IntArray]:
        """The card of each copy, and the place by which luck knows it, `int64[copies]` each."""
        pairs = [(row, 100 * row + copy) for row, card in enumerate(self.cards) for copy in range(card.count)]
        table = np.array(pairs, np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    @cached_property
    def cards_of_class(self) -> IntArray:
        """How many cards of each class the Lore deck has, `int64[4]` (BL-WC-05)."""
        sizes, n_councils = self.constants.war_council.lore_deck, (self.levels > 0).sum(axis=0)
        if self.rules.lore_deck == "any":
            return np.where(n_councils > 0, sizes.in_both, sizes.in_none)
        return np.asarray(np.array([sizes.in_none, sizes.in_one, sizes.in_both])[n_councils])

    @cached_property
    def first_cards(self) -> IntArray:
        """Lore cards that each side begins with, `int64[2]` (BL-WC-03)."""
        return self._by_level("lore_cards")

    @cached_property
    def first_tokens(self) -> IntArray:
        """Lore tokens that each side begins with where its adventure says nothing, `int64[2]` (BL-WC-03, BL-WC-04)."""
        return self._by_level("lore_tokens")

    @cached_property
    def most_cards(self) -> IntArray:
        """Lore cards that each side may hold, `int64[2]` (BL-LORE-21)."""
        return self._by_level("lore_hand")

    def _by_level(self, name: str) -> IntArray:
        numbers = getattr(self.constants.war_council, name)
        return np.asarray(np.array([0, numbers.level_1, numbers.level_2, numbers.level_3])[self.top])

    def _column(self, name: str) -> IntArray:
        return np.array([getattr(card, name) for card in self.cards], np.int64)

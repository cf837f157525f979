"""Who fights in an adventure: the sorts of units that occur, and what the rules say of each, as tables.

The rules are those of `balance.games.battlelore.rules`, asked once for each sort, or each pair of sorts. Tables are
indexed by the number of a sort, its *member*; the last row is nobody's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.catalogue import Catalogue
from balance.games.battlelore.building import Post, Referee
from balance.games.battlelore.rules.dice import COLOURS, SWORDS, base_dice, swords_that_hit
from balance.games.battlelore.rules.morale import bold_of_sources
from balance.games.battlelore.rules.strike import Targets
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import Kind, Unit

MOST_BOLD = 10
"""Reasons to be Bold that a place or a card can give are below this."""


@dataclass(frozen=True, eq=False)
class Muster:
    """The sorts of units of an adventure, m of them; every table has one row more, for nobody.

    The place of a sort in `fighters` is its number, the member.
    """

    fighters: tuple[Fighter, ...]
    referee: Referee

    @classmethod
    def of(cls, fighters: tuple[Fighter, ...], referee: Referee) -> Muster:
        """Return the muster of `fighters`, units of an adventure and what training may make of them, each sort once."""
        return cls(tuple(dict.fromkeys(fighters)), referee)

    def number_of(self, fighter: Fighter) -> int:
        """Return the member number of a sort, which must be one of `fighters`."""
        return self.fighters.index(fighter)

    @property
    def nobody(self) -> int:
        """m, the member number that stands for nobody."""
        return len(self.fighters)

    def targets(self, kinds: IntArray) -> Targets:
        """Return units that are attacked, by their members, `int[n]`."""
        return Targets(self.referee.constants.die.faces, self.colour.take(kinds), self.creature.take(kinds))

    @cached_property
    def colour(self) -> IntArray:
        """Colour of each member, 0 green, 1 blue, 2 red, `int8[m + 1]`."""
        return self._numbers(lambda fighter: COLOURS.index(fighter.unit.colour))

    @cached_property
    def full(self) -> IntArray:
        """Figures at full strength, `int8[m + 1]` (BL-TRP-03)."""
        return self._numbers(lambda fighter: fighter.unit.figures)

    @cached_property
    def battle_move(self) -> IntArray:
        """Hexes it may move and battle, `int8[m + 1]` (BL-MOV-02, BL-MOV-03)."""
        return self._numbers(lambda fighter: fighter.unit.battle_move)

    @cached_property
    def move(self) -> IntArray:
        """Hexes it may move without battle, `int8[m + 1]`."""
        return self._numbers(lambda fighter: fighter.unit.move)

    @cached_property
    def charge_hexes(self) -> IntArray:
        """Hexes it may charge on foot, 0 for never, `int8[m + 1]` (BL-GOB-01)."""
        return self._numbers(lambda fighter: fighter.race.charge_hexes * (fighter.unit.kind == "foot"))

    @cached_property
    def range_hexes(self) -> IntArray:
        """Hexes its weapon reaches, `int8[m + 1]` (BL-RNG-05)."""
        return self._numbers(lambda fighter: fighter.weapon.range_hexes)

    @cached_property
    def hexes_per_flag(self) -> IntArray:
        """Hexes it retreats for a flag, `int8[m + 1]` (BL-FLAG-01, BL-GOB-03, BL-CRE-07)."""
        return self._numbers(lambda fighter: self.referee.target(_fresh(fighter)).hexes_per_flag)

    @cached_property
    def most_stored(self) -> IntArray:
        """Lore that may be stored beside it, `int8[m + 1]` (BL-CRE-12)."""
        return self._numbers(lambda fighter: self.referee.powers(_fresh(fighter)).most_stored)

    @cached_property
    def web(self) -> IntArray:
        """Lore that Web costs it, 0 if it has no such power, `int8[m + 1]` (BL-CRE-15)."""
        return self._numbers(lambda fighter: self.referee.powers(_fresh(fighter)).web)

    @cached_property
    def poison(self) -> IntArray:
        """Lore that Poison costs it, 0 if it has no such power, `int8[m + 1]` (BL-CRE-14)."""
        return self._numbers(lambda fighter: self.referee.powers(_fresh(fighter)).poison)

    @cached_property
    def foot(self) -> BoolArray:
        """Whether it is a troop on foot, `bool[m + 1]` (BL-TRP-05)."""
        return self._are("foot")

    @cached_property
    def mounted(self) -> BoolArray:
        """Whether it is a mounted troop, `bool[m + 1]`."""
        return self._are("mounted")

    @cached_property
    def creature(self) -> BoolArray:
        """Whether it is a creature, `bool[m + 1]` (BL-CRE-01)."""
        return self._are("creature")

    @cached_property
    def panics(self) -> BoolArray:
        """Whether it is Frightened when it retreats, `bool[m + 1]` (BL-GOB-03)."""
        return self._numbers(lambda fighter: self.referee.target(_fresh(fighter)).panics) > 0

    @cached_property
    def ranged(self) -> BoolArray:
        """Whether its weapon reaches beyond the next hex, `bool[m + 1]` (BL-RNG-04)."""
        return self._numbers(lambda fighter: fighter.weapon.is_ranged) > 0

    @cached_property
    def dice(self) -> IntArray:
        """Dice before terrain, standing and after a move, `int8[m + 1, 2]` (BL-DICE-01, BL-WPN-02, BL-WPN-04)."""
        rules = self.referee.rules
        still = self._numbers(lambda fighter: base_dice(fighter, False, rules))
        return np.stack([still, self._numbers(lambda fighter: base_dice(fighter, True, rules))], axis=1)

    @cached_property
    def swords(self) -> IntArray:
        """Bonus strikes of each on each, at range and in melee, as places in `SWORDS`, `uint8[m + 1, m + 1, 2]`."""
        table = np.zeros((self.nobody + 1, self.nobody + 1, 2), np.uint8)
        for (by, attacker), (on, target) in product(enumerate(self.fighters), repeat=2):
            table[by, on] = [
                SWORDS.index(swords_that_hit(attacker, target.unit.kind, melee, self.referee.rules))
                for melee in (False, True)
            ]
        return table

    @cached_property
    def bold(self) -> IntArray:
        """Flags each may ignore, `int8[m + 1, MOST_BOLD, 2, MOST_BOLD]`: by those of its place, support and cards.

        Those of a place are `Ground.bold`, which knows creatures and owners. A creature must ignore its number.
        """
        table = np.zeros((self.nobody + 1, MOST_BOLD, 2, MOST_BOLD), np.int8)
        rules, morale = self.referee.rules, self.referee.constants.morale
        for member, fighter in enumerate(self.fighters):
            for place, support, cards in product(range(MOST_BOLD), range(2), range(MOST_BOLD)):
                flags = bold_of_sources(fighter, place, bool(support), cards, rules, morale)
                table[member, place, support, cards] = flags
        return table

    @cached_property
    def promoted(self) -> IntArray:
        """The member that each turns into by training, -1 for none here, `int16[m + 1]` (BL-LMK-09, BL-Q47)."""
        sorts = list(enumerate(self.fighters))
        numbers = [next((n for n, higher in sorts if _is_above(higher, fighter)), -1) for fighter in self.fighters]
        return np.array([*numbers, -1], np.int16)

    def _numbers(self, number: Callable[[Fighter], int]) -> IntArray:
        return np.array([*(int(number(fighter)) for fighter in self.fighters), 0], np.int8)

    def _are(self, kind: Kind) -> BoolArray:
        return np.array([*(fighter.unit.kind == kind for fighter in self.fighters), False])


def trained(catalogue: Catalogue, fighter: Fighter) -> Fighter | None:
    """Return a unit after training: one colour up, with the weapon it has (BL-LMK-09); None if there is none.

    A creature does not train.
    """
    sorts = (replace(fighter, unit=unit) for unit in catalogue.entries(Unit).values())
    return next((higher for higher in sorts if _is_above(higher, fighter)), None)


def _is_above(higher: Fighter, fighter: Fighter) -> bool:
    """Return whether a sort is another one colour higher: the same kind, race and weapon."""
    same = (higher.unit.kind, higher.race, higher.weapon) == (fighter.unit.kind, fighter.race, fighter.weapon)
    rank, higher_rank = (COLOURS.index(sort.unit.colour) for sort in (fighter, higher))
    return same and not fighter.is_creature and higher_rank == rank + 1


def _fresh(fighter: Fighter) -> Post:
    return Post(fighter, fighter.unit.figures)

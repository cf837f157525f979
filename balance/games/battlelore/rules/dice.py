"""How many dice, and what they count: BL-DICE, BL-HIT, BL-WPN and the caps of BL-TER and BL-LMK.

The order is the rulebook's (BL-DICE-02): the colour's dice, the weapon's change after a move, the lowest cap of the
terrains of both hexes, then extra dice, which no cap limits. Figures lost change nothing (BL-DICE-03).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.symbols import SymbolDie
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import Swords, Terrain

HELMETS = {"green": "G", "blue": "B", "red": "R"}
SWORD, FLAG, LORE = "S", "F", "L"


@dataclass(frozen=True)
class Ground:
    """Where a unit stands.

    `terrains`: the terrains of its hex; two are a combination, as of a rampart on a hill (BL-TER-07). `beside`:
    structures of its own side next to it. `hostile`: whether the structure it stands in is the enemy's.
    """

    terrains: tuple[Terrain, ...] = ()
    beside: tuple[Terrain, ...] = ()
    hostile: bool = False

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the terrains of its hex."""
        return frozenset(terrain.id for terrain in self.terrains)

    def caps_out(self) -> list[int]:
        """Return the limits on base dice of a unit that battles from here."""
        return [terrain.cap_out for terrain in self.terrains if terrain.cap_out is not None]

    def caps_in(self, attacker: Ground) -> list[int]:
        """Return the limits on base dice of a unit on the ground `attacker` that attacks into here."""
        return [
            terrain.cap_in
            for terrain in self.terrains
            if terrain.cap_in is not None and (terrain.cap_in_level or terrain.id not in attacker.ids)
        ]

    def bold(self, creature: bool) -> int:
        """Return how many flags an occupant may ignore for being here: the most for any one of the terrains.

        Structures do nothing for creatures (BL-CRE-06), and some only for their owner's units (BL-LMK-11).
        """
        bold_here = [
            t.bold for t in self.terrains if not (creature and t.structure) and not (self.hostile and t.owners_only)
        ]
        beside = [t.bold_beside for t in self.beside if not (creature and t.structure)]
        return max([0, *bold_here, *beside])


def base_dice(fighter: Fighter, has_moved: bool, rules: BattleLoreRules) -> int:
    """Return the dice of a unit and its weapon, after a move or not, before terrain."""
    dice, rule = fighter.unit.dice, fighter.weapon.after_moving
    if not has_moved or rule == "full":
        return dice
    if rule == "bow" and rules.bow_after_moving == "to_one":
        return min(dice, 1)
    return max(dice - (rule == "bow" or rules.crossbow_after_moving == "one_fewer"), 0)


def dice_count(
    fighter: Fighter,
    rules: BattleLoreRules,
    ground: Ground = Ground(),
    target_ground: Ground = Ground(),
    *,
    has_moved: bool = False,
    extra: int = 0,
) -> int:
    """Return how many dice a unit on `ground` rolls against a unit on `target_ground`; never below 0.

    `extra` are dice that other rules add, after all limits.
    """
    return max(
        0,
        _capped_dice(base_dice(fighter, has_moved, rules), [*ground.caps_out(), *target_ground.caps_in(ground)])
        + extra,
    )


def _capped_dice(dice: int, caps: Iterable[int]) -> int:
    return min([dice, *caps])


def swords_that_hit(fighter: Fighter, target_kind: str, melee: bool, rules: BattleLoreRules) -> Swords:
    """Return which bonus strikes hit a kind of target: all, all but one, or none (BL-WPN-01 to BL-WPN-04)."""
    weapon = fighter.weapon
    if melee and not weapon.swords_point_blank:
        return "none"
    if target_kind == "foot":
        return weapon.swords_vs_foot
    if target_kind == "creature" and weapon.swords_vs_mounted == "all_but_one":
        return rules.short_sword_vs_creature
    return weapon.swords_vs_mounted


def ignoring_one(swords: IntArray) -> IntArray:
    """Return how many bonus strikes, `int[n]`, hit a unit that ignores one of them (BL-WPN-01)."""
    return np.asarray(np.maximum(swords - 1, 0))


def strike_die(faces: Sequence[str], colour: str, swords: Swords) -> SymbolDie:
    """Return the battle die against a target of a colour; faces that count the same are one class.

    Symbols are `hits` (or `hits` and `swords`, where one sword is ignored), `flags` and `lore`.

    >>> [symbol for symbol, _ in strike_die("GBRSFL", "blue", "all_but_one").symbols]
    ['hits', 'flags', 'lore', 'swords']
    """
    helmet = HELMETS[colour]
    hits = [helmet, SWORD] if swords == "all" else [helmet]
    symbols = {"hits": hits, "flags": [FLAG], "lore": [LORE]} | ({"swords": [SWORD]} if swords == "all_but_one" else {})
    symbol_faces = {symbol: tuple(face for face in names if face in faces) for symbol, names in symbols.items()}
    return SymbolDie(tuple(faces), tuple(symbol_faces.items()))

"""How many dice, and what they count: BL-DICE, BL-HIT, BL-WPN and the caps of BL-TER and BL-LMK.

The order is the rulebook's (BL-DICE-02): the colour's dice, the weapon's change after a move, the lowest cap of the
terrains of both hexes, then extra dice, which no cap limits. Figures lost change nothing (BL-DICE-03).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import Colour, Swords, Terrain

LETTERS = "GBRSFL"
"""What battle dice show, by number; the first three are the helmets, by number of `COLOURS`."""
COLOURS: tuple[Colour, ...] = ("green", "blue", "red")
"""Colours of banners, weakest first."""
HELMETS = dict(zip(COLOURS, LETTERS, strict=False))
SWORD, FLAG, LORE = 3, 4, 5
FORD = "ford"
SWORDS: tuple[Swords, ...] = ("none", "all", "all_but_one")
"""Which bonus strikes hit, by number."""


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

    def stopping(self, origin: Ground, rules: BattleLoreRules) -> list[Terrain]:
        """Return the terrains at which a unit must stop that enters from `origin` (BL-Q46)."""
        along = origin.ids if rules.rampart_along == "free" else frozenset()
        return [t for t in self.terrains if t.stops and not (t.free_along and t.id in along)]

    def stops_pursuit(self, origin: Ground, rules: BattleLoreRules) -> bool:
        """Return whether a pursuit that enters from `origin` must stop; fords let it pass (BL-POST-05, BL-Q18)."""
        passable = FORD if rules.ford_pursuit == "pass" else ""
        return any(t.id != passable for t in self.stopping(origin, rules))

    def barring(self, origin: Ground) -> list[Terrain]:
        """Return the terrains that keep a unit that enters from `origin` from battling in that turn (BL-LMK-13)."""
        return [t for t in self.terrains if not (t.battle_on_entry or (t.free_along and t.id in origin.ids))]


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
    caps = [*ground.caps_out(), *target_ground.caps_in(ground)]
    base = base_dice(fighter, has_moved, rules)
    return int(limited(base, min(caps, default=base), extra))


def limited(base: IntArray | int, cap: IntArray | int, extra: IntArray | int) -> IntArray:
    """Return how many dice are rolled: no more than the cap, then extra dice; never below 0 (BL-DICE-02, BL-DICE-06).

    >>> limited(np.array([3, 2]), 2, np.array([1, -4])).tolist()
    [3, 0]
    """
    return np.asarray(np.maximum(np.minimum(base, cap) + extra, 0))


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


def hits_shown(symbols: Mapping[str, IntArray]) -> IntArray:
    """Return the hits of throws of a `strike_die`, `int[n]`, by how often each of its symbols shows."""
    return symbols["hits"] + ignoring_one(symbols["swords"]) if "swords" in symbols else symbols["hits"]


def swords_counted(swords: IntArray, which: IntArray) -> IntArray:
    """Return how many of the bonus strikes rolled hit, `int[n]`; `which` of them do is a number of `SWORDS`."""
    return np.where(which == SWORDS.index("all"), swords, ignoring_one(swords) * (which > SWORDS.index("all")))


def strike_die(faces: Sequence[str], colour: Colour, swords: Swords) -> SymbolDie:
    """Return the battle die against a target of a colour; faces that count the same are one class.

    Symbols are `hits` (or `hits` and `swords`, where one sword is ignored), `flags` and `lore`.

    >>> [symbol for symbol, _ in strike_die("GBRSFL", "blue", "all_but_one").symbols]
    ['hits', 'flags', 'lore', 'swords']
    """
    helmet, sword = HELMETS[colour], LETTERS[SWORD]
    hits = helmet + sword if swords == "all" else helmet
    symbols = {"hits": hits, "flags": LETTERS[FLAG], "lore": LETTERS[LORE]}
    return _die(faces, symbols | ({"swords": sword} if swords == "all_but_one" else {}))


def _die(faces: Sequence[str], symbols: Mapping[str, str]) -> SymbolDie:
    """Return the die that counts some letters for each symbol, as far as it has them."""
    counted = {symbol: tuple(face for face in letters if face in faces) for symbol, letters in symbols.items()}
    return SymbolDie(tuple(faces), tuple(counted.items()))


@lru_cache(maxsize=16)
def letter_die(faces: tuple[str, ...]) -> SymbolDie:
    """Return the battle die that counts each letter for itself, for throws at targets of several colours."""
    return _die(faces, {letter: letter for letter in LETTERS})


def throw(faces: tuple[str, ...], n_dice: IntArray, rolls: Rolls, name: str) -> IntArray:
    """Throw `n_dice`, `int[n]`, with these faces, and return how many show each of `LETTERS`, `int64[n, 6]`."""
    counts = rolls.pool(letter_die(faces), int(n_dice.max(initial=0)), name, n_dice)
    return np.array(list(counts.values()), np.int64).T

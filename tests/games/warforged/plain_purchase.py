"""Buying armies as the rulebook and the ledger tell it, one card at a time with lists and dictionaries.

It shares nothing with `balance.games.warforged.battle.armies.purchase` but the meaning of the words of luck, which are
mixed here once more.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from balance.catalogue import Catalogue
from balance.games.warforged.cards import Unit, Weapon, units_of, weapons_of

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def mixed(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def number_below(m: int, key: int, name: str, place: int) -> int:
    """Return a number from 0 to m - 1 by the word of a name, before anything has happened in a battle."""
    salt = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    word = mixed((mixed((key + GOLDEN) % WORD) + salt + GOLDEN * place) % WORD)
    return (word >> 32) * m >> 32


def may_carry(unit: Unit, weapon: Weapon) -> bool:
    """Return whether a unit may carry one weapon: handling (WF-UNIT.3), heavy weapons (WF-UNIT.4, WF-WPN.2)."""
    heavy = "heavy" in unit.abilities
    return weapon.handling <= unit.handling and (weapon.weapon_class != "heavy" or heavy)


@dataclass
class Buyer:
    """A seat that buys: points left, and what it has so far; `fighters` are units with their weapon."""

    points: int
    limit: int
    fighters: list[tuple[str, str]] = field(default_factory=list)
    waiting: bool = False
    done: bool = False


def bought(
    catalogue: Catalogue, purses: Mapping[str, tuple[int, int]], key: int, taken: Counter[str] | None = None
) -> dict[str, list[str]]:
    """Return what each seat buys, as ids of loadouts in rising order.

    Parameters
    ----------
    purses
        "first" and "second", who goes so in the battle, if that seat buys: points and unit limit.
    taken
        Cards that are gone already, by id.
    """
    cards: dict[str, Unit | Weapon] = {**units_of(catalogue), **weapons_of(catalogue)}
    left = {name: card.copies - (taken or Counter())[name] for name, card in cards.items()}
    buyers = {seat: Buyer(*purses[seat]) for seat in ("second", "first") if seat in purses}
    turn = 0
    while not all(buyer.done for buyer in buyers.values()):
        for seat, buyer in buyers.items():
            one_turn(catalogue, buyer, left, key, f"purchase {seat}", turn)
        turn += 1
    return {seat: sorted("+".join(filter(None, own)) for own in buyer.fighters) for seat, buyer in buyers.items()}


def one_turn(catalogue: Catalogue, buyer: Buyer, left: dict[str, int], key: int, name: str, turn: int) -> None:
    """Buy one card, or stop for good (WF-BUILD.3, WF-Q24)."""
    units, weapons = units_of(catalogue), weapons_of(catalogue)

    def fitting(unit: Unit, points: int) -> list[str]:
        return sorted(
            one
            for one, weapon in weapons.items()
            if left[one] > 0 and weapon.cost_points <= points and may_carry(unit, weapon)
        )

    if buyer.waiting:
        buyer.waiting = False
        unit = buyer.fighters[-1][0]
        if offered := fitting(units[unit], buyer.points):
            card = offered[number_below(len(offered), key, name, turn)]
            buyer.fighters[-1] = (unit, card)
            buyer.points -= weapons[card].cost_points
            left[card] -= 1
            return
    if buyer.done:
        return
    offered = sorted(
        one
        for one, unit in units.items()
        if len(buyer.fighters) < buyer.limit and left[one] > 0 and fitting(unit, buyer.points - unit.cost_points)
    )
    if not offered:
        buyer.done = True
        return
    card = offered[number_below(len(offered), key, name, turn)]
    buyer.fighters.append((card, ""))
    buyer.waiting = True
    buyer.points -= units[card].cost_points
    left[card] -= 1

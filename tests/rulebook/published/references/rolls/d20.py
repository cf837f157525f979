"""A twenty-sided die and a bonus against an armour class; a natural 20 hits and doubles the damage dice, a 1 misses.

Advantage is the higher of two dice, disadvantage, against a `blurred` foe, the lower; both cancel.
"""

from __future__ import annotations

from functools import cache

from tests.rulebook.published.references.chances import Card, Law, become, die, has, side_by_side, sure, then, total
from tests.rulebook.published.references.duels import take_turns


def roll(advantage: bool, disadvantage: bool) -> Law[int]:
    """Return the law of the die that counts."""
    if advantage == disadvantage:
        return die(20)
    return become(side_by_side(die(20), die(20)), max if advantage else min)


def hit(face: int, bonus: int, armour: int) -> bool:
    """Return whether a face hits."""
    return face == 20 or (face > 1 and face + bonus >= armour)


@cache
def damage_dice(dice: int, sides: int) -> Law[int]:
    """Return the law of the sum of so many dice."""
    return total(die(sides), dice)


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the hit points lost to one swing."""

    def damage(face: int) -> Law[int]:
        if not hit(face, me["attack"], foe["armour"]):
            return sure(0)
        dice = me["dice"] * (2 if face >= me["critical"] else 1)
        return become(damage_dice(dice, me["sides"]), lambda shown: min(foe["health"], shown + me["bonus"]))

    return then(roll(has(me, "advantage"), has(foe, "blurred")), damage)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first swings `swings` times, then the second, and so on."""
    cards = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        me, foe = cards[side], cards[1 - side]
        law = sure(theirs)
        for _ in range(me["swings"]):
            law = then(law, lambda left: become(attack(me, {**foe, "health": left}), lambda lost: left - lost))
        return become(law, lambda left: (mine, left))

    return take_turns(first["health"], second["health"], act, lambda health: health == 0)

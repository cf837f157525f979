"""Damage gathers on a unit as a whole; whoever does some tests its nerve: two dice and its damage waver or rout it.

A unit that wavers does not attack in its next turn. `elite` units roll ones to hit again, `vicious` ones to wound.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import (
    Card,
    Law,
    become,
    chance_of,
    die,
    has,
    successes,
    sure,
    then,
    total,
)
from tests.rulebook.published.references.duels import take_turns

NERVE = total(die(6), 2)


def roll(needed: int, again: bool) -> Fraction:
    """Return the chance that a die shows what is needed, where a one may be rolled again."""
    plain = Fraction(7 - needed, 6)
    return plain + Fraction(1, 6) * plain if again else plain


def damage(me: Card, foe: Card) -> Law[int]:
    """Return the law of the damage of one attack."""
    chance = roll(me["melee"], has(me, "elite")) * roll(max(2, foe["defence"] - me["crushing"]), has(me, "vicious"))
    return successes(me["attacks"], chance)


def shaken(foe: Card, gathered: int) -> Law[tuple[int, int]]:
    """Return the joint law of (wavers, routs) of a nerve test with so much damage gathered."""
    return become(NERVE, lambda dice: (int(dice + gathered >= foe["waver"]), int(dice + gathered >= foe["rout"])))


def attack(me: Card, foe: Card, gathered: int = 0) -> Law[tuple[int, int, int]]:
    """Return the joint law of (damage done, wavers, routs) of an attack on a unit that has so much damage."""

    def after(done: int) -> Law[tuple[int, int, int]]:
        if not done:
            return sure((0, 0, 0))
        return become(shaken(foe, gathered + done), lambda test: (done, *test))

    return then(damage(me, foe), after)


def rout_chance(limit: int, gathered: int) -> Fraction:
    """Return the chance that two dice and the damage gathered reach a limit."""
    return chance_of(NERVE, lambda dice: dice + gathered >= limit)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first attacks, then the second, and so on; states are (damage, wavers, routed)."""
    cards = first, second

    def act(side: int, mine: tuple[int, int, int], theirs: tuple[int, int, int]) -> Law[tuple[object, object]]:
        steady = (mine[0], 0, mine[2])
        if mine[1]:
            return sure((steady, theirs))
        law = attack(cards[side], cards[1 - side], theirs[0])
        return become(law, lambda new: (steady, (theirs[0] + new[0], max(theirs[1], new[1]), new[2])))

    return take_turns((0, 0, 0), (0, 0, 0), act, lambda unit: unit[2] == 1)

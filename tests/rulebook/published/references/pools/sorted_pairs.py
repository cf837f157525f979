"""Both roll, the highest die against the highest and so on; the lower of each pair loses an army.

The attacker loses ties, and alone attacks: with up to `dice` of the armies that may leave, against up to `guard`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.rulebook.published.references.chances import Card, Law, become, side_by_side, throws


@cache
def losses(attackers: int, defenders: int) -> Law[tuple[int, int]]:
    """Return the joint law of (defender's losses, attacker's losses) of one throw with so many dice."""

    def compared(dice: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, int]:
        pairs = list(zip(*dice, strict=False))
        wins = sum(mine > theirs for mine, theirs in pairs)
        return wins, len(pairs) - wins

    return become(side_by_side(throws(attackers, 6), throws(defenders, 6)), compared)


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (armies that the defender loses, armies that the attacker loses)."""
    return losses(min(me["dice"], me["armies"]), min(foe["guard"], foe["armies"]))


@cache
def conquest(attackers: int, defenders: int, dice: int = 3, guard: int = 2) -> Fraction:
    """Return the chance that so many attacking armies take a place held by so many, attacking to the end."""
    if not attackers or not defenders:
        return Fraction(defenders == 0)
    return sum(
        (
            chance * conquest(attackers - mine, defenders - theirs, dice, guard)
            for (theirs, mine), chance in losses(min(dice, attackers), min(guard, defenders)).items()
        ),
        Fraction(0),
    )

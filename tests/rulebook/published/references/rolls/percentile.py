"""Percentile dice at most a skill hit, at most a twentieth of it critically; the foe parries; a die says where it hits.

A hit that is parried does nothing, a critical hit only if the parry is critical too. Armour of the place is taken off
the damage, but not off that of a critical hit.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, die, faces, side_by_side, sure, then, total

PLACES = faces(["limbs"] * 8 + ["body"] * 4 + ["limbs"] * 6 + ["head"] * 2)
"""Where a twenty-sided die says that a blow falls: legs 1 to 8, body 9 to 12, arms 13 to 18, head 19 and 20."""


def critical_up_to(skill: int) -> int:
    """Return the highest roll that is critical: a twentieth of the skill, a half rounded up.

    >>> critical_up_to(30), critical_up_to(49), critical_up_to(50)
    (2, 2, 3)
    """
    return (skill + 10) // 20


def level(skill: int) -> Law[int]:
    """Return the law of how well a percentile roll goes: 0 fails, 1 succeeds, 2 is critical."""
    critical = critical_up_to(skill)
    return {0: Fraction(100 - skill, 100), 1: Fraction(skill - critical, 100), 2: Fraction(critical, 100)}


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the hit points lost to one blow."""

    def blow(levels: tuple[int, int]) -> Law[int]:
        hit, parry = levels
        if hit <= parry or hit == 0:
            return sure(0)
        shown = become(total(die(me["sides"]), me["dice"]), lambda dice: dice + me["bonus"])
        if hit == 2:
            return shown
        return become(side_by_side(shown, PLACES), lambda both: max(0, both[0] - foe[both[1]]))

    law = then(side_by_side(level(me["skill"]), level(foe["parry"])), blow)
    return become(law, lambda lost: min(lost, foe["health"]))

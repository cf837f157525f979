"""Block dice: the stronger side throws more of them and picks; whoever goes down may be hurt through its armour.

Faces: attacker down, both down, pushed twice, stumbles, down. A `block` figure stays up when both go down, a `dodge`
figure that stumbles is only pushed.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, chance_of, die, faces, has, then, total

FACES = ["attacker", "both", "pushed", "pushed", "stumbles", "down"]
TWO_DICE = total(die(6), 2)


def dice(me: Card, foe: Card) -> int:
    """Return how many dice are thrown: less than 0 where the defender picks.

    >>> [dice({"strength": mine}, {"strength": 3}) for mine in (1, 2, 3, 4, 7)]
    [-3, -2, 1, 2, 3]
    """
    mine, theirs = me["strength"], foe["strength"]
    if mine == theirs:
        return 1
    stronger, weaker = max(mine, theirs), min(mine, theirs)
    number = 3 if stronger > 2 * weaker else 2
    return number if mine > theirs else -number


def downs(face: str, me: Card, foe: Card) -> tuple[int, int]:
    """Return (foe goes down, attacker goes down) of a face."""
    foe_down = (
        face == "down" or (face == "stumbles" and not has(foe, "dodge")) or (face == "both" and not has(foe, "block"))
    )
    return int(foe_down), int(face == "attacker" or (face == "both" and not has(me, "block")))


def block(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (foe down, attacker down).

    The best face for the attacker is one that lets it stand, then one that fells the foe; the defender picks the worst.
    """
    number = dice(me, foe)
    pick = max if number > 0 else min

    def worth(fall: tuple[int, int]) -> tuple[int, int]:
        return -fall[1], fall[0]

    hands = itertools.product(FACES, repeat=abs(number))
    return faces(pick((downs(face, me, foe) for face in hand), key=worth) for hand in hands)


def hurt(card: Card) -> Fraction:
    """Return the chance that a figure that goes down is out: two dice above its armour, then 8 or more."""
    return chance_of(TWO_DICE, lambda shown: shown > card["armour"]) * chance_of(TWO_DICE, lambda shown: shown >= 8)


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (foe out, attacker out)."""

    def after(fall: tuple[int, int]) -> Law[tuple[int, int]]:
        theirs, mine = (fall[0] * hurt(foe), fall[1] * hurt(me))
        return {
            (out, lost): (theirs if out else 1 - theirs) * (mine if lost else 1 - mine)
            for out in (0, 1)
            for lost in (0, 1)
        }

    return become(then(block(me, foe), after), lambda both: both)

"""Dice that explode: a fighting die, and a wild six-sided one, against a parry; the damage dice against toughness.

Reaching the parry hits, four more adds a die of damage. Damage that reaches toughness shakes, and wounds once for each
four more; shaking one that is shaken wounds. A shaken unit acts if its spirit die shows 4 or more, and is steady again
then.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.rulebook.published.references.chances import Card, Law, become, die, has, side_by_side, sure, then
from tests.rulebook.published.references.duels import take_turns

DEPTH = 12
"""How often a die is followed; the twelfth extra roll of a four-sided die comes once in 16 million."""


@cache
def _exploding(sides: int, depth: int = DEPTH) -> tuple[tuple[int, Fraction], ...]:
    if depth == 0:
        return ((sides, Fraction(1)),)
    law = then(
        die(sides),
        lambda face: (
            sure(face) if face < sides else {sides + more: chance for more, chance in _exploding(sides, depth - 1)}
        ),
    )
    return tuple(law.items())


def exploding(sides: int) -> Law[int]:
    """Return the law of a die whose highest face is rolled again and added."""
    return dict(_exploding(sides))


def at_least(target: int, sides: int) -> Fraction:
    """Return the chance that an exploding die reaches a target, in closed form.

    >>> at_least(10, 8)
    Fraction(7, 64)
    """
    full, rest = divmod(target, sides)
    return Fraction(1, sides**full) * (1 if rest <= 1 else Fraction(sides + 1 - rest, sides))


def wild_at_least(target: int, sides: int) -> Fraction:
    """Return the chance that the better of an exploding die and a wild six-sided one reaches a target."""
    return 1 - (1 - at_least(target, sides)) * (1 - at_least(target, 6))


def fighting(me: Card) -> Law[int]:
    """Return the law of the fighting total."""
    if not has(me, "wild"):
        return exploding(me["fighting"])
    return become(side_by_side(exploding(me["fighting"]), exploding(6)), max)


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (wounds lost, shaken: 1 or 0); cards hold `shaken` where it is so."""

    def struck(total: int) -> Law[tuple[int, int]]:
        if total < foe["parry"]:
            return sure((0, 0))
        sizes = [me["strength"], me["weapon"], *([6] if total >= foe["parry"] + 4 else [])]
        most = foe["toughness"] + 4 * foe["wounds"]
        law = sure(0)
        for sides in sizes:
            law = become(side_by_side(law, exploding(sides)), lambda rolled: min(most, sum(rolled)))
        return become(law, lambda shown: hurt(shown - foe["toughness"]))

    def hurt(margin: int) -> tuple[int, int]:
        if margin < 0:
            return 0, 0
        return min(foe["wounds"], max(margin // 4, foe.get("shaken", 0))), 1

    return then(become(fighting(me), lambda total: min(total, foe["parry"] + 4)), struck)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first acts, then the second, and so on."""
    cards = first, second
    laws: dict[tuple[int, int, int], Law[tuple[int, int]]] = {}

    def act(side: int, mine: tuple[int, int], theirs: tuple[int, int]) -> Law[tuple[object, object]]:
        me, foe = cards[side], {**cards[1 - side], "wounds": theirs[0], "shaken": theirs[1]}
        steady = at_least(4, me["spirit"]) if mine[1] else Fraction(1)
        if (side, *theirs) not in laws:
            laws[side, *theirs] = attack(me, foe)

        def acts(active: bool) -> Law[tuple[object, object]]:
            if not active:
                return sure((mine, theirs))
            return become(laws[side, *theirs], lambda new: ((mine[0], 0), (theirs[0] - new[0], max(theirs[1], new[1]))))

        return then({True: steady, False: 1 - steady}, acts)

    return take_turns((first["wounds"], 0), (second["wounds"], 0), act, lambda unit: unit[0] == 0)

"""Roll to hit, to wound by strength against toughness, to save; damage by figure, the excess lost.

A six to hit may wound by itself (`lethal`), hits may be rolled again (`reliable` the ones, `hateful` every miss).
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, die, has, sure, then, total
from tests.rulebook.published.references.duels import take_turns


def needed_to_wound(strength: int, toughness: int) -> int:
    """Return the least roll that wounds: 4 where they are equal, one less or more, two from a lead of three."""
    lead = strength - toughness
    return 2 if lead >= 3 else 3 if lead >= 1 else 4 if lead == 0 else 5 if lead >= -2 else 6


def hit_roll(me: Card) -> Law[int]:
    """Return the law of the face of one hit die, after it was rolled again."""
    least = me["skill"] if has(me, "hateful") else 2 if has(me, "reliable") else 1
    return then(die(6), lambda face: die(6) if face < least else sure(face))


def past_save(me: Card, foe: Card) -> Law[int]:
    """Return the law of the wounds of one attack that no save stops: none or one."""
    wound = Fraction(7 - needed_to_wound(me["strength"], foe["toughness"]), 6)
    unsaved = min(Fraction(1), max(Fraction(0), Fraction(foe["save"] + me["ap"] - 1, 6)))

    def after(face: int) -> Law[int]:
        if face < me["skill"]:
            return sure(0)
        chance = unsaved * (1 if face == 6 and has(me, "lethal") else wound)
        return {1: chance, 0: 1 - chance}

    return then(hit_roll(me), after)


def left_after(wounds: int, hits: int, damage: int, size: int) -> int:
    """Return the wounds left of a unit whose figures have `size` each; what a hit does beyond a figure is lost."""
    for _ in range(hits):
        figure = wounds - (wounds - 1) // size * size
        wounds -= min(damage, figure)
        if wounds <= 0:
            return 0
    return wounds


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the wounds that the unit attacked loses; each figure left of the attacker has its attacks.

    A `tough` unit ignores one of the wounds that it does not save.
    """
    figures = -(-me["wounds"] // me["size"])

    def lost(past: int) -> int:
        hits = max(0, past - has(foe, "tough"))
        return int(foe["wounds"] - left_after(foe["wounds"], hits, me["damage"], foe["size"]))

    return become(total(past_save(me, foe), figures * me["attacks"]), lost)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first attacks, then the second, and so on."""
    cards = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        law = attack({**cards[side], "wounds": mine}, {**cards[1 - side], "wounds": theirs})
        return become(law, lambda lost: (mine, theirs - lost))

    return take_turns(first["wounds"], second["wounds"], act, lambda wounds: wounds == 0)

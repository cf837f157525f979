"""One quality to hit, one defence to block; a unit at half that loses wounds tests its quality or routs.

A six of a `rending` unit leaves hardly any defence (4 harder).
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, die, has, sure, then, total
from tests.rulebook.published.references.duels import take_turns

SHARP = 4
"""How much harder a six of a rending unit is to block."""


def wound(me: Card, foe: Card) -> Law[int]:
    """Return the law of the wounds of one attack die: none or one."""

    def after(face: int) -> Law[int]:
        if face < me["quality"]:
            return sure(0)
        harder = SHARP if face == 6 and has(me, "rending") else me["ap"]
        failing = min(Fraction(1), Fraction(foe["defence"] + harder - 1, 6))
        return {1: failing, 0: 1 - failing}

    return then(die(6), after)


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of the wounds lost and of routing (1 or 0).

    Figures of `size` wounds each make `attacks` each; a unit that loses wounds and has half of its printed wounds or
    fewer left routs if a die is below its quality. `fearless` units add one to that die.
    """
    dice = -(-me["wounds"] // me["size"]) * me["attacks"]
    printed = foe.get("wounds_at_start", foe["wounds"])

    def after(past: int) -> Law[tuple[int, int]]:
        lost = min(past, foe["wounds"])
        if not past or (foe["wounds"] - lost) * 2 > printed:
            return sure((lost, 0))
        routing = Fraction(foe["quality"] - 1 - has(foe, "fearless"), 6)
        return {(lost, 1): routing, (lost, 0): 1 - routing}

    return then(total(wound(me, foe), dice), after)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first attacks, then the second, and so on; who routs has lost."""
    cards = first, second

    def act(side: int, mine: tuple[int, int], theirs: tuple[int, int]) -> Law[tuple[tuple[int, int], tuple[int, int]]]:
        me, foe = cards[side], cards[1 - side]
        now = {**foe, "wounds": theirs[0], "wounds_at_start": foe["wounds"]}
        law = attack({**me, "wounds": mine[0]}, now)
        return become(law, lambda after: (mine, (theirs[0] - after[0], after[1])))

    return take_turns((first["wounds"], 0), (second["wounds"], 0), act, lambda unit: unit[0] == 0 or unit[1] == 1)

"""A figure rolls one to three dice against its quality and acts once for each success; two failures pass the turn.

In a fight both add a die to their combat. Whoever doubles the other, or beats one that has fallen, kills; whoever beats
the other with an even die fells it. One that has fallen fights at 2 less and spends its first success to get up.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, die, side_by_side, successes, sure, then
from tests.rulebook.published.references.duels import take_turns

Figure = tuple[int, int]
"""Life (1 or 0) and whether it has fallen (1 or 0)."""


def roll(quality: int, dice: int) -> Law[int]:
    """Return the law of the successes of so many dice."""
    return successes(dice, Fraction(7 - quality, 6))


def passes(quality: int, dice: int) -> Fraction:
    """Return the chance that two dice or more fail, and the turn passes."""
    return sum((chance for acts, chance in roll(quality, dice).items() if dice - acts >= 2), Fraction(0))


def outcome(face: int, mine: int, theirs: int, fallen: int) -> tuple[int, int]:
    """Return (killed, felled) for whoever fights against this die and total."""
    wins = mine > theirs
    kills = wins and (mine >= 2 * theirs or fallen == 1)
    return int(kills), int(wins and not kills and face % 2 == 0)


def attack(me: Card, foe: Card) -> Law[tuple[int, int, int, int]]:
    """Return the joint law of (foe killed, foe felled, me killed, me felled); cards hold `fallen` where it is so."""
    down = me.get("fallen", 0), foe.get("fallen", 0)

    def fight(faces: tuple[int, int]) -> tuple[int, int, int, int]:
        mine, theirs = faces[0] + me["combat"] - 2 * down[0], faces[1] + foe["combat"] - 2 * down[1]
        return *outcome(faces[0], mine, theirs, down[1]), *outcome(faces[1], theirs, mine, down[0])

    return become(side_by_side(die(6), die(6)), fight)


def duel(first: Card, second: Card, dice: int) -> dict[str, float]:
    """Return who wins where both always roll so many dice, the first before the second."""
    cards = first, second

    def act(side: int, mine: Figure, theirs: Figure) -> Law[tuple[Figure, Figure]]:
        me, foe = cards[side], cards[1 - side]

        def fight(state: tuple[Figure, Figure]) -> Law[tuple[Figure, Figure]]:
            (my_life, my_fall), (their_life, their_fall) = state
            if not my_life or not their_life:
                return sure(state)
            law = attack({**me, "fallen": my_fall}, {**foe, "fallen": their_fall})
            return become(law, lambda new: ((1 - new[2], my_fall | new[3]), (1 - new[0], their_fall | new[1])))

        def acts(number: int) -> Law[tuple[Figure, Figure]]:
            law = sure(((mine[0], 0 if number else mine[1]), theirs))
            for _ in range(number - mine[1]):
                law = then(law, fight)
            return law

        return then(roll(me["quality"], dice), acts)

    return take_turns((1, 0), (1, 0), act, lambda figure: figure[0] == 0)

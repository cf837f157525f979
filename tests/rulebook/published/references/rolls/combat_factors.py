"""Two dice and two factors: the lower total recoils, and is destroyed if the other is at least twice as much."""

from __future__ import annotations

from tests.rulebook.published.references.chances import Card, Law, become, die, side_by_side
from tests.rulebook.published.references.duels import take_turns


def compared(mine: int, theirs: int) -> Law[str]:
    """Return the law of "doubles", "beats", "ties", "is beaten" and "is doubled" for two factors."""

    def word(faces: tuple[int, int]) -> str:
        one, other = faces[0] + mine, faces[1] + theirs
        if one == other:
            return "ties"
        if one > other:
            return "doubles" if one >= 2 * other else "beats"
        return "is doubled" if other >= 2 * one else "is beaten"

    return become(side_by_side(die(6), die(6)), word)


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (steps that the foe loses, steps that the attacker loses): all, one or none."""
    lost = {"doubles": (foe["steps"], 0), "beats": (1, 0), "ties": (0, 0), "is beaten": (0, 1)}
    return become(compared(me["factor"], foe["factor"]), lambda word: lost.get(word, (0, me["steps"])))


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where they fight on in turns."""
    cards = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        law = attack({**cards[side], "steps": mine}, {**cards[1 - side], "steps": theirs})
        return become(law, lambda lost: (mine - lost[1], theirs - lost[0]))

    return take_turns(first["steps"], second["steps"], act, lambda steps: steps == 0)

"""Both roll a twenty-sided die and add what they fight with; the winner hurts by the total less the loser's armour.

In a tie both hurt each other. A natural 20 doubles the damage where that option is in force.
"""

from __future__ import annotations

from tests.rulebook.published.references.chances import Card, Law, become, die, side_by_side
from tests.rulebook.published.references.duels import take_turns


def harm(face: int, total: int, winner: Card, loser: Card, double: bool) -> int:
    """Return the damage of a winner's total.

    >>> harm(13, 17, {"power": 0}, {"armour": 10, "health": 10}, False)
    7
    """
    damage = max(0, total + winner["power"] - loser["armour"])
    return int(min(loser["health"], damage * 2 if double and face == 20 else damage))


def attack(me: Card, foe: Card, double: bool = True) -> Law[tuple[int, int]]:
    """Return the joint law of (health that the foe loses, health that the attacker loses)."""

    def fight(faces: tuple[int, int]) -> tuple[int, int]:
        mine, theirs = faces[0] + me["fight"], faces[1] + foe["fight"]
        return (
            harm(faces[0], mine, me, foe, double) if mine >= theirs else 0,
            harm(faces[1], theirs, foe, me, double) if theirs >= mine else 0,
        )

    return become(side_by_side(die(20), die(20)), fight)


def duel(first: Card, second: Card, double: bool = True) -> dict[str, float]:
    """Return who wins where they fight in turns; both may fall at once."""
    cards = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        law = attack({**cards[side], "health": mine}, {**cards[1 - side], "health": theirs}, double)
        return become(law, lambda lost: (mine - lost[1], theirs - lost[0]))

    return take_turns(first["health"], second["health"], act, lambda health: health == 0)

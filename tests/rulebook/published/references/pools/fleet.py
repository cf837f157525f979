"""Fleets of kinds that hit on a number each; both fire at once, and the smallest ships are lost first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, side_by_side, successes, sure
from tests.rulebook.published.references.duels import at_once

NUMBERS = {"destroyers": 2, "cruisers": 3, "battleships": 4}
"""Kind -> the highest roll of a six-sided die that hits; they are lost in this order."""

Side = tuple[Sequence[int], Sequence[int]]
"""Number of each kind, in the order in which they are lost, and the hit number of each."""


def afloat(ships: int, kinds: Sequence[int]) -> tuple[int, ...]:
    """Return how many of each kind are left, of fleets that lose the first kind first.

    >>> afloat(4, [3, 2, 1])
    (1, 2, 1)
    """
    left = []
    for kind in reversed(kinds):
        left.append(min(kind, ships))
        ships -= left[-1]
    return tuple(reversed(left))


def hits(counts: Sequence[int], numbers: Sequence[int]) -> Law[int]:
    """Return the law of the hits of one volley of kinds with these hit numbers."""
    law: Law[int] = sure(0)
    for count, number in zip(counts, numbers, strict=True):
        law = become(side_by_side(law, successes(count, Fraction(number, 6))), sum)
    return law


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the ships that the fleet attacked loses."""
    kinds = [me[kind] for kind in NUMBERS]
    return become(hits(afloat(me["ships"], kinds), list(NUMBERS.values())), lambda hit: min(hit, foe["ships"]))


def battle(first: Side, second: Side) -> dict[str, float]:
    """Return who wins a battle to the end in which both fire at once."""
    sides = first, second

    def act(side: int, mine: int, theirs: int) -> Law[tuple[int, int]]:
        counts, numbers = sides[side]
        return become(hits(afloat(mine, counts), numbers), lambda hit: (mine, max(0, theirs - hit)))

    return at_once(sum(first[0]), sum(second[0]), act, lambda ships: ships == 0)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins a battle of two fleets."""
    numbers = list(NUMBERS.values())
    return battle(([first[kind] for kind in NUMBERS], numbers), ([second[kind] for kind in NUMBERS], numbers))

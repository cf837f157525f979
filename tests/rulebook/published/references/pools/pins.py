"""Fire pins: a pinned unit tests its morale, less its pins, before it acts, and shoots worse.

Before it acts a unit with pins rolls two dice: at most morale less pins (at least 2) it loses a pin and fires, else it
does nothing. Each figure fires `shots`, hitting on 3 and one more for each pin (at most 6); a hit kills on the
target's number, and any hit pins once. A unit that loses half of what it has left tests again or is gone; so is one
with as many pins as its morale. `steadfast` units ignore one pin in tests.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.rulebook.published.references.chances import Card, Law, become, chance_of, die, has, sure, tally, then, total
from tests.rulebook.published.references.duels import take_turns

TEST = total(die(6), 2)
Unit = tuple[int, int, int]
"""Figures, pins, gone (1 or 0)."""


def holds(card: Card, pins: int) -> Fraction:
    """Return the chance of passing a morale test with so many pins."""
    morale = max(2, card["morale"] - max(0, pins - has(card, "steadfast")))
    return chance_of(TEST, lambda dice: dice <= morale)


def fire(me: Card, foe: Card) -> Law[tuple[int, ...]]:
    """Return the joint law of (hits, kills) of a unit's fire."""
    return _fire(me["figures"] * me["shots"], min(6, 3 + me["pins"]), foe["toughness"])


@cache
def _fire(shots: int, needed: int, toughness: int) -> Law[tuple[int, ...]]:
    hit, kill = Fraction(7 - needed, 6), Fraction(7 - toughness, 6)
    shot: Law[tuple[int, ...]] = {(1, 1): hit * kill, (1, 0): hit * (1 - kill), (0, 0): 1 - hit}
    return tally(shot, shots)


def attack(me: Card, foe: Card) -> Law[Unit]:
    """Return the joint law of (figures lost, pins gained, gone) of one attack; cards hold `pins` if any."""

    def after(rolled: tuple[int, ...]) -> Law[Unit]:
        lost, pinned = min(rolled[1], foe["figures"]), min(1, rolled[0])
        if not lost or lost * 2 < foe["figures"]:
            return sure((lost, pinned, 0))
        pins = foe.get("pins", 0) + pinned
        return {(lost, pinned, 0): holds(foe, pins), (lost, pinned, 1): 1 - holds(foe, pins)}

    return then(fire({"pins": 0, **me}, foe), after)


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first acts, then the second, and so on."""
    cards = first, second

    def act(side: int, mine: Unit, theirs: Unit) -> Law[tuple[Unit, Unit]]:
        me, foe = cards[side], cards[1 - side]
        acts = holds(me, mine[1]) if mine[1] else Fraction(1)
        ready = (mine[0], max(0, mine[1] - 1), mine[2])
        now = {**me, "figures": ready[0], "pins": ready[1]}, {**foe, "figures": theirs[0], "pins": theirs[1]}

        def fires(active: bool) -> Law[tuple[Unit, Unit]]:
            if not active:
                return sure((mine, theirs))
            return become(attack(*now), lambda new: (ready, hurt(new)))

        def hurt(new: Unit) -> Unit:
            pins = theirs[1] + new[1]
            return theirs[0] - new[0], pins, int(new[2] or pins >= foe["morale"])

        return then({True: acts, False: 1 - acts}, fires)

    starts = (first["figures"], 0, 0), (second["figures"], 0, 0)
    return take_turns(starts[0], starts[1], act, lambda unit: unit[0] == 0 or unit[2] == 1)

"""Battle dice of symbols: a unit loses a figure for each symbol of its kind and each blast; flags make it fall back.

Six faces: two foot, one armour, one flag, one star, one blast. A unit that falls back does not act next turn.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rulebook.published.references.chances import Card, Law, become, chance_of, faces, has, sure, tally
from tests.rulebook.published.references.duels import take_turns

BATTLE = faces(["foot", "foot", "armour", "flag", "star", "blast"])


def hit(symbol: str, foe: Card) -> bool:
    """Return whether a symbol removes a figure of the unit attacked."""
    return symbol == "blast" or (symbol in ("foot", "armour") and has(foe, symbol))


def attack(me: Card, foe: Card) -> Law[tuple[int, int]]:
    """Return the joint law of (figures lost, falls back: 1 or 0). A `steady` unit ignores one flag."""
    symbols: Law[tuple[int, ...]] = become(BATTLE, lambda symbol: (int(hit(symbol, foe)), int(symbol == "flag")))
    return become(
        tally(symbols, me["dice"]),
        lambda rolled: (min(rolled[0], foe["figures"]), int(rolled[1] > has(foe, "steady"))),
    )


def dice_needed(foe: Card) -> Fraction:
    """Return the mean number of dice, thrown one by one, that remove a unit: its figures over the chance of a hit."""
    return Fraction(foe["figures"]) / chance_of(BATTLE, lambda symbol: hit(symbol, foe))


def duel(first: Card, second: Card) -> dict[str, float]:
    """Return who wins where the first attacks, then the second, and so on."""
    cards = first, second

    def act(side: int, mine: tuple[int, int], theirs: tuple[int, int]) -> Law[tuple[tuple[int, int], tuple[int, int]]]:
        stands = (mine[0], 0)
        if mine[1]:
            return sure((stands, theirs))
        law = attack(cards[side], {**cards[1 - side], "figures": theirs[0]})
        return become(law, lambda lost: (stands, (theirs[0] - lost[0], max(theirs[1], lost[1]))))

    return take_turns((first["figures"], 0), (second["figures"], 0), act, lambda unit: unit[0] == 0)

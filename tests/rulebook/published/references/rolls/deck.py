"""Both flip a card of their own deck and add a skill; the margin says how badly the target is hurt.

A deck has 1 to 13 four times, a black joker (0) and a red one (14), and is shuffled for each attack. A `focused`
attacker flips two cards and takes the higher, one whose target is `hidden` the lower; a joker goes before any other
card, the black one before the red one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tests.rulebook.published.references.chances import Card, Law, become, faces, has, side_by_side

DECK = [0, *(rank for rank in range(1, 14) for _suit in range(4)), 14]


def taken(cards: Sequence[int], lower: bool = False) -> int:
    """Return the card that counts among those flipped.

    >>> taken([0, 14]), taken([3, 14], lower=True), taken([3, 9], lower=True), taken([3, 9])
    (0, 14, 3, 9)
    """
    if 0 in cards:
        return 0
    return 14 if 14 in cards else min(cards) if lower else max(cards)


def flip(cards: int, lower: bool = False) -> Law[int]:
    """Return the law of the card that counts of so many drawn without putting back."""
    return faces(taken(hand, lower) for hand in itertools.combinations(DECK, cards))


def hurt(me: Card, margin: int) -> int:
    """Return the damage for what the attacker's total is more than the defender's: none below 0."""
    return int(0 if margin < 0 else me["weak"] if margin <= 4 else me["moderate"] if margin <= 9 else me["severe"])


def attack(me: Card, foe: Card) -> Law[int]:
    """Return the law of the health that the target loses."""
    focused, hidden = has(me, "focused"), has(foe, "hidden")
    mine = flip(1 if focused == hidden else 2, lower=hidden)
    return become(
        side_by_side(mine, flip(1)),
        lambda cards: min(foe["health"], hurt(me, cards[0] + me["attack"] - cards[1] - foe["defence"])),
    )

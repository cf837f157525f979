"""What luck an adventure has, by source: each may have a key of its own, so that its luck can be told from all other.

Luck follows from the key of a trial, from how many *moments* there were before in it, from a name and from a place (see
`balance.chance.rolls.keyed_rolls`). A moment is one decision, one throw of dice, or one card drawn.
"""

from __future__ import annotations

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.keyed_rolls import KeyedRolls, key_of
from balance.chance.rolls.process import State

LUCK = ("command cards", "lore cards", "choices", "a dice", "b dice")
"""Command cards dealt and drawn, Lore cards, ties and random play, and the dice that each side's player rolls."""
CARDS, LORE_CARDS, CHOICES, FIRST_DICE = range(4)


def dice_of(side: int) -> int:
    """Return the number in LUCK of the dice that the player of a side rolls.

    >>> LUCK[dice_of(1)]
    'b dice'
    """
    return FIRST_DICE + side


def moment(state: State, rows: IntArray, source: int, happens: BoolArray | int = 1) -> KeyedRolls:
    """Begin a moment in trials, each once, and return its luck of one source; counts `moments` where it `happens`."""
    counts = state["moments"][rows]
    state["moments"][rows] = counts + happens
    return KeyedRolls(key_of(state["luck"][rows], source), counts)

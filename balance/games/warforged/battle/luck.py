"""What luck a battle has, by source: each may have a key of its own, so that its dice can be told from all others."""

from __future__ import annotations

SIDES, SEATS = "abcd", ("first", "second", "third", "fourth")
"""Names of sides, and of places in the order of play."""
LUCK = ("shopping", "deployment", "choices", "a precision", "a armour", "b precision", "b armour")
"""What is bought, who stands where at first, ties and random play, and the dice of each side's attacks: to hit, and to
be spared (armour and cover, Slim, Supershields, burns, blasts)."""
PURCHASES, DEPLOYMENT, CHOICES, FIRST_DICE = range(4)


def luck_of(n_sides: int) -> tuple[str, ...]:
    """Return the sources of a battle of so many sides: `LUCK`, and dice of attacks for each side more.

    The last of more than two is the order of play.

    >>> luck_of(3)[-3:]
    ('c precision', 'c armour', 'order of play')
    """
    dice = tuple(f"{side} {dice}" for side in SIDES[2:n_sides] for dice in ("precision", "armour"))
    return LUCK + dice + (("order of play",) if n_sides > 2 else ())


def source_of(side: int, name: str) -> int:
    """Return the source, a place in `luck_of`, of dice rolled by this name in an action of a side.

    >>> LUCK[source_of(1, "precision")], LUCK[source_of(0, "blast 0 slim")]
    ('b precision', 'a armour')
    """
    return FIRST_DICE + 2 * side + (name != "precision")

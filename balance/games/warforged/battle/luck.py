"""What luck a battle has, by source: each may have a key of its own, so that its dice can be told from all others."""

from __future__ import annotations

LUCK = ("shopping", "deployment", "choices", "a precision", "a armour", "b precision", "b armour")
"""What is bought, who stands where at first, ties and random play, and the dice of each side's attacks: to hit, and to
be spared (armour and cover, Slim, Supershields, burns, blasts)."""
PURCHASES, DEPLOYMENT, CHOICES, FIRST_DICE = range(4)


def source_of(side: int, name: str) -> int:
    """Return the source, a place in `LUCK`, of dice rolled by this name in an action of side 0 or 1.

    >>> LUCK[source_of(1, "precision")], LUCK[source_of(0, "blast 0 slim")]
    ('b precision', 'a armour')
    """
    return FIRST_DICE + 2 * side + (name != "precision")

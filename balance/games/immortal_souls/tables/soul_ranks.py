"""What a soul rank gives a hero: powers, the level of each, and what the rank adds to their numbers (IS-POW)."""

from __future__ import annotations

from typing import TypeVar

from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.games.immortal_souls.tables.cards import Gem, Hero, Power

Rank = TypeVar("Rank", int, IntArray)


def half_rank(rank: Rank) -> Rank:
    """Return half of a rank, rounded up: IS-POW.7.

    >>> [half_rank(rank) for rank in range(1, 8)]
    [1, 1, 2, 2, 3, 3, 4]
    """
    return (rank + 1) // 2


def at_rank(power: Power, rank: int) -> Power:
    """Return a power with what the soul rank, 1 to 7, adds to its printed numbers: IS-POW.7."""
    changes = {}
    for text in power.by_rank:
        field, _, formula = text.partition(":")
        changes[field] = getattr(power, field) + (rank if formula == "R" else half_rank(rank))
    return power.model_copy(update=changes)


def usable_powers(catalogue: Catalogue, hero: Hero, gem: Gem) -> list[Power]:
    """Return a hero's powers at the rank of his gem, the highest level of each (IS-POW.3, IS-HP.9).

    Innate ones come first, then as many powers and talents as the gem allows, with their numbers at this rank.
    """
    levels = catalogue.entries(Power).values()
    best = {
        name: max((p for p in levels if p.power == name and p.rank <= gem.rank), key=lambda p: p.rank, default=None)
        for name in hero.powers
    }
    powers = [at_rank(power, gem.rank) for power in best.values() if power is not None]
    innate = [power for power in powers if power.innate]
    class_powers = [power for power in powers if not power.innate and power.hero]
    talents = [power for power in powers if not power.innate and not power.hero]
    return [*innate, *class_powers[: gem.powers], *talents[: gem.talents]]

"""What a soul rank gives a hero: powers, the level of each, and what the rank adds to their numbers (IS-POW)."""

from __future__ import annotations

from typing import TypeVar

from balance.catalogue import Catalogue
from balance.chance.pmf.arrays import IntArray
from balance.games.immortal_souls.tables.cards import Gem, Hero, Power

Rank = TypeVar("Rank", int, IntArray)


def half_rank(rank: Rank) -> Rank:
    """Return half of a rank, rounded up: IS-POW.7.

    >>> [half_rank(rank) for rank in range(1, 8)]
    [1, 1, 2, 2, 3, 3, 4]
    """
    return (rank + 1) // 2


def at_rank(power: Power, rank: int) -> Power:
    """Return a power with the numbers that it has for a hero of a rank: IS-POW.7.

    Parameters
    ----------
    power
        The power as printed.
    rank
        Rank of the hero, 1 or more.
    """
    changes = {}
    for text in power.by_rank:
        field, _, formula = text.partition(":")
        changes[field] = getattr(power, field) + (rank if formula == "R" else half_rank(rank))
    return power.model_copy(update=changes)


def usable_powers(catalogue: Catalogue, hero: Hero, gem: Gem) -> list[Power]:
    """Return the printed levels of a hero's powers that his rank allows, the highest of each (IS-POW.3, IS-HP.9).

    Parameters
    ----------
    catalogue
        The catalogue.
    hero
        The hero.
    gem
        His gem.
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

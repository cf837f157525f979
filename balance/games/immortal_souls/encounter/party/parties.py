"""Every party that may be: heroes who go together, and what a party is whatever its heroes are called (IS-ECO.12)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import combinations

from balance.catalogue import Catalogue
from balance.games.immortal_souls.tables.cards import Hero

UNNAMED = {"id", "name", "person"}
"""What a hero is called; everything else is what a hero is."""


def parties_of(catalogue: Catalogue, size: int) -> tuple[str, ...]:
    """Return every legal party of so many heroes, who act in an order that neither their ids nor their rows decide.

    Parameters
    ----------
    catalogue
        The catalogue.
    size
        How many heroes.

    >>> from balance.game.loaded import load
    >>> souls = load("immortal_souls").catalogue
    >>> [len(parties_of(souls, size)) for size in (2, 3, 4, 5, 6)]
    [28, 32, 18, 4, 0]
    """
    heroes = sorted(catalogue.entries(Hero).values(), key=_nature)
    parties = [party for party in combinations(heroes, size) if may_go_together(party)]
    return tuple(",".join(hero.id for hero in party) for party in parties)


def may_go_together(heroes: Sequence[Hero]) -> bool:
    """Return whether heroes are all different persons, and not lawful and chaos at once."""
    return len({hero.person for hero in heroes}) == len(heroes) and not has_opposites(heroes)


def has_opposites(heroes: Iterable[Hero]) -> bool:
    """Return whether some are lawful and others chaos."""
    return {"lawful", "chaos"} <= {hero.alignment for hero in heroes}


def party_identity(catalogue: Catalogue, text: str) -> str:
    """Return what tells a party of heroes, as printed, from every other, whatever they are called.

    Parameters
    ----------
    catalogue
        The catalogue.
    text
        The party.
    """
    heroes = catalogue.entries(Hero)
    natures = [_nature(heroes[name]) for name in text.split(",")]
    return hashlib.sha256("\n".join(natures).encode()).hexdigest()


def party_name(catalogue: Catalogue, text: str) -> str:
    """Return the classes of a party's heroes, for people.

    Parameters
    ----------
    catalogue
        The catalogue.
    text
        The party.

    >>> from balance.game.loaded import load
    >>> party_name(load("immortal_souls").catalogue, "ecarus,shae_assassin")
    'White Rose Knight, Assassin'
    """
    heroes = catalogue.entries(Hero)
    names = [heroes[name].name for name in text.split(",")]
    return ", ".join(name.rpartition(", ")[2] for name in names)


def _nature(hero: Hero) -> str:
    """Return what a hero is, his style first."""
    return json.dumps([hero.style, hero.model_dump(mode="json", exclude=UNNAMED)], sort_keys=True)

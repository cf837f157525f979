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
    """Return every legal party of so many heroes.

    The order, in which heroes also act, depends on what cards print, so that renamed ids or moved rows change nothing.
    """
    heroes = sorted(catalogue.entries(Hero).values(), key=_nature)
    parties = [party for party in combinations(heroes, size) if may_go_together(party)]
    return tuple(",".join(hero.id for hero in party) for party in parties)


def may_go_together(heroes: Sequence[Hero]) -> bool:
    """Return whether heroes are all different persons, and not lawful and chaos at once (IS-ECO.12)."""
    return len({hero.person for hero in heroes}) == len(heroes) and not has_opposites(heroes)


def has_opposites(heroes: Iterable[Hero]) -> bool:
    """Return whether some heroes are lawful and others chaos, which no party may mix."""
    return {"lawful", "chaos"} <= {hero.alignment for hero in heroes}


def party_identity(catalogue: Catalogue, text: str) -> str:
    """Return a SHA-256 digest of what the heroes' cards print except names, equal for parties renamed only."""
    heroes = catalogue.entries(Hero)
    natures = [_nature(heroes[name]) for name in text.split(",")]
    return hashlib.sha256("\n".join(natures).encode()).hexdigest()


def party_name(catalogue: Catalogue, text: str) -> str:
    """Return the classes of a party's heroes, for people; `text` is the party as it is written.

    >>> from balance.game.loaded import load
    >>> party_name(load("immortal_souls").catalogue, "ecarus,shae_assassin")
    'White Rose Knight, Assassin'
    """
    heroes = catalogue.entries(Hero)
    names = [heroes[name].name for name in text.split(",")]
    return ", ".join(name.rpartition(", ")[2] for name in names)


def _nature(hero: Hero) -> str:
    """Return the sort key of a hero: his style, then all fields but names, as JSON."""
    return json.dumps([hero.style, hero.model_dump(mode="json", exclude=UNNAMED)], sort_keys=True)

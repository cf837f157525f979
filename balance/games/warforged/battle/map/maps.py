"""Maps by name: those that ship, those of a designer's own catalogue, and random ones.

A catalogue's folder may hold a folder `maps` with a text file for each map. A map there takes the place of the shipped
one of its name. Maps are no part of a catalogue's tables: what is asked on a map keeps the map's `digest`.
"""

from __future__ import annotations

from pathlib import Path

from balance.base.errors import CatalogueError, Fault, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.catalogue.tables.files import read_text
from balance.chance.rolls.streams import LARGEST_SEED
from balance.game.kit.drawings import drawing_files
from balance.games.warforged.battle.map.battle_map import (
    HEAVY,
    LIGHT,
    NO_CELL,
    OPEN,
    BattleMap,
    map_of_drawing,
    map_text,
)
from balance.games.warforged.battle.map.map_maker import RANDOM, made_map
from balance.games.warforged.battle.map.map_reading import read_map

__all__ = [
    "HEAVY",
    "LIGHT",
    "NO_CELL",
    "OPEN",
    "BattleMap",
    "map_files",
    "map_of",
    "map_of_drawing",
    "map_text",
    "read_map",
]

GAME, FOLDER = "warforged", "maps"
MOST_MAP_BYTES = 64 * 2**10
"""Of the file of a map: the largest has 2 kB."""

Place = Catalogue | Path | str | None
"""A catalogue, or its folder; None for what ships alone."""


def map_files(place: Place = None) -> dict[str, Path]:
    """Return name of a map -> its file: those that ship, and those of a catalogue's own folder in front of them.

    Two files of a folder with one name but for spaces, accents and the like raise `CatalogueError`.

    >>> list(map_files())[:2]
    ['chasm', 'dense']
    """
    return drawing_files(place, GAME, FOLDER, "map")


def map_of(place: Place, name: str, location: str = "") -> BattleMap:
    """Return a map by name, such as `ledger`, or `random:SEED` for a random one (`made_map`).

    Maps in the catalogue's folder come first; `place` None means the shipped ones alone. An unknown name (the error
    names the nearest, and `location`) or a file with faults raises `CatalogueError`.

    >>> map_of(None, "ledger").title
    'Ledger'
    >>> map_of(None, "random:7").id
    'random:7'
    """
    kind, _, seed = name.strip().partition(":")
    if slug(kind) == RANDOM:
        return made_map(_seed(seed.strip(), location))
    files, slug_name = map_files(place), slug(name.strip().removesuffix(".txt"))
    if slug_name not in files:
        raise CatalogueError(unknown(name, [*files, f"{RANDOM}:SEED"], "is no map", location))
    return _read(slug_name, files[slug_name])


def _seed(text: str, location: str) -> int:
    """Return the seed of `random:SEED`; what is no seed raises an error that names `location`."""
    if text.isascii() and text.isdigit() and len(text) < 40 and int(text) <= LARGEST_SEED:
        return int(text)
    limits = "a whole number from 0 to 2**128 - 1"
    raise CatalogueError(
        Fault("is no seed of a random map", location, found=text, allowed=limits, tip="such as random:1")
    )


def _read(name: str, path: Path) -> BattleMap:
    return read_map(read_text(path, MOST_MAP_BYTES), str(path), name)

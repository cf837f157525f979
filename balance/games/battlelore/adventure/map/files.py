"""Adventures by name: those that ship, and those of a designer's own catalogue.

A catalogue's folder may hold a folder `adventures` with a text file for each. An adventure there takes the place of the
shipped one of its name. Adventures are no part of a catalogue's tables: what is asked of one keeps its `digest`.
"""

from __future__ import annotations

from pathlib import Path

from balance.base.errors import CatalogueError, Fault, gathering, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.catalogue.tables.files import read_text
from balance.game.kit.drawings import drawing_files
from balance.games.battlelore.adventure.map.adventure import Adventure
from balance.games.battlelore.adventure.map.reading import read_adventure

GAME, FOLDER = "battlelore", "adventures"
MOST_ADVENTURE_BYTES = 64 * 2**10
"""Of the file of an adventure: the largest has 2 kB."""


def adventure_files(catalogue: Catalogue) -> dict[str, Path]:
    """Return name of an adventure -> its file, a catalogue's own before shipped ones.

    `CatalogueError` if two names in a folder differ only by spaces, accents and the like.
    """
    return drawing_files(catalogue, GAME, FOLDER, "adventure")


def adventure_of(catalogue: Catalogue, name: str, location: str = "") -> Adventure:
    """Return an adventure by a name such as `agincourt`, the catalogue's own first.

    `CatalogueError` if there is none (with the nearest name, and `location` as the place) or its file has faults.
    """
    files, slug_name = adventure_files(catalogue), slug(name.strip().removesuffix(".txt"))
    if slug_name not in files:
        raise CatalogueError(unknown(name, files, "is no adventure", location))
    return _read(catalogue, slug_name, files[slug_name])


def _read(catalogue: Catalogue, name: str, path: Path) -> Adventure:
    return read_adventure(read_text(path, MOST_ADVENTURE_BYTES), str(path), catalogue, name)


def adventures_in(catalogue: Catalogue) -> tuple[Adventure, ...]:
    """Return all adventures, by name; `CatalogueError` with every fault of every file."""
    faults, adventures = list[Fault](), list[Adventure]()
    for name, path in adventure_files(catalogue).items():
        with gathering(faults):
            adventures.append(_read(catalogue, name, path))
    if faults:
        raise CatalogueError(faults)
    return tuple(adventures)

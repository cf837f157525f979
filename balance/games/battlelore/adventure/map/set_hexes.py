"""Hexes of an adventure that are set otherwise than its file draws them, such as `forest@E5` or `hill+rampart@D4`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from balance.base.errors import Fault, RulesError, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.adventure import Adventure, cell_of, combined, split_place
from balance.games.battlelore.adventure.map.also_lines import terrain_names
from balance.games.battlelore.adventure.map.checks import board_faults, passable_cells
from balance.games.battlelore.adventure.map.force_lines import HEX_TEXT
from balance.games.battlelore.tables import Terrain

PLACE = "§set situation.hexes"
TIP = "such as forest@E5, hill+rampart@D4, or countryside@F6 for nothing"


def terrain_with(
    adventure: Adventure, texts: Sequence[str], catalogue: Catalogue
) -> tuple[tuple[tuple[str, ...], ...], set[int]]:
    """Return the terrains of all cells with some hexes replaced, and those hexes; owners and blazons stay.

    Each text is `TERRAIN@HEX`, several terrains joined by `+`. `RulesError` with all texts that are no terrain at a
    hex, name no hex of the board, or set one twice.
    """
    terrain, cells, faults = list(adventure.terrain), set[int](), list[Fault]()
    for text in texts:
        pair = split_place(text)
        cell = cell_of(pair[1]) if pair else None
        if pair is None or cell is None:
            message = "is no terrain at a hex" if pair is None else "is at no hex of the board"
            faults.append(Fault(message, PLACE, found=text, allowed=HEX_TEXT if pair else "", tip=TIP))
            continue
        if cell in cells:
            faults.append(Fault("is set twice", PLACE, found=cell_name(cell)))
        cells.add(cell)
        terrain[cell] = _terrains_of(pair[0], catalogue, faults)
    if faults:
        raise RulesError(faults)
    return tuple(terrain), cells


def _terrains_of(text: str, catalogue: Catalogue, faults: list[Fault]) -> tuple[str, ...]:
    """Return the ids of terrains that are joined by `+`, by name or id; unknown ones become faults."""
    by_name = terrain_names(catalogue)
    words = [slug(word) for word in text.split("+")]
    faults += (
        unknown(word, catalogue.entries(Terrain), "is no terrain", PLACE) for word in words if word not in by_name
    )
    return combined(by_name.get(word, word) for word in words)


def ground_faults(adventure: Adventure, cells: set[int], sides: Sequence[str], catalogue: Catalogue) -> Iterator[Fault]:
    """Yield the faults of units and ground after `cells` are set; `sides` are the names of forces in the question."""
    passable = passable_cells(adventure, catalogue)
    for side, force in zip(sides, adventure.forces, strict=True):
        for cell in (unit.cell for unit in force.units if unit.cell not in passable):
            place = PLACE if cell in cells else f"§set {side}.more"
            yield Fault("is no ground that a unit may stand on (BL-TER-04)", place, found=cell_name(cell))
    for cell in sorted({blazon.cell for blazon in adventure.blazons} - passable):
        yield Fault("is worth banners, but no unit may stand on it (BL-TER-04)", PLACE, found=cell_name(cell))
    if cells:
        yield from board_faults(adventure, PLACE, catalogue)

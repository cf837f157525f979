"""An adventure as its file tells it: the map, the forces in their hexes, cards and councils, what wins, who begins.

The board lies on its side: row A of the rulebook's board is column 0 of the grid, so that a row of hexes is one word of
bits. Rows B, D, F and H (odd columns of the grid) have twelve hexes and stand half a hex further on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from balance.base.arrays import IntArray
from balance.chance.rolls.board import COLUMN_CELLS, Grid

ROWS, LONGEST_ROW = 9, 13
"""Rows of hexes, and hexes of the longer ones (BL-SETUP-01)."""
GRID = Grid("hex", ROWS, LONGEST_ROW)
MASTERS = ("wizard", "rogue", "cleric", "warrior")
COUNTRYSIDE = "countryside"
_AT = re.compile(r"(.+?)\s*@\s*(\w+)")


def row_length(row: int) -> int:
    """Return how many hexes a row has, from 0: 13 or 12, for half hexes at the rim are no part of the board.

    >>> [row_length(row) for row in range(3)]
    [13, 12, 13]
    """
    return LONGEST_ROW - row % 2


def hexes() -> tuple[int, ...]:
    """Return the cells of the board, rising: 113 of them."""
    return tuple(COLUMN_CELLS * row + place for row in range(ROWS) for place in range(row_length(row)))


def cell_of(name: str) -> int | None:
    """Return the cell of a hex such as "B12"; None where there is no such hex on the board.

    >>> cell_of("B12"), cell_of("b13")
    (27, None)
    """
    row, number = ord(name[:1].upper() or "@") - ord("A"), name[1:]
    if not (0 <= row < ROWS and number.isascii() and number.isdigit() and len(number) <= 3):
        return None
    return COLUMN_CELLS * row + int(number) - 1 if 0 < int(number) <= row_length(row) else None


def split_place(text: str) -> tuple[str, str] | None:
    """Return the parts before and after the `@` of a text such as "forest@E5"; None for any other text.

    >>> split_place("blue_foot @ c4"), split_place("blue_foot")
    (('blue_foot', 'c4'), None)
    """
    match = _AT.fullmatch(text.strip())
    return (match[1], match[2]) if match else None


def combined(terrains: Iterable[str]) -> tuple[str, ...]:
    """Return the terrains of a hex, each once; countryside only where nothing else stands.

    >>> combined(["countryside", "hill", "rampart"]), combined(["countryside"])
    (('hill', 'rampart'), ('countryside',))
    """
    return tuple(name for name in dict.fromkeys(terrains) if name != COUNTRYSIDE) or (COUNTRYSIDE,)


@dataclass(frozen=True)
class Council:
    """The levels of a side's Commander and Lore Masters, 0 to 3 each; 0 for nobody (BL-WC-01)."""

    commander: int = 0
    wizard: int = 0
    rogue: int = 0
    cleric: int = 0
    warrior: int = 0


@dataclass(frozen=True)
class Deployed:
    """A unit as an adventure deploys it: a troop or a unit as commands write it, and its cell."""

    unit: str
    cell: int


@dataclass(frozen=True)
class Force:
    """One side of an adventure.

    * `name`: what the file calls it, such as "english".
    * `camp`: "standard" or "pennant" (BL-SETUP-06).
    * `banners`: victory banners it needs (BL-WIN-01).
    * `cards`: command cards in its hand (BL-CMD-13); 0 leaves it to its Commander.
    * `units`: its units in their hexes, in the order written.
    * `tokens`: lore tokens it begins with; None leaves it to its council (BL-WC-04).
    """

    name: str
    camp: str
    banners: int
    cards: int
    units: tuple[Deployed, ...]
    council: Council = Council()
    tokens: int | None = None


@dataclass(frozen=True)
class Blazon:
    """A hex that is worth banners to one side (BL-WIN-03).

    With `held` they count only while a unit of that side stands there; else they are earned once, and for good.
    """

    side: int
    cell: int
    banners: int = 1
    held: bool = False


@dataclass(frozen=True)
class Adventure:
    """An adventure as it is played, the same whatever the layout of its file.

    * `id`, `title`, `note`: its name in commands, what it is called, and a sentence or two about it and its sources.
    * `lore`: whether the Lore system is in use (BL-SETUP-02).
    * `forces`: the two sides; the first has its own edge at row A, the second at row I.
    * `first`: which of them begins, 0 or 1.
    * `terrain`: for each number of a cell (`16 row + place`) the ids of its terrains, more than one for a combination
      (BL-TER-07); empty where there is no hex.
    * `owners`: cell of a landmark -> the side that owns it (BL-LMK-04).
    * `masters_landmarks`: whether Lore Masters of level 3 bring their landmarks (BL-LMK-02); Commanders do in any case
      (BL-LMK-11).
    * `digest`: the sha256 of what is played (`digest_of`).
    """

    id: str
    title: str
    lore: bool
    forces: tuple[Force, Force]
    first: int
    terrain: tuple[tuple[str, ...], ...]
    owners: tuple[tuple[int, int], ...] = ()
    blazons: tuple[Blazon, ...] = ()
    masters_landmarks: bool = False
    note: str = ""
    digest: str = field(default="", compare=False)


def relative_cells(side: int, cells: IntArray) -> IntArray:
    """Return cells as a side sees them from its edge, `int[...]`: for side 1 turned by 180 degrees; OFF_BOARD stays.

    >>> import numpy as np
    >>> relative_cells(1, np.array([0, 16, 140])).tolist()
    [140, 123, 0]
    """
    if side == 0:
        return cells
    row, place = cells // COLUMN_CELLS, cells % COLUMN_CELLS
    turned_cells = (ROWS - 1 - row) * COLUMN_CELLS + LONGEST_ROW - 1 - row % 2 - place
    return turned_cells * (cells >= 0) + cells * (cells < 0)


def turned_cell(cell: int) -> int:
    """Return a cell turned by 180 degrees, as the other edge sees it.

    >>> turned_cell(0), turned_cell(turned_cell(17))
    (140, 17)
    """
    row, place = divmod(cell, COLUMN_CELLS)
    return (ROWS - 1 - row) * COLUMN_CELLS + LONGEST_ROW - 1 - row % 2 - place


def from_other_edge(adventure: Adventure) -> Adventure:
    """Return the same adventure seen from the other edge: its second force is the first, at row A."""
    terrain = list(adventure.terrain)
    for cell in hexes():
        terrain[turned_cell(cell)] = adventure.terrain[cell]
    a, b = (
        replace(force, units=tuple(replace(unit, cell=turned_cell(unit.cell)) for unit in force.units))
        for force in adventure.forces
    )
    blazons = (replace(blazon, side=1 - blazon.side, cell=turned_cell(blazon.cell)) for blazon in adventure.blazons)
    return replace(
        adventure,
        forces=(b, a),
        first=1 - adventure.first,
        terrain=tuple(terrain),
        owners=tuple(sorted((turned_cell(cell), 1 - side) for cell, side in adventure.owners)),
        blazons=tuple(sorted(blazons, key=lambda blazon: (blazon.cell, blazon.side))),
    )

"""A table with its terrain: which pieces have a legal spot (RW-TER.1), what they do, and where tokens lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.runewars.ruleset import Lengths
from balance.games.runewars.table.boxes import DEGREE, MM, Box
from balance.games.runewars.tables import Ground, TerrainPiece

CAN_BE_ENTERED = ("blocking", "opening", "elevated", "agony")


@dataclass(frozen=True)
class Table:
    """A table, ready to be played on.

    * `pieces` and `not_placed`: pieces that have a legal spot, and ids of those that have none.
    * `tokens`: points of objective tokens.
    * `overgrown`: whose Overgrowth token lies on each piece, "" where there is none.
    """

    ground: Ground
    lengths: Lengths
    pieces: tuple[TerrainPiece, ...]
    not_placed: tuple[str, ...]
    tokens: tuple[tuple[float, float], ...]
    overgrown: tuple[str, ...]
    arc_degrees: int

    @property
    def half(self) -> tuple[int, int]:
        """Half of its width and of its depth."""
        return half_of(self.ground)

    @property
    def tray(self) -> int:
        """Side of a tray."""
        return self.lengths.tray_mm * MM

    @property
    def band(self) -> int:
        """Length of a band."""
        return self.lengths.band_mm * MM

    @cached_property
    def boxes(self) -> Box:
        """The pieces as rectangles, `[1, pieces]`."""
        return _stacked([box_of(piece) for piece in self.pieces])

    @cached_property
    def rooms(self) -> IntArray:
        """How many trays fit into each piece, 0 where nobody may enter, `int[pieces]`."""
        trays = [(p.width_mm // self.lengths.tray_mm) * (p.depth_mm // self.lengths.tray_mm) for p in self.pieces]
        able = [piece.kind in CAN_BE_ENTERED for piece in self.pieces]
        return np.asarray(np.array(trays, np.int64) * np.array(able, bool))

    def of_kind(self, *kinds: str) -> BoolArray:
        """Return which pieces are of these kinds, `bool[pieces]`."""
        return np.array([piece.kind in kinds for piece in self.pieces], bool)


def half_of(ground: Ground) -> tuple[int, int]:
    """Return half of a table's width and of its depth."""
    return ground.width_mm * MM // 2, ground.depth_mm * MM // 2


def box_of(piece: TerrainPiece) -> Box:
    """Return a piece as a rectangle, `[1]`."""
    halves = (piece.width_mm * MM / 2, piece.depth_mm * MM / 2)
    numbers = (piece.x_mm * MM, piece.y_mm * MM, *halves, piece.heading_degrees * DEGREE)
    return Box(*(np.array([number]) for number in numbers))


def _stacked(boxes: Sequence[Box]) -> Box:
    names = ("x", "y", "half_width", "half_depth", "heading")
    parts = ([getattr(box, name) for box in boxes] for name in names)
    return Box(*(np.concatenate([*part, np.zeros(0, int)])[None] for part in parts))


def table_of(
    ground: Ground,
    pieces: Sequence[TerrainPiece],
    lengths: Lengths,
    units: Sequence[Box],
    n_tokens: int,
    overgrowth: Sequence[tuple[str, int]],
    arc_degrees: int,
) -> Table:
    """Return a table with what has a legal spot on it; `overgrowth` has sides in turn order, with their numbers."""
    taken, placed, not_placed = list(units), list[TerrainPiece](), list[str]()
    for piece in pieces:
        box, gap = box_of(piece), 0 if piece.kind.startswith("unit") else lengths.edge_gap_mm * MM
        if bool(box.within(half_of(ground), gap)) and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            placed.append(piece)
        else:
            not_placed.append(piece.id)
    tokens = [point for point in _token_spots(ground, lengths) if not any(_covers(box, point) for box in taken)]
    owners = [side for side, number in overgrowth for _ in range(number)]
    may_bear = [not piece.kind.startswith("unit") for piece in placed]
    overgrown = [owners.pop(0) if able and owners else "" for able in may_bear]
    return Table(
        ground, lengths, tuple(placed), tuple(not_placed), tuple(tokens[:n_tokens]), tuple(overgrown), arc_degrees
    )


def _token_spots(ground: Ground, lengths: Lengths) -> Iterator[tuple[float, float]]:
    step, most = 2 * lengths.band_mm, ground.width_mm / 2 - lengths.edge_gap_mm
    for number in range(int(most // step) + 1 if most >= 0 else 0):
        yield from [(float(sign * number * step), 0.0) for sign in ((1, -1) if number else (1,))]


def _covers(box: Box, point: tuple[float, float]) -> bool:
    right, forward = box.seen_from(np.array([point[0] * MM]), np.array([point[1] * MM]))
    return bool(((abs(right) <= box.half_width) & (abs(forward) <= box.half_depth)).all())

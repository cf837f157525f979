"""The board of an adventure, read from its file: terrains, sections, distances, lines of sight, ways to move.

A hex is (row, x): rows from 0 for A; x counts half hexes from the middle of A1, so that the neighbours of (r, x) are
(r, x ± 2) and (r ± 1, x ± 1). Rows B, D, F and H begin and end with half hexes, which nobody enters (BL-SETUP-01).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.games.battlelore.referee.tables import Tables, Terrain

Hex = tuple[int, int]
LETTERS = {
    ".": "countryside", "F": "forest", "H": "hill", "W": "watercourse", "f": "ford", "B": "bridge", "L": "landmark",
    "R": "rampart", "S": "stronghold", "D": "rogues_den", "T": "training_camp", "P": "magic_pentacle",
    "O": "healing_pool",
}  # fmt: skip
ROWS, WIDTH = 9, 24
LINES = (7, 17)
CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""The corners of a hex around its middle, where a row is 3 high and half a hex 1 wide."""


def hex_of(name: str) -> Hex:
    """Return the hex with a name.

    >>> hex_of("A1"), hex_of("B12")
    ((0, 0), (1, 23))
    """
    row = ord(name[0]) - ord("A")
    return row, 2 * (int(name[1:]) - 1) + row % 2


def name_of(place: Hex) -> str:
    """Return the name of a hex.

    >>> name_of((1, 23))
    'B12'
    """
    return f"{chr(ord('A') + place[0])}{(place[1] - place[0] % 2) // 2 + 1}"


def is_on_board(place: Hex) -> bool:
    row, x = place
    return 0 <= row < ROWS and row % 2 <= x <= WIDTH - row % 2


def neighbours(place: Hex) -> list[Hex]:
    row, x = place
    around = [(row, x - 2), (row, x + 2), *((row + dy, x + dx) for dy in (-1, 1) for dx in (-1, 1))]
    return [near for near in around if is_on_board(near)]


def distance(one: Hex, other: Hex) -> int:
    """Return how far two hexes are from each other (BL-RNG-01).

    >>> distance(hex_of("A1"), hex_of("A3")), distance(hex_of("A1"), hex_of("C2")), distance(hex_of("A1"), hex_of("B3"))
    (2, 2, 3)
    """
    rows, halves = abs(one[0] - other[0]), abs(one[1] - other[1])
    return rows + max(0, halves - rows) // 2


def sections(place: Hex, side: str) -> set[str]:
    """Return the sections a hex lies in, as a side sees them; that of a is at row A (BL-SETUP-01, BL-CMD-08)."""
    x = place[1] if side == "b" else WIDTH - place[1]
    low, high = LINES
    return {name for name, is_in in (("left", x <= low), ("centre", low <= x <= high), ("right", x >= high)) if is_in}


def rearward(place: Hex, side: str) -> list[Hex]:
    """Return the hexes towards the own edge (BL-FLAG-03, BL-Q54)."""
    row = place[0] + (1 if side == "b" else -1)
    return [near for near in ((row, place[1] - 1), (row, place[1] + 1)) if is_on_board(near)]


@dataclass(frozen=True)
class Way:
    """A way to reach a hex: how many hexes it takes, and whether who came that way may battle."""

    hexes: int
    may_battle: bool


class Ground:
    """What each hex holds: the part of the state that tells it, read as terrains of the tables."""

    def __init__(self, tables: Tables, names: Mapping[str, Iterable[str]]) -> None:
        self.tables, self._names = tables, names

    def names(self, place: Hex) -> tuple[str, ...]:
        """Return the terrains of a hex; one that is not named is countryside."""
        return tuple(self._names.get(name_of(place), ())) or ("countryside",)

    def terrains(self, place: Hex) -> list[Terrain]:
        return [self.tables.terrains[name] for name in self.names(place)]

    def is_passable(self, place: Hex) -> bool:
        return all(terrain.passable for terrain in self.terrains(place))

    def is_hill(self, place: Hex) -> bool:
        return "hill" in self.names(place)

    def cap(self, dice: int, origin: Hex, target: Hex) -> int:
        """Return base dice after the limits of both hexes (BL-DICE-05, BL-TER-07)."""
        out = [terrain.cap_out for terrain in self.terrains(origin)]
        into = [terrain.cap_in for terrain in self.terrains(target) if terrain.cap_in_level or not self.is_hill(origin)]
        return min([dice, *(limit for limit in out + into if limit is not None)])

    def entry(self, start: Hex, end: Hex, rampart_along: object = "free") -> tuple[bool, bool]:
        """Return whether one must stop in a hex that one enters from the one beside it, and whether one may battle."""
        stops = bars = False
        for terrain in self.terrains(end):
            along = terrain.free_along and terrain.name in self.names(start)
            stops |= terrain.stops and not (along and rampart_along == "free")
            bars |= not terrain.battle_on_entry and not along
        return stops, not bars

    def ways(self, start: Hex, most: int, blocked: set[Hex], rampart_along: object = "free") -> dict[Hex, set[Way]]:
        """Return every hex that can be reached, and in which ways (BL-MOV-01 to 07, BL-TER, BL-LMK)."""
        ways: dict[Hex, set[Way]] = {}
        edge = {start}
        for hexes in range(1, most + 1):
            after = set()
            for place in edge:
                for near in neighbours(place):
                    if near in blocked or not self.is_passable(near):
                        continue
                    stops, may_battle = self.entry(place, near, rampart_along)
                    ways.setdefault(near, set()).add(Way(hexes, may_battle))
                    if not stops:
                        after.add(near)
            edge = after
        return ways

    def sees(self, origin: Hex, target: Hex, units: set[Hex], rules: Mapping[str, object]) -> bool:
        """Return whether a line from centre to centre is free (BL-RNG-06 to 09)."""
        sees_over = rules["hill_sight"] == "over_adjacent" and self.is_hill(origin)

        def blocks(place: Hex) -> bool:
            if not is_on_board(place) or place in units:
                return True
            walls = [terrain.name for terrain in self.terrains(place) if terrain.blocks_sight]
            return bool(walls) and not (walls == ["hill"] and sees_over and distance(origin, place) == 1)

        edges: dict[int, set[frozenset[Hex]]] = {1: set(), -1: set()}
        for place, turn, edge in line_hexes(origin, target):
            if blocks(place):
                if not turn:
                    return False
                edges[turn].add(edge)
        if rules["edge_sight"] == "same_edge":
            return not edges[1] & edges[-1]
        return not (edges[1] and edges[-1])


def line_hexes(origin: Hex, target: Hex) -> Iterator[tuple[Hex, int, frozenset[Hex]]]:
    """Yield the hexes between two: those that their line crosses (0), and those along whose edge it runs.

    The latter lie to its left (1) or right (-1), and come with the two corners of that edge.
    """
    (ay, ax), (by, bx) = origin, target
    dx, dy = bx - ax, 3 * (by - ay)
    for row in range(min(ay, by), max(ay, by) + 1):
        for x in range(min(ax, bx) - 2, max(ax, bx) + 3):
            place = (row, x)
            if (row + x) % 2 or place in (origin, target):
                continue
            if not 0 < dx * (x - ax) + dy * 3 * (row - ay) < dx * dx + dy * dy:
                continue
            corners = [(x + cx, 3 * row + cy) for cx, cy in CORNERS]
            turns = [dx * (cy - 3 * ay) - dy * (cx - ax) for cx, cy in corners]
            if min(turns) < 0 < max(turns):
                yield place, 0, frozenset()
            elif turns.count(0) == 2:
                edge = frozenset(corner for corner, turn in zip(corners, turns, strict=True) if not turn)
                yield place, 1 if max(turns) > 0 else -1, edge

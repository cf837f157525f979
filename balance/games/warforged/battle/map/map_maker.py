"""Random maps, made by the rules of placement (WF-MAP.2): main parts and bases, map pieces, then covers.

The two players alternate, one piece each, until there are none left. On a mirrored map the second player answers with
the mirror image of what the first one placed, so that the map favours nobody; a piece in the middle column, which is
its own image, is answered by another one there. The rulebook gives no measures of parts and pieces. Ours are three main
parts side by side, the outer two with a base, and map pieces of up to three cells along their upper and lower edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TypeAlias

from balance.base.errors import Fault, UsageError
from balance.chance.rolls.board import Grid, Shape
from balance.chance.rolls.streams import stream
from balance.games.warforged.battle.map.battle_map import BattleMap, map_of_drawing, reachable_cells

RANDOM = "random"
_PIECE = 3
"""Most cells of a map piece."""
_RIM = 1
"""Rows above and below the main parts that map pieces fill."""

Spot: TypeAlias = tuple[int, ...]
"""Cells that a piece takes, rising."""


def made_map(
    seed: int,
    *,
    shape: Shape = "hex",
    columns: int = 13,
    rows: int = 9,
    base_cells: int = 7,
    pieces: int | None = None,
    heavy: int = 4,
    light: int = 6,
    mirrored: bool = True,
) -> BattleMap:
    """Return a random map with columns, rows, pieces and covers as given; the same arguments give the same map.

    No cover stands on a base, and one can walk from each open cell to each other over open cells alone, so that covers
    block nobody, however slow. Other numbers of light covers leave the heavy ones where they are. The seed is from 0 to
    2**128 - 1; `pieces` on the edges of the main parts are as many as there is room for if None. A board that is too
    large or too small, or has no room for that many pieces, raises `UsageError`.
    """
    grid = Grid(shape, columns, rows)
    _check(grid, base_cells, mirrored, {"pieces": pieces or 0, "heavy": heavy, "light": light})
    image = partial(_image, grid) if mirrored else None
    main = {cell for cell in grid.cells.tolist() if _RIM <= grid.place(cell)[1] < rows - _RIM}
    rim = _rim(grid)
    piece_spots = _place_pieces(seed, "map pieces", rim, len(rim) if pieces is None else pieces, image)
    a = _base(grid, base_cells)
    b = [grid.mirror_cell(cell) for cell in a]
    letters = dict.fromkeys([*main, *chain(*piece_spots)], ".") | dict.fromkeys(a, "A") | dict.fromkeys(b, "B")
    for name, letter, n in (("heavy covers", "#", heavy), ("light covers", "+", light)):
        way = frozenset(cell for cell in letters if letters[cell] not in "#+")
        free = [(cell,) for cell in sorted(way) if letters[cell] == "."]
        covers = _place_pieces(seed, name, free, n, image, partial(_leaves_whole, grid, way))
        letters |= dict.fromkeys(chain(*covers), letter)
    drawing = ["".join(letters.get(grid.cell(c, r), "~") for c in range(columns)) for r in range(rows)]
    return map_of_drawing(f"{RANDOM}:{seed}", f"Random map {seed}", shape, drawing)


def _check(grid: Grid, base_cells: int, is_mirrored: bool, pieces: Mapping[str, int]) -> None:
    """Raise `UsageError` for what there is no room for, or no mirror image of."""
    faults = [Fault("must not be negative", field=name, found=str(n)) for name, n in pieces.items() if n < 0]
    room = (grid.columns // 3) * (grid.rows - 2 * _RIM)
    if not 1 <= base_cells <= room:
        limit = f"1 to {room} cells on {grid.columns} x {grid.rows}" if room > 0 else "a board of 3 x 3 at least"
        faults.append(Fault("are no base", field="base_cells", found=str(base_cells), allowed=limit))
    if is_mirrored and grid.columns % 2 == 0:
        tip = "take an odd number of columns, or mirrored=False"
        odd = [name for name, n in pieces.items() if n % 2]
        if grid.shape == "hex":
            faults.append(Fault("columns of hexes have no mirror image", found=str(grid.columns), tip=tip))
        elif odd:
            faults.append(Fault("is odd, and the board has no middle column", field=", ".join(odd), tip=tip))
    if faults:
        raise UsageError(faults)


def _base(grid: Grid, n: int) -> list[int]:
    """Return the base of side a: the middle of the first column, and if that is full of the next."""
    rows = sorted(range(_RIM, grid.rows - _RIM), key=lambda row: (abs(2 * row - grid.rows + 1), row))
    return [grid.cell(column, row) for column in range(grid.columns) for row in rows][:n]


def _rim(grid: Grid) -> list[Spot]:
    """Return the places of map pieces: strips along both edges, cut from both ends so that they are mirror images."""
    half = grid.columns // 2
    starts = [*range(0, half, _PIECE), half]
    left_strips = [range(begin, end) for begin, end in pairwise(starts)]
    right = [range(grid.columns - strip.stop, grid.columns - strip.start) for strip in left_strips]
    middle = [range(half, half + 1)] if grid.columns % 2 else []
    edges = [*range(_RIM), *range(grid.rows - _RIM, grid.rows)]
    return [tuple(grid.cell(c, row) for c in strip) for row in edges for strip in (*left_strips, *middle, *right)]


def _image(grid: Grid, spot: Spot) -> Spot:
    """Return the mirror image of a spot, left for right, its cells rising."""
    return tuple(sorted(grid.mirror_cell(cell) for cell in spot))


def _leaves_whole(grid: Grid, way: frozenset[int], covers: Sequence[Spot]) -> bool:
    """Return whether one can still walk from each open cell to each other."""
    open_cells = way.difference(*covers)
    return bool(open_cells) and reachable_cells(grid, min(open_cells), open_cells) == open_cells


def _place_pieces(
    seed: int,
    name: str,
    spots: Sequence[Spot],
    n: int,
    image: Callable[[Spot], Spot] | None,
    fits: Callable[[Sequence[Spot]], bool] = bool,
) -> list[Spot]:
    """Place n pieces on free spots, two at a time: a player's and the answer; `name` gives them luck of their own.

    The answer lies on the `image` of the spot, or anywhere if it is None; `fits` says whether pieces may lie so. No
    room for so many raises `UsageError`.
    """
    luck, placed_spots = stream(seed, "map", 0, name), list[Spot]()
    while len(placed_spots) < n:
        free = [spot for spot in spots if spot not in placed_spots]
        free = [free[k] for k in luck.permutation(len(free))]
        ways = ([*placed_spots, *pair] for pair in _pairs(free, n - len(placed_spots), image))
        placement = next((way for way in ways if fits(way)), None)
        if placement is None:
            raise UsageError(f"a random map has no room for {n} {name}; {len(placed_spots)} were placed", "take fewer")
        placed_spots = placement
    return placed_spots


def _pairs(free: Sequence[Spot], n: int, image: Callable[[Spot], Spot] | None) -> Iterator[tuple[Spot, ...]]:
    """Yield what may be placed next if n pieces are left, the likeliest first: one, or one and its answer."""
    if image is None:
        yield from ((spot,) for spot in free)
        return
    own_image = [spot for spot in free if image(spot) == spot]
    if n % 2:
        yield from ((spot,) for spot in own_image)
        return
    for spot in free:
        answers = [answer for answer in own_image if answer != spot] if spot in own_image else [image(spot)]
        yield from ((spot, answer) for answer in answers[:1])

"""How a wide thing fits on paper: type size, upright or sideways, and the panels of a heat map too big for one page.

Lengths are points of an A4 page. Widths of text are estimated from the number of characters, on the safe side, because
the renderer that could measure them is not asked twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from balance.answers.blocks.tables import HeatMap, Table

UPRIGHT_WIDTH = 480.0
UPRIGHT_HEIGHT = 690.0
SIDEWAYS_WIDTH = 750.0
SIDEWAYS_HEIGHT = 450.0
EM_SHARE = 0.54
LABEL_WIDTH = 118.0
LABEL_LIMIT = 64


@dataclass(frozen=True)
class Sheet:
    """How a table is set: type size in points, whether the page is turned, and whether it fills the page's width."""

    size: float
    sideways: bool
    stretch: bool


def _table_width(table: Table, size: float) -> float:
    """Return the width a table wants, in points: numbers never wrap, texts may at 26 characters, heads at words."""
    width = 0.0
    for index, column in enumerate(table.columns):
        body = (len(row[index].text) for row in table.rows)
        lines = (min(length, 26) for length in body) if column.align == "left" else body
        width += max([*map(len, column.name.split(" ")), *lines]) * EM_SHARE * size + 9.0
    return width


def plan_table(table: Table) -> Sheet:
    """Return the largest type, upright if any size allows it, at which the table fits."""
    for sideways, room in ((False, UPRIGHT_WIDTH), (True, SIDEWAYS_WIDTH)):
        for size in (9.0, 8.25, 7.5):
            width = _table_width(table, size)
            if width <= room:
                has_names = table.columns[0].align == "left"
                stretch = has_names and not sideways and len(table.columns) >= 4 and width < 0.9 * room
                return Sheet(size, sideways, stretch)
    return Sheet(6.5, sideways=True, stretch=False)


@dataclass(frozen=True)
class Panel:
    """Rows and columns, as half-open ranges, that share a page."""

    rows: tuple[int, int]
    columns: tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """How a heat map is set: type size, cell width and height, turned labels and their room, and its panels."""

    size: float
    cell_width: float
    cell_height: float
    turned: bool
    label_height: float
    sideways: bool
    panels: tuple[Panel, ...]


def cut(n: int, max_size: int) -> tuple[tuple[int, int], ...]:
    """Return the fewest, evenly sized, half-open ranges of at most `max_size` that cover n.

    >>> cut(80, 45), cut(7, 3)
    (((0, 40), (40, 80)), ((0, 3), (3, 6), (6, 7)))
    """
    parts = ceil(n / max(1, max_size))
    step = ceil(n / parts)
    return tuple((start, min(n, start + step)) for start in range(0, n, step))


def plan_heatmap(heat: HeatMap) -> Grid:
    """Return the setting of a heat map: upright while it fits, else sideways in panels that stay legible."""
    upright = _plan_upright(heat)
    return upright if upright is not None else _plan_sideways(heat)


def _longest(texts: tuple[str, ...]) -> int:
    return max(len(text) for text in texts)


def _cell_width(heat: HeatMap, size: float, min_width: float) -> float:
    return max(min_width, max(_longest(row) for row in heat.cells) * 0.53 * size + 5.0)


def _label_height(heat: HeatMap, size: float) -> float:
    return min(_longest(heat.column_labels) * 0.47 * size + 8.0, 110.0)


def _plan_upright(heat: HeatMap) -> Grid | None:
    """Return the upright setting, or None when the columns do not fit or more than two pages of rows follow."""
    columns = len(heat.column_labels)
    room = UPRIGHT_WIDTH - LABEL_WIDTH
    sizes = (size for size in (8.5, 7.5, 6.75) if _cell_width(heat, size, 2.47 * size) * columns <= room)
    size = next(sizes, None)
    if size is None or len(heat.row_labels) > 80:
        return None
    width = min(room / columns, 58.0)
    word = max(_longest(tuple(label.split() or ("",))) for label in heat.column_labels)
    is_turned = word * 0.52 * size + 5.0 > width or _longest(heat.column_labels) * 0.5 * size > 3 * width
    panel = Panel((0, len(heat.row_labels)), (0, columns))
    return Grid(size, width, 15.5, is_turned, _label_height(heat, size), sideways=False, panels=(panel,))


def _plan_sideways(heat: HeatMap) -> Grid:
    size = 6.4
    min_width = _cell_width(heat, size, 12.0)
    label = _label_height(heat, size)
    columns = cut(len(heat.column_labels), int((SIDEWAYS_WIDTH - LABEL_WIDTH) / min_width))
    rows = cut(len(heat.row_labels), int((SIDEWAYS_HEIGHT - label) / 8.8))
    width = min((SIDEWAYS_WIDTH - LABEL_WIDTH) / (columns[0][1] - columns[0][0]), 2 * min_width)
    panels = tuple(Panel(row_range, column_range) for row_range in rows for column_range in columns)
    return Grid(size, width, 8.8, True, label, sideways=True, panels=panels)


def fit_figure(width: float, height: float) -> tuple[float, float]:
    """Return the size of a picture in points, shrunk, never grown, to fit an upright page with its caption.

    >>> fit_figure(240.0, 100.0), fit_figure(480.0, 1300.0)
    ((240.0, 100.0), (240.0, 650.0))
    """
    share = min(1.0, UPRIGHT_WIDTH / width, (UPRIGHT_HEIGHT - 40.0) / height)
    return width * share, height * share

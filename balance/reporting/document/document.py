"""A report as an immutable tree of blocks, free of any notion of paper or screen.

An author builds a `Document`; `render_html` and `render_pdf` draw the same one. Every number in it is already text, so
the two renderings cannot disagree. Strings are of two kinds:

* *plain*: names, titles, labels, cells. Printed literally, whatever they contain.
* *marked*: paragraphs, bullets, callouts, captions, notes, verdict sentences. ``**bold**`` and `` `code` `` are drawn;
  nothing else is. Pass a name from a catalogue through `balance.reporting.document.text.literal` before putting it in
  one.

A block that contradicts itself (a row of the wrong length, an unknown kind) raises `UsageError` when it is made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from balance.base.errors import UsageError
from balance.reporting.document.marks import Marks

Align: TypeAlias = Literal["left", "center", "right"]
CalloutKind: TypeAlias = Literal["key", "caution", "note"]
Number: TypeAlias = "tuple[float | None, float | None, float | None]"
"""A number and the two ends of its interval."""
Palette: TypeAlias = Literal["sequential", "diverging"]
Better: TypeAlias = Literal["more", "less"]
VerdictWord: TypeAlias = Literal[
    "too dear",
    "too cheap",
    "overpowered",
    "underpowered",
    "fair",
    "not yet known",
]


def _demand(value: str, choices: tuple[str, ...], subject: str) -> None:
    """Raise UsageError unless `value` is one of `choices`."""
    if value not in choices:
        raise UsageError(f"{subject} is {value!r}; allowed: {', '.join(choices)}")


def _demand_length(length: int, required_length: int, subject: str) -> None:
    """Raise UsageError unless the two lengths agree."""
    if length != required_length:
        raise UsageError(f"{subject}: found {length}, expected {required_length}")


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of marked text."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of marked sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Callout:
    """A boxed remark: `key` for a finding, `caution` for a limit, `note` for an aside. `title` plain, `text` marked."""

    kind: CalloutKind
    title: str
    text: str

    def __post_init__(self) -> None:
        _demand(self.kind, get_args(CalloutKind), "callout kind")


@dataclass(frozen=True)
class Verdict:
    """What we say about one entry: `name` and `interval` plain, `sentence` marked."""

    name: str
    verdict: VerdictWord
    sentence: str
    interval: str = ""

    def __post_init__(self) -> None:
        _demand(self.verdict, get_args(VerdictWord), f"verdict on {self.name!r}")


@dataclass(frozen=True)
class Verdicts:
    """The cards of a summary."""

    rows: tuple[Verdict, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table. `tip` says in marked text what the column holds; it is printed below the table.

    `unit` is that of its numbers, plain, for who takes them elsewhere; without it, texts in per cent say it.
    """

    name: str
    align: Align = "left"
    tip: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        _demand(self.align, get_args(Align), f"alignment of column {self.name!r}")


@dataclass(frozen=True)
class Cell:
    """A plain text and, where the text would sort wrongly, the number to sort by.

    Where the text is a number, `sort` is that number with all its digits; `low` and `high` are the ends of its
    interval, or of the interval that the text is.
    """

    text: str
    sort: float | None = None
    low: float | None = field(default=None, repr=False)
    high: float | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if any(value is not None and math.isnan(value) for value in (self.sort, self.low, self.high)):
            raise UsageError(f"cell {self.text!r} has the value nan; use None for no value")


@dataclass(frozen=True)
class Table:
    """A numbered table; the first cell of a row names the row. `caption` and `note` are marked.

    `source` is the name of the table of the run that it is made of, if it is made of one.

    Raises
    ------
    UsageError
        No column, or a row whose length is not the number of columns.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    note: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if not self.columns:
            raise UsageError(f"table {self.caption!r} has no column")
        for number, row in enumerate(self.rows, start=1):
            _demand_length(len(row), len(self.columns), f"cells in row {number} of table {self.caption!r}")


def table(
    columns: Sequence[Column | str],
    rows: Sequence[Sequence[Cell | str | tuple[str, float]]],
    caption: str,
    note: str = "",
    source: str = "",
) -> Table:
    """Return a `Table` from plain Python rows.

    Parameters
    ----------
    columns
        Columns; a bare string is a column aligned left.
    rows
        One sequence a row; a cell is a `Cell`, a text, or a text with the number it sorts by.
    caption, note
        Marked text above and below it.
    source
        The name of the table of the run that it is made of.

    Examples
    --------
    >>> table(["Unit", Column("Cost", "right")], [["Nexus", ("24", 24.0)]], "Costs").rows[0][1]
    Cell(text='24', sort=24.0)
    """
    heads = tuple(Column(column) if isinstance(column, str) else column for column in columns)
    return Table(heads, tuple(tuple(map(_cell, row)) for row in rows), caption, note, source)


def _cell(value: Cell | str | tuple[str, float]) -> Cell:
    if isinstance(value, Cell):
        return value
    return Cell(value) if isinstance(value, str) else Cell(*value)


@dataclass(frozen=True)
class HeatMap:
    """A shaded matrix of texts, drawn as a real table and numbered with the tables.

    Parameters
    ----------
    row_labels, column_labels
        Plain; r and c of them.
    cells
        r rows of c plain texts. Keep them short (``63``, not ``63.2%``) and put the unit in the caption.
    shades
        r rows of c numbers: 0 to 1 for `sequential`, -1 to 1 for `diverging`, None for an unshaded cell.
    better, favours
        Whether more or less is good for whom the map favours; what is good for them has the same colour in every map.
    row_title, column_title
        What the rows and the columns are, plain.
    legend
        Plain texts to spread along the colour bar, lowest first.
    numbers
        r rows of c numbers that the texts are short for, each with the ends of its interval, or None in any place;
        empty where the texts are all there is.
    unit
        The unit of these numbers, plain.
    source
        As of a table.

    Raises
    ------
    UsageError
        A shape that does not fit, or a shade out of range.
    """

    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float | None, ...], ...]
    caption: str
    palette: Palette = "sequential"
    row_title: str = ""
    column_title: str = ""
    legend: tuple[str, ...] = ()
    note: str = ""
    better: Better = "more"
    favours: str = "the row"
    numbers: tuple[tuple[Number, ...], ...] = ()
    unit: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        _demand(self.palette, get_args(Palette), "palette")
        _demand(self.better, get_args(Better), "better")
        place = f"of heat map {self.caption!r}"
        if not self.row_labels or not self.column_labels:
            raise UsageError(f"one side {place} is empty")
        for name, grid in (("cells", self.cells), ("shades", self.shades), ("numbers", self.numbers or self.cells)):
            _demand_length(len(grid), len(self.row_labels), f"rows of {name} {place}")
            for number, row in enumerate(grid, start=1):
                _demand_length(len(row), len(self.column_labels), f"{name} in row {number} {place}")
        lowest = 0.0 if self.palette == "sequential" else -1.0
        for shade in (shade for row in self.shades for shade in row if shade is not None):
            if not lowest <= shade <= 1.0:
                raise UsageError(f"a shade {place} is {shade}; allowed: {lowest:g} to 1, or None")


@dataclass(frozen=True)
class Picture:
    """One drawing as SVG text, `wide` for a page and `narrow` for a phone; without the latter a phone scrolls.

    `marks` are the numbers that it shows; `wide_places` and `narrow_places` are where in either drawing each of them
    stands, in pixels from its left and its top, with half its width if it has any.
    """

    wide: str = field(repr=False)
    narrow: str = field(default="", repr=False)
    marks: Marks | None = field(default=None, repr=False)
    wide_places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    narrow_places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    def _repr_svg_(self) -> str:
        return self.wide


@dataclass(frozen=True)
class Figure:
    """A numbered picture from `balance.reporting.figures.figures`, with a plain `alt` that says what it shows.

    `source` is as of a table.
    """

    picture: Picture
    alt: str
    caption: str
    source: str = ""

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise UsageError(f"figure {self.caption!r} has no alt text; say what a reader who cannot see it would miss")


@dataclass(frozen=True)
class Facts:
    """A definition list of (label, value), both plain."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Attachment:
    """A file written beside the report, for what is too large to read: a marked `text`, then a link to it."""

    name: str
    content: bytes = field(repr=False)
    text: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.(csv|parquet)", self.name):
            raise UsageError(f"attachment {self.name!r}: use small letters, digits and hyphens, then .csv or .parquet")


@dataclass(frozen=True)
class PageBreak:
    """Start a new page in print; nothing on a screen. As the first block of a section, it breaks before the title."""


Block: TypeAlias = (
    "Attachment | Paragraph | Bullets | Callout | Verdicts | Table | HeatMap | Figure | Facts | PageBreak | Section"
)


@dataclass(frozen=True)
class Section:
    """A titled part; may hold sections, which may not hold further ones. `anchor` is the end of its link."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError(f"section {self.anchor!r} has an empty title")
        inner = [block for block in self.blocks if isinstance(block, Section)]
        deeper = [child for block in inner for child in block.blocks if isinstance(child, Section)]
        if deeper:
            raise UsageError(f"section {deeper[0].title!r} lies three levels deep; allowed: two")


@dataclass(frozen=True)
class Document:
    """A whole report.

    Parameters
    ----------
    title, subtitle
        Plain; the title may not be empty.
    blocks
        The first section is the summary: the contents follow it.
    facts
        (label, value) pairs, plain: where the numbers come from (game, rules version, catalogue hash, seed, versions).
        A date is one of them only if the caller gives it: the renderers never read a clock.
    language
        A BCP 47 tag such as ``en`` or ``it``.
    files
        What lies beside the page with more numbers: addresses from its folder, such as "tables/duels.parquet".
    """

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    language: str = "en"
    files: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError("a report needs a title")

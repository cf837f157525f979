"""What `show` says: a page about a game, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, Verbatim, plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.form import AnswerWords, Terms
from balance.answers.games.page import GamePage, Part, Value
from balance.catalogue import show_value

if TYPE_CHECKING:
    import polars as pl

MARKS = {"stated": "S", "public": "P", "inferred": "I", "assumed": "A", "unknown": "?"}
MIXED = ("value", "if unsaid")
"""Columns that hold values of every kind, and are set flush left whatever they hold."""
VOUCHED = ("stated", "public", "inferred")
LEGEND = "S stated by the rulebook, I inferred from it, A assumed, ? nobody said"
PUBLIC_LEGEND = "S stated by the rulebook, P from a public source, I inferred, A assumed"
"""Below tables that show a value from a public source."""


def sentence(page: GamePage, terms: Terms) -> str:
    """Return what it shows."""
    return page.sentence


def full(page: GamePage, terms: Terms) -> Iterator[Block]:
    """Return the whole page."""
    return _blocks(page.parts)


def overview(page: GamePage, terms: Terms, more: bool) -> Iterator[Block]:
    """Return the tables of the overview; what answers tell only if more is asked for."""
    return _blocks(page.parts if more else page.parts[:2])


def basis(page: GamePage, terms: Terms) -> str:
    """Return which catalogue it is."""
    return f"{page.catalogue} ({page.catalogue_sha256[:12]}), rules {page.rules_version}"


def foot(page: GamePage, terms: Terms, more: bool) -> list[Block]:
    """Return how to see more of the game."""
    return [plain(f"One of them: balance show {terms.command} NAME", "aside")]


def _blocks(parts: Sequence[Part]) -> Iterator[Block]:
    for part in parts:
        is_last = part is parts[-1]
        if part.title:
            yield Title(part.title, (part.details,))
        yield from _lines(part.above, gap=True)
        if part.columns:
            yield _table(part)
        yield from _lines(_below(part), gap=not (is_last or part.lines), role="aside")
        if part.lines:
            yield Verbatim(part.lines, gap=not is_last)


def _lines(texts: Sequence[str], gap: bool, role: Literal["text", "aside"] = "text") -> Iterator[Block]:
    yield from (plain(text, role, gap=gap and text is texts[-1]) for text in texts)


def _below(part: Part) -> tuple[str, ...]:
    """Return the sentences below a table; the letters beside its values are explained first."""
    origins = {origin for row in part.origins for origin in row}
    legend = PUBLIC_LEGEND if "public" in origins else LEGEND
    return (*([legend] if origins else []), *part.below)


def _table(part: Part) -> Table:
    heads = [""] * len(part.columns) if part.layout == "list" else part.columns
    numbers = [head for head, column in _columns(part).items() if head not in MIXED and _are_numbers(column)]
    rows = [
        [_cell(*pair) for pair in zip_longest(values, origins, fillvalue="")]
        for values, origins in zip_longest(part.rows, part.origins, fillvalue=())
    ]
    return grid(heads, rows, right=numbers, whole=[part.ids] if part.ids else (), in_parts=part.layout == "wide")


def _columns(part: Part) -> dict[str, list[Value]]:
    return {head: [row[at] for row in part.rows] for at, head in enumerate(part.columns)}


def _are_numbers(column: Iterable[Value]) -> bool:
    values = [value for value in column if value is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _cell(value: Value, origin: str = "") -> Cell:
    return Cell(_text(value), mark=MARKS.get(origin, ""), is_doubtful=bool(origin) and origin not in VOUCHED)


def _text(value: Value) -> str:
    """Return a value as people read it.

    >>> _text(("heavy", "jump")), _text(()), _text(True), _text(None)
    ('heavy, jump', 'none', 'true', '–')
    """
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "–" if value is None else show_value(value)


def tables(page: GamePage) -> Mapping[str, pl.DataFrame]:
    """Return the table of each part, by its title; what is no column of numbers is text."""
    import polars as pl

    frames: dict[str, pl.DataFrame] = {}
    for part in page.parts:
        cells = {
            head: column if _are_numbers(column) else [None if value is None else _text(value) for value in column]
            for head, column in _columns(part).items()
        }
        if cells:
            name = part.title or page.page or part.columns[0]
            frames[f"{name} {part.details}" if name in frames else name] = pl.DataFrame(cells, strict=False)
    return frames


WORDS = AnswerWords.whole(sentence, full, tables)
OVERVIEW = AnswerWords.alike(sentence, overview, basis, tables, foot)

"""The blocks of an answer as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from rich import table as rich_table
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from balance.answers.blocks.lines import Bullets, Facts, Paragraph, Title, Verbatim
from balance.answers.blocks.tables import Cell, HeatMap, Table
from balance.answers.blocks.text import parse_runs, plain
from balance.answers.form import AnswerWords, Terms
from balance.answers.media.screens import first_screen
from balance.answers.media.terminal import Rows, Shortened, Whole, picture, table_in_parts, title
from balance.base.text import one_line

if TYPE_CHECKING:
    from balance.answers.blocks.document import Block

T = TypeVar("T")
VERDICT_STYLES = {"overpowered": "red", "underpowered": "blue", "fair": "green"}
STYLES = {"text": "", "strong": "bold", "aside": "dim"}


def screen_of_answer(words: AnswerWords[T], value: T, terms: Terms, more: bool) -> list[RenderableType]:
    """Return what a terminal draws of an answer: its first screen, or everything."""
    if more:
        return list(drawn(words.full(value, terms)))
    screen = words.short(value, terms)
    return list(first_screen(drawn(screen.top), drawn(screen.body), drawn(screen.foot), screen.below))


def drawn(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    """Yield what rich draws of blocks, from top to bottom; raise TypeError for one that only pages know."""
    for block in blocks:
        if isinstance(block, Paragraph) and block.is_cut:
            yield Shortened(plain(block.text), STYLES[block.role])
        elif isinstance(block, Paragraph):
            yield Padding(_marked(block), (0, 0, int(block.gap), 2))
        elif isinstance(block, Title):
            yield title(block.text, *block.details)
        elif isinstance(block, Verbatim):
            yield Whole(*block.lines)
            if block.gap:
                yield ""
        elif isinstance(block, Bullets):
            yield from (Padding(_marked(Paragraph(f"- {item}")), (0, 0, 0, 4)) for item in block.items)
            if block.gap:
                yield ""
        elif isinstance(block, Facts):
            yield _facts(block)
        elif isinstance(block, Table | HeatMap):
            rows = _rows(block) if isinstance(block, Table) else _crosstable(block)
            in_parts = isinstance(block, Table) and block.in_parts
            yield from table_in_parts(rows.headers, rows.rows, rows.right) if in_parts else [rows]
            if block.note:
                yield from drawn([Paragraph(block.note, "aside", gap=True)])
        else:
            raise TypeError(f"a terminal draws no {type(block).__name__}")


def _marked(paragraph: Paragraph) -> Text:
    text = Text(style=STYLES[paragraph.role])
    for style, characters in parse_runs(one_line(paragraph.text)):
        text.append(characters, "bold" if style == "bold" else None)
    return text


def _facts(block: Facts) -> Padding:
    grid = rich_table.Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in block.rows:
        grid.add_row(label and f"  {label}", one_line(value))
    return Padding(grid, (0, 0, int(block.gap), 0))


def _cell(cell: Cell) -> Text | str:
    """Return a cell as `Rows` takes it: drawings, verdicts and what nobody vouches for in colour."""
    if cell.is_drawing:
        return picture(cell.text)
    if cell.mark:
        return Text.assemble(one_line(cell.text), (f"\u00a0{cell.mark}", "yellow" if cell.is_doubtful else "dim"))
    return Text(cell.text, style) if (style := VERDICT_STYLES.get(cell.text)) else cell.text


def _rows(block: Table) -> Rows:
    return Rows(
        [column.name for column in block.columns],
        [[_cell(cell) for cell in row] for row in block.rows],
        [column.name for column in block.columns if column.align == "right"],
        [column.name for column in block.columns if column.whole],
        caption=plain(block.caption),
        spare=[column.name for column in block.columns if column.is_spare],
    )


def _crosstable(block: HeatMap) -> Rows:
    """Return a heat map as a table whose columns are numbered like its rows."""
    numbers = [str(at) for at in range(1, len(block.column_labels) + 1)]
    labels = [f"{at} {label}" for at, label in enumerate(block.row_labels, start=1)]
    rows = [[label, *cells] for label, cells in zip(labels, block.cells, strict=True)]
    return Rows(
        [f"{block.row_title} {block.column_title}", *numbers], rows, numbers, numbers, caption=plain(block.caption)
    )

"""A report as plain text that can be read and compared: every word of it, what cells sort by, and what pictures show.

Non-breaking spaces are written as `~`, the number that a cell sorts by as `{24}`, the shade of a heat map as `@0.5`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Drawing
from matplotlib.text import Annotation

from balance.answers.blocks.document import Block
from balance.reporting import (
    Attachment,
    Bullets,
    Callout,
    Column,
    Document,
    Facts,
    Figure,
    HeatMap,
    Paragraph,
    Section,
    Table,
    Verdicts,
)
from balance.reporting.figures import canvas

SIDES = {"left": "", "right": " >", "center": " ^"}


def in_words(document: Document) -> str:
    """Return a document as text."""
    lines = [f"# {document.title}", document.subtitle, *told(document.blocks), ""]
    lines += [f"{label}: {value}" for label, value in document.facts]
    return "\n".join(line.rstrip() for line in lines).replace("\u00a0", "~") + "\n"


def told(blocks: Iterable[Block], level: int = 2) -> Iterator[str]:
    """Yield the lines of some blocks."""
    for block in blocks:
        yield ""
        if isinstance(block, Section):
            yield f"{'#' * level} {block.title} ({block.anchor})"
            yield from told(block.blocks, level + 1)
        else:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from _wrapped(block.text)
    elif isinstance(block, Bullets):
        for item in block.items:
            yield from _wrapped(f"- {item}")
    elif isinstance(block, Callout):
        yield from _wrapped(f"[{block.kind}: {block.title}] {block.text}")
    elif isinstance(block, Verdicts):
        for row in block.rows:
            yield from _wrapped(f"[{row.verdict}] {row.name}: {row.sentence} ({row.interval})")
    elif isinstance(block, Facts):
        yield from (f"{label}: {value}" for label, value in block.rows)
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, HeatMap):
        yield from _map(block)
    elif isinstance(block, Figure):
        yield from [f"[figure] {block.caption}", *_wrapped(block.alt), block.picture.wide, block.picture.narrow]
    elif isinstance(block, Attachment):
        yield from [f"{block.text} [{block.name}]", *block.content.decode().splitlines()[:1]]
    else:
        yield f"[{type(block).__name__}]"


def _wrapped(text: str) -> list[str]:
    lines = textwrap.wrap(text, 116, break_long_words=False, break_on_hyphens=False)
    return [line if place == 0 else f"  {line}" for place, line in enumerate(lines)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(block: Table) -> Iterator[str]:
    yield from _wrapped(f"[table] {block.caption}")
    yield _row(f"{column.name}{SIDES[column.align]}" for column in block.columns)
    for row in block.rows:
        yield _row(cell.text if cell.sort is None else f"{cell.text} {{{cell.sort:.6g}}}" for cell in row)
    yield from _tips(block.columns)
    yield from _wrapped(block.note)


def _tips(columns: Iterable[Column]) -> Iterator[str]:
    yield from (f"  {column.name}: {column.tip}" for column in columns if column.tip)


def _map(block: HeatMap) -> Iterator[str]:
    yield from _wrapped(f"[{block.palette} map, {block.better} is better for {block.favours}] {block.caption}")
    yield _row([f"{block.row_title} / {block.column_title}", *block.column_labels])
    for label, texts, shades in zip(block.row_labels, block.cells, block.shades, strict=True):
        cells = (text if shade is None else f"{text} @{shade:.4g}" for text, shade in zip(texts, shades, strict=True))
        yield _row([label, *cells])
    yield f"  legend: {' .. '.join(block.legend)}"
    yield from _wrapped(block.note)


# -- pictures --------------------------------------------------------------------------------------------------------


@contextmanager
def pictures_in_words() -> Iterator[None]:
    """Draw every picture as text inside the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canvas, "_to_svg", lambda figure: "\n".join(_drawing(figure)))
        yield


def _drawing(figure: Drawing) -> Iterator[str]:
    figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    yield f"  picture, {width:g} by {height:.4g} inches"
    for axes in figure.axes:
        for line, same in groupby(_axes(axes)):
            times = len(list(same))
            yield f"    {line}" + (f" ({times} times)" if times > 1 else "")
    for legend in figure.legends:
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            look = f"{to_hex(handle.get_color())} {handle.get_linestyle()} {handle.get_marker()}"
            yield f"    key: {look} {text.get_text()!r}, {text.get_fontsize():g} pt, {legend._ncols} beside each other"


def _axes(axes: Axes) -> Iterator[str]:
    yield f"x from {_numbers(axes.get_xlim())}: {axes.get_xlabel()!r}; ticks {_ticks(axes.get_xticklabels())}"
    yield f"y from {_numbers(axes.get_ylim())}: {axes.get_ylabel()!r}; ticks {_ticks(axes.get_yticklabels())}"
    if title := axes.get_title("left").strip():
        yield f"title {title!r}"
    for line in axes.lines:
        look = f"{to_hex(line.get_color())} {line.get_linestyle()} {line.get_linewidth():g} {line.get_marker()}"
        how = f"{line.get_drawstyle()} alpha {line.get_alpha()} over {line.get_zorder():g}"
        points = " ".join(_numbers(point) for point in line.get_xydata())
        yield f"line {look} {how} face {to_hex(line.get_markerfacecolor())}: {points}"
    for area in axes.collections:
        ends = area.get_paths()[0].vertices
        look = f"{to_hex(area.get_facecolor()[0])} alpha {area.get_alpha()} edge {area.get_linewidth()[0]:g}"
        yield f"area {look}: {' '.join(map(_numbers, ends))}"
    for bar in axes.patches:
        box = (bar.get_x(), bar.get_width(), bar.get_height())
        yield f"bar {to_hex(bar.get_facecolor())} edge {bar.get_linewidth():g}: {_numbers(box)}"
    for text in axes.texts:
        look = f"{to_hex(text.get_color())} {text.get_fontsize():g} pt {text.get_ha()} {text.get_va()}"
        place = (
            f"{_numbers(text.xy)} off {_numbers(text.xyann)}" if isinstance(text, Annotation) else text.get_position()
        )
        yield f"text {text.get_text()!r} {look} at {place}"


def _ticks(labels: Iterable[object]) -> str:
    return ", ".join(label.get_text().replace("\n", " / ") for label in labels)  # type: ignore[attr-defined]  # matplotlib's own texts


def _numbers(values: Iterable[float]) -> str:
    return f"({', '.join(f'{value:.4g}' for value in values)})"

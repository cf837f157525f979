"""A `Document` as plain JSON, the one thing both templates are given: cleaned, numbered, anchored, coloured.

The two renderings show the same text because they are filled from the same tree. Marked text is a list of
``[style, characters]`` runs; a shade is a step of the palette or None.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import singledispatchmethod
from typing import Any, TypeAlias

from balance.answers.blocks.document import (
    Attachment,
    Block,
    Callout,
    Document,
    Figure,
    PageBreak,
    Picture,
    Section,
    Verdicts,
)
from balance.answers.blocks.lines import Bullets, Facts, Paragraph, Title, Verbatim
from balance.answers.blocks.tables import Cell, Column, HeatMap, Number, Table
from balance.answers.blocks.text import clean, literal, parse_runs, shorten, slug
from balance.reporting.figures.canvas import for_both_schemes
from balance.reporting.figures.theme import STEPS, VERDICT_KEYS, VERDICT_SIGNS, step_of
from balance.reporting.page.layout import LABEL_LIMIT, fit_figure, plan_heatmap, plan_table
from balance.reporting.page.units import ends_of_column, unit_of_column

Json: TypeAlias = dict[str, Any]
RESERVED = ("main", "contents", "sources")


def as_model(document: Document) -> Json:
    """Return the document as JSON-ready dicts, lists and strings.

    The front holds the blocks up to and with the first section, the rest what follows the contents.
    """
    blocks = _Writer(files=document.files).blocks(document.blocks)
    first = next((place for place, block in enumerate(blocks) if block["kind"] == "section"), len(blocks))
    return {
        "title": clean(document.title),
        "subtitle": clean(document.subtitle),
        "language": slug(document.language),
        "facts": _pairs(document.facts),
        "files": [clean(name) for name in document.files if "/" not in name],
        "contents": _contents(blocks),
        "front": blocks[: first + 1],
        "rest": blocks[first + 1 :],
    }


def _pairs(rows: Iterable[tuple[str, str]]) -> list[Json]:
    return [{"label": clean(label), "value": clean(value)} for label, value in rows]


def _contents(blocks: list[Json]) -> list[Json]:
    sections = [block for block in blocks if block["kind"] == "section"]
    return [
        {"title": block["title"], "anchor": block["anchor"], "parts": _contents(block["blocks"])} for block in sections
    ]


def _runs(text: str) -> list[list[str]]:
    return [list(run) for run in parse_runs(text)]


@dataclass
class _Writer:
    """Walks once over a document, numbers its tables and figures, and keeps anchors unique."""

    tables: int = 0
    figures: int = 0
    files: tuple[str, ...] = ()
    level: int = 1
    anchors: set[str] = field(default_factory=lambda: set(RESERVED))

    def blocks(self, blocks: Iterable[Block]) -> list[Json]:
        return [self.write(block) for block in blocks]

    @singledispatchmethod
    def write(self, block: Block) -> Json:
        raise TypeError(f"no writer for {type(block).__name__}")

    @write.register
    def _(self, block: Paragraph) -> Json:
        return {"kind": "paragraph", "runs": _runs(block.text)}

    @write.register
    def _(self, block: Title) -> Json:
        return self.write(Paragraph(" ".join([f"**{literal(block.text)}**", *map(literal, block.details)])))

    @write.register
    def _(self, block: Verbatim) -> Json:
        return {"kind": "paragraph", "runs": [["code", clean(line)] for line in block.lines]}

    @write.register
    def _(self, block: Bullets) -> Json:
        return {"kind": "bullets", "items": [_runs(item) for item in block.items]}

    @write.register
    def _(self, block: Callout) -> Json:
        return {"kind": "callout", "tone": block.kind, "title": clean(block.title), "runs": _runs(block.text)}

    @write.register
    def _(self, block: Verdicts) -> Json:
        rows = [
            {
                "name": clean(row.name),
                "word": row.verdict,
                "tone": VERDICT_KEYS[row.verdict],
                "sign": VERDICT_SIGNS[row.verdict],
                "runs": _runs(row.sentence),
                "interval": clean(row.interval),
            }
            for row in block.rows
        ]
        return {"kind": "verdicts", "rows": rows}

    @write.register
    def _(self, block: Facts) -> Json:
        return {"kind": "facts", "rows": _pairs(block.rows)}

    @write.register
    def _(self, block: Attachment) -> Json:
        return {"kind": "attachment", "name": block.name, "runs": _runs(block.text)}

    @write.register
    def _(self, block: PageBreak) -> Json:
        return {"kind": "pagebreak"}

    @write.register
    def _(self, block: Section) -> Json:
        anchor = self._anchor(block.anchor or block.title)
        self.level += 1
        breaks = isinstance(next(iter(block.blocks), None), PageBreak)
        inner = self.blocks(block.blocks[1:] if breaks else block.blocks)
        level = self.level
        self.level -= 1
        title = clean(block.title)
        return {"kind": "section", "level": level, "title": title, "anchor": anchor, "breaks": breaks, "blocks": inner}

    @write.register
    def _(self, block: Table) -> Json:
        columns = [
            {"name": clean(column.name), "align": column.align, "tip": _runs(column.tip), "unit": _unit(column, cells)}
            for column, cells in zip(block.columns, _cells_of_columns(block), strict=True)
        ]
        rows = [[_written(cell) for cell in row] for row in _with_ends(block)]
        return {
            "kind": "table",
            **self._caption_fields("Table", block.caption),
            "columns": columns,
            "rows": rows,
            "note": _runs(block.note),
            "source": self._source(block),
            "sheet": asdict(plan_table(block)),
        }

    @write.register
    def _(self, block: HeatMap) -> Json:
        grid = asdict(plan_heatmap(block))
        return {
            "kind": "heatmap",
            **self._caption_fields("Table", block.caption),
            "palette": block.palette,
            "columns": [clean(label) for label in block.column_labels],
            "units": _heat_units(block),
            "heads": [shorten(label, LABEL_LIMIT) for label in block.column_labels],
            "rows": _heat_rows(block),
            "row_title": clean(block.row_title),
            "column_title": clean(block.column_title),
            "legend": [clean(text) for text in block.legend][:: 1 if block.better == "more" else -1],
            "scale": [f"{word} for {clean(block.favours)}" for word in ("worse", "better")],
            "note": _runs(block.note),
            "unit": clean(block.unit),
            "source": self._source(block),
            "grid": grid,
        }

    @write.register
    def _(self, block: Figure) -> Json:
        paper = fit_figure(*_size(block.picture.wide))
        return {
            "kind": "figure",
            **self._caption_fields("Figure", block.caption),
            "alt": clean(block.alt),
            "svg": block.picture.wide,
            "wide": _screen(block.picture.wide),
            "narrow": _screen(block.picture.narrow) if block.picture.narrow else None,
            "paper": [round(paper[0], 2), round(paper[1], 2)],
            "marks": _marks(block.picture),
            "source": self._source(block),
        }

    def _source(self, block: Table | HeatMap | Figure) -> str:
        """Return the address of the file with the run's table behind a block; "" if none is beside the page."""
        file = f"tables/{block.source}.parquet"
        return file if file in self.files else ""

    def _caption_fields(self, noun: str, caption: str) -> Json:
        counter = noun.lower() + "s"
        number = getattr(self, counter) + 1
        setattr(self, counter, number)
        return {"number": f"{noun} {number}", "id": self._anchor(f"{noun}-{number}"), "caption": _runs(caption)}

    def _anchor(self, name: str) -> str:
        """Return a link end that no other block has: the name, numbered if it is taken."""
        base = anchor = slug(name)
        count = 1
        while anchor in self.anchors:
            count += 1
            anchor = f"{base}-{count}"
        self.anchors.add(anchor)
        return anchor


def _heat_rows(heat: HeatMap) -> list[Json]:
    rows = []
    numbers = heat.numbers or [[(None, None, None)] * len(heat.column_labels)] * len(heat.row_labels)
    for label, *cells_of in zip(heat.row_labels, heat.cells, heat.shades, numbers, strict=True):
        cells = [
            {"text": clean(text), "step": None if shade is None else _step(shade, heat), **_numbers(number)}
            for text, shade, number in zip(*cells_of, strict=True)
        ]
        rows.append({"label": clean(label), "cells": cells})
    return rows


def _numbers(number: Number) -> Json:
    """Return the number of a cell as `sort`, and its interval as `ends`, None without one."""
    value, low, high = map(_shorten, number)
    return {"sort": value, "ends": None if low is None or high is None else [low, high]}


def _shorten(value: float | None) -> float | None:
    """Return a number to nine digits: all that anybody reads, and the same on every machine.

    >>> _shorten(1 / 3), _shorten(3), _shorten(24.0)
    (0.333333333, 3, 24)
    """
    if value is None or not math.isfinite(value):
        return value
    short = float(f"{value:.9g}")
    return int(short) if short.is_integer() else short


def _cells_of_columns(block: Table) -> list[list[Cell]]:
    return [[row[place] for row in block.rows] for place in range(len(block.columns))]


def _unit(column: Column, cells: Sequence[Cell]) -> str:
    return clean(unit_of_column(column.name, column.unit, [(clean(cell.text), cell.sort) for cell in cells]))


def _with_ends(block: Table) -> list[list[Cell]]:
    """Return the cells by row; those whose text is an interval get its ends, unless they have them."""
    columns = []
    for cells in _cells_of_columns(block):
        has_ends = any(cell.low is not None for cell in cells)
        ends = [None] * len(cells) if has_ends else ends_of_column([(clean(cell.text), cell.sort) for cell in cells])
        columns.append(
            [
                cell if pair is None else replace(cell, low=pair[0], high=pair[1])
                for cell, pair in zip(cells, ends, strict=True)
            ]
        )
    return [list(row) for row in zip(*columns, strict=True)]


def _written(cell: Cell) -> Json:
    return {"text": clean(cell.text), **_numbers((cell.sort, cell.low, cell.high))}


def _heat_units(heat: HeatMap) -> list[str]:
    """Return the unit of each column of a heat map."""
    units = []
    for place, label in enumerate(heat.column_labels):
        numbers = [row[place][0] for row in heat.numbers] if heat.numbers else [None] * len(heat.row_labels)
        texts = [clean(row[place]) for row in heat.cells]
        units.append(clean(unit_of_column(label, heat.unit, list(zip(texts, numbers, strict=True)))))
    return units


def _marks(picture: Picture) -> Json | None:
    """Return the numbers of a picture and the places of its marks; None where it has none."""
    marks = picture.marks
    if marks is None or not marks.rows:
        return None
    rows = [[clean(value) if isinstance(value, str) else _shorten(value) for value in row] for row in marks.rows]
    flat = {
        name: [number for place in places for number in place]
        for name, places in (("wide", picture.wide_places), ("narrow", picture.narrow_places))
    }
    return {"columns": list(map(clean, marks.columns)), "rows": rows, "spread": marks.spread, **flat}


def _step(shade: float, heat: HeatMap) -> int:
    """Return the step of a shade, reversed where less is better, so that step 0 is worst for whom the map favours."""
    step = step_of(shade, heat.palette)
    return step if heat.better == "more" else STEPS - 1 - step


def _screen(svg: str) -> Json:
    """Return a picture for a browser: base64 of the SVG, and width and height in pixels."""
    width, height = _size(svg)
    data = base64.b64encode(for_both_schemes(svg).encode()).decode("ascii")
    return {"data": data, "width": round(width * 4 / 3), "height": round(height * 4 / 3)}


def _size(svg: str) -> tuple[float, float]:
    """Return the width and height of an SVG in points; 480 by 300 where it does not tell them."""
    head = svg[svg.find("<svg") :].partition(">")[0]
    matches = [re.search(rf'\b{name}="([0-9.]+)(pt|px|in)?"', head) for name in ("width", "height")]
    units = {"pt": 1.0, "in": 72.0, "px": 0.75, None: 0.75}
    if matches[0] is None or matches[1] is None:
        return 480.0, 300.0
    return float(matches[0][1]) * units[matches[0][2]], float(matches[1][1]) * units[matches[1][2]]

"""The sections that a game declares: their words, their tables as tables or heat maps, and their findings as sentences.

A finding is a sentence of the settings with fields in braces: `least` and `most` are the ends of what its table shows,
`least_row`, `least_column`, `most_row` and `most_column` where they are, and `cell[ROW][COLUMN]` is any one cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

import polars as pl

from balance.analysis.declared import frame_name
from balance.analysis.declared_settings import DeclaredSection, DeclaredTable
from balance.report import Column, HeatMap, Paragraph, Section, literal, table
from balance.report.document import Block
from balance.report.numbers import NO_BREAK, show_count, show_fixed, show_probability, show_unit
from balance.report.sections.words import Pages

__all__ = ["declared_sections", "headline_findings"]

Row = Mapping[str, Any]
NO_NUMBER = "–"


def declared_sections(pages: Pages) -> list[Section]:
    """Return the sections that the game's settings declare and the run worked out."""
    found = (_section(pages, section) for section in pages.run.settings.sections)
    return [section for section in found if section is not None]


def headline_findings(pages: Pages) -> list[str]:
    """Return the findings that belong on the first page, as marked text."""
    tables = [part for section in pages.run.settings.sections for part in section.tables if part.headline]
    known = [(part, pages.table(frame_name(part))) for part in tables]
    return [text for part, frame in known if frame is not None and (text := _finding(part, frame))]


def _section(pages: Pages, section: DeclaredSection) -> Section | None:
    blocks: list[Block] = [Paragraph(section.text)] if section.text else []
    n_words = len(blocks)
    for part in section.tables:
        frame = pages.table(frame_name(part))
        if frame is None:
            continue
        if finding := _finding(part, frame):
            blocks.append(Paragraph(finding))
        blocks.append(_heat_map(part, frame) if part.draw == "heat map" else _table(part, frame))
    return Section(section.title, f"section-{section.id}", tuple(blocks)) if len(blocks) > n_words else None


# -- numbers as text -------------------------------------------------------------------------------------------------


def _text(row: Row, decimals: int | None, bare: bool = False) -> str:
    """Return what a cell shows; `bare` without units."""
    if row["value"] is None:
        return _beyond(row["beyond"])
    text = _number(row, row["value"], decimals, bare)
    if row["low"] is None:
        return text
    half = (row["high"] - row["low"]) / 2 * (100 if row["is_share"] else 1)
    return f"{text}{NO_BREAK}±{show_fixed(half, _decimals(row, decimals) + bool(row['is_share']))}"


def _number(row: Row, value: float, decimals: int | None, bare: bool) -> str:
    places = _decimals(row, decimals)
    if row["show"] in ("difference", "worth"):
        number = show_fixed(100 * value if row["is_share"] else value, places)
        text = f"+{number}" if value > 0 and number.strip("0.,") else number
        return show_unit(text, "pp") if row["is_share"] and not bare else text
    if row["is_share"]:
        text = show_probability(value, places)
        return text.removesuffix("%") if bare else text
    return show_fixed(value, places)


def _decimals(row: Row, decimals: int | None) -> int:
    return decimals if decimals is not None else 0 if row["is_share"] else 1 if row["show"] == "worth" else 2


def _beyond(step: int | None) -> str:
    if step is None:
        return NO_NUMBER
    return f"{'>' if step > 0 else '<'}{NO_BREAK}{show_fixed(step, 0)}"


def _rank(row: Row) -> float | None:
    """Return the number that a cell sorts and is shaded by."""
    value = row["beyond"] if row["value"] is None else row["value"]
    return None if value is None else float(value)


# -- tables ----------------------------------------------------------------------------------------------------------


def _grid(frame: pl.DataFrame) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
    """Return the labels of rows and columns, and the cells by both."""
    rows = frame["row"].unique(maintain_order=True).to_list()
    columns = frame["column"].unique(maintain_order=True).to_list()
    return rows, columns, {(row["row"], row["column"]): row for row in frame.iter_rows(named=True)}


def _table(part: DeclaredTable, frame: pl.DataFrame) -> Block:
    rows, columns, cells = _grid(frame)
    heads: list[Column | str] = [part.row_title.capitalize(), *(Column(name, "right") for name in columns)]
    body = []
    for row in rows:
        found = [cells[row, column] for column in columns]
        shown = [
            (_text(cell, part.decimals), rank) if (rank := _rank(cell)) is not None else NO_NUMBER for cell in found
        ]
        body.append([row, *shown])
    return table(heads, body, _caption(part, frame), part.note)


def _heat_map(part: DeclaredTable, frame: pl.DataFrame) -> Block:
    rows, columns, cells = _grid(frame)
    ranks = [[_rank(cells[row, column]) for column in columns] for row in rows]
    low, middle, high = _scale(frame, [rank for line in ranks for rank in line if rank is not None])
    signed, sample = low < middle, frame.row(0, named=True)
    return HeatMap(
        row_labels=tuple(rows),
        column_labels=tuple(columns),
        cells=tuple(tuple(_text(cells[row, column], part.decimals, bare=True) for column in columns) for row in rows),
        shades=tuple(
            tuple(None if rank is None else (rank - middle) / (high - middle) for rank in line) for line in ranks
        ),
        caption=_caption(part, frame),
        palette="diverging" if signed else "sequential",
        row_title=part.row_title,
        column_title=part.column_title,
        legend=tuple(_number(sample, end, part.decimals, bare=True) for end in (low, (low + high) / 2, high)),
        note=part.note,
    )


def _scale(frame: pl.DataFrame, known: Sequence[float]) -> tuple[float, float, float]:
    """Return the least, the neutral and the largest number of a scale; the first two agree where no number is neutral.

    Neutral is no difference, and an even chance to win.
    """
    top = max(map(abs, known), default=1.0) or 1.0
    if min(known, default=0.0) < 0 or frame["show"].is_in(["difference", "worth"]).any():
        return -top, 0.0, top
    if not frame["is_share"].all():
        return 0.0, 0.0, top
    wins = frame["measure"].str.contains("^(wins|score) of").all()
    return 0.0, 0.5 if wins else 0.0, 1.0


def _caption(part: DeclaredTable, frame: pl.DataFrame) -> str:
    """Return the caption with what its numbers are."""
    kinds = set(frame["kind"].to_list()) - {"not asked"}
    if kinds == {"exact"}:
        return f"{part.caption}. Exact."
    which = "Numbers with ± are simulated" if "exact" in kinds else "Simulated"
    return f"{part.caption}. {which}, {show_count(part.trials)} trials each; ± is a 95 % interval of each by itself."


# -- findings --------------------------------------------------------------------------------------------------------


def _finding(part: DeclaredTable, frame: pl.DataFrame) -> str:
    """Return the finding of a table, or nothing if it speaks of cells that this run does not have."""
    rows, columns, cells = _grid(frame)
    ranked = [row for row in cells.values() if _rank(row) is not None]
    if not part.finding or not ranked:
        return ""
    said = {place: _text(row, part.decimals).removeprefix("+") for place, row in cells.items()}
    known = {f"cell[{row}][{column}]": said[row, column] for row in rows for column in columns}
    for word, row in (("least", min(ranked, key=_order)), ("most", max(ranked, key=_order))):
        known |= {word: said[row["row"], row["column"]]}
        known |= {f"{word}_{axis}": literal(row[axis]) for axis in ("row", "column")}
    return _fill(part.finding, known)


def _order(row: Row) -> float:
    return _rank(row) or 0.0


def _fill(text: str, known: Mapping[str, str]) -> str:
    """Return a text with its fields filled in, or nothing if one of them is not known.

    >>> _fill("{most} of {most_row}", {"most": "3", "most_row": "dice"}), _fill("{cell[a][b]}", {})
    ('3 of dice', '')
    """
    filled: list[str] = []
    for before, field, _, _ in Formatter().parse(text):
        if field is not None and field not in known:
            return ""
        filled += [before, known[field] if field is not None else ""]
    return "".join(filled)

"""The sections that a game declares: their words, their tables as tables or heat maps, and their findings."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import Number
from balance.base.numbers import show_count
from balance.reporting import Cell, Column, HeatMap, Paragraph, Section, Table, table
from balance.reporting.sections.common.cell_text import NO_NUMBER, Row, cell_text, grid, measure_unit, number_text
from balance.reporting.sections.common.findings import caution_text, finding_text, is_headline
from balance.reporting.sections.common.words import Pages
from balance.study.frames.claims import rank
from balance.study.frames.report_settings import GameSettings
from balance.study.frames.report_tables import frame_name
from balance.study.settings.tables import ReportSection, ReportTable


def report_sections(pages: Pages) -> list[Section]:
    """Return the sections that the game's settings declare and the run worked out."""
    sections = (_section(pages, section) for section in pages.run.settings.sections if section.shown)
    return [section for section in sections if section is not None]


def headline_findings(pages: Pages) -> list[str]:
    """Return the findings that belong on the first page, as marked text."""
    return [finding_text(part, frame) for part, frame in headline_tables(pages)]


def headline_tables(pages: Pages) -> list[tuple[ReportTable, pl.DataFrame]]:
    """Return the tables whose findings belong on the first page, as declared and with their cells."""
    return [
        (part, frame) for part, frame in _worked_out(pages) if is_headline(part, frame) and finding_text(part, frame)
    ]


def table_cautions(pages: Pages) -> list[str]:
    """Return the cautions of the tables that the run worked out, as marked text."""
    return [text for part, frame in _worked_out(pages) if (text := caution_text(part, frame))]


def tables_by_id(pages: Pages) -> dict[str, tuple[ReportTable, pl.DataFrame]]:
    """Return each table that the run worked out, as declared and with its cells, by id."""
    return {part.id: (part, frame) for part, frame in _worked_out(pages)}


def _worked_out(pages: Pages) -> list[tuple[ReportTable, pl.DataFrame]]:
    tables = [part for section in pages.run.settings.sections for part in section.tables]
    return [(part, frame) for part in tables if (frame := pages.table(frame_name(part))) is not None]


def _section(pages: Pages, section: ReportSection) -> Section | None:
    blocks: list[Block] = [Paragraph(section.text)] if section.text else []
    n_words = len(blocks)
    for part in section.tables:
        frame = pages.table(frame_name(part))
        if frame is None:
            continue
        if finding := finding_text(part, frame):
            blocks.append(Paragraph(finding))
        draw = _heat_map if part.draw == "heat map" else draw_table
        blocks.append(draw(part, frame, pages.run.settings))
    return Section(section.title, f"section-{section.id}", tuple(blocks)) if len(blocks) > n_words else None


# -- tables ----------------------------------------------------------------------------------------------------------


def draw_table(part: ReportTable, frame: pl.DataFrame, settings: GameSettings) -> Table:
    """Return a report table as a table of the document."""
    rows, columns, cells = grid(frame)
    heads: list[Column | str] = [
        part.row_title.capitalize(),
        *(Column(name, "right", unit=measure_unit(frame.row(0, named=True))) for name in columns),
    ]
    body: list[list[Cell | str]] = []
    for row in rows:
        line = [cells[row, column] for column in columns]
        body_cells = [
            NO_NUMBER if (value := rank(cell)) is None
            else Cell(cell_text(cell, part.decimals), value, cell["low"], cell["high"])
            for cell in line
        ]  # fmt: skip
        body.append([row, *body_cells])
    return table(heads, body, table_caption(part, frame, settings), part.note, frame_name(part))


def _heat_map(part: ReportTable, frame: pl.DataFrame, settings: GameSettings) -> Block:
    rows, columns, cells = grid(frame)
    ranks = [[rank(cells[row, column]) for column in columns] for row in rows]
    low, middle, high = _scale(frame, [rank for line in ranks for rank in line if rank is not None])
    signed, sample = low < middle, frame.row(0, named=True)
    return HeatMap(
        row_labels=tuple(rows),
        column_labels=tuple(columns),
        cells=tuple(
            tuple(cell_text(cells[row, column], part.decimals, bare=True) for column in columns) for row in rows
        ),
        shades=tuple(
            tuple(None if rank is None else (rank - middle) / (high - middle) for rank in line) for line in ranks
        ),
        caption=table_caption(part, frame, settings),
        palette="diverging" if signed else "sequential",
        row_title=part.row_title,
        column_title=part.column_title,
        legend=tuple(number_text(sample, end, part.decimals, bare=True) for end in (low, (low + high) / 2, high)),
        note=part.note,
        better=part.better,
        favours=part.favours,
        numbers=tuple(tuple(_number(cells[row, column]) for column in columns) for row in rows),
        unit=measure_unit(sample),
        source=frame_name(part),
    )


def _number(cell: Row) -> Number:
    return cell["value"], cell["low"], cell["high"]


def _scale(frame: pl.DataFrame, numbers: Sequence[float]) -> tuple[float, float, float]:
    """Return the least, neutral and largest number of a colour scale; the first two agree where none is neutral.

    Neutral is 0 for differences, and 1/2 for chances to win.
    """
    top = max(map(abs, numbers), default=1.0) or 1.0
    if min(numbers, default=0.0) < 0 or frame["show"].is_in(["difference", "worth"]).any():
        return -top, 0.0, top
    if not frame["is_share"].all():
        return 0.0, 0.0, top
    wins = frame["measure"].str.contains("^(wins|score) of").all()
    return 0.0, 0.5 if wins else 0.0, 1.0


def table_caption(part: ReportTable, frame: pl.DataFrame, settings: GameSettings) -> str:
    """Return the caption, with who played how and what the numbers are."""
    text = f"{part.caption}. {_players_text(frame, settings)}"
    known_by = set(frame["kind"].to_list()) - {"not asked"}
    if known_by == {"exact"}:
        return f"{text}Exact."
    kind_text = "Numbers with ± are simulated" if "exact" in known_by else "Simulated"
    counts = sorted({*frame.filter(show="value")["n_trials"].drop_nulls()}) or [part.trials]
    trials = " or ".join(map(show_count, counts))
    return f"{text}{kind_text}, {trials} trials each; ± is a 95 % interval of each by itself."


def _players_text(frame: pl.DataFrame, settings: GameSettings) -> str:
    """Return the choices of play that are the same in the whole table; rows and columns tell the others."""
    pairs = [
        choice.partition("=")[::2] for choice in frame["choices"].explode().drop_nulls().unique(maintain_order=True)
    ]
    values_of_players = {name: [value for player, value in pairs if player == name] for name in settings.players}
    fixed = {
        name: settings.names.get(values[0], values[0]) for name, values in values_of_players.items() if len(values) == 1
    }
    if len(fixed) == len(values_of_players) > 1 and len(set(fixed.values())) == 1:
        return f"Both sides play: {next(iter(fixed.values()))}. "
    return "".join(f"{name.replace('_', ' ').capitalize()}: {value}. " for name, value in fixed.items())

"""What a conclusion rests on: how far assumed values move it, the fewest moves that flip it, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from balance.analysis.scores.equivalence import TIE
from balance.answers.blocks.document import Block, Figure
from balance.answers.blocks.tables import HeatMap
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability, show_step
from balance.reporting import Paragraph, Section, literal, table
from balance.reporting.figures.tornado import MOST_ROWS, Bar, plot_bars_of
from balance.reporting.sections.common.words import Pages
from balance.study.frames.robustness import ReportRobustness, part_name

Row = Mapping[str, Any]


def robust_sections(pages: Pages) -> list[Section]:
    """Return a section for each conclusion that the run held against assumed values."""
    return [_section(pages, conclusion, row) for conclusion, row in _conclusions(pages)]


def robust_findings(pages: Pages) -> list[str]:
    """Return the declared sentences on conclusions for the first page, with their fields filled in, as marked text."""
    return [
        conclusion.finding.replace("{value}", literal(_number(row, "value", "low", "high")))
        .replace("{says}", literal(row["says"]))
        .replace("{flip}", literal(_flip(row)))
        for conclusion, row in _conclusions(pages)
        if conclusion.finding
    ]


def _conclusions(pages: Pages) -> list[tuple[ReportRobustness, Row]]:
    frame = pages.table("robustness")
    rows = {} if frame is None else {row["id"]: row for row in frame.iter_rows(named=True)}
    return [(conclusion, rows[conclusion.id]) for conclusion in pages.run.settings.robustness if conclusion.id in rows]


def _section(pages: Pages, conclusion: ReportRobustness, row: Row) -> Section:
    parts = {part: pages.run.table(part_name(conclusion.id, part)) for part in ("values", "moves", "region")}
    blocks: list[Block] = [Paragraph(text) for text in (conclusion.text, _begin(pages, row)) if text]
    wide = parts["values"].filter(pl.col("highest") - pl.col("lowest") > TIE)
    if wide.height:
        blocks.append(replace(_tornado(row, wide), source=part_name(conclusion.id, "values")))
    if parts["moves"].height:
        moves = [[path, old or "none", new or "none"] for path, old, new in parts["moves"].iter_rows()]
        heading = "The moves that flip the conclusion" if row["flips"] else "The nearest that was found"
        flips = table(["Move", "From", "To"], moves, f"{heading}: {literal(_then(row))}")
        blocks.append(replace(flips, source=part_name(conclusion.id, "moves")))
    if parts["region"].height:
        blocks.append(replace(_map(row, parts["region"]), source=part_name(conclusion.id, "region")))
    if row["n_unseen"]:
        count = show_many(row["n_unseen"], "value")
        blocks.append(Paragraph(f"Not measurable here, as no move changes anything of the distribution: {count}."))
    return Section(conclusion.title, f"robust-{conclusion.id}", tuple(blocks))


def _show(row: Row, x: float) -> str:
    return show_probability(x) if row["is_share"] else show_number(x)


def _measure(row: Row) -> str:
    return f"{row['measure'][0].upper()}{row['measure'][1:]}"


def _number(row: Row, value: str, low: str, high: str) -> str:
    """Return a number, with its interval where it is simulated."""
    text = _show(row, row[value])
    if row["low"] == row["high"]:
        return text
    return f"{text} ({show_interval(row[low], row[high], lambda x: _show(row, x))})"


def _begin(pages: Pages, row: Row) -> str:
    """Return the first paragraph: the number, what it says, and how many moved values flip that."""
    names = pages.marked_name(row["one"]), pages.marked_name(row["other"])
    of_a_side = row["measure"].startswith(("score of", "wins of"))
    sides = f"Side a is {names[0]}, side b {names[1]}. " if of_a_side else f"{names[0]} against {names[1]}. "
    says = f": {literal(row['says'])}" if row["says"] else ""
    stands = ""
    if row["stands"] is not None and row["says"]:
        stands = f" It stands on {show_probability(row['stands'])} of the grid of turned faces below."
    return (
        f"**{literal(_measure(row))} {literal(_number(row, 'value', 'low', 'high'))}{says}.** {sides}"
        f"{show_many(row['n_values'], 'value')} that nobody stated moved, one at a time: {literal(_flip(row))}.{stands}"
    )


def _then(row: Row) -> str:
    """Return the number after the moves, and what is concluded from it."""
    says = f": {row['then_says']}" if row["then_says"] else ""
    return f"{_number(row, 'then', 'then_low', 'then_high')}{says}"


def _flip(row: Row) -> str:
    """Return how many values must move before the conclusion flips, as a clause."""
    if row["then"] is None:
        return "nothing is concluded from it"
    if not row["flips"]:
        return f"no {row['most']} together were found to flip it (the nearest is {_then(row)})"
    if row["n_moves"] > 1:
        return f"none flips it alone, {row['n_moves']} together do ({_then(row)})"
    alone = row["n_alone"]
    return f"one is enough to flip it ({_then(row)}), and {'no other is' if alone == 1 else f'{alone - 1} others are'}"


def _tornado(row: Row, wide: pl.DataFrame) -> Figure:
    bars = [Bar(*values) for values in wide.select("path", "is", "lowest", "highest").iter_rows()]
    picture = plot_bars_of(bars, row["value"], row["limit"], row["measure"], is_share=row["is_share"])
    widest = bars[0]
    alt = (f"The widest is {widest.path}: from {_show(row, widest.low)} to {_show(row, widest.high)}, "
           f"around {_show(row, row['value'])} as it is.")  # fmt: skip
    selection = f"the {MOST_ROWS} widest of {wide.height}" if wide.height > MOST_ROWS else "the widest on top"
    line = "; the line is where the conclusion turns" if row["limit"] is not None else ""
    return Figure(picture, alt, f"Between which ends each value moves the number, {selection}{line}")


def _map(row: Row, region: pl.DataFrame) -> HeatMap:
    """Return the number for every step of two turns of faces; in brackets where the conclusion flips."""
    xs, ys = (region[name].unique(maintain_order=True).to_list() for name in ("across", "down"))
    cells = {(x, y): (value, flips) for x, y, value, flips in region.iter_rows()}
    limit = row["value"] if row["limit"] is None else row["limit"]
    far = max((abs(value - limit) for value, _ in cells.values() if value is not None), default=0.0) or 1.0

    def text(x: int, y: int) -> str:
        value, flips = cells[x, y]
        if value is None:
            return "-"
        number = show_fixed(100 * value, 0) if row["is_share"] else show_number(value, 2)
        return f"[{number}]" if flips else number

    def shade(x: int, y: int) -> float | None:
        value, _ = cells[x, y]
        return None if value is None else (value - limit) / far

    unit = ", in per cent" if row["is_share"] else ""
    return HeatMap(
        tuple(map(show_step, ys)),
        tuple(map(show_step, xs)),
        tuple(tuple(text(x, y) for x in xs) for y in ys),
        tuple(tuple(shade(x, y) for x in xs) for y in ys),
        f"{literal(_measure(row))}{unit}, while faces are turned; in brackets where the conclusion is another",
        palette="diverging",
        row_title=row["down"],
        column_title=row["across"],
        note=f"Across: {literal(row['across'])}. Down: {literal(row['down'])}. Below 0 the other way round.",
        favours="the first side",
        numbers=tuple(tuple((cells[x, y][0], None, None) for x in xs) for y in ys),
        unit="share" if row["is_share"] else "",
    )

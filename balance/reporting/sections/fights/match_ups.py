"""The match-ups of a study: verdicts, the least known ones, and by which rule trials were spent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.base.numbers import show_count, show_fixed, show_many, show_probability, show_probability_change
from balance.reporting import Callout, Column, Figure, Paragraph, Section, table
from balance.reporting.figures.ranges import Family, Range, plot_ranges
from balance.reporting.sections.common.columns import Row, TableColumn, ends, frame_table, number, plain
from balance.reporting.sections.common.words import Pages
from balance.study.match_ups.verdict import MATCH_UP_VERDICTS

TIPS = {
    "fair": "of equal points, and the score is close to 1/2",
    "unfair": "of equal points, and it is not",
    "even": "of unequal points, and the score is close to 1/2 all the same",
    "one-sided": "of unequal points, and one side wins more often",
}
LOOKS: dict[str, Family] = {
    "fair": "fair", "even": "fair", "unfair": "over", "one-sided": "over", "not yet known": "unknown",
}  # fmt: skip
"""How the mark of a match-up looks, by its verdict."""
MOST_DRAWN = 30
"""Match-ups drawn, the least even first."""
MOST_ROWS = 300
"""Match-ups listed, the least even first; the table of the run holds all."""


def match_up_section(pages: Pages) -> Section | None:
    """Return the section on match-ups, or None if the study played none."""
    tasks = pages.table("tasks")
    if tasks is None:
        return None
    summary = pages.run.summary["match_ups"]
    charts = [_chart(pages, scored)] if (scored := _least_even(tasks).drop_nulls("score")).height else []
    blocks: list[Block] = [match_up_callout(summary), *charts, _verdicts(summary)]
    blocks += [Paragraph(text) for text in _method(summary)]
    blocks.append(_rows(pages, tasks))
    return Section("Match-ups", "match-ups", tuple(blocks))


def _points(share: float) -> str:
    return show_probability_change(share).lstrip("+")


def _be(n: int) -> str:
    return f"**{show_count(n)}** {'is' if n == 1 else 'are'}"


def match_up_callout(summary: dict[str, Any]) -> Callout:
    """Return a box on how match-ups come out, from a run's summary; only sides of equal points are called fair."""
    side, counts = next(iter(summary["verdicts"].items()))
    n = {word: counts.get(word, 0) for word in MATCH_UP_VERDICTS}
    side_text = f" ({side})" if len(summary["verdicts"]) > 1 else ""
    within, text = _points(summary["imbalance"]), f"{show_many(sum(n.values()), 'match-up')}{side_text}."
    if n["fair"] or n["unfair"]:
        text += f" Where both sides cost the same, {_be(n['fair'])} fair within {within} and {_be(n['unfair'])} not."
    if n["even"] or n["one-sided"]:
        text += (
            f" Where one side costs more, no score is fair or unfair: {_be(n['even'])} even within "
            f"{within}, {_be(n['one-sided'])} won by one side more often."
        )
    unknown = f" {show_many(n['not yet known'], 'is', 'are')} not yet known." if n["not yet known"] else ""
    return Callout("key", "How the match-ups come out", text + unknown)


def verdict_table(verdicts: Mapping[str, Mapping[str, int]], head: str, caption: str) -> Block:
    """Return how many match-ups have each verdict, one row per side; verdicts without any are left out.

    `verdicts` maps side -> verdict -> number, and `head` is the heading of the sides.
    """
    words = [word for word in MATCH_UP_VERDICTS if any(counts.get(word) for counts in verdicts.values())]
    rows = [[side, *(show_count(counts.get(word, 0)) for word in words)] for side, counts in verdicts.items()]
    heads: list[Column | str] = [head, *(Column(word.capitalize(), "right", TIPS.get(word, "")) for word in words)]
    return table(heads, rows, caption)


def _verdicts(summary: dict[str, Any]) -> Block:
    caption = "What is said of match-ups, by catalogue: as it is, and with each patch."
    return verdict_table(summary["verdicts"], "Catalogue", caption)


def _method(summary: dict[str, Any]) -> list[str]:
    texts = [f"{show_count(summary['n_exact'])} of {show_count(summary['n_tasks'])} are exact and carry no interval."]
    if summary["n_sampled"]:
        texts.append(
            f"{show_count(summary['n_sampled'])} were simulated with {show_count(summary['n_pairs'])} mirrored pairs, "
            f"two games on the same dice with the seats swapped: {summary['rule']}. **How trials were spread.** "
            f"{summary['allocation']}"
        )
        texts.append(
            "Intervals come from a bet against each value that could be the mean; they are valid at every look, and "
            f"hold for all match-ups together with {show_probability(summary['confidence'], 0)} (Bonferroni)."
        )
    return texts


def _least_even(tasks: pl.DataFrame) -> pl.DataFrame:
    return tasks.sort((pl.col("score") - 0.5).abs(), descending=True, maintain_order=True, nulls_last=True)


def _chart(pages: Pages, tasks: pl.DataFrame) -> Figure:
    """Return the picture of side a's score in each match-up, the least even first."""
    rows = [_range(pages, row) for row in tasks.head(MOST_DRAWN).iter_rows(named=True)]
    first = f" The {MOST_DRAWN} least even of {show_count(tasks.height)}." if tasks.height > MOST_DRAWN else ""
    axis = "score of the first named, in per cent"
    texts = [f"{row.name} {show_fixed(row.mark, 1)}, {row.word}" for row in rows]
    return Figure(
        plot_ranges(rows, axis, reference=50.0, heads=("match-up", "")),
        f"{axis}: {'; '.join(texts)}.",
        f"Score of the first named over both seats, a draw counting half, with its interval.{first}",
        "tasks",
    )


def _range(pages: Pages, row: Row) -> Range:
    low, high = (row["score"] if row[end] is None else row[end] for end in ("low", "high"))
    name = f"{pages.name(row['a'])} – {pages.name(row['b'])}"
    return Range(name, 100 * row["score"], 100 * low, 100 * high, LOOKS.get(row["verdict"], "plain"), row["verdict"])


def _rows(pages: Pages, tasks: pl.DataFrame) -> Block:
    ordered_tasks = _least_even(tasks)
    extra_columns = [name for name in ("side", "situation", "policies") if tasks[name].n_unique() > 1]
    columns = [
        plain("Match-up", lambda row: f"{pages.name(row['a'])} – {pages.name(row['b'])}"),
        plain("Verdict", "verdict"),
        *(plain(name.capitalize(), name) for name in extra_columns),
        number("Score", "score", show_probability),
        ends("Interval", "low", "high", show_probability, without="exact", align="left"),
        number("Going first", "advantage", show_probability_change),
        TableColumn(Column("Pairs", "right"), lambda row: show_count(row["n_pairs"]) if row["n_pairs"] else "–"),
    ]
    left_out = max(0, tasks.height - MOST_ROWS)
    note = f"{show_count(left_out)} more even ones are in the run's table `tasks`." if left_out else ""
    caption = "Score of the first named over both seats, a draw counting half, and what going first adds to a score."
    return frame_table(ordered_tasks.head(MOST_ROWS), columns, caption, note, "tasks")

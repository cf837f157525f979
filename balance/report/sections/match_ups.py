"""The match-ups of a study: verdicts, the least known ones, and by which rule trials were spent."""

from __future__ import annotations

from typing import Any

import polars as pl

from balance.report import Callout, Column, Paragraph, Section, table
from balance.report.document import Block
from balance.report.numbers import show_count, show_interval, show_probability, show_probability_change
from balance.report.sections.words import Pages

__all__ = ["match_up_callout", "match_up_section"]

MOST_ROWS = 300
"""Match-ups listed, the least fair first; the table of the run holds all."""


def match_up_section(pages: Pages) -> Section | None:
    """Return the section on match-ups, or None if the study played none."""
    tasks = pages.table("tasks")
    if tasks is None:
        return None
    found = pages.run.summary["match_ups"]
    blocks: list[Block] = [match_up_callout(found), _verdicts(found)]
    blocks += [Paragraph(text) for text in _method(found)]
    blocks.append(_rows(pages, tasks))
    return Section("Match-ups", "match-ups", tuple(blocks))


def _points(share: float) -> str:
    return show_probability_change(share).lstrip("+")


def match_up_callout(found: dict[str, Any]) -> Callout:
    """Return how many match-ups are fair, from the summary of a run."""
    side, counts = next(iter(found["verdicts"].items()))
    text = (
        f"Of {show_count(sum(counts.values()))} match-ups ({side}), **{show_count(counts['fair'])}** are fair within "
        f"{_points(found['imbalance'])}, **{show_count(counts['unfair'])}** are not, and "
        f"{show_count(counts['not yet known'])} are not yet known."
    )
    return Callout("key", "How fair the match-ups are", text)


def _verdicts(found: dict[str, Any]) -> Block:
    words = ("fair", "unfair", "not yet known")
    rows = [[side, *(show_count(counts[word]) for word in words)] for side, counts in found["verdicts"].items()]
    heads: list[Column | str] = ["Catalogue", *(Column(word.capitalize(), "right") for word in words)]
    return table(heads, rows, "Verdicts on match-ups, by catalogue: as it is, and with each patch.")


def _method(found: dict[str, Any]) -> list[str]:
    texts = [f"{show_count(found['n_exact'])} of {show_count(found['n_tasks'])} are exact and carry no interval."]
    if found["n_sampled"]:
        texts.append(
            f"{show_count(found['n_sampled'])} were simulated with {show_count(found['n_pairs'])} mirrored pairs, two "
            f"games on the same dice with the seats swapped: {found['rule']}. **How trials were spread.** "
            f"{found['allocation']}"
        )
        texts.append(
            "Intervals come from a bet against each value that could be the mean; they are valid at every look, and "
            f"hold for all match-ups together with {show_probability(found['confidence'], 0)} (Bonferroni)."
        )
    return texts


def _rows(pages: Pages, tasks: pl.DataFrame) -> Block:
    ordered = tasks.sort((pl.col("score") - 0.5).abs(), descending=True, maintain_order=True, nulls_last=True)
    varied = [name for name in ("side", "situation", "policies") if tasks[name].n_unique() > 1]
    rows = [
        [
            f"{pages.name(row['a'])} – {pages.name(row['b'])}",
            row["verdict"],
            *(row[name] for name in varied),
            "–" if row["score"] is None else (show_probability(row["score"]), row["score"]),
            "exact" if row["low"] is None else show_interval(row["low"], row["high"], show_probability),
            "–" if row["advantage"] is None else (show_probability_change(row["advantage"]), row["advantage"]),
            show_count(row["n_pairs"]) if row["n_pairs"] else "–",
        ]
        for row in ordered.head(MOST_ROWS).iter_rows(named=True)
    ]
    names = [name.capitalize() for name in varied]
    columns: list[Column | str] = ["Match-up", "Verdict", *names, Column("Score", "right"), "Interval"]
    columns += [Column("Going first", "right"), Column("Pairs", "right")]
    left_out = max(0, tasks.height - MOST_ROWS)
    note = f"{show_count(left_out)} fairer ones are in the run's table `tasks`." if left_out else ""
    caption = "Score of the first named over both seats, a draw counting half, and what going first adds to a score."
    return table(columns, rows, caption, note)

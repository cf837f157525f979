"""The report of a change: what it does to whom, in one page and then match-up by match-up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from balance.files import write_set
from balance.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.report import Bullets, Callout, Document, Facts, Paragraph, Section, literal, table
from balance.report.document import Block
from balance.report.sections.match_ups import verdict_table
from balance.report.sections.shown import Row, frame_table, number, plain
from balance.report.writing import draw_report
from balance.study.compare import Comparison
from balance.study.run_folder import parquet_bytes

__all__ = ["comparison_document", "comparison_json", "write_comparison"]

MOST_ROWS = 400
"""Match-ups listed, the largest differences first; the table on disk holds all."""


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Return a comparison as one JSON document: the summary, and every match-up it touches."""
    touched = found.changes.filter(pl.col("touched"))
    return {
        "schema": 1,
        "verb": "compare",
        "title": found.title,
        "game": found.before.game.name,
        "seed": found.study.settings.seed,
        "catalogue_sha256": [found.before.catalogue.sha256, found.after.catalogue.sha256],
        "broken_limits": list(found.broken_limits),
        "summary": {name: value for name, value in found.summary.items() if name != "broken_limits"},
        "changes": touched.to_dicts(),
    }


def write_comparison(found: Comparison, folder: Path, formats: Sequence[str] = ("html", "pdf")) -> tuple[Path, ...]:
    """Write `compare.json`, `changes.parquet` and the report into a folder; return the files.

    Raises
    ------
    OutputError
        The folder cannot be written.
    """
    drawn = draw_report(comparison_document(found), formats) if formats else []
    text = json.dumps(comparison_json(found), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return write_set(
        folder, [*drawn, ("compare.json", text.encode()), ("changes.parquet", parquet_bytes(found.changes))]
    )


def comparison_document(found: Comparison) -> Document:
    """Return the report of a comparison."""
    pages = _Pages(found)
    sections = [pages.summary(), pages.changed(), pages.dominance(), pages.method()]
    return Document(
        title=found.title,
        subtitle=f"What a change does to {found.before.game.title}",
        blocks=tuple(section for section in sections if section is not None),
        facts=pages.facts(),
    )


class _Pages:
    """The sections of one comparison."""

    def __init__(self, found: Comparison) -> None:
        self.found, self.numbers = found, found.summary

    @cached_property
    def labels(self) -> dict[str, str]:
        names = dict.fromkeys([*self.found.changes["a"], *self.found.changes["b"]])
        return {name: self.found.before.label(name) for name in names}

    def name(self, entrant: str) -> str:
        return self.labels.get(entrant, entrant)

    def facts(self) -> tuple[tuple[str, str], ...]:
        import balance

        before, after = self.found.before.catalogue, self.found.after.catalogue
        return (
            ("Game", self.found.before.game.title),
            ("Catalogue before", before.sha256[:16]),
            ("Catalogue after", after.sha256[:16]),
            ("Seed", str(self.found.study.settings.seed)),
            ("Made with", f"balance {balance.__version__}"),
        )

    def summary(self) -> Section:
        blocks: list[Block] = [Callout("key", "What the change does", self._effects())]
        blocks.append(Bullets(tuple(self._bullets())))
        if self.found.broken_limits:
            broken = "; ".join(map(literal, self.found.broken_limits))
            blocks.append(Callout("caution", "Limits that are broken", broken))
        if self.numbers["n_touched"]:
            blocks.append(self._verdicts())
        return Section("In one page", "summary", tuple(blocks))

    def _effects(self) -> str:
        """Return how many scores change, and how much."""
        numbers, effects = self.numbers, self.numbers["effects_touched"]
        n, n_all, n_rest = numbers["n_touched"], show_many(numbers["n_match_ups"], "match-up"), numbers["n_not_touched"]
        if not n:
            return f"The change can touch none of {n_all}."
        unknown = show_many(effects["not yet known"], "is", "are")
        rest = f" It cannot touch the other {show_count(n_rest)} of {n_all}." if n_rest else ""
        return (
            f"The change can touch {show_many(n, 'match-up')}. The score changes by more than "
            f"{self._points(numbers['imbalance'])} in **{show_count(effects['changed'])}**, by less in "
            f"{show_count(effects['small'])}, not at all in {show_count(effects['none'])}, and {unknown} not yet "
            f"known.{rest}"
        )

    def _points(self, share: float) -> str:
        return show_probability_change(share, 1).lstrip("+")

    def _bullets(self) -> list[str]:
        numbers, texts = self.numbers, []
        for where, name in (
            ("all match-ups", "first_mover"),
            ("those that the change can touch", "first_mover_touched"),
        ):
            if numbers[name]["before"] is not None:
                texts.append(self._first_move(where, numbers[name]))
        became, left = numbers["dominated"]["became"], numbers["dominated"]["no_longer"]
        texts.append(
            f"Entrants that become never worth taking (differences up to {self._points(numbers['imbalance'])} "
            f"overlooked): **{len(became)}**; worth taking again: {len(left)}."
        )
        texts.append(
            f"Match-ups of equal points that turn from fair to unfair: **{numbers['newly_unfair']}**; "
            f"the other way: {numbers['no_longer_unfair']}."
        )
        for word, names in (("New", numbers["entrants_added"]), ("Gone", numbers["entrants_removed"])):
            if names:
                texts.append(f"{word} entrants, not compared: {literal(', '.join(names))}.")
        costs = numbers["costs"]
        if costs:
            texts.append(f"Entrants whose cost changes: {len(costs)}.")
        return texts

    def _first_move(self, where: str, first: dict[str, float]) -> str:
        """Return what going first is worth before and after, on average over some match-ups."""
        ends = [show_interval(first[f"{s}_low"], first[f"{s}_high"], self._points) for s in ("before", "after")]
        exact = first["before_low"] == first["before_high"] and first["after_low"] == first["after_high"]
        shown = "" if exact else f" (intervals {ends[0]} and {ends[1]})"
        before, after = self._points(first["before"]), self._points(first["after"])
        return f"Going first is worth {before} before and **{after}** after{shown}, on average over {where}."

    def _verdicts(self) -> Block:
        verdicts = {side.capitalize(): counts for side, counts in self.numbers["verdicts_touched"].items()}
        within = self._points(self.numbers["imbalance"])
        caption = f"What is said of the match-ups that the change can touch: close is within {within} of 1/2."
        return verdict_table(verdicts, "", caption)

    def changed(self) -> Section | None:
        touched = self.found.changes.filter(pl.col("touched") & (pl.col("effect") != "none"))
        if touched.height == 0:
            return None
        ordered = touched.sort(pl.col("difference").abs(), descending=True, maintain_order=True, nulls_last=True)
        many = touched["situation"].n_unique() > 1
        shown = [
            plain("Match-up", lambda row: f"{self.name(row['a'])} – {self.name(row['b'])}"),
            plain("Verdict", _turned),
            *([plain("Situation", "situation")] if many else []),
            number("Before", "before", show_probability),
            number("After", "after", show_probability),
            number("Change", "difference", show_probability_change),
            plain("Interval", _interval),
            plain("Effect", "effect"),
        ]
        left_out = max(0, touched.height - MOST_ROWS)
        note = f"{show_count(left_out)} smaller changes are in `changes.parquet`." if left_out else ""
        caption = "Score of the first named: its share of wins over both seats, a draw counting half."
        return Section("What changes", "changes", (frame_table(ordered.head(MOST_ROWS), shown, caption, note),))

    def dominance(self) -> Section:
        lists = self.numbers["dominated"]
        words = (
            "An entrant is never worth taking if another costs no more, does no worse against anyone by more than "
            f"{self._points(self.numbers['imbalance'])}, and is cheaper or does better by more than "
            "that against someone."
        )
        blocks: list[Block] = [Paragraph(words)]
        rows = [
            [self.name(name), what, ", ".join(map(self.name, by))]
            for what, found in (("after the change", lists["became"]), ("before the change", lists["no_longer"]))
            for name, by in found.items()
        ]
        if rows:
            blocks.append(table(["Never worth taking", "Only", "Dominated by"], rows, "What the change turns around."))
        else:
            blocks.append(
                Paragraph(
                    f"The change turns nothing around: {show_many(lists['after'], 'is', 'are')}, before and after."
                )
            )
        return Section("What is never worth taking", "dominance", tuple(blocks))

    def method(self) -> Section:
        numbers = self.numbers
        texts = [
            f"{show_count(numbers['n_exact'])} of {show_count(numbers['n_match_ups'])} match-ups are exact and carry "
            "no interval. A match-up whose setup the change leaves as it is was not played twice."
        ]
        if numbers["n_exact"] < numbers["n_match_ups"]:
            texts.append(
                f"The others were simulated: {show_count(numbers['n_pairs'])} pairs of games, both rule sets on "
                f"the same dice, {numbers['rule']}. {numbers['allocation']} Intervals are of the betting kind, "
                f"valid at every look, and hold for all match-ups together with "
                f"{show_probability(numbers['confidence'], 0)} (Bonferroni)."
            )
        if numbers["pairing_gain"] is not None:
            gain = show_fixed(numbers["pairing_gain"], 1)
            texts.append(f"Independent runs would need **{gain}** times as many trials for the same certainty.")
        limit = "A limit counts as broken only where that is certain: the whole interval lies beyond it."
        return Section("Method", "method", (*map(Paragraph, [*texts, limit]), Facts(self.facts())))


def _turned(row: Row) -> str:
    """Return the verdict on a match-up, and the one before where it is another."""
    turned = row["difference"] is not None and row["verdict_before"] != row["verdict_after"]
    return f"{row['verdict_before']} → {row['verdict_after']}" if turned else str(row["verdict_after"])


def _interval(row: Row) -> str:
    if row["difference"] is None:
        return "not played"
    ends = row["difference_low"], row["difference_high"]
    return "exact" if ends[0] is None else show_interval(*ends, show_probability_change)

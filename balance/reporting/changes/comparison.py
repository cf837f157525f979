"""The report of a change: whom it affects, in one page, and then match-up by match-up, those that it can touch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.form import Terms
from balance.answers.words.changes.equal_points import army_lead, army_tables, duel_text, method_text
from balance.answers.words.changes.sentences import before_after, lead, turned_around
from balance.answers.words.changes.tables import changed_table, standing_tables
from balance.answers.words.lists import list_some, witness_words
from balance.base import __version__
from balance.base.answers import as_plain
from balance.base.files import write_set
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.reporting import Bullets, Callout, Document, Facts, Paragraph, Section, literal, table
from balance.reporting.changes.chart import change_chart
from balance.reporting.page.report_files import draw_report
from balance.reporting.sections.common.columns import Row, frame_table, number, plain
from balance.reporting.sections.fights.match_ups import verdict_table
from balance.study.compare.answer import Comparison
from balance.study.run.folder import parquet_bytes

LIMITS = "A limit counts as broken only where that is certain: the whole interval lies beyond it."
MOST_ROWS = 400
"""Match-ups listed, the largest differences first; the table on disk holds all."""


def write_comparison(
    comparison: Comparison, terms: Terms, folder: Path, formats: Sequence[str] = ("html", "pdf")
) -> tuple[Path, ...]:
    """Write `compare.json`, `changes.parquet` and the report into a folder, made if need be; return the files.

    `formats` are `html` and `pdf`; without one, the tables alone are written. Raises `OutputError` if the folder cannot
    be written.
    """
    files = draw_report(comparison_document(comparison, terms), formats) if formats else []
    text = json.dumps(as_plain(comparison), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return write_set(
        folder, [*files, ("compare.json", text.encode()), ("changes.parquet", parquet_bytes(comparison.match_ups))]
    )


def comparison_document(comparison: Comparison, terms: Terms) -> Document:
    """Return the report of a comparison, without sections that have nothing to say."""
    pages = _Pages(comparison, terms)
    sections = [pages.summary(), pages.duels(), pages.changes(), pages.dominance(), pages.method()]
    return Document(
        title=comparison.title,
        subtitle=f"What a change does to {terms.title}",
        blocks=tuple(section for section in sections if section is not None),
        facts=pages.facts(),
        files=("compare.json", "changes.parquet"),
    )


class _Pages:
    """Builds the sections of one comparison's report."""

    def __init__(self, comparison: Comparison, terms: Terms) -> None:
        self.comparison, self.terms, self.numbers = comparison, terms, comparison.summary

    @cached_property
    def match_ups(self) -> pl.DataFrame:
        """The rows of match-ups that the change can touch; the report mentions no others."""
        return self.comparison.match_ups.filter("touched")

    def name(self, entrant: str) -> str:
        """Return the displayed name of an entrant or card."""
        return self.comparison.labels.get(entrant, entrant)

    def facts(self) -> tuple[tuple[str, str], ...]:
        before, after = self.comparison.catalogue_sha256
        return (
            ("Game", self.terms.title),
            ("Catalogue before", before[:16]),
            ("Catalogue after", after[:16]),
            ("Seed", str(self.comparison.seed)),
            ("Made with", f"balance {__version__}"),
        )

    def summary(self) -> Section:
        comparison, armies = self.comparison, self.comparison.equal_points
        if armies is None:
            text = lead(comparison, self.terms, self.name)
            tables = standing_tables(comparison, self.terms, self.name)
            bullets = [*map(literal, turned_around(comparison.affected, self.name)), *self._came_and_went()]
        else:
            text = army_lead(comparison, armies, self.terms, self.name)
            tables = [*army_tables(comparison, armies, self.terms, self.name)]
            bullets = self._came_and_went()
        blocks: list[Block] = [
            Callout("key", "What the change does", literal(text)),
            *change_chart(comparison, self.name),
            *changed_table(comparison.affected, "Why: what is changed."),
            *tables,
        ]
        if bullets:
            blocks.append(Bullets(tuple(bullets)))
        if self.comparison.broken_limits:
            broken_limits = "; ".join(map(literal, self.comparison.broken_limits))
            blocks.append(Callout("caution", "Limits that are broken", broken_limits))
        return Section("In one page", "summary", tuple(blocks))

    def duels(self) -> Section | None:
        """Return the section on duels; None without armies of equal points, as the summary then is about duels."""
        if self.comparison.equal_points is None:
            return None
        blocks: list[Block] = [Paragraph(literal(duel_text(self.comparison)))]
        if self.comparison.touches_duels:
            blocks += standing_tables(self.comparison, self.terms, self.name)
            if bullets := turned_around(self.comparison.affected, self.name):
                blocks.append(Bullets(tuple(map(literal, bullets))))
        return Section("One against one", "duels", tuple(blocks))

    def _came_and_went(self) -> list[str]:
        kinds = (("New", self.numbers.entrants_added), ("Gone", self.numbers.entrants_removed))
        return [f"{word} entrants, not compared: {literal(', '.join(names))}." for word, names in kinds if names]

    def _effects(self) -> str:
        """Return how many scores change, and by more or less than the smallest imbalance."""
        numbers, effects = self.numbers, self.numbers.effects_touched
        unknown = show_many(effects["not yet known"], "is", "are")
        return (
            f"The change can touch {show_many(numbers.n_touched, 'match-up')}. The score changes by more than "
            f"{self._points(numbers.imbalance)} in "
            f"**{show_count(effects['changed'])}**, by less in {show_count(effects['small'])}, not at all in "
            f"{show_count(effects['none'])}, and {unknown} not yet known."
        )

    def _points(self, share: float) -> str:
        return show_probability_change(share, 1).lstrip("+")

    def _first_move(self) -> str:
        """Return what going first is worth before and after, on average; empty where nobody goes first."""
        first = self.numbers.first_mover_touched
        if first.before is None or first.after is None:
            return ""
        sides = (first.before_low or 0.0, first.before_high or 0.0), (first.after_low or 0.0, first.after_high or 0.0)
        ends = [show_interval(*side, self._points) for side in sides]
        intervals = "" if all(low == high for low, high in sides) else f" (intervals {ends[0]} and {ends[1]})"
        before, after = self._points(first.before), self._points(first.after)
        return f" Going first is worth {before} before and **{after}** after{intervals}, on average."

    def _fairness_changes(self) -> str:
        """Return how many match-ups of equal points become fair or unfair; "" where none does."""
        numbers = self.numbers
        n, back = numbers.newly_unfair, numbers.no_longer_unfair
        return f" Of equal points, **{n}** turn from fair to unfair, {back} the other way." if n or back else ""

    def _verdicts(self) -> Block:
        verdicts = {side.capitalize(): counts for side, counts in self.numbers.verdicts_touched.items()}
        within = self._points(self.numbers.imbalance)
        caption = f"What is said of the match-ups that the change can touch: close is within {within} of 1/2."
        return verdict_table(verdicts, "", caption)

    def changes(self) -> Section | None:
        """Return the match-ups that the change can touch; None where there are none."""
        if self.match_ups.height == 0 or (self.comparison.equal_points and not self.comparison.touches_duels):
            return None
        paragraph = Paragraph(self._effects() + self._first_move() + self._fairness_changes())
        rows = self.match_ups.filter(pl.col("effect") != "none")
        tables = [self._verdicts(), *([self._match_ups(rows)] if rows.height else [])]
        return Section("Match-ups", "changes", (paragraph, *tables))

    def _match_ups(self, rows: pl.DataFrame) -> Block:
        ordered_rows = rows.sort(pl.col("difference").abs(), descending=True, maintain_order=True, nulls_last=True)
        columns = [
            plain("Match-up", lambda row: f"{self.name(row['a'])} – {self.name(row['b'])}"),
            plain("Verdict", _verdict_text),
            *([plain("Situation", "situation")] if rows["situation"].n_unique() > 1 else []),
            number("Before", "before", show_probability),
            number("After", "after", show_probability),
            number("Change", "difference", show_probability_change),
            plain("Interval", _interval),
            plain("Effect", "effect"),
        ]
        left_out = max(0, rows.height - MOST_ROWS)
        note = f"{show_count(left_out)} smaller changes are in `changes.parquet`." if left_out else ""
        caption = "Score of the first named: its share of wins over both seats, a draw counting half."
        return frame_table(ordered_rows.head(MOST_ROWS), columns, caption, note)

    def dominance(self) -> Section | None:
        """Return who becomes dominated, or no longer is; None where that was not asked, or nothing turns."""
        is_army = self.comparison.equal_points is not None
        if not turned_around(self.comparison.affected, self.name) or (is_army and not self.comparison.touches_duels):
            return None
        lists = self.numbers.dominated
        words = (
            "An entrant loses alone, one against one, if another, or a mixture of others, costs no more, does no worse "
            f"against anyone by more than {self._points(self.numbers.imbalance)}, and is cheaper or does better by "
            "more than that against someone."
        )
        blocks: list[Block] = [Paragraph(words)]
        rows = [
            [self.name(name), period, self._witness_names(by, lists.shares[change].get(name))]
            for period, change in (("after the change", "became"), ("before the change", "no_longer"))
            for name, by in getattr(lists, change).items()
        ]
        if rows:
            blocks.append(table(["Loses alone", "Only", "To"], rows, "What the change turns around."))
        else:
            blocks.append(
                Paragraph(f"The change turns nothing around: {show_many(lists.after, 'is', 'are')}, before and after.")
            )
        return Section("Who loses alone", "dominance", tuple(blocks))

    def _witness_names(self, by: Sequence[str], shares: Sequence[float] | None) -> str:
        """Return the names of several single witnesses, or of a mixture with its shares."""
        names = list(map(self.name, by))
        return list_some(names) if shares is None else witness_words(names, shares)

    def method(self) -> Section:
        texts = [] if self.comparison.equal_points is None else [method_text(self.comparison, self.terms)]
        if self.comparison.equal_points is None or self.comparison.touches_duels:
            texts += self._duel_method()
        else:
            texts.append(LIMITS)
        return Section("Method", "method", (*map(Paragraph, texts), Facts(self.facts())))

    def _duel_method(self) -> list[str]:
        """Return paragraphs on how scores of match-ups were computed: exactly, or by paired simulation."""
        numbers = self.numbers
        n, n_exact = numbers.n_touched, numbers.n_exact_touched
        texts = []
        if n:
            match_ups_text = f"the {show_many(n, 'match-up')} that the change can touch"
            texts.append(f"{show_count(n_exact)} of {match_ups_text} {'is' if n_exact == 1 else 'are'} exact.")
        if n_exact < n:
            pairs = show_count(numbers.n_pairs_touched)
            texts.append(
                f"The others were simulated: {pairs} pairs of games, both rule sets on the same dice, "
                f"{numbers.rule}. {numbers.allocation} Intervals are of the betting kind, valid at every look, "
                f"and hold for all match-ups together with {show_probability(numbers.confidence, 0)} (Bonferroni); "
                "those of mean scores are the means of these, and hold with them."
            )
        if numbers.pairing_gain is not None:
            gain = show_fixed(numbers.pairing_gain, 1)
            texts.append(f"Independent runs would need **{gain}** times as many trials for the same certainty.")
        texts.append(LIMITS)
        if numbers.n_not_touched:
            rest = show_many(numbers.n_not_touched, "match-up stays as it was", "match-ups stay as they were")
            texts.append(f"{rest}: counted in mean scores, and nowhere else.")
        return texts


def _verdict_text(row: Row) -> str:
    """Return the verdict on a match-up, with the one before if it differs and the match-up was played."""
    after = str(row["verdict_after"])
    return after if row["difference"] is None else before_after(str(row["verdict_before"]), after)


def _interval(row: Row) -> str:
    if row["difference"] is None:
        return "not played"
    ends = row["difference_low"], row["difference_high"]
    return "exact" if ends[0] is None else show_interval(*ends, show_probability_change)

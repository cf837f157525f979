"""What costs too much or too little, what each ability is worth, and which readings of the rules would change that."""

from __future__ import annotations

from typing import get_args

import polars as pl

from balance.report import Callout, Column, Figure, Paragraph, Section, literal, table
from balance.report.document import Block, VerdictWord
from balance.report.figures import plot_intervals
from balance.report.numbers import (
    show_fixed,
    show_probability,
    show_probability_change,
    show_signed,
)
from balance.report.sections.words import Pages, show_ends, show_tenths

__all__ = ["item_section", "price_section", "reading_section"]

MOST_BARS = 40


def price_section(pages: Pages) -> Section | None:
    """Return how far each cost is from the trend of strength, with simultaneous intervals and verdicts."""
    prices, cards = pages.table("prices"), pages.table("cards")
    if prices is None:
        return None
    ladder, words = pages.run.summary["ladder"], pages.words
    blocks: list[Block] = [
        Paragraph(
            f"Strength is read off the duels: one number for each {literal(words.entrant)} so that the difference of "
            f"two "
            "gives their chances, and one for going first (a Bradley-Terry ladder). It explains "
            f"{show_probability(ladder['explained'], 0)} of what the matrix says beyond equal chances; "
            f"{show_probability(ladder['cyclic_share'], 0)} of the matrix is of the kind rock beats scissors, which no "
            "single number can show. The fair cost of a strength is where it lies on the common trend of costs, and "
            "the "
            "excess is how far the printed cost is above it."
        ),
        Callout(
            "note",
            "What the intervals mean",
            "The duels are exact, so these intervals are not about dice. They say how much the answer depends on who "
            "happens to be in the field: the field is drawn again at random many times. They hold for all rows at "
            "once, "
            "with 95 % confidence. A verdict is given only if the whole interval lies beyond what is worth caring "
            "about, "
            "and no reading of the rules turns it round; otherwise it is not yet known.",
        ),
    ]
    if cards is not None:
        known = cards.drop_nulls(["excess_low", "excess_high"])
        blocks += [_figure(pages, known)] if known.height > 1 else []
        blocks.append(_card_table(pages, cards))
    blocks.append(_entrant_table(pages, prices))
    return Section("What is worth its points", "prices", tuple(blocks))


def _figure(pages: Pages, cards: pl.DataFrame) -> Block:
    rows = cards.sort("excess", descending=True).head(MOST_BARS)
    verdicts = [_word(word) for word in rows["verdict"].to_list()]
    svg = plot_intervals(
        rows["label"].to_list(),
        rows["excess"].to_list(),
        rows["excess_low"].to_list(),
        rows["excess_high"].to_list(),
        f"{pages.words.points} above (+) or below (-) the fair cost",
        reference=0.0,
        verdicts=verdicts,
    )
    return Figure(
        svg,
        f"Excess cost of {rows.height} cards with intervals, from the most overpriced to the most underpriced.",
        "How far each card's cost is from what it is worth in duels, over all that carry it.",
    )


def _word(text: str) -> VerdictWord:
    words: tuple[VerdictWord, ...] = get_args(VerdictWord)
    return next((word for word in words if word == text), "not yet known")


def _card_table(pages: Pages, cards: pl.DataFrame) -> Block:
    columns: list[Column | str] = [
        "Card",
        "Kind",
        Column("Cost", "right", pages.words.points),
        Column("Too much by", "right", "excess over the fair cost"),
        Column("95 % interval", "right", "holds for all rows at once"),
        "Verdict",
    ]
    rows = [
        (
            label,
            kind,
            (f"{cost:g}", cost),
            (show_tenths(excess), excess),
            show_ends(low, high),
            verdict,
        )
        for label, kind, cost, excess, low, high, verdict in cards.sort("excess", descending=True)
        .select("label", "table", "cost_points", "excess", "excess_low", "excess_high", "verdict")
        .iter_rows()
    ]
    return table(columns, rows, "Cards by excess cost.")


def _entrant_table(pages: Pages, prices: pl.DataFrame) -> Block:
    columns: list[Column | str] = [
        pages.words.entrant.capitalize(),
        Column("Cost", "right", pages.words.points),
        Column("Score", "right", "mean chance to win against the field"),
        Column("Fair cost", "right"),
        Column("95 % interval", "right", "of the fair cost; holds for all rows at once"),
        "Verdict",
    ]
    rows = [
        (
            pages.name(name),
            (f"{cost:g}", cost),
            (show_probability(score), score),
            (show_fixed(fair, 1), fair),
            show_ends(low, high, lambda x: show_fixed(x, 1)),
            verdict,
        )
        for name, cost, score, fair, low, high, verdict in prices.sort("excess", descending=True)
        .select("entrant", "cost_points", "score", "fair_points", "fair_low", "fair_high", "verdict")
        .iter_rows()
    ]
    return table(columns, rows, f"Every {pages.words.entrant}, the most overpriced first.")


def item_section(pages: Pages) -> Section | None:
    """Return what each ability and effect is worth: the same match-ups with and without it."""
    items = pages.table("item_summary")
    if items is None:
        return None
    measured = items.filter(pl.col("n_measured") > 0).sort("points_gain", descending=True)
    skipped = int((items["n_entrants"] - items["n_measured"]).sum())
    columns: list[Column | str] = [
        "Ability or effect",
        Column("On", "right", f"{pages.words.entrants} that have it"),
        Column("Score", "right", "gain in mean chance to win, percentage points"),
        Column("Damage dealt", "right", "gain per action"),
        Column("Damage taken", "right", "change per action against it"),
        Column("Worth", "right", pages.words.points),
        Column("From, to", "right", "least and most over those that have it"),
    ]
    rows = [
        (
            item.replace("_", " ").capitalize(),
            (str(n), float(n)),
            (show_probability_change(score), score),
            (_or_dash(dealt), dealt or 0.0),
            (_or_dash(taken), taken or 0.0),
            (show_tenths(points), points),
            show_ends(low, high),
        )
        for item, n, score, dealt, taken, points, low, high in measured.select(
            "item",
            "n_measured",
            "score_gain",
            "damage_gain",
            "damage_taken_gain",
            "points_gain",
            "points_low",
            "points_high",
        ).iter_rows()
    ]
    if not rows:
        return None
    panel = pages.table("panel")
    note = f"Scores are against a panel of {panel.height} that stands for the field." if panel is not None else ""
    if skipped:
        note += f" {skipped} cases were left out, because without the ability the {pages.words.entrant} is not legal."
    text = "Each is taken away from every card that has it, and the same exact questions are asked again."
    return Section(
        "What abilities and effects are worth",
        "abilities",
        (Paragraph(text), table(columns, rows, "With and without. Exact.", note.strip())),
    )


def _or_dash(value: float | None) -> str:
    return "–" if value is None else show_signed(value, 2)


def reading_section(pages: Pages) -> Section | None:
    """Return which readings of ambiguous rules would change a conclusion."""
    readings = pages.table("readings")
    if readings is None:
        return None
    matter = readings.filter(pl.col("n_changed") > 0).sort("n_flips", "largest_change", descending=True)
    idle = readings.filter(pl.col("n_changed") == 0)
    flips = int((matter["n_flips"] > 0).sum())
    text = (
        f"The rulebook leaves {readings.height} points open that could matter here. Reading them the other way changes "
        f"some match-up in {matter.height} cases, and turns a verdict in {flips}."
    )
    columns: list[Column | str] = [
        "Question",
        "Read as",
        Column("Changed", "right", "share of the match-ups asked again"),
        Column("Largest change", "right", "of a chance to win, percentage points"),
        Column("Damage", "right", "largest change per action"),
        Column("Places", "right", "largest change of rank"),
        Column("Verdicts", "right", "that turn"),
    ]
    rows = [
        (
            f"{ambiguity}: {meaning}",
            sentence,
            (show_probability(changed / asked if asked else 0.0, 0), changed / asked if asked else 0.0),
            (show_probability_change(change), change),
            ("–" if damage is None else show_signed(damage, 2), damage or 0.0),
            (str(places), float(places)),
            (str(n_flips), float(n_flips)),
        )
        for ambiguity, meaning, sentence, changed, asked, change, damage, places, n_flips in matter.select(
            "ambiguity",
            "meaning",
            "sentence",
            "n_changed",
            "n_asked",
            "largest_change",
            "largest_damage_change",
            "largest_rank_change",
            "n_flips",
        ).iter_rows()
    ]
    blocks: list[Block] = [Paragraph(text)]
    if rows:
        blocks.append(table(columns, rows, "Readings that change something, the weightiest first. Exact."))
    if idle.height:
        names = ", ".join(
            dict.fromkeys(f"{a} ({s.replace('_', ' ')})" for s, a in idle.select("switch", "ambiguity").iter_rows())
        )
        blocks.append(Paragraph(f"No match-up here depends on {literal(names)}."))
    return Section("What the open questions of the rules would change", "readings", tuple(blocks))

"""What costs too much or too little, what each ability is worth, and which readings of the rules would change that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import polars as pl

from balance.analysis.prices import FEWEST_ENTRANTS
from balance.report import Callout, Column, Figure, Paragraph, Section, literal, table
from balance.report.document import Block, Cell, VerdictWord
from balance.report.figures import plot_intervals
from balance.report.numbers import (
    show_count,
    show_fixed,
    show_probability,
    show_probability_change,
    show_signed,
    show_unit,
)
from balance.report.sections.words import Pages, list_words, show_ends, show_tenths

__all__ = ["item_section", "price_section", "reading_section", "unseen_items"]

MOST_BARS = 40


def price_section(pages: Pages) -> Section | None:
    """Return how far each cost is from the trend of strength, with simultaneous intervals and verdicts.

    Where everything costs the same, only how well one number for each tells the duels.
    """
    prices, cards = pages.table("prices"), pages.table("cards")
    if prices is None:
        return None
    if not pages.priced:
        return Section("A ladder of strength", "ladder", (Paragraph(_strength_text(pages)),))
    blocks: list[Block] = [Paragraph(_strength_text(pages)), Paragraph(_trend_text(pages))]
    if pages.run.summary["typical_half_width"] is not None:
        blocks.append(Callout("note", "What the intervals mean", _interval_text(pages)))
    if cards is not None:
        known = cards.drop_nulls(["excess_low", "excess_high"])
        blocks += [_figure(pages, known)] if known.height > 1 else []
        blocks.append(_card_table(pages, cards))
    blocks.append(_entrant_table(pages, prices))
    return Section("What is worth its points", "prices", tuple(blocks))


def _strength_text(pages: Pages) -> str:
    ladder, words = pages.run.summary["ladder"], pages.words
    return (
        f"Strength is read off the duels: one number for each {literal(words.entrant)}, so that the difference of two "
        "gives their chances, and one for going first (a Bradley-Terry ladder). The ladder explains "
        f"{show_probability(ladder['explained'], 0)} of the deviance of the matrix from equal chances. On the scale of "
        f"log-odds, {show_probability(ladder['cyclic_share'], 0)} of the matrix goes in circles like rock, paper and "
        "scissors (0% is a pure ladder, 100% nothing but circles), which no single number can show."
    )


def _trend_text(pages: Pages) -> str:
    ladder, summary = pages.run.summary["ladder"], pages.run.summary
    if summary["typical_half_width"] is None:
        many = summary["n_entrants"] > FEWEST_ENTRANTS - 1
        why = (
            "Stronger ones do not cost more here"
            if many
            else f"{pages.all_of_them()} are too few for a trend of prices"
        )
        return f"{why}, so that no fair cost can be told and no verdict is given."
    share = pages.run.manifest["study"]["verdicts"]
    return (
        "The fair cost of a strength is what this catalogue asks for it on average: the straight line of the logarithm "
        f"of cost against strength, which explains {show_probability(ladder['trend_explained'], 0)} of how costs "
        "differ. The excess is the printed cost less that. It is a matter of being in line with the others, not of "
        f"what a point should buy. Worth caring about is {show_probability(share['share'], 0)} of the cost, but at "
        f"least {pages.points(share['points'])}."
    )


def _interval_text(pages: Pages) -> str:
    return (
        "The duels are exact, so these intervals are not about dice. They say how much the answer depends on who "
        f"happens to be in the field: its {pages.field()} are given other weights at random, "
        f"{show_count(pages.run.manifest['study']['verdicts']['draws'])} times, and everything is fitted again. They "
        "hold for all rows of a table at once, with 95 % confidence. A verdict is given only if the whole interval "
        "lies on one side of what is worth caring about, or all within it, and no reading of the rules turns it; "
        "otherwise it is not yet known."
    )


def _figure(pages: Pages, cards: pl.DataFrame) -> Block:
    rows = cards.sort("excess", descending=True, maintain_order=True).head(MOST_BARS)
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
        "Verdict",
        "Kind",
        Column("Cost", "right", pages.words.points),
        Column("Too much by", "right", "cost less fair cost; below zero, too little"),
        Column("95 % interval", "right", "holds for all rows at once"),
        Column("Assumed", "right", "values of the card that nobody stated, of all its values"),
    ]
    rows = [
        (
            label,
            verdict,
            kind,
            ("–" if cost is None else f"{cost:g}", cost or 0.0),
            (show_tenths(excess), excess),
            show_ends(low, high),
            (f"{assumed} of {values}", float(assumed)),
        )
        for label, kind, cost, excess, low, high, verdict, assumed, values in cards.sort(
            "excess", descending=True, maintain_order=True
        )
        .select(
            "label", "table", "cost_points", "excess", "excess_low", "excess_high", "verdict", "n_assumed", "n_values"
        )
        .iter_rows()
    ]
    explained = cards["explained"].to_list()[0]
    note = (
        f"Cards added up explain {show_probability(explained, 0)} of how the excess differs between "
        f"{literal(pages.words.entrants)}. How much of it falls to one kind of card rather than the other is a "
        "convention: the least sum of squares."
    )
    return table(columns, rows, "Cards by excess cost. From a model fitted to exact duels.", note)


def _entrant_table(pages: Pages, prices: pl.DataFrame) -> Block:
    columns: list[Column | str] = [
        pages.words.entrant.capitalize(),
        "Verdict",
        Column("Cost", "right", pages.words.points),
        Column("Score", "right", "mean chance to win against the field"),
        Column("Fair cost", "right"),
        Column("95 % interval", "right", "of the fair cost; holds for all rows at once"),
    ]
    rows = [
        (
            pages.name(name),
            verdict,
            (f"{cost:g}", cost),
            (show_probability(score), score),
            (show_fixed(fair, 1), fair),
            show_ends(low, high, lambda x: show_fixed(x, 1)),
        )
        for name, cost, score, fair, low, high, verdict in prices.sort("excess", descending=True, maintain_order=True)
        .select("entrant", "cost_points", "score", "fair_points", "fair_low", "fair_high", "verdict")
        .iter_rows()
    ]
    return table(
        columns,
        rows,
        f"Every {literal(pages.words.entrant)}, dearest for its worth first. Scores are exact, fair costs a model.",
    )


def item_section(pages: Pages) -> Section | None:
    """Return what each ability and effect is worth: the same match-ups with and without it."""
    items = _items(pages)
    if items is None:
        return None
    told = items.filter(pl.col("status") != "not legal")
    if told.height == 0:
        return None
    text = "Each is taken away from every card that has it, and the same exact questions are asked again."
    blocks: list[Block] = [Paragraph(text)]
    if hidden := unseen_items(pages):
        blocks.append(Paragraph(_unseen_text(hidden)))
    if (told["status"] == "measured").any():
        blocks.append(_item_table(pages, told, _item_note(pages, items)))
    return Section("What abilities and effects are worth", "abilities", tuple(blocks))


def unseen_items(pages: Pages) -> list[str]:
    """Return the names of abilities and effects that the duels cannot show, as marked text."""
    items = _items(pages)
    if items is None:
        return []
    return [pages.marked(name) for name in items.filter(status="not measurable")["item"]]


def _items(pages: Pages) -> pl.DataFrame | None:
    """Return the table of items; a run made before it had a status counted as measured what was legal."""
    items = pages.table("item_summary")
    if items is None or "status" in items.columns:
        return items
    status = pl.when(pl.col("n_measured") > 0).then(pl.lit("measured")).otherwise(pl.lit("not legal"))
    return items.with_columns(status.alias("status"), n_not_legal=pl.col("n_entrants") - pl.col("n_measured"))


def _unseen_text(names: list[str]) -> str:
    return (
        f"**Not measurable in a duel:** {list_words(names)}. With and without, every one of these duels comes out the "
        "same in every detail, not only on average; what that is worth in a battle cannot be told from duels."
    )


def _item_note(pages: Pages, items: pl.DataFrame) -> str:
    panel = pages.table("panel")
    note = _panel_note(pages, panel) if panel is not None else ""
    if left_out := int(items["n_not_legal"].sum()):
        note += f" {left_out} cases were left out, because without the ability the {pages.words.entrant} is not legal."
    if (items["n_measured"] + items["n_not_legal"] < items["n_entrants"]).any():
        note += " Not measurable: the same with and without, in every detail, against all of the panel."
    return note.strip()


def _item_table(pages: Pages, told: pl.DataFrame, note: str) -> Block:
    gain = pages.words.gain.capitalize()
    columns: list[Column | str] = [
        "Ability or effect",
        Column("On", "right", f"{pages.words.entrants} that have it and show it"),
        Column("Score", "right", "gain in mean chance to win, percentage points"),
        Column(f"{gain} dealt", "right", "gain per action"),
        Column(f"{gain} taken", "right", "change per action against it"),
    ]
    if pages.priced:
        columns.append(Column("Worth", "right", pages.words.points))
        columns.append(Column("From, to", "right", "least and most over those that have it"))
    rows = [
        (
            pages.name(row["item"]),
            (str(row["n_measured"]), float(row["n_measured"])),
            _or_not_measurable(row, "score_gain", show_probability_change),
            _or_dash(row["damage_gain"]),
            _or_dash(row["damage_taken_gain"]),
            _or_not_measurable(row, "points_gain", show_tenths),
            show_ends(row["points_low"], row["points_high"]),
        )[: len(columns)]
        for row in told.sort("points_gain", descending=True, maintain_order=True, nulls_last=True).iter_rows(named=True)
    ]
    return table(columns, rows, "With and without. Exact.", note)


def _panel_note(pages: Pages, panel: pl.DataFrame) -> str:
    names = list_words([pages.marked(name) for name in panel["entrant"].to_list()])
    gap = pages.run.summary["ladder"]["panel_gap"]
    return (
        f"Played against a panel that stands for the field: {names}. Scores against it differ from those against the "
        f"whole field by at most {show_unit(show_fixed(100 * gap, 1), 'pp')}."
    )


def _or_dash(value: float | None) -> Cell:
    return Cell("–") if value is None else Cell(show_signed(value, 2), value)


def _or_not_measurable(row: Mapping[str, Any], name: str, show: Callable[[float], str]) -> Cell:
    if row["status"] == "not measurable":
        return Cell("not measurable")
    return Cell("–") if row[name] is None else Cell(show(row[name]), row[name])


def reading_section(pages: Pages) -> Section | None:
    """Return which readings of ambiguous rules would change a conclusion."""
    readings = pages.table("readings")
    if readings is None:
        return None
    matter = readings.filter(pl.col("n_changed") > 0)
    idle = readings.filter(pl.col("n_changed") == 0).select("switch", "ambiguity")
    turn = f" and {int((matter['n_flips'] > 0).sum())} turn a verdict" if pages.priced else ""
    text = (
        "Points that the rulebook leaves open and that could matter here: "
        f"{readings['switch'].n_unique()}, with {readings.height} other readings. Put in force one at a time, "
        f"{matter.height} of these change some match-up{turn}."
    )
    blocks: list[Block] = [Paragraph(text)]
    if matter.height:
        blocks.append(_reading_table(pages, matter))
    if idle.height:
        names = dict.fromkeys(f"{ambiguity} ({switch.replace('_', ' ')})" for switch, ambiguity in idle.iter_rows())
        blocks.append(Paragraph(f"No match-up here depends on {literal(', '.join(names))}."))
    return Section("What the open questions of the rules would change", "readings", tuple(blocks))


def _reading_table(pages: Pages, matter: pl.DataFrame) -> Block:
    columns: list[Column | str] = [
        "Question",
        "Read as",
        Column("Changed", "right", "share of the match-ups asked again"),
        Column("Largest change", "right", "of a chance to win, percentage points"),
        Column(pages.words.gain.capitalize(), "right", "largest change per action"),
        Column("Places", "right", "largest change of rank"),
        *([Column("Verdicts", "right", "that turn")] if pages.priced else []),
    ]
    rows = [
        (
            f"{row['ambiguity']}: {row['meaning']}",
            row["sentence"],
            (show_probability(row["n_changed"] / row["n_asked"], 0), row["n_changed"] / row["n_asked"]),
            (show_probability_change(row["largest_change"]), row["largest_change"]),
            _or_dash(row["largest_damage_change"]),
            (str(row["largest_rank_change"]), float(row["largest_rank_change"])),
            (str(row["n_flips"]), float(row["n_flips"])),
        )[: len(columns)]
        for row in matter.iter_rows(named=True)
    ]
    return table(columns, rows, "Readings that change something, the weightiest first. Exact.")

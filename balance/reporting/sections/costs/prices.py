"""Which costs are in line with their neighbours, and which readings of the rules would change a conclusion."""

from __future__ import annotations

import polars as pl

from balance.analysis.scores.field import FEWEST_ENTRANTS
from balance.analysis.scores.usual_prices import VERDICTS
from balance.base.numbers import show_count, show_fixed, show_many, show_probability, show_probability_change
from balance.reporting import Callout, Cell, Column, Figure, Paragraph, Section, literal
from balance.reporting.document.document import Block
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.sections.common.columns import TableColumn, count, ends, frame_table, number, plain, signed
from balance.reporting.sections.common.words import Pages, list_some, list_words, show_tenths

MOST_BARS = 40
PRICES_TITLE = "What is in line with its neighbours"


def price_findings(pages: Pages) -> str | None:
    """Return what the first page says of prices, as marked text, or None if none was judged."""
    prices = pages.table("prices")
    if prices is None or not pages.has_prices or pages.run.summary["typical_half_width"] is None:
        return None
    texts = []
    for word in VERDICTS:
        rows = prices.filter(verdict=word).sort(pl.col("excess").abs(), descending=True, maintain_order=True)
        if rows.height:
            texts.append(f"{show_many(rows.height, 'is', 'are')} {_SHORT[word]}{_names(pages, word, rows)}")
    return (
        f"**Beside their neighbours,** {literal(pages.words.entrants)} about as strong: of {pages.all_of_them()}, "
        f"{list_words(texts)}. The yardstick is the trend of this catalogue, so that cannot say whether the whole "
        "catalogue is fair."
    )


_SHORT = {"too dear": "dearer", "too cheap": "cheaper", "fair": "in line", "not yet known": "not yet known"}
"""Verdicts beside their neighbours, where that is said once for all."""


def _names(pages: Pages, verdict: str, rows: pl.DataFrame) -> str:
    """Return who it is, where a verdict says that something is out of line."""
    if verdict not in ("too dear", "too cheap"):
        return ""
    return f" ({list_some([pages.marked_name(name) for name in rows['entrant']])})"


def price_section(pages: Pages) -> Section | None:
    """Return how far each cost is from the catalogue's own trend, with simultaneous intervals and verdicts.

    Where everything costs the same, only how well one number for each tells the duels.
    """
    prices, cards = pages.table("prices"), pages.table("cards")
    if prices is None:
        return None
    if not pages.has_prices:
        return Section("A ladder of strength", "ladder", (Paragraph(_strength_text(pages)),))
    blocks: list[Block] = [Paragraph(_strength_text(pages)), Paragraph(_trend_text(pages))]
    if pages.run.summary["typical_half_width"] is not None:
        blocks.append(Callout("note", "What the intervals mean", _interval_text(pages)))
    if cards is not None:
        cards_with_intervals = cards.drop_nulls(["excess_low", "excess_high"])
        blocks += [_figure(pages, cards_with_intervals)] if cards_with_intervals.height > 1 else []
        blocks.append(_card_table(pages, cards))
    blocks.append(_entrant_table(pages, prices))
    return Section(PRICES_TITLE, "prices", tuple(blocks))


def _strength_text(pages: Pages) -> str:
    rating, words = pages.run.summary["ladder"], pages.words
    return (
        f"Strength is read off the duels: one number for each {literal(words.entrant)}, so that the difference of two "
        "gives their chances, and one for going first (a Bradley-Terry ladder). The ladder explains "
        f"{show_probability(rating['explained'], 0)} of the deviance of the matrix from equal chances. On the scale of "
        f"log-odds, {show_probability(rating['cyclic_share'], 0)} of the matrix goes in circles like rock, paper and "
        "scissors (0% is a pure ladder, 100% nothing but circles), which no single number can show."
    )


def _trend_text(pages: Pages) -> str:
    rating, summary = pages.run.summary["ladder"], pages.run.summary
    if summary["typical_half_width"] is None:
        has_enough = summary["n_entrants"] >= FEWEST_ENTRANTS
        too_few = f"{pages.all_of_them()} are too few for a trend of prices"
        reason = "Stronger ones do not cost more here" if has_enough else too_few
        return f"{reason}, so that none can be told to be out of line with its neighbours."
    share = pages.run.manifest["study"]["verdicts"]
    return (
        "What this catalogue asks for a strength on average is its trend: the straight line of the logarithm of cost "
        f"against strength, which explains {show_probability(rating['trend_explained'], 0)} of how costs differ. "
        "Neighbours are those of about the same strength, and a verdict says whether a cost is in line with theirs. "
        "**The trend is the catalogue's own, so it cannot say that the catalogue as a whole is fair,** nor what a "
        f"point should buy. Worth caring about is {show_probability(share['share'], 0)} of the cost, but at least "
        f"{pages.points(share['points'])}."
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
    svg = plot_intervals(
        rows["label"].to_list(),
        rows["excess"].to_list(),
        rows["excess_low"].to_list(),
        rows["excess_high"].to_list(),
        f"{pages.words.points} above (+) or below (-) the trend",
        reference=0.0,
    )
    return Figure(
        svg,
        f"How far the costs of {rows.height} cards lie from the trend, with intervals, the dearest first.",
        "How far each card's cost lies from the catalogue's own trend, shared out over all that carry it. Compare "
        "cards of one kind: between the kinds the share is a convention.",
    )


def _card_table(pages: Pages, cards: pl.DataFrame) -> Block:
    columns = [
        plain("Card", "label"),
        plain("Kind", "table"),
        number("Cost", "cost_points", note=pages.words.points),
        number("Off the trend", "excess", show_tenths, "cost less what the trend asks; below zero, it costs less"),
        ends("95 % interval", "excess_low", "excess_high", show_tenths, "holds for all rows at once"),
        TableColumn(
            Column("Not stated", "right", "values of the card that are assumed or name no source, of all its values"),
            lambda row: Cell(f"{row['n_assumed']} of {row['n_values']}", float(row["n_assumed"])),
        ),
    ]
    share = cards["explained"].to_list()[0]
    note = (
        f"Cards added up explain {show_probability(share, 0)} of how far {literal(pages.words.entrants)} lie from "
        "the trend. How much of it falls to one kind of card rather than the other is a convention, the least sum of "
        "squares: as many points may be added to all of one kind as are taken from all of the other. So cards have no "
        "verdict of their own, and only those of one kind can be compared."
    )
    rows = cards.sort("excess", descending=True, maintain_order=True)
    return frame_table(
        rows, columns, "Cards, the farthest above the trend first. From a model fitted to exact duels.", note
    )


def _entrant_table(pages: Pages, prices: pl.DataFrame) -> Block:
    columns = [
        pages.names(pages.words.entrant.capitalize(), "entrant"),
        plain("Verdict", lambda row: _SHORT[row["verdict"]], "beside its neighbours, those about as strong"),
        number("Cost", "cost_points", note=pages.words.points),
        number("Score", "score", show_probability, f"mean chance to {pages.words.win} against the field"),
        number("Trend", "fair_points", _tenths, "what this catalogue asks on average for that strength"),
        ends("95 % interval", "fair_low", "fair_high", _tenths, "of the trend; holds for all rows at once"),
    ]
    return frame_table(
        prices.sort("excess", descending=True, maintain_order=True),
        columns,
        f"Every {literal(pages.words.entrant)}, the dearest beside its neighbours first. Scores are exact, the trend "
        "is a model.",
    )


def _tenths(value: float) -> str:
    return show_fixed(value, 1)


def reading_section(pages: Pages) -> Section | None:
    """Return which readings of rule options would change a conclusion."""
    readings = pages.table("readings")
    if readings is None:
        return None
    matter = readings.filter(pl.col("n_changed") > 0)
    idle = readings.filter(pl.col("n_changed") == 0).select("switch", "ambiguity")
    n_turning = int((matter["n_flips"] > 0).sum())
    turn = f" and {show_many(n_turning, 'turns', 'turn')} a verdict" if pages.has_prices else ""
    match_ups = show_many(int(readings["n_asked"][0]), "match-up")
    text = (
        "Points that the rulebook leaves open and that could matter here: "
        f"{readings['switch'].n_unique()}, with {show_many(readings.height, 'other reading')}. Each was put in force "
        f"by itself, and {match_ups} against a panel that stands for the field asked again. Of these readings, "
        f"{show_many(matter.height, 'changes', 'change')} some match-up{turn}."
    )
    blocks: list[Block] = [Paragraph(text)]
    if matter.height:
        blocks.append(_reading_table(pages, matter))
    if idle.height:
        names = dict.fromkeys(f"{ambiguity} ({switch.replace('_', ' ')})" for switch, ambiguity in idle.iter_rows())
        depends = f"As these duels are played, none of those asked again depends on {literal(', '.join(names))}"
        blocks.append(Paragraph(f"{depends}; what these are worth in other play they cannot show."))
    return Section("What the open questions of the rules would change", "readings", tuple(blocks))


def _reading_table(pages: Pages, matter: pl.DataFrame) -> Block:
    columns = [
        plain("Question", "{ambiguity}: {meaning}".format_map),
        plain("Read as", "sentence"),
        number("Changed", "share", lambda share: show_probability(share, 0), "share of the match-ups asked again"),
        number(
            "Largest change", "largest_change", show_probability_change,
            f"of a chance to {pages.words.win}, percentage points",
        ),
        signed(pages.words.gain.capitalize(), "largest_damage_change", "largest change per action"),
        count("Places", "largest_rank_change", "largest change of rank"),
        *([count("Verdicts", "n_flips", "that turn")] if pages.has_prices else []),
    ]  # fmt: skip
    rows = matter.with_columns(share=pl.col("n_changed") / pl.col("n_asked"))
    return frame_table(rows, columns, "Readings that change something, the weightiest first. Exact.")

"""Who loses alone, one against one, to something that costs no more; and which cards are the same fighter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_some, list_words, witness_words
from balance.base.numbers import show_count, show_many, show_probability_change, show_signed, show_unit
from balance.reporting import Paragraph, Section, literal
from balance.reporting.sections.common.columns import Row, TableColumn, count, frame_table, number, plain
from balance.reporting.sections.common.words import Pages

MOST_NAMES = 5


def _slack(summary: Mapping[str, Any]) -> str:
    return show_probability_change(summary["smallest_imbalance"]).lstrip("+")


def _kinds(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows dominated by a single witness, and those by a mixture, which older runs lack."""
    is_mixture = pl.col("shares").is_not_null() if "shares" in frame.columns else pl.lit(value=False)
    return frame.filter(~is_mixture), frame.filter(is_mixture)


def _cost(points: float) -> str:
    return f"{round(points, 2):g}"


def _witnesses(pages: Pages, row: Row) -> str:
    """Return the names of the witnesses: any one of several, or a mixture with its shares."""
    return witness_words([pages.name(name) for name in row["witnesses"]], row.get("shares"))


def card_findings(pages: Pages) -> list[str]:
    """Return marked sentences on cards that are dominated in every holder, or replaced by another everywhere."""
    frame = pages.table("dominated_cards")
    if frame is None or not pages.has_prices:
        return []
    entrant, useless_cards = literal(pages.words.entrant), frame.filter("everywhere")["label"].to_list()
    sentences = (
        [f"**Loses alone in every {entrant}:** {list_some([literal(label) for label in useless_cards])}."]
        if useless_cards
        else []
    )
    pairs = frame.select("label", "by_label").drop_nulls().iter_rows()
    if replacements := [f"{literal(label)} by **{literal(by)}**" for label, by in pairs]:
        sentences.append(
            f"**Replaced in every {entrant}**, one against one no worse and no dearer: {list_some(replacements)}."
        )
    return sentences


def twin_findings(pages: Pages) -> list[str]:
    """Return a marked sentence for each pair of cards with equal results in every duel, for the first of very many."""
    frame = pages.table("twins")
    if frame is None:
        return []
    sentences = [_twins(pages, row) for row in frame.head(MOST_NAMES).iter_rows(named=True)]
    more = show_many(frame.height - len(sentences), "more pair of cards is", "more pairs of cards are")
    return (
        [*sentences, f"**The same fighter:** {more} in the run's table `twins`."]
        if frame.height > len(sentences)
        else sentences
    )


def _twins(pages: Pages, row: Mapping[str, Any]) -> str:
    costs = [None if row[name] is None else f" ({row[name]:g})" for name in ("cost_points", "twin_cost")]
    first, second = (
        f"{literal(row[name])}{cost or ''}" for name, cost in zip(("label", "twin_label"), costs, strict=True)
    )
    share = f" in each of the {row['n_pairs']} {literal(pages.words.entrants)} that they share" * (row["n_pairs"] > 1)
    text = f"**The same fighter:** {first} and {second}. Every one of these duels has exactly the same chances{share}."
    if row["differ"]:
        fields = list_words([literal(name.replace("_", " ")) for name in row["differ"]])
        text += f" What else differs on the two cards ({fields}) does not show in them."
    for name, only in (("label", "n_only"), ("twin_label", "n_twin_only")):
        if row[only]:
            text += f" {literal(row[name])} alone can be taken in {row[only]} more."
    return text


def dominance_section(pages: Pages) -> Section | None:
    """Return who loses alone (is dominated), with the witnesses; None where nothing has a price."""
    summary, frame = pages.run.summary.get("dominated"), pages.table("dominance")
    if summary is None or not pages.has_prices:
        return None
    blocks: list[Block] = [Paragraph(_definition(pages)), Paragraph(_count_text(pages, summary))]
    single, mixed = (None, None) if frame is None else _kinds(frame)
    if single is not None and single.height:
        blocks.append(_table(pages, single))
    if mixed is not None and mixed.height:
        blocks += [
            Paragraph(_mixtures(pages, summary, mixed.height - summary["by_a_mixture"])),
            _mixture_table(pages, mixed),
        ]
    blocks += [Paragraph(text) for text in (*card_findings(pages), *twin_findings(pages))]
    return Section("Who loses alone", "dominance", tuple(blocks))


def _definition(pages: Pages) -> str:
    return (
        f"A {literal(pages.words.entrant)} loses alone if it has a witness against it: another that costs no more, "
        f"scores at least as much in duels with each of the {pages.all_of_them()} (both of the two included, either "
        "side as likely to go first, a draw counting half), and is cheaper or scores more against some. That is said "
        "of one against one, under the readings in force. It is no verdict on a price: several of what loses alone may "
        "be worth their points together, and what duels cannot see may be what it is taken for. Twins that no duel "
        "tells apart are neither listed nor witnesses."
    )


def _count_text(pages: Pages, summary: Mapping[str, Any]) -> str:
    more = summary["overlooking_the_smallest_imbalance"] - summary["outright"]
    text = f"That holds for **{summary['outright']}** of {pages.all_of_them()}."
    if more:
        text += (
            f" {show_many(more, 'more has', 'more have')} a witness if one may score up to {_slack(summary)} less "
            f"against some{_as_compare(summary)}: {summary['overlooking_the_smallest_imbalance']} in all. "
            f"{'It comes' if more == 1 else 'They come'} last in the table."
        )
    return text


def _as_compare(summary: Mapping[str, Any]) -> str:
    """Return a clause that `balance compare` counts alike, for older runs without mixtures; else ""."""
    return "" if "by_any_overlooking" in summary else ", as `balance compare` counts"


def _mixtures(pages: Pages, summary: Mapping[str, Any], more: int) -> str:
    """Return a paragraph on mixtures as witnesses, and how many entrants have one.

    `more` have one only if the smallest imbalance is overlooked.
    """
    n, entrant = summary["by_a_mixture"], literal(pages.words.entrant)
    text = (
        "A mixture is a witness too: who takes its parts in the shares told pays no more on average, scores on "
        f"average at least as much against each of the {pages.all_of_them()}, and pays less or scores more against "
        "some. It is told by the fewest parts that were found, none of which loses alone itself. "
    )
    if n:
        text += f"**{show_count(n)}** that no single {entrant} beats {'has' if n == 1 else 'have'} such a witness. "
    if more:
        text += f"{show_many(more, 'has', 'have')} one if so much is overlooked as above, last in the table. "
    return (
        f"{text}`balance compare`, which overlooks up to {_slack(summary)}, counts "
        f"**{show_count(summary['by_any_overlooking'])}** in all, with one witness or a mixture."
    )


def _table(pages: Pages, frame: pl.DataFrame) -> Block:
    beaten_by = plain(
        "Loses alone to",
        lambda row: _witnesses(pages, row),
        "the witness with the largest mean gain, of several alike the cheapest",
    )
    columns = [*_columns(pages, beaten_by), count("Witnesses", "n_dominating", "how many there are")]
    return frame_table(frame, columns, "One against one: who loses alone, and to whom. Exact.", source="dominance")


def _mixture_table(pages: Pages, frame: pl.DataFrame) -> Block:
    never = plain("Loses alone to", lambda row: _witnesses(pages, row), "shares of several, by how often each is taken")
    columns, exact = _columns(pages, never), not frame["error"].max()
    if not exact:
        error_note = "how much less the least gain may be, for all match-ups at once"
        columns.append(number("Error", "error", show_probability_change, error_note))
    caption = f"Alone against a mixture: who loses, and to which.{' Exact.' if exact else ''}"
    return frame_table(frame, columns, caption)


def _columns(pages: Pages, witness: TableColumn) -> list[TableColumn]:
    """Return the columns on an entrant, with `witness` in its place."""
    return [
        pages.names(pages.words.entrant.capitalize(), "entrant"),
        number("Cost", "cost_points", note=pages.words.points),
        witness,
        number("Its cost", "witness_cost", _cost),
        number(
            "Gain", "mean_gain", show_probability_change,
            "how much more the witness scores on average over the field, twins counted once",
        ),
        number(
            "Least", "least_gain", lambda gain: show_unit(show_signed(100 * gain, 2), "pp"),
            "against whom it gains least",
        ),
    ]  # fmt: skip

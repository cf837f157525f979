"""What is never worth taking, with the witness against it, and which cards are the same fighter: before any price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.numbers import show_many, show_probability_change, show_signed, show_unit
from balance.report import Paragraph, Section, literal
from balance.report.document import Block
from balance.report.sections.shown import count, frame_table, number, plain
from balance.report.sections.words import Pages, list_words

__all__ = ["dominance_findings", "dominance_section", "never_worth_taking", "twin_findings"]

MOST_NAMES = 5


def never_worth_taking(pages: Pages) -> str | None:
    """Return the headline on dominance, as marked text; None if the run does not tell or nothing has a price."""
    found = pages.run.summary.get("dominated")
    if found is None or not pages.priced:
        return None
    if not found["outright"]:
        return (
            f"Of {pages.all_of_them()}, **none is beaten by another** in these duels: no other is as good against "
            f"all and either cheaper, or no dearer and better against someone{_nearly(found)}."
        )
    how = f"another that costs no more does at least as well against every {literal(pages.words.entrant)} of the field"
    never = f"**{show_many(found['outright'], 'is', 'are')} never worth taking** in these duels"
    return f"Of {pages.all_of_them()}, {never}: {how}{_nearly(found)}."


def _nearly(found: Mapping[str, Any]) -> str:
    """Return how many would be if a loss too small to care about did not count, where they are more."""
    if (n := found["overlooking_the_smallest_imbalance"]) <= found["outright"]:
        return ""
    return f" ({n}, if up to {_slack(found)} less against some is overlooked)"


def _slack(found: Mapping[str, Any]) -> str:
    return show_probability_change(found["smallest_imbalance"]).lstrip("+")


def dominance_findings(pages: Pages) -> list[str]:
    """Return the clearest of what is never worth taking, each with its witness, as marked text."""
    frame = pages.table("dominance")
    outright = None if frame is None else frame.filter(pl.col("outright"))
    if not pages.priced or outright is None or outright.height == 0:
        return []
    named = [
        f"{pages.marked(row['entrant'])} ({row['cost_points']:g}) by "
        f"**{_witnesses(pages, row)}** ({row['witness_cost']:g})"
        for row in outright.head(MOST_NAMES).iter_rows(named=True)
    ]
    of = f"the clearest of {outright.height}: " if outright.height > len(named) else ""
    return [f"**Never worth taking**, {of}beaten {'is' if len(named) == 1 else 'are'} {'; '.join(named)}."]


def _witnesses(pages: Pages, row: Mapping[str, Any]) -> str:
    return " or ".join(pages.marked(name) for name in row["witnesses"])


def twin_findings(pages: Pages) -> list[str]:
    """Return one sentence for each two cards that are the same fighter, as marked text, for the first of very many."""
    frame = pages.table("twins")
    if frame is None:
        return []
    told = [_twins(pages, row) for row in frame.head(MOST_NAMES).iter_rows(named=True)]
    more = show_many(frame.height - len(told), "more pair of cards is", "more pairs of cards are")
    return [*told, f"**The same fighter:** {more} in the run's table `twins`."] if frame.height > len(told) else told


def _twins(pages: Pages, row: Mapping[str, Any]) -> str:
    costs = [None if row[name] is None else f" ({row[name]:g})" for name in ("cost_points", "twin_cost")]
    one, other = (
        f"{literal(row[name])}{cost or ''}" for name, cost in zip(("label", "twin_label"), costs, strict=True)
    )
    share = f" in each of the {row['n_pairs']} {literal(pages.words.entrants)} that they share" * (row["n_pairs"] > 1)
    text = f"**The same fighter:** {one} and {other}. Every one of these duels has exactly the same chances{share}."
    if row["differ"]:
        fields = list_words([literal(name.replace("_", " ")) for name in row["differ"]])
        text += f" What else differs on the two cards ({fields}) does not show in them."
    for name, only in (("label", "n_only"), ("twin_label", "n_twin_only")):
        if row[only]:
            text += f" {literal(row[name])} alone can be taken in {row[only]} more."
    return text


def dominance_section(pages: Pages) -> Section | None:
    """Return all that is never worth taking, with its witness; None where nothing has a price."""
    found, frame = pages.run.summary.get("dominated"), pages.table("dominance")
    if found is None or not pages.priced:
        return None
    blocks: list[Block] = [Paragraph(_definition(pages)), Paragraph(_counted(pages, found))]
    if frame is not None:
        blocks.append(_table(pages, frame))
    blocks += [Paragraph(text) for text in twin_findings(pages)]
    return Section("What is never worth taking", "dominance", tuple(blocks))


def _definition(pages: Pages) -> str:
    return (
        f"Never worth taking is here what has a witness against it: another {literal(pages.words.entrant)} that costs "
        f"no more, scores at least as much against each of the {pages.all_of_them()} (both of the two included, either "
        "side as likely to go first, a draw counting half), and is cheaper or scores more against some. That needs no "
        "model, only the costs as printed. It is said of these duels only, under the readings in force: what they "
        f"cannot see may be what a {literal(pages.words.entrant)} is taken for."
    )


def _counted(pages: Pages, found: Mapping[str, Any]) -> str:
    more = found["overlooking_the_smallest_imbalance"] - found["outright"]
    text = f"That holds for **{found['outright']}** of {pages.all_of_them()}."
    if more:
        text += (
            f" {show_many(more, 'more has', 'more have')} a witness if one may score up to {_slack(found)} less "
            f"against some, as `balance compare` counts: {found['overlooking_the_smallest_imbalance']} in all. "
            f"{'It comes' if more == 1 else 'They come'} last in the table."
        )
    return text


def _table(pages: Pages, frame: pl.DataFrame) -> Block:
    shown = [
        pages.names(pages.words.entrant.capitalize(), "entrant"),
        number("Cost", "cost_points", note=pages.words.points),
        plain(
            "Beaten by", lambda row: " or ".join(map(pages.name, row["witnesses"])),
            "the witness with the largest mean gain, of several alike the cheapest",
        ),
        number("Its cost", "witness_cost"),
        number(
            "Gain", "mean_gain", show_probability_change,
            "how much more the witness scores on average over the field, twins counted once",
        ),
        number(
            "Least", "least_gain", lambda gain: show_unit(show_signed(100 * gain, 2), "pp"),
            "against whom it gains least",
        ),
        count("Witnesses", "n_dominating", "how many there are"),
    ]  # fmt: skip
    return frame_table(frame, shown, "Never worth taking, and the witness. Exact.")

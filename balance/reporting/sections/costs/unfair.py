"""What whole costs for all leave unfair: the pairs farthest from even, and rock, paper, scissors by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_count, show_odds, show_probability
from balance.reporting import Table, literal
from balance.reporting.sections.common.columns import frame_table, number, plain
from balance.reporting.sections.common.price_verdicts import leading_rows
from balance.reporting.sections.common.words import Pages

WHAT = {"pair": "far from even", "cycle": "rock, paper, scissors"}


def unfair_table(pages: Pages) -> list[Table]:
    """Return the table, as a list, of the pairs farthest from even, and cycles; [] without any."""
    rows = leading_rows(pages, "unfair_pairs")
    if not rows:
        return []
    columns = [
        plain("What", lambda row: WHAT[row["kind"]]),
        plain("Winner", lambda row: pages.name(row["winner"])),
        plain("Loser", lambda row: pages.name(row["loser"])),
        number("Score", "score", show_probability, "of the winner, on dice that did not choose the pair"),
        number("95 %", "half_width", lambda width: f"± {width:.1f}"),
        number("Share", "share", show_probability, "of what is left unfair, in squares, over all pairs"),
    ]
    frame = pl.DataFrame(rows).with_columns(half_width=100 * SURE * pl.col("error"))
    count = show_count(rows[0]["n_pairs"])
    caption = f"The pairs farthest from even with whole costs for all, of {count}: armies of one kind at equal points."
    return [frame_table(frame, columns, " ".join([caption, *_kinds_of_unfair(pages)]), source="unfair_pairs")]


def cycle_text(pages: Pages) -> str:
    """Return a marked sentence on the rock-paper-scissors cycle; "" where there is none."""
    rows = [row for row in leading_rows(pages, "unfair_pairs") if row["kind"] == "cycle"]
    return _cycle_text(pages, rows) if rows else ""


def _cycle_text(pages: Pages, rows: Sequence[dict[str, Any]]) -> str:
    """Return who beats whom in a cycle of three, with the scores."""
    beats = [
        f"{pages.marked_name(row['winner'])} beats {pages.marked_name(row['loser'])} {show_odds(row['score'])}"
        for row in rows
    ]
    return f"Rock, paper, scissors that no cost mends: {list_words(beats)}."


def _kinds_of_unfair(pages: Pages) -> list[str]:
    """Return how much of the remaining unfairness is strength, and how much match-ups; [] where that is not told."""
    shares = [row["strength_share"] for row in leading_rows(pages, "typical_match_ups")]
    return [_kind_text(literal(pages.words.entrants), share) for share in shares if share is not None]


def _kind_text(entrants: str, strength_share: float) -> str:
    """Return how the remaining unfairness divides into strength, `strength_share`, and match-ups.

    >>> _kind_text("units", 0.6)
    '60% of what is left is units too strong or too weak against all, 40% who meets whom, which no cost mends.'
    """
    strong, rest = (show_probability(share, 0) for share in (strength_share, 1 - strength_share))
    of_strength = f"{strong} of what is left is {entrants} too strong or too weak against all"
    return f"{of_strength}, {rest} who meets whom, which no cost mends."

"""What whole costs for all leave unfair: the pairs farthest from even, and rock, paper, scissors by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_count, show_odds, show_probability
from balance.reporting import Table, literal
from balance.reporting.sections.common.columns import frame_table, number, plain
from balance.reporting.sections.common.price_verdicts import in_setting, setting_titles
from balance.reporting.sections.common.words import Pages

WHAT = {"pair": "far from even", "cycle": "rock, paper, scissors"}


def unfair_table(pages: Pages) -> list[Table]:
    """Return the table, as a list, of the pairs farthest from even in each setting, and cycles; [] without any."""
    frame = pages.table("unfair_pairs")
    if frame is None:
        return []
    columns = [
        *([plain("Setting", lambda row: row["setting"].replace("_", " "))] if len(setting_titles(pages)) > 1 else []),
        plain("What", lambda row: WHAT[row["kind"]]),
        plain("Winner", lambda row: pages.name(row["winner"])),
        plain("Loser", lambda row: pages.name(row["loser"])),
        number("Score", "score", show_probability, "of the winner, on dice that did not choose the pair"),
        number("95 %", "half_width", lambda width: f"± {width:.1f}"),
        number("Share", "share", show_probability, "of what is left unfair, in squares, over all pairs"),
    ]
    frame = frame.with_columns(half_width=100 * SURE * pl.col("error"))
    count = show_count(int(frame["n_pairs"].to_list()[0]))
    caption = f"The pairs farthest from even with whole costs for all, of {count}: armies of one kind at equal points."
    return [frame_table(frame, columns, " ".join([caption, *_kinds_of_unfair(pages)]), source="unfair_pairs")]


def cycle_texts(pages: Pages) -> list[str]:
    """Return a marked sentence on the rock-paper-scissors cycle of each setting that has one."""
    frame = pages.table("unfair_pairs")
    rows = [] if frame is None else frame.filter(kind="cycle").to_dicts()
    settings = dict.fromkeys(row["setting"] for row in rows)
    return [
        in_setting(pages, setting, _cycle_text(pages, [row for row in rows if row["setting"] == setting]))
        for setting in settings
    ]


def _cycle_text(pages: Pages, rows: Sequence[dict[str, Any]]) -> str:
    """Return who beats whom in a cycle of three, with the scores."""
    beats = [
        f"{pages.marked_name(row['winner'])} beats {pages.marked_name(row['loser'])} {show_odds(row['score'])}"
        for row in rows
    ]
    return f"rock, paper, scissors that no cost mends: {list_words(beats)}."


def _kinds_of_unfair(pages: Pages) -> list[str]:
    """Return for each setting how much of the remaining unfairness is strength, and how much match-ups."""
    frame = pages.run.table("typical_match_ups").filter(pl.col("strength_share").is_not_null())
    entrants = literal(pages.words.entrants)
    return [
        in_setting(pages, row["setting"], _kind_text(entrants, row["strength_share"]))
        for row in frame.iter_rows(named=True)
    ]


def _kind_text(entrants: str, strength_share: float) -> str:
    """Return how the remaining unfairness divides into strength, `strength_share`, and match-ups.

    >>> _kind_text("units", 0.6)
    '60% of what is left is units too strong or too weak against all, 40% who meets whom, which no cost mends.'
    """
    strong, rest = (show_probability(share, 0) for share in (strength_share, 1 - strength_share))
    of_strength = f"{strong} of what is left is {entrants} too strong or too weak against all"
    return f"{of_strength}, {rest} who meets whom, which no cost mends."

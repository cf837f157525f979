"""What play is worth: the ladder of ways of playing, their matrix, and what no ladder can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis.play.ways import IN, OUT
from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_count, show_fixed, show_probability, show_probability_change
from balance.reporting import Figure, HeatMap, Paragraph, Section, literal
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.sections.common.columns import TableColumn, frame_table, number, plain
from balance.reporting.sections.common.words import Pages, heat_map

PLAY_TITLE = "What play is worth"


def play_section(pages: Pages) -> Section | None:
    """Return the ladder and the matrix of every setting; None where ways of playing did not meet."""
    settings = pages.table("play_settings")
    if settings is None:
        return None
    blocks: list[Block] = [Paragraph(_meaning(pages, settings))]
    for row in settings.iter_rows(named=True):
        blocks += [Paragraph(_setting_text(pages, row)), _ladder(pages, row), _matrix(pages, row)]
    blocks.append(_table(pages))
    return Section(PLAY_TITLE, "play", tuple(blocks))


def play_titles(pages: Pages) -> dict[str, str]:
    """Return id -> title of each setting of battles, as marked text."""
    frame = pages.table("play_settings")
    return {} if frame is None else {name: literal(title) for name, title in frame.select("setting", "title").rows()}


def played_so(name: str) -> str:
    """Return a way of playing without underscores.

    >>> played_so("kite_hold")
    'kite hold'
    """
    return name.replace("_", " ")


def _meaning(pages: Pages, settings: pl.DataFrame) -> str:
    own = ", or certainly more than one in four of the battles in which both sides play so are stand-offs"
    has_stand_offs = not pages.run.table("play_ladder")["stand_offs"].is_null().all()
    near = list_words([f"{points:g}" for points in settings["near_points"].unique().sort()])
    return (
        "An imbalance that shows only where both sides play badly is none. So every way of playing meets every other, "
        "with the same random legal armies from both seats on the same luck, and each gets a rating: **50 points "
        "are a score of 57.1 %**, 200 of 76 %. Errors come from pairs of armies. A way **counts** unless it is "
        f"certainly more than {near} points behind the best{own if has_stand_offs else ''}; by each way that counts a "
        "verdict must be the same."
    )


def _setting_text(pages: Pages, row: Mapping[str, Any]) -> str:
    """Return sentences on a setting: the best way of playing, the gap, going first and cycles."""
    ladder = pages.run.table("play_ladder").filter(setting=row["setting"])
    best, last = (played_so(ladder["play"][at]) for at in (0, -1))
    counted = [played_so(name) for name in ladder.filter(pl.col("place") != OUT)["play"]]
    budgets = [
        f"{points:g} ({limit:g} units)" for points, limit in zip(row["budgets"], row["unit_limits"], strict=True)
    ]
    budget_text = f"budgets from {budgets[0]} to {budgets[-1]}" if len(budgets) > 1 else f"a budget of {budgets[0]}"
    changes = f" (`{literal(', '.join(row['changes']))}`)" if row["changes"] else ""
    head = literal(row["title"][:1].upper() + row["title"][1:])
    circles = (
        f"{show_probability(row['cyclic'])} of the matrix, on the scale of log-odds, goes in circles; luck alone would "
        f"show {show_probability(row['cyclic_noise'])}"
    )
    beats = (
        f", and for certain {literal(played_so(row['cycles'][0].replace(' > ', ' beats ')))}" if row["cycles"] else ""
    )
    return (
        f"**{head}.** {literal(row['kind'].capitalize())}{changes}, {budget_text}, "
        f"{show_count(row['n_battles'])} battles, seed {row['seed']}. From {literal(last)} to **{literal(best)}** "
        f"there are {row['gap']:.0f} rating points (±{SURE * row['gap_error']:.0f}); going first is worth "
        f"{row['going_first']:.0f}. {_counted(counted)} {circles}{beats}."
        f"{_stand_offs(ladder)}"
    )


def _counted(names: list[str]) -> str:
    """Return which ways count, in a sentence."""
    if not names:
        return "None counts: whichever way both sides play, battles end in stand-offs."
    return f"Of these {'counts' if len(names) == 1 else 'count'} {literal(list_words(names))}."


def _stand_offs(ladder: pl.DataFrame) -> str:
    """Return a sentence on the way of playing with the most stand-offs; "" where they are not recorded."""
    rows = ladder.drop_nulls("stand_offs").sort("stand_offs", "play", descending=[True, False])
    if not rows.height:
        return ""
    play, share = rows.select("play", "stand_offs").row(0)
    if share < 0.01:
        return " Hardly any battle lasts until the time is up."
    return (
        f" Where both sides play {literal(played_so(play))}, {show_probability(share)} of the battles are stand-offs: "
        "nobody has won when the time is up."
    )


def _ladder(pages: Pages, row: Mapping[str, Any]) -> Block:
    ladder = pages.run.table("play_ladder").filter(setting=row["setting"])
    behind, low, high = ((-ladder[column]).to_list() for column in ("behind", "behind_high", "behind_low"))
    svg = plot_intervals(
        [played_so(name) for name in ladder["play"]],
        behind,
        low,
        high,
        "rating points behind the best",
        reference=-row["near_points"],
    )
    caption = (
        f"{literal(row['title'])}: the ladder of {ladder.height} ways of playing, with 95 % intervals for all at once."
    )
    return Figure(
        svg,
        f"Ratings of {ladder.height} ways of playing, the best on top, with intervals.",
        f"{caption[:1].upper()}{caption[1:]} The dashed line lies {row['near_points']:g} points behind the best.",
        "play_ladder",
    )


def _matrix(pages: Pages, row: Mapping[str, Any]) -> HeatMap:
    order = pages.run.table("play_ladder").filter(setting=row["setting"])["play"].to_list()
    cells = pages.run.table("play_matrix").filter(setting=row["setting"])
    score = {
        (first, second): value for first, second, value in cells.select("first", "second", "both_seats").iter_rows()
    }
    values = [[float(score[first, second]) for second in order] for first in order]
    names = [played_so(name) for name in order]
    error = cells.filter(pl.col("first") != pl.col("second"))["error"].max()
    caption = (
        f"{row['title']}: score in percent of the row against the column, each going first as often; a draw is half."
    )
    return heat_map(
        names,
        names,
        values,
        [["" if i == j else f"{100 * value:.0f}" for j, value in enumerate(line)] for i, line in enumerate(values)],
        f"{caption[:1].upper()}{caption[1:]}",
        titles=("way of playing", "against"),
        signed=True,
        legend=("0", "50", "100"),
        source="play_matrix",
        note=f"Standard errors are at most {show_fixed(100 * float(error or 0.0), 1)}.",  # type: ignore[arg-type]
    )


def _table(pages: Pages) -> Block:
    frame, titles = pages.run.table("play_ladder"), play_titles(pages)
    columns = [
        *([plain("Setting", lambda row: row["setting"].replace("_", " "))] if len(titles) > 1 else []),
        plain("Way of playing", lambda row: played_so(row["play"])),
        number("Behind", "behind", "{:.0f}".format, "rating points behind the best"),
        plain("95 %", lambda row: f"{row['behind_low']:.0f} to {row['behind_high']:.0f}"),
        number("Score", "score", show_probability, "mean against the other ways"),
        number("Going first", "advantage", show_probability_change, "where both sides play so"),
        *_off(frame),
        plain("Counts", lambda row: {IN: "yes", OUT: "no"}.get(row["place"], "maybe")),
    ]
    return frame_table(frame, columns, "Ways of playing, the best first.", source="play_ladder")


def _off(frame: pl.DataFrame) -> list[TableColumn]:
    if frame["stand_offs"].is_null().all():
        return []
    return [number("Stand-offs", "stand_offs", _share, "of battles where both sides play so")]


def _share(value: float) -> str:
    return show_probability(value)

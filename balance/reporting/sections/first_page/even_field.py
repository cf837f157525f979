"""The first page of a game in which everybody costs the same: who is strong, and what would even the field."""

from __future__ import annotations

import polars as pl

from balance.answers.words.lists import list_words
from balance.base.numbers import EVEN_BAND, show_count, show_many
from balance.reporting import Figure, Table, literal
from balance.reporting.figures.ranges import Family, Range, plot_ranges
from balance.reporting.sections.common.columns import Row, frame_table, number, plain
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.even_field import (
    group_column,
    group_name,
    percent,
    settings_text,
    span,
    span_column,
    verdict_text,
)
from balance.reporting.sections.first_page.page import MOST_CHANGES, MOST_MARKS, FirstPage
from balance.reporting.sections.first_page.reply import reply_of, unevenness
from balance.reporting.sections.first_page.unseen import unseen_text

FAMILIES: dict[str, Family] = {"too cheap": "under", "too dear": "over", "fair": "fair", "depends": "depends"}
"""Verdict -> how it is drawn."""


def even_field_page(pages: Pages) -> FirstPage | None:
    """Return the first page on what would even the field; None where the run did not ask."""
    field, changes = pages.table("even_field"), pages.table("even_changes")
    if field is None:
        return None
    settings = pages.run.settings.first_page
    return FirstPage(
        "Who is strong, and what to change",
        _headline(pages, field, changes),
        _chart(pages, field),
        None if changes is None else _changes(pages, field, changes.head(MOST_CHANGES)),
        settings.cannot_see or unseen_text(pages, ["duel"]),
        reply=reply_of(
            field["verdict"].is_in(["too cheap", "too dear"]).any(),
            (field["verdict"] == "fair").all(),
            unevenness(pages),
        ),
    )


def _headline(pages: Pages, field: pl.DataFrame, changes: pl.DataFrame | None) -> str:
    """Return sentences on the strongest and weakest for one cost, how many are fair, and the scores after changes."""
    words, (first, last) = pages.words, (field.row(at, named=True) for at in (0, -1))
    wins = literal(words.wins)
    text = (
        f"{pages.points(1)} buys **{literal(group_name(pages, first['entrants']))}**, which {wins} in "
        f"**{percent(first['score'])}** of its duels ({span(first['low'], first['high'])} over all settings), or "
        f"**{literal(group_name(pages, last['entrants']))}**, with **{percent(last['score'])}** "
        f"({span(last['low'], last['high'])}). Of {pages.all_of_them()}, {_counts_text(field)}."
    )
    if changes is None:
        return text
    n = "the change" if changes.height == 1 else f"the {show_count(changes.height)} changes"
    after, before = (_spread(field, column) for column in ("after", "score"))
    return (
        f"{text} With {n} below every {literal(words.entrant)} {wins} in {after} of its duels, instead of {before}, "
        f"and {_fair_text(field)}."
    )


def _fair_text(field: pl.DataFrame) -> str:
    """Return how many entrants are fair in every setting after the changes and today, each of a group counted."""
    low, high = EVEN_BAND
    conditions = (pl.col("after_low") >= low) & (pl.col("after_high") <= high), pl.col("verdict") == "fair"
    then, now = (int(field.filter(condition)["entrants"].list.len().sum()) for condition in conditions)
    return f"{show_many(then, 'is fair', 'are fair')} instead of {show_count(now)}"


def _counts_text(field: pl.DataFrame) -> str:
    """Return how many entrants have each verdict, each of a group that plays alike counted."""
    counts = dict(field.group_by("verdict").agg(pl.col("entrants").list.len().sum()).iter_rows())
    texts = []
    for word in (word for word in FAMILIES if word in counts):
        n = counts[word]
        says = f"depend{'s' * (n == 1)} on the setting" if word == "depends" else f"{'is' if n == 1 else 'are'} {word}"
        texts.append(f"{show_count(n)} {says}")
    return list_words(texts)


def _spread(field: pl.DataFrame, column: str) -> str:
    scores = field[column].to_list()
    return f"**{percent(min(scores))} to {percent(max(scores))}**"


def _chart(pages: Pages, field: pl.DataFrame) -> Figure:
    """Return the picture of scores against the field, the strongest on top, coloured by verdict."""
    rows = field.head(MOST_MARKS).iter_rows(named=True)
    marks = [_range(pages, row) for row in rows]
    axis = f"duels in which it {pages.words.wins}, in per cent, for {pages.points(1)}"
    texts = [f"{mark.name} {mark.mark:.0f}% ({mark.low:.0f} to {mark.high:.0f}), {mark.word}" for mark in marks]
    low, high = (100 * end for end in EVEN_BAND)
    caption = (
        f"What {pages.points(1)} buys: the share of its duels against all {literal(pages.words.entrants)} in which "
        f"each {literal(pages.words.wins)}, a draw counting half. Bars are ranges over all settings; fair is from "
        f"{low:.0f}% to {high:.0f}%, shaded. Exact."
    )
    picture = plot_ranges(marks, axis, reference=50.0, band=(low, high))
    return Figure(picture, f"{axis}: {'; '.join(texts)}.", caption, "even_field")


def _range(pages: Pages, row: Row) -> Range:
    score, low, high = (100 * row[name] for name in ("score", "low", "high"))
    name = ", ".join(pages.name(entrant) for entrant in row["entrants"])
    return Range(name, score, low, high, FAMILIES[row["verdict"]], verdict_text(row))


def _changes(pages: Pages, field: pl.DataFrame, changes: pl.DataFrame) -> Table:
    """Return the table of proposed changes, with scores now and with all changes in force."""
    points = pages.words.points
    today = {tuple(row["entrants"]): verdict_text(row) for row in field.iter_rows(named=True)}
    columns = [
        group_column(pages),
        plain("Verdict", lambda row: today[tuple(row["entrants"])]),
        plain("Change", lambda row: f"{row['field'].replace('_', ' ') or points} {row['old']} → {row['new']}"),
        number("Now", "score", percent),
        number("Then", "after", percent, "with all of these changes in force"),
        span_column("Range then", "after_low", "after_high", "how sure: over all settings"),
        plain("Then it is", verdict_text),
    ]
    costs = changes.filter(pl.col("field") == "").height
    note = f"A {literal(pages.words.entrant)} of two {points} meets two others at once. " if costs else ""
    note += "".join(
        f"No single change makes {literal(group_name(pages, row['entrants']))} fair; this one comes nearest. "
        for row in changes.iter_rows(named=True)
        if row["verdict"] == today[tuple(row["entrants"])]
    )
    caption = f"What to change, and the share of its duels in which each {literal(pages.words.wins)}."
    return frame_table(changes, columns, caption, f"{note}{settings_text(pages)}", "even_changes")

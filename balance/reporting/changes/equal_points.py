"""What a change does at equal points, in sentences and tables: scores, typical match-ups, fair costs and verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from balance.analysis.prices.verdicts import NOT_KNOWN
from balance.answers.blocks.tables import Cell, Column, Table
from balance.answers.blocks.text import literal
from balance.base.numbers import (
    show_fixed,
    show_interval,
    show_probability,
    show_probability_change,
)
from balance.reporting.changes.sentences import Name, before_after, change_text, containing_text, show_cost
from balance.reporting.changes.tables import left_out
from balance.reporting.sections.common.columns import Row, TableColumn, ends, frame_table, number, plain
from balance.reporting.sections.common.words import list_words
from balance.study.compare.compare import Comparison
from balance.study.compare.equal_points import EqualPoints

TYPICAL = (
    "How two armies of equal points typically stand, the better one first: one half and the root mean square distance "
    "from it, over all match-ups of armies of one member each."
)
MOST_NAMED = 3
"""Changed cards that the first sentence names; of more, only the one that moves most."""


def army_lead(comparison: Comparison, equal_points: EqualPoints, name: Name) -> str:
    """Return in plain sentences what a change does at equal points, then what is changed and whom that concerns."""
    typical = equal_points.typical.row(0, named=True)
    setting = f" ({typical['title']})" if equal_points.typical.height > 1 else ""
    before, after = (match_up_text(typical[f"off_{side}"]) for side in ("before", "after"))
    stands = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    moves = f"At equal points{setting}, {_moves_text(comparison, equal_points, name)}."
    effects = comparison.effects
    whom = "That concerns everybody" if effects.concerns_all else containing_text(comparison)
    return f"{moves} A typical match-up {stands}. {change_text(effects)} {whom}."


def match_up_text(off: float) -> str:
    """Return a score `off` from one half as a ratio of per cents.

    >>> match_up_text(0.153)
    '65:35'
    """
    best = round(50 + 100 * min(off, 0.5))
    return f"{best}:{100 - best}"


def _moves_text(comparison: Comparison, equal_points: EqualPoints, name: Name) -> str:
    """Return the scores of armies of the changed cards before and after, or of whoever's score moves most.

    The latter where more than `MOST_NAMED` cards change, or none is listed.
    """
    listed = listed_rows(comparison, equal_points).filter(setting=equal_points.typical["setting"][0])
    changed_ids = [card.card for card in comparison.effects.cards]
    rows = listed.filter(pl.col("entrant").is_in(changed_ids)).to_dicts()
    if 0 < len(rows) <= MOST_NAMED:
        return list_words([_score_text(comparison, row, name) for row in rows])
    moved = listed.filter(_MOVES).sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    if not moved.height:
        return (
            "no mean score moves" if listed["low"].null_count() == listed.height else "no mean score is known to move"
        )
    row = moved.row(0, named=True)
    scores = f"from {show_probability(row['before'])} to {show_probability(row['after'])}"
    return f"the mean score moves most for armies of {name(row['entrant'])}, {scores}{_verdict_note(row)}"


_MOVES = ((pl.col("low") > 0) | (pl.col("high") < 0)).fill_null(value=False)


def _score_text(comparison: Comparison, row: Row, name: Name) -> str:
    """Return the scores of armies of an entrant, or with a card, before and after, and the verdict on its price."""
    is_entrant = row["entrant"] in set(comparison.effects.standings["entrant"])
    whose = f"armies {'of' if is_entrant else 'with'} {name(row['entrant'])}"
    after, before = (show_probability(row[side]) for side in ("after", "before"))
    if row["low"] is None:
        return f"{whose} score {after} as before{_verdict_note(row)}"
    if row["low"] <= 0 <= row["high"]:
        return f"{whose} score {after}, about as before{_verdict_note(row)}"
    return f"{whose} score {after} instead of {before}{_verdict_note(row)}"


def _verdict_note(row: Row) -> str:
    """Return the verdict on a price after the change, with the one before, in brackets."""
    before, after = row["verdict_before"], row["verdict_after"]
    if after is None:
        return ""
    return f" ({after}, as before)" if before == after else f" ({before or '–'} → {after})"


def army_tables(
    comparison: Comparison, equal_points: EqualPoints, name: Name, max_rows: int = 18, brief: bool = False
) -> Iterator[Table]:
    """Yield the tables of scores in each setting, of typical match-ups if there are several, and of fair costs.

    Each has at most `max_rows` cards and entrants, `compare.json` holds all; `brief` shortens captions for narrow
    screens.
    """
    listed = listed_rows(comparison, equal_points)
    titles = dict(equal_points.typical.select("setting", "title").iter_rows())
    for place, (setting, title) in enumerate(titles.items()):
        rows = listed.filter(setting=setting)
        if rows.height:
            where = title if len(titles) > 1 else ""
            yield _score_table(comparison, rows, where, name, max_rows, brief, with_verdict=place == 0)
    if len(titles) > 1:
        yield _typical_table(equal_points, brief)
    costs = listed.filter(setting=next(iter(titles)))
    if costs["fair_after"].count():
        yield _cost_table(comparison, costs, name, max_rows, brief)


def listed_rows(comparison: Comparison, equal_points: EqualPoints) -> pl.DataFrame:
    """Return scores and prices of changed cards, of entrants that contain one, and of others that surely change.

    Others are those whose score certainly moves by more than the smallest imbalance, or whose verdict turns from one
    that is known into another.
    """
    rows = equal_points.scores.join(equal_points.prices, on="entrant", how="left", maintain_order="left")
    effects, imbalance = comparison.effects, comparison.summary["imbalance"]
    certain = pl.col("low").clip(0) - pl.col("high").clip(upper_bound=0) > imbalance
    turns = (pl.col("verdict_before") != pl.col("verdict_after")) & ~pl.any_horizontal(
        pl.col("verdict_before", "verdict_after") == NOT_KNOWN
    )
    by_size = rows.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    containing = set(effects.standings.filter(pl.col("cards").list.len() > 0)["entrant"])
    others = by_size.filter((certain | turns).fill_null(value=False))["entrant"]
    own = by_size.filter(pl.col("entrant").is_in(list(containing)))["entrant"]
    order = pl.DataFrame(
        {"entrant": list(dict.fromkeys([*(card.card for card in effects.cards), *own, *others]))},
        schema={"entrant": pl.String},
    )
    return order.join(rows, on="entrant", how="inner", maintain_order="left_right")


def _score_table(
    comparison: Comparison, rows: pl.DataFrame, title: str, name: Name, max_rows: int, brief: bool, with_verdict: bool
) -> Table:
    """Return the table of scores of armies in a setting; `with_verdict` adds the verdict over all settings."""
    words = comparison.words
    columns = [plain(f"Card or {words.entrant}", lambda row: name(row["entrant"]))]
    verdicts = [plain("Verdict", lambda row: _verdict(row))] if with_verdict and rows["verdict_after"].count() else []
    columns += [] if brief else verdicts  # on a phone the first columns are in view, on a screen the last may wrap
    if rows["cost_after"].count():
        columns.append(TableColumn(Column("Cost", "right"), lambda row: Cell(_cost(row), row["cost_after"])))
    columns += [number("Before", "before", show_probability), number("After", "after", show_probability)]
    if brief:
        columns.append(
            TableColumn(
                Column("Change, pp", "right"),
                lambda row: Cell(_change(row), row["difference"], row["low"], row["high"]),
            )
        )
    else:
        columns.append(number("Change", "difference", show_probability_change))
        columns.append(ends("Interval", "low", "high", show_probability_change, without="exact"))
    columns += verdicts if brief else []
    caption = f"Armies of equal points{', ' if title else ''}{title}:"
    if not brief:
        entrant, entrants = literal(words.entrant), literal(words.entrants)
        caption = (
            f"{literal(caption)} what armies of one {entrant} score on average against those of each other, and a "
            f"card's {entrants} on average. Intervals hold all together."
        )
    return frame_table(rows.head(max_rows), columns, caption, left_out(rows.height - max_rows))


def _cost(row: Row) -> str:
    return "–" if row["cost_after"] is None else show_cost(row)


def _change(row: Row) -> str:
    """Return a change with half the width of its interval, in percentage points."""
    change = show_probability_change(row["difference"], unit="")
    if row["low"] is None:
        return change
    return f"{change} ± {show_fixed(50 * (row['high'] - row['low']), 1)}"


def _verdict(row: Row) -> str:
    return before_after(*(row[f"verdict_{side}"] or "–" for side in ("before", "after")))


def _typical_table(equal_points: EqualPoints, brief: bool) -> Table:
    columns = [
        plain("Setting", lambda row: row["title"]),
        *(TableColumn(Column(side.capitalize(), "right"), partial(_typical, side)) for side in ("before", "after")),
    ]
    caption = "A typical match-up:" if brief else TYPICAL
    return frame_table(equal_points.typical, columns, caption)


def _typical(side: str, row: Row) -> Cell:
    return Cell(match_up_text(row[f"off_{side}"]), row[f"off_{side}"])


def _cost_table(comparison: Comparison, rows: pl.DataFrame, name: Name, max_rows: int, brief: bool) -> Table:
    """Return the table of costs and fair costs, before and after, over all settings."""
    words = comparison.words
    columns = [
        plain(f"Card or {words.entrant}", lambda row: name(row["entrant"])),
        TableColumn(Column("Cost", "right"), lambda row: Cell(_cost(row), row["cost_after"])),
        TableColumn(Column("Fair before", "right"), lambda row: _fair(row, "before", brief)),
        TableColumn(Column("Fair after", "right"), lambda row: _fair(row, "after", brief)),
    ]
    caption = f"Fair costs, in {words.points}:"
    if not brief:
        caption = (
            f"What these cards and {literal(words.entrants)} should cost, in {literal(words.points)}; in brackets how "
            "far settings and dice leave that open."
        )
    return frame_table(rows.head(max_rows), columns, caption, left_out(rows.height - max_rows))


METHOD = (
    "Armies are of one {entrant} each, as many as their points buy, at budgets other than those by which fair costs "
    "are found. Both sides of the change were played with the same draws and dice, either army going first as often; "
    "a match-up that the change does not touch was played once. Intervals of changes hold for all cards, {entrants} "
    "and settings together with {confidence} (Bonferroni). A verdict is that of `balance price`, and firm only if it "
    "is the same in every setting."
)


def method_text(comparison: Comparison) -> str:
    """Return a paragraph on how armies of equal points were played and intervals made, as marked text."""
    words, confidence = comparison.words, show_probability(comparison.summary["confidence"], 0)
    return METHOD.format(entrant=literal(words.entrant), entrants=literal(words.entrants), confidence=confidence)


def duel_text(comparison: Comparison) -> str:
    """Return the sentence that introduces duels, in which no cost counts; it says so if they do not change."""
    if comparison.touches_duels:
        return "What follows is one against one: no cost touches a duel."
    if comparison.summary["costs"]:
        return "One against one nothing changes: no cost touches a duel."
    return "One against one nothing changes: no duel shows what is changed."


def _fair(row: Row, side: str, brief: bool) -> Cell:
    """Return a fair cost with its range, before or after; with `brief` the range alone."""
    fair, low, high = (row[f"{name}_{side}"] for name in ("fair", "fair_low", "fair_high"))
    if fair is None:
        return Cell("–")
    best = show_fixed(fair, 1)
    if low is None:
        return Cell(best, fair)
    range_text = show_interval(low, high, lambda cost: show_fixed(cost, 0 if brief else 1))
    return Cell(range_text if brief else f"{best} ({range_text})", fair, low, high)

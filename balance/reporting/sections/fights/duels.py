"""Who wins: the matrix of all match-ups, the same by kind, and what going first is worth."""

from __future__ import annotations

import csv
import io

import polars as pl

from balance.analysis.scores.equivalence import TIE
from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import show_count, show_many, show_probability, show_probability_change
from balance.catalogue.tables.cells import guard
from balance.reporting import Attachment, Callout, Paragraph, Section, literal
from balance.reporting.sections.common.columns import frame_table, number
from balance.reporting.sections.common.words import Pages, heat_map
from balance.reporting.sections.fights.endings import ending_table_of, ending_text, rankings

MOST_ROWS = 12
MOST_SHOWN = 18


def duel_section(pages: Pages) -> Section | None:
    """Return who wins: scores by group, how duels end, and the strongest and weakest."""
    prices = pages.table("prices")
    if prices is None:
        return None
    words, n_duels = pages.words, int(pages.run.summary["n_duels"])
    prefix = "each " * (n_duels > 1)
    solution_text = (
        "not all of them solved exactly (see Method)" if pages.n_simulated("duels") else f"{prefix}solved exactly"
    )
    blocks: list[Block] = [
        Paragraph(
            f"Every {literal(words.entrant)} met every {literal(words.entrant)}, itself included: "
            f"{show_many(n_duels, 'duel')}, {solution_text}, with either side going first. The score of one is "
            f"its mean chance to {literal(words.win)} against all, a draw counting half."
        )
    ]
    if play_text := pages.run.play_text("duel"):
        blocks.append(Callout("note", "How a duel is played", f"{literal(play_text)}{_unused(pages)}"))
    groups = pages.table("groups")
    if groups is not None and groups["group"].n_unique() > 1 and prices.height > MOST_SHOWN:
        blocks.append(_group_map(pages, groups))
    if endings_text := ending_text(pages):
        blocks.append(Paragraph(endings_text))
    blocks.append(_ranking(pages, prices))
    return Section("Who wins", "duels", tuple(blocks))


def _unused(pages: Pages) -> str:
    """Return a sentence on abilities that the default play in duels does not use; "" without any."""
    names = [pages.marked_name(name) for name in pages.run.settings.uses]
    return f" In the duels of all against all nobody plays for {list_words(names)}." if names else ""


def _group_map(pages: Pages, groups: pl.DataFrame) -> Block:
    wide = groups.pivot("opponent", index="group", values="score")
    values = [[float(value) for value in row[1:]] for row in wide.iter_rows()]
    return heat_map(
        [pages.name(name) for name in wide["group"].to_list()],
        [pages.name(name) for name in wide.columns[1:]],
        values,
        [[f"{100 * value:.0f}" for value in row] for row in values],
        f"Score in percent of a row's {literal(pages.words.entrants)} against a column's. Exact, rounded.",
        titles=(pages.words.group, "against"),
        source="groups",
        signed=True,
        legend=("0", "50", "100"),
    )


def _ranking(pages: Pages, prices: pl.DataFrame) -> Block:
    ranking = rankings(pages)
    frame = prices.sort("score", descending=True, maintain_order=True) if ranking is None else ranking
    rows = frame if frame.height <= 2 * MOST_ROWS else pl.concat([frame.head(MOST_ROWS), frame.tail(MOST_ROWS)])
    if ranking is not None:
        return ending_table_of(pages, rows, frame.height - rows.height)
    left_out = frame.height - rows.height
    cost = [number("Cost", "cost_points", note=pages.words.points)] if pages.has_prices else []
    entrant_column = pages.names(pages.words.entrant.capitalize(), "entrant")
    return frame_table(
        rows,
        [entrant_column, *cost, number("Score", "score", show_probability)],
        "Strongest first. Exact.",
        f"{left_out} in between are left out; the run's table `prices` has all." if left_out else "",
        "prices",
    )


def first_move_section(pages: Pages) -> Section | None:
    """Return what going first is worth, on average and where it matters most."""
    moves = pages.table("first_mover")
    if moves is None:
        return None
    summary = pages.run.summary["first_mover_advantage"]
    top = moves.sort("advantage", descending=True, maintain_order=True).head(MOST_ROWS)
    side, against, first, second, gain = top.row(0)
    advantage, win = show_probability_change(summary["mean"]), literal(pages.words.win)
    n_equal = int(((moves["advantage"] - gain).abs() <= TIE).sum()) - 1
    as_much = f" (as much in {show_many(n_equal, 'other')})" if n_equal else ""
    text = (
        f"Going first changes the chance to {win} by **{advantage}** on average over {_how_many(moves)}. It is worth "
        f"most when **{pages.marked_name(side)}** meets **{pages.marked_name(against)}**{as_much}: "
        f"{show_probability(first)} if it goes first, {show_probability(second)} if not, a difference of "
        f"{show_probability_change(gain)}."
    )
    wins = pages.words.wins.capitalize()
    columns = [
        pages.names("Side", "a"),
        pages.names("Against", "b"),
        number(f"{wins} if first", "p_first", show_probability),
        number(f"{wins} if second", "p_second", show_probability),
        number("Gain", "advantage", show_probability_change, "percentage points"),
    ]
    top_table = frame_table(
        top, columns, "The match-ups in which the first move is worth most. Exact.", source="first_mover"
    )
    return Section("The first move", "first-move", (Paragraph(text), top_table))


def _how_many(moves: pl.DataFrame) -> str:
    """Return the match-ups that the mean is taken over, in words."""
    n = moves.filter(pl.col("a") != pl.col("b")).height
    return f"all {show_count(n)} match-ups of two that differ" if n > 1 else "the one match-up there is"


def matrix_section(pages: Pages) -> Section | None:
    """Return the matrix of scores, strongest first; of many entrants a sample, with all of it in a file."""
    matrix, prices = pages.table("matrix"), pages.table("prices")
    if matrix is None or prices is None or matrix.height < 2:
        return None
    order = prices.sort("score", descending=True, maintain_order=True)["entrant"].to_list()
    rows = {row[0]: dict(zip(matrix.columns[1:], row[1:], strict=True)) for row in matrix.iter_rows()}
    values = [[float(rows[entrant][opponent]) for opponent in order] for entrant in order]
    names = [pages.name(name) for name in order]
    places = _evenly(len(names), MOST_SHOWN)
    shown_values = [[values[i][j] for j in places] for i in places]
    map_ = heat_map(
        [names[i] for i in places],
        [names[i] for i in places],
        shown_values,
        [[f"{100 * value:.0f}" for value in row] for row in shown_values],
        f"Chance in percent that the row {pages.words.wins} against the column; a coin decides who goes first, a draw "
        "is half. Exact, rounded.",
        titles=(pages.words.entrant, "against"),
        source="matrix",
        signed=True,
        legend=("0", "50", "100"),
    )
    if len(places) == len(names):
        return Section("Every match-up", "matrix", (map_,))
    attachment = Attachment(
        "every-match-up.csv",
        _matrix_csv(names, values),
        f"{len(places)} of {len(names)} {literal(pages.words.entrants)} are shown, evenly spaced from the strongest to "
        "the weakest. All of them, against all:",
    )
    return Section("Every match-up", "matrix", (attachment, map_))


def _evenly(n: int, max_places: int) -> list[int]:
    """Return at most `max_places` evenly spaced places of n, the first and the last among them.

    >>> _evenly(3, 5), _evenly(10, 4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    return (
        list(range(n))
        if n <= max_places
        else [round(place * (n - 1) / (max_places - 1)) for place in range(max_places)]
    )


def _matrix_csv(names: list[str], values: list[list[float]]) -> bytes:
    """Return the matrix with its names as CSV, escaped so that no spreadsheet reads a name as a formula."""
    labels = [guard(name) for name in names]
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["", *labels])
    table.writerows([label, *(f"{value:.6f}" for value in row)] for label, row in zip(labels, values, strict=True))
    return file.getvalue().encode()

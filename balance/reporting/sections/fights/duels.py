"""Who wins: the matrix of all match-ups, the same by kind, and what going first is worth.

How duels end is told, too: what becomes of the loser, and the ranking by what that earns beside the one by score.
"""

from __future__ import annotations

import csv
import io

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import highest, list_words
from balance.base.numbers import show_count, show_fixed, show_many, show_probability, show_probability_change
from balance.catalogue.tables.cells import guard
from balance.reporting import Attachment, Callout, Column, Paragraph, Section, Table, literal, table
from balance.reporting.sections.common.columns import frame_table, number
from balance.reporting.sections.common.words import Pages, heat_map

MOST_ROWS = 12
MOST_SHOWN = 18
SCORE_TOLERANCE = 1e-9
"""Scores no further apart share a rank."""


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
    differing = moves.filter(pl.col("a") != pl.col("b"))
    pairs = (differing if differing.height else moves).sort("advantage", descending=True, maintain_order=True)
    top = pairs.head(MOST_ROWS)
    most = highest(pairs.rows(), lambda pair: float(pair[4]), show_probability_change)
    side, against, first, second, _ = most.rows[0]
    advantage, win = show_probability_change(summary["mean"]), literal(pages.words.win)
    as_much = f" (and in {show_many(len(most.rows) - 1, 'other')})" if len(most.rows) > 1 else ""
    text = (
        f"Going first changes the chance to {win} by **{advantage}** on average over {_how_many(moves)}. It is worth "
        f"{'most' if most.is_any else 'as much'} when **{pages.marked_name(side)}** meets "
        f"**{pages.marked_name(against)}**{as_much}: {show_probability(first)} if it goes first, "
        f"{show_probability(second)} if not, a difference of {most.text}."
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
        top,
        columns,
        f"The match-ups{' of two that differ' if differing.height else ''}, by what the first move is worth. Exact.",
        source="first_mover",
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


def rankings(pages: Pages) -> pl.DataFrame | None:
    """Return one row per entrant, the highest score first, or None where the game does not say how duels end.

    Columns: `entrant`, `score`, `net` (points won less points lost per duel), and its places by either, `by_score` and
    `by_net`; those who are equal share the first of their places.
    """
    endings, prices = pages.table("endings"), pages.table("prices")
    if endings is None or prices is None:
        return None
    net = endings.group_by("entrant", maintain_order=True).agg(pl.col("net_points").sum().alias("net"))
    scores = prices.select("entrant", "score").join(net, on="entrant", how="inner", maintain_order="left")
    places = [
        (pl.col(name) / SCORE_TOLERANCE).round().rank("min", descending=True).cast(pl.Int64).alias(f"by_{name}")
        for name in ("score", "net")
    ]
    return scores.with_columns(places).sort("by_score", "by_net", maintain_order=True)


def ending_text(pages: Pages) -> str:
    """Return how duels end, and what the ranking by points changes, as marked text; "" if the game does not say."""
    ranking = rankings(pages)
    if ranking is None:
        return ""
    endings, top = pages.run.table("endings"), ranking.row(0, named=True)
    means = endings.group_by("ending", maintain_order=True).agg((pl.col("dealt") + pl.col("met")).mean())
    shares = [f"{show_probability(share, 0)} end with a side {literal(name)}" for name, share in means.iter_rows()]
    top_shares = [
        f"{literal(name)} in {show_probability(share, 0)}"
        for name, share in endings.filter(entrant=top["entrant"]).select("ending", "dealt").iter_rows()
    ]
    first = "first by score" if ranking.filter(by_score=1).height == 1 else "among the first by score"
    return (
        f"**How duels end.** Of all duels, {list_words(shares)}. In the duels of "
        f"**{pages.marked_name(top['entrant'])}**, {first}, the other side is {list_words(top_shares)}."
        f"{_by_points(pages, ranking)}"
    )


def _by_points(pages: Pages, ranking: pl.DataFrame) -> str:
    """Return who is first by points, and how far that ranking differs from the one by score."""
    if not (ranking["net"] != 0).any():
        return ""
    words, best = pages.words, ranking.filter(by_net=1)["entrant"].to_list()
    gap = (pl.col("by_score") - pl.col("by_net")).abs()
    moved_rows = ranking.filter(gap > 0).sort(gap, descending=True, maintain_order=True)
    first = (
        f" By {literal(words.points)} won less lost, first {'is' if len(best) == 1 else 'are'} {pages.list_bold(best)}"
    )
    if moved_rows.is_empty():
        return f"{first}; that ranking is the same as by score."
    farthest = moved_rows.row(0, named=True)
    return (
        f"{first}; {show_count(moved_rows.height)} of {show_count(ranking.height)} {literal(words.entrants)} have "
        f"another place than by score, **{pages.marked_name(farthest['entrant'])}** place {farthest['by_net']} instead "
        f"of {farthest['by_score']}."
    )


def ending_table_of(pages: Pages, rows: pl.DataFrame, left_out: int) -> Table:
    """Return the table of how the duels of some entrants end, rows of `rankings`, with both rankings.

    `left_out` rows between them are not shown.
    """
    endings = pages.run.table("endings")
    names = endings["ending"].unique(maintain_order=True).to_list()
    ending_rows = endings.select("entrant", "ending", "dealt", "met").iter_rows()
    shares = {(entrant, name): ends for entrant, name, *ends in ending_rows}
    points = pages.words.points
    columns: list[Column | str] = [
        pages.words.entrant.capitalize(),
        Column("Score", "right", f"share of its duels in which it {pages.words.wins}, a draw counting half"),
        *(Column(f"{side} {name}", "right") for side in ("Other", "Itself") for name in names),
        Column(points.capitalize(), "right", f"{points} won less {points} lost, per duel"),
        Column("Place", "right", "by score"),
        Column(f"By {points}", "right", f"place by {points}"),
    ]
    cells: list[list[str | tuple[str, float]]] = []
    for row in rows.iter_rows(named=True):
        ends = [shares[row["entrant"], name][side] for side in (0, 1) for name in names]
        net = f"{'+' if row['net'] > 0.0005 else ''}{show_fixed(row['net'], 3)}"
        numbers = [(show_probability(share), share) for share in (row["score"], *ends)]
        places = [(str(row[name]), float(row[name])) for name in ("by_score", "by_net")]
        cells.append([pages.name(row["entrant"]), *numbers, (net, row["net"]), *places])
    note = f"{left_out} in between are left out; the run's table `endings` has all." if left_out else ""
    return table(
        columns,
        cells,
        "How the duels of each end, in shares of them over all opponents and both seats. Exact.",
        note,
        "endings",
    )

"""How duels end: what becomes of the loser, and the ranking by what that earns beside the one by score."""

from __future__ import annotations

import polars as pl

from balance.answers.words.lists import list_words
from balance.base.numbers import show_count, show_fixed, show_probability
from balance.reporting import Column, Table, literal, table
from balance.reporting.sections.common.words import Pages

SCORE_TOLERANCE = 1e-9
"""Scores no further apart share a rank."""


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
    return (
        f"**How duels end.** Of all duels, {list_words(shares)}. In the duels of "
        f"**{pages.marked_name(top['entrant'])}**, first by score, the other side is {list_words(top_shares)}."
        f"{_by_points(pages, ranking)}"
    )


def _by_points(pages: Pages, ranking: pl.DataFrame) -> str:
    """Return who is first by points, and how far that ranking differs from the one by score."""
    if not (ranking["net"] != 0).any():
        return ""
    words, best = pages.words, ranking.sort("by_net", "by_score", maintain_order=True).row(0, named=True)
    gap = (pl.col("by_score") - pl.col("by_net")).abs()
    moved_rows = ranking.filter(gap > 0).sort(gap, descending=True, maintain_order=True)
    first = f" By {literal(words.points)} won less lost, first is **{pages.marked_name(best['entrant'])}**"
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

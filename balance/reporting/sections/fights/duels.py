"""Who wins: scores by kind, the strongest and the weakest, and what going first is worth."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import show_count, show_many, show_probability, show_probability_change
from balance.reporting import Paragraph, Section, literal
from balance.reporting.sections.common.columns import frame_table, number
from balance.reporting.sections.common.words import Pages, heat_map

MOST_ROWS = 8
MOST_SHOWN = 18


def duel_section(pages: Pages) -> Section | None:
    """Return who wins: scores by group, the strongest and weakest, and the first move; None without duels."""
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
            f"its mean chance to {literal(words.win)} against all, a draw counting half.{_unused(pages)}"
        )
    ]
    groups = pages.table("groups")
    if groups is not None and groups["group"].n_unique() > 1 and prices.height > MOST_SHOWN:
        blocks.append(_group_map(pages, groups))
    blocks += [_ranking(pages, prices), *_first_move(pages)]
    return Section("Who wins", "duels", tuple(blocks))


def _unused(pages: Pages) -> str:
    """Return a sentence on abilities that the default play in duels does not use; "" without any."""
    names = [pages.marked_name(name) for name in pages.run.settings.uses]
    return f" Nobody plays for {list_words(names)}." if names else ""


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
    frame = prices.sort("score", descending=True, maintain_order=True)
    rows = frame if frame.height <= 2 * MOST_ROWS else pl.concat([frame.head(MOST_ROWS), frame.tail(MOST_ROWS)])
    left_out = frame.height - rows.height
    cost = [number("Cost", "cost_points", note=pages.words.points)] if pages.has_prices else []
    entrant_column = pages.names(pages.words.entrant.capitalize(), "entrant")
    return frame_table(
        rows,
        [entrant_column, *cost, number("Score", "score", show_probability)],
        "Strongest first. Exact.",
        f"{left_out} in between are left out; the table to download has all." if left_out else "",
        "prices",
    )


def _first_move(pages: Pages) -> list[Block]:
    """Return a paragraph, as a list, on what going first is worth on average; [] where nobody asked."""
    moves = pages.table("first_mover")
    if moves is None:
        return []
    advantage = show_probability_change(pages.run.summary["first_mover_advantage"]["mean"])
    win = literal(pages.words.win)
    text = f"**The first move** changes the chance to {win} by **{advantage}** on average over {_how_many(moves)}."
    return [Paragraph(text)]


def _how_many(moves: pl.DataFrame) -> str:
    """Return the match-ups that the mean is taken over, in words."""
    n = moves.filter(pl.col("a") != pl.col("b")).height
    return f"all {show_count(n)} match-ups of two that differ" if n > 1 else "the one match-up there is"

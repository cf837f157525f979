"""Each against each, on the page of a log of games: the chances that the ratings give, beside what was played."""

from __future__ import annotations

from collections.abc import Sequence

from balance.answers.blocks.document import Block, Section
from balance.answers.blocks.tables import Cell, Column, HeatMap, Table
from balance.base.numbers import show_count, show_fixed
from balance.playtests.model.answer import RatingAnswer
from balance.playtests.sentences import by_strength, per_cent

MOST_IN_MATRIX, MOST_PAIRS = 16, 30


def pair_section(answer: RatingAnswer) -> Section | None:
    """Return the ratings of each against each, as a matrix and a table; None for fewer than three entrants."""
    if len(answer.ratings) < 3:
        return None
    names = [entrant.name for entrant in by_strength(answer)]
    blocks: list[Block] = [_matrix(answer, names)] if len(names) <= MOST_IN_MATRIX else []
    return Section("Each against each", "pairs", (*blocks, _pair_table(answer)))


def _matrix(answer: RatingAnswer, names: Sequence[str]) -> HeatMap:
    chances = {(pair.one, pair.other): (pair.chance, pair.games) for pair in answer.pairs}
    chances |= {(pair.other, pair.one): (1 - pair.chance, pair.games) for pair in answer.pairs}
    has_unmet_pairs = any(pair.games == 0 for pair in answer.pairs)

    def text(first: str, second: str) -> str:
        if first == second:
            return ""
        chance, games = chances[first, second]
        percent = per_cent(chance)
        return percent if games else f"({percent})"

    note = "In brackets: they never met, and the ratings say it." if has_unmet_pairs else ""
    return HeatMap(
        row_labels=tuple(names),
        column_labels=tuple(names),
        cells=tuple(tuple(text(first, second) for second in names) for first in names),
        shades=tuple(
            tuple(
                None if first == second else max(-1.0, min(1.0, 2 * chances[first, second][0] - 1)) for second in names
            )
            for first in names
        ),
        caption="Chance of the row against the column in per cent, either seat as likely",
        palette="diverging",
        row_title="scores",
        column_title="against",
        legend=("0", "50", "100"),
        note=note,
    )


def _pair_table(answer: RatingAnswer) -> Table:
    pairs = sorted(answer.pairs, key=lambda pair: (-abs(pair.chance - 0.5), pair.one, pair.other))[:MOST_PAIRS]
    rows = []
    for pair in pairs:
        first, second, observed = pair.one, pair.other, pair.observed
        low, chance, high = pair.low, pair.chance, pair.high
        if chance < 0.5:
            first, second, low, chance, high = second, first, 1 - high, 1 - chance, 1 - low
            observed = None if observed is None else 1 - observed
        rows.append(
            (
                Cell(first),
                Cell(second),
                Cell(per_cent(chance), chance),
                Cell(f"{per_cent(low)} to {per_cent(high)}", low, low, high),
                Cell("–" if observed is None else per_cent(observed), observed),
                Cell(show_fixed(pair.games, 0), pair.games),
            )
        )
    level = f"{100 * answer.settings.level:g}%"
    columns = (
        Column("Stronger"),
        Column("Against"),
        Column("Chance", "right", "as the ratings say, either seat as likely, in per cent"),
        Column(level, "right"),
        Column("Scored", "right", "in the games they played, in per cent"),
        Column("Games", "right"),
    )
    more = f", the first {MOST_PAIRS} of {show_count(len(answer.pairs))}" if len(answer.pairs) > MOST_PAIRS else ""
    return Table(columns, tuple(rows), f"Pairs, the least equal first{more}")

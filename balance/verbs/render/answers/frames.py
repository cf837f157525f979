"""The tables of an answer about two sides as polars frames."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from balance.chance.pmf import Pmf
from balance.game.question.answer import Answer


def frames_of(answer: Answer) -> dict[str, pl.DataFrame]:
    """Return the tables of an answer, by name, the one that matters most first.

    `wins` holds `result` and its probability `p_win`, `means` holds `column`, `mean`, `sd` and `swing`; both have
    `simulated`, `low` and `high` where there was a simulation. Each other table is the distribution of the column that
    it is called after: its values, and their probabilities `p`.
    """
    distribution, kind = answer.distribution, answer.question.kind
    frames = {"wins": _wins(answer)} if kind.winners else {}
    if distribution is None:
        return frames
    columns = {column: _column(distribution, column) for column in distribution.columns if column != kind.winner}
    effect = kind.column("effect")
    first = {effect: columns[effect]} if not frames and effect in columns else {}
    return {**frames, **first, "means": _means(answer, distribution), **columns}


def _column(distribution: Pmf, column: str) -> pl.DataFrame:
    return distribution.marginal(column).to_polars()


def _wins(answer: Answer) -> pl.DataFrame:
    question, sample = answer.question, answer.simulated
    chances = question.p_win(answer.distribution)
    rows = [{"result": name, "p_win": chance} for name, chance in chances.items()]
    if sample is not None:
        simulated_chances, ends = question.p_win(sample.distribution), sample.p_win_interval()
        rows = [
            row | {"simulated": simulated_chances[str(row["result"])], **_ends(ends[str(row["result"])])}
            for row in rows
        ]
    return pl.DataFrame(rows)


def _means(answer: Answer, distribution: Pmf) -> pl.DataFrame:
    return pl.DataFrame(list(_mean_rows(answer, distribution)), infer_schema_length=None)


def _mean_rows(answer: Answer, distribution: Pmf) -> Iterator[dict[str, object]]:
    sample = answer.simulated
    for column in distribution.columns:
        if column in answer.question.kind.categories:
            continue
        row = {"column": column, "mean": distribution.mean(column)}
        row |= {"sd": answer.sd[column], "swing": answer.swing[column]}
        if sample is not None:
            row |= {"simulated": sample.distribution.mean(column), **_ends(sample.mean_interval(column))}
        yield row


def _ends(ends: tuple[float, float]) -> dict[str, float]:
    return {"low": ends[0], "high": ends[1]}

"""What `matchups` says of a field: who does best and worst, then the matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from balance.analysis.scores.matrix import SCORE, MatchUp, MatchUps
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.numbers import show_many, show_number, show_probability

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.blocks.document import Block

MOST_COLUMNS = 6
"""Opponents beside each other on a first screen."""


def sentence(field: MatchUps, terms: Terms) -> str:
    """Return who does best and who worst on average over the opponents."""
    show = _show(field)
    numbers = {one: [mean for mean in means if mean is not None] for one, means in field.matrix.items()}
    means = {one: sum(known) / len(known) for one, known in numbers.items() if known}
    if not means:
        return f"None of these may meet in a {field.kind}."
    ranking = sorted(means, key=lambda one: -means[one])
    best, worst = (f"{one} {end}, {show(means[one])}" for one, end in ((ranking[0], "most"), (ranking[-1], "least")))
    measure = "Scores" if field.measure == SCORE else f"Mean {field.measure.replace('_', ' ')}"
    return f"{measure} over {show_many(len(field.opponents), 'opponent')}: {best}; {worst}."


def tables(field: MatchUps) -> Mapping[str, Records | pl.DataFrame]:
    """Return the matrix, with a column for each opponent, and a row for each pair."""
    import polars as pl

    rows = [[one, *means] for one, means in field.matrix.items()]
    schema = {"one": pl.String, **dict.fromkeys(field.opponents, pl.Float64)}
    return {"matrix": pl.DataFrame(rows, schema, orient="row"), "matchups": Records(MatchUp, field.matchups)}


def _matrix(field: MatchUps, terms: Terms, more: bool) -> list[Block]:
    """Return the matrix, on a first screen with as many opponents as there is room for."""
    most = None if more else MOST_COLUMNS
    show, names = _show(field), field.opponents[:most]
    rows = [
        [one, *("" if mean is None else show(mean) for mean in means[:most])] for one, means in field.matrix.items()
    ]
    return [grid(["against", *names], rows, right=names, in_parts=more)]


def _basis(field: MatchUps, terms: Terms) -> str:
    return terms.rests_on("exact" if field.exact else "simulated")


def _show(field: MatchUps) -> Callable[[float], str]:
    return show_probability if field.measure == SCORE else show_number


WORDS = AnswerWords.alike(sentence, _matrix, _basis, tables)

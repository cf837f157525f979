"""Games solved for a report: what `report.toml` asks to be solved, and what comes back as tables.

[[solutions]]
id = "last_stand"
title = "Two against two, played as well as can be"
rung = "duel"
one = "spears:2"
other = "shieldsmen:2"

The run keeps one table `solutions`, a row for each: its `id`, the question, how it was solved, the value with its
measured bounds and exploitability, whether it converged, and how much work it was. What a game tells beside the value
(how often each option is chosen, what skill is worth) becomes one table each, `solution_ID_NAME`; `solution_tables`
holds their titles, and which of their columns are differences. A table of changes (with a column `change`) has what
side a scores then by the usual play, too: `usual`, its interval, and `usual play`. Where they
say a and b, the report says who that is (see `balance.game.solution.SolutionTable`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import polars as pl
from pydantic import Field

from balance.analysis.changes.handicaps.match_up_score import measure_score
from balance.base.errors import BalanceError, Fault
from balance.engine.query import Query, override
from balance.engine.runner import Runner
from balance.game.question.question import Question
from balance.game.solution import CHANGE, METHODS, Method, Solution
from balance.study.settings.tables import ReportQuestion, leave_out

SCHEMA: Mapping[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("id", "one", "other"), pl.String),
    "changes": pl.List(pl.String),
    **dict.fromkeys(("kind", "how"), pl.String),
    **dict.fromkeys(("value", "lower", "upper", "half_width", "exploitability"), pl.Float64),
    "converged": pl.Boolean,
    **dict.fromkeys(("iterations", "n_states"), pl.Int64),
}
TABLES_SCHEMA: Mapping[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("id", "name", "title"), pl.String),
    "differences": pl.List(pl.String),
}

USUAL = "usual"
"""The column that says what side a scores where both sides play as where nothing is said of it."""


class ReportSolution(ReportQuestion):
    """One question to be solved; `finding` is a sentence for the first page of the report, or empty.

    `{value}` in it says how well that is known, too: of an approximation at some length, so there it goes last.
    """

    method: Method = "exact"
    finding: Annotated[str, Field(max_length=600)] = ""


def table_name(solution_id: str, name: str) -> str:
    """Return the name under which a run keeps a table that came with a solution.

    >>> table_name("last_stand", "opening")
    'solution_last_stand_opening'
    """
    return f"solution_{solution_id}_{name}"


def solution_frames(
    runner: Runner,
    questions: Sequence[ReportSolution],
    seed: int = 0,
    changes: Callable[[str], tuple[str, ...]] = lambda kind: (),
    gaps: list[Fault] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables of solved questions; none for no question.

    `seed` is for approximate methods, `changes` gives a study's assignments for a kind of question. What cannot be
    asked or solved, as with a catalogue that lacks some cards, is added to `gaps`; without it `StudyError` is raised.
    """
    queries = [question.ask(question.rung, changes(question.rung)) for question in questions]
    solutions_by_place: dict[int, Solution | tuple[Fault, ...]] = {}
    for method in METHODS:
        places = [at for at, question in enumerate(questions) if question.method == method]
        results = runner([queries[at] for at in places], Solve(method, seed), f"{method} solutions", share=False)
        solutions_by_place |= {
            at: question for at, question in zip(places, results, strict=True) if question is not None
        }
    rows, titles, frames = list[dict[str, Any]](), list[dict[str, Any]](), dict[str, pl.DataFrame]()
    for at, question in enumerate(questions):
        solution = solutions_by_place[at]
        if not isinstance(solution, Solution):
            leave_out(solution, f"solution {question.id}", gaps)
            continue
        rows.append(_row(question, queries[at], solution))
        for part in solution.tables:
            part_row = {"name": part.name, "title": part.title, "differences": list(part.differences)}
            titles.append({"id": question.id} | part_row)
            frame = pl.DataFrame(list(part.rows), list(part.columns), orient="row")
            if CHANGE in part.columns:
                frame = _with_usual_play(runner, queries[at], frame, seed)
            frames[table_name(question.id, part.name)] = frame
    if not rows:
        return {}
    solution_tables = {"solutions": pl.DataFrame(rows, SCHEMA), "solution_tables": pl.DataFrame(titles, TABLES_SCHEMA)}
    return solution_tables | frames


@dataclass(frozen=True)
class Solve:
    """A measure for `Runner`: question -> its solution, or why there is none."""

    method: Method
    seed: int

    def __call__(self, question: Question) -> Solution | tuple[Fault, ...]:
        """Return the solution, or the faults if the game cannot be solved."""
        try:
            return question.solve(self.method, self.seed)
        except BalanceError as error:
            return error.faults


def _with_usual_play(runner: Runner, query: Query, frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return a table of changes with side a's score after each if both sides play by default, with its interval.

    It is the score that `balance handicap` tells of the same change.
    """
    queries = [replace(query, changes=override(query.changes, (change,))) for change in frame[CHANGE]]
    scores = [score for score in runner(queries, partial(measure_score, seed, False), "changes") if score is not None]
    choices = next(iter(runner.game.kind(query.kind).choices.values()), ())
    return frame.with_columns(
        pl.Series(USUAL, [score.value for score in scores], pl.Float64),
        pl.Series(f"{USUAL} low", [score.low for score in scores], pl.Float64),
        pl.Series(f"{USUAL} high", [score.high for score in scores], pl.Float64),
        pl.lit(next(iter(choices), "")).alias("usual play"),
    )


def _row(question: ReportSolution, query: Query, solution: Solution) -> dict[str, Any]:
    query_row = {"id": question.id, "one": query.side_a, "other": query.side_b, "changes": list(query.changes)}
    numbers = ("value", "lower", "upper", "half_width", "exploitability", "converged", "iterations", "n_states")
    return (
        query_row
        | {"kind": solution.kind, "how": solution.method}
        | {name: getattr(solution, name) for name in numbers}
    )

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
holds their titles, and which of their columns are differences. Where they say a and b, the report says who that is (see
`balance.game.solution.SolutionTable`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import polars as pl
from pydantic import Field

from balance.base.errors import BalanceError, Fault
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.question.question import Question
from balance.game.solution import METHODS, Method, Solution
from balance.study.settings.tables import ReportQuestion, leave_out

__all__ = ["ReportSolution", "Solve", "solution_frames", "table_name"]

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


class ReportSolution(ReportQuestion):
    """One question to be solved.

    Attributes
    ----------
    method
        "exact" or "approximate".
    finding
        A sentence for the first page of the report, or empty. `{value}` in it says how well that is known, too: of an
        approximation at some length, so there it goes last.
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
    wanted: Sequence[ReportSolution],
    seed: int = 0,
    changes: Callable[[str], tuple[str, ...]] = lambda kind: (),
    gaps: list[Fault] | None = None,
) -> dict[str, pl.DataFrame]:
    """Solve what is wanted; no tables if that is nothing.

    Parameters
    ----------
    seed
        For approximate methods.
    changes
        QuestionKind -> assignments that a study makes in every question of it.
    gaps
        Grows by what cannot be asked or solved, as with a catalogue that lacks some cards; without it that is raised.

    Raises
    ------
    StudyError
        Something cannot be asked or solved; says which.
    """
    asked = [one.ask(one.rung, changes(one.rung)) for one in wanted]
    solved: dict[int, Solution | tuple[Fault, ...]] = {}
    for method in METHODS:
        places = [at for at, one in enumerate(wanted) if one.method == method]
        found = runner([asked[at] for at in places], Solve(method, seed), f"{method} solutions", share=False)
        solved |= {at: one for at, one in zip(places, found, strict=True) if one is not None}
    rows, titles, frames = list[dict[str, Any]](), list[dict[str, Any]](), dict[str, pl.DataFrame]()
    for at, one in enumerate(wanted):
        solution = solved[at]
        if not isinstance(solution, Solution):
            leave_out(solution, f"solution {one.id}", gaps)
            continue
        rows.append(_row(one, asked[at], solution))
        for part in solution.tables:
            told = {"name": part.name, "title": part.title, "differences": list(part.differences)}
            titles.append({"id": one.id} | told)
            frames[table_name(one.id, part.name)] = pl.DataFrame(list(part.rows), list(part.columns), orient="row")
    if not rows:
        return {}
    made = {"solutions": pl.DataFrame(rows, SCHEMA), "solution_tables": pl.DataFrame(titles, TABLES_SCHEMA)}
    return made | frames


@dataclass(frozen=True)
class Solve:
    """A measure for `Runner`: question -> its solution, or why there is none."""

    method: Method
    seed: int

    def __call__(self, question: Question) -> Solution | tuple[Fault, ...]:
        """Solve the game."""
        try:
            return question.solve(self.method, self.seed)
        except BalanceError as error:
            return error.faults


def _row(one: ReportSolution, query: Query, solution: Solution) -> dict[str, Any]:
    asked = {"id": one.id, "one": query.side_a, "other": query.side_b, "changes": list(query.changes)}
    numbers = ("value", "lower", "upper", "half_width", "exploitability", "converged", "iterations", "n_states")
    return asked | {"kind": solution.kind, "how": solution.method} | {name: getattr(solution, name) for name in numbers}

"""A game that was solved as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from balance.verbs.render.answers.json import about

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.documents import questions
    from balance.game.question.question import Question
    from balance.game.solution import Solution, SolutionTable

SCHEMA: Final = 1


def as_json(question: Question, solution: Solution, notes: Sequence[str]) -> questions.Solve:
    """Return the object that --json prints, the same bytes for the same question; `notes` tell idle changes."""
    tables: dict[str, questions.SolutionTable] = {
        table.name: {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}
        for table in solution.tables
    }
    catalogue = question.game.catalogue
    return {
        "schema": SCHEMA,
        "game": question.game.definition.name,
        "verb": "solve",
        **about(question),
        "policies": {side: {"value": how_both_play(solution)} for side in question.kind.sides},
        "notes": list(notes),
        "solution": {
            "kind": solution.kind,
            "method": solution.method,
            "value": solution.value,
            "lower": solution.lower,
            "upper": solution.upper,
            "exploitability": solution.exploitability,
            "converged": solution.converged,
            "iterations": solution.iterations,
            "n_states": solution.n_states,
            "tables": tables,
            "half_width": solution.half_width,
        },
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def how_both_play(solution: Solution) -> str:
    """Return the words for both policies: optimal in an exact solution, the best found in an approximation."""
    return "as well as can be" if solution.kind == "exact" else "as well as was found"


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(solution: Solution) -> dict[str, pl.DataFrame]:
    """Return `value`, the value to either side with its bounds, then each table of the solution."""
    import polars as pl

    low, middle, high = solution.lower, solution.value, solution.upper
    worth = [
        {"side": "a", "value": middle, "low": low, "high": high},
        {"side": "b", "value": 1 - middle, "low": 1 - high, "high": 1 - low},
    ]
    return {"value": pl.DataFrame(worth), **{table.name: _frame(table) for table in solution.tables}}


def _frame(table: SolutionTable) -> pl.DataFrame:
    """Return a table; a column that holds words beside numbers holds all of them as words."""
    import polars as pl

    columns = {}
    for at, name in enumerate(table.columns):
        cells = [row[at] for row in table.rows]
        columns[name] = [str(cell) for cell in cells] if any(isinstance(cell, str) for cell in cells) else cells
    return pl.DataFrame(columns, strict=False)

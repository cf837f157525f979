"""The tables that a game's `report.toml` declares, worked out: exact where a rung has a law, simulated elsewhere.

Every declared table becomes one table of the run, `declared_ID`, with a row for each of its cells:

* `row`, `column`: labels;
* `one`, `other`, `first`, `changes`, `choices`: the question, `NAME=VALUE` in the last two;
* `measure` and `show`: what is read off, and what of it is shown; `is_share` if it is a chance, or a difference of two;
* `value`, null where the rules forbid the question or a worth lies beyond its steps; then `beyond` is that last step;
* `low`, `high`, `n_trials`: null where the value is exact;
* `kind`: "exact", "simulated" or "not asked".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from balance.analysis.asking import Ask, Asker, as_asker
from balance.analysis.cells import Cell, cells_of, spread, table_faults
from balance.analysis.declared_settings import FILE, DeclaredTable, in_report
from balance.analysis.estimates import Answer, AnswerOf, Estimate, difference, read_off, solve_steps
from balance.analysis.settings import GameSettings, load_settings
from balance.analysis.tables import rounded
from balance.errors import BalanceError, Fault, RulesError, StudyError
from balance.games.question import LoadedGame

__all__ = ["check_sections", "declared_frames", "declared_tables", "frame_name"]

PREFIX = "declared_"
SCHEMA: Mapping[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("row", "column", "one", "other", "first"), pl.String),
    **dict.fromkeys(("changes", "choices"), pl.List(pl.String)),
    **dict.fromkeys(("measure", "show"), pl.String),
    "is_share": pl.Boolean,
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    **dict.fromkeys(("beyond", "n_trials"), pl.Int64),
    "kind": pl.String,
}
Changes = Callable[[str], tuple[str, ...]]
"""Rung -> assignments that a study makes in every question of it."""


def frame_name(table: DeclaredTable) -> str:
    """Return the name under which a run keeps a declared table."""
    return f"{PREFIX}{table.id}"


def declared_tables(game: LoadedGame | Asker, seed: int = 0) -> dict[str, pl.DataFrame]:
    """Return every table that the report of a game declares, by its id; columns as above.

    Parameters
    ----------
    seed
        Of simulations, where a table has no exact law.

    Raises
    ------
    StudyError
        The game's `report.toml` is wrong or does not fit its catalogue.

    Examples
    --------
    >>> from balance.games.question import load
    >>> declared_tables(load("warforged"))
    {}
    """
    asker = as_asker(game)
    frames = declared_frames(asker, load_settings(asker.loaded.game), seed)
    return {name.removeprefix(PREFIX): frame for name, frame in frames.items()}


def declared_frames(
    asker: Asker, settings: GameSettings, seed: int = 0, changes: Changes = lambda rung: (), strict: bool = True
) -> dict[str, pl.DataFrame]:
    """Return every declared table of a game.

    Parameters
    ----------
    settings
        What `report.toml` holds.
    seed
        Of simulations.
    changes
        What a study changes in all questions of a rung.
    strict
        Whether a question that cannot be asked is a fault. If not, as with a catalogue that lacks some cards, its cell
        is left empty, and rows and columns with nothing else in them are left out.

    Raises
    ------
    StudyError
        The settings do not fit the game; one fault for each thing wrong, if `strict`.

    Examples
    --------
    >>> from balance.analysis.settings import load_settings
    >>> from balance.games.question import load
    >>> game = load("warforged")
    >>> declared_frames(Asker(game), load_settings(game.game))
    {}
    """
    check_sections(asker.loaded, settings)
    tables = [table for section in settings.sections for table in section.tables]
    laid = [_Laid.of(table, asker, settings, changes) for table in tables]
    if strict and (faults := [fault for part in laid for fault in part.faults]):
        raise StudyError(faults)
    frames = {}
    for number, part in enumerate(laid):
        asker.tell("declared tables", number, len(laid))
        frame = _frame(part, asker, seed)
        frames[frame_name(part.table)] = frame if strict else _without_empty(frame)
    return frames


def check_sections(loaded: LoadedGame, settings: GameSettings) -> None:
    """Raise StudyError with everything wrong with the declared tables of a game, but for who fights in them."""
    tables = [table for section in settings.sections for table in section.tables]
    ids = [*(section.id for section in settings.sections), *(table.id for table in tables)]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    faults = [Fault("names two sections or tables", FILE, None, "sections.id", name) for name in twice]
    faults += [
        in_report(fault, f"table {table.id}")
        for table in tables
        for fault in table_faults(table, loaded, settings.names)
    ]
    if faults:
        raise StudyError(faults)


@dataclass(frozen=True)
class _Laid:
    """A table with its cells, which of their questions can be asked, and why the others cannot: each reason once."""

    table: DeclaredTable
    cells: tuple[Cell, ...]
    askable: frozenset[Ask]
    faults: tuple[Fault, ...]

    @classmethod
    def of(cls, table: DeclaredTable, asker: Asker, settings: GameSettings, changes: Changes) -> _Laid:
        axes = [spread(cases, asker.loaded, settings.names) for cases in (table.rows, table.columns)]
        cells = tuple(cells_of(table, axes[0], axes[1], changes(table.rung)))
        askable: set[Ask] = set()
        faults: dict[Fault, Fault] = {}
        for cell in cells:
            for ask in cell.asks:
                if ask in askable:
                    continue
                try:
                    ask.to(asker.loaded)
                    askable.add(ask)
                except BalanceError as error:
                    if not (table.skip_illegal and isinstance(error, RulesError)):
                        where = (f"table {table.id}", f"row {cell.row!r}", f"column {cell.column!r}")
                        for fault in error.faults:
                            faults.setdefault(fault, in_report(fault, *where))
        return cls(table, cells, frozenset(askable), tuple(faults.values()))


def _frame(laid: _Laid, asker: Asker, seed: int) -> pl.DataFrame:
    columns = tuple(dict.fromkeys(name for cell in laid.cells for name in cell.measure.columns))
    asks = [ask for cell in laid.cells for ask in cell.asks if ask in laid.askable]
    asks = list(dict.fromkeys(asks))
    simulated = not asker.loaded.game.rungs[laid.table.rung].has_law
    # Two questions with one law share the answer, but never their dice.
    found = asker(asks, AnswerOf(columns, laid.table.trials, seed), laid.table.rung, share=not simulated)
    answers = {ask: answer for ask, answer in zip(asks, found, strict=True) if answer is not None}
    winners = asker.loaded.game.rungs[laid.table.rung].winners
    rows = [_row(cell) | _shown(cell, answers, winners, laid.table) for cell in laid.cells]
    return rounded(pl.DataFrame(rows, schema=SCHEMA))


def _row(cell: Cell) -> dict[str, Any]:
    ask = cell.ask
    return {
        "row": cell.row,
        "column": cell.column,
        "one": ask.one,
        "other": ask.other,
        "first": ask.first,
        "changes": list(ask.changes),
        "choices": [f"{name}={value}" for name, value in ask.choices],
        "measure": str(cell.measure),
        "show": cell.show,
        "is_share": cell.measure.is_share and cell.show != "worth",
    }


def _shown(
    cell: Cell, answers: Mapping[Ask, Answer], winners: Mapping[str, int], table: DeclaredTable
) -> dict[str, Any]:
    """Return what a cell shows: a number with its interval, or why there is none."""
    if any(ask not in answers for ask in cell.asks):
        return {"kind": "not asked"}
    numbers = {ask: read_off(cell.measure, answers[ask], winners) for ask in cell.asks}
    if cell.show == "worth" and table.worth is not None and cell.baseline is not None:
        if any(number.ends for number in numbers.values()):
            return {"kind": "not asked"}  # a worth read off simulated numbers would need an interval of its own
        curve = [numbers[ask].value for ask in cell.steps]
        steps = range(table.worth.low, table.worth.high + 1)
        value, beyond = solve_steps(steps, curve, numbers[cell.baseline].value)
        return {"value": value, "beyond": beyond, "kind": "exact"}
    shown = _estimate(cell, numbers)
    low, high = shown.ends or (None, None)
    kind = "exact" if shown.ends is None else "simulated"
    return {"value": shown.value, "low": low, "high": high, "n_trials": shown.n_trials, "kind": kind}


def _estimate(cell: Cell, numbers: Mapping[Ask, Estimate]) -> Estimate:
    if cell.show == "value" or cell.baseline is None:
        return numbers[cell.ask]
    base = numbers[cell.baseline]
    return base if cell.show == "baseline" else difference(numbers[cell.ask], base)


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table without the rows and columns in which nothing could be asked."""
    for axis in ("row", "column"):
        asked = pl.col("kind") != "not asked"
        frame = frame.filter(asked.any().over(axis))
    return frame

"""The tables that a game's `report.toml` declares, worked out: exact where that can be had, simulated elsewhere.

Every report table becomes one table of the run, `declared_ID`, with a row for each of its cells:

* `row`, `column`: labels;
* `one`, `other`, `first`, `changes`, `choices`: the question, `NAME=VALUE` in the last two, choices
  left open as they are by default;
* `measure` and `show`: what is read off, and what of it is shown; `is_share` if it is a chance, or a difference of two;
* `value`, null where the rules forbid the question or a worth lies beyond its steps; then `beyond` is that last step;
* `low`, `high`, `n_trials`: null where the value is exact;
* `kind`: "exact", "simulated" or "not asked".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from balance.analysis.scores.measures import Answer, read_off, share_of_points
from balance.base.errors import BalanceError, Fault, RulesError, StudyError, unknown
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.words import FILE
from balance.study.frames.cells import Cell, cells_of, kinds_of_numbers, spread, table_faults, too_many
from balance.study.frames.claims import claim_gaps, headline_faults, headline_gaps
from balance.study.frames.estimates import AnswerOf, Sample, shared_samples, solve_steps
from balance.study.frames.report_settings import GameSettings, load_settings
from balance.study.settings.first_page import FirstPage
from balance.study.settings.tables import ReportTable, in_report

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
"""QuestionKind -> assignments that a study makes in every question of it."""


def frame_name(table: ReportTable) -> str:
    """Return the name under which a run keeps a report table."""
    return f"{PREFIX}{table.id}"


def report_tables(runner: Runner, seed: int = 0) -> dict[str, pl.DataFrame]:
    """Return every table that the report of a game declares, by its id; columns as above.

    `seed` is for simulations, where a table has no exact distribution. Raises `StudyError` if the game's `report.toml`
    is wrong or does not fit its catalogue.
    """
    plan = TablePlan.of(runner.game, load_settings(runner.game))
    if plan.gaps:
        raise StudyError(plan.gaps)
    return {name.removeprefix(PREFIX): frame for name, frame in report_frames(runner, plan, seed).items()}


def report_frames(runner: Runner, plan: TablePlan, seed: int = 0) -> dict[str, pl.DataFrame]:
    """Return every report table of a plan by the name a run keeps it under; `seed` is for simulations."""
    frames, kinds = {}, runner.game.definition.kinds
    asks = [
        (ask, part.table.trials, kinds[part.table.rung].has_distribution)
        for part in plan.tables
        for ask in part.queries
    ]
    samples = shared_samples(asks, runner.game)
    for number, part in enumerate(plan.tables, start=1):
        frames[frame_name(part.table)] = _frame(part, runner, samples, seed)
        runner.engine.tell("declared tables", number, len(plan.tables))
    return frames


@dataclass(frozen=True)
class TablePlan:
    """What a report declares, as far as this catalogue can be asked it; made in seconds, before anything is computed.

    `tables`: with the cells that can be asked. `gaps`: one fault for each thing that cannot, such as a card that is not
    there. Rows and columns with nothing else in them are left out, and so are tables.
    """

    tables: tuple[LaidTable, ...] = ()
    gaps: tuple[Fault, ...] = ()

    @classmethod
    def of(cls, game: LoadedGame, settings: GameSettings, changes: Changes = lambda kind: ()) -> TablePlan:
        """Lay out every report table; `changes` gives a study's assignments for a kind of question.

        Raises `StudyError` with one fault for each thing wrong, if the settings do not fit the game whatever its cards.
        """
        check_sections(game, settings)
        tables = [table for section in settings.sections for table in section.tables]
        laid_tables = [LaidTable.of(table, game, settings, changes) for table in tables]
        gaps = [gap for part in laid_tables for gap in part.gaps]
        gaps += [] if gaps else _first_page_gaps(laid_tables, settings.first_page)
        return cls(tuple(part for part in laid_tables if part.cells), tuple(gaps))


def check_sections(game: LoadedGame, settings: GameSettings) -> None:
    """Raise `StudyError` with everything wrong with the report tables of a game, but for who fights in them."""
    tables = [table for section in settings.sections for table in section.tables]
    ids = [*(section.id for section in settings.sections), *(table.id for table in tables)]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    faults = [Fault("names two sections or tables", FILE, None, "sections.id", name) for name in twice]
    faults += [
        in_report(fault, f"table {table.id}") for table in tables for fault in table_faults(table, game, settings.names)
    ]
    faults += _choice_faults(game, settings)
    faults += [] if faults else _first_page_faults(tables, game, settings)
    if faults:
        raise StudyError(faults)


def _first_page_faults(tables: Sequence[ReportTable], game: LoadedGame, settings: GameSettings) -> Iterator[Fault]:
    """Yield a fault for each id in `[first_page]` that names nothing, and for fields of its headline."""
    page, parts = settings.first_page, {table.id: table for table in tables}
    solutions = [part.id for part in settings.solutions]
    for field, table in (("answer", page.answer), ("chart.table", page.chart.table if page.chart else None)):
        if table and table not in parts:
            yield unknown(table, parts, "is no table of this report", FILE, None, f"first_page.{field}")
    if page.chart and page.chart.solution and page.chart.solution not in solutions:
        yield unknown(page.chart.solution, solutions, "is no solution", FILE, None, "first_page.chart.solution")
    if page.change and page.change not in (*parts, *solutions):
        yield unknown(page.change, [*parts, *solutions], "is no table of this report", FILE, None, "first_page.change")
    kinds = {name: kinds_of_numbers(table, game, settings.names) for name, table in parts.items()}
    for fault in headline_faults(page.headline, page.own_table, kinds, solutions):
        yield replace(fault, path=FILE)


def _first_page_gaps(laid_tables: Sequence[LaidTable], page: FirstPage) -> Iterator[Fault]:
    """Yield a fault for each row or column of the first page that its tables lack in this catalogue."""
    axes = {part.table.id: _labels(part.cells) for part in laid_tables}
    for fault in headline_gaps(page.headline, page.own_table, axes):
        yield replace(fault, path=FILE)
    if page.chart and page.chart.column and page.chart.column not in axes[page.chart.table][1]:
        yield Fault("is no column of this table", FILE, None, "first_page.chart.column", page.chart.column)


def _choice_faults(game: LoadedGame, settings: GameSettings) -> Iterator[Fault]:
    """Yield a fault for each choice in `players` and `uses` that no kind of question offers."""
    choice_names = list(dict.fromkeys(name for kind in game.definition.kinds.values() for name in kind.choices))
    for name in settings.players:
        if name not in choice_names:
            yield Fault("is not something to choose", FILE, None, "players", name, ", ".join(choice_names))
    ends = {name.partition("_")[2] for name in choice_names}
    for item, choices in settings.uses.items():
        for name in choices:
            if name not in ends:
                yield Fault("is nothing that a side chooses", FILE, None, f"uses.{item}", name, ", ".join(sorted(ends)))


@dataclass(frozen=True)
class LaidTable:
    """A table with its cells, which of their questions can be asked, and why the others cannot: each reason once."""

    table: ReportTable
    cells: tuple[Cell, ...]
    askable: frozenset[Query]
    gaps: tuple[Fault, ...]

    @property
    def queries(self) -> list[Query]:
        """The questions that can be asked, each once, in the order of the cells."""
        return list(dict.fromkeys(ask for cell in self.cells for ask in cell.asks if ask in self.askable))

    @classmethod
    def of(cls, table: ReportTable, game: LoadedGame, settings: GameSettings, changes: Changes) -> LaidTable:
        """Lay out a table; a row or column in which nothing can be asked is left out.

        Where the table says `skip_illegal`, cells that the rules forbid are no gaps.
        """
        rows, columns = (spread(cases, game, settings.names) for cases in (table.rows, table.columns))
        cells = tuple(cells_of(table, rows, columns, changes(table.rung)))
        refusals = _refusals(cells, game)
        gaps: dict[Fault, Fault] = {}
        lost_cells = set[Cell]()
        for cell in cells:
            for error in [refusals[ask] for ask in cell.asks if ask in refusals]:
                lost_cells.add(cell)
                if table.skip_illegal and isinstance(error, RulesError):
                    continue
                for fault in error.faults:
                    place = (f"table {table.id}", f"row {cell.row!r}", f"column {cell.column!r}")
                    gaps.setdefault(fault, in_report(fault, *place))
        kept_cells = _without_lost(cells, lost_cells)
        claim_gaps_of_table = (
            [] if gaps else [in_report(gap, f"table {table.id}") for gap in _claims_gaps(table, *_labels(kept_cells))]
        )
        more = [in_report(gap, f"table {table.id}") for gap in too_many((*table.rows, *table.columns), game)]
        queries = {ask for cell in kept_cells for ask in cell.asks if ask not in refusals}
        return cls(table, kept_cells, frozenset(queries), (*gaps.values(), *claim_gaps_of_table, *more))


def _labels(cells: Sequence[Cell]) -> tuple[set[str], set[str]]:
    """Return the labels of the rows and of the columns that the cells are in."""
    return {cell.row for cell in cells}, {cell.column for cell in cells}


def _claims_gaps(table: ReportTable, rows: set[str], columns: set[str]) -> Iterator[Fault]:
    yield from claim_gaps(table.finding, rows, columns)
    yield from claim_gaps(table.caution, rows, columns, "caution")


def _refusals(cells: Sequence[Cell], game: LoadedGame) -> dict[Query, BalanceError]:
    """Return the error of each question that cannot be asked."""
    refusals = {}
    for ask in dict.fromkeys(ask for cell in cells for ask in cell.asks):
        try:
            ask.to(game)
        except BalanceError as error:
            refusals[ask] = error
    return refusals


def _without_lost(cells: Sequence[Cell], lost_cells: set[Cell]) -> tuple[Cell, ...]:
    """Return the cells without the rows and columns of which every cell is lost."""
    rows = {cell.row for cell in cells if cell not in lost_cells}
    columns = {cell.column for cell in cells if cell not in lost_cells}
    return tuple(cell for cell in cells if cell.row in rows and cell.column in columns)


def _frame(laid_table: LaidTable, runner: Runner, samples: Mapping[Query, Sample], seed: int) -> pl.DataFrame:
    kind = runner.game.definition.kinds[laid_table.table.rung]
    columns = tuple(dict.fromkeys(name for cell in laid_table.cells for name in cell.measure.columns(kind.winner)))
    asks, answers = laid_table.queries, dict[Query, Answer]()
    for n_trials in sorted({samples[ask].trials for ask in asks}):
        queries = list(dict.fromkeys(samples[ask].ask for ask in asks if samples[ask].trials == n_trials))
        measure = AnswerOf(columns, n_trials, seed)
        rows = runner(queries, measure, f"table {laid_table.table.id}", share=kind.has_distribution)
        known = {query: answer for query, answer in zip(queries, rows, strict=True) if answer is not None}
        answers |= {ask: known[samples[ask].ask] for ask in asks if samples[ask].ask in known}
    cells = [_row(cell, kind) | _cell_values(cell, answers, runner.game, laid_table.table) for cell in laid_table.cells]
    return pl.DataFrame(cells, schema=SCHEMA)


def _row(cell: Cell, kind: QuestionKind) -> dict[str, Any]:
    ask = cell.ask
    choices = {name: options[0] for name, options in kind.choices.items()} | dict(ask.choices)
    return {
        "row": cell.row,
        "column": cell.column,
        "one": ask.side_a,
        "other": ask.side_b,
        "first": ask.first,
        "changes": list(ask.changes),
        "choices": [f"{name}={value}" for name, value in choices.items()],
        "measure": str(cell.measure),
        "show": cell.show,
        "is_share": cell.measure.is_share and cell.show != "worth",
    }


def _cell_values(cell: Cell, answers: Mapping[Query, Answer], game: LoadedGame, table: ReportTable) -> dict[str, Any]:
    """Return the columns that hold a cell's result: a number with its interval, or why there is none."""
    if any(ask not in answers for ask in cell.asks):
        return {"kind": "not asked"}
    kind, measure = game.definition.kinds[table.rung], cell.measure
    numbers = {
        ask: read_off(measure, answers[ask], kind.winners, kind.winner, share_of_points(measure, game, ask.side_a))
        for ask in cell.asks
    }
    if cell.show == "worth" and table.worth is not None and cell.baseline is not None:
        if not all(number.is_exact for number in numbers.values()):
            return {"kind": "not asked"}  # a worth read off simulated numbers would need an interval of its own
        curve = [numbers[ask].value for ask in cell.steps]
        steps = range(table.worth.low, table.worth.high + 1)
        value, beyond = solve_steps(steps, curve, numbers[cell.baseline].value)
        return {"value": value, "beyond": beyond, "kind": "exact"}
    estimate = _estimate(cell, numbers)
    if cell.show == "difference" and cell.baseline is not None and answers[cell.ask] is answers[cell.baseline]:
        estimate = Estimate.exact(estimate.value)  # what changes nothing, which no dice have to show
    if estimate.is_exact:
        return {"value": estimate.value, "kind": estimate.how}
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n_trials": estimate.n_trials,
        "kind": estimate.how,
    }


def _estimate(cell: Cell, numbers: Mapping[Query, Estimate]) -> Estimate:
    if cell.show == "value" or cell.baseline is None:
        return numbers[cell.ask]
    base = numbers[cell.baseline]
    return base if cell.show == "baseline" else numbers[cell.ask] - base

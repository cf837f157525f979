"""From a report table to its cells: every row with every column, each a question that the game can be asked.

Whatever is wrong with a table is told by its section, table, row and column. A catalogue other than the shipped one may
lack some of what the shipped tables name; then the cells that cannot be asked stay empty instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from balance.analysis.scores.measures import Measure, measure_faults
from balance.base.errors import BalanceError, Fault, suggestion, unknown
from balance.base.limits import MOST_TABLE_QUESTIONS
from balance.engine.query import Query
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.study.frames.claims import claim_faults
from balance.study.settings.grid import Value, show_setting
from balance.study.settings.tables import Case, ReportTable, Show, Variation

MOST_OF_ALL = 40
"""How many rows or columns "all" of something may become."""


@dataclass(frozen=True)
class Cell:
    """One cell: the questions asked, `baseline` None without one, and what of their answers is shown.

    `steps` holds the question at each step of the table's `worth`, if that is what is shown.
    """

    row: str
    column: str
    ask: Query
    baseline: Query | None
    measure: Measure
    show: Show
    steps: tuple[Query, ...] = ()

    @property
    def asks(self) -> tuple[Query, ...]:
        """The cell's question, that of its baseline if it has one, and those of its steps."""
        return (self.ask, *((self.baseline,) if self.baseline else ()), *self.steps)


def spread(cases: Sequence[Case], game: LoadedGame, names: Mapping[str, str]) -> list[Case]:
    """Return the cases of an axis, each of several values as a case of its own, all of them with labels.

    `names` are names of ids that no card names.
    """
    cases_spread: list[Case] = []
    for case in cases:
        if not case.each:
            label = case.label or _name(case.one or case.other or "", game, names)
            cases_spread.append(case.model_copy(update={"label": label}))
        values = values_of(case, game)
        value_names = [_name(value, game, names) if isinstance(value, str) else show_setting(value) for value in values]
        apart = list(dict(zip(values, value_names, strict=True)).values())
        twice = {name for name in apart if apart.count(name) > 1}
        for value, name in zip(values, value_names, strict=True):
            cases_spread.append(_one_of(case, value, f"{name} ({value})" if name in twice else name))
    return cases_spread


def values_of(case: Case, game: LoadedGame) -> list[Value]:
    """Return the values of a case: those it lists, or the first `MOST_OF_ALL` ids of "all ..."."""
    if isinstance(case.of, list):
        return case.of
    return _all_of(case.of, game)[:MOST_OF_ALL]


def too_many(cases: Sequence[Case], game: LoadedGame) -> Iterator[Fault]:
    """Yield a fault for each case whose "all ..." means more than `MOST_OF_ALL` ids."""
    for text in [case.of for case in cases if isinstance(case.of, str)]:
        if (n := len(_all_of(text, game))) > MOST_OF_ALL:
            yield Fault(f"are {n}, and the first {MOST_OF_ALL} are shown", found=text)


def _all_of(text: str, game: LoadedGame) -> list[Value]:
    return list(_whole(game).get(text.removeprefix("all "), ()))


def _whole(game: LoadedGame) -> dict[str, Iterable[str]]:
    """Return what "all ..." can name, each with its ids: entrants, targets, and tables of the catalogue."""
    return {"entrants": game.entrants, "targets": game.targets} | dict(game.catalogue.tables)


def _one_of(case: Case, value: Value, label: str) -> Case:
    axis_values, text = case.each, case.written.replace("{}", show_setting(value))
    plain = {"each": "", "of": [], "label": label}
    if axis_values in ("one", "other", "first"):
        return case.model_copy(update={**plain, axis_values: text})
    if "." in axis_values:
        return case.model_copy(
            update={**plain, "set": case.set | {axis_values: value if case.written == "{}" else text}}
        )
    return case.model_copy(update={**plain, "choices": case.choices | {axis_values: text}})


def _name(text: str, game: LoadedGame, names: Mapping[str, str]) -> str:
    """Return the name of an id for people: of the settings, a card or an entrant, else the id as words."""
    if text in names:
        return names[text]
    entry = next((entries[text] for entries in game.catalogue.tables.values() if text in entries), None)
    if name := getattr(entry, "name", ""):
        return str(name)
    try:
        return game.label(text)
    except BalanceError:
        return text.replace("_", " ").capitalize()


def cells_of(
    table: ReportTable, rows: Sequence[Case], columns: Sequence[Case], changes: Sequence[str]
) -> Iterator[Cell]:
    """Yield the cells of a table without faults, row by row; `rows` and `columns` come from `spread`.

    `changes` are assignments that a study makes in every question of the table's kind.
    """
    for row in rows:
        for column in columns:
            variation = table.changed_by(row).changed_by(column)
            measure, show = _measure(table, row, column), _show(table, row, column)
            base = column.baseline or row.baseline or table.baseline
            base_variation = variation.changed_by(base) if base is not None else None
            steps = _steps(table, variation, changes) if show == "worth" else ()
            baseline = (
                base_variation.ask(table.rung, changes) if base_variation is not None and show != "value" else None
            )
            if measure is not None:
                ask = variation.ask(table.rung, changes)
                yield Cell(row.label, column.label, ask, baseline, measure, show, tuple(steps))


def _measure(table: ReportTable, row: Case, column: Case) -> Measure | None:
    return column.measure or row.measure or table.measure


def _show(table: ReportTable, row: Case, column: Case) -> Show:
    return column.show or row.show or table.show


def _steps(table: ReportTable, variation: Variation, changes: Sequence[str]) -> Iterator[Query]:
    if (worth := table.worth) is not None:
        for step in range(worth.low, worth.high + 1):
            yield variation.changed_by(Variation(set={worth.path: step})).ask(table.rung, changes)


# -- what may be wrong -----------------------------------------------------------------------------------------------


def table_faults(table: ReportTable, game: LoadedGame, names: Mapping[str, str]) -> list[Fault]:
    """Return what is wrong with a table's declaration; whether its questions can be asked is checked elsewhere."""
    kind = game.definition.kinds.get(table.rung)
    if kind is None:
        return [unknown(table.rung, game.definition.kinds, "is not a kind of question", field="rung")]
    rows, columns = spread(table.rows, game, names), spread(table.columns, game, names)
    if len(rows) * len(columns) > MOST_TABLE_QUESTIONS:
        message = f"has {len(rows):,} rows and {len(columns):,} columns, more than {MOST_TABLE_QUESTIONS:,} cells"
        return [Fault(message, field="rows", tip="show fewer, or make several tables")]
    faults = [*_axis_faults("rows", table.rows, rows, game), *_axis_faults("columns", table.columns, columns, game)]
    for row in rows:
        for column in columns:
            faults += _cell_faults(table, row, column, kind)
    kinds = len({(_measure(table, row, column), _show(table, row, column)) for row in rows for column in columns})
    faults += claim_faults(table.finding, kinds)
    faults += claim_faults(table.caution, kinds, "caution")
    return list(dict.fromkeys(faults))


def kinds_of_numbers(table: ReportTable, game: LoadedGame, names: Mapping[str, str]) -> int:
    """Return how many different pairs of measure and `show` a table has, so that cells of one kind can be compared."""
    rows, columns = spread(table.rows, game, names), spread(table.columns, game, names)
    return len({(_measure(table, row, column), _show(table, row, column)) for row in rows for column in columns})


def _axis_faults(axis: str, declared_cases: Sequence[Case], cases: Sequence[Case], game: LoadedGame) -> Iterator[Fault]:
    whole = _whole(game)
    for text in [case.of for case in declared_cases if isinstance(case.of, str)]:
        if (cards := text.removeprefix("all ")) not in whole:
            tip = suggestion(cards, whole, name="all {}".format)
            yield Fault("is not a kind of card", "", None, f"{axis}.of", text, ", ".join(whole), tip)
    yield from _label_faults(axis, cases)


def _label_faults(axis: str, cases: Sequence[Case]) -> Iterator[Fault]:
    labels = [case.label for case in cases]
    if "" in labels:
        yield Fault("is missing", field=f"{axis}.label", tip="a case that names nobody needs a label")
    for label in sorted({label for label in labels if labels.count(label) > 1}):
        yield Fault("stands twice", field=f"{axis}.label", found=label)


def _cell_faults(table: ReportTable, row: Case, column: Case, kind: QuestionKind) -> Iterator[Fault]:
    measure, show = _measure(table, row, column), _show(table, row, column)
    if measure is None:
        yield Fault("is missing: say what to read off, such as { mean = COLUMN }", field="measure")
    else:
        yield from measure_faults(measure, kind)
    if show != "value" and (column.baseline or row.baseline or table.baseline) is None:
        yield Fault("needs a baseline", field="show", found=show, tip="say baseline = { set = { ... } }")
    if show == "worth" and table.worth is None:
        yield Fault("needs a field to count in", field="show", found=show, tip="say worth = { path = ... }")
    if show == "worth" and not kind.has_distribution:
        yield Fault(f"needs an exact distribution, and {kind.name} has none", field="show", found=show)

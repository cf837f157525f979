"""Sections that a game declares for its report: tables of questions, and what to read off each answer.

[[sections]]
id = "terrain"
title = "What terrain is worth"

[[sections.tables]]
id = "into_terrain"
caption = "Figures lost to one attack"
rung = "attack"
other = "blue_foot"
measure = { mean = "figures_lost" }
rows = [{ each = "one", of = ["green_foot", "blue_foot"] }]
columns = [{ each = "situation.target_terrain", of = ["countryside", "hill"] }]

Every row meets every column. A cell asks what the table says, changed by its row and then by its column. Its
`baseline` is the same question, changed once more; a cell shows its own value, that of the baseline, their difference,
or how many steps of one field make up for the difference (see `Worth`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from balance.analysis.scores.measures import Measure
from balance.base.errors import Fault, StudyError
from balance.catalogue.toml_model import Frozen
from balance.engine.query import Query, override
from balance.game.words import FILE, Text
from balance.study.settings.grid import Value, show_setting
from balance.study.settings.table_ids import Id

AllOfKind = Annotated[str, Field(pattern=r"^all [a-z_]+$")]
"""Whatever there is of a kind."""
Show = Literal["value", "baseline", "difference", "worth"]


class Variation(Frozen):
    """What one question says that another does not; empty where they agree.

    `set` are overrides by path, `choices` what the question kind lets one choose, `first` who goes first.
    """

    one: Text | None = None
    other: Text | None = None
    first: Text | None = None
    set: dict[str, Value] = Field(default={})
    choices: dict[str, str] = Field(default={})

    def changed_by(self, later: Variation) -> Variation:
        """Return both together; what `later` says wins.

        >>> Variation(one="knight", set={"a.dice": 2}).changed_by(Variation(set={"a.dice": 3})).set
        {'a.dice': 3}
        """
        return Variation(
            one=later.one or self.one,
            other=later.other or self.other,
            first=later.first or self.first,
            set=self.set | later.set,
            choices=self.choices | later.choices,
        )

    def ask(self, kind: str, changes: Sequence[str]) -> Query:
        """Return the question of a kind; what it sets replaces the like of `changes`, a study's own assignments.

        >>> Variation(one="knight", set={"a.dice": 2}).ask("duel", ["a.dice=1", "rules.x=1"]).changes
        ('rules.x=1', 'a.dice=2')
        """
        assignments = [f"{path}={show_setting(value)}" for path, value in self.set.items()]
        choices = tuple(sorted(self.choices.items()))
        return Query(kind, self.one or "", self.other or "", override(changes, assignments), self.first, choices)


class ReportQuestion(Variation):
    """A question that a report asks beside its tables: its kind, and the section that tells the answer."""

    id: Id
    title: Text
    rung: Text
    text: str = ""


def leave_out(faults: Iterable[Fault], place: str, gaps: list[Fault] | None) -> None:
    """Add faults to `gaps`, with their `place` in the file, such as "solution final"; raise `StudyError` without it."""
    located_faults = [in_report(fault, place) for fault in faults]
    if gaps is None:
        raise StudyError(located_faults)
    gaps += located_faults


def in_report(fault: Fault, *place: str) -> Fault:
    """Return a fault with its place in `report.toml`, from the outside in, such as "table terrain", "row 'x'"."""
    return replace(fault, path=FILE, row=None, field=", ".join(filter(None, (*place, fault.field))))


class Case(Variation):
    """One row or column; with `each` as many as `of` has values.

    `each` is "one", "other", "first", a path with a dot, or the name of a choice. `of` lists its values, or is
    "all entrants", "all targets" or "all" with the name of a table of the catalogue, so that a new card has its place
    and a removed one none; `written` says how a value is written where it is not an id alone, as in "{}:3/{}:3".
    Without a `label` a case goes by the name of whom it sets, or by the value.
    """

    label: str = ""
    each: str = ""
    of: list[Value] | AllOfKind = Field(default=[])
    written: Annotated[str, Field(pattern=r"\{\}")] = "{}"
    measure: Measure | None = None
    baseline: Variation | None = None
    show: Show | None = None

    @model_validator(mode="after")
    def _each_of(self) -> Case:
        if bool(self.each) != bool(self.of):
            raise ValueError("each and of go together: each = a field, of = its values")
        if self.each and self.label:
            raise ValueError("has each and a label: the values are the labels")
        return self


class Worth(Frozen):
    """The unit in which a difference may be shown: steps of one field.

    A cell's worth is the value of `path`, between `low` and `high`, at which the cell would measure as much as its
    baseline, read off straight lines between whole numbers: how much of it makes up for the difference.
    """

    path: Text
    low: Annotated[int, Field(ge=-99, le=99)] = -3
    high: Annotated[int, Field(ge=-99, le=99)] = 3

    @model_validator(mode="after")
    def _upwards(self) -> Worth:
        if not self.low < self.high <= self.low + 40:
            raise ValueError(f"goes from {self.low} to {self.high}: high must be above low, by at most 40")
        return self


class ReportTable(Variation):
    """One table; the questions of its cells differ from its own by row and column.

    * `rung`: which kind of question.
    * `rows` and `columns`: cases; "all units" alone means every unit as the one side in rows, as the other in columns.
    * `measure`, `baseline` and `show`: for cells whose row and column say nothing else; a column goes before its row.
    * `trials`: trials of a cell that has no exact distribution.
    * `better` and `favours`: whether more or less is good for whom a heat map favours.
    * `skip_illegal`: leave cells empty that the rules forbid; without it they are faults of the file.
    * `finding`: a sentence with fields in braces, see `balance.reporting.sections.common.findings`; it goes above the
      table and, if `headline` and no first page is declared, on that.
    * `headline_from`: a size from which a number of the table brings the finding to the first page: one that is surely
      as large.
    * `caution`: a sentence with the fields of a finding, for the box of the first page that says what to be careful
      about.
    """

    id: Id
    caption: Text
    rung: Text
    rows: Annotated[list[Case], Field(min_length=1, max_length=100)]
    columns: Annotated[list[Case], Field(min_length=1, max_length=40)]
    measure: Measure | None = None
    baseline: Variation | None = None
    show: Show = "value"
    worth: Worth | None = None
    trials: Annotated[int, Field(ge=100, le=10**9)] = 65_536
    skip_illegal: bool = False
    draw: Literal["table", "heat map"] = "table"
    better: Literal["more", "less"] = "more"
    favours: Text = "the row"
    decimals: Annotated[int, Field(ge=0, le=4)] | None = None
    row_title: str = ""
    column_title: str = ""
    note: str = ""
    finding: str = ""
    headline: bool = False
    headline_from: Annotated[float, Field(gt=0)] | None = None
    caution: str = ""

    @model_validator(mode="before")
    @classmethod
    def _whole_axes(cls, values: Any) -> Any:
        sides = {"rows": "one", "columns": "other"}
        if not isinstance(values, dict):
            return values
        whole = {
            axis: [{"each": side, "of": values[axis]}]
            for axis, side in sides.items()
            if isinstance(values.get(axis), str)
        }
        return values | whole


class ReportSection(Frozen):
    """One section: some words, then its tables; those of a section that is not shown are to download."""

    id: Id
    title: Text
    text: str = ""
    shown: bool = True
    tables: Annotated[list[ReportTable], Field(min_length=1)]


ReportSections = list[ReportSection]

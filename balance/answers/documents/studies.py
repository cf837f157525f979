"""The objects about studies and catalogues: runs, reports, comparisons, match-ups of a field, and rosters."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import Cell
from balance.study.run.forecast import Forecast
from balance.study.run.manifest import RunSummary

Limits = Annotated[list[str], Field(description="Demands that are not met, a sentence each.")]


class Run(TypedDict):
    """A study was run.

    Attributes
    ----------
    folder
        Where its results are.
    summary
        The same in a few numbers; what the study did not ask is absent.
    """

    schema: Literal[1]
    verb: Literal["run"]
    folder: str
    broken_limits: Limits
    summary: RunSummary


class DryRun(TypedDict):
    """What a study would cost.

    Attributes
    ----------
    forecast
        Null where that would run code that is not trusted, which `notes` tells.
    """

    schema: Literal[1]
    verb: Literal["run"]
    dry_run: Literal[True]
    forecast: Forecast | None
    notes: NotRequired[list[str]]


class Report(TypedDict):
    """A report was written.

    Attributes
    ----------
    files
        The one to read first is the first.
    """

    schema: Literal[1]
    verb: Literal["report"]
    files: list[str]
    broken_limits: Limits
    summary: RunSummary


class UnresolvedLink(TypedDict):
    """A link to what is in none of the files."""

    file: str | None
    line: int | None
    id: str | None
    message: str


class Roster(TypedDict):
    """BattleScribe catalogues or rosters as a table.

    Attributes
    ----------
    profile_types
        The kinds of profile that there are, and what each holds.
    columns, rows
        The table.
    unresolved
        Links that lead nowhere.
    """

    schema: Literal[1]
    verb: Literal["roster"]
    profile_types: dict[str, int]
    columns: list[str]
    rows: list[list[Cell]]
    unresolved: list[UnresolvedLink]
    notes: list[str]

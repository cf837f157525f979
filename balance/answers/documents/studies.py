"""The objects about studies and catalogues: runs, reports, comparisons, match-ups of a field, and rosters."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import Cell, Row, Source
from balance.study.compare.change_effects import CardChange
from balance.study.run.forecast import Forecast
from balance.study.run.manifest import RunSummary

Rows = Annotated[list[Row], Field(description="A table, a row each; its columns depend on what the study asks.")]
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


class Tables(TypedDict):
    """What a change does where armies of equal points meet."""

    scores: Rows
    typical_match_ups: Rows
    prices: Rows


class Affected(TypedDict):
    """Whom a change affects.

    Attributes
    ----------
    everybody
        Whether it concerns everybody.
    cards, entrants, others
        What is changed, who stands where before and after, and who else moves.
    """

    everybody: bool
    cards: list[CardChange]
    entrants: Rows
    others: Rows


class Compare(TypedDict):
    """What a patch or another catalogue does.

    Attributes
    ----------
    title
        What the change is called.
    catalogue_sha256
        The digests before and after.
    equal_points
        Null where armies of equal points do not meet.
    summary
        The same in a few numbers.
    affected, changes
        Whom it affects, and every match-up that it touches.
    """

    schema: Literal[1]
    verb: Literal["compare"]
    title: str
    game: str
    seed: int
    catalogue_sha256: Annotated[list[str], Field(min_length=2, max_length=2)]
    broken_limits: Limits
    equal_points: Tables | None
    summary: dict[str, Any]
    affected: Affected
    changes: Rows


class MatchUps(Source):
    """What every row of a field makes of every column.

    Attributes
    ----------
    kind, measure
        What was asked, and which number is told.
    matchups
        `one`, `other`, the measure, and the ends `low` and `high` of its 95 % interval.
    """

    verb: Literal["matchups"]
    kind: str
    measure: str
    matchups: list[dict[str, Cell]]


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

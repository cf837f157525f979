"""A page about a game, as records: a table of its catalogue, one entry, or what it can be asked, set and chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from balance.base.answers import BEHIND, Digest, Doc, Form, GameName, RulesVersion

Value = str | int | float | bool | tuple[str | int | float, ...] | None


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a page: a table with what is said above and below it."""

    title: Annotated[str, Doc("What it is about; empty where that is what the page is about.")] = ""
    details: Annotated[str, Doc("What else stands in its title.")] = ""
    above: Annotated[tuple[str, ...], Doc("Sentences above the table.")] = ()
    columns: Annotated[tuple[str, ...], Doc("The heads of the table.")] = ()
    rows: Annotated[tuple[tuple[Value, ...], ...], Doc("Its rows: a value for each column, null where there is none.")]
    origins: Annotated[
        tuple[tuple[str, ...], ...],
        Doc("Where each of these values comes from: stated, public, inferred, assumed or unknown; empty for an id."),
    ] = ()
    below: Annotated[tuple[str, ...], Doc("Sentences below the table.")] = ()
    lines: Annotated[tuple[str, ...], Doc("Lines to be copied, such as rows of a file.")] = ()
    layout: Literal["table", "wide", "list"] = field(default="table", metadata=BEHIND)
    """How it is drawn: what is wide is set in parts below each other, a list has no heads."""
    ids: str = field(default="", metadata=BEHIND)
    """The head of the column of ids, which are never broken over lines."""


@dataclass(frozen=True)
class GamePage:
    """What can be seen of a game: its catalogue, or what it can be asked."""

    schema: Form
    verb: Literal["show"]
    game: GameName
    rules_version: RulesVersion
    catalogue_sha256: Digest
    catalogue: Annotated[str, Doc("The folder of the catalogue, or the game file.")]
    page: Annotated[str, Doc("The table, page or entry; empty for the overview.")]
    sentence: Annotated[str, Doc("What it shows.")]
    parts: tuple[Part, ...]

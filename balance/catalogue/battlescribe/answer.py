"""The answer of `roster`: BattleScribe files as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from balance.base.answers import BEHIND, Doc, Form, Opaque, formula
from balance.catalogue.battlescribe.entry_table import EntryTable
from balance.catalogue.battlescribe.profiles import Library

Cell: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True)
class UnresolvedLink:
    """A link to what is in none of the files."""

    file: str | None
    line: int | None
    id: str | None
    message: str


@dataclass(frozen=True, repr=False)
class Roster:
    """BattleScribe catalogues or rosters as a table."""

    schema: Form
    verb: Literal["roster"]
    files: Annotated[tuple[str, ...], Doc("Their names.")] = field(metadata=BEHIND)
    library: Annotated[Library, Opaque()] = field(metadata=BEHIND)
    table: Annotated[EntryTable, Opaque()] = field(metadata=BEHIND)
    is_mapped: Annotated[bool, Doc("Whether the columns were named by who asked.")] = field(metadata=BEHIND)

    @formula
    def profile_types(self) -> Annotated[Mapping[str, int], Doc("Types of profile, and how many there are of each.")]:
        """Return the types, the most frequent first."""
        return self.library.profile_types

    @formula
    def columns(self) -> tuple[str, ...]:
        """Return the heads of the table."""
        return self.table.headers

    @formula
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows of the table."""
        return self.table.rows

    @formula
    def unresolved(self) -> Annotated[tuple[UnresolvedLink, ...], Doc("Links that lead nowhere.")]:
        """Return the links, in the order of the files."""
        links = self.library.unresolved_links
        return tuple(UnresolvedLink(link.path, link.row, link.found, link.message) for link in links)

    @formula
    def notes(self) -> tuple[str, ...]:
        """Return what is to be known of the files, then of the table."""
        return (*self.library.notes, *self.table.notes)

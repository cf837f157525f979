"""The answer of `roster`: BattleScribe files as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from typing_extensions import Doc

from balance.base.answers import Form
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


@dataclass(frozen=True)
class Roster:
    """BattleScribe catalogues or rosters as a table."""

    schema: Form
    verb: Literal["roster"]
    profile_types: Annotated[Mapping[str, int], Doc("The kinds of profile that there are, and how many of each.")]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    unresolved: Annotated[tuple[UnresolvedLink, ...], Doc("Links that lead nowhere.")]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, library: Library, table: EntryTable) -> Roster:
        """Return the answer about files that were read as a table."""
        links = (
            UnresolvedLink(fault.path, fault.row, fault.found, fault.message) for fault in library.unresolved_links
        )
        return cls(
            1,
            "roster",
            library.profile_types,
            tuple(table.headers),
            tuple(map(tuple, table.rows)),
            tuple(links),
            (*library.notes, *table.notes),
        )

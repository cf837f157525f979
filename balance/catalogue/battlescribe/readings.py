"""How each profile, column, cost and type of a BattleScribe file was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from balance.base.errors import CatalogueError, Fault
from balance.base.numbers import show_many
from balance.base.paths import short_path
from balance.base.readings import FileReading, Reading
from balance.catalogue.battlescribe.costs import plain_cost
from balance.catalogue.battlescribe.entry_table import as_number, entry_table
from balance.catalogue.battlescribe.files import read_file
from balance.catalogue.battlescribe.profiles import Entry, Library, read_battlescribe
from balance.catalogue.battlescribe.roster_sums import row_costs

FILE_ENDINGS: Final = (".cat", ".gst", ".ros", ".catz", ".gstz", ".rosz", ".json")
KINDS: Final = {
    "catalogue": "BattleScribe catalogue",
    "gameSystem": "BattleScribe game system",
    "roster": "BattleScribe roster",
}
MOST_PROFILES: Final = 200
"""Profiles that are told one by one."""


def roster_reading(path: Path) -> FileReading | None:
    """Return how a catalogue, game system or roster, XML or JSON, zipped or not, was read; None for other endings."""
    if path.suffix.lower() not in FILE_ENDINGS:
        return None
    try:
        kind = KINDS[read_file(path).tag]
        library = read_battlescribe([path])
        table = entry_table(library.entries)
    except CatalogueError as error:
        return FileReading("BattleScribe file", "not readable", faults=tuple(error.faults))
    types = ", ".join(f"{count:,} {name}" for name, count in library.profile_types.items())
    rows = f"{show_many(len(library.entries), 'profile')}{f' ({types})' if types else ''}"
    readings = (*_type_readings(library), *_column_readings(library), *_profile_readings(library.entries))
    return FileReading(
        kind,
        f"{rows}; balance roster {short_path(path)} shows them as a table",
        readings,
        (*_notes(library), *table.notes),
    )


def _notes(library: Library) -> Iterator[str]:
    yield from library.notes
    if len(library.entries) > MOST_PROFILES:
        yield f"--explain tells the first {MOST_PROFILES} of {len(library.entries):,} profiles"
    yield from map(_link_note, library.unresolved_links[:1])
    if (more := len(library.unresolved_links) - 1) > 0:
        yield f"{show_many(more, 'more link')} to what is not in this file; name the others beside it in balance roster"


def _link_note(fault: Fault) -> str:
    place = f", line {fault.row}" if fault.row else ""
    return f"{fault.path}{place}: {fault.message} ({fault.found})"


def _type_readings(library: Library) -> Iterator[Reading]:
    for name, count in library.profile_types.items():
        traits = dict.fromkeys(
            trait for entry in library.entries if entry.profile_type == name for trait in entry.characteristics
        )
        meaning = f"a row for each, with {', '.join(traits)}" if traits else "a row for each, without characteristics"
        yield Reading("type of profile", f"{name} ({count:,})", meaning)


def _column_readings(library: Library) -> Iterator[Reading]:
    """Yield what each characteristic and each kind of cost was taken for."""
    for name in dict.fromkeys(name for entry in library.entries for name in entry.characteristics):
        values = [value for entry in library.entries if (value := entry.characteristics.get(name))]
        numbers = sum(as_number(value) is not None for value in values)
        if not values:
            meaning = "a characteristic, always empty"
        elif all(value.isdecimal() for value in values):
            meaning = "a characteristic, a whole number"
        elif numbers == len(values):
            meaning = "a characteristic, a number with a unit, which --column leaves out"
        else:
            meaning = f"a characteristic, kept as text (a number in {numbers} of {len(values)} rows)"
        yield Reading(f"column {name}", values[0] if values else "", meaning)
    for name in dict.fromkeys(name for entry in library.entries for name in entry.costs):
        costs = [entry.costs[name] for entry in library.entries if name in entry.costs]
        text = plain_cost(next(filter(None, costs), costs[0]))
        in_roster = library.entries[0].part is not None
        holder = "a selection for all of its number, without what it holds" if in_roster else "one entry"
        yield Reading(f"cost {name}", text, f"a cost of {holder}, kept exactly")


def _profile_readings(entries: Sequence[Entry]) -> Iterator[Reading]:
    totals = row_costs(entries).total
    for entry, total in zip(entries[:MOST_PROFILES], totals, strict=False):
        costs = ", ".join(f"{plain_cost(cost)} {name}" for name, cost in total.items() if cost) or "nothing"
        if entry.part is not None and total != entry.costs and total:
            costs += " with what it holds that has no row"
        kind = entry.type if entry.number is None else f"{entry.type} of {entry.number}"
        own = f" named {entry.profile}" if entry.profile != entry.name else ""
        place = f"line {entry.line}" if entry.line else "profile"
        yield Reading(place, entry.name, f"{kind}, profile{own} of type {entry.profile_type}, costs {costs}")

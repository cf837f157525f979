"""Rows of BattleScribe entries as a table: all that is there, or columns of your own names, as CSV or XLSX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm

from balance.base.errors import CatalogueError, Fault, UsageError, comma_list, suggestion, unknown
from balance.base.files import scratch
from balance.base.limits import MOST_CELL_CHARACTERS, MOST_CELLS, MOST_ROWS
from balance.base.numbers import show_many
from balance.base.text import slug
from balance.catalogue.battlescribe.costs import plain_cost
from balance.catalogue.battlescribe.profiles import Entry
from balance.catalogue.battlescribe.roster_sums import RowCosts, row_costs
from balance.catalogue.tables.cells import guard
from balance.catalogue.workbook.writer import stable_bytes, write_cell

ENDINGS = (".csv", ".xlsx")
MOST_COLUMNS = 1000
MOST_FACTOR = 1000
"""That costs are multiplied by to become whole numbers; beyond it nobody would."""
ALWAYS = ("name", "id", "type", "profile", "profile type", "number", "categories", "holds", "rules", "file", "line")
"""What every entry has, by the names that `--column` uses."""
FIRST, LAST = ALWAYS[:6], ALWAYS[6:]
SEPARATOR = "; "
_MEASURE = re.compile(
    r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:[^\w\s.,;:/+-]{1,2}|\+|in\.?|inches|pts\.?|points|cm|mm)?", re.IGNORECASE
)
"""A number with a unit: inches, a die roll such as 3+, points, or a sign of the game."""
_NO_VALUES = ("", "-", "–", "—", "n/a", "*")


@dataclass(frozen=True)
class EntryTable:
    """A table of texts and numbers, notes on how it was made, and which of its columns are costs."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    notes: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    """Those of the headers that are costs."""


def with_types(entries: Sequence[Entry], types: Sequence[str]) -> list[Entry]:
    """Return the rows whose profile is of one of these types, in any case, or all rows if there are none.

    `UsageError` with one fault for each type of which there is no profile.
    """
    types_by_fold = {entry.profile_type.casefold(): entry.profile_type for entry in entries}
    names_by_fold = {name.strip().casefold(): name.strip() for name in types}
    if strange := [name for fold, name in names_by_fold.items() if fold not in types_by_fold]:
        raise UsageError(
            [unknown(name, sorted(types_by_fold.values()), "is no type of profile here", "§type") for name in strange]
        )
    return [entry for entry in entries if not names_by_fold or entry.profile_type.casefold() in names_by_fold]


def entry_table(entries: Sequence[Entry]) -> EntryTable:
    """Return all that the entries have: a column for each characteristic, as written, and those of each cost.

    In a roster the column NAME of a cost holds what a row costs with all below that has no row of its own, so that the
    rows add up; beside it stand, where they differ, NAME (own) and NAME (whole), and of catalogues NAME (as it comes),
    which is with what an entry must hold. A cost with the name of a characteristic gets " (cost)" after it.
    `CatalogueError` for more cells than a table may have.
    """
    traits = _names(entry.characteristics for entry in entries)
    sums = row_costs(entries)
    costs = dict(_cost_columns(sums, (*ALWAYS, *traits)))
    first = [name for name in FIRST if name != "number" or any(entry.number is not None for entry in entries)]
    headers = [*first, *(_unlike(name, ALWAYS) for name in traits), *costs, *LAST]
    _check_size(headers, entries)
    rows = []
    for at, entry in enumerate(entries):
        always = _always(entry)
        middle = [
            *(_plain(entry.characteristics.get(name, "")) for name in traits),
            *(_whole(column[at]) for column in costs.values()),
        ]
        rows.append((*(always[name] for name in first), *middle, *(always[name] for name in LAST)))
    return EntryTable(tuple(headers), tuple(rows), (*sums.notes, *_whole_notes(entries, costs)), tuple(costs))


def _cost_columns(sums: RowCosts, names_in_use: Sequence[str]) -> Iterator[tuple[str, list[Decimal | None]]]:
    """Yield (header, costs) of each kind of cost; the variants own, whole and as it comes only where they differ."""
    for name in _names((*sums.total, *sums.whole, *sums.as_it_comes)):
        header = _unlike(name, names_in_use)
        total = [costs.get(name) for costs in sums.total]
        yield header, total
        for word, costs in (("own", sums.own_costs), ("whole", sums.whole), ("as it comes", sums.as_it_comes)):
            column = [costs.get(name) for costs in costs]
            if any((column_cost or 0) != (cost or 0) for column_cost, cost in zip(column, total, strict=True)):
                yield f"{header} ({word})", column


def _whole_notes(entries: Sequence[Entry], costs: Mapping[str, Sequence[Decimal | None]]) -> Iterator[str]:
    """Yield a note on each cost for which some row costs more with the rows below it."""
    for header, total in costs.items():
        if whole := costs.get(f"{header} (whole)"):
            at = next(at for at, cost in enumerate(whole) if (cost or 0) != (total[at] or 0))
            examples = f"{entries[at].name} {plain_cost(whole[at] or Decimal(0))}"
            yield f"column {header} leaves out what has a row of its own; {header} (whole) has all, such as {examples}"


def parse_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return new name -> old name from texts such as "health=W"; `UsageError` with all faults, repeated names included.

    >>> parse_columns(["health=W", "cost = pts"])
    {'health': 'W', 'cost': 'pts'}
    """
    names, faults = dict[str, str](), list[Fault]()
    for text in texts:
        name, sign, source = (part.strip() for part in text.partition("="))
        if not (name and sign and source):
            faults.append(Fault("names no column", "§column", found=text, allowed="NEW=OLD, such as health=W"))
        elif name in names:
            faults.append(Fault("is named twice", "§column", found=name))
        names[name] = source
    if faults:
        raise UsageError(faults)
    return names


def mapped_table(entries: Sequence[Entry], columns: Mapping[str, str]) -> EntryTable:
    """Return a table with columns of your own names: `id` (of the name, like a catalogue's), `name`, and those named.

    `columns` maps a new name to a characteristic, a cost, or one of `ALWAYS`; `UsageError` with all that are unknown. A
    column that holds nothing but numbers with a unit, such as 6" or 3+, becomes one of numbers; a dash becomes empty.
    """
    table = entry_table(entries)
    places = _places(table.headers, columns)
    notes, texts = [*table.notes], dict[str, list[str | int | float | None]]()
    if "id" not in columns:
        texts["id"] = [*_ids(entry.name for entry in entries)]
    if "name" not in columns:
        texts["name"] = [entry.name for entry in entries]
    for name, place in places.items():
        texts[name] = _cells_as_numbers(name, [row[place] for row in table.rows], notes)
        if table.headers[place] in table.costs:
            notes += _cost_notes(name, table, place)
    costs = tuple(name for name, place in places.items() if table.headers[place] in table.costs)
    return EntryTable(tuple(texts), tuple(zip(*texts.values(), strict=True)), tuple(notes), costs)


def _cost_notes(name: str, table: EntryTable, place: int) -> Iterator[str]:
    """Yield notes on a column of costs: what entries must hold besides, and fractions in it."""
    costs = [row[place] for row in table.rows]
    complete = f"{table.headers[place]} (as it comes)"
    if complete in table.headers:
        pairs = zip(costs, (row[table.headers.index(complete)] for row in table.rows), table.rows, strict=True)
        rows = [(row[0], more) for cost, more, row in pairs if (cost or 0) != (more or 0)]
        text = f"{show_many(len(rows), 'row')} must hold what costs besides, such as {rows[0][0]}: {rows[0][1]} in all"
        yield f"column {name} holds what stands on each entry; {text}; for that, --column '{name}={complete}'"
    parts = [Fraction(str(cost)) for cost in costs if isinstance(cost, float)]
    if parts:
        factor = lcm(*(part.denominator for part in parts))
        mend = f"multiply every cost by {factor:,}, or round them" if factor <= MOST_FACTOR else "round them"
        yield f"column {name} holds fractions, such as {float(parts[0])}; where your game wants whole numbers, {mend}"


def _places(headers: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Return new name -> position of its column; an exact header wins, else one that differs in case alone."""
    places_by_name: dict[str, list[int]] = {}
    for place, header in enumerate(headers):
        places_by_name.setdefault(header.casefold(), []).append(place)
    places, faults = dict[str, int](), list[Fault]()
    for name, source in columns.items():
        alike = places_by_name.get(source.casefold(), [])
        if source in headers:
            places[name] = headers.index(source)
        elif len(alike) == 1:
            places[name] = alike[0]
        else:
            tip = suggestion(source, headers, "see --help")
            message = "is the name of several columns here" if alike else "is no column here"
            faults.append(Fault(message, "§column", found=source, allowed=comma_list(headers), tip=tip))
    if faults:
        raise UsageError(faults)
    return places


def _cells_as_numbers(
    name: str, cells: Sequence[str | int | float | None], notes: list[str]
) -> list[str | int | float | None]:
    """Return a column as numbers if each of its cells is a number with a unit; else unchanged."""
    if not any(isinstance(cell, str) for cell in cells):
        return list(cells)
    filled_cells = [str(cell) for cell in cells if cell is not None and str(cell).casefold() not in _NO_VALUES]
    if not filled_cells or not all(_MEASURE.fullmatch(cell) for cell in filled_cells):
        return list(cells)
    numbers: list[str | int | float | None] = []
    numbers += (None if cell is None else as_number(str(cell)) for cell in cells)
    pairs = zip(cells, numbers, strict=True)
    changed_cells = [
        str(old) for old, new in pairs if old is not None and str(old) != ("" if new is None else str(new))
    ]
    if changed_cells:
        notes.append(f"column {name} holds numbers; units and dashes are left out, such as {changed_cells[0]!r}")
    return numbers


def as_number(text: str) -> str | int | float | None:
    """Return the number that a text with a unit holds; None for another text.

    >>> as_number('6"'), as_number("+3"), as_number("2,5 cm"), as_number("D6")
    (6, 3, 2.5, None)
    """
    match = _MEASURE.fullmatch(text)
    return None if match is None else _plain(match[1].replace(",", ".").removeprefix("+"))


def _ids(names: Iterable[str]) -> Iterable[str]:
    """Yield an id for each name, with a number added to repeated ones.

    >>> list(_ids(["Light Drone", "light drone", "!"]))
    ['light_drone', 'light_drone_2', 'entry']
    """
    ids_in_use = set[str]()
    for name in names:
        plain = re.sub(r"[^a-z0-9_]+", "_", slug(name)).strip("_") or "entry"
        entry_id, again = plain, 1
        while entry_id in ids_in_use:
            again += 1
            entry_id = f"{plain}_{again}"
        ids_in_use.add(entry_id)
        yield entry_id


def _always(entry: Entry) -> dict[str, str | int | float | None]:
    return {
        "name": entry.name,
        "id": entry.id,
        "type": entry.type,
        "profile": entry.profile,
        "profile type": entry.profile_type,
        "number": entry.number,
        "categories": SEPARATOR.join(entry.categories),
        "holds": SEPARATOR.join(entry.holds),
        "rules": SEPARATOR.join(entry.rules),
        "file": entry.file.name,
        "line": entry.line or None,
    }


def _names(records: Iterable[Mapping[str, object]]) -> list[str]:
    return [*dict.fromkeys(name for names in records for name in names)]


def _unlike(name: str, names_in_use: Sequence[str]) -> str:
    return f"{name} (cost)" if name in names_in_use else name


def _plain(text: str) -> str | int | float | None:
    """Return a text as a number if that number would be written just so; None if empty.

    >>> _plain("4"), _plain("2.5"), _plain("04"), _plain("4+"), _plain("")
    (4, 2.5, '04', '4+', None)
    """
    if not text:
        return None
    if re.fullmatch(r"-?(0|[1-9][0-9]{0,8})", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?(0|[1-9][0-9]{0,8})\.[0-9]{1,6}", text) else text


def _whole(cost: Decimal | None) -> int | float | None:
    return None if cost is None else int(cost) if cost == int(cost) else float(cost)


def _check_size(headers: Sequence[str], entries: Sequence[Entry]) -> None:
    if len(headers) > MOST_COLUMNS:
        tip = "choose some with §type"
        raise CatalogueError(Fault(f"the entries have more than {MOST_COLUMNS:,} columns together", tip=tip))
    if len(entries) >= MOST_ROWS or len(headers) * len(entries) > MOST_CELLS:
        raise CatalogueError(Fault(f"the entries have more than {MOST_CELLS:,} cells together", tip="choose a §type"))


def table_bytes(table: EntryTable, ending: str) -> bytes:
    """Return a table as the bytes of a `.csv` or `.xlsx` file; texts are guarded so that no spreadsheet computes them.

    `CatalogueError` if a text is longer than a cell may be.
    """
    cells = [table.headers, *table.rows]
    for at, row in enumerate(cells):
        if any(isinstance(cell, str) and len(cell) > MOST_CELL_CHARACTERS for cell in row):
            message = f"has a text of more than {MOST_CELL_CHARACTERS:,} characters, which no cell holds"
            raise CatalogueError(Fault(message, f"row {at}", found=str(row[0])))
    if ending == ".csv":
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([[_csv_cell(cell) for cell in row] for row in cells])
        return text.getvalue().encode()
    return _workbook(cells)


def _csv_cell(cell: str | int | float | None) -> str | int | float:
    return "" if cell is None else guard(cell) if isinstance(cell, str) else cell


def _workbook(cells: Sequence[Sequence[str | int | float | None]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook()
    sheet = book.active
    sheet.title = "ENTRIES"
    with scratch():
        for row, values in enumerate(cells, start=1):
            for column, value in enumerate(values, start=1):
                plain = ILLEGAL_CHARACTERS_RE.sub("\ufffd", value) if isinstance(value, str) else value
                write_cell(sheet.cell(row, column), "" if plain is None else plain)
        sheet.freeze_panes = "A2"
        return stable_bytes(book)

"""The columns of a table of units: which are numbers, what a blank cell stands for, and which values rules set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from balance.base.errors import Fault
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
from balance.rulebook.text.fields import MOST, RESERVED, STANDARD, UnitField
from balance.rulebook.text.source import NAME, PRINTED, SIDES, Source, is_name

SPELLINGS = {spelling: name for name, others in STANDARD.items() for spelling in (name, *others)}
MOST_FIELDS = 200
BLANK_MARKS = ("", "-", "–", "—", "−")
"""What people write into a cell that holds nothing."""
BLANKS = "blanks"
"""The section that says what a blank cell of a column stands for."""
NO_RULES = ("title", "units", BLANKS)
OF_UNIT = re.compile(r"\b(?:me|foe)\s*\.\s*([^\W\d_]\w*)", re.IGNORECASE)
"""A name that an expression reads of a unit."""
_WHOLE = re.compile(r"\s*[+\-−]?\d+([.,]0*)?\s*")


@dataclass(frozen=True)
class Columns:
    """What the rules of a file do with the columns of its units.

    `values`: column -> the number that a blank cell of it stands for.
    """

    source: Source
    values: Mapping[str, int]

    @cached_property
    def names_set(self) -> frozenset[str]:
        """Fields that some step sets, and the health, without `me.` and `foe.`."""
        return frozenset({*_names_set(self.source.data), str(self.source.data.get("health", "health"))})

    @cached_property
    def names_read(self) -> frozenset[str]:
        """Fields that some expression reads or some step sets, without `me.` and `foe.`."""
        texts = _texts({name: value for name, value in self.source.data.items() if name not in NO_RULES})
        names = {name.casefold().removesuffix(PRINTED) for text in texts for name in OF_UNIT.findall(text)}
        return self.names_set | names

    @cached_property
    def has_function(self) -> bool:
        """Whether some step is a Python function, which may read every column."""
        return any(text == "python" for text in _texts(self.source.data))

    def is_read(self, column: str) -> bool:
        """Return whether some expression or Python function may read a column."""
        return self.has_function or column in self.names_read

    def blank(self, column: str, has_numbers: bool, fault: Fault) -> str:
        """Return the text that a blank cell stands for: the file's own, else 0 in a column with numbers, else empty.

        Where the rules read the column and the file does not say, `fault` is recorded with a tip.
        """
        if column in self.values:
            return str(self.values[column])
        if self.is_read(column):
            tip = (
                "write 0 for none, or of a target such as 4+ a number that no die shows; for all blank cells at once: "
            )
            self.source.faults.append(replace(fault, allowed="a whole number", tip=f"{tip}[{BLANKS}] {column} = 0"))
            return "0"
        return "0" if has_numbers else ""


def read_columns(source: Source) -> Columns:
    """Return the columns with the section `[blanks]` of a file, which has a number for blank cells of each."""
    values = {}
    for name, value in source.section(BLANKS).items():
        number = source.whole(f"{BLANKS}.{name}", value)
        if number is not None:
            values[name] = number
    return Columns(source, values)


def _texts(value: object) -> Iterator[str]:
    """Yield every text and every key of a value, and `me.NAME` and `foe.NAME` for keys in tables of these names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            if key in SIDES and isinstance(inner, Mapping):
                yield from (f"{key}.{name}" for name in inner)
            yield from _texts(inner)


def _names_set(value: object) -> Iterator[str]:
    """Yield the names that follow `me.` or `foe.` in keys."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            side, dot, name = key.partition(".")
            if side in SIDES and dot:
                yield name
            elif key in SIDES and isinstance(inner, Mapping):
                yield from inner
            yield from _names_set(inner)


def with_blanks(columns: Columns, table: RawTable) -> RawTable:
    """Return a table in which blank cells of columns of numbers are filled in, see `Columns.blank`."""
    (header_row, header), *body = table.rows
    names = [slug(cell) for cell in header]
    for name in columns.values:
        if name not in names or name in SPELLINGS:
            fields = [name for name in names if name and name not in SPELLINGS]
            columns.source.unknown(f"{BLANKS}.{name}", name, fields, "is no column of numbers")
    by_place = dict(enumerate(zip(names, header, strict=True)))
    has_numbers = {
        place: any(_WHOLE.fullmatch(cells[place]) for _, cells in body if place < len(cells)) for place in by_place
    }
    has_texts = {
        place: any(cells[place].strip() not in BLANK_MARKS for _, cells in body if place < len(cells))
        for place in by_place
    }

    def filled(row: int, place: int, cell: str) -> str:
        name, head = by_place.get(place, ("", ""))
        is_text = has_texts.get(place) and not has_numbers.get(place)
        if cell.strip() not in BLANK_MARKS or not name or name in SPELLINGS or is_text:
            return cell
        return columns.blank(name, has_numbers[place], Fault("is empty", table.path, row, head))

    rows = tuple((row, tuple(filled(row, place, cell) for place, cell in enumerate(cells))) for row, cells in body)
    return replace(table, rows=((header_row, header), *rows))


def fields_of(columns: Columns, table: RawTable, faults: list[Fault]) -> tuple[UnitField, ...]:
    """Return the columns of a table that are fields: numbers, and texts where no cell is a number."""
    (header_row, header), *body = table.rows
    fields: dict[str, UnitField] = {}
    for place, cell in enumerate(header):
        name = slug(cell)
        if not cell.strip() or name in SPELLINGS:
            continue
        where = Fault("", table.path, header_row, "header", cell)
        if not is_name(name) or name in RESERVED:
            faults.append(replace(where, message="cannot be a name", allowed=NAME))
        elif name in fields:
            faults.append(replace(where, message="is a second column of this name"))
        else:
            fields[name] = _field(columns, name, cell, [cells[place] for _, cells in body if place < len(cells)])
            if fields[name].kind == "text" and name in columns.names_read and name != columns.source.data.get("health"):
                message = "is read by the rules, and no cell of it is a number"
                faults.append(replace(where, message=message, allowed=f"whole numbers from {-MOST} to {MOST}"))
    if len(fields) > MOST_FIELDS:
        faults.append(Fault(f"has {len(fields)} columns", table.path, header_row, allowed=f"at most {MOST_FIELDS}"))
    return tuple(fields.values())


def _field(columns: Columns, name: str, header: str, cells: Sequence[str]) -> UnitField:
    numbers = [cell for cell in cells if _WHOLE.fullmatch(cell)]
    if not numbers:
        return UnitField(name, "text", header=header)
    is_negative = any(cell.strip().startswith(("-", "−")) for cell in numbers)
    return UnitField(name, "number", low=-1 if is_negative and name not in columns.names_set else 0, header=header)


def as_allowed(columns: Columns, fields: Sequence[UnitField]) -> tuple[UnitField, ...]:
    """Return fields with their widest range: below 0 too where no step sets them, as set values are clipped at 0."""
    return tuple(
        replace(field, low=-1) if field.kind == "number" and field.name not in columns.names_set else field
        for field in fields
    )

"""How each column of a table was read: its field, what its cells may hold and do hold, and what a blank stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic_core import PydanticUndefined

from balance.base.numbers import show_many
from balance.base.readings import Reading
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, Value, clean, parse_cell, show_value
from balance.catalogue.tables.columns import Column, RawTable
from balance.catalogue.tables.rows import match_header
from balance.catalogue.tables.schema import Record, columns_of

MOST_WORDS = 8
"""Words of choices that are explained in one column."""


def column_readings(record: type[Record], table: RawTable, place: str) -> Iterator[Reading]:
    """Yield how each column of a table, its header first, was read, then the columns that it lacks.

    `place` is what to call the file or the sheet.
    """
    (row, header), *body = table.rows
    columns = columns_of(record)
    columns_by_place = match_header(columns, header, table.path, row, [])
    for at, cell in enumerate(header):
        text = " ".join(cell.split())
        if at in columns_by_place:
            cells = [cells[at] for _, cells in body if at < len(cells)]
            meaning = _meaning(record, columns_by_place[at], cells, table.comma)
        elif not text:
            continue
        else:
            second = next((column.header for column in columns if slug(cell) in column.spellings()), "")
            meaning = f"not read: a second column of {second}" if second else "not read: no column of this table"
        yield Reading(f"{place}, column {at + 1}", text, meaning)
    for column in columns:
        if column not in columns_by_place.values():
            absence = "missing, which is a fault" if column.is_required else f"each row has {_default(record, column)}"
            yield Reading(f"{place}, no column", "", f"{_field(column)}: {absence}")


def _field(column: Column) -> str:
    return column.header if column.header == column.name else f"{column.header} (field {column.name})"


def _meaning(record: type[Record], column: Column, cells: Sequence[str], comma: bool) -> str:
    """Return what a column was taken for, what its cells may hold, and what they do hold."""
    description = f" {column.description.rstrip('.')}." if column.description else ""
    kind = type_text(column)
    contents = ", ".join(_contents(column, cells, comma))
    here = f"; here {contents}" if contents else ""
    kind_text = f"{kind[:1].upper()}{kind[1:]}{_better(column)}{here}"
    return f"{_field(column)}:{description} {kind_text}. {_blank(record, column)}."


def _better(column: Column) -> str:
    """Return which values of a column are better, after a space; nothing where that is not declared.

    >>> from balance.catalogue import Better
    >>> _better(Column("speed", "speed", "integer", better=Better("more")))
    ' (more is better)'
    """
    better = column.better
    if better.words:
        return f" (better to have: {', '.join(better.words)})"
    if better.order:
        return f" (from worst to best: {', '.join(better.order)})"
    return f" ({better.way} is better)" if better.way in ("more", "less") else ""


def type_text(column: Column) -> str:
    """Return the type, range and unit of a column in words.

    >>> type_text(Column("speed", "speed", "integer", low=0, high=20, unit="cells"))
    'a whole number from 0 to 20, in cells'
    """
    if column.kind == "choice" and not column.is_list:
        text = f"one of {column.allowed}"
    elif column.kind == "id":
        text = "a list, each an id" if column.is_list else "an id"
    else:
        text = column.allowed
    return f"{text}, in {column.unit}" if column.unit else text


def _contents(column: Column, cells: Sequence[str], comma: bool) -> Iterator[str]:
    """Yield the range of the numbers, the words and marks that stand for other values, and counts of other cells."""
    values: list[Value] = []
    words: dict[str, str] = {}
    n_bad = 0
    written = [text for cell in cells if (text := clean(cell))]
    for text in written:
        try:
            value = parse_cell(column, text, comma=comma)
        except BadCell:
            n_bad += 1
            continue
        values.append(value)
        words |= _other_words(column, text, value)
    numbers = [
        number
        for value in values
        for number in (value if isinstance(value, tuple) else (value,))
        if isinstance(number, int | float) and not isinstance(number, bool)
    ]
    if numbers:
        low, high = min(numbers), max(numbers)
        yield show_value(low) if low == high else f"{show_value(low)} to {show_value(high)}"
    yield from (f"{word} is {meaning}" for word, meaning in list(words.items())[:MOST_WORDS])
    if n_blank := len(cells) - len(written):
        yield f"{show_many(n_blank, 'blank')}"
    if n_bad:
        yield f"{show_many(n_bad, 'cell')} not read"


def _other_words(column: Column, text: str, value: Value) -> dict[str, str]:
    """Return word or mark in a cell -> the choice or number that it stands for, where they differ."""
    if text in dict(column.marks):
        return {text: show_value(value) or "no value"}
    if column.kind != "choice":
        return {}
    parts = [part.strip() for part in re.split("[;,|]", text)] if column.is_list else [text]
    choices = {slug(choice) for choice in column.choices}
    single = replace(column, is_list=False)
    return {part: show_value(parse_cell(single, part)) for part in parts if slug(part) and slug(part) not in choices}


def _blank(record: type[Record], column: Column) -> str:
    """Return what an empty cell stands for, in words."""
    marks = dict(column.marks)
    if not column.is_required:
        return f"A blank is {_default(record, column)}"
    if column.is_list:
        return "A blank is an empty list"
    if "" in marks:
        return f"A blank is {_value_text(marks[''])}"
    return "A blank is no value" if column.nullable else "A blank is a fault"


def _default(record: type[Record], column: Column) -> str:
    value = record.model_fields[column.name].get_default(call_default_factory=True)
    return "no value" if value is PydanticUndefined else _value_text(value)


def _value_text(value: object) -> str:
    if value == ():
        return "an empty list"
    return "no value" if value is None or value == "" else show_value(value)

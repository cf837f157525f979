"""The text of a game file with values of its catalogue changed where they stand; its comments and rules stay.

A cell of a table that is drawn is changed in its line, and so is `key = value` of a section. Units in a spreadsheet, or
drawn as in a CSV file, become a table drawn in the file, so that the new file needs no other beside it. What was
written is read again: it holds the changed catalogue, or it is refused.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from balance.base.errors import BalanceError, CatalogueError, Fault
from balance.base.files import scratch
from balance.base.limits import MOST_TOML_BYTES
from balance.base.text import slug
from balance.catalogue import Catalogue, Record, columns_of, load_catalogue, show_value
from balance.catalogue.tables.files import read_text
from balance.catalogue.tables.toml_file import read_rules_file
from balance.rulebook.opening import UNITS
from balance.rulebook.text import read_game_file
from balance.rulebook.text.columns import SPELLINGS
from balance.rulebook.text.reading import GameFile
from balance.rulebook.text.source import Source

_VALUE = r"""("[^"]*"|'[^']*'|[^\s#,}]+)"""
_NUMBER = re.compile(r"-?\d+")
_UNITS = re.compile(r"""^(units[ \t]*=[ \t]*)("{3}.*?"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')""", re.DOTALL | re.MULTILINE)


def changed_text(catalogue: Catalogue) -> str:
    """Return the text of the game file that a changed catalogue was read from, with its changes.

    `CatalogueError` for a change that cannot be written, such as one of an army list.
    """
    path = catalogue.path
    file, before = read_game_file(path), load_catalogue(catalogue.spec, path)
    text = read_text(path, MOST_TOML_BYTES).replace("\r\n", "\n")
    source = Source(path, *read_rules_file(path))
    lines, units = text.split("\n"), list(_changes_of_units(before, catalogue))
    for section, key, new in _changes_of_numbers(before, catalogue):
        _change_key(lines, source, section, key, new)
    sections, is_drawn = source.data[UNITS], _is_drawn(source)
    for unit, field, new in units:
        if is_drawn:
            _change_cell(lines, file, unit, field, new)
        elif isinstance(sections, Mapping):
            _change_key(lines, source, *_key_of(sections, unit, field), new)
    text = "\n".join(lines)
    if not (is_drawn or isinstance(sections, Mapping)):
        text = _UNITS.sub(lambda match: match[1] + _drawn(catalogue), text, count=1)
    return _read_again(text, catalogue)


def _read_again(text: str, catalogue: Catalogue) -> str:
    """Return a text if it holds a catalogue, and raise CatalogueError if it holds another."""
    with scratch(), tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / catalogue.path.name
        place.write_text(text, "utf-8")
        try:
            again = load_catalogue(catalogue.spec, place)
        except BalanceError:
            again = None
    if again is None or _values(again) != _values(catalogue):
        tip = "change the values in the file by hand"
        raise CatalogueError(Fault("has values that cannot be changed where they stand", str(catalogue.path), tip=tip))
    return text


def _values(catalogue: Catalogue) -> tuple[object, ...]:
    """Return all that a catalogue holds but which reading of an option is the default: a file names it by its value."""
    return catalogue.tables, catalogue.rules, catalogue.constants


def _changes(before: Record, after: Record) -> Iterator[tuple[str, str]]:
    """Yield the fields that differ, with the text of the new value."""
    for column in columns_of(type(before)):
        if (value := getattr(after, column.name)) != getattr(before, column.name):
            yield column.name, show_value(value)


def _changes_of_units(before: Catalogue, after: Catalogue) -> Iterator[tuple[str, str, str]]:
    """Yield (unit, field, new text) of every change of a unit."""
    for unit, record in before.tables[UNITS].items():
        yield from ((unit, field, text) for field, text in _changes(record, after.tables[UNITS][unit]))


def _changes_of_numbers(before: Catalogue, after: Catalogue) -> Iterator[tuple[str, str, str]]:
    """Yield (section, key, new text) of every change of a number, and of what is left open."""
    yield from (("numbers", name, text) for name, text in _changes(before.constants, after.constants))
    yield from (("options", name, text) for name, text in _changes(before.rules, after.rules))


def _is_drawn(source: Source) -> bool:
    """Return whether the units are a table in the file, with `|` between its cells."""
    units = source.data[UNITS]
    return isinstance(units, str) and "\n" in units and "|" in units.strip().partition("\n")[0]


def _field_of(header: str) -> str:
    """Return the field that a header stands for, such as `cost_points` for `Cost`."""
    return SPELLINGS.get(slug(header), slug(header))


def _key_of(units: Mapping[str, Mapping[str, object]], unit: str, field: str) -> tuple[str, str]:
    """Return the section of a unit, and the key of a field in it as the file spells it."""
    return f"{UNITS}.{unit}", next((key for key in units[unit] if _field_of(key) == field), field)


def _change_key(lines: list[str], source: Source, section: str, key: str, new: str) -> None:
    """Change `key = value` in the line of a section, or `value = ...` where the key is a section of its own."""
    place, word = f"{section}.{key}", key
    if section == "options" and isinstance(source.section(section)[key], Mapping):
        place, word = f"{place}.value", "value"
    row, text = source.row(place) or 1, new if _NUMBER.fullmatch(new) else json.dumps(new, ensure_ascii=False)
    pattern = rf"""((?<!\w)["']?{re.escape(word)}["']?\s*=\s*){_VALUE}"""
    lines[row - 1] = re.sub(pattern, lambda match: match[1] + text, lines[row - 1], count=1)


def _change_cell(lines: list[str], file: GameFile, unit: str, field: str, new: str) -> None:
    """Change a cell of a table that is drawn, and keep its width where it can be."""
    (header_row, _), *body = file.units.table.rows
    row = body[file.units.ids.index(unit)][0]
    headers = [_field_of(cell) for cell in lines[header_row - 1].split("|")]
    cells = lines[row - 1].split("|")
    if field in headers and headers.index(field) < len(cells):
        at = headers.index(field)
        cells[at] = _in_place(cells[at], new)
        lines[row - 1] = "|".join(cells)


def _in_place(cell: str, new: str) -> str:
    """Return a cell with a new value, which keeps a mark such as the + of `4+` and stands where the old one stood.

    >>> _in_place("   95 ", "105"), _in_place(" 4+   ", "3"), _in_place(" 8 ", "10")
    ('  105 ', ' 3+   ', ' 10 ')
    """
    old = cell.strip()
    text = _NUMBER.sub(new, old, count=1) if _NUMBER.match(old) and _NUMBER.fullmatch(new) else new
    before, after = cell[: len(cell) - len(cell.lstrip())], cell[len(cell.rstrip()) :]
    if len(before) > 1:
        return f" {text.rjust(len(before) - 1 + len(old))}{after}"
    return f"{before}{text.ljust(len(old) + max(len(after) - 1, 0))}{after[-1:]}"


def _drawn(catalogue: Catalogue) -> str:
    """Return the units as a text of several lines in TOML: a table with its columns one below the other."""
    units = catalogue.tables[UNITS]
    columns = columns_of(next(table.record for table in catalogue.spec.tables if table.name == UNITS))
    rows = [[column.name for column in columns]]
    rows += [[show_value(getattr(unit, column.name)) for column in columns] for unit in units.values()]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    texts = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "'''\n{}\n'''".format("\n".join(texts))

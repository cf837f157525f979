"""A catalogue back into files, all of them or none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from balance.base.files import write_set
from balance.catalogue.loading import Catalogue
from balance.catalogue.tables.cells import guard, show_value
from balance.catalogue.tables.schema import Record, columns_of
from balance.catalogue.tables.sources import Source


def table_csv(record: type[Record], entries: Iterable[Record]) -> str:
    r"""Return entries as comma-separated text with one header line; texts like formulas are guarded.

    >>> class Gun(Record):
    ...     id: str
    ...     damage: int
    >>> table_csv(Gun, [Gun(id="laser", damage=3)])
    'id,damage\nlaser,3\n'
    """
    columns = columns_of(record)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.header for column in columns)
    writer.writerows([guard(show_value(getattr(entry, column.name))) for column in columns] for entry in entries)
    return text.getvalue()


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return show_value(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml_value(item) for item in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _toml_reading(text: str) -> str:
    return text if text in {"true", "false"} else _toml_value(text)


def _constants_toml(record: Record, prefix: str) -> list[str]:
    """Return the lines of a record as a TOML table, followed by those of its nested records."""
    lines = []
    columns = columns_of(type(record))
    if columns:
        lines.append(f"[{prefix}]")
    for column in columns:
        note = "  # " + " ".join(filter(None, [column.description, f"Unit: {column.unit}." if column.unit else ""]))
        if (value := getattr(record, column.name)) is not None:
            lines.append(f"{column.name} = {_toml_value(value)}{note.rstrip(' #')}")
    if columns:
        lines.append("")
    for name in type(record).model_fields:
        inner = getattr(record, name)
        if isinstance(inner, Record):
            lines += _constants_toml(inner, f"{prefix}.{name}")
    return lines


def rules_toml(catalogue: Catalogue) -> str:
    """Return the text of a catalogue's rules file in TOML."""
    lines = [
        f"# The rules of {catalogue.game}: the reading in force of each open question, and the numbers they state.",
        "# Change a `value` to one of its `allowed` readings; the first of them is the default.",
        "",
        f"rules_version = {_toml_value(catalogue.rules_version)}",
        "",
    ]
    for switch in catalogue.rule_options.values():
        lines += [
            f"[switches.{switch.name}]",
            f"value = {_toml_value(getattr(catalogue.rules, switch.name))}",
            f"allowed = [{', '.join(_toml_reading(reading) for reading in switch.allowed)}]",
            f"ambiguity = {_toml_value(switch.ambiguity)}",
            f"level = {_toml_value(switch.level)}",
            f"meaning = {_toml_value(switch.meaning)}",
            f"[switches.{switch.name}.readings]",
            *(f"{_toml_value(reading)} = {_toml_value(sentence)}" for reading, sentence in switch.readings),
            "",
        ]
    return "\n".join([*lines, *_constants_toml(catalogue.constants, "constants")]).rstrip("\n") + "\n"


def folder_files(catalogue: Catalogue) -> dict[str, str]:
    """Return file name -> text of a catalogue's folder."""
    spec = catalogue.spec
    files = {table.file: table_csv(table.record, catalogue.tables[table.name].values()) for table in spec.tables}
    files[spec.rules_file] = rules_toml(catalogue)
    files[spec.sources_file] = table_csv(Source, catalogue.sources)
    return files


def write_folder(catalogue: Catalogue, folder: Path | str) -> tuple[Path, ...]:
    """Write a catalogue's files into a folder, made if need be; return their paths, and leave other files alone.

    `OutputError` if any of them cannot be written; then none is.
    """
    files = folder_files(catalogue)
    return write_set(Path(folder), ((name, text.encode()) for name, text in files.items()))

"""A catalogue back into files, all of them or none.

Files are written to a hidden folder beside the target first and then moved into place; if a move fails, the moves made
before are undone.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from balance.catalogue.cells import show_value
from balance.catalogue.loading import Catalogue
from balance.catalogue.schema import Record, columns_of
from balance.catalogue.sources import Source
from balance.errors import Fault, OutputError

__all__ = ["folder_files", "rules_toml", "table_csv", "write_folder"]


def table_csv(record: type[Record], entries: Iterable[Record]) -> str:
    r"""Return entries as comma-separated text with one header line.

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
    writer.writerows([show_value(getattr(entry, column.name)) for column in columns] for entry in entries)
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
    """Return a record as a TOML table, followed by its nested records."""
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
    """Return the rules file of a catalogue."""
    lines = [
        f"# The rules of {catalogue.game}: the reading in force of each open question, and the numbers they state.",
        "# Change a `value` to one of its `allowed` readings; the first of them is the default.",
        "",
        f"rules_version = {_toml_value(catalogue.rules_version)}",
        "",
    ]
    for switch in catalogue.switches.values():
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


def _move_all(names: Iterable[str], stage: Path, folder: Path) -> None:
    """Move staged files into `folder`; on a failure put everything back and raise the OSError."""
    moved: list[str] = []
    try:
        for name in names:
            if (folder / name).exists():
                shutil.copy2(folder / name, stage / f"{name}.before")
        for name in names:
            (stage / name).replace(folder / name)
            moved.append(name)
    except OSError:
        for name in moved:
            if (stage / f"{name}.before").exists():
                (stage / f"{name}.before").replace(folder / name)
            else:
                (folder / name).unlink()
        raise


def _unwritable(path: Path, error: OSError) -> OutputError:
    reason = error.strerror or str(error)
    tip = "choose another place, or close the program that holds it open"
    return OutputError(Fault(f"cannot be written ({reason}); nothing was changed", str(path), tip=tip))


def _write_files(files: Mapping[str, str], folder: Path) -> None:
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=".balance-", dir=folder))
    try:
        for name, text in files.items():
            (stage / name).write_text(text, encoding="utf-8", newline="\n")
        _move_all(list(files), stage, folder)
    except OSError:
        shutil.rmtree(stage, ignore_errors=True)
        if new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(stage, ignore_errors=True)


def write_folder(catalogue: Catalogue, folder: Path | str) -> tuple[Path, ...]:
    """Write a catalogue's files into a folder, which is made if need be; other files there are left alone.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    OutputError
        If any of them cannot be written; then none is.
    """
    folder = Path(folder)
    files = folder_files(catalogue)
    try:
        _write_files(files, folder)
    except OSError as error:
        raise _unwritable(folder, error) from None
    return tuple(folder / name for name in files)

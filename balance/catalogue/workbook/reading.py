"""A workbook edited by a designer, back into a catalogue, held to the checks of the folder."""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault, nearest, unknown
from balance.base.text import slug
from balance.catalogue.loading import Catalogue, assemble
from balance.catalogue.tables.cells import BadCell, parse_cell
from balance.catalogue.tables.columns import Locate, RawTable
from balance.catalogue.tables.reading import parse_records
from balance.catalogue.tables.schema import CatalogueSpec, Inputs, Name, Record, Tables, leaf_columns
from balance.catalogue.workbook.writer import EXPORTED_FROM

_N_PROPERTY_BYTES = 1 << 20


class _RuleOptionRow(Record):
    switch: Name
    value: Name
    allowed: tuple[str, ...]
    ambiguity: str
    level: Name
    meaning: str


class _ReadingRow(Record):
    switch: Name
    reading: Name
    sentence: str


class _ConstantRow(Record):
    name: Name
    value: str = ""
    unit: str = ""
    meaning: str = ""


def _find_sheets(
    spec: CatalogueSpec, values: Any, formulas: Any, path: Path, faults: list[Fault]
) -> dict[str, RawTable]:
    from balance.catalogue.workbook.cells import sheet_rows

    sheets_by_slug = {slug(name): name for name in values.sheetnames}
    sheets: dict[str, RawTable] = {}
    sheet_names = (*(table.name for table in spec.tables), "rules", "readings", "constants", "SOURCES")
    spare = [title for title in values.sheetnames if slug(title) not in {*map(slug, sheet_names)}]
    for name in sheet_names:
        if slug(name) in sheets_by_slug:
            title = sheets_by_slug[slug(name)]
            if not hasattr(values[title], "iter_rows"):
                faults.append(Fault("is a chart, not a table", str(path), field="sheet", found=title))
            elif raw := sheet_rows(values[title], formulas[title], f"{path}, sheet {title}", faults):
                sheets[name] = raw
        elif name != "SOURCES":
            close = nearest(name, spare)
            tip = f"is the sheet {close} meant?" if close else ""
            faults.append(Fault("the sheet is missing", str(path), field=name, tip=tip))
    return sheets


def _rules_data(
    spec: CatalogueSpec, sheets: Mapping[str, RawTable], path: Path, faults: list[Fault]
) -> tuple[dict[str, Any], Locate]:
    """Return the sheets `rules`, `readings` and `constants` in the shape of a rules file, with the places of keys."""
    places: dict[str, Fault] = {}
    data: dict[str, Any] = {"switches": {}, "constants": {}}
    for row, switch in parse_records(_RuleOptionRow, sheets["rules"], faults):
        name, place = switch.switch, Fault("", sheets["rules"].path, row, switch.switch)
        if name in data["switches"]:
            faults.append(Fault("is a second row of this switch", place.path, row, "switch", name))
        data["switches"][name] = switch.model_dump(exclude={"switch"}) | {"readings": {}}
        places[f"switches.{name}"] = place
    for row, reading in parse_records(_ReadingRow, sheets["readings"], faults):
        if reading.switch not in data["switches"]:
            faults.append(
                unknown(reading.switch, data["switches"], path=sheets["readings"].path, row=row, field="switch")
            )
            continue
        data["switches"][reading.switch]["readings"][reading.reading] = reading.sentence
    _read_constants(spec, sheets["constants"], data, places, faults)

    def locate(key: str) -> Fault:
        known_path = key
        while known_path and known_path not in places:
            known_path = known_path.rpartition(".")[0]
        place = places.get(known_path, Fault("", str(path)))
        return Fault("", place.path, place.row, key)

    return data, locate


def _read_constants(
    spec: CatalogueSpec, table: RawTable, data: dict[str, Any], places: dict[str, Fault], faults: list[Fault]
) -> None:
    leaves = leaf_columns(spec.constants)
    for row, constant in parse_records(_ConstantRow, table, faults):
        place = Fault("", table.path, row, constant.name)
        if constant.name == "rules_version":
            data["rules_version"], places["rules_version"] = constant.value, place
            continue
        if constant.name not in leaves:
            faults.append(unknown(constant.name, leaves, path=table.path, row=row, field="name"))
            continue
        column = leaves[constant.name]
        try:
            value = parse_cell(column, constant.value, comma=True)
        except BadCell as bad:
            text = bad.word or constant.value or None
            faults.append(Fault(bad.message, table.path, row, constant.name, text, column.allowed, bad.tip))
            continue
        holder = data["constants"]
        *parents, last = constant.name.split(".")
        for parent in parents:
            holder = holder.setdefault(parent, {})
        holder[last] = list(value) if isinstance(value, tuple) else value
        places[f"constants.{constant.name}"] = place


def workbook_inputs(spec: CatalogueSpec, path: Path) -> Inputs:
    """Return the raw parts of a catalogue in an .xlsx file; `CatalogueError` if it cannot be opened as a workbook."""
    from balance.catalogue.workbook.cells import open_workbook, read_bytes  # which no folder of texts needs

    inputs = Inputs()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sheets = _find_sheets(spec, *open_workbook(read_bytes(path), path), path, inputs.faults)
    inputs.tables = {table.name: sheets[table.name] for table in spec.tables if table.name in sheets}
    inputs.sources = sheets.get("SOURCES")
    if {"rules", "readings", "constants"} <= sheets.keys():
        inputs.rules = _rules_data(spec, sheets, path, inputs.faults)
    return inputs


def import_workbook(
    spec: CatalogueSpec, path: Path | str, before: Tables | None = None, notes: list[str] | None = None
) -> Catalogue:
    """Read a workbook that `export_workbook` wrote and a designer may have changed.

    Unchanged, it gives a catalogue equal to the one exported, hash included. With the tables `before`, sources follow
    entries that were deleted or renamed, and `notes` grows by a sentence for each. `CatalogueError` with every fault:
    file and sheet, row, column, what was found and what is allowed.
    """
    path = Path(path)
    inputs = workbook_inputs(spec, path)
    inputs.before, inputs.notes = before or {}, [] if notes is None else notes
    catalogue, faults = assemble(spec, path, inputs)
    if catalogue is None:
        raise CatalogueError(faults)
    inputs.notes += map(str, catalogue.dangling_sources)
    return catalogue


def exported_from(path: Path | str) -> str:
    """Return the sha256 of the catalogue that a workbook was exported from; empty if it does not say."""
    try:
        with zipfile.ZipFile(path) as book, book.open("docProps/custom.xml") as properties:
            text = properties.read(_N_PROPERTY_BYTES).decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error):
        return ""
    match = re.search(rf'name="{EXPORTED_FROM}"[^>]*>\s*<[^>]+>([0-9a-f]{{64}})<', text)
    return match[1] if match else ""

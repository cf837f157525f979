"""How a catalogue was read: its tables and columns, the values of its rules file, and where values come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.numbers import show_many
from balance.base.readings import FileReading, Reading
from balance.catalogue.loading import assemble, read_inputs
from balance.catalogue.tables.cells import show_value
from balance.catalogue.tables.columns import Column, RawTable
from balance.catalogue.tables.reading import parse_table
from balance.catalogue.tables.readings import column_readings, type_text
from balance.catalogue.tables.rules import RuleSet, parse_rules
from balance.catalogue.tables.schema import CatalogueSpec, Inputs, TableSpec, columns_of, leaf_columns
from balance.catalogue.tables.sources import Source, parse_sources
from balance.catalogue.workbook.reading import workbook_inputs

WORKBOOKS = (".xlsx", ".xlsm")
ORIGINS = {
    "stated": "stated by the rulebook",
    "public": "from a public source",
    "inferred": "inferred",
    "assumed": "assumed",
}
"""Origin of a value -> how it is counted."""


def catalogue_reading(spec: CatalogueSpec, path: Path) -> FileReading | None:
    """Return how a folder, one table or rules file in it, or a workbook was read; None if it is no catalogue."""
    is_workbook = path.suffix.lower() in WORKBOOKS and path.is_file()
    parts = {*(table.file for table in spec.tables), spec.rules_file, spec.sources_file}
    if not (path.is_dir() or is_workbook or (path.is_file() and path.name in parts)):
        return None
    root, only = (path, "") if path.is_dir() or is_workbook else (path.parent, path.name)
    names = {
        "": "workbook" if is_workbook else "catalogue",
        spec.rules_file: "rules file",
        spec.sources_file: "list of sources",
    }
    kind = f"{names.get(only, 'table')} of {spec.game}"
    try:
        inputs = workbook_inputs(spec, path) if is_workbook else read_inputs(spec, root)
    except CatalogueError as error:
        return FileReading(kind, "not readable", faults=tuple(error.faults))
    if not (inputs.tables or inputs.rules or inputs.sources):
        return None
    pieces = _Pieces(spec, root, inputs)
    faults = [fault for fault in assemble(spec, root, inputs)[1] if not only or Path(fault.path).name == only]
    return FileReading(kind, pieces.summary(only), tuple(pieces.all(only)), faults=tuple(faults))


class _Pieces:
    """The pieces of a catalogue in the folder or workbook `root`."""

    def __init__(self, spec: CatalogueSpec, root: Path, inputs: Inputs) -> None:
        self.spec, self.root, self.inputs = spec, root, inputs
        self.reading_faults = tuple(inputs.faults)
        self.rule_faults: Mapping[str, str] = {}
        self.row_noun = "line" if root.is_dir() else "row"

    def all(self, only: str) -> Iterator[Reading]:
        """Yield the pieces of the file `only`, or all of them if it is empty."""
        for table in self.spec.tables:
            if only in ("", table.file):
                yield from self._table(table)
        if only in ("", self.spec.rules_file):
            yield from self._rules()
        if only in ("", self.spec.sources_file):
            yield from self._sources()

    def summary(self, only: str) -> str:
        """Return how many tables, rows, rule options and constants there are."""
        tables = {table.file: self.inputs.tables.get(table.name) for table in self.spec.tables}
        tables[self.spec.sources_file] = self.inputs.sources
        if only in tables:
            return show_many(_n_rows(tables[only]), "row")
        options = show_many(len(columns_of(self.spec.rules)), "rule option")
        rules = f"{options} and {show_many(len(leaf_columns(self.spec.constants)), 'constant')}"
        if only:
            return rules
        n_rows = sum(map(_n_rows, self.inputs.tables.values()))
        return f"{show_many(len(self.inputs.tables), 'table')} with {show_many(n_rows, 'row')}, {rules}"

    def _place(self, path: str) -> str:
        """Return the name of a file in the folder, or of a sheet in the workbook."""
        return path.removeprefix(str(self.root)).lstrip("/\\, ") or Path(path).name

    def _absent(self, file: str, name: str, meaning: str) -> Reading:
        """Return the piece of a part that is missing or could not be read, with the reason."""
        faults = (fault for fault in self.reading_faults if Path(fault.path).name == file or fault.field == name)
        reason = next((fault.message for fault in faults), "it is not there")
        return Reading(file if self.root.is_dir() else f"sheet {name}", "", f"{meaning}: not read ({reason})")

    def _table(self, table: TableSpec) -> Iterator[Reading]:
        raw = self.inputs.tables.get(table.name)
        meaning = f"the table {table.name}, a record {table.record.__name__} in each row"
        if raw is None:
            yield self._absent(table.file, table.name, meaning)
            return
        place = self._place(raw.path)
        yield Reading(place, show_many(_n_rows(raw), "row"), f"{meaning}; {_decimals(raw)}")
        yield from column_readings(table.record, raw, place)

    def _rules(self) -> Iterator[Reading]:
        if self.inputs.rules is None:
            yield self._absent(self.spec.rules_file, "rules", "the rule options and constants")
            return
        data, _ = self.inputs.rules
        faults: list[Fault] = []
        rule_set = parse_rules(self.spec, *self.inputs.rules, faults)
        self.rule_faults = {fault.field: fault.message for fault in faults}
        version = data.get("rules_version")
        absence = "" if version else ": no value, which is a fault"
        yield self._key("rules_version", version, f"the version of the rules{absence}")
        options, columns = _mapping(data.get("switches")), columns_of(self.spec.rules)
        for column in columns:
            yield self._option(column, _mapping(options.get(column.name)))
        constants, leaves = dict(_leaves(_mapping(data.get("constants")))), leaf_columns(self.spec.constants)
        for name, column in leaves.items():
            yield self._constant(name, column, constants.get(name), rule_set)
        unknown = [f"switches.{name}" for name in options if name not in {column.name for column in columns}]
        unknown += [f"constants.{name}" for name in constants if name not in leaves]
        yield from (self._key(name, None, "not read: no rule has this name") for name in unknown)

    def _key(self, key: str, value: object, meaning: str) -> Reading:
        """Return the piece of a key of the rules file, with the line that it stands on."""
        place = self.inputs.rules[1](key) if self.inputs.rules else Fault("")
        name = self._place(place.path) if place.path else self.spec.rules_file
        where = f"{name}, {self.row_noun} {place.row}" if place.row else name
        sheet_faults = {fault.field: fault.message for fault in self.reading_faults}
        short = key.removeprefix("constants.").removeprefix("switches.").removesuffix(".value")
        message = sheet_faults.get(short) or (None if value is None else self.rule_faults.get(key))
        text = short if value is None else f"{short} = {show_value(value)}"
        return Reading(where, text, f"{meaning}; not read ({message})" if message else meaning)

    def _option(self, column: Column, entry: Mapping[str, Any]) -> Reading:
        """Return the reading in force of a rule option, and whether it is the default."""
        if (value := entry.get("value")) is None:
            return self._key(f"switches.{column.name}", None, "a rule option: missing, which is a fault")
        text = show_value(value)
        meaning = str(_mapping(entry.get("readings")).get(text) or entry.get("meaning", "")).rstrip(".")
        allowed = entry.get("allowed")
        default = show_value(allowed[0]) if isinstance(allowed, list | tuple) and allowed else text
        origin = "the default" if text == default else f"set in the file (default: {default})"
        meanings = filter(None, (str(entry.get("ambiguity", "")), meaning))
        return self._key(
            f"switches.{column.name}.value", value, "; ".join([": ".join(meanings) or "a rule option", origin])
        )

    def _constant(self, name: str, column: Column, value: object, rule_set: RuleSet | None) -> Reading:
        """Return the value of a constant, and whether it comes from the file."""
        key = f"constants.{name}"
        description = f"{column.description.rstrip('.')}; " if column.description else ""
        if value is not None:
            return self._key(key, value, f"{description}{type_text(column)}; from the file")
        if column.is_required:
            return self._key(key, None, f"{description}{type_text(column)}; no value, which is a fault")
        default: Any = rule_set.constants if rule_set else None
        for part in name.split("."):
            default = getattr(default, part, None)
        text = f" {show_value(default)}" if default is not None else ""
        return self._key(key, None, f"{description}{type_text(column)}; not in the file, so the default{text}")

    def _sources(self) -> Iterator[Reading]:
        raw = self.inputs.sources
        meaning = "where values come from"
        if raw is None:
            yield self._absent(self.spec.sources_file, "SOURCES", meaning)
            return
        tables = {
            table.name: parse_table(table, self.inputs.tables[table.name]).records
            for table in self.spec.tables
            if table.name in self.inputs.tables
        }
        sources, dangling = parse_sources(self.spec, tables, raw, [])
        place = self._place(raw.path)
        left_out = (
            f"; {show_many(len(dangling), 'entry', 'entries')} named that this catalogue lacks" if dangling else ""
        )
        counts = _origin_counts(sources)
        yield Reading(place, show_many(_n_rows(raw), "row"), f"{meaning}: {counts}{left_out}")
        yield from column_readings(Source, raw, place)
        for name in dict.fromkeys(source.table for source in sources):
            own = [source for source in sources if source.table == name]
            yield Reading(f"{place}, {name}", show_many(len(own), "row"), _origin_counts(own))


def _n_rows(table: RawTable | None) -> int:
    return len(table.rows) - 1 if table is not None else 0


def _decimals(table: RawTable) -> str:
    return "decimals with a comma or a point" if table.comma else "decimals with a point"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _leaves(values: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, object]]:
    """Yield (dotted name, value) of each value in nested tables."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{start}{name}.")
        else:
            yield f"{start}{name}", value


def _origin_counts(sources: Iterable[Source]) -> str:
    counts = Counter[str](source.origin for source in sources)
    return ", ".join(f"{counts[origin]:,} {text}" for origin, text in ORIGINS.items() if counts[origin]) or "no value"

"""A game's catalogue in memory, and how a folder becomes one.

The pieces are read one by one and every fault is kept, so that a designer sees all of them at once. `assemble` is
shared by the folder and the workbook, so both are held to the same checks.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from balance.base.errors import BalanceError, CatalogueError, Fault, gathering, nearest, unknown
from balance.base.files import place_of, settle, stamp_of
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue.tables.cross_checks import cross_faults
from balance.catalogue.tables.files import read_rows
from balance.catalogue.tables.reading import known_headers, parse_table
from balance.catalogue.tables.rules import RuleOption, RuleSet, parse_rules
from balance.catalogue.tables.schema import CatalogueSpec, Inputs, Record, Tables, TableSpec, columns_of
from balance.catalogue.tables.sources import Source, known_values, parse_sources
from balance.catalogue.tables.toml_file import read_rules_file

R = TypeVar("R", bound=Record)

MOST_READS = 5
"""Times that a folder is read anew because it was written to while it was read."""
MOST_KEPT = 16
"""Catalogues that are kept after they were read."""
SECONDS_TO_SETTLE = 2
"""Age from which the time and size of a file say whether it was written anew."""


@dataclass(frozen=True)
class Catalogue:
    """One game's data, sound and immutable.

    * `path`: the folder or workbook it came from; not part of its identity.
    * `tables`: table name -> id -> record, in the order of the files.
    * `rules` and `rule_options`: the reading in force of every rule option, and what the rules file says about each.
    * `constants`: the numbers the rules state.
    * `rules_version`: the rules file's own version.
    * `dangling_sources`: rows about sources of values that do not exist; no part of its identity.
    """

    game: str
    path: Path = field(compare=False)
    spec: CatalogueSpec = field(compare=False, repr=False)
    tables: Tables
    rules: Record
    rule_options: Mapping[str, RuleOption]
    constants: Record
    rules_version: str
    sources: tuple[Source, ...] = ()
    dangling_sources: tuple[Fault, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        frozen = {name: MappingProxyType(dict(entries)) for name, entries in self.tables.items()}
        object.__setattr__(self, "tables", MappingProxyType(frozen))
        object.__setattr__(self, "rule_options", MappingProxyType(dict(self.rule_options)))

    def __repr__(self) -> str:
        """Return game, path and size on one line, as tables are long."""
        n_entries = sum(map(len, self.tables.values()))
        return f"<catalogue of {self.game}: {n_entries:,} entries in {len(self.tables)} tables, {self.sha256[:12]}>"

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as plain dicts; worker processes receive catalogues."""
        tables = {name: dict(entries) for name, entries in self.tables.items()}
        parts = (self.game, self.path, self.spec, tables, self.rules, dict(self.rule_options), self.constants)
        return type(self), (*parts, self.rules_version, self.sources)

    @cached_property
    def content(self) -> dict[str, Any]:
        """The whole content as plain JSON values, independent of file formats."""
        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "tables": {
                name: [_plain(table.record, entry) for entry in self.tables[name].values()]
                for name, table in ((table.name, table) for table in self.spec.tables)
            },
            "rules": self.rules.model_dump(mode="json"),
            "switches": [asdict(switch) for switch in self.rule_options.values()],
            "constants": self.constants.model_dump(mode="json"),
            "sources": [source.model_dump(mode="json") for source in self.sources],
        }

    @cached_property
    def sha256(self) -> str:
        """The sha256 of the content as canonical JSON: 64 hexadecimal digits."""
        text = json.dumps(self.content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def _sources_by_key(self) -> Mapping[tuple[str, str, str], Source]:
        return {(source.table, source.id, source.field): source for source in self.sources}

    def source_of(self, table: str, entry_id: str, field: str) -> Source | None:
        """Return the provenance of one value, or None if nobody stated it; `field` is the column's header."""
        return self._sources_by_key.get((table, entry_id, field))

    def entries(self, record: type[R]) -> Mapping[str, R]:
        """Return the entries of one kind by id; a kind the game has no table of is a bug and raises StopIteration."""
        name = next(table.name for table in self.spec.tables if table.record is record)
        return cast("Mapping[str, R]", self.tables[name])

    def find(self, table: str, entry_id: str, place: str = "", among: Iterable[str] | None = None) -> Record:
        """Return the entry with an id or a name as people write it; KeyError, a bug, if the game lacks the table.

        `CatalogueError` if there is none: it names `place`, such as the option with the id, and the nearest of `among`,
        the ids that fit there, or of the whole table.
        """
        entries = self.tables[table]
        if (name := slug(entry_id)) in entries:
            return entries[name]
        raise CatalogueError(unknown(entry_id, entries if among is None else among, f"is not in {table}", place))


def _plain(record: type[Record], entry: Record) -> dict[str, Any]:
    values = entry.model_dump(mode="json")
    return {column.header: values[column.name] for column in columns_of(record)}


def assemble(spec: CatalogueSpec, path: Path, inputs: Inputs) -> tuple[Catalogue | None, list[Fault]]:
    """Validate the raw parts of a catalogue; return it, or None, and all faults."""
    faults = inputs.faults
    parsed_tables = {
        table.name: parse_table(table, inputs.tables[table.name])
        for table in spec.tables
        if table.name in inputs.tables
    }
    faults += [fault for table in parsed_tables.values() for fault in table.faults]
    rule_set: RuleSet | None = parse_rules(spec, *inputs.rules, faults) if inputs.rules else None
    tables = {name: table.records for name, table in parsed_tables.items()}
    faults += cross_faults(spec, parsed_tables)
    sources: tuple[Source, ...] = ()
    dangling_faults: tuple[Fault, ...] = ()
    if inputs.sources:
        sources, dangling_faults = parse_sources(spec, tables, inputs.sources, faults, inputs.before, inputs.notes)
    if faults or rule_set is None:
        return None, faults
    parts = (tables, rule_set.rules, rule_set.rule_options, rule_set.constants, rule_set.version, sources)
    return Catalogue(spec.game, path, spec, *parts, dangling_faults), faults


def _is_meant(spec: CatalogueSpec, folder: Path) -> str:
    """Return a tip that names the likely folder: below this one, beside it, or under a similar parent; else empty."""
    close = nearest(folder.parent.name, [place.name for place in folder.parent.parent.glob("*") if place.is_dir()])
    likely = [folder / spec.game, folder.parent / spec.game]
    likely += [folder.parent.parent / close / folder.name] if close else []
    folder_meant = next((place for place in likely if (place / spec.rules_file).is_file()), None)
    return f"is {folder_meant} meant?" if folder_meant is not None and folder_meant != folder else ""


def _read_folder(spec: CatalogueSpec, folder: Path) -> tuple[Catalogue | None, list[Fault]]:
    """Read a folder as it is at one moment: again, if it was written to meanwhile, or from memory if unchanged."""
    if spec.read is not None:
        return assemble(spec, folder, read_inputs(spec, folder))
    if not folder.is_dir():
        return None, [Fault("there is no such folder", str(folder), tip=_is_meant(spec, folder))]
    if not (folder / spec.rules_file).exists() and (tip := _is_meant(spec, folder)):
        return None, [Fault("holds no catalogue", str(folder), tip=tip)]
    settle(folder)
    names = [*(table.file for table in spec.tables), spec.rules_file, spec.sources_file]
    place = folder.absolute(), folder
    kept = _KEPT.get(place)
    for _ in range(MOST_READS):
        before = _stamps(folder, names)
        if kept is not None and kept[:2] == (spec, before):
            return kept[2], []
        inputs = read_inputs(spec, folder)
        if _stamps(folder, names) == before:
            break
    catalogue, faults = assemble(spec, folder, inputs)
    if catalogue is not None and _are_settled(before):
        _keep(place, (spec, before, catalogue))
    return catalogue, faults


Stamps = list[tuple[int, int, int] | None]
_KEPT: dict[tuple[Path, Path], tuple[CatalogueSpec, Stamps, Catalogue]] = {}
"""Folder, absolute and as it was named -> the catalogue read there, with its spec and what its files were then."""


def _keep(place: tuple[Path, Path], catalogue: tuple[CatalogueSpec, Stamps, Catalogue]) -> None:
    """Keep a catalogue in memory; beyond `MOST_KEPT` the oldest goes."""
    _KEPT.pop(place, None)
    while len(_KEPT) >= MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    _KEPT[place] = catalogue


def forget_catalogues() -> None:
    """Drop the catalogues in memory, for a process that has lost the right to read their folders."""
    _KEPT.clear()


def _are_settled(stamps: Stamps) -> bool:
    """Return whether all files are older than `SECONDS_TO_SETTLE`, so that a new write must change their times."""
    return max(stamp[1] for stamp in stamps if stamp) < time.time_ns() - SECONDS_TO_SETTLE * 10**9


def _stamps(folder: Path, names: Sequence[str]) -> Stamps:
    return [stamp_of(folder, name) for name in names]


def read_inputs(spec: CatalogueSpec, folder: Path) -> Inputs:
    """Return the raw parts of a catalogue in a folder; errors become faults in it."""
    if spec.read is not None:
        try:
            return spec.read(folder)
        except BalanceError as error:
            return Inputs(faults=[*error.faults])
    inputs, files = Inputs(), [*(table.file for table in spec.tables), spec.rules_file, spec.sources_file]
    for table in spec.tables:
        with gathering(inputs.faults):
            inputs.tables[table.name] = read_rows(folder / table.file, known_headers(table.record), files)
    with gathering(inputs.faults):
        inputs.rules = read_rules_file(folder / spec.rules_file)
    if place_of(folder, spec.sources_file).exists():
        with gathering(inputs.faults):
            inputs.sources = read_rows(folder / spec.sources_file, known_headers(Source))
    return inputs


def load_catalogue(spec: CatalogueSpec, folder: Path | str) -> Catalogue:
    """Load a game's catalogue from its folder, or from memory if its files are unchanged.

    `CatalogueError` has every fault of every file: file, row, field, what was found, what is allowed and the nearest
    valid name.
    """
    catalogue, faults = _read_folder(spec, Path(folder))
    if catalogue is None:
        raise CatalogueError(faults)
    return catalogue


def check_folder(spec: CatalogueSpec, folder: Path | str) -> list[Fault]:
    """Return all faults of a folder; none means that it loads. `unsourced_values` adds notes that are no faults."""
    return _read_folder(spec, Path(folder))[1]


def load_table(spec: TableSpec, folder: Path | str) -> Mapping[str, Record]:
    """Load one table beside a catalogue, such as a list of rule ids; `CatalogueError` with every fault of the file."""
    table = parse_table(spec, read_rows(Path(folder) / spec.file, known_headers(spec.record)))
    if table.faults:
        raise CatalogueError(table.faults)
    return table.records


def faults_of_entries(catalogue: Catalogue, entry_faults: Iterable[tuple[str, str, Fault]]) -> list[Fault]:
    """Return faults, each given with its table and entry id, with their file and row added."""
    return [_with_place(catalogue, *entry_fault) for entry_fault in islice(entry_faults, MOST_FAULTS)]


def _with_place(catalogue: Catalogue, table: str, entry_id: str, fault: Fault) -> Fault:
    spec = next(table_spec for table_spec in catalogue.spec.tables if table_spec.name == table)
    if not (catalogue.path / spec.file).is_file():  # a workbook, or a catalogue that no file holds
        return replace(fault, path=f"{catalogue.path}, {table}")
    parsed_table = parse_table(spec, read_rows(catalogue.path / spec.file, known_headers(spec.record)))
    return replace(fault, path=parsed_table.path, row=parsed_table.rows.get(entry_id))


def unsourced_values(catalogue: Catalogue) -> list[Fault]:
    """Return one note per value without a source row; its status is *unknown*."""
    values = known_values(catalogue.spec, catalogue.tables)
    path = str(catalogue.path)
    return [
        Fault(f"{table} {entry_id}: where the value comes from is unknown", path, field=name)
        for table, entries in values.items()
        for entry_id, names in entries.items()
        for name in names
        if catalogue.source_of(table, entry_id, name) is None
    ]

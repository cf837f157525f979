"""Values changed in a catalogue, as if they stood in its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from balance.base.errors import Fault, UsageError, gathering, unknown
from balance.base.text import slug
from balance.catalogue.loading import Catalogue
from balance.catalogue.overrides import apply
from balance.catalogue.tables.schema import Record


def patch_catalogue(catalogue: Catalogue, values: Mapping[str, str]) -> Catalogue:
    """Return a catalogue with values changed: `table.entry.column`, `rules.OPTION` or `constants.PATH` -> text.

    `UsageError` with every fault: no such table, entry or field, a value out of range, or entries that no longer fit.
    """
    tables = {name: dict(entries) for name, entries in catalogue.tables.items()}
    rules, constants = catalogue.rules, catalogue.constants
    faults: list[Fault] = []
    for path, text in values.items():
        root, _, rest = path.partition(".")
        path_faults: list[Fault] = []
        with gathering(path_faults):
            if root == "rules":
                rules = apply(rules, {rest: text}, "rules")
            elif root == "constants":
                constants = apply(constants, {rest: text}, "constants")
            else:
                _change_entry(tables, root, rest, text)
        faults += [replace(fault, field=path) for fault in path_faults]
    if not faults:
        faults = [fault for check in catalogue.spec.cross_checks for _, _, fault in check(tables)]
    if faults:
        raise UsageError(faults)
    return replace(catalogue, tables=tables, rules=rules, constants=constants)


def _change_entry(tables: dict[str, dict[str, Record]], table: str, path: str, text: str) -> None:
    word, _, field = path.partition(".")
    entry = slug(word)
    if table not in tables:
        raise UsageError(unknown(table, [*tables, "constants"], "is not a table"))
    if entry not in tables[table]:
        raise UsageError(unknown(entry, tables[table], f"is not in {table}"))
    tables[table][entry] = apply(tables[table][entry], {field: text}, table)

"""The catalogue of a game file: its units, its numbers and what it leaves open, as any game has them.

The rules of a file are fixed when it is opened; these values are not. A question reads them from its catalogue, so that
they can be set, patched and compared: a unit from the table `units` (`UNITS`), an army from `armies` (`ARMIES`), a
number as `catalogue.constants.NAME`, and what is left open as `int(rules.NAME)`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.catalogue import CatalogueSpec, TableSpec
from balance.catalogue.tables.schema import Inputs, RawTable
from balance.game.kit import names_known
from balance.rulebook.text import Rulebook, read_game_file
from balance.rulebook.text.records import ArmyList, numbers_record, options_record

UNITS, ARMIES = "units", "armies"
VERSION_DIGITS = 12


def spec_of(rulebook: Rulebook) -> CatalogueSpec:
    """Return the catalogue spec of a game file: tables of units and armies, options as rules, numbers as constants."""
    tables = (
        TableSpec(UNITS, rulebook.path.name, rulebook.unit),
        TableSpec(ARMIES, rulebook.path.name, ArmyList, may_be_empty=True),
    )
    return CatalogueSpec(
        rulebook.name,
        tables,
        options_record({option.name: option.allowed for option in rulebook.options.values()}),
        numbers_record(tuple(rulebook.numbers)),
        (names_known(ARMIES, units=UNITS),),
        rules_file=rulebook.path.name,
        read=partial(read_parts, rulebook.digest),
    )


def read_parts(digest: str, path: Path) -> Inputs:
    """Return the raw parts of the catalogue in a game file; `digest` is that of the rules which the values are for.

    `CatalogueError` if the file cannot be read or holds other rules.
    """
    file = read_game_file(path)
    if file.rulebook.digest != digest:
        tip = "name this file as the game; of another game file only units, numbers and options can be taken"
        raise CatalogueError(Fault("has other rules than the game that was opened", str(path), tip=tip))
    return Inputs(tables={UNITS: file.units.table, ARMIES: _army_rows(file.rulebook)}, rules=_rules(file.rulebook))


def _army_rows(rulebook: Rulebook) -> RawTable:
    """Return the army lists as a table `id, name, units`, each row numbered by its line in the file."""
    armies = rulebook.armies
    rows = tuple(
        (armies.rows.get(army) or 1, (army, armies.names[army], ";".join(units)))
        for army, units in armies.lists.items()
    )
    return RawTable(str(rulebook.path), ((1, ("id", "name", "units")), *rows))


def _rules(rulebook: Rulebook) -> tuple[dict[str, Any], Any]:
    """Return numbers and options as a rules file would hold them, with the place of each key; all are sound by now."""
    switches = {
        option.name: {
            "value": str(option.value),
            "allowed": [str(value) for value in sorted(option.allowed, key=lambda value: value != option.value)],
            "ambiguity": option.meaning,
            "level": "A",
            "meaning": option.meaning,
            "readings": {str(value): text for value, text in option.readings.items()},
        }
        for option in rulebook.options.values()
    }
    version = rulebook.digest[:VERSION_DIGITS]
    data = {"rules_version": version, "switches": switches, "constants": dict(rulebook.numbers)}
    return data, lambda key: Fault("", str(rulebook.path), None, key)

"""A game file becomes a game: read once, and anew when it, or the spreadsheet of its units, has changed.

The rules of a file are fixed when it is opened; the values of its catalogue are not. A question reads them from there,
so that they can be set, patched and compared: a unit from the table `units` (`UNITS`), an army from `armies`
(`ARMIES`), a number as `catalogue.constants.NAME`, and what is left open as `int(rules.NAME)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

from balance.base.errors import CatalogueError, Fault
from balance.base.files import stamp_of
from balance.catalogue import CatalogueSpec, TableSpec
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.schema import Inputs
from balance.game.game import Game
from balance.game.kit import names_known
from balance.rulebook.kinds import kinds_of
from balance.rulebook.play.rules import faults_of_rules
from balance.rulebook.text import Rulebook, read_game_file
from balance.rulebook.text.book import all_lines
from balance.rulebook.text.reading import in_order, read_draft
from balance.rulebook.text.records import ArmyList, numbers_record, options_record, unit_record_of

Stamps = tuple[tuple[int, ...] | None, ...]
MOST_OPEN = 32
"""Game files that a process keeps."""
_GAMES: dict[Path, tuple[Stamps, tuple[Path, ...], Game]] = {}
UNITS, ARMIES = "units", "armies"
VERSION_DIGITS = 12


def open_file(path: Path | str) -> Game:
    """Return the game of a file, from memory unless the file or its spreadsheet has changed.

    `CatalogueError` with one fault, and its line, for each thing wrong.
    """
    place = Path(path)
    key = place.absolute()
    if key in _GAMES and _stamps(_GAMES[key][1]) == _GAMES[key][0]:
        return _GAMES[key][2]
    _GAMES.pop(key, None)
    draft = read_draft(place)
    if draft.faults:
        raise CatalogueError(in_order([*draft.faults, *faults_of_rules(draft)]))
    stamps = _stamps(draft.paths)
    game = game_of(draft.rulebook)
    while len(_GAMES) >= MOST_OPEN:
        _GAMES.pop(next(iter(_GAMES)))
    _GAMES[key] = (stamps, draft.paths, game)
    return game


def game_of(rulebook: Rulebook) -> Game:
    """Return the game of a rulebook, the same object for equal rules of a file.

    `CatalogueError` if an expression in it is unsound.
    """
    return _game(rulebook, rulebook.path)


def rulebook_of(game: Game) -> Rulebook:
    """Return the rulebook of a game that was opened from a file."""
    rulebook: Rulebook = cast("partial[Game]", game.remake).args[0]
    return rulebook


@lru_cache(maxsize=MOST_OPEN)
def _game(rulebook: Rulebook, path: Path) -> Game:
    remake = partial(game_of, rulebook)
    return Game(rulebook.name, rulebook.title, spec_of(rulebook), kinds_of(rulebook), file=path, remake=remake)


def _stamps(paths: Sequence[Path]) -> Stamps:
    """Return inode, time and size of each file, from which a change is seen; None for a missing one."""
    return tuple(stamp_of(path.parent, path.name) for path in paths)


def rule_texts(game: Game) -> dict[str, str]:
    """Return the rules of a game that was opened from a file, as texts by key, such as `attack.hits`."""
    rulebook = rulebook_of(game)
    texts = {line.key: line.text or line.python for line in all_lines(rulebook)}
    texts |= {f"tokens.{name}": str(value) for name, value in rulebook.tokens.items()}
    texts |= {table.line.key: str(table) for table in rulebook.tables.values()}
    for section in ("turns", "ends", "armies"):
        values = vars(getattr(rulebook, section))
        texts |= {f"{section}.{name}": str(value) for name, value in values.items() if isinstance(value, str | int)}
    return texts


def spec_of(rulebook: Rulebook) -> CatalogueSpec:
    """Return the catalogue spec of a game file: tables of units and armies, options as rules, numbers as constants."""
    tables = (
        TableSpec(UNITS, rulebook.path.name, unit_record_of(rulebook)),
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

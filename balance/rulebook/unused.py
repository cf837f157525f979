"""Names that a game file declares and none of its rules reads: fields, numbers, steps, keywords; often misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from balance.base.errors import Fault, suggestion
from balance.catalogue.tables.columns import Locate
from balance.catalogue.tables.toml_file import read_rules_file
from balance.rulebook.text import GameFile, Rulebook
from balance.rulebook.text.book import all_lines
from balance.rulebook.text.sections import STEPS
from balance.rulebook.text.source import PRINTED

_NAME = re.compile(r"(?:(me|foe)\s*\.\s*)?([^\W\d_]\w*)", re.IGNORECASE)


def unused_names(file: GameFile) -> list[Fault]:
    """Return a note, with its line, for each thing in a game file that nothing in it reads."""
    rulebook, (_, locate) = file.rulebook, read_rules_file(file.paths[0])
    own_names, bare_names = _names_read(rulebook)
    notes = [
        *_unread_columns(file, own_names | {rulebook.health}, locate),
        *_unread_keywords(file, own_names, locate),
        *(_note(locate, f"tokens.{name}", name) for name in rulebook.tokens if name not in own_names),
        *(_note(locate, f"{section}.{name}", name) for section, name in _declared(rulebook) if name not in bare_names),
    ]
    return sorted(notes, key=lambda note: (note.path != str(rulebook.path), note.row or 0))


def _names_read(rulebook: Rulebook) -> tuple[set[str], set[str]]:
    """Return the names that expressions read after `me.` or `foe.`, and those that they read alone."""
    own_names, bare_names = set[str](), set[str]()
    for line in all_lines(rulebook):
        for side, name in _NAME.findall(line.text.casefold()):
            (own_names if side else bare_names).add(name.removesuffix(PRINTED) if side else name)
    return own_names, bare_names


def _declared(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield (section, name) of what expressions should read by name alone.

    Left out are the results that a section exists for: the last step of an attack, if it takes nothing from the foe, is
    the attack's effect.
    """
    for section in ("numbers", "options", "dice", "tables"):
        yield from ((section, name) for name in getattr(rulebook, section))
    for section in STEPS:
        steps = [line.name for line in getattr(rulebook, section)]
        is_result = section == "attack" and not any(name.startswith("foe.") for name in steps)
        results = ("acts", "passes") if section == "turn" else tuple(steps[-1:]) if is_result else ()
        yield from ((section, name) for name in steps if "." not in name and name not in results)


def _note(locate: Locate, key: str, name: str, message: str = "is read by no expression", tip: str = "") -> Fault:
    place = locate(key)
    return Fault(message, place.path, place.row, key.rpartition(".")[0], name, tip=tip)


def _unread_columns(file: GameFile, names: set[str], locate: Locate) -> Iterator[Fault]:
    header_row, _ = file.units.table.rows[0]
    is_here = len(file.paths) == 1
    first_unit = file.units.ids[0] if file.units.ids else ""
    for column in file.units.fields:
        if column.name in names and column.kind == "number":
            continue
        place = locate(f"units.{first_unit}.{column.name}") if is_here else Fault("", file.units.table.path, header_row)
        message = "is read by no expression" if column.kind == "number" else "holds texts, which no expression reads"
        yield Fault(message, place.path, place.row, "units", column.header)


def _unread_keywords(file: GameFile, names: set[str], locate: Locate) -> Iterator[Fault]:
    sections = file.rulebook.keywords
    for keyword in file.units.keywords:
        if keyword not in sections and keyword not in names:
            tip = suggestion(keyword, [*sections, *names])
            message = "is a keyword of a unit that no rule names"
            yield Fault(message, file.units.table.path, file.units.row_with(keyword), "keywords", keyword, tip=tip)
    for keyword in sections:
        if keyword not in file.units.keywords:
            yield _note(locate, f"keywords.{keyword}", keyword, "is a keyword that no unit has")

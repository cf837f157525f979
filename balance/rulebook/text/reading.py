"""A game file from disk: its rules and its units, with every fault of its form at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, comma_list, nearest, unknown
from balance.base.foreign import is_file_name
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue.tables.toml_file import read_rules_file
from balance.rulebook.text import sections
from balance.rulebook.text.better import with_directions
from balance.rulebook.text.book import Line, Option, Rulebook, all_lines
from balance.rulebook.text.columns import OF_UNIT
from balance.rulebook.text.source import OWN_FIELDS, PRINTED, SIDES, Source
from balance.rulebook.text.units import Units, read_units

NO_RULES = ("title", "units", "blanks", "better", "numbers", "options", "armies")
"""Parts of a file that do not say how it is played, or with values that belong to the catalogue."""
MOST_STRANGE = 100
"""Units of army lists told that are none: for each, the nearest name is looked for."""


@dataclass(frozen=True)
class GameFile:
    """A game file as read: its rules, its units as rows of text, and the files it was read from."""

    rulebook: Rulebook
    units: Units
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Draft:
    """A game file as far as it can be read, with all that is wrong with its form.

    `units`: none where they cannot be read at all. `names`: names that it defines in whatever way, sound or not, as
    expressions write them: `crit` and `me.wounds`. `unread`: look-up tables and dice that cannot be read, so that
    expressions with them cannot be judged.
    """

    rulebook: Rulebook
    units: Units | None
    faults: tuple[Fault, ...]
    names: frozenset[str]
    unread: frozenset[str]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The game file, and the spreadsheet of its units if there is one."""
        return (self.rulebook.path, *(self.units.paths if self.units is not None else ()))


def read_game_file(path: Path | str) -> GameFile:
    """Return a game file as read; `CatalogueError` with one fault, and its line, for each thing wrong with its form."""
    draft = read_draft(Path(path))
    if draft.faults or draft.units is None:
        raise CatalogueError(in_order(draft.faults))
    return GameFile(draft.rulebook, draft.units, draft.paths)


def read_draft(path: Path) -> Draft:
    """Return a game file as far as it can be read, with its faults of form; `CatalogueError` if it is not TOML."""
    source = Source(path, *read_rules_file(path))
    return draft_of(source, read_units(source))


def draft_of(source: Source, units: Units | None) -> Draft:
    """Return the text of a game file as far as it can be read, with its faults of form; its units are read already."""
    path, name = source.path, name_of(source.path)
    if not (name and is_file_name(name)):
        source.faults.append(
            Fault("is no name for a game", str(path), found=path.stem, allowed="letters, digits and _")
        )
    source.known("", source.data, sections.SECTIONS)
    rulebook = _rulebook(source, name, units)
    source.faults += [
        *_faults_between(rulebook, source, units),
        *islice(_faults_of_units(rulebook, units, source), MOST_STRANGE),
    ]
    unread = {*source.section("tables"), *source.section("dice")} - {*rulebook.tables, *rulebook.dice}
    names = frozenset(_names_defined(rulebook, source, units))
    return Draft(rulebook, units, tuple(source.faults), names, frozenset(unread))


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first `MOST_FAULTS` faults by line, each once."""
    return sorted(dict.fromkeys(faults), key=lambda fault: fault.row or 0)[:MOST_FAULTS]


def _names_defined(rulebook: Rulebook, source: Source, units: Units | None) -> Iterator[str]:
    """Yield every name that the file defines; if its units cannot be read, also all names that rules read of a unit."""
    own_names = {*source.section("tokens"), *source.section("keywords")}
    if units is None:
        own_names |= {name for line in all_lines(rulebook) for name in OF_UNIT.findall(line.text.casefold())}
    else:
        own_names |= {field.name for field in units.fields}
    for section in ("numbers", "options", *sections.STEPS):
        yield from source.section(section)
    for choice, options in source.section("choices").items():
        if isinstance(options, Mapping):
            yield from (f"{choice}.{option}" for option in options)
    yield from (f"{side}.{name}{end}" for side in SIDES for name in own_names for end in ("", PRINTED))


def name_of(path: Path) -> str:
    """Return what commands call the game of a file: `Iron and Dust.toml` is `iron_and_dust`."""
    return slug(path.stem)


def _rulebook(source: Source, name: str, units: Units | None) -> Rulebook:
    """Return the rulebook of a file, without the parts that have faults."""
    data = source.data
    title = source.title("title", data["title"]) if "title" in data else name.replace("_", " ").capitalize()
    health = source.text("health", data["health"], "the name of a field") if "health" in data else "health"
    steps = {section: source.lines(section, source.section(section)) for section in sections.STEPS}
    options = sections.read_options(source)
    book = Rulebook(
        source.path,
        name,
        " ".join((title or name).split()),
        health or "health",
        units.fields if units else (),
        units.keywords if units else (),
        sections.read_numbers(source, "numbers"),
        options,
        sections.read_dice(source),
        sections.read_tables(source),
        steps["attack"],
        sections.read_keywords(source),
        sections.read_numbers(source, "tokens"),
        steps["turn"],
        steps["after"],
        steps["round"],
        sections.read_turns(source),
        sections.read_ends(source),
        sections.read_choices(source),
        sections.read_armies(source),
        digest=_digest(source, steps, options),
    )
    return book if units is None else with_directions(source, book)


def _digest(source: Source, steps: dict[str, tuple[Line, ...]], options_of: dict[str, Option]) -> str:
    """Return the sha256 of the rules of a file and the order of its steps, without the values of its catalogue."""
    content = {name: value for name, value in source.data.items() if name not in NO_RULES}
    armies = {name: value for name, value in source.section("armies").items() if name != "lists"}
    options = {name: option.allowed for name, option in options_of.items()}
    names = [[line.name for line in lines] for lines in steps.values()]
    parts = [content, armies, list(source.section("numbers")), options, names]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _faults_between(rulebook: Rulebook, source: Source, units: Units | None) -> Iterator[Fault]:
    """Yield faults between sections: names with two meanings, no attack, changes of unknown steps or values."""
    yield from _names_taken(rulebook, source)
    is_told = any(fault.field.partition(".")[0] == "attack" for fault in source.faults)
    if not rulebook.attack and not is_told:
        place = source.locate("attack")
        yield Fault("there are no steps of an attack", place.path, place.row, "attack", tip="write a section [attack]")
    lines = [line for section in sections.STEPS for line in getattr(rulebook, section)]
    steps = [*dict.fromkeys(line.name for line in lines if not line.assigns), "acts"]
    for line in changes_of(rulebook):
        if not line.assigns and line.name not in steps:
            yield unknown(line.name, steps, "is no step", line.path, line.row, line.key)
    if units is not None:
        all_steps = [line for section in sections.STEPS for line in getattr(rulebook, section)]
        yield from (fault for line in (*all_steps, *changes_of(rulebook)) for fault in _unsettable(line, rulebook))


def _unsettable(line: Line, rulebook: Rulebook) -> Iterator[Fault]:
    """Yield a fault if a line sets something that is no value of a unit, such as a keyword or a text."""
    values = [*rulebook.numeric_fields, *rulebook.tokens]
    side, dot, name = line.name.partition(".")
    if not dot or name in values:
        return
    if name in OWN_FIELDS or name.removesuffix(PRINTED) in values:
        yield line.fault("cannot be set", line.name, tip="set a field of the units, or a token")
    elif name in {*rulebook.keywords, *rulebook.card_keywords}:
        yield line.fault("is a keyword, which cannot be set", line.name, tip=f"set a token: [tokens] is_{name} = 0")
    elif name in {field.name for field in rulebook.fields}:
        yield line.fault("is a column of texts, which cannot be set", line.name)
    else:
        tip = "" if nearest(name, values) else f"a value that no card prints is a token: [tokens] {name} = 0"
        named = [f"{side}.{value}" for value in values]
        fault = unknown(line.name, named, "is no value of a unit", line.path, line.row, line.key)
        yield replace(fault, tip=tip or fault.tip)


def _faults_of_units(rulebook: Rulebook, units: Units | None, source: Source) -> Iterator[Fault]:
    """Yield a fault for each unknown unit of an army list, and for a health that no unit has."""
    fields, place = rulebook.numeric_fields, source.locate("health")
    lacks_health = units is not None and rulebook.health not in fields
    if lacks_health and "health" not in source.data and rulebook.ends.out is None:
        message = 'is missing: which field is lost, such as health = "wounds"'
        yield Fault(message, place.path, None, "health", allowed=comma_list(fields))
    elif lacks_health and "health" in source.data:
        has_texts = rulebook.health in {field.name for field in rulebook.fields}
        message = "is a column without any number" if has_texts else "is no field of the units"
        yield unknown(rulebook.health, fields, message, place.path, place.row, "health")
    written_here = source.data.get("units")
    ids = tuple(written_here) if isinstance(written_here, Mapping) else units.ids if units is not None else None
    for army, members in rulebook.armies.lists.items():
        key = f"armies.lists.{army}.units"
        place = source.locate(key)
        for unit in dict.fromkeys(members):
            if ids is not None and unit not in ids:
                yield unknown(unit, ids, "is no unit", place.path, place.row, key)


def changes_of(rulebook: Rulebook) -> Iterator[Line]:
    """Yield the lines that change steps: of keywords, and of options of choices."""
    for keyword in rulebook.keywords.values():
        yield from (*keyword.attacking, *keyword.attacked, *keyword.friends)
    for choice in rulebook.choices.values():
        yield from (line for lines in choice.options.values() for line in lines)


def _names_taken(rulebook: Rulebook, source: Source) -> Iterator[Fault]:
    """Yield a fault for each name used twice, alone or after `me.`, and for own names of expressions after `me.`."""
    steps = [(line.name, line.key) for section in sections.STEPS for line in getattr(rulebook, section)]
    bare = [(name, key) for name, key in steps if "." not in name]
    bare += [
        (name, f"{part}.{name}")
        for part in ("numbers", "options", "dice", "tables")
        for name in getattr(rulebook, part)
    ]
    own = [(name, "units") for name in rulebook.numeric_fields]
    own += [(name, "units") for name in rulebook.card_keywords if name not in rulebook.keywords]
    own += [(name, f"{part}.{name}") for part in ("keywords", "tokens") for name in getattr(rulebook, part)]
    for name, key in own:
        if name in OWN_FIELDS or name.endswith(PRINTED):
            place = source.locate(key)
            tip = "choose another name"
            yield Fault("has a meaning of its own after me.", place.path, place.row, key, name, tip=tip)
    for names in (bare, own):
        first_key: dict[str, str] = {}
        for name, key in names:
            if name in first_key:
                place = source.locate(key)
                tip = f"{first_key[name]} has it" if first_key[name] != "units" else "a field of the units has it"
                yield Fault("is taken", place.path, place.row, key, name, tip=f"{tip}; choose another name")
            first_key.setdefault(name, key)

"""The rules file: which reading of each ambiguous rule is in force, and the numbers the rules state.

A *rule option* chooses between the readings of one ambiguity of the rulebook. Which rule options exist and what they
may be is the game's `Rules` record; the file gives the value in force and explains every reading in a sentence.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, ValidationError

from balance.base.errors import Fault, RulesError, unknown
from balance.catalogue.tables.cells import BadCell, clean, parse_cell, show_value
from balance.catalogue.tables.columns import Column, Locate
from balance.catalogue.tables.record_faults import faults_of
from balance.catalogue.tables.schema import CatalogueSpec, Record, columns_of


class Rules(Record):
    """Base of a game's rule options: one field per option, a `Literal` of strings or a `bool`.

    >>> class Toy(Rules):
    ...     faces: Literal["1-10", "0-9"]
    >>> Toy(faces="1-10").replace(faces="0-9").faces
    '0-9'
    """

    def replace(self, **values: object) -> Self:
        """Return the rules with other readings; `RulesError` for an unknown rule option or reading."""
        columns = {column.name: column for column in columns_of(type(self))}
        faults, new_values = [], {}
        for name, value in values.items():
            column = columns.get(name)
            if column is None:
                faults.append(unknown(name, columns, path="rules", field=name))
                continue
            try:
                new_values[name] = parse_cell(column, show_value(value))
            except BadCell as bad:
                faults.append(Fault(bad.message, "rules", None, name, show_value(value), column.allowed, bad.tip))
        if faults:
            raise RulesError(faults)
        return self.model_copy(update=new_values)


@dataclass(frozen=True)
class RuleOption:
    """What the rules file says about one rule option; the first reading of `allowed` is the default.

    `level` is the lowest level of play (A one attack, B a duel, C a battle, D army building) at which the reading can
    change a result; `readings` pairs each allowed reading with a sentence.
    """

    name: str
    allowed: tuple[str, ...]
    ambiguity: str
    level: str
    meaning: str
    readings: tuple[tuple[str, str], ...]


def _sentence(text: str) -> str:
    """Return a text stripped, as a workbook's cell would give it back; `ValueError` if empty or not one line."""
    text = clean(text)
    if not text or any(unicodedata.category(c) in {"Cc", "Cs"} for c in text):
        raise ValueError("must be one line of text")
    return text


Sentence = Annotated[str, AfterValidator(_sentence)]


class _Entry(Record):
    """One `[switches.NAME]` table as written."""

    value: str | bool | int
    allowed: tuple[str | bool | int, ...]
    ambiguity: Sentence
    level: Literal["A", "B", "C", "D"]
    meaning: Sentence
    readings: dict[str, Sentence]


@dataclass(frozen=True)
class RuleSet:
    """The content of a rules file: version, readings in force, their explanations, and constants."""

    version: str
    rules: Record
    rule_options: Mapping[str, RuleOption]
    constants: Record


def _unknown(name: str, legal_names: Mapping[str, object], place: Fault) -> Fault:
    return unknown(name, legal_names, path=place.path, row=place.row, field=place.field)


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(inner) for key, inner in value.items()}
    return tuple(_tuples(inner) for inner in value) if isinstance(value, list) else value


def _at(place: Fault, message: str, value: str | None = None, limit: str = "", tip: str = "") -> Fault:
    return Fault(message, place.path, place.row, place.field, value, limit, tip)


def _parse_switch(
    column: Column, data: object, locate: Locate, faults: list[Fault]
) -> tuple[object, RuleOption] | None:
    """Return (value in force, rule option) of one `[switches.NAME]` table, or None, and add its faults."""
    path = f"switches.{column.name}"
    if not isinstance(data, Mapping):
        faults.append(_at(locate(path), "must be a table with value, allowed, meaning and readings"))
        return None
    try:
        entry = _Entry.model_validate(_tuples(data))
    except ValidationError as error:
        faults += _entry_faults(error, path, locate)
        return None
    choices = column.choices or ("true", "false")
    legal_values = tuple(show_value(value) for value in entry.allowed)
    if sorted(legal_values) != sorted(choices):
        place = locate(f"{path}.allowed")
        faults.append(_at(place, "are not the readings this switch has", "; ".join(legal_values), ", ".join(choices)))
    if sorted(entry.readings) != sorted(choices):
        place = locate(f"{path}.readings")
        faults.append(_at(place, "need one sentence per reading", "; ".join(entry.readings), ", ".join(choices)))
    try:
        value = parse_cell(column, show_value(entry.value))
    except BadCell as bad:
        value_text = show_value(entry.value) or None
        faults.append(_at(locate(f"{path}.value"), bad.message, value_text, ", ".join(choices), bad.tip))
        return None
    readings = tuple((name, entry.readings[name]) for name in legal_values if name in entry.readings)
    return value, RuleOption(column.name, legal_values, entry.ambiguity, entry.level, entry.meaning, readings)


def _entry_faults(error: ValidationError, path: str, locate: Locate) -> list[Fault]:
    messages: dict[str, str] = {}
    for item in error.errors():
        missing = item["type"] == "missing"
        message = {"missing": "is missing", "extra_forbidden": "is unknown"}.get(
            item["type"], item["msg"].removeprefix("Value error, ")
        )
        messages.setdefault(str(item["loc"][0]) if item["loc"] else "", "is missing" if missing else message)
    legal_text = ", ".join(_Entry.model_fields)
    return [_at(locate(f"{path}.{key}"), message, limit=legal_text) for key, message in messages.items()]


def _parse_rule_options(
    record: type[Record], data: object, locate: Locate, faults: list[Fault]
) -> tuple[dict[str, object], dict[str, RuleOption]]:
    """Return name -> value in force and name -> explanation of the rule options, and add their faults."""
    columns = {column.name: column for column in columns_of(record)}
    if not isinstance(data, Mapping):
        faults.append(_at(locate("switches"), "must be a table of switches", limit=", ".join(columns)))
        return {}, {}
    faults += [_unknown(str(name), columns, locate(f"switches.{name}")) for name in data if name not in columns]
    values: dict[str, object] = {}
    rule_options: dict[str, RuleOption] = {}
    for name, column in columns.items():
        if name not in data:
            faults.append(_at(locate(f"switches.{name}"), "the switch is missing", limit=column.allowed))
        elif option := _parse_switch(column, data[name], locate, faults):
            values[name], rule_options[name] = option
    return values, rule_options


def _parse_constants(record: type[Record], data: object, locate: Locate, faults: list[Fault]) -> Record | None:
    try:
        return record.model_validate(_tuples(data))
    except ValidationError as error:
        for fault in faults_of(error, record, Fault(""), missing=True):
            path = f"constants.{fault.field}" if fault.field else "constants"
            faults.append(_at(locate(path), fault.message, fault.found, fault.allowed, fault.tip))
        return None


def _version(version: object, locate: Locate, faults: list[Fault]) -> str:
    try:
        return _sentence(version if isinstance(version, str) else "")
    except ValueError as error:
        text = str(version)[:80] if version else None
        faults.append(_at(locate("rules_version"), str(error), text, tip='such as rules_version = "1.0"'))
        return ""


def parse_rules(spec: CatalogueSpec, data: Mapping[str, Any], locate: Locate, faults: list[Fault]) -> RuleSet | None:
    """Validate `rules_version`, `switches` and `constants` of a rules file; None and new `faults` if any is wrong."""
    sections = dict.fromkeys(("rules_version", "switches", "constants"))
    section_faults = [_unknown(name, sections, locate(name)) for name in data if name not in sections]
    version = _version(data.get("rules_version"), locate, section_faults)
    values, rule_options = _parse_rule_options(spec.rules, data.get("switches", {}), locate, section_faults)
    constants = _parse_constants(spec.constants, data.get("constants", {}), locate, section_faults)
    faults += section_faults
    if section_faults:
        return None
    return RuleSet(version, spec.rules.model_validate(values), rule_options, cast("Record", constants))

"""Records made for one game file: their classes are called what they are made of, so that any process makes them again.

A card, the numbers and the options of a game file have a field for each name in the file. Such a class is pickled by
its name as any other; the name is looked up here, and says what the class is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le
from pydantic import StringConstraints, create_model

from balance.catalogue import Better, EntryId, Header, Name, Record, Rules, SortedSet
from balance.rulebook.text.book import Rulebook
from balance.rulebook.text.fields import MOST, STANDARD, TEXT_LENGTH, Direction, UnitField

_PART, _IS = "|", "="
_MARKS: Mapping[Direction, str] = {"more": ">", "less": "<", "": ""}
_DIRECTIONS = {mark: direction for direction, mark in _MARKS.items()}


class Unit(Record):
    """The base of a card of a game file; each file adds a field per column."""

    id: Annotated[EntryId, Header(STANDARD["id"])]
    name: Annotated[Name, Header(STANDARD["name"])]
    cost_points: Annotated[int, Ge(0), Le(MOST), Header(STANDARD["cost_points"])] = 0
    keywords: Annotated[tuple[EntryId, ...], SortedSet, Header(STANDARD["keywords"])] = ()


class ArmyList(Record):
    """An army of a game file: its units from the front to the back."""

    id: EntryId
    name: Name
    units: tuple[EntryId, ...]


def unit_record(
    fields: tuple[UnitField, ...], keywords: Iterable[str] = (), good_keywords: Iterable[str] = ()
) -> type[Unit]:
    """Return the record of a unit with these fields beside its id, name and cost, and with any of these keywords.

    Of the keywords, `good_keywords` are better to have.

    >>> unit_record((UnitField("attacks"),), ["fast"])(id="rat", name="Rat", attacks=2).cost_points
    0
    """
    marks = {field.name: "~" if field.kind == "text" else "-" if field.low < 0 else "" for field in fields}
    parts = [f"{_MARKS[field.better]}{marks[field.name]}{field.name}" for field in fields]
    good = frozenset(good_keywords)
    words = [f"{_MARKS['more' if word in good else '']}{word}" for word in sorted(set(keywords))]
    parts += [f"keywords{_IS}{','.join(words)}"] if words else []
    return _made(_PART.join(["Unit", *parts]))  # type: ignore[return-value]


def unit_record_of(book: Rulebook) -> type[Unit]:
    """Return the record of a unit, which may have any keyword that has a section or that some unit has."""
    return unit_record(book.fields, (*book.keywords, *book.card_keywords), book.good_keywords)


def numbers_record(names: tuple[str, ...]) -> type[Record]:
    """Return the record of the numbers of a rulebook, each between `-MOST` and `MOST`.

    >>> numbers_record(("crit",))(crit=6).crit
    6
    """
    return _made(_PART.join(["Numbers", *names]))


def options_record(options: Mapping[str, tuple[int, ...]]) -> type[Rules]:
    """Return the record of the options of a rulebook, name -> values allowed; they are kept as texts, as in any game.

    >>> options_record({"crits_double": (0, 1)})(crits_double="1").replace(crits_double="0").crits_double
    '0'
    """
    parts = (f"{name}{_IS}{','.join(map(str, allowed))}" for name, allowed in options.items())
    return _made(_PART.join(["Options", *parts]))  # type: ignore[return-value]


def __getattr__(name: str) -> Any:
    """Return the class whose qualified name lists its fields, so that pickle can find it in any process."""
    if name.partition(_PART)[0] in _BASES:
        return _made(name)
    raise AttributeError(name)


@cache
def _made(qualified_name: str) -> type[Record]:
    """Return the class that a qualified name describes, cached so that equal names give the same class."""
    kind, *parts = qualified_name.split(_PART)
    base, field_of = _BASES[kind]
    fields: dict[str, Any] = dict(map(field_of, parts))
    record = create_model(kind, __base__=base, __module__=__name__, **fields)
    record.__qualname__ = qualified_name
    return record


def _unit_field(part: str) -> tuple[str, Any]:
    name, has_words, words = part.partition(_IS)
    if has_words:
        good = Better(words=tuple(word[1:] for word in words.split(",") if word.startswith(_MARKS["more"])))
        names = tuple(word.removeprefix(_MARKS["more"]) for word in words.split(","))
        choices = tuple[Literal[names], ...]  # type: ignore[valid-type]
        return name, (Annotated[choices, SortedSet, Header(STANDARD[name]), good], ())
    if part.startswith("~"):
        return part[1:], (Annotated[str, StringConstraints(max_length=TEXT_LENGTH), Better("ignored")], "")
    direction = _DIRECTIONS.get(part[0], "")
    part = part.removeprefix(_MARKS[direction])
    low = -MOST if part.startswith("-") else 0
    return part.removeprefix("-"), (Annotated[int, Ge(low), Le(MOST), Better(direction)], ...)


def _number(part: str) -> tuple[str, Any]:
    return part, (Annotated[int, Ge(-MOST), Le(MOST)], ...)


def _option(part: str) -> tuple[str, Any]:
    name, _, allowed = part.partition(_IS)
    return name, (Literal[tuple(allowed.split(","))], ...)


class _Numbers(Record):
    """The base of the record of numbers, which gets a field for each."""


_BASES: Mapping[str, tuple[type[Record], Any]] = {
    "Unit": (Unit, _unit_field),
    "Numbers": (_Numbers, _number),
    "Options": (Rules, _option),
}

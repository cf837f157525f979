"""An answer as plain values: records of numbers, words and other records, whose parts are JSON keys and columns.

What a part of a record holds is said once, beside its type: `Annotated[float, Doc("..."), Heading("head")]`. From that
its JSON, its JSON Schema, its tables and the columns that people see are made. A part is a field, or what is worked out
from the fields (`formula`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Final, Generic, Literal, Self, TypeVar, get_type_hints, overload

Record = TypeVar("Record")
Value = TypeVar("Value", covariant=True)


class Doc:
    """Says what a part of a record holds; stands in `Annotated`, and in the descriptions of JSON Schema."""

    def __init__(self, documentation: str) -> None:
        self.documentation = documentation


@dataclass(frozen=True, eq=False)
class Limit:
    """What a field demands of its value beyond the type, in words of JSON Schema; stands in `Annotated`."""

    words: Mapping[str, Any]

    def __get_pydantic_json_schema__(self, core: Any, schema_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**schema_of(core), **self.words}


Form = Annotated[Literal[1], Doc("The version of the form of this object.")]
GameName = Annotated[str, Doc("The name of the game.")]
Seed = Annotated[int, Doc("Of everything that was simulated or drawn.")]
RulesVersion = Annotated[str, Doc("The version of its rules.")]
Count = Annotated[int, Limit({"minimum": 0})]
Points = Annotated[float, Doc("In the points of the game.")]
Chance = Annotated[float, Doc("A chance, a share or a score, from 0 to 1.")]
Facets = Annotated[Mapping[str, str], Doc("What tells a setting from the others: name -> value.")]
Changes = Annotated[tuple[str, ...], Doc("Values that were changed, each PATH=VALUE.")]
Choices = Annotated[Mapping[str, str], Doc("How sides play: name -> value.")]
Digest = Annotated[
    str,
    Limit({"pattern": "^[0-9a-f]{64}$"}),
    Doc("The digest of all tables of the catalogue: another catalogue has another."),
]
ASKED_FOR: Final[Mapping[str, bool]] = {"asked for": True}
"""Metadata of a field that is None, and left out of the JSON, unless somebody asked for it."""
BEHIND: Final[Mapping[str, bool]] = {"behind": True}
"""Metadata of a field that no answer tells, such as a sum that others are worked out from."""


class Opaque:
    """Stands in `Annotated` for what is no plain value, such as a frame, and stands behind an answer."""

    def __get_pydantic_core_schema__(self, source: Any, schema_of: Callable[[Any], Any]) -> dict[str, str]:
        return {"type": "any"}


@dataclass(frozen=True)
class Heading:
    """Says that a part of a record is a column for people: its head, and how a value becomes a text."""

    head: str
    show: Callable[[Any], str] = str

    def __post_init__(self) -> None:
        if not (isinstance(self.head, str) and self.head and callable(self.show)):
            raise TypeError(f"a heading is a text and a function of a value, found {self.head!r}, {self.show!r}")


class formula(Generic[Value]):  # noqa: N801 - a decorator, as `property` is
    """A part of a record that is worked out from its fields: a property that answers hold, too.

    >>> @dataclass(frozen=True)
    ... class Cost:
    ...     cost: float
    ...     fair: float
    ...     @formula
    ...     def off(self) -> Annotated[float, Doc("By which share of the cost it is off.")]:
    ...         return self.fair / self.cost - 1
    >>> as_plain(Cost(20.0, 25.0))
    {'cost': 20.0, 'fair': 25.0, 'off': 0.25}
    """

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: object, owner: type) -> Value: ...
    def __get__(self, record: object | None, owner: type) -> Self | Value:
        """Return the value of a record; of its class the method."""
        return self if record is None else self.function(record)


@dataclass(frozen=True)
class Part:
    """A part of a record: its attribute, its type with what is said beside it, and whether every record has it."""

    name: str
    hint: Any
    is_required: bool = True

    def notes(self, kind: type) -> Iterator[Any]:
        """Yield what stands beside its type that is of a kind, `Doc` or `Heading`, what is most special first."""
        yield from (word for word in reversed(getattr(self.hint, "__metadata__", ())) if isinstance(word, kind))


_PARTS: dict[type, dict[str, Part]] = {}


def parts_of(kind: type) -> dict[str, Part]:
    """Return the parts of the records of a class by key: its fields in order, then its formulas."""
    if kind not in _PARTS:
        _PARTS[kind] = _read_parts(kind)
    return _PARTS[kind]


def _read_parts(kind: type) -> dict[str, Part]:
    """Read the parts of a class; raise TypeError, with its place, for one that tables would lack or mistake."""
    hints = get_type_hints(kind, include_extras=True)
    parts = {
        key_of(field.name): Part(field.name, hints[field.name], field.metadata != ASKED_FOR)
        for field in fields(kind)
        if field.metadata != BEHIND
    }
    for owner in reversed(kind.__mro__):
        for name, value in vars(owner).items():
            if isinstance(value, formula):
                hint = get_type_hints(value.function, include_extras=True).get("return")
                if hint is None or name in hints:
                    raise TypeError(f"{kind.__name__}.{name}: a formula says what it returns; no field has its name")
                parts[key_of(name)] = Part(name, hint)
    if bare := [key for key, part in parts.items() if Heading in getattr(part.hint, "__metadata__", ())]:
        raise TypeError(f"{kind.__name__}.{bare[0]}: write Heading(HEAD, SHOW) in place of Heading")
    return parts


def key_of(name: str) -> str:
    """Return the JSON key and column of a part: its name, without the `_` after a word that has another use.

    >>> key_of("from_"), key_of("fair")
    ('from', 'fair')
    """
    return name.removesuffix("_")


def values_of(record: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a record with their values, without those that nobody asked for."""
    for key, part in parts_of(type(record)).items():
        value = getattr(record, part.name)
        if part.is_required or value is not None:
            yield key, value


def as_plain(value: Any) -> Any:
    """Return an answer as JSON has it: records as objects by key, sequences as lists, what is no number as null.

    >>> as_plain({"medium": Budget(150.0, 4.0), "large": (math.inf, "as usual")})
    {'medium': {'points': 150.0, 'units': 4.0}, 'large': [None, 'as usual']}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if is_dataclass(value):
        return {key: as_plain(part) for key, part in values_of(value)}
    if isinstance(value, Mapping):
        return {str(key): as_plain(part) for key, part in value.items()}
    return [as_plain(part) for part in value] if isinstance(value, list | tuple) else value


def row_of(record: Any) -> dict[str, Any]:
    """Return the row of a table that a record is.

    A record inside it becomes columns of its own: its `value` has the name of the part, the others stand after that. Of
    several records in a part only their values are told, or what they are as text.

    >>> @dataclass(frozen=True)
    ... class Army:
    ...     army: str
    ...     budget: Budget
    >>> row_of(Army("2*elf", Budget(150.0, 4.0)))
    {'army': '2*elf', 'budget_points': 150.0, 'budget_units': 4.0}
    """
    row = dict[str, Any]()
    for key, value in values_of(record):
        if is_dataclass(value):
            row |= {inner_column(key, inner): cell for inner, cell in row_of(value).items()}
        elif isinstance(value, tuple):
            row[key] = [
                row_of(part).get("value", str(part)) if is_dataclass(part) else as_plain(part) for part in value
            ]
        else:
            row[key] = as_plain(value)
    return row


def records_of(kind: type[Record], rows: Iterable[Mapping[str, Any]]) -> tuple[Record, ...]:
    """Return a record for each row of a table, with tuples for lists.

    >>> records_of(Budget, [{"points": 150.0, "units": 4.0}])
    (Budget(points=150.0, units=4.0),)
    """
    return tuple(
        kind(**{key: tuple(cell) if isinstance(cell, list) else cell for key, cell in row.items()}) for row in rows
    )


def inner_column(outer: str, inner: str) -> str:
    """Return the column of a part of a record inside another."""
    return outer if inner == "value" else f"{outer}_{inner}"


def headings_of(kind: type) -> dict[str, Heading]:
    """Return the parts of the records of a class that are columns for people, by key."""
    headings = {key: next(part.notes(Heading), None) for key, part in parts_of(kind).items()}
    return {key: heading for key, heading in headings.items() if heading is not None}


def text_under(record: Any, key: str, column: Heading) -> str:
    """Return what a column for people has of a record; a dash where there is nothing."""
    value = getattr(record, parts_of(type(record))[key].name)
    return "–" if value is None else column.show(value)


@dataclass(frozen=True)
class Budget:
    """What an army may cost, and how many units it may have."""

    points: Points
    units: float

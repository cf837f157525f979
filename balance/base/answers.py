"""An answer as plain values: records of numbers, words and other records, whose fields are JSON keys and columns.

What a field holds is told once, by `Annotated[type, Doc(...)]`; the JSON Schema of an answer is made from that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Final, Literal

from typing_extensions import Doc


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


@dataclass(frozen=True)
class Budget:
    """What an army may cost, and how many units it may have."""

    points: Points
    units: float


def key_of(name: str) -> str:
    """Return the JSON key and column of a field: its name, without the `_` after a word that Python keeps for itself.

    >>> key_of("from_"), key_of("fair")
    ('from', 'fair')
    """
    return name.removesuffix("_")


def as_plain(value: Any) -> Any:
    """Return an answer as JSON has it: records as objects by key, sequences as lists, what is no number as null.

    >>> as_plain({"medium": Budget(150.0, 4.0), "large": (math.inf, "as usual")})
    {'medium': {'points': 150.0, 'units': 4.0}, 'large': [None, 'as usual']}
    """
    if is_dataclass(value):
        return {name: as_plain(part) for name, part in _parts(value)}
    if isinstance(value, Mapping):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def columns_of(record: Any) -> dict[str, Any]:
    """Return the row of a table that a record is.

    A record inside it becomes columns of its own: its `value` has the name of the field, the others stand after that.

    >>> @dataclass(frozen=True)
    ... class Score:
    ...     value: float
    ...     low: float
    >>> @dataclass(frozen=True)
    ... class Army:
    ...     score: Score
    ...     units: int
    >>> columns_of(Army(Score(0.5, 0.4), 3))
    {'score': 0.5, 'score_low': 0.4, 'units': 3}
    """
    return dict(_cells(record))


def _parts(record: Any) -> Iterator[tuple[str, Any]]:
    for part in fields(record):
        value = getattr(record, part.name)
        if part.metadata != BEHIND and not (part.metadata == ASKED_FOR and value is None):
            yield key_of(part.name), value


def _cells(record: Any) -> Iterator[tuple[str, Any]]:
    for name, value in _parts(record):
        if is_dataclass(value):
            yield from ((name if key == "value" else f"{name}_{key}", cell) for key, cell in _cells(value))
        else:
            yield name, as_plain(value)

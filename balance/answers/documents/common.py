"""What the objects of many verbs have in common: where they come from, numbers with intervals, settings.

The types of this room are the only place where the form of an answer is told. A part of an object that is a whole
record of the toolkit is that record's own class, so that its fields are told there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

Chance = Annotated[float, Field(description="A chance, a share or a score, from 0 to 1.")]
Count = Annotated[int, Field(ge=0)]
Changes = Annotated[list[str], Field(description="Values that were changed, each PATH=VALUE.")]
Choices = Annotated[dict[str, str], Field(description="How sides play: name -> value.")]
Cell = str | int | float | bool | None


class Source(TypedDict):
    """Where an answer comes from.

    Attributes
    ----------
    schema
        The version of the form of this object.
    game
        The name of the game.
    rules_version
        The version of its rules.
    catalogue_sha256
        The digest of all its tables: another catalogue has another.
    """

    schema: Literal[1]
    game: str
    rules_version: str
    catalogue_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class SeededSource(Source):
    """Where an answer comes from that has a seed.

    Attributes
    ----------
    seed
        Of everything that was simulated or drawn.
    """

    seed: int


class Policy(TypedDict):
    """How somebody plays.

    Attributes
    ----------
    value
        The way of playing.
    is_default
        Whether that is what is played where nobody chooses.
    allowed
        All ways that there are.
    """

    value: str
    is_default: NotRequired[bool]
    allowed: NotRequired[list[str]]


class About(TypedDict):
    """How a question is played, and what its answer cannot see.

    Attributes
    ----------
    inputs
        What was asked, resolved: the sides and the situation by field, and in `set` what was changed.
    played
        How it is played, in words.
    cannot_see
        What the answer leaves out, a sentence each: no conclusion should rest on it.
    policies
        How the sides play, by name.
    categories
        Column -> code -> name, for columns whose values are codes.
    """

    inputs: dict[str, Any]
    played: str
    cannot_see: list[str]
    policies: dict[str, Policy]
    categories: dict[str, dict[str, str]]


class Interval(TypedDict):
    """A number with its 95 % interval.

    Attributes
    ----------
    value, low, high
        The number and the ends of its interval, in its own unit; the ends are the number itself where it is exact.
    """

    value: float
    low: float
    high: float


class KnownNumber(Interval):
    """A number with its 95 % interval.

    Attributes
    ----------
    exact
        Whether it has no error.
    """

    exact: bool

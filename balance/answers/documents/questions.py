"""The objects about one question: its answer, its solution, and one trial of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import (
    About,
    Chance,
    Count,
    Ends,
    SeededSource,
)
from balance.game.solution import Cell

Chances = Annotated[dict[str, Chance], Field(description="Value or result -> its chance; they add up to 1.")]
Numbers = Annotated[dict[str, float], Field(description="Column -> number.")]
OpenNumbers = Annotated[dict[str, float | None], Field(description="Column -> number; null: not measurable.")]
OpenEnds = Annotated[dict[str, Ends | None], Field(description="Column -> ends of the interval; null: not measurable.")]


class Table(TypedDict):
    """A table.

    Attributes
    ----------
    columns, rows
        The names of the columns, and of each row its cells in their order.
    """

    columns: list[str]
    rows: list[list[Cell]]


class Step(TypedDict):
    """One step of a trial.

    Attributes
    ----------
    when, who, text
        The moment, who acts, and what happens.
    left
        What is left of each side after it.
    dice
        What was rolled.
    score
        Each row of the score after it, by side.
    events
        The same as data, one by one in the order in which it happened, where a game tells it.
    """

    when: str
    who: str
    text: str
    left: dict[str, int]
    dice: NotRequired[list[str]]
    score: NotRequired[dict[str, dict[str, str]]]
    events: NotRequired[list[dict[str, Any]]]


class Told(TypedDict, total=False):
    """What the events of a trial rest on, where a game tells it as data.

    Attributes
    ----------
    record
        What does not change while it is played.
    begin
        The whole state before the first event.
    """

    record: dict[str, Any]
    begin: dict[str, Any]


class Replay(SeededSource, About, Told):
    """One trial of a simulation in words.

    Attributes
    ----------
    trial
        Which one, from 0.
    start, end
        How it begins and ends, in words.
    begun_with
        What each side has at first.
    lines
        What happens, step by step.
    """

    verb: Literal["replay"]
    trial: Count
    start: str
    begun_with: dict[str, int]
    lines: list[Step]
    end: str

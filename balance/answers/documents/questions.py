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
    Source,
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


class SolutionTable(Table):
    """Something read off a solution.

    Attributes
    ----------
    title
        What it tells, in a sentence.
    """

    title: str


class SolvedGame(TypedDict):
    """A game solved, as far as it was.

    Attributes
    ----------
    kind, method
        Exact or approximate, and how it was found, in a sentence.
    value
        What the start is worth to the first side.
    lower, upper
        Bounds of it: what the first side can be sure of, and the most that the second side concedes; estimates if
        approximate.
    exploitability
        What best answers win from the two ways of playing in all; if approximate a lower bound of it.
    converged
        Whether that was measured exactly and is within the tolerance.
    iterations, n_states
        How long it was worked on, and how many states it has.
    tables
        By name.
    half_width
        Half a 95 % interval of each bound; 0 where they are exact.
    """

    kind: Literal["exact", "approximate"]
    method: str
    value: Chance
    lower: Chance
    upper: Chance
    exploitability: float
    converged: bool
    iterations: Count
    n_states: Count
    tables: dict[str, SolutionTable]
    half_width: float


class Solve(Source, About):
    """What a game is worth when both sides choose as well as they can.

    Attributes
    ----------
    notes
        What the reader should know of an answer that is sound.
    solution
        Its value, between bounds, and how it is played.
    """

    verb: Literal["solve"]
    notes: list[str]
    solution: SolvedGame


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

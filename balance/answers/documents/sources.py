"""The objects about what a result comes from: how much of it is luck, and which assumed values it rests on."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from balance.analysis.claims.conclusion import Claim, Verdict
from balance.answers.documents.common import (
    Chance,
    Changes,
    Choices,
    Count,
    Interval,
    SeededSource,
)

# -- what a conclusion rests on ----------------------------------------------------------------------------------------


class Outcome(Interval):
    """A number, and what follows from it.

    Attributes
    ----------
    verdict
        What is concluded; null where nothing is.
    """

    verdict: Verdict | None


class End(Interval):
    """How far a value moves the number.

    Attributes
    ----------
    to
        The value there; null where the value as it is lies there.
    """

    to: str | None


Span = TypedDict("Span", {"path": str, "is": str, "lowest": End, "highest": End, "width": float, "flips": list[str]})
"""A value, the lowest and the highest number that its moves bring, and the moves that flip the conclusion."""
Move = TypedDict("Move", {"path": str, "from": str, "to": str})
"""One value that moves."""


class Flip(Outcome):
    """The fewest moves found that flip the conclusion.

    Attributes
    ----------
    found
        Whether they flip it; else they are as many as were allowed.
    most
        How many moved at once, at most.
    moves
        What moves.
    """

    found: bool
    most: Count
    moves: list[Move]


Turn = TypedDict("Turn", {"of": list[str], "from": str, "to": str, "steps": list[int]})
"""Faces of one die on which a result becomes another, and how many of them; backwards below 0."""


class Region(TypedDict):
    """The number for faces of two dice that are turned.

    Attributes
    ----------
    across, down
        What is turned by column and by row.
    cells
        The number in each; null where the rules refuse it.
    stands
        In which share of the cells the conclusion stands.
    """

    across: Turn
    down: Turn
    cells: list[list[Outcome | None]]
    stands: Chance


class Tornado(SeededSource, Outcome):
    """Which assumed values a conclusion rests on, and how far they may move before it flips.

    Attributes
    ----------
    kind, entrants, first
        What was asked, of whom, and who goes first.
    measure
        What is read off.
    claim
        What is concluded of it; null where nothing is.
    n_trials
        Of a question without an exact distribution.
    values
        Every value whose moves can be seen, the widest first.
    fewest
        The fewest moves found that flip it.
    region
        What turned faces of dice do.
    not_measurable_here, refused
        Values whose moves change nothing, and those that cannot be moved.
    """

    verb: Literal["tornado"]
    kind: str
    entrants: list[str]
    first: str | None
    changes: Changes
    choices: Choices
    measure: str
    claim: Claim | None
    n_trials: Count | None
    values: list[Span]
    fewest: Flip | None
    region: Region | None
    not_measurable_here: list[str]
    refused: list[str]

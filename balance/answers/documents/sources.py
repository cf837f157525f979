"""The objects about what a result comes from: how much of it is luck, and which assumed values it rests on."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from balance.analysis.claims.conclusion import Claim, Verdict
from balance.answers.documents.common import (
    About,
    Chance,
    Changes,
    Choices,
    Count,
    Interval,
    KnownNumber,
    SeededSource,
)


class Share(TypedDict):
    """What a source of luck does.

    Attributes
    ----------
    alone
        The share of the variance that it settles by itself.
    when_rolled
        The share that its rolls bring when they are made; these add up to 1. Null where it is not known.
    """

    alone: KnownNumber
    when_rolled: Chance | None


class AtEnd(TypedDict):
    """What is left when it is over, on average.

    Attributes
    ----------
    winner, loser
        Of either; null where only one is counted.
    """

    winner: KnownNumber
    loser: KnownNumber | None


class Texture(TypedDict):
    """How it goes on its way.

    Attributes
    ----------
    lead_changes
        How often the lead goes to the other side, on average.
    comebacks, one_sided
        Shares of games whose winner had been down to 25 % or less, and never fell below 45 %.
    decided, length
        Mean time from which on the winner's chance stays at 90 % or more, and mean time of a game.
    largest
        Mean of the largest change of the chance to win by one turn or round, from 0 to 1.
    settled
        Round -> share of the variance that is settled by its end.
    errors
        Standard errors by name; empty where all is exact.
    n_trials
        Games that it rests on; 0 where all is exact.
    largest_of
        Of what the largest change is.
    at_end
        What is counted when it is over.
    """

    lead_changes: float
    comebacks: Chance
    one_sided: Chance
    decided: float
    length: float
    largest: Chance
    settled: dict[str, float]
    errors: dict[str, float]
    n_trials: Count
    largest_of: Literal["turn", "round"]
    at_end: dict[str, AtEnd]


class Luck(SeededSource, About):
    """How much of the result of one question is luck, and from which dice.

    Attributes
    ----------
    result
        What varies: the score of the first side, or a column.
    mean, sd, swing
        Of the result; swing is sd / mean, null where that is not measurable.
    shares
        By source of luck.
    together
        The share that no source settles alone.
    texture
        How it goes on its way, where somebody wins.
    why_simulated
        Why it is not exact; null where it is.
    n_games
        Games that were simulated; 0 where all is exact.
    """

    verb: Literal["luck"]
    result: str
    mean: KnownNumber
    sd: float
    swing: float | None
    shares: dict[str, Share]
    together: KnownNumber
    texture: Texture | None
    why_simulated: str | None
    n_games: Count


class FieldLuck(SeededSource):
    """How much of a duel of two of a field is decided before the first die.

    Attributes
    ----------
    kind
        The kind of question.
    entrants, ways
        Of either side; one list where both sides are of one field.
    choices
        What sides choose in every duel.
    shares
        By part of the variance; they add up to 1. Null where a part does not apply.
    first_mover
        How much more a side scores going first than going second; null where nobody does.
    n_cells, n_trials
        Duels asked, and trials of those that were simulated.
    """

    verb: Literal["luck"]
    kind: str
    entrants: list[list[str]]
    choices: Choices
    ways: list[list[str]]
    shares: dict[str, float | None]
    first_mover: float | None
    n_cells: Count
    n_trials: Count


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

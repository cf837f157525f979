"""The objects about one question: its answer, its solution, its luck, one trial of it, what its conclusion rests on."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.analysis.claims.conclusion import Claim, Verdict
from balance.game.solution import Cell
from balance.verbs.call.documents.common import (
    About,
    Chance,
    Changes,
    Choices,
    Count,
    Ends,
    Interval,
    KnownNumber,
    SeededSource,
    Source,
)

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


class Distribution(TypedDict):
    """What happens, column by column.

    Attributes
    ----------
    pmf
        Column -> value -> its chance.
    mean, sd, swing
        Of each column the mean, the standard deviation, and their ratio sd / mean.
    p_win
        The chance of each result, where somebody wins.
    exchange
        The joint distribution of what the sides lose to each other; the last column of each row is its chance.
    """

    pmf: dict[str, Chances]
    mean: Numbers
    sd: OpenNumbers
    swing: OpenNumbers
    p_win: NotRequired[Chances]
    exchange: NotRequired[Table]


class Kill(Distribution):
    """How many actions it takes until the defender falls.

    Attributes
    ----------
    trials
        How many were simulated; absent where it is exact.
    """

    trials: NotRequired[Count]


class SampleIntervals(TypedDict):
    """The ends of the intervals of what was simulated.

    Attributes
    ----------
    level
        The chance with which each interval holds the truth.
    mean, sd, swing, p_win
        As in the distribution.
    """

    level: Chance
    mean: dict[str, Ends]
    sd: OpenEnds
    swing: OpenEnds
    p_win: NotRequired[dict[str, Ends]]


class SimulatedDistribution(Distribution):
    """What happened in a simulation.

    Attributes
    ----------
    trials, seed
        How many trials, and their seed.
    lane
        How they were played: every roll, or finished results looked up.
    interval
        The intervals of the numbers.
    """

    trials: Count
    seed: int
    lane: Literal["literal", "compiled"]
    interval: SampleIntervals


class AgreementTest(TypedDict):
    """A test of whether a simulation agrees with the exact answer.

    Attributes
    ----------
    p_value
        From 0 to 1; small where they do not agree.
    adjusted
        The same, adjusted for all tests of the answer.
    statistic, degrees
        Of the G-test; null where it is infinite.
    """

    p_value: Chance
    adjusted: Chance
    statistic: float | None
    degrees: Count


class Agreement(TypedDict):
    """Whether the simulation agrees with the exact answer.

    Attributes
    ----------
    p_value
        The least adjusted one of all tests.
    statistic, degrees
        Of the test of all columns together.
    joint, columns
        That test, and those of each column.
    """

    p_value: Chance
    statistic: float | None
    degrees: Count
    joint: AgreementTest
    columns: dict[str, AgreementTest]


class SeatWorth(TypedDict):
    """What going first is worth to a side.

    Attributes
    ----------
    first, second
        Its chance to win when it goes first, and when second.
    advantage
        The difference, from -1 to 1.
    """

    first: Chance
    second: Chance
    advantage: float


class Habit(TypedDict):
    """What a way of playing scores.

    Attributes
    ----------
    score, interval
        A draw counts half.
    """

    score: Chance
    interval: Ends


class Habits(TypedDict):
    """How the ways of playing of one side do against what the other side plays.

    Attributes
    ----------
    plays, against
        What was played, and what the other side played.
    scores, best
        What each way scores, and those that nobody is surely better than.
    trials, heat_trials, seed
        Trials of each, those of the heat before, and their seed.
    """

    plays: str
    against: str
    scores: dict[str, Habit]
    best: list[str]
    trials: Count
    heat_trials: NotRequired[Count]
    seed: int


class Answer(Source, About):
    """The answer to a question about two sides, such as an attack, a duel or a battle.

    Attributes
    ----------
    verb
        The kind of question.
    sentence
        The answer in one sentence.
    notes
        What the reader should know of an answer that is sound.
    exact
        The exact distribution, where it can be had.
    kill
        How many actions it takes until the defender falls.
    first_mover
        By side.
    habits
        By side: how well its ways of playing do.
    simulated
        The simulation, where it was asked for or is all that can be had.
    agreement
        Whether both agree.
    partial
        Whether the simulation was stopped before its end.
    """

    verb: str
    sentence: str
    notes: list[str]
    exact: NotRequired[Distribution]
    kill: NotRequired[Kill]
    first_mover: NotRequired[dict[str, SeatWorth]]
    habits: NotRequired[dict[str, Habits]]
    simulated: NotRequired[SimulatedDistribution]
    agreement: NotRequired[Agreement]
    partial: NotRequired[Literal[True]]


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
    """

    when: str
    who: str
    text: str
    left: dict[str, int]
    dice: NotRequired[list[str]]


class Replay(SeededSource, About):
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

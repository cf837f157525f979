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

"""The object of `balance dice`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import Chance, Count, Ends

ByColumn = Annotated[dict[str, dict[str, Chance]], Field(description="Column -> value -> chance.")]


class JointTable(TypedDict):
    """Several symbols together; the last column of each row is its chance."""

    columns: list[str]
    rows: list[list[float]]


class OddsShape(TypedDict):
    """The odds of an expression, by the name of each column; a number has one, `total`.

    Attributes
    ----------
    pmf, at_least
        The chance of each value, and of so much or more.
    mean, sd, swing
        Swing is sd / mean; null where that is not measurable.
    mode, quantiles
        The likeliest values, and quantiles by their chance.
    chance
        That a comparison is true.
    joint
        Of symbols.
    fractions
        The chance of each value as a fraction, where it is short.
    """

    pmf: ByColumn
    at_least: ByColumn
    mean: dict[str, float]
    sd: dict[str, float]
    swing: dict[str, float | None]
    mode: dict[str, list[int]]
    quantiles: dict[str, dict[str, int]]
    chance: NotRequired[Chance]
    joint: NotRequired[JointTable]
    fractions: NotRequired[dict[str, dict[str, str]]]


class ExactOdds(OddsShape):
    """Exact odds.

    Attributes
    ----------
    tail
        The chance that was cut off where dice explode without end.
    """

    tail: float


class OddsIntervals(TypedDict):
    """The ends of the intervals of what was simulated.

    Attributes
    ----------
    level
        The chance with which each holds the truth.
    mean, chance, result
        As in the odds.
    """

    level: Chance
    mean: dict[str, Ends]
    chance: NotRequired[Ends]
    result: NotRequired[dict[str, Ends]]


class SimulatedOdds(OddsShape):
    """Simulated odds."""

    trials: Count
    seed: int | None
    interval: OddsIntervals


class OddsRow(TypedDict):
    """The odds of one expression.

    Attributes
    ----------
    expression, kind
        As it is read, and what it is.
    values
        Of a family, the values that were put in.
    exact, simulated
        The odds.
    too_large
        Why they are not exact.
    notes
        What the reader should know.
    """

    expression: str
    kind: str
    values: NotRequired[list[Any]]
    exact: NotRequired[ExactOdds]
    too_large: NotRequired[str]
    simulated: NotRequired[SimulatedOdds]
    notes: list[str]


class DiceHead(TypedDict):
    """That it is about dice."""

    schema: Literal[1]
    verb: Literal["dice"]


class Dice(DiceHead, OddsRow):
    """The odds of one expression of dice."""


class DiceExpression(TypedDict):
    """An expression as it was typed.

    Attributes
    ----------
    families
        The values that each of its families in braces stands for.
    """

    text: str
    families: list[list[Any]]


class DiceTable(DiceHead):
    """The odds of several expressions of dice, or of a family.

    Attributes
    ----------
    expressions, rows
        As they were typed, and the odds of each.
    """

    expressions: list[DiceExpression]
    rows: list[OddsRow]

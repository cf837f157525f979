"""The objects of `balance handicap`: what makes a match-up even, and what that is worth."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from balance.answers.documents.common import Band, Changes, Count, KnownNumber, Points, SeededSource, Source


class HandicapHead(SeededSource):
    """What was asked about an even match-up.

    Attributes
    ----------
    kind, entrants
        The kind of question, and who takes part.
    """

    verb: Literal["handicap"]
    kind: str
    entrants: list[str]
    changes: Changes


_FromTo = TypedDict("_FromTo", {"from": str | None, "to": str})


class Remedy(_FromTo):
    """One change of one side.

    Attributes
    ----------
    side, field, from, to, steps
        What changes, and by how many steps.
    score
        What the first side scores then.
    fresh
        The same on dice that did not choose it.
    even
        Whether that is even.
    """

    side: str
    field: str
    steps: float
    score: KnownNumber
    fresh: KnownNumber | None
    even: str | bool


class Remedies(HandicapHead):
    """The smallest single changes that make a match-up even.

    Attributes
    ----------
    first
        Who goes first.
    score, is_even
        What the first side scores, and whether that is even already.
    remedies
        The changes.
    not_measurable_here
        Numbers that change nothing here.
    no_lost_action
        Why no action can be lost.
    """

    first: str | None
    band: Band
    score: KnownNumber
    is_even: str | bool
    remedies: list[Remedy]
    not_measurable_here: list[str]
    no_lost_action: str | None


class Offer(TypedDict):
    """A bid that was tried.

    Attributes
    ----------
    change
        By how many steps.
    score, even
        What going first scores then, and whether that is even.
    """

    change: float
    score: KnownNumber
    even: bool


class FirstMoverBid(TypedDict):
    """What going first is worth in a number.

    Attributes
    ----------
    side, field, step
        Whose number pays, and what a step of it is.
    worth
        The whole bid that is nearest to even; null where there is none.
    change, fresh
        The exact one, and the score at the whole one on fresh dice.
    measurable
        Whether the number changes anything.
    offers, left_out
        All that were tried, and how many match-ups were left out.
    """

    side: str
    field: str
    step: Literal[1, "a tenth"]
    worth: float | None
    change: KnownNumber | None
    fresh: KnownNumber | None
    measurable: bool
    offers: list[Offer]
    left_out: Count


class Bid(HandicapHead):
    """What going first is worth in a number of one side.

    Attributes
    ----------
    score
        What going first scores.
    """

    band: Band
    score: KnownNumber
    bid: FirstMoverBid


class CurvePoint(TypedDict):
    """What a number does when it moves.

    Attributes
    ----------
    change, effect
        By how many steps, and what that adds to the score.
    """

    change: float
    effect: KnownNumber


_Step = TypedDict("_Step", {"from": str, "to": str})


class WorthOfChange(_Step):
    """What one change is worth.

    Attributes
    ----------
    side, field, from, to, name
        What changes.
    score, effect
        What the first side scores then, and by how much more.
    measurable
        Whether it changes anything.
    worth, beyond
        The same in steps of the number, and in which direction it lies beyond all that the number can do.
    """

    side: str | None
    field: str
    name: str
    score: KnownNumber
    effect: KnownNumber
    measurable: bool
    worth: KnownNumber | None
    beyond: str | float | bool | None


class WorthsInNumber(TypedDict):
    """What single changes are worth in a number of one side.

    Attributes
    ----------
    side, field
        The number.
    measurable
        Whether it changes anything.
    curve, changes
        What it does, and what every change is worth.
    trials
        Of each question that is simulated.
    """

    side: str
    field: str
    measurable: bool
    curve: list[CurvePoint]
    changes: list[WorthOfChange]
    trials: Count | None


class Worth(HandicapHead):
    """What every single change of a match-up is worth in a number of one side.

    Attributes
    ----------
    first
        Who goes first.
    score
        What the first side scores.
    """

    first: str | None
    score: KnownNumber
    worth: WorthsInNumber


class PointsHead(HandicapHead):
    """What was asked where armies of equal points meet.

    Attributes
    ----------
    budgets
        Points and unit limit of each.
    """

    budgets: list[Annotated[list[float], Field(min_length=2, max_length=2)]]
    band: Band


class FairCostOfTwo(TypedDict):
    """What one should cost against another.

    Attributes
    ----------
    now, against
        What both cost.
    fair, other_fair
        What the one should cost, and what the other should instead.
    verdict, tolerance
        What follows, and points by which the cost may miss.
    bodies
        Whether the one is bought by the piece.
    score
        What the one scores at equal points.
    whole, fresh
        The nearest whole cost, and the score then.
    """

    now: Points
    against: Points
    fair: KnownNumber
    other_fair: KnownNumber
    verdict: str
    tolerance: Points
    bodies: int | float | bool | None
    score: KnownNumber
    whole: float | None
    fresh: KnownNumber


class CostHandicap(PointsHead):
    """What one should cost against another at equal points."""

    cost: FairCostOfTwo


class PointsOfBudget(TypedDict):
    """What going first is worth at one budget."""

    budget: Points
    worth: Points


class PointsBid(TypedDict):
    """What going first is worth in points.

    Attributes
    ----------
    share
        As a share of the budget.
    points
        At each budget.
    score, fresh
        What going first scores, and what it scores with the bid.
    """

    field: Literal["points"]
    share: KnownNumber
    points: list[PointsOfBudget]
    score: KnownNumber
    fresh: KnownNumber


class PointsHandicap(PointsHead):
    """What going first is worth in points."""

    bid: PointsBid


class PageStep(TypedDict):
    """What one thing on a page does, moved alone to one of its values.

    Attributes
    ----------
    question
        The kind of question.
    what, side
        What is moved, and whose it is; empty where it is no side's.
    now, value
        What it is, and what it is moved to, as texts.
    score, change
        What the answer is then, and by how much that differs: the chance that the first side wins where somebody does,
        else the mean of what the question is about.
    """

    question: str
    what: str
    side: str
    now: str
    value: str
    score: float
    change: float


class Page(Source):
    """A page on which the numbers of two cards can be moved.

    Attributes
    ----------
    entrants
        The two cards.
    file
        The page that was written.
    answers
        Kind of question -> how many answers the page holds.
    steps
        What every single step does.
    cannot_see
        Kind of question -> what its answers leave out.
    """

    verb: Literal["page"]
    entrants: list[str]
    file: str
    answers: dict[str, Count]
    steps: list[PageStep]
    cannot_see: dict[str, list[str]]

"""The objects about games that people play: plans of how many games it takes."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from balance.answers.documents.common import Chance, Count
from balance.playtests.need.goals import Goal
from balance.playtests.need.plans import After
from balance.playtests.need.simulation import SimulatedRates


class PlanOutcome(TypedDict):
    """What a plan says of a thing with a true score.

    Attributes
    ----------
    score
        The true one.
    underpowered, fair, overpowered, unknown
        The chance of each verdict.
    games
        How many are played, on average.
    """

    score: Chance
    underpowered: Chance
    fair: Chance
    overpowered: Chance
    unknown: Chance
    games: float


class Look(TypedDict):
    """When to stop at one look: by leads of wins over losses; null where it does not stop so."""

    evening: Count
    games: Count
    underpowered_if_lead_at_most: int | None
    fair_if_lead_from: int | None
    fair_if_lead_to: int | None
    overpowered_if_lead_at_least: int | None


class Plan(TypedDict):
    """One way to play the games.

    Attributes
    ----------
    plan
        Its name.
    games, evenings, games_an_option, games_a_pair
        The most that are played: in all, of each option, and between each two.
    power, error
        How often it names what is off, and how often it is wrong.
    analysis
        How to repeat the verdict, in words.
    simulated
        The plan, played out.
    outcomes, looks
        What it says of whom, and when to stop.
    """

    plan: str
    games: Count
    evenings: Count
    games_an_option: Count
    games_a_pair: Count
    power: Chance
    error: Chance
    analysis: str
    simulated: SimulatedRates
    outcomes: list[PlanOutcome]
    looks: list[Look]


class FewGames(TypedDict):
    """The least difference that so many games tell; null where they tell none."""

    games: Count
    difference: float | None


class Need(Plan):
    """How many games it takes to tell, by the plan that was asked for and by all others.

    Attributes
    ----------
    asked
        What is to be told.
    plans
        By name.
    for_good
        From how many games on every number of them has the power.
    least_power_from_there_on
        The least power of any number of games from the plan's on.
    peeking_error
        How often one would be wrong who looked after every evening nevertheless.
    after
        What so many evenings tell, where that was asked.
    told_by
        What few games tell.
    """

    schema: Literal[1]
    verb: Literal["need"]
    asked: Goal
    plans: dict[str, Plan]
    for_good: int | bool | None
    least_power_from_there_on: float | None
    peeking_error: float | None
    after: After | None
    told_by: list[FewGames]
    seed: int

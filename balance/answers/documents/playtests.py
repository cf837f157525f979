"""The objects about games that people play: ratings of a log, and plans of how many games it takes."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from balance.answers.documents.common import Band, Chance, Count
from balance.playtests.model.answer import (
    Caution,
    Cycle,
    FirstMover,
    FitSaid,
    Oddity,
    PairChance,
    Spread,
    Verdict,
)
from balance.playtests.need.goals import Goal
from balance.playtests.need.plans import After
from balance.playtests.need.simulation import SimulatedRates


class RatedEntrant(TypedDict):
    """One entrant of a log.

    Attributes
    ----------
    rating, low, high
        Strength in log-odds, mean 0, with its interval.
    games, score
        Of the log.
    chance, chance_low, chance_high
        What it scores against all others equally often.
    verdict, sure_low, sure_high
        By intervals that hold for all entrants at once.
    more_games, more_games_reason
        How many more until its verdict is as likely as not, or why no number is given.
    skill_edge
        By how much its own players were stronger, in log-odds; null where nobody says who played.
    told
        What it scored beside what the model says.
    """

    rating: float
    low: float | None
    high: float | None
    games: float
    score: Chance
    chance: Chance
    chance_low: Chance
    chance_high: Chance
    verdict: Verdict
    sure_low: Chance
    sure_high: Chance
    more_games: int | None
    more_games_reason: str
    skill_edge: float | None
    told: str


class Rate(TypedDict):
    """Who of a log of games is too strong, how sure that is, and what to play next.

    Attributes
    ----------
    file, sha256
        The log, and its digest.
    n_rows, n_games
        Of the log.
    columns, assumed, notes
        How it was read, and what the reader should know.
    level
        The chance with which an interval holds the truth.
    draws, prior
        The model.
    chance_means
        What the chance of an entrant means.
    ratings
        By entrant.
    first_mover, draw_share
        What going first is worth, and the share of draws.
    pairs, cycles, oddities, spread, fit, cautions
        Every two, who goes in circles, odd groups of games, effects, how well the model fits, and what to beware of.
    """

    schema: Literal[1]
    verb: Literal["rate"]
    file: str
    sha256: str
    n_rows: Count
    n_games: float
    columns: dict[str, str]
    assumed: list[str]
    notes: list[str]
    band: Band
    level: Chance
    draws: str
    prior: float | None
    seed: int
    chance_means: str
    ratings: dict[str, RatedEntrant]
    first_mover: FirstMover
    draw_share: Chance | None
    pairs: list[PairChance]
    cycles: list[Cycle]
    oddities: list[Oddity]
    spread: list[Spread]
    fit: FitSaid
    cautions: list[Caution]


class RateTemplate(TypedDict):
    """A log to fill in was written.

    Attributes
    ----------
    template
        The file.
    """

    schema: Literal[1]
    verb: Literal["rate"]
    template: str


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

"""What `need` answers: plans side by side, what they say of whom, when to stop, and what few games tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from balance.base.answers import Chance, Count, Doc, Form, Seed
from balance.playtests.need.goals import Goal
from balance.playtests.need.simulation import SimulatedRates

PlanName = Annotated[Literal["fixed", "sequential", "sprt"], Doc("The plan that this is about.")]


@dataclass(frozen=True)
class Plan:
    """One way to play the games."""

    games: Annotated[
        Count, Doc('The most that are played in all; of "sprt", which has no end, what 99 in 100 stay within.')
    ]
    evenings: Annotated[Count, Doc("Evenings that these take.")]
    games_an_option: Annotated[Count, Doc("Of them those of each option.")]
    games_a_pair: Annotated[Count, Doc("Of them those between each two.")]
    power: Annotated[Chance, Doc("How often it names what is off, exactly.")]
    error: Annotated[Chance, Doc("How often it is wrong; of several options the most that all of them come to.")]
    analysis: Annotated[str, Doc("How to repeat the verdict.")]
    simulated: Annotated[SimulatedRates, Doc("The plan, played out as a check.")]


@dataclass(frozen=True)
class Outcome:
    """What a plan says of a thing with a true score."""

    plan: PlanName
    score: Annotated[Chance, Doc("The true one.")]
    underpowered: Annotated[Chance, Doc("That it is called so.")]
    fair: Annotated[Chance, Doc("That it is called so.")]
    overpowered: Annotated[Chance, Doc("That it is called so.")]
    unknown: Annotated[Chance, Doc("That nothing can be said.")]
    games: Annotated[float, Doc("How many are played, on average.")]


@dataclass(frozen=True)
class Look:
    """When a plan stops at one look: by leads of wins over losses; null where it does not stop so."""

    plan: PlanName
    evening: Annotated[Count, Doc("After which it is.")]
    games: Annotated[Count, Doc("Played until then.")]
    underpowered_if_lead_at_most: int | None
    fair_if_lead_from: int | None
    fair_if_lead_to: int | None
    overpowered_if_lead_at_least: int | None


@dataclass(frozen=True)
class FewGames:
    """What few games of one thing tell."""

    games: Count
    difference: Annotated[float | None, Doc("The least from one half that they detect; null where they detect none.")]


@dataclass(frozen=True)
class After:
    """What can be told after so many evenings."""

    evenings: Count
    games: Annotated[Count, Doc("Games of these.")]
    power: Annotated[Chance, Doc("With which they tell what was asked.")]
    difference: Annotated[float | None, Doc("What they tell with the power that was asked for; null for nothing.")]


@dataclass(frozen=True, repr=False)
class NeededGames:
    """How many games it takes to tell, by the plan that was asked for and by all others."""

    schema: Form
    verb: Literal["need"]
    goal: Annotated[Goal, Doc("What is to be told.")]
    plan: Annotated[PlanName, Doc("That which was asked for.")]
    plans: Annotated[
        Mapping[str, Plan],
        Doc('By name, first that which was asked for; of a round robin only "fixed", of a band without "sprt".'),
    ]
    for_good: Annotated[Count, Doc('From how many games of an option on every number has the power of "fixed".')]
    least_power_from_there_on: Annotated[Chance, Doc('The least power of any number of games from that of "fixed" on.')]
    peeking_error: Annotated[
        Chance | None,
        Doc('How often "fixed" is wrong if one looks after every evening; null for bands and round robins.'),
    ]
    outcomes: Annotated[tuple[Outcome, ...], Doc("Of each plan for things of one half and further off.")]
    looks: Annotated[tuple[Look, ...], Doc("Of each plan; none of one look with draws, which count in its analysis.")]
    few: tuple[FewGames, ...]
    after: Annotated[After | None, Doc("What so many evenings tell; null where that was not asked.")]
    seed: Seed

    def __repr__(self) -> str:
        """Return how many games each plan takes, in short."""
        return f"Needed({', '.join(f'{name}: {plan.games} games' for name, plan in self.plans.items())})"

"""Skirmishers: fighters throw dice at each other, alone or in armies. Make it your own game, a rule at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import Field

from balance.game import (
    Asked,
    BoolArray,
    Column,
    Game,
    IntArray,
    Legal,
    Policy,
    PolicyKind,
    Process,
    QuestionKind,
    Rolls,
    State,
    kit,
)

# -- the cards: a class for each table of data/, with the range of every number ---------------------------------------


class Fighter(kit.Card):
    """A row of fighters.csv: beside its id, name and cost_points, what it fights with."""

    dice: Annotated[int, Field(ge=1, le=9), kit.Better("more")]
    health: Annotated[int, Field(ge=1, le=99), kit.Better("more")]


class ArmyList(kit.Named):
    """A row of armies.csv: beside its id and name, who fights in it, from the front to the back."""

    fighters: Annotated[tuple[kit.EntryId, ...], Field(min_length=1, max_length=6)]


class Switches(kit.Rules):
    """What the rulebook leaves open: the rule options of rules.toml."""

    hits_on: Literal["4-6", "5-6"]


class Constants(kit.Record):
    """The numbers of the rulebook: the constants of rules.toml."""

    faces: Annotated[int, Field(ge=6, le=20)]
    front: Annotated[int, Field(ge=1, le=6)]
    all_out_dice: Annotated[int, Field(ge=0, le=9)]


# -- the rules, each once: functions of arrays with a row for every trial ---------------------------------------------


@dataclass(frozen=True)
class Setup:
    """What a question is about: who fights on each side, and the rules in force."""

    armies: kit.Armies
    hits: tuple[int, ...]
    constants: Constants
    first: str
    policies: Mapping[str, Policy]
    inputs: Mapping[str, Any]


def throw(setup: Setup, side: str, n_dice: IntArray, rolls: Rolls) -> IntArray:
    """SK-1: each die that hits takes one health.

    Parameters
    ----------
    setup
        The two sides and the rules.
    side
        The side that throws.
    n_dice
        Its dice in each trial, `int[n]`.
    rolls
        The rolls.
    """
    most = setup.armies.most(side, "dice", setup.constants.front) + setup.constants.all_out_dice
    return rolls.count(setup.constants.faces, most, setup.hits, f"{side} dice", n_dice)


def take_hits(health: IntArray, hits: IntArray) -> IntArray:
    """SK-2: the fighter in front takes the hits; those that it has no health left for, the next one takes.

    Parameters
    ----------
    health
        Health of the fighters, `int[n, k]`, the front first.
    hits
        Hits in each trial, `int[n]`.
    """
    before = health.cumsum(axis=1) - health
    return np.asarray(health - np.clip(hits[:, None] - before, 0, health))


def strike(setup: Setup, side: str, state: State, rolls: Rolls) -> State:
    """SK-3: sides strike in turn. SK-4: a side with health to spare may go all out: more dice, for a hit of its own.

    Parameters
    ----------
    setup
        The two sides and the rules.
    side
        The side that strikes.
    state
        The state of the trials.
    rolls
        The rolls.
    """
    foe = "b" if side == "a" else "a"
    mine, theirs = state[f"{side}_health"], state[f"{foe}_health"]
    legal = np.stack([np.ones(len(mine), bool), mine.sum(axis=1) > 1], axis=1)
    all_out = rolls.choose(side, "effort", legal, {"mine": mine, "theirs": theirs}, ("steady", "all out"))
    in_front = (mine > 0) & ((mine > 0).cumsum(axis=1) <= setup.constants.front)
    n_dice = (state[f"{side}_dice"] * in_front).sum(axis=1) + all_out * setup.constants.all_out_dice
    hits = throw(setup, side, n_dice, rolls)
    return {**state, f"{side}_health": take_hits(mine, all_out), f"{foe}_health": take_hits(theirs, hits)}


def over(state: State) -> BoolArray:
    """SK-5: it is over when a side has no health left."""
    return np.asarray((state["a_health"].sum(axis=1) == 0) | (state["b_health"].sum(axis=1) == 0))


def outcome(state: State, steps: IntArray) -> State:
    """Return what a trial reports: who won, how long it took, and what is left.

    Parameters
    ----------
    state
        The state of the trials at the end.
    steps
        Steps made, `int[n]`.
    """
    a, b = state["a_health"].sum(axis=1), state["b_health"].sum(axis=1)
    return {"winner": np.where(b == 0, 1, np.where(a == 0, 2, 0)), "strikes": steps, "a_health": a, "b_health": b}


def attack(setup: Setup, lane: str) -> tuple[Process, ...]:
    """Return one throw as a process.

    Parameters
    ----------
    setup
        The two sides and the rules.
    lane
        The way of drawing, which this game need not heed.
    """
    n_dice = setup.armies.printed("attacker", "dice").sum(axis=1)

    def step(state: State, rolls: Rolls) -> State:
        return {"damage": throw(setup, "attacker", n_dice.repeat(rolls.n), rolls)}

    return (kit.once({"damage": 0}, [step], ["damage"]),)


def fight(setup: Setup, lane: str) -> tuple[Process, ...]:
    """Return a fight as a process, one for each order of play that is equally likely.

    Parameters
    ----------
    setup
        The two sides and the rules.
    lane
        The way of drawing, which this game need not heed.
    """
    start = setup.armies.start("health", "dice")
    return kit.turn_about(setup.first, start, partial(strike, setup), over, outcome, setup.policies)


# -- policies: how a side chooses, from what it may see ---------------------------------------------------------------


class Stance(kit.Record):
    """What a side brings that no card prints."""

    finish_at: Annotated[
        int, Field(ge=0, le=99, description="Health left to a foe that `finisher` goes all out at.")
    ] = 2


@dataclass(frozen=True)
class AllOut:
    """Goes all out whenever the foe has at most this much health left."""

    at: int

    def choose(self, name: str, legal: Legal, view: Mapping[str, IntArray], rolls: Rolls) -> IntArray:
        """Return 1 for all out and 0 for steady, for every trial.

        Parameters
        ----------
        name
            Name of the choice.
        legal
            The legal options of each trial.
        view
            What the side may see, by name.
        rolls
            Rolls for a policy that mixes.
        """
        return np.where(np.asarray(legal)[:, 1] & (view["theirs"].sum(axis=1) <= self.at), 1, 0)


EFFORT = {
    "steady": "never goes all out",
    "bold": "goes all out whenever it may",
    "finisher": "goes all out when the foe has no more than `finish_at` health left",
}


def policy(name: str, stance: Stance) -> Policy:
    """Return the policy of this name.

    Parameters
    ----------
    name
        Name of the policy.
    stance
        How the side wishes to play.
    """
    return AllOut({"steady": 0, "bold": 999, "finisher": stance.finish_at}[name])


# -- who takes the field, and what can be asked -----------------------------------------------------------------------


FIGHTER = kit.cards_of("fighters", Fighter, "fighter")
ARMY = kit.army_lists("armies", ArmyList, FIGHTER, "fighters")


def setup(asked: Asked[Switches, kit.Record, kit.CardSide[Stance]]) -> Setup:
    """Gather what a question is about; a fighter is an army of one."""
    armies = kit.Armies.of(asked.sides)
    chosen = {side: asked.choices[f"policy_{side}"] for side in asked.sides} if asked.choices else {}
    policies = {side: policy(name, asked.sides[side].stance) for side, name in chosen.items()}
    hits = tuple(range(int(asked.rules.hits_on[0]), 7))
    return Setup(armies, hits, cast("Constants", asked.catalogue.constants), asked.first, policies, asked.inputs())


ATTACK = QuestionKind(
    "attack",
    ("attacker", "defender"),
    (FIGHTER, FIGHTER),
    attack,
    {"damage": Column("health taken", "effect", per="throw")},
    setup,
    asks="what one throw does",
    played="One throw at a fighter; nobody wins.",
    cannot_see=("Health: damage counts even beyond what is left.",),
)
DUEL = QuestionKind(
    "duel",
    ("a", "b"),
    (FIGHTER, FIGHTER),
    fight,
    {
        "winner": kit.WINNER,
        "strikes": Column("strikes made", "duration"),
        **kit.per_side("health", "health {me} has left"),
    },
    setup,
    asks="who wins a duel",
    unbounded=True,
    turn_orders=kit.TURN_ORDERS,
    policies=kit.each_side(
        "policy",
        PolicyKind("How hard it strikes.", EFFORT, quick=tuple(EFFORT), parameters={"finisher": ("finish_at",)}),
        name="{of}_{side}",
    ),
    played="Two fighters strike in turn until one falls; the other wins.",
    cannot_see=("Room: everybody reaches everybody.",),
    stances=(Stance, Stance),
)
BATTLE = replace(
    DUEL,
    name="battle",
    takes=(ARMY, ARMY),
    armies=kit.any_armies(FIGHTER, setup, fight),
    asks="who wins a battle of armies",
    played="Two armies strike in turn, each with those in front, until one has nobody left; the other wins.",
)

KINDS = (ATTACK, DUEL, BATTLE)
TABLES = kit.tables_of(
    "skirmishers",
    Switches,
    Constants,
    (kit.names_known("armies", fighters="fighters"),),
    fighters=Fighter,
    armies=ArmyList,
)
GAME = Game(
    name="skirmishers",
    title="Skirmishers",
    spec=TABLES,
    kinds={kind.name: kind for kind in KINDS},
    folder=Path(__file__).parent / "data",
)

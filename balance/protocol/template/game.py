"""Skirmishers: fighters throw dice at each other. Change it into your own game, a rule at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import Field

from balance.catalogue import CatalogueSpec, EntryId, Name, Record, Rules, TableSpec
from balance.core import Process, Rolls, State
from balance.pmf.arrays import IntArray
from balance.protocol.asked import Asked
from balance.protocol.game import Column, Game, Lane, Rung
from balance.protocol.kit import RULE_IDS, TURN_ORDERS, WINNER, CardSide, cards_of, orders

# -- the cards: one class per table of data/, with the range of every number ------------------------------------------


class Fighter(Record):
    """A row of fighters.csv."""

    id: EntryId
    name: Name
    cost_points: Annotated[int, Field(ge=0, le=999)]
    dice: Annotated[int, Field(ge=1, le=9)]
    health: Annotated[int, Field(ge=1, le=99)]


class Switches(Rules):
    """What the rulebook leaves open: the switches of rules.toml."""

    hits_on: Literal["4-6", "5-6"]


class Constants(Record):
    """The numbers of the rulebook: the constants of rules.toml."""

    faces: Annotated[int, Field(ge=6, le=20)]


# -- a question: two fighters and the rules in force ------------------------------------------------------------------


@dataclass(frozen=True)
class Setup:
    """Two fighters, who strikes first, and on which faces a die hits."""

    one: Fighter
    other: Fighter
    faces: int
    hits: tuple[int, ...]
    first: str
    inputs: Mapping[str, Any]


def setup(asked: Asked[Switches, Record, CardSide[Any]]) -> Setup:
    """Take both fighters as they were asked about, after what `--set` changes."""
    one, other = (side.card for side in asked.sides.values())
    faces = cast("Constants", asked.catalogue.constants).faces
    return Setup(one, other, faces, tuple(range(int(asked.rules.hits_on[0]), 7)), asked.first, asked.inputs())


# -- the rules, each once: functions of arrays that hold a value for every trial --------------------------------------


def throw(fighter: Fighter, setup: Setup, name: str, rolls: Rolls) -> IntArray:
    """SK-1: each die that hits takes one health."""
    return rolls.count(setup.faces, fighter.dice, setup.hits, name)


def attack(setup: Setup, lane: Lane) -> tuple[Process, ...]:
    """One throw at a fighter."""

    def step(state: State, rolls: Rolls) -> State:
        return {"damage": throw(setup.one, setup, "attacker", rolls)}

    return (Process({"damage": 0}, (step,), lambda s: s["damage"] < 0, lambda s, steps: s, max_steps=1),)


def strike(setup: Setup, side: str, state: State, rolls: Rolls) -> State:
    """SK-2: fighters strike in turn until one falls."""
    fighter, foe = (setup.one, "b") if side == "a" else (setup.other, "a")
    return {**state, foe: state[foe] - throw(fighter, setup, side, rolls)}


def outcome(state: State, steps: IntArray) -> State:
    """SK-3: who stands has won."""
    return {"winner": np.where(state["b"] <= 0, 1, np.where(state["a"] <= 0, 2, 0)), "strikes": steps}


def duel(setup: Setup, lane: Lane) -> tuple[Process, ...]:
    """One process for each order of play; at random both are equally likely."""
    return tuple(
        Process(
            {"a": setup.one.health, "b": setup.other.health},
            tuple(partial(strike, setup, side) for side in order),
            lambda state: (state["a"] <= 0) | (state["b"] <= 0),
            outcome,
            max_steps=10_000,
        )
        for order in orders(setup.first)
    )


# -- what the toolkit is told -----------------------------------------------------------------------------------------


FIGHTER = cards_of("fighters", Fighter)

GAME = Game(
    name="skirmishers",
    title="Skirmishers",
    spec=CatalogueSpec("skirmishers", (TableSpec("fighters", "fighters.csv", Fighter),), Switches, Constants),
    rule_ids=RULE_IDS,
    rungs={
        "attack": Rung(
            "attack",
            ("attacker", "defender"),
            (FIGHTER, FIGHTER),
            setup,
            attack,
            {"damage": Column("health taken", "effect", per="action")},
            asks="what one throw does",
            played="One throw at a fighter; nobody wins.",
            cannot_see=("Health: damage counts even beyond what is left.",),
        ),
        "duel": Rung(
            "duel",
            ("a", "b"),
            (FIGHTER, FIGHTER),
            setup,
            duel,
            {"winner": WINNER, "strikes": Column("strikes made", "duration")},
            asks="who wins a duel",
            endless=True,
            seats=TURN_ORDERS,
            played="Two fighters strike in turn until one falls; the other wins.",
            cannot_see=("Friends: nobody helps.",),
        ),
    },
    folder=Path(__file__).parent / "data",
)

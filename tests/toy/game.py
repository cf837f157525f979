"""Skirmish: fighters throw dice at each other; that is all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.catalogue import CatalogueSpec, EntryId, Name, Record, Rules, TableSpec
from balance.core import Process, Rolls, State
from balance.pmf.arrays import IntArray
from balance.protocol.asked import Asked
from balance.protocol.game import Column, Game, Lane, Rung
from balance.protocol.kit import TURN_ORDERS, WINNER, CardSide, cards_of, once, orders


class Fighter(Record):
    """One fighter."""

    id: EntryId
    name: Name
    cost_points: Annotated[int, Field(ge=0, le=999)]
    dice: Annotated[int, Field(ge=1, le=9)]
    health: Annotated[int, Field(ge=1, le=99)]


class SkirmishRules(Rules):
    """The switches."""

    hits_on: Literal["4-6", "5-6"]


class Constants(Record):
    """The numbers of the rulebook."""

    faces: Annotated[int, Field(ge=2, le=20)]


@dataclass(frozen=True)
class Setup:
    """Two fighters and who strikes first."""

    one: Fighter
    other: Fighter
    success: tuple[int, ...]
    first: str
    inputs: Mapping[str, Any]


def setup(asked: Asked[SkirmishRules, Record, CardSide[Any]]) -> Setup:
    one, other = (side.card for side in asked.sides.values())
    return Setup(one, other, (4, 5, 6) if asked.rules.hits_on == "4-6" else (5, 6), asked.first, asked.inputs())


def throw(fighter: Fighter, success: tuple[int, ...], name: str, rolls: Rolls) -> IntArray:
    """TOY-1: each die that hits takes one health."""
    return rolls.count(6, fighter.dice, success, name)


def attack(setup: Setup, lane: Lane) -> tuple[Process, ...]:
    def step(state: State, rolls: Rolls) -> State:
        return {"damage": throw(setup.one, setup.success, "throw", rolls)}

    return (once({"damage": 0}, [step], ["damage"]),)


def strike(setup: Setup, side: str, state: State, rolls: Rolls) -> State:
    """TOY-2: fighters strike in turn until one falls."""
    fighter, foe = (setup.one, "b") if side == "a" else (setup.other, "a")
    return {**state, foe: state[foe] - throw(fighter, setup.success, f"{side} throw", rolls)}


def outcome(state: State, steps: IntArray) -> State:
    a, b = state["a"], state["b"]
    return {"winner": np.where(b <= 0, 1, np.where(a <= 0, 2, 0)), "strikes": steps}


def duel(setup: Setup, lane: Lane) -> tuple[Process, ...]:
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


FIGHTER = cards_of("fighters", Fighter)

GAME = Game(
    name="skirmish",
    title="Skirmish",
    spec=CatalogueSpec("skirmish", (TableSpec("fighters", "fighters.csv", Fighter),), SkirmishRules, Constants),
    rungs={
        "attack": Rung(
            "attack",
            ("attacker", "defender"),
            (FIGHTER, FIGHTER),
            attack,
            {"damage": Column("health taken", "effect", per="action")},
            setup,
            asks="what one throw does",
            played="One throw at a fighter; nobody wins.",
            cannot_see=("Health: damage counts even beyond what is left.",),
        ),
        "duel": Rung(
            "duel",
            ("a", "b"),
            (FIGHTER, FIGHTER),
            duel,
            {"winner": WINNER, "strikes": Column("strikes made", "duration")},
            setup,
            asks="who wins a duel",
            endless=True,
            seats=TURN_ORDERS,
            played="Two fighters throw turn about until one falls; the other wins.",
            cannot_see=("Friends: nobody helps.",),
        ),
    },
    folder=Path(__file__).parent / "data",
)

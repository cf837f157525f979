"""Skirmish: fighters throw dice at each other; that is all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.game import Column, Game, PolicyKind, QuestionKind, Rolls, Setup, State, kit


class Fighter(kit.Card):
    """One fighter."""

    dice: Annotated[int, Field(ge=1, le=9)]
    health: Annotated[int, Field(ge=1, le=99)]


class SkirmishRules(kit.Rules):
    """The rule options."""

    hits_on: Literal["4-6", "5-6"]


class Constants(kit.Record):
    """The numbers of the rulebook."""

    faces: Annotated[int, Field(ge=2, le=20)]


@dataclass(frozen=True)
class AllOut:
    """Goes all out while its foe has at most so much health."""

    at: int

    def choose(self, name: str, legal: Any, view: State, rolls: Rolls) -> Any:
        return (legal[:, 1] & (view["theirs"] <= self.at)).astype(int)


def throw(setup: Setup[Any], side: str, name: str, rolls: Rolls, times: Any = 1) -> Any:
    """TOY-1: each die that hits takes one health."""
    dice, hits_on = setup.play.sides[side].card.dice, setup.play.rules.hits_on
    return rolls.count(
        setup.play.constants.faces, 2 * dice, (4, 5, 6) if hits_on == "4-6" else (5, 6), name, dice * times
    )


def attack(setup: Setup[Any], lane: str) -> Any:
    def step(state: State, rolls: Rolls) -> State:
        return {"damage": throw(setup, "attacker", "throw", rolls)}

    return (kit.once({"damage": 0}, [step], ["damage"]),)


def strike(setup: Setup[Any], side: str, state: State, rolls: Rolls) -> State:
    """TOY-2: fighters strike in turn until one falls. TOY-3: all out is twice the dice, for one health."""
    foe = {"a": "b", "b": "a"}[side]
    legal = np.stack([np.ones(rolls.n, bool), state[side] > 1], axis=1)
    view = {"mine": state[side], "theirs": state[foe]}
    all_out = rolls.choose(side, f"{side} effort", legal, view, ("steady", "all out"))
    hits = throw(setup, side, f"{side} throw", rolls, 1 + all_out)
    return {**state, side: state[side] - all_out, foe: state[foe] - hits}


def outcome(state: State, steps: Any) -> State:
    a, b = state["a"], state["b"]
    return {"winner": np.where(b <= 0, 1, np.where(a <= 0, 2, 0)), "strikes": steps}


def duel(setup: Setup[Any], lane: str) -> Any:
    asked, start = setup.play, {side: found.card.health for side, found in setup.play.sides.items()}
    return kit.turn_about(asked.first, start, partial(strike, setup), fallen, outcome, asked.policies)


def fallen(state: State) -> Any:
    return (state["a"] <= 0) | (state["b"] <= 0)


FIGHTER = kit.cards_of("fighters", Fighter)
EFFORT = {"steady": "never goes all out", "bold": "always does", "finisher": "does while the foe has 2 health or less"}
PLAYS = {"steady": AllOut(0), "bold": AllOut(99), "finisher": AllOut(2)}
ATTACK = QuestionKind(
    "attack",
    ("attacker", "defender"),
    (FIGHTER, FIGHTER),
    attack,
    {"damage": Column("health taken", "effect", per="action")},
    asks="what one throw does",
    played="One throw at a fighter; nobody wins.",
    cannot_see=("Health: damage counts even beyond what is left.",),
)
DUEL = QuestionKind(
    "duel",
    ("a", "b"),
    (FIGHTER, FIGHTER),
    duel,
    {"winner": kit.WINNER, "strikes": Column("strikes made", "duration")},
    asks="who wins a duel",
    unbounded=True,
    turn_orders=kit.TURN_ORDERS,
    policies=kit.each_side("effort", PolicyKind("When it goes all out.", EFFORT, plays=PLAYS)),
    played="Two fighters throw turn about until one falls; the other wins.",
    cannot_see=("Friends: nobody helps.",),
)
GAME = Game(
    name="skirmish",
    title="Skirmish",
    spec=kit.tables_of("skirmish", SkirmishRules, Constants, fighters=Fighter),
    kinds={"attack": ATTACK, "duel": DUEL},
    folder=Path(__file__).parent / "data",
)

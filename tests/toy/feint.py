"""Feint: two fighters with a hidden card each, and a surge to spend once. Dice, cards, a choice, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
from pydantic import Field

from balance.catalogue import EntryId, Name, Record, Rules
from balance.core import Policy, Process, Rolls, State
from balance.pmf.arrays import IntArray
from balance.protocol.asked import Asked
from balance.protocol.game import Column, Game, Lane, PolicyKind, QuestionKind
from balance.protocol.kit import WINNER, CardSide, cards_of, tables_of


class Fighter(Record):
    id: EntryId
    name: Name
    cost_points: Annotated[int, Field(ge=0, le=999)]
    dice: Annotated[int, Field(ge=1, le=9)]
    health: Annotated[int, Field(ge=1, le=99)]


class Constants(Record):
    cards: Annotated[int, Field(ge=2, le=9)]
    rounds: Annotated[int, Field(ge=1, le=9)]
    surge: Annotated[int, Field(ge=1, le=9)]


@dataclass(frozen=True)
class Setup:
    fighters: tuple[Fighter, Fighter]
    constants: Constants
    policies: Mapping[str, Policy]
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Spender:
    """Spends its surge with a card up to `highest`, and there so many times in two."""

    highest: int
    in_two: int = 2

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        willing = (view["card"] <= self.highest) & (rolls.uniform(2, "coin") < self.in_two)
        return np.asarray(legal[:, 1] & willing, np.int64)


POLICIES = {"never": Spender(-1), "at once": Spender(99), "low": Spender(1, in_two=1)}
SPEND = {"never": "keeps it", "at once": "in the first round", "low": "on a coin, with the lower cards"}


def setup(asked: Asked[Rules, Record, CardSide[Any]]) -> Setup:
    one, other = (side.card for side in asked.sides.values())
    policies = {side: POLICIES[asked.choices[f"policy_{side}"]] for side in "ab"}
    return Setup((one, other), cast("Constants", asked.catalogue.constants), policies, asked.inputs())


def begin(setup: Setup, rolls: Rolls, n: int) -> State:
    """FEINT-1: columns of either side stand side by side, `[n, 2]`."""
    health = np.tile(np.array([fighter.health for fighter in setup.fighters], np.int16), (n, 1))
    return {"card": rolls.deal(setup.constants.cards, 2, "deck"), "surge": np.ones((n, 2), bool), "health": health}


def clash(setup: Setup, state: State, rolls: Rolls) -> State:
    """FEINT-2, FEINT-3: both choose at once, then the stronger throws."""
    spent = []
    for me, side in enumerate("ab"):
        legal = np.stack([np.ones(rolls.n, bool), state["surge"][:, me]], axis=1)
        view = {"card": state["card"][:, me], "surge": state["surge"], "health": state["health"]}
        spent.append(rolls.choose(side, f"{side} surge", legal, view, ("keep", "spend")) == 1)
    spends = np.stack(spent, axis=1)
    strength, health = state["card"] + setup.constants.surge * spends, state["health"].copy()
    for me, fighter in enumerate(setup.fighters):
        ahead = strength[:, me] > strength[:, 1 - me]
        health[:, 1 - me] -= rolls.count(6, fighter.dice, (4, 5, 6), f"{'ab'[me]} throw", fighter.dice * ahead)
    return {"card": state["card"], "surge": state["surge"] & ~spends, "health": health}


def outcome(state: State, steps: IntArray) -> State:
    """FEINT-4."""
    score = np.maximum(state["health"], 0) + state["surge"]
    return {"winner": np.select([score[:, 0] > score[:, 1], score[:, 0] < score[:, 1]], [1, 2], 0), "rounds": steps}


def duel(setup: Setup, lane: Lane) -> tuple[Process, ...]:
    begun, steps, rounds = partial(begin, setup), (partial(clash, setup),), setup.constants.rounds
    return (Process(begun, steps, lambda s: s["health"].min(axis=1) <= 0, outcome, rounds, setup.policies),)


def conceal(setup: Setup, state: State, side: str, rolls: Rolls) -> State:
    """Deal the other side another card."""
    me, card = "ab".index(side), state["card"].copy()
    card[:, 1 - me] = rolls.pick(np.arange(setup.constants.cards) != card[:, me, None], "card")
    return {**state, "card": card}


SPEC = tables_of("feint", Rules, Constants, fighters=Fighter)
DUEL = QuestionKind(
    "duel",
    ("a", "b"),
    (cards_of("fighters", Fighter),) * 2,
    duel,
    {"winner": WINNER, "rounds": Column("rounds fought", "duration")},
    setup,
    asks="who wins a duel",
    policies={f"policy_{side}": PolicyKind("When it spends its surge.", SPEND, side) for side in "ab"},
    played="Two rounds, or until one falls; more health left and an unspent surge win.",
    cannot_see=("Friends: nobody helps.",),
    conceal=conceal,
)
GAME = Game("feint", "Feint", SPEC, {"duel": DUEL}, folder=Path(__file__).parent / "feint_data")

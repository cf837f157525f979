"""Feint: two fighters with a hidden card each, and a surge to spend once. Dice, cards, a choice, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from balance.game import Column, Game, PolicyKind, Process, QuestionKind, Rolls, Setup, State, kit


class Fighter(kit.Card):
    dice: Annotated[int, Field(ge=1, le=9)]
    health: Annotated[int, Field(ge=1, le=99)]


class Constants(kit.Record):
    cards: Annotated[int, Field(ge=2, le=9)]
    rounds: Annotated[int, Field(ge=1, le=9)]
    surge: Annotated[int, Field(ge=1, le=9)]


@dataclass(frozen=True)
class Spender:
    """Spends its surge with a card up to `highest`, and there so many times in two."""

    highest: int
    in_two: int = 2

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> Any:
        willing = (view["card"] <= self.highest) & (rolls.uniform(2, "coin") < self.in_two)
        return np.asarray(legal[:, 1] & willing, np.int64)


POLICIES = {"never": Spender(-1), "at once": Spender(99), "low": Spender(1, in_two=1)}
SPEND = {"never": "keeps it", "at once": "in the first round", "low": "on a coin, with the lower cards"}


def fighters(setup: Setup[Any]) -> list[Any]:
    return [side.card for side in setup.play.sides.values()]


def begin(setup: Setup[Any], rolls: Rolls, n: int) -> State:
    """FEINT-1: columns of either side stand side by side, `[n, 2]`."""
    health = np.tile(np.array([fighter.health for fighter in fighters(setup)], np.int16), (n, 1))
    return {"card": rolls.deal(setup.play.constants.cards, 2, "deck"), "surge": np.ones((n, 2), bool), "health": health}


def clash(setup: Setup[Any], state: State, rolls: Rolls) -> State:
    """FEINT-2, FEINT-3: both choose at once, then the stronger throws."""
    spent = []
    for me, side in enumerate("ab"):
        legal = np.stack([np.ones(rolls.n, bool), state["surge"][:, me]], axis=1)
        view = {"card": state["card"][:, me], "surge": state["surge"], "health": state["health"]}
        spent.append(rolls.choose(side, f"{side} surge", legal, view, ("keep", "spend")) == 1)
    spends = np.stack(spent, axis=1)
    strength, health = state["card"] + setup.play.constants.surge * spends, state["health"].copy()
    for me, fighter in enumerate(fighters(setup)):
        ahead = strength[:, me] > strength[:, 1 - me]
        health[:, 1 - me] -= rolls.count(6, fighter.dice, (4, 5, 6), f"{'ab'[me]} throw", fighter.dice * ahead)
    return {"card": state["card"], "surge": state["surge"] & ~spends, "health": health}


def outcome(state: State, steps: Any) -> State:
    """FEINT-4."""
    score = np.maximum(state["health"], 0) + state["surge"]
    return {"winner": np.select([score[:, 0] > score[:, 1], score[:, 0] < score[:, 1]], [1, 2], 0), "rounds": steps}


def duel(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
    begun, steps, rounds = partial(begin, setup), (partial(clash, setup),), setup.play.constants.rounds
    return (Process(begun, steps, lambda s: s["health"].min(axis=1) <= 0, outcome, rounds, setup.play.policies),)


def conceal(setup: Setup[Any], state: State, side: str, rolls: Rolls) -> State:
    """Deal the other side another card."""
    me, card = "ab".index(side), state["card"].copy()
    card[:, 1 - me] = rolls.pick(np.arange(setup.play.constants.cards) != card[:, me, None], "card")
    return {**state, "card": card}


SPEC = kit.tables_of("feint", kit.Rules, Constants, fighters=Fighter)
DUEL = QuestionKind(
    "duel",
    ("a", "b"),
    (kit.cards_of("fighters", Fighter),) * 2,
    duel,
    {"winner": kit.WINNER, "rounds": Column("rounds fought", "duration")},
    asks="who wins a duel",
    policies=kit.each_side(
        "policy", PolicyKind("When it spends its surge.", SPEND, plays=POLICIES), name="{of}_{side}"
    ),
    played="Two rounds, or until one falls; more health left and an unspent surge win.",
    cannot_see=("Friends: nobody helps.",),
    conceal=conceal,
)
GAME = Game("feint", "Feint", SPEC, {"duel": DUEL}, folder=Path(__file__).parent / "feint_data")

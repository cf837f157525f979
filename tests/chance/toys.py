"""Small processes with known answers."""

from __future__ import annotations

from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls

HIT = Pmf.of({0: 5, 1: 2, 2: 3}, "damage")
"""A distribution of damage on ten equal faces."""


def until_success(good: int, faces: int, max_steps: int = 100_000) -> Process:
    """Roll a die until it shows at most `good`; the column is `rolls`, which is geometric."""

    def step(state: State, rolls: Rolls) -> State:
        return {"done": rolls.count(faces, 1, list(range(1, good + 1)), "die")}

    return Process({"done": 0}, (step,), lambda s: s["done"] > 0, lambda s, steps: {"rolls": steps}, max_steps)


def gamblers_ruin(fortune: int, goal: int, good: int, faces: int) -> Process:
    """Win 1 with chance good / faces, else lose 1, until nothing or `goal` is left; the column is `rich`."""

    def step(state: State, rolls: Rolls) -> State:
        won = rolls.count(faces, 1, list(range(1, good + 1)), "die")
        return {"fortune": (state["fortune"] + 2 * won - 1).astype(np.int16)}

    def over(state: State) -> BoolArray:
        return np.isin(state["fortune"], [0, goal])

    return Process({"fortune": fortune}, (step,), over, lambda s, steps: {"rich": s["fortune"] == goal}, 1_000_000)


def race(a_health: int, b_health: int, literal: bool = False) -> Process:
    """Two sides strike in turn with `HIT`, a first, until one falls; columns `winner` (1 or 2) and `rounds`."""
    stack = DistributionStack((HIT,))

    def strike(me: str, foe: str, state: State, rolls: Rolls) -> State:
        if literal:
            face = rolls.d(10, 1, f"{me} die")[:, 0]
            damage: IntArray = np.select([face <= 5, face <= 7], [0, 1], 2)
        else:
            damage = rolls.draw(stack, 0, f"{me} die")["damage"]
        return {**state, foe: (state[foe] - damage).astype(np.int16)}

    def outcome(state: State, steps: IntArray) -> State:
        return {"winner": np.where(state["b"] <= 0, 1, 2), "rounds": (steps + 1) // 2}

    steps = (partial(strike, "a", "b"), partial(strike, "b", "a"))
    return Process(
        {"a": a_health, "b": b_health}, steps, lambda s: (s["a"] <= 0) | (s["b"] <= 0), outcome, max_steps=10_000
    )


def kill(health: int) -> Process:
    """Strike with `HIT` until `health` is gone; the column is `strikes`."""
    stack = DistributionStack((HIT,))

    def step(state: State, rolls: Rolls) -> State:
        return {"health": (state["health"] - rolls.draw(stack, 0, "hit")["damage"]).astype(np.int16)}

    return Process({"health": health}, (step,), lambda s: s["health"] <= 0, lambda s, n: {"strikes": n}, 10_000)

"""Kinds of question for a game file whose steps nobody plays: each attack is a die that hits from `skill` to `crit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from balance.game import Asked, Column, Process, QuestionKind, Rolls, State, kit
from balance.rulebook.catalogue import ARMIES, UNITS
from balance.rulebook.text import Rulebook
from balance.rulebook.text.records import ArmyList, unit_record


@dataclass(frozen=True)
class Setup:
    armies: kit.Armies
    hit: tuple[int, ...]
    damage: int
    first: str
    inputs: Mapping[str, Any]


def setup(asked: Asked[Any, Any, Any]) -> Setup:
    hit = tuple(range(4, asked.catalogue.constants.crit + 1))  # type: ignore[attr-defined]
    damage = 1 + int(asked.rules.crits_double)
    return Setup(kit.Armies.of(asked.sides), hit, damage, asked.first, asked.inputs())


def hits(play: Setup, side: str, n_dice: Any, rolls: Rolls) -> Any:
    return play.damage * rolls.count(6, play.armies.most(side, "attacks", 64), play.hit, f"{side} dice", n_dice)


def attack(play: Setup, lane: str) -> tuple[Process, ...]:
    n_dice = play.armies.printed("attacker", "attacks").sum(axis=1)

    def step(state: State, rolls: Rolls) -> State:
        return {"damage": hits(play, "attacker", n_dice.repeat(rolls.n), rolls)}

    return (kit.once({"damage": 0}, [step], ["damage"]),)


def strike(play: Setup, side: str, state: State, rolls: Rolls) -> State:
    foe = "b" if side == "a" else "a"
    mine, theirs = state[f"{side}_wounds"], state[f"{foe}_wounds"]
    before = theirs.cumsum(axis=1) - theirs
    n_hits = hits(play, side, (state[f"{side}_attacks"] * (mine > 0)).sum(axis=1), rolls)
    return {**state, f"{foe}_wounds": np.asarray(theirs - np.clip(n_hits[:, None] - before, 0, theirs))}


def over(state: State) -> Any:
    return (state["a_wounds"].sum(axis=1) == 0) | (state["b_wounds"].sum(axis=1) == 0)


def outcome(state: State, steps: Any) -> State:
    a, b = state["a_wounds"].sum(axis=1), state["b_wounds"].sum(axis=1)
    return {"winner": np.where(b == 0, 1, 2), "strikes": steps, "a_health": a, "b_health": b}


def fight(play: Setup, lane: str) -> tuple[Process, ...]:
    start = play.armies.start("wounds", "attacks")
    return kit.turn_about(play.first, start, partial(strike, play), over, outcome)


def kinds_of(rulebook: Rulebook) -> dict[str, QuestionKind]:
    unit = kit.cards_of(UNITS, unit_record(rulebook.fields), "unit")
    army = kit.army_lists(ARMIES, ArmyList, unit, "units")
    words: dict[str, Any] = {"asks": "what happens", "played": "Dice are rolled.", "cannot_see": ("All else.",)}
    damage = {"damage": Column("damage", "effect", per="attack")}
    ends = {"winner": kit.WINNER, "strikes": Column("strikes", "duration"), **kit.per_side("health", "health of {me}")}
    one = QuestionKind("attack", ("attacker", "defender"), (unit, unit), attack, damage, setup, **words)
    duel = QuestionKind(
        "duel", ("a", "b"), (unit, unit), fight, ends, setup, unbounded=True, turn_orders=kit.TURN_ORDERS, **words
    )
    battle = replace(duel, name="battle", takes=(army, army), armies=kit.any_armies(unit, setup, fight))
    return {kind.name: kind for kind in (one, duel, battle)}

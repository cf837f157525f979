"""What hurts heroes outside encounters: traps, and what searches and decisions do to them (IS-SAVE.4, IS-HP.3)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, draw
from balance.games.immortal_souls.quest.campaign import Campaign
from balance.games.immortal_souls.quest.state import Log, drop, fail, health_left, open_trials, pick_up

NEAR_DOOR, NEAR_CHEST = 1, 0
"""How far the hero who opens is from a trap: a door is a side of his area."""


def spring_trap(
    campaign: Campaign, state: State, where: BoolArray, opener: IntArray, at: str, rolls: Rolls, log: Log
) -> None:
    """Draw a trap and let everybody within its radius save, whoever sees it (IS-SAVE.4); `at` is "door" or "chest"."""
    card, state["trap_deck"] = draw(state["trap_deck"], where, DISCARD_PILE, rolls, "trap")
    drawn, traps = card >= 0, campaign.deck.traps
    state["traps"] += drawn
    radius = np.array([trap.radius for trap in traps])[card]
    log("trap", drawn, card=card, opener=opener, radius=radius, at=at)
    fails = np.zeros(state["h_ghost"].shape, bool)
    for hero in range(campaign.n_heroes):
        near = NEAR_DOOR if at == "door" else NEAR_CHEST
        distance = np.where(opener == hero, near, 1 + campaign.is_careful)
        meets = drawn & (radius >= distance) & ~state["h_ghost"][:, hero]
        fails[:, hero] = meets & ~_saves(campaign, hero, meets, rolls, log)
    wounds = np.array([trap.wounds for trap in traps])[card]
    conditions = [trap.condition for trap in traps]
    for hero in range(campaign.n_heroes):
        for condition in dict.fromkeys(conditions):
            same = np.array([name == condition for name in conditions])[card]
            harm(campaign, state, hero, fails[:, hero] & same, (wounds, condition), "trap", log)
    bury(campaign, state, drawn, log)


def _saves(campaign: Campaign, hero: int, meets: BoolArray, rolls: Rolls, log: Log) -> BoolArray:
    """Return where a hero's save succeeds, `bool[n]` (IS-SAVE.1): the face of any of his dice has his result."""
    dice = rolls.d(len(campaign.blue), campaign.heroes.dice[hero], "trap save")
    success = campaign.heroes.saves[hero][dice - 1].any(axis=1)
    log("save", meets, hero=hero, faces=dice, success=success)
    return np.asarray(success)


def harm(
    campaign: Campaign, state: State, hero: int, where: BoolArray, harms: tuple[IntArray, str], cause: str, log: Log
) -> None:
    """Deal wounds, `int[n]`, and a condition to a hero; one that he has already is a wound instead (IS-COND.2)."""
    wounds, condition = harms
    where = where & ((wounds > 0) | (condition != "none"))
    if not where.any():
        return
    wounds = np.where(where, wounds, 0)
    if condition != "none":
        wounds = wounds + _afflict(campaign, state, hero, where, condition)
    wounds = np.minimum(wounds, health_left(campaign, state)[:, hero])
    state["h_wounds"][:, hero] += wounds.astype(np.int16)
    state["wounds"] += wounds.astype(np.int16)
    log("wounds", where, hero=hero, wounds=wounds, condition=None if condition == "none" else condition, cause=cause)


def _afflict(campaign: Campaign, state: State, hero: int, where: BoolArray, condition: str) -> IntArray:
    """Give a hero a condition, and return the wounds of those he had already, `int[n]`; fire tokens add up."""
    if condition.startswith("fire"):
        state[f"h_{condition}"][:, hero] += where
        return np.zeros(len(where), np.int64)
    name, level = condition.rstrip("12"), 2 if condition.endswith("2") else 1
    before, rules = state[f"h_{name}"][:, hero].copy(), campaign.rules
    state[f"h_{name}"][:, hero] = np.where(where, np.maximum(before, level), before)
    hurts = rules.repeated_condition_wounds and not (name == "ko" and rules.knocked_out_again == "nothing")
    return np.asarray((where & (before > 0)) * campaign.constants.conditions.repeated_wounds * hurts)


def bury(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Turn heroes without health into ghosts; the others pick up what they drop, or all have failed (IS-HP.3)."""
    dead = where[:, None] & ~state["h_ghost"] & (health_left(campaign, state) <= 0)
    if not dead.any():
        return
    for hero in range(campaign.n_heroes):
        dies = dead[:, hero]
        state["h_ghost"][:, hero] |= dies
        rank = np.maximum(state["h_rank"][:, hero] - campaign.constants.party.ranks_lost, 1)
        state["h_rank"][:, hero] = np.where(dies, rank, state["h_rank"][:, hero])
        for name in ("wounds", *campaign.marks):
            state[f"h_{name}"][dies, hero] = 0
        state["deaths"] += dies
        log("death", dies, hero=hero)
        drop(campaign, state, hero, dies, log)
    fail(state, where & state["h_ghost"].all(axis=1), "ghosts", log)
    pick_up(campaign, state, dead.any(axis=1) & open_trials(state), log)

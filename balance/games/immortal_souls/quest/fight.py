"""The encounter of a room: the engine of encounters plays it for all parties with the same gear at once.

Heroes bring wounds, ranks, conditions, powers that cool, charges and items into it, and take out what they then have.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.chance.rolls.rolls import Rolls
from balance.chance.trials.lockstep import simulate
from balance.game.setup import Setup
from balance.games.immortal_souls.encounter.phases.rounds import start
from balance.games.immortal_souls.encounter.play import encounter_processes
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import starts_at
from balance.games.immortal_souls.quest.campaign import Campaign
from balance.games.immortal_souls.quest.state import Log, drop, fail, gear_of, open_trials, pick_up
from balance.games.immortal_souls.tables.quests import Room

CARRIED = ("cool", "gear", "item_left", "item_bearer", "h_mend", "h_call")
"""Columns that go through encounters as they are."""
BESIDE = ("h_health", "h_rank", "h_ghost", "h_crowns", "h_died", "points")
"""Columns of an encounter that a quest reads at its end, beside those carried and conditions."""


def fight(campaign: Campaign, room: Room, state: State, rolls: Rolls, log: Log) -> None:
    """Play the encounter of a room (ledger level C); the dead drop what they have, and who loses it has failed."""
    where, gear = open_trials(state), gear_of(campaign, state)
    ends: State = {}
    for number in np.unique(gear[where]).tolist():
        rows = np.flatnonzero(where & (gear == number))
        scene = campaign.scene(room, number)
        end = play_scene(campaign, scene, take_trials(state, rows), rolls.among(rows))
        for name, values in end.items():
            ends.setdefault(name, np.zeros((len(where), *values.shape[1:]), values.dtype))[rows] = values
        _take_out(campaign, scene, state, rows, end)
    if not ends:
        return
    died = ends["h_died"][:, : campaign.n_heroes] > 0
    state["rounds"] += ends["rounds"]
    state["quest_rounds"] += ends["rounds"]
    for name, column in {"wounds": "wounds", "deaths": "deaths", "souls": "soul_points"}.items():
        state[name] += ends[column]
    columns = {name: values for name, values in ends.items() if values.ndim == 1 and name != "points"}
    log("encounter", where, encounter=room.encounter, **columns, died=died)
    fail(state, ends["winner"] != 1, "encounter", log)
    where = where & open_trials(state)
    for hero in range(campaign.n_heroes):
        drop(campaign, state, hero, where & died[:, hero], log)
    pick_up(campaign, state, where & died.any(axis=1), log)


def play_scene(campaign: Campaign, scene: Scene, state: State, rolls: Rolls) -> State:
    """Return the columns of an encounter that these parties have played to its end."""
    (process,) = encounter_processes(Setup(scene, {}))
    columns = [*BESIDE, *CARRIED, *(f"h_{name}" for name in campaign.marks)]

    def outcome(end: State, steps: IntArray) -> State:
        kept = {name: end[name] for name in columns if name in end}
        return {**process.outcome(end, steps), **kept}

    heroes = _bring_in(campaign, scene, state)
    played = replace(process, start=partial(start, scene, heroes=heroes), outcome=outcome)
    return simulate(played, rolls, in_order=True)


def _bring_in(campaign: Campaign, scene: Scene, state: State) -> State:
    """Return the columns of an encounter for heroes who come to it: ghosts as ghosts, nobody else as new."""
    n, heroes = len(state["winner"]), campaign.n_heroes
    fresh = starts_at(scene, {f"h_{name}": scene.party.begins[name] for name in campaign.marks}, n)
    fresh |= {"h_died": np.zeros_like(fresh["h_rank"])}
    most = scene.party.health[np.arange(heroes), state["h_rank"]] - state.get("h_frail", 0)
    own = {name: state[name] for name in (*CARRIED, "h_rank", "h_ghost", "h_crowns") if name in state}
    own |= {f"h_{name}": state[f"h_{name}"] for name in campaign.marks}
    own["h_health"] = np.where(state["h_ghost"], 0, most - state["h_wounds"])
    own["h_shields"] = np.where(state["h_ghost"], 0, fresh["h_shields"][:, :heroes])
    for name, values in own.items():
        if name.startswith("item_"):
            fresh[name] = values.astype(np.int16)
        elif name in fresh:
            fresh[name][:, :heroes] = values
    return {**fresh, "points": state["pool"].copy()}


def _take_out(campaign: Campaign, scene: Scene, state: State, rows: IntArray, end: State) -> None:
    """Write what heroes have after an encounter into the state."""
    heroes = campaign.n_heroes
    names = ("h_rank", "h_ghost", "h_crowns", *(f"h_{name}" for name in campaign.marks), *CARRIED)
    for name in names:
        if name in state and name in end:
            state[name][rows] = end[name] if name.startswith("item_") else end[name][:, :heroes]
    most = scene.party.health[np.arange(heroes), end["h_rank"][:, :heroes]]
    most = most - (end["h_frail"][:, :heroes] if "h_frail" in end else 0)
    health = end["h_health"][:, :heroes]
    state["h_wounds"][rows] = np.where(end["h_ghost"][:, :heroes], 0, most - health).astype(np.int16)
    state["pool"][rows] = end["points"]

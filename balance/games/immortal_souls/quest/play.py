"""A campaign as a process: each step is a room of a quest, or the way home and the Emporium."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import Process, State, take_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.board.battle import copy_state, is_over
from balance.game.setup import Setup
from balance.games.immortal_souls.quest.campaign import HOME, Campaign
from balance.games.immortal_souls.quest.fight import fight
from balance.games.immortal_souls.quest.market import come_home, visit_emporium
from balance.games.immortal_souls.quest.outfitting import buy_ranks, heal, rearrange
from balance.games.immortal_souls.quest.rooms import decide, open_chests, open_door, search_room, take_key
from balance.games.immortal_souls.quest.state import Log, fail, first_of, open_trials, silent, starts_at


def quest_processes(setup: Setup[Campaign], lane: str = "literal") -> tuple[Process, ...]:
    """Return the one process of a campaign, the same in every lane."""
    campaign = setup.play
    step, start = partial(advance, campaign), partial(_start, campaign)
    return (Process(start, (step,), is_over, partial(_outcome, campaign), len(campaign.stages)),)


def _start(campaign: Campaign, rolls: Rolls, n: int) -> State:
    return starts_at(campaign, n)


def advance(
    campaign: Campaign, state: State, rolls: Rolls, logs: Callable[[State], Log] = lambda state: silent
) -> State:
    """Play the next stage of each trial, logged by what `logs` makes for a state; those at one stage play together."""
    stages = np.unique(state["stage"]).tolist()
    if len(stages) == 1:
        return _play_stage(campaign, stages[0], copy_state(state), rolls, logs)
    after = copy_state(state)
    for stage in stages:
        rows = np.flatnonzero(state["stage"] == stage)
        part = _play_stage(campaign, stage, take_trials(state, rows), rolls.among(rows), logs)
        for name, values in part.items():
            after[name][rows] = values
    return after


def _play_stage(campaign: Campaign, stage: int, state: State, rolls: Rolls, logs: Callable[[State], Log]) -> State:
    (quest, room), log = campaign.stages[stage], logs(state)
    if room == HOME:
        is_last = quest == len(campaign.chapters) - 1
        come_home(campaign, state, is_last, rolls, log)
        if not is_last:
            visit_emporium(campaign, state, rolls, log)
    else:
        _play_room(campaign, quest, room, state, rolls, log)
    state["stage"] += 1
    return state


def _play_room(campaign: Campaign, quest: int, number: int, state: State, rolls: Rolls, log: Log) -> None:
    """Play a room: what comes before its door, the door, the encounter, and what there is to take."""
    chapter = campaign.chapters[quest]
    room = chapter.rooms[number]
    state["rooms"] += 1
    log("room", open_trials(state), room=room.id)
    buy_ranks(campaign, state, log)
    if campaign.is_careful:
        heal(campaign, state, log)
        rearrange(campaign, state, log)
    open_door(campaign, room, state, rolls, log)
    if room.encounter:
        fight(campaign, room, state, rolls, log)
    decide(campaign, chapter, room, state, rolls, log)
    if room.key_place == "floor":
        take_key(campaign, room, state, open_trials(state), first_of(~state["h_ghost"]), log)
    open_chests(campaign, chapter, room, state, rolls, log)
    search_room(campaign, chapter, room, state, rolls, log)
    _pass_time(campaign, chapter.card.rounds, state, log)


def _pass_time(campaign: Campaign, limit: int, state: State, log: Log) -> None:
    """Turn the actions of a room into rounds; the quest fails when no event is left (IS-EVT.5)."""
    actions, party = state["actions"].copy(), campaign.heroes.party
    of_turn = party.actions[np.arange(campaign.n_heroes), state["h_rank"]]
    in_turn = np.maximum((of_turn * ~state["h_ghost"]).sum(axis=1), 1)
    rounds = np.where(open_trials(state), -(-actions // in_turn), 0).astype(np.int16)
    for name in ("rounds", "quest_rounds"):
        state[name] += rounds
    state["actions"][:] = 0
    log("time", rounds > 0, actions=actions, rounds=rounds)
    fail(state, state["quest_rounds"] > limit, "events", log)


def _outcome(campaign: Campaign, state: State, steps: IntArray) -> State:
    names = ("winner", "quests", "rooms", "rounds", "wounds", "deaths", "crowns_home", "treasures_home")
    return {name: state[name] for name in names} | {
        "soul_points": state["souls"],
        "lowest_rank": state["h_rank"].min(axis=1),
        "ranks": state["h_rank"].sum(axis=1).astype(np.int16),
        "items_lost": state["items_lost"],
        "traps": state["traps"],
    }

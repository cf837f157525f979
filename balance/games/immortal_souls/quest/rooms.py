"""The rooms of a quest: doors, decisions, chests, searches and treasures (IS-TERR.5, IS-TERR.6, IS-ECO.11)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.quest.campaign import Campaign, Chapter
from balance.games.immortal_souls.quest.perils import bury, harm, spring_trap
from balance.games.immortal_souls.quest.state import (
    GONE,
    IN_DECK,
    Log,
    add,
    fail,
    first_of,
    has_room,
    open_trials,
    opener_of,
    put_away,
)
from balance.games.immortal_souls.rules.effects import RESULTS
from balance.games.immortal_souls.tables.quests import Decision, Room, Search


def open_door(campaign: Campaign, room: Room, state: State, rolls: Rolls, log: Log) -> None:
    """Take off a magic lock and open the door, which draws a trap (IS-TERR.5, IS-TERR.6, IS-ACT.13)."""
    where = open_trials(state)
    if room.lock:
        bearer = state["key_at"][:, campaign.colours.index(room.lock)]
        has_key = (bearer[:, None] == np.arange(campaign.n_heroes)) & ~state["h_ghost"]
        fail(state, ~has_key.any(axis=1), "key", log)
        where = where & has_key.any(axis=1)
        log("unlock", where, hero=first_of(has_key), colour=room.lock)
    if room.door == "none":
        return
    opener = opener_of(campaign, state)
    state["actions"] += where & (room.door == "locked")
    log("door", where, opener=opener, how="smash" if room.door == "locked" else "open")
    spring_trap(campaign, state, where, opener, "door", rolls, log)


def decide(campaign: Campaign, chapter: Chapter, room: Room, state: State, rolls: Rolls, log: Log) -> None:
    """Let the first hero in play make the decision of a room by his alignment (IS-ECO.13)."""
    if not room.decision:
        return
    where, hero = open_trials(state), first_of(~state["h_ghost"])
    rows = campaign.decisions[room.decision]
    by_hero = [rows[alignment] for alignment in campaign.heroes.alignments]
    gains = {name: _column(by_hero, name)[hero] * where for name in GAINS}
    _gain(state, hero, gains)
    alignments = np.array(campaign.heroes.alignments)[hero]
    log("decision", where, decision=room.decision, hero=hero, alignment=alignments, crowns=gains["crowns"],
        soul_points=gains["soul_points"])  # fmt: skip
    _take_and_suffer(campaign, chapter, state, hero, gains, "decision", rolls, log)


def take_key(campaign: Campaign, room: Room, state: State, where: BoolArray, hero: IntArray, log: Log) -> None:
    """Give the key of a room to a hero, `int[n]` (IS-TERR.6)."""
    if room.key:
        state["key_at"][where, campaign.colours.index(room.key)] = hero[where]
        log("key", where, hero=hero, colour=room.key, place=room.key_place)


def open_chests(campaign: Campaign, chapter: Chapter, room: Room, state: State, rolls: Rolls, log: Log) -> None:
    """Open chests: all of them by the greedy, else one with a key that leads on (IS-ECO.11, IS-ACT.13)."""
    leads_on = room.key_place == "chest" and room.key in chapter.needed
    for place, number in enumerate(room.chests if campaign.way == "greedy" else room.chests[:leads_on]):
        where, opener = open_trials(state), opener_of(campaign, state)
        state["actions"] += where
        spring_trap(campaign, state, where, opener, "chest", rolls, log)
        where = where & open_trials(state)
        is_ghost = np.take_along_axis(state["h_ghost"], opener[:, None], axis=1)[:, 0]
        opener = np.where(is_ghost, opener_of(campaign, state), opener)
        log("chest", where, hero=opener, number=number)
        if not place and room.key_place == "chest":
            take_key(campaign, room, state, where, opener, log)
        draw_treasures(campaign, chapter, state, number * where, opener, rolls, log)


def search_room(campaign: Campaign, chapter: Chapter, room: Room, state: State, rolls: Rolls, log: Log) -> None:
    """Search each token once, with a red die whose results the token names (IS-ACT.17); the hasty do not."""
    for token in room.searches if campaign.way != "hasty" else ():
        where, hero = open_trials(state), opener_of(campaign, state)
        state["actions"] += where
        face = rolls.d(len(campaign.red), 1, "search")[:, 0]
        gains = _of_token(campaign, campaign.searches[token], face, where)
        _gain(state, hero, gains)
        log("search", where, hero=hero, token=token, face=face, results=partial(_results, campaign, face),
            crowns=gains["crowns"], soul_points=gains["soul_points"])  # fmt: skip
        _take_and_suffer(campaign, chapter, state, hero, gains, "search", rolls, log)


def _results(campaign: Campaign, face: IntArray, row: int) -> list[str]:
    return list(dict.fromkeys(campaign.red[face[row] - 1]))


GAINS = ("crowns", "treasures", "soul_points", "wounds")


def _of_token(campaign: Campaign, rows: Mapping[str, Search], face: IntArray, where: BoolArray) -> dict[str, IntArray]:
    """Return what the results on a face bring, `int[n]` by name."""
    shown = np.array([[result in results for result in RESULTS] for results in campaign.red])[face - 1] & where[:, None]
    return {name: shown @ np.array([getattr(rows[result], name) if result in rows else 0 for result in RESULTS])
            for name in GAINS}  # fmt: skip


def _column(rows: list[Decision], name: str) -> IntArray:
    return np.array([getattr(row, name) for row in rows])


def _gain(state: State, hero: IntArray, gains: Mapping[str, IntArray]) -> None:
    """Give crowns to a hero, who owns them (IS-ECO.4), and Soul Points to the pool of all."""
    add(state, "h_crowns", hero, gains["crowns"])
    for name in ("pool", "souls"):
        state[name] += gains["soul_points"].astype(np.int16)


def _take_and_suffer(
    campaign: Campaign, chapter: Chapter, state: State, hero: IntArray, gains: Mapping[str, IntArray], cause: str,
    rolls: Rolls, log: Log,
) -> None:  # fmt: skip
    """Draw the treasures of a search or decision, and deal its wounds to the hero."""
    draw_treasures(campaign, chapter, state, gains["treasures"], hero, rolls, log)
    if gains["wounds"].any():
        for number in range(campaign.n_heroes):
            harm(campaign, state, number, hero == number, (gains["wounds"], "none"), cause, log)
        bury(campaign, state, gains["wounds"] > 0, log)


def draw_treasures(
    campaign: Campaign, chapter: Chapter, state: State, number: IntArray, finder: IntArray, rolls: Rolls, log: Log
) -> None:
    """Draw treasure cards, `int[n]` of them, for a finder; crowns are his at once (IS-ECO.5, IS-ITEM.11)."""
    fits, deck = campaign.deck.acts <= chapter.card.act, campaign.deck
    for nth in range(int(number.max(initial=0))):
        where, place = number > nth, state["treasure_at"]
        is_empty = where & ~((place == IN_DECK) & fits).any(axis=1)
        place[(place == GONE) & fits & is_empty[:, None]] = IN_DECK
        cards = (place == IN_DECK) & fits & where[:, None]
        is_drawn = cards.any(axis=1)
        cards[:, 0] |= ~is_drawn
        card = np.where(is_drawn, rolls.pick(cards, "treasure"), -1)
        crowns = np.where(is_drawn, deck.crowns[card], 0)
        rows = np.flatnonzero(is_drawn & (crowns > 0))
        place[rows, card[rows]] = GONE
        add(state, "h_crowns", finder, crowns)
        log("treasure", is_drawn, hero=finder, card=card, crowns=crowns)
        room = has_room(campaign, state)
        own_room = np.take_along_axis(room, np.maximum(finder, 0)[:, None], axis=1)[:, 0]
        taker = np.where(own_room, finder, first_of(room))
        put_away(campaign, state, np.where(crowns > 0, -1, card), taker, log)

"""The state of a quest: arrays with a row for each trial, and what heroes have, lose, drop and pick up.

Columns `h_...` are `[n, heroes]`. `treasure_at` says where each treasure card is, `key_at` who has each key: the number
of a hero, or LYING, where the dead dropped it; else IN_DECK, GONE or LOST, for keys too. Of conditions there are
columns only for those that may occur.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.board.decks import full_deck
from balance.games.immortal_souls.encounter.party.gear import gear_at_start
from balance.games.immortal_souls.quest.campaign import Campaign
from balance.games.immortal_souls.tables.items import Item

IN_DECK, GONE, LOST = -1, -2, -3
"""Where a card is that nobody has: in the deck, among the discards, or left in a room. A key IN_DECK is not found."""
COUNTS = ("stage", "winner", "rounds", "quest_rounds", "quests", "rooms", "wounds", "deaths", "traps", "crowns_home",
          "treasures_home", "souls", "items_lost", "set_out", "cards", "forged", "lying_crowns", "actions")  # fmt: skip


class Log(Protocol):
    """Takes an event once it has been written into the state."""

    def __call__(self, name: str, where: BoolArray, **fields: Any) -> None:
        """Take its name, where it happened, `bool[n]`, and its fields: for all trials, or arrays with a row for each.

        Heroes, treasures, traps and keys are numbers; a field of a trial may also be a function of its row.
        """


def silent(name: str, where: BoolArray, **fields: Any) -> None:
    """Log nothing."""


def starts_at(campaign: Campaign, n: int) -> State:
    """Return the state of `n` trials at the start of a campaign, before its first room."""
    party, heroes = campaign.heroes.party, campaign.n_heroes
    state: State = {name: np.zeros(n, np.int16) for name in COUNTS}
    state |= {f"h_{name}": np.zeros((n, heroes), np.int16) for name in ("wounds", "lost", *campaign.marks)}
    state["h_rank"] = np.repeat(party.rank[None, :heroes].astype(np.int16), n, axis=0)
    state["h_ghost"] = np.zeros((n, heroes), bool)
    state["h_crowns"] = np.full((n, heroes), campaign.n_crowns, np.int16)
    state["pool"] = np.full(n, campaign.n_souls, np.int16)
    state["treasure_at"] = np.full((n, len(campaign.deck.treasures)), IN_DECK, np.int8)
    state["key_at"] = np.full((n, len(campaign.colours)), IN_DECK, np.int8)
    state["trap_deck"] = full_deck(n, len(campaign.deck.traps) - 1)
    state |= {f"h_{name}": party.begins[name][None, :heroes].repeat(n, axis=0).astype(np.int16)
              for name in campaign.marks if name in party.begins}  # fmt: skip
    state |= carried_at_start(campaign, n)
    set_out(state, np.ones(n, bool))
    return state


def carried_at_start(campaign: Campaign, n: int) -> State:
    """Return what encounters keep of heroes' powers, charges and items, as it is when nothing has been used."""
    party, heroes = campaign.heroes.party, campaign.n_heroes
    columns = {"cool": np.zeros((n, heroes, party.n_powers), np.int16)}
    columns |= {name: np.zeros((n, heroes), np.int16) for name in ("h_mend", "h_call")}
    columns |= {name: values[:, :heroes] for name, values in gear_at_start(party.kits, n).items()}
    if party.items:
        columns["item_bearer"] = np.repeat(party.bearers[None].astype(np.int16), n, axis=0)
        columns["item_left"] = np.ones_like(columns["item_bearer"])
    return columns


def set_out(state: State, where: BoolArray) -> None:
    """Note the crowns with which heroes set out on a quest."""
    state["set_out"] = np.where(where, state["h_crowns"].sum(axis=1), state["set_out"]).astype(np.int16)


def gear_of(campaign: Campaign, state: State) -> IntArray:
    """Return the number of the gear of each party, `int[n]`."""
    return np.asarray(state["cards"] + campaign.ladders.n_sets * state["forged"])


def open_trials(state: State) -> BoolArray:
    """Return where nothing is decided, `bool[n]`."""
    return np.asarray(state["winner"] == 0)


def first_of(heroes: BoolArray) -> IntArray:
    """Return the first of some heroes, `bool[n, heroes]`, in each trial; -1 for nobody."""
    return np.where(heroes.any(axis=1), heroes.argmax(axis=1), -1)


def health_left(campaign: Campaign, state: State) -> IntArray:
    """Return the wounds that each hero can still take, `int[n, heroes]`; a red critical takes some of them."""
    heroes = np.arange(campaign.n_heroes)
    most = campaign.heroes.party.health[heroes, state["h_rank"]] - state.get("h_frail", 0)
    return np.asarray(np.where(state["h_ghost"], 0, most - state["h_wounds"]))


def opener_of(campaign: Campaign, state: State) -> IntArray:
    """Return who opens and searches, `int[n]`: the first hero in play, of the careful the one with most health left."""
    if campaign.is_careful:
        return np.asarray(np.where(state["h_ghost"], -1, health_left(campaign, state)).argmax(axis=1))
    return np.asarray((~state["h_ghost"]).argmax(axis=1))


def has_room(campaign: Campaign, state: State) -> BoolArray:
    """Return which heroes in play can carry one card more, `bool[n, heroes]` (IS-ITEM.11)."""
    heroes = np.arange(campaign.n_heroes)
    return np.asarray((n_carried(campaign, state) < campaign.heroes.party.carry[heroes]) & ~state["h_ghost"])


def n_carried(campaign: Campaign, state: State) -> IntArray:
    """Return how many treasures and items each hero carries, `int[n, heroes]`."""
    heroes = np.arange(campaign.n_heroes)
    carried: IntArray = (state["treasure_at"][:, :, None] == heroes).sum(axis=1)
    return np.asarray(carried + n_items(campaign, state))


def n_items(campaign: Campaign, state: State) -> IntArray:
    """Return how many items that are used up each hero carries, `int[n, heroes]`."""
    if "item_bearer" not in state:
        return np.zeros(state["h_ghost"].shape, np.int64)
    return np.asarray((state["item_bearer"][:, :, None] == np.arange(campaign.n_heroes)).sum(axis=1))


def add(state: State, name: str, hero: IntArray, values: IntArray) -> None:
    """Add values, `int[n]`, to a column of one hero in each trial, `int[n]`; nothing for hero -1."""
    rows = np.flatnonzero(hero >= 0)
    state[name][rows, hero[rows]] += values[rows].astype(state[name].dtype)


def drop(campaign: Campaign, state: State, hero: int, where: BoolArray, log: Log) -> None:
    """Let a hero who died drop his crowns, treasures and keys, and items (IS-HP.3, IS-ECO.4, IS-TERR.6)."""
    lying = campaign.n_heroes
    crowns = np.where(where, state["h_crowns"][:, hero], 0)
    treasures, keys = ((state[name] == hero) & where[:, None] for name in ("treasure_at", "key_at"))
    state["h_crowns"][:, hero] -= crowns.astype(np.int16)
    state["lying_crowns"] += crowns.astype(np.int16)
    state["treasure_at"][treasures] = lying
    state["key_at"][keys] = lying
    if "item_bearer" in state:
        state["item_bearer"][(state["item_bearer"] == hero) & where[:, None]] = -1
    log("drop", where, hero=hero, crowns=crowns, treasures=treasures, keys=keys)


def pick_up(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Let heroes in play pick up what the dead dropped, as far as they can carry it (IS-ACT.19, IS-ITEM.11)."""
    lying = campaign.n_heroes
    first = first_of(~state["h_ghost"] & where[:, None])
    crowns = np.where(first >= 0, state["lying_crowns"], 0)
    add(state, "h_crowns", first, crowns)
    state["lying_crowns"] -= crowns.astype(np.int16)
    log("pick_up", crowns > 0, hero=first, crowns=crowns)
    for key, colour in enumerate(campaign.colours):
        takes = (state["key_at"][:, key] == lying) & (first >= 0)
        state["key_at"][takes, key] = first[takes]
        log("pick_up", takes, hero=first, key=colour)
    for card in np.flatnonzero((state["treasure_at"] == lying).any(axis=0)).tolist():
        found = (state["treasure_at"][:, card] == lying) & (first >= 0)
        put_away(campaign, state, np.where(found, card, -1), first_of(has_room(campaign, state)), log)
    for item in range(state["item_left"].shape[1] if "item_left" in state else 0):
        taker = first_of(has_room(campaign, state))
        found = where & (state["item_bearer"][:, item] < 0) & (state["item_left"][:, item] > 0) & (taker >= 0)
        state["item_bearer"][found, item] = taker[found]


def put_away(campaign: Campaign, state: State, card: IntArray, taker: IntArray, log: Log) -> None:
    """Give each treasure card, `int[n]`, -1 for none, to its taker, `int[n]`; what nobody can take is left."""
    rows = np.flatnonzero(card >= 0)
    state["treasure_at"][rows, card[rows]] = np.where(taker[rows] >= 0, taker[rows], LOST)
    log("pick_up", (card >= 0) & (taker >= 0), hero=taker, treasure=card)
    log("leave", (card >= 0) & (taker < 0), treasure=card)


def fail(state: State, where: BoolArray, why: str, log: Log) -> None:
    """Let the quest fail in some trials, unless it is decided already."""
    fails = where & open_trials(state)
    state["winner"][fails] = 2
    log("failed", fails, why=why)


def renew(campaign: Campaign, state: State, where: BoolArray) -> None:
    """Begin a quest anew: powers are ready, artefacts have a charge more, items work again (IS-HP.2, IS-ITEM.10)."""
    items: tuple[Item, ...] = campaign.heroes.party.items
    for name, start in carried_at_start(campaign, len(where)).items():
        if name == "item_left":
            lasting = np.array([item.limit != "once" for item in items])
            state[name] = np.where(where[:, None] & lasting, 1, state[name]).astype(np.int16)
        elif name == "gear":
            more = np.minimum(state[name] + 1, start)
            state[name] = np.where(where[:, None, None], more, state[name]).astype(np.int16)
        elif name != "item_bearer":
            state[name][where] = 0

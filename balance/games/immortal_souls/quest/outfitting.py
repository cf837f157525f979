"""What a party does before a door: ranks that souls pay for, healing, and gear that is worn (IS-ECO.1, IS-ACT.15)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.phases.souls import Souls, buy_rank, may_rise
from balance.games.immortal_souls.quest.campaign import Campaign
from balance.games.immortal_souls.quest.state import GONE, Log, first_of, has_room, open_trials


def buy_ranks(campaign: Campaign, state: State, log: Log) -> None:
    """Buy ranks from the common pool, the lowest first, unless souls are saved (IS-ECO.1, IS-HP.10)."""
    costs, holds = campaign.constants.party.rank_costs, campaign.rules.ghosts_hold_ranks_back
    while campaign.purse != "saving":
        souls = Souls(state["h_rank"], state["h_ghost"], state["pool"])
        hero = first_of(may_rise(souls, costs, holds) & open_trials(state)[:, None])
        if not (hero >= 0).any():
            return
        before = state["pool"]
        souls = buy_rank(souls, hero, costs)
        state["h_rank"], state["pool"] = souls.rank.astype(np.int16), souls.points
        to = np.take_along_axis(state["h_rank"], hero[:, None], axis=1)[:, 0]
        log("rank", hero >= 0, hero=hero, to=to, cost=before - state["pool"])


def heal(campaign: Campaign, state: State, log: Log) -> None:
    """Let each hero whose healing is ready heal the most wounded, and let his power cool down (IS-POW.4)."""
    party = campaign.heroes.party
    for hero in range(campaign.n_heroes):
        rank = state["h_rank"][:, hero]
        wounds = np.where(state["h_ghost"], 0, state["h_wounds"])
        target = wounds.argmax(axis=1)
        healed = np.minimum(party.heals[hero, rank], wounds.max(axis=1))
        uses = open_trials(state) & ready(campaign, state)[:, hero] & (healed > 0)
        rows = np.flatnonzero(uses)
        state["h_wounds"][rows, target[rows]] -= healed[rows].astype(np.int16)
        state["h_mend"][rows, hero] = party.heal_cooldown[hero, rank[rows]]
        log("heal", uses, hero=hero, target=target, wounds=healed)


def ready(campaign: Campaign, state: State) -> BoolArray:
    """Return which heroes in play have a healing power that is ready, `bool[n, heroes]`."""
    heals = campaign.heroes.party.heals[np.arange(campaign.n_heroes), state["h_rank"]] > 0
    return np.asarray(heals & (state["h_mend"] == 0) & ~state["h_ghost"])


def missing_card(campaign: Campaign, state: State) -> IntArray:
    """Return the first card of the ladder that is missing in each trial, `int[n]`; -1 for none."""
    bits = np.arange(len(campaign.ladders.cards))
    return first_of(state["cards"][:, None] >> bits & 1 == 0) if len(bits) else np.full(len(state["cards"]), -1)


def rearrange(campaign: Campaign, state: State, log: Log) -> None:
    """Hand pieces of gear to who wears them, and rearrange: an action each (IS-ACT.15, IS-ACT.16)."""
    wearers = np.array([step.hero for step in campaign.ladders.cards] or [0])
    for card in campaign.deck.gear:
        bit, bearer = missing_card(campaign, state), state["treasure_at"][:, card].astype(np.int64)
        wearer = wearers[bit]
        carried = open_trials(state) & (bit >= 0) & (bearer >= 0) & (bearer < campaign.n_heroes)
        in_play = ~np.take_along_axis(state["h_ghost"], wearer[:, None], axis=1)[:, 0]
        room = np.take_along_axis(has_room(campaign, state), wearer[:, None], axis=1)[:, 0]
        hands = carried & in_play & (bearer != wearer) & room
        state["treasure_at"][hands, card] = wearer[hands]
        state["actions"] += hands
        log("exchange", hands, giver=bearer, receiver=wearer, treasure=card)
        wears = carried & in_play & (hands | (bearer == wearer))
        state["actions"] += wears
        wear(campaign, state, card, wears, bit, "rearrange", log)


def wear(campaign: Campaign, state: State, card: int, where: BoolArray, bit: IntArray, name: str, log: Log) -> None:
    """Put on a piece of gear as the card of the ladder that is missing, `bit`, `int[n]`."""
    steps = campaign.ladders.cards
    state["treasure_at"][where, card] = GONE
    state["cards"] += np.where(where, 1 << np.maximum(bit, 0), 0).astype(np.int16)
    log(name, where, hero=lambda row: campaign.heroes.ids[steps[bit[row]].hero], treasure=card,
        card=lambda row: steps[bit[row]].card)  # fmt: skip

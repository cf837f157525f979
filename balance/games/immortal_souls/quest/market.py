"""Home from a quest, and the Emporium before the next one (IS-HP.8, IS-ECO.6 to IS-ECO.10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.decks import full_deck
from balance.games.immortal_souls.quest.campaign import Campaign
from balance.games.immortal_souls.quest.ladder import Step
from balance.games.immortal_souls.quest.outfitting import missing_card, wear
from balance.games.immortal_souls.quest.state import (
    IN_DECK,
    Log,
    gear_of,
    open_trials,
    renew,
    set_out,
)


def come_home(campaign: Campaign, state: State, is_last: bool, rolls: Rolls, log: Log) -> None:
    """End a quest: what came home, and what ghosts lose of what they wear (IS-HP.8); the last one is the campaign."""
    where, heroes = open_trials(state), np.arange(campaign.n_heroes)
    crowns = np.where(where, state["h_crowns"].sum(axis=1) - state["set_out"], 0)
    treasures = (np.isin(state["treasure_at"], heroes) & where[:, None]).sum(axis=1)
    state["crowns_home"] += crowns.astype(np.int16)
    state["treasures_home"] += treasures.astype(np.int16)
    state["quests"] += where
    log("home", where, crowns=crowns, treasures=treasures)
    _lose_items(campaign, state, where, rolls, log)
    state["forged"][where] = 0  # IS-ECO.9: for one quest
    state["winner"][where & is_last] = 1


def _lose_items(campaign: Campaign, state: State, where: BoolArray, rolls: Rolls, log: Log) -> None:
    """Let each ghost lose one of the cards he wears, each equally likely (IS-HP.8)."""
    worn, gear = campaign.ladders.worn, gear_of(campaign, state)
    n_worn = np.array([[len(cards) for cards in party] for party in worn])
    for hero in range(campaign.n_heroes):
        number = n_worn[gear, hero]
        loses = where & state["h_ghost"][:, hero] & (number > 0)
        card = rolls.uniform(np.maximum(number, 1), "item lost")
        bought = np.full(len(where), -1)
        for bit, step in enumerate(campaign.ladders.cards):
            if step.hero == hero:
                has = (state["cards"] >> bit & 1) > 0
                place = np.array([cards[hero].index(step.card) if step.card in cards[hero] else -1 for cards in worn])
                bought = np.where(has & loses & (place[gear] == card), bit, bought)
        state["items_lost"] += loses
        state["cards"] -= np.where(bought >= 0, 1 << np.maximum(bought, 0), 0).astype(np.int16)
        state["h_lost"][:, hero] = np.where(loses & (bought < 0), 1 + card, 0)
        names = partial(_name, worn, gear, hero, card)
        log("item_lost", loses, hero=hero, card=names, basic=bought < 0)


def _name(worn: Sequence[Sequence[Sequence[str]]], gear: IntArray, hero: int, card: IntArray, row: int) -> str:
    return str(worn[gear[row]][hero][card[row]])


def visit_emporium(campaign: Campaign, state: State, rolls: Rolls, log: Log) -> None:
    """Rest, sell, play and buy between two quests (IS-ECO.6), and lay out the decks of the next."""
    where = open_trials(state)
    _rest(campaign, state, where, log)
    _stash(campaign, state, where, log)
    for card in campaign.deck.gear:  # worn at once, whoever carries it
        bearer = state["treasure_at"][:, card].astype(np.int64)
        bit = missing_card(campaign, state)
        wear(campaign, state, card, where & (bearer >= 0) & (bit >= 0), bit, "wear", log)
    _sell(campaign, state, where, log)
    if campaign.purse == "gamble":
        _gamble(campaign, state, where, rolls, log)
    if campaign.purse != "saving":
        for buys in (_buy, _forge) if campaign.purse == "cards" else (_forge, _buy):
            buys(campaign, state, where, log)
    set_out(state, where)


def _rest(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Bring everybody back to full health (IS-HP.2), and the decks to full but for what heroes own."""
    for name in ("wounds", *campaign.marks):
        state[f"h_{name}"][where] = 0
    state["h_ghost"][where] = False
    state["quest_rounds"][where] = 0
    state["key_at"][where] = IN_DECK
    owned = np.isin(state["treasure_at"], np.arange(campaign.n_heroes))
    state["treasure_at"][where[:, None] & ~owned] = IN_DECK
    state["lying_crowns"][where] = 0
    state["trap_deck"] = full_deck(*state["trap_deck"].shape)
    renew(campaign, state, where)
    log("rest", where)


def _stash(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Take basic cards that were lost from the stash again (IS-ECO.8)."""
    worn, gear = campaign.ladders.worn, gear_of(campaign, state)
    for hero in range(campaign.n_heroes):
        lost = state["h_lost"][:, hero].copy()
        state["h_lost"][where, hero] = 0
        log("stash", where & (lost > 0), hero=hero, card=partial(_name, worn, gear, hero, lost - 1))


def _sell(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Sell all treasures, for crowns by their act, to whom they belong (IS-ECO.7, IS-ECO.4)."""
    for card, treasure in enumerate(campaign.deck.treasures):
        bearer = state["treasure_at"][:, card].copy()
        sells = where & (bearer >= 0)
        if not sells.any():
            continue
        crowns = campaign.constants.economy.sale_per_act * treasure.act
        rows = np.flatnonzero(sells)
        state["h_crowns"][rows, bearer[rows]] += crowns
        state["treasure_at"][rows, card] = IN_DECK
        log("sale", sells, hero=bearer, treasure=card, crowns=crowns)


def _gamble(campaign: Campaign, state: State, where: BoolArray, rolls: Rolls, log: Log) -> None:
    """Let each hero play once at the Rising Pony (IS-ECO.10)."""
    faces, prize, stake, result = campaign.pony
    for hero in range(campaign.n_heroes):
        plays = where & (state["h_crowns"][:, hero] >= stake)
        face = rolls.d(len(campaign.blue), 1, "pony")[:, 0]
        wins = np.isin(face, faces)
        state["h_crowns"][:, hero] += (plays * (wins * prize - stake)).astype(np.int16)
        log("pony", plays, hero=hero, result=result, face=face, prize=prize * wins)


def _buy(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Buy cards of the ladder in order, until one cannot be paid (IS-ECO.6)."""
    goes_on = where.copy()
    for bit, step in enumerate(campaign.ladders.cards):
        missing = goes_on & (state["cards"] >> bit & 1 == 0)
        buys = missing & (state["h_crowns"].sum(axis=1) >= step.price)
        goes_on &= ~missing | buys
        state["cards"] += (buys << bit).astype(np.int16)
        _pay(campaign, state, buys, step, "purchase", log)


def _forge(campaign: Campaign, state: State, where: BoolArray, log: Log) -> None:
    """Have weapons and armours forged at the Anvil for the next quest (IS-ECO.9)."""
    goes_on = where.copy()
    for step in campaign.ladders.forging:
        goes_on = goes_on & (state["h_crowns"].sum(axis=1) >= step.price)
        state["forged"] += goes_on
        _pay(campaign, state, goes_on, step, "forge", log)


def _pay(campaign: Campaign, state: State, where: BoolArray, step: Step, name: str, log: Log) -> None:
    """Let who wears a card pay what he can, and the others in order give him the rest (IS-ECO.4)."""
    due = np.where(where, step.price, 0)
    paid: list[tuple[int, IntArray]] = []
    for hero in dict.fromkeys((step.hero, *range(campaign.n_heroes))):
        part = np.minimum(due, state["h_crowns"][:, hero])
        state["h_crowns"][:, hero] -= part.astype(np.int16)
        due = due - part
        paid.append((hero, part))
    ids = campaign.heroes.ids
    log(name, where, hero=step.hero, card=step.card, price=step.price,
        paid=lambda row: {ids[hero]: int(part[row]) for hero, part in paid if part[row]})  # fmt: skip

"""Stratagems between Periods (WE-STR), and what standards and masters do there.

1. `muster` (EOP6, and before the first Period): each side takes stratagems that its tactical ML pays for (WE-STR.2,
   WE-STR.8).
2. `advance` (EOP0): promoted cards come into play, and so on through the six sub-steps of WE-STR.7.
3. `steady` (before EOP4): a standard's resolve (WE-STD.3).
4. `rally` (with EOP5): masters turn face up again (WE-CM.3, WE-STR.5).
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.commands import DOWN, IN_DECK, IN_PLAY, IN_PROMOTION, LOCKED, OUT_OF_GAME, PROMOTION, UP
from balance.games.edadh.rules.view import SIDES


def muster(duel: Duel, state: State, rolls: Rolls) -> State:
    """Let both sides take stratagems, at once (WE-Q32): S cards are locked, the others come into play (WE-STR.3)."""
    after, level = dict(state), duel.level(state)
    for side_index, command in enumerate(duel.commands):
        if not command.deck:
            continue
        hand = rolls.choose(
            SIDES[side_index], "stratagems", legal_hands(duel, side_index, state), duel.view(side_index, state, level)
        )
        to = np.array([LOCKED if card.secondary else IN_PLAY for card in command.deck])
        after |= command.put(
            SIDES[side_index], np.where(command.in_hand[hand], to, command.places(state, SIDES[side_index]))
        )
    return after


def legal_hands(duel: Duel, side_index: int, state: State) -> BoolArray:
    """Return which sets of stratagems a side may take now, `bool[n, H]` (see `Command.hands`).

    The tactical ML must pay for a set, restrictions be met, and no X card of it be in play on the other side.
    """
    command, foe = duel.commands[side_index], duel.commands[1 - side_index]
    places = command.places(state, SIDES[side_index])
    is_barred = (places != IN_DECK) | ~_restrictions_met(duel, side_index, state)
    foes = dict(zip((card.id for card in foe.deck), foe.places(state, SIDES[1 - side_index]).T, strict=True))
    for i, card in enumerate(command.deck):
        if card.exclusive and card.id in foes:
            is_barred[:, i] |= foes[card.id] == IN_PLAY
    in_use = (places == IN_PLAY) | (places == LOCKED)
    cost_in_use = in_use @ command.costs if duel.rules.stratagem_budget == "all" else np.zeros(len(places), np.int16)
    cost, is_empty = command.in_hand @ command.costs, ~command.in_hand.any(axis=1)
    affordable: BoolArray = cost + cost_in_use[:, None] <= command.tactical_ml
    return np.asarray(~(is_barred @ command.in_hand.T) & affordable | is_empty)


def _restrictions_met(duel: Duel, side_index: int, state: State) -> BoolArray:
    """Return whether the Unit holds the troop each stratagem asks for, `bool[n, S]`."""
    command, force = duel.commands[side_index], duel.arena.forces[side_index]
    kinds = {troop.id: kind for kind, troop in enumerate(force.troops)}
    has_troop = np.ones((len(state["over"]), len(command.deck)), bool)
    for i, card in enumerate(command.deck):
        if card.needs_troop is not None:
            kind = kinds.get(card.needs_troop)
            holds = np.array([any(kind in column for column in now) for now in force.unit.arrangements])
            has_troop[:, i] = holds.take(state[f"{SIDES[side_index]}_unit"])
    return has_troop


def advance(duel: Duel, state: State, rolls: Rolls) -> State:
    """Play EOP0, its six sub-steps in order (WE-STR.7): promotion, twins, instant cards, cards taken back."""
    places = [_promote(duel, side_index, state) for side_index in (0, 1)]
    places = _clear_twins(duel, places)
    damage = [state[f"{side}_damage"] for side in SIDES]
    places, damage = _instants(duel, places, damage)
    after = {**state, "a_damage": damage[0], "b_damage": damage[1]}
    for side_index, command in enumerate(duel.commands):
        if command.deck:
            after |= _take_back(
                duel, side_index, {**state, **command.put(SIDES[side_index], places[side_index])}, rolls
            )
    return after


def _take_back(duel: Duel, side_index: int, state: State, rolls: Rolls) -> State:
    """Sub-steps 5 and 6: cards whose restriction fails go, and any other may be taken back; the leader is ready."""
    side, command = SIDES[side_index], duel.commands[side_index]
    places = command.places(state, side)
    new_places = np.where((places == IN_PLAY) & ~_restrictions_met(duel, side_index, state), IN_DECK, places)
    view = duel.view(side_index, {**state, **command.put(side, new_places)}, duel.level(state))
    for i, card in enumerate(command.deck):
        in_play = new_places[:, i] == IN_PLAY
        new_places[:, i] = np.where(
            rolls.choose(side, f"remove {card.id}", 1 + in_play, view) > 0, IN_DECK, new_places[:, i]
        )
    leader = state[f"{side}_leader"]
    return {
        **command.put(side, new_places),
        f"{side}_leader": np.where(leader == PROMOTION, UP, leader).astype(np.int16),
    }


def _promote(duel: Duel, side_index: int, state: State) -> IntArray:
    """Sub-steps 1 and 2: promoted cards come into play; with nothing promoted, locked ones return to the deck."""
    places = duel.commands[side_index].places(state, SIDES[side_index])
    if duel.rules.stratagem_stay == "one_period":
        places = np.where(places == IN_PLAY, IN_DECK, places)
    has_promotion = (places == IN_PROMOTION).any(axis=1, keepdims=True)
    places = np.where((places == LOCKED) & ~has_promotion, IN_DECK, places)
    return np.where(places == IN_PROMOTION, IN_PLAY, places)


def _clear_twins(duel: Duel, places: list[IntArray]) -> list[IntArray]:
    """Sub-step 3: the same X card in play on both sides leaves both, without effect."""
    after = [part.copy() for part in places]
    ids = [[card.id for card in command.deck] for command in duel.commands]
    for i, card in enumerate(duel.commands[0].deck):
        if card.exclusive and card.id in ids[1]:
            j = ids[1].index(card.id)
            twins = (places[0][:, i] == IN_PLAY) & (places[1][:, j] == IN_PLAY)
            after[0][twins, i] = IN_DECK
            after[1][twins, j] = IN_DECK
    return after


def _instants(duel: Duel, places: list[IntArray], damage: list[IntArray]) -> tuple[list[IntArray], list[IntArray]]:
    """Sub-step 4, both sides at once: instant cards act and go back to the deck.

    `recover` lowers the own damage; `counter` discards for good the dearest card with a C that the opponent has in
    play, the first in the deck of equals.
    """
    after, damage_after = [part.copy() for part in places], list(damage)
    for side_index, command in enumerate(duel.commands):
        for i, card in enumerate(command.deck):
            acts = card.instant & (places[side_index][:, i] == IN_PLAY)
            after[side_index][acts & (after[side_index][:, i] == IN_PLAY), i] = IN_DECK
            if card.effect == "recover":
                damage_after[side_index] = np.maximum(damage_after[side_index] - card.amount * acts, 0).astype(np.int16)
            elif card.effect == "counter":
                _counter(duel, 1 - side_index, acts, places[1 - side_index], after[1 - side_index])
    return after, damage_after


def _counter(duel: Duel, foe: int, acts: BoolArray, places: IntArray, after: IntArray) -> None:
    """Put the opponent's dearest card with a C in play out of the game, the first of equals, writing into `after`."""
    command = duel.commands[foe]
    if not command.deck:
        return
    able = (places == IN_PLAY) & np.array([card.counterable for card in command.deck])
    target = (command.costs * able + able).argmax(axis=1)
    hit = np.flatnonzero(acts & able.any(axis=1))
    after[hit, target[hit]] = OUT_OF_GAME


def steady(duel: Duel, state: State, rolls: Rolls) -> State:
    """WE-STD.3: before EOP4 a side may use its standard to count fewer cards in its pile for the steps after it."""
    after, level = dict(state), duel.level(state)
    for side_index, side in enumerate(SIDES):
        standard = duel.commands[side_index].standard
        if standard is None:
            continue
        able = (state[f"{side}_standard"] > 0) & (state[f"{side}_pile"] > 0)
        uses = rolls.choose(side, "resolve", 1 + able, duel.view(side_index, state, level)) > 0
        after[f"{side}_pile"] = np.maximum(state[f"{side}_pile"] - standard.res * uses, 0)
        after[f"{side}_standard"] = state[f"{side}_standard"] * ~uses
    return after


def rally(duel: Duel, state: State, rolls: Rolls) -> State:
    """Turn masters face up again, as troops are (WE-CM.3, WE-STR.5); `duel` and `rolls` are not used."""
    after = dict(state)
    for side in SIDES:
        for name in ("champion", "leader"):
            now = state[f"{side}_{name}"]
            after[f"{side}_{name}"] = np.where(now == DOWN, UP, now).astype(np.int16)
    return after

"""A turn with combat masters, standards and battle masters in it (WE-CM, WE-STD, WE-STR.5).

What differs from `balance.games.edadh.duel.conflict`: beside the mastery card a side may play one side of its secondary
mastery card; a combat master brought in adds one bonus, the Attacker naming it before the Defender; a standard may take
damage away once the amount is known; `tcts` promotes the locked stratagems if its side is the Attacker.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.conflict import Orders, choose_cards, fighters_of, select_troops, take_turn
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.commands import DOWN, IN_PROMOTION, LOCKED, MST, PROMOTION, TCTS, UP
from balance.games.edadh.rules.look_up import resolve_literally
from balance.games.edadh.rules.strike import Boost
from balance.games.edadh.rules.turn import Outcome
from balance.games.edadh.rules.view import SIDES

BONUSES = ("", "mp_bonus", "ml", "att", "defence", "damage")
"""What a combat master may add, by number (WE-CM.1); 0 is nothing."""
CARD_FIELD = {"mp_bonus": "mp", "ml": "ml", "att": "att", "defence": "defence", "damage": "damage"}
SECONDS = np.array([[0, 0, 0], [0, MST, 0], [0, TCTS, 0], [0, MST, TCTS]], np.int16).ravel()
N_SECONDS = np.array([1, 2, 2, 3])
"""What may be played beside the mastery card, and how many options that is, by mask."""


def fight_led(duel: Duel, state: State, rolls: Rolls) -> State:
    """Play one turn, cards behind the Units included (level D), of every trial that has one left."""
    cards = choose_cards(duel, state, rolls)  # before the secondary cards lie open: all are played at once (WE-CM.2)
    seconds = [_second(duel, side_index, state, rolls) for side_index in (0, 1)]
    state = {**state, "a_second": seconds[0], "b_second": seconds[1]}
    role = duel.arena.mastery.roles(*cards)
    orders = Orders(cards, role, select_troops(duel, state, cards, role, rolls))
    bonuses = _name_bonuses(duel, state, orders, rolls)
    boosts = [_boost(duel, side_index, state, bonuses[side_index]) for side_index in (0, 1)]
    boosts, uses = _raise_standards(duel, state, orders, boosts, rolls)
    outcome, falls = _champions_fall(duel, state, _resolve(duel, state, orders, boosts))
    after = take_turn(duel, lambda *_: outcome, state, orders.cards, orders.plays)
    for side_index, own_role in enumerate(_roles(orders)):
        after |= _cards_after(duel, side_index, after, own_role > 0, falls[side_index])
        after[f"{SIDES[side_index]}_standard"] = after[f"{SIDES[side_index]}_standard"] * ~uses[side_index]
    return after


def _roles(orders: Orders) -> tuple[IntArray, IntArray]:
    """Return the role of either side: 1 Attacker, -1 Defender, 0 on a tie."""
    return orders.role, -orders.role


def may_play_second(duel: Duel, side_index: int, state: State) -> IntArray:
    """Return which sides of the secondary mastery card may be played, a mask of MST and TCTS (WE-STR.6), `[n]`."""
    champion, leader = state[f"{SIDES[side_index]}_champion"], state[f"{SIDES[side_index]}_leader"]
    mst = champion == UP
    if duel.rules.failed_tactics == "both_sides":
        mst &= leader != DOWN
    return np.asarray((MST * mst + TCTS * (leader == UP)) * (state["turns"] > 0))


def _second(duel: Duel, side_index: int, state: State, rolls: Rolls) -> IntArray:
    place = may_play_second(duel, side_index, state)
    view = duel.view(side_index, state, duel.level(state))
    option = rolls.choose(SIDES[side_index], "second", N_SECONDS.take(place), view)
    return SECONDS.take(place * 3 + option)


def _name_bonuses(duel: Duel, state: State, orders: Orders, rolls: Rolls) -> list[IntArray]:
    """Return the bonus each side's combat master gives, by number: the Attacker's first, which the Defender hears.

    None if both were brought in on a tie (WE-CM.4).
    """
    has_champion = [state[f"{side}_second"] == MST for side in SIDES]
    able = ~(has_champion[0] & has_champion[1] & (orders.role == 0))
    first = [
        _bonus(duel, side_index, state, orders, "bonus", able & has_champion[side_index], rolls)
        for side_index in (0, 1)
    ]
    second = [
        _bonus(
            duel,
            side_index,
            state,
            orders,
            "answer bonus",
            able & has_champion[side_index],
            rolls,
            first[1 - side_index],
        )
        for side_index in (0, 1)
    ]
    return [np.where(role < 0, *pair) for role, *pair in zip(_roles(orders), second, first, strict=True)]


def _bonus(
    duel: Duel, side_index: int, state: State, orders: Orders, name: str, able: BoolArray, rolls: Rolls,
    foe_bonus: IntArray | None = None,
) -> IntArray:  # fmt: skip
    """Return the bonus a side names as Attacker or on a tie, or as a Defender who has `foe_bonus` the Attacker's."""
    role = _roles(orders)[side_index]
    harms = role >= 0 if duel.rules.champion_tie_damage else role > 0
    facts = {
        "card": orders.cards[side_index],
        "foe_card": orders.cards[1 - side_index],
        "role": role,
        "foe_play": orders.plays[1 - side_index],
    }
    view = duel.view(side_index, state, duel.level(state)).with_facts(**facts)
    mask = able & (role >= 0)
    if foe_bonus is not None:
        view, mask = view.with_facts(foe_bonus=foe_bonus), able & (role < 0)
    return (1 + rolls.choose(SIDES[side_index], name, np.where(mask, 4 + harms, 1), view)) * mask


def _boost(duel: Duel, side_index: int, state: State, bonus: IntArray) -> Boost:
    """Return what stratagems in play and the combat master add on one side."""
    command = duel.commands[side_index]
    boost = command.boost(state, SIDES[side_index], duel.level(state))
    for number, field in enumerate(BONUSES):
        if field and command.champion is not None:
            amount = getattr(command.champion, CARD_FIELD[field]) * (bonus == number)
            boost = boost._replace(**{field: getattr(boost, field) + amount})
    return boost


def _resolve(duel: Duel, state: State, orders: Orders, boosts: list[Boost]) -> Outcome:
    fighters = fighters_of(duel, state, orders.plays)
    return resolve_literally(duel.arena, duel.level(state), orders.cards, fighters, (boosts[0], boosts[1]))


def _raise_standards(
    duel: Duel, state: State, orders: Orders, boosts: list[Boost], rolls: Rolls
) -> tuple[list[Boost], list[BoolArray]]:
    """Ask who uses a standard against the damage of this turn (WE-STD.2); return the boosts, and who did."""
    damage = _resolve(duel, state, orders, boosts).damage
    new_boosts, uses = list(boosts), []
    for side_index, side in enumerate(SIDES):
        standard = duel.commands[side_index].standard
        able = (state[f"{side}_standard"] > 0) & (damage[side_index] > 0)
        view = duel.view(side_index, state, duel.level(state)).with_facts(damage=damage[side_index])
        is_raised = rolls.choose(side, "standard", 1 + able, view) > 0
        uses.append(is_raised)
        if standard is not None:
            new_boosts[side_index] = boosts[side_index]._replace(relief=is_raised * standard.damage)
    return new_boosts, uses


def _champions_fall(duel: Duel, state: State, outcome: Outcome) -> tuple[Outcome, list[BoolArray]]:
    """WE-CM.5: with both combat masters brought in, one whose DV the damage exceeds falls instead of the troop."""
    both_present = (state["a_second"] == MST) & (state["b_second"] == MST)
    falls = []
    for side_index, command in enumerate(duel.commands):
        dv = command.champion.discard_value if command.champion is not None else 0
        falls.append(both_present & (outcome.discard_damage[side_index] > dv))
    discards = (outcome.is_discarded[0] & ~falls[0], outcome.is_discarded[1] & ~falls[1])
    return outcome._replace(is_discarded=discards), falls


def _cards_after(duel: Duel, side_index: int, state: State, has_initiative: BoolArray, falls: BoolArray) -> State:
    """Return a side's columns once its master has fallen or turned face down, and `tcts` has been decided."""
    side, command = SIDES[side_index], duel.commands[side_index]
    second = state[f"{side}_second"]
    champion = np.where(second == MST, np.where(falls, 0, DOWN), state[f"{side}_champion"])
    tries_promotion = second == TCTS
    leader = np.where(tries_promotion, np.where(has_initiative, PROMOTION, DOWN), state[f"{side}_leader"])
    places = command.places(state, side)
    new_places = np.where((tries_promotion & has_initiative)[:, None] & (places == LOCKED), IN_PROMOTION, places)
    counts = falls & duel.rules.champion_in_pile
    dv = command.champion.discard_value if command.champion is not None else 0
    return {
        f"{side}_champion": champion.astype(np.int16),
        f"{side}_leader": leader.astype(np.int16),
        f"{side}_pile": state[f"{side}_pile"] + counts,
        f"{side}_relief": state[f"{side}_relief"] + dv * counts,
        **command.put(side, new_places),
    }

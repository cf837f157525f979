"""A turn with combat masters, standards and battle masters in it (WE-CM, WE-STD, WE-STR.5).

What differs from `balance.games.edadh.duel.conflict`: beside the mastery card a side may play one side of its secondary
mastery card; a combat master brought in adds one bonus, the Attacker naming it before the Defender; a standard may take
damage away once the amount is known; `tcts` promotes the locked stratagems if its side is the Attacker.
"""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.conflict import Orders, choose_cards, fighters_of, select_troops, take_turn
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.commands import DOWN, LOCKED, MST, PROMOTED, PROMOTION, TCTS, UP
from balance.games.edadh.rules.look_up import resolve_literally
from balance.games.edadh.rules.strike import Boost
from balance.games.edadh.rules.turn import Outcome
from balance.games.edadh.rules.view import SIDES

__all__ = ["BONUSES", "fight_led", "may_play_second"]

BONUSES = ("", "mp_bonus", "ml", "att", "defence", "damage")
"""What a combat master may add, by number (WE-CM.1); 0 is nothing."""
CARD_FIELD = {"mp_bonus": "mp", "ml": "ml", "att": "att", "defence": "defence", "damage": "damage"}
SECONDS = np.array([[0, 0, 0], [0, MST, 0], [0, TCTS, 0], [0, MST, TCTS]], np.int16).ravel()
N_SECONDS = np.array([1, 2, 2, 3])
"""What may be played beside the mastery card, and how many options that is, by mask."""


def fight_led(duel: Duel, state: State, rolls: Rolls) -> State:
    """Play one turn of every trial that has one left."""
    cards = choose_cards(duel, state, rolls)  # before the secondary cards lie open: all are played at once (WE-CM.2)
    seconds = [_second(duel, me, state, rolls) for me in (0, 1)]
    state = {**state, "a_second": seconds[0], "b_second": seconds[1]}
    role = duel.arena.mastery.roles(*cards)
    orders = Orders(cards, role, select_troops(duel, state, cards, role, rolls))
    named = _name_bonuses(duel, state, orders, rolls)
    boosts = [_boost(duel, me, state, named[me]) for me in (0, 1)]
    boosts, used = _raise_standards(duel, state, orders, boosts, rolls)
    outcome, fallen = _champions_fall(duel, state, _resolve(duel, state, orders, boosts))
    after = take_turn(duel, lambda *_: outcome, state, orders.cards, orders.plays)
    for me, own_role in enumerate(_roles(orders)):
        after |= _cards_after(duel, me, after, own_role > 0, fallen[me])
        after[f"{SIDES[me]}_standard"] = after[f"{SIDES[me]}_standard"] * ~used[me]
    return after


def _roles(orders: Orders) -> tuple[IntArray, IntArray]:
    """Return the role of either side: 1 Attacker, -1 Defender, 0 on a tie."""
    return orders.role, -orders.role


def may_play_second(duel: Duel, me: int, state: State) -> IntArray:
    """Return which sides of the secondary mastery card may be played, a mask with bits MST and TCTS (WE-STR.6)."""
    champion, leader = state[f"{SIDES[me]}_champion"], state[f"{SIDES[me]}_leader"]
    mst = champion == UP
    if duel.rules.failed_tactics == "both_sides":
        mst &= leader != DOWN
    return np.asarray((MST * mst + TCTS * (leader == UP)) * (state["turns"] > 0))


def _second(duel: Duel, me: int, state: State, rolls: Rolls) -> IntArray:
    place = may_play_second(duel, me, state)
    view = duel.view(me, state, duel.level(state))
    option = rolls.choose(SIDES[me], "second", N_SECONDS.take(place), view)
    return SECONDS.take(place * 3 + option)


def _name_bonuses(duel: Duel, state: State, orders: Orders, rolls: Rolls) -> list[IntArray]:
    """Return the bonus each side's combat master gives, by number: the Attacker's first, which the Defender hears.

    None if both were brought in on a tie (WE-CM.4).
    """
    brought = [state[f"{side}_second"] == MST for side in SIDES]
    able = ~(brought[0] & brought[1] & (orders.role == 0))
    first = [_bonus(duel, me, state, orders, "bonus", able & brought[me], rolls) for me in (0, 1)]
    second = [
        _bonus(duel, me, state, orders, "answer bonus", able & brought[me], rolls, first[1 - me]) for me in (0, 1)
    ]
    return [np.where(role < 0, *pair) for role, *pair in zip(_roles(orders), second, first, strict=True)]


def _bonus(
    duel: Duel, me: int, state: State, orders: Orders, name: str, able: BoolArray, rolls: Rolls,
    heard: IntArray | None = None,
) -> IntArray:  # fmt: skip
    """Return the bonus a side names as Attacker or on a tie, or as a Defender who has `heard` the Attacker's."""
    role = _roles(orders)[me]
    harms = role >= 0 if duel.rules.champion_tie_damage else role > 0
    seen = {"card": orders.cards[me], "foe_card": orders.cards[1 - me], "role": role, "foe_play": orders.plays[1 - me]}
    view = duel.view(me, state, duel.level(state)).knowing(**seen)
    asked = able & (role >= 0)
    if heard is not None:
        view, asked = view.knowing(foe_bonus=heard), able & (role < 0)
    return (1 + rolls.choose(SIDES[me], name, np.where(asked, 4 + harms, 1), view)) * asked


def _boost(duel: Duel, me: int, state: State, named: IntArray) -> Boost:
    """Return what stratagems in play and the combat master add on one side."""
    command = duel.commands[me]
    boost = command.boost(state, SIDES[me], duel.level(state))
    for number, field in enumerate(BONUSES):
        if field and command.champion is not None:
            amount = getattr(command.champion, CARD_FIELD[field]) * (named == number)
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
    changed, used = list(boosts), []
    for me, side in enumerate(SIDES):
        standard = duel.commands[me].standard
        able = (state[f"{side}_standard"] > 0) & (damage[me] > 0)
        view = duel.view(me, state, duel.level(state)).knowing(damage=damage[me])
        raised = rolls.choose(side, "standard", 1 + able, view) > 0
        used.append(raised)
        if standard is not None:
            changed[me] = boosts[me]._replace(relief=raised * standard.damage)
    return changed, used


def _champions_fall(duel: Duel, state: State, outcome: Outcome) -> tuple[Outcome, list[BoolArray]]:
    """WE-CM.5: with both combat masters brought in, one whose DV the damage exceeds falls instead of the troop."""
    both = (state["a_second"] == MST) & (state["b_second"] == MST)
    fallen = []
    for me, command in enumerate(duel.commands):
        dv = command.champion.discard_value if command.champion is not None else 0
        fallen.append(both & (outcome.measured[me] > dv))
    kept = (outcome.discarded[0] & ~fallen[0], outcome.discarded[1] & ~fallen[1])
    return outcome._replace(discarded=kept), fallen


def _cards_after(duel: Duel, me: int, state: State, won: BoolArray, fallen: BoolArray) -> State:
    """Return a side's columns once its master has fallen or turned face down, and `tcts` has been decided."""
    side, command = SIDES[me], duel.commands[me]
    second = state[f"{side}_second"]
    champion = np.where(second == MST, np.where(fallen, 0, DOWN), state[f"{side}_champion"])
    tried = second == TCTS
    leader = np.where(tried, np.where(won, PROMOTION, DOWN), state[f"{side}_leader"])
    places = command.where(state, side)
    promoted = np.where((tried & won)[:, None] & (places == LOCKED), PROMOTED, places)
    counts = fallen & duel.rules.champion_in_pile
    dv = command.champion.discard_value if command.champion is not None else 0
    return {
        f"{side}_champion": champion.astype(np.int16),
        f"{side}_leader": leader.astype(np.int16),
        f"{side}_pile": state[f"{side}_pile"] + counts,
        f"{side}_relief": state[f"{side}_relief"] + dv * counts,
        **command.put(side, promoted),
    }

"""A turn with combat masters, standards and battle masters in it (WE-CM, WE-STD, WE-STR.5).

What differs from `balance.games.edadh.conflict`: beside the mastery card a side may play one side of its secondary
mastery card; a combat master brought in adds one bonus, the Attacker naming it before the Defender; a standard may take
damage away once the amount is known; `tcts` promotes the locked stratagems if its side is the Attacker.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from balance.core.process import State
from balance.core.rolls import Rolls
from balance.games.edadh.battle import Battle
from balance.games.edadh.commands import LOCKED, MST, PROMOTED, TCTS
from balance.games.edadh.conflict import Orders, fighters_of, give_orders, take_turn
from balance.games.edadh.look_up import Boost, resolve_literally
from balance.games.edadh.policies.any_command import BONUS_FACES, SECOND_FACES
from balance.games.edadh.strike import Ints
from balance.games.edadh.turn import Outcome
from balance.games.edadh.view import SIDES, View

__all__ = ["BONUSES", "fight_led", "may_play_second"]

BONUSES = ("", "mp_bonus", "ml", "att", "defence", "damage")
"""What a combat master may add, by number (WE-CM.1); 0 is nothing."""
CARD_FIELD = {"mp_bonus": "mp", "ml": "ml", "att": "att", "defence": "defence", "damage": "damage"}
UP, DOWN, PROMOTION = 1, 2, 3


def fight_led(battle: Battle, state: State, rolls: Rolls) -> State:
    """Play one turn of every trial that has one left."""
    seconds = [_second(battle, me, state, rolls) for me in (0, 1)]
    state = {**state, "a_second": seconds[0], "b_second": seconds[1]}
    orders = give_orders(battle, state, rolls)
    named = _name_bonuses(battle, state, orders, rolls)
    boosts = [_boost(battle, me, state, named[me]) for me in (0, 1)]
    boosts, used = _raise_standards(battle, state, orders, boosts, rolls)
    outcome, fallen = _champions_fall(battle, state, _resolve(battle, state, orders, boosts))
    after = take_turn(battle, lambda *_: outcome, state, orders.cards, orders.plays)
    for me in (0, 1):
        after |= _cards_after(battle, me, after, orders, fallen[me])
        after[f"{SIDES[me]}_standard"] = after[f"{SIDES[me]}_standard"] * ~used[me]
    return after


def may_play_second(battle: Battle, me: int, state: State) -> Ints:
    """Return which sides of the secondary mastery card may be played, a mask with bits MST and TCTS (WE-STR.6)."""
    champion, leader = state[f"{SIDES[me]}_champion"], state[f"{SIDES[me]}_leader"]
    mst = champion == UP
    if battle.rules.failed_tactics == "both_sides":
        mst &= leader != DOWN
    return (MST * mst + TCTS * (leader == UP)) * (state["turns"] > 0)


def _second(battle: Battle, me: int, state: State, rolls: Rolls) -> Ints:
    view = replace(battle.view(me, state, battle.level(state)), legal=may_play_second(battle, me, state))
    luck = rolls.d(SECOND_FACES, 1, f"{SIDES[me]} second")[:, 0]
    return battle.policies[me].second(view, luck).astype(np.int16)


def _name_bonuses(battle: Battle, state: State, orders: Orders, rolls: Rolls) -> list[Ints]:
    """Return the bonus each side's combat master gives, by number; none if both were brought in on a tie (WE-CM.4)."""
    brought = [state[f"{side}_second"] == MST for side in SIDES]
    both_tied = brought[0] & brought[1] & (orders.role == 0)
    able = [mine & ~both_tied for mine in brought]
    luck = [rolls.d(BONUS_FACES, 1, f"{side} bonus")[:, 0] for side in SIDES]
    views = [_bonus_view(battle, me, orders) for me in (0, 1)]
    first = [battle.policies[me].bonus(views[me], luck[me]) * able[me] for me in (0, 1)]
    named = list(first)
    for me, policy in enumerate(battle.policies):
        if policy.reacts:
            answer = policy.bonus(replace(views[me], foe_bonus=first[1 - me]), luck[me])
            named[me] = np.where(views[me].role < 0, answer, first[me]) * able[me]
    return named


def _bonus_view(battle: Battle, me: int, orders: Orders) -> View:
    """Return what a side sees when it names a bonus; `legal` is whether that may be damage."""
    view = orders.views[me]
    harms = view.role >= 0 if battle.rules.champion_tie_damage else view.role > 0
    return replace(view, foe_play=orders.plays[1 - me], legal=harms.astype(np.uint8))


def _boost(battle: Battle, me: int, state: State, named: Ints) -> Boost:
    """Return what stratagems in play and the combat master add on one side."""
    command = battle.commands[me]
    boost = command.boost(state, SIDES[me], battle.level(state))
    for number, field in enumerate(BONUSES):
        if field and command.champion is not None:
            amount = getattr(command.champion, CARD_FIELD[field]) * (named == number)
            boost = boost._replace(**{field: getattr(boost, field) + amount})
    return boost


def _resolve(battle: Battle, state: State, orders: Orders, boosts: list[Boost]) -> Outcome:
    fighters = fighters_of(battle, state, orders.plays)
    return resolve_literally(battle.arena, battle.level(state), orders.cards, fighters, (boosts[0], boosts[1]))


def _raise_standards(
    battle: Battle, state: State, orders: Orders, boosts: list[Boost], rolls: Rolls
) -> tuple[list[Boost], list[Ints]]:
    """Ask who uses a standard against the damage of this turn (WE-STD.2); return the boosts, and who did."""
    damage = _resolve(battle, state, orders, boosts).damage
    changed, used = list(boosts), []
    for me, policy in enumerate(battle.policies):
        standard = battle.commands[me].standard
        luck = rolls.d(2, 1, f"{SIDES[me]} standard")[:, 0]
        able = (state[f"{SIDES[me]}_standard"] > 0) & (damage[me] > 0)
        raised = policy.shield(orders.views[me], damage[me], luck) & able
        used.append(raised)
        changed[me] = boosts[me]._replace(relief=raised * (standard.damage if standard else 0))
    return changed, used


def _champions_fall(battle: Battle, state: State, outcome: Outcome) -> tuple[Outcome, list[Ints]]:
    """WE-CM.5: with both combat masters brought in, one whose DV the damage exceeds falls instead of the troop."""
    both = (state["a_second"] == MST) & (state["b_second"] == MST)
    fallen = []
    for me, command in enumerate(battle.commands):
        dv = command.champion.discard_value if command.champion is not None else 0
        fallen.append(both & (outcome.measured[me] > dv))
    kept = (outcome.discarded[0] & ~fallen[0], outcome.discarded[1] & ~fallen[1])
    return outcome._replace(discarded=kept), fallen


def _cards_after(battle: Battle, me: int, state: State, orders: Orders, fallen: Ints) -> State:
    """Return a side's columns once its master has fallen or turned face down, and `tcts` has been decided."""
    side, command = SIDES[me], battle.commands[me]
    second, won = state[f"{side}_second"], orders.views[me].role > 0
    champion = np.where(second == MST, np.where(fallen, 0, DOWN), state[f"{side}_champion"])
    tried = second == TCTS
    leader = np.where(tried, np.where(won, PROMOTION, DOWN), state[f"{side}_leader"])
    places = command.where(state, side)
    promoted = np.where((tried & won)[:, None] & (places == LOCKED), PROMOTED, places)
    counts = fallen & battle.rules.champion_in_pile
    dv = command.champion.discard_value if command.champion is not None else 0
    return {
        f"{side}_champion": champion.astype(np.int16),
        f"{side}_leader": leader.astype(np.int16),
        f"{side}_pile": state[f"{side}_pile"] + counts,
        f"{side}_relief": state[f"{side}_relief"] + dv * counts,
        **command.put(side, promoted),
    }

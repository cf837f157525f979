"""A turn of the conflict, played: cards are chosen, troops selected, the result resolved and written down (level A).

Order: both choose a card at once (WE-INIT.1); the Attacker selects a troop, then the Defender, who sees it; on a tie
both at once, among the troops of the lowest ML (WE-TROOP.2). A side whose Period has no turn left plays card 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, Resolver
from balance.games.edadh.rules.forces import N_PLAYS
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.strike import Ints
from balance.games.edadh.rules.turn import Outcome
from balance.games.edadh.rules.unit import COMBINE_ONE, MOST_PLAYS, N_OTHERS, NO_COLUMN, PLAYS
from balance.games.edadh.rules.view import PLAY_COUNT, SIDES, View

UNUSED = np.array([7 & ~(1 << (play & 3) | play >> 2) for play in range(N_PLAYS)], np.uint8)
"""Mask of the columns that a play leaves face up."""


class Orders(NamedTuple):
    """What both sides do in a turn, `[n]` each; pairs are (side a, side b).

    `cards` are CVs, 0 for no turn; `role` is 1 where side a is the Attacker, -1 where side b is, 0 on a tie; `plays`
    are selected column + 4 * mask of helpers, NO_COLUMN for no turn.
    """

    cards: tuple[IntArray, IntArray]
    role: IntArray
    plays: tuple[IntArray, IntArray]


def fight(duel: Duel, resolve: Resolver, state: State, rolls: Rolls) -> State:
    """Play one turn (T1 to T8) of every trial that has one left; the others keep their columns."""
    orders = give_orders(duel, state, rolls)
    return take_turn(duel, resolve, state, orders.cards, orders.plays)


def give_orders(duel: Duel, state: State, rolls: Rolls) -> Orders:
    """Ask both sides for their choices: cards at once, then the Attacker's troop, then the Defender's (WE-TROOP)."""
    cards = choose_cards(duel, state, rolls)
    role = duel.arena.mastery.roles(*cards)
    return Orders(cards, role, select_troops(duel, state, cards, role, rolls))


def choose_cards(duel: Duel, state: State, rolls: Rolls) -> tuple[IntArray, IntArray]:
    """Return both sides' CVs 1 to 12, chosen at once, `int[n]`; 0 where the Period has no turn left."""
    in_turn, level = state["turns"] > 0, duel.level(state)
    card_a, card_b = (
        (1 + rolls.choose(side, "card", N_CARDS, duel.view(side_index, state, level))) * in_turn
        for side_index, side in enumerate(SIDES)
    )
    return card_a, card_b


def select_troops(
    duel: Duel, state: State, cards: tuple[IntArray, IntArray], role: IntArray, rolls: Rolls
) -> tuple[IntArray, IntArray]:
    """Return both sides' plays once the cards lie open: the Attacker selects, or on a tie both; then the Defender.

    Cards are CVs, `int16[n]`, 0 for no turn; `role` is 1 where side a is the Attacker, -1 where side b is, 0 on a tie,
    `int8[n]`.
    """
    views = [_troop_view(duel, side_index, state, cards, role if side_index == 0 else -role) for side_index in (0, 1)]
    selects = [view.facts["role"] >= 0 for view in views]
    first = [_option(rolls, "troop", view, now) for view, now in zip(views, selects, strict=True)]
    plays = [_play(view, option) for view, option in zip(views, first, strict=True)]
    answers = [
        _option(rolls, "answer", view.with_facts(foe_play=plays[view.foe]), ~now)
        for view, now in zip(views, selects, strict=True)
    ]
    play_a, play_b = (_play(view, *options) for view, *options in zip(views, first, answers, strict=True))
    return _combine_late(duel, views, (play_a, play_b), rolls) if duel.rules.combine_late else (play_a, play_b)


def _troop_view(duel: Duel, side_index: int, state: State, cards: tuple[IntArray, IntArray], role: IntArray) -> View:
    """Return what a side sees that is to select a troop, alone if combining comes later (WE-Q18)."""
    level = duel.level(state)
    mask, right = troop_options(duel, side_index, state, level, role)
    place = (mask if duel.rules.combine_late else right * 8 + mask) * 4 + NO_COLUMN
    facts = {"place": place, "right": right, "card": cards[side_index], "foe_card": cards[1 - side_index], "role": role}
    return duel.view(side_index, state, level).with_facts(**facts)


def _option(rolls: Rolls, name: str, view: View, mask: BoolArray) -> IntArray:
    """Return the option that a side takes where it is asked, its first one elsewhere, `int16[n]`."""
    legal = N_OTHERS.take(view.facts["place"]) * mask + 1
    return rolls.choose(SIDES[view.side_index], name, legal, view)


def _play(view: View, *options: IntArray) -> IntArray:
    """Return the play of a side that has taken options of which at most one is not its first, `int16[n]`."""
    return PLAYS.take(sum(options, start=view.facts["place"] * MOST_PLAYS))


def _combine_late(
    duel: Duel, views: list[View], alone: tuple[IntArray, IntArray], rolls: Rolls
) -> tuple[IntArray, IntArray]:
    """Ask who may combine once both troops have been selected: the other reading of WE-Q18; return both plays."""
    plays = []
    for view in views:
        place = view.facts["place"] - NO_COLUMN + alone[view.side_index] + view.facts["right"] * 32
        combine_view = view.with_facts(place=place, foe_play=alone[view.foe])
        plays.append(_play(combine_view, _option(rolls, "combine", combine_view, np.ones(len(place), bool))))
    return plays[0], plays[1]


def troop_options(duel: Duel, side_index: int, state: State, level: Ints, role: IntArray) -> tuple[IntArray, IntArray]:
    """Return what a side may select: a mask of columns, and the right to combine (WE-TROOP, WE-FEW), `int[n]` each.

    `role` is 1 where this side is the Attacker, -1 the Defender, 0 on a tie, `int8[n]`.
    """
    side = SIDES[side_index]
    up = state[f"{side}_up"]
    lowest = duel.arena.forces[side_index].unit.lowest_ml
    place = state[f"{side}_unit"].astype(np.intp) * 8 + up
    required_columns = lowest[level].take(place) if isinstance(level, int) else lowest[level, place]
    able = role >= 0 if duel.rules.combine_on_tie else role > 0
    right = state[f"{side}_combine"] * able
    mask = required_columns | up * (role != 0)  # what is forced is up
    return mask * (state["turns"] > 0).astype(np.int16), right


def take_turn(
    duel: Duel, resolve: Resolver, state: State, cards: tuple[IntArray, IntArray], plays: tuple[IntArray, IntArray]
) -> State:
    """Return the state after a turn, given both sides' cards and plays (T3 to T8).

    Cards are CVs, `int16[n]`, 0 where there is no turn to play; a play is the selected column + 4 * mask of helpers,
    NO_COLUMN where there is no turn.
    """
    outcome = resolve(duel.level(state), cards, fighters_of(duel, state, plays))
    after = {**state, "turns": np.maximum(state["turns"] - 1, 0)}
    for side_index in (0, 1):
        after |= _side_after(duel, side_index, state, plays[side_index], outcome)
        if duel.has_counted_cards[side_index]:
            after |= _play_counts(SIDES[side_index], state, cards[side_index])
    if duel.rules.mp_zero_check == "immediate":
        return _stop_without_mp(state, after, outcome)
    return after


def _play_counts(side: str, state: State, cards: IntArray) -> State:
    """Return a side's columns `played_1` to `played_12` after this turn, for an opponent who counts cards."""
    names = {f"{side}_{PLAY_COUNT}{value}": value for value in range(1, N_CARDS + 1)}
    return {name: (state[name] + (cards == value)).astype(np.int16) for name, value in names.items()}


def fighters_of(duel: Duel, state: State, plays: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    """Return the fighters that plays (selected column + 4 * mask of helpers) send, `int32[n]` for either side."""
    fighter_a, fighter_b = (
        force.fighter.take(state[f"{side}_unit"].astype(np.intp) * N_PLAYS + play)
        for force, side, play in zip(duel.arena.forces, SIDES, plays, strict=True)
    )
    return fighter_a, fighter_b


def _side_after(duel: Duel, side_index: int, state: State, play: IntArray, outcome: Outcome) -> State:
    """Return one side's columns after the turn: MP paid, gained up to the cap and lost; damage; cards still up."""
    side = SIDES[side_index]
    mp = np.minimum(state[f"{side}_mp"] - outcome.cost[side_index] + outcome.bonus[side_index], duel.arena.read.mp_cap)
    after: State = {
        f"{side}_mp": mp - outcome.mp_loss[side_index],
        f"{side}_damage": state[f"{side}_damage"] + outcome.damage[side_index],
        f"{side}_up": state[f"{side}_up"] & UNUSED.take(play),
        f"{side}_pile": state[f"{side}_pile"] + outcome.is_discarded[side_index],
        f"{side}_combine": _right_left(state[f"{side}_combine"], play),
        f"{side}_unit": state[f"{side}_unit"].copy(),
        f"{side}_relief": state[f"{side}_relief"].copy(),
    }
    _discard_at_once(duel, side_index, after, np.flatnonzero(outcome.is_discarded[side_index]), play)
    return after


def _discard_at_once(duel: Duel, side_index: int, after: State, rows: IntArray, play: IntArray) -> None:
    """Take the Selected Troops of some trials out of the Unit (WE-DISC.1), writing into `after`."""
    side, unit = SIDES[side_index], duel.arena.forces[side_index].unit
    column = play.take(rows) & 3
    place = after[f"{side}_unit"].take(rows).astype(np.intp) * 4 + column
    behind = unit.behind.take(place)
    after[f"{side}_unit"][rows] = behind
    after[f"{side}_relief"][rows] += unit.front_dv.take(place)
    if duel.rules.refill == "at_once":
        after[f"{side}_up"][rows] |= (unit.front_mask.take(behind) & (1 << column)).astype(np.uint8)


def _right_left(right: IntArray, play: IntArray) -> IntArray:
    """Return the right to combine after a play: with COMBINE_ONE a card may be combined once in a Period (WE-FEW.2)."""
    if not right.any():
        return right
    return np.where((right == COMBINE_ONE) & (play > NO_COLUMN), 0, right).astype(np.int16)


def _stop_without_mp(before: State, after: State, outcome: Outcome) -> State:
    """Return the state where paying the last MP loses at once and stops the turn: the other reading of WE-Q8."""
    mp_after_cost = [before[f"{side}_mp"] - cost for side, cost in zip(SIDES, outcome.cost, strict=True)]
    stops = (mp_after_cost[0] <= 0) | (mp_after_cost[1] <= 0)
    reset_columns = {
        f"{side}_{name}" for side in SIDES for name in ("damage", "unit", "up", "pile", "relief", "combine")
    }
    state = {
        name: np.where(stops, before[name], values).astype(values.dtype) if name in reset_columns else values
        for name, values in after.items()
    }
    for side, remaining_mp in zip(SIDES, mp_after_cost, strict=True):
        mp = np.where(stops, remaining_mp, after[f"{side}_mp"]).astype(np.int16)
        state |= {f"{side}_mp": mp, f"{side}_lost": np.where(mp <= 0, LOSS_CODES["mp"], 0).astype(np.int16)}
    over = (state["a_lost"] > 0) | (state["b_lost"] > 0)
    return {**state, "over": over.astype(np.int16)}

"""A turn of the conflict, played: cards are chosen, troops selected, the result resolved and written down (level A).

Order: both choose a card at once (WE-INIT.1); the Attacker selects a troop, then the Defender, who sees it; on a tie
both at once, among the troops of the lowest ML (WE-TROOP.2). A side whose Period has no turn left plays card 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from balance.core.process import State
from balance.core.rolls import Rolls
from balance.games.edadh.battle import LOST, Battle, Resolver
from balance.games.edadh.forces import N_PLAYS
from balance.games.edadh.strike import Ints
from balance.games.edadh.turn import Outcome
from balance.games.edadh.unit import COLUMN_FACES, NOBODY, ONE, PLAY_FACES
from balance.games.edadh.view import MIND, SIDES, View

__all__ = ["Orders", "choose_cards", "fight", "fighters_of", "give_orders", "take_turn", "troop_options"]

UNUSED = np.array([7 & ~(((1 << (play & 3)) & 7) | play >> 2) for play in range(N_PLAYS)], np.uint8)
"""Mask of the columns that a play leaves face up."""


class Orders(NamedTuple):
    """What both sides do in a turn; pairs are (side a, side b).

    `cards` are CVs, 0 for no turn; `role` is 1 where side a is the Attacker, -1 where side b is, 0 on a tie; `plays`
    are selected column + 4 * mask of helpers, NOBODY for no turn; `views` are what they knew.
    """

    cards: tuple[Ints, Ints]
    role: Ints
    plays: tuple[Ints, Ints]
    views: tuple[View, View]


def give_orders(battle: Battle, state: State, rolls: Rolls, faces: int = PLAY_FACES) -> Orders:
    """Ask both sides' policies what they do in this turn.

    Parameters
    ----------
    faces
        Faces of the dice that select troops; `COLUMN_FACES` will do where nobody can combine.
    """
    level = battle.level(state)
    cards = choose_cards(battle, state, level, rolls)
    role = battle.arena.mastery.roles(*cards)
    views = _revealed(battle, state, level, cards, role)
    if not battle.rules.combine_late:
        return Orders(cards, role, select(battle, views, _luck(rolls, "troop", faces)), views)
    alone = select(battle, (replace(views[0], right=0), replace(views[1], right=0)), _luck(rolls, "troop"))
    if faces > COLUMN_FACES:
        alone = _combine_late(battle, views, alone, _luck(rolls, "combine"))
    return Orders(cards, role, alone, views)


def _luck(rolls: Rolls, name: str, faces: int = COLUMN_FACES) -> list[Ints]:
    """Throw a die for either side, spread over PLAY_FACES; one to three options divide COLUMN_FACES."""
    return [rolls.d(faces, 1, f"{side} {name}")[:, 0] * (PLAY_FACES // faces) for side in SIDES]


def _combine_late(
    battle: Battle, views: tuple[View, View], alone: tuple[Ints, Ints], luck: list[Ints]
) -> tuple[Ints, Ints]:
    """WE-Q18, the other reading: who may combine says so once both troops have been selected."""
    chosen = [
        policy.play(replace(view, fixed=alone[me], foe_play=alone[1 - me]), luck[me])
        for me, (policy, view) in enumerate(zip(battle.policies, views, strict=True))
    ]
    return chosen[0], chosen[1]


def fight(battle: Battle, resolve: Resolver, state: State, rolls: Rolls) -> State:
    """Play one turn of every trial that has one left; `resolve` is a `TurnTable` or `resolve_literally`."""
    orders = give_orders(battle, state, rolls)
    after = take_turn(battle, resolve, state, orders.cards, orders.plays)
    for me, policy in enumerate(battle.policies):
        if policy.memory:
            seen = policy.remember(replace(orders.views[me], foe_play=orders.plays[1 - me]))
            after |= {f"{SIDES[me]}_{MIND}{name}": values for name, values in seen.items()}
    return after


def choose_cards(battle: Battle, state: State, level: Ints, rolls: Rolls) -> tuple[Ints, Ints]:
    """Return both sides' CVs, `int16[n]`; 0 where the Period has no turn left."""
    playing = state["turns"] > 0
    chosen = []
    for me, policy in enumerate(battle.policies):
        luck = rolls.d(policy.card_faces, 1, f"{SIDES[me]} card")[:, 0]
        chosen.append(policy.card(battle.view(me, state, level), luck) * playing)
    return chosen[0], chosen[1]


def troop_options(battle: Battle, me: int, state: State, level: Ints, role: Ints) -> tuple[Ints, Ints]:
    """Return what a side may select: a mask of columns, and the right to combine (WE-TROOP, WE-FEW).

    Parameters
    ----------
    me
        0 for side a, 1 for side b.
    role
        1 where it is the Attacker, -1 the Defender, 0 on a tie, `int8[n]`.
    """
    side = SIDES[me]
    up, tie = state[f"{side}_up"], role == 0
    lowest = battle.arena.forces[me].unit.lowest_ml
    place = state[f"{side}_unit"].astype(np.intp) * 8 + up
    forced = lowest[level].take(place) if isinstance(level, int) else lowest[level, place]
    able = role >= 0 if battle.rules.combine_on_tie else role > 0
    right = state[f"{side}_combine"] * able
    return np.where(tie, forced, up) * (state["turns"] > 0), right


def _revealed(battle: Battle, state: State, level: Ints, cards: tuple[Ints, Ints], role: Ints) -> tuple[View, View]:
    views = []
    for me in (0, 1):
        own = role if me == 0 else -role
        legal, right = troop_options(battle, me, state, level, own)
        seen = {"legal": legal, "right": right, "card": cards[me], "foe_card": cards[1 - me], "role": own}
        views.append(replace(battle.view(me, state, level), **seen))
    return views[0], views[1]


def select(battle: Battle, views: tuple[View, View], luck: list[Ints]) -> tuple[Ints, Ints]:
    """Return both sides' plays; a Defender who reacts to the Attacker's troop is asked again once it is known."""
    first = [policy.play(view, dice) for policy, view, dice in zip(battle.policies, views, luck, strict=True)]
    chosen = list(first)
    for me, policy in enumerate(battle.policies):
        if policy.reacts:
            answer = policy.play(replace(views[me], foe_play=first[1 - me]), luck[me])
            chosen[me] = np.where(views[me].role < 0, answer, first[me])
    return chosen[0], chosen[1]


def take_turn(
    battle: Battle, resolve: Resolver, state: State, cards: tuple[Ints, Ints], plays: tuple[Ints, Ints]
) -> State:
    """Return the state after a turn, given both sides' cards and plays (T3 to T8).

    Parameters
    ----------
    cards
        CV of either side, `int16[n]`; 0 where there is no turn to play.
    plays
        Selected column + 4 * mask of helpers, `[n]`; NOBODY where there is no turn to play.
    """
    outcome = resolve(battle.level(state), cards, fighters_of(battle, state, plays))
    after = {**state, "turns": np.maximum(state["turns"] - 1, 0)}
    for me in (0, 1):
        after |= _side_after(battle, me, state, plays[me], outcome)
    if battle.rules.mp_zero_check == "immediate":
        return _stop_without_mp(state, after, outcome)
    return after


def fighters_of(battle: Battle, state: State, plays: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Return the fighters that plays send, `int32[n]` for either side."""
    one, other = (
        force.fighter.take(state[f"{side}_unit"].astype(np.intp) * N_PLAYS + play)
        for force, side, play in zip(battle.arena.forces, SIDES, plays, strict=True)
    )
    return one, other


def _side_after(battle: Battle, me: int, state: State, play: Ints, outcome: Outcome) -> State:
    """Return the columns of one side after the turn."""
    side = SIDES[me]
    mp = np.minimum(state[f"{side}_mp"] - outcome.cost[me] + outcome.bonus[me], battle.arena.read.mp_cap)
    after: State = {
        f"{side}_mp": mp - outcome.mp_loss[me],
        f"{side}_damage": state[f"{side}_damage"] + outcome.damage[me],
        f"{side}_up": state[f"{side}_up"] & UNUSED.take(play),
        f"{side}_pile": state[f"{side}_pile"] + outcome.discarded[me],
        f"{side}_combine": _right_left(state[f"{side}_combine"], play),
        f"{side}_unit": state[f"{side}_unit"].copy(),
        f"{side}_relief": state[f"{side}_relief"].copy(),
    }
    _discard_at_once(battle, me, after, np.flatnonzero(outcome.discarded[me]), play)
    return after


def _discard_at_once(battle: Battle, me: int, after: State, rows: Ints, play: Ints) -> None:
    """Take the Selected Troops of some trials out of the Unit (WE-DISC.1), writing into `after`."""
    side, unit = SIDES[me], battle.arena.forces[me].unit
    column = play.take(rows) & 3
    place = after[f"{side}_unit"].take(rows).astype(np.intp) * 4 + column
    behind = unit.behind.take(place)
    after[f"{side}_unit"][rows] = behind
    after[f"{side}_relief"][rows] += unit.front_dv.take(place)
    if battle.rules.refill == "at_once":
        after[f"{side}_up"][rows] |= (unit.standing.take(behind) & (1 << column)).astype(np.uint8)


def _right_left(right: Ints, play: Ints) -> Ints:
    """WE-FEW.2: one card may be combined once in a Period."""
    if not right.any():
        return right
    return np.where((right == ONE) & (play > NOBODY), 0, right).astype(np.int16)


def _stop_without_mp(before: State, after: State, outcome: Outcome) -> State:
    """WE-Q8, the other reading: who pays the last MP has lost, and the turn stops there."""
    paid = [before[f"{side}_mp"] - cost for side, cost in zip(SIDES, outcome.cost, strict=True)]
    stopped = (paid[0] <= 0) | (paid[1] <= 0)
    kept = {f"{side}_{name}" for side in SIDES for name in ("damage", "unit", "up", "pile", "relief", "combine")}
    state = {
        name: np.where(stopped, before[name], values).astype(values.dtype) if name in kept else values
        for name, values in after.items()
    }
    for side, left in zip(SIDES, paid, strict=True):
        mp = np.where(stopped, left, after[f"{side}_mp"]).astype(np.int16)
        state |= {f"{side}_mp": mp, f"{side}_lost": np.where(mp <= 0, LOST["mp"], 0).astype(np.int16)}
    over = (state["a_lost"] > 0) | (state["b_lost"] > 0)
    return {**state, "over": over.astype(np.int16)}

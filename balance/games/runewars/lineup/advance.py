"""Line-ups that walk: units shoot, march and charge by initiative until they meet.

The lines begin some bands apart. State columns of side s, `int16[n, k]`: `ahead_s` (bands that a unit went), `held_s`
(1 and the place of the enemy that it ran into, 0 for nobody), `order_s` and `reach_s` (its order, and how far it
charges by it); `turns`, `int16[n, units]`, has units of both sides in the order in which they act this round.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.kit.combat.members import any_place, put_at, value_at
from balance.game.kit.combat.orders import turns
from balance.games.runewars.lineup.play import Play, alive, struck, unit_at
from balance.games.runewars.lineup.roster import LATE, Roster
from balance.games.runewars.rules.walk import gap_after, in_range

MELEE, CHARGE, SHOOT, MARCH, WAIT = range(5)
"""What a unit orders for a round."""


def on_the_way(play: Play, order: str, start: State) -> list[Step]:
    """Return the steps of a round in which units walk: all give orders, then act by initiative."""
    for side in "ab":
        empty = np.zeros_like(start[f"{side}_members"])
        start |= {f"{name}_{side}": empty for name in ("ahead", "held", "order", "reach")}
    begins, n_units = {}, 0
    for side, _ in turns(order):
        begins[side], n_units = n_units, n_units + start[f"{side}_members"].shape[1]
    start["turns"] = np.zeros((n_trials(start), n_units), np.int16)
    acts = (partial(_act, play, *pair, begins[pair[0]], turn) for turn in range(n_units) for pair in turns(order))
    return [partial(_give_orders, play, order), *acts]


@lru_cache(maxsize=8)
def _paces(roster: Roster) -> tuple[dict[str, IntArray], IntArray]:
    """Return each number of paces by member, and initiatives of charges by member and gap; nobody's are last."""
    nobody = 2 * len(roster.paces)
    numbers: dict[str, IntArray] = {}
    for name in ("melee", "shoot", "range_bands", "march", "march_bands", "rushes"):
        numbers[name] = np.zeros(nobody + 1, np.int16)
        numbers[name][: len(roster.paces)] = [getattr(pace, name) for pace in roster.paces]
    charges: IntArray = np.full((nobody + 1, roster.gap_bands + 1), LATE, np.int16)
    charges[: len(roster.paces)] = [pace.charges for pace in roster.paces]
    return numbers, charges


def _give_orders(play: Play, order: str, state: State, rolls: Rolls) -> State:
    """Let every unit give its order by what it sees as the round begins, and sort all of them by initiative."""
    after, initiatives, roster = dict(state), [], play.tables.roster
    numbers, charges = _paces(roster)
    for side, foe in turns(order):
        members, lives = state[f"{side}_members"], alive(state, side)
        front = np.where(alive(state, foe), state[f"ahead_{foe}"], -LATE).max(axis=1, keepdims=True)
        gap = np.minimum(gap_after(roster.gap_bands - state[f"ahead_{side}"], front), roster.gap_bands)
        is_held = np.stack([any_place(_contact(state, side, foe, place)) for place in range(lives.shape[1])], axis=1)
        manner = dict(roster.manners)[side]
        shoots = in_range(np.maximum(gap, 1), numbers["range_bands"].take(members)) & (manner != "close")
        charge = charges[members, gap]
        cases = [is_held, shoots, charge < LATE, np.full_like(lives, manner != "hold")]
        of = {name: column.take(members) for name, column in numbers.items()}
        far = np.where(of["rushes"], CHARGE, MARCH)
        given = np.select(cases, [MELEE, SHOOT, CHARGE, far], WAIT).astype(np.int16)
        soonest = np.select(cases, [of["melee"], of["shoot"], charge, of["march"]], LATE)
        initiatives.append(np.where(lives, soonest, LATE))
        reach = np.where(charge < LATE, gap, of["march_bands"])
        after |= {f"order_{side}": given, f"reach_{side}": reach.astype(np.int16)}
    ranks = np.concatenate(initiatives, axis=1).argsort(axis=1, kind="stable")
    return {**after, "turns": ranks.astype(np.int16)}


def _contact(state: State, side: str, foe: str, place: IntArray | int) -> BoolArray:
    """Return with which living enemies the unit at a place is in contact, `bool[n, k]`: who ran into whom."""
    own, at = value_at(state[f"held_{side}"], place)[:, None], np.reshape(place + 1, (-1, 1))
    is_held = (own == np.arange(1, state[f"held_{foe}"].shape[1] + 1)) | (state[f"held_{foe}"] == at)
    return np.asarray(is_held & alive(state, foe))


def _able(play: Play, side: str) -> tuple[int, ...]:
    """Return the numbers of members of a side, those that shoot a second time as they do."""
    members = sorted({number for numbers in play.occupants[side] for number in numbers})
    paces = play.tables.roster.paces
    return (*members, *(len(paces) + number for number in members if paces[number].range_bands))


def _act(play: Play, side: str, foe: str, begin: int, turn: int, state: State, rolls: Rolls) -> State:
    """Let the unit whose turn it is carry out its order, in the trials in which it is of this side."""
    place = state["turns"][:, turn].astype(np.intp) - begin
    due = (place >= 0) & (place < state[f"{side}_members"].shape[1])
    place = np.where(due, place, 0)
    unit = unit_at(state, side, place)
    order, reach, ahead = (value_at(state[f"{name}_{side}"], place) for name in ("order", "reach", "ahead"))
    due &= (unit["left"] > 0) | (unit["lives"] > 0)
    due, state = acting(state, side, due)
    if not due.any():
        return state
    roster, contact = play.tables.roster, _contact(state, side, foe, place)
    numbers, is_held = _paces(roster)[0], any_place(contact)
    may = contact & (order == MELEE)[:, None]
    free, is_shot = due & ~is_held & (order != WAIT), (order == SHOOT) & ~is_held
    after, n = dict(state), len(roster.paces)
    if free.any():
        gaps = gap_after(np.int16(roster.gap_bands) - ahead[:, None], state[f"ahead_{foe}"])
        limit = np.where(is_shot, numbers["range_bands"].take(unit["members"]), reach * (order == CHARGE))
        near = np.where(is_shot[:, None], np.maximum(gaps, 1), gaps) <= limit[:, None]
        may |= near & (free & ((order == CHARGE) | is_shot))[:, None] & alive(state, foe)
    acts = due & any_place(may)
    target: IntArray = np.zeros(len(due), np.intp)
    if acts.any():
        points = play.tables.of("cost_points", state[f"{foe}_members"])
        names = [f"{foe}{number + 1}" for number in range(may.shape[1])]
        view, legal = (place, state[f"{foe}_left"], points), np.where(acts[:, None], may, alive(state, foe))
        target = rolls.choose(side, f"{side} target {turn + 1}", legal, view, names)
        shooter = {**unit, "members": unit["members"] + np.where(is_shot & acts, n, 0)}
        name, able = f"{side} attack {turn + 1}", _able(play, side)
        after = struck(play, side, foe, place, target, acts, shooter, state, rolls, name, able)
    walks = free & (order != SHOOT) & (order != MELEE)
    if walks.any():
        distance = np.where(alive(state, foe), gaps, LATE)
        bands = np.where(acts, value_at(gaps, target), np.minimum(reach, distance.min(axis=1))) * walks
        met = np.where(acts, target, distance.argmin(axis=1))
        meets, held = walks & (value_at(gaps, met) <= bands), state[f"held_{side}"]
        after[f"ahead_{side}"] = put_at(state[f"ahead_{side}"], place, ahead + bands)
        after[f"held_{side}"] = put_at(held, place, np.where(meets, met + 1, value_at(held, place)))
    return after

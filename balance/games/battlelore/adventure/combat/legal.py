"""Who stands next to whom, how Bold that makes units, and which battles are legal (BL-MOR-06 to BL-MOR-08, BL-RNG)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.lore.hands import BY_ARRIVAL
from balance.games.battlelore.adventure.lore.windows import in_effect, is_on
from balance.games.battlelore.adventure.terms.battle import NOBODY, STRONGHOLD, Battle
from balance.games.battlelore.adventure.terms.deck import DARKEN
from balance.games.battlelore.adventure.terms.turn import Turn

ALL_FLAGS = 99
"""Flags that a unit may ignore that fears nothing."""


def beside(battle: Battle, state: State, side: int, rows: IntArray, cells: IntArray) -> IntArray:
    """Return the slots of a side's units next to cells, by direction, `int8[m, ..., 6]`; NOBODY for none.

    `cells` is `int[m, ...]`, for the trials `rows`, `int64[m]`.
    """
    near = battle.field.neighbours.take(cells.astype(np.int64) + 1, axis=0).astype(np.int64)
    n_places = state["occupant"].shape[1]
    near += 1 + (rows * n_places).reshape(-1, *(1,) * (near.ndim - 1))
    occupant = state["occupant"].ravel().take(near)
    return battle.slots_of(side, occupant)


def enemies_beside(battle: Battle, state: State, side: int, rows: IntArray) -> BoolArray:
    """Return in which directions each unit of `side` has an enemy next to it, `bool[m, K, 6]`."""
    return np.asarray(beside(battle, state, 1 - side, rows, state["cell"][rows, side]) != NOBODY)


# -- morale ------------------------------------------------------------------------------------------------------------


def friends_beside(battle: Battle, state: State, side: int, rows: IntArray, cells: IntArray) -> IntArray:
    """Return how many units of a side next to a cell support it, webbed ones not, `int64[m]` (BL-MOR-07, BL-MOR-08)."""
    slots = beside(battle, state, side, rows, cells)
    gives = slots != NOBODY
    if battle.lore:
        gives &= ~state["webbed"][rows[:, None], side, slots]
    return np.asarray(np.count_nonzero(gives, axis=1))


def boldness(battle: Battle, state: State, side: int, rows: IntArray, unit: IntArray) -> IntArray:
    """Return how many flags units may ignore where they stand now, `int64[m]`; a creature must (BL-CRE-05)."""
    field, muster = battle.field, battle.muster
    cells, kind = state["cell"][rows, side, unit], state["kind"][rows, side, unit]
    creature, ground = muster.creature.take(kind).astype(np.int64), battle.ground_at(state, rows, cells)
    is_hostile = (battle.owner_at(state, rows, cells) == 1 - side).astype(np.int64)
    next_to = field.beside_bold[side].take(cells + 1)
    if "stronghold" in state:
        for site, owner in enumerate(battle.stronghold_owners):
            if owner == side:
                apart = field.distances[state["stronghold"][rows, site] + 1, cells + 1]
                next_to = np.maximum(next_to, (apart == 1) * field.terrains[STRONGHOLD].bold_beside)
    next_to = next_to * (1 - creature)
    place = np.maximum(field.bold[ground, creature, is_hostile], next_to)
    friends = friends_beside(battle, state, side, rows, cells)
    is_supported = (friends >= battle.terms.constants.morale.friends_for_support).astype(np.int64)
    bold = np.asarray(muster.bold[kind, place, is_supported, 0], np.int64)
    return _bold_by_cards(battle, state, side, rows, unit, bold) if battle.lore else bold


def _bold_by_cards(battle: Battle, state: State, side: int, rows: IntArray, unit: IntArray, bold: IntArray) -> IntArray:
    """Return how many flags units may ignore under Lore cards: none in the enemy's mists, all if made fearless."""
    bold = np.where(in_effect(battle, state, 1 - side, rows, "mists"), 0, bold)
    return np.where(is_on(battle, state, side, rows, "fearless", unit), ALL_FLAGS, bold)


# -- legal battles -----------------------------------------------------------------------------------------------------


def targets(turn: Turn, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return all legal battles of the side whose turn it is, sorted by trial: (place in `rows`, unit, target).

    A unit next to an enemy battles one of those next to it (BL-RNG-03); any other may shoot whom it sees in range, if
    it has not charged. A unit that battles twice because it stood still shoots both times.
    """
    battle, state, side = turn.battle, turn.state, turn.side
    is_ready = state["ordered"][rows] & state["may_battle"][rows] & (state["battles"][rows] > 0)
    is_ready &= (state["cell"][rows, side] != OFF_BOARD) & ~state["webbed"][rows, side]
    at, unit = places_of(is_ready)
    foes = beside(battle, state, 1 - side, rows[at], state["cell"][rows[at], side, unit])
    is_near = foes != NOBODY
    pair, direction = places_of(is_near)
    shoots_only = _shoots_only(turn, rows[at], unit)
    pair, direction = pair[~shoots_only[pair]], direction[~shoots_only[pair]]
    may_shoot = battle.muster.ranged.take(state["kind"][rows[at], side, unit]) & ~state["charged"][rows[at], unit]
    shooter = np.flatnonzero(may_shoot & ~is_near.any(axis=1))
    if not len(shooter):
        return at[pair], unit[pair], foes[pair, direction].astype(np.int64)
    shot, aim = _in_sight(turn, rows[at[shooter]], unit[shooter])
    pairs = np.concatenate([pair, shooter[shot]])
    order = np.argsort(pairs, kind="stable")
    target = np.concatenate([foes[pair, direction], aim])[order]
    return at[pairs[order]], unit[pairs[order]], target


def _shoots_only(turn: Turn, rows: IntArray, unit: IntArray) -> BoolArray:
    """Return which units may only shoot: those that stood still for a second shot in Darken the Sky, `bool[m]`."""
    card, state = turn.state["card"][rows], turn.state
    darkens = (turn.battle.deck.effect.take(card) == DARKEN) & (card >= 0)
    if turn.battle.lore:
        darkens &= state["arrived"][rows, unit] != BY_ARRIVAL
    return np.asarray(darkens & ~state["moved"][rows, unit] & (state["battles"][rows, unit] < 2))


def _in_sight(turn: Turn, rows: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Return which enemies units may shoot at: (place of the unit, slot of the enemy), `int64[p]` each."""
    battle, state, side = turn.battle, turn.state, turn.side
    cells, foe_cells = state["cell"][rows, side, unit].astype(np.int64), state["cell"][rows, 1 - side].astype(np.int64)
    reach = battle.muster.range_hexes.take(state["kind"][rows, side, unit])
    n_places = battle.field.distances.shape[1]
    apart = battle.field.distances.ravel().take(((cells + 1) * n_places)[:, None] + foe_cells + 1)
    shot, aim = places_of((apart <= reach[:, None]) & (apart > 1))
    from_cells, at_cells = cells[shot], foe_cells[shot, aim]
    sees = battle.field.sees(state["occupant"], rows[shot], from_cells, at_cells, state.get("ground"))
    return shot[sees], aim[sees]

"""Landmarks of Lore Masters and Commanders: placing them, and what they do for their owners (BL-LMK-02 to 11)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.adventure.map.adventure import MASTERS
from balance.games.battlelore.adventure.map.field import LANDMARKS, Field
from balance.games.battlelore.adventure.terms.battle import NOBODY, TOP_LEVEL, Battle
from balance.games.battlelore.adventure.terms.turn import Turn

COMMANDER = len(MASTERS)
"""What a Commander counts as among those who bring landmarks."""
PLACED_ON_ROWS = (2, 3)
"""Rows on which a side places landmarks, its own edge being row 0 (BL-LMK-03)."""
NOWHERE_PLACE = 10**6
"""The place of opening no passage."""
PENTACLE, DEN, POOL, CAMP = "magic_pentacle", "rogues_den", "healing_pool", "training_camp"


@lru_cache(maxsize=256)
def has(field: Field, terrain: str) -> BoolArray:
    """Return which ground codes include a terrain, by its id, `bool[G]`."""
    return np.array([terrain in ground.ids for ground in field.grounds], bool)


@lru_cache(maxsize=256)
def without(field: Field, terrain: str) -> IntArray:
    """Return the code of each ground once a terrain is removed from it, `uint8[G]`."""
    return np.array([field.code_without(code, terrain) for code in range(len(field.grounds))], np.uint8)


@lru_cache(maxsize=64)
def with_passage(field: Field) -> IntArray:
    """Return what each ground is once a secret passage is opened on it, `uint8[G]`; 0 where none can be."""
    return np.array([field.code_with_passage(code) for code in range(len(field.grounds))], np.uint8)


def landmark_columns(battle: Battle, n: int) -> State:
    """Return the columns of landmarks for n trials, before any is placed."""
    return {
        "ground": np.tile(battle.field.ground, (n, 1)),
        "owner": np.tile(battle.field.owner, (n, 1)),
        "den_exit": np.full((n, 2), OFF_BOARD, np.int16),
    }


def stronghold_columns(battle: Battle, n: int) -> State:
    """Return the columns of strongholds, of the map and of Commanders, for n trials (BL-LMK-11, BL-LMK-12)."""
    n_sites = len(battle.stronghold_owners)
    places = np.full(n_sites, OFF_BOARD, np.int16)
    places[: len(battle.strongholds)] = battle.strongholds
    return {
        "stronghold": np.tile(places, (n, 1)),
        "fallen": np.zeros((n, n_sites), bool),
        "lost_card": np.zeros((n, n_sites), bool),
    }


# -- placing them ------------------------------------------------------------------------------------------------------


def place_landmarks(turn: Turn) -> None:
    """Have both sides, `turn.side` first, place the landmarks of their masters and Commanders (BL-LMK-03)."""
    for side in (turn.side, 1 - turn.side):
        levels = turn.battle.lore_deck.levels
        for master in range(len(MASTERS)) if turn.battle.adventure.masters_landmarks else ():
            if levels[side, master] == TOP_LEVEL != levels[1 - side, master]:
                _place(turn, side, master, _empty_hexes(turn, side))
        if (site := turn.battle.commanders_site(side)) is not None:
            turn.state["stronghold"][:, site] = _place(turn, side, COMMANDER, _own_hexes(turn, side))


def _countryside(turn: Turn) -> BoolArray:
    """Return which cells are open country, `bool[n, N]`."""
    return np.asarray(turn.state["ground"][:, 1:] == turn.battle.field.code_of(("countryside",)))


def _empty_hexes(turn: Turn, side: int) -> BoolArray:
    relative = turn.battle.field.relative[side, 1:]
    is_near = np.isin(relative // COLUMN_CELLS, PLACED_ON_ROWS) & (relative >= 0)
    return np.asarray(_countryside(turn) & (turn.state["occupant"][:, 1:] == 0) & is_near)


def _own_hexes(turn: Turn, side: int) -> BoolArray:
    return np.asarray(_countryside(turn) & (turn.battle.slots_of(side, turn.state["occupant"][:, 1:]) != NOBODY))


def _place(turn: Turn, side: int, master: int, legal: BoolArray) -> IntArray:
    """Have a side place one landmark, and return where it stands, `int64[n]`; OFF_BOARD where there is no room."""
    state, field = turn.state, turn.battle.field
    places, rows = np.full(len(legal), OFF_BOARD), np.flatnonzero(legal.any(axis=1))
    if len(rows):
        masters, board = np.full(len(rows), master), np.arange(legal.shape[1])
        cells = turn.choose_cell("landmark", side, rows, board, legal[rows], master=masters)
        places[rows] = cells
        state["ground"][rows, cells + 1] = field.code_of((LANDMARKS[master],))
        state["owner"][rows, cells + 1] = side
        turn.report("landmark", side, rows, master=masters, cell=cells)
    return places


# -- what they do ------------------------------------------------------------------------------------------------------


def _is_in(turn: Turn, rows: IntArray, unit: IntArray, terrain: str) -> BoolArray:
    """Return which units of the side stand in a landmark that serves it: its own, or nobody's (BL-LMK-04)."""
    battle, state, side = turn.battle, turn.state, turn.side
    cells = state["cell"][rows, side, unit]
    serves = battle.owner_at(state, rows, cells) != 1 - side
    return np.asarray(serves & has(battle.field, terrain).take(battle.ground_at(state, rows, cells)))


def income(turn: Turn, rows: IntArray) -> None:
    """Give the side a token for each of its troops on a magic pentacle (BL-LMK-05)."""
    tokens = np.zeros(len(rows), np.int64)
    for slot in range(turn.battle.n_slots):
        unit = np.full(len(rows), slot)
        creature = turn.battle.muster.creature.take(turn.state["kind"][rows, turn.side, slot])
        tokens += _is_in(turn, rows, unit, PENTACLE) & ~creature
    take_tokens(turn, rows, turn.side, tokens, "income")


def _remove(turn: Turn, rows: IntArray, unit: IntArray, terrain: str) -> None:
    """Remove the landmark in which units stand from the board."""
    cells = turn.state["cell"][rows, turn.side, unit].astype(np.int64)
    ground = turn.state["ground"][rows, cells + 1]
    turn.state["ground"][rows, cells + 1] = without(turn.battle.field, terrain).take(ground)


def heal_in_pool(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Restore weakened units that have just moved into a healing pool to full strength; the pool goes (BL-LMK-10)."""
    state, side = turn.state, turn.side
    full = turn.battle.muster.full.take(state["kind"][rows, side, unit])
    at = np.flatnonzero((state["figures"][rows, side, unit] < full) & _is_in(turn, rows, unit, POOL))
    if len(at):
        rows, unit = rows[at], unit[at]
        state["figures"][rows, side, unit] = full[at]
        state["may_battle"][rows, unit] = False
        _remove(turn, rows, unit, POOL)
        turn.report("healed", side, rows, unit=unit, by="pool")


def train(turn: Turn, rows: IntArray, unit: IntArray) -> BoolArray:
    """Let troops in a training camp train instead of moving, and return which of them do, `bool[m]` (BL-LMK-09)."""
    state, side = turn.state, turn.side
    promoted = turn.battle.muster.promoted.take(state["kind"][rows, side, unit])
    trains, at = np.zeros(len(rows), bool), np.flatnonzero((promoted >= 0) & _is_in(turn, rows, unit, CAMP))
    if len(at):
        trains[at] = turn.agrees("train", side, rows[at], unit=unit[at])
        trials, slots = rows[trains], unit[trains]
        state["kind"][trials, side, slots] = promoted[trains]
        state["may_battle"][trials, slots] = False
        _remove(turn, trials, slots, CAMP)
        turn.report("trained", side, trials, unit=slots)
    return trains


def open_passage(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Let units in a rogue's den open its secret passage before they move, once per side (BL-LMK-06)."""
    battle, state, side = turn.battle, turn.state, turn.side
    at = np.flatnonzero((state["den_exit"][rows, side] == OFF_BOARD) & _is_in(turn, rows, unit, DEN))
    if not len(at):
        return
    rows, unit, opened = rows[at], unit[at], with_passage(battle.field)
    legal = (opened.take(state["ground"][rows, 1:]) > 0) & (state["occupant"][rows, 1:] == 0)
    row, cell = places_of(np.concatenate([legal, np.ones((len(rows), 1), bool)], axis=1))
    cell = np.where(cell == legal.shape[1], OFF_BOARD, cell)
    place = np.where(cell == OFF_BOARD, NOWHERE_PLACE, battle.place_of(side, cell))
    exits = cell[turn.choose("open", side, rows, row, place, unit=unit[row], cell=cell)]
    opens = exits != OFF_BOARD
    rows, unit, exits = rows[opens], unit[opens], exits[opens]
    state["ground"][rows, exits + 1] = opened.take(state["ground"][rows, exits + 1])
    state["den_exit"][rows, side] = exits
    turn.report("passage_opened", side, rows, unit=unit, cell=exits)


def way_out(turn: Turn, rows: IntArray, unit: IntArray) -> IntArray:
    """Return the exit of units in a rogue's den, `int64[m]`; OFF_BOARD if blocked or too dear (BL-LMK-07)."""
    battle, state, side = turn.battle, turn.state, turn.side
    exits = state["den_exit"][rows, side].astype(np.int64)
    able = _is_in(turn, rows, unit, DEN) & battle.free_at(state, rows, exits)
    able &= state["tokens"][rows, side] >= battle.terms.constants.lore.passage
    return np.where(able, exits, OFF_BOARD)


def pay_for_passage(turn: Turn, rows: IntArray) -> None:
    """Pay for ways through a secret passage; the tokens go into the pool."""
    price = np.int16(turn.battle.terms.constants.lore.passage)
    turn.state["tokens"][rows, turn.side] -= price
    turn.state["pool"][rows] += price

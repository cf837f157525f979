"""Movement of ordered units, one after the other (BL-MOV, BL-GOB-01, BL-TER, BL-LMK-01, BL-LMK-13).

Where a unit may go is flooded over the board, a step at a time: `goals` are the cells it may come to. It goes on from
where it began, from cells that do not stop it, and along ramparts from a rampart.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD, Words, bits_of, flood, holds, single_cells, words_of
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.lore.landmarks import (
    heal_in_pool,
    open_passage,
    pay_for_passage,
    train,
    way_out,
)
from balance.games.battlelore.adventure.map.adventure import GRID
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.deck import DARKEN, ONSLAUGHT
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn

ONSLAUGHT_HEXES = 2
"""How far foot may move and battle by Foot Onslaught."""


@dataclass(frozen=True, eq=False)
class Goals:
    """Where one unit in each of m trials may go, as sets of cells `uint16[C, m]`.

    `all`: where it may come to, its own cell included. `ready`: where it may battle afterwards. `charge`: where it
    must, as a goblin that charges (BL-GOB-01); all of these are in `ready`. `passage`: where it comes out of a secret
    passage, for a price (BL-LMK-07); all of these are in `ready`.
    """

    all: Words
    ready: Words
    charge: Words
    passage: Words


def move_units(turn: Turn, rows: IntArray) -> None:
    """Have a side move its ordered units, one after the other, in an order of its choice; writes into the state."""
    waiting = turn.state["ordered"][rows].copy()
    if turn.battle.lore:
        waiting &= turn.state["arrived"][rows] == 0
    while True:
        is_waiting = waiting.any(axis=1) & (turn.state["winner"][rows] == 0)
        if not is_waiting.any():
            return
        rows, waiting = rows[is_waiting], waiting[is_waiting]
        row, unit = places_of(waiting)
        cells = turn.state["cell"][rows[row], turn.side, unit]
        place = turn.battle.place_of(turn.side, cells)
        mover = unit[turn.choose("mover", turn.side, rows, row, place, unit=unit)]
        waiting[np.arange(len(rows)), mover] = False
        _move(turn, rows, mover)


def _move(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Have one unit in each trial train, or go where its side chooses; staying is one of the goals."""
    if turn.battle.has_landmarks:
        trains = train(turn, rows, unit)
        rows, unit = rows[~trains], unit[~trains]
        open_passage(turn, rows, unit)
    if len(rows):
        goals = goals_of(turn, rows, unit)
        row, cell = places_of(bits_of(goals.all))
        place, may_battle = turn.battle.place_of(turn.side, cell), holds(goals.ready, row, cell).astype(np.int64)
        best = turn.choose("move", turn.side, rows, row, place, unit=unit[row], cell=cell, may_battle=may_battle)
        _go(turn, rows, unit, cell[best], goals)


def _go(turn: Turn, rows: IntArray, unit: IntArray, cell: IntArray, goals: Goals) -> None:
    """Put units where they go, then heal those in a pool and settle what that wins."""
    before = turn.state["cell"][rows, turn.side, unit].astype(np.int64)
    goes = np.flatnonzero(cell != before)
    trials, mover = rows[goes], unit[goes]
    if len(goes):
        _arrive(turn, trials, mover, cell[goes], goes, goals)
    if turn.watch is not None:
        charges, passes = (holds(words, np.arange(len(rows)), cell) for words in (goals.charge, goals.passage))
        ways = {"before": before, "after": cell, "charge": charges, "passage": passes}
        turn.report("move", turn.side, rows, unit=unit, by="order", **ways)
    if len(goes):
        if turn.battle.has_landmarks:
            heal_in_pool(turn, trials, mover)
        settle(turn, trials)


def _arrive(turn: Turn, rows: IntArray, unit: IntArray, cell: IntArray, at: IntArray, goals: Goals) -> None:
    """Put units on other cells, and write whether they moved, charged and may battle; `at` are places in the goals."""
    state = turn.state
    turn.place(rows, turn.side, unit, cell)
    state["moved"][rows, unit] = True
    state["may_battle"][rows, unit] = holds(goals.ready, at, cell)
    if turn.battle.lore and turn.battle.terms.rules.freed_unit == "move_or_battle":
        state["may_battle"][rows, unit] &= ~state["freed"][rows, unit]
    state["charged"][rows, unit] = holds(goals.charge, at, cell)
    darkens = turn.battle.deck.effect.take(state["card"][rows]) == DARKEN
    state["battles"][rows[darkens], unit[darkens]] = 1
    if turn.battle.has_landmarks:
        pay_for_passage(turn, rows[holds(goals.passage, at, cell)])


# -- where a unit may go -----------------------------------------------------------------------------------------------


def goals_of(turn: Turn, rows: IntArray, unit: IntArray) -> Goals:
    """Return where one unit in each of some trials may go; `unit` has its slot, `int64[m]`."""
    state, muster = turn.state, turn.battle.muster
    kind = state["kind"][rows, turn.side, unit]
    near, far = muster.battle_move.take(kind).astype(np.int64), muster.move.take(kind).astype(np.int64)
    is_onslaught = turn.battle.deck.effect.take(state["card"][rows]) == ONSLAUGHT
    near = np.where(is_onslaught, np.maximum(near, ONSLAUGHT_HEXES), near)
    far = np.maximum(near, far)
    if turn.battle.lore:
        near, far = (hexes + state["speed"][rows, unit] for hexes in (near, far))
    ways = _Ways.of(turn, rows, state["cell"][rows, turn.side, unit].astype(np.int64))
    cells = ways.within(near)
    ready = cells & ways.ready(near)
    charge = np.zeros_like(cells)
    charge_hexes = muster.charge_hexes.take(kind).astype(np.int64)
    if len(at := np.flatnonzero(charge_hexes > near)):
        charge[:, at] = _charges(turn, rows[at], ways.part(at), charge_hexes[at]) & ~cells[:, at]
    if len(at := np.flatnonzero(far > near)):
        cells[:, at] |= ways.part(at).within(far[at])
    passage = np.zeros_like(cells)
    if turn.battle.has_landmarks and len(at := np.flatnonzero((exits := way_out(turn, rows, unit)) != OFF_BOARD)):
        passage[:, at] = single_cells(exits[at], len(cells)) & ~cells[:, at] & ~charge[:, at]
    return Goals(cells | charge | passage, ready | charge | passage, charge, passage)


def _charges(turn: Turn, rows: IntArray, ways: _Ways, hexes: IntArray) -> Words:
    """Return where a charge of `hexes` may end: beside an enemy, where the unit may battle."""
    enemies = words_of(turn.battle.slots_of(1 - turn.side, turn.state["occupant"][rows, 1:]) != NOBODY)
    everywhere = np.full((len(enemies), 1), 0xFFFF, np.uint16)
    beside = flood(GRID, enemies, everywhere, np.ones(len(rows), np.int64))
    return np.asarray(ways.within(hexes) & beside & ways.ready(hexes))


@dataclass(frozen=True, eq=False)
class _Ways:
    """Where units begin and what they may pass, as sets of cells `uint16[C, m]`.

    `begin` and `free`: the cell of the unit, and the cells that it may enter. `onward` and `entry`: cells that do not
    stop it, and cells that let it battle when it has entered them. `ramparts`: cells along which it may go on from a
    rampart; none where it does not begin on one (BL-LMK-13). `onward_along` and `battle_along`: cells that do not stop
    it, and cells that let it battle, where it comes along ramparts (BL-Q46).
    """

    begin: Words
    free: Words
    onward: Words
    entry: Words
    ramparts: Words
    onward_along: Words
    battle_along: Words

    @classmethod
    def of(cls, turn: Turn, rows: IntArray, cells: IntArray) -> _Ways:
        """Return the ways of units that stand on `cells`."""
        state, field = turn.state, turn.battle.field
        ground = state["ground"][rows, 1:] if "ground" in state else field.ground[None, 1:]
        free = words_of(state["occupant"][rows, 1:] == 0) & words_of(field.passable.take(ground))
        begin = single_cells(cells, len(free))
        onward, entry = (
            np.broadcast_to(words_of(flags.take(ground)), free.shape) for flags in (~field.stops, field.battle_on_entry)
        )
        is_rampart = field.has_free_along.take(ground)
        if not is_rampart.any():
            none = np.zeros_like(free)
            return cls(begin, free, onward, entry, none, none, none)
        start = turn.battle.ground_at(state, rows, cells)
        ramparts = words_of(is_rampart & field.has_free_along.take(start)[:, None])
        from_start = start[:, None], np.broadcast_to(ground, (len(rows), ground.shape[1]))
        onward_along = words_of(~field.stops_from[from_start])
        return cls(begin, free, onward, entry, ramparts, onward_along, words_of(field.battles_from[from_start]))

    def part(self, at: IntArray) -> _Ways:
        """Return the ways of the trials at the places `at`."""
        return _Ways(*(getattr(self, each.name)[:, at] for each in fields(self)))

    def within(self, hexes: IntArray) -> Words:
        """Return the cells that units can reach in `hexes` steps, `uint16[C, m]`, their own included."""
        cells, along = self.begin, self.begin
        for step in range(int(hexes.max(initial=0))):
            able = (hexes > step).astype(np.int64)
            source = self.begin | (cells & self.onward) | (along & self.onward_along)
            cells = cells | flood(GRID, source, self.free, able)
            along = self._next_along(along, able)
        return np.asarray(cells)

    def ready(self, hexes: IntArray) -> Words:
        """Return where the ground lets units battle after `hexes` steps: at the start, on entry, or along ramparts."""
        along = self.begin
        for step in range(int(hexes.max(initial=0))):
            along = self._next_along(along, (hexes > step).astype(np.int64))
        return np.asarray(self.begin | self.entry | (along & self.battle_along))

    def _next_along(self, along: Words, able: IntArray) -> Words:
        """Return the cells reached along ramparts after one more step, which only units in `able` make."""
        if not self.ramparts.any():
            return along
        return np.asarray(
            along | flood(GRID, self.begin | (along & self.onward_along), self.free & self.ramparts, able)
        )

"""The policy that leaves everything to chance: each candidate that the engine lists is as likely as any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, Words
from balance.chance.rolls.choices import nth_true
from balance.chance.rolls.keyed_rolls import below
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.position import Position, places


@dataclass(frozen=True)
class RandomPlayer:
    """Every attack, move, jump, raised shield and explosion, and the end of the turn, is equally likely."""

    def decide(self, position: Position) -> Action:
        """Return one of all candidates of each battle, or the end of the turn, each with the same chance."""
        candidates = _Candidates(position)
        total = candidates.per_unit.sum(axis=1)
        number = below(position.words, total + 1)
        action = Action.turn_ends(position.n)
        acting_rows = np.flatnonzero(number < total)
        if len(acting_rows):
            candidates.take(action, acting_rows, number[acting_rows])
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return one of the targets in reach, or nobody (-1): to stop is one more candidate."""
        rows = np.arange(position.n)
        weapon = position.weapon_of(rows, unit, slot)
        legal = position.attacks_of(unit, weapon)
        order = _order(position, position.foe_cells)
        legal = np.take_along_axis(legal, order, axis=1)
        count = legal.sum(axis=1)
        number = below(position.words, count + 1)
        place = nth_true(legal, number)
        return np.where(number < count, order[rows, place], -1)


class _Candidates:
    """The candidates of each own unit, counted; units and cells in the order in which their side sees the board."""

    def __init__(self, position: Position) -> None:
        self.position, self.order = position, _order(position, position.cells)
        self.attacks = np.stack([position.attacks(slot) for slot in position.battle.slots], axis=2)  # [n, K, W, K]
        self.moves = self._cells(position.may_move, position.moves)
        self.jumps = self._cells(position.may_jump, position.jumps)
        self.counts = np.stack(
            [
                self.attacks.sum(axis=(2, 3)),
                self._count(self.moves),
                self._count(self.jumps),
                position.may_raise,
                position.may_explode,
            ],
            axis=2,
        ).astype(np.int64)  # [n, K, 5]
        self.per_unit = self.counts.sum(axis=2)

    def _cells(
        self, may: BoolArray, reach: Callable[[IntArray, IntArray], Words]
    ) -> tuple[tuple[IntArray, IntArray], Words]:
        at = places(may)
        return at, reach(*at)

    def _count(self, goals: tuple[tuple[IntArray, IntArray], Words]) -> IntArray:
        counts = np.zeros(self.position.cells.shape, np.int64)
        counts[goals[0]] = np.bitwise_count(goals[1]).sum(axis=0, dtype=np.int64)
        return counts

    def take(self, action: Action, rows: IntArray, number: IntArray) -> None:
        """Write candidates by number, from 0, into `action`; they are counted by unit, then by kind of action."""
        order, places = self.order[rows], np.arange(len(rows))
        counts = np.take_along_axis(self.per_unit[rows], order, axis=1)
        ends = counts.cumsum(axis=1)
        place = (ends > number[:, None]).argmax(axis=1)
        unit, number = order[places, place], number - (ends - counts)[places, place]
        unit_counts = self.counts[rows, unit]
        ends = unit_counts.cumsum(axis=1)
        kinds = (ends > number[:, None]).argmax(axis=1)
        number = number - (ends - unit_counts)[places, kinds]
        self._attack(action, *_masked(kinds == 0, rows, unit, number))
        self._go(action, MOVE, self.moves, *_masked(kinds == 1, rows, unit, number))
        self._go(action, JUMP, self.jumps, *_masked(kinds == 2, rows, unit, number))
        for code, verb in ((3, RAISE), (4, EXPLODE)):
            action.put(rows[kinds == code], verb, unit[kinds == code])

    def _attack(self, action: Action, rows: IntArray, unit: IntArray, number: IntArray) -> None:
        order = _order(self.position, self.position.foe_cells[rows])
        legal = np.take_along_axis(self.attacks[rows, unit], order[:, None, :], axis=2)
        place = nth_true(legal.reshape(len(rows), legal.shape[1] * legal.shape[2]), number)
        slot, nth = np.divmod(place, order.shape[1])
        action.put(rows, ATTACK, unit, slot=slot, target=order[np.arange(len(rows)), nth])

    def _go(
        self,
        action: Action,
        verb: int,
        goals: tuple[tuple[IntArray, IntArray], Words],
        rows: IntArray,
        unit: IntArray,
        number: IntArray,
    ) -> None:
        if not len(rows):
            return
        column = np.full(self.position.cells.shape, -1)
        column[goals[0]] = np.arange(goals[1].shape[1])
        words = goals[1].take(column[rows, unit], axis=1)
        if self.position.side:
            words = words[::-1]
        ends = np.bitwise_count(words).cumsum(axis=0, dtype=np.int16)
        column_place = (ends <= number).sum(axis=0)
        places = np.arange(len(rows))
        word = words[column_place, places]
        number = number - ends[column_place, places] + np.bitwise_count(word)
        bits = (word[:, None] >> np.arange(COLUMN_CELLS, dtype=np.uint16)) & np.uint16(1)
        row = nth_true(bits, number)
        if self.position.side:
            column_place = len(words) - 1 - column_place
        action.put(rows, verb, unit, cell=COLUMN_CELLS * column_place + row)


def _masked(mask: BoolArray, *values: IntArray) -> tuple[IntArray, ...]:
    return tuple(value[mask] for value in values)


def _order(position: Position, cells: IntArray) -> IntArray:
    """Return places of units in the order in which the side sees their cells, `int64[n, K]`."""
    relative = np.append(position.battle.ground.seats[position.side].relative, 10**6)
    return np.argsort(relative[cells], axis=1, kind="stable")

"""The policy that leaves everything to chance: each candidate that the engine lists is as likely as any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.board import COLUMN_CELLS, Words
from balance.chance.rolls.choices import nth_true
from balance.chance.rolls.keyed import below
from balance.chance.rolls.process import BoolArray
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.position import Position, places

__all__ = ["RandomPlayer"]


@dataclass(frozen=True)
class RandomPlayer:
    """Every attack, move, jump, raised shield and explosion, and the end of the turn, is equally likely."""

    def decide(self, position: Position) -> Action:
        """Return one candidate for each battle."""
        listed = _Listed(position)
        total = listed.per_unit.sum(axis=1)
        number = below(position.words, total + 1)
        action = Action.none(position.n)
        going = np.flatnonzero(number < total)
        if len(going):
            listed.take(action, going, number[going])
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return one of the targets in reach, or nobody: to stop is one more candidate."""
        every = np.arange(position.n)
        weapon = position.weapon_of(every, unit, slot)
        legal = position.attacks_of(unit, weapon)
        order = _order(position, position.foe_cells)
        legal = np.take_along_axis(legal, order, axis=1)
        count = legal.sum(axis=1)
        number = below(position.words, count + 1)
        place = nth_true(legal, number)
        return np.where(number < count, order[every, place], -1)


class _Listed:
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

    def _count(self, found: tuple[tuple[IntArray, IntArray], Words]) -> IntArray:
        counts = np.zeros(self.position.cells.shape, np.int64)
        counts[found[0]] = np.bitwise_count(found[1]).sum(axis=0, dtype=np.int64)
        return counts

    def take(self, action: Action, rows: IntArray, number: IntArray) -> None:
        """Write down the candidates of these numbers."""
        order, every = self.order[rows], np.arange(len(rows))
        counts = np.take_along_axis(self.per_unit[rows], order, axis=1)
        ends = counts.cumsum(axis=1)
        place = (ends > number[:, None]).argmax(axis=1)
        unit, number = order[every, place], number - (ends - counts)[every, place]
        own = self.counts[rows, unit]
        ends = own.cumsum(axis=1)
        which = (ends > number[:, None]).argmax(axis=1)
        number = number - (ends - own)[every, which]
        self._attack(action, *_those(which == 0, rows, unit, number))
        self._go(action, MOVE, self.moves, *_those(which == 1, rows, unit, number))
        self._go(action, JUMP, self.jumps, *_those(which == 2, rows, unit, number))
        for code, what in ((3, RAISE), (4, EXPLODE)):
            action.put(rows[which == code], what, unit[which == code])

    def _attack(self, action: Action, rows: IntArray, unit: IntArray, number: IntArray) -> None:
        order = _order(self.position, self.position.foe_cells[rows])
        legal = np.take_along_axis(self.attacks[rows, unit], order[:, None, :], axis=2)
        place = nth_true(legal.reshape(len(rows), legal.shape[1] * legal.shape[2]), number)
        slot, nth = np.divmod(place, order.shape[1])
        action.put(rows, ATTACK, unit, slot=slot, target=order[np.arange(len(rows)), nth])

    def _go(
        self,
        action: Action,
        what: int,
        found: tuple[tuple[IntArray, IntArray], Words],
        rows: IntArray,
        unit: IntArray,
        number: IntArray,
    ) -> None:
        if not len(rows):
            return
        column = np.full(self.position.cells.shape, -1)
        column[found[0]] = np.arange(found[1].shape[1])
        words = found[1].take(column[rows, unit], axis=1)
        if self.position.side:
            words = words[::-1]
        ends = np.bitwise_count(words).cumsum(axis=0, dtype=np.int16)
        which = (ends <= number).sum(axis=0)
        every = np.arange(len(rows))
        word = words[which, every]
        number = number - ends[which, every] + np.bitwise_count(word)
        bits = (word[:, None] >> np.arange(COLUMN_CELLS, dtype=np.uint16)) & np.uint16(1)
        row = nth_true(bits, number)
        if self.position.side:
            which = len(words) - 1 - which
        action.put(rows, what, unit, cell=COLUMN_CELLS * which + row)


def _those(which: BoolArray, *values: IntArray) -> tuple[IntArray, ...]:
    return tuple(value[which] for value in values)


def _order(position: Position, cells: IntArray) -> IntArray:
    """Return places of units in the order in which the side sees their cells, `int64[n, K]`."""
    relative = np.append(position.battle.ground.seats[position.side].relative, 10**6)
    return np.argsort(relative[cells], axis=1, kind="stable")

"""The policy that leaves everything to chance: each candidate that the engine lists is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, Words, bits_of
from balance.chance.rolls.choices import nth_true
from balance.chance.rolls.keyed_rolls import below
from balance.game.kit.board.options import places_of
from balance.games.warforged.battle.policies.scripts import Reach
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.position import Position

VERBS = np.array([ATTACK, MOVE, JUMP, RAISE, EXPLODE])
"""In the order in which the candidates of a unit are counted."""


@dataclass(frozen=True)
class RandomPlayer:
    """Every attack, move, jump, raised shield and explosion, and the end of the turn, is equally likely."""

    def decide(self, position: Position) -> Action:
        """Return one of all candidates of each battle, or the end of the turn, each with the same chance."""
        attacks = np.stack([position.attacks(slot) for slot in position.battle.slots], axis=2)  # [n, K, W, K]
        may_go = (MOVE, position.may_move), (JUMP, position.may_jump)
        reach = [Reach(position, *places_of(may), verb) for verb, may in may_go]
        n_goals = (goals.counts for goals in reach)
        counts = np.stack([attacks.sum(axis=(2, 3)), *n_goals, position.may_raise, position.may_explode], axis=2)
        order, action = _order(position, position.cells), Action.turn_ends(position.n)
        ends = np.take_along_axis(counts, order[:, :, None], axis=1).reshape(position.n, -1).cumsum(axis=1)
        number = below(position.words, ends[:, -1] + 1)
        rows = np.flatnonzero(number < ends[:, -1])
        group = (ends[rows] > number[rows, None]).argmax(axis=1)
        unit, kind = order[rows, group // len(VERBS)], group % len(VERBS)
        nth = number[rows] - ends[rows, group] + counts[rows, unit, kind]
        action.put(rows, VERBS[kind], unit)
        if len(at := np.flatnonzero(kind == 0)):
            acting = rows[at]
            action.slot[acting], action.target[acting] = _attack(position, acting, attacks[acting, unit[at]], nth[at])
        for code, goals in enumerate(reach, 1):
            if len(at := np.flatnonzero(kind == code)):
                action.cell[rows[at]] = _cell(position, goals.of(rows[at], unit[at]), nth[at])
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return one of the targets in reach, or nobody (-1): to stop is one more candidate."""
        rows = np.arange(position.n)
        legal = position.attacks_of(unit, position.weapon_of(rows, unit, slot))
        count = legal.sum(axis=1)
        number = below(position.words, count + 1)
        _, target = _attack(position, rows, legal[:, None, :], number)
        return np.where(number < count, target, -1)


def _attack(position: Position, rows: IntArray, legal: BoolArray, nth: IntArray) -> tuple[IntArray, IntArray]:
    """Return slot and target of one of the attacks `bool[m, W, K]` by number, enemies as the side sees them."""
    order = _order(position, position.foe_cells[rows])
    legal = np.take_along_axis(legal, order[:, None, :], axis=2)
    slot, place = np.divmod(nth_true(legal.reshape(len(rows), legal.shape[1] * legal.shape[2]), nth), order.shape[1])
    return slot, order[np.arange(len(rows)), place]


def _cell(position: Position, words: Words, nth: IntArray) -> IntArray:
    """Return one of the cells `uint16[C, m]` by number, as the side sees them."""
    if position.battle.table is not None:
        cells = np.argsort(position.battle.ground.seats[position.side].relative, kind="stable")
        return np.asarray(cells[nth_true(bits_of(words)[:, cells], nth)])
    if position.side:
        words = words[::-1]
    sets, counts = np.arange(len(nth)), np.bitwise_count(words)
    ends = counts.cumsum(axis=0, dtype=np.int64)
    column = (ends <= nth).sum(axis=0)
    row = nth_true(bits_of(words[None, column, sets]), nth - ends[column, sets] + counts[column, sets])
    return np.asarray(position.battle.ground.seats[position.side].relative[COLUMN_CELLS * column + row])


def _order(position: Position, cells: IntArray) -> IntArray:
    """Return places of units in the order in which the side sees their cells, `int64[n, K]`."""
    relative = np.append(position.battle.ground.seats[position.side].relative, 10**6)
    return np.argsort(relative[cells], axis=1, kind="stable")

"""Scripts: policies that score what the engine lists, by parameters that say what they care about.

Scores are whole numbers. Of equal candidates luck chooses, by the cells concerned and never by an index, so that
neither the order of an army nor the seat hides a policy of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import FAR, Words, bits_of
from balance.game.kit.board.options import places_of
from balance.games.warforged.battle.armies.muster import REFINEMENT
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.position import TIE_BITS, Pairs, Position, best_of, run_starts

_NO_TARGET = np.array(-1)
SETS = 4096
"""Sets of cells that are spread out as flags at a time."""


@dataclass(frozen=True)
class Script:
    """A way of playing.

    `aim`: "damage": the attack that takes most health. "focus": that which takes the largest share of what its target
    has left, weighed by what the target costs. `advance`: whether units walk up to the enemy when nobody can attack.
    `evade`: whether units keep out of the enemy's reach: they attack from where fewest can answer, step back from the
    others and approach with that in mind. `prefers`: whom it attacks first among several enemies ("leader", "weakest"),
    and walks up to; "nearest": nobody in particular.
    """

    aim: Literal["damage", "focus"] = "damage"
    advance: bool = True
    evade: bool = False
    prefers: Literal["nearest", "leader", "weakest"] = "nearest"

    def decide(self, position: Position) -> Action:
        """Return the first that applies: raise a shield, explode, attack, move to attack, step back, approach."""
        action, rows = Action.turn_ends(position.n), np.arange(position.n)
        for choose in (self._raise, self._strike, self._move_to_hit, self._step_back, self._approach):
            for is_preferred in self._tries(choose.__name__):
                if not len(rows):
                    return action
                open_battles = position if len(rows) == position.n else position.at(rows)
                if is_preferred:
                    open_battles = open_battles.against(self.prefers)
                rows = rows[~choose(open_battles, action, rows)]
        return action

    def _tries(self, choice: str) -> tuple[bool, ...]:
        """Return whether a choice is tried against preferred enemies alone, against all, or first so and then so."""
        if self.prefers == "nearest" or choice in ("_raise", "_step_back"):
            return (False,)
        return (True,) if choice == "_approach" else (True, False)

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return the target that the same weapon would best attack now, -1 where there is none."""
        if self.prefers != "nearest":
            everybody = replace(self, prefers="nearest")
            preferred = everybody.again(position.against(self.prefers), unit, slot)
            return np.where(preferred >= 0, preferred, everybody.again(position, unit, slot))
        target = np.full(position.n, -1)
        weapon = position.weapon_of(np.arange(position.n), unit, slot)
        row, enemy = places_of(position.attacks_of(unit, weapon))
        for number in position.battle.slots:
            in_slot = slot[row] == number
            pairs = Pairs(row[in_slot], unit[row[in_slot]], enemy[in_slot])
            best = self._best(position, number, pairs)
            target[best.pairs.row] = best.pairs.target
        return target

    def _best(self, position: Position, slot: int, pairs: Pairs, *, counts_cover: bool = True) -> _Best:
        """Return the pair with the highest score in each battle that has one above 0; ties are broken at random."""
        scores = self._scores(position, pairs, position.mean_losses(slot, pairs, counts_cover=counts_cover))
        good = scores > 0
        pairs, scores, ties = pairs.subset(good), scores[good], position.ties
        unit = ties.of(0, pairs.row, position.cells[pairs.row, pairs.unit])
        key = (scores << TIE_BITS | unit) << TIE_BITS | ties.of(
            1, pairs.row, position.foe_cells[pairs.row, pairs.target]
        )
        _, place = best_of(position.n, pairs.row, key)
        return _Best(pairs.subset(place), key[place], np.full(len(place), slot))

    def _scores(self, position: Position, pairs: Pairs, losses: IntArray) -> IntArray:
        """Return the score of each attack, `int64[p]`: mean loss of health, or by "focus" its share weighed by cost."""
        if self.aim == "damage":
            return losses
        worth = position.battle.worth.take(position.foe_kinds[pairs.row, pairs.target])
        health = position.foe_health[pairs.row, pairs.target]
        return np.asarray(losses * worth // health + (losses > 0))

    def _raise(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        acts = np.zeros(position.n, bool)
        row, unit = places_of(position.may_raise)
        if len(row):
            battles, place = best_of(position.n, row, position.ties.of(0, row, position.cells[row, unit]))
            acts[battles] = True
            action.put(rows[battles], RAISE, unit[place])
        return acts

    def _attacks(self, position: Position) -> _Best:
        """Return the best attack of each battle over all weapon slots, nobody moving."""
        slots = position.battle.slots
        return _best_slot(position.n, [self._best(position, slot, position.attack_pairs(slot)) for slot in slots])

    def _strike(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Write attacks into `action`, or explosions where these take more; return where there was one, `bool[n]`."""
        best, acts = self._attacks(position), np.zeros(position.n, bool)
        row = best.pairs.row
        acts[row] = True
        action.put(rows[row], ATTACK, best.pairs.unit, slot=best.slot, target=best.pairs.target)
        if position.battle.overload.any():
            acts |= self._explode(position, action, rows, best)
        return acts

    def _explode(self, position: Position, action: Action, rows: IntArray, best: _Best) -> BoolArray:
        """Write Overloads into `action` that take more than the best attack; return where, `bool[n]`."""
        acts = np.zeros(position.n, bool)
        row, unit = places_of(position.may_explode)
        net = position.blasts(row, unit) * REFINEMENT
        row, unit, net = row[net > 0], unit[net > 0], net[net > 0]
        if not len(row):
            return acts
        battles, place = best_of(position.n, row, net << TIE_BITS | position.ties.of(0, row, position.cells[row, unit]))
        attack = np.zeros(position.n, np.int64)
        attack[best.pairs.row] = _mean_losses(position, best)
        good = net[place] > attack[battles]
        battles, place = battles[good], place[good]
        action.put(rows[battles], EXPLODE, unit[place], slot=_NO_TARGET, target=_NO_TARGET)
        acts[battles] = True
        return acts

    def _move_to_hit(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Write moves to where a unit can attack with the next action, if one is left; return where, `bool[n]`."""
        acts = np.zeros(position.n, bool)
        may = position.may_move & (position.remaining_actions > 1)[:, None]
        pairs = position.pairs_near(position.battle.threat.take(position.kinds) * may)
        if not len(pairs.row):
            return acts
        mover = run_starts(pairs.row * position.cells.shape[1] + pairs.unit)
        row, unit = pairs.row[mover], pairs.unit[mover]
        reach = Reach(position, row, unit)
        best = _best_slot(position.n, [self._best_move(position, slot, pairs, reach) for slot in position.battle.slots])
        row, unit = best.pairs.row, best.pairs.unit
        if len(row):
            weapon = position.weapon_of(row, unit, best.slot)
            aim = position.foe_cells[row, best.pairs.target]
            cells = reach.of(row, unit) & position.firing_cells(weapon, aim)
            if self.evade:
                score = bits_of(position.firing_cells(weapon, aim, clear=True)) - 2 * position.exposure[row].astype(
                    np.int64
                )
            else:
                clear = cells & position.firing_cells(weapon, aim, clear=True)
                cells, score = np.where(clear.any(axis=0), clear, cells), None
            action.put(rows[row], MOVE, unit, cell=_best_cell(position, row, bits_of(cells), score))
            acts[row] = True
        return acts

    def _best_move(self, position: Position, slot: int, pairs: Pairs, reach: Reach) -> _Best:
        """Return the best pair of each battle of which the unit can move to where it hits the enemy, cover aside."""
        weapons = position.weapon_of(pairs.row, pairs.unit, slot)
        cells = reach.of(pairs.row, pairs.unit)
        cells &= position.firing_cells(weapons, position.foe_cells[pairs.row, pairs.target])
        return self._best(position, slot, pairs.subset(np.asarray(cells.any(axis=0))), counts_cover=False)

    def _step_back(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """If this script evades, move or jump the unit that escapes most enemies by it; return where, `bool[n]`."""
        if not self.evade:
            return np.zeros(position.n, bool)
        acts = _go(position, action, rows, position.exposure, position.may_move, MOVE)
        return acts | _go(position, action, rows, position.exposure, position.may_jump & ~acts[:, None], JUMP)

    def _approach(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Move the unit that gets nearest to the enemy, or jump with one out of moves; return where, `bool[n]`."""
        if not self.advance:
            return np.zeros(position.n, bool)
        if self.evade:
            field = np.minimum(position.walks.astype(np.int16) + position.exposure, FAR).astype(np.uint8)
            return _go(position, action, rows, field, position.may_move, MOVE)
        acts = _approach_on_foot(position, action, rows)
        has_moved = position.column("moves")[:, position.side] >= position.battle.terms.max_moves
        return acts | _go(position, action, rows, position.walks, position.may_jump & has_moved & ~acts[:, None], JUMP)


@dataclass(frozen=True, eq=False)
class _Best:
    """The best attacks of some battles: the pair, the key that made it the best, and the slot of the weapon."""

    pairs: Pairs
    key: IntArray
    slot: IntArray


def _best_slot(n: int, best_by_slot: list[_Best]) -> _Best:
    """Return the best of what each slot offers; of equal ones that of the first slot."""
    if len(best_by_slot) == 1:
        return best_by_slot[0]
    key, best_slots = np.zeros(n, np.int64), np.full(n, -1)
    for slot, best in enumerate(best_by_slot):
        row = best.pairs.row
        better = best.key > key[row]
        key[row[better]], best_slots[row[better]] = best.key[better], slot
    parts = [(best, best_slots[best.pairs.row] == slot) for slot, best in enumerate(best_by_slot)]
    fields = [np.concatenate([getattr(best.pairs, name)[is_best] for best, is_best in parts]) for name in Pairs.FIELDS]
    keys, slots = (
        np.concatenate([getattr(best, name)[is_best] for best, is_best in parts]) for name in ("key", "slot")
    )
    return _Best(Pairs(*fields), keys, slots)


def _mean_losses(position: Position, best: _Best) -> IntArray:
    """Return the health that the best attacks take on average, in steps of 1 / 1024, as `Position.mean_losses`."""
    losses = np.zeros(len(best.slot), np.int64)
    for slot in position.battle.slots:
        in_slot = best.slot == slot
        losses[in_slot] = position.mean_losses(slot, best.pairs.subset(in_slot))
    return losses


class Reach:
    """Cells to which some units can go by a move or a jump, as sets of bits, found by battle and unit."""

    def __init__(self, position: Position, row: IntArray, unit: IntArray, verb: int = MOVE) -> None:
        self._words = position.moves(row, unit) if verb == MOVE else position.jumps(row, unit)
        self._number = np.zeros(position.cells.shape, np.int64)
        self._number[row, unit] = np.arange(len(row))
        self._at = row, unit

    @property
    def counts(self) -> IntArray:
        """How many cells each unit can go to, `int64[n, K]`; 0 for those not asked about."""
        counts = np.zeros_like(self._number)
        counts[self._at] = np.bitwise_count(self._words).sum(axis=0, dtype=np.int64)
        return counts

    def of(self, row: IntArray, unit: IntArray) -> Words:
        """Return the cells to which these units of these battles can go, `uint16[C, p]`."""
        return self._words.take(self._number[row, unit], axis=1)


def _approach_on_foot(position: Position, action: Action, rows: IntArray) -> BoolArray:
    """Move the unit that thereby comes nearest to the enemy; return where there was one, `bool[n]`.

    No unit gains more steps than its speed: the fastest are tried first, and the others only where those are held up.
    """
    steps = position.walks[np.arange(position.n)[:, None], position.cells]
    bound = np.where(position.may_move, np.minimum(position.battle.speed.take(position.kinds), steps), 0)
    top = bound.max(axis=1)
    first = (bound == top[:, None]) & position.may_move
    acts = _go(position, action, rows, position.walks, first, MOVE, np.maximum(top, 1))
    return acts | _go(
        position, action, rows, position.walks, position.may_move & ~acts[:, None] & (top > 0)[:, None], MOVE
    )


def _go(
    position: Position,
    action: Action,
    rows: IntArray,
    field: IntArray,
    may: BoolArray,
    verb: int,
    min_gain: IntArray | int = 1,
) -> BoolArray:
    """Have the unit go that descends most in a field, `uint8[n, N]`, by a move or a jump; return where, `bool[n]`.

    `may` says which units may, `bool[n, K]`; the gain must be `min_gain`, `int[n]` or one for all, at least.
    """
    acts = np.zeros(position.n, bool)
    row, unit = places_of(may)
    height = field[row, position.cells[row, unit]]
    row, unit, height = row[height > 0], unit[height > 0], height[height > 0]
    if not len(row):
        return acts
    words = position.moves(row, unit) if verb == MOVE else position.jumps(row, unit)
    lowest = _lowest(field, row, words)
    gain = height.astype(np.int64) - lowest
    good = np.flatnonzero(gain >= (np.asarray(min_gain)[row] if np.ndim(min_gain) else min_gain))
    key = gain[good] << TIE_BITS | position.ties.of(0, row[good], position.cells[row[good], unit[good]])
    battles, place = best_of(position.n, row[good], key)
    place = good[place]
    best = bits_of(words.take(place, axis=1)) & (field.take(battles, axis=0) == lowest[place][:, None])
    action.put(rows[battles], verb, unit[place], cell=_best_cell(position, battles, best, None))
    acts[battles] = True
    return acts


def _lowest(field: IntArray, row: IntArray, words: Words) -> IntArray:
    """Return the least of a field over each set of cells, FAR over none, `uint8[m]`; a few sets at a time."""
    minima = np.empty(len(row), np.uint8)
    for first in range(0, len(row), SETS):
        part = np.s_[first : first + SETS]
        cells = bits_of(words[:, part])
        minima[part] = np.where(cells, field.take(row[part], axis=0), np.uint8(FAR)).min(axis=1)
    return minima


def _best_cell(position: Position, row: IntArray, cells: BoolArray, score: IntArray | None) -> IntArray:
    """Return the cell of the highest score among `bool[p, N]`, of battles `int[p]`; each has one."""
    place, cell = places_of(cells)
    key = position.ties.of(2, row[place], cell)
    if score is not None:
        key += score[place, cell] << TIE_BITS
    _, best = best_of(len(row), place, key)
    return cell[best]


SCRIPTS = {
    "greedy": Script(),
    "focus": Script(aim="focus"),
    "kite": Script(aim="focus", evade=True),
    "hold": Script(advance=False),
    "kite_hold": Script(aim="focus", advance=False, evade=True),
}
"""Name of a policy -> the script."""

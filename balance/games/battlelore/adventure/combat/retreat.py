"""Flags: ignoring them, the retreat hex by hex, what blocks it, and panic (BL-FLAG, BL-PANIC).

Creatures whose retreat is blocked trample units in their way, and may die of it (BL-CRE-08, BL-CRE-09).
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.map.adventure import ROWS
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.rules.strike import cornered, fewest_ignored, panic


def flee(clash: Clash, flags: IntArray) -> tuple[IntArray, IntArray]:
    """Resolve 1 or more flags on targets that are alive; return (flags ignored, hexes retreated), `int64[m]` each."""
    per_flag = clash.turn.battle.muster.hexes_per_flag.take(clash.target_members).astype(np.int64)
    n_ignored = _ignore(clash, flags, per_flag)
    clash.turn.report("ignore", clash.on, clash.rows, unit=clash.target, flags=flags, ignored=n_ignored)
    hexes = (flags - n_ignored) * per_flag
    travelled = np.zeros_like(hexes)
    runs = np.flatnonzero(hexes)
    if len(runs):
        travelled[runs] = _run(clash.part(runs), hexes[runs])
        runs = runs[clash.is_open[runs]]
        _pay(clash.part(runs), hexes[runs], travelled, runs)
    return n_ignored, travelled


def _ignore(clash: Clash, flags: IntArray, per_flag: IntArray) -> IntArray:
    """Return how many flags owners ignore: all they must, or their choice that leaves no loss (BL-Q09)."""
    most = np.minimum(flags, clash.target_bold())
    least = most.copy()
    at = np.flatnonzero((most > 0) & ~clash.turn.battle.muster.creature.take(clash.target_members))
    if not len(at):
        return most
    free = _longest_way(clash.part(at), int((flags * per_flag)[at].max()))
    least[at] = fewest_ignored(flags[at], most[at], per_flag[at], free)
    n_options = most - least + 1
    row = np.repeat(np.arange(len(most)), n_options)
    count = least[row] + np.arange(len(row)) - (n_options.cumsum() - n_options)[row]
    unit = clash.target[row]
    return np.asarray(count[clash.turn.choose("ignore", clash.on, clash.rows, row, count, unit=unit, count=count)])


def _longest_way(clash: Clash, most: int) -> IntArray:
    """Return how many hexes the targets could travel towards their edge now, up to a limit, `int64[m]`.

    Free hexes are bit masks, one per row of the board, and so are the hexes reached in each step.
    """
    battle, state, rows, cells = clash.turn.battle, clash.turn.state, clash.rows, clash.target_cells
    board = np.arange(ROWS * COLUMN_CELLS)
    free = battle.free_at(state, rows[:, None], board[None])
    words = np.packbits(free, axis=1, bitorder="little").view("<u2")
    words = np.concatenate([words, np.zeros((len(rows), 1), np.uint16)], axis=1)
    row, step = cells // COLUMN_CELLS, (-1, 1)[clash.on]
    here, trial = np.left_shift(np.uint16(1), (cells % COLUMN_CELLS).astype(np.uint16)), np.arange(len(rows))
    n_hexes = np.zeros(len(rows), np.int64)
    for _ in range(min(most, ROWS - 1)):
        here = here | np.where(row % 2 == 0, here >> np.uint16(1), here << np.uint16(1))
        row = row + step
        row = np.where((row < 0) | (row >= ROWS), ROWS, row)
        here = here & words[trial, row]
        n_hexes += here > 0
    return n_hexes


def _run(clash: Clash, hexes: IntArray) -> IntArray:
    """Move the targets back, at most `hexes` and until they are blocked; return the hexes they travel, `int64[m]`."""
    turn, rear = clash.turn, clash.turn.battle.field.rear[clash.on]
    travelled, at = np.zeros_like(hexes), np.arange(len(hexes))
    while len(at):
        before = clash.part(at).target_cells
        ways = rear.take(before + 1, axis=0).astype(np.int64)
        free = turn.battle.free_at(turn.state, clash.rows[at][:, None], ways)
        goes = free.any(axis=1)
        at = at[goes]
        if len(at):
            _step(clash.part(at), before[goes], ways[goes], free[goes])
        travelled[at] += 1
        at = at[travelled[at] < hexes[at]]
    settle(turn, clash.rows[travelled > 0])
    return travelled


def _step(clash: Clash, before: IntArray, ways: IntArray, free: BoolArray) -> None:
    """Move each target one hex back, to the one of the free `ways` that its owner chooses."""
    turn = clash.turn
    after = turn.choose_cell("retreat", clash.on, clash.rows, ways, free, unit=clash.target)
    turn.place(clash.rows, clash.on, clash.target, after)
    turn.report("retreat", clash.on, clash.rows, unit=clash.target, before=before, after=after)


def _pay(clash: Clash, hexes: IntArray, travelled: IntArray, runs: IntArray) -> None:
    """Take losses for hexes that could not be travelled and for panic; adds hexes that creatures gain to `travelled`.

    Creatures trample what blocks them, and may gain hexes so.
    """
    muster = clash.turn.battle.muster
    creature = muster.creature.take(clash.target_members)
    troops, creatures = np.flatnonzero(~creature), np.flatnonzero(creature)
    if len(troops):
        unmet = (hexes - travelled[runs])[troops]
        part = clash.part(troops)
        lose(clash.turn, part.rows, clash.on, part.target, unmet, "blocked")
        _panic(part, travelled[runs[troops]])
    if len(creatures):
        at = runs[creatures]
        travelled[at] += _break_out(clash.part(creatures), hexes[creatures] - travelled[at])


def _panic(clash: Clash, travelled: IntArray) -> None:
    """Roll for the panic of Frightened troops, a die for each hex that they travelled (BL-PANIC)."""
    panics = clash.turn.battle.muster.panics.take(clash.target_members) & (travelled > 0)
    at = np.flatnonzero(panics & (clash.target_figures > 0) & clash.is_open)
    if len(at):
        part = clash.part(at)
        losses = panic(part.struck, travelled[at], part.rolls, "")
        lose(clash.turn, part.rows, clash.on, part.target, losses, "panic")


def _break_out(clash: Clash, unmet: IntArray) -> IntArray:
    """Have creatures trample what blocks them and go on where that clears the way; return the hexes gained so."""
    gained, at = np.zeros_like(unmet), np.flatnonzero(unmet)
    while len(at):
        part = clash.part(at)
        cleared = trample(part, unmet[at] - gained[at]) & part.is_open
        at = at[cleared & clash.turn.battle.terms.rules.trample_clears_way]
        gained[at] += _run(clash.part(at), unmet[at] - gained[at])
        at = at[(gained[at] < unmet[at]) & clash.is_open[at]]
    stuck = np.flatnonzero((gained < unmet) & clash.is_open)
    check_cornered(clash.part(stuck), (unmet - gained)[stuck])
    return gained


def trample(clash: Clash, unmet: IntArray) -> BoolArray:
    """Have blocked creatures trample, and return where a unit behind them is gone, `bool[m]`; writes into the state.

    Each unit in its rear hexes (by the other reading of BL-Q32 each next to it, where one is in its rear hexes) loses a
    figure for each hex of `unmet`, `int64[m]`, that the creature cannot travel; of either side, and creatures too.
    """
    battle, state, cells = clash.turn.battle, clash.turn.state, clash.target_cells
    rear = battle.field.rear[clash.on].take(cells + 1, axis=0)
    is_all = battle.terms.rules.trample == "all_adjacent"
    near = battle.field.neighbours.take(cells + 1, axis=0) if is_all else rear
    occupants = battle.occupant_at(state, clash.rows[:, None], near.astype(np.int64))
    barred = np.any(battle.occupant_at(state, clash.rows[:, None], rear.astype(np.int64)), axis=1)
    occupants = occupants * np.asarray(barred)[:, None]
    is_clear, some_fall = np.zeros(len(cells), bool), np.zeros(len(cells), bool)
    for direction in range(near.shape[1]):
        is_behind = (rear == near[:, direction, None]).any(axis=1)
        for side in (0, 1):
            falls = _hurt(clash, side, occupants[:, direction], unmet)
            is_clear |= falls & is_behind
            some_fall |= falls
    settle(clash.turn, clash.rows[some_fall])
    return is_clear


def _hurt(clash: Clash, side: int, occupants: IntArray, losses: IntArray) -> BoolArray:
    """Take figures from those occupants that are of a side, and return where that eliminates a unit, `bool[m]`."""
    slots = clash.turn.battle.slots_of(side, occupants).astype(np.int64)
    at, falls = np.flatnonzero(slots != NOBODY), np.zeros(len(slots), bool)
    falls[at] = lose(clash.turn, clash.rows[at], side, slots[at], losses[at], "trample", settles=False)
    return falls


def check_cornered(clash: Clash, unmet: IntArray) -> None:
    """Roll a die per hex that creatures could not travel, and dice of their colour again: one more kills the creature.

    `unmet`, `int64[m]`, is 1 or more.
    """
    dies = cornered(clash.struck, unmet, clash.rolls, "")
    lose(clash.turn, clash.rows, clash.on, clash.target, dies, "cornered")

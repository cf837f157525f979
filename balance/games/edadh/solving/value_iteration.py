"""Value iteration by cards left: what every configuration of a duel is worth on a grid of mastery points.

Groups of configurations are solved from the fewest cards to the most. Cards only leave, so what a group leads to has
been solved before it, but for Periods in which no card leaves: these lead to the group itself, so it is gone through
until its worths stay. First on a coarse grid, whose worths are what the fine one starts from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from balance.core.process import State, take_trials
from balance.games.edadh.duel_state import ended
from balance.games.edadh.solving.card_tables import CardTable, card_tables
from balance.games.edadh.solving.configurations import Configurations, Group
from balance.games.edadh.solving.end_tables import EndTable, Starts
from balance.games.edadh.solving.grid import COARSE, FINE, Grid, Worths
from balance.games.edadh.solving.moves import WORTH, Moves
from balance.solvers import solve_matrix_games
from balance.solvers.games import Floats

__all__ = ["GridWorth", "Precision", "best_responses", "iterate"]

T = TypeVar("T")
Say = Callable[[str], None]
Decide = Callable[[object, Worths], Worths]
"""(which games, payoffs `[m, n, g]`) -> what they are worth, `[g]`."""
SAME = 6
"""Digits of a worth that count: the last ones differ between processors, and would decide between equal moves."""
EQUAL = 1e-6
"""Worths closer to each other are the same: they are kept to seven digits."""


@dataclass(frozen=True)
class Precision:
    """How precisely worths are found.

    Attributes
    ----------
    grids
        From coarse to fine.
    change
        A group is left once its worths at the start of a Period change by less.
    most
        Times a group is gone through at most, on each grid.
    gap
        Mixes of before are kept while what the two sides can be sure of by them is no further apart.
    tires
        The chance that a duel is called a draw at the end of each Period. Whoever is ahead could else put off winning
        for ever: with endless Periods it would be worth as much, and play would not tell the two apart.
    """

    grids: tuple[Grid, ...] = (COARSE, FINE)
    change: float = 0.003
    most: tuple[int, ...] = (12, 6)
    gap: float = 5e-4
    tires: float = 0.004


@dataclass(frozen=True, eq=False)
class GridWorth:
    """What positions of a duel are worth to side a, from worths on a grid.

    Attributes
    ----------
    values
        For 0, 1 ... turns left: by configuration and by nodes of either side's MP, `float32[n, k, k]`.
    """

    listed: Configurations
    grid: Grid
    values: tuple[Worths, ...]

    @property
    def moves(self) -> Moves:
        """The duel."""
        return self.listed.moves

    def __call__(self, state: State) -> Floats:
        """Return what states are worth, 0 to 1, `float64[n]`; exactly so where a duel has ended."""
        ends = ended(state)
        worth = np.where(ends >= 0, WORTH[ends], 0.5)
        rows = self.listed.rows(state, ends < 0)
        for turns, values in enumerate(self.values):
            asked = np.flatnonzero((ends < 0) & (state["turns"] == turns))
            if len(asked):
                worth[asked] = self.grid.at(turns, values[rows[asked]], take_trials(state, asked))
        return np.asarray(worth.round(SAME))


def iterate(listed: Configurations, precision: Precision | None = None, say: Say = lambda text: None) -> GridWorth:
    """Return what every configuration is worth when both sides choose as well as they can."""
    precision = precision or Precision()
    starts, grid = Starts.of(listed), precision.grids[-1]
    spread, values = starts.spread(), _empty(listed, grid)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for period in _periods(listed, starts, pool):
            for each, most in zip(precision.grids, precision.most, strict=True):
                decide = _Equilibria(precision.gap)
                found, changes = period.settled(each, spread, decide, precision, most)
                say(f"{period.group.cards} {len(changes)} {changes[-1]:.4f}")
            period.write(values, found)
    return GridWorth(listed, grid, values)


def best_responses(
    worth: GridWorth, precision: Precision | None = None, say: Say = lambda text: None
) -> tuple[GridWorth, GridWorth]:
    """Return what positions are worth to side a where side a plays by `worth` and is answered best; and where b does.

    The play that is answered mixes as the worths it knows tell it at every node; the answer is a decision process. It
    begins with draws, as after the last Period, so that holding out for ever is worth no more than that (WE-Q19).
    """
    precision = precision or Precision()
    listed, grid = worth.listed, precision.grids[-1]
    starts = Starts.of(listed)
    known = starts.spread()
    for turns, place in enumerate(starts.place):
        mine = np.flatnonzero(place >= 0)
        known[place[mine]] = worth.grid.spread(turns, worth.values[turns][mine], listed.damage(turns, mine))
    spreads, values = (starts.spread(), starts.spread()), (_empty(listed, grid), _empty(listed, grid))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for period in _periods(listed, starts, pool):
            played = _Equilibria(EQUAL)
            period.swept(grid, known, played, worth)
            for side, (spread, all_) in enumerate(zip(spreads, values, strict=True)):
                answer = _Answer(side, played.mixes)
                found, changes = period.settled(grid, spread, answer, precision, precision.most[-1])
                period.write(all_, found)
                say(f"{period.group.cards} {side} {len(changes)} {changes[-1]:.4f}")
    return GridWorth(listed, grid, values[0]), GridWorth(listed, grid, values[1])


def _empty(listed: Configurations, grid: Grid) -> tuple[Worths, ...]:
    shapes = ((len(columns["over"]), len(nodes)) for columns, nodes in zip(listed.columns, grid.nodes, strict=False))
    return tuple(np.empty((n, k, k), np.float32) for n, k in shapes)


def _periods(listed: Configurations, starts: Starts, pool: ThreadPoolExecutor) -> Iterator[_Period]:
    """Yield the Periods of each group, the fewest cards first."""
    for group, ends in zip(listed.groups, starts.tables, strict=True):
        yield _Period.of(listed, group, starts, ends, pool)


@dataclass(frozen=True)
class _Answer:
    """Answers a side that mixes in a fixed way, 0 for side a and 1 for side b."""

    side: int
    mixes: Mapping[object, tuple[Worths, Worths]]

    def __call__(self, which: object, payoffs: Worths) -> Worths:
        """Return what games are worth to side a by the best answer."""
        mix = self.mixes[which][self.side]
        return _sure_of(mix, payoffs) if self.side == 0 else _conceded(mix, payoffs)


def _sure_of(one: Worths, payoffs: Worths) -> Worths:
    """Return what side a's mixes are sure of, `[g]`."""
    return np.asarray((one[:, None] * payoffs).sum(axis=0).min(axis=0))


def _conceded(other: Worths, payoffs: Worths) -> Worths:
    """Return the most that side b's mixes concede, `[g]`."""
    return np.asarray((other * payoffs).sum(axis=1).max(axis=0))


class _Equilibria:
    """Solves the games of a group again and again, as the worths of what they lead to settle.

    How both sides mixed the last time is kept: while that is still good enough, games are not solved anew.
    """

    def __init__(self, gap: float) -> None:
        self._gap = gap
        self.mixes: dict[object, tuple[Worths, Worths]] = {}

    def __call__(self, which: object, payoffs: Worths) -> Worths:
        """Return what games are worth."""
        m, n, _ = payoffs.shape
        if which not in self.mixes:
            low, high = payoffs.min(axis=1), payoffs.max(axis=0)
            pure = (low.argmax(axis=0) == np.arange(m)[:, None], high.argmin(axis=0) == np.arange(n)[:, None])
            self.mixes[which] = pure[0].astype(np.float32), pure[1].astype(np.float32)
        one, other = self.mixes[which]
        low, high = _sure_of(one, payoffs), _conceded(other, payoffs)
        values = (low + high) / 2
        open_ = np.flatnonzero(high > low + self._gap)
        if len(open_):
            found = solve_matrix_games(payoffs[:, :, open_].transpose(2, 0, 1), tolerance=EQUAL)
            values[open_], one[:, open_], other[:, open_] = (
                found.values,
                found.row_strategies.T,
                found.column_strategies.T,
            )
        return np.asarray(values)


@dataclass(frozen=True, eq=False)
class _Period:
    """The Periods of a group, ready to be gone through."""

    listed: Configurations
    group: Group
    starts: Starts
    ends: tuple[EndTable, ...]
    turns: tuple[tuple[CardTable, ...], ...]
    pool: ThreadPoolExecutor

    @classmethod
    def of(
        cls, listed: Configurations, group: Group, starts: Starts, ends: tuple[EndTable, ...], pool: ThreadPoolExecutor
    ) -> _Period:
        """List the choices of a group."""
        turns = tuple(tuple(card_tables(listed, group, turns)) if turns else () for turns in range(len(listed.columns)))
        return cls(listed, group, starts, ends, turns, pool)

    def swept(
        self, grid: Grid, spread: Worths, decide: Decide, known: GridWorth | None = None, tires: float = 0.0
    ) -> tuple[list[Worths], float]:
        """Go through the Periods once, from their ends to their starts.

        Parameters
        ----------
        spread
            What starts of Periods are worth at every MP; those of this group are written anew, unless all is known.
        known
            What everything else is worth too; what is found on the way otherwise.

        Returns
        -------
        values, change
            For 0, 1 ... turns left the worths at nodes `float32[n, k, k]`; by how much those of starts have changed.
        """
        values, change = [self._ends(grid, spread, decide)], 0.0
        for turns, tables in enumerate(self.turns[1:], 1):
            rows, led_to, on = self.group.rows[turns - 1], values[-1], grid
            if known is not None:
                led_to, on = known.values[turns - 1][rows], known.grid
            below = on.spread(turns - 1, led_to, self.listed.damage(turns - 1, rows))
            values.append(self._turns(grid, turns, tables, below, decide))
            if known is None:
                change = max(change, self._begin(grid, turns, values[-1], spread, tires))
        return values, change

    def settled(
        self, grid: Grid, spread: Worths, decide: Decide, precision: Precision, most: int
    ) -> tuple[list[Worths], list[float]]:
        """Go through the Periods until starts change by less; return the worths, and the largest changes by then."""
        changes = list[float]()
        while len(changes) < most and (not changes or changes[-1] > precision.change):
            values, last = self.swept(grid, spread, decide, tires=precision.tires)
            changes.append(last)
        return values, changes

    def write(self, values: tuple[Worths, ...], found: list[Worths]) -> None:
        """Write down what was found among the worths of all groups."""
        for all_, rows, own in zip(values, self.group.rows, found, strict=True):
            all_[rows] = own

    def _ends(self, grid: Grid, spread: Worths, decide: Decide) -> Worths:
        rows, k = self.group.rows[0], len(grid.nodes[0])
        values = np.empty((rows.stop - rows.start, k, k), np.float32)
        n_mp = self.listed.moves.duel.arena.read.mp_cap + 1

        def end(table: EndTable) -> None:
            own = values[table.rows.start - rows.start : table.rows.stop - rows.start].reshape(-1)
            for where, payoffs in table.payoffs(grid, self.starts.endings, n_mp, spread):
                own[where] = decide((table.rows.start, payoffs.shape), payoffs)

        self._each(end, self.ends)
        return values

    def _turns(self, grid: Grid, turns: int, tables: tuple[CardTable, ...], below: Worths, decide: Decide) -> Worths:
        rows, k = self.group.rows[turns], len(grid.nodes[turns])
        values = np.empty((rows.stop - rows.start, k, k), np.float32)

        def turn(table: CardTable) -> None:
            which = (turns, rows.start + table.rows.start)
            values[table.rows] = decide(which, table.payoffs(grid, below)).reshape(-1, k, k)

        self._each(turn, tables)
        return values

    def _begin(self, grid: Grid, turns: int, values: Worths, spread: Worths, tires: float) -> float:
        """Write down what the group's starts with so many turns are worth; return by how much that has changed."""
        rows = self.group.rows[turns]
        place = self.starts.place[turns][rows]
        mine = np.flatnonzero(place >= 0)
        if not len(mine):
            return 0.0
        begun = values[mine] + tires * (0.5 - values[mine])
        new = grid.spread(turns, begun, self.listed.damage(turns, rows.start + mine))
        change = float(np.abs(new - spread[place[mine]]).max())
        spread[place[mine]] = new
        return change

    def _each(self, do: Callable[[T], None], parts: Iterable[T]) -> None:
        for _ in self.pool.map(do, parts):
            pass

"""Value iteration by cards left: what every configuration of a duel is worth on a grid of mastery points.

Groups of configurations are solved from the fewest cards to the most. Cards only leave, so what a group leads to has
been solved before it, but for Periods in which no card leaves: these lead to the group itself, so it is gone through
until its worths stay. First on a few nodes, by which the nodes that err least are chosen (`nodes`); then on these.

Then either side's mixes are answered as well as can be, by a decision process on a grid of its own: what they hold the
value to, and concede. On the play's own nodes next to nothing could be won, and what it does between them would not be
seen. What play is really worth only duels tell.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance.core.process import State
from balance.games.edadh.duel_state import ended
from balance.games.edadh.solving.configurations import Configurations
from balance.games.edadh.solving.end_tables import Starts
from balance.games.edadh.solving.grid import CAP, DEAD, LOW, Grid, Worths
from balance.games.edadh.solving.moves import WORTH, Moves, Rows
from balance.games.edadh.solving.nodes import Reach
from balance.games.edadh.solving.periods import OnGrid, Period, begun, every_grid, first_grid
from balance.games.edadh.view import SIDES
from balance.pmf.arrays import IntArray
from balance.solvers import solve_matrix_games
from balance.solvers.games import Floats

__all__ = ["GridWorth", "Play", "Precision", "best_responses", "iterate"]

Say = Callable[[str], None]
SAME = 6
"""Digits of a worth that count: the last ones differ between processors, and would decide between equal moves."""
EQUAL = 1e-6
"""Worths closer to each other are the same: they are kept to seven digits."""


@dataclass(frozen=True)
class Precision:
    """How precisely worths are found.

    Attributes
    ----------
    price
        What a position costs when nodes are chosen, in squared errors of worths: the less, the more nodes.
    change
        A group is left once its worths at the start of a Period change by less, on the first nodes and on those chosen.
    most
        Times a group is gone through at most on either.
    gap
        Mixes of before are kept while what the two sides can be sure of by them is no further apart, on either.
    tires
        The chance that a duel is called a draw at the end of each Period. Whoever is ahead could else put off winning
        for ever: with endless Periods it would be worth as much, and play would not tell the two apart.
    rounds
        Times that nodes are chosen, each by the worths on those before.
    few
        With so many positions at most a duel has a node at every number of MP.
    grid
        The nodes of all groups, if they are not to be chosen.
    """

    price: float = 3e-10
    change: tuple[float, float] = (0.004, 0.0006)
    most: tuple[int, int] = (12, 24)
    gap: tuple[float, float] = (0.004, 0.0002)
    tires: float = 0.003
    rounds: int = 1
    few: int = 3_000_000
    grid: Grid | None = None

    @property
    def answering(self) -> tuple[float, int, float]:
        """How answers are gone through: until they change by less, at most so often, and how soon they tire.

        An answer that does not tire at all may put off winning, too; a third as soon is enough, and claims hardly less.
        """
        return self.change[1], self.most[1], self.tires / 3


EXACT = Precision(change=(1e-4, 1e-4), most=(12, 60), gap=(1e-5, 1e-5), tires=0.0005)
"""How duels are solved that have a node at every number of MP."""


@dataclass(frozen=True, eq=False)
class GridWorth:
    """What positions of a duel are worth to side a, from worths on grids.

    Attributes
    ----------
    grids
        That of each group.
    values
        By group, for 0, 1 ... turns left: by configuration and by nodes of either side's MP, `float32[n, k, l]`.
    """

    listed: Configurations
    grids: tuple[Grid, ...]
    values: tuple[tuple[Worths, ...], ...]

    @property
    def moves(self) -> Moves:
        """The duel."""
        return self.listed.moves

    @cached_property
    def _flat(self) -> tuple[_Flat, ...]:
        return tuple(_Flat.of(self, turns) for turns in range(len(self.listed.columns)))

    def __call__(self, state: State) -> Floats:
        """Return what states are worth, 0 to 1, `float64[n]`; exactly so where a duel has ended.

        Not a number where the duel cannot come to a state.
        """
        ends = ended(state)
        worth = np.where(ends >= 0, WORTH[ends], np.nan)
        rows = self.listed.rows(state, ends < 0)
        for turns, flat in enumerate(self._flat):
            asked = np.flatnonzero((rows >= 0) & (state["turns"] == turns))
            if len(asked):
                mp, damage = (
                    [state[f"{side}_{name}"].take(asked).astype(np.intp) for side in SIDES] for name in ("mp", "damage")
                )
                worth[asked] = flat.at(rows[asked], mp, damage)
        return np.asarray(worth.round(SAME))

    def spread(self, number: int, turns: int) -> Worths:
        """Return the worths of a group, by its number, at every MP."""
        rows = self.listed.groups[number].rows[turns]
        return self.grids[number].spread(turns, self.values[number][turns], self.listed.damage(turns, rows))


@dataclass(frozen=True, eq=False)
class _Flat:
    """Worths of all groups with so many turns left in a row, and where to look for those of a state.

    Attributes
    ----------
    values
        `float32[...]`.
    group, first, width
        For each configuration its group, where its worths begin, and how many nodes side b has.
    lower, far
        For each side, by group, damage and MP: between which nodes, and how far from the lower one.
    """

    values: Worths
    group: Rows
    first: Rows
    width: Rows
    lower: tuple[IntArray, IntArray]
    far: tuple[Worths, Worths]

    @classmethod
    def of(cls, worth: GridWorth, turns: int) -> _Flat:
        """Put the worths of all groups together."""
        sizes = [rows.stop - rows.start for rows in (group.rows[turns] for group in worth.listed.groups)]
        shapes = [grid.shape(turns) for grid in worth.grids]
        group = np.repeat(np.arange(len(sizes)), sizes)
        cells = np.array([one * other for one, other in shapes])[group]
        most = max(int(own.max(initial=0)) for own in worth.listed.damage(turns, slice(None))) if turns else 0
        lines = [[grid.lines(turns, side, most) for grid in worth.grids] for side in (0, 1)]
        (a_lower, a_far), (b_lower, b_far) = ([np.stack(each) for each in zip(*own, strict=True)] for own in lines)
        return cls(
            np.concatenate([values[turns].ravel() for values in worth.values]),
            group,
            np.cumsum(cells) - cells,
            np.array([other for _, other in shapes])[group],
            (a_lower, b_lower),
            (a_far, b_far),
        )

    def at(self, rows: Rows, mp: list[Rows], damage: list[Rows]) -> Worths:
        """Return the worths of configurations at MP of side a and of side b, `float32[n]`."""
        group, most = self.group[rows], self.far[0].shape[1] - 1
        place = self.first[rows]
        lower, far = [], []
        for side in (0, 1):
            key = (group * (most + 1) + np.minimum(damage[side], most)) * DEAD + np.clip(mp[side], LOW, CAP) - LOW
            lower.append(self.lower[side].reshape(-1).take(key).astype(np.intp))
            far.append(self.far[side].reshape(-1).take(key))
        width = self.width[rows]
        place = place + lower[0] * width + lower[1]
        right, down = (far[1] > 0).astype(np.intp), np.where(far[0] > 0, width, 0)
        above = self.values.take(place) * (1 - far[1]) + self.values.take(place + right) * far[1]
        place += down
        under = self.values.take(place) * (1 - far[1]) + self.values.take(place + right) * far[1]
        return np.asarray(above * (1 - far[0]) + under * far[0])


@dataclass(frozen=True, eq=False)
class Play:
    """How to play a duel by worths on grids, and the best answers, on grids of their own where nodes were chosen.

    Attributes
    ----------
    worth
        What positions are worth when both sides choose as well as they can.
    answers
        What they are worth where side a plays by that and is answered best, and where side b does.
    sweeps
        Times that groups were gone through, in all.
    """

    worth: GridWorth
    answers: tuple[GridWorth, GridWorth]
    sweeps: int

    @property
    def n_nodes(self) -> int:
        """Positions that were solved."""
        return sum(values.size for group in self.worth.values for values in group)

    @property
    def bounds(self) -> tuple[float, float]:
        """What side a's play holds at the start, and what side b's concedes, as far as answers on the grids see."""
        start = self.worth.moves.begun()
        held, conceded = (float(answer(start)[0]) for answer in self.answers)
        return held, conceded


OTHER = 10
"""How much cheaper a position is when the nodes of answers are chosen, so that these are others, and twice as many: on
its own nodes play has no weakness, and what lies between them an answer there cannot see."""


def iterate(listed: Configurations, reach: Reach, precision: Precision, say: Say = lambda text: None) -> Play:
    """Return what every configuration is worth when both sides choose as well as they can, and when one is answered."""
    starts, sweeps = Starts.of(listed), 0
    every = _every(listed, reach, precision)
    precision = EXACT if every else precision
    sees_all = bool(every) or precision.grid is not None
    spread, answered = starts.spread(), (starts.spread(), starts.spread())
    grids, values = list[Grid](), tuple(list[tuple[Worths, ...]]() for _ in range(3))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number in range(len(listed.groups)):
            period = Period.of(listed, number, starts, pool)
            on, played, found, changes = _solved(period, reach, spread, precision, every[number] if every else None)
            grids.append(on.grid)
            values[0].append(tuple(found))
            for side, (own, each) in enumerate(zip(answered, values[1:], strict=True) if sees_all else ()):
                found, more = on.settled(own, _Answer(side, played.mixes), *precision.answering)
                each.append(tuple(found))
                changes += more
            sweeps += len(changes)
            say(f"{number} {period.group.cards} {on.grid.nodes} {[round(each, 4) for each in changes]}")
    worth, held, conceded = (GridWorth(listed, tuple(grids), tuple(each)) for each in values)
    if not sees_all:
        held, conceded = best_responses(worth, reach, replace(precision, price=precision.price / OTHER), say)
    return Play(worth, (held, conceded), sweeps)


def _every(listed: Configurations, reach: Reach, precision: Precision) -> list[Grid]:
    """Return a grid for each group with a node at every number of MP; none if too many, or others are asked for."""
    grids = [every_grid(listed, group, reach) for group in listed.groups]
    n_nodes = sum(
        (rows.stop - rows.start) * math.prod(grid.shape(turns))
        for group, grid in zip(listed.groups, grids, strict=True)
        for turns, rows in enumerate(group.rows)
    )
    return grids if n_nodes <= precision.few and precision.grid is None else []


def _solved(
    period: Period, reach: Reach, spread: Worths, precision: Precision, given: Grid | None
) -> tuple[OnGrid, _Equilibria, list[Worths], list[float]]:
    """Solve the Periods of a group: on a few nodes, then on those that err least by what was found on these."""
    grid, changes = given or precision.grid or first_grid(period.listed, period.group, reach), list[float]()
    for _ in range(0 if given or precision.grid else precision.rounds):
        on = OnGrid(period, grid)
        found, more = on.settled(
            spread, _Equilibria(precision.gap[0]), precision.change[0], precision.most[0], precision.tires
        )
        changes += more
        grid = period.finer(reach, on.led_to(found, spread), _Equilibria(precision.gap[0]), precision.price)
    on, decide = OnGrid(period, grid), _Equilibria(precision.gap[1])
    found, more = on.settled(spread, decide, precision.change[1], precision.most[1], precision.tires)
    return on, decide, found, changes + more


def best_responses(
    worth: GridWorth, reach: Reach, precision: Precision, say: Say = lambda text: None
) -> tuple[GridWorth, GridWorth]:
    """Return what positions are worth to side a where side a plays by `worth` and is answered best; and where b does.

    The play that is answered mixes as the worths it knows tell it at every node of another grid; the answer is a
    decision process there. It begins with draws, as after the last Period, so that holding out for ever is worth no
    more than that (WE-Q19).
    """
    listed, starts = worth.listed, Starts.of(worth.listed)
    known, answered = _known(worth, starts), (starts.spread(), starts.spread())
    grids, values = list[Grid](), (list[tuple[Worths, ...]](), list[tuple[Worths, ...]]())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number in range(len(listed.groups)):
            period = Period.of(listed, number, starts, pool)
            known_here = [known, *(worth.spread(number, turns) for turns in range(len(period.turns) - 1))]
            grid = precision.grid or period.finer(reach, known_here, _Equilibria(precision.gap[0]), precision.price)
            on, played = OnGrid(period, grid), _Equilibria(EQUAL)
            on.swept(known, played, below=known_here)
            grids.append(grid)
            for side, (spread, each) in enumerate(zip(answered, values, strict=True)):
                found, changes = on.settled(spread, _Answer(side, played.mixes), *precision.answering)
                each.append(tuple(found))
                say(f"{number} {period.group.cards} {side} {grid.nodes} {changes}")
    held, conceded = (GridWorth(listed, tuple(grids), tuple(each)) for each in values)
    return held, conceded


def _known(worth: GridWorth, starts: Starts) -> Worths:
    """Return what is known of the starts of Periods, at every MP."""
    known = starts.spread()
    for number, group in enumerate(worth.listed.groups):
        for turns in range(1, len(worth.listed.columns)):
            place, mine = begun(starts, group, turns)
            damage = worth.listed.damage(turns, group.rows[turns].start + mine)
            known[place] = worth.grids[number].spread(turns, worth.values[number][turns][mine], damage)
    return known


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

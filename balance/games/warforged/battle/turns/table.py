"""More than two players at a board (WF-MULTI): their order, alliances, victory points, elimination, and who has won.

States of such battles have further columns, `[n, S]` by side: `seat`, the place in the order of play; `victory`, the
victory points; `losses`, units destroyed by the end of the last turn; `out`, 0 or the how-manieth that was out;
`attacked`, attacks made at the side; `victors`, who has won. The column `winner` is 1 where side a is among these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State, take_trials
from balance.game.kit.board.battle import DRAW

FOES_OF_TWO = ~np.eye(2, dtype=bool)
"""Who fights whom where there are two."""
_MOST_HEALTH = 1 << 24


@dataclass(frozen=True)
class Table:
    """Who is allied with whom, and what victory points are given for.

    `alliances`: numbers of their sides, each side in one at most; for `alliance_rounds` rounds, 0 for good.
    `per_unit`, `per_control`, `per_objective`: victory points (WF-MULTI.2). `objective_rounds`: rounds in a row on the
    objective that score `per_objective`; 0 where it does not score.
    """

    n_sides: int
    alliances: tuple[tuple[int, ...], ...] = ()
    alliance_rounds: int = 0
    per_unit: int = 1
    per_control: int = 0
    per_objective: int = 0
    objective_rounds: int = 0

    @property
    def fair_share(self) -> float:
        """The share of battles that side a wins where nobody is favoured: that of its alliance, if it lasts."""
        alliance = next((alliance for alliance in self.alliances if 0 in alliance), (0,))
        return (1 if self.alliance_rounds else len(alliance)) / self.n_sides

    def allied(self, round_number: int) -> bool:
        """Return whether alliances are in force in a round, from 1."""
        return bool(self.alliances) and (not self.alliance_rounds or round_number <= self.alliance_rounds)

    def hostile(self, round_number: int) -> BoolArray:
        """Return who fights whom in a round, `bool[S, S]`."""
        return _hostile(self.n_sides, self.alliances if self.allied(round_number) else ())

    def begin(self, n: int, order: tuple[int, ...]) -> State:
        """Return the columns of n battles with this order of play, nothing done yet."""
        shape = n, self.n_sides
        counts = {name: np.zeros(shape, np.int16) for name in ("victory", "losses", "out")}
        seat = np.broadcast_to(np.argsort(order).astype(np.int8), shape)
        return counts | {"seat": seat, "attacked": np.zeros(shape, np.int32), "victors": np.zeros(shape, bool)}

    def settle(self, state: State, rows: IntArray) -> None:
        """Write down who has won in some open battles where nobody's enemy is left (WF-WIN.1, WF-Q28)."""
        alive = np.asarray((state["health"].take(rows, axis=0) > 0).any(axis=2))
        hostile = self.hostile(int(state["round"][0]))
        over = np.asarray(~((alive @ hostile) & alive).any(axis=1))
        _win(state, rows[over], alive[over] @ ~hostile)

    def end_turn(self, state: State, side: int, losses: IntArray) -> None:
        """Count victory points for what a side has destroyed in its turn, and who is out (WF-MULTI.2, WF-MULTI.3)."""
        hostile = self.hostile(int(state["round"][0]))[side]
        n_destroyed = ((losses - state["losses"]) * hostile).sum(axis=1)
        state["victory"][:, side] += (self.per_unit * n_destroyed).astype(np.int16)
        state["losses"] = losses.astype(np.int16)
        is_dead = np.asarray(~(state["health"] > 0).any(axis=2))
        newly = is_dead & (state["out"] == 0)
        if newly.any():
            order = np.argsort(state["seat"], axis=1)
            places = (state["out"] > 0).sum(axis=1)[:, None] + np.take_along_axis(newly, order, axis=1).cumsum(axis=1)
            state["out"] += (np.take_along_axis(places, state["seat"].astype(np.int64), axis=1) * newly).astype(
                np.int16
            )

    def end_round(self, state: State, on_objectives: IntArray, rounds_to_win: int) -> None:
        """Count control points and rounds on the objective, and have who held it win or score (WF-MULTI.2, WF-WIN.1).

        `on_objectives`: units of each side on objective cells, `int[n, S]`.
        """
        hostile, is_open = self.hostile(int(state["round"][0])), state["winner"] == 0
        state["victory"] += (self.per_control * on_objectives * is_open[:, None]).astype(np.int16)
        n_rounds = rounds_to_win or self.objective_rounds
        if not n_rounds:
            return
        stands, alive = on_objectives > 0, (state["health"] > 0).any(axis=2)
        alone = (stands @ ~hostile) & ~(stands @ hostile) & alive
        state["held"] = np.where(alone, state["held"] + 1, 0).astype(np.int16)
        holds = (state["held"] >= n_rounds) & is_open[:, None]
        if rounds_to_win:
            rows = np.flatnonzero(holds.any(axis=1))
            _win(state, rows, holds[rows] @ ~hostile)
        else:
            state["victory"] += (self.per_objective * holds).astype(np.int16)
            state["held"][holds] = 0

    def on_points(self, state: State, rows: IntArray, health_decides: bool) -> None:
        """Have those win in some battles who have most victory points, then most health left; those of allies add up.

        Who is out has no share in that; equals draw.
        """
        friends = ~self.hostile(int(state["round"][0])).astype(bool)
        health = state["health"][rows].sum(axis=2, dtype=np.int64)
        together = state["victory"][rows].astype(np.int64) @ friends * _MOST_HEALTH
        together += health @ friends * health_decides
        together[~((health > 0) @ friends)] = -1
        best = together == together.max(axis=1, keepdims=True)
        is_tie = ((best @ ~friends) & best).any(axis=1)
        _win(state, rows, best & ~is_tie[:, None])


def _win(state: State, rows: IntArray, victors: BoolArray) -> None:
    """Write down who has won in some battles, `bool[m, S]`; nobody is a draw."""
    state["victors"][rows] = victors
    state["winner"][rows] = np.where(victors[:, 0], 1, np.where(victors.any(axis=1), 2, DRAW))


@lru_cache(maxsize=64)
def _hostile(n_sides: int, alliances: tuple[tuple[int, ...], ...]) -> BoolArray:
    hostile = ~np.eye(n_sides, dtype=bool)
    for alliance in alliances:
        hostile[np.ix_(alliance, alliance)] = False
    return hostile


def each_plays(state: State, groups: Iterable[tuple[int, IntArray]], play: Callable[[int, State], State]) -> State:
    """Have a side play in each group of battles, (side, rows), and return the state of all together.

    `play`: (side, state of these battles) -> their state afterwards.
    """
    after, n = State(), len(state["winner"])
    for side, rows in groups:
        if len(rows) == n:
            return play(side, state)
        for name, values in play(side, take_trials(state, rows)).items() if len(rows) else ():
            after.setdefault(name, np.zeros((n, *values.shape[1:]), values.dtype))[rows] = values
    return after


def in_seat(state: State, seat: int) -> list[tuple[int, IntArray]]:
    """Return the battles, by side, in which it is in a seat, the first to act in 0."""
    return [(side, np.flatnonzero(seats == seat)) for side, seats in enumerate(state["seat"].T)]

"""One decision of many duels at once, looked ahead: the matrix game of both sides' choices, and its solution.

A turn is a game of 12 x 12 cards whose cells hold the open selection of troops; the end of a Period is a game of both
sides' endings (`moves`). Here their cells are worth what an estimate says of the states they lead to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from threading import local
from typing import Protocol, TypeVar

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.solvers import MatrixSolutions, solve_matrix_games
from balance.chance.solvers.stages import Legal
from balance.games.edadh.rules.mastery import A_ATTACKS, N_CARDS
from balance.games.edadh.solving.moves import Moves, Rows, Turns, chunks, selection_values

SCORE_DIGITS = 9
"""Digits of a score that decide between moves: later ones differ between processors."""


class Worth(Protocol):
    """A value function of a duel, exact or estimated: the mean score of side a from a position on."""

    @property
    def moves(self) -> Moves:
        """The duel whose positions it values."""

    def __call__(self, state: State) -> FloatArray:
        """Return the values of n states to side a, 0 to 1, `float64[n]`."""


class _Solvable(ABC):
    """Matrix games of s states; their solution is kept by the value function that it was solved with."""

    legal: Legal = (None, None)

    def __init__(self) -> None:
        self._solutions: dict[Worth, MatrixSolutions] = {}

    @abstractmethod
    def payoffs(self, worth: Worth) -> FloatArray:
        """Return the value to side a of each pair of choices, `float64[s, m, n]`."""

    def solution(self, worth: Worth) -> MatrixSolutions:
        """Return values and optimal mixes of the games when what follows is worth what `worth` says."""
        if worth not in self._solutions:
            self._solutions[worth] = solve_matrix_games(self.payoffs(worth), *self.legal)
        return self._solutions[worth]


class TurnChoices(_Solvable):
    """The games of s states that have a turn left: 12 x 12 cards, then the open selection of troops."""

    def __init__(self, moves: Moves, state: State) -> None:
        super().__init__()
        self._parts = [moves.turns(chunk) for chunk in chunks(state)]

    def payoffs(self, worth: Worth) -> FloatArray:
        """Return the value to side a of each pair of cards, `float64[s, 12, 12]`, troops being selected optimally."""
        return np.concatenate([_turn_payoffs(part, worth(part.after)) for part in self._parts])


def _turn_payoffs(turns: Turns, values: FloatArray) -> FloatArray:
    payoffs = np.empty((len(turns.blocks[0].place), N_CARDS, N_CARDS))
    for block in turns.blocks:
        payoffs[:, block.cards[0] - 1, block.cards[1] - 1] = selection_values(block.attacker, values[block.place])
    return payoffs


def selected_plays(attacker: int, cells: FloatArray) -> tuple[Rows, Rows]:
    """Return the plays of a and of b that backward induction selects, the Attacker first, `int[s]` each.

    `cells` are values to side a by plays of a and of b, `float64[s, p, q]`.
    """
    rows = np.arange(len(cells))
    if attacker == A_ATTACKS:
        p = cells.min(axis=2).argmax(axis=1)
        return p, cells[rows, p].argmin(axis=1)
    q = cells.max(axis=1).argmin(axis=1)
    return cells[rows, :, q].argmax(axis=1), q


class EndChoices(_Solvable):
    """The games of s states at the end of a Period: what either side discards and retires (WE-EOP.3, WE-RETIRE.1)."""

    def __init__(self, moves: Moves, state: State) -> None:
        super().__init__()
        self._ends = moves.ends(state)
        self.legal = self._ends.legal
        self._place = np.zeros((len(state["over"]), *(legal.shape[1] for legal in self._ends.legal)), np.intp)
        self._place[self._ends.cells] = np.arange(len(self._ends.cells[0]))

    def payoffs(self, worth: Worth) -> FloatArray:
        """Return the value to side a of each pair of endings, `float64[s, m, n]`; `legal` says which cells count."""
        return np.asarray(worth(self._ends.after)[self._place])

    def first(self, side_index: int, ending: IntArray, state: Rows) -> Rows:
        """Return the first step of a side on its way to an ending of each state, as a number among options that differ.

        `ending` and `state` are `int[n]`, and so is the result.
        """
        endings = self._ends.endings[side_index]
        return np.asarray(endings.first[np.searchsorted(endings.row, state) + ending])


Choices = TurnChoices | EndChoices
_Kind = TypeVar("_Kind", TurnChoices, EndChoices)


class _Latest(local):
    """The choices that a thread asked for last, one of each kind, so that no more are kept in memory."""

    def __init__(self) -> None:
        self.of: dict[object, tuple[Moves, bytes, Choices]] = {}


_LATEST = _Latest()


def latest(kind: type[_Kind], moves: Moves, state: State) -> _Kind:
    """Return the choices of states, cached: both sides ask for the same in turn, and for several value functions."""
    key = b"".join(state[name].tobytes() for name in moves.position_columns)
    previous = _LATEST.of.get(kind)
    if previous is not None and previous[0] is moves and previous[1] == key and isinstance(previous[2], kind):
        return previous[2]
    choices = kind(moves, state)
    _LATEST.of[kind] = moves, key, choices
    return choices


@dataclass(frozen=True)
class Opponent:
    """A side, 0 for a and 1 for b, that keeps to the optimal mixes of a fixed value function, known to the other."""

    side: int
    worth: Worth


def values_and_mixes(
    choices: Choices, worth: Worth, against: Opponent | None
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return the values of decisions to side a, `float64[s]`, and both sides' mixes, `float64[s, m]` and `[s, n]`.

    Against an `Opponent` the other side's mix is its best response; without one both play the equilibrium.
    """
    if against is None:
        solution = choices.solution(worth)
        return solution.values, (solution.row_strategies, solution.column_strategies)
    return best_response(choices.payoffs(worth), choices, choices.solution(against.worth), against.side)


def best_response(
    payoffs: FloatArray, choices: Choices, fixed: MatrixSolutions, side: int
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return the values of a pure best response to a side's mix, 0 for a and 1 for b, and both sides' mixes.

    `payoffs` are values to side a, `float64[s, m, n]`; `fixed` has the mixes that are answered.
    """
    if side == 1:
        row_payoffs = (payoffs @ fixed.column_strategies[:, :, None])[:, :, 0]
        row_payoffs = row_payoffs if choices.legal[0] is None else np.where(choices.legal[0], row_payoffs, -np.inf)
        return row_payoffs.max(axis=1), (
            np.eye(row_payoffs.shape[1])[row_payoffs.round(SCORE_DIGITS).argmax(axis=1)],
            fixed.column_strategies,
        )
    column_payoffs = (fixed.row_strategies[:, None, :] @ payoffs)[:, 0, :]
    column_payoffs = column_payoffs if choices.legal[1] is None else np.where(choices.legal[1], column_payoffs, np.inf)
    return column_payoffs.min(axis=1), (
        fixed.row_strategies,
        np.eye(column_payoffs.shape[1])[column_payoffs.round(SCORE_DIGITS).argmin(axis=1)],
    )


def sample_mix(mix: FloatArray, luck: IntArray, faces: int) -> IntArray:
    """Return a choice for each row by its mix, `float64[n, k]`, and the face that it rolled, 1 to `faces`, `int[n]`.

    >>> sample_mix(np.array([[0.5, 0.0, 0.5]] * 2), np.array([5, 6]), 10).tolist()
    [0, 2]
    """
    ladder = mix.cumsum(axis=1) * (faces / mix.sum(axis=1, keepdims=True))
    ladder[:, -1] = faces
    return np.asarray((ladder < (luck - 0.5)[:, None]).sum(axis=1))

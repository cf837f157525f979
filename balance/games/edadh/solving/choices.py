"""One decision of many duels at once, looked ahead: the matrix of what each pair of choices is worth, and what follows.

A turn is a game of 12 x 12 cards whose cells hold the open selection of troops; the end of a Period is a game of both
sides' endings (`moves`). Here their cells are worth what an estimate says of the states they lead to.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from balance.core.process import State, take_trials
from balance.games.edadh.mastery import A_ATTACKS, B_ATTACKS
from balance.games.edadh.solving.endings import Rows
from balance.games.edadh.solving.estimate import Opponent
from balance.games.edadh.solving.moves import N_CARDS, Moves, selected
from balance.solvers import MatrixSolutions, solve_matrix_games
from balance.solvers.games import Floats
from balance.solvers.stages import Legal

__all__ = ["Choices", "EndChoices", "TurnChoices", "Worth", "by_luck", "picked", "solved"]


class Worth(Protocol):
    """What positions of a duel are worth to side a, known or estimated."""

    @property
    def moves(self) -> Moves:
        """The duel."""

    def __call__(self, state: State) -> Floats:
        """Return what states are worth, 0 to 1, `float64[n]`."""


class TurnChoices:
    """The cards and troops of s states that have a turn left."""

    def __init__(self, moves: Moves, state: State) -> None:
        self.blocks = list(moves.blocks(state))
        self._block = np.zeros((N_CARDS, N_CARDS), np.intp)
        self._place = np.zeros((N_CARDS, N_CARDS), np.intp)
        for number, block in enumerate(self.blocks):
            one, other = block.cards[0][0] - 1, block.cards[1][0] - 1
            self._block[one, other], self._place[one, other] = number, np.arange(len(one))

    legal: Legal = (None, None)

    def payoffs(self, worth: Worth) -> Floats:
        """Return what each pair of cards is worth, `float64[s, 12, 12]`."""
        payoffs = np.empty((self.blocks[0].shape[0], N_CARDS, N_CARDS))
        for block in self.blocks:
            cells = worth(block.after).reshape(block.shape)
            payoffs[:, block.cards[0][0] - 1, block.cards[1][0] - 1] = selected(block.attacker, cells)
        return payoffs

    def after(self, one: Rows, other: Rows, worth: Worth) -> State:
        """Return the states after cards (0 to 11) of either side, `int[s]`, with troops selected as `worth` says."""
        parts, order = [], []
        for number, block in enumerate(self.blocks):
            rows = np.flatnonzero(self._block[one, other] == number)
            place = self._place[one[rows], other[rows]]
            flat = np.arange(block.shape[2] * block.shape[3])
            start = (rows * block.shape[1] + place) * len(flat)
            led = take_trials(block.after, (start[:, None] + flat).ravel())
            cells = worth(led).reshape(len(rows), *block.shape[2:])
            p, q = picked(block.attacker, cells)
            parts.append(take_trials(led, np.arange(len(rows)) * len(flat) + p * block.shape[3] + q))
            order.append(rows)
        back = np.argsort(np.concatenate(order))
        return {name: np.concatenate([part[name] for part in parts])[back] for name in parts[0]}


def picked(attacker: int, cells: Floats) -> tuple[Rows, Rows]:
    """Return the plays of a and of b that the open selection ends in, `int[s]` each, for cells `[s, p, q]`.

    On a tie, where both select at once, each takes the play with the best guarantee; mixing there is not looked for.
    """
    rows = np.arange(len(cells))
    p, q = cells.min(axis=2).argmax(axis=1), cells.max(axis=1).argmin(axis=1)
    if attacker == A_ATTACKS:
        q = cells[rows, p].argmin(axis=1)
    elif attacker == B_ATTACKS:
        p = cells[rows, :, q].argmax(axis=1)
    return p, q


class EndChoices:
    """The endings of s states at the end of a Period."""

    def __init__(self, moves: Moves, state: State) -> None:
        self.ends = moves.ends(state)
        self.legal: Legal = self.ends.legal
        self._place = np.zeros((len(state["over"]), *(legal.shape[1] for legal in self.ends.legal)), np.intp)
        self._place[self.ends.cells] = np.arange(len(self.ends.cells[0]))

    def payoffs(self, worth: Worth) -> Floats:
        """Return what each pair of endings is worth, `float64[s, m, n]`."""
        return np.asarray(worth(self.ends.after)[self._place])

    def after(self, one: Rows, other: Rows, worth: Worth) -> State:
        """Return the states after endings of either side, `int[s]`."""
        return take_trials(self.ends.after, self._place[np.arange(len(one)), one, other])


Choices = TurnChoices | EndChoices


def solved(choices: Choices, worth: Worth, against: Opponent | None) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return what decisions are worth, and how both sides mix."""
    payoffs = choices.payoffs(worth)
    if against is None:
        found = solve_matrix_games(payoffs, *choices.legal)
        return found.values, (found.row_strategies, found.column_strategies)
    fixed = solve_matrix_games(choices.payoffs(against.worth), *choices.legal)
    return answered(payoffs, choices, fixed, against.side)


def answered(
    payoffs: Floats, choices: Choices, fixed: MatrixSolutions, side: int
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return what the best answer to a side's mix is worth, and both sides' mixes, the answer a pure one."""
    if side == 1:
        earned = (payoffs @ fixed.column_strategies[:, :, None])[:, :, 0]
        earned = earned if choices.legal[0] is None else np.where(choices.legal[0], earned, -np.inf)
        return earned.max(axis=1), (np.eye(earned.shape[1])[earned.argmax(axis=1)], fixed.column_strategies)
    paid = (fixed.row_strategies[:, None, :] @ payoffs)[:, 0, :]
    paid = paid if choices.legal[1] is None else np.where(choices.legal[1], paid, np.inf)
    return paid.min(axis=1), (fixed.row_strategies, np.eye(paid.shape[1])[paid.argmin(axis=1)])


def by_luck(mix: Floats, luck: Rows, faces: int) -> Rows:
    """Return a choice for each row by its mix `[n, k]` and the face `[n]` of a die.

    >>> by_luck(np.array([[0.5, 0.0, 0.5]] * 2), np.array([5, 6]), 10).tolist()
    [0, 2]
    """
    ladder = mix.cumsum(axis=1) * (faces / mix.sum(axis=1, keepdims=True))
    ladder[:, -1] = faces
    return np.asarray((ladder < (luck - 0.5)[:, None]).sum(axis=1))

"""The turn of a side in many trials at once, into whose state everything writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Player, Watch


@dataclass(frozen=True, eq=False)
class Turn:
    """A side's turn in many trials: `state` is written into, and `watch` is told of it.

    Attributes
    ----------
    battle, side
        What is fought, and whose turn it is, 0 or 1.
    players
        Who decides for side a, and for side b.
    state
        The columns of all trials.
    watch
        Is told of all that happens.
    """

    battle: Battle
    side: int
    players: tuple[Player, Player]
    state: State
    watch: Watch | None = None

    def report(self, what: str, side: int, rows: IntArray, **fields: Any) -> None:
        """Tell the watch, if there is one, that something happened.

        Parameters
        ----------
        what
            What happened, such as "move".
        side
            The side that it happened to.
        rows
            Numbers of the trials.
        **fields
            What there is to say of it.
        """
        if self.watch is not None:
            self.watch(what, side, rows, fields, self.state)

    def place(self, rows: IntArray, side: IntArray | int, unit: IntArray, cells: IntArray) -> None:
        """Put units on cells, or off the board where a cell is OFF_BOARD; writes into the state.

        Parameters
        ----------
        rows
            Numbers of the trials, each once.
        side, unit
            Whose units, and their slots.
        cells
            Where they stand from now on.
        """
        state, occupant = self.state, self.state["occupant"]
        occupant[rows, state["cell"][rows, side, unit] + 1] = 0
        state["cell"][rows, side, unit] = cells
        occupant[rows, cells + 1] = 1 + unit + self.battle.n_slots * np.asarray(side)
        occupant[rows, 0] = 0

    def open_rows(self, rows: IntArray) -> IntArray:
        """Return those of some trials in which nobody has won yet."""
        return np.asarray(rows[self.state["winner"][rows] == 0])

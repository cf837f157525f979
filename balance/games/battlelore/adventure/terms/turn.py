"""The turn of a side in many trials at once, into whose state everything writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice, Player, Watch, choose, places_of


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
        if self.watch is not None and len(rows):
            self.watch(what, side, rows, fields, self.state)

    def choose(
        self, name: str, side: int, rows: IntArray, row: IntArray, place: IntArray, **about: IntArray
    ) -> IntArray:
        """Have a side decide, and return the option taken in each trial, as its place among all options, `int64[m]`.

        Parameters
        ----------
        name
            What is decided, such as "card".
        side
            Who decides, 0 or 1.
        rows, row, place, **about
            The trials and the options, see `Choice`.
        """
        choice = Choice(name, side, rows, row, place, about)
        return choose(self.battle, self.state, choice, self.players[side], self.watch)

    def choose_cell(
        self, name: str, side: int, rows: IntArray, cells: IntArray, legal: BoolArray, **about: IntArray
    ) -> IntArray:
        """Have a side choose a cell in each trial, and return it, `int64[m]`.

        Parameters
        ----------
        name, side, rows
            What is decided, by whom, and in which trials.
        cells
            The cells there are, `int[m, w]`, or the same ones in all trials, `int[w]`.
        legal
            Which of them may be chosen, `bool[m, w]`, one at least in each trial.
        **about
            What else there is to say of each trial, `int[m]`.
        """
        row, way = places_of(legal)
        cell = (cells[way] if cells.ndim == 1 else cells[row, way]).astype(np.int64)
        place = self.battle.place_of(side, cell)
        about = {key: values[row] for key, values in about.items()}
        return np.asarray(cell[self.choose(name, side, rows, row, place, **about, cell=cell)])

    def choose_card(self, name: str, side: int, rows: IntArray, cards: IntArray | BoolArray) -> IntArray:
        """Have a side choose one of the kinds of cards that it has in each trial, `[m, T]`; return it, `int64[m]`."""
        row, kind = places_of(cards)
        return np.asarray(kind[self.choose(name, side, rows, row, kind, card=kind)])

    def agrees(self, name: str, side: int, rows: IntArray, **about: IntArray) -> BoolArray:
        """Ask a side yes or no, and return in which trials it says yes, `bool[m]`; `about` tells of each trial."""
        row, yes = np.divmod(np.arange(2 * len(rows)), 2)
        about = {key: values[row] for key, values in about.items()}
        return np.asarray(yes[self.choose(name, side, rows, row, yes, **about, yes=yes)] > 0)

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

"""The turn of a side in many trials at once, into whose state everything writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice, Player, Watch, choose


@dataclass(frozen=True, eq=False)
class Turn:
    """A side's turn in many trials; the columns of `state` are written into, and `watch` is called with each event.

    `side` is whose turn it is, 0 or 1; `players` decide for side a and side b.
    """

    battle: Battle
    side: int
    players: tuple[Player, Player]
    state: State
    watch: Watch | None = None

    def report(self, what: str, side: int, rows: IntArray, **fields: Any) -> None:
        """Call the watch, if there is one, with an event such as "move", the side that it happened to, and its data."""
        if self.watch is not None and len(rows):
            self.watch(what, side, rows, fields, self.state)

    def choose(
        self, name: str, side: int, rows: IntArray, row: IntArray, place: IntArray, **about: IntArray
    ) -> IntArray:
        """Have a side decide; return the option taken in each trial, as its index among all options, `int64[m]`.

        `name` is what is decided, such as "card"; for the other arguments see `Choice`.
        """
        choice = Choice(name, side, rows, row, place, about)
        return choose(self.battle, self.state, choice, self.players[side], self.watch)

    def choose_cell(
        self, name: str, side: int, rows: IntArray, cells: IntArray, legal: BoolArray, **about: IntArray
    ) -> IntArray:
        """Have a side choose one of the `legal` cells in each trial, and return it, `int64[m]`.

        `cells` is `int[m, w]`, or `int[w]` for all trials, and `legal` `bool[m, w]` with one set at least per trial;
        `about` describes each trial, `int[m]`.
        """
        row, way = places_of(legal)
        cell = (cells[way] if cells.ndim == 1 else cells[row, way]).astype(np.int64)
        place = self.battle.place_of(side, cell)
        about = {key: values[row] for key, values in about.items()}
        return np.asarray(cell[self.choose(name, side, rows, row, place, **about, cell=cell)])

    def choose_card(self, name: str, side: int, rows: IntArray, cards: IntArray | BoolArray) -> IntArray:
        """Have a side choose one of the kinds of cards that are not 0 in `cards`, `[m, T]`; return it, `int64[m]`."""
        row, kind = places_of(cards)
        return np.asarray(kind[self.choose(name, side, rows, row, kind, card=kind)])

    def agrees(self, name: str, side: int, rows: IntArray, **about: IntArray) -> BoolArray:
        """Have a side answer yes or no, and return in which trials it says yes, `bool[m]`."""
        row, yes = np.divmod(np.arange(2 * len(rows)), 2)
        about = {key: values[row] for key, values in about.items()}
        return np.asarray(yes[self.choose(name, side, rows, row, yes, **about, yes=yes)] > 0)

    def place(self, rows: IntArray, side: IntArray | int, unit: IntArray, cells: IntArray) -> None:
        """Put units on cells, or off the board at OFF_BOARD; writes into the state. Each trial occurs once."""
        state, occupant = self.state, self.state["occupant"]
        occupant[rows, state["cell"][rows, side, unit] + 1] = 0
        state["cell"][rows, side, unit] = cells
        occupant[rows, cells + 1] = 1 + unit + self.battle.n_slots * np.asarray(side)
        occupant[rows, 0] = 0

    def open_rows(self, rows: IntArray) -> IntArray:
        """Return those of some trials in which nobody has won yet."""
        return np.asarray(rows[self.state["winner"][rows] == 0])

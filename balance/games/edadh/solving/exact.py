"""Every state a small duel can come to, numbered, as a game in layers: turns left in the Period, then its end.

A state is what lies on the table (`POSITION_COLUMNS` of either side). It is found from the start by making every
choice; states that only differ in the order of alike columns are one. In a turn both choose a card, and a cell of that
matrix is what the open selection of troops after it is worth: the Attacker's best for the Defender's best answer (WE-
TROOP.1), or on a tie the value of the small game of both selecting at once (WE-TROOP.2). At the end of a Period the
rows and columns are what either side may make of WE-EOP.3 and WE-RETIRE.1. Then the next Period begins: the same layers
again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import RulesError
from balance.chance.rolls.process import State
from balance.chance.solvers.stages import Legal
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.solving.moves import WORTH, Moves, Rows, chunks, not_at_one_level, selection_values
from balance.games.edadh.solving.numbering import Layers

MOST_STATES = 250_000
"""States that may be found: a few minutes of solving."""
MOST_CELLS = 100_000_000
"""Cells (states times card pairs times plays) that may be kept: 4 bytes each."""


@dataclass
class TurnCells:
    """Some states of a turn: for each block the Attacker, the cards, and the states led to, `int32[s, c, p, q]`."""

    blocks: list[tuple[int, tuple[Rows, Rows], IntArray]]

    def __len__(self) -> int:
        return len(self.blocks[0][2])

    def payoffs(self, worth: FloatArray) -> FloatArray:
        """Return the value to side a of each pair of cards, `float64[s, 12, 12]`; `worth` is `float64[S + 3]`.

        It holds the values of all states, then those of a draw and of a win of side a and of side b.
        """
        payoffs = np.empty((len(self), N_CARDS, N_CARDS))
        for attacker, (a_cards, b_cards), leads in self.blocks:
            payoffs[:, a_cards - 1, b_cards - 1] = selection_values(attacker, worth[leads])
        return payoffs


@dataclass
class EndCells:
    """Some states at the end of a Period: the states led to, `int32[s, k, l]`, and which choices are legal."""

    leads: IntArray
    legal: tuple[BoolArray, BoolArray]

    def __len__(self) -> int:
        return len(self.leads)


@dataclass(frozen=True, eq=False)
class DuelStates:
    """A duel as a game over states in layers (`balance.chance.solvers.StagedGame`); the start is state 0.

    `columns`: for each layer the columns of its states, `[s]` each. `turn_cells`: for each layer but the last, its
    cells. `end_cells`: the cells of the last layer, the end of a Period. `number`: reachable states -> their numbers,
    `int[n]`; those that have ended come after all others.
    """

    columns: tuple[State, ...]
    turn_cells: tuple[tuple[TurnCells, ...], ...]
    end_cells: EndCells
    number: Callable[[State], IntArray]

    @property
    def layer_sizes(self) -> tuple[int, ...]:
        """Number of states in each layer, from the first turn of a Period to its end."""
        return tuple(len(state["over"]) for state in self.columns)

    def payoffs(self, layer: int, values: FloatArray) -> FloatArray:
        """Return the value to side a of each pair of choices, `float64[s, m, n]`; `values` are those of all states.

        Layer 0 is the first turn of a Period, and so on; the last is its end.
        """
        worth = np.concatenate([values, WORTH])
        if layer == len(self.turn_cells):
            return np.asarray(worth[self.end_cells.leads])
        return np.concatenate([cells.payoffs(worth) for cells in self.turn_cells[layer]])

    def legal(self, layer: int) -> Legal:
        """Return which endings either side has in the last layer, `bool[s, m]` and `bool[s, n]`; else None, for all."""
        return self.end_cells.legal if layer == len(self.turn_cells) else (None, None)

    @classmethod
    def of(cls, moves: Moves, most_states: int = MOST_STATES) -> DuelStates:
        """Find every state a duel can come to, by following every choice.

        More than `most_states` (the error says how many were found, and what would help), or Periods at several levels,
        raise `RulesError`.
        """
        tip = "§set=situation.level=melee, or the method approximate"
        if faults := list(not_at_one_level(moves.duel, "cannot be solved exactly", tip)):
            raise RulesError(faults)
        return _StateSearch(moves, most_states).run()


class _StateSearch:
    """States found so far. Leads are kept as number * 8 + turns left, and as -1 - ended where the duel has ended."""

    def __init__(self, moves: Moves, most_states: int) -> None:
        self.moves, self.most_states, self.n_cells = moves, most_states, 0
        start = moves.start()
        self.layers = Layers(start)
        self.turn_cells: dict[int, list[TurnCells]] = {turns: [] for turns in self.layers.sizes if turns}
        self.end_cells = [EndCells(np.zeros((0, 1, 1), np.int32), (np.ones((0, 1), bool), np.ones((0, 1), bool)))]
        self.lead_numbers(start)

    def lead_numbers(self, state: State) -> IntArray:
        """Return number * 8 + turns left of states, or -1 - end code where a duel has ended; number new states."""
        ends = end_codes(state)
        leads = self.layers.number(state, ends < 0) * 8 + state["turns"]
        return np.where(ends < 0, leads, -1 - ends).astype(np.int32)

    def run(self) -> DuelStates:
        """Follow every state until none is new; the frontier is `Layers.pending`."""
        for turns, state in self.layers.pending():
            for chunk in chunks(state):
                self.follow(turns, chunk)
        return self.finish()

    def follow(self, turns: int, state: State) -> None:
        """Make every choice in some states of a layer, given by its turns left, and keep the cells."""
        if not turns:
            self.end_cells.append(self.period_ends(state))
            self.count(self.end_cells[-1].leads.size)
            return
        turn_moves = self.moves.turns(state)
        numbers = self.lead_numbers(turn_moves.after)
        blocks = [(block.attacker, block.cards, numbers[block.place]) for block in turn_moves.blocks]
        self.turn_cells[turns].append(TurnCells(blocks))
        self.count(sum(leads.size for _, _, leads in blocks))

    def count(self, cells: int) -> None:
        """Raise `RulesError` once there are more states, or more cells of matrices, than are allowed."""
        self.n_cells += cells
        n_states = sum(self.layers.sizes.values())
        if n_states > self.most_states or self.n_cells > MOST_CELLS:
            raise RulesError(
                f"this duel is too large to solve exactly: {n_states:,} states ({self.n_cells:,} cells) were found, "
                f"and {self.layers.n_pending:,} of them still lead to others; {self.most_states:,} states are allowed",
                "fewer troops, lower MP (a.mp, b.mp), or the method approximate",
            )

    def period_ends(self, state: State) -> EndCells:
        """Return where every pair of endings leads, `int32[s, k, l]`, and which are legal."""
        ends = self.moves.ends(state)
        leads = np.zeros((len(state["over"]), ends.legal[0].shape[1], ends.legal[1].shape[1]), np.int32)
        leads[ends.cells] = self.lead_numbers(ends.after)
        return EndCells(leads, ends.legal)

    def finish(self) -> DuelStates:
        """Return the game, its states numbered consecutively through all layers, ended duels after them."""
        sizes = list(self.layers.sizes.values())
        first = np.zeros(8, np.int64)
        first[list(self.layers.sizes)] = np.cumsum([0, *sizes[:-1]])

        def final(leads: IntArray) -> IntArray:
            return np.where(leads < 0, sum(sizes) - 1 - leads, first[leads & 7] + (leads >> 3)).astype(np.int32)

        for cells in (cells for layer in self.turn_cells.values() for cells in layer):
            cells.blocks = [(attacker, cards, final(leads)) for attacker, cards, leads in cells.blocks]
        ends = _concatenate(self.end_cells)
        columns = tuple(map(self.layers.columns, self.layers.sizes))
        turn_cells = tuple(tuple(layer) for layer in self.turn_cells.values())
        return DuelStates(
            columns,
            turn_cells,
            EndCells(final(ends.leads), ends.legal),
            lambda state: final(self.lead_numbers(self.moves.tidy(state))),
        )


def _concatenate(parts: Sequence[EndCells]) -> EndCells:
    """Return the cells of all parts, each padded to the most choices of any."""
    k, l_ = (max(part.legal[side_index].shape[1] for part in parts) for side_index in (0, 1))
    leads = [np.pad(p.leads, ((0, 0), (0, k - p.leads.shape[1]), (0, l_ - p.leads.shape[2]))) for p in parts]
    legal = [
        np.concatenate(
            [np.pad(p.legal[side_index], ((0, 0), (0, width - p.legal[side_index].shape[1]))) for p in parts]
        )
        for side_index, width in ((0, k), (1, l_))
    ]
    return EndCells(np.concatenate(leads), (legal[0], legal[1]))


@dataclass(frozen=True, eq=False)
class KnownWorth:
    """The value function of a duel that was solved exactly; `values` is `float64[S]` by state number."""

    moves: Moves
    states: DuelStates
    values: FloatArray

    def __call__(self, state: State) -> FloatArray:
        """Return the values of n reachable states to side a, `float64[n]`."""
        return np.asarray(np.concatenate([self.values, WORTH])[self.states.number(state)])

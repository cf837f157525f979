"""Tables read off duels played as was found: which cards are played, and what a number of a card is worth.

Positions are those met in such duels. What +1 of a number is worth is told to first order: positions keep their worths,
and every choice met is solved again with the number raised. To first order neither side gains by changing its play
(Danskin's theorem on the derivative of a value), so the sum over a duel is what the duel's value changes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.numbers import SURE
from balance.chance.rolls.process import State, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.solvers.team import n_processes, shares
from balance.game.solution import Cell, SolutionTable
from balance.games.edadh.cards.records import Troop
from balance.games.edadh.duel.duel_state import Duel, end_codes
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.choices import EndChoices, TurnChoices, Worth
from balance.games.edadh.solving.look_ahead import LookAhead, distinct_states
from balance.games.edadh.solving.moves import Moves, Rows, parts
from balance.games.edadh.solving.solution_tables import OPENING, raised_by_one
from balance.games.edadh.solving.training import moves_of, trajectories

DUELS = 400
"""Duels in which positions are met."""
HARDLY = 0.005
"""Cards played less often than that are told as hardly ever played."""
MIN_GAIN, LARGE = 1e-4, 0.15
"""Gains that do not show, and those that are too large for a first order: worths and play would be others."""
LIST_COLUMNS = ("side", "troop", "numbers")
MOST_AT_ONCE = 400
"""Positions looked at together."""
NEARBY = 4
"""How much less damage positions may count as having that no duel comes to but for a changed number."""


@dataclass(frozen=True, eq=False)
class VisitedPositions:
    """Positions met in duels: their columns, with a turn left and at the end of a Period.

    `duels` say in which duel each of either was met, `int[n]`.
    """

    turns: State
    ends: State
    duels: tuple[Rows, Rows]
    n_duels: int

    def gains(self, worth: Worth, moves: Moves) -> FloatArray:
        """Return the values of the choices met, summed by duel, `float64[d]`, under the rules and cards of `moves`."""
        totals = np.zeros(self.n_duels)
        for kind, state, duel in ((TurnChoices, self.turns, self.duels[0]), (EndChoices, self.ends, self.duels[1])):
            once, back = distinct_states(moves, state)
            values = [
                kind(moves, take_trials(once, part)).solution(worth).values
                for part in parts(slice(0, len(once["over"])), MOST_AT_ONCE)
            ]
            totals += np.bincount(duel, np.concatenate(values)[back], minlength=self.n_duels)
        return totals


def visit_positions(moves: Moves, worth: Worth, seed: int) -> VisitedPositions:
    """Play `DUELS` duels of sides that look ahead by a value function, and return the positions met."""
    player = LookAhead(worth=worth)
    visits = list(trajectories(moves, (player, player), RandomRolls(seed, "solve met", 0, DUELS), fewer_mp=False))
    n_turns = int(moves.start()["turns"][0])
    turns, ends = (
        [
            (trajectory.state, trajectory.duel)
            for number, trajectory in enumerate(visits)
            if (number % (n_turns + 1) == n_turns) == last
        ]
        for last in (False, True)
    )
    (turn_state, turn_duel), (end_state, end_duel) = _concatenate(turns), _concatenate(ends)
    in_turn = np.flatnonzero(turn_state["turns"] > 0)  # a shorter Period sits its last turns out
    return VisitedPositions(take_trials(turn_state, in_turn), end_state, (turn_duel[in_turn], end_duel), DUELS)


def _concatenate(visits: list[tuple[State, Rows]]) -> tuple[State, Rows]:
    states = [state for state, _ in visits]
    state = {name: np.concatenate([part[name] for part in states]) for name in states[0]}
    return state, np.concatenate([duel for _, duel in visits])


def usage_table(moves: Moves, worth: Worth, visited: VisitedPositions) -> SolutionTable:
    """Return how often each side plays each mastery card, over all turns met: the mean of its mixes."""
    sums = np.zeros((2, N_CARDS))
    for part in parts(slice(0, len(visited.duels[0])), MOST_AT_ONCE):
        solution = TurnChoices(moves, take_trials(visited.turns, part)).solution(worth)
        sums += [solution.row_strategies.sum(axis=0), solution.column_strategies.sum(axis=0)]
    shares = sums / len(visited.duels[0])
    rare_text = "; ".join(
        f"side {side} hardly ever plays {', '.join(str(i + 1) for i in np.flatnonzero(side_shares < HARDLY)) or 'none'}"
        for side, side_shares in zip(SIDES, shares, strict=True)
    )
    title = (
        f"How often each mastery value is played, over all turns of {visited.n_duels:,} duels ({rare_text}: under "
        "0.5 %)."
    )
    rows = tuple((card, float(a_share), float(b_share)) for card, (a_share, b_share) in enumerate(shares.T.tolist(), 1))
    return SolutionTable("usage", title, OPENING, rows)


@dataclass(frozen=True, eq=False)
class NumberGain:
    """What +1 of a number of a troop is worth to its side, 0 for a and 1 for b, to first order.

    `by_duel` is the gain in each duel, `float64[d]`, in shares of a win.
    """

    side_index: int
    troop: Troop
    number: str
    by_duel: FloatArray

    @property
    def mean(self) -> float:
        """Mean gain over duels, in shares of a win."""
        return float(self.by_duel.mean())

    @property
    def half_width(self) -> float:
        """Half a 95 % interval of the mean, from the spread between duels."""
        return float(SURE * self.by_duel.std(ddof=1) / np.sqrt(len(self.by_duel)))


def number_gains(moves: Moves, worth: GridWorth, visited: VisitedPositions) -> list[NumberGain]:
    """Return the first-order gain of +1 of every number of every troop.

    Numbers that lead to positions which no duel comes to without them are left out.
    """
    near, before = NearWorth(worth), visited.gains(worth, moves)

    def gains(side_index: int, variant: Duel) -> FloatArray | None:
        try:
            return (visited.gains(near, moves_of(variant)) - before) * (1 if side_index == 0 else -1)
        except UnknownPositionError:
            return None

    variants = list(raised_by_one(moves.duel))
    all_gains = shares([partial(gains, side, variant) for side, _, _, variant in variants], n_processes())
    return [
        NumberGain(side_index, troop, stat, by_duel)
        for (side_index, troop, stat, _), by_duel in zip(variants, all_gains, strict=True)
        if by_duel is not None
    ]


def numbers_tables(gains: Sequence[NumberGain], n_duels: int) -> tuple[SolutionTable, ...]:
    """Return the gains with half their intervals, and lists of numbers that change nothing that shows, or too much.

    Gains of `LARGE` and more cannot be told to first order; tables without rows are left out.
    """
    rows, small, large = list[tuple[Cell, ...]](), _StatList(), _StatList()
    for gain in gains:
        side, mean, half = SIDES[gain.side_index], gain.mean, gain.half_width
        if abs(mean) + half < MIN_GAIN:
            small.add(side, gain.troop.name, gain.number)
        elif abs(mean) > LARGE:
            large.add(side, gain.troop.name, f"{gain.number} ({'more' if mean > 0 else 'less'})")
        else:
            rows.append((side, gain.troop.name, gain.number, mean, half))
    title = (
        "What one more of a number is worth to its side, to first order, and half a 95 % interval of it: positions "
        f"keep their worths, and each choice met in {n_duels:,} duels is solved anew. Left out are numbers that lead "
        "to other positions."
    )
    columns = ("side", "troop", "number", "gain", "half interval")
    small_title = "Numbers of which one more changes less than 0.01 pp."
    large_title = (
        f"Numbers of which one more changes over {100 * LARGE:.0f} pp, which is too much to be told to first order."
    )
    tables = (
        SolutionTable("numbers", title, columns, tuple(rows), ("gain", "half interval")),
        SolutionTable("large", large_title, LIST_COLUMNS, large.rows),
        SolutionTable("unmoved", small_title, LIST_COLUMNS, small.rows),
    )
    return tuple(table for table in tables if table.rows)


class _StatList:
    """Numbers of troops, collected into one row per side and troop."""

    def __init__(self) -> None:
        self._stats: dict[tuple[str, str], list[str]] = {}

    def add(self, side: str, troop: str, stat: str) -> None:
        self._stats.setdefault((side, troop), []).append(stat)

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """One row per side and troop: its numbers separated by commas, in the order in which they were added."""
        return tuple((*card, ", ".join(stats)) for card, stats in self._stats.items())


class UnknownPositionError(Exception):
    """A changed number leads to a position that no duel comes to without it."""


@dataclass(frozen=True, eq=False)
class NearWorth:
    """A value function that takes positions which no duel comes to for those with a little less damage.

    `worth` is that of the duel without the change; up to `most` damage is taken off a side.
    """

    worth: GridWorth
    most: int = NEARBY

    @property
    def moves(self) -> Moves:
        """The duel without the change."""
        return self.worth.moves

    def __call__(self, state: State) -> FloatArray:
        """Return the values of states to side a, `float64[n]`.

        Where a duel does not come to a state even with less damage, it raises `UnknownPositionError`.
        """
        configurations, near, is_on = self.worth.configurations, dict(state), end_codes(state) < 0
        rows = configurations.rows(near, is_on)
        for less_a, less_b in sorted(product(range(self.most + 1), repeat=2), key=sum)[1:]:
            if not (missing := is_on & (rows < 0)).any():
                break
            for side, reduction in zip(SIDES, (less_a, less_b), strict=True):
                damage = state[f"{side}_damage"]
                near[f"{side}_damage"] = np.where(missing, np.maximum(damage - reduction, 0), near[f"{side}_damage"])
            rows[missing] = configurations.rows(near, missing)[missing]
        if (rows < 0)[is_on].any():
            raise UnknownPositionError
        return self.worth.at(near, rows)

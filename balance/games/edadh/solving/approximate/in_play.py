"""What is read off duels that are played as was found: which cards are played, and what a number of a card is worth.

Positions are those met in such duels. What one more of a number is worth is told to first order: positions keep their
worths, and every choice met is solved again with the number raised. To first order neither side gains by changing its
play (Danskin's theorem on the derivative of a value), so the sum over a duel is what the duel's value changes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from balance.base.numbers import SURE
from balance.chance.rolls.process import State, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.solvers.games import Floats
from balance.chance.solvers.team import n_processes, shares
from balance.game.solution import Cell, SolutionTable
from balance.games.edadh.duel.duel_state import Duel, ended
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.choices import EndChoices, TurnChoices, Worth
from balance.games.edadh.solving.look_ahead import LookAhead, different
from balance.games.edadh.solving.moves import Moves, Rows, parts
from balance.games.edadh.solving.solution_tables import OPENING, raised_by_one
from balance.games.edadh.solving.training import moves_of, watched

__all__ = ["Met", "NearWorth", "met_in_play", "numbers_tables", "usage_table"]

DUELS = 400
"""Duels in which positions are met."""
HARDLY = 0.005
"""Cards played less often than that are told as hardly ever played."""
UNSEEN, LARGE = 1e-4, 0.15
"""Gains that do not show, and those that are too large for a first order: worths and play would be others."""
LISTED = ("side", "troop", "numbers")
MOST_AT_ONCE = 400
"""Positions looked at together."""
NEARBY = 4
"""How much less damage positions may count as having that no duel comes to but for a changed number."""


@dataclass(frozen=True, eq=False)
class Met:
    """Positions met in duels: with a turn left, and at the end of a Period; and in which duel each was.

    Attributes
    ----------
    turns, ends
        Their columns.
    duels
        Which duel, `int[n]` each.
    n_duels
        How many there were.
    """

    turns: State
    ends: State
    duels: tuple[Rows, Rows]
    n_duels: int

    def gains(self, worth: Worth, moves: Moves) -> Floats:
        """Return what the choices of each duel are worth by the rules and cards of `moves`, summed, `float64[d]`."""
        summed = np.zeros(self.n_duels)
        for kind, state, duel in ((TurnChoices, self.turns, self.duels[0]), (EndChoices, self.ends, self.duels[1])):
            once, back = different(moves, state)
            values = [
                kind(moves, take_trials(once, part)).solution(worth).values
                for part in parts(slice(0, len(once["over"])), MOST_AT_ONCE)
            ]
            summed += np.bincount(duel, np.concatenate(values)[back], minlength=self.n_duels)
        return summed


def met_in_play(moves: Moves, worth: Worth, seed: int) -> Met:
    """Play duels of sides that look ahead by a worth, and remember the positions."""
    player = LookAhead(worth=worth)
    met = list(watched(moves, (player, player), RandomRolls(seed, "solve met", 0, DUELS), fewer_mp=False))
    n_turns = int(moves.begun()["turns"][0])
    turns, ends = (
        [(each.state, each.duel) for number, each in enumerate(met) if (number % (n_turns + 1) == n_turns) == last]
        for last in (False, True)
    )
    (turn_state, turn_duel), (end_state, end_duel) = _joined(turns), _joined(ends)
    left = np.flatnonzero(turn_state["turns"] > 0)  # a shorter Period sits its last turns out
    return Met(take_trials(turn_state, left), end_state, (turn_duel[left], end_duel), DUELS)


def _joined(met: list[tuple[State, Rows]]) -> tuple[State, Rows]:
    states = [state for state, _ in met]
    state = {name: np.concatenate([each[name] for each in states]) for name in states[0]}
    return state, np.concatenate([duel for _, duel in met])


def usage_table(moves: Moves, worth: Worth, met: Met) -> SolutionTable:
    """Return how often each side plays each mastery card, over all turns met."""
    sums = np.zeros((2, N_CARDS))
    for part in parts(slice(0, len(met.duels[0])), MOST_AT_ONCE):
        found = TurnChoices(moves, take_trials(met.turns, part)).solution(worth)
        sums += [found.row_strategies.sum(axis=0), found.column_strategies.sum(axis=0)]
    shares = sums / len(met.duels[0])
    told = "; ".join(
        f"side {side} hardly ever plays {', '.join(str(i + 1) for i in np.flatnonzero(own < HARDLY)) or 'none'}"
        for side, own in zip(SIDES, shares, strict=True)
    )
    title = f"How often each mastery value is played, over all turns of {met.n_duels:,} duels ({told}: under 0.5 %)."
    rows = tuple((card, float(one), float(other)) for card, (one, other) in enumerate(shares.T.tolist(), 1))
    return SolutionTable("usage", title, OPENING, rows)


def numbers_tables(moves: Moves, worth: GridWorth, met: Met) -> tuple[SolutionTable, ...]:
    """Return what one more of every number of every troop is worth to its side, to first order, with half an interval.

    Beside it which numbers change nothing that shows, and which change more than can be told so. Numbers that lead to
    positions which no duel comes to are left out.
    """
    raised = list(raised_by_one(moves.duel))
    every = _gains(moves, worth, met, [(me, changed) for me, _, _, changed in raised])
    rows, unmoved, large = list[tuple[Cell, ...]](), _Listed(), _Listed()
    for (me, troop, stat, _), gains in zip(raised, every, strict=True):
        if gains is None:
            continue
        gain, half = float(gains.mean()), float(SURE * gains.std(ddof=1) / np.sqrt(met.n_duels))
        if abs(gain) + half < UNSEEN:
            unmoved.add(SIDES[me], troop.name, stat)
        elif abs(gain) > LARGE:
            large.add(SIDES[me], troop.name, f"{stat} ({'more' if gain > 0 else 'less'})")
        else:
            rows.append((SIDES[me], troop.name, stat, gain, half))
    title = (
        "What one more of a number is worth to its side, to first order, and half a 95 % interval of it: positions "
        f"keep their worths, and each choice met in {met.n_duels:,} duels is solved anew. Left out are numbers that "
        "lead to other positions."
    )
    columns = ("side", "troop", "number", "gain", "half interval")
    nothing = "Numbers of which one more changes less than 0.01 pp."
    much = f"Numbers of which one more changes over {100 * LARGE:.0f} pp, which is too much to be told to first order."
    told = (
        SolutionTable("numbers", title, columns, tuple(rows), ("gain", "half interval")),
        SolutionTable("large", much, LISTED, large.rows),
        SolutionTable("unmoved", nothing, LISTED, unmoved.rows),
    )
    return tuple(table for table in told if table.rows)


def _gains(moves: Moves, worth: GridWorth, met: Met, raised: Sequence[tuple[int, Duel]]) -> list[Floats | None]:
    """Return what one more of each number is worth to its side in each duel; None where it leads to other positions."""
    near, before = NearWorth(worth), met.gains(worth, moves)

    def gains(me: int, changed: Duel) -> Floats | None:
        try:
            return (met.gains(near, moves_of(changed)) - before) * (1 if me == 0 else -1)
        except UnknownPositionError:
            return None

    return shares([partial(gains, me, changed) for me, changed in raised], n_processes())


class _Listed:
    """Numbers of troops, listed by side and troop."""

    def __init__(self) -> None:
        self._stats: dict[tuple[str, str], list[str]] = {}

    def add(self, side: str, troop: str, stat: str) -> None:
        """List a number."""
        self._stats.setdefault((side, troop), []).append(stat)

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """A row for each troop of a side."""
        return tuple((*card, ", ".join(stats)) for card, stats in self._stats.items())


class UnknownPositionError(Exception):
    """A changed number leads to a position that no duel comes to without it."""


@dataclass(frozen=True, eq=False)
class NearWorth:
    """Worths of positions that a changed number leads to: those with a little less damage where no duel comes there."""

    worth: GridWorth

    @property
    def moves(self) -> Moves:
        """The duel, unchanged."""
        return self.worth.moves

    def __call__(self, state: State) -> Floats:
        """Return what states are worth, `float64[n]`.

        Raises
        ------
        UnknownPositionError
            Not even with less damage does a duel come there.
        """
        listed, near, going = self.worth.listed, dict(state), ended(state) < 0
        rows = listed.rows(near, going)
        for less_a, less_b in sorted(product(range(NEARBY + 1), repeat=2), key=sum)[1:]:
            if not (missing := going & (rows < 0)).any():
                break
            for side, less in zip(SIDES, (less_a, less_b), strict=True):
                damage = state[f"{side}_damage"]
                near[f"{side}_damage"] = np.where(missing, np.maximum(damage - less, 0), near[f"{side}_damage"])
            rows[missing] = listed.rows(near, missing)[missing]
        if (rows < 0)[going].any():
            raise UnknownPositionError
        return self.worth.at(near, rows)

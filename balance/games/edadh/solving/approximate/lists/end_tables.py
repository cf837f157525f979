"""The ends of Periods of a group of configurations as tables: where every pair of outcomes leads, at any MP.

What a side may make of the end of a Period depends on its own cards and mastery points (MP) alone, so its endings are
listed by these; where a pair of them leads is listed by configuration. A side that has lost by its MP is in the place
DEAD on its axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.duel.period import settle
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import DEAD, LOW, WIDTH, Worths
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.moves import NO_DICE, Endings, Moves, Rows, at_mp

PART = 500
"""Configurations of a table."""
SURVIVES = 1
"""With fewer MP a side has lost at the end of a Period (WE-WIN.1)."""


@dataclass(frozen=True, eq=False)
class SideEndings:
    """What a side may make of the end of a Period (WE-EOP.3, WE-RETIRE.1), by its cards and by its MP.

    `kind`: what each configuration without a turn left is to the side: its cards, damage, pile and whether it is
    Shaken. `first` and `count`: by kind * (cap + 1) + MP: its endings. `outcome` and `place`: of each ending: which of
    the kind's outcomes it is, and the MP it leaves as a place on an axis. `columns`: what an outcome leaves of cards,
    damage and pile, `[kinds, p]` each; the first again where a kind has fewer.
    """

    kind: Rows
    first: Rows
    count: Rows
    outcome: Rows
    place: Rows
    columns: State

    @classmethod
    def of(cls, moves: Moves, side_index: int, state: State) -> SideEndings:
        """List the endings of side 0 or 1, at every MP, in configurations without a turn left."""
        side, n_mp = SIDES[side_index], moves.duel.arena.read.mp_cap + 1
        features = np.stack([state[f"{side}_{name}"] for name in ("unit", "damage", "pile", "shaken")])
        kinds, first, kind = np.unique(features, axis=1, return_index=True, return_inverse=True)
        n = kinds.shape[1]
        situations = take_trials(state, np.repeat(first, n_mp))
        situations[f"{side}_mp"] = np.tile(np.arange(n_mp), n).astype(np.int16)
        endings = moves.endings(side_index, situations)
        outcome, columns = _outcomes(endings, side, n, n_mp)
        count, mp = np.bincount(endings.row, minlength=n * n_mp), endings.columns[f"{side}_mp"].astype(np.intp)
        place = np.where(mp < SURVIVES, DEAD, mp - LOW)
        return cls(kind.ravel(), np.cumsum(count) - count, count, outcome, place, columns)


def _outcomes(endings: Endings, side: str, n: int, n_mp: int) -> tuple[Rows, State]:
    """Return which outcome of its kind each ending is, whatever its MP, and the columns that those of n kinds leave."""
    names = [f"{side}_{name}" for name in ("unit", "damage", "pile")]
    table = np.stack([endings.row // n_mp, *(endings.columns[name] for name in names)])
    (kind, *columns), outcome = np.unique(table.astype(np.int64), axis=1, return_inverse=True)
    counts = np.bincount(kind, minlength=n)
    first, numbers = np.cumsum(counts) - counts, np.arange(counts.max())
    index = first[:, None] + np.where(numbers < counts[:, None], numbers, 0)
    outcome = outcome.ravel()
    outcomes = {name: column.astype(np.int16)[index] for name, column in zip(names, columns, strict=True)}
    return outcome - first[kind[outcome]], outcomes


@dataclass(frozen=True, eq=False)
class EndTable:
    """The end of a Period for s configurations of a group: where every pair of outcomes leads.

    `rows`: which configurations, among those of the group without a turn left. `kinds`: their `SideEndings.kind` for
    side a and for side b, `[s]`. `leads`: the starts of the next Period they lead to, as numbers of `Starts`, `int[s,
    p, q]`.
    """

    rows: slice
    kinds: tuple[Rows, Rows]
    leads: IntArray

    def subset(self, index: Rows) -> EndTable:
        """Return the table of the configurations at some indices, whose `rows` count from 0."""
        return EndTable(slice(0, len(index)), (self.kinds[0][index], self.kinds[1][index]), self.leads[index])

    def at(self, mp: tuple[IntArray, IntArray], endings: tuple[SideEndings, SideEndings], n_mp: int) -> EndGames:
        """Return its games at MP of side a and of side b, `[s, k, l]` each, 1 along an axis on which they do not vary.

        MP must not be below 0; `n_mp` is their cap and one more.
        """
        at = [kind[:, None, None] * n_mp + item for kind, item in zip(self.kinds, mp, strict=True)]
        a_counts, b_counts = (item.count[place] for item, place in zip(endings, at, strict=True))
        shape, games = a_counts * 1000 + b_counts, list[tuple[Rows, Rows]]()
        full_index = [np.broadcast_to(place, shape.shape) for place in at]
        for number in np.unique(shape).tolist():
            index = np.nonzero(shape == number)
            ending_numbers = [
                item.first[place[index]] + np.arange(size)[:, None]
                for item, place, size in zip(endings, full_index, divmod(number, 1000), strict=True)
            ]
            outcome = [item.outcome[numbers] for item, numbers in zip(endings, ending_numbers, strict=True)]
            places = [item.place[numbers] for item, numbers in zip(endings, ending_numbers, strict=True)]
            leads = self.leads[index[0], outcome[0][:, None], outcome[1]].astype(np.intp)
            cells = leads * WIDTH**2 + places[0][:, None] * WIDTH + places[1]
            games.append((np.ravel_multi_index(index, shape.shape), cells))
        return EndGames(tuple(games))


@dataclass(frozen=True, eq=False)
class EndGames:
    """The games at the end of a Period at some MP, those of one shape together.

    For each shape `games` has where their values stand in flat `[s, k, l]`, and the index of every outcome in flat
    worths, `int[p, q, g]`.
    """

    games: tuple[tuple[Rows, Rows], ...]

    def payoffs(self, spread: Worths) -> Iterator[tuple[Rows, Worths]]:
        """Yield games of one shape at a time: where their values stand, and payoffs `float32[p, q, g]`.

        `spread` has the worths of starts of a Period at every MP, `float32[n, WIDTH, WIDTH]`.
        """
        flat = spread.reshape(-1)
        for index, cells in self.games:
            yield index, flat.take(cells)


@dataclass(frozen=True, eq=False)
class Starts:
    """The configurations that Periods start with, numbered, and the ends of Periods that lead to them.

    `place`: for 1, 2 ... turns left (0: none): the number of each configuration, -1 for one that no Period starts with.
    `n`: how many there are; then come three absorbing ones, for duels lost other than by MP: by side a, side b, both.
    `endings`: of side a and of side b. `tables`: for each group and grade the ends of its Periods.
    """

    place: tuple[Rows, ...]
    n: int
    endings: tuple[SideEndings, SideEndings]
    tables: tuple[tuple[tuple[EndTable, ...], ...], ...]

    @classmethod
    def of(cls, configurations: Configurations) -> Starts:
        """Follow every end of a Period, and number the configurations that the next one starts with."""
        a_endings, b_endings = (
            SideEndings.of(configurations.moves, side_index, configurations.columns[0]) for side_index in (0, 1)
        )
        leads_by_part = [
            _end_part(configurations, (a_endings, b_endings), part)
            for group in configurations.groups
            for grade in range(len(group.grades[0]))
            for part in group.parts(0, grade, PART)
        ]
        codes = [np.unique(code[code >= 0]) for _, code in leads_by_part]
        start = configurations.moves.start()
        first = configurations.rows(start, np.ones(1, bool)) * 8 + start["turns"]
        start_codes = np.unique(np.concatenate([*codes, first]))
        place = [np.full(len(columns["over"]), -1, np.intp) for columns in configurations.columns]
        for turns, numbers in enumerate(place):
            index = np.flatnonzero(start_codes & 7 == turns)
            numbers[start_codes[index] >> 3] = index
        tables = iter(
            EndTable(part, (a_endings.kind[part], b_endings.kind[part]), _start_numbers(code, start_codes))
            for part, code in leads_by_part
        )
        return cls(
            tuple(place),
            len(start_codes),
            (a_endings, b_endings),
            tuple(
                tuple(tuple(next(tables) for _ in group.parts(0, grade, PART)) for grade in range(len(group.grades[0])))
                for group in configurations.groups
            ),
        )

    def spread(self) -> Worths:
        """Return initial worths, `float32[n + 3, WIDTH, WIDTH]`: 1/2, the value of a draw, where the duel goes on.

        Where a side has lost they are exact.
        """
        spread = np.full((self.n + 3, WIDTH, WIDTH), 0.5, np.float32)
        spread[:, DEAD, :DEAD], spread[:, :DEAD, DEAD] = 0.0, 1.0
        a_lost, b_lost, both_lost = spread[self.n :]
        a_lost[:, :DEAD], a_lost[:, DEAD] = 0.0, 0.5
        b_lost[:DEAD], b_lost[DEAD] = 1.0, 0.5
        both_lost[:] = 0.5
        return spread


def _end_part(
    configurations: Configurations, endings: tuple[SideEndings, SideEndings], part: slice
) -> tuple[slice, npt.NDArray[np.int64]]:
    """Return where each pair of outcomes leads, `int64[s, p, q]`: row * 8 + turns left, or -1 - end code."""
    moves, states = configurations.moves, take_trials(configurations.columns[0], part)
    columns = [
        {name: item[side_endings.kind[part]] for name, item in side_endings.columns.items()} for side_endings in endings
    ]
    p, q = (item[f"{side}_unit"].shape[1] for side, item in zip(SIDES, columns, strict=True))
    row, a_outcome, b_outcome = (item.ravel() for item in np.indices((len(states["over"]), p, q)))
    after = take_trials(states, row)
    for item, outcome in zip(columns, (a_outcome, b_outcome), strict=True):
        after |= {name: values[row, outcome] for name, values in item.items()}
    after_period = moves.tidy(settle(moves.duel, at_mp(after, moves.duel.arena.read.mp_cap), NO_DICE))
    ends = end_codes(after_period)
    codes = np.where(ends < 0, configurations.rows(after_period, ends < 0) * 8 + after_period["turns"], -1 - ends)
    return part, codes.astype(np.int64).reshape(-1, p, q)


def _start_numbers(codes: npt.NDArray[np.int64], start_codes: npt.NDArray[np.int64]) -> IntArray:
    """Return numbers of starts from codes of `_end_part`; of ended duels n if a has lost, n + 1 if b, n + 2 if both."""
    end_numbers = len(start_codes) + np.array([2, 1, 0])
    return np.where(codes >= 0, np.searchsorted(start_codes, codes), end_numbers[np.clip(-1 - codes, 0, 2)]).astype(
        np.int32
    )

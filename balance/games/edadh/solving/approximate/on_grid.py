"""Value iteration over the Periods of one group of configurations, on grids.

From their ends to their starts every configuration has its games solved, or answered, at the nodes of its grid; what
starts of Periods are worth is written down, and next time the ends lead to that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.solving.approximate.decisions import Mixes
from balance.games.edadh.solving.approximate.grid import WIDTH, Grid, Worths
from balance.games.edadh.solving.approximate.lists.card_tables import CardGames, CardTable
from balance.games.edadh.solving.approximate.lists.configurations import Configurations, Group
from balance.games.edadh.solving.approximate.lists.end_tables import EndGames, EndTable, Starts
from balance.games.edadh.solving.approximate.nodes import within
from balance.games.edadh.solving.approximate.periods import GradeWorths, Grids, Period, by_grade, n_positions, pieces
from balance.games.edadh.solving.moves import Rows, parts

Decide = Callable[[object, Worths], Worths]
"""(which games, payoffs `[m, n, g]`) -> what they are worth, `[g]`."""
SPREAD = 64
"""Configurations whose worths are spread over all MP together."""
DECIDED_FACTOR = 4
"""So many times more often a Period is called a draw where the duel is all but decided: to win now or later differs
by less than worths err, and play would wait. Elsewhere to count on draws that never come costs more.
"""
RESTS = 20
"""Times that what a draw has taken is worked out: each leaves a hundredth of the error."""
STRIDE = 4
"""How far starts of Periods go every third time, in steps from what they were to what was found, if they settle slowly.

Of what changes by a share s each time, s^2 (4s - 3) is left after three: what settles slowly does so twice as fast, and
nothing gets away from what it settles at. (Over-relaxation: Reetz, "Solution of a Markovian decision problem by
successive overrelaxation", 1973.)
"""


class OnGrid:
    """The Periods of a group on the grids of its grades; the last grid is also that of all grades beyond.

    `node_values` are the worths at nodes with 0, 1 ... turns left, as far as `worths_above` has computed them.
    """

    def __init__(self, period: Period, grids: Grids) -> None:
        self.period, self.grids = period, by_grade(grids, len(period.group.grades[0]))
        self.node_values = list[GradeWorths]()
        self._games, self._end_games = dict[tuple[int, int, int], CardGames](), dict[tuple[int, int], EndGames]()
        self._below = [period.team.empty((n, WIDTH, WIDTH)) for n in period.sizes[:-1]]

    @property
    def size(self) -> int:
        """Number of positions solved in a full sweep, those at the end of a Period included."""
        return n_positions(self.period.group, self.grids)

    def spread(self, turns: int, values: GradeWorths, *, again: bool = False) -> Worths:
        """Return worths at every MP of the configurations with so many turns left, `float32[n, WIDTH, WIDTH]`.

        The array is written to again by the next call; if `again`, only recurrent configurations are.
        """
        room, first = self._below[turns], self.period.group.rows[turns].start

        def spread_part(part: tuple[Grid, Worths, slice, slice]) -> None:
            grid, worths, rows, index = part
            damage = self.period.configurations.damage(turns, rows)
            grid.spread(turns, worths[index], damage, room[rows.start - first : rows.stop - first])

        tasks = [
            (grid, worths, rows, slice(rows.start - grade.start, rows.stop - grade.start))
            for (grid, worths, grade), grade_rows in zip(
                pieces(self.period.group, self.grids, turns, values), self._rows(turns, again=again), strict=True
            )
            for rows in parts(grade_rows, SPREAD)
        ]
        self.period.team.run(spread_part, self.period.team.share_of(tasks))
        return room

    def sweep(
        self,
        spread: Worths,
        decide: Decide,
        draw_chance: float = 0.0,
        below: list[Worths] | None = None,
        stride: float = 1.0,
        before: Sequence[GradeWorths] = (),
    ) -> tuple[list[GradeWorths], float]:
        """Go through the Periods once, from their ends to their starts; return the worths and how far starts were off.

        Worths are by turns left and by grade, `float32[n, k, l]` at nodes; the second is the root mean square change of
        starts. `spread` has the worths of starts at every MP: those of this group move `stride` times the change,
        unless `below` fixes, for 0 (none), 1 ... turns left, what turns lead to. `before` are the worths of the last
        sweep: only recurrent configurations are solved anew. `draw_chance` is the chance of a draw at the start of a
        Period.
        """
        values = [*before, *(self._room(turns) for turns in range(len(before), len(self.period.turns)))]
        change, again = 0.0, [turns < len(before) for turns in range(len(values))]
        self._ends(spread, decide, values[0], again=again[0])
        for turns in range(1, len(values)):
            led_to = (
                self.spread(turns - 1, values[turns - 1], again=again[turns - 1]) if below is None else below[turns]
            )
            self._turns(turns, led_to, decide, values[turns], again=again[turns])
            if below is None:
                change = max(change, self._begin(turns, values[turns], spread, draw_chance, stride))
        return values, change

    def settle(
        self,
        spread: Worths,
        decide: Decide,
        change: float,
        max_steps: int,
        draw_chance: float = 0.0,
        before: Sequence[GradeWorths] = (),
    ) -> tuple[list[GradeWorths], list[float]]:
        """Sweep until starts change by no more than `change`, or `max_steps` steps; return worths and changes by sweep.

        Arguments are those of `sweep`; every third time, if starts settle slowly, they go several steps at once.
        """
        changes, n_steps, stride, values = list[float](), 0, 1, list(before)
        while n_steps < max_steps and (stride > 1 or not changes or changes[-1] > change):
            slow = len(changes) % 3 == 2 and changes[-1] > changes[-2] / 2
            stride = min(STRIDE if slow else 1, max_steps - n_steps)
            values, last = self.sweep(spread, decide, draw_chance, stride=stride, before=values)
            changes.append(last)
            n_steps += stride
        return values, changes

    @property
    def own_starts(self) -> Rows:
        """Numbers, among all starts of Periods, of those in this group."""
        period = self.period
        return np.concatenate(
            [start_places(period.starts, period.group, turns)[0] for turns in range(1, len(period.turns))]
        )

    def worths_above(self, turns: int, below: Worths, decide: Decide) -> Worths:
        """Solve the configurations with so many turns left, and return their worths at every MP.

        `below` has those of their successors, `float32[n, WIDTH, WIDTH]`; `decide` solves games, or answers a side's
        mixes.
        """
        self.node_values[turns:] = [self._room(turns)]
        if turns:
            self._turns(turns, below, decide, self.node_values[turns])
        else:
            self._ends(below, decide, self.node_values[turns])
        return self.spread(turns, self.node_values[turns])

    def worths_below(self, values: Sequence[GradeWorths], spread: Worths) -> list[Worths]:
        """Return the worths at every MP that configurations with 0, 1 ... turns left lead to; first those of starts."""
        return [spread, *(self.spread(turns, values[turns]) for turns in range(len(values) - 1))]

    def mixes_from(self, source: OnGrid, mixes: Mixes) -> dict[object, tuple[Worths, Worths]]:
        """Return mixes for all turns copied from the nearest places of the same Periods on other grids.

        They start `Equilibria` off warm.
        """
        new_mixes = dict[object, tuple[Worths, Worths]]()
        for turns in range(1, len(self.period.turns)):
            near = [
                source_grid.nearest(turns, grid) for source_grid, grid in zip(source.grids, self.grids, strict=True)
            ]
            for grade, number in self._table_keys(turns, again=False):
                n = len(self.period.turns[turns][grade][number].damage[0])
                a_mix, b_mix = (mix.reshape(N_CARDS, -1, n)[:, near[grade]] for mix in mixes[turns, grade, number])
                new_mixes[turns, grade, number] = a_mix.reshape(N_CARDS, -1), b_mix.reshape(N_CARDS, -1)
        return new_mixes

    def _room(self, turns: int) -> GradeWorths:
        """Return an empty array `[n, k, l]` for the worths of each grade, shared by all processes."""
        return tuple(
            self.period.team.empty((rows.stop - rows.start, *grid.shape(turns)))
            for rows, grid in zip(self.period.group.grades[turns], self.grids, strict=True)
        )

    def _rows(self, turns: int, *, again: bool) -> tuple[slice, ...]:
        """Return the configurations of each grade, or if `again` only the recurrent ones."""
        return (self.period.group.recurrent if again else self.period.group.grades)[turns]

    def _table_keys(self, turns: int, *, again: bool) -> list[tuple[int, int]]:
        """Return (grade, number) of this process's tables; if `again`, of those with recurrent configurations."""
        tables: Sequence[Mapping[int, CardTable | EndTable]] = self.period.turns[turns] if turns else self.period.ends
        keys = list[tuple[int, int]]()
        for grade, (grade_tables, grade_rows, rows) in enumerate(
            zip(tables, self.period.group.grades[turns], self._rows(turns, again=again), strict=True)
        ):
            first = 0 if turns else grade_rows.start  # ends stand among those of all grades
            n = rows.stop - rows.start
            keys += [(grade, number) for number, table in grade_tables.items() if table.rows.start - first < n]
        return keys

    def _ends(self, spread: Worths, decide: Decide, values: GradeWorths, *, again: bool = False) -> None:
        period = self.period

        def end(key: tuple[int, int]) -> None:
            grade, number = key
            table, first = period.ends[grade][number], period.group.grades[0][grade].start
            worths = values[grade][table.rows.start - first : table.rows.stop - first].reshape(-1)
            if (games := self._end_games.get(key)) is None:
                mp = self.grids[grade].mp(0, period.configurations.damage(0, table.rows))
                games = self._end_games[key] = table.at(mp, period.starts.endings, period.n_mp)
            for index, payoffs in games.payoffs(spread):
                worths[index] = decide((0, grade, number, payoffs.shape), payoffs)

        period.team.run(end, self._table_keys(0, again=again))

    def _turns(self, turns: int, below: Worths, decide: Decide, values: GradeWorths, *, again: bool = False) -> None:
        tables = self.period.turns[turns]

        def turn(grade_and_number: tuple[int, int]) -> None:
            grade, number = grade_and_number
            table, key = tables[grade][number], (turns, grade, number)
            games = self._games.get(key) or table.at(self.grids[grade].mp(turns, table.damage))
            self._games[key] = games
            values[grade][table.rows] = by_configuration(decide(key, games.payoffs(below)), games)

        self.period.team.run(turn, self._table_keys(turns, again=again))

    def _begin(self, turns: int, values: GradeWorths, spread: Worths, draw_chance: float, stride: float) -> float:
        """Damp the worths of the group's starts with so many turns, and write them to `spread`.

        Return the root mean square of their changes.
        """
        team, (place, rows) = self.period.team, start_places(self.period.starts, self.period.group, turns)
        if not len(rows):
            return 0.0

        def damp(piece: tuple[Grid, Worths, slice]) -> None:
            _, worths, grade = piece
            index = rows[within(rows, grade)] - grade.start
            worths[index] = damped(worths[index], draw_chance)

        def begin(number: int) -> None:
            part = row_parts[number]
            new = spread_at(self.period.configurations, self.period.group, self.grids, turns, values, rows[part])
            step = new - spread[place[part]]
            spread[place[part]] = np.clip(new + np.float32(stride - 1) * step, 0, 1)
            squares[number] = (step**2).sum()

        row_parts = parts(slice(0, len(rows)), SPREAD)
        squares = team.empty((len(row_parts),), np.float64)
        team.run(damp, team.share_of(list(pieces(self.period.group, self.grids, turns, values))))
        team.run(begin, team.share_of(range(len(row_parts))))
        return math.sqrt(sum(squares.tolist()) / (len(rows) * WIDTH**2))


def damped(worths: Worths, draw_chance: float) -> Worths:
    """Return worths, 0 to 1, drawn towards 1/2 by the chance of a draw at the start of a Period.

    That chance is up to 1 + `DECIDED_FACTOR` times as large where the duel is all but decided.

    >>> [round(float(each), 4) for each in damped(np.array([0.5, 0.7, 1.0], np.float32), 0.001)]
    [0.5, 0.6998, 0.9975]
    """
    share = np.float32(draw_chance) * (1 + DECIDED_FACTOR * (2 * worths - 1) ** 8)
    return np.asarray(worths + share * (np.float32(0.5) - worths), np.float32)


def undamped(worth: float, draw_chance: float) -> float:
    """Return the worth, 0 to 1, that `damped` turned into this one, by fixed-point iteration.

    >>> round(undamped(0.9975, 0.001), 6), round(undamped(float(damped(np.array([0.9]), 0.001)[0]), 0.001), 5)
    (1.0, 0.9)
    """
    before = worth
    for _ in range(RESTS):
        before = worth + draw_chance * (1 + DECIDED_FACTOR * (2 * before - 1) ** 8) * (before - 0.5)
    return before


def spread_at(
    configurations: Configurations, group: Group, grids: Grids, turns: int, values: GradeWorths, rows: Rows
) -> Worths:
    """Return the worths of some rows of a group at every MP, `float32[n, WIDTH, WIDTH]`, interpolated from nodes."""
    spread = np.empty((len(rows), WIDTH, WIDTH), np.float32)
    for grid, worths, grade in pieces(group, grids, turns, values):
        index = within(rows, grade)
        if len(index):
            damage = configurations.damage(turns, rows[index])
            spread[index] = grid.spread(turns, worths[rows[index] - grade.start], damage)
    return spread


def by_configuration(worths: Worths, games: CardGames) -> Worths:
    """Return values of a turn's games, `float32[k * l * s]`, with configurations first, `float32[s, k, l]`."""
    return np.moveaxis(worths.reshape(games.shape), -1, 0)


def start_places(starts: Starts, group: Group, turns: int) -> tuple[Rows, Rows]:
    """Return the numbers of a group's starts of Periods with so many turns left, and their rows."""
    place = starts.place[turns][group.rows[turns]]
    index = np.flatnonzero(place >= 0)
    return place[index], group.rows[turns].start + index

"""Value iteration by cards left: what every configuration of a duel is worth on a grid of mastery points.

Groups of configurations are solved from the fewest cards to the most. Cards only leave, so what a group leads to has
been solved before it, but for Periods in which no card leaves: these lead to the group itself, so it is swept until its
worths stay. Each group stands on the nodes that err least where duels go (`nodes`): many where they come often, few for
the many configurations that are hardly ever met. At first the duels are those of the players there are, then those of
what was found and its answers; so all is done in rounds, the last of them on more nodes.

In the last two rounds a best response to either side's mixes is computed as a decision process: what they hold the
value to, and concede. (In those before, who answers looks one choice ahead.) Half of its nodes are the play's own, half
lie between them: on the former next to nothing can be won, and on the latter play does worst, and would look as bad
everywhere. What play is really worth only duels tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from balance.chance.solvers.team import Team, n_processes, shared, together
from balance.games.edadh.solving.approximate.chosen_grids import Detail, beside, every_grid, on_finer_grids
from balance.games.edadh.solving.approximate.decisions import Answer, Equilibria, Mixes
from balance.games.edadh.solving.approximate.grid import DEAD, Grid, Worths
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.on_grid import Decide, OnGrid, undamped
from balance.games.edadh.solving.approximate.periods import GradeWorths, Grids, Period, n_positions
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.look_ahead import LookAhead

Say = Callable[[str], None]
START_MARGIN = 0.05
"""So much less than play is worth to whoever answers it an answer begins with, where that is more than a draw."""
STRAYS = 0.1
"""How often a side plays any card, where duels are played to see where they go."""


@dataclass(frozen=True)
class Precision:
    """How precisely worths are found; pairs are for the rounds before the last, and for the last.

    * `price`: what a position costs when nodes are chosen, in squared errors of worths times visits: the less, the more
      nodes.
    * `point_price`: what a position costs where no duel came, and points predict the others, in squared errors.
    * `fine`: there, nodes of either side of the grid on which points predict.
    * `n_samples`: configurations solved at all of these nodes, from which the prediction is learnt.
    * `change`: a group has converged once its worths at the start of a Period change by less.
    * `max_steps`: steps that its starts go at most; where they settle slowly, several in one sweep.
    * `gap`: mixes of the last sweep are kept while their duality gap is no larger.
    * `draw_chance`: the chance that a duel is called a draw when a Period starts, more where it is decided
      (`on_grid.damped`). Whoever is ahead could else put off winning for ever: with endless Periods it would be worth
      as much, and play would not tell the two apart.
    * `rounds`: rounds but the last: after each, duels are played by what was found and its answers, and nodes chosen
      anew.
    * `max_full_positions`: with so many positions at most a duel has a node at every number of MP.
    * `grid`: the nodes of all groups, if they are not to be chosen.
    """

    price: tuple[float, float] = (2e-8, 1.5e-10)
    point_price: tuple[float, float] = (2e-8, 6e-10)
    fine: tuple[int, int] = (13, 20)
    n_samples: tuple[int, int] = (160, 320)
    change: tuple[float, float] = (0.004, 0.0001)
    max_steps: tuple[int, int] = (12, 60)
    gap: tuple[float, float] = (0.004, 0.0005)
    draw_chance: float = 0.001
    rounds: int = 2
    max_full_positions: int = 3_000_000
    grid: Grid | None = None

    def detail(self, step: int) -> Detail:
        """Return how closely worths are looked at when nodes are chosen, by step: 0 before the last round, 1 in it."""
        return Detail(self.price[step], self.point_price[step], self.fine[step], self.n_samples[step])

    def sweep_limits(self, step: int) -> tuple[float, int, float]:
        """Return the change below which a group has converged, the most steps, and the chance of a draw, by step."""
        return self.change[step], self.max_steps[step], self.draw_chance

    def answer_limits(self, step: int) -> tuple[float, int, float]:
        """Return the limits for best responses: half the change, twice the steps.

        They begin with draws, and where a side holds out they come slowly away from these.
        """
        change, max_steps, draw_chance = self.sweep_limits(step)
        return change / 2, 2 * max_steps, draw_chance


LARGE = 400
"""So many configurations of a group are more work than it is to copy a process."""
EXACT = Precision(change=(1e-4, 1e-4), max_steps=(12, 60), gap=(1e-5, 1e-5), draw_chance=0.00004)
"""How duels are solved that have a node at every number of MP."""


@dataclass(frozen=True, eq=False)
class Play:
    """A value function on grids to play by, and those of best responses, on grids of their own where nodes were chosen.

    `worth`: values when both sides play the equilibrium. `answers`: values where side a plays by `worth` against a best
    response, and where side b does. `sweeps`: sweeps of all groups together. `draw_chance`: the chance of a draw at the
    start of a Period in the best responses, which `bounds` takes out again.
    """

    worth: GridWorth
    answers: tuple[GridWorth, GridWorth]
    sweeps: int
    draw_chance: float

    @property
    def bounds(self) -> tuple[float, float]:
        """What side a's play holds at the start, and what side b's concedes, as far as best responses on the grids see.

        The chance of a draw at the first Period's start is taken out (`undamped`).
        """
        start = self.worth.moves.start()
        a_bound, b_bound = (undamped(float(answer(start)[0]), self.draw_chance) for answer in self.answers)
        return a_bound, b_bound


def iterate(configurations: Configurations, reach: Reach, precision: Precision, say: Say = lambda text: None) -> Play:
    """Return equilibrium values of every configuration, and those of best responses to either side's play."""
    lists = TurnLists.of(configurations)
    if fixed_grids := _fixed_grids(configurations, reach, precision):
        solver = _Solver(lists, EXACT if precision.grid is None else precision, say)
        return solver.solve_with_answers(
            lambda period, *_: OnGrid(period, fixed_grids[period.number]), lambda grids: grids
        )
    visited, worth = reach, None
    for number in range(precision.rounds):
        solver, place_nodes = _round(lists, visited, precision, 0, say, worth)
        is_last = number == precision.rounds - 1
        play = solver.solve_with_answers(place_nodes, beside) if is_last else solver.solve(place_nodes)
        worth, now = play.worth, _reach_of_play(play.worth, play.answers, number)
        visited = now.beside(visited) if number else now
    solver, place_nodes = _round(lists, visited, precision, 1, say, worth)
    return solver.solve_with_answers(place_nodes, beside)


def _round(
    lists: TurnLists, reach: Reach, precision: Precision, step: int, say: Say, before: GridWorth | None
) -> tuple[_Solver, PlaceNodes]:
    """Return the solver of one round, its configurations graded by visits, and how it places nodes by these."""
    graded_reach = reach.in_grades()
    return _Solver(lists.in_order(graded_reach.configurations), precision, say, before, step), _finer(
        graded_reach, precision, step
    )


def _reach_of_play(worth: GridWorth, answers: tuple[GridWorth, GridWorth], number: int) -> Reach:
    """Play duels of a play against itself and against both its answers, with exploration; return where they go."""
    fixed = LookAhead(worth=worth, strays=STRAYS)
    answer_to_a, answer_to_b = (
        LookAhead(worth=answer, against=Opponent(side, worth), strays=STRAYS) for side, answer in enumerate(answers)
    )
    return Reach.of_meetings(worth.configurations, [(fixed, fixed), (fixed, answer_to_a), (answer_to_b, fixed)], number)


def _fixed_grids(configurations: Configurations, reach: Reach, precision: Precision) -> list[Grids]:
    """Return the grids of each group if nodes are not to be chosen: those given, or a node at every number of MP.

    Empty where that would be more than `max_full_positions`.
    """
    if precision.grid is not None:
        return [(precision.grid,)] * len(configurations.groups)
    full_grids: list[Grids] = [(every_grid(group, reach),) for group in configurations.groups]
    return (
        full_grids if sum(map(n_positions, configurations.groups, full_grids)) <= precision.max_full_positions else []
    )


PlaceNodes = Callable[[Period, Worths, Decide], OnGrid]
"""(Periods, what is known of the starts of Periods, how games are decided) -> these on grids."""
Then = Callable[[OnGrid, Sequence[GradeWorths], Equilibria, Worths], None]
"""(a group solved, its worths, how both sides mix, what is known of the starts of Periods): what is done next."""


def _finer(reach: Reach, precision: Precision, step: int) -> PlaceNodes:
    """Return `on_finer_grids` with the prices of one step: what places nodes by least error."""
    detail = precision.detail(step)
    return lambda period, spread, decide: on_finer_grids(period, reach, spread, decide, detail)


def _each_group(lists: TurnLists, starts: Starts, do: Callable[[Period], None]) -> None:
    """Call `do` with the Periods of each group, the fewest cards first; for large groups in a process per core."""
    for number, group in enumerate(lists.configurations.groups):
        large = sum(rows.stop - rows.start for rows in group.rows) >= LARGE

        def solve(team: Team, number: int = number) -> None:
            do(Period.of(lists, number, starts, team))

        together(solve, n_processes() if large else 1)


class _Solver:
    """Solves the groups of a duel in turn, placing nodes on the way.

    It starts from the worths `before`, if there are any, of the same configurations in any order; `step` is that of the
    precision, 0 or 1.
    """

    def __init__(
        self, lists: TurnLists, precision: Precision, say: Say, before: GridWorth | None = None, step: int = 1
    ) -> None:
        self._lists, self._precision, self._say, self._before = lists, precision, say, before
        self._starts, self._sweeps, self._step = Starts.of(lists.configurations), 0, step

    def solve(self, place_nodes: PlaceNodes) -> Play:
        """Return equilibrium values; they also stand in for the answers, which then look one choice ahead by them."""
        worth = self._solve_groups(place_nodes, lambda *_: None)
        return Play(worth, (worth, worth), self._sweeps, self._precision.draw_chance)

    def solve_with_answers(self, place_nodes: PlaceNodes, answer_grids: Callable[[Grids], Grids]) -> Play:
        """Return equilibrium values, and those of best responses, which are computed on the grids of `answer_grids`."""
        answers = _Answers(self._starts, self._precision.answer_limits(self._step), self._say)

        def answer(on: OnGrid, values: Sequence[GradeWorths], decide: Equilibria, spread: Worths) -> None:
            if (grids := answer_grids(on.grids)) == on.grids:
                answers.add(on, decide.mixes, spread)
            else:
                below, beside_ = on.worths_below(values, spread), OnGrid(on.period, grids)
                known_mixes = beside_.mixes_from(on, decide.mixes)
                answers.add(beside_, _mixed(beside_, below, self._precision.gap[self._step], known_mixes), spread)

        worth = self._solve_groups(place_nodes, answer)
        worths = answers.worths(self._lists.configurations)
        return Play(worth, worths, self._sweeps + answers.sweeps, self._precision.draw_chance)

    def _solve_groups(self, place_nodes: PlaceNodes, then: Then) -> GridWorth:
        """Return the worths of all groups, calling `then` with each once it is solved."""
        solutions, configurations = list[tuple[Grids, tuple[GradeWorths, ...]]](), self._lists.configurations
        spread = shared(
            self._starts.spread() if self._before is None else self._before.begins(self._starts, configurations)
        )

        def solve(period: Period) -> None:
            decide = Equilibria(self._precision.gap[self._step])
            on, values = self._settle(period, spread, decide, place_nodes)
            solutions.append((on.grids, _copies(values)))
            then(on, values, decide, spread)

        _each_group(self._lists, self._starts, solve)
        grids, values = zip(*solutions, strict=True)
        return GridWorth(configurations, grids, values)

    def _settle(
        self, period: Period, spread: Worths, decide: Equilibria, place_nodes: PlaceNodes
    ) -> tuple[OnGrid, Sequence[GradeWorths]]:
        """Solve a group by value iteration; its starts of Periods are written to `spread`."""
        on = place_nodes(period, spread, decide)
        values, changes = on.settle(spread, decide, *self._precision.sweep_limits(self._step), before=on.node_values)
        self._sweeps += len(changes)
        if period.team.number == 0:
            self._say(f"{period.group.cards} {on.size:,} {[round(step, 4) for step in changes]}")
        return on, values


def _copies(values: Sequence[GradeWorths]) -> tuple[GradeWorths, ...]:
    """Copy worths out of the memory that processes share, which ends with them."""
    return tuple(tuple(worths.copy() for worths in grade_worths) for grade_worths in values)


def _mixed(
    on: OnGrid, below: list[Worths], gap: float, known_mixes: dict[object, tuple[Worths, Worths]] | None = None
) -> Mixes:
    """Return both sides' mixes at the nodes of other grids, given values of successors; known ones are kept if good."""
    decide = Equilibria(gap, known_mixes)
    on.sweep(below[0], decide, below=below)
    return decide.mixes


class _Answers:
    """Values where side a keeps to fixed mixes against a best response, and where side b does.

    Groups are added the fewest cards first. Each begins with draws, as after the last Period, so that holding out for
    ever is worth no more than that (WE-Q19); where play is worth more, with somewhat less than that, which saves time.
    """

    def __init__(self, starts: Starts, limits: tuple[float, int, float], say: Say) -> None:
        self._limits, self._say = limits, say
        self._spread, self.sweeps = (shared(starts.spread()), shared(starts.spread())), 0
        self._grids, self._values = list[Grids](), (list[tuple[GradeWorths, ...]](), list[tuple[GradeWorths, ...]]())

    def add(self, on: OnGrid, mixes: Mixes, start_worths: Worths) -> None:
        """Compute best responses to the mixes of a group by value iteration; `start_worths` are the play's values."""
        self._grids.append(on.grids)
        start_numbers = on.own_starts
        for side, (spread, side_values) in enumerate(zip(self._spread, self._values, strict=True)):
            ahead = start_worths[start_numbers, :DEAD, :DEAD]
            begins = np.minimum(ahead + START_MARGIN, 0.5) if side == 0 else np.maximum(ahead - START_MARGIN, 0.5)
            spread[start_numbers, :DEAD, :DEAD] = begins
            change, max_steps, draw_chance = self._limits
            # Once for each Period that a duel has: by more, holding out to the last would be worth less than it is.
            max_steps = min(max_steps, on.period.configurations.moves.duel.max_periods)
            values, changes = on.settle(spread, Answer(side, mixes), change, max_steps, draw_chance)
            side_values.append(_copies(values))
            self.sweeps += len(changes)
            if on.period.team.number == 0:
                self._say(f"{on.period.group.cards} {side} answered {on.size:,} {[round(step, 4) for step in changes]}")

    def worths(self, configurations: Configurations) -> tuple[GridWorth, GridWorth]:
        """Return the value functions of the answers to side a's play and to side b's."""
        a_answer, b_answer = (GridWorth(configurations, tuple(self._grids), tuple(values)) for values in self._values)
        return a_answer, b_answer

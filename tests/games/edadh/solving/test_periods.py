"""The Periods of a group on a grid: one time through them against the rules, position by position."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest

from balance.core import State
from balance.core.process import take_trials
from balance.games.edadh.solving import periods as module
from balance.games.edadh.solving.card_tables import CardGames
from balance.games.edadh.solving.choices import EndChoices, TurnChoices
from balance.games.edadh.solving.configurations import Configurations
from balance.games.edadh.solving.end_tables import Starts
from balance.games.edadh.solving.grid import CAP, LOW, Grid, Worths
from balance.games.edadh.solving.nodes import LEAST, OFFSETS, looked_at
from balance.games.edadh.solving.periods import OnGrid, Period, begun, by_configuration, every_grid, first_grid
from balance.games.edadh.solving.value_iteration import GridWorth
from balance.games.edadh.view import SIDES
from balance.pmf.arrays import IntArray
from balance.solvers import solve_matrix_games
from balance.solvers.games import Floats
from tests.games.edadh.solving.test_end_tables import begins
from tests.games.edadh.solving.worths import any_worth, moves, reached

FEW = Grid((((0, 2, 9, 60), (1, 30)), *((((-2, 0, 5, 20), (-1, 3, 60)),) * 3)))
N = 12
"""Positions compared of each group and number of turns left."""


def solved(which: object, payoffs: Worths) -> Worths:
    """Return what games are worth, solved anew each time."""
    return np.asarray(solve_matrix_games(payoffs.transpose(2, 0, 1)).values, np.float32)


def by_rule(worth: GridWorth, state: State) -> Floats:
    """Return what positions with as many turns left are worth by what they lead to."""
    kind = TurnChoices if state["turns"][0] else EndChoices
    choices = kind(worth.moves, state)
    return solve_matrix_games(choices.payoffs(worth), *choices.legal).values


Known = tuple[Period, GridWorth, Worths, list[Worths]]


@contextmanager
def leading_anywhere(a: str, b: str) -> Iterator[Known]:
    """Return the Periods of the group with the most cards, and worths without sense of all they lead to."""
    listed = Configurations.of(moves(a, b))
    worth, starts, last = any_worth(listed, 3), Starts.of(listed), len(listed.groups) - 1
    with ThreadPoolExecutor(2) as pool:
        period = Period.of(listed, last, starts, pool)
        spread = begins(worth, starts)
        yield period, worth, spread, [spread, *(worth.spread(last, turns) for turns in range(len(period.turns) - 1))]


@pytest.fixture
def known() -> Iterator[Known]:
    """Return Periods of two turns."""
    with leading_anywhere("spears:2", "shieldsmen:2") as found:
        yield found


def test_worths_of_games_are_told_by_configuration() -> None:
    games = CardGames((), (2, 3, 4))
    worths = np.arange(24, dtype=np.float32)
    told = by_configuration(worths, games)
    assert told.shape == (4, 2, 3)
    for s, i, j in product(range(4), range(2), range(3)):
        assert told[s, i, j] == worths[(i * 3 + j) * 4 + s]


def test_once_through_a_period_every_node_is_worth_what_the_rules_say(
    known: Known,
) -> None:
    """With and without turns left, where all that is led to is known; and what is known is not written over."""
    period, worth, spread, below = known
    before, rng = spread.copy(), np.random.default_rng(1)
    values, change = OnGrid(period, FEW).swept(spread, solved, below=below)
    assert change == 0 and np.array_equal(spread, before)
    for turns, own in enumerate(values):
        rows = period.group.rows[turns]
        assert own.shape == (rows.stop - rows.start, *FEW.shape(turns))
        state, places = at_nodes(period, turns, FEW, rng)
        assert own[places] == pytest.approx(by_rule(worth, state), abs=1e-5)


def at_nodes(
    period: Period, turns: int, grid: Grid, rng: np.random.Generator
) -> tuple[State, tuple[IntArray, IntArray, IntArray]]:
    """Return some positions at nodes, and where they stand among the group's worths."""
    rows = period.group.rows[turns]
    row = rng.integers(rows.start, rows.stop, N)
    state = take_trials(period.listed.columns[turns], row)
    nodes = [rng.integers(0, k, N) for k in grid.shape(turns)]
    for side, mp, node in zip(SIDES, grid.mp(turns, period.listed.damage(turns, row)), nodes, strict=True):
        state[f"{side}_mp"] = mp[np.arange(N), node].astype(np.int16)
    return state, (row - rows.start, nodes[0], nodes[1])


def test_what_is_found_on_the_way_is_what_turns_lead_to(
    known: Known,
) -> None:
    """If nothing is said of what is led to: the same as told of it, group by group, and starts are written down."""
    period, _, spread, _ = known
    on, own = OnGrid(period, FEW), spread.copy()
    found, change = on.swept(own, solved, tires=0.25)
    led_to = [each.copy() for each in on.led_to(found, spread)]
    told, _ = OnGrid(period, FEW).swept(spread.copy(), solved, below=led_to)
    for ours, theirs in zip(found, told, strict=True):
        assert np.array_equal(ours, theirs)
    changes, mine = [], np.zeros(len(spread), bool)
    for turns in range(1, len(found)):
        place, rows = begun(period.starts, period.group, turns)
        damage = period.listed.damage(turns, period.group.rows[turns].start + rows)
        new = FEW.spread(turns, found[turns][rows] * 0.75 + 0.125, damage)
        assert own[place] == pytest.approx(new, abs=1e-6), "a quarter are called draws"
        mine[place] = True
        changes += [float(np.sqrt(((new - spread[place]) ** 2).mean()))] if len(place) else []
    assert change == pytest.approx(max(changes), rel=1e-4)
    assert np.array_equal(own[~mine], spread[~mine]) and mine.any(), "starts of other groups are left alone"


def test_periods_are_gone_through_until_they_stay(known: Known) -> None:
    """Or as often as allowed; once in any case."""
    period, _, spread, _ = known
    on = OnGrid(period, FEW)
    _, changes = on.settled(spread.copy(), solved, 0.05, 9)
    assert all(each > 0.05 for each in changes[:-1]) and (changes[-1] <= 0.05 or len(changes) == 9)
    assert len(on.settled(spread.copy(), solved, 0.0, 3)[1]) == 3
    assert len(on.settled(spread.copy(), solved, 9.0, 3)[1]) == 1


def test_worths_are_spread_in_parts_as_in_one(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    period, rng = known[0], np.random.default_rng(3)
    damage = period.listed.damage(0, period.group.rows[0])
    values = rng.random((period.sizes[0], *FEW.shape(0)), np.float32)
    whole = FEW.spread(0, values, damage)
    for part in (1, 7, 10_000):
        monkeypatch.setattr(module, "SPREAD", part)
        assert np.array_equal(OnGrid(period, FEW).spread(0, values), whole)


@pytest.mark.parametrize("turns", [0, 1, 2])
@pytest.mark.parametrize("side", [0, 1])
def test_lines_of_worths_are_those_of_the_rules(known: Known, turns: int, side: int) -> None:
    """Through positions that duels come to, by the MP of one side, at MP of the other that it has there."""
    period, worth, _, below = known
    places = reached(period.listed).places(period.group, turns)
    lines = period._lines(turns, places, side, below[turns], solved)
    rows, nodes = looked_at(places, 1 - side, period.group.rows[turns])
    assert lines.shape == (len(rows) * len(nodes), len(OFFSETS))
    rng, cap = np.random.default_rng(4), period.n_mp - 1
    for at in rng.integers(0, len(lines), 4).tolist():
        row, node = divmod(at, len(nodes))
        column = rng.integers(0 if turns else -LEAST, len(OFFSETS), N)
        state = take_trials(period.listed.columns[turns], np.full(N, rows[row]))
        for name, own in ((SIDES[side], OFFSETS[column]), (SIDES[1 - side], np.full(N, nodes[node]))):
            base = state[f"{name}_damage"] * (turns > 0)
            state[f"{name}_mp"] = np.minimum(own + base, cap).astype(np.int16)
        assert lines[at, column] == pytest.approx(by_rule(worth, state), abs=1e-5)


def test_finer_grids_err_less() -> None:
    """The cheaper a position, the more nodes, and the nearer worths on them are to those at every number."""
    with leading_anywhere("shieldsmen+archers", "spears/swords") as known:
        _finer(*known)


def _finer(period: Period, worth: GridWorth, spread: Worths, below: list[Worths]) -> None:
    reach = reached(period.listed)
    every = every_grid(period.listed, period.group, reach)
    missed, sizes = [], []
    exact, _ = OnGrid(period, every).swept(spread, solved, below=below)
    for price in (1e-3, 1e-6, 1e-9):
        grid = period.finer(reach, below, solved, price)
        values, _ = OnGrid(period, grid).swept(spread, solved, below=below)
        squares = list[Floats]()
        for turns, (own, told) in enumerate(zip(values, exact, strict=True)):
            places = reach.places(period.group, turns)
            row, a, b = places.rows - period.group.rows[turns].start, *(mp.astype(np.intp) - LOW for mp in places.mp)
            damage = period.listed.damage(turns, period.group.rows[turns])
            found, true = (g.spread(turns, v, damage)[row, a, b] for g, v in ((grid, own), (every, told)))
            squares.append((found - true) ** 2)
        missed.append(float(np.sqrt(np.concatenate(squares).mean())))
        sizes.append(sum(own.size for own in values))
    assert sizes == sorted(sizes) and len(set(sizes)) == 3
    assert missed == sorted(missed, reverse=True)
    assert missed[-1] < 0.6 * missed[0]
    assert all(min(one, other)[0] >= (LEAST if turns else 0) for turns, (one, other) in enumerate(grid.nodes))
    assert worth.listed is period.listed


def test_first_and_full_grids_are_those_of_where_duels_go(
    known: Known,
) -> None:
    """One pair of nodes for each number of turns left; at the end of a Period none is below 0 (WE-EOP.1)."""
    period = known[0]
    reach = reached(period.listed)
    first, every = (build(period.listed, period.group, reach) for build in (first_grid, every_grid))
    assert len(first.nodes) == len(every.nodes) == len(period.turns)
    for few, full in zip(first.nodes, every.nodes, strict=True):
        for one, all_ in zip(few, full, strict=True):
            assert len(one) <= 6 < len(all_) and one[-1] == all_[-1] == CAP
    assert [(one[0], other[0]) for one, other in every.nodes] == [(0, 0), (LEAST, LEAST), (LEAST, LEAST)]

"""The Periods of a group on a grid: one time through them against the rules, position by position."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, product

import numpy as np
import pytest

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import State, take_trials
from balance.chance.solvers import solve_matrix_games
from balance.chance.solvers.team import alone
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate import on_grid as module
from balance.games.edadh.solving.approximate.decisions import Equilibria
from balance.games.edadh.solving.approximate.grid import Grid, Worths
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.card_tables import CardGames
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.approximate.on_grid import (
    Decide,
    OnGrid,
    by_configuration,
    damped,
    spread_at,
    start_places,
    undamped,
)
from balance.games.edadh.solving.approximate.periods import GradeWorths, Grids, Period
from balance.games.edadh.solving.choices import EndChoices, TurnChoices
from tests.games.edadh.solving.test_end_tables import begins
from tests.games.edadh.solving.worths import any_worth, in_grades, moves, told_from

FEW = Grid((((0, 2, 9, 60), (1, 30)), *((((-2, 0, 5, 20), (-1, 3, 60)),) * 3)))
FEWER = Grid((((0, 60), (0, 4, 60)), *((((-2, 0, 60), (4,)),) * 3)))
ONE = Grid((((7,), (12,)), *((((3,), (-1, 40)),) * 3)))
TOLD = Grid(FEW.nodes, tuple(told_from(FEW, turns, turns) for turns in range(4)))
N = 12
"""Positions compared of each group and number of turns left."""


def solved(which: object, payoffs: Worths) -> Worths:
    """Return what games are worth, solved anew each time."""
    return np.asarray(solve_matrix_games(payoffs.transpose(2, 0, 1)).values, np.float32)


def by_rule(worth: GridWorth, state: State) -> FloatArray:
    """Return what positions with as many turns left are worth by what they lead to."""
    kind = TurnChoices if state["turns"][0] else EndChoices
    choices = kind(worth.moves, state)
    return solve_matrix_games(choices.payoffs(worth), *choices.legal).values


Known = tuple[Period, GridWorth, Worths, list[Worths]]


@contextmanager
def leading_anywhere(a: str, b: str, *, graded: bool = False) -> Iterator[Known]:
    """Return the Periods of the group with the most cards, and worths without sense of all they lead to."""
    listed = Configurations.of(moves(a, b))
    if graded:
        listed = in_grades(listed)
    worth, starts, last = any_worth(listed, 3), Starts.of(listed), len(listed.groups) - 1
    with alone() as team:
        period = Period.of(TurnLists.of(listed), last, starts, team)
        spread = begins(worth, starts)
        yield period, worth, spread, [spread, *(worth.spread(last, turns) for turns in range(len(period.turns) - 1))]


@pytest.fixture
def known() -> Iterator[Known]:
    """Return Periods of two turns."""
    with leading_anywhere("spears:2", "shieldsmen:2") as found:
        yield found


@pytest.fixture
def in_three() -> Iterator[Known]:
    """Return the same in three grades."""
    with leading_anywhere("spears:2", "shieldsmen:2", graded=True) as found:
        yield found


def test_worths_of_games_are_told_by_configuration() -> None:
    games = CardGames((), (2, 3, 4))
    worths = np.arange(24, dtype=np.float32)
    told = by_configuration(worths, games)
    assert told.shape == (4, 2, 3)
    for s, i, j in product(range(4), range(2), range(3)):
        assert told[s, i, j] == worths[(i * 3 + j) * 4 + s]


def test_once_through_a_period_every_node_is_worth_what_the_rules_say(known: Known) -> None:
    """With and without turns left, where all that is led to is known; and what is known is not written over."""
    _once_through(known, (FEW,))


def test_once_through_a_period_every_point_is_worth_what_the_rules_say(known: Known) -> None:
    """Where worths at nodes are told from those at some of them."""
    _once_through(known, (TOLD,))


@pytest.mark.parametrize("grids", [(FEW, FEWER, ONE), (FEWER, FEW), (FEW,)])
def test_once_through_a_period_every_grade_is_worth_what_the_rules_say(in_three: Known, grids: Grids) -> None:
    """Each at the nodes of its own grid; the last grid is that of all grades beyond."""
    sizes = [[rows.stop - rows.start for rows in grades] for grades in in_three[0].group.grades]
    assert min(sizes[0] + sizes[1]) > 0, "but for the start of the duel, which is alone"
    _once_through(in_three, grids)


def _once_through(known: Known, grids: Grids) -> None:
    period, worth, spread, below = known
    before, rng, on = spread.copy(), np.random.default_rng(1), OnGrid(period, grids)
    values, change = on.sweep(spread, solved, below=below)
    assert change == 0 and np.array_equal(spread, before)
    for turns, graded in enumerate(values):
        for grade, (own, rows) in enumerate(zip(graded, period.group.grades[turns], strict=True)):
            grid = grids[min(grade, len(grids) - 1)]
            assert own.shape == (rows.stop - rows.start, *grid.shape(turns))
            if len(own):
                state, places = at_nodes(period, turns, rows, grid, rng)
                assert own[places] == pytest.approx(by_rule(worth, state), abs=1e-5)
    assert on.size == sum(own.size for graded in values for own in graded)


def at_nodes(
    period: Period, turns: int, rows: slice, grid: Grid, rng: np.random.Generator
) -> tuple[State, tuple[IntArray, IntArray, IntArray]]:
    """Return some positions at nodes, and where they stand among the worths of those rows."""
    row = rng.integers(rows.start, rows.stop, N)
    state = take_trials(period.configurations.columns[turns], row)
    nodes = [rng.integers(0, k, N) for k in grid.shape(turns)]
    for side, mp in zip(
        SIDES, np.broadcast_arrays(*grid.mp(turns, period.configurations.damage(turns, row))), strict=True
    ):
        state[f"{side}_mp"] = mp[np.arange(N), nodes[0], nodes[1]].astype(np.int16)
    return state, (row - rows.start, nodes[0], nodes[1])


def test_what_is_found_on_the_way_is_what_turns_lead_to(known: Known) -> None:
    """If nothing is said of what is led to: the same as told of it, but that starts are called draws now and then.

    So they are written down; those of other groups are left alone.
    """
    _on_the_way(known, (FEW,))


def test_what_is_found_on_the_way_is_what_turns_of_every_grade_lead_to(in_three: Known) -> None:
    _on_the_way(in_three, (FEW, FEWER, ONE))


def _on_the_way(known: Known, grids: Grids) -> None:
    period, _, spread, _ = known
    on, own = OnGrid(period, grids), spread.copy()
    found, change = on.sweep(own, solved, draw_chance=0.1)
    led_to = [each.copy() for each in on.worths_below(found, spread)]
    told, _ = OnGrid(period, grids).sweep(spread.copy(), solved, below=led_to)
    changes, mine = [], np.zeros(len(spread), bool)
    for turns, (ours, theirs) in enumerate(zip(found, told, strict=True)):
        place, rows = start_places(period.starts, period.group, turns)
        for one, other, grade in zip(ours, theirs, period.group.grades[turns], strict=True):
            expected = other.copy()
            starts = rows[(rows >= grade.start) & (rows < grade.stop)] - grade.start
            expected[starts] += 0.1 * (1 + 4 * (2 * other[starts] - 1) ** 8) * (0.5 - other[starts])
            assert one == pytest.approx(expected, abs=1e-6), "so many starts are called draws"
        if len(place):
            new = spread_at(period.configurations, period.group, grids, turns, ours, rows)
            assert own[place] == pytest.approx(new, abs=1e-6)
            mine[place] = True
            changes.append(float(np.sqrt(((new - spread[place]) ** 2).mean())))
    assert change == pytest.approx(max(changes), rel=1e-4)
    assert np.array_equal(own[~mine], spread[~mine]) and mine.any(), "starts of other groups are left alone"


@pytest.mark.parametrize("worth", [0.0, 0.02, 0.5, 0.7, 0.99, 1.0])
def test_a_draw_is_called_five_times_as_often_where_the_duel_is_decided(worth: float) -> None:
    """And what it has taken can be told."""
    found = float(damped(np.array([worth], np.float32), 0.01)[0])
    assert undamped(found, 0.01) == pytest.approx(worth, abs=1e-6)
    share = {0.0: 0.05, 0.5: 0.01, 0.7: 0.01, 1.0: 0.05}.get(worth)
    assert share is None or found == pytest.approx(worth + share * (0.5 - worth), abs=1e-5)
    assert undamped(worth, 0.0) == worth


@pytest.mark.parametrize("tires", [0.0, 0.1])
def test_starts_tire_however_often_periods_are_gone_through(in_three: Known, tires: float) -> None:
    """Once for each time that a Period starts: they are what their choices are worth, damped once."""
    period, _, spread, _ = in_three
    on, before, after = OnGrid(period, (FEW, FEWER, ONE)), spread.copy(), spread.copy()
    on.settle(before, solved, 0.0, 3, tires)
    found, _ = on.settle(after, solved, 0.0, 4, tires)
    untired, _ = on.sweep(before, solved, below=[each.copy() for each in on.worths_below(found, before)])
    for turns, (ours, theirs) in enumerate(zip(found, untired, strict=True)):
        _, rows = start_places(period.starts, period.group, turns)
        for one, other, grade in zip(ours, theirs, period.group.grades[turns], strict=True):
            starts = np.isin(np.arange(grade.start, grade.stop), rows)
            assert one[starts] == pytest.approx(damped(other[starts], tires), abs=1e-6)
            assert one[~starts] == pytest.approx(other[~starts], abs=1e-6)


def test_periods_are_gone_through_until_they_stay(known: Known) -> None:
    """Or as often as allowed; once in any case."""
    period, _, spread, _ = known
    on = OnGrid(period, (FEW,))
    _, changes = on.settle(spread.copy(), solved, 0.05, 9)
    assert all(each > 0.05 for each in changes[:-1]) and (changes[-1] <= 0.05 or len(changes) == 9)
    assert len(on.settle(spread.copy(), solved, 0.0, 3)[1]) == 3
    assert len(on.settle(spread.copy(), solved, 9.0, 3)[1]) == 1


@pytest.mark.parametrize("grids", [(FEW, FEWER, ONE), (TOLD,)])
@pytest.mark.parametrize(("a", "b"), [("spears:2", "shieldsmen:2"), ("archers/shieldsmen", "gunners")])
def test_only_what_leads_back_to_the_group_is_gone_through_again(a: str, b: str, grids: Grids) -> None:
    """To the bit as if all were: what leads to fewer cards alone stays as it was, whatever starts of the group do.

    Some of these are starts themselves, of which no play is without loss.
    """
    with leading_anywhere(a, b, graded=True) as (period, _, spread, _):
        _gone_through_again(period, spread, grids)


def _gone_through_again(period: Period, spread: Worths, grids: Grids) -> None:
    anew, again = OnGrid(period, grids), OnGrid(period, grids)
    before, after, values, games = spread.copy(), spread.copy(), list[GradeWorths](), list[int]()

    def counted(which: object, payoffs: Worths) -> Worths:
        games[-1] += payoffs.shape[2]
        return solved(which, payoffs)

    for stride in (1.0, 2.0, 1.0):
        games.append(0)
        plainly, change = anew.sweep(before, solved, 0.01, stride=stride)
        values, same = again.sweep(after, counted, 0.01, stride=stride, before=values)
        assert change == same and np.array_equal(before, after)
        for one, other in zip(chain(*plainly), chain(*values), strict=True):
            assert np.array_equal(one, other)
    assert games[2] == games[1] < 0.8 * games[0]


def test_sides_mix_as_at_the_nearest_place_of_other_grids(in_three: Known) -> None:
    """The very same where that place is one of both grids: each game has the mixes of one, on either axis nearest."""
    period, _, spread, below = in_three
    on, decide = OnGrid(period, (FEW, TOLD, FEWER)), Equilibria(1e-6)
    on.sweep(spread, decide, below=below)
    same = OnGrid(period, on.grids).mixes_from(on, decide.mixes)
    assert same.keys() == {key for key in decide.mixes if isinstance(key, tuple) and key[0]}
    for key, mixes in same.items():
        assert all(np.array_equal(one, other) for one, other in zip(mixes, decide.mixes[key], strict=True))
    others, nearest = Grid((FEW.nodes[0], *(((-2, 4, 20), (-1, 60)),) * 3)), [0, 2, 6, 8, 9, 11]
    other, n = OnGrid(period, (others,)).mixes_from(on, decide.mixes), len(period.turns[1][0][0].damage[0])
    for found, known in zip(other[1, 0, 0], decide.mixes[1, 0, 0], strict=True):
        assert np.array_equal(found.reshape(12, 6, n), known.reshape(12, 12, n)[:, nearest])


class Shrinking(OnGrid):
    """Starts of which a share is left each time."""

    def __init__(self, share: float) -> None:
        self.share = share

    def sweep(
        self, spread: Worths, decide: Decide, *args: object, stride: float = 1.0, before: Sequence[GradeWorths] = ()
    ) -> tuple[list[GradeWorths], float]:
        """Go as far as is asked."""
        step = (self.share - 1) * float(spread[0])
        spread += np.float32(stride * step)
        return [], abs(step)


@pytest.mark.parametrize("share", [0.4, 0.8, 0.9, 0.95])
def test_what_settles_slowly_goes_further_at_a_time(share: float) -> None:
    """In half as many times; what settles soon goes no further, and no last step goes too far."""
    spread = np.ones(1, np.float32)
    _, changes = Shrinking(share).settle(spread, solved, 1e-4, 1000)
    plainly = 1 + math.ceil(math.log(1e-4 / (1 - share), share))
    assert len(changes) == plainly if share < 0.5 else len(changes) < 0.6 * plainly
    assert changes[-1] <= 1e-4 and 0 <= spread[0] < 1e-4 * share / (1 - share) + 1e-6
    left = share**2 * (4 * share - 3) if share > 0.5 else share**3
    assert changes[3] / changes[0] == pytest.approx(left, abs=1e-5)


def test_a_stride_counts_for_as_many_times_as_it_goes_far() -> None:
    """And it goes no further than is allowed in all."""
    spread = np.ones(1, np.float32)
    _, changes = Shrinking(0.9).settle(spread, solved, 0.0, 1 + 1 + 4 + 1 + 1 + 2)
    assert len(changes) == 6
    assert spread[0] == pytest.approx(0.9**4 * (4 * 0.9 - 3) * (2 * 0.9 - 1), abs=1e-5)


def test_worths_are_spread_in_parts_as_in_one(in_three: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each grade from its own grid, one after the other."""
    period, rng, grids = in_three[0], np.random.default_rng(3), (FEW, FEWER, ONE)
    graded = list(zip(grids, period.group.grades[0], strict=True))
    values = tuple(rng.random((rows.stop - rows.start, *grid.shape(0)), np.float32) for grid, rows in graded)
    damage = [period.configurations.damage(0, rows) for rows in period.group.grades[0]]
    whole = np.concatenate([g.spread(0, own, hurt) for g, own, hurt in zip(grids, values, damage, strict=True)])
    for part in (1, 7, 10_000):
        monkeypatch.setattr(module, "SPREAD", part)
        assert np.array_equal(OnGrid(period, grids).spread(0, values), whole)

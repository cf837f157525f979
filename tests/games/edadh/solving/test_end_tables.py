"""The ends of Periods as tables: they hold the rules at any mastery points."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.process import take_trials
from balance.chance.solvers import solve_matrix_games
from balance.games.edadh.solving.approximate.grid import CAP, DEAD, Worths, meeting
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.on_grid import start_places
from balance.games.edadh.solving.choices import EndChoices
from tests.games.edadh.solving.every_node import EVERY
from tests.games.edadh.solving.worths import DUELS, any_worth, at_some_mp, in_grades, moves


def begins(worth: GridWorth, starts: Starts) -> Worths:
    """Return what starts of Periods are worth at every MP, by the numbers they have."""
    spread = starts.spread()
    for number, group in enumerate(worth.configurations.groups):
        for turns in range(1, len(worth.configurations.columns)):
            place, rows = start_places(starts, group, turns)
            spread[place] = worth.spread(number, turns)[rows - group.rows[turns].start]
    return spread


@pytest.mark.slow("test_some_ends_have_the_games_that_all_of_them_have")
@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
def test_tables_of_ends_hold_the_rules_at_any_mastery_points(a: str, b: str, changes: tuple[str, ...]) -> None:
    """What must be discarded, who may retire (WE-RETIRE.1), rout (WE-SHAKE.1), and who has lost (WE-WIN.1)."""
    duel = moves(a, b, *changes)
    listed = in_grades(Configurations.of(duel))
    starts, worth = Starts.of(listed), any_worth(listed, 3)
    spread = begins(worth, starts)
    rng, k = np.random.default_rng(1), CAP + 1
    for table in (table for graded in starts.tables for tables in graded for table in tables):
        games = list(table.at(EVERY.mp(0, listed.damage(0, table.rows)), starts.endings, k).payoffs(spread))
        places = np.concatenate([where for where, _ in games])
        assert np.array_equal(np.sort(places), np.arange(k * k * (table.rows.stop - table.rows.start)))
        state = at_some_mp(listed, 0, table.rows, 20, rng)
        for at, name in enumerate(("a_mp", "b_mp")):
            state[name][at::3] = rng.integers(0, 5, len(state[name][at::3]))  # where it is lost or not
        rows = listed.rows(state, np.ones(20, bool)) - table.rows.start
        for number, row in enumerate(rows.tolist()):
            one = take_trials(state, [number])
            at = (row * k + int(one["a_mp"][0])) * k + int(one["b_mp"][0])
            (ours,) = (payoffs[:, :, where == at] for where, payoffs in games if (where == at).any())
            told = EndChoices(duel, one).payoffs(worth)
            assert np.sort(ours.ravel()) == pytest.approx(np.sort(told.ravel()), abs=2e-6)
            value = solve_matrix_games(told).values
            assert solve_matrix_games(ours.transpose(2, 0, 1)).values == pytest.approx(value, abs=2e-6)


def test_some_ends_have_the_games_that_all_of_them_have() -> None:
    """In any order, at MP of their own."""
    listed = Configurations.of(moves(*DUELS[0][:2]))
    starts = Starts.of(listed)
    spread, table = begins(any_worth(listed, 3), starts), max(starts.tables[-1][0], key=lambda table: len(table.leads))
    which = np.array([5, 0, 5, 2])
    mp = np.array([[3, 8], [0, 60], [1, 2], [9, 9]], np.int16), np.array([[4], [1], [7], [30]], np.int16)
    games = list(table.subset(which).at(meeting(*mp), starts.endings, CAP + 1).payoffs(spread))
    every = list(table.at(EVERY.mp(0, listed.damage(0, table.rows)), starts.endings, CAP + 1).payoffs(spread))
    for where, payoffs in games:
        for at, game in zip(where.tolist(), payoffs.transpose(2, 0, 1), strict=True):
            row, node = divmod(at, 2)
            place = (int(which[row]) * (CAP + 1) + int(mp[0][row, node])) * (CAP + 1) + int(mp[1][row, 0])
            (told,) = (each[:, :, own == place] for own, each in every if (own == place).any())
            assert np.array_equal(game, told[:, :, 0])
    assert sum(len(where) for where, _ in games) == 8


def test_what_has_ended_is_worth_what_it_is_won_by() -> None:
    """But for MP: who has lost by these has lost too, so that the duel is drawn."""
    starts = Starts.of(Configurations.of(moves("shieldsmen", "spears")))
    a_lost, b_lost, both = starts.spread()[starts.n :]
    assert set(a_lost[:, :DEAD].ravel()) == {0} and set(a_lost[:, DEAD]) == {0.5}
    assert set(b_lost[:DEAD].ravel()) == {1} and set(b_lost[DEAD]) == {0.5}
    assert set(both.ravel()) == {0.5}

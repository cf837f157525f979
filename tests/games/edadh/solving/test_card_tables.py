"""Turns as tables: they hold the rules at any mastery points, and their games stand in memory that is used again."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest

from balance.chance.solvers.team import Team
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import CAP, Worths, meeting
from balance.games.edadh.solving.approximate.lists.card_tables import PART, CardTable
from balance.games.edadh.solving.approximate.lists.configurations import Configurations, Group
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.choices import TurnChoices
from tests.games.edadh.solving.worths import DUELS, any_worth, at_some_mp, in_grades, moves


@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
def test_tables_of_turns_hold_the_rules_at_any_mastery_points(a: str, b: str, changes: tuple[str, ...]) -> None:
    """The cap (WE-SETUP.3) and defeats by damage (WE-EOP.1) among them; three MP of a at once, and two of b."""
    duel = moves(a, b, *changes)
    listed = in_grades(Configurations.of(duel))
    worth, rng = any_worth(listed, 2), np.random.default_rng(1)
    for number, group in enumerate(listed.groups):
        for turns in range(1, len(listed.columns)):
            spread = worth.spread(number, turns - 1)
            for first, table in every_table(listed, group, turns):
                s = table.rows.stop - table.rows.start
                part = slice(first + table.rows.start, first + table.rows.stop)
                state = at_some_mp(listed, turns, part, 20, rng)
                row = listed.rows(state, np.ones(20, bool)) - part.start
                k, l_, own = 3, 2, []
                i, j = rng.integers(0, k, 20), rng.integers(0, l_, 20)
                for side, many, at in zip(SIDES, (k, l_), (i, j), strict=True):
                    mp = rng.integers(0, CAP + 1, (20, s, many)).astype(np.int16)
                    mp[np.arange(20), row, at] = state[f"{side}_mp"]
                    own.append(mp)
                told = TurnChoices(duel, state).payoffs(worth)
                for which in range(20):
                    games = table.at(meeting(own[0][which], own[1][which]))
                    payoffs = games.payoffs(spread)
                    assert games.shape == (k, l_, s)
                    assert payoffs.shape == (12, 12, k * l_ * s)
                    assert payoffs.dtype == np.float32
                    ours = payoffs.reshape(12, 12, k, l_, s)[:, :, i[which], j[which], row[which]]
                    assert ours == pytest.approx(told[which], abs=2e-6)


def every_table(listed: Configurations, group: Group, turns: int) -> Iterator[tuple[int, CardTable]]:
    """Yield the tables of all grades, and where the grade of each begins."""
    every = TurnLists.of(listed).tables(group, Team())[turns]
    for tables, rows in zip(every, group.grades[turns], strict=True):
        for table in tables.values():
            yield rows.start, table


@pytest.mark.parametrize("graded", [False, True])
def test_tables_go_through_every_configuration_once(graded: bool) -> None:
    """Grade by grade; no table has some of two."""
    plain = Configurations.of(moves(*DUELS[0][:2]))
    listed = in_grades(plain) if graded else plain
    for group in listed.groups:
        for turns in range(1, len(listed.columns)):
            tables = list(every_table(listed, group, turns))
            rows = [first + row for first, table in tables for row in range(table.rows.start, table.rows.stop)]
            assert rows == list(range(group.rows[turns].start, group.rows[turns].stop))
            assert all(table.rows.stop - table.rows.start <= PART for _, table in tables)


def large(listed: Configurations) -> Group:
    """Return a group that has more configurations with one turn left than fit in a table."""
    return next(group for group in listed.groups if group.rows[1].stop - group.rows[1].start > PART)


def turn() -> tuple[CardTable, Worths, Configurations]:
    """Return a table of a group that has more configurations than fit in one, and worths of what it leads to."""
    listed = Configurations.of(moves(*DUELS[0][:2]))
    group = large(listed)
    table = TurnLists.of(listed).tables(group, Team())[1][0][0]
    return table, any_worth(listed, 4).spread(listed.groups.index(group), 0), listed


def test_some_configurations_have_the_games_that_all_of_them_have() -> None:
    """In any order, and one twice; where their worths are to stand is not told."""
    listed = Configurations.of(moves(*DUELS[0][:2]))
    group = large(listed)
    worth, which = any_worth(listed, 4).spread(listed.groups.index(group), 0), np.array([7, 3, 3, 0])
    lists = TurnLists.of(listed)
    every, some = lists.tables(group, Team())[1][0][0], lists.table(group, 1, group.rows[1].start + which)
    mp = tuple(np.full((every.rows.stop, 1), own, np.int16) for own in (9, 4))
    all_games = every.at(meeting(mp[0], mp[1])).payoffs(worth).copy()
    own = some.at(meeting(mp[0][which], mp[1][which])).payoffs(worth)
    assert np.array_equal(own, all_games[:, :, which])
    assert len(np.unique(own[:, :, [0, 1, 3]].reshape(144, -1), axis=1).T) == 3, "these are different games"


def test_positions_have_the_games_that_they_have_where_each_mp_meets_each() -> None:
    """MP of side a and of side b in pairs, as at points of a grid."""
    table, worth, _ = turn()
    rng, n = np.random.default_rng(2), table.rows.stop
    one, other = (rng.integers(0, CAP + 1, (n, k)).astype(np.int16) for k in (3, 4))
    a_node, b_node = np.array([2, 0, 2]), np.array([3, 1, 0])
    every = table.at(meeting(one, other)).payoffs(worth).copy().reshape(12, 12, 3, 4, n)
    games = table.at((one[:, a_node, None], other[:, b_node, None]))
    assert games.shape == (3, 1, n)
    assert np.array_equal(games.payoffs(worth).reshape(12, 12, 3, n), every[:, :, a_node, b_node])


def test_the_games_of_a_thread_are_overwritten_by_its_next_ones() -> None:
    """What is kept has to be copied; a smaller table leaves nothing of a larger one behind."""
    table, worth, _ = turn()
    high, low = (table.at(meeting(*[np.full((table.rows.stop, 2), mp, np.int16)] * 2)) for mp in (30, 5))
    found = high.payoffs(worth)
    kept = found.copy()
    other = low.payoffs(worth)
    assert np.shares_memory(found, other)
    assert np.array_equal(found, other) and not np.array_equal(kept, other)
    assert np.array_equal(high.payoffs(worth), kept), "the same games again, from memory that was used for others"


def test_two_threads_do_not_share_the_memory_of_their_games() -> None:
    table, worth, _ = turn()
    games = [table.at(meeting(*[np.full((table.rows.stop, 2), mp, np.int16)] * 2)) for mp in (30, 5)]
    found = list[Worths]()
    mine = games[0].payoffs(worth)
    kept = mine.copy()
    thread = Thread(target=lambda: found.append(games[1].payoffs(worth)))
    thread.start()
    thread.join()
    assert not np.shares_memory(mine, found[0])
    assert np.array_equal(mine, kept) and not np.array_equal(mine, found[0])


def test_each_of_a_team_lists_its_share_of_the_tables() -> None:
    """Every table is that of one of them, and the same as when one lists all."""
    _, spread, listed = turn()
    group = large(listed)
    lists = TurnLists.of(listed)
    every, shares = lists.tables(group, Team()), [lists.tables(group, Team(number, 3)) for number in range(3)]
    for turns, grades in enumerate(every):
        for grade, own in enumerate(grades):
            found = [share[turns][grade] for share in shares]
            assert sorted(number for each in found for number in each) == sorted(own)
            for number, table in (item for each in found for item in each.items()):
                assert table.rows == own[number].rows
                mp = np.full((table.rows.stop - table.rows.start, 1), 9, np.int16)
                games = table.at(meeting(mp, mp)).payoffs(spread).copy()
                assert np.array_equal(games, own[number].at(meeting(mp, mp)).payoffs(spread))

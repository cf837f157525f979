"""The turns of every configuration, listed once: the same in any order, and for any number of processes."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.edadh.solving.approximate.grid import meeting
from balance.games.edadh.solving.approximate.lists import turn_lists as module
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.moves import Rows
from tests.games.edadh.solving.worths import DUELS, any_worth, in_grades, moves


@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
def test_in_another_order_the_same_turns_are_read_off(a: str, b: str, changes: tuple[str, ...]) -> None:
    """Of every configuration the same games as when these are listed in that order; and after two changes of order."""
    plain = Configurations.of(moves(a, b, *changes))
    graded = in_grades(plain)
    lists, fresh, rng = TurnLists.of(plain), TurnLists.of(graded), np.random.default_rng(3)
    worth, number_told = any_worth(graded, 4), 0
    for number, group in enumerate(graded.groups):
        for turns in range(1, len(graded.columns)):
            rows = np.arange(group.rows[turns].start, group.rows[turns].stop)
            if not len(rows):
                continue
            which, spread = rng.permutation(rows)[:20], worth.spread(number, turns - 1)
            tables = [
                each.table(group, turns, which)
                for each in (fresh, lists.in_order(graded), lists.in_order(graded).in_order(plain).in_order(graded))
            ]
            assert all(table.damage[0].tolist() == graded.damage(turns, which)[0].tolist() for table in tables)
            mp = np.full((len(which), 2), (3, 17), np.int16)
            one, *others = (table.at(meeting(mp, mp)).payoffs(spread).copy() for table in tables)
            assert all(np.array_equal(one, other) for other in others)
            number_told += len(np.unique(one))
    assert number_told > 200, "games differ"


def test_any_number_of_processes_lists_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    listed, found = Configurations.of(moves(*DUELS[0][:2])), list[TurnLists]()
    monkeypatch.setattr(module, "CHUNK_STATES", 20)
    for number in (1, 3):
        monkeypatch.setattr(module, "n_processes", lambda number=number: number)
        found.append(TurnLists.of(listed))
    for one, other in zip(found[0].transitions, found[1].transitions, strict=True):
        assert np.array_equal(one.plays, other.plays) and np.array_equal(one.leads, other.leads)
        for mine, theirs in zip(one.shifts, other.shifts, strict=True):
            assert np.array_equal(mine.gain, theirs.gain) and np.array_equal(mine.loss, theirs.loss)
    assert all(map(np.array_equal, found[0].first, found[1].first))


def test_a_table_has_no_more_plays_than_its_configurations() -> None:
    """However many others of the same list have."""
    lists = TurnLists.of(Configurations.of(moves("shieldsmen+archers", "spears/swords")))
    many, rows = lists.transitions[0].plays.prod(axis=(1, 2)) > 1, np.arange(len(lists.origin[1]))
    group = lists.configurations.groups[-1]  # where plays lead in it is not asked

    def most(which: Rows) -> list[tuple[int, ...]]:
        return [pairs.leads.shape[:2] for pairs in lists.table(group, 1, which).pairs]

    assert 0 < many.sum() < len(rows)
    assert most(rows[~many]) == [(1, 1)] * 3
    assert most(rows) == most(rows[many]) == [(4, 1), (2, 1), (1, 1)]

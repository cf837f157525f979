"""All a duel can come to but for mastery points: every state of a duel that is solved exactly stands among it."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.base.errors import RulesError
from balance.game.loaded import load
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.lists.configurations import (
    CONFIGURATION,
    ENOUGH_TO_RETIRE_ALL,
    GRADES,
    Configurations,
)
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.moves import Moves, at_mp, chunks
from balance.games.edadh.solving.numbering import Layers, Numbers
from balance.games.edadh.solving.training import moves_of


def moves(a: str, b: str, *changes: str) -> Moves:
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


@pytest.mark.parametrize(
    ("a", "b", "changes"),
    [
        ("shieldsmen", "spears", ("a.mp=6", "b.mp=6")),
        ("shieldsmen+archers", "spears/swords", ("a.mp=3", "b.mp=3")),
        ("archers:2", "gunners+spears", ("a.mp=5", "b.mp=4", "a.damage=2", "b.shaken=true")),
    ],
)
def test_every_state_is_one_of_a_configuration(a: str, b: str, changes: tuple[str, ...]) -> None:
    """Rows are told apart by what lies on the table, and by nothing else."""
    duel = moves(a, b, *changes)
    listed, states = Configurations.of(duel), DuelStates.of(duel)
    for columns in states.columns:
        going = np.ones(len(columns["over"]), bool)
        rows = listed.rows(columns, going)
        for turns in np.unique(columns["turns"]).tolist():
            mine = columns["turns"] == turns
            for name in (f"{side}_{name}" for side in SIDES for name in CONFIGURATION):
                assert (listed.columns[turns][name][rows[mine]] == columns[name][mine]).all()


def test_configurations_are_listed_once() -> None:
    listed = Configurations.of(moves("shieldsmen+archers/shieldsmen", "spears:2"))
    for columns in listed.columns:
        told = np.stack([columns[f"{side}_{name}"] for side in SIDES for name in CONFIGURATION])
        assert len(np.unique(told, axis=1).T) == len(columns["over"])


def test_groups_lead_to_themselves_and_to_those_before() -> None:
    listed = Configurations.of(moves("shieldsmen:2/archers", "spears:2"))
    assert [sum(group.cards) for group in listed.groups] == sorted(sum(group.cards) for group in listed.groups)
    assert {group.cards for group in listed.groups} == {(a, b) for a in (1, 2, 3) for b in (1, 2)}
    for number, group in enumerate(listed.groups):
        for turns, rows in enumerate(group.rows):
            if rows.stop > rows.start:
                state = {name: column[rows] for name, column in listed.columns[turns].items()}
                _leads_back(listed, state, turns, number)
    sizes = [len(columns["over"]) for columns in listed.columns]
    assert [sum(g.rows[turns].stop - g.rows[turns].start for g in listed.groups) for turns in range(3)] == sizes


GRADED = ("shieldsmen:2/archers", "spears:2")


def visits_of(listed: Configurations, seed: int = 0) -> list[FloatArray]:
    """Return visits without any sense: to some configurations none, and none at all to the first group."""
    rng, visits = np.random.default_rng(seed), list[FloatArray]()
    for columns, rows in zip(listed.columns, listed.groups[0].rows, strict=True):
        often = np.round(rng.random(len(columns["over"])) ** 4, 3)
        often[rng.random(len(often)) < 0.2] = 0
        often[rows] = 0
        visits.append(often)
    return visits


def test_graded_configurations_are_the_same_in_another_order() -> None:
    """States are found there with the same columns, in the same group, and nothing is lost."""
    listed = Configurations.of(moves(*GRADED))
    graded = listed.in_grades(visits_of(listed))
    assert [group.rows for group in graded.groups] == [group.rows for group in listed.groups]
    assert [group.cards for group in graded.groups] == [group.cards for group in listed.groups]
    for turns, columns in enumerate(listed.columns):
        n = len(columns["over"])
        rows = graded.rows(columns, np.ones(n, bool))
        assert np.array_equal(np.sort(rows), np.arange(n)) and (n < 3 or not np.array_equal(rows, np.arange(n)))
        for name, column in columns.items():
            assert np.array_equal(graded.columns[turns][name][rows], column)
        for group in listed.groups:
            own = group.rows[turns]
            assert np.array_equal(np.sort(rows[own]), np.arange(n)[own])
        assert np.array_equal(graded.rows(graded.columns[turns], np.ones(n, bool)), np.arange(n))


def test_grades_are_those_that_duels_come_to_most_often() -> None:
    """Its grades are all of a group, and the first ones no larger than their share needs.

    In each visits fall along those that return, and along those that do not.
    """
    listed = Configurations.of(moves(*GRADED))
    visits = visits_of(listed)
    graded = listed.in_grades(visits)
    for turns, often in enumerate(visits):
        often = often[graded.rows_in(listed, turns)]
        for group in graded.groups:
            rows, grades = group.rows[turns], group.grades[turns]
            ends = [rows.start, *(each.stop for each in grades)]
            assert len(grades) == 3 and [each.start for each in grades] == ends[:-1] and ends[-1] == rows.stop
            falling = -np.sort(-often[rows])
            for grade, returning in zip(grades, group.recurrent[turns], strict=True):
                assert grade.start == returning.start and returning.stop <= grade.stop
                for part in (returning, slice(returning.stop, grade.stop)):
                    assert (np.diff(often[part]) <= 0).all()
                of_grade = falling[grade.start - rows.start : grade.stop - rows.start]
                assert np.array_equal(-np.sort(-often[grade]), of_grade), "the next most often met"
            if often[rows].sum():
                for share, end in zip(GRADES, ends[1:], strict=False):
                    enough, less = (falling[: last - rows.start].sum() for last in (end, end - 1))
                    assert enough >= share * falling.sum() - 1e-9
                    assert less < share * falling.sum() - 1e-12
                assert not often[grades[-1]].any(), "where no duel came"
    sizes = [[each.stop - each.start for each in grades] for grades in graded.groups[-1].grades]
    assert min(sizes[0]) > 0 and sizes[0][0] < sizes[0][2], "a few have most of the visits"


def test_where_no_duel_comes_all_are_in_the_last_grade() -> None:
    listed = Configurations.of(moves(*GRADED))
    nowhere = listed.groups[0], listed.in_grades(visits_of(listed)).groups[0]
    for turns, rows in enumerate(nowhere[0].rows):
        none = slice(rows.start, rows.start)
        assert nowhere[1].grades[turns] == (none, none, rows)
        assert nowhere[0].grades[turns] == (rows,), "one part, while that is not known"


def test_where_rows_stand_in_another_order() -> None:
    """There and back; graded again by the same visits, from another order, the grades are the same."""
    listed = Configurations.of(moves(*GRADED))
    visits = visits_of(listed)
    one, other = listed.in_grades(visits), listed.in_grades(visits_of(listed, 1))
    again = other.in_grades([often[other.rows_in(listed, turns)] for turns, often in enumerate(visits)])
    for turns, columns in enumerate(one.columns):
        there, back = one.rows_in(other, turns), other.rows_in(one, turns)
        assert np.array_equal(there[back], np.arange(len(there)))
        for name, column in columns.items():
            assert np.array_equal(other.columns[turns][name][there], column)
        assert np.array_equal(one.rows_in(one, turns), np.arange(len(there)))
        once, twice = (visits[turns][own.rows_in(listed, turns)] for own in (one, again))
        assert np.array_equal(once, twice)
    assert [group.grades for group in again.groups] == [group.grades for group in one.groups]


def _leads_back(listed: Configurations, state: dict[str, np.ndarray], turns: int, number: int) -> None:
    for some in chunks(state):
        after = listed.moves.turns(some).after if turns else listed.moves.ends(some).after
        going = end_codes(after) < 0
        rows = listed.rows(after, going)
        for left in np.unique(after["turns"][going]).tolist():
            led_to = rows[going & (after["turns"] == left)]
            mine = listed.groups[number].rows[left]
            assert led_to.max() < mine.stop
            assert not turns or led_to.min() >= mine.start, "within a Period the cards it began with stay"


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("spears:2", "shieldsmen"),
        pytest.param(*GRADED, marks=pytest.mark.slow),
        pytest.param("archers/shieldsmen", "gunners:2", marks=pytest.mark.slow),
    ],
)
def test_those_return_that_lead_back_to_a_period_with_as_many_cards_or_start_one(a: str, b: str, graded: bool) -> None:
    """Followed one by one: to the end of the Period with all cards, or to one that returns with a turn less."""
    listed = Configurations.of(moves(a, b))
    listed = listed.in_grades(visits_of(listed)) if graded else listed
    place, n_returning, only_start = Starts.of(listed).place, 0, 0
    for number, group in enumerate(listed.groups):
        for turns, (grades, returning) in enumerate(zip(group.grades, group.recurrent, strict=True)):
            for grade, own in zip(grades, returning, strict=True):
                back = [_leads_to_as_many(listed, turns, row, number) for row in range(grade.start, grade.stop)]
                starts = (place[turns][grade] >= 0).tolist()
                n = own.stop - own.start
                assert own.start == grade.start
                assert [one or other for one, other in zip(back, starts, strict=True)] == [True] * n + [False] * (
                    len(back) - n
                )
                n_returning += n
                only_start += sum(start and not leads for leads, start in zip(back, starts, strict=True))
    assert 0 < n_returning < 0.5 * sum(len(columns["over"]) for columns in listed.columns)
    assert (only_start > 0) == (a == "archers/shieldsmen"), "some start hopelessly"


def _leads_to_as_many(listed: Configurations, turns: int, row: int, number: int) -> bool:
    """Return whether some choice leads back from a configuration, by its group and by which return with a turn less."""
    full, group = listed.moves.duel.arena.read.mp_cap, listed.groups[number]
    state = {name: column[row : row + 1] for name, column in listed.columns[turns].items()}
    if turns:
        after = listed.moves.turns(at_mp(state, full)).after
        back = {turns - 1: group.recurrent[turns - 1]}
    else:
        after = listed.moves.ends(at_mp(state, ENOUGH_TO_RETIRE_ALL), with_mp=full).after
        back = {left: group.grades[left] for left in range(1, len(group.rows))}
    led_to = listed.rows(after, end_codes(after) < 0)
    return any(
        ((after["turns"] == left) & (led_to >= rows.start) & (led_to < rows.stop)).any()
        for left, parts in back.items()
        for rows in parts
    )


def test_too_many_configurations_are_refused() -> None:
    with pytest.raises(RulesError, match=r"too large for a table of its positions: \d+ arrangements") as refused:
        Configurations.of(moves("shieldsmen:2", "spears:2"), max_number=50)
    assert "ranks of one kind" in str(refused.value)


def test_readings_in_which_mastery_points_decide_where_cards_go_are_refused_at_once() -> None:
    asked = ["rules.mp_zero_check=immediate", "rules.both_defeated=smaller_excess", "rules.eop1_pooled=true"]
    with pytest.raises(RulesError) as refused:
        Configurations.of(moves("shieldsmen", "spears", *asked, "situation.max_periods=29"))
    fields = [fault.field for fault in refused.value.faults]
    assert fields == ["rules.mp_zero_check", "rules.both_defeated", "rules.eop1_pooled", "situation.max_periods"]


def test_a_state_that_is_none_of_the_configurations_has_no_row() -> None:
    """Nor one that is not asked for; and asking for it does not make it one."""
    listed = Configurations.of(moves("shieldsmen+archers", "spears"))
    for columns in listed.columns:
        n = len(columns["over"])
        every, odd = np.ones(n, bool), np.arange(n) % 2 > 0
        foreign = {name: column.copy() for name, column in columns.items()}
        foreign["b_damage"][odd] = 900
        for _ in range(2):
            assert np.array_equal(listed.rows(foreign, every), np.where(odd, -1, np.arange(n)))
        assert np.array_equal(listed.rows(columns, odd), np.where(odd, np.arange(n), -1))
        too_early = {**columns, "turns": np.full(n, len(listed.columns), np.int16)}
        assert set(listed.rows(too_early, every).tolist()) == {-1}, "no such number of turns"


def test_numbers_are_found_and_not_given() -> None:
    numbers = Numbers()
    assert numbers.find(np.array([4, 7])).tolist() == [-1, -1], "none was met yet"
    assert numbers.of(np.array([40, 7, 40, 9]))[0].tolist() == [2, 0, 2, 1]
    assert numbers.find(np.array([9, 8, 100, -5, 40, 7])).tolist() == [1, -1, -1, -1, 2, 0]
    assert len(numbers) == 3
    assert numbers.of(np.array([8, 9]))[0].tolist() == [3, 1]


def test_layers_find_what_they_have_numbered() -> None:
    """As many turns left, and both sides together: each side alone was met."""
    listed = Configurations.of(moves("shieldsmen+archers", "spears"))
    columns = listed.columns[1]
    n = len(columns["over"])
    layers = Layers(listed.moves.start(), CONFIGURATION)
    met = np.arange(n) < n // 2
    numbers = layers.number(columns, met)
    assert np.array_equal(layers.find(columns, np.ones(n, bool)), np.where(met, numbers, -1))
    assert set(layers.find({**columns, "turns": columns["turns"] - 1}, met).tolist()) == {-1}
    assert layers.sizes[1] == n // 2

"""From the cases of a table to its questions."""

from __future__ import annotations

from typing import Any

import pytest

from balance.analysis.scores.measures import Measure
from balance.game.loaded import LoadedGame, load
from balance.study.frames import cells
from balance.study.frames.cells import MOST_OF_ALL, Cell, cells_of, spread, table_faults, too_many, values_of
from balance.study.settings.tables import Case, ReportTable
from tests.toy.game import GAME as TOY


@pytest.fixture(scope="module")
def game() -> LoadedGame:
    return load(TOY)


def case(**told: Any) -> Case:
    return Case.model_validate(told)


def labels(game: LoadedGame, *told: dict[str, Any], **names: str) -> list[str]:
    return [one.label for one in spread([case(**one) for one in told], game, names)]


def test_a_case_goes_by_its_label_or_by_whom_it_sets(game: LoadedGame) -> None:
    assert labels(game, {"label": "x", "one": "rat"}, {"one": "rat", "other": "ogre"}, {"other": "knight"}, {}) == [
        *("x", "Rat", "Knight", "")
    ]


def test_a_name_is_the_settings_a_cards_or_the_id_in_words(game: LoadedGame) -> None:
    of = ["rat", "knight", "dire_wolf", 3, True]
    assert labels(game, {"each": "one", "of": of}, rat="A rat") == ["A rat", "Knight", "Dire wolf", "3", "true"]
    assert labels(load("warforged"), {"each": "one", "of": ["nexus+shotgun", "nexus", "shotgun+nexus"]}) == [
        *("Nexus + Shotgun", "Nexus", "Shotgun+nexus")
    ]


def test_two_of_one_name_are_told_apart_by_their_ids_and_one_named_twice_is_not(game: LoadedGame) -> None:
    assert labels(game, {"each": "one", "of": ["rat", "knight", "ogre"]}, rat="It", ogre="It") == [
        *("It (rat)", "Knight", "It (ogre)")
    ]
    assert labels(game, {"each": "one", "of": ["rat", "rat"]}) == ["Rat", "Rat"]


@pytest.mark.parametrize(
    ("told", "set_to"),
    [
        ({"each": "one", "of": ["rat"]}, {"one": "rat"}),
        ({"each": "other", "of": ["rat"], "written": "{}:2/{}"}, {"other": "rat:2/rat"}),
        ({"each": "first", "of": ["b"]}, {"first": "b"}),
        ({"each": "a.dice", "of": [3], "set": {"a.health": 1}}, {"set": {"a.health": 1, "a.dice": 3}}),
        ({"each": "a.dice", "of": [3], "written": "{}0"}, {"set": {"a.dice": "30"}}),
        ({"each": "a.shield", "of": [True]}, {"set": {"a.shield": True}}),
        (
            {"each": "a_effort", "of": ["bold"], "choices": {"b_effort": "x"}},
            {"choices": {"b_effort": "x", "a_effort": "bold"}},
        ),
        ({"each": "flags", "of": [True]}, {"choices": {"flags": "true"}}),
    ],
)
def test_each_value_is_put_where_it_belongs(told: dict[str, Any], set_to: dict[str, Any], game: LoadedGame) -> None:
    (found,) = spread([case(**told)], game, {})
    kept: dict[str, Any] = {"one": None, "other": None, "first": None, "set": {}, "choices": {}, "each": "", "of": []}
    assert found.model_dump(include=set(kept)) == kept | set_to


def test_all_of_something_is_what_the_catalogue_lists(game: LoadedGame) -> None:
    for text in ("all entrants", "all targets", "all fighters"):
        assert values_of(case(each="one", of=text), game) == ["rat", "knight", "ogre"]
    assert values_of(case(each="one", of="all units"), load("warforged"))[:2] == ["nexus", "whisper"]
    assert values_of(case(each="one", of="all targets"), load("warforged"))[:2] == ["nexus", "whisper"]
    assert values_of(case(each="one", of="all entrants"), load("warforged"))[0] == "nexus+assault_rifle"
    assert values_of(case(each="one", of="all monsters"), game) == []


def test_of_more_than_there_is_room_for_the_first_forty_are_shown_and_it_is_said(
    game: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_OF_ALL == 40
    for n, told in ((40, []), (41, ["'all monsters' are 41, and the first 40 are shown"])):
        monkeypatch.setattr(cells, "_whole", lambda loaded, n=n: {"monsters": [f"m{at}" for at in range(n)]})
        many, few = case(each="one", of="all monsters"), case(each="one", of=["rat"])
        assert values_of(many, game) == [f"m{at}" for at in range(40)]
        assert [str(fault) for fault in too_many([few, many], game)] == told


def table(**told: Any) -> ReportTable:
    plain = {"id": "x", "caption": "X", "rung": "attack", "measure": {"mean": "damage"}}
    return ReportTable.model_validate(plain | {"rows": [{"label": "r"}], "columns": [{"label": "c"}]} | told)


def laid(changes: tuple[str, ...] = (), **told: Any) -> list[Cell]:
    one = table(**told)
    return list(cells_of(one, one.rows, one.columns, changes))


def test_cells_come_row_by_row() -> None:
    found = laid(rows=[{"label": "1"}, {"label": "2"}], columns=[{"label": "a"}, {"label": "b"}])
    assert [(cell.row, cell.column) for cell in found] == [("1", "a"), ("1", "b"), ("2", "a"), ("2", "b")]


def test_a_column_says_what_its_row_does_not_and_a_row_what_the_table_does_not() -> None:
    said = {"measure": {"chance": "damage"}, "show": "difference", "baseline": {"one": "ogre"}}
    for row, column, told in (
        ({}, {}, Measure(mean="damage")),
        (said, {}, Measure(chance="damage")),
        ({"measure": {"wins": "a"}, "show": "baseline", "baseline": {"one": "rat"}}, said, Measure(chance="damage")),
        ({}, said, Measure(chance="damage")),
    ):
        (cell,) = laid(one="knight", rows=[{"label": "r"} | row], columns=[{"label": "c"} | column])
        assert cell.measure == told
        assert cell.show == ("difference" if row or column else "value")
        assert (cell.baseline.side_a if cell.baseline else None) == ("ogre" if row or column else None)
        assert cell.ask.side_a == "knight"
    (cell,) = laid(one="knight", show="baseline", baseline={"other": "rat"}, set={"a.dice": 2})
    assert (cell.show, cell.ask.side_b, cell.ask.changes) == ("baseline", "", ("a.dice=2",))
    assert cell.baseline is not None
    assert (cell.baseline.side_a, cell.baseline.side_b, cell.baseline.changes) == ("knight", "rat", ("a.dice=2",))


def test_a_baseline_that_is_not_shown_is_not_asked() -> None:
    (cell,) = laid(baseline={"one": "rat"})
    assert cell.baseline is None
    assert cell.asks == (cell.ask,)


def test_a_worth_asks_every_step_up_to_the_last() -> None:
    worth = {"path": "a.dice", "low": 1, "high": 3}
    (cell,) = laid(("a.dice=9", "b.dice=8"), show="worth", worth=worth, baseline={"one": "rat"})
    assert [ask.changes for ask in cell.steps] == [("b.dice=8", f"a.dice={n}") for n in (1, 2, 3)]
    assert cell.asks == (cell.ask, cell.baseline, *cell.steps)
    assert laid(worth=worth)[0].steps == ()


def test_a_cell_without_a_measure_is_no_cell() -> None:
    assert laid(measure=None) == []


@pytest.mark.parametrize(("most", "n_faults"), [(3, 1), (4, 0)])
def test_a_table_of_too_many_cells_is_told(most: int, n_faults: int, game: LoadedGame, monkeypatch: Any) -> None:
    monkeypatch.setattr(cells, "MOST_TABLE_QUESTIONS", most)
    two = [{"label": "1"}, {"label": "2"}]
    found = [str(fault) for fault in table_faults(table(rows=two, columns=two), game, {})]
    told = f"rows: has 2 rows and 2 columns, more than {most} cells; show fewer, or make several tables"
    assert found == [told] * n_faults

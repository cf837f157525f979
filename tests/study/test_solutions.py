"""Games solved for a report: the tables they become."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from balance.analysis.changes.handicaps.remedies import remedies
from balance.base.errors import Fault, RulesError, StudyError
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from balance.game.solution import CHANGE, Method, Solution, SolutionTable
from balance.study.frames.solutions import ReportSolution, solution_frames, table_name

OPENING = SolutionTable("opening", "How often each card is played", ("card", "share"), ((1, 0.25), (2, 0.75)))


def solved(setup: Any, method: Method, seed: int) -> Solution:
    """Stand in for a game's solver: as if it had measured these bounds."""
    if method == "exact":
        return Solution("exact", "by hand", 0.625, 0.625, 0.625, 1e-12, True, 3, 10, (OPENING,))
    return Solution("approximate", "by guess", 0.6, 0.55, 0.65, 0.1, False, 3, 10)


def too_large(setup: Any, method: Method, seed: int) -> Solution:
    raise RulesError("too large to solve exactly", "take fewer cards")


def asker(solve: Any = solved) -> Runner:
    base = load("warforged")
    duel = replace(base.definition.kinds["duel"], solve=solve)
    return Runner(LoadedGame(replace(base.definition, kinds={**base.definition.kinds, "duel": duel}), base.catalogue))


def wanted(**more: Any) -> ReportSolution:
    plain = {"id": "x", "title": "X", "rung": "duel", "one": "nexus+shotgun", "other": "trooper+shotgun"}
    return ReportSolution.model_validate(plain | more)


def test_a_solution_becomes_a_row_and_its_tables() -> None:
    frames = solution_frames(asker(), [wanted(), wanted(id="y", method="approximate", set={"a.armour": 3})])
    assert list(frames) == ["solutions", "solution_tables", "solution_x_opening"]
    rows = frames["solutions"].rows(named=True)
    assert [(row["id"], row["kind"], row["value"], row["converged"]) for row in rows] == [
        ("x", "exact", 0.625, True),
        ("y", "approximate", 0.6, False),
    ]
    assert rows[1]["changes"] == ["a.armour=3"]
    assert frames["solution_x_opening"].rows() == [(1, 0.25), (2, 0.75)]
    assert frames["solution_tables"].rows() == [("x", "opening", OPENING.title, [])]


def test_a_change_scores_by_the_usual_play_what_handicap_says_of_it() -> None:
    """The same number at the prompt and in a report; negative control: of another change it is another one."""
    query = Query("duel", "nexus+assault_rifle", "trooper+shotgun")
    (at_prompt,) = remedies(asker(), query, ["b.health"]).remedies
    table = SolutionTable("even", "T", ("to", CHANGE), ((1, at_prompt.change), (2, "b.health=99")))
    solution = replace(solved(None, "exact", 0), tables=(table,))
    frames = solution_frames(
        asker(lambda setup, method, seed: solution), [wanted(one=query.side_a, other=query.side_b)]
    )
    row, other = frames["solution_x_even"].rows(named=True)
    told = at_prompt.score
    assert (row["usual"], row["usual low"], row["usual high"]) == (told.value, told.low, told.high)
    assert other["usual"] != told.value
    assert row["usual play"] == next(iter(asker().game.kind("duel").choices.values()), ("",))[0]


def test_what_a_solution_sets_goes_before_what_the_study_changes() -> None:
    frames = solution_frames(
        asker(), [wanted(set={"a.armour": 3})], changes=lambda kind: ("a.armour=1", "rules.faces=0-9")
    )
    assert frames["solutions"]["changes"].to_list() == [["rules.faces=0-9", "a.armour=3"]]


def test_nothing_wanted_is_no_table() -> None:
    assert solution_frames(asker(), []) == {}


@pytest.mark.parametrize("solve", [too_large, None])
def test_what_cannot_be_solved_is_told_by_its_place_or_left_out(solve: Any) -> None:
    with pytest.raises(StudyError, match=r"report.toml, solution x: .*solved?"):
        solution_frames(asker(solve), [wanted()])
    assert solution_frames(asker(solve), [wanted()], gaps=[]) == {}


def test_what_is_raised_names_the_solution_and_the_tip() -> None:
    with pytest.raises(StudyError) as error:
        solution_frames(asker(too_large), [wanted(), wanted(id="y")])
    assert str(error.value) == "report.toml, solution x: too large to solve exactly; take fewer cards"
    gaps = list[Fault]()
    solution_frames(asker(too_large), [wanted(), wanted(id="y")], gaps=gaps)
    told = "report.toml, solution {}: too large to solve exactly; take fewer cards"
    assert list(map(str, gaps)) == [told.format("x"), told.format("y")]


def test_each_is_solved_by_its_own_method_with_the_seed_and_told_in_order() -> None:
    asked = list[tuple[Method, int]]()

    def noted(setup: Any, method: Method, seed: int) -> Solution:
        asked.append((method, seed))
        return solved(setup, method, seed)

    wants = [wanted(id="a", method="approximate"), wanted(id="b"), wanted(id="c", other="trooper+sidearm")]
    frames = solution_frames(asker(noted), wants, seed=9)
    assert asked == [("exact", 9), ("exact", 9), ("approximate", 9)]
    assert frames["solutions"].select("id", "kind").rows() == [("a", "approximate"), ("b", "exact"), ("c", "exact")]
    assert frames["solutions"].row(1, named=True) == {
        "id": "b",
        "one": "nexus+shotgun",
        "other": "trooper+shotgun",
        "changes": [],
        "kind": "exact",
        "how": "by hand",
        "value": 0.625,
        "lower": 0.625,
        "upper": 0.625,
        "half_width": 0.0,
        "exploitability": 1e-12,
        "converged": True,
        "iterations": 3,
        "n_states": 10,
    }
    assert table_name("a", "b") == "solution_a_b"

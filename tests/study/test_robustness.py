"""Conclusions held against assumed values for a report: the tables they become, of a game where all is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import StudyError
from balance.engine.runner import Runner
from balance.study.frames.robustness import ReportRobustness, robustness_frames
from tests.analysis.coins import written


def wanted(**more: Any) -> ReportRobustness:
    plain = {"id": "x", "title": "X", "rung": "toss", "one": "ann", "other": "bob", "over": ["faces"]}
    return ReportRobustness.model_validate(plain | more)


@pytest.fixture
def coins(tmp_path: Path) -> Runner:
    """Return a toss in which a hits with 5 faces of 6, b with 2, so that a scores 9/12 and each face counts 1/12."""
    return Runner(written(tmp_path))


def test_a_conclusion_becomes_a_row_and_three_tables(coins: Runner) -> None:
    frames = robustness_frames(coins, [wanted()])
    assert list(frames) == ["robustness", "robustness_x_values", "robustness_x_moves", "robustness_x_region"]
    (row,) = frames["robustness"].rows(named=True)
    assert row == {
        "id": "x",
        "one": "ann",
        "other": "bob",
        "changes": [],
        "measure": "score of a",
        "is_share": True,
        "value": 0.75,
        "low": 0.75,
        "high": 0.75,
        "says": "a is ahead",
        "limit": 0.5,
        "n_trials": 0,
        "n_values": 14,
        "n_alone": 0,
        "n_unseen": 2,
        "n_fixed": 0,
        "n_moves": 3,
        "most": 4,
        "flips": True,
        "then": 0.5,
        "then_low": 0.5,
        "then_high": 0.5,
        "then_says": "tied",
        "stands": pytest.approx(21 / 49, abs=1e-12),
        "across": "faces of a from HIT to MIS",
        "down": "faces of b from MIS to HIT",
    }
    values = frames["robustness_x_values"]
    assert values["path"].to_list() == [f"faces.{die}_{at}.results" for die in "ab" for at in range(1, 7)]
    assert values.rows()[0] == ("faces.a_1.results", "HIT", "MIS", "", pytest.approx(2 / 3, abs=1e-12), 0.75, False)
    assert values.rows()[-1] == ("faces.b_6.results", "MIS", "HIT", "", pytest.approx(2 / 3, abs=1e-12), 0.75, False)
    assert frames["robustness_x_moves"].rows() == [(f"faces.a_{at}.results", "HIT", "MIS") for at in (1, 2, 3)]
    region = {(x, y): (value, flips) for x, y, value, flips in frames["robustness_x_region"].rows()}
    assert region == {
        (x, y): (pytest.approx(0.75 - (x + y) / 12, abs=1e-12), x + y >= 3) for x in range(-1, 6) for y in range(-2, 5)
    }


def test_each_has_its_own_claim_measure_and_question(coins: Runner) -> None:
    more = [
        wanted(id="sure", at_least=0.7),
        wanted(id="rare", at_most=0.7, moves=1),
        wanted(id="many", measure={"mean": "hits"}),
        wanted(id="drawn", rung="series", trials=64),
        wanted(id="set", set={"rules.ties": "a"}),
    ]
    rows = robustness_frames(coins, more, changes=lambda kind: ("rules.ties=half",))["robustness"].rows(named=True)
    assert [(row["says"], row["n_moves"], row["flips"]) for row in rows] == [
        ("at least 70.0%", 1, True),
        ("more than 70.0%", 1, True),
        ("", 0, False),
        ("a is ahead", 4, True),
        ("a is ahead", 4, False),
    ]
    assert [row["n_trials"] for row in rows] == [0, 0, 0, 64, 0]
    assert [row["changes"] for row in rows] == [["rules.ties=half"]] * 4 + [["rules.ties=a"]]
    assert (rows[2]["limit"], rows[2]["then"], rows[2]["is_share"]) == (None, None, False)


def test_nothing_wanted_is_no_table(coins: Runner) -> None:
    assert robustness_frames(coins, []) == {}


def test_what_cannot_be_asked_is_told_with_its_place(coins: Runner) -> None:
    wrong = [wanted(id="lost", over=["face"]), wanted()]
    with pytest.raises(StudyError) as refused:
        robustness_frames(coins, wrong)
    assert str(refused.value) == (
        "report.toml, robustness lost: 'face' is not a table; allowed: players, faces, rules, constants; "
        "did you mean faces?"
    )
    gaps: list[Any] = []
    assert robustness_frames(coins, wrong, gaps=gaps)["robustness"]["id"].to_list() == ["x"]
    assert [fault.field for fault in gaps] == ["robustness lost"]


@pytest.mark.parametrize("more", [{"moves": 0}, {"moves": 21}, {"trials": 0}, {"trials": 2**24 + 1}])
def test_numbers_out_of_range_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"should be (greater|less) than or equal to"):
        wanted(**more)


def test_two_conclusions_at_once_are_refused() -> None:
    with pytest.raises(ValueError, match="holds at_least and at_most: ask for one after the other"):
        wanted(at_least=0.2, at_most=0.3)

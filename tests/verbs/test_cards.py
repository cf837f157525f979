"""`balance.card`: its tables, and that its numbers hang on nothing but the question."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.analysis.changes.neighbours.card_changes import CardChanges
from balance.analysis.stability.answer import Stability
from balance.base.errors import BalanceError, UsageError
from balance.verbs.call.result import Result


def changes(**options: Any) -> Result[CardChanges]:
    return balance.card("warforged", "trooper+shotgun", among="nexus+assault_rifle,aegis+sidearm", **options)


@pytest.mark.slow("test_verdicts_of_a_part_of_a_game_hold_over_ways_of_playing")
def test_the_changes_are_the_first_table_best_first(tmp_path: Path) -> None:
    card = changes(cache=tmp_path)
    assert [*card.tables] == ["changes", "pairs"]
    best = card.to_polars().row(0, named=True)
    assert best["change"] == "with emp"
    assert best["score"] == best["score_low"] == best["score_high"] == pytest.approx(0.22, abs=0.005)
    assert best["actions_to_kill"] == pytest.approx(0)
    assert max(len(repr(card)), len(repr(card.value))) < 200
    assert card.plot().axes[0].get_xlabel() == "score"
    drawn = [label.get_text() for label in card.plot("pairs").axes[0].get_yticklabels()]
    pairs = [" and ".join(pair) for pair in card.to_polars("pairs")["changes"].to_list()]
    assert drawn[:3] == pairs[:3]


@pytest.mark.slow("test_verdicts_of_a_part_of_a_game_hold_over_ways_of_playing")
def test_the_changes_are_the_same_after_pickling(tmp_path: Path) -> None:
    card = changes(cache=tmp_path)
    assert isinstance(card.value, CardChanges)
    assert_same_after_pickling(card)


@pytest.mark.slow("tests/verbs/test_means_of_verbs.py::test_the_answer_is_the_same_wherever_it_is_worked_out")
def test_no_number_depends_on_how_the_work_is_done(tmp_path: Path) -> None:
    alone = changes(cache=False).to_dict()
    assert changes(jobs=2, executor="processes", cache=False).to_dict() == alone
    assert changes(cache=tmp_path).to_dict() == changes(cache=tmp_path).to_dict() == alone


@pytest.mark.slow("test_who_is_nobody_in_a_part_of_a_game_is_named")
def test_a_part_of_a_game_is_priced_by_itself() -> None:
    field = ["trooper+sidearm", "nexus+shotgun", "trooper+shotgun", "trooper+sidearm"]
    prices = balance.price("warforged", among=field, battles=100, jobs=1, cache=False)
    assert prices.to_polars("loadouts")["entrant"].to_list() == field[:3]


def test_who_is_nobody_in_a_part_of_a_game_is_named() -> None:
    with pytest.raises(BalanceError, match="did you mean trooper"):
        balance.price("warforged", among="troper+shotgun")
    with pytest.raises(UsageError, match="among= prices a part of the game"):
        balance.price("warforged", "trooper", among="trooper+shotgun")


def test_verdicts_of_a_part_of_a_game_hold_over_ways_of_playing() -> None:
    stable = balance.stability(
        "warforged", "lineup", among=["nexus+shotgun", "trooper+shotgun"], ways=["focus"], budget="150:4", battles=1024
    )
    assert stable.to_polars("loadouts")["entrant"].to_list() == ["nexus+shotgun", "trooper+shotgun"]
    assert isinstance(stable.value, Stability)
    assert stable.value.cards["shotgun"].table == "weapons"
    assert len(repr(stable.value)) < 200
    assert_same_after_pickling(stable)


def assert_same_after_pickling(result: Result[Any]) -> None:
    again = pickle.loads(pickle.dumps(result))
    assert (again.value, again.to_dict(), str(again)) == (result.value, result.to_dict(), str(result))
    assert list(again.tables) == list(result.tables)
    assert all(again.tables[name].equals(frame) for name, frame in result.tables.items())

"""What one table of a report may say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from balance.base.errors import Fault
from balance.study.settings.tables import ReportTable, Variation, Worth, in_report


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (0, 1), (-20, 20), (0, 40)])
def test_what_makes_up_is_looked_for_upwards(low: int, high: int) -> None:
    worth = Worth(path="situation.extra_dice", low=low, high=high)
    assert (worth.low, worth.high) == (low, high)


@pytest.mark.parametrize(("low", "high"), [(3, 3), (1, 0), (0, 41), (-21, 20)])
def test_no_steps_downwards_and_not_too_many(low: int, high: int) -> None:
    with pytest.raises(ValidationError, match=f"goes from {low} to {high}: high must be above low, by at most 40"):
        Worth(path="situation.extra_dice", low=low, high=high)


def test_what_a_later_variation_says_wins() -> None:
    one = Variation(one="a", other="b", first="a", set={"x": 1, "y": 1}, choices={"c": "1", "d": "1"})
    two = Variation(one="A", other="B", first="b", set={"y": 2}, choices={"d": "2"})
    both = {"set": {"x": 1, "y": 2}, "choices": {"c": "1", "d": "2"}}
    assert one.changed_by(two) == Variation.model_validate({"one": "A", "other": "B", "first": "b"} | both)
    assert one.changed_by(Variation()) == one == Variation().changed_by(one)


def test_a_variation_becomes_a_question() -> None:
    said = Variation(one="a", first="b", set={"x": True, "y": 2}, choices={"d": "2", "c": "1"})
    asked = said.ask("duel", ("y=1", "z=1"))
    assert (asked.kind, asked.side_a, asked.side_b, asked.first) == ("duel", "a", "", "b")
    assert (asked.changes, asked.choices) == (("z=1", "x=true", "y=2"), (("c", "1"), ("d", "2")))
    assert Variation().ask("duel", ()).side_a == ""


def test_one_kind_of_card_alone_is_the_one_side_in_rows_and_the_other_in_columns() -> None:
    plain = {"id": "x", "caption": "X", "rung": "attack", "rows": "all units", "columns": "all targets"}
    found = ReportTable.model_validate(plain)
    assert [(case.each, case.of) for case in (*found.rows, *found.columns)] == [
        ("one", "all units"),
        ("other", "all targets"),
    ]


def test_a_table_cautions_against_nothing_unless_it_says_so() -> None:
    plain = {"id": "x", "caption": "X", "rung": "attack", "rows": "all units", "columns": "all targets"}
    assert ReportTable.model_validate(plain).caution == ""
    assert ReportTable.model_validate(plain | {"caution": "{largest}"}).caution == "{largest}"
    with pytest.raises(ValidationError, match="caution"):
        ReportTable.model_validate(plain | {"caution": 3})


def test_a_fault_is_told_from_the_outside_in() -> None:
    fault = Fault("is wrong", "elsewhere.toml", 3, "dice")
    assert str(in_report(fault, "table x", "", "row 'y'")) == "report.toml, table x, row 'y', dice: is wrong"
    assert str(in_report(Fault("is wrong"))) == "report.toml: is wrong"

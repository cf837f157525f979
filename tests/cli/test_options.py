"""How the words of every verb are read: numbers of trials and budgets as people write them."""

from __future__ import annotations

import pytest
import typer

from balance.base.errors import UsageError
from balance.cli.commands import parse_count
from balance.verbs.call.words import parse_budgets


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("100000", 100_000),
        ("100_000", 100_000),
        ("1,000,000", 10**6),
        ("1e5", 10**5),
        ("1.5e3", 1500),
        ("2.0", 2),
        ("-3", -3),
        ("1e40", 10**40),
    ],
)
def test_a_number_of_trials_is_read_as_people_write_it(text: str, number: int) -> None:
    assert parse_count(text) == number


@pytest.mark.parametrize("text", ["", "many", "1.5", "1e-1", "1e41", "inf", "nan", "0x10", "1e999999999"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter) as found:
        parse_count(text)
    assert found.value.message == f"{text!r} is not a number of trials, such as 100000 or 1e5"


@pytest.mark.parametrize("text", ["", "1:2:3", "nan:3", "10:inf", "0.5:3", "10:0.5", "10:65", ":"])
def test_what_is_no_budget_is_none(text: str) -> None:
    with pytest.raises(UsageError):
        parse_budgets(text)


def test_budgets_are_read_with_their_limits() -> None:
    assert parse_budgets("1:1") == ((1.0, 1.0),)
    assert parse_budgets("100000:64,150:4.5") == ((100_000.0, 64.0), (150.0, 4.5))

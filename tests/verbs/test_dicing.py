"""`balance.dice`: its tables, its pictures, and the short form of what it returns."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
from balance.base.errors import BalanceError


def test_one_distribution_is_the_first_table() -> None:
    odds = balance.dice("2d6")
    assert [*odds.tables] == ["chances", "rows"]
    assert odds.to_polars().filter(total=7).rows() == [(7, pytest.approx(1 / 6), pytest.approx(21 / 36))]
    assert odds.plot().axes[0].get_xlabel() == "total"


def test_several_expressions_are_rows() -> None:
    odds = balance.dice("{1..3}d6", "2d6 >= 7")
    assert odds.to_polars()["mean"].to_list() == pytest.approx([3.5, 7, 10.5, 7 / 12])
    assert odds.to_polars()["values"].to_list() == [[1], [2], [3], []]
    assert odds.to_polars("chances").filter(expression="3d6", value=18)["p"].to_list() == pytest.approx([1 / 216])
    assert len(odds.plot("chances").axes[0].lines) == 4


def test_contests_and_symbols_have_their_own_tables() -> None:
    contests = balance.dice("d6 vs d6").to_polars()
    assert contests.select("expression", "win", "tie", "lose").rows() == [
        ("1d6 vs 1d6", *map(pytest.approx, (5 / 12, 1 / 6, 5 / 12)))
    ]
    symbols = balance.dice("2d{p,p+flag,-}")
    assert symbols.to_polars().select("column", "mean").rows() == [("p", pytest.approx(4 / 3)), ("flag", 2 / 3)]


def test_its_short_forms_are_short() -> None:
    long = "+".join(f"{n}d{n + 1}" for n in range(1, 15))
    for odds in (
        balance.dice(long),
        balance.dice(long, long),
        balance.dice("1d{" + ",".join(f"symbol{n}x" for n in "abcdefgh") + "}"),
    ):
        assert max(len(repr(odds)), len(repr(odds.value))) < 200
    assert repr(balance.dice("3d6").value) == "<DiceOdds: Odds('3d6', mean 10.5000, exact)>"


def test_files_are_written_and_never_replaced(tmp_path: Path) -> None:
    picture, page = tmp_path / "odds.svg", tmp_path / "odds.html"
    balance.dice("3d6", picture=str(picture), page=page)
    assert picture.read_bytes().startswith(b"<svg") and b"<html" in page.read_bytes()
    with pytest.raises(BalanceError, match="is already there"):
        balance.dice("3d6", picture=picture)


def test_nothing_to_ask_is_told() -> None:
    with pytest.raises(BalanceError, match="there is nothing to tell the odds of"):
        balance.dice()

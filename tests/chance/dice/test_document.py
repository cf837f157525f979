"""What docs/reference/dice.md says of each form is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from balance.base import limits
from balance.chance.dice import odds, parse, roll, table
from balance.chance.dice.odds import QUANTILES
from balance.chance.pmf import Pmf

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "dice.md").read_text("utf-8")
ROWS = [row.split("|") for row in TEXT.splitlines() if row.startswith("| `")]
MEANS = [
    (cells[1].split("`")[1], float(mean[1]))
    for cells in ROWS
    if (mean := re.search(r"mean (-?[0-9.]+)", cells[-2])) is not None
]


def test_there_are_many() -> None:
    assert len(MEANS) >= 26


@pytest.mark.parametrize(("text", "mean"), MEANS)
def test_the_example_of_a_form_is_its_mean(text: str, mean: float) -> None:
    assert odds(text).mean() == pytest.approx(mean, abs=5.1e-5)


@pytest.mark.parametrize(
    "text", [text for cells in ROWS for text in re.findall("`([^`]*)`", cells[1]) if "..." not in text]
)
def test_every_form_can_be_read(text: str) -> None:
    assert str(parse(text))


@pytest.mark.parametrize("text", re.findall(r"^\$ balance dice '([^']*)'", TEXT, re.MULTILINE))
def test_every_command_can_be_asked(text: str) -> None:
    assert table(text)


def test_the_limits_are_those_in_force() -> None:
    told = TEXT[TEXT.index("Limits:") :]
    names = ("CHARACTERS", "FACES", "NESTING", "ROWS", "SYMBOLS", "VALUE")
    numbers = [getattr(limits, f"MOST_DICE_{name}") for name in names] + [limits.MOST_DICE]
    assert [number for number in numbers if f"{number:,}" not in told.split("\n\n")[0]] == []
    assert f"{limits.MOST_DICE_WORK:,} steps" in TEXT


def test_as_python() -> None:
    best = odds("3d6 keep 2")
    assert (round(best.mean(), 4), round(best.sd(), 4), round(best.swing() or 0.0, 4), best.mode()) == (
        8.4583,
        2.2149,
        0.2619,
        (9,),
    )
    assert best.pmf == Pmf.of(dict(best.weights), "total")
    assert [best.quantile(per_cent / 100) for per_cent in QUANTILES] == [4, 7, 9, 10, 12]
    assert sum(odds("3d6 vs 2d8").results.values()) == pytest.approx(1)
    contest = odds("3d6 vs 2d8").pmf
    assert contest.columns == ("result", "total")
    assert contest.chance(lambda result: result == 1) == pytest.approx(odds("3d6 vs 2d8").results["win"])
    assert odds("4d{hit,flag,-}").pmf.columns == ("hit", "flag")
    assert roll("3d6 keep 2", 1000, seed=1).shape == (1000,)


def test_swing_is_not_measurable_where_signs_differ() -> None:
    assert odds("1d6 - 1d6").swing() is None
    assert odds("1d6 - 2").swing() is None
    assert odds("0 * 1d6").swing() is None
    assert odds("1d6 - 10").swing() == pytest.approx(odds("1d6").sd() / 6.5)
    assert odds("1d6 - 1").swing() == pytest.approx(odds("1d6").sd() / 2.5)


@pytest.mark.parametrize("text", ["2d6", "1d20", "5d10 count >=7", "4dF"])
@pytest.mark.parametrize("per_cent", QUANTILES)
def test_a_quantile_is_the_least_total_not_exceeded_so_often(text: str, per_cent: int) -> None:
    found = odds(text)
    value = found.quantile(per_cent / 100)
    assert 1 - found.at_least(value + 1) >= per_cent / 100 - 1e-12
    assert 1 - found.at_least(value) < per_cent / 100 + 1e-12


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3d{5,0,1} keep 2", "3d{1,5,0} keep 2"),
        ("2d6 + 1d8 + 3", "3 + 1d8 + 2d6"),
        ("max(1d8!, 2d6)", "max(2d6, 1d8!)"),
        ("3d{0*2,1*4}", "3d{0,1*2}"),
        ("4d{a,b,-} count a", "4d{-,b,a} count a"),
        ("5d6 drop 2", "5d6 keep 3"),
        ("5d6 keep lowest 3", "5d6 drop highest 2"),
        ("5d10 count <=6", "5 - 5d10 count >=7"),
        ("6d6 count 5-6", "(6d6 count 5) + 0 * 1d6".replace("(6d6 count 5) + 0 * 1d6", "6d3 count 3")),
        ("1d6 * 2", "2 * 1d6"),
    ],
)
def test_two_ways_to_say_one_thing_have_one_law(one: str, other: str) -> None:
    assert odds(one).pmf == odds(other).pmf


def test_a_contest_turned_round_is_lost_as_often() -> None:
    one, other = odds("3d6! vs 2d8").results, odds("2d8 vs 3d6!").results
    assert one["win"] == pytest.approx(other["lose"])
    assert one["tie"] == pytest.approx(other["tie"])


def test_symbols_renamed_and_turned_round_change_nothing() -> None:
    one, other = odds("5d{hit,hit,flag,-,hit+flag}"), odds("5d{-,b+a,b,a,a}")
    assert one.weights_of("hit") == other.weights_of("a")
    assert one.weights_of("flag") == other.weights_of("b")

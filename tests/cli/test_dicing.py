"""`balance dice` as people type it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.reporting.policy import check_policy


def told(balance: Command, *words: str) -> dict[str, Any]:
    done = balance("dice", *words, "--json")
    assert done.status == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def row_told(balance: Command, *words: str) -> dict[str, Any]:
    """Return the object of the one expression."""
    (row,) = told(balance, *words)["rows"]
    return dict(row)


def test_a_total_as_json(balance: Command) -> None:
    found = told(balance, "3d6 keep 2")
    assert (found["schema"], found["verb"], found["expressions"]) == (
        1,
        "dice",
        [{"text": "3d6 keep 2", "families": []}],
    )
    (row,) = found["rows"]
    assert (row["text"], row["kind"]) == ("3d6 keep 2", "total")
    chances, (numbers,) = row["distributions"]["total"], row["numbers"]
    assert chances["p"]["12"] == pytest.approx(16 / 216)
    assert sum(chances["p"].values()) == pytest.approx(1)
    assert chances["at_least"]["11"] == pytest.approx(43 / 216)
    assert chances["fractions"]["12"] == "2/27"
    assert numbers["mean"] == numbers["low"] == numbers["high"] == pytest.approx(1827 / 216)
    assert numbers["swing"] == pytest.approx(numbers["sd"] / numbers["mean"])
    assert [numbers[f"q{q}"] for q in (5, 25, 50, 75, 95)] == [4, 7, 9, 10, 12]


def test_a_contest_as_json(balance: Command) -> None:
    row = row_told(balance, "d6 vs d6")
    assert [row["contest"][name] for name in ("win", "tie", "lose")] == pytest.approx([15 / 36, 1 / 6, 15 / 36])
    assert row["distributions"]["total"]["p"]["-5"] == pytest.approx(1 / 36)
    assert row["numbers"][0]["swing"] is None


def test_a_chance_as_json(balance: Command) -> None:
    row = row_told(balance, "2d6 >= 7")
    assert row["numbers"][0]["mean"] == pytest.approx(7 / 12)
    assert row["distributions"]["total"]["p"] == pytest.approx({"0": 5 / 12, "1": 7 / 12})


def test_symbols_as_json(balance: Command) -> None:
    row = row_told(balance, "2d{hit,hit+flag,-}")
    assert row["distributions"]["hit"]["p"] == pytest.approx({"0": 1 / 9, "1": 4 / 9, "2": 4 / 9})
    assert {part["column"]: part["mean"] for part in row["numbers"]} == pytest.approx({"hit": 4 / 3, "flag": 2 / 3})
    assert [2, 2, pytest.approx(1 / 9)] in row["joint"]


def test_a_family_as_json(balance: Command) -> None:
    found = told(balance, "{1..8}d6 count 5-6")
    assert found["expressions"] == [{"text": "{1..8}d6 count 5-6", "families": [[1, 2, 3, 4, 5, 6, 7, 8]]}]
    numbers = [row["numbers"][0] for row in found["rows"]]
    assert [part["values"] for part in numbers] == [[n] for n in range(1, 9)]
    assert [part["mean"] for part in numbers] == pytest.approx([n / 3 for n in range(1, 9)])


def test_several_expressions_as_json(balance: Command) -> None:
    found = told(balance, "1d6", "{1,2}d4")
    assert [row["text"] for row in found["rows"]] == ["1d6", "1d4", "2d4"]


def test_what_is_too_large_is_simulated(balance: Command) -> None:
    found = told(balance, "1d100!>=2", "--trials", "2000", "--seed", "5")
    (row,) = found["rows"]
    assert "more than 8,000,000 steps" in row["reason"]
    assert (row["n_trials"], row["seed"], found["seed"], found["simulated"]) == (2000, 5, 5, [])
    assert row["numbers"][0]["low"] < 5050 < row["numbers"][0]["high"]
    assert found == told(balance, "1d100!>=2", "--trials", "2000", "--seed", "5")


def test_a_simulation_stands_beside_an_exact_answer(balance: Command) -> None:
    found = told(balance, "3d6 vs 2d8", "--trials", "4096")
    (row,), (sample,) = found["rows"], found["simulated"]
    assert sample["contest"]["win_low"] < row["contest"]["win"] < sample["contest"]["win_high"]
    said = balance("dice", "3d6 vs 2d8", "--trials", "4096").out
    assert "Simulated, 4,096 trials of seed 0: mean" in said


@pytest.mark.parametrize("words", [("--seed", "0"), ("--trials", "10")])
def test_both_ways_to_read_the_command_give_one_answer(words: tuple[str, str], balance: Command) -> None:
    """Plain flags are read past the reader of the command line, see `balance.cli.main`."""
    for text in ("3d6 keep 2", "{1..3}d6", "3d6 vs 2d8"):
        assert told(balance, text, *words)["rows"]
    assert balance("dice", "3d6", "--seed", "0").out == balance("dice", "3d6").out
    assert balance("dice", "3d6", "--every", "--seed", "0").out == balance("dice", "3d6", "--every").out


def test_every_total_is_printed_on_demand(balance: Command) -> None:
    some, every = (balance("dice", "10d10", *flags).out for flags in ((), ("--every",)))
    assert " to " in some
    assert len(every.splitlines()) > 90
    assert " to " not in every


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["3d6", "--trials", "0"], "a simulation has 1 trial or more"),
        (["3d6", "--trials", "many"], "is not a number of trials"),
        (["3d6", "--seed", "-1"], "a seed is a whole number"),
        (["3d6", "--picture", "odds.png"], "is not a name for a picture"),
        (["3d6", "--page", "odds.txt"], "is not a name for a page"),
        (["3d6", "--jsn"], "No such option"),
        (["3d6", "keep", "2"], "put quotation marks around it: balance dice '3d6 keep 2'"),
        (["{1..150}d6", "{1..100}d6"], "these expressions make 250 rows; at most 200"),
        ([], "there is nothing to tell the odds of"),
    ],
)
def test_what_is_wrong_is_told(words: list[str], told: str, balance: Command) -> None:
    done = balance("dice", *words)
    assert done.status == 2
    assert told in done.err
    assert done.out == ""


def test_the_faults_of_all_expressions_are_told(balance: Command) -> None:
    done = balance("dice", "3d6 keap 2", "2d6", "2d0")
    assert done.status == 2
    assert done.err.count("error: ") == 2


def test_an_expression_may_begin_with_a_minus(balance: Command) -> None:
    assert "-1d6 + 3" in balance("dice", "--", "-1d6+3").out


def test_a_picture_and_a_page_are_written_whole(balance: Command, elsewhere: Path) -> None:
    done = balance("dice", "4d{hit,<b>,-}".replace("<b>", "b"), "2d6!", "--picture", "a.svg", "--page", "a.html")
    assert done.status == 0
    svg, page = Path("a.svg").read_text("utf-8"), Path("a.html").read_text("utf-8")
    assert svg.startswith("<svg")
    assert "prefers-color-scheme:dark" in svg
    assert "4d{hit,b,-}" in page
    check_policy(page, "img-src data:")
    again = balance("dice", "2d6", "--picture", "a.svg")
    assert again.status == 2
    assert "already there" in again.err
    assert Path("a.svg").read_text("utf-8") == svg


def test_nothing_heavy_is_loaded_for_an_exact_answer() -> None:
    """A designer tries one pool after the other; numpy alone would take as long as the answer."""
    code = (
        "import sys; from balance.cli.main import main; main(['dice', '30d20 keep 15']);"
        "print(sorted({'numpy', 'scipy', 'polars', 'pandas', 'matplotlib', 'pydantic', 'openpyxl'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


FIRST_SCREENS = {
    "3d6 keep 2": "On average 8.4583; 4 to 12 in 98% of rolls, 9 or more in 52%.",
    "2d6 >= 7": "Chance 58.33%, 7/12.",
    "5d10 count >=7 vs 4d10 count >=7": "The first wins 47.20%, the second 27.15%; 25.65% tie.",
    "2d{hit,hit,flag,-,hit+flag}": "On average 1.2000 hit, 0.8000 flag.",
    "0d6": "Always 0.",
    "9999d6 keep 100": "On average 600.0000; 600 in 100% of rolls.",
    "{1..60}d6 count 5-6": "Means from 0.3333 (1d6 count 5-6) to 20.0000 (60d6 count 5-6).",
    "{1..40}d6 >= 41": "Chances from 0% (1d6 >= 41) to ",
    "{1..40}d6 vs 9d6": "The first wins ",
    "{1..15}d6 keep {1..10}": "Means from ",
    "10d10": "On average 55.0000; 40 to 70 in ",
    "1d100!>=2": "On average ",
    "12d{" + ",".join(f"s{n}" for n in range(20)) + "}": "On average ",
    "3d6 keep 2 reroll 1": "On average ",
}


@pytest.mark.parametrize("text", FIRST_SCREENS)
def test_the_first_screen_answers_first_and_fits_a_small_terminal(
    text: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = balance("dice", text)
    lines = done.out.rstrip("\n").split("\n")
    assert FIRST_SCREENS[text] in done.out
    body = [*lines, ""].index("")
    assert "─" not in "".join(lines[:body])
    assert len(lines) + sum(-(-len(note) // 80) for note in done.err.splitlines()) <= 24
    assert max(map(len, lines)) <= 80


def test_more_shows_the_quantiles_and_every_every_total(balance: Command) -> None:
    first, more = balance("dice", "3d6 keep 2").out, balance("dice", "3d6 keep 2", "--more").out
    assert "--more shows quantiles" in first
    assert "25%" not in first.split("\n")[0]
    assert "deviation   swing   mode   5%   25%" in more
    assert balance("dice", "3d6 keep 2", "--more", "--seed", "0").out == more


@pytest.mark.slow("test_every_total_is_printed_on_demand")
def test_too_many_lines_are_for_json(balance: Command) -> None:
    done = balance("dice", "d2000*100 + d100", "--every")
    assert (done.status, done.out) == (2, "")
    assert "at most 20,000; --json holds all of them" in done.err
    assert len(row_told(balance, "d300*100 + d100")["distributions"]["total"]["p"]) == 30_000


@pytest.mark.slow("test_a_picture_and_a_page_are_written_whole")
def test_a_folder_gets_a_page_that_answers(balance: Command, elsewhere: Path) -> None:
    done = balance("dice", "--page", "odds")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("3d6 keep 2  exact")
    assert done.out.endswith("Wrote odds/index.html\n")
    page = (elsewhere / "odds" / "index.html").read_text("utf-8")
    assert "view_text" in page
    again = balance("dice", "2d6", "--page", "odds")
    assert (again.status, again.out) == (2, "")
    assert "is already there" in again.err
    (elsewhere / "file").write_text("mine")
    over = balance("dice", "2d6", "--page", "file")
    assert over.status == 2
    assert "is a file" in over.err
    assert (elsewhere / "file").read_text() == "mine"
    assert balance("dice", "2d6 kep 1", "--page", "other").status == 2
    assert not (elsewhere / "other").exists()

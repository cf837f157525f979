"""`balance need`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_one_object_of_json(balance: Command) -> None:
    done = balance("need", "--difference", "10pp", "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert {"schema": 1, "verb": "need", "plan": "fixed"}.items() <= found.items()
    fixed = found["plans"]["fixed"]
    assert (fixed["games"], fixed["evenings"]) == (203, 51)
    assert fixed["power"] >= 0.8 and fixed["error"] <= 0.05
    assert abs(fixed["simulated"]["power"] - fixed["power"]) < 0.02
    assert [look for look in found["looks"] if look["plan"] == "fixed"] == [
        {
            "plan": "fixed",
            "evening": 51,
            "games": 203,
            "underpowered_if_lead_at_most": -29,
            "fair_if_lead_from": None,
            "fair_if_lead_to": None,
            "overpowered_if_lead_at_least": 29,
        }
    ]
    assert set(found["plans"]) == {"fixed", "sequential", "sprt"}
    assert balance("need", "--difference", "10pp", "--json").out == done.out


@pytest.mark.parametrize("text", ["10pp", "10", "10%", "0.1", "0,1", "10 points"])
def test_a_difference_is_written_in_many_ways(balance: Command, text: str) -> None:
    assert json.loads(balance("need", "--difference", text, "--json").out)["plans"]["fixed"]["games"] == 203


def test_looks_are_spelt_out(balance: Command, elsewhere: Path) -> None:
    done = balance("need", "--difference", "20pp", "--plan", "sequential", "--out", "plan.csv", "--json")
    found = json.loads(done.out)
    looks = [look for look in found["looks"] if look["plan"] == found["plan"]]
    assert found["plan"] == "sequential" and found["plans"]["sequential"]["games"] == looks[-1]["games"] == 60
    rows = list(csv.DictReader(Path("plan.csv").read_text().splitlines()))
    assert [int(row["games"]) for row in rows] == [look["games"] for look in looks]
    shown = balance("need", "--difference", "20pp", "--plan", "sequential")
    assert "When to stop, by wins" in shown.out and "18 or more" not in shown.err
    last = looks[-1]
    assert f"{(60 + last['overpowered_if_lead_at_least']) // 2} or more" in shown.out
    again = balance("need", "--difference", "20pp", "--out", "plan.csv")
    assert again.status == 2 and "is already there" in again.err


@pytest.mark.slow("test_one_object_of_json")
def test_a_band_and_evenings_and_options(balance: Command) -> None:
    band = balance("need", "--band", "40:60", "--draws", "20%", "--evenings", "10")
    assert "After 10 evenings, 40 games" in band.out and "is called fair" in band.out
    options = balance("need", "--options", "4", "--difference", "15pp")
    assert "a pair" in options.out and "an option" in options.out
    nothing = balance("need", "--difference", "20pp", "--evenings", "1")
    assert "no difference can be told" in nothing.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--difference", "5ppp"], "'5ppp' is not a share; allowed: a share such as 5pp"),
        (["--band", "55:45"], "has its ends the wrong way round; did you mean 45:55?"),
        (["--power", "80pc"], "did you mean 80%?"),
        (["--band", "45"], "'45' is not a band; allowed: LOW:HIGH; such as 45:55"),
        (["--difference", "0"], "--difference: '0%' is out of range"),
        (["--difference", "0.5"], "half a point is 0.5pp"),
        (["--difference", "-5"], "'-5' is not a share"),
        (["--options", "1"], "--options: '1' is out of range"),
        (["--options", "x"], "is not a number"),
        (["--power", "0.3"], "a plan that misses more than it finds is none"),
        (["--plan", "sequental"], "did you mean sequential?"),
        (["--plan", "sequential", "--options", "3"], "not of a round robin"),
        (["--evenings", "0"], "--evenings: '0' is out of range"),
        (["--difference", "0.2pp"], "about 490,000 games"),
        (["--out", "plan.txt"], "end it in .csv"),
        (["--band", "45:55", "--difference", "4"], "does not reach outside the band"),
        (["--seed", "-1"], "a seed is a whole number"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told(balance: Command, words: list[str], told: str) -> None:
    done = balance("need", *words)
    assert done.status == 2 and done.out == ""
    assert told in done.err


def test_all_faults_at_once(balance: Command) -> None:
    done = balance("need", "--power", "0.3", "--error", "x", "--draws", "120", "--band", "5", "--plan", "fxed")
    assert done.status == 2
    assert [word in done.err for word in ("--power", "--error", "--draws", "--band", "--plan")] == [True] * 5
    assert len(done.err.splitlines()) == 5

"""`balance dice` where weights have thousands of digits, and where too much is asked of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.base.errors import DistributionError
from balance.chance.dice import odds, table
from balance.chance.dice.rolling.sampling import check_trials
from tests.cli.conftest import Command

HUGE = {"9999d6 keep 100": 600, "10000d3 count !=3": 10_000 * 2 / 3}


@pytest.mark.parametrize("text", ["9999d6 keep 100", "10000d3 count !=3"])
def test_weights_of_thousands_of_digits_are_told_everywhere(text: str, balance: Command, elsewhere: Path) -> None:
    found = odds(text)
    assert found.total > 10**2000
    mean = HUGE[text]
    assert found.mean() == pytest.approx(mean)
    assert sum(found.chances().values()) == pytest.approx(1)
    assert len(repr(found)) < 200
    assert len(repr(found.pmf)) < 200
    assert found.short_fraction(found.mode()[0]) == ""
    screen = balance("dice", text)
    assert (screen.status, screen.err) == (0, "")
    (row,) = json.loads(balance("dice", text, "--json").out)["rows"]
    assert row["numbers"][0]["mean"] == pytest.approx(mean)
    assert row["distributions"]["total"]["fractions"] is None
    assert balance("dice", text, "--picture", "a.svg", "--page", "a.html").status == 0
    assert Path("a.html").stat().st_size > 1000


@pytest.mark.parametrize("words", [["4"], ["3d6"], ["d6", "2d6"], ["{1..9}d6"], ["10000d6"], ["d6!"], ["4d{a,b,c,-}"]])
@pytest.mark.parametrize("trials", ["1e8", "1e9", "1e18"])
def test_trials_that_would_take_too_long_are_refused_with_how_many_may_be_made(
    words: list[str], trials: str, balance: Command, elsewhere: Path
) -> None:
    done = balance("dice", *words, "--trials", trials, "--page", "a.html")
    assert (done.status, done.out) == (2, "")
    assert "is about the most there is time for" in done.err
    assert not Path("a.html").exists()
    most = int(done.err.split("--trials ")[1].split(" ")[0])
    expressions = [row.expression for text in words for row in table(text)]
    check_trials(expressions, most, 0)
    with pytest.raises(DistributionError):
        check_trials(expressions, 4 * most, 0)

"""`balance.army` and `balance.tune`: their tables, what they write, and that their numbers hang on nothing else."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.analysis.armies.best_army import BestArmy
from balance.analysis.armies.legal_armies import RandomArmies
from balance.cli.main import main
from balance.game.registry import GAMES
from balance.study.settings.patch import load_patch
from balance.verbs.call.result import Result
from tests.tug import write_catalogue
from tests.verbs.test_results import check_that_it_pickles

CALLS: dict[str, Callable[..., Result[Any]]] = {
    "army": lambda **means: balance.army("tug", (40, 3), seed=2, **means),
    "random armies": lambda **means: balance.army("tug", (40, 3), random=5, **means),
    "tune": lambda **means: balance.tune("tug", out="new.toml", force=True, **means),
    "price": lambda **means: balance.price("tug", **means),
    "price of a card": lambda **means: balance.price("tug", "b4", **means),
}


@pytest.fixture(autouse=True)
def small_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside a small game of which one cost is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [("b0", 10, 1000), ("b1", 12, 1200), ("b2", 14, 1400), ("b3", 16, 1600), ("b4", 12, 1800)]
    write_catalogue(tmp_path / "data" / "tug", bodies, [("rope", 0, 100)])


@pytest.mark.slow("test_the_answer_is_that_of_the_command")
@pytest.mark.parametrize("asked", list(CALLS))
def test_the_answer_is_the_same_wherever_it_is_worked_out(asked: str, tmp_path: Path) -> None:
    alone = CALLS[asked](jobs=1, cache=False).to_dict()
    assert CALLS[asked](jobs=2, executor="processes", cache=tmp_path / "cache").to_dict() == alone
    assert CALLS[asked](jobs=1, cache=tmp_path / "cache").to_dict() == alone


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("army tug --budget 40:3 --seed 2", "army"),
        ("army tug --budget 40:3 --random 5", "random armies"),
        ("tune tug --out new.toml --force", "tune"),
        ("price tug", "price"),
        ("price tug b4", "price of a card"),
    ],
)
def test_the_answer_is_that_of_the_command(words: str, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads(json.dumps(CALLS[asked](jobs=1, cache=False).to_dict()))


@pytest.mark.parametrize("asked", list(CALLS))
def test_every_form_of_a_result_is_short_where_it_should_be(asked: str) -> None:
    result = CALLS[asked](jobs=1)
    assert max(len(repr(result)), len(repr(result.value))) < 200
    assert result.plot().axes[0].get_xlabel()


@pytest.mark.parametrize("asked", list(CALLS))
def test_a_result_is_the_same_after_pickling(asked: str) -> None:
    result = CALLS[asked](jobs=1)
    check_that_it_pickles(result)
    assert pickle.loads(pickle.dumps(result)).value == result.value


def test_the_best_army_is_the_first_row() -> None:
    best = balance.army("tug", "40:3", jobs=1, seed=2)
    assert isinstance(best.value, BestArmy)
    assert best.sentence.endswith(f" of the same budget and limit: {best.value.best.army}")
    first, score = best.to_polars().row(0, named=True), best.value.best.score
    assert (first["army"], first["score"], first["score_low"]) == (best.value.best.army, score.value, score.low)
    assert "b4+rope" in first["army"]
    assert f"\n{first['army']}\n" in str(best)
    assert f"<pre>{first['army']}</pre>" in best._repr_html_()


def test_random_armies_are_rows() -> None:
    drawn = balance.army("tug", 40, random=300)
    assert isinstance(drawn.value, RandomArmies)
    assert drawn.to_polars()["army"].to_list() == [row.army for row in drawn.value.armies] == str(drawn).split("\n")
    assert max(drawn.to_polars()["cost_points"].to_list()) <= 40
    assert max(len(repr(drawn)), len(repr(drawn.value))) < 200


def test_what_should_change_is_written_and_a_demand_that_is_not_met_is_told(tmp_path: Path) -> None:
    tuned = balance.tune("tug", jobs=1, out=tmp_path / "new.toml")
    assert tuned.to_polars("changes").rows() == [
        ("bodies.b4.cost_points", "12.0", "18", "itself", "too cheap", 6.0, True)
    ]
    assert load_patch(tmp_path / "new.toml").assignments == {"bodies.b4.cost_points": "18"}
    (b4,) = tuned.to_polars().filter(cost=18).rows(named=True)
    assert (b4["entrant"], b4["label"]) == ("b4+rope", "B4 with Rope")
    assert (b4["cost_before"], b4["score"] < b4["score_before"]) == (12, True)
    assert tuned.broken_limits == ()
    strict = balance.tune("tug", jobs=1, band=(0.499, 0.501), changes=1, move=["bodies.b0.cost_points"], out="no.toml")
    assert len(strict.broken_limits) == 1
    assert strict.broken_limits[0].startswith("not met by 1 change of 1 numbers: ")
    assert not Path("no.toml").exists()

"""No number of a verb depends on where its work is done, or on what earlier calls left in the cache."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.analysis.changes.handicaps import points_even
from balance.game.registry import GAMES
from balance.verbs.call.result import Result
from tests.tug import write_catalogue

NEXUS, TROOPER = "nexus+shotgun", "trooper+sidearm"
PAIR = ("warforged", NEXUS, TROOPER)
FIELD = ["blue_foot", "red_foot", "blue_mounted"]
CALLS: dict[str, Callable[..., Result[Any]]] = {
    "handicap": lambda **means: balance.handicap(*PAIR, field="health,speed_cells", **means),
    "handicap of a field": lambda **means: balance.handicap("battlelore", field="dice", among=FIELD, **means),
    "a bid": lambda **means: balance.handicap(*PAIR, bid="health", **means),
    "a fair cost": lambda **means: balance.handicap("tug", "b0+rope", "b1+rope", cost=True, **means),
    "a bid in points": lambda **means: balance.handicap("tug", bid="points", **means),
    "luck": lambda **means: balance.luck("battlelore", "duel", "blue_foot", "red_foot", **means),
    "luck of a field": lambda **means: balance.luck("warforged", "duel", among=[NEXUS, TROOPER], **means),
    "play": lambda **means: balance.play("warforged", "lineup", ways="focus,spread", pairs=24, slow=8, **means),
    "stability": lambda **means: balance.stability("tug", ways="hard", battles=4096, **means),
    "tornado": lambda **means: balance.tornado("warforged", "duel", *PAIR[1:], over="units", **means),
}
"""What is asked -> the call, which takes the options that say how its work is done."""


@pytest.fixture(autouse=True)
def few_battles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside a small game whose armies meet in few battles."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [("b0", 10, 1000), ("b1", 12, 1100), ("b2", 16, 1500)]
    write_catalogue(tmp_path / "data" / "tug", bodies, [("rope", 0, 100)])
    for name in ("fair_cost", "points_bid"):
        monkeypatch.setattr(points_even, name, partial(getattr(points_even, name), n_battles=256))


@pytest.mark.parametrize("asked", list(CALLS))
def test_the_answer_is_the_same_wherever_it_is_worked_out(asked: str) -> None:
    alone = CALLS[asked](jobs=1, cache=False)
    assert CALLS[asked](jobs=2, executor="processes", cache=False).to_dict() == alone.to_dict()


@pytest.mark.parametrize("asked", list(CALLS))
def test_the_answer_is_the_same_out_of_the_cache(asked: str, tmp_path: Path) -> None:
    first, second = (CALLS[asked](jobs=1, cache=tmp_path / "cache") for _ in range(2))
    assert list(tmp_path.glob("cache/answers/*/*.json"))
    assert second.to_dict() == first.to_dict() == CALLS[asked](jobs=1, cache=False).to_dict()
    assert str(second) == str(first)


@pytest.mark.parametrize("asked", list(CALLS))
def test_every_form_of_a_result_is_short_where_it_should_be(asked: str) -> None:
    result = CALLS[asked](jobs=1)
    assert len(repr(result)) < 200
    assert len(repr(result.value)) < 200
    assert all(len(frame.columns) > 0 for frame in result.tables.values())
    assert result.plot().axes
    assert result.sentence in str(result).replace("\n  ", " ")
    assert f"<p>{result.sentence}" in html.unescape(result._repr_html_())

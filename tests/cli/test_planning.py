"""What a study will cost, told before it is run."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from balance.cli.studies.init import show_forecast
from balance.study.run.forecast import Forecast

SMALL = Forecast(n_tasks=1234, n_exact=1000, n_duels=0, pairs=56789, seconds=100.0, size=999_999)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """told(forecast, metrics) -> what is printed of it."""

    def shown(found: Forecast, metrics: tuple[str, ...] = ("match_ups",), as_json: bool = False) -> str:
        study: Any = SimpleNamespace(metrics=metrics)
        monkeypatch.setattr("balance.study.run.run.sides_of", lambda of: f"sides of {of.metrics}")
        asked = (study, f"sides of {metrics}", 3)
        monkeypatch.setattr("balance.study.run.forecast.forecast", lambda *given: found if given == asked else None)
        show_forecast(study, 3, as_json)
        return capsys.readouterr().out

    return shown


def test_a_study_of_match_ups_tells_how_many_are_played(told: Any) -> None:
    assert told(SMALL).splitlines() == [
        "  dry run",
        " " + "─" * 53,
        "  match-ups                1,234",
        "  of them exact            1,000",
        "  mirrored pairs to play   about 56,789",
        "  time                     about 2 min with 3 workers",
        "  size                     about 1,000 kB",
        "",
    ]


def test_what_takes_longer_than_can_be_known_takes_at_least_so_long(told: Any) -> None:
    whole = replace(SMALL, n_exact=1234, n_duels=2000, n_tables=3, n_solutions=4, n_conclusions=5, size=1_250_000)
    assert told(whole).splitlines() == [
        "  dry run",
        " " + "─" * 62,
        "  match-ups                      1,234",
        "  of them exact                  1,234",
        "  duels to solve for the cards   2,000",
        "  tables the report declares     3",
        "  games to solve for it          4",
        "  conclusions to test            5",
        "  time                           at least 2 min with 3 workers",
        "  size                           about 1.2 MB",
        "",
    ]


@pytest.mark.parametrize(
    "more",
    [
        *({name: 1} for name in ("n_duels", "n_tables", "n_solutions", "n_conclusions", "n_battles")),
        {},
    ],
)
def test_each_work_of_unknown_length_says_at_least(more: dict[str, int], told: Any) -> None:
    cards = replace(SMALL, n_tasks=0, n_exact=0, pairs=0, size=1_000_000, **more)
    rows = told(cards, ()).splitlines()[2:]
    assert f"{'at least' if more else 'about'} 2 min with 3 workers" in rows[-3]
    assert rows[-2].endswith("about 1.0 MB")
    assert len(rows) == 3 + len(more)


@pytest.mark.parametrize("name", ["n_luck", "n_cards"])
def test_what_is_tried_before_is_in_the_time(name: str, told: Any) -> None:
    assert "time  " in told(replace(SMALL, **{name: 3}))
    assert "about 2 min with 3 workers" in told(replace(SMALL, **{name: 3}))


def test_a_forecast_is_one_object_too(told: Any) -> None:
    told_of = json.loads(told(SMALL, as_json=True))
    forecast = {"n_tasks": 1234, "n_exact": 1000, "n_duels": 0, "pairs": 56789, "seconds": 100.0, "size": 999_999}
    assert told_of == {
        "schema": 1,
        "verb": "run",
        "dry_run": True,
        "forecast": {
            **forecast,
            **dict.fromkeys(("n_tables", "n_solutions", "n_conclusions", "n_battles", "n_luck", "n_cards"), 0),
        },
    }

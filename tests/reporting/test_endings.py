"""The page on how duels end: both rankings, and where they differ, as the numbers have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.fights.duels import ending_text, rankings
from balance.study import Run, load_run

RUN = Path(__file__).parents[2] / "reports" / "battlelore"
A, B, C = "giant_spider", "blue_foot+short_sword", "red_foot+short_sword"
SCORES = {A: 0.7, B: 0.5, C: 0.3}


def pages(monkeypatch: pytest.MonkeyPatch, **nets: float) -> Pages:
    """Three entrants of the published run with scores and points of our own."""
    net = dict(zip(SCORES, nets.values(), strict=True))
    ends = [
        {"entrant": one, "ending": "eliminated", "dealt": 0.2, "met": 0.2, "net_points": net[one]} for one in SCORES
    ]
    ends += [{"entrant": one, "ending": "driven off", "dealt": 0.3, "met": 0.3, "net_points": 0.0} for one in SCORES]
    made = {
        "endings": pl.DataFrame(ends),
        "prices": pl.DataFrame({"entrant": list(SCORES), "score": list(SCORES.values())}),
    }
    kept = Run.table

    def table(self: Run, name: str) -> Any:
        return made.get(name, kept(self, name) if name not in made else None)

    monkeypatch.setattr(Run, "table", table)
    monkeypatch.setattr(Run, "has", lambda self, name: name in made)
    return Pages(load_run(RUN))


def test_rankings_that_differ_are_said_to_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    told = pages(monkeypatch, a=-0.1, b=0.3, c=0.0)
    ranked = rankings(told)
    assert ranked is not None
    assert ranked.select("entrant", "by_score", "by_net").rows() == [(A, 1, 3), (B, 2, 1), (C, 3, 2)]
    said = ending_text(told)
    assert "the other side is eliminated in 20% and driven off in 30%" in said
    assert "first is **Infantry**; 3 of 3 units have another place than by score, **Giant Spider** place 3" in said


def test_rankings_that_agree_are_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ending_text(pages(monkeypatch, a=0.3, b=0.2, c=0.1)).endswith("that ranking is the same as by score.")


def test_no_other_game_says_how_its_duels_end() -> None:
    other = load_run(RUN.parent / "warforged")
    assert rankings(Pages(other)) is None
    assert ending_text(Pages(other)) == ""


def test_what_differs_by_rounding_shares_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = rankings(pages(monkeypatch, a=0.2 + 4e-10, b=0.2, c=0.2 + 6e-9))
    assert ranked is not None
    assert ranked["by_net"].to_list() == [2, 2, 1]

"""How long it will take is told within a factor of two, by rounds as they were timed."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
from balance.analysis.changes.tuning.duration import price_parts, tune_parts
from balance.analysis.prices.asked import army_setting
from balance.base.progress import Forecast, Part, Progressing, Stage

BATTLES, CHANGES, SCORES = "battles of armies", "changes tried", "scores of armies"
TIMED: dict[str, tuple[float, list[tuple[float, str, int, int]]]] = {
    "price": (
        3.9,
        [
            (1.1, BATTLES, 0, 1),
            (1.59, BATTLES, 1, 1),
            (1.74, BATTLES, 0, 4),
            (2.13, BATTLES, 2, 4),
            (2.52, BATTLES, 4, 4),
            (2.79, BATTLES, 0, 1),
            (2.91, BATTLES, 1, 1),
            (2.92, BATTLES, 0, 1),
            (3.1, BATTLES, 1, 1),
            (3.11, "typical match-ups", 0, 40),
            (3.25, "typical match-ups", 20, 40),
            (3.43, "typical match-ups", 40, 40),
            (3.43, "who meets whom", 0, 2),
            (3.56, "who meets whom", 1, 2),
            (3.67, "who meets whom", 2, 2),
            (3.67, "who meets whom", 0, 1),
            (3.76, "who meets whom", 1, 1),
        ],
    ),
    "price of one": (
        25.0,
        [
            (0.01, BATTLES, 0, 1),
            (0.24, BATTLES, 1, 1),
            (0.37, BATTLES, 0, 4),
            (0.81, BATTLES, 2, 4),
            (1.21, BATTLES, 4, 4),
            (1.47, BATTLES, 0, 1),
            (1.55, BATTLES, 1, 1),
            (1.55, BATTLES, 0, 1),
            (1.68, BATTLES, 1, 1),
            (1.68, CHANGES, 0, 2),
            (3.25, CHANGES, 1, 2),
            (3.95, CHANGES, 2, 2),
            (3.96, CHANGES, 0, 2),
            (4.61, CHANGES, 1, 2),
            (5.03, CHANGES, 2, 2),
            (5.03, CHANGES, 0, 2),
            (6.31, CHANGES, 1, 2),
            (7.51, CHANGES, 2, 2),
            (7.51, CHANGES, 0, 2),
            (9.58, CHANGES, 1, 2),
            (11.96, CHANGES, 2, 2),
            (11.96, CHANGES, 0, 2),
            (15.39, CHANGES, 1, 2),
            (18.45, CHANGES, 2, 2),
            (18.45, CHANGES, 0, 2),
            (21.97, CHANGES, 1, 2),
            (24.95, CHANGES, 2, 2),
        ],
    ),
    "tune": (
        4.3,
        [
            (1.1, BATTLES, 0, 1),
            (1.57, BATTLES, 1, 1),
            (1.58, SCORES, 0, 1),
            (1.82, SCORES, 1, 1),
            (2.87, "numbers that may move", 1, 4),
            (2.88, "numbers that may move", 2, 4),
            (2.88, "numbers that may move", 3, 4),
            (2.88, "numbers that may move", 4, 4),
            (2.96, SCORES, 0, 1),
            (3.2, SCORES, 1, 1),
            (3.2, SCORES, 0, 1),
            (3.46, SCORES, 1, 1),
            (3.47, SCORES, 0, 1),
            (3.69, SCORES, 1, 1),
            (3.69, SCORES, 0, 2),
            (4.03, SCORES, 2, 2),
            (4.03, SCORES, 0, 2),
            (4.29, SCORES, 2, 2),
        ],
    ),
}
"""Seconds of the whole answer for a file of four units on one core, and when each stage told how far it was."""
PATIENCE = 3.0
"""Seconds from which a forecast counts."""


@pytest.mark.parametrize("asked", list(TIMED))
def test_the_whole_time_is_told_within_a_factor_of_two(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    balance.new_game("iron_and_dust", template="hit-wound-save")
    game = balance.load(str(next(tmp_path.glob("*.toml"))))
    setting = army_setting(game)
    parts = tune_parts(game, setting) if asked == "tune" else price_parts(game, setting, asked == "price of one")
    seconds, stages = TIMED[asked]
    totals = forecasts(parts, stages)
    assert totals
    assert all(seconds / 2 <= total <= 2 * seconds for _, total in totals)
    assert totals[-1][1] == pytest.approx(seconds, rel=0.3)


def forecasts(parts: dict[str, Part], stages: list[tuple[float, str, int, int]]) -> list[tuple[float, float]]:
    """Return when a forecast was told, from `PATIENCE` on, and the whole time by it."""
    now, told = [0.0], list[Progressing]()
    forecast, totals = Forecast(parts, told.append, lambda: now[0]), list[tuple[float, float]]()
    for now[0], work, n_done, total in stages:
        forecast(Stage(work, n_done, total))
        if now[0] >= PATIENCE and told[-1].total == 1000 and told[-1].rate:
            totals.append((now[0], now[0] + (1000 - told[-1].n_done) / told[-1].rate))
    return totals


def test_steps_of_equal_length_are_told_exactly() -> None:
    stages = [(2.0 * n, "duels", n, 10) for n in range(11)]
    assert [total for _, total in forecasts({"duels": Part(10)}, stages)] == pytest.approx([20.0] * 9, rel=0.01)


def test_a_stage_beyond_the_forecast_is_added() -> None:
    stages = [(1.0 * n, "duels", n, 4) for n in range(5)] + [(4.0 + n, "duels", n, 4) for n in range(1, 5)]
    told = forecasts({"duels": Part(4)}, stages)
    assert told[-1][1] == pytest.approx(8.0)
    assert all(3.9 < total < 8.1 for _, total in told)


def test_nothing_is_told_before_anything_is_measured() -> None:
    told = list[Progressing]()
    forecast = Forecast({"duels": Part(4)}, told.append, lambda: 1.0)
    for stage in (Stage("reading"), Stage("others", 1, 3), Stage("duels", 0, 4)):
        forecast(stage)
    assert [one.work for one in told] == ["reading", "others", "duels"]
    assert (told[-1].n_done, told[-1].rate) == (0, 0.0)

"""How far a simulation has come."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from rich.progress import Progress

import balance
from balance.cli.progress import Lines, Trials, _bars, duration, line_of, showing, solving
from balance.core import FixedTrials, HalfWidth

SAMPLE = balance.load("warforged").duel("nexus+assault_rifle", "vanguard+laser_carbine").simulate(1000)


def test_a_fixed_number_is_what_is_to_come() -> None:
    told = Trials(SAMPLE, FixedTrials(5000), 2.0)
    assert (told.done, told.total, told.rate) == (1000, 5000, 500.0)
    assert told.details == (f"widest interval +-{told.half_width:.2g}",)


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_half_the_width_takes_four_times_the_trials(share: float) -> None:
    width = Trials(SAMPLE, FixedTrials(5000), 0.0).half_width
    assert width == max((high - low) / 2 for low, high in SAMPLE.p_win_interval().values())
    told = Trials(SAMPLE, HalfWidth(width * share, ()), 0.0)
    assert told.total == pytest.approx(1000 / share**2, abs=1)


def test_a_width_that_is_reached_needs_no_more_than_was_played() -> None:
    assert Trials(SAMPLE, HalfWidth(0.49, ()), 1.0).total == 1000


@dataclass
class Work:
    """Some work as it is told."""

    what: str = "duels"
    done: int = 0
    total: int = 8
    unit: str = ""
    every: float = 10.0
    rate: float = 0.0
    details: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (Work(done=1234, total=56789), "duels: 1,234 of 56,789"),
        (Work(done=1000, total=4000, unit="trials"), "1,000 of about 4,000 trials, 0 a second"),
        (
            Work(done=1000, total=4000, unit="trials", rate=1500.4, details=("widest 0.1",)),
            "1,000 of about 4,000 trials, 1,500 a second, about 2 s left, widest 0.1",
        ),
    ],
)
def test_how_far_something_has_come_is_one_line(told: Work, line: str) -> None:
    assert line_of(told) == line


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (89.4, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h"), (36000, "10.0 h")],
)
def test_a_time_is_told_as_people_say_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_are_written_now_and_then_and_at_the_end_of_what_took_longer() -> None:
    now, written = [100.0], list[str]()
    lines = Lines(lambda: now[0], written.append)

    def at(seconds: float, told: Work) -> None:
        now[0] = 100.0 + seconds
        lines(told)

    at(9.9, Work(done=1))
    at(10.0, Work(done=2))
    at(19.9, Work(done=3))
    at(20.0, Work(done=4))
    at(21.0, Work(done=8))
    at(21.5, Work("short", 8))
    at(29.0, Work("trials", 8, unit="trials"))
    at(31.0, Work("trials", 8, unit="trials"))
    at(32.0, Work("trials", 8, unit="trials"))
    assert written == [
        "duels: 2 of 8",
        "duels: 4 of 8",
        "duels: 8 of 8",
        "8 of about 8 trials, 0 a second",
    ]


def test_bars_are_drawn_at_most_five_times_a_second_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now, drawn = [100.0], list[tuple[Any, ...]]()
    monkeypatch.setattr("balance.cli.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    kept = list[bool]()

    def update(self: Progress, bar: int, **what: Any) -> None:
        kept.append(not self.live.transient)
        drawn.append((bar, *what.values()))

    monkeypatch.setattr(Progress, "update", update)
    with _bars() as tell:
        for seconds, told in (
            (0.0, Work(done=1)),
            (0.1, Work(done=2)),
            (0.21, Work(done=3)),
            (0.25, Work("cards", 1)),
            (0.3, Work(done=8)),
            (0.31, Work("trials", 8, unit="trials")),
            (0.35, Work("trials", 8, unit="trials")),
        ):
            now[0] = 100.0 + seconds
            tell(told)
    assert not any(kept)  # bars that are done leave nothing on the screen
    assert drawn == [
        (0, 1, 8, "duels: 1 of 8"),
        (0, 3, 8, "duels: 3 of 8"),
        (1, 1, 8, "cards: 1 of 8"),
        (0, 8, 8, "duels: 8 of 8"),
        (2, 8, 8, "8 of about 8 trials, 0 a second"),
    ]


@pytest.mark.parametrize(("quiet", "terminal"), [(True, True), (True, False), (False, True), (False, False)])
def test_bars_are_for_a_terminal_and_lines_for_a_log(
    quiet: bool, terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with showing(quiet) as tell:
        assert isinstance(tell, Lines) is (not quiet and not terminal)
        assert (tell.__name__ == "tell" if hasattr(tell, "__name__") else False) is (not quiet and terminal)
    shown = solving(quiet)
    assert isinstance(shown, nullcontext) is (quiet or not terminal)


def test_trials_are_of_one_kind() -> None:
    told = Trials(SAMPLE, FixedTrials(5000), 0.0)
    assert (told.what, told.unit, told.every, told.rate) == ("trials", "trials", 10.0, 1000 / 1e-9)
    assert Trials(SAMPLE, HalfWidth(1e-9, (), cap=7000), 1.0).total == 7000


def test_where_nobody_wins_the_widest_interval_is_that_of_a_mean() -> None:
    shot = balance.load("warforged").attack("nexus+assault_rifle", "whisper").simulate(500)
    widths = [(high - low) / 2 for low, high in map(shot.mean_interval, shot.distribution.columns)]
    assert Trials(shot, FixedTrials(500), 1.0).half_width == max(widths)

"""What is told of work under way, where nobody watches."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from balance.base.progress import Forecast, Part, Progressing, Stage, announcing, duration, line_of, tell, under_way


@dataclass
class Work:
    """Some work as it is told."""

    work: str = "duels"
    n_done: int = 0
    total: int = 8
    unit: str = ""
    rate: float = 0.0
    details: tuple[str, ...] = ()


def test_a_stage_is_parts_without_a_speed() -> None:
    stage: Progressing = Stage("duels", 3, 9)
    assert (stage.work, stage.n_done, stage.total) == ("duels", 3, 9)
    assert (stage.unit, stage.rate, stage.details) == ("", 0.0, ())


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (Work(n_done=1234, total=56789), "duels: 1,234 of 56,789"),
        (Work("reading cards", total=0), "reading cards"),
        (Work(n_done=1000, total=4000, unit="trials"), "1,000 of about 4,000 trials, 0 a second"),
        (
            Work(n_done=1000, total=4000, unit="trials", rate=1500.4, details=("widest 0.1",)),
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


def test_after_a_step_stands_what_was_told_before_it_also_where_it_fails() -> None:
    tell(Stage("armies", 1, 2))
    with pytest.raises(ZeroDivisionError), announcing("solving"):
        assert under_way() == Stage("solving")
        raise ZeroDivisionError
    assert under_way() == Stage("armies", 1, 2)
    tell(None)
    assert under_way() is None


def told_of(parts: dict[str, Part], stages: list[Stage], seconds: float = 10.0) -> list[str]:
    """Return what is told of stages, each so many seconds after the one before."""
    told: list[Progressing] = []
    times = iter(range(len(stages) + 1))
    forecast = Forecast(parts, told.append, lambda: seconds * next(times))
    for stage in stages:
        forecast(stage)
    return [line_of(one) for one in told]


def test_rounds_of_a_stage_add_up() -> None:
    rounds = [Stage("battles", at, 2) for at in (0, 1, 2, 0, 1, 2)]
    assert told_of({"battles": Part(8)}, rounds) == [
        "battles: 0% done",
        "battles: 22% done, about 70 s left",
        "battles: 33% done, about 60 s left",
        "battles: 40% done, about 60 s left",
        "battles: 50% done, about 50 s left",
        "battles: 60% done, about 40 s left",
    ]


def test_a_stage_that_takes_more_than_was_thought_makes_the_whole_more() -> None:
    parts = {"ladder": Part(1, 2.0), "battles": Part(2), "duels": Part(4, 0.5)}
    stages = [Stage("battles", 6, 6), Stage("battles", 1, 2), Stage("duels", 0, 4), Stage("duels", 4, 4)]
    assert told_of(parts, stages) == [
        "battles: 75% done, about 3 s left",
        "battles: 70% done, about 9 s left",
        "duels: 84% done, about 6 s left",
        "duels: 100% done",
    ]


def test_what_nobody_foresaw_is_told_as_it_is() -> None:
    assert told_of({"battles": Part(2)}, [Stage("duels", 1, 3), Stage("reading")]) == ["duels: 1 of 3", "reading"]


def test_a_stage_that_never_came_is_over_when_the_next_begins() -> None:
    parts = {"ladder": Part(90), "battles": Part(4)}
    assert told_of(parts, [Stage("battles", 1, 4)]) == ["battles: 25% done, about 30 s left"]

"""What a study will cost: counted in full, and timed by a clock of our own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from balance.analysis.changes.neighbours.card_steps import steps_of
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.match_ups import jobs
from balance.study.match_ups.plan import plan_tasks
from balance.study.run import forecast as module
from balance.study.run.forecast import Forecast, forecast
from balance.study.settings.settings import Study, StudySettings
from tests.study.golden import Golden
from tests.toy.game import GAME as TOY

SMALL: dict[str, Any] = {"game": "skirmish", "metrics": ["match_ups"]}


@pytest.fixture(autouse=True)
def clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is looked at for the n-th time at n squared seconds, so that every span is another one."""
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    for where in (module, jobs):
        monkeypatch.setattr(where, "perf_counter", squares(count()))


def squares(seconds: Iterator[int]) -> Any:
    return lambda: float(next(seconds) ** 2)


def study(**more: Any) -> Study:
    return Study(StudySettings.model_validate(SMALL | more), Path("study.toml"))


def cost(game: LoadedGame, n_jobs: int = 1, **more: Any) -> Forecast:
    return forecast(study(**more), {"base": game}, n_jobs)


def test_what_is_exact_is_taken_to_last_as_long_as_the_middle_one_tried() -> None:
    """Three match-ups are solved from 0 to 1, from 4 to 9 and from 16 to 25 seconds: 5 each, and two at a time."""
    found = cost(load("skirmish"), 2)
    assert found == Forecast(3, 3, 0, 0, 7.5, 3 * 400 + 60 * 10 * 3)


def test_what_is_simulated_is_taken_to_be_like_the_blocks_tried() -> None:
    """Each is tried for two blocks, of which the second counts: from 4 to 9, from 36 to 49, from 100 to 121 seconds."""
    found = cost(load("skirmish"), exact="never", budget={"trials": 40_000})
    pairs = 3 * 16_384
    assert (found.n_tasks, found.n_exact, found.pairs) == (3, 0, 3 * pairs)
    assert found.seconds == pytest.approx(3 * (5 + 13 + 21))
    assert found.size > 60 * 10 * 3


def test_no_more_is_played_than_the_study_has_in_all() -> None:
    told: dict[str, Any] = {"exact": "never", "budget": {"trials": 40_000, "total": 50_000}}
    assert cost(load("skirmish"), **told).pairs == 50_000
    told["budget"] = {"trials": 40_000, "total": 1_000_000}
    assert cost(load("skirmish"), **told).pairs == 9 * 16_384


def test_one_block_is_enough_where_its_interval_is() -> None:
    assert cost(load("skirmish"), exact="never", budget={"half_width": 0.4}).pairs == 3 * 16_384


def test_an_exact_distribution_that_is_too_large_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of those tried can be had, so all are taken to be simulated."""
    monkeypatch.setattr(module, "solve", lambda source, tasks: [None])
    found = cost(load("skirmish"), budget={"trials": 16_384})
    assert (found.n_tasks, found.n_exact, found.pairs) == (3, 0, 3 * 16_384)


def test_one_that_can_be_had_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([None, 1, None])
    monkeypatch.setattr(module, "solve", lambda source, tasks: [next(answers)])
    found = cost(load("skirmish"))
    assert (found.n_exact, found.pairs) == (3, 0)


def test_cards_take_a_duel_of_each_with_each() -> None:
    """Three duel with three, and one pair is tried, from 0 to 1 second."""
    found = cost(load("skirmish"), metrics=["cards"])
    assert found == Forecast(0, 0, 9, 0, 9.0, 60 * 4 * 9)
    assert cost(load("skirmish"), metrics=["cards"], entrants=["rat"]).n_duels == 1


def test_pairs_of_neighbours_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[Any, ...]]()
    real = LoadedGame.ask
    monkeypatch.setattr(LoadedGame, "ask", lambda self, *how: asked.append(how) or real(self, *how))  # type: ignore[func-returns-value]
    told = study(metrics=["cards"], rules={"hits_on": "5-6"})
    game = load("skirmish")
    module._duel_seconds(told, game, ("rat", "knight", "ogre", "rat"))
    module._duel_seconds(told, game, ("ogre",))
    changes = ("rules.hits_on=5-6",)
    pairs = [("rat", "knight"), ("ogre", "rat"), ("ogre", "ogre")]
    assert asked == [("duel", *pair, changes, "a") for pair in pairs]


def test_no_more_than_eight_pairs_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()
    real = LoadedGame.ask
    monkeypatch.setattr(LoadedGame, "ask", lambda self, *how: asked.append(1) or real(self, *how))  # type: ignore[func-returns-value]
    assert module._duel_seconds(study(), load("skirmish"), ("rat", "knight") * 10) == 1 / 8
    assert len(asked) == 8


def test_where_nobody_can_win_there_is_no_duel() -> None:
    throws = LoadedGame(replace(TOY, kinds={"attack": TOY.kinds["attack"]}), load(TOY).catalogue)
    assert cost(throws, metrics=["cards"]).n_duels == 0


@pytest.mark.slow("test_cards_take_a_duel_of_each_with_each")
def test_tables_and_solutions_of_the_report_are_counted(golden: Golden) -> None:
    """Of four solutions one asks about a card that is not there."""
    played = golden.played["skirmish"]
    told = played.study.settings.model_copy(update={"metrics": ["sections"]})
    found = forecast(replace(played.study, settings=told), {"base": played.before})
    assert found == Forecast(0, 0, 0, 0, 0.0, 0, n_tables=2, n_solutions=3)


THROWS = {"id": "x", "title": "X", "kind": "attack", "pairs": [["rat", "ogre"], ["ogre", "rat"]]}


def test_luck_of_exact_pairs_takes_as_long_as_the_first() -> None:
    """From 0 to 1 second, twice, whatever the groups."""
    found = cost(load("skirmish"), 2, metrics=["luck"], luck=[THROWS, THROWS | {"id": "y", "groups": 128}])
    assert (found.n_luck, found.n_cards, found.n_tasks) == (2, 0, 0)
    assert found.seconds == (2 * (1 - 0) + 2 * (9 - 4)) / 2


def test_luck_that_is_simulated_grows_with_its_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried with 64 groups, for the second time from 1 to 4 seconds; 2,048 groups take 32 times as long."""
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 1)
    found = cost(load("skirmish"), metrics=["luck"], luck=[THROWS])
    assert found.seconds == pytest.approx(2 * 32 * (4 - 1))


def test_luck_of_a_field_takes_as_long_as_the_middle_one_of_the_duels_tried() -> None:
    """Three are tried, for 1, 5 and 9 seconds, of 18 with either going first; one pair of 3 fighters takes 13."""
    asked = {"id": "x", "title": "X"}
    assert cost(load("skirmish"), metrics=["luck"], luck=[asked]).seconds == 18 * 5 + 13
    assert cost(load("skirmish"), metrics=["luck"], luck=[asked | {"even": 0}]).seconds == 18 * 21  # the clock goes on


def test_cards_are_tried_against_one_of_those_they_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card, for a second; both meet all 3, or the one that is named. Negative control: none is asked about."""
    asked = {"id": "x", "title": "X", "cards": ["rat", "ogre"]}
    found = cost(load("skirmish"), metrics=["neighbours"], neighbours=[asked])
    assert (found.n_cards, found.seconds) == (2, 6.0)
    monkeypatch.setattr(module, "perf_counter", squares(count()))
    assert cost(load("skirmish"), metrics=["neighbours"], neighbours=[asked | {"among": ["rat"]}]).seconds == 2.0
    assert cost(load("skirmish"), metrics=["sections"]).seconds == 0.0


@pytest.mark.slow("test_cards_take_a_duel_of_each_with_each")
def test_points_take_the_battles_of_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 battles are tried in 9 seconds, after the duels in 5; the card and each step that is seen take 4,096."""
    monkeypatch.setattr(module, "try_battles", lambda *asked: 100)
    asked = {"id": "x", "title": "X", "cards": ["pulse_pistol"], "among": ["trooper+sidearm"]}
    told: dict[str, Any] = {"game": "warforged", "metrics": ["neighbours"]}
    (plain, points) = (
        forecast(study(**told, neighbours=[asked | more]), {"base": load("warforged")}).seconds
        for more in ({}, {"points": True})
    )
    assert plain == 1.0
    steps = steps_of(
        load("warforged"), "lineup", [("weapons", "pulse_pistol")], ["nexus+pulse_pistol"], may_add_words=True
    )
    n_seen = sum(step.has_effect for step in steps)
    assert n_seen > 6
    assert points == pytest.approx((9 - 4) + (25 - 16) / 100 * (1 + n_seen) * 4096)


@pytest.mark.parametrize(
    ("n", "tried"), [(1, [0]), (8, range(8)), (15, range(8)), (16, range(1, 17, 2)), (40, range(2, 40, 5))]
)
def test_those_tried_are_spread_over_the_plan(n: int, tried: Any) -> None:
    (task, *_) = plan_tasks(study(), {"base": load("skirmish")})
    tasks = [replace(task, situation=str(at)) for at in range(n)]
    assert [int(one.situation) for one in module._spread(tasks)] == list(tried)

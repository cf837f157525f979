"""A simulation is the same wherever its blocks are played."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager

import pytest

import balance
from balance.base.errors import UsageError
from balance.engine import sampling
from balance.game.game import Lane

SIDES = ("warforged", "nexus+assault_rifle,trooper+shotgun:2", "aegis+laser_carbine:3")


@pytest.mark.slow("tests/engine/test_pool.py::test_every_job_is_done_once")
@pytest.mark.parametrize("executor", ["serial", "threads", "processes"])
def test_battles_are_the_same_on_every_executor(executor: str) -> None:
    here = balance.battle(*SIDES, trials=600, seed=3, set={"situation.map": "small"})
    there = balance.battle(*SIDES, trials=600, seed=3, set={"situation.map": "small"}, jobs=2, executor=executor)
    assert there.to_dict() == here.to_dict()


@pytest.mark.slow("tests/engine/test_pool.py::test_every_job_is_done_once")
def test_blocks_end_where_the_half_width_is_reached() -> None:
    duel = ("edadh", "spears", "shieldsmen")
    here = balance.duel(*duel, half_width=0.05, seed=1)
    there = balance.duel(*duel, half_width=0.05, seed=1, jobs=2, executor="processes")
    assert there.to_dict()["simulated"] == here.to_dict()["simulated"]


def test_an_executor_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean processes"):
        balance.battle(*SIDES, trials=8, executor="process")


@pytest.mark.parametrize(
    ("lane", "executor", "n_threads"),
    [("compiled", "auto", 1), ("compiled", "threads", 3), ("literal", "auto", 3), ("literal", "serial", 1)],
)
def test_there_are_threads_where_they_help_or_are_asked_for(
    lane: Lane, executor: str, n_threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, threads = list[int](), sampling._threads

    def counted(n: int) -> AbstractContextManager[Executor | None]:
        told.append(n)
        return threads(n)

    monkeypatch.setattr(sampling, "_threads", counted)
    balance.attack("warforged", "nexus+shotgun", "trooper", trials=64, lane=lane, executor=executor, jobs=3)
    assert told == [n_threads]

"""Streams: what is kept is taken over block by block, each once, and what is missing is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.jobs import Job
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.study.match_ups.jobs import BlockResult, Recipe
from balance.study.match_ups.plan import MatchUpTask
from balance.study.match_ups.sampling import Sampler, _Stream
from balance.study.match_ups.streams import Status, Stream, StreamEnd
from balance.study.settings.grid import Budget


@cache
def stream() -> Stream:
    query = Query("duel", "nexus+shotgun", "aegis+shotgun", block=4)
    recipe = Recipe("key", ((0, MatchUpTask("base", "", query, exact=False)),), "literal")
    return Stream("ab", "a duel", recipe, lambda tally: Estimate.exact(0.5))


def kept(first: int, n_blocks: int = 1) -> Tally:
    return Tally(Pmf.of({first: 4 * n_blocks}, "x"), first, n_blocks)


@pytest.mark.parametrize(
    ("ranges", "target", "gaps", "taken"),
    [
        ([], 4, [(0, 4)], []),
        ([(0, 2), (1, 1), (2, 1)], 4, [(3, 4)], [(0, 2), (2, 1)]),
        ([(0, 1), (0, 4), (1, 1)], 4, [], [(0, 4)]),
        ([(0, 1), (0, 4), (1, 1)], 2, [], [(0, 1), (1, 1)]),
        ([(1, 1), (3, 1)], 4, [(0, 1), (2, 3)], [(1, 1), (3, 1)]),
    ],
)
def test_blocks_that_are_kept_are_counted_once(
    ranges: list[tuple[int, int]], target: int, gaps: list[tuple[int, int]], taken: list[tuple[int, int]]
) -> None:
    state = _Stream(stream(), planned=8, stored_tallies=[kept(*part) for part in ranges])
    assert state.missing(target) == gaps
    assert [(tally.first_block, tally.n_blocks) for tally in state.parts] == taken
    state.parts += [kept(first, end - first) for first, end in gaps]
    state.close_round()
    assert state.tally is not None
    assert (state.tally.first_block, state.tally.n_blocks, state.tally.n_trials) == (0, target, 4 * target)


# -- how work is cut, by a clock of our own ----------------------------------------------------------------------------


class Hands:
    """A runner that keeps what it was given, plays one block in so many seconds, and tells of it."""

    def __init__(self, n_workers: int = 1, seconds: float = 0.25, cache: Any = None) -> None:
        self.pool = SimpleNamespace(n_workers=n_workers)
        self.stores: list[Any] = [cache] if cache is not None else []
        self.blocks, self.cache, self.seconds = None, cache, seconds
        self.told = list[Status]()
        self.engine = SimpleNamespace(progress=self.told.append)
        self.jobs = list[list[tuple[int, int, int]]]()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, list[BlockResult]]]:
        for job in jobs:
            pieces = job.arguments[2]
            self.jobs.append([(piece.index, piece.first, piece.n_blocks) for piece in pieces])
            yield job, [BlockResult(p.index, won(p.first, p.n_blocks), self.seconds * p.n_blocks) for p in pieces]


def won(first: int, n_blocks: int) -> Tally:
    """Blocks of four pairs each, of which side a wins three games in four."""
    return Tally(Pmf(("game",), np.array([[1], [2]]), np.array([3 * n_blocks, n_blocks])), first, n_blocks)


def measured(tally: Tally) -> Estimate:
    return Estimate(0.75, 0.75 - 1 / tally.n_trials, 0.75 + 1 / tally.n_trials, tally.n_trials)


def streams(n: int) -> list[Stream]:
    return [replace(stream(), id=f"{at:02x}", name=f"match-up {at}", measure=measured) for at in range(n)]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes whenever somebody looks."""
    seconds = count()
    monkeypatch.setattr("balance.study.match_ups.sampling.time.monotonic", lambda: float(next(seconds)))


def play(hands: Hands, n: int, **budget: Any) -> list[StreamEnd]:
    return Sampler(cast("Runner", hands), [], 7).run(streams(n), Budget.model_validate(budget))


def test_blocks_are_handed_out_about_a_second_at_a_time() -> None:
    """Blocks take a quarter of a second, so once that is known four of them make a job; the first is tried alone."""
    hands = Hands()
    (ended,) = play(hands, 1, trials=60)
    assert hands.jobs == [[(0, 0, 1)], [(0, 1, 1)], [(0, 2, 2)], [(0, 4, 4)], [(0, 8, 4)], [(0, 12, 3)]]
    assert (ended.reason, ended.tally and ended.tally.n_trials) == ("trials", 60)


def test_short_streams_share_a_job() -> None:
    hands = Hands()
    play(hands, 6, trials=8)
    rounds = [[[index for index, at, _ in job if at == n] for job in hands.jobs] for n in (0, 1)]
    assert [[job for job in one if job] for one in rounds] == [[[0], [1, 2, 3, 4], [5]], [[0, 1, 2, 3], [4, 5]]]


def test_many_workers_end_a_round_together() -> None:
    """Two workers are given half of a half each of what is left, a tenth of a second at least."""
    hands = Hands(2, seconds=0.05)
    play(hands, 1, trials=4 * 64)
    last = [sum(n for _, _, n in job) for job in hands.jobs if job[0][1] >= 32]
    assert last == [8, 6, 5, 3, 3, 2, 2, 2, 1]


def test_a_job_is_called_by_its_last_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, names = Hands(), list[str]()
    real = hands.run
    monkeypatch.setattr(hands, "run", lambda jobs: real(names.append(job.name) or job for job in jobs))  # type: ignore[func-returns-value]
    play(hands, 3, trials=8)
    assert names[-1] == "match-up 2"


def test_how_far_the_playing_is_is_told_after_each_job_and_each_round() -> None:
    """Two streams of two blocks: done, about how many there will be, a second, open, all, the widest interval."""
    hands = Hands()
    play(hands, 2, trials=8)
    shown = [(one.n_done, one.total, round(one.rate, 6), one.n_open, one.n_all, one.worst) for one in hands.told]
    assert shown == [
        (4, 4, 4.0, 2, 2, None),
        (8, 8, 4.0, 2, 2, None),
        (8, 16, 2.666667, 2, 2, 0.25),
        (12, 16, 3.0, 2, 2, 0.25),
        (16, 16, 3.2, 2, 2, 0.25),
        (16, 16, 2.666667, 0, 2, 0.125),
    ]


def test_nobody_is_told_where_nobody_watches() -> None:
    hands = Hands()
    hands.engine.progress = None
    assert [one.reason for one in play(hands, 1, trials=4)] == ["trials"]


def test_a_total_that_is_less_than_a_block_plays_nothing() -> None:
    assert play(Hands(), 2, trials=8, total=3) == [StreamEnd(None, "total")] * 2


def test_a_total_ends_what_it_does_not_reach() -> None:
    """Five blocks in all: each stream has its first, then the first two of equal width a second."""
    ended = play(Hands(), 3, trials=16, total=20)
    assert [(one.tally and one.tally.n_blocks, one.reason) for one in ended] == [
        (2, "total"),
        (2, "total"),
        (1, "total"),
    ]


class Shared:
    """A cache that holds some blocks and notes what is added."""

    def __init__(self, *held: Tally) -> None:
        self.held, self.added = held, list[tuple[str, int, int]]()

    def ranges(self, name: str, expected: object) -> tuple[Tally, ...]:
        return self.held

    def add(self, name: str, tally: Tally) -> None:
        self.added.append((name, tally.first_block, tally.n_blocks))


@pytest.mark.parametrize(
    ("held", "added", "played"),
    [
        ([], [(0, 1), (1, 1), (2, 2)], [(0, 1), (1, 1), (2, 2)]),
        ([(0, 1)], [(1, 1), (2, 2)], [(1, 1), (2, 2)]),
        ([(0, 1), (1, 1), (2, 2)], [], []),
        ([(0, 1), (2, 1)], [(1, 1), (2, 2)], [(1, 1), (3, 1)]),
    ],
)
def test_what_a_round_brought_goes_to_the_cache_unless_it_came_from_there(
    held: list[tuple[int, int]], added: list[tuple[int, int]], played: list[tuple[int, int]]
) -> None:
    shared = Shared(*(won(*part) for part in held))
    hands = Hands(cache=shared)
    (ended,) = play(hands, 1, trials=16)
    assert ended.tally is not None
    assert (ended.tally.n_blocks, ended.tally.counts.weights.tolist()) == (4, [12, 4])
    assert shared.added == [("00", *part) for part in added]
    assert [(first, n) for job in hands.jobs for _, first, n in job] == played

"""Collecting blocks: the same numbers on any number of threads, in any order of arrival, wherever it stops."""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from threading import get_ident
from typing import Any, cast

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.chance.exact.chain import chain_distribution
from balance.chance.pmf import Pmf, die, mixture
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import BLOCK_TRIALS, Task, collect, distribution_task, iterate, process_task
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.stopping import FixedTrials, HalfWidth
from balance.chance.trials.tally import Rows, Tally, count_rows, keep_rows
from tests.chance.toys import HIT, race

TASK = distribution_task("collect", HIT)


def coin(rolls: RandomRolls) -> Pmf:
    heads = int((rolls.d(2, 1, "coin") == 1).sum())
    return Pmf.from_rows(["heads"], [[1], [0]], [heads, rolls.n - heads])


def test_exactly_as_many_trials_as_asked_for() -> None:
    for n in (1, BLOCK_TRIALS - 1, BLOCK_TRIALS, BLOCK_TRIALS + 1, 3 * BLOCK_TRIALS):
        assert collect(TASK, FixedTrials(n), seed=0).n_trials == n


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_threads_do_not_change_a_number(n_threads: int) -> None:
    task = process_task("duel", (race(4, 4), race(4, 5)))
    one = collect(task, FixedTrials(300_000), seed=7)
    many = collect(task, FixedTrials(300_000), seed=7, n_threads=n_threads)
    assert one.counts.to_dict() == many.counts.to_dict()


def test_blocks_that_arrive_out_of_order_are_counted_in_order() -> None:
    def slow_at_first(rolls: RandomRolls) -> Pmf:
        time.sleep(0.05 if rolls._origin[2] == 0 else 0)
        return coin(rolls)

    with ThreadPoolExecutor(4) as executor:
        stop = FixedTrials(4 * BLOCK_TRIALS)
        tallies = list(iterate(Task("k", slow_at_first), stop, seed=0, executor=executor, n_workers=4))
    assert [tally.n_blocks for tally in tallies] == [1, 2, 3, 4]
    assert {tally.first_block for tally in tallies} == {0}
    assert tallies[-1].counts == collect(Task("k", coin), stop, seed=0).counts


def test_a_longer_run_begins_with_the_shorter_one() -> None:
    short = collect(TASK, FixedTrials(2 * BLOCK_TRIALS), seed=0)
    prefix = list(iterate(TASK, FixedTrials(5 * BLOCK_TRIALS), seed=0))[1]
    assert prefix.counts.to_dict() == short.counts.to_dict()


@pytest.mark.parametrize("n_threads", [1, 4])
def test_it_stops_at_the_same_block_on_any_number_of_threads(n_threads: int) -> None:
    stop = HalfWidth(0.003, (lambda heads: heads == 1,))
    tally = collect(Task("k", coin), stop, seed=0, n_threads=n_threads)
    assert stop.is_enough(tally)
    assert tally.n_blocks == collect(Task("k", coin), stop, seed=0).n_blocks > 1


def test_the_cap_holds_where_the_width_is_out_of_reach() -> None:
    stop = HalfWidth(1e-6, (lambda heads: heads == 1,), cap=100_000)
    assert collect(Task("k", coin), stop, seed=0).n_trials == 100_000


def test_progress_hears_of_every_block() -> None:
    heard: list[int] = []
    collect(TASK, FixedTrials(150_000), seed=0, progress=lambda tally: heard.append(tally.n_trials))
    assert heard == [65536, 131072, 150_000]


def test_closing_the_iterator_stops_the_work() -> None:
    played: list[int] = []

    def noted(rolls: RandomRolls) -> Pmf:
        played.append(rolls.n)
        return coin(rolls)

    with closing(cast("Generator[Tally]", iterate(Task("k", noted), FixedTrials(10**9), seed=0))) as tallies:
        next(tallies)
    assert len(played) == 1


def test_an_error_in_a_block_comes_through() -> None:
    def broken(rolls: RandomRolls) -> Pmf:
        raise ZeroDivisionError

    for n_threads in (1, 2):
        with pytest.raises(ZeroDivisionError):
            collect(Task("k", broken), FixedTrials(200_000), seed=0, n_threads=n_threads)


def test_one_of_several_processes_is_chosen_fairly() -> None:
    """A G-test against the even mixture; fails for one seed in 1000."""
    processes = (race(3, 5), race(5, 3))
    sample = collect(process_task("mix", processes), FixedTrials(200_000), seed=1)
    assert mixture((1, chain_distribution(p)) for p in processes).agreement(sample.counts).p_value > 0.001
    assert chain_distribution(processes[0]).agreement(sample.counts).p_value < 1e-6


def test_other_seeds_and_keys_give_other_numbers() -> None:
    stop = FixedTrials(100_000)
    base = collect(TASK, stop, seed=0).counts.weights.tolist()
    assert base != collect(TASK, stop, seed=1).counts.weights.tolist()
    assert base != collect(distribution_task("other", HIT), stop, seed=0).counts.weights.tolist()


def test_tallies_do_not_grow_with_the_trials() -> None:
    tally: Tally = collect(distribution_task("k", die(6)), FixedTrials(10**7), seed=0)
    assert len(tally.counts) == 6
    assert tally.counts.total == 10**7


# -- other results and sizes of blocks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n_threads", [1, 3])
def test_counts_and_rows_tell_of_the_same_trials(n_threads: int) -> None:
    """Of two processes that are mixed, each ends its trials in another order; rows put them back in theirs."""
    processes, stop = (race(2, 3), race(3, 2)), FixedTrials(2500)
    kept = {
        keep: collect(process_task("k", processes, 1000, keep), stop, seed=3, n_threads=n_threads)
        for keep in (count_rows, keep_rows)
    }
    rows = kept[keep_rows].result
    assert isinstance(rows, Rows)
    assert {tally.n_trials for tally in kept.values()} == {2500}
    assert {tally.n_blocks for tally in kept.values()} == {3}
    columns = dict(zip(rows.columns, rows.values.T, strict=True))
    assert count_rows(columns) == kept[count_rows].counts
    alone = collect(process_task("k", processes, 1000, keep_rows), stop, seed=3).result
    assert isinstance(alone, Rows)
    assert alone.values.tolist() == rows.values.tolist()


def test_rows_of_a_shorter_run_begin_those_of_a_longer_one() -> None:
    short, long = (
        collect(process_task("k", (race(2, 3), race(3, 2)), 512, keep_rows), FixedTrials(n), seed=3).result
        for n in (1024, 2000)
    )
    assert isinstance(short, Rows)
    assert isinstance(long, Rows)
    assert short.values.tolist() == long.values[:1024].tolist()


def test_the_size_of_a_block_is_part_of_the_numbers() -> None:
    small, large = (
        collect(distribution_task("k", HIT, size), FixedTrials(4096), seed=0) for size in (1024, BLOCK_TRIALS)
    )
    assert (small.n_blocks, large.n_blocks) == (4, 1)
    assert small.counts != large.counts
    with pytest.raises(UsageError, match="a block holds 1 trial or more, found 0"):
        distribution_task("k", HIT, 0)


# -- whose trial is which, and how much is under way -------------------------------------------------------------------


def numbered(branch: int) -> Process:
    """Return a process that ends its trials out of order, and reports each one's number and which branch it is of."""
    return Process(
        lambda rolls, n: {"trial": np.arange(n), "six": np.zeros(n, np.int64)},
        (lambda s, r: {**s, "six": r.count(6, 1, [6], "die")},),
        lambda s: s["six"] > 0,
        lambda s, steps: {"trial": s["trial"], "branch": np.full(len(steps), branch), "steps": steps},
        100,
    )


def test_rows_are_in_the_order_of_the_trials() -> None:
    kept = collect(process_task("k", (numbered(0),), 50, keep_rows), FixedTrials(120), seed=3).result
    assert isinstance(kept, Rows)
    assert kept.values[:, 0].tolist() == [*range(50), *range(50), *range(20)]
    assert kept.values[:, 2].tolist() != sorted(kept.values[:, 2].tolist())


def test_each_trial_of_a_mixture_is_of_the_process_that_was_drawn_for_it() -> None:
    processes = tuple(map(numbered, range(3)))
    kept = collect(process_task("k", processes, 50, keep_rows), FixedTrials(70), seed=3).result
    assert isinstance(kept, Rows)
    drawn = [RandomRolls(3, "k", block, n).d(3, 1, "which")[:, 0] - 1 for block, n in ((0, 50), (1, 20))]
    assert kept.values[:, 1].tolist() == np.concatenate(drawn).tolist()
    for branch in range(3):
        for block, rows in ((0, kept.values[:50]), (1, kept.values[50:])):
            mine = rows[rows[:, 1] == branch]
            assert mine[:, 0].tolist() == list(range(len(mine)))
            alone = numbered(branch)
            rolls = RandomRolls(3, f"k/branch {branch}", block, len(mine))
            assert mine[:, 2].tolist() == simulate(alone, rolls, in_order=True)["steps"].tolist()


class Slow(Executor):
    """Runs what was submitted when its result is asked for, and notes what was submitted and cancelled."""

    def __init__(self) -> None:
        self.submitted: list[int] = []
        self.cancelled: list[int] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Note the block."""
        block = args[2]
        self.submitted.append(block)
        future: Future[Any] = Future()
        future.result = lambda timeout=None: fn(*args)  # type: ignore[method-assign]
        future.add_done_callback(lambda _: self.cancelled.append(block))
        return future


@pytest.mark.parametrize(("n_workers", "under_way"), [({}, 3), ({"n_workers": 1}, 3), ({"n_workers": 4}, 9)])
def test_so_many_blocks_are_under_way_and_those_that_are_left_are_cancelled(
    n_workers: dict[str, int], under_way: int
) -> None:
    """One more than two a worker, so that none waits; and no block is begun before there is room for it."""
    executor, begun = Slow(), list[int]()
    with closing(
        cast(
            "Generator[Tally]", iterate(Task("k", coin, 10), FixedTrials(1000), seed=0, executor=executor, **n_workers)
        )
    ) as tallies:
        for _ in range(3):
            assert next(tallies).n_trials == 10 * (len(begun) + 1)
            begun.append(len(executor.submitted))
    assert begun == [under_way, under_way + 1, under_way + 2]
    assert executor.cancelled == list(range(3, under_way + 2))


def test_the_last_blocks_are_waited_for() -> None:
    executor = Slow()
    (*_, last) = iterate(Task("k", coin, 10), FixedTrials(45), seed=0, executor=executor, n_workers=8)
    assert (last.n_trials, last.n_blocks, executor.submitted, executor.cancelled) == (45, 5, [0, 1, 2, 3, 4], [])


def test_blocks_run_here_unless_threads_are_asked_for() -> None:
    ran: set[int] = set()

    def noted(rolls: RandomRolls) -> Pmf:
        ran.add(get_ident())
        return coin(rolls)

    collect(Task("k", noted, 10), FixedTrials(50), seed=0)
    assert ran == {get_ident()}
    ran.clear()
    collect(Task("k", noted, 10), FixedTrials(50), seed=0, n_threads=2)
    assert get_ident() not in ran


def test_who_stops_listening_stops_the_blocks_that_wait() -> None:
    played: list[int] = []

    def noted(rolls: RandomRolls) -> Pmf:
        played.append(rolls.n)
        time.sleep(0.01)
        return coin(rolls)

    def enough(tally: Tally) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(Task("k", noted, 10), FixedTrials(1000), seed=0, n_threads=8, progress=enough)
    assert len(played) < 17


def test_a_block_may_hold_one_trial() -> None:
    assert [tally.n_trials for tally in iterate(Task("k", coin, 1), FixedTrials(3), seed=0)] == [1, 2, 3]

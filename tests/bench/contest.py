"""Contenders on one task, timed in turn: A B C, A B C, ... so that a slow moment of the machine hits them all alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Literal

__all__ = ["Contender", "Contest", "Row", "SkippedError", "in_lanes", "run_contest", "wall_clock"]

SAMPLE_SECONDS = 0.02
"""A sample repeats the work until it takes about as long as this."""


class SkippedError(Exception):
    """A contender cannot run here; the text says why."""


def wall_clock(work: Callable[[], Any], loops: int) -> float:
    """Return the mean seconds that one call of `work` takes."""
    start = perf_counter()
    for _ in range(loops):
        work()
    return (perf_counter() - start) / loops


@dataclass(frozen=True)
class Contender:
    """Someone who does the task.

    Attributes
    ----------
    name
        Who, and what is counted in the time.
    work
        Does the task once; its answer is checked before it is timed.
    trials
        Trials that one call makes, 1 for an exact answer.
    clock
        (work, loops) -> mean seconds a call takes; for a program that measures itself.
    """

    name: str
    work: Callable[[], Any]
    trials: int = 1
    clock: Callable[[Callable[[], Any], int], float] = wall_clock


@dataclass(frozen=True)
class Contest:
    """One task: our contenders, each of whom is held against every peer.

    Attributes
    ----------
    check
        (name, answer): raises WrongAnswerError.
    """

    task: str
    ours: list[Contender]
    peers: list[Contender | str]
    check: Callable[[str, Any], None]


@dataclass(frozen=True)
class Row:
    """A line of the table: one of ours against one peer, or against nothing where the peer could not run.

    Attributes
    ----------
    our_cost, peer_cost
        Seconds a call ("time"), seconds a trial ("rate") or megabytes ("memory"): the less the better.
    """

    task: str
    ours: str
    our_cost: float
    peer: str
    peer_cost: float | None
    kind: Literal["time", "rate", "memory"]

    @property
    def ratio(self) -> float | None:
        """How many times as fast (or as small) as the peer we are."""
        return None if self.peer_cost is None else self.peer_cost / self.our_cost


def in_lanes(sampled: Callable[..., Any], n_trials: int) -> list[Contender]:
    """Return `sampled(lane, trials, threads)` in both lanes, on two threads and one; compiled eight times as many."""
    return [
        Contender(f"{lane} lane, {threads} threads", partial(sampled, lane, more * n_trials, threads), more * n_trials)
        for lane, more in (("compiled", 8), ("literal", 1))
        for threads in (2, 1)
    ]


def run_contest(contest: Contest, rounds: int) -> list[Row]:
    """Check every contender's answer, time them in turn, and return a row for each pair of ours and a peer."""
    able = [peer for peer in contest.peers if isinstance(peer, Contender)]
    seconds = _measure([*contest.ours, *able], contest.check, rounds)
    rows = []
    for mine in contest.ours:
        for peer in contest.peers:
            name, taken = (peer, None) if isinstance(peer, str) else (peer.name, seconds[peer.name])
            kind: Literal["time", "rate"] = "time" if mine.trials == 1 else "rate"
            rows.append(Row(contest.task, mine.name, seconds[mine.name], name, taken, kind))
    return rows


def _measure(contenders: list[Contender], check: Callable[[str, Any], None], rounds: int) -> dict[str, float]:
    loops = {}
    for one in contenders:
        check(one.name, one.work())
        loops[one.name] = max(1, round(SAMPLE_SECONDS / max(one.clock(one.work, 1), 1e-9)))
    samples: dict[str, list[float]] = {one.name: [] for one in contenders}
    for _ in range(rounds):
        for one in contenders:
            samples[one.name].append(one.clock(one.work, loops[one.name]) / one.trials)
    return {name: median(values) for name, values in samples.items()}

"""Contenders on one task, timed in turn: A B C, A B C, ... so that a slow moment of the machine hits them all alike.

A contest has some seconds. Trials of a call are doubled until a call takes its share of them; then there are as many
rounds as fit. Who takes longer than that for the first checked call is timed by that call alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Literal

SAMPLE_SECONDS = 0.02
"""A sample repeats the work until it takes about as long as this."""
CALLS = 6
"""How many calls of each contender the seconds of a contest have room for."""
WARM_UP = 2
"""Trials of the call before all others, which builds the tables."""
BLOCK = 2**16
"""Trials that a thread makes at a time: fewer leave it idle."""


class SkippedError(Exception):
    """A contender cannot run here; the text says why."""


@dataclass(frozen=True)
class Budget:
    """What a contest may take.

    Attributes
    ----------
    seconds
        About how long it lasts, warming up and checking included; a contest may ask for a multiple.
    rounds
        How often every contender is timed at most.
    """

    seconds: float
    rounds: int


@dataclass(frozen=True)
class Contender:
    """Someone who does the task.

    Attributes
    ----------
    name
        Who, and what is counted in the time.
    work
        Does the task once; its answer is checked before it is timed. Whoever samples is handed the number of trials.
    trials, fewest
        Trials that one call makes, at most and at least; 1 for an exact answer.
    own_clock
        Whether `work` returns seconds and answer, for a program that measures itself.
    """

    name: str
    work: Callable[..., Any]
    trials: int = 1
    fewest: int = 1
    own_clock: bool = False

    def timed(self, trials: int, loops: int = 1) -> tuple[float, Any]:
        """Return the mean seconds of a call, and what the last one answers."""
        call = partial(self.work, trials) if self.trials > 1 else self.work
        if self.own_clock:
            answers = [call() for _ in range(loops)]
            return sum(seconds for seconds, _ in answers) / loops, answers[-1][1]
        start, answer = perf_counter(), None
        for _ in range(loops):
            answer = call()
        return (perf_counter() - start) / loops, answer


@dataclass(frozen=True)
class Contest:
    """One task: our contenders, each of whom is held against every peer.

    Attributes
    ----------
    check
        (name, answer): raises WrongAnswerError.
    weight
        How many times the usual seconds it takes, where a call is slow.
    """

    task: str
    ours: list[Contender]
    peers: list[Contender | str]
    check: Callable[[str, Any], None]
    weight: int = 1


@dataclass(frozen=True)
class Row:
    """A line of the table: one of ours against one peer, or against nothing where the peer could not run.

    Attributes
    ----------
    our_cost, peer_cost
        Seconds a call ("time"), seconds a trial ("rate") or megabytes ("memory"): the less the better.
    trials, samples
        Trials that a call of ours made, and how many samples the costs are medians of.
    """

    task: str
    ours: str
    our_cost: float
    peer: str
    peer_cost: float | None
    kind: Literal["time", "rate", "memory"]
    trials: int = 1
    samples: int = 1

    @property
    def ratio(self) -> float | None:
        """How many times as fast (or as small) as the peer we are."""
        return None if self.peer_cost is None else self.peer_cost / self.our_cost


def in_lanes(sampled: Callable[..., Any], compiled: int = 2**23, literal: int = 2**20) -> list[Contender]:
    """Return `sampled(lane, threads, trials)` in both lanes, on two threads and on one, with so many trials at most."""
    return [
        Contender(f"{lane} lane, {threads} threads", partial(sampled, lane, threads), most, min(most, threads * BLOCK))
        for lane, most in (("compiled", compiled), ("literal", literal))
        for threads in (2, 1)
    ]


@dataclass
class _Timed:
    """A contender with as many trials a call and calls a sample as its share of the seconds allows.

    Attributes
    ----------
    first
        Seconds of the last call before the rounds.
    wall
        Seconds that a sample takes about, by our clock.
    """

    who: Contender
    trials: int
    loops: int
    first: float
    wall: float
    samples: list[float] = field(default_factory=list)

    def take(self) -> None:
        """Take one sample."""
        self.samples.append(self.who.timed(self.trials, self.loops)[0])

    @property
    def cost(self) -> float:
        """Seconds a trial, or a call that gives an exact answer."""
        return median(self.samples or [self.first]) / self.trials


def run_contest(contest: Contest, budget: Budget) -> list[Row]:
    """Check every contender's answer, time them in turn, and return a row for each pair of ours and a peer."""
    able = [peer for peer in contest.peers if isinstance(peer, Contender)]
    measured = _measure([*contest.ours, *able], contest.check, budget.seconds * contest.weight, budget.rounds)
    rows = []
    for mine in contest.ours:
        for peer in contest.peers:
            name, cost = (peer, None) if isinstance(peer, str) else (peer.name, measured[peer.name].cost)
            kind: Literal["time", "rate"] = "time" if mine.trials == 1 else "rate"
            own = measured[mine.name]
            samples = max(1, len(own.samples))
            rows.append(Row(contest.task, mine.name, own.cost, name, cost, kind, own.trials, samples))
    return rows


def _measure(
    contenders: list[Contender], check: Callable[[str, Any], None], seconds: float, rounds: int
) -> dict[str, _Timed]:
    start = perf_counter()
    share = seconds / (CALLS * len(contenders))
    measured = [_fitted(one, check, share) for one in contenders]
    a_round = sum(one.wall for one in measured)
    for _ in range(rounds):
        begun = perf_counter()
        if begun - start + a_round > seconds:
            break
        for one in measured:
            one.take()
        a_round = perf_counter() - begun
    return {one.who.name: one for one in measured}


def _fitted(who: Contender, check: Callable[[str, Any], None], share: float) -> _Timed:
    """Warm a contender up, then double its trials until a call takes its share; every answer is checked."""
    who.timed(min(WARM_UP, who.fewest))
    trials = who.fewest
    while True:
        begun = perf_counter()
        seconds, answer = who.timed(trials)
        wall = perf_counter() - begun
        check(who.name, answer)
        if 2 * trials > who.trials or 2 * wall > share:
            loops = max(1, round(min(SAMPLE_SECONDS / max(seconds, 1e-9), share / max(wall, 1e-9))))
            return _Timed(who, trials, loops, who.timed(trials, loops)[0] if loops > 1 else seconds, loops * wall)
        trials *= 2

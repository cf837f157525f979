"""Play many streams until each is known well enough: in rounds, on any pool, with every finished block kept.

Round r brings each open stream to 2^r blocks; only when all of a round's blocks are in are the streams looked at, and
those that are satisfied are closed. So what is played, and where each stream ends, depends on the numbers alone: never
on timing, on the number of workers, or on what was already in the store. Where a total for all streams binds, a round
gives to the stream with the widest interval first.

Within a round, workers are given consecutive blocks, of one stream or of several, worth about a second at a time (less
as the round ends, so that nobody waits long); how they are cut changes nothing. What comes back is written to the run's
folder at once, so that a kill loses at most what was under way. Blocks found in the run's folder, or in the cache that
studies share, are not played again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.jobs import Job
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.study.match_ups.jobs import BlockResult, Piece, play
from balance.study.match_ups.streams import Status, Stream, StreamEnd
from balance.study.match_ups.verdict import expected_more, stop_reason
from balance.study.settings.grid import Budget

ALLOCATION = (
    "Every open match-up is brought to 1, 2, 4, 8... blocks in turn and looked at after each of these rounds; it is "
    "closed as soon as its rule is met, so trials go where the answer is still open. Where the study has a total, the "
    "match-up with the widest interval is served first."
)
"""How trials are spread, in the words of the report."""

JOB_SECONDS = 1.0
"""Work that one job should hold."""
LEAST_SECONDS = 0.1
"""Work that a job at the end of a round should hold at least."""


@dataclass(eq=False)
class _Stream:
    """A stream under way; `planned` is the most blocks it may have, `parts` came in since the last look."""

    stream: Stream
    planned: int
    tally: Tally | None = None
    estimate: Estimate | None = None
    stored_tallies: list[Tally] = field(default_factory=list)
    parts: list[Tally] = field(default_factory=list)
    stop_reason: str = ""

    @property
    def n_blocks(self) -> int:
        return 0 if self.tally is None else self.tally.n_blocks

    @property
    def pairs_per_block(self) -> int:
        return self.stream.recipe.pairs_per_block

    @property
    def width(self) -> float:
        return 1.0 if self.estimate is None else self.estimate.half_width

    def missing(self, target: int) -> list[tuple[int, int]]:
        """Move stored tallies that fit to `parts`, and return the gaps up to `target` blocks as (first, end)."""
        at, gaps = self.n_blocks, list[tuple[int, int]]()
        usable = [t for t in self.stored_tallies if t.first_block + t.n_blocks <= target]
        while at < target:
            tallies = [tally for tally in usable if tally.first_block == at]
            if tallies:
                best = max(tallies, key=lambda tally: tally.n_blocks)
                self.parts.append(best)
                at += best.n_blocks
                continue
            end = min([t.first_block for t in usable if t.first_block > at], default=target)
            gaps.append((at, end))
            at = end
        return gaps

    def close_round(self) -> Tally | None:
        """Add the parts in order to the tally, and return their sum; None if nothing came in."""
        parts = sorted(self.parts, key=lambda tally: tally.first_block)
        self.parts = []
        fresh: Tally | None = None
        for part in parts:
            fresh = part if fresh is None else fresh + part
        if fresh is not None:
            self.tally = fresh if self.tally is None else self.tally + fresh
        return fresh


class Sampler:
    """Plays streams on a runner, which says where, and keeps what is finished; a failing cache does no harm.

    `sources` are the games that recipes refer to by place.
    """

    def __init__(self, runner: Runner, sources: Sequence[Source], seed: int) -> None:
        self._runner, self._sources, self._seed = runner, tuple(sources), seed
        self._seconds: dict[str, float] = {}
        self._all_seconds, self._all_blocks = 0.0, 0
        self._n_trials, self._start_time = 0, time.monotonic()
        self._worst: float | None = None
        self._looked_at, self._more = 0, 0

    def run(self, streams: Sequence[Stream], budget: Budget) -> list[StreamEnd]:
        """Play streams until each has met the budget's rule; return where each came to, in order.

        Raises `Halted` if asked to stop, with what was under way kept, and `OutputError` if the run's folder cannot be
        written.
        """
        states = [_Stream(stream, self._planned(stream, budget)) for stream in streams]
        for state in states:
            state.stored_tallies = self._load(state.stream)
        target, n_left = 1, budget.total
        while still := [state for state in states if not state.stop_reason]:
            n_wanted, n_left = _share(still, target, n_left)
            self._round(states, n_wanted)
            for state in still:
                self._look(state, budget, state in n_wanted)
            self._tell(states, budget)
            target *= 2
        return [StreamEnd(state.tally, state.stop_reason) for state in states]

    @staticmethod
    def _planned(stream: Stream, budget: Budget) -> int:
        max_trials = budget.trials if budget.trials is not None else budget.cap
        return -(-max_trials // stream.recipe.pairs_per_block)

    def _load(self, stream: Stream) -> list[Tally]:
        return [tally for store in self._runner.stores for tally in store.ranges(stream.id, stream.expected)]

    # -- one round ----------------------------------------------------------------------------------------------------

    def _round(self, states: Sequence[_Stream], n_wanted: dict[_Stream, int]) -> None:
        gaps: list[tuple[_Stream, int, int]] = []
        for state, end in n_wanted.items():
            gaps += [(state, *gap) for gap in state.missing(end)]
        index = {id(state): place for place, state in enumerate(states)}
        jobs = self._jobs([(index[id(state)], state, first, end) for state, first, end in gaps])
        for _, results in self._runner.run(jobs):
            for result in results:
                self._keep(states[result.index], result)
                self._tell(states, None)

    def _jobs(self, gaps: Sequence[tuple[int, _Stream, int, int]]) -> Iterator[Job]:
        """Yield jobs of about `JOB_SECONDS`, by what blocks have taken so far, and shorter ones as a round ends."""
        pieces, n_filled, name = list[Piece](), 0.0, ""
        n_left = sum(end - first for _, _, first, end in gaps)
        for index, state, first, end in gaps:
            while first < end:
                seconds, size = self._expected(state), self._job_seconds(n_left)
                room = max(1, round((size - n_filled) / seconds)) if seconds else 1
                n = min(room, end - first)
                pieces.append(Piece(index, state.stream.recipe, first, n))
                first, n_left, name = first + n, n_left - n, state.stream.name
                n_filled += n * (seconds or JOB_SECONDS)
                if n_filled >= 0.9 * size:
                    yield self._job(pieces, name)
                    pieces, n_filled = [], 0.0
        if pieces:
            yield self._job(pieces, name)

    def _job_seconds(self, n_left: int) -> float:
        """Return the seconds that the next job should take, so that all workers end a round at about the same time."""
        if self._runner.pool.n_workers == 1 or not self._all_blocks:
            return JOB_SECONDS
        share = n_left * self._all_seconds / self._all_blocks / (2 * self._runner.pool.n_workers)
        return min(JOB_SECONDS, max(LEAST_SECONDS, share))

    def _job(self, pieces: Sequence[Piece], name: str) -> Job:
        return Job(name, play, (self._sources, self._seed, tuple(pieces)))

    def _expected(self, state: _Stream) -> float | None:
        """Return the seconds that a block takes: of this stream, else on average; None before the first."""
        average = self._all_seconds / self._all_blocks if self._all_blocks else None
        return self._seconds.get(state.stream.id, average)

    def _keep(self, state: _Stream, result: BlockResult) -> None:
        state.parts.append(result.tally)
        self._seconds[state.stream.id] = result.seconds / result.tally.n_blocks
        self._all_seconds += result.seconds
        self._all_blocks += result.tally.n_blocks
        self._n_trials += result.tally.n_trials
        if self._runner.blocks is not None:
            self._runner.blocks.add(state.stream.id, result.tally)

    # -- looking ------------------------------------------------------------------------------------------------------

    def _look(self, state: _Stream, budget: Budget, is_served: bool) -> None:
        fresh = state.close_round()
        if fresh is not None:
            self._share_block(state, fresh)
        if state.tally is not None:
            state.estimate = state.stream.measure(state.tally)
            state.stop_reason = stop_reason(state.estimate, budget, state.planned * state.pairs_per_block)
        if not is_served and not state.stop_reason:
            state.stop_reason = "total"

    def _share_block(self, state: _Stream, fresh: Tally) -> None:
        """Add what a round brought to the cache that studies share, unless the stores already held just that."""
        cache = self._runner.cache
        if cache is None or any(
            (tally.first_block, tally.n_blocks) == (fresh.first_block, fresh.n_blocks) for tally in state.stored_tallies
        ):
            return
        cache.add(state.stream.id, fresh)

    def _tell(self, states: Sequence[_Stream], budget: Budget | None) -> None:
        progress = self._runner.engine.progress
        if progress is None:
            return
        still = [state for state in states if not state.stop_reason]
        pairs = sum((s.tally.n_trials if s.tally else 0) + sum(part.n_trials for part in s.parts) for s in states)
        if budget is not None:
            estimates = [(state, state.estimate) for state in states if state.estimate is not None]
            self._worst = max((estimate.half_width for _, estimate in estimates), default=None)
            self._more = sum(
                expected_more(estimate, budget, state.planned * state.pairs_per_block)
                for state, estimate in estimates
                if not state.stop_reason
            )
            self._looked_at = pairs
        expected = max(pairs, self._looked_at + self._more)
        rate = self._n_trials / max(1e-9, time.monotonic() - self._start_time)
        progress(Status(pairs, expected, rate, len(still), len(states), self._worst))


def _share(still: Sequence[_Stream], target: int, n_left: int | None) -> tuple[dict[_Stream, int], int | None]:
    """Return the target of each open stream in blocks, and how many pairs are left of the study's total.

    With a total the streams with the widest intervals are served first; those that get nothing are left out.
    """
    if n_left is None:
        return {state: min(target, state.planned) for state in still}, None
    n_wanted: dict[_Stream, int] = {}
    for state in sorted(still, key=lambda state: -state.width):
        affordable = state.n_blocks + n_left // state.pairs_per_block
        end = min(target, state.planned, affordable)
        if end > state.n_blocks:
            n_wanted[state] = end
            n_left -= (end - state.n_blocks) * state.pairs_per_block
    return n_wanted, n_left

"""Streams of blocks: what is played under which name, where it came to, and how far the playing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.source import Source
from balance.engine.store import Expected
from balance.game.loaded import LoadedGame
from balance.study.match_ups.jobs import Recipe, counts_of
from balance.study.match_ups.plan import MatchUpTask, stream_id
from balance.study.settings.settings import Study


@dataclass(frozen=True)
class Stream:
    """Blocks of trials with a name that is the same wherever and whenever they are played.

    `id`: names its blocks in a store; see `balance.study.match_ups.plan.stream_id`. `measure`: the estimate that
    decides when to stop, from the counts so far. `expected`: what its counts can hold, for blocks found on disk; None
    believes them.
    """

    id: str
    name: str
    recipe: Recipe
    measure: Callable[[Tally], Estimate]
    expected: Expected | None = None


def stream_of(
    study: Study,
    sides: Sequence[tuple[int, MatchUpTask]],
    ids: Sequence[str],
    game: LoadedGame,
    sources: Mapping[str, Source],
    measure: Callable[[Tally], Estimate],
) -> Stream:
    """Return the stream of a match-up of a study, or of one before and after a change, on the same dice.

    `sides` holds one or two (place of its source, task), `ids` those of their queries, and `game` is what the first one
    asks.
    """
    task = sides[0][1]
    key, lane = task.query.pairing_key(game.definition), study.settings.lane
    recipe = Recipe(key, tuple(sides), lane)
    name = stream_id(ids, key, lane, study.settings.seed, sources[task.side].program)
    return Stream(name, task.name, recipe, measure, counts_of(recipe, task.kind(game)))


@dataclass(frozen=True)
class StreamEnd:
    """Where a stream came to: its counts, and why it was given no more ("total": the study's was spent)."""

    tally: Tally | None
    reason: str


@dataclass(frozen=True)
class Status:
    """How far the sampling has come.

    `n_done` and `total`: pairs played or found, and about how many there will be. `rate`: pairs played a second, by all
    workers together. `n_open` and `n_all`: streams not yet closed, and all. `worst`: half the width of the widest
    interval; None before the first look.
    """

    n_done: int
    total: int
    rate: float
    n_open: int
    n_all: int
    worst: float | None
    work: ClassVar[str] = "match-ups"
    unit: ClassVar[str] = "pairs"

    @property
    def details(self) -> tuple[str, ...]:
        """Phrases on how many streams are open and how wide the widest interval is."""
        texts = [f"widest interval +-{self.worst:.2g}"] if self.worst is not None else []
        return (f"{self.n_open:,} of {self.n_all:,} match-ups open", *texts)

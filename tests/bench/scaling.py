"""Studies on workers: what handing out second-long jobs costs, and how much faster two processes are than one.

The whole path is timed: rounds, jobs of about a second, the way to the worker and back, and every finished block
written to disk. Pools are warm: starting a worker costs its second once per study.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from balance.engine.jobs import Job
from balance.engine.runner import Engine, Runner
from balance.engine.source import Source
from balance.game.loaded import LoadedGame, load
from balance.study.match_ups.jobs import BlockResult, Recipe
from balance.study.match_ups.match_ups import score_estimate
from balance.study.match_ups.plan import MatchUpTask, plan_tasks
from balance.study.match_ups.sampling import Sampler
from balance.study.match_ups.streams import Stream
from balance.study.settings.grid import Budget
from balance.study.settings.settings import Study, StudySettings
from tests.bench.contest import Row

HANDED_OUT, TWO_WORKERS = "Study, second-long jobs", "Study, 2 workers"
WINNERS = {"a": 1, "b": 2, "draw": 0}


class Timed(Runner):
    """A runner that adds up the seconds its workers report."""

    seconds = 0.0

    def run(self, jobs: Iterable[Job], here: bool = False) -> Iterator[tuple[Job, Any]]:
        """Run jobs on the pool."""
        for job, results in super().run(jobs, here):
            self.seconds += sum(played.seconds for played in results if isinstance(played, BlockResult))
            yield job, results


def _streams(loaded: LoadedGame, tasks: Iterable[MatchUpTask]) -> list[Stream]:
    return [
        Stream(
            f"{number:064x}",
            task.name,
            Recipe(task.query.pairing_key(loaded.definition), ((0, task),), "literal"),
            lambda tally: score_estimate(tally.counts, WINNERS, 0.95),
        )
        for number, task in enumerate(tasks)
    ]


def played_on(kind: str, n_workers: int, n_blocks: int) -> tuple[float, float]:
    """Return the seconds that a study of eight match-ups took by the clock, and those of its workers' own work."""
    loaded = load("warforged")
    settings = StudySettings(game="warforged", entrants=["nexus+*"], exact="never", lane="literal")
    tasks = plan_tasks(Study(settings, Path("study.toml")), {"base": loaded})[:8]
    per_block = tasks[0].pairs_per_block
    sources, engine = [Source.of(loaded)], Engine(kind, n_workers)
    with (
        warnings.catch_warnings(),
        tempfile.TemporaryDirectory() as folder,
        Timed(loaded, engine, Path(folder)) as timed,
    ):
        warnings.simplefilter("ignore")
        Sampler(timed, sources, 1).run(_streams(loaded, tasks), Budget(trials=4 * per_block))
        timed.seconds = 0.0
        begun = perf_counter()
        Sampler(timed, sources, 0).run(_streams(loaded, tasks), Budget(trials=n_blocks * per_block))
        return perf_counter() - begun, timed.seconds


def scaling_rows(n_blocks: int) -> Iterator[Row]:
    """Yield what handing out work costs on each executor, and what a second process brings, as they are measured."""
    walls = dict[tuple[str, int], float]()
    for kind, n_workers in (("serial", 1), ("threads", 1), ("processes", 1), ("dask", 1), ("processes", 2)):
        walls[kind, n_workers], work = played_on(kind, n_workers, n_blocks)
        if n_workers == 1:
            yield Row(HANDED_OUT, f"{kind}, 1 worker", walls[kind, 1], "the work alone", work, "time")
    yield Row(TWO_WORKERS, "2 processes", walls["processes", 2], "1 process", walls["processes", 1], "time")

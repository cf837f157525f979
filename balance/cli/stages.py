"""How far a study has come: a bar per stage on a terminal, plain lines in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from balance.cli.exits import say_note
from balance.cli.terminal import console

__all__ = ["StageLines", "stages"]

LOG_SECONDS = 10.0

Stages = Callable[[str, int, int], None]
"""Is told (stage, parts done, parts in all) after each part."""


@dataclass
class StageLines:
    """Writes a line every `every` seconds and at the end of a stage that took longer than that."""

    every: float = LOG_SECONDS
    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = say_note
    _next: float = field(init=False)
    _told: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._next = self.clock() + self.every

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Write a line if it is time."""
        now = self.clock()
        if now >= self._next or (done == total and stage in self._told):
            self._next = now + self.every
            self._told.add(stage)
            self.write(f"{stage}: {done:,} of {total:,}")


@contextmanager
def _bars() -> Iterator[Stages]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console(sys.stderr), transient=True) as shown:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total)
            shown.update(tasks[stage], completed=done, total=total)

        yield tell


def stages() -> AbstractContextManager[Stages]:
    """Return the context of a study: what it yields is to be told of each finished part."""
    return _bars() if sys.stderr.isatty() else nullcontext(StageLines())

"""What one exact answer may cost: steps of work and cells of memory, counted before they are made.

Whoever works out an exact distribution opens a budget; whoever does a part of the work spends from it first, and what
would be too much is refused, so that the question is simulated instead. A budget within another is the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from balance.base.errors import DistributionError

MOST_STEPS = 16_000_000
"""Steps of work of one exact answer: each takes about a quarter of a millionth of a second."""
MOST_CELLS = 14_000_000
"""Numbers of eight bytes that it may keep: a hundred megabytes, and as much again on the way."""
SIMULATE = "simulate: add §trials"


@dataclass
class Budget:
    """Steps and cells that one exact answer has spent so far, at most a share of `MOST_STEPS` and `MOST_CELLS`."""

    n_steps: float = 0.0
    n_cells: float = 0.0
    share: float = 1.0

    @property
    def part(self) -> float:
        """What part of `MOST_STEPS` or `MOST_CELLS` is spent, whichever is more."""
        return max(self.n_steps / MOST_STEPS, self.n_cells / MOST_CELLS)

    def spend(self, steps: float, cells: float) -> None:
        """Add work to come; raise `DistributionError`, with the tip to simulate, where the total passes a limit."""
        self.n_steps += steps
        self.n_cells += cells
        if self.n_steps > MOST_STEPS * self.share:
            raise DistributionError(f"an exact answer would take more than {MOST_STEPS:,} steps of work", SIMULATE)
        if self.n_cells > MOST_CELLS * self.share:
            raise DistributionError(f"an exact answer would keep more than {MOST_CELLS:,} numbers", SIMULATE)


_IN_FORCE: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def exact_budget(share: float = 1.0) -> Iterator[Budget]:
    """Open a budget for an exact answer within the block, or a share of one; one that is open already goes on."""
    budget = _IN_FORCE.get()
    if budget is not None:
        yield budget
        return
    token = _IN_FORCE.set(budget := Budget(share=share))
    try:
        yield budget
    finally:
        _IN_FORCE.reset(token)


def spend(steps: float, cells: float = 0.0) -> None:
    """Spend from the open budget before the work is done, or raise `DistributionError`; no budget allows everything.

    A step takes as long as adding one number to a dictionary; `cells` are numbers that are kept from then on.
    """
    budget = _IN_FORCE.get()
    if budget is not None:
        budget.spend(steps, cells)

"""Limits of a fight: its number of steps, and the cost of an army."""

from __future__ import annotations

from collections.abc import Iterator

from balance.base.errors import Fault

LONGEST_ROUNDS = 10_000
"""Rounds after which a fight without a limit is a draw."""


def step_limit(round_limit: int, steps_per_round: int, *, harmless: bool = False) -> int:
    """Return the steps after which a fight stops undecided.

    `round_limit`: rounds to play at most; 0 for no limit. `harmless`: True if no side can hurt the other, so that
    without a limit one round is enough.

    >>> step_limit(3, 4), step_limit(0, 4), step_limit(0, 4, harmless=True)
    (12, 40000, 4)
    """
    return (round_limit or (1 if harmless else LONGEST_ROUNDS)) * steps_per_round


def over_budget(side: str, cost: int, budget: int, unit: str = "points") -> Iterator[Fault]:
    """Yield a fault if an army costs more than its budget.

    `side`: name of the side, for the fault. `budget`: largest allowed cost; 0 for no limit. `unit`: unit of the costs,
    for the fault.

    >>> print(*over_budget("a", 210, 200))
    a: '210' points are over the budget; allowed: at most 200; it costs 10 too much
    """
    if budget and cost > budget:
        message, tip = f"{unit} are over the budget", f"it costs {cost - budget} too much"
        yield Fault(message, side, found=str(cost), allowed=f"at most {budget}", tip=tip)

"""How long a fight may last, and what an army may cost."""

from __future__ import annotations

from collections.abc import Iterator

from balance.base.errors import Fault

LONGEST_ROUNDS = 10_000
"""Rounds after which a fight without a limit is a draw."""


def step_limit(round_limit: int, steps_per_round: int, *, harmless: bool = False) -> int:
    """Return the steps after which a fight stops undecided.

    Parameters
    ----------
    round_limit
        Rounds to play, 0 for no limit.
    harmless
        Whether nobody can hurt anybody, so that without a limit one round shows all there is.

    >>> step_limit(3, 4), step_limit(0, 4), step_limit(0, 4, harmless=True)
    (12, 40000, 4)
    """
    return (round_limit or (1 if harmless else LONGEST_ROUNDS)) * steps_per_round


def over_budget(side: str, cost: int, budget: int, unit: str = "points") -> Iterator[Fault]:
    """Yield the fault of an army that costs more than its budget.

    Parameters
    ----------
    side
        The side that faults name.
    budget
        What an army may cost, 0 for no limit.
    unit
        What costs are counted in.

    >>> print(*over_budget("a", 210, 200))
    a: '210' points are over the budget; allowed: at most 200; it costs 10 too much
    """
    if budget and cost > budget:
        message, tip = f"{unit} are over the budget", f"it costs {cost - budget} too much"
        yield Fault(message, side, found=str(cost), allowed=f"at most {budget}", tip=tip)

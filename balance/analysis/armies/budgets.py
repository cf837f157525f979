"""Whether budgets are large enough for what is asked of them, and the smallest that are.

Prices are judged by armies of equal points, so there has to be an army of everybody whose price is asked: the largest
budget buys one of the dearest. The smallest buys one of the middle one, since armies of who is dearer than that are of
one unit whatever it costs, and tell nothing of its price. Where armies only meet, each budget has to buy somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from balance.analysis.armies.battles import costs_of
from balance.base.errors import Fault, UsageError
from balance.base.numbers import show_points
from balance.game.armies.armies import MOST_UNITS
from balance.game.loaded import LoadedGame

Budget = tuple[float, float]
"""Points, and how many units they may buy."""
FEWEST_UNITS = 2
"""Units that an army may have at least: with one there is nothing to mix."""


def check_budgets(
    game: LoadedGame,
    kind: str,
    budgets: Sequence[Budget],
    names: Sequence[str] | None = None,
    *,
    buys_all: bool = True,
    option: str = "§budget=",
) -> None:
    """Raise UsageError, a fault per budget, where budgets or unit limits are too small; it names the smallest that do.

    With `buys_all` prices are judged: the first budget has to buy the entrant of median cost, the last the dearest;
    else each has to buy the cheapest. `option` is what tips put before budgets.
    """
    purchases = _purchases(game, kind, len(budgets), names, buys_all)
    tip = f"such as {option}{_text(_raise_budgets(budgets, [ceil(cost) for _, cost in purchases]))}"
    faults = []
    for (points, units), (member, cost) in zip(budgets, purchases, strict=True):
        if points < cost or not FEWEST_UNITS <= units <= MOST_UNITS:
            reason = f": {member} costs {show_points(cost, game.words.points)}" if points < cost else ""
            problem = f"is too small a budget{reason}" if units <= MOST_UNITS else "has too many units"
            range_text = f"at least {ceil(cost)} points and {FEWEST_UNITS} units, at most {MOST_UNITS} units"
            faults.append(Fault(problem, found=_text([(points, units)]), allowed=range_text, tip=tip))
    if faults:
        raise UsageError(faults)


def sufficient_budgets(game: LoadedGame, kind: str, budgets: Sequence[Budget]) -> list[Budget]:
    """Return budgets, (points, unit limit), that do to judge everybody's price, each given one raised if need be."""
    return _raise_budgets(budgets, [ceil(cost) for _, cost in _purchases(game, kind, len(budgets), None, True)])


def _purchases(
    game: LoadedGame, kind: str, n: int, names: Sequence[str] | None, buys_all: bool
) -> list[tuple[str, float]]:
    """Return for each of n budgets the entrant that it has to buy at least, with the cost in points."""
    members = tuple(game.members_of(kind) if names is None else names)
    costs = costs_of(game, members)
    cheapest, middle, dearest = np.argsort(costs, kind="stable")[[0, len(costs) // 2, -1]].tolist()
    buys = [cheapest] * n
    if buys_all:
        buys[0], buys[-1] = middle, dearest
    return [(members[place], float(costs[place])) for place in buys]


def _raise_budgets(budgets: Sequence[Budget], min_points: Sequence[int]) -> list[Budget]:
    """Return budgets raised to so many points each, with unit limits clipped to what is allowed; only rising ones stay.

    >>> _raise_budgets([(20, 1), (30, 2), (350, 10)], [37, 15, 74])
    [(37, 2), (350, 10)]
    """
    raised_budgets: list[Budget] = []
    for (points, units), floor in zip(budgets, min_points, strict=True):
        budget = max(points, floor), min(max(units, FEWEST_UNITS), MOST_UNITS)
        if not raised_budgets or budget[0] > raised_budgets[-1][0]:
            raised_budgets.append(budget)
    return raised_budgets


def _text(budgets: Sequence[Budget]) -> str:
    return ",".join(f"{points:g}:{units:g}" for points, units in budgets)

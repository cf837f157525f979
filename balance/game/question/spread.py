"""Which outcomes of a kind of question are which result, and how far single results spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from balance.chance.pmf import Pmf
from balance.game.game import QuestionKind


def results_of(kind: QuestionKind) -> dict[str, Callable[..., Any]]:
    """Return, for each result of a kind of question, a function of its columns that is true of outcomes with it.

    >>> from balance.chance.pmf import Pmf
    >>> from balance.game.loaded import load
    >>> results = results_of(load("warforged").definition.kinds["duel"])
    >>> {name: Pmf.of([1, 1, 2, 0], "winner").weight(won) for name, won in results.items()}
    {'a': 2, 'b': 1, 'draw': 1}
    """

    def result(code: int) -> Callable[..., Any]:
        return lambda **columns: columns[kind.winner] == code

    return {name: result(code) for name, code in kind.winners.items()}


class Spread(NamedTuple):
    """The spread of single results of a column: standard deviation and swing, None where not measurable."""

    sd: float | None
    swing: float | None


def spread_of(kind: QuestionKind, distribution: Pmf, column: str, is_exact: bool) -> Spread:
    """Return the spread of single results of a column, whose distribution `is_exact` or simulated.

    Neither number is measurable of codes, nor of simulated trials that are all alike, which say nothing of how far
    others may lie; nor the swing where the mean is 0 or values lie on both sides of 0.

    >>> from balance.chance.pmf import Pmf
    >>> from balance.game.loaded import load
    >>> kind = load("warforged").definition.kinds["attack"]
    >>> spread_of(kind, Pmf.of([1, 3], "damage"), "damage", is_exact=True)
    Spread(sd=1.0, swing=0.5)
    >>> spread_of(kind, Pmf.of({3: 1000}, "damage"), "damage", is_exact=False)
    Spread(sd=None, swing=None)
    """
    values = distribution[column]
    if column in kind.categories or (not is_exact and bool((values == values[0]).all())):
        return Spread(None, None)
    return Spread(distribution.sd(column), distribution.swing(column))

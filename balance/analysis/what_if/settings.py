"""Which settings of the dials a page answers: all single turns, then more at a time of those that matter most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from balance.analysis.what_if.dials import Dial, Setting

MOST_AT_A_TIME = 6
"""Dials that are turned together, at most."""


def single_settings(places: Sequence[int], dials: Sequence[Dial]) -> Iterator[Setting]:
    """Yield every setting in which one of the dials at these places is turned."""
    for place in places:
        yield from (((place, value),) for value in dials[place].other_places)


def held_settings(ranked: Sequence[int], dials: Sequence[Dial], max_settings: int) -> list[Setting]:
    """Return up to `max_settings` settings of dials, ranked by importance, that a page has answers to.

    The cards as they are come first, then all single turns, in any case; with half of the room that is left every two
    dials of as many as fit, counted from the first; with half of what is left then every three, and so on.
    """
    settings: list[Setting] = [(), *single_settings(sorted(ranked), dials)]
    for n_turned in range(2, MOST_AT_A_TIME + 1):
        room = max_settings - len(settings)
        n_first = _n_that_fit(ranked, dials, n_turned, room if n_turned == MOST_AT_A_TIME else room // 2)
        if n_first < n_turned:
            break
        settings += _together(sorted(ranked[:n_first]), dials, n_turned)
    return settings


def _n_that_fit(ranked: Sequence[int], dials: Sequence[Dial], n_turned: int, room: int) -> int:
    """Return how many of the first dials can be turned `n_turned` at a time in all ways within `room` settings."""
    for n_first in range(n_turned, len(ranked) + 1):
        if _n_together(ranked[:n_first], dials, n_turned) > room:
            return n_first - 1
    return len(ranked)


def _n_together(places: Sequence[int], dials: Sequence[Dial], n_turned: int) -> int:
    """Return in how many ways `n_turned` of these dials are turned together: a symmetric sum of their values."""
    sums = [1] + [0] * n_turned
    for place in places:
        n = len(dials[place].other_places)
        for k in range(n_turned, 0, -1):
            sums[k] += n * sums[k - 1]
    return sums[n_turned]


def _together(places: Sequence[int], dials: Sequence[Dial], n_turned: int) -> Iterator[Setting]:
    for turned in combinations(places, n_turned):
        for values in product(*(dials[place].other_places for place in turned)):
            yield tuple(zip(turned, values, strict=True))

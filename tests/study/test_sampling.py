"""Streams: what is kept is taken over block by block, each once, and what is missing is told."""

from __future__ import annotations

from functools import cache

import pytest

from balance.core import Estimate, Tally
from balance.engine.query import Query
from balance.pmf import Pmf
from balance.study.jobs import Recipe
from balance.study.plan import MatchUpTask
from balance.study.sampling import _Stream
from balance.study.streams import Stream


@cache
def stream() -> Stream:
    query = Query("duel", "nexus+shotgun", "aegis+shotgun", block=4)
    recipe = Recipe("key", ((0, MatchUpTask("base", "", query, exact=False)),), "literal")
    return Stream("ab", "a duel", recipe, lambda tally: Estimate.exact(0.5))


def kept(first: int, n_blocks: int = 1) -> Tally:
    return Tally(Pmf.of({first: 4 * n_blocks}, "x"), first, n_blocks)


@pytest.mark.parametrize(
    ("ranges", "target", "gaps", "taken"),
    [
        ([], 4, [(0, 4)], []),
        ([(0, 2), (1, 1), (2, 1)], 4, [(3, 4)], [(0, 2), (2, 1)]),
        ([(0, 1), (0, 4), (1, 1)], 4, [], [(0, 4)]),
        ([(0, 1), (0, 4), (1, 1)], 2, [], [(0, 1), (1, 1)]),
        ([(1, 1), (3, 1)], 4, [(0, 1), (2, 3)], [(1, 1), (3, 1)]),
    ],
)
def test_blocks_that_are_kept_are_counted_once(
    ranges: list[tuple[int, int]], target: int, gaps: list[tuple[int, int]], taken: list[tuple[int, int]]
) -> None:
    state = _Stream(stream(), planned=8, kept=[kept(*part) for part in ranges])
    assert state.missing(target) == gaps
    assert [(tally.first_block, tally.n_blocks) for tally in state.parts] == taken
    state.parts += [kept(first, end - first) for first, end in gaps]
    state.close_round()
    assert state.tally is not None
    assert (state.tally.first_block, state.tally.n_blocks, state.tally.n_trials) == (0, target, 4 * target)

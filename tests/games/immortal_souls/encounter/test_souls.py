"""Ranks, death and resurrection: the rulebook's examples, and random parties against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.immortal_souls.encounter.board.victims import NO_INDEX
from balance.games.immortal_souls.encounter.phases.souls import (
    HIGHEST_RANK,
    Souls,
    buy_rank,
    buy_ranks,
    may_return,
    may_rise,
    resurrect,
)
from balance.games.immortal_souls.tables.soul_ranks import half_rank

COSTS = tuple(rank * rank for rank in range(1, HIGHEST_RANK + 1))


def party(*ranks: int, points: int = 0, ghosts: tuple[int, ...] = ()) -> Souls:
    """Return one party."""
    ghost = np.array([[hero in ghosts for hero in range(len(ranks))]])
    return Souls(np.array([ranks], np.int8), ghost, np.array([points], np.int16))


def told(souls: Souls) -> tuple[list[int], list[int], int]:
    """Return ranks, ghosts and points of one party."""
    assert [column.dtype.name for column in souls] == ["int8", "bool", "int16"]
    return souls.rank[0].tolist(), np.flatnonzero(souls.ghost[0]).tolist(), int(souls.points[0])


def test_what_a_rank_costs() -> None:
    """IS-EX-40, IS-ECO.1: four points for rank II, nine for rank III."""
    assert may_rise(party(1, points=3), COSTS, True).tolist() == [[False]]
    assert told(buy_rank(party(1, points=4), np.array([0]), COSTS)) == ([2], [], 0)
    assert may_rise(party(2, points=8), COSTS, True).tolist() == [[False]]
    assert told(buy_rank(party(2, points=11), np.array([0]), COSTS)) == ([3], [], 2)
    assert told(buy_rank(party(2, points=11), np.array([NO_INDEX]), COSTS)) == ([2], [], 11)


def test_one_rank_at_a_time() -> None:
    """IS-EX-41, IS-ECO.1: from I to IV by II and III, in one Time Phase, for 29 points."""
    assert told(buy_ranks(party(1, points=29), COSTS, True)) == ([4], [], 0)
    assert told(buy_ranks(party(1, points=28), COSTS, True)) == ([3], [], 15)


def test_nobody_runs_ahead() -> None:
    """IS-EX-42, IS-ECO.1: rank III waits until the other is III as well."""
    assert may_rise(party(3, 2, points=99), COSTS, True).tolist() == [[False, True]]
    assert may_rise(party(3, 3, points=99), COSTS, True).tolist() == [[True, True]]


def test_who_rises_first_is_a_wish() -> None:
    """IS-ECO.1: of those who may; the points left do not pay for the second."""
    assert told(buy_ranks(party(2, 2, points=9), COSTS, True)) == ([3, 2], [], 0)
    assert told(buy_ranks(party(2, 2, points=9), COSTS, True, np.array([[1, 0]]))) == ([2, 3], [], 0)


def test_the_highest_rank() -> None:
    """IS-HP.9: VII is the last; from I it takes 139 points."""
    assert told(buy_ranks(party(1, points=140), COSTS, True)) == ([7], [], 1)
    assert may_rise(party(7, points=32_000), COSTS, True).tolist() == [[False]]


def test_ghosts_hold_the_others_back() -> None:
    """IS-Q27: in the other reading they do not; they never rise themselves."""
    souls = party(2, 1, points=99, ghosts=(1,))
    assert may_rise(souls, COSTS, True).tolist() == [[False, False]]
    assert may_rise(souls, COSTS, False).tolist() == [[True, False]]
    assert may_rise(party(2, 1, 3, points=99, ghosts=(1,)), COSTS, False).tolist() == [[True, False, False]]


def test_the_price_of_resurrection() -> None:
    """IS-EX-47, IS-HP.6, IS-ECO.2: a ghost of rank III costs three points, and an altar is needed."""
    ghost, there = party(3, 1, points=3, ghosts=(0,)), np.array([[True, True]])
    assert may_return(ghost, there).tolist() == [[True, False]]
    assert may_return(ghost, ~there).tolist() == [[False, False]]
    assert may_return(party(3, points=2, ghosts=(0,)), there[:, :1]).tolist() == [[False]]
    assert told(resurrect(ghost, np.array([0]))) == ([3, 1], [], 0)
    assert told(resurrect(ghost, np.array([NO_INDEX]))) == ([3, 1], [0], 3)


def test_half_a_rank() -> None:
    """IS-POW.7: I and II 1, III and IV 2, V and VI 3, VII 4."""
    assert half_rank(np.array([1, 2, 3, 4, 5, 6, 7])).tolist() == [1, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize("hold_back", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_random_parties_as_in_plain_python(seed: int, hold_back: bool) -> None:
    """IS-ECO.1, IS-ECO.2, IS-HP.6, IS-Q27: a hundred parties spend what they have."""
    rng = np.random.default_rng([71, seed])
    shape = (100, int(rng.integers(1, 6)))
    costs = tuple(rng.integers(1, 30, HIGHEST_RANK).tolist())
    souls = Souls(
        rng.integers(1, 8, shape).astype(np.int8), rng.random(shape) < 0.3, rng.integers(0, 150, 100).astype(np.int16)
    )
    wishes, altar = rng.integers(0, 3, shape), rng.random(shape) < 0.5
    after, back = buy_ranks(souls, costs, hold_back, wishes), may_return(souls, altar)
    rows = zip(*(column.tolist() for column in (*souls, *after, wishes, altar, back)), strict=True)
    for rank, ghost, points, rank_after, ghost_after, points_after, wish, here, returns in rows:
        assert returns == [g and h and r <= points for r, g, h in zip(rank, ghost, here, strict=True)]
        assert (rank_after, points_after) == spent(rank, ghost, points, wish, costs, hold_back)
        assert ghost_after == ghost


def spent(
    rank: list[int], ghost: list[bool], points: int, wish: list[int], costs: tuple[int, ...], hold_back: bool
) -> tuple[list[int], int]:
    """Return ranks and points when every hero in turn buys what he may."""
    rank = [*rank]
    while True:
        waits = [rank[hero] for hero in range(len(rank)) if hold_back or not ghost[hero]]
        may = [
            hero
            for hero in range(len(rank))
            if not ghost[hero]
            and rank[hero] < HIGHEST_RANK
            and not any(other < rank[hero] for other in waits)
            and costs[rank[hero]] <= points
        ]
        if not may:
            return rank, points
        chosen = min(may, key=lambda hero: (wish[hero], hero))
        points -= costs[rank[chosen]]
        rank[chosen] += 1

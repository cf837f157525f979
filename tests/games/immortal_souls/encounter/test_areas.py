"""The map: hand-drawn ones from the rulebook's examples, and random ones against plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.games.immortal_souls.encounter.board.areas import ENEMY, FAR, FLYER, HERO, Board
from tests.games.immortal_souls.encounter.maps import WALKERS, Literal, some_map


def test_difficult_terrain() -> None:
    """IS-EX-25, IS-TERR.3, IS-ACT.3: three points lead Ecarus two areas far, the gremlin pays one for each."""
    board = Board(4, ((0, 1), (1, 2), (2, 3)), difficult=(2,))
    assert int(board.walk(HERO, 0, 3, 3)) == 2
    assert board.reach(HERO, np.array([0]), np.array([3])).tolist() == [[True, True, True, False]]
    assert [int(board.points(HERO, 0, goal)) for goal in range(4)] == [0, 1, 3, 4]
    assert [int(board.points(ENEMY, 3, goal)) for goal in range(4)] == [3, 2, 1, 0]
    assert int(board.walk(ENEMY, 3, 2, 1)) == 2


def test_a_barrier_does_not_hinder_arrows() -> None:
    """IS-EX-26, IS-TERR.2: it is crossed one way only on foot, both ways by flyers, and never blocks sight."""
    board = Board(2, ((0, 1),), barriers=((0, 1),))
    assert [int(board.points(walker, 0, 1)) for walker in WALKERS] == [FAR, FAR, 1]
    assert [int(board.points(walker, 1, 0)) for walker in WALKERS] == [1, 1, 1]
    assert bool(board.hero_sees(0, 1, 0b10))
    assert bool(board.sees(0, 1))


def test_movement_distance_against_attack_distance() -> None:
    """IS-EX-28, IS-LOS.4: three areas to walk around the barrier, and one to shoot over it."""
    board = Board(4, ((0, 1), (0, 2), (2, 3), (3, 1)), barriers=((0, 1),))
    assert (int(board.points(HERO, 0, 1)), int(board.points(FLYER, 0, 1))) == (3, 1)
    assert bool(board.hero_sees(0, 1, 0))


def test_a_wall_is_in_the_way() -> None:
    """IS-EX-29, IS-TERR.7, IS-LOS.1: behind a wall nothing is seen; she moves first, and then throws."""
    board = Board(3, ((0, 1), (1, 2)))
    assert not bool(board.hero_sees(0, 2, 0))
    assert bool(board.hero_sees(int(board.walk(HERO, 0, 2, 1)), 2, 0))


def test_a_wall_token_closes_a_side() -> None:
    """IS-TERR.7: nobody crosses it, flyers neither, nor sees along it; a line that goes another way is open."""
    free = Board(4, ((0, 1), (1, 2), (0, 3), (3, 2)), lines=((0, 1, 2), (1, 3)))
    walled = Board(4, free.sides, lines=free.lines, walls=((2, 1),))
    assert [[int(board.points(walker, 1, 2)) for walker in WALKERS] for board in (free, walled)] == [[1] * 3, [3] * 3]
    assert [[bool(board.sees(*way)) for way in ((1, 2), (0, 2), (1, 3))] for board in (free, walled)] == [
        [True, True, True],
        [False, False, True],
    ]
    assert [bool(board.hero_sees(0, 2, 0b10)) for board in (free, walled)] == [False, False]


def test_enemies_block_the_sight_of_heroes_only() -> None:
    """IS-EX-27, IS-LOS.1, IS-LOS.2: a gremlin on the way hides the shaman from Laegon, not Laegon from the shaman."""
    board = Board(4, ((0, 1), (1, 2), (2, 3)), lines=((0, 1, 2), (2, 3)))
    laegon, gremlin, shaman = 0, 1, 2
    crowded = board.bits(np.array([[gremlin, shaman]]))
    assert board.hero_sees(np.array([laegon]), np.array([shaman]), crowded).tolist() == [False]
    assert board.hero_sees(np.array([laegon]), np.array([gremlin]), crowded).tolist() == [True]
    assert bool(board.sees(shaman, laegon))
    assert not bool(board.sees(3, laegon)) and not bool(board.hero_sees(laegon, 3, 0)), "no line, both ways"
    assert board.hero_sees(np.array([laegon]), np.array([shaman]), board.bits(np.array([[2, 3]]))).tolist() == [True]


def test_nobody_sees_beyond_five_areas() -> None:
    """IS-LOS.3."""
    row = tuple((area, area + 1) for area in range(7))
    board = Board(8, row, lines=tuple((0, *range(1, far), far) for far in range(2, 8)))
    assert [bool(board.sees(0, goal)) for goal in range(9)] == [True] * 6 + [False] * 3


def test_the_shortest_way_avoids_hindering_terrain_where_it_can() -> None:
    """IS-AI.14: of two ways as short the free one; through it, if that is shorter or the only one."""
    diamond = ((0, 1), (0, 2), (1, 3), (2, 3))
    assert int(Board(4, diamond, difficult=(1,)).next_area(ENEMY, 0, 3)) == 2
    assert int(Board(4, diamond, deadly=(2,)).next_area(ENEMY, 0, 3)) == 1
    assert int(Board(4, diamond, deadly=(1, 2, 3)).next_area(ENEMY, 0, 3)) == 1
    detour = ((0, 1), (1, 4), (0, 2), (2, 3), (3, 4))
    assert int(Board(5, detour, difficult=(1,)).next_area(ENEMY, 0, 4)) == 1
    assert int(Board(5, detour, difficult=(4,)).next_area(ENEMY, 0, 4)) == 1, "its destination it enters anyway"
    assert int(Board(4, diamond, difficult=(1,)).next_area(FLYER, 0, 3)) == 1, "IS-AI.17: a flyer does not care"


def test_who_is_nowhere_is_far_from_everything() -> None:
    board = Board(2, ((0, 1),))
    assert board.points(np.array(WALKERS)[:, None], 2, np.arange(3)).tolist() == [[FAR] * 3] * 3
    assert board.walk(ENEMY, 2, np.arange(3), 9).tolist() == [2, 2, 2]
    assert not board.sees(2, np.arange(3)).any() and not board.sees(np.arange(3), 2).any()
    assert board.bits(np.array([[2, 2]])).tolist() == [0]


@pytest.mark.parametrize("seed", range(250))
def test_random_maps_as_in_plain_python(seed: int) -> None:
    """IS-TERR.1 to IS-TERR.4, IS-LOS.1 to IS-LOS.4, IS-AI.14, IS-ACT.3: all areas, walkers and points of a map."""
    rng = np.random.default_rng([11, seed])
    board = some_map(rng)
    literal, areas = Literal(board), range(board.n_areas)
    walkers, starts, goals = np.array(list(product(WALKERS, areas, areas))).T
    ways = [literal.best(*walk) for walk in product(WALKERS, areas, areas)]
    assert board.points(walkers, starts, goals).tolist() == [literal.points(*w) for w in product(WALKERS, areas, areas)]
    assert board.next_area(walkers, starts, goals).tolist() == [
        way[0] if way else start for way, start in zip(ways, starts.tolist(), strict=True)
    ]
    for points in (0, 1, 2, 3, 5, 99):
        walked = [literal.walk(*walk, points) for walk in product(WALKERS, areas, areas)]
        assert board.walk(walkers, starts, goals, points).tolist() == walked
        reached = board.reach(walkers, starts, np.full(len(starts), points))
        assert reached.tolist() == [
            [literal.points(w, s, a) <= points for a in areas] for w, s in zip(walkers, starts, strict=True)
        ]


@pytest.mark.parametrize("seed", range(250))
def test_sight_on_random_maps_as_in_plain_python(seed: int) -> None:
    """IS-LOS.1, IS-LOS.2, IS-LOS.3: every two areas, with enemies in any of them."""
    rng = np.random.default_rng([12, seed])
    board = some_map(rng)
    literal, areas = Literal(board), range(board.n_areas)
    enemies = rng.integers(0, board.n_areas + 1, (20, 3)).astype(np.int8)
    starts, goals = (rng.integers(0, board.n_areas, 20).astype(np.int8) for _ in range(2))
    assert board.hero_sees(starts, goals, board.bits(enemies)).tolist() == [
        literal.sees(*between, {*there})
        for between, there in zip(zip(starts.tolist(), goals.tolist(), strict=True), enemies.tolist(), strict=True)
    ]
    both = np.indices((board.n_areas, board.n_areas))
    assert board.sees(*both).tolist() == [[literal.sees(start, goal, set()) for goal in areas] for start in areas]


@pytest.mark.parametrize("farther", [False, True])
@pytest.mark.parametrize("seed", range(100))
def test_stepping_back_as_in_plain_python(seed: int, farther: bool) -> None:
    """IS-AI.15, IS-PUSH.3: where it came from, else away from the foe, to an empty area if possible."""
    rng = np.random.default_rng([13, seed])
    board = some_map(rng)
    walker = rng.integers(0, 3, 30)
    start, foe, first = (rng.integers(0, board.n_areas + more, 30) for more in (0, 0, 1))
    others = rng.integers(0, board.n_areas, (30, 2))
    found = board.step_back(walker, start, foe, first, board.bits(others), farther)
    rows = zip(walker.tolist(), start.tolist(), foe.tolist(), first.tolist(), others.tolist(), strict=True)
    assert found.dtype == np.int8
    assert found.tolist() == [Literal(board).step_back(*row[:4], {*row[4]}, farther) for row in rows]


@pytest.mark.parametrize("n_areas", [0, 32])
def test_a_map_that_is_too_large_is_refused(n_areas: int) -> None:
    with pytest.raises(UsageError) as refused:
        Board(n_areas, ())
    assert str(refused.value) == f"a map has {n_areas} areas; let it have 1 to 31"
    assert Board(31, ((0, 30),)).bits(np.array([[0, 30]])).tolist() == [1 | 1 << 30]


def test_entering_an_area_costs_something() -> None:
    with pytest.raises(UsageError) as refused:
        Board(1, (), difficult_cost=0)
    assert str(refused.value) == "a difficult area costs 0 points to enter; let it cost at least 1"

"""Control, domination, supremacy and reactions: the rulebook's examples, and random crowds against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.games.immortal_souls.encounter.board.control import (
    Faction,
    controls,
    dominates,
    engaged,
    minis_at,
    reacting_enemies,
    supremacy,
)

HERE = np.array([0])


def standing(*minis: int) -> Faction:
    """Return one trial with figures in area 0: 1 for each that stands, 0 for each that is knocked out."""
    return Faction(np.zeros((1, len(minis)), np.int8), np.ones((1, len(minis)), np.int8), np.array([minis], np.int8))


def told(heroes: Faction, enemies: Faction) -> list[bool]:
    """Return whether heroes control and dominate, and whether enemies do."""
    sides = ((heroes, enemies), (enemies, heroes))
    return [bool(of(HERE, *side)[0]) for side in sides for of in (controls, dominates)]


def test_three_heroes_control_an_area_with_two_enemies() -> None:
    """IS-EX-20, IS-SUP.1: three against two control and do not dominate."""
    assert told(standing(1, 1, 1), standing(1, 1)) == [True, False, False, False]


def test_two_gremlins_dominate_thorgar() -> None:
    """IS-EX-21, IS-SUP.2, IS-SUP.7: domination counts as control, and gives supremacy."""
    heroes, enemies = standing(1), standing(1, 1)
    assert told(heroes, enemies) == [False, False, True, True]
    assert supremacy(HERE, enemies, heroes, True).tolist() == [True]


def test_nobody_dominates_without_an_opponent() -> None:
    """IS-SUP.3."""
    assert told(standing(1, 1), Faction(np.array([[1]]), np.array([[1]]), np.array([[1]]))) == [False] * 4
    assert told(standing(1, 1), standing()) == [False] * 4


def test_the_knocked_out_count_nothing_and_are_opponents_all_the_same() -> None:
    """IS-SUP.4, IS-Q31: one figure dominates an area of knocked out ones; where all are, nobody does."""
    assert told(standing(1), standing(0, 0)) == [True, True, False, False]
    assert told(standing(0), standing(0)) == [False] * 4
    assert told(standing(1, 0), standing(1, 0)) == [False] * 4
    assert supremacy(HERE, standing(1), standing(0), True).tolist() == [True]
    assert supremacy(HERE, standing(1), standing(0), False).tolist() == [False]
    assert supremacy(HERE, standing(1, 1), standing(1, 0), False).tolist() == [True]


def test_leaving_a_dominated_area_is_free() -> None:
    """IS-EX-22, IS-ACT.7, IS-SUP.5: Shae, hidden, two heroes and a companion against two."""
    assert reacting_enemies(HERE, standing(1, 1, 1, 1), standing(1, 1), np.ones((1, 2), bool)).tolist() == [
        [False, False]
    ]


def test_leaving_a_contested_area_draws_reactions() -> None:
    """IS-EX-23, IS-ACT.6, IS-ACT.8: three against two; all of them strike, but for those that may not."""
    assert reacting_enemies(HERE, standing(1, 1, 1), standing(1, 1), np.ones((1, 2), bool)).tolist() == [[True, True]]
    assert reacting_enemies(HERE, standing(1, 1, 1), standing(1, 1), np.array([[False, True]])).tolist() == [
        [False, True]
    ]
    assert reacting_enemies(HERE, standing(1), standing(0, 0), np.ones((1, 2), bool)).tolist() == [[False, False]]


def test_supremacy_is_a_matter_of_the_targets_area() -> None:
    """IS-EX-24, IS-SUP.7: Fenrir moves in, and then Laegon, who is elsewhere, shoots with supremacy as well."""
    enemies = standing(1)
    before = Faction(np.array([[0, 1, 2]]), np.ones((1, 3), np.int8), np.ones((1, 3), np.int8))
    after = before._replace(area=np.array([[0, 0, 2]]))
    assert [bool(supremacy(HERE, heroes, enemies, True)[0]) for heroes in (before, after)] == [False, True]


def test_a_horde_counts_each_of_its_figures() -> None:
    """IS-SUP.5, IS-ENE.7: three figures on one card against one hero and a ghost."""
    heroes = Faction(np.zeros((1, 2), np.int8), np.array([[1, 0]]), np.array([[1, 0]]))
    horde = Faction(np.zeros((1, 1), np.int8), np.array([[3]]), np.array([[2]]))
    assert told(heroes, horde) == [False, False, True, True]
    assert told(standing(1, 1), horde) == [False] * 4, "a figure of it is knocked out"


def some_faction(rng: np.random.Generator, n: int, size: int) -> Faction:
    """Return figures in five areas and nowhere, many of them knocked out or gone."""
    minis = rng.choice([0, 1, 1, 1, 3], (n, size)).astype(np.int8)
    return Faction(rng.integers(0, 6, (n, size)).astype(np.int8), minis, rng.integers(0, minis + 1).astype(np.int8))


@pytest.mark.parametrize("seed", range(20))
def test_random_crowds_as_in_plain_python(seed: int) -> None:
    """IS-SUP.1 to IS-SUP.5, IS-ACT.4, IS-ACT.6, IS-ACT.7: every area of fifty crowds, one after the other."""
    rng = np.random.default_rng([21, seed])
    heroes, enemies = some_faction(rng, 50, int(rng.integers(1, 7))), some_faction(rng, 50, int(rng.integers(1, 7)))
    able = rng.random(enemies.area.shape) < 0.7
    areas = np.tile(np.arange(5, dtype=np.int8), (50, 1))
    for own, foes in ((heroes, enemies), (enemies, heroes)):
        expected = [[literally(own, foes, row, area) for area in range(5)] for row in range(50)]
        found = [of(areas, own, foes) for of in (controls, dominates)]
        found += [supremacy(areas, own, foes, over_knocked_out) for over_knocked_out in (True, False)]
        for place, told_by in enumerate(found):
            assert told_by.tolist() == [[one[place] for one in row] for row in expected]
        assert dominates(areas[:, 3], own, foes).tolist() == [row[3][1] for row in expected]
    counted = [[count(enemies, row, area, enemies.minis) for area in range(5)] for row in range(50)]
    assert minis_at(areas, enemies.area, enemies.minis).tolist() == counted
    assert engaged(areas, enemies).tolist() == [[number > 0 for number in row] for row in counted]
    where = rng.integers(0, 5, 50).astype(np.int8)
    assert reacting_enemies(where, heroes, enemies, able).tolist() == [
        [
            bool(able[row, enemy])
            and enemies.minis[row, enemy] > 0
            and enemies.area[row, enemy] == where[row]
            and not literally(heroes, enemies, row, int(where[row]))[1]
            for enemy in range(enemies.area.shape[1])
        ]
        for row in range(50)
    ]


def count(side: Faction, row: int, area: int, minis: IntArray) -> int:
    """Return how many of a side's figures are in an area."""
    return sum(int(minis[row, who]) for who in range(minis.shape[1]) if side.area[row, who] == area)


def literally(own: Faction, foes: Faction, row: int, area: int) -> tuple[bool, bool, bool, bool]:
    """Return control, domination, and supremacy in both readings, as the rulebook words them."""
    mine, theirs = count(own, row, area, own.upright), count(foes, row, area, foes.upright)
    if count(foes, row, area, foes.minis) == 0 or mine == 0:
        return False, False, False, False
    dominant = mine / max(theirs, 0.1) >= 2
    return mine > theirs, dominant, dominant, dominant and theirs > 0

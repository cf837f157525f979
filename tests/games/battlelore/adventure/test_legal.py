"""Which battles are legal on the board, and what who stands beside whom does for morale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.games.battlelore.adventure.combat.legal import boldness, enemies_beside, friends_beside, targets
from balance.games.battlelore.adventure.terms.deck import DARKEN
from balance.games.battlelore.adventure.turns.turn import battle_on
from tests.games.battlelore.adventure.scenes import Owner, Scene, Terrain, Units, battle_of, cell, scene

ARCHERS, CROSSBOWS, FOOT = "green_foot+common_bow", "green_foot+crossbow", "blue_foot"
FAR = {"A1": FOOT}


def legal(made: Scene) -> set[tuple[int, int]]:
    """Return who may battle whom in the first trial."""
    at, unit, target = targets(made.turn, np.arange(made.n))
    assert (np.diff(at) >= 0).all()
    return {(int(u), int(t)) for row, u, t in zip(at, unit, target, strict=True) if row == 0}


def aims(a: Units, b: Units, terrain: Terrain | None = None, **readings: Any) -> set[tuple[int, int]]:
    return legal(scene(battle_of(a, b, terrain, **readings)))


# -- who may be attacked -----------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-RNG-01", "BL-RNG-04", "BL-RNG-05")
@pytest.mark.parametrize(("weapon", "reach"), [(ARCHERS, 4), (CROSSBOWS, 3), (FOOT, 1)])
def test_weapons_reach_as_far_as_they_say(weapon: str, reach: int) -> None:
    for distance in range(1, 7):
        there = {f"E{3 + distance}": FOOT}
        assert (aims({"E3": weapon}, there) == {(0, 0)}) is (distance <= reach), distance


@pytest.mark.rule("BL-RNG-02", "BL-RNG-03")
def test_who_has_an_enemy_beside_it_battles_one_of_those_beside_it() -> None:
    enemies = {"E4": FOOT, "E6": FOOT, "D3": FOOT, "B3": FOOT}
    assert aims({"E3": ARCHERS}, enemies) == {(0, 0), (0, 2)}
    assert aims({"E3": ARCHERS, "I3": ARCHERS}, enemies) == {(0, 0), (0, 2), (1, 0)}


@pytest.mark.rule("BL-RNG-06", "BL-RNG-07")
@pytest.mark.parametrize(
    ("own", "foes", "terrain"),
    [
        ({"E5": FOOT}, {}, {}),
        ({}, {"E5": "giant_spider"}, {}),
        ({}, {}, {"E5": "forest"}),
        ({}, {}, {"E5": "landmark"}),
    ],
)
def test_units_of_either_side_and_some_terrain_bar_the_view(own: Units, foes: Units, terrain: Terrain) -> None:
    assert (0, 0) not in aims({"E3": ARCHERS, **own}, {"E7": FOOT, **foes}, terrain)


@pytest.mark.rule("BL-RNG-08", "BL-TER-04", "BL-TER-05")
@pytest.mark.parametrize("terrain", [{"E7": "forest"}, {"E3": "forest"}, {"E5": "watercourse"}, {"E5": "ford"}])
def test_the_hexes_of_both_and_low_terrain_do_not_bar_it(terrain: Terrain) -> None:
    assert aims({"E3": ARCHERS}, {"E7": FOOT}, terrain) == {(0, 0)}


@pytest.mark.rule("BL-RNG-09")
def test_a_view_along_edges_is_barred_from_both_sides_only() -> None:
    assert aims({"C5": ARCHERS}, {"E5": FOOT}) == {(0, 0)}
    assert aims({"C5": ARCHERS, "D4": FOOT}, {"E5": FOOT}) == {(0, 0), (1, 0)}
    assert aims({"C5": ARCHERS, "D4": FOOT, "D5": FOOT}, {"E5": FOOT}) == {(1, 0), (2, 0)}


@pytest.mark.rule("BL-RNG-10", "BL-CMD-11")
def test_nobody_battles_without_a_target_and_nobody_must() -> None:
    nobody = scene(battle_of({"E3": ARCHERS, "A9": FOOT}, {"I9": FOOT}), 3)
    battle_on(nobody.turn, np.arange(3))
    assert legal(nobody) == set() and not nobody.events and set(nobody.state["moments"]) == {8}, "cards dealt"
    idle = scene(battle_of({"E3": FOOT}, {"E4": FOOT}), 3, a=Owner({"battle": [-1]}))
    battle_on(idle.turn, np.arange(3))
    assert not idle.times("battle") and (idle.state["figures"] == 4).all()


@pytest.mark.rule("BL-CMD-07", "BL-POST-02")
@pytest.mark.parametrize(("column", "value"), [("ordered", False), ("may_battle", False), ("battles", 0)])
def test_only_units_that_are_ordered_and_have_not_battled_may_battle(column: str, value: int) -> None:
    made = scene(battle_of({"E3": FOOT, "D3": FOOT}, {"E4": FOOT, "D4": FOOT}))
    assert legal(made) == {(0, 0), (1, 0), (1, 1)}
    made.state[column][:, 1] = value
    assert legal(made) == {(0, 0)}


@pytest.mark.rule("BL-CRE-15")
def test_a_webbed_unit_does_not_battle() -> None:
    made = scene(battle_of({"E3": FOOT}, {"E4": "giant_spider"}, lore=True))
    assert legal(made) == {(0, 0)}
    assert legal(made.put("webbed", 0, 0, True)) == set()


@pytest.mark.rule("BL-GOB-01")
def test_who_has_charged_battles_in_melee_or_not_at_all() -> None:
    made = scene(battle_of({"E3": "goblin_blue_foot+common_bow"}, {"E6": FOOT}))
    assert legal(made) == {(0, 0)}
    made.state["charged"][:, 0] = True
    assert legal(made) == set()


def test_who_darkens_the_sky_shoots_twice_unless_it_moved() -> None:
    made = scene(battle_of({"E3": ARCHERS}, {"E5": FOOT, "E9": FOOT}))
    deck = made.battle.deck
    made.state["card"][:], made.state["battles"][:] = deck.effect.tolist().index(DARKEN), 2
    assert legal(made) == {(0, 0)}
    made.fight()
    assert made.state["battles"].tolist() == [[2, 2]]
    made.state["battles"][:] = 1
    made.turn.place(np.array([0]), 1, np.array([0]), np.array([cell("E4")]))
    made.state["figures"][:, 1, 0] = 4
    assert legal(made) == set()
    made.state["moved"][:] = True
    assert legal(made) == {(0, 0)}


@pytest.mark.rule("BL-POST-02")
def test_a_melee_uses_up_both_battles() -> None:
    made = scene(battle_of({"E3": ARCHERS}, {"E4": FOOT}), 5)
    made.state["battles"][:] = 1
    made.fight()
    assert not made.state["battles"].any()


# -- who stands beside whom --------------------------------------------------------------------------------------------


def bold_at(made: Scene, side: int, unit: int) -> int:
    rows = np.arange(made.n)
    return int(boldness(made.battle, made.state, side, rows, np.full(made.n, unit))[0])


@pytest.mark.rule("BL-MOR-07")
def test_two_friends_beside_a_unit_support_it() -> None:
    made = scene(battle_of({"E5": FOOT, "E6": FOOT, "D5": FOOT, "A1": FOOT}, {"E4": FOOT, "D4": FOOT}))
    rows = np.array([0])
    near = [int(friends_beside(made.battle, made.state, 0, rows, np.array([cell(at)]))[0]) for at in ("E5", "A1", "F5")]
    assert near == [2, 0, 2]
    assert [bold_at(made, 0, unit) for unit in range(4)] == [1, 1, 1, 0]
    assert [bold_at(made, 1, unit) for unit in range(2)] == [0, 0]


@pytest.mark.rule("BL-MOR-08", "BL-CRE-06", "BL-CRE-15")
def test_creatures_give_support_and_webbed_units_do_not() -> None:
    made = scene(battle_of({"E5": FOOT, "E6": "giant_spider", "D5": FOOT}, FAR, lore=True))
    assert [bold_at(made, 0, unit) for unit in range(3)] == [1, 1, 1]
    made.put("webbed", 0, 1, True)
    assert [bold_at(made, 0, unit) for unit in range(3)] == [0, 1, 0]


@pytest.mark.rule("BL-LMK-11", "BL-LMK-04")
def test_a_stronghold_makes_its_owners_units_bold_in_it_and_beside_it() -> None:
    terrain, owners = {"E5": "stronghold"}, {"E5": 0}
    own = scene(battle_of({"E5": FOOT, "E6": FOOT, "E8": FOOT, "D5": "giant_spider"}, FAR, terrain, owners=owners))
    assert [bold_at(own, 0, unit) for unit in range(4)] == [2, 2, 0, 1]
    foe = scene(battle_of({"A9": FOOT}, {"E5": FOOT, "E6": FOOT}, terrain, owners=owners))
    assert [bold_at(foe, 1, unit) for unit in range(2)] == [0, 0]


def test_enemies_are_told_by_direction() -> None:
    made = scene(battle_of({"E5": FOOT, "A1": FOOT}, {"E6": FOOT, "D4": FOOT}), 2)
    beside = enemies_beside(made.battle, made.state, 0, np.arange(2))
    assert beside.shape == (2, 2, 6) and beside.sum(axis=2).tolist() == [[2, 0], [2, 0]]

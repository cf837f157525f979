"""Cooling powers and fire: the rulebook's examples, and plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.phases.conditions import Fire, burn, catch_fire, turn_hourglasses
from tests.games.immortal_souls.encounter.comparing import Case, areas_of, states_of


def ready_in(hourglasses: int) -> list[int]:
    """Return what a power used in round 1 shows in each round from then on, until it is ready."""
    shown: IntArray = np.array([hourglasses], np.int8)
    rounds: list[int] = []
    while shown[0]:
        shown = turn_hourglasses(shown, 1, 4)
        rounds.append(int(shown[0]))
    return rounds


def test_heal_wounds_is_ready_every_round() -> None:
    """IS-EX-44, IS-POW.5: one hourglass, ready in round 2."""
    assert ready_in(1) == [0]


def test_cleave_is_ready_every_other_round() -> None:
    """IS-EX-45, IS-POW.5: two hourglasses, one in round 2, ready in round 3."""
    assert ready_in(2) == [1, 0]
    assert ready_in(4) == [3, 2, 1, 0]


def test_powers_that_are_turned_forward_and_back() -> None:
    """IS-POW.6: 4-3-2-1-ready and back; one that is ready stays so, and none shows more than four."""
    for shown in range(5):
        for steps in range(-4, 5):
            expected = 0 if shown == 0 else min(max(shown - steps, 0), 4)
            found = turn_hourglasses(np.array([shown], np.int8), np.array([steps], np.int8), 4)
            assert found.dtype == np.int8 and found.tolist() == [expected]


@pytest.mark.parametrize("seed", range(10))
def test_fire_as_in_plain_python(seed: int) -> None:
    """IS-FIRE.1 to IS-FIRE.3: tokens of 50 trials through five rounds, in each of which everybody moves or stays."""
    rng = np.random.default_rng([81, seed])
    people, areas = (some_fire(rng, size) for size in (4, 3))
    tokens = [[[1] * people.side_1[row, who] + [2] * people.side_2[row, who] for who in range(4)] for row in range(50)]
    ground = [[[1] * areas.side_1[row, area] + [2] * areas.side_2[row, area] for area in range(3)] for row in range(50)]
    for _ in range(5):
        entered = rng.integers(0, 4, (50, 4)).astype(np.int8)
        people = catch_fire(people, areas, entered)
        for row in range(50):
            for who, area in enumerate(entered[row].tolist()):
                tokens[row][who] += ground[row][area] if area < 3 else []
        assert people.side_1.tolist() == [[one.count(1) for one in row] for row in tokens]
        wounds, people = burn(people)
        assert wounds.tolist() == [[len(one) for one in row] for row in tokens]
        _, areas = burn(areas)
        tokens, ground = ([[[1] * one.count(2) for one in row] for row in rows] for rows in (tokens, ground))
        assert [column.dtype.name for column in (*people, *areas)] == ["int8"] * 4
    assert not any(column.any() for column in areas)


def some_fire(rng: np.random.Generator, size: int) -> Fire:
    """Return fire in 50 trials."""

    def tokens() -> IntArray:
        return rng.integers(0, 3, (50, size)).astype(np.int8)

    return Fire(tokens(), tokens())


BURNING = {"encounter.fires": "village_10:2;village_11:2;village_11:2", "encounter.enemies_many": ""}
FAR = {"encounter.enemies": "green_gremlin@village_12", **BURNING}
"""The gremlin is three areas from the heroes, and two of them burn; there is no other way that is as short."""


def tokens(state: State, side: str, who: int) -> set[tuple[int, int]]:
    """Return the Fire I and Fire II tokens of somebody in any trial."""
    return {*zip(state[f"{side}_fire1"][:, who].tolist(), state[f"{side}_fire2"][:, who].tolist(), strict=True)}


@pytest.mark.rule("IS-FIRE.3")
def test_a_hero_catches_every_fire_on_his_way() -> None:
    """In the first Time Phase the areas burn down to Fire I; on his way Ecarus catches each, and Thorgar, who stays,
    none. They cost a wound each in the next Time Phase, when the areas have burnt out."""
    scene, states = states_of(Case("ecarus,thorgar", "ambush", "nearest", FAR), 7)
    assert areas_of(scene, states[2], "h_area", 0) == {"village_12"}
    assert [tokens(state, "h", 0) for state in states[:3]] == [{(0, 0)}, {(0, 0)}, {(3, 0)}]
    assert tokens(states[2], "h", 1) == {(0, 0)}
    assert [states[k]["a_fire2"][0].tolist()[8:] for k in (0, 1)] == [[0, 1, 2, 0], [0, 0, 0, 0]]
    assert [states[k]["a_fire1"][0].tolist()[8:] for k in (0, 1)] == [[0, 0, 0, 0], [0, 1, 2, 0]]
    before, after = states[6], states[7]
    burnt_out = (before["h_health"] - after["h_health"])[:, 0][~after["h_ghost"][:, 0]]
    assert set(burnt_out.tolist()) == {3} and not after["a_fire1"].any() and tokens(after, "h", 0) == {(0, 0)}


@pytest.mark.rule("IS-FIRE.3")
def test_an_enemy_catches_every_fire_on_its_way() -> None:
    """It sees nobody, and so moves two areas towards them where a card activates it, and stays where none does."""
    rooted = {"heroes.movement": "0", "heroes.actions": "0", **FAR}
    scene, states = states_of(Case("ecarus,thorgar", "ambush", "nearest", rooted), 3, n=64)
    came = states[3]["e_area"][:, 0] == scene.area_names.index("village_10")
    assert 5 < came.sum() < 64
    assert tokens({name: states[3][name][came] for name in ("e_fire1", "e_fire2")}, "e", 0) == {(3, 0)}
    assert tokens({name: states[3][name][~came] for name in ("e_fire1", "e_fire2")}, "e", 0) == {(0, 0)}
    rows = [states[3]["e_fire1"][:, body].any() for body in range(1, scene.n_bodies)]
    assert not any(rows)


@pytest.mark.rule("IS-FIRE.3")
def test_all_of_a_horde_catch_fire_and_flyers_do_too() -> None:
    for kind, bodies in (("gremlin_horde", 3), ("gargoyle", 1)):
        far = {"heroes.movement": "0", "heroes.actions": "0", **BURNING, "encounter.enemies": f"{kind}@village_11"}
        scene, states = states_of(Case("ecarus,thorgar", "ambush", "nearest", far), 3, n=64)
        came = states[3]["e_area"][:, 0] == scene.area_names.index("village_6")
        assert came.any()
        assert states[3]["e_fire1"][came][:, :bodies].tolist() == [[1] * bodies] * int(came.sum())


@pytest.mark.rule("IS-FIRE.3")
def test_who_is_pushed_or_placed_into_fire_does_not_burn() -> None:
    around = {
        "encounter.enemies": "red_orc_warrior@village_6", "encounter.enemies_many": "", "heroes.effects": "push1@",
        "encounter.fires": "village_2:2;village_5:2;village_10:2;village_6:2",
    }  # fmt: skip
    _, states = states_of(Case("ecarus,thorgar", "ambush", "nearest", around), 2, n=64)
    pushed = states[2]["e_area"][:, 0] != states[0]["e_area"][:, 0]
    assert pushed.sum() > 5
    assert tokens(states[2], "e", 0) == tokens(states[2], "h", 0) == {(0, 0)}
    assert states[2]["a_fire1"][0, [1, 4, 5, 9]].tolist() == [1] * 4

"""What enemies do by their rules: those that fly, against those that walk."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.comparing import Case, areas_of, states_of

ROOTED = {"heroes.movement": "0", "heroes.actions": "0", "encounter.enemies_many": "", "encounter.goal": "kill_all"}
ACROSS = {**ROOTED, "encounter.start": "gorge_4"}
"""A barrier closes gorge_4 to who walks there from gorge_7; the way round is gorge_6, which is deadly, and gorge_3."""


def after_an_enemy_turn(kind: str, area: str, sets: Mapping[str, str]) -> tuple[Scene, State]:
    case = Case("ecarus,thorgar", "gorge_troll", "nearest", {**sets, "encounter.enemies": f"{kind}@{area}"})
    scene, states = states_of(case, 3, n=64)
    return scene, states[3]


@pytest.mark.rule("IS-ACT.10", "IS-AI.17", "IS-TERR.2")
def test_a_flying_enemy_crosses_a_barrier() -> None:
    """The gargoyle is an area from the heroes and engages them; the orc is three from them, and moves two."""
    scene, state = after_an_enemy_turn("gargoyle", "gorge_7", ACROSS)
    assert areas_of(scene, state, "e_area", 0) == {"gorge_7", "gorge_4"}
    assert not state["enemy_attacks"][state["e_area"][:, 0] == scene.area_names.index("gorge_7")].any()
    assert set(state["enemy_attacks"][state["e_area"][:, 0] == scene.area_names.index("gorge_4")]) == {1}
    scene, state = after_an_enemy_turn("green_orc_warrior", "gorge_7", ACROSS)
    assert areas_of(scene, state, "e_area", 0) == {"gorge_7", "gorge_3"}
    assert not state["enemy_attacks"].any()


@pytest.mark.rule("IS-ACT.10", "IS-AI.17", "IS-AI.14")
def test_a_flying_enemy_does_not_avoid_deadly_areas() -> None:
    """From gorge_11 to gorge_3 it flies by gorge_6, over a barrier and into a deadly area, without a wound."""
    near = {**ROOTED, "encounter.start": "gorge_3"}
    scene, state = after_an_enemy_turn("gargoyle", "gorge_11", near)
    assert areas_of(scene, state, "e_area", 0) == {"gorge_11", "gorge_3"}
    came = state["e_area"][:, 0] == scene.area_names.index("gorge_3")
    assert set(state["e_health"][came, 0]) == {8}
    scene, state = after_an_enemy_turn("green_orc_warrior", "gorge_11", near)
    assert areas_of(scene, state, "e_area", 0) == {"gorge_11", "gorge_7"}


@pytest.mark.rule("IS-ACT.10", "IS-AI.17", "IS-COND.14")
def test_nobody_knocks_a_flying_enemy_out() -> None:
    """Ecarus buys K.O. for nothing: the orc lies where it is attacked, the gargoyle beside it does not."""
    beside = {**ROOTED, "heroes.effects": "ko@", "encounter.start": "gorge_4"}
    down = {}
    for kind in ("gargoyle", "green_orc_warrior"):
        both = {**beside, "encounter.enemies": f"{kind}@gorge_4;green_orc_warrior@gorge_8"}
        _, states = states_of(Case("ecarus,thorgar", "gorge_troll", "nearest", both), 2, n=64)
        hit = (states[2]["hero_attacks"] == 1) & (states[2]["e_card"][:, 0] >= 0)
        down[kind] = np.unique(states[2]["e_ko"][hit, 0]).tolist()
    assert down == {"gargoyle": [0], "green_orc_warrior": [1]}


@pytest.mark.rule("IS-ACT.10", "IS-TERR.2", "IS-TERR.3", "IS-TERR.4")
def test_a_hero_who_flies_ignores_barriers_difficult_and_deadly_areas() -> None:
    """Towards gorge_8 he flies from gorge_11 over a barrier into gorge_6, which is deadly, and is not wounded; on foot
    he goes the long way by gorge_12. With one point he enters gorge_10, which costs two on foot."""
    far = {"encounter.enemies": "troll@gorge_8", "encounter.enemies_many": "", "encounter.start": "gorge_11"}
    ends = []
    for flying in ("false", "true"):
        sets = {**far, "heroes.movement": "1", "heroes.actions": "0", "heroes.flying": flying}
        scene, states = states_of(Case("ecarus,thorgar", "gorge_troll", "nearest", sets), 2)
        ends.append(areas_of(scene, states[2], "h_area", 0))
        assert set(states[2]["h_health"][:, 0]) == {8}
    assert ends == [{"gorge_12"}, {"gorge_6"}]
    into = {**far, "encounter.start": "gorge_9", "heroes.movement": "1", "heroes.actions": "0"}
    for flying, end in (("false", "gorge_9"), ("true", "gorge_10")):
        case = Case("ecarus,thorgar", "gorge_troll", "nearest", {**into, "heroes.flying": flying})
        scene, states = states_of(case, 2)
        assert areas_of(scene, states[2], "h_area", 0) == {end}


@pytest.mark.rule("IS-ACT.10")
def test_nobody_knocks_a_flying_hero_out() -> None:
    """Who begins knocked out does not, if he flies; nor does an enemy knock him out, but another one it does."""
    sets = {**ROOTED, "encounter.enemies": "red_orc_warrior@village_6;troll@village_6", "heroes.1.ko": "true",
            "heroes.health": "99", "heroes.1.flying": "true", "heroes.defence_dice": "0"}  # fmt: skip
    _, states = states_of(Case("ecarus,thorgar", "ambush", "nearest", sets), 30, n=64)
    assert set(states[0]["h_ko"].ravel()) == {0}
    assert not any(state["h_ko"][:, 0].any() for state in states)
    assert any(state["h_ko"][:, 1].any() for state in states)


@pytest.mark.rule("IS-ACT.10", "IS-PUSH.3")
@pytest.mark.parametrize(("flying", "area"), [("true", "gorge_4"), ("false", "gorge_6")])
def test_a_flying_hero_is_pushed_over_a_barrier(flying: str, area: str) -> None:
    """Of areas as far from the troll the one with the lowest number, save gorge_4, which a barrier closes on foot."""
    sets = {**ROOTED, "encounter.start": "gorge_7", "encounter.enemies": "troll@gorge_7", "heroes.health": "99",
            "heroes.flying": flying, "rules.push_direction": "away"}  # fmt: skip
    scene, states = states_of(Case("ecarus,thorgar", "gorge_troll", "nearest", sets), 3, n=64)
    assert areas_of(scene, states[3], "h_area", 0) == {"gorge_7", area}

"""Doors, locks, traps, chests, searches and decisions, by the dice of written examples."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.immortal_souls.quest.perils import bury, harm, spring_trap
from balance.games.immortal_souls.quest.play import _pass_time as pass_time
from balance.games.immortal_souls.quest.rooms import (
    decide,
    draw_treasures,
    open_chests,
    open_door,
    search_room,
    take_key,
)
from tests.games.immortal_souls.quest.scenes import Scene, campaign_of

GREEDY = campaign_of(way="greedy")
SAVED, FAILED = 4, 1
"""Faces of the blue die: SHD, which saves the knight and the cleric, and MIS."""


def trap(scene: Scene, name: str, saves: list[int], at: str = "door") -> Scene:
    """Spring a trap that the first hero sets off; heroes roll these faces in order."""
    dice = {"trap": [scene.card(name)], "trap save": saves}
    rolls = [scene.everywhere, np.array([0]), at]
    return scene.play(lambda campaign, *parts: spring_trap(campaign, parts[-3], *rolls, *parts[-2:]), dice=dice)


@pytest.mark.rule("IS-TERR.5", "IS-ACT.13")
@pytest.mark.parametrize(("room", "how", "actions"), [("crypt_chapel", "open", 0), ("crypt_stairs", "smash", 1)])
def test_a_door_is_opened_freely_or_smashed_and_draws_a_trap(room: str, how: str, actions: int) -> None:
    scene = Scene.of(GREEDY)
    click = {"trap": [scene.card("click")], "trap save": [FAILED] * 3}
    scene.play(open_door, scene.room(room), dice=click)
    assert scene.told("door") == [{"opener": "ecarus", "how": how}]
    assert (scene.number("actions"), scene.number("traps")) == (actions, 1)
    assert not scene.told("save", "wounds")


@pytest.mark.rule("IS-TERR.6")
def test_a_lock_needs_the_key_of_its_colour_which_falls_where_its_bearer_dies() -> None:
    without = Scene.of(GREEDY)
    without.play(open_door, without.room("crypt_tomb"), dice={})
    assert without.told() == [{"why": "key"}]
    assert without.number("winner") == 2
    scene = Scene.of(GREEDY, h_wounds=[0, 99, 0])
    room = scene.room("crypt_guards")
    take_key(scene.campaign, room, scene.state, scene.everywhere, np.array([1]), scene.journal.on(scene.state))
    bury(scene.campaign, scene.state, scene.everywhere, scene.journal.on(scene.state))
    scene.play(open_door, scene.room("crypt_tomb"), dice={"trap": [scene.card("click")]})
    assert scene.told("key", "drop", "pick_up", "unlock") == [
        {"hero": "thorgar", "colour": "red", "place": "floor"},
        {"hero": "thorgar", "crowns": 0, "treasures": [], "keys": ["red"]},
        {"hero": "ecarus", "key": "red"},
        {"hero": "ecarus", "colour": "red"},
    ]


@pytest.mark.rule("IS-SAVE.4")
@pytest.mark.parametrize(
    ("way", "name", "at", "hurt"),
    [
        ("greedy", "pentacle", "door", []),  # a door has no distance 0
        ("greedy", "pentacle", "chest", ["ecarus"]),
        ("greedy", "arrow", "door", ["ecarus", "thorgar", "shae"]),
        ("careful", "arrow", "door", ["ecarus"]),
        ("careful", "lightning", "door", ["ecarus", "thorgar", "shae"]),
    ],
)
def test_everybody_within_the_radius_of_a_trap_saves(way: str, name: str, at: str, hurt: list[str]) -> None:
    scene = trap(Scene.of(campaign_of(way=way)), name, [FAILED] * 3, at)
    assert [event["hero"] for event in scene.told("save")] == hurt
    assert scene.told("wounds") == [
        {"hero": hero, "wounds": 2, "condition": "stun" if name == "pentacle" else None, "cause": "trap"}
        for hero in hurt
    ]
    saved = trap(Scene.of(campaign_of(way=way)), name, [SAVED] * 3, at)
    assert {event["hero"] for event in saved.told("wounds")} <= {"shae"}  # whom HIT saves


@pytest.mark.rule("IS-SAVE.4")
def test_ghosts_heed_no_trap() -> None:
    scene = trap(Scene.of(GREEDY, h_ghost=[False, True, True]), "lightning", [FAILED] * 3)
    assert [event["hero"] for event in scene.told("save")] == ["ecarus"]


@pytest.mark.parametrize(
    ("before", "condition", "after", "wounds"),
    [(0, "poison1", 1, 0), (1, "poison2", 2, 1), (2, "poison1", 2, 1), (1, "poison1", 1, 1)],
)
def test_a_condition_twice_is_a_wound(before: int, condition: str, after: int, wounds: int) -> None:
    scene = Scene.of(GREEDY, h_poison=before)
    parts = (scene.everywhere, (np.array([0]), condition), "trap", scene.journal.on(scene.state))
    harm(scene.campaign, scene.state, 1, *parts)
    assert (scene.state["h_poison"][0, 1], scene.state["h_wounds"][0, 1]) == (after, wounds)


@pytest.mark.rule("IS-ECO.11", "IS-ACT.13")
def test_a_chest_holds_as_many_cards_as_its_number_behind_a_trap() -> None:
    scene = Scene.of(GREEDY)
    room, chapter = scene.room("crypt_tomb"), scene.campaign.chapters[0]
    dice = {"trap": [scene.card("click")], "trap save": [FAILED] * 3, "treasure": [0, 0, 0]}
    scene.play(open_chests, chapter, room, dice=dice)
    assert [event["event"] for event in scene.journal.events] == ["trap", "save", "chest", *["treasure"] * 3]
    assert scene.told("chest") == [{"hero": "ecarus", "number": 3}]
    assert (scene.number("actions"), scene.crowns()) == (1, [30, 0, 0])
    assert not Scene.of(campaign_of(way="hasty")).play(open_chests, chapter, room, dice=dice).told()


@pytest.mark.rule("IS-ECO.5", "IS-ECO.4")
def test_a_card_with_crowns_is_changed_at_once_for_its_finder() -> None:
    scene = Scene.of(GREEDY)
    dice = {"treasure": [scene.card("gold_coins")]}
    scene.play(_draw(1, finder=2), dice=dice)
    assert scene.crowns() == [0, 0, 25]
    assert scene.told() == [{"hero": "shae", "card": "gold_coins", "crowns": 25}]


@pytest.mark.rule("IS-ITEM.11")
def test_who_is_full_leaves_it_to_others_or_where_it_lies() -> None:
    scene = Scene.of(campaign_of(sets={"heroes.rank": "1"}, way="greedy"))
    scene.state["treasure_at"][0, 6:10] = 0  # four cards, as many as the knight carries
    dice = {"treasure": [scene.card("smiths_work") - 4]}
    scene.play(_draw(1), dice=dice)
    assert scene.told("pick_up", "leave") == [{"hero": "thorgar", "treasure": "smiths_work"}]
    full = Scene.of(scene.campaign, h_ghost=[False, True, True])
    full.state["treasure_at"][0, 6:10] = 0
    assert full.play(_draw(1), dice=dice).told("pick_up", "leave") == [{"treasure": "smiths_work"}]


def _draw(number: int, finder: int = 0):  # type: ignore[no-untyped-def]
    return lambda campaign, state, rolls, log: draw_treasures(
        campaign, campaign.chapters[0], state, np.array([number]), np.array([finder]), rolls, log
    )


@pytest.mark.rule("IS-ACT.17")
@pytest.mark.parametrize(
    ("face", "crowns", "treasures", "wounds"), [(1, 0, 0, 2), (5, 10, 0, 0), (6, 10, 1, 0), (9, 0, 1, 0)]
)
def test_a_token_is_searched_once_with_a_red_die(face: int, crowns: int, treasures: int, wounds: int) -> None:
    scene = Scene.of(GREEDY)
    dice = {"search": [face], "treasure": [scene.card("silver_ring")]}
    scene.play(search_room, scene.campaign.chapters[0], scene.room("crypt_tomb"), dice=dice)
    assert [event["face"] for event in scene.told("search")] == [face]
    assert (scene.crowns()[0], len(scene.told("pick_up")), scene.number("wounds")) == (crowns, treasures, wounds)
    assert scene.number("actions") == 1
    assert (
        not Scene.of(campaign_of(way="hasty"))
        .play(search_room, scene.campaign.chapters[0], scene.room("crypt_tomb"), dice=dice)
        .told()
    )


@pytest.mark.rule("IS-ECO.13")
@pytest.mark.parametrize(
    ("party", "crowns", "souls"), [("ecarus,thorgar", 0, 1), ("laegon,shae", 10, 0), ("shae_assassin,laegon", 20, 0)]
)
def test_who_is_active_decides_by_his_alignment(party: str, crowns: int, souls: int) -> None:
    scene = Scene.of(campaign_of(party, "gremlin_road"))
    scene.play(decide, scene.campaign.chapters[0], scene.room("road_toll_house"), dice={})
    assert (scene.crowns()[0], scene.number("pool")) == (crowns, souls)


def test_looting_takes_rounds_of_which_there_are_so_many() -> None:
    scene = Scene.of(GREEDY, actions=7)
    scene.play(pass_time, 3)
    assert scene.told() == [{"actions": 7, "rounds": 3}]  # three heroes of rank I have an action each
    assert scene.play(pass_time, 2).told("failed") == [{"why": "events"}]

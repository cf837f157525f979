"""Whole combats on the board in staged positions: retreats, panic, follow-ups, creatures, and the end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from balance.games.battlelore.adventure.map.adventure import Blazon
from tests.games.battlelore.adventure.scenes import Owner, Scene, Terrain, Units, battle_of, cell, rows_of, scene, where

FOOT, RIDERS, ARCHERS, SPIDER = "blue_foot", "blue_mounted", "green_foot+common_bow", "giant_spider"
GOBLINS, DWARVES = "goblin_blue_foot", "dwarf_blue_foot"
N = 600
WHITE = {"G": 0, "B": 0, "S": 0}
"""A throw that hurts nobody who is not red."""


# -- retreat -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-FLAG-01", "BL-FLAG-02", "BL-FLAG-03")
def test_a_retreat_leads_hex_by_hex_towards_the_own_edge_as_its_owner_likes() -> None:
    owner = Owner({"retreat": ["F6", "G7", "H7"]})
    made = scene(battle_of({"D5": FOOT}, {"E6": FOOT}), N, b=owner).fight().check()
    assert [where(made, 1, 0, made.trials(F=n, **WHITE)) for n in range(4)] == [{"E6"}, {"F6"}, {"G7"}, {"H7"}]
    assert {"F5", "F6", "G6", "G7"} <= owner.offered["retreat"] <= {"F5", "F6", "G6", "G7", "H6", "H7"}
    south = scene(battle_of({"E6": FOOT}, {"F6": FOOT}), 1)
    south.turn.place(np.array([0]), 0, np.array([0]), np.array([cell("D6")]))
    back = scene(
        battle_of({"E6": FOOT}, {"F6": DWARVES}), N, a=Owner({"retreat": ["D5", "C5"]}), b=Owner({"back": [1]})
    )
    assert back.fight().check().where(0, 0) & {"D5", "C5"} == {"D5", "C5"}


@pytest.mark.rule("BL-FLAG-04", "BL-FLAG-05", "BL-FLAG-06", "BL-WIN-02")
@pytest.mark.parametrize(
    ("units", "terrain", "end", "lost"),
    [
        ({"E6": FOOT}, {"F5": "forest", "F6": "ford", "G6": "landmark", "G7": "forest", "G5": "forest"}, "G", 0),
        ({"E6": FOOT}, {"F5": "watercourse", "F6": "watercourse"}, "E", 2),
        ({"E6": FOOT, "F5": FOOT}, {"F6": "watercourse"}, "E", 2),
        ({"E6": FOOT, "G6": FOOT, "G7": FOOT}, {"F5": "watercourse"}, "F", 1),
        ({"H6": FOOT}, {}, "I", 1),
        ({"I6": FOOT}, {}, "I", 2),
    ],
)
def test_terrain_stops_no_retreat_but_water_units_and_the_edge_do(
    units: Units, terrain: Terrain, end: str, lost: int
) -> None:
    at = {"E6": "D5", "H6": "G7", "I6": "H5"}[next(iter(units))]
    made = scene(battle_of({at: FOOT}, units, terrain), N).fight().check()
    two_flags = made.trials(F=2, **WHITE)
    assert len(two_flags) > 3
    assert {place[0] for place in where(made, 1, 0, two_flags)} == {end}
    assert set(made.state["figures"][two_flags, 1, 0]) == {4 - lost}
    assert (made.state["banners"][:, 0] == (made.state["figures"][:, 1, 0] == 0)).all()


@pytest.mark.rule("BL-MOR-02", "BL-MOR-04", "BL-FLAG-07")
def test_ignoring_is_up_to_the_owner_who_takes_flags_only_where_the_way_is_free() -> None:
    friends = {"E6": DWARVES, "E5": FOOT, "E7": FOOT}
    takes = Owner({"ignore": [0]})
    made = scene(battle_of({"D5": FOOT}, friends), N, b=takes).fight().check()
    assert takes.offered["ignore"] == {0, 1, 2}
    assert {place[0] for place in where(made, 1, 0, made.trials(F=2, **WHITE))} == {"G"}
    blocked = Owner({"ignore": [0, 1]})
    barred = battle_of({"D5": FOOT}, {**friends, "G5": FOOT, "G6": FOOT, "G7": FOOT})
    made = scene(barred, N, b=blocked).fight().check()
    assert {place[0] for place in where(made, 1, 0, made.trials(F=2, **WHITE))} == {"F"}
    assert (made.state["figures"][made.trials(F=2, **WHITE), 1, 0] == 4).all()
    assert blocked.offered["ignore"] == {0, 1, 2}, "one flag of one, one or two of two"
    walled = Owner()
    made = scene(battle_of({"D5": FOOT}, {**friends, "F5": FOOT, "F6": FOOT}), N, b=walled).fight().check()
    assert "ignore" not in walled.asked and where(made, 1, 0, made.trials(F=2, **WHITE)) == {"E6"}


# -- panic -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-PANIC-01", "BL-PANIC-02", "BL-PANIC-03", "BL-GOB-03")
def test_goblins_panic_by_a_die_of_their_enemys_for_each_hex_travelled() -> None:
    made = scene(battle_of({"D5": FOOT}, {"E6": GOBLINS}), N).fight().check()
    panics = made.throws("panic")
    one, two = made.trials(F=1, **WHITE), made.trials(F=2, **WHITE)
    assert {int(panics[trial].sum()) for trial in one} == {2} and {int(panics[trial].sum()) for trial in two} == {4}
    for trial in one:
        assert made.state["figures"][trial, 1, 0] == 4 - panics[trial][1], "only blue helmets kill"
    assert {side for what, side, _, given in made.events if what == "throw" and given["name"] == "panic"} == {0}
    for trial in made.trials(F=0):
        assert trial not in panics
    cornered = scene(battle_of({"F5": FOOT}, {"G6": GOBLINS}), N).fight().check()
    for trial in cornered.trials(F=2, **WHITE):
        panic = cornered.throws("panic")[trial]
        assert panic.sum() == 2 and cornered.state["figures"][trial, 1, 0] == 2 - panic[1], "two hexes blocked"


@pytest.mark.rule("BL-PANIC-04")
def test_goblins_that_are_driven_off_by_a_battle_back_panic_by_dice_of_the_unit_battling_back() -> None:
    made = scene(battle_of({"D5": GOBLINS}, {"E6": DWARVES}), N, b=Owner({"back": [1]})).fight().check()
    assert {side for what, side, _, given in made.events if what == "throw" and given["name"] == "panic"} == {1}


# -- what follows ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-POST-03", "BL-POST-06")
@pytest.mark.parametrize("gains", [0, 1])
def test_who_has_vacated_a_hex_may_be_followed_into_it(gains: int) -> None:
    made = scene(battle_of({"D5": FOOT}, {"E6": FOOT}), N, a=Owner({"gain": [gains]})).fight().check()
    vacated = np.array([place != "E6" for place in made.at(1, 0)])
    assert where(made, 0, 0, np.flatnonzero(vacated)) == {"E6" if gains else "D5"}
    assert where(made, 0, 0, np.flatnonzero(~vacated)) == {"D5"}
    assert made.asked(0) == {"gain": int(vacated.sum())}, "foot does not pursue"


@pytest.mark.rule("BL-POST-01", "BL-POST-12", "BL-RNG-04")
def test_nothing_follows_an_attack_at_range() -> None:
    made = scene(battle_of({"C5": ARCHERS}, {"E5": DWARVES}), N).fight().check()
    assert made.asked(0) == {} and set(made.asked(1)) <= {"ignore", "retreat"}
    assert made.where(0, 0) == {"C5"}


@pytest.mark.rule("BL-POST-04", "BL-POST-06")
def test_riders_may_go_on_by_one_hex_stay_or_return() -> None:
    owner = Owner({"gain": [1], "pursuit": ["D5"], "bonus": [-1]})
    made = scene(battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": FOOT}), N, a=owner).put("figures", 1, 0, 1)
    made.fight().check()
    gone = np.flatnonzero(made.state["figures"][:, 1, 0] == 0)
    assert where(made, 0, 0, gone) == {"D5"}
    assert {"E6", "E5", "D5", "D6", "F5", "F6"} >= owner.offered["pursuit"] >= {"E6", "E5", "D5", "D6"}
    foot = Owner({"gain": [0]})
    scene(battle_of({"D5": RIDERS}, {"E6": FOOT}), N, a=foot).fight()
    assert set(foot.asked) == {"gain"}, "who does not gain ground does not pursue"


@pytest.mark.rule("BL-POST-05", "BL-TER-02", "BL-TER-05", "BL-LMK-01", "BL-LMK-13")
@pytest.mark.parametrize(
    ("terrain", "reading", "goes_on", "strikes"),
    [
        ({"E6": "forest"}, "pass", False, True),
        ({"E6": "ford"}, "pass", True, True),
        ({"E6": "ford"}, "stop", False, True),
        ({"E6": "landmark"}, "pass", False, False),
        ({"E6": "rampart"}, "pass", False, False),
        ({"E6": "rampart", "D5": "rampart"}, "pass", True, True),
        ({"E6": "hill"}, "pass", True, True),
    ],
)
def test_a_pursuit_heeds_the_terrain(terrain: Terrain, reading: str, goes_on: bool, strikes: bool) -> None:
    owner = Owner({"gain": [1], "pursuit": ["E6"], "bonus": [1]})
    battle = battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": FOOT}, terrain, ford_pursuit=reading)
    made = scene(battle, N, a=owner).fight().check()
    assert ("pursuit" in owner.asked) is goes_on and ("bonus" in owner.asked) is strikes
    assert (made.times("battle", kind="bonus") > 0) is strikes


def test_a_pursuit_into_a_landmark_forbids_the_bonus() -> None:
    """BL-Q19: whoever entered a hex of no battle, by following up too, battles no more."""
    owner = Owner({"gain": [1], "pursuit": ["E5"], "bonus": [0]})
    scene(battle_of({"D5": RIDERS}, {"E6": FOOT, "D4": FOOT}, {"E5": "landmark"}), N, a=owner).fight()
    assert "pursuit" in owner.asked and "bonus" not in owner.asked


@pytest.mark.rule("BL-POST-08", "BL-POST-09", "BL-POST-02")
def test_a_bonus_attack_is_one_more_melee_after_which_ground_is_gained_only() -> None:
    owner = Owner({"gain": [1], "pursuit": ["E6"], "bonus": [1]})
    made = scene(battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": ARCHERS}), N, a=owner).fight().check()
    assert made.times("battle", kind="bonus") == len(rows_of(made, "battle", kind="bonus")) > 0
    assert made.where(0, 0) == {"D5", "E6", "E7"}
    assert owner.asked["pursuit"] == owner.asked["bonus"] == len(rows_of(made, "gain", after=cell("E6")))
    assert owner.offered["bonus"] == {-1, 0, 1}


def test_a_bonus_attack_is_on_another_enemy_by_the_other_reading() -> None:
    """BL-Q16."""
    owner = Owner({"gain": [1], "pursuit": ["E6"], "bonus": [0]})
    battle = battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": ARCHERS}, bonus_target="other")
    scene(battle, N, a=owner).fight()
    assert owner.offered["bonus"] == {-1, 1}


@pytest.mark.rule("BL-DICE-06", "BL-DICE-07")
def test_dice_of_cards_count_in_the_attack_and_the_bonus_but_not_in_battling_back() -> None:
    owner = Owner({"gain": [1], "pursuit": ["E6"], "bonus": [1]})
    made = scene(battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": DWARVES}), N, a=owner, b=Owner({"back": [1]}))
    made.state["bonus"][:, 0], made.state["melee_bonus"][:, 0] = 1, 2
    made.fight().check()
    dice = {kind: {int(given["n"][0]) for given in following(made, kind)} for kind in ("attack", "bonus", "back")}
    assert dice == {"attack": {6}, "bonus": {6}, "back": {3}}
    shot = scene(battle_of({"C5": ARCHERS}, {"E5": FOOT}), 3)
    shot.state["bonus"][:, 0], shot.state["melee_bonus"][:, 0] = 1, 2
    assert shot.fight().first_throw().sum(axis=1).tolist() == [3, 3, 3]


def following(made: Scene, kind: str) -> list[dict[str, Any]]:
    """Return what was told of the throws that came right after the beginning of each strike of a kind."""
    pairs = pairwise(made.events)
    return [
        then[3] for first, then in pairs if first[0] == "battle" and first[3]["kind"] == kind and then[0] == "throw"
    ]


@pytest.mark.rule("BL-POST-10", "BL-POST-11", "BL-POST-12", "BL-POST-13", "BL-POST-14")
def test_a_bold_target_that_held_its_hex_may_battle_back_and_that_is_all() -> None:
    backs = Owner({"back": [1]})
    made = scene(battle_of({"D5": DWARVES}, {"E6": DWARVES}), N, b=backs).fight().check()
    held = {trial for trial, place in enumerate(made.at(1, 0)) if place == "E6"}
    assert rows_of(made, "battle", kind="back") == held and backs.asked["back"] == len(held)
    assert "back" not in made.asked(0), "nobody battles back against a battle back"
    assert made.where(1, 0) <= {place for place in made.where(1, 0) if place == "" or place[0] in "EFGH"}
    gone = made.state["figures"][:, 0, 0] == 0
    assert (made.state["banners"][:, 1] == gone).all() and "gain" not in backs.asked
    timid = Owner({"back": [0]})
    assert not scene(battle_of({"D5": FOOT}, {"E6": DWARVES}), N, b=timid).fight().times("battle", kind="back")


def test_support_is_counted_again_when_it_comes_to_battling_back() -> None:
    """BL-Q11; a unit in a web gives none."""
    made = scene(battle_of({"D5": FOOT}, {"E6": FOOT, "E5": FOOT, "E7": FOOT}, lore=True), N, b=Owner({"back": [1]}))
    made.put("webbed", 1, 1, True).fight()
    assert "back" not in made.asked(1)


def test_a_battle_back_needs_an_ignored_flag_by_the_other_reading() -> None:
    """BL-Q12."""
    owner = Owner({"back": [1]})
    made = scene(battle_of({"D5": FOOT}, {"E6": DWARVES}, battle_back_needs="ignored_flag"), N, b=owner).fight()
    flagged = set(np.flatnonzero(made.first_throw()[:, 4]).tolist())
    assert rows_of(made, "battle", kind="back") and rows_of(made, "battle", kind="back") <= flagged


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BL-WIN-01", "BL-WIN-04")
def test_an_adventure_ends_in_the_middle_of_a_combat() -> None:
    battle = battle_of({"D5": RIDERS}, {"E6": FOOT, "E7": FOOT}, banners=(1, 1))
    owner = Owner({"gain": [1], "bonus": [1]})
    made = scene(battle, N, a=owner).put("figures", 1, 0, 1).fight().check()
    won = made.state["winner"] == 1
    assert (won == (made.state["banners"][:, 0] == 1)).all() and won.any()
    over: set[int] = set()
    for what, _, rows, _ in made.events:
        assert not over & set(rows.tolist()), f"{what} after the end"
        over |= set(rows.tolist()) if what == "won" else set()
    back = battle_of({"D5": FOOT}, {"E6": DWARVES}, banners=(1, 1))
    lost = scene(back, N, b=Owner({"back": [1]})).put("figures", 0, 0, 1).fight()
    assert (lost.state["winner"] == 2).any(), "the side whose turn it is not wins by battling back"


@pytest.mark.rule("BL-WIN-03")
def test_hexes_are_worth_banners_to_who_gains_them() -> None:
    blazons = (Blazon(0, cell("E6")), Blazon(0, cell("D5"), held=True), Blazon(1, cell("E6")))
    made = scene(battle_of({"D5": FOOT}, {"E6": FOOT}, blazons=blazons), N, a=Owner({"gain": [1]}))
    made.state["earned"][:, 1:] = True
    made.state["banners"][:] = 1
    made.fight().check()
    gained = np.array([place == "E6" for place in made.at(0, 0)])
    dead = made.state["figures"][:, 1, 0] == 0
    assert (made.state["banners"][:, 0] == 1 + dead).all(), "one hex gained, the other left"
    assert (made.state["earned"] == np.stack([gained, ~gained, np.ones(N, bool)], axis=1)).all()


# -- batches -----------------------------------------------------------------------------------------------------------


def test_a_batch_is_the_sum_of_its_trials() -> None:
    """However trials are put together, each meets the same luck; among them some that are won, or not asked for."""
    units = {"D5": RIDERS, "D6": SPIDER, "C5": FOOT}, {"E6": GOBLINS, "E7": SPIDER, "F6": FOOT, "E5": DWARVES}

    def fought(rows: list[int]) -> Scene:
        made = scene(battle_of(*units, lore=True), 60)
        for part in np.array_split(np.arange(60), rows):
            for unit, target in ((0, 0), (1, 1), (2, 3)):
                chosen = part[part % 7 != unit]
                alive = (made.state["cell"][chosen, 0, unit] >= 0) & (made.state["cell"][chosen, 1, target] >= 0)
                made.fight(unit, target, chosen[alive])
        return made

    whole = fought([])
    for rows in ([1], [17, 18, 40], list(range(1, 60))):
        parts = fought(rows)
        for name, values in whole.state.items():
            assert (values == parts.state[name]).all(), name

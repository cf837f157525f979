"""Line-ups in which nothing is left to chance: every weapon hits, nothing blocks, and each rule shows by itself."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from tests.games.warforged.test_whole_duels import about

GAME = balance.load("warforged")
SURE = {"precision": 10, "damage": 9, "armour": 0, "effects": "", "abilities": ""}
"""What a unit of these line-ups is, unless a test says otherwise: ten of ten hit, critical or not, for 9."""
LIMIT = "situation.unit_limit"


def result(
    a: tuple[dict[str, Any], ...],
    b: tuple[dict[str, Any], ...],
    rounds: int = 0,
    changes: dict[str, Any] | None = None,
    **choices: str,
) -> dict[str, int]:
    """Return the columns of a line-up that can end in one way only, side a first."""
    set_of = {
        f"{side}.{place}.{name}": value
        for side, army in (("a", a), ("b", b))
        for place, unit in enumerate(army, start=1)
        for name, value in {**SURE, **unit}.items()
    }
    one, other = (",".join(["nexus+sidearm"] * len(army)) for army in (a, b))
    situation = {"situation.round_limit": rounds}
    asked = GAME.ask("lineup", one, other, {**set_of, **situation, **(changes or {})}, "a", **choices)
    (row,) = about(asked.distribution)
    return dict(zip(asked.kind.columns, row, strict=True))


ONE, WEAK = {"health": 1}, {"health": 1, "damage": 1}


@pytest.mark.rule("WF-ACT.1")
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_actions_are_spent_freely_and_one_unit_may_take_them_all(limit: int) -> None:
    unable = {"health": 1, "weapon.range_cells": 1}
    found = result((unable, ONE, unable), ({"health": 1, "damage": 0},) * 4, 1, {LIMIT: limit})
    assert found["b_units"] == 4 - limit


def test_without_a_limit_a_turn_has_as_many_actions_as_the_larger_army_has_units() -> None:
    assert result((ONE,), (WEAK,) * 3)["rounds"] == 1
    assert result((ONE,), (WEAK,) * 3)["b_units"] == 0
    assert result((ONE,), (WEAK,) * 3, changes={LIMIT: 2})["b_units"] == 1


def test_each_living_unit_acts_once_in_its_turn_where_every_unit_has_an_action() -> None:
    per_unit = {"situation.actions": "per_unit"}
    found = result((ONE,) * 2, (WEAK,) * 3, 1, per_unit)
    assert (found["b_units"], found["a_units"]) == (1, 1), "two fall, and the third destroys one"
    assert result((ONE,) * 2, (WEAK,) * 2, 1, per_unit)["winner"] == 1


@pytest.mark.rule("WF-EFF.3")
def test_the_attacks_of_rapid_fire_may_go_to_two_targets() -> None:
    rapid = {"health": 1, "effects": "rapid_fire"}
    assert result((rapid,), (WEAK,) * 2, changes={LIMIT: 1})["winner"] == 1
    assert result((ONE,), (WEAK,) * 2, changes={LIMIT: 1})["winner"] == 2


@pytest.mark.rule("WF-EFF.2")
@pytest.mark.parametrize(("neighbours", "left"), [(0, 2), (1, 1), (2, 0), (5, 0)])
def test_high_explosive_hurts_as_many_neighbours_as_are_agreed(neighbours: int, left: int) -> None:
    launcher = {"health": 9, "effects": "high_explosive"}
    found = result((launcher,), (WEAK,) * 3, 1, {LIMIT: 1, "situation.neighbours": neighbours})
    assert found["b_units"] == left


@pytest.mark.rule("WF-ABIL.5")
def test_who_destroys_a_unit_with_overload_is_hurt_and_so_are_its_neighbours() -> None:
    bomb = {"health": 1, "abilities": "overload"}
    found = result(({"health": 4},), (bomb,), changes={LIMIT: 1})
    assert (found["winner"], found["a_health"]) == (1, 1)
    assert result(({"health": 3},), (bomb,), changes={LIMIT: 1})["winner"] == 0
    assert result(({"health": 3},), (bomb,), changes={LIMIT: 1, "situation.distance": 3})["winner"] == 1
    crowd = (bomb, {"health": 3}, {"health": 4})
    found = result(({"health": 9},), crowd, 1, {LIMIT: 1, "situation.neighbours": 2})
    assert (found["b_units"], found["b_health"]) == (1, 1)
    calm = {"rules.friendly_fire": False}
    assert result(({"health": 9},), crowd, 1, {LIMIT: 1, "situation.neighbours": 2, **calm})["b_health"] == 7


@pytest.mark.parametrize(("chain", "left"), [("none", 1), ("hostile", 1), ("any", 0)])
def test_what_is_set_off_by_friends_depends_on_the_reading(chain: str, left: int) -> None:
    bombs = ({"health": 1, "abilities": "overload"},) * 3
    found = result(({"health": 99},), bombs, 1, {LIMIT: 1, "situation.neighbours": 1, "rules.overload_chain": chain})
    assert found["b_units"] == left
    assert found["a_health"] == {1: 99 - 3, 0: 99 - 9}[left] - 9 * (left > 0)


@pytest.mark.parametrize(("chain", "left"), [("none", 90), ("hostile", 87)])
def test_splash_of_enemies_sets_off_all_but_under_the_reading_that_weapons_alone_do(chain: str, left: int) -> None:
    launcher = {"health": 90, "effects": "high_explosive"}
    crowd = ({"health": 5}, {"health": 1, "abilities": "overload"})
    changes = {LIMIT: 1, "situation.neighbours": 1, "rules.overload_chain": chain}
    found = result((launcher,), crowd, 1, changes, policy_a="least_overkill")
    assert (found["winner"], found["a_health"]) == (1, left)


@pytest.mark.rule("WF-EFF.4")
def test_emp_takes_the_next_turn_of_its_target_alone() -> None:
    emp = {"health": 2, "damage": 0, "effects": "emp", "abilities": ""}
    hit = ({"health": 9, "damage": 1},)
    assert result((emp,), hit, 2, {LIMIT: 1})["a_health"] == 2
    assert result((emp,), hit * 2, 1, {LIMIT: 1})["a_health"] == 1


@pytest.mark.rule("WF-ABIL.4")
def test_shields_are_raised_first_one_action_each() -> None:
    army, target = ({"health": 1, "abilities": "supershield"},) * 2, ({"health": 1, "weapon.range_cells": 1},)
    for stance, n_fallen in (("raise", [0, 0, 1]), ("never", [1, 1, 1]), ("up", [1, 1, 1])):
        left = [result(army, target, 1, {LIMIT: n, "a.shield": stance})["b_units"] for n in (1, 2, 3)]
        assert [1 - units for units in left] == n_fallen, stance


@pytest.mark.parametrize(("limit_score", "winner"), [("destroyed_then_health", 1), ("destroyed", 1)])
def test_at_the_round_limit_units_destroyed_come_before_health(limit_score: str, winner: int) -> None:
    rules = {"rules.limit_score": limit_score, LIMIT: 1}
    found = result(({"health": 1}, {"health": 2}), (WEAK, {"health": 50, "damage": 0}), 1, rules, policy_a="focus")
    assert (found["b_units"], found["winner"]) == (1, winner)
    even = result(({"health": 2, "damage": 0},), ({"health": 3, "damage": 0},), 1, rules)
    assert even["winner"] == (2 if limit_score == "destroyed_then_health" else 0)


def test_who_is_hurt_by_a_blast_and_lives_does_not_explode() -> None:
    launcher, crowd = (
        {"health": 9, "effects": "high_explosive"},
        ({"health": 1}, {"health": 2, "abilities": "overload"}),
    )
    found = result((launcher,), crowd, 1, {LIMIT: 1, "situation.neighbours": 1, "b.2.damage": 0}, policy_a="spread")
    assert (found["b_health"], found["a_health"]) == (1, 9)


def test_who_falls_by_an_overload_does_not_attack_again() -> None:
    rapid = {"health": 3, "effects": "rapid_fire"}
    unable, bomb = {"health": 1, "weapon.range_cells": 1}, {"health": 1, "abilities": "overload", "damage": 9}
    found = result((rapid, unable), (bomb, {"health": 1, "damage": 0}), 1, {LIMIT: 1})
    assert (found["a_units"], found["b_units"]) == (1, 1)
    tough = result(({**rapid, "health": 4}, unable), (bomb, {"health": 1, "damage": 0}), 1, {LIMIT: 1})
    assert (tough["a_units"], tough["b_units"]) == (2, 0)


def test_blasts_alone_can_decide_a_line_up() -> None:
    """Splash that hurts only neighbours, and an Overload that is out of reach of the enemy but not of its friends."""
    launcher, crowd = {"health": 1, "damage": 0, "effects": "high_explosive"}, ({"health": 2, "damage": 0},) * 2
    assert result((launcher,), crowd, changes={LIMIT: 1})["rounds"] == 1
    found = result((launcher,), crowd, 4, {LIMIT: 1, "situation.neighbours": 1})
    assert (found["b_units"], found["b_health"]) == (1, 2), "the second is hurt until it falls; then nobody stands near"
    far = {LIMIT: 1, "situation.distance": 9}
    guns = {"health": 1, "weapon.range_cells": 9}
    bombs = ({"health": 1, "abilities": "overload", "weapon.range_cells": 9}, {"health": 3, "weapon.range_cells": 9})
    assert result((guns,), bombs, 1, far)["b_units"] == 1
    assert result((guns,), bombs, 1, {**far, "situation.neighbours": 1})["b_units"] == 0
    assert result((guns,), bombs, 1, {**far, "situation.neighbours": 1, "rules.friendly_fire": False})["b_units"] == 1


def test_each_target_is_shot_at_with_the_weapon_that_does_most_to_it() -> None:
    both = {"a.1.weapon1.damage": 1, "a.1.weapon1.effects": "rapid_fire", "a.1.weapon2.damage": 3}
    cards = {f"a.1.weapon{n}.precision": 10 for n in (1, 2)} | {"b.precision": 10, "b.armour": 0, "b.abilities": ""}
    asked = {**both, **cards, "b.health": 3, LIMIT: 1, "situation.round_limit": 1, "b.damage": 0}
    question = GAME.ask("lineup", "nexus+sidearm+smg_pistol", "trooper+sidearm", asked, "a")
    assert question.p_win()["a"] == 1.0
    nearer = {**asked, "a.1.weapon2.range_cells": 1}
    assert GAME.ask("lineup", "nexus+sidearm+smg_pistol", "trooper+sidearm", nearer, "a").p_win()["a"] == 1.0
    assert about(GAME.ask("lineup", "nexus+sidearm+smg_pistol", "trooper+sidearm", nearer, "a").distribution) == {
        (1, 1, 1, 1, 8, 1): 1.0
    }


# -- whom a side attacks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("policy", "left"), [("focus", (2, 4)), ("least_overkill", (2, 4)), ("spread", (1, 5))])
def test_policies_attack_whom_they_say(policy: str, left: tuple[int, int]) -> None:
    dangerous, harmless = {"health": 5, "damage": 9}, {"health": 1, "damage": 1}
    found = result(({"health": 99, "damage": 2},), (harmless, dangerous), 1, {LIMIT: 1}, policy_a=policy)
    assert (found["b_units"], found["b_health"]) == left


def test_focus_leaves_the_harmless_to_the_last_and_takes_the_quicker_of_equal_threats() -> None:
    shooter = ({"health": 99, "damage": 2},)
    out_of_reach = {"health": 2, "weapon.range_cells": 1}
    found = result(shooter, (out_of_reach, {"health": 8}), 1, {LIMIT: 1})
    assert (found["b_units"], found["b_health"]) == (2, 8)
    assert result(shooter, (out_of_reach,), changes={LIMIT: 1})["winner"] == 1
    assert result(shooter, ({"health": 4}, {"health": 2}), 1, {LIMIT: 1})["b_units"] == 1


def test_spread_goes_on_with_whoever_has_lost_least() -> None:
    shooter = ({"health": 99, "damage": 1},)
    enemies = ({"health": 4, "damage": 0}, {"health": 5, "damage": 0}, {"health": 3, "damage": 0})
    after = [result(shooter, enemies, 1, {LIMIT: n}, policy_a="spread") for n in (3, 4, 6)]
    assert [(found["b_units"], found["b_health"]) for found in after] == [(3, 9), (3, 8), (3, 6)]
    assert result(shooter, enemies, 1, {LIMIT: 3}, policy_a="focus")["b_units"] == 2

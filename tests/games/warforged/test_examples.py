"""The rulebook's worked examples and the vectors derived from its rules, replayed on their own dice (no seed)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import State, start_state
from balance.chance.trials.lockstep import play_fixed
from balance.games.warforged.attack import absorb, armour_left, roll_attack
from balance.games.warforged.cards import constants_of
from balance.games.warforged.duel import duel_processes
from balance.games.warforged.setup import attack_processes
from balance.games.warforged.turn import jump_lands, may_jump, may_move, nearer

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads(Path(__file__).with_name("warforged_examples.json").read_text("utf-8"))
}
GAME = balance.load("warforged")
CONSTANTS = constants_of(GAME.catalogue)
DICE = {"d10": "precision", "d6": "armour", "d6_armour": "armour", "d6_slim": "slim", "d6_shield": "shield",
        "d6_burn": "burn"}  # fmt: skip


def dice_of(example: dict[str, Any]) -> dict[str, list[int]]:
    given = example["dice_or_cards"] or {}
    return {DICE[name]: value if isinstance(value, list) else [value] for name, value in given.items()}


def play(
    example: dict[str, Any], effects: str = "", abilities: str = "", dice: dict[str, list[int]] | None = None
) -> dict[str, int]:
    """Play one attack of an example: its numbers on a Nexus with an Assault Rifle that has only these effects."""
    given = example["given"]
    changes: dict[str, Any] = {"attacker.effects": effects, "defender.abilities": abilities}
    changes |= {f"attacker.{name}": given[name] for name in ("precision", "damage") if name in given}
    changes["defender.armour"] = given.get("armour", given.get("primary_armour", 2))
    changes["situation.light_cover"] = given.get("light_cover", False)
    process = attack_processes(GAME.attack("nexus+assault_rifle", "vanguard", changes).setup)[0]
    return play_fixed(process, dice if dice is not None else dice_of(example))


@pytest.mark.rule("WF-ATT.1")
@pytest.mark.parametrize("name", ["WF-E01", "WF-E10", "WF-E11"])
def test_precision(name: str) -> None:
    outcome = play(EXAMPLES[name], effects="piercing")
    result = "crit" if outcome["critical"] else "hit" if outcome["hit"] else "miss"
    assert result == EXAMPLES[name]["expect"]["result"]


@pytest.mark.rule("WF-ARM.1", "WF-ARM.2", "WF-COV.1")
@pytest.mark.parametrize("name", ["WF-E02", "WF-V01", "WF-V02", "WF-V04"])
def test_armour(name: str) -> None:
    """These give armour dice only; any D10 below the precision makes the hit normal."""
    example = EXAMPLES[name]
    outcome = play(example, dice={"precision": [1], **dice_of(example)})
    assert outcome["damage"] == example["expect"]["damage"]
    assert outcome["damage"] == max(1, example["given"]["damage"] - example["expect"]["blocked"])


@pytest.mark.rule("WF-ATT.1", "WF-ATT.2", "WF-ARM.1", "WF-UNIT.1", "WF-WPN.1")
@pytest.mark.parametrize("name", ["WF-E03", "WF-V03"])
def test_whole_attack(name: str) -> None:
    example = EXAMPLES[name]
    outcome = play(example)
    assert outcome["damage"] == example["expect"]["damage"]
    assert bool(outcome["critical"]) == (example["expect"]["result"] == "crit")


@pytest.mark.rule("WF-ATT.1", "WF-ARM.1", "WF-EFF.3")
def test_example_1_on_the_shipped_cards() -> None:
    """Nexus' Assault Rifle against Whisper: a 6 hits, a 2 does not block, 3 damage, and a second attack follows."""
    process = attack_processes(GAME.attack("nexus+assault_rifle", "whisper").setup)[0]
    outcome = play_fixed(process, {"precision": [6, 9], "armour": [2], "slim": [4]})
    assert outcome["damage"] == EXAMPLES["WF-E03"]["expect"]["damage"]
    assert process.max_steps == EXAMPLES["WF-E04"]["expect"]["attacks_per_action"]


@pytest.mark.rule("WF-ACT.1", "WF-ACT.2", "WF-ACT.3", "WF-ACT.4")
def test_move_then_attack_with_one_unit() -> None:
    """WF-E05: Nexus moves 3 towards its target and shoots in the same turn, with two actions."""
    expect = EXAMPLES["WF-E05"]["expect"]
    changes = {"situation.distance_cells": 9, "situation.actions": expect["actions_used"], "a.effects": ""}
    setup = GAME.duel("nexus+assault_rifle", "trooper+sidearm", changes, "a").setup
    process = duel_processes(setup.play)[0]
    assert GAME.catalogue.tables["units"]["nexus"].speed_cells >= expect["nexus_speed_at_least"]  # type: ignore[attr-defined]
    turn = process.steps[: expect["actions_used"]]
    state = start_state(process, 2000)
    for step in turn:
        state = step(state, balance.chance.rolls.rolls.RandomRolls(0, "example", 0, 2000))
    assert set(state["distance"].tolist()) == {6}
    assert state["b_health"].min() < 5


@pytest.mark.rule("WF-ABIL.2", "WF-ACT.2", "WF-ABIL.0")
def test_attack_then_jump() -> None:
    """WF-E06: a jump is one action, as long as the speed, over anything, and the last of that unit's turn."""
    expect = EXAMPLES["WF-E06"]["expect"]
    vanguard = GAME.catalogue.tables["units"]["vanguard"]
    assert vanguard.speed_cells == expect["jump_cells"]  # type: ignore[attr-defined]
    assert "jump" in vanguard.abilities  # type: ignore[attr-defined]
    fresh, jumped = np.array([False]), np.array([True])
    assert may_jump(True, fresh).all()
    assert not may_jump(True, jumped).any()
    assert not may_move(np.array([0]), jumped, CONSTANTS.limits.max_moves).any()
    assert jump_lands(np.array([9]), expect["jump_cells"], exact=True).all()


def test_composite_move() -> None:
    """Leg by leg a unit comes no nearer than by one move of its whole speed."""
    given, expect = EXAMPLES["WF-E07"]["given"], EXAMPLES["WF-E07"]["expect"]
    legs, start = [int(leg.split()[1]) for leg in expect["move"]], np.array([20])
    at_once = nearer(start, given["speed"], 1)
    by_leg = start
    for leg in legs:
        by_leg = nearer(by_leg, leg, 1)
    assert (int(by_leg[0]) >= int(at_once[0])) is expect["legal"]
    assert int(nearer(by_leg, 1, 1)[0]) < int(at_once[0]), "one cell more would be too far"


@pytest.mark.rule("WF-ACT.3")
def test_actions_of_a_side_with_one_unit() -> None:
    given, expect = EXAMPLES["WF-E08"]["given"], EXAMPLES["WF-E08"]["expect"]
    assert given["max_units"] == expect["actions_per_turn"]
    moves = np.arange(expect["actions_per_turn"])
    may = may_move(moves, np.zeros(len(moves), bool), CONSTANTS.limits.max_moves)
    assert int(may.sum()) == expect["moves_allowed"]


@pytest.mark.rule("WF-ABIL.3")
def test_slim_dodges() -> None:
    example = EXAMPLES["WF-V05"]
    outcome = play(example, abilities="slim", effects="emp,high_explosive")
    assert outcome == dict.fromkeys(outcome, 0)
    assert outcome["damage"] == example["expect"]["damage"]


@pytest.mark.rule("WF-ABIL.4")
@pytest.mark.parametrize("name", ["WF-V06", "WF-V07"])
def test_supershield(name: str) -> None:
    example = EXAMPLES[name]
    outcome = play(example, abilities="supershield")
    assert outcome["damage"] == example["expect"]["damage"]
    assert bool(outcome["shield_lost"]) is not example["expect"]["shield_active"]
    assert outcome["hit"] == 1


@pytest.mark.rule("WF-EFF.5")
@pytest.mark.parametrize("name", ["WF-V08", "WF-V09"])
def test_laser(name: str) -> None:
    """The burn counts for the next two attacks, and the third meets the whole armour again (floor 0, WF-Q10)."""
    example = EXAMPLES[name]
    expect, armour = example["expect"], example["given"]["armour"]
    outcome = play({**example, "given": {**example["given"], "precision": 7}}, effects="laser")
    assert outcome["damage"] == expect["damage"]
    assert outcome["burn"] == expect["burn_tokens"]
    shot = GAME.attack("nexus+laser_carbine", "vanguard", {"defender.armour": armour}).setup.shot
    condition: State = {"burn_1": np.array([0]), "burn_2": np.array([0])}
    seen = []
    for burn in (outcome["burn"], 0, 0):
        condition = absorb(shot, condition, {"burn": np.array([burn]), "damage": np.array([0])})
        seen.append(int(np.max(armour_left(shot.armour, condition))))
    assert seen == [expect["armour_next_two_attacks"]] * 2 + [armour]


@pytest.mark.rule("WF-EFF.2")
def test_high_explosive() -> None:
    example = EXAMPLES["WF-V10"]
    outcome = play(example, effects="high_explosive")
    assert outcome["damage"] == example["expect"]["primary_damage"]
    assert outcome["splash"] == example["expect"]["each_neighbour_damage"]


@pytest.mark.rule("WF-ABIL.5")
def test_overload() -> None:
    given, expect = EXAMPLES["WF-V11"]["given"], EXAMPLES["WF-V11"]["expect"]
    changes = {"b.abilities": "overload", "b.health": 1, "b.armour": 0, "a.armour": given["armour"], "a.health": 9,
               "a.effects": "", "situation.distance_cells": given["radius"]}  # fmt: skip
    question = GAME.duel("nexus+assault_rifle", "trooper+sidearm", changes, "a")
    process = duel_processes(question.setup.play, roll_attack)[0]
    end = play_fixed(process, {"a precision": [1]})
    assert (end["a_health"], end["b_health"], end["winner"]) == (9 - expect["damage_each"], 0, 1)


@pytest.mark.rule("WF-EFF.4")
def test_emp() -> None:
    expect = EXAMPLES["WF-V12"]["expect"]
    assert expect == {"disabled_during": "B next turn", "token_removed": "end of that turn"}
    changes = {"a.precision": 10, "b.precision": 10, "b.damage": 99, "b.armour": 0, "b.health": 2, "a.damage": 1}
    question = GAME.duel("trooper+emp_projector", "trooper+sidearm", changes, "a")
    assert question.p_win()["a"] == 1.0  # b never has a turn: each of its turns is lost to the hit before it
    without = GAME.duel("trooper+emp_projector", "trooper+sidearm", changes | {"a.effects": ""}, "a")
    assert without.p_win()["a"] == 0.0


def test_every_example_at_levels_a_and_b_is_replayed_here() -> None:
    """What is left belongs to the map (WF-E09) and to army building (WF-T01 to WF-T03)."""
    text = Path(__file__).read_text("utf-8")
    assert {name for name in EXAMPLES if f'"{name}"' not in text and name not in text} <= {
        "WF-E09", "WF-T01", "WF-T02", "WF-T03",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["WF-T01", "WF-T02", "WF-T03"])
def test_war_points_table(name: str) -> None:
    given, expect = EXAMPLES[name]["given"], EXAMPLES[name]["expect"]
    points = getattr(CONSTANTS.war_points, given["scale"])
    limits = getattr(CONSTANTS.unit_limits, given["scale"])
    assert [points.players_2, points.players_3_4, points.players_5_6] == expect["PG"]
    assert [limits.low, limits.high] == expect["unit_limit_range"]


@pytest.mark.rule("WF-MAP.1")
def test_directions_of_attack() -> None:
    expect = EXAMPLES["WF-E09"]["expect"]
    assert (CONSTANTS.grid.square_directions, CONSTANTS.grid.hex_directions) == (expect["square"], expect["hex"])

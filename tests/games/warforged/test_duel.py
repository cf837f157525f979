"""Duels and kills, at level B: exact against a second implementation, against closed forms, and simulated."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.errors import BalanceError, CatalogueError
from balance.chance.exact.chain import chain_distribution
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import FixedRolls
from balance.chance.trials.lockstep import play_fixed, simulate
from balance.game.game import Lane
from balance.game.question.question import Question
from balance.games.warforged.attack import UP, roll_attack
from balance.games.warforged.duel import duel_processes
from balance.games.warforged.turn import start_columns
from tests.games.warforged import reference


@cache
def game() -> Any:
    return balance.load("warforged")


def duel(a: str, b: str, first: Any = "a", **changes: Any) -> Question:
    dotted = {path.replace("__", "."): value for path, value in changes.items()}
    question: Question = game().duel(a, b, dotted, first)
    return question


PLAIN = "trooper+smg_pistol"
"""A loadout without abilities or effects, to be given numbers of its own."""


def plain(prefix: str, precision: int, damage: int, armour: int, health: int) -> dict[str, Any]:
    values = {"precision": precision, "damage": damage, "armour": armour, "health": health}
    return {f"{prefix}__{name}": value for name, value in values.items()}


def test_published_value_of_the_symmetric_duel() -> None:
    """Benchmark task T5: precision 7, damage 4, armour 3 and 12 health on both sides."""
    sides = plain("a", 7, 4, 3, 12) | plain("b", 7, 4, 3, 12)
    assert duel(PLAIN, PLAIN, **sides).p_win()["a"] == pytest.approx(0.57457997633, abs=1e-11)


def test_published_values_of_attacks_to_kill() -> None:
    """Benchmark task T2."""
    changes = {"attacker.precision": 7, "attacker.damage": 4, "defender.armour": 3, "defender.health": 12}
    distribution = game().kill(PLAIN, "nexus", changes).distribution
    falls = [distribution.chance(lambda actions, n=n: actions == n) for n in range(3, 9)]
    known = [0.005359375, 0.0911320312, 0.1831103613, 0.2115434180, 0.1837285521, 0.1335595858]
    assert falls == pytest.approx(known, abs=1e-10)
    assert distribution.mean("actions") == pytest.approx(6.857133179581475, abs=1e-12)
    assert distribution.chance(lambda actions: actions > 40) == pytest.approx(4.1564e-14, rel=1e-3)


@pytest.mark.rule("WF-ATT.1", "WF-ACT.1")
def test_a_shot_that_cannot_miss_ends_the_duel_before_the_turn_is_over() -> None:
    shot = plain("a", 10, 3, 0, 5) | plain("b", 7, 4, 0, 3)
    assert duel(PLAIN, PLAIN, situation__actions=3, **shot).p_win() == {"a": 1.0, "b": 0.0, "draw": 0.0}


@pytest.mark.rule("WF-UNIT.2")
def test_kill_distribution_is_the_rulebooks_convolution() -> None:
    changes = {"attacker.precision": 6, "attacker.damage": 3, "defender.armour": 1, "defender.health": 7}
    distribution = game().kill(PLAIN, "nexus", changes).distribution
    damage: dict[int, Any] = {}
    for outcome, p in reference.attack(precision=6, damage=3, armour=1).items():
        damage[outcome[2]] = damage.get(outcome[2], 0) + p
    expected = [float(p) for p in reference.kill_distribution(damage, 7, 12)]
    assert [distribution.chance(lambda actions, n=n: actions == n) for n in range(1, 13)] == pytest.approx(
        expected, abs=1e-14
    )


def test_a_duel_without_abilities_is_a_race_of_two_kill_distributions() -> None:
    """Without EMP, shields and Overload the sides do not touch: a wins if it needs no more attacks than b."""
    sides = plain("a", 6, 3, 1, 9) | plain("b", 8, 2, 2, 11)
    need_a = game().kill(PLAIN, "nexus", {"attacker.precision": 6, "attacker.damage": 3, "defender.armour": 2,
                                          "defender.health": 11}).distribution  # fmt: skip
    need_b = game().kill(PLAIN, "nexus", {"attacker.precision": 8, "attacker.damage": 2, "defender.armour": 1,
                                          "defender.health": 9}).distribution  # fmt: skip
    a, b = need_a.marginal("actions"), need_b.marginal("actions")
    wins = sum(p * b.p[b["actions"] >= n].sum() for n, p in zip(a["actions"], a.p, strict=True))
    assert duel(PLAIN, PLAIN, **sides).p_win()["a"] == pytest.approx(wins, abs=1e-13)


SIDES: dict[str, dict[str, Any]] = {
    "nexus+laser_carbine": {"card": {"precision": 7, "damage": 3, "effects": ("laser",)}, "shots": 1, "health": 8},
    "aegis+smg_pistol": {"card": {"precision": 6, "damage": 2}, "shots": 1, "health": 7, "shield": "raise"},
    "detonator+emp_projector": {
        "card": {"precision": 6, "damage": 1, "effects": ("emp",)}, "shots": 1, "health": 4, "overload": 3,
    },
    "spectre+pulse_pistol": {
        "card": {"precision": 6, "damage": 2, "effects": ("laser",)}, "shots": 2, "health": 5,
    },
}  # fmt: skip
TARGETS: dict[str, dict[str, Any]] = {
    "nexus+laser_carbine": {"armour": 2},
    "aegis+smg_pistol": {"armour": 2},
    "detonator+emp_projector": {"armour": 1},
    "spectre+pulse_pistol": {"armour": 1, "slim": True},
}


@pytest.mark.rule("WF-ACT.1", "WF-ACT.2", "WF-ACT.4", "WF-ABIL.3", "WF-ABIL.4", "WF-ABIL.5", "WF-EFF.3", "WF-EFF.4")
@pytest.mark.rule("WF-EFF.5", "WF-ABIL.0", "WF-EFF.0")
@pytest.mark.parametrize(("a", "b"), itertools.product(SIDES, repeat=2))
def test_duels_with_every_ability_are_the_rulebooks(a: str, b: str) -> None:
    sides = [SIDES[me] | {"card": SIDES[me]["card"] | TARGETS[foe]} for me, foe in ((a, b), (b, a))]
    p_win = duel(a, b, situation__round_limit=3).p_win()  # first, for then nothing watches the calls of the other
    expected = reference.duel(sides[0], sides[1], rounds=3)
    assert [p_win[name] for name in ("a", "b", "draw")] == pytest.approx([float(p) for p in expected], abs=1e-13)


def test_the_chain_of_dice_and_the_chain_of_attacks_agree() -> None:
    for a, b in (
        ("aegis+laser_carbine", "detonator+emp_projector"),
        ("spectre+pulse_pistol", "colossus+grenade_launcher"),
    ):
        setup = duel(a, b).setup
        by_dice, by_attacks = (
            chain_distribution(duel_processes(setup.play, resolve)[0])
            for resolve in (roll_attack, *[_default_resolver()])
        )
        assert np.array_equal(by_dice.outcomes, by_attacks.outcomes)
        assert by_dice.p == pytest.approx(by_attacks.p, abs=1e-14)


def _default_resolver() -> Any:
    from balance.games.warforged.attack import draw_wounds

    return draw_wounds


@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_simulated_duels_follow_the_exact_distribution(lane: Lane) -> None:
    """12 duels at p < 0.0005 each: a false alarm about once in 170 choices of seed; the seed is fixed."""
    pairs = list(zip(game().entrants[::8], reversed(game().entrants[::8]), strict=True))
    questions = [duel(a, b, first="random", situation__distance_cells=5) for a, b in pairs]
    worst = min(q.simulate(20_000, seed=11, lane=lane).agreement.p_value for q in questions)
    assert worst > 0.0005


def test_the_same_check_notices_a_wrong_rule() -> None:
    right = duel("aegis+laser_carbine", "nexus+shotgun")
    wrong = duel("aegis+laser_carbine", "nexus+shotgun", a__shield="never")
    assert right.distribution.agreement(wrong.simulate(20_000, seed=11).distribution).p_value < 0.0005


def test_swapping_the_sides_mirrors_the_result() -> None:
    for a, b in itertools.combinations(list(SIDES), 2):
        here, there = duel(a, b, "a").p_win(), duel(b, a, "b").p_win()
        assert here["a"] == pytest.approx(there["b"], abs=1e-13)
        assert here["draw"] == pytest.approx(there["draw"], abs=1e-13)


def test_random_first_is_the_mean_of_both_turn_orders() -> None:
    a, b = "nexus+laser_carbine", "aegis+smg_pistol"
    turn_orders = [duel(a, b, seat).p_win()["a"] for seat in ("a", "b", "random")]
    assert turn_orders[2] == pytest.approx((turn_orders[0] + turn_orders[1]) / 2, abs=1e-13)


@pytest.mark.rule("WF-WIN.1")
def test_a_round_limit_is_decided_by_health() -> None:
    """Trooper has 5 health, Nexus 8; weapons that deal nothing leave it to the health (WF-Q18)."""
    harmless = {"a__damage": 0, "b__damage": 0}
    assert duel("trooper+sidearm", "nexus+sidearm", situation__round_limit=2, **harmless).p_win()["b"] == 1.0
    destroyed_only = {"rules__limit_score": "destroyed", "situation__round_limit": 2}
    assert duel("trooper+sidearm", "nexus+sidearm", **harmless, **destroyed_only).p_win()["draw"] == 1.0
    assert duel("trooper+sidearm", "nexus+sidearm", **harmless).p_win()["draw"] == 1.0


def first_turns(question: Question, n_steps: int, dice: dict[str, list[int]]) -> dict[str, int]:
    """Return the state after some steps on fixed dice."""
    process = duel_processes(question.setup.play, roll_attack)[0]
    cut = Process(process.start, process.steps, process.over, lambda state, steps: state, n_steps)
    return play_fixed(cut, dice)


@pytest.mark.rule("WF-ACT.1", "WF-ACT.2", "WF-ACT.3")
def test_one_unit_moves_and_attacks_in_one_turn() -> None:
    """Rulebook example 1 (WF-E05): Nexus moves 3, then attacks with the same unit."""
    question = duel("nexus+assault_rifle", "whisper+sidearm", situation__distance_cells=9, situation__actions=2)
    dice = {"a precision": [1, 1, 6, 8], "a armour": [2] * 4, "a slim": [6] * 4}  # two slots are spent moving
    state = first_turns(question, 4, dice)
    assert state["distance"] == 6
    assert state["b_health"] == 4 - 3


@pytest.mark.rule("WF-ACT.3", "WF-ABIL.2")
def test_at_most_two_moves_then_a_jump_that_ends_the_turn() -> None:
    """Vanguard, speed 4: two moves, a jump of 4, and the fourth action is lost (WF-E06, WF-E08)."""
    far = {"situation__distance_cells": 40, "situation__actions": 4}
    state = first_turns(duel("vanguard+smg_pistol", "nexus+sidearm", **far), 4, {})
    assert state["distance"] == 40 - 3 * 4
    state = first_turns(duel("trooper+smg_pistol", "nexus+sidearm", **far), 4, {})
    assert state["distance"] == 40 - 2 * 4


@pytest.mark.rule("WF-EFF.4")
def test_emp_costs_the_targets_next_turn_only() -> None:
    """WF-V12: disabled during its next turn, token removed at its end."""
    question = duel("trooper+emp_projector", "nexus+sidearm")
    hit = {"a precision": [5], "a armour": [1, 1]}
    assert first_turns(question, 1, hit)["b_emp"] == 1
    after_lost_turn = first_turns(question, 2, hit | {"b precision": [1], "b armour": [1]})
    assert (after_lost_turn["b_emp"], after_lost_turn["a_health"]) == (0, 5)


@pytest.mark.parametrize(("held", "then"), [(0, 1), (7, 8), (8, 9), (9, 9)])
def test_emp_tokens_that_add_up_are_at_most_nine(held: int, then: int) -> None:
    question = duel("trooper+emp_projector", "nexus+sidearm", rules__emp="cumulative")
    process = duel_processes(question.setup.play, roll_attack)[0]
    start = {**start_columns(question.setup.play), "b_emp": held}
    one = Process(start, process.steps, process.over, lambda state, steps: state, 1)
    assert play_fixed(one, {"a precision": [5], "a armour": [1, 1]})["b_emp"] == then


@pytest.mark.rule("WF-ABIL.5")
def test_overload_hurts_its_killer_within_two_cells() -> None:
    """WF-V11: 3 damage whatever the armour; the destroyed unit is gone, and both falling is a draw (WF-Q28)."""
    dice = {"a precision": [8], "a armour": [1]}
    killed = first_turns(duel("bulwark+marksman_rifle", "detonator+sidearm"), 1, {"a precision": [8]})
    assert (killed["b_health"], killed["a_health"]) == (0, 14 - 3)
    out_of_reach = duel("bulwark+marksman_rifle", "detonator+sidearm", situation__distance_cells=3)
    assert first_turns(out_of_reach, 1, {"a precision": [8]})["a_health"] == 14
    both = duel("trooper+shotgun", "detonator+sidearm", a__health=3)
    assert play_fixed(duel_processes(both.setup.play, roll_attack)[0], dice)["winner"] == 0


@pytest.mark.parametrize("first", ["a", "b"])
def test_where_nobody_moves_who_is_out_of_reach_only_suffers(first: str) -> None:
    still = {"a__speed_cells": 0, "b__speed_cells": 0}
    long, short = "bulwark+marksman_rifle", "detonator+sidearm"
    assert duel(long, short, first, situation__distance_cells=5, **still).p_win()["a"] == pytest.approx(1)
    assert duel(short, long, first, situation__distance_cells=5, **still).p_win()["b"] == pytest.approx(1)
    assert duel(long, short, first, situation__distance_cells=12, **still).p_win()["draw"] == 1, "both out of reach"


def test_what_cannot_matter_to_two_fighters_does_not_tell_their_duels_apart() -> None:
    """Whether explosives hurt their own shooter matters only to one who has them, and close enough to the target."""

    def told_apart(loadout: str, distance: int) -> bool:
        still = {"a.speed_cells": 0, "b.speed_cells": 0, "situation.distance_cells": distance}
        changes = (still, still | {"rules.friendly_fire": False})
        one, other = (game().duel(loadout, PLAIN, more).setup.play.with_readings_that_matter() for more in changes)
        return bool(one != other)

    assert told_apart("nexus+grenade_launcher", 1)
    assert not told_apart("nexus+grenade_launcher", 4)
    assert not told_apart("nexus+sidearm", 1)


@pytest.mark.rule("WF-EFF.2")
def test_high_explosive_hurts_its_own_shooter_next_to_the_target() -> None:
    close = {"situation__distance_cells": 1}
    dice = {"a precision": [6]}
    question = duel("nexus+grenade_launcher", "bulwark+sidearm", **close)
    assert first_turns(question, 1, dice)["a_health"] == 8 - 1
    spared = duel("nexus+grenade_launcher", "bulwark+sidearm", rules__friendly_fire=False, **close)
    assert first_turns(spared, 1, dice)["a_health"] == 8


@pytest.mark.rule("WF-ABIL.4")
def test_a_shield_is_raised_with_an_action_and_only_once() -> None:
    question = duel("aegis+smg_pistol", "trooper+marksman_rifle")
    assert first_turns(question, 1, {})["a_shield"] == UP
    burnt = first_turns(question, 3, {"b precision": [3], "b shield": [4], "a precision": [1, 10]})
    assert (burnt["a_health"], burnt["a_shield"]) == (7, 2)
    assert duel("aegis+smg_pistol", "trooper+marksman_rifle", a__shield="up").p_win()["a"] > question.p_win()["a"]


BLAST_READINGS = [
    ("spectre+marksman_rifle", "detonator+sidearm", {"rules.slim_vs_splash": True}),
    ("aegis+marksman_rifle", "detonator+smg_pistol", {"rules.shield_vs_splash": True}),
    ("colossus+rocket_battery", "nexus+shotgun", {"rules.overload_chain": "any", "situation.distance_cells": 1}),
    ("vanguard+emp_projector", "nexus+shotgun", {"rules.emp": "cumulative", "a.effects": "emp,rapid_fire"}),
    ("nexus+laser_carbine", "trooper+shotgun", {"rules.burn_stack": "cap", "b.armour": 4}),
    ("vanguard+smg_pistol", "nexus+sidearm", {"rules.jump_exact": True, "situation.actions": 3,
                                              "situation.distance_cells": 15}),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "changes"), BLAST_READINGS, ids=lambda value: str(value)[:40])
def test_each_reading_that_matters_in_a_duel_changes_it(a: str, b: str, changes: dict[str, Any]) -> None:
    rest = {path: value for path, value in changes.items() if not path.startswith("rules.")}
    assert game().duel(a, b, changes, "a").p_win() != game().duel(a, b, rest, "a").p_win()


def test_side_conditions_reach_the_duel() -> None:
    base = duel("nexus+shotgun", "nexus+shotgun").p_win()["a"]
    assert duel("nexus+shotgun", "nexus+shotgun", situation__b_in_light_cover=True).p_win()["a"] < base
    assert duel("nexus+shotgun", "nexus+shotgun", situation__a_in_light_cover=True).p_win()["a"] > base


def test_several_weapons_the_best_in_range_is_used() -> None:
    """Vanguard with a Sidearm and an SMG Pistol shoots the pistol (1.2 against 0.7 at armour 0)."""
    both = duel("nexus+sidearm+shotgun", "trooper+sidearm")
    assert both.p_win()["a"] == pytest.approx(duel("nexus+shotgun", "trooper+sidearm").p_win()["a"], abs=1e-13)


def test_fixed_dice_that_leave_the_end_open_are_refused() -> None:
    process = duel_processes(duel("nexus+shotgun", "trooper+sidearm").setup.play, roll_attack)[0]
    with pytest.raises(BalanceError, match="leave the outcome open"):
        play_fixed(process, {"a precision": [7]})
    assert simulate(process, FixedRolls({"a precision": [8]}))["winner"].tolist() == [1]


@pytest.mark.parametrize(
    ("a", "b", "changes", "words"),
    [
        ("whisper", "trooper+sidearm", {}, "no weapon"),
        ("nexus+shotgun", "trooper+sidearm", {"situation__round_limit": -1}, "from 0 to"),
        ("nexus+shotgun", "trooper+sidearm", {"a__shield": "always"}, "raise"),
        ("nexus+shotgun", "aegis+sidearm", {"b__shild": "up"}, "did you mean shield"),
        ("nexus+sidearm+shotgun", "trooper+sidearm", {"a__weapon9__damage": 2}, "weapon1"),
    ],
)
def test_what_makes_no_sense_is_a_clear_error(a: str, b: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BalanceError, match=words):
        duel(a, b, **changes)


def test_what_is_wrong_with_either_side_is_said_at_once() -> None:
    with pytest.raises(CatalogueError) as error:
        duel("nexsu+shotgun", "troper+sidearm")
    assert [(fault.path, fault.tip) for fault in error.value.faults] == [
        ("a", "did you mean nexus?"),
        ("b", "did you mean trooper?"),
    ]


def test_a_reading_that_cannot_matter_leaves_the_setup_equal() -> None:
    """So that its distribution is worked out once: nobody here has a shield, a blast, a laser, EMP or a weapon of
    damage 0."""
    idle = {
        "rules.min_damage": "always_one", "rules.slim_vs_splash": True, "rules.shield_roll": "every_attack",
        "rules.effects_through_shield": False, "rules.he_hits_primary": True, "rules.friendly_fire": False,
        "rules.laser_self": True, "rules.burn_stack": "cap", "rules.crit_is_hit": False, "rules.emp": "cumulative",
        "rules.overload_chain": "any", "rules.shield_vs_splash": True, "rules.jump_exact": True,
        "rules.limit_score": "destroyed", "rules.cover_stack": "each",
    }  # fmt: skip
    usual = duel("nexus+shotgun", "spectre+sidearm")
    assert game().duel("nexus+shotgun", "spectre+sidearm", idle, "a").setup.play == usual.setup.play
    assert game().duel("nexus+shotgun", "spectre+sidearm", {"rules.faces": "0-9"}, "a").setup.play != usual.setup.play


def test_a_target_that_cannot_be_hurt_never_falls() -> None:
    with pytest.raises(BalanceError, match="never falls"):
        game().kill("nexus+shotgun", "trooper", {"attacker.damage": 0})

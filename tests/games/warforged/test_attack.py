"""One attack, at level A: the exact distribution against a second implementation, readings, and what must be
refused."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

import balance
from balance.base.errors import BalanceError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.process import start_state
from balance.game.game import Lane
from balance.games.warforged.attack import COLUMNS, RuleOptions, Shot, attack_distribution, attack_distributions
from balance.games.warforged.ruleset import Constants, WarforgedRules
from balance.games.warforged.setup import attack_processes, readings
from tests.games.warforged import reference

DEFAULT = RuleOptions((1,), (5, 6), (1, 2, 3), 2, 1, 1, (3, 4, 5))


def shot(effects: tuple[str, ...] = (), **fields: Any) -> Shot:
    card = {"precision": 7, "damage": 3, "armour": 2, "cover_dice": 0, "slim": False, "shielded": False}
    return Shot(**(card | {"burnable": False} | fields), effects=frozenset(effects), readings=DEFAULT)


def as_fractions(distribution: balance.Pmf) -> dict[tuple[int, ...], Fraction]:
    rows = zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True)
    return {tuple(row): Fraction(weight, distribution.total) for row, weight in rows}


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    """What another file asked for before would not be worked out by the game here."""
    attack_distribution.cache_clear()


CARDS = [
    {"precision": p, "damage": d, "armour": a, "cover": c}
    for p, d, (a, c) in itertools.product((1, 5, 10), (0, 1, 4), ((0, 0), (0, 1), (2, 0), (2, 1)))
]


@pytest.mark.rule("WF-ATT.1", "WF-ATT.2", "WF-ARM.1", "WF-ARM.2", "WF-COV.1", "WF-WPN.1", "WF-UNIT.1")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: "-".join(str(value) for value in card.values()))
def test_the_distribution_of_a_plain_attack_is_the_rulebooks(card: dict[str, int]) -> None:
    ours = attack_distribution(
        shot(precision=card["precision"], damage=card["damage"], armour=card["armour"], cover_dice=card["cover"]),
        False,
        card["armour"],
    )
    assert as_fractions(ours) == reference.attack(**card)


@pytest.mark.rule("WF-ABIL.3", "WF-ABIL.4", "WF-ABIL.0", "WF-EFF.0", "WF-EFF.1", "WF-EFF.2", "WF-EFF.4", "WF-EFF.5")
@pytest.mark.parametrize("slim", [False, True])
@pytest.mark.parametrize("shield", [False, True])
@pytest.mark.parametrize("effects", [(), ("piercing",), ("high_explosive",), ("emp",), ("laser",), ("emp", "laser")])
def test_the_distribution_with_abilities_and_effects_is_the_rulebooks(
    slim: bool, shield: bool, effects: tuple[str, ...]
) -> None:
    ours = attack_distribution(shot(effects, slim=slim, shielded=shield), shield, 2)
    assert as_fractions(ours) == reference.attack(
        precision=7, damage=3, armour=2, slim=slim, shield=shield, effects=effects
    )


@pytest.mark.rule("WF-COV.1", "WF-EFF.5", "WF-EFF.1")
def test_cover_counts_for_plain_weapons_only() -> None:
    game = balance.load("warforged")
    covered = {"situation.light_cover": True}

    def mean(weapon: str, changes: dict[str, Any]) -> float:
        return game.attack(f"nexus+{weapon}", "vanguard", changes).distribution.mean("damage")

    assert mean("shotgun", covered) < mean("shotgun", {})
    assert mean("laser_carbine", covered) == mean("laser_carbine", {})
    assert mean("marksman_rifle", covered) == mean("marksman_rifle", {})


@pytest.mark.rule("WF-EFF.3")
def test_rapid_fire_is_two_independent_attacks() -> None:
    one = attack_distribution(shot(), False, 2)
    setup = balance.load("warforged").attack(
        "nexus+assault_rifle", "vanguard", {"attacker.precision": 7, "attacker.damage": 3, "defender.armour": 2}
    )
    assert setup.distribution == one + one


@pytest.mark.rule("WF-EFF.3", "WF-EFF.5")
def test_the_second_shot_of_a_rapid_laser_meets_the_burn_of_the_first() -> None:
    pulse = balance.load("warforged").attack("trooper+pulse_pistol", "nexus")  # precision 6, damage 2, armour 2
    burns = reference.attack(precision=6, damage=2, armour=2, effects=("laser",))
    second = sum(
        p * reference.mean_damage(precision=6, damage=2, armour=max(0, 2 - outcome[4])) for outcome, p in burns.items()
    )
    first = sum(p * outcome[2] for outcome, p in burns.items())
    assert pulse.distribution.mean("damage") == float(first + second)


@pytest.mark.rule("WF-ATT.1")
@pytest.mark.parametrize("precision", [1, 9, 10])
def test_faces_0_to_9_shift_the_precision(precision: int) -> None:
    game = balance.load("warforged")
    plain = {"attacker.precision": precision, "attacker.effects": "", "rules.faces": "0-9"}
    distribution = game.attack("nexus+assault_rifle", "vanguard", plain).distribution
    expected = reference.attack(precision=precision, damage=3, armour=2, zero_to_nine=True)
    assert as_fractions(distribution) == expected


READINGS = [
    ({"blocking_faces": None}, {}, (1, 0)),
    ({"floor_above_zero": True}, {"damage": 0}, (2, 0)),
    ({"shield_rolls_always": True}, {"shielded": True}, (2, 1)),
    ({"effects_through_shield": False}, {"shielded": True, "effects": ("emp",)}, (2, 1)),
    ({"crits_have_effects": False}, {"effects": ("emp",)}, (2, 0)),
    ({"splash_hits_primary": True}, {"effects": ("high_explosive",)}, (2, 0)),
    ({"burn_helps_itself": True}, {"effects": ("laser",)}, (2, 0)),
]


@pytest.mark.parametrize(("reading", "card", "situation"), READINGS, ids=lambda value: "-".join(map(str, value)))
def test_each_reading_changes_the_distribution_it_is_about(
    reading: dict[str, Any], card: dict[str, Any], situation: tuple[int, int]
) -> None:
    fields = dict(card)
    plain = shot(tuple(fields.pop("effects", ())), **fields)
    other = replace(plain, readings=replace(DEFAULT, **reading))
    armour, up = situation
    assert attack_distribution(plain, bool(up), armour) != attack_distribution(other, bool(up), armour)


def test_the_reading_die_no_higher_than_armour_blocks() -> None:
    other = replace(shot(armour=1), readings=replace(DEFAULT, blocking_faces=None))
    assert attack_distribution(other, False, 1).fraction(
        lambda hit, critical, damage: (hit > critical) & (damage == 2)
    ) == (Fraction(6, 10) * Fraction(1, 6))


def test_merged_dice_and_every_die_give_the_same_integers() -> None:
    game = balance.load("warforged")
    for weapon, target in (("laser_carbine", "aegis"), ("shotgun", "nexus"), ("grenade_launcher", "whisper")):
        process = attack_processes(game.attack(f"nexus+{weapon}", target).setup)[0]
        assert exact_distribution(process) == exact_distribution(process, each_die=True)


@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_both_lanes_follow_the_exact_distribution(lane: Lane) -> None:
    """20 attacks at p < 0.0005 each: a false alarm once in a hundred choices of seed; the seed is fixed."""
    game = balance.load("warforged")
    pairs = itertools.islice(itertools.product(game.entrants[::9], ["aegis", "spectre"]), 20)
    worst = min(
        game.attack(a, b, {"defender.burn_tokens": 1}).simulate(20_000, seed=7, lane=lane).agreement.p_value
        for a, b in pairs
    )
    assert worst > 0.0005


def test_a_wrong_rule_is_noticed_by_the_same_check() -> None:
    game = balance.load("warforged")
    right = game.attack("nexus+shotgun", "vanguard")
    wrong = game.attack("nexus+shotgun", "vanguard", {"rules.armour": "le"})
    assert right.distribution.agreement(wrong.simulate(20_000, seed=7).distribution).p_value < 0.0005


def test_compiled_distributions_cover_every_condition_of_the_target() -> None:
    stack = attack_distributions(shot(("laser",), shielded=True, burnable=True, armour=3))
    assert len(stack.distributions) == 2 * 4
    assert stack.columns == tuple(COLUMNS)


def test_a_step_changes_no_array_it_was_given() -> None:
    process = attack_processes(balance.load("warforged").attack("trooper+pulse_pistol", "aegis").setup)[0]
    state = start_state(process, 50)
    before = {name: values.copy() for name, values in state.items()}
    process.steps[0](state, balance.chance.rolls.rolls.RandomRolls(0, "x", 0, 50))
    assert all(np.array_equal(state[name], before[name]) for name in before)


@pytest.mark.parametrize(
    ("entrants", "changes", "words"),
    [
        (("nexsus+assault_rifle", "whisper"), {}, "nexus"),
        (("nexus+asault_rifle", "whisper"), {}, "assault_rifle"),
        (("nexus", "whisper"), {}, "one weapon"),
        (("vanguard+smg_pistol+smg_pistol", "whisper"), {}, "one weapon"),
        (("trooper+rail_lance", "whisper"), {}, "WF-WPN.2"),
        (("whisper+shotgun", "trooper"), {}, "handling"),
        (("nexus+shotgun", "whisper"), {"attacker.precision": 0}, "from 1 to 10"),
        (("nexus+shotgun", "whisper"), {"attacker.precision": 11}, "from 1 to 10"),
        (("nexus+shotgun", "whisper"), {"attacker.precison": 5}, "precision"),
        (("nexus+shotgun", "whisper"), {"defender.health": -1}, "from 1 to 999"),
        (("nexus+shotgun", "whisper"), {"rules.facs": "0-9"}, "faces"),
        (("nexus+shotgun", "whisper"), {"situation.fog": "true"}, "light_cover"),
        (("nexus+shotgun", "whisper"), {"weather.fog": "true"}, "situation"),
    ],
)
def test_what_makes_no_sense_is_a_clear_error(entrants: tuple[str, str], changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BalanceError, match=words):
        balance.load("warforged").attack(*entrants, changes)


def test_an_attack_that_says_nothing_else_follows_the_shipped_rules() -> None:
    catalogue = balance.load("warforged").catalogue
    assert readings(cast("WarforgedRules", catalogue.rules), cast("Constants", catalogue.constants)) == DEFAULT

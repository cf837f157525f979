"""Attacks, kills and duels under every rule option against a second telling: every column, with its exact chance."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import balance
from balance.chance.pmf import Pmf
from balance.games.warforged.attack import (
    DOWN,
    UP,
    _within,
    attack_distribution,
    attack_distributions,
    wound_distributions,
)
from balance.games.warforged.cards import parse_loadout
from tests.games.warforged.reference_duels import Options, attack_outcomes, duel_outcomes, kill_outcomes

GAME = balance.load("warforged")
OPTIONS: dict[str, tuple[str, Any]] = {
    "faces 0-9": ("faces", "0-9"),
    "dice up to the armour": ("armour", "le"),
    "at least one": ("min_damage", "always_one"),
    "shields roll always": ("shield_roll", "every_attack"),
    "shields stop effects": ("effects_through_shield", False),
    "crits have no effects": ("crit_is_hit", False),
    "splash hits its target": ("he_hits_primary", True),
    "shields stop blasts": ("shield_vs_splash", True),
    "burns help themselves": ("laser_self", True),
    "burns are capped": ("burn_stack", "cap"),
    "Slim dodges blasts": ("slim_vs_splash", True),
    "no friendly fire": ("friendly_fire", False),
    "chains": ("overload_chain", "any"),
    "EMP adds up": ("emp", "cumulative"),
    "jumps are exact": ("jump_exact", True),
    "only the destroyed lose": ("limit_score", "destroyed"),
}
UNITS = ("nexus", "whisper", "vanguard", "bulwark", "aegis", "detonator", "colossus", "spectre")
EFFECTS = ("piercing", "high_explosive", "rapid_fire", "emp", "laser")


def rules(options: Options) -> dict[str, Any]:
    return {f"rules.{name}": value for name, value in map(OPTIONS.__getitem__, sorted(options))}


def side_of(loadout: str, changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a side as the second telling has it, from its cards as they are printed and what is changed on them."""
    cards = parse_loadout(GAME.catalogue, loadout)
    abilities = cards.unit.abilities
    weapons = [
        {"precision": card.precision, "damage": card.damage, "range": card.range_cells, "effects": card.effects}
        | {name: value for name, value in changes.items() if name in ("precision", "damage")}
        | ({"effects": tuple(changes["effects"].split(","))} if "effects" in changes else {})
        for card in cards.weapons
    ]
    unit: dict[str, Any] = {"health": cards.unit.health, "armour": cards.unit.armour, "speed": cards.unit.speed_cells}
    unit |= {
        name.removesuffix("_cells"): value for name, value in changes.items() if name.removesuffix("_cells") in unit
    }
    unit |= {"slim": "slim" in abilities, "shielded": "supershield" in abilities, "overload": "overload" in abilities}
    return unit | {"jump": "jump" in abilities, "shield": "up", "cover": 0, "weapons": weapons} | more


def exact(distribution: Pmf) -> dict[tuple[int, ...], Fraction]:
    rows = zip(map(tuple, distribution.outcomes.tolist()), distribution.weights.tolist(), strict=True)
    return {row: Fraction(weight, distribution.total) for row, weight in rows}


def about(distribution: Pmf) -> dict[tuple[int, ...], float]:
    return dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True))


def some(draw: Random, names: tuple[str, ...], chance: float) -> frozenset[str]:
    return frozenset(name for name in names if draw.random() < chance)


def attack_case(draw: Random) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], Options]:
    """Return (weapon, target, what is set, options) of an attack with effects at random."""
    unit = draw.choice(UNITS)
    effects = some(draw, EFFECTS, 0.35)
    mine = {
        "precision": draw.choice((1, 5, 10)),
        "damage": draw.choice((0, 1, 3)),
        "effects": ",".join(sorted(effects)),
    }
    cover, tokens, active = draw.choice((0, 0, 2)), draw.choice((0, 0, 1, 4)), draw.random() < 0.7
    armour = {"armour": draw.choice((0, 1, 3))}
    options = some(draw, tuple(OPTIONS), 0.25)
    changes = {f"attacker.{name}": value for name, value in mine.items()} | rules(options)
    changes |= {"defender.armour": armour["armour"], "defender.burn_tokens": tokens, "defender.shield_active": active}
    if cover:
        changes |= {"situation.light_cover": True, "situation.n_covers": 2, "rules.cover_stack": "each"}
    shield = "up" if active else "never"
    target = side_of(unit, armour, shield=shield, cover=cover, burn_tokens=tokens)
    weapon = side_of("nexus+sidearm", mine)["weapons"][0]
    weapon["effects"] = effects
    return weapon, target, {"unit": unit, "changes": changes}, options


def test_attacks_at_random_are_told_alike_under_every_rule_option() -> None:
    draw, tried = Random("attacks"), set[str]()
    for _ in range(60):
        weapon, target, asked, options = attack_case(draw)
        tried |= options
        found = GAME.attack("nexus+sidearm", asked["unit"], asked["changes"]).distribution
        assert exact(found) == attack_outcomes(weapon, target, options), (weapon, target, options)
    assert len(tried) == len(OPTIONS)


def test_kills_at_random_are_told_alike() -> None:
    draw, done = Random("kills"), 0
    while done < 12:
        weapon, target, asked, options = attack_case(draw)
        if not weapon["damage"]:
            continue
        target["health"] = draw.choice((2, 4))
        changes = asked["changes"] | {"defender.health": target["health"]}
        found = {
            row: p
            for row, p in about(GAME.kill("nexus+sidearm", asked["unit"], changes).distribution).items()
            if row[0] <= 3
        }
        expected = kill_outcomes(weapon, target, options, 3)
        assert found == pytest.approx({row: float(p) for row, p in expected.items()}, rel=1e-11), (
            weapon,
            target,
            options,
        )
        done += 1


@pytest.mark.parametrize("weapon", ["sidearm", "laser_carbine", "assault_rifle"])
@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_burned_tokens_count_from_the_first_action_to_the_death_too(weapon: str, lane: Any) -> None:
    """WF-EFF.5: two tokens take two points of armour away for the next two attacks, of any weapon."""
    changes = {"attacker.damage": 5, "defender.health": 10}
    target = side_of("bulwark", {"health": 10}, shield="up", burn_tokens=2)
    card = side_of(f"nexus+{weapon}", {"damage": 5})["weapons"][0]
    burnt = GAME.kill(f"nexus+{weapon}", "bulwark", changes | {"defender.burn_tokens": 2})
    found = {row: p for row, p in about(burnt.distribution).items() if row[0] <= 3}
    expected = {row: float(p) for row, p in kill_outcomes(card, target, frozenset(), 3).items()}
    assert found == pytest.approx(expected, rel=1e-11)
    fresh = GAME.kill(f"nexus+{weapon}", "bulwark", changes).distribution.mean("actions")
    assert burnt.distribution.mean("actions") < fresh - 0.1
    assert burnt.simulate(20_000, seed=1, lane=lane).agreement.p_value > 1e-4


def duel_of(a: str, b: str, changes: dict[str, Any], options: Options, first: str = "a") -> None:
    """Compare a duel; what is changed are fields of sides, and `rounds`, `distance`, `actions`, `a_shield`, `cover`."""
    how: dict[str, Any] = {
        "rounds": 2,
        "distance": 2,
        "actions": 1,
        "a_shield": "raise",
        "b_shield": "raise",
        "cover": "",
    } | changes
    own = {
        side: {path.removeprefix(f"{side}."): value for path, value in changes.items() if path.startswith(f"{side}.")}
        for side in "ab"
    }
    sides = [
        side_of(loadout, own[side], shield=how[f"{side}_shield"], cover=int(side in how["cover"]))
        for side, loadout in (("a", a), ("b", b))
    ]
    asked = {path: value for path, value in changes.items() if path[1:2] == "."} | rules(options)
    asked |= {f"{side}.shield": how[f"{side}_shield"] for side in "ab"}
    asked |= {"situation.round_limit": how["rounds"], "situation.distance_cells": how["distance"]}
    asked |= {"situation.actions": how["actions"], "rules.cover_stack": "one", "situation.n_covers": 3}
    asked |= {f"situation.{side}_in_light_cover": True for side in how["cover"]}
    expected = duel_outcomes(sides[0], sides[1], first, how["rounds"], how["distance"], how["actions"], options)
    found = GAME.duel(a, b, asked, cast("Any", first)).distribution
    assert found.columns == ("winner", "rounds", "a_health", "b_health", "overkill")
    assert about(found) == pytest.approx({row: float(p) for row, p in expected.items() if p}, rel=1e-10)


DUELS: dict[str, tuple[str, str, dict[str, Any], set[str]]] = {
    "plain": ("nexus+shotgun", "trooper+smg_pistol", {"rounds": 3}, set()),
    "in cover": ("nexus+shotgun", "trooper+smg_pistol", {"cover": "a"}, set()),
    "both in cover, faces 0-9": ("nexus+shotgun", "trooper+laser_carbine", {"cover": "ab"}, {"faces 0-9"}),
    "shields raised": ("aegis+smg_pistol", "aegis+laser_carbine", {"rounds": 3}, set()),
    "a shield that is up": ("aegis+smg_pistol", "trooper+assault_rifle", {"a_shield": "up", "rounds": 3}, set()),
    "a shield never raised": ("aegis+smg_pistol", "trooper+smg_pistol", {"a_shield": "never"}, set()),
    "a shield that rolls always": (
        "aegis+smg_pistol", "spectre+pulse_pistol", {"a_shield": "up", "a.health": 3}, {"shields roll always"},
    ),
    "EMP": ("detonator+emp_projector", "aegis+smg_pistol", {"actions": 2}, set()),
    "EMP for a jumper far away": (
        "vanguard+sidearm", "trooper+emp_projector", {"distance": 16, "actions": 4, "rounds": 3}, set(),
    ),
    "burns over two attacks on thick armour": (
        "nexus+laser_carbine", "bulwark+sidearm", {"b.armour": 4, "b.health": 7, "actions": 3, "a.damage": 4}, set(),
    ),
    "EMP that adds up": ("trooper+emp_projector", "nexus+sidearm", {"actions": 3, "rounds": 3}, {"EMP adds up"}),
    "EMP twice an action": ("trooper+emp_projector", "nexus+sidearm", {"a.effects": "emp,rapid_fire"}, {"EMP adds up"}),
    "burns of a rapid laser": ("spectre+pulse_pistol", "bulwark+laser_carbine", {"a.health": 3, "b.health": 5}, set()),
    "burns that are capped": (
        "spectre+pulse_pistol", "bulwark+laser_carbine", {"a.health": 3, "b.health": 5}, {"burns are capped"},
    ),
    "burns that help themselves": (
        "spectre+pulse_pistol", "nexus+laser_carbine", {"a.health": 3, "b.health": 4}, {"burns help themselves"},
    ),
    "the better of two weapons": ("nexus+sidearm+shotgun", "vanguard+smg_pistol+smg_pistol", {}, set()),
    "the weapon that reaches": ("nexus+sidearm+smg_pistol", "bulwark+shotgun", {"distance": 4, "rounds": 3}, set()),
    "weapons by distance, in a walk": (
        "nexus+shotgun+smg_pistol", "trooper+marksman_rifle", {"distance": 9, "actions": 2, "a.armour": 1}, set(),
    ),
    "Overload": ("bulwark+marksman_rifle", "detonator+sidearm", {"b.health": 3}, set()),
    "Overload out of reach": ("bulwark+marksman_rifle", "detonator+sidearm", {"b.health": 3, "distance": 3}, set()),
    "Overload on both sides": ("colossus+shotgun", "detonator+sidearm", {"a.health": 3, "b.health": 4}, set()),
    "Overload that Slim dodges": (
        "spectre+smg_pistol", "detonator+sidearm", {"b.health": 2, "a.health": 3}, {"Slim dodges blasts"},
    ),
    "Overload that a shield takes": (
        "aegis+smg_pistol", "detonator+sidearm", {"b.health": 2, "a.health": 3, "a_shield": "up"},
        {"shields stop blasts"},
    ),
    "splash on its own shooter": ("nexus+grenade_launcher", "bulwark+sidearm", {"distance": 1, "a.health": 2}, set()),
    "no friendly fire": (
        "nexus+grenade_launcher", "bulwark+sidearm", {"distance": 1, "a.health": 2}, {"no friendly fire"},
    ),
    "splash that hits its target": (
        "nexus+grenade_launcher", "aegis+sidearm", {"distance": 1, "a.health": 3}, {"splash hits its target"},
    ),
    "splash that shields stop": (
        "aegis+grenade_launcher", "aegis+sidearm", {"distance": 1, "a.health": 2, "a_shield": "up"},
        {"splash hits its target", "shields stop blasts"},
    ),
    "an Overload that splash sets off": (
        "colossus+grenade_launcher", "detonator+sidearm", {"distance": 1, "a.health": 1, "b.health": 4}, {"chains"},
    ),
    "an Overload that splash does not": (
        "colossus+grenade_launcher", "detonator+sidearm", {"distance": 1, "a.health": 1, "b.health": 4}, set(),
    ),
    "a walk": ("nexus+shotgun", "trooper+smg_pistol", {"distance": 9}, set()),
    "a walk of several moves": ("vanguard+smg_pistol", "colossus+shotgun", {"distance": 20, "actions": 4}, set()),
    "a jump": ("vanguard+smg_pistol", "nexus+sidearm", {"distance": 15, "actions": 4}, set()),
    "an exact jump": ("vanguard+smg_pistol", "nexus+sidearm", {"distance": 15, "actions": 4}, {"jumps are exact"}),
    "a jump that would pass": (
        "spectre+sidearm", "whisper+sidearm", {"distance": 17, "actions": 4, "a.speed_cells": 7}, {"jumps are exact"},
    ),
    "nobody moves and nobody reaches": (
        "nexus+sidearm", "trooper+sidearm", {"distance": 5, "a.speed_cells": 0, "b.speed_cells": 0}, set(),
    ),
    "only the destroyed lose": ("nexus+sidearm", "trooper+sidearm", {}, {"only the destroyed lose"}),
    "at least one damage": ("nexus+sidearm", "bulwark+sidearm", {"a.damage": 0, "b.damage": 0}, {"at least one"}),
}  # fmt: skip


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("name", list(DUELS))
def test_a_duel_ends_as_often_in_each_way_as_the_rulebook_says(name: str, first: str) -> None:
    a, b, changes, options = DUELS[name]
    duel_of(a, b, changes, frozenset(options), first)


@pytest.mark.parametrize(
    ("a", "b", "changes", "steps", "most"),
    [
        ("nexus+shotgun", "trooper+sidearm", {}, 2, 20_000),
        ("nexus+assault_rifle", "trooper+sidearm", {}, 3, 30_000),
        ("nexus+assault_rifle", "trooper+sidearm", {"situation.actions": 3, "situation.round_limit": 5}, 9, 45),
        ("nexus+shotgun", "trooper+sidearm", {"a.damage": 0, "b.damage": 0}, 2, 2),
        ("nexus+shotgun", "trooper+sidearm", {"a.damage": 0}, 2, 20_000),
        ("nexus+shotgun", "detonator+sidearm", {"a.damage": 0, "b.damage": 0}, 2, 20_000),
    ],
)
def test_a_duel_ends_at_its_limit_or_when_nobody_would_wait_for_it(
    a: str, b: str, changes: dict[str, Any], steps: int, most: int
) -> None:
    """An action is a step, or two with Rapid Fire; a duel in which nobody can be hurt is one round."""
    question = GAME.duel(a, b, changes, "a")
    (process,) = question.kind.processes(question.setup, "literal")
    assert (len(process.steps), process.max_steps) == (steps, most)


def test_a_kill_goes_on_for_ten_thousand_actions_at_most() -> None:
    for loadout, steps in (("nexus+shotgun", 1), ("nexus+assault_rifle", 2)):
        question = GAME.kill(loadout, "trooper")
        (process,) = question.kind.processes(question.setup, "literal")
        assert (len(process.steps), process.max_steps) == (steps, 10_000 * steps)


def test_a_distribution_of_an_attack_is_worked_out_once() -> None:
    shot = GAME.attack("nexus+laser_carbine", "aegis").setup.shot
    assert attack_distributions(shot) is attack_distributions(shot)
    assert wound_distributions(shot) is wound_distributions(shot)
    assert attack_distribution(shot, True, 1) is attack_distribution(shot, True, 1)
    assert wound_distributions(shot).columns == ("damage", "shield_lost", "burn")
    for weapon, columns in (("emp_projector", ("damage", "emp")), ("grenade_launcher", ("damage", "splash"))):
        assert wound_distributions(GAME.attack(f"nexus+{weapon}", "nexus").setup.shot).columns == columns


@pytest.mark.parametrize("tokens", [0, 1, 2, 3])
def test_each_burned_token_takes_a_point_of_armour_away_from_plain_weapons_too(tokens: int) -> None:
    changes = {"attacker.damage": 5, "attacker.precision": 6, "defender.burn_tokens": tokens}
    target = side_of("nexus", {}, shield="up", burn_tokens=tokens)
    weapon = side_of("nexus+sidearm", {"damage": 5, "precision": 6})["weapons"][0]
    found = GAME.attack("nexus+sidearm", "nexus", changes).distribution
    assert exact(found) == attack_outcomes(weapon, target, frozenset())


HEALTH = {"a_health": 8, "b_health": 5}
FAR = {"situation.distance_cells": 9}


@pytest.mark.parametrize(
    ("a", "b", "changes", "columns"),
    [
        ("nexus+shotgun", "trooper+sidearm", {}, HEALTH),
        ("nexus+shotgun", "trooper+sidearm", FAR, {**HEALTH, "distance": 9}),
        ("nexus+shotgun", "trooper+sidearm", FAR | {"a.speed_cells": 0, "b.speed_cells": 0}, HEALTH),
        ("nexus+shotgun", "trooper+sidearm", FAR | {"b.speed_cells": 0}, {**HEALTH, "distance": 9}),
        (
            "vanguard+sidearm", "trooper+sidearm", FAR | {"situation.actions": 3},
            {"a_health": 6, "a_moves": 0, "a_done": 0, "b_health": 5, "b_moves": 0, "distance": 9},
        ),
        (
            "vanguard+sidearm", "trooper+sidearm", FAR | {"situation.actions": 2},
            {"a_health": 6, "b_health": 5, "distance": 9},
        ),
        ("aegis+sidearm", "trooper+sidearm", {}, {"a_health": 7, "a_shield": DOWN, "b_health": 5}),
        (
            "aegis+sidearm", "trooper+pulse_pistol", {"b.effects": "rapid_fire"},
            {"a_health": 7, "a_shield": DOWN, "b_health": 5, "volley": 0},
        ),
        ("aegis+sidearm", "trooper+sidearm", {"a.shield": "up"}, {"a_health": 7, "a_shield": UP, "b_health": 5}),
        ("aegis+sidearm", "trooper+sidearm", {"a.shield": "never"}, {"a_health": 7, "a_shield": DOWN, "b_health": 5}),
        (
            "nexus+laser_carbine", "trooper+emp_projector", {},
            {"a_health": 8, "a_emp": 0, "b_health": 5, "b_burn_1": 0, "b_burn_2": 0},
        ),
        ("nexus+assault_rifle", "trooper+sidearm", FAR, {**HEALTH, "distance": 9, "volley": 0}),
    ],
)  # fmt: skip
def test_a_duel_has_the_columns_that_it_needs_and_no_others(
    a: str, b: str, changes: dict[str, Any], columns: dict[str, int]
) -> None:
    """What cannot change in a duel is no part of its state, so that equal situations are one."""
    question = GAME.duel(a, b, changes, "a")
    (process,) = question.kind.processes(question.setup, "literal")
    assert process.start == columns


@pytest.mark.parametrize(
    ("burns", "armour", "kept"),
    [((0, 0), 3, [0, 0]), ((2, 3), 4, [1, 3]), ((3, 1), 3, [2, 1]), ((1, 3), 3, [0, 3]), ((2, 5), 4, [0, 4])],
)
def test_burns_beyond_the_armour_are_forgotten_the_oldest_first(
    burns: tuple[int, int], armour: int, kept: list[int]
) -> None:
    assert [part.tolist() for part in _within([np.array([burn]) for burn in burns], armour)] == [[n] for n in kept]

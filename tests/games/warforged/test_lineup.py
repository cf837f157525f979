"""Line-ups under every rule option against a second telling: every column with its exact chance, and whole battles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import balance
from balance.chance.pmf import Pmf
from balance.chance.pmf.agreement import same_distribution_test
from balance.game.game import Lane
from balance.game.question.question import Question
from tests.games.warforged.reference_lineups import Field, battle, outcomes
from tests.games.warforged.test_whole_duels import OPTIONS as DUEL_OPTIONS
from tests.games.warforged.test_whole_duels import about

GAME = balance.load("warforged")
OPTIONS = {**DUEL_OPTIONS, "blasts set off nothing": ("overload_chain", "none")}
ABILITIES = ("slim", "supershield", "overload")
EFFECTS = ("piercing", "high_explosive", "rapid_fire", "emp", "laser")
POLICIES = ("focus", "least_overkill", "spread")
COLUMNS = ("winner", "rounds", "a_units", "b_units", "a_health", "b_health")


def some(draw: Random, names: tuple[str, ...], chance: float) -> tuple[str, ...]:
    return tuple(sorted(name for name in names if draw.random() < chance))


def weapon_at_random(draw: Random) -> dict[str, Any]:
    """Return a weapon as the second telling has it; some do not reach across three cells."""
    return {
        "precision": draw.choice((3, 5, 8, 10)),
        "damage": draw.choice((1, 2, 3)),
        "range": draw.choice((2, 9, 9, 9)),
        "effects": some(draw, EFFECTS, 0.25),
    }


def unit_at_random(draw: Random) -> dict[str, Any]:
    """Return a unit as the second telling has it, small enough to be followed exactly."""
    abilities = some(draw, ABILITIES, 0.35)
    unit: dict[str, Any] = {"health": draw.choice((1, 2, 3)), "armour": draw.choice((0, 1, 2)), "cover": 0}
    unit |= {name: name in abilities for name in ("slim", "overload")} | {"shielded": "supershield" in abilities}
    stance = draw.choice(("raise", "up", "never")) if unit["shielded"] else "none"
    return unit | {"shield": stance, "weapons": [weapon_at_random(draw) for _ in range(draw.choice((1, 1, 2)))]}


GUNS = ("sidearm", "smg_pistol")


def set_of(side: str, place: int, unit: dict[str, Any]) -> dict[str, Any]:
    """Return what is set of a unit of an army, which makes a Nexus with a Sidearm into this one."""
    abilities = [name for name in ("slim", "overload") if unit[name]] + ["supershield"] * unit["shielded"]
    root, changes = f"{side}.{place}", dict[str, Any]()
    for number, weapon in enumerate(unit["weapons"], start=1):
        changes |= {f"{root}.weapon{number}.{name}": weapon[name] for name in ("precision", "damage")}
        changes[f"{root}.weapon{number}.range_cells"] = weapon["range"]
        changes[f"{root}.weapon{number}.effects"] = ",".join(weapon["effects"])
    changes |= {f"{root}.{name}": unit[name] for name in ("health", "armour")}
    changes[f"{root}.abilities"] = ",".join(abilities)
    return changes | ({f"{root}.shield": unit["shield"]} if unit["shielded"] else {})


def asked(field: Field, first: str, rounds: int) -> Question:
    """Ask the game about a field."""
    changes: dict[str, Any] = {f"rules.{name}": value for name, value in (OPTIONS[one] for one in field.options)}
    for side in "ab":
        for place, unit in enumerate(field.army(side), start=1):
            changes |= set_of(side, place, unit)
        if field.army(side)[0]["cover"]:
            changes[f"situation.{side}_in_light_cover"] = True
    changes |= {"situation.actions": "per_unit" if field.per_unit else "pool", "situation.round_limit": rounds}
    changes |= {f"situation.{name}": getattr(field, name) for name in ("unit_limit", "neighbours")}
    changes["situation.distance_cells"] = field.distance
    a, b = (",".join("+".join(["nexus", *GUNS[: len(unit["weapons"])]]) for unit in field.army(side)) for side in "ab")
    return GAME.ask("lineup", a, b, changes, first, policy_a=field.policies[0], policy_b=field.policies[1])


def field_at_random(draw: Random, sizes: tuple[int, int]) -> Field:
    options = frozenset(name for name in OPTIONS if draw.random() < 0.2)
    if {"chains", "blasts set off nothing"} <= options:
        options -= {"chains"}
    armies = [[unit_at_random(draw) for _ in range(n)] for n in sizes]
    for army in armies:
        cover = draw.choice((0, 0, 1))
        for unit in army:
            unit["cover"] = cover
    return Field(
        tuple(armies[0]),
        tuple(armies[1]),
        per_unit=draw.random() < 0.4,
        unit_limit=draw.choice((0, 0, 1, 3)),
        neighbours=draw.choice((0, 1, 2)),
        distance=draw.choice((1, 2, 3)),
        options=options,
        policies=(draw.choice(POLICIES), draw.choice(POLICIES)),
    )


def gap(found: dict[tuple[int, ...], float], told: dict[tuple[int, ...], Fraction]) -> float:
    return max(abs(found.get(row, 0.0) - float(told.get(row, 0))) for row in {*found, *told})


@pytest.mark.parametrize("sizes", [(1, 2), (2, 1), (2, 2), (3, 1)], ids=str)
def test_line_ups_at_random_are_told_alike_under_every_rule_option(sizes: tuple[int, int]) -> None:
    draw, done, tried = Random(f"line-ups {sizes}"), 0, set[str]()
    while done < 8:
        field, first = field_at_random(draw, sizes), draw.choice("ab")
        question = asked(field, first, 2)
        if question.why_no_distribution:
            continue
        found = question.distribution
        assert found.columns == COLUMNS
        assert gap(about(found), outcomes(field, first, 2)) < 1e-12, (field, first)
        done, tried = done + 1, tried | field.options
    assert len(tried) > len(OPTIONS) / 2


@pytest.mark.slow("test_line_ups_at_random_are_told_alike_under_every_rule_option")
@pytest.mark.parametrize("seed", range(12))
def test_many_more_line_ups_at_random_are_told_alike(seed: int) -> None:
    draw = Random(f"more line-ups {seed}")
    for _ in range(40):
        field, first = field_at_random(draw, draw.choice([(1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])), draw.choice("ab")
        question = asked(field, first, draw.choice((1, 2)))
        if not question.why_no_distribution:
            rounds = question.inputs["situation"]["round_limit"]
            assert gap(about(question.distribution), outcomes(field, first, rounds)) < 1e-12, (field, first)


def test_a_second_telling_that_plays_otherwise_is_noticed() -> None:
    draw, noticed = Random("otherwise"), 0
    while noticed < 3:
        field = field_at_random(draw, (2, 2))
        question = asked(field, "a", 1)
        if question.why_no_distribution:
            continue
        other = replace(field, policies=("spread", field.policies[1]), neighbours=2, per_unit=not field.per_unit)
        noticed += gap(about(question.distribution), outcomes(other, "a", 1)) > 1e-3


def battles(field: Field, n: int) -> Pmf:
    """Return how often each winner and number of rounds comes up in battles of the second telling."""
    luck = Random("battles")
    return Pmf.of(Counter(battle(field, "a", 30, luck)[:2] for _ in range(n)), ("winner", "rounds"))


def large_field(draw: Random, size: int, **more: Any) -> Field:
    """Return armies of one kind of unit each, with a few others, so that nobody waits for a lucky hit."""
    return replace(field_at_random(draw, (size, size)), unit_limit=0, distance=2, **more)


LARGER = large_field(Random("larger"), 4, per_unit=False, neighbours=1, policies=("focus", "spread"))


@pytest.fixture(scope="module")
def larger() -> Pmf:
    return battles(LARGER, 250)


@pytest.mark.slow("test_a_second_telling_that_plays_otherwise_is_noticed")
@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_larger_battles_end_alike_in_both_tellings(lane: Lane, larger: Pmf) -> None:
    seen = asked(LARGER, "a", 30).simulate(8192, seed=3, lane=lane).distribution.marginal("winner", "rounds")
    assert same_distribution_test(seen, larger).p_value > 0.001


@pytest.mark.slow("test_a_second_telling_that_plays_otherwise_is_noticed")
def test_a_larger_battle_that_is_another_one_is_noticed(larger: Pmf) -> None:
    other = asked(replace(LARGER, neighbours=0, policies=("spread", "spread")), "b", 30)
    against = other.simulate(8192, seed=3, lane="compiled").distribution.marginal("winner", "rounds")
    assert same_distribution_test(against, larger).p_value < 1e-6


@pytest.mark.slow("test_a_second_telling_that_plays_otherwise_is_noticed")
@pytest.mark.parametrize("seed", range(8))
def test_battles_of_six_against_six_end_alike(seed: int) -> None:
    field = large_field(Random(f"six {seed}"), 6)
    seen = asked(field, "a", 30).simulate(30_000, seed=seed, lane="compiled").distribution.marginal("winner", "rounds")
    assert same_distribution_test(seen, battles(field, 400)).p_value > 1e-4


# -- one against one ---------------------------------------------------------------------------------------------------

SHARED = ("winner", "rounds", "a_health", "b_health")


def one_on_one(draw: Random) -> tuple[str, str, dict[str, Any], int, str]:
    """Return (a, b, what is set, actions a turn, who goes first) of a duel in which nobody needs to move."""
    changes: dict[str, Any] = {}
    for name, option in GAME.catalogue.rule_options.items():
        if draw.random() < 0.3:
            changes[f"rules.{name}"] = draw.choice(option.allowed)
    for side in "ab":
        if draw.random() < 0.4:
            changes[f"{side}.abilities"] = ",".join((*some(draw, ABILITIES, 0.5), "heavy"))
        if draw.random() < 0.4:
            changes[f"{side}.effects"] = ",".join(some(draw, EFFECTS, 0.35))
        changes[f"{side}.shield"] = draw.choice(("raise", "up", "never"))
    changes["situation.distance_cells"] = draw.choice((1, 2, 3))
    changes["situation.round_limit"] = draw.choice((0, 0, 1, 3))
    changes |= {"situation.light_cover": draw.random() < 0.3, "situation.b_in_light_cover": draw.random() < 0.3}
    ids = GAME.entrants
    return draw.choice(ids), draw.choice(ids), changes, draw.choice((1, 1, 2, 3)), draw.choice(("a", "b", "random"))


@pytest.mark.parametrize("part", range(4))
def test_one_against_one_is_a_duel(part: int) -> None:
    draw, tried = Random(f"duels {part}"), set[str]()
    for _ in range(30):
        a, b, changes, actions, first = one_on_one(draw)
        duel = GAME.ask("duel", a, b, {**changes, "situation.actions": actions}, first)
        ways: list[dict[str, Any]] = [{"situation.unit_limit": actions}]
        ways += [{"situation.actions": "per_unit"}] if actions == 1 else []
        for way in ways:
            line_up = GAME.ask("lineup", a, b, {**changes, **way}, first)
            one, other = (about(question.distribution.marginal(*SHARED)) for question in (duel, line_up))
            assert max(abs(one.get(row, 0) - other.get(row, 0)) for row in {*one, *other}) < 1e-9, (a, b, changes, way)
        tried |= set(changes)
    assert {f"rules.{name}" for name in GAME.catalogue.rule_options} <= tried


def test_many_units_that_cannot_be_told_apart_win_as_often_in_any_order() -> None:
    here = GAME.ask("lineup", "trooper+shotgun:2,whisper+sidearm", "nexus+assault_rifle", first="a").p_win()
    there = GAME.ask(
        "lineup", "whisper+sidearm,trooper+shotgun,trooper+shotgun", "nexus+assault_rifle", first="a"
    ).p_win()
    assert here == pytest.approx(there, abs=1e-12)


def test_where_nobody_can_hurt_anybody_it_is_a_draw_at_once() -> None:
    question = GAME.ask("lineup", "trooper+sidearm:2", "whisper+sidearm", {"situation.distance_cells": 9})
    assert about(question.distribution) == {(0, 1, 2, 1, 10, 4): 1.0}
    limited = GAME.ask(
        "lineup", "trooper+sidearm:2", "whisper+sidearm", {"situation.distance_cells": 9, "situation.round_limit": 3}
    )
    assert about(limited.distribution) == {(1, 3, 2, 1, 10, 4): 1.0}
    one_way = GAME.ask("lineup", "trooper+sidearm", "nexus+assault_rifle", {"situation.distance_cells": 5})
    assert one_way.p_win() == pytest.approx({"a": 0.0, "b": 1.0, "draw": 0.0})


def test_a_legal_army_within_its_budget_is_as_good_as_without_one() -> None:
    legal = {"situation.legal": True, "situation.unit_limit": 2, "situation.budget": 68}
    free = {"situation.unit_limit": 2}
    armies = ("trooper+shotgun:2", "nexus+shotgun:2")
    assert GAME.ask("lineup", *armies, legal).p_win() == GAME.ask("lineup", *armies, free).p_win()

"""Level A: how many dice, what they count, and the exact distributions of one attack."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.errors import BalanceError, RulesError
from balance.chance.pmf import Pmf
from balance.games.battlelore import GAME as BATTLELORE

GAME = balance.load(BATTLELORE)


def dice(attacker: str, target: str = "blue_foot", **changes: Any) -> int:
    asked = GAME.attack(attacker, target, {name.replace("__", "."): value for name, value in changes.items()})
    return int(asked.setup.encounter.strike.n_dice)


def hits(attacker: str, target: str, **changes: Any) -> list[Fraction]:
    """Return P(0 hits), P(1 hit) ..."""
    distribution = GAME.attack(
        attacker, target, {name.replace("__", "."): value for name, value in changes.items()}
    ).distribution
    return chances(distribution, "hits")


def chances(distribution: Pmf, column: str) -> list[Fraction]:
    marginal = distribution.marginal(column)
    seen = dict(zip(marginal[column].tolist(), marginal.weights.tolist(), strict=True))
    return [Fraction(seen.get(n, 0), distribution.total) for n in range(max(seen) + 1)]


@pytest.mark.rule("BL-TRP-01", "BL-DICE-01", "BL-HIT-01")
@pytest.mark.parametrize(("colour", "number"), [("green", 2), ("blue", 3), ("red", 4)])
def test_the_colour_fixes_the_dice_and_the_helmet(colour: str, number: int) -> None:
    for kind in ("foot", "mounted"):
        assert dice(f"{colour}_{kind}") == number
    one_in_six = [Fraction(comb(4, n) * 5 ** (4 - n), 6**4) for n in range(5)]
    assert hits("red_foot+common_bow", f"{colour}_foot") == one_in_six


@pytest.mark.rule("BL-DIE-01", "BL-HIT-02", "BL-WPN-01", "BL-WPN-03")
def test_published_hit_probabilities() -> None:
    """Helmets alone, helmets and swords, and a short sword against mounted: rows of the published table."""
    plain = {0: "16/81", 1: "32/81", 2: "8/27", 3: "8/81", 4: "1/81"}
    mounted = {0: "32/81", 1: "34/81", 2: "13/81", 3: "31/1296", 4: "1/1296"}
    assert hits("red_foot+long_sword", "blue_foot") == [Fraction(p) for p in plain.values()]
    assert hits("red_foot+short_sword", "blue_foot") == [Fraction(p) for p in plain.values()]
    assert hits("red_mounted+long_sword", "blue_mounted") == [Fraction(p) for p in plain.values()]
    assert hits("red_foot+short_sword", "blue_mounted") == [Fraction(p) for p in mounted.values()]
    six = ["160/729", "92/243", "200/729", "305/2916", "41/1944", "29/15552", "1/46656"]
    assert hits("red_foot", "red_mounted", situation__extra_dice=2) == [Fraction(p) for p in six]


@pytest.mark.rule("BL-HIT-04", "BL-DIE-03")
def test_the_joint_distribution_of_four_dice() -> None:
    """A blue unit with one more die against blue foot: 35 outcomes of hits, flags and Lore."""
    distribution = GAME.attack("blue_foot", "blue_foot", {"situation.extra_dice": 1}).distribution
    assert len(distribution.marginal("hits", "flags", "lore")) == 35
    assert distribution.fraction(lambda hits: hits == 4) == Fraction(1, 81)
    both = distribution.fraction(lambda hits, flags, lore: (hits == 2) & (flags == 1) & (lore == 1))
    assert both == Fraction(12 * 2**2, 6**4)


@pytest.mark.parametrize("n", [8, 12])
def test_the_joint_distribution_of_many_dice(n: int) -> None:
    distribution = GAME.attack("blue_foot", "red_foot", {"situation.extra_dice": n - 3}).distribution
    assert len(distribution) == comb(n + 3, 3)
    assert distribution.total == 6**n
    assert distribution.fraction(lambda hits, lore: (hits == n) & (lore == 0)) == Fraction(1, 3**n)
    assert distribution.mean("flags") == pytest.approx(n / 6)
    assert distribution.mean("figures_lost") == pytest.approx(
        sum(min(h, 4) * p for h, p in enumerate(chances(distribution, "hits")))
    )


@pytest.mark.rule("BL-CRE-03", "BL-DICE-08", "BL-CRE-01")
@pytest.mark.parametrize(("attacker", "p"), [("green", "35/324"), ("blue", "919/5832"), ("red", "21455/104976")])
def test_the_chance_to_kill_a_green_creature(attacker: str, p: str) -> None:
    distribution = GAME.attack(f"{attacker}_foot+long_sword", "giant_spider").distribution
    assert distribution.fraction(lambda figures_lost: figures_lost == 1) == Fraction(p)
    assert distribution.fraction(lambda figures_lost: figures_lost > 1) == 0


@pytest.mark.rule("BL-WPN-01", "BL-CRE-03")
@pytest.mark.parametrize(("reading", "p"), [("all", 0.158), ("all_but_one", 0.094), ("none", 0.081)])
def test_readings_of_short_swords_against_creatures(reading: str, p: float) -> None:
    distribution = GAME.attack("blue_foot", "giant_spider", {"rules.short_sword_vs_creature": reading}).distribution
    assert distribution.chance(lambda figures_lost: figures_lost == 1) == pytest.approx(p, abs=5e-4)


@pytest.mark.rule("BL-WPN-02", "BL-WPN-04", "BL-RNG-02", "BL-RNG-04", "BL-WPN-05")
def test_bows_and_crossbows_at_range_and_point_blank() -> None:
    far, near = {"situation__adjacent": False}, {"situation__adjacent": True}
    helmets, swords = Fraction(11, 36), Fraction(5, 9)
    for target in ("blue_foot", "blue_mounted", "giant_spider"):
        assert 1 - hits("green_foot+common_bow", target, **far)[0] == helmets
        assert 1 - hits("green_foot+common_bow", target, **near)[0] == helmets
        assert 1 - hits("green_foot+crossbow", target, **far)[0] == swords
        assert 1 - hits("green_foot+crossbow", target, **near)[0] == helmets


@pytest.mark.rule("BL-WPN-02", "BL-WPN-04", "BL-DICE-02")
@pytest.mark.parametrize(("weapon", "number"), [("common_bow", 3), ("crossbow", 3), ("short_sword", 4)])
def test_a_move_costs_a_shooter_a_die(weapon: str, number: int) -> None:
    assert dice(f"red_foot+{weapon}", attacker__moved=True) == number
    assert dice(f"red_foot+{weapon}", attacker__moved=False) == 4
    forest = {"situation__target_terrain": "forest"}
    assert dice(f"red_foot+{weapon}", attacker__moved=True, **forest) == 2, "the cap comes after the move"


def test_readings_of_shooting_after_a_move() -> None:
    moved: dict[str, Any] = {"attacker__moved": True}
    assert dice("red_foot+common_bow", **moved, rules__bow_after_moving="to_one") == 1
    assert dice("red_foot+crossbow", **moved, rules__bow_after_moving="to_one") == 3
    assert dice("red_foot+crossbow", **moved, rules__crossbow_after_moving="full") == 4
    assert dice("red_foot+common_bow", **moved, rules__crossbow_after_moving="full") == 3


CAPS = {
    "countryside": (4, 4), "forest": (2, 2), "hill": (3, 2), "ford": (2, 4), "bridge": (4, 4), "landmark": (2, 2),
    "rampart": (2, 2), "stronghold": (2, 2), "rogues_den": (2, 2), "secret_passage": (4, 4), "training_camp": (2, 2),
    "magic_pentacle": (4, 4), "healing_pool": (4, 4),
}  # fmt: skip
"""Dice of a red unit out of and into each hex."""


@pytest.mark.rule(
    "BL-TER-01", "BL-TER-02", "BL-TER-03", "BL-TER-05", "BL-TER-06", "BL-LMK-01", "BL-LMK-13", "BL-DICE-05"
)
@pytest.mark.parametrize("terrain", list(CAPS))
def test_terrain_caps_the_dice(terrain: str) -> None:
    out, into = CAPS[terrain]
    assert dice("red_foot", situation__attacker_terrain=terrain) == out
    assert dice("red_foot", situation__target_terrain=terrain) == into


@pytest.mark.rule("BL-TER-03", "BL-TER-07", "BL-DICE-05")
def test_the_lowest_cap_counts() -> None:
    hill = {"situation__attacker_terrain": "hill"}
    assert dice("red_foot", **hill, situation__target_terrain="hill") == 3, "hill to hill lifts only the cap in"
    assert dice("red_foot", **hill, situation__target_terrain="rampart") == 2
    assert dice("red_foot", **hill, situation__target_terrain="rampart,hill") == 2
    assert dice("red_foot", **hill, situation__target_terrain="secret_passage,hill") == 3
    assert dice("green_foot", situation__attacker_terrain="forest") == 2, "a cap never adds dice"


@pytest.mark.rule("BL-DICE-06", "BL-DICE-07")
def test_extra_dice_come_after_the_cap_and_never_below_none() -> None:
    assert dice("red_foot", situation__target_terrain="forest", situation__extra_dice=2) == 4
    assert dice("blue_foot", situation__extra_dice=-1) == 2
    assert dice("green_foot", situation__extra_dice=-5) == 0
    assert hits("green_foot", "blue_foot", situation__extra_dice=-5) == [1]


@pytest.mark.rule("BL-DICE-03", "BL-TRP-07")
def test_losses_cost_no_dice_and_figures_bound_losses() -> None:
    assert dice("blue_foot", attacker__figures=1) == 3
    distribution = GAME.attack("blue_foot", "blue_foot", {"defender.figures": 1}).distribution
    assert distribution.fraction(lambda figures_lost: figures_lost == 1) == Fraction(19, 27)
    assert distribution.fraction(lambda hits: hits == 3) == Fraction(1, 27)


@pytest.mark.rule("BL-DIE-02")
def test_the_lore_face_is_a_miss_in_a_medieval_adventure() -> None:
    changes = {"situation.adventure": "medieval", "defender.poisoned": True}
    medieval, lore = (GAME.ask("combat", "blue_foot", "blue_foot", c) for c in (changes, {"defender.poisoned": True}))
    assert medieval.distribution.mean("lore_gained") == 0
    assert medieval.distribution.mean("hits") == pytest.approx(1.0)
    assert lore.distribution.mean("hits") == pytest.approx(1.5), "against a poisoned unit a Lore face hits"
    with pytest.raises(RulesError, match="BL-DIE-02"):
        GAME.ask("attack", "giant_spider", "blue_foot", {"situation.adventure": "medieval"}, attacker_powers="web")


@pytest.mark.rule("BL-DIE-03", "BL-CRE-14")
def test_lore_faces_give_tokens_unless_they_wound() -> None:
    plain = GAME.ask("combat", "blue_foot", "blue_foot").distribution
    assert plain.mean("lore_gained") == pytest.approx(0.5)
    poisoned = GAME.ask("combat", "blue_foot", "blue_foot", {"defender.poisoned": True}).distribution
    assert poisoned.mean("lore_gained") == 0
    both = {"defender.poisoned": True, "rules.poison_lore": "collected"}
    assert GAME.ask("combat", "blue_foot", "blue_foot", both).distribution.mean("lore_gained") == pytest.approx(0.5)


@pytest.mark.rule("BL-CRE-15", "BL-CRE-10")
def test_web_turns_the_flags_of_its_own_roll_into_hits() -> None:
    plain = GAME.ask("attack", "giant_spider", "blue_foot").distribution
    web = GAME.ask("attack", "giant_spider", "blue_foot", attacker_powers="web").distribution
    one_of_each = lambda flags, lore: (flags == 1) & (lore == 1)  # noqa: E731
    assert plain.where(one_of_each).mean("figures_lost") == 0
    assert web.where(one_of_each).mean("figures_lost") == 1
    assert web.where(lambda lore: lore == 0).mean("hits") == plain.where(lambda lore: lore == 0).mean("hits")


IMPOSSIBLE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "BL-RNG-05": ("green_foot+crossbow", "blue_foot", {"situation.distance_hexes": 4}),
    "BL-RNG-01": ("green_foot+common_bow", "blue_foot", {"situation.range": 5}),
    "BL-RNG-04": ("blue_foot+short_sword", "blue_foot", {"situation.adjacent": False}),
    "BL-RNG-02": ("green_foot+crossbow", "blue_foot", {"situation.adjacent": True, "situation.distance": 2}),
    "BL-CRE-02": ("giant_spider", "blue_foot", {"situation.distance": 2}),
    "BL-CRE-15": ("blue_foot", "blue_foot", {"attacker.webbed": True}),
    "BL-CRE-16": ("blue_foot", "blue_foot", {"attacker.freed": True}),
    "BL-TRP-03": ("blue_foot", "blue_foot", {"defender.figures": 5}),
    "BL-TRP-05": ("giant_spider", "blue_foot", {"attacker.race": "dwarf"}),
    "BL-TER-04": ("blue_foot", "blue_foot", {"situation.target_terrain": "watercourse"}),
    "BL-LMK-01": ("blue_foot", "blue_foot", {"attacker.moved": True, "situation.attacker_terrain": "landmark"}),
    "BL-CRE-11": ("blue_foot", "blue_foot", {"attacker.stored_lore": 1}),
    "BL-CRE-12": ("giant_spider", "blue_foot", {"attacker.stored_lore": 3}),
    "BL-TRP-02": ("blue_foot+short_sword+long_sword", "blue_foot", {}),
    "BL-WPN-05": ("giant_spider+long_sword", "blue_foot", {}),
    "BL-CRE-01": ("blue_foot+bite", "blue_foot", {}),
}


@pytest.mark.rule(
    "BL-RNG-02", "BL-RNG-04", "BL-RNG-05", "BL-CRE-01", "BL-CRE-11", "BL-CRE-12", "BL-CRE-15", "BL-CRE-16",
    "BL-TRP-02", "BL-TRP-03", "BL-TRP-05", "BL-WPN-05", "BL-LMK-01",
)  # fmt: skip
@pytest.mark.parametrize("rule", list(IMPOSSIBLE))
def test_an_impossible_attack_names_the_rule(rule: str) -> None:
    one, other, changes = IMPOSSIBLE[rule]
    with pytest.raises(BalanceError, match=rule):
        GAME.attack(one, other, changes)


def test_all_that_is_wrong_is_told_at_once() -> None:
    changes = {"attacker.webbed": True, "situation.distance": 4, "situation.target_terrain": "watercourse"}
    with pytest.raises(RulesError) as caught:
        GAME.attack("green_foot+crossbow", "blue_foot", changes)
    assert len(caught.value.faults) == 3


@pytest.mark.parametrize(
    ("one", "changes", "hint"),
    [
        ("blue_feet", {}, "blue_foot"),
        ("dwarff_blue_foot", {}, "dwarf_blue_foot"),
        ("blue_foot+crosbow", {}, "crossbow"),
        ("blue_foot", {"attacker.race": "gobblin"}, "goblin"),
        ("blue_foot", {"situation.target_terrain": "forrest"}, "forest"),
        ("blue_foot", {"attacker.figuers": 2}, "figures"),
        ("blue_foot", {"situation.free_hexes": 2}, "extra_dice"),
    ],
)
def test_a_misspelling_is_told_with_the_nearest_name(one: str, changes: dict[str, Any], hint: str) -> None:
    with pytest.raises(BalanceError, match=hint):
        GAME.attack(one, "blue_foot", changes)


def test_every_die_is_rolled_in_the_literal_lane_and_agrees() -> None:
    question = GAME.attack("red_foot+short_sword", "blue_mounted")
    for lane in ("literal", "compiled"):
        sample = question.simulate(60_000, seed=3, lane=lane)
        assert sample.agreement.p_value > 1e-3
    other = GAME.attack("red_foot+long_sword", "blue_mounted").distribution
    assert other.agreement(question.simulate(60_000, seed=3).distribution).p_value < 1e-9, (
        "another weapon is told apart"
    )


@pytest.mark.rule("BL-DICE-04")
def test_one_roll_has_one_target() -> None:
    """Another enemy beside the target loses nothing unless it is struck by a roll of its own."""
    changes = {"situation.other": "blue_foot"}
    stays = GAME.ask("combat", "blue_mounted", "green_foot", changes, follow_up="gain_ground").distribution
    strikes = GAME.ask("combat", "blue_mounted", "green_foot", changes, follow_up="bonus_other").distribution
    assert stays.mean("bonus_figures_lost") == 0
    first = strikes.where(lambda bonus_melee: bonus_melee == 1).mean("bonus_figures_lost")
    assert first == pytest.approx(float(np.dot(range(4), [8 / 27, 12 / 27, 6 / 27, 1 / 27])))

"""Charges, soul weapons and projectiles: what heroes attack with changes as their equipment does."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.rolls.requests import Draw
from tests.games.immortal_souls.encounter.stage import Stage

MAGE = "auriel+talisman_of_fire,thorgar"
THROWER = "shae_assassin+dagger+knives,laegon"
KNIGHT = "ecarus+soul_blade,thorgar"


def armed(stage: Stage, hero: int = 0) -> list[list[str]]:
    """Return what a hero attacks with by the set of things that work, with either hand."""
    kit = stage.scene.party.kits[hero]
    assert kit is not None
    return [[stage.scene.strike_names[one] if one >= 0 else "-" for one in row] for row in kit.strikes]


def test_what_never_changes_has_no_column() -> None:
    plain = Stage.of("ecarus,thorgar", "ambush")
    assert plain.scene.party.kits == (None, None)
    assert not {"gear", "item_left", "h_ready"} & set(plain.state)


@pytest.mark.parametrize(
    ("party", "sets", "told"),
    [
        (THROWER, {}, [["Dagger", "Dagger"], ["-", "Knives"]]),
        (THROWER, {"heroes.1.hand": "off"}, [["Dagger", "Knives"], ["-", "Knives"]]),
        ("shae+elven_knives,laegon", {}, [["fists", "Elven Knives"], ["-", "-"]]),
        (KNIGHT, {}, [["Soul Blade (front)", "Soul Blade"], ["-", "-"]]),
        (MAGE, {}, [["Wand", "Wand"], ["-", "-"]]),
    ],
)
def test_he_attacks_with_what_works(party: str, sets: dict[str, str], told: list[list[str]]) -> None:
    assert armed(Stage.of(party, "ambush", sets)) == told


def test_effects_of_an_artefact_are_there_while_it_has_charges() -> None:
    stage = Stage.of("auriel+talisman_of_fire+amber_ring+talisman_of_fire,thorgar", "ambush")
    kit, arms = stage.scene.party.kits[0], stage.scene.hero_arms
    assert kit is not None
    told = [[str(effect) for effect in arms.strikes[one].effects] for one in kit.strikes[0]]
    assert told == [["fire1@MAG"], ["fire1@MAG", "fire2@MAG"], ["fire1@MAG", "fire2@MAG"],
                    ["fire1@MAG", "fire2@MAG", "fire2@MAG"]]  # fmt: skip
    both = kit.strikes[0, 3]
    named = arms.strikes[both].named_sets
    first, second = ([name for name, uses in zip(named, kit.uses[bit, both], strict=False) if uses] for bit in (0, 1))
    assert (len(first), len(second)) == (4, 4)
    assert first.count("fire1+fire2+fire2") == second.count("fire1+fire2+fire2") == 1
    assert not kit.uses[0, both][-1]


def test_effects_that_are_set_take_no_charges() -> None:
    kit = Stage.of(MAGE, "ambush", {"heroes.1.effects": "fire2@MAG"}).scene.party.kits[0]
    assert kit is not None
    assert kit.uses == {}


@pytest.mark.rule("IS-ITEM.10")
@pytest.mark.parametrize("least", [1, 2])
def test_each_use_takes_the_printed_charges_and_an_empty_artefact_is_useless(least: int) -> None:
    """Each Fire II that lands on the enemy is a use of the talisman; after three of them there is none."""
    stage = Stage.of(MAGE, "ambush", {"heroes.1.red": "9"}, n=64).alone("village_6", "village_6")
    kit = stage.scene.party.kits[0]
    assert kit is not None
    assert stage.put(cool=1).told("gear", 0, 0) == [3]
    object.__setattr__(kit.things[0], "takes", least)
    for _ in range(30):
        charges, fires = stage.state["gear"][:, 0, 0], stage.state["e_fire2"].sum(axis=1)
        stage.play(1)
        used = charges - stage.state["gear"][:, 0, 0]
        assert (used == least * (stage.state["e_fire2"].sum(axis=1) - fires)).all()
    assert stage.told("gear", 0, 0) == [3 % least]
    assert set(stage.state["e_fire2"].sum(axis=1).tolist()) == {3 // least}


@pytest.mark.rule("IS-ITEM.15", "IS-DIE.6")
def test_a_projectile_is_lost_by_a_miss_in_the_final_roll() -> None:
    """Of the knives, a red and a blue die, 19 of 100 rolls show MIS; after it there is no second attack."""
    stage = Stage.of(THROWER, "ambush", n=4096).alone("village_6", "village_6")
    stage.put(cool=1).play(1)
    lost = stage.state["gear"][:, 0, 0] == 0
    assert lost.mean() == pytest.approx(0.19, abs=4 * (0.19 * 0.81 / 4096) ** 0.5)
    assert stage.told("hero_attacks") == [2]
    stage.play(1)
    assert (stage.state["hero_attacks"] == np.where(lost, 3, 4)).all()


@pytest.mark.rule("IS-ITEM.15")
def test_what_counts_is_the_roll_after_the_reroll() -> None:
    """Who rolls MIS again loses the knives only if the second roll shows it too."""
    sets = {"heroes.1.hand": "off", "heroes.1.effects": "reroll@MIS", "heroes.1.combat_activities": "1"}
    stage = Stage.of("shae+dagger+knives,laegon", "ambush", sets, n=512).alone("village_6", "village_6")
    stage.put(cool=1).play(1)
    shown = stage.scene.hero_arms.strikes[stage.scene.party.weapon[0]].roll_distribution
    misses = shown.outcomes[:, shown.columns.index("MIS")] > 0
    first, again = (next(misses[answer["roll"]] for request, answer in stage.asked
                         if isinstance(request, Draw) and request.name == name)
                    for name in ("hero roll", "hero roll again"))  # fmt: skip
    lost = stage.state["gear"][:, 0, 0] == 0
    rolled_again = first & ~lost
    assert (first[lost].all(), again[rolled_again].any()) == (True, False)
    assert rolled_again.sum() > 30


@pytest.mark.rule("IS-ITEM.6", "IS-ECO.3", "IS-POW.9")
def test_a_soul_weapon_is_paid_for_from_the_common_points_until_the_time_phase() -> None:
    def struck_with(stage: Stage) -> set[str]:
        (which,) = (request.place for request, _ in stage.asked
                    if isinstance(request, Draw) and request.name == "hero roll")  # fmt: skip
        return {stage.scene.strike_names[one] for one in np.unique(which)}

    stage = Stage.of(KNIGHT, "ambush", {"situation.soul_points": "4"}).alone("village_6", "village_6")
    stage.put(cool=1).play(1)
    assert (struck_with(stage), stage.told("points"), stage.told("gear", 0, 0)) == ({"Soul Blade"}, [1], [1])
    stage.play(1)
    assert (struck_with(stage), stage.told("points")) == ({"Soul Blade"}, [1])
    assert stage.play(0).told("gear", 0, 0) == [0]
    stage.put(cool=1).play(1)
    assert (struck_with(stage), stage.told("points")) == ({"Soul Blade (front)"}, [1])


@pytest.mark.rule("IS-ITEM.6")
def test_nobody_pays_for_nothing_or_what_a_ghost_may_need() -> None:
    far = Stage.of(KNIGHT, "ambush", {"situation.soul_points": "9"}).alone("village_1", "village_12")
    assert far.play(1).told("points") == [9]
    ghost = Stage.of(KNIGHT, "ambush", {"situation.soul_points": "9"}).alone("village_6", "village_6")
    ghost.state["h_ghost"][:, 1] = True
    assert ghost.play(1).told("points") == [9]
    ghost.state["h_ghost"][:, 1] = False
    assert ghost.play(1).told("points") == [6]

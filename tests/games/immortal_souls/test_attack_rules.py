"""The rules of one attack, each on a small case worked out by hand: dice, hits, defence, criticals, lethal hits, areas.

Unless a test says otherwise the dice have the placeholder faces: a red die shows MIS, HIT, HIT, HIT, HIT HIT, HIT ABI,
HIT ABI, HIT MAG, ABI ABI, MAG LEG; a blue one MIS, HIT, HIT, SHD, SHD, HIT SHD, SHD ABI, ABI, MAG, HIT MAG.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from balance.base.errors import BalanceError
from tests.games.immortal_souls.plays import GAME, chances, duel, end, only, play, printed, strike, told

F = Fraction
TENTH = F(1, 10)
ALL_SHIELDS = {f"faces.red_{face}.results": "SHD" for face in range(1, 11)}


# -- the dice ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-DIE.1", "IS-DIE.2")
def test_two_dice_of_ten_faces() -> None:
    assert chances(strike(red=1), "hits") == {0: 3 * TENTH, 1: 6 * TENTH, 2: TENTH}
    assert chances(strike(blue=1), "hits") == {0: 6 * TENTH, 1: 4 * TENTH}
    assert chances(strike(red=1), "symbols_left") == {1: 4 * TENTH, 2: 6 * TENTH}
    assert strike(red=1, blue=1).distribution.total == 100


@pytest.mark.rule("IS-DIE.1")
def test_the_red_die_is_never_rolled_in_defence() -> None:
    other = printed(ALL_SHIELDS)
    assert chances(strike(red=1, game=other), "hits") == {0: F(1)}
    assert chances(strike(sure=1, defence_dice=1, game=other), "wounds") == {0: 4 * TENTH, 1: 6 * TENTH}


@pytest.mark.rule("IS-DIE.2")
def test_no_face_shows_more_than_two_results() -> None:
    with pytest.raises(BalanceError) as error:
        printed({"faces.red_1.results": "HIT;HIT;ABI"})
    assert str(error.value) == (
        "faces, faces.red_1.results: 'HIT;HIT;ABI' are 3 results on one face; "
        "allowed: 1 or 2 of HIT, ABI, MAG, SHD, LEG, MIS"
    )


@pytest.mark.rule("IS-DIE.3")
@pytest.mark.parametrize("result", ["HIT", "ABI", "MAG", "SHD", "LEG", "MIS"])
def test_six_results_each_of_which_may_pay(result: str) -> None:
    asked = strike(sure=1, roll=f"{result},{result}", effects=f"slow@{result}", spends="dearest")
    hits = 1 + (result == "HIT")
    assert only(asked) == told(hits, hits, symbols_left=1, effects_bought=1, slow=1)


@pytest.mark.rule("IS-DIE.4", "IS-HIT.4")
def test_no_die_is_rolled_again_twice() -> None:
    """Whoever may pay for two re-rolls makes one: the second roll stands, though it is worse than the first."""
    for effects in ("reroll@ABI", "reroll@ABI,reroll@ABI"):
        asked = strike(by="green_gremlin", at="ecarus", red=1, effects=effects)
        assert play(asked, attack_red=["ABI+ABI"], attack_red_again=["ABI+ABI"]) == told(
            0, 0, symbols_left=2, effects_bought=1
        )
    once, twice = (
        strike(by="green_gremlin", at="ecarus", red=1, effects=text) for text in ("reroll@", "reroll@,reroll@")
    )
    assert chances(once, "hits") == chances(twice, "hits") == chances(strike(red=1), "hits")


@pytest.mark.rule("IS-DIE.5", "IS-HIT.3")
def test_two_results_of_one_face_pay_for_two_effects() -> None:
    asked = strike(red=1, effects="ko@ABI,stun@ABI")
    assert play(asked, attack_red=["ABI+ABI"]) == told(0, 0, effects_bought=2, ko=1, stun=1)
    assert play(asked, attack_red=["HIT+ABI"]) == told(1, 1, symbols_left=1, effects_bought=1, ko=1)


@pytest.mark.rule("IS-DIE.6")
def test_a_miss_is_nothing_but_what_names_it() -> None:
    assert only(strike(sure=2, roll="MIS,MIS")) == told(2, 2, symbols_left=2)
    assert only(strike(sure=2, roll="MIS,MIS", effects="ko@MIS")) == told(2, 2, symbols_left=1, effects_bought=1, ko=1)
    dice = strike(sure=1, defence_dice=1)
    assert play(dice, defence=["MIS"]) == play(dice, defence=["HIT"]) == told(1, 1)


# -- the hit phase ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-HIT.1")
def test_heroes_and_enemies_attack_alike() -> None:
    fields: dict[str, Any] = {
        "sure": 1, "red": 1, "blue": 1, "effects": "lethal1@ABI,ko@MAG", "armour": 1, "shields": 1, "defence_dice": 2,
    }  # fmt: skip
    of_hero = strike(spends="most_wounds", **fields)
    of_enemy = strike(by="green_gremlin", at="ecarus", spends="most_wounds", **fields)
    assert of_hero.distribution == of_enemy.distribution


@pytest.mark.rule("IS-HIT.2")
def test_the_profile_is_sure_hits_and_dice_of_both_colours() -> None:
    both = {2: F(18, 100), 3: F(48, 100), 4: F(30, 100), 5: F(4, 100)}
    assert chances(strike(sure=2, red=1, blue=1), "hits") == both
    printed_profile = GAME.ask("attack", "ecarus+long_sword_forged", "green_gremlin", {"attacker.effects": "none"})
    typed = strike(sure=1, red=2, blue=1)
    assert chances(printed_profile, "hits") == chances(typed, "hits")


@pytest.mark.rule("IS-HIT.3")
def test_results_of_different_dice_pay_together() -> None:
    asked = strike(red=1, blue=1, effects="ko@ABI+MAG")
    assert play(asked, attack_red=["HIT+ABI"], attack_blue=["MAG"]) == told(
        1, 1, effects_bought=1, symbols_left=1, ko=1
    )
    assert play(asked, attack_red=["HIT+ABI"], attack_blue=["HIT"]) == told(2, 2, symbols_left=3)


@pytest.mark.rule("IS-HIT.4")
def test_each_effect_and_each_result_once() -> None:
    once = strike(sure=3, roll="ABI,ABI,ABI", effects="lethal1@ABI", armour=9)
    assert only(once) == told(3, 1, lethal=1, symbols_left=2, effects_bought=1)
    two: dict[str, Any] = {"sure": 3, "effects": "lethal1@ABI,lethal1@ABI", "armour": 9}
    assert only(strike(roll="ABI,ABI,ABI", **two)) == told(3, 2, lethal=2, symbols_left=1, effects_bought=2)
    assert only(strike(roll="ABI", **two)) == told(3, 1, lethal=1, effects_bought=1)
    shared = strike(sure=1, roll="ABI,MAG", effects="slow@ABI,stun@ABI+MAG", armour=9)
    assert only(shared) == told(1, 0, symbols_left=1, effects_bought=1, slow=1)


@pytest.mark.rule("IS-HIT.5", "IS-DEF.7")
def test_effects_hold_before_the_defence() -> None:
    assert only(strike(sure=3, armour=2)) == told(3, 1)
    assert only(strike(sure=3, roll="ABI", effects="armour-1@ABI", armour=2)) == told(3, 2, effects_bought=1)
    assert only(strike(sure=3, roll="ABI", effects="ko@ABI", armour=2)) == told(3, 3, effects_bought=1, ko=1)
    too_much = strike(sure=3, roll="ABI", effects="armour-5@ABI", armour=2)
    assert only(too_much) == told(3, 3, effects_bought=1)


@pytest.mark.rule("IS-DEF.7")
def test_who_is_knocked_out_by_an_attack_rolls_dice_all_the_same() -> None:
    asked = strike(sure=3, roll="ABI", effects="ko@ABI", armour=2, defence_dice=2)
    assert play(asked, defence=["SHD", "MIS"]) == told(3, 2, effects_bought=1, ko=1)
    assert play(asked, defence=["SHD", "SHD"]) == told(3, 1, effects_bought=1, ko=1)


@pytest.mark.rule("IS-HIT.6")
def test_an_effect_ends_with_its_attack() -> None:
    """Two attacks of a turn, of one hit each, on armour 1: the armour that the first one takes off is back."""
    twice = duel(
        {"red": 1, "combat_activities": 2, "effects": "armour-1@ABI"},
        {"armour": 1, "combat_activities": 0},
        round_limit=1,
    )
    assert play(twice, a_weapon_attack_red=["HIT+ABI", "HIT"])["b_health"] == 9
    assert play(twice, a_weapon_attack_red=["HIT+ABI", "HIT+ABI"])["b_health"] == 8
    assert play(twice, a_weapon_attack_red=["HIT", "HIT+ABI"])["b_health"] == 9


@pytest.mark.rule("IS-HIT.7")
def test_a_further_attack_has_its_own_hits_and_its_own_defence() -> None:
    """Of two attacks of 3 hits each armour stops 1, and the one shield 1 of the first: 1 + 2; of one of 6 hits: 4."""
    target = {"armour": 1, "shields": 1, "combat_activities": 0}
    assert end(duel({"sure": 3, "combat_activities": 2}, target, round_limit=1)) == (0, 1, 10, 7)
    assert end(duel({"sure": 6}, target, round_limit=1)) == (0, 1, 10, 6)


@pytest.mark.rule("IS-HIT.8")
def test_the_hits_are_totalled() -> None:
    """One sure, one of two rolled (the other pays), two bought, three of bonus; never fewer than none."""
    asked = strike(
        by="green_gremlin", at="ecarus", sure=1, roll="HIT,HIT,LEG", effects="ko@HIT,hits2@LEG", bonus_hits=3
    )
    assert only(asked) == told(7, 7, symbols_left=1, effects_bought=2, ko=1)
    assert only(strike(roll="HIT", bonus_hits=-3)) == told(0, 0, symbols_left=1)


@pytest.mark.rule("IS-HIT.9", "IS-HIT.3")
def test_rolling_again_comes_before_buying_and_hits_are_added_at_the_end() -> None:
    """What paid for the re-roll is rolled again too; only the second roll pays for hits."""
    asked = strike(red=1, effects="hits1@ABI,reroll@ABI", sure=1)
    again = play(asked, attack_red=["ABI+ABI"], attack_red_again=["HIT+ABI"])
    assert again == told(3, 3, symbols_left=1, effects_bought=2)
    kept = strike(red=1, effects="hits3@ABI,reroll@ABI", sure=1)
    assert play(kept, attack_red=["ABI+ABI"]) == told(4, 4, symbols_left=1, effects_bought=1)


TYPES = ("arcane", "blunt", "piercing", "slashing")


@pytest.mark.rule("IS-HIT.11", "IS-DEF.1")
@pytest.mark.parametrize("damage", [*TYPES, "none"])
@pytest.mark.parametrize("of", TYPES)
def test_every_type_of_damage_meets_its_weakness_and_its_resistance(damage: str, of: str) -> None:
    for change in (2, -2):
        hits = 3 + change * (damage == of)
        assert only(strike(sure=3, damage_type=damage, modifiers=f"{of}:{change:+d}")) == told(3, hits)
        hits = 3 + change * (damage != of)
        assert only(strike(sure=3, damage_type=damage, modifiers=f"all_but_{of}:{change:+d}")) == told(3, hits)


@pytest.mark.rule("IS-HIT.11")
def test_whatever_deals_hits_may_be_defended() -> None:
    """A power as well as a weapon: armour, then shields, then dice."""
    asked = strike(by="auriel+thunder_lord_1", sure=4, armour=1, shields=1, defence_dice=1)
    assert chances(asked, "wounds") == {1: 4 * TENTH, 2: 6 * TENTH}


@pytest.mark.rule("IS-HIT.12")
def test_wounds_that_are_suffered_meet_no_defence() -> None:
    guarded = {"armour": 9, "shields": 9, "defence_dice": 9, "combat_activities": 0}
    assert end(duel({}, {**guarded, "poison": 2, "fire1": 3}, round_limit=1)) == (0, 1, 10, 5)
    wound = printed(
        {"criticals.graze.tokens": "0", "criticals.broken_armour.tokens": "0", "criticals.deep_wound.tokens": "0"}
    )
    asked = strike(sure=1, effects="critical@", armour=9, shields=9, game=wound)
    assert only(asked) == told(1, 1, effects_bought=1)


@pytest.mark.rule("IS-HIT.13")
def test_an_enemy_buys_the_dearest_first() -> None:
    """Two results for a slow that does nothing to the wounds, where a hero buys two lethal hits instead."""
    fields: dict[str, Any] = {
        "sure": 2,
        "roll": "ABI,ABI",
        "effects": "lethal1@ABI,lethal1@ABI,slow@ABI+ABI",
        "armour": 9,
    }
    of_enemy = strike(by="green_gremlin", at="ecarus", **fields)
    assert only(of_enemy) == told(2, 0, effects_bought=1, slow=1)
    assert only(strike(**fields)) == told(2, 2, lethal=2, effects_bought=2)
    assert only(strike(**fields, spends="dearest")) == only(of_enemy)
    printed_order = strike(by="green_gremlin", at="ecarus", roll="ABI", effects="slow@ABI,stun@ABI")
    assert only(printed_order) == told(0, 0, effects_bought=1, slow=1)


@pytest.mark.rule("IS-HIT.13")
def test_an_enemy_must_roll_again_where_it_can_pay() -> None:
    """The hero keeps two hits; the enemy has to roll them again."""
    fields: dict[str, Any] = {"red": 1, "effects": "reroll@HIT"}
    assert play(strike(**fields), attack_red=["HIT+HIT"]) == told(2, 2, symbols_left=2)
    of_enemy = strike(by="green_gremlin", at="ecarus", **fields)
    assert play(of_enemy, attack_red=["HIT+HIT"], attack_red_again=["MIS"]) == told(
        0, 0, symbols_left=1, effects_bought=1
    )


@pytest.mark.rule("IS-HIT.14")
def test_melee_reaches_its_own_area_and_ranged_attacks_as_far_as_is_printed() -> None:
    for distance in range(5):
        assert chances(GAME.ask("attack", "laegon_archer", "green_gremlin", {"situation.distance": distance}), "hits")
    for who, distance, allowed in (("laegon_archer", 5, "0 to 4"), ("ecarus", 1, "0: it is for melee")):
        weapon = {"laegon_archer": "long_bow", "ecarus": "long_sword"}[who]
        with pytest.raises(BalanceError) as error:
            GAME.ask("attack", who, "green_gremlin", {"situation.distance": distance})
        assert str(error.value) == (
            f"set situation, distance: '{distance}' is beyond the range of {weapon} (IS-HIT.14); allowed: {allowed}"
        )


UNARMED = {"heroes.ecarus.weapon": "", "heroes.ecarus.off_hand": "", "heroes.shae.armour": ""}


@pytest.mark.rule("IS-HIT.15", "IS-ITEM.8")
def test_an_unarmed_hero_against_one_without_armour() -> None:
    """One blue die each way: 4 of 10 faces hit, and 6 of 10 do not stop it."""
    asked = printed(UNARMED).ask("attack", "ecarus", "shae")
    assert chances(asked, "wounds") == {0: F(19, 25), 1: F(6, 25)}
    assert only(strike(roll="HIT", at="shae", defence_dice=0)) == told(1, 1, symbols_left=1)
    assert asked.setup.play.guards[0].change == 0


# -- the defence phase ------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-DEF.1")
def test_weakness_and_resistance_come_first_and_once_for_the_attack() -> None:
    assert only(strike(sure=2, damage_type="arcane", modifiers="arcane:+1", armour=3)) == told(2, 0)
    assert only(strike(sure=3, damage_type="arcane", modifiers="arcane:+1", armour=3)) == told(3, 1)
    assert only(strike(sure=1, damage_type="arcane", modifiers="arcane:-3")) == told(1, 0)
    both = strike(sure=3, damage_type="arcane", modifiers="arcane:+1;all_but_blunt:-2")
    assert only(both) == told(3, 2)


@pytest.mark.rule("IS-DEF.2")
def test_armour_takes_its_value_off_each_attack() -> None:
    for armour in range(5):
        assert only(strike(sure=3, armour=armour)) == told(3, max(3 - armour, 0))
    assert only(strike(sure=3, armour=3, ko=True)) == told(3, 3, ko=1)


@pytest.mark.rule("IS-DEF.3", "IS-ITEM.9")
def test_each_magic_shield_cancels_one_hit_after_armour() -> None:
    for shields in range(5):
        assert only(strike(sure=4, armour=1, shields=shields)) == told(4, max(3 - shields, 0))
    assert only(strike(sure=2, armour=0, shields=2, ko=True)) == told(2, 0, ko=1)


@pytest.mark.rule("IS-DEF.3")
def test_a_spent_magic_shield_is_back_in_the_next_time_phase_only() -> None:
    """Three shields against two attacks of two hits: the second meets one shield. One wound each round, four in all."""
    asked = duel({"sure": 2, "combat_activities": 2}, {"shields": 3, "combat_activities": 0}, round_limit=4)
    assert end(asked) == (0, 4, 10, 6)


@pytest.mark.rule("IS-DEF.4")
def test_as_many_dice_as_hits_are_left_and_at_most_the_value() -> None:
    """None is rolled for a hit that armour or a shield has stopped."""
    for sure, value in ((1, 2), (2, 2), (5, 2), (3, 0), (3, 9)):
        n = min(sure, value)
        every = strike(sure=sure + 2, armour=1, shields=1, defence_dice=value)
        assert every.distribution.total == 10**n
        assert play(every, **({"defence": ["SHD"] * n} if n else {})) == told(sure + 2, sure - n)


@pytest.mark.rule("IS-DEF.5")
def test_a_defender_spends_results_by_the_same_limits() -> None:
    one = strike(sure=4, defence_dice=2, defence_effects="shield1@ABI")
    assert play(one, defence=["ABI", "ABI"]) == told(4, 3)
    two = strike(sure=4, defence_dice=2, defence_effects="shield1@ABI,shield1@ABI")
    assert play(two, defence=["ABI", "ABI"]) == told(4, 2)
    assert play(two, defence=["SHD+ABI", "MIS"]) == told(4, 2)


@pytest.mark.rule("IS-DEF.5")
def test_a_defender_rolls_all_the_dice_again_once() -> None:
    """The result that pays is rolled again too, and so is a shield that was there."""
    asked = strike(by="green_gremlin", at="ecarus", sure=2, defence_dice=2, defence_effects="reroll@ABI")
    assert play(asked, defence=["ABI", "MIS"], defence_again=["SHD", "ABI"]) == told(2, 1)
    assert play(asked, defence=["SHD+ABI", "SHD"]) == told(2, 0)
    compelled = strike(sure=2, defence_dice=2, defence_effects="reroll@ABI")
    assert play(compelled, defence=["SHD+ABI", "SHD"], defence_again=["MIS", "MIS"]) == told(2, 2)


@pytest.mark.rule("IS-DEF.5", "IS-HIT.13")
def test_an_enemy_must_use_what_stops_less() -> None:
    """Two shields rolled pay for one: the enemy must buy it, a hero does not."""
    fields: dict[str, Any] = {"sure": 3, "defence_dice": 2, "defence_effects": "shield1@SHD+SHD"}
    assert play(strike(**fields), defence=["SHD", "SHD"]) == told(3, 2)
    assert play(strike(by="green_gremlin", at="ecarus", **fields), defence=["SHD", "SHD"]) == told(3, 1)


@pytest.mark.rule("IS-DEF.6")
def test_each_shield_rolled_cancels_one_hit_and_the_rest_are_wounds() -> None:
    asked = strike(sure=3, defence_dice=3)
    faces = ["MIS", "HIT", "SHD", "HIT+SHD", "SHD+ABI", "ABI", "MAG", "HIT+MAG"]
    for face in faces:
        assert play(asked, defence=[face, "SHD", "MIS"]) == told(3, 2 - ("SHD" in face))
    assert chances(asked, "wounds") == {0: F(64, 1000), 1: F(288, 1000), 2: F(432, 1000), 3: F(216, 1000)}


# -- focus and supremacy ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-SUP.7")
def test_supremacy_adds_a_hit_from_anywhere() -> None:
    assert only(strike(sure=1, supremacy=True)) == told(2, 2)
    assert only(strike(by="green_gremlin", at="ecarus", sure=1, supremacy=True)) == told(2, 2)
    assert only(strike(by="laegon_archer", sure=1, supremacy=True, distance=4, armour=1)) == told(2, 1)
    other = printed({"constants.attack.supremacy_hits": "3"})
    assert only(strike(sure=1, supremacy=True, game=other)) == told(4, 4)


@pytest.mark.rule("IS-SUP.8")
def test_supremacy_is_fixed_as_the_hit_phase_begins() -> None:
    """The attack that knocks the only opponent out has no hit more; the next one has."""
    first = duel({"sure": 1, "effects": "ko@"}, {"combat_activities": 0}, round_limit=1)
    assert end(first) == (0, 1, 10, 9)
    both = duel(
        {"sure": 1, "effects": "ko@", "combat_activities": 2}, {"combat_activities": 0}, round_limit=1,
        rules={"knocked_out_again": "nothing"},
    )  # fmt: skip
    assert end(both) == (0, 1, 10, 7)


@pytest.mark.rule("IS-ACT.14")
def test_focus_adds_a_hit_to_an_attack_of_any_weapon_or_power() -> None:
    assert only(strike(sure=1, focus=True)) == told(2, 2)
    assert only(strike(by="auriel+thunder_lord_1", sure=1, focus=True)) == told(2, 2)
    assert only(strike(sure=1, focus=True, supremacy=True, bonus_hits=2)) == told(5, 5)
    other = printed({"constants.attack.focus_hits": "2"})
    assert only(strike(sure=1, focus=True, game=other)) == told(3, 3)


# -- criticals --------------------------------------------------------------------------------------------------------

BAG = {"light_wound": 5, "deep_wound": 2, "broken_armour": 3, "graze": 5}


def bag(*kinds: str, **values: Any) -> dict[str, str]:
    """Return what makes a bag of these kinds alone; a value of one is written `kind__column`."""
    found = {f"criticals.{kind}.tokens": "0" for kind in BAG if kind not in kinds}
    return found | {f"criticals.{name.replace('__', '.')}": str(value) for name, value in values.items()}


@pytest.mark.rule("IS-CRIT.1", "IS-CRIT.4", "IS-AOE.2")
def test_criticals_of_one_attack_come_from_the_bag_without_replacement() -> None:
    """Fifteen tokens: five of one wound, two of two, eight of none that count here."""
    assert sum(BAG.values()) == 15
    one = strike(sure=1, armour=9, effects="critical@")
    assert chances(one, "wounds") == {0: F(8, 15), 1: F(5, 15), 2: F(2, 15)}
    two = strike(at="green_gremlin:2", sure=1, armour=9, effects="critical@,area0@")
    kinds = {0: 8, 1: 5, 2: 2}
    assert chances(two, "wounds", "others_wounds") == {
        (first, other): F(kinds[first] * (kinds[other] - (first == other)), 15 * 14)
        for first in kinds
        for other in kinds
    }


@pytest.mark.rule("IS-CRIT.2")
def test_a_critical_needs_a_hit_and_comes_before_the_defence() -> None:
    broken = printed(bag("broken_armour"))
    assert only(strike(sure=2, armour=1, effects="critical@", game=broken)) == told(2, 2, effects_bought=1)
    wound = printed(bag("deep_wound"))
    for sure, wounds in ((0, 0), (1, 2), (2, 2)):
        asked = strike(sure=sure, armour=2, effects="critical@", game=wound)
        assert only(asked) == told(sure, wounds, effects_bought=1)
    knocked_out = printed(bag("graze", graze__colour="blue", graze__condition="ko"))
    assert only(strike(sure=2, armour=2, effects="critical@", game=knocked_out)) == told(2, 2, effects_bought=1, ko=1)


@pytest.mark.rule("IS-CRIT.3")
def test_a_critical_holds_though_every_hit_is_stopped() -> None:
    stunned = printed(bag("graze", graze__colour="blue", graze__condition="stun"))
    for fields in ({"armour": 2}, {"shields": 2}, {"modifiers": "blunt:-2", "damage_type": "blunt"}):
        asked = strike(sure=2, effects="critical@", game=stunned, **fields)
        assert only(asked) == told(2, 0, effects_bought=1, stun=1)
    asked = strike(sure=2, effects="critical@", game=stunned, defence_dice=2)
    assert play(asked, defence=["SHD", "SHD"]) == told(2, 0, effects_bought=1, stun=1)


@pytest.mark.rule("IS-CRIT.4")
def test_a_green_critical_is_over_at_once() -> None:
    """Drawn in each of three rounds, it wounds each time, and leaves nothing behind."""
    deep = printed(bag("deep_wound"))
    asked = duel({"sure": 1, "effects": "critical@"}, {"armour": 9, "combat_activities": 0}, game=deep, round_limit=3)
    assert end(asked) == (0, 3, 10, 4)


@pytest.mark.rule("IS-CRIT.5")
@pytest.mark.parametrize(
    ("condition", "after"),
    [("ko", {"ko": 1}), ("stun", {"stun": 1}), ("slow", {"slow": 1}), ("blind", {"blind": 1}),
     ("poison1", {"poison": 1}), ("poison2", {"poison": 2})],
)  # fmt: skip
def test_a_blue_critical_gives_its_condition(condition: str, after: dict[str, int]) -> None:
    game = printed(bag("graze", graze__colour="blue", graze__condition=condition))
    assert only(strike(sure=1, armour=0, effects="critical@", game=game)) == told(1, 1, effects_bought=1, **after)


# -- lethal hits ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-LETH.1")
def test_lethal_turns_so_many_hits_or_all_of_them() -> None:
    for effect, lethal in (("lethal1@", 1), ("lethal2@", 2), ("lethal9@", 3), ("lethal@", 3)):
        assert only(strike(sure=3, armour=9, effects=effect)) == told(3, lethal, lethal=lethal, effects_bought=1)
        assert only(strike(armour=9, effects=effect)) == told(0, 0, effects_bought=1)


@pytest.mark.rule("IS-LETH.2", "IS-LETH.5")
def test_lethal_hits_pass_armour_and_dice_and_leave_armour_whole() -> None:
    """Four hits, two of them lethal: armour 1 stops one of the other two, and a die rolls for the last."""
    asked = strike(sure=4, armour=1, defence_dice=9, effects="lethal2@")
    assert play(asked, defence=["SHD"]) == told(4, 2, lethal=2, effects_bought=1)
    assert play(asked, defence=["MIS"]) == told(4, 3, lethal=2, effects_bought=1)
    assert only(strike(sure=2, defence_dice=9, effects="lethal2@")) == told(2, 2, lethal=2, effects_bought=1)
    full = strike(sure=4, armour=2, effects="lethal2@")
    assert only(full) == told(4, 2, lethal=2, effects_bought=1)


@pytest.mark.rule("IS-LETH.3")
def test_magic_shields_and_resistance_stop_lethal_hits() -> None:
    assert only(strike(sure=3, shields=1, effects="lethal@")) == told(3, 2, lethal=3, effects_bought=1)
    resisted = strike(sure=3, damage_type="blunt", modifiers="blunt:-2", effects="lethal@")
    assert only(resisted) == told(3, 1, lethal=3, effects_bought=1)
    weak = strike(sure=3, damage_type="blunt", modifiers="blunt:+2", armour=9, effects="lethal@")
    assert only(weak) == told(3, 5, lethal=3, effects_bought=1)
    partly = strike(sure=3, damage_type="blunt", modifiers="blunt:+2", armour=9, effects="lethal2@")
    assert only(partly) == told(3, 2, lethal=2, effects_bought=1)
    first = strike(sure=3, shields=2, armour=1, effects="lethal1@")
    assert only(first) == told(3, 0, lethal=1, effects_bought=1)


@pytest.mark.rule("IS-LETH.4")
def test_each_lethal_hit_left_is_a_wound() -> None:
    for sure in range(5):
        asked = strike(sure=sure, armour=9, shields=1, effects="lethal@")
        assert only(asked) == told(sure, max(sure - 1, 0), lethal=sure, effects_bought=1)


# -- areas ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-AOE.1", "IS-AOE.2")
def test_an_area_attack_reaches_the_others_and_each_defends_alone() -> None:
    """Two hits on all: the target's armour 1, the second's shield, the third's two dice."""
    own = {"defender.1.armour": 1, "defender.2.shields": 1, "defender.3.defence_dice": 2}
    changes = {"attacker.sure": 2, "attacker.red": 0, "attacker.blue": 0, "situation.roll": "MAG,MAG"}
    plain = {f"defender.{name}": value for name, value in (("armour", 0), ("shields", 0), ("defence_dice", 0))}
    for effects, bought in (("area0@MAG+MAG", 1), ("area0@ABI", 0)):
        asked = GAME.ask(
            "attack",
            "ecarus",
            ",".join(["green_gremlin"] * 3),
            {**plain, **changes, **own, "attacker.effects": effects},
        )
        dice = {"defence_3": ["SHD", "MIS"]} if bought else {}
        expected = told(2, 1, effects_bought=bought, symbols_left=2 - 2 * bought, others_wounds=2 * bought)
        assert play(asked, **dice) == expected


@pytest.mark.rule("IS-AOE.2")
def test_all_in_an_area_meet_the_same_hits_of_one_roll() -> None:
    """Without a defence, each suffers what the one red die shows; nothing in between."""
    asked = strike(at="green_gremlin:3", red=1, effects="area0@")
    assert chances(asked, "wounds", "others_wounds") == {(0, 0): 3 * TENTH, (1, 2): 6 * TENTH, (2, 4): TENTH}


# -- cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-ITEM.5")
@pytest.mark.parametrize(
    ("weapon", "profile"),
    [
        ("greedy_stinger", (1, 1, 0, "piercing", ("poison1@MAG",), 0)),
        ("crystal_dagger", (0, 2, 1, "piercing", ("lethal2@ABI+ABI",), 0)),
        ("elven_knives", (0, 2, 1, "piercing", ("lethal1@ABI",), 2)),
    ],
)
def test_a_weapon_attacks_with_what_its_card_tells(weapon: str, profile: tuple[Any, ...]) -> None:
    sure, red, blue, damage, effects, reach = profile
    card = GAME.ask("attack", f"shae+{weapon}", "red_gremlin", {"situation.distance": reach})
    strike_of = card.setup.play.strike
    assert (strike_of.sure, strike_of.red, strike_of.blue, tuple(map(str, strike_of.effects))) == (
        sure,
        red,
        blue,
        effects,
    )
    typed = {"sure": sure, "red": red, "blue": blue, "damage_type": damage, "effects": ",".join(effects)}
    same = GAME.ask("attack", "shae", "red_gremlin", {f"attacker.{name}": value for name, value in typed.items()})
    assert card.distribution == same.distribution
    for word, change in ((damage, -1), ("arcane", 0)):
        met = GAME.ask("attack", f"shae+{weapon}", "red_gremlin", {"defender.modifiers": f"{word}:-1"})
        assert met.setup.play.guards[0].change == change


@pytest.mark.rule("IS-ITEM.7")
@pytest.mark.parametrize(
    ("armour", "card"),
    [
        ("chain_mail", (1, 0, 2, ())),
        ("plate_armour_forged", (2, 1, 2, ("shield1@ABI",))),
        ("scale_armour", (1, 0, 3, ("reroll@ABI",))),
    ],
)  # fmt: skip
def test_an_armour_defends_with_what_its_card_tells(armour: str, card: tuple[Any, ...]) -> None:
    value, shields, dice, effects = card
    worn = GAME.ask("attack", "red_bandit", f"ecarus+{armour}")
    guard = worn.setup.play.guards[0]
    assert (guard.armour, dict(guard.start)["shields"], guard.defence_dice) == (value, shields, dice)
    assert tuple(map(str, guard.effects)) == effects
    typed = {"armour": value, "shields": shields, "defence_dice": dice, "defence_effects": ",".join(effects) or "none"}
    same = GAME.ask("attack", "red_bandit", "ecarus", {f"defender.{name}": text for name, text in typed.items()})
    assert worn.distribution == same.distribution


@pytest.mark.rule("IS-ITEM.8")
def test_a_hero_without_armour_rolls_one_die() -> None:
    other = printed({"heroes.ecarus.armour": ""})
    guard = other.ask("attack", "red_bandit", "ecarus").setup.play.guards[0]
    assert (guard.armour, guard.defence_dice, guard.effects) == (0, 1, ())
    more = printed({"heroes.ecarus.armour": "", "constants.defence.unarmoured_dice": "2"})
    assert more.ask("attack", "red_bandit", "ecarus").setup.play.guards[0].defence_dice == 2


@pytest.mark.rule("IS-ITEM.9")
def test_magic_shields_of_all_items_are_one_pool() -> None:
    """The forged robe has two, the ring one."""
    asked = GAME.ask("attack", "red_bandit", "auriel+mage_robe_forged+amber_ring", {"defender.defence_dice": 0})
    assert dict(asked.setup.play.guards[0].start)["shields"] == 3
    assert only(strike(by="red_bandit", at="auriel+mage_robe_forged+amber_ring", sure=5, shields=3)) == told(5, 2)


@pytest.mark.rule("IS-ENE.6")
@pytest.mark.parametrize(
    ("enemy", "card"),
    [
        ("orc_king", (2, 1, 3, 26, ("shield1@ABI",), {"arcane": 0, "blunt": -1, "none": -1})),
        ("troll", (2, 0, 2, 22, (), {"arcane": 1, "piercing": -1, "slashing": 0, "none": 0})),
        ("green_orc_shaman", (0, 2, 0, 6, (), {"arcane": 0, "blunt": 0})),
    ],
)
def test_an_enemy_defends_with_what_its_card_tells(enemy: str, card: tuple[Any, ...]) -> None:
    armour, shields, dice, health, effects, changes = card
    for damage, change in changes.items():
        guard = GAME.ask("attack", "ecarus", enemy, {"attacker.damage_type": damage}).setup.play.guards[0]
        assert (guard.armour, dict(guard.start)["shields"], guard.defence_dice, guard.health) == (
            armour,
            shields,
            dice,
            health,
        )
        assert (tuple(map(str, guard.effects)), guard.change) == (effects, change)


@pytest.mark.rule("IS-HP.1")
def test_who_has_as_many_wounds_as_health_is_dead() -> None:
    for health, alive in ((3, 0), (2, 0), (4, 1)):
        asked = duel({"sure": 3}, {"health": health, "combat_activities": 0}, round_limit=1)
        assert end(asked) == (int(not alive), 1, 10, max(health - 3, 0))


@pytest.mark.rule("IS-HP.1")
def test_a_critical_that_takes_health_away_may_kill() -> None:
    """Two wounds of four health; a most of two less leaves none."""
    frail = printed(bag("broken_armour", broken_armour__armour=0, broken_armour__max_health=-2))
    asked = duel({"sure": 2, "effects": "critical@"}, {"health": 4, "combat_activities": 0}, game=frail)
    assert end(asked) == (1, 1, 10, 0)
    assert end(duel({"sure": 2}, {"health": 4, "combat_activities": 0}, game=frail)) == (1, 2, 10, 0)

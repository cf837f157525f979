"""The rules of a hero's duel with an enemy, each on a small case worked out by hand, most of them without any chance.

The fighters are plain unless a test says otherwise: 10 health, one attack a turn that does nothing, no defence, no
power and no focus. The end of a duel is told as (winner, rounds, health of the hero, health of the enemy).
"""

from __future__ import annotations

from typing import Any

import pytest

from balance.base.errors import BalanceError
from balance.games.immortal_souls.tables.cards import Gem
from tests.games.immortal_souls.plays import GAME, duel, end, ends, play, power, printed
from tests.games.immortal_souls.test_attack_rules import bag

STILL = {"combat_activities": 0}
"""An enemy that never attacks."""
SAVES = {f"faces.blue_{face}.results": "SHD" for face in range(1, 11)}
"""Every save succeeds that needs a shield."""
FAILS = {f"faces.blue_{face}.results": "MIS" for face in range(1, 11)}


# -- turns and activities ---------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-HIT.10", "IS-ACT.1")
def test_each_combat_activity_is_an_attack_of_its_own() -> None:
    for activities in range(4):
        asked = duel({"sure": 2, "combat_activities": activities}, STILL, round_limit=1)
        assert end(asked) == (0, 1, 10, 10 - 2 * activities)
    asked = duel({}, {"sure": 2, "combat_activities": 3}, round_limit=1)
    assert end(asked) == (0, 1, 4, 10)


@pytest.mark.rule("IS-HIT.10", "IS-POW.2", "IS-POW.4")
def test_a_combat_activity_starts_a_power_and_the_next_one_takes_the_weapon() -> None:
    mine = {"sure": 1, **power(4, 2)}
    assert end(duel({**mine, "combat_activities": 2}, STILL, round_limit=1)) == (0, 1, 10, 5)
    assert end(duel({**mine, "combat_activities": 1}, STILL, round_limit=1)) == (0, 1, 10, 6)
    assert end(duel({**mine, "combat_activities": 2}, STILL, round_limit=1, a_power="never")) == (0, 1, 10, 8)


@pytest.mark.rule("IS-ACT.1")
@pytest.mark.parametrize("rank", range(1, 8))
def test_the_gem_says_how_many_combat_activities_a_turn_has(rank: int) -> None:
    gem = GAME.catalogue.entries(Gem)[f"ecarus_{rank}"]
    changes = {"a.rank": rank, "a.sure": 1, "a.red": 0, "a.blue": 0, "a.effects": "none", "a.focus": False}
    target = {"b.armour": 0, "b.defence_dice": 0, "b.combat_activities": 0, "b.health": 50}
    asked = GAME.ask(
        "duel", "ecarus", "green_gremlin", {**changes, **target, "a.power_cooldown": 0, "situation.round_limit": 1}
    )
    assert end(asked) == (0, 1, gem.health, 50 - gem.combat_activities)


@pytest.mark.rule("IS-ACT.14", "IS-ACT.1")
def test_focus_is_for_one_attack_of_each_round() -> None:
    mine = {"sure": 1, "focus": True, "combat_activities": 2}
    for rounds in (1, 2, 3):
        assert end(duel(mine, STILL, round_limit=rounds)) == (0, rounds, 10, 10 - 3 * rounds)
    powered = {**mine, **power(2, 1)}
    assert end(duel(powered, STILL, round_limit=1)) == (0, 1, 10, 10 - 3 - 1)


@pytest.mark.rule("IS-ACT.14", "IS-HP.9")
def test_a_hero_without_an_action_does_not_focus() -> None:
    changes = {
        "a.sure": 1,
        "a.red": 0,
        "a.blue": 0,
        "a.effects": "none",
        "a.power_cooldown": 0,
        "situation.round_limit": 1,
    }
    target = {"b.armour": 0, "b.defence_dice": 0, "b.combat_activities": 0, "b.health": 50}
    for actions, left in (("0", 49), ("1", 48)):
        game = printed({"gems.ecarus_1.actions": actions})
        assert end(game.ask("duel", "ecarus", "green_gremlin", {**changes, **target}))[3] == left


# -- supremacy --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-SUP.4")
def test_over_an_opponent_who_is_knocked_out_one_hit_more() -> None:
    """The enemy stands up as it acts; the hero before he attacks. Who is knocked out himself has no supremacy."""
    assert end(duel({"sure": 1}, {"ko": True, **STILL}, round_limit=1)) == (0, 1, 10, 8)
    assert end(duel({"sure": 1}, {"ko": True, **STILL}, round_limit=2)) == (0, 2, 10, 7)
    assert end(duel({"sure": 1}, STILL, round_limit=1)) == (0, 1, 10, 9)
    of_hero = duel({}, {"sure": 1, "effects": "ko@", "combat_activities": 2}, round_limit=1,
                   rules={"knocked_out_again": "nothing"})  # fmt: skip
    assert end(of_hero) == (0, 1, 7, 10)


# -- red criticals ----------------------------------------------------------------------------------------------------

CRITICAL = {"sure": 1, "effects": "critical@"}


def red(**values: Any) -> Any:
    """Return the game with a bag of one kind of red critical."""
    return printed(bag("broken_armour", **{"broken_armour__armour": 0, **values}))


@pytest.mark.rule("IS-CRIT.6", "IS-CRIT.8")
def test_a_red_critical_stays() -> None:
    """Drawn once, by the power, it takes armour off every later attack: 2 hits on armour 2, less 1, four times."""
    mine = {"sure": 2, **power(2, 4, "critical@")}
    asked = duel(mine, {"armour": 2, **STILL}, round_limit=4, game=red(broken_armour__armour=-1))
    assert end(asked) == (0, 4, 10, 6)


@pytest.mark.rule("IS-CRIT.7", "IS-COND.2")
def test_the_same_critical_again_is_a_wound() -> None:
    """Against armour 9 the first only lowers it, the second and third wound."""
    for rounds, left in ((1, 10), (2, 9), (3, 8)):
        asked = duel(CRITICAL, {"armour": 9, **STILL}, round_limit=rounds, game=red(broken_armour__armour=-1))
        assert end(asked) == (0, rounds, 10, left)


TWO = bag(
    "broken_armour", "deep_wound", broken_armour__armour=-1, deep_wound__colour="red", deep_wound__wounds=0,
    deep_wound__armour=-2, broken_armour__tokens=1, deep_wound__tokens=1,
)  # fmt: skip


@pytest.mark.rule("IS-CRIT.7")
def test_a_greater_critical_replaces_the_lesser_without_a_wound() -> None:
    """Two draws of -1 or -2, each half the time: only -1 then -2 costs nothing; -2 then -1 is a wound (IS-Q44)."""
    asked = duel(CRITICAL, {"armour": 9, **STILL}, round_limit=2, game=printed(TWO))
    assert {row[3]: float(p) for row, p in ends(asked).items()} == pytest.approx({10: 1 / 4, 9: 3 / 4})


@pytest.mark.rule("IS-CRIT.8")
def test_red_criticals_take_hits_armour_health_or_effects() -> None:
    """The hero draws one in his first attack; what it changes shows in the same round, or the next."""
    fewer_hits = duel(CRITICAL, {"sure": 3}, round_limit=1, game=red(broken_armour__hits=-1))
    assert end(fewer_hits) == (0, 1, 8, 9)
    less_armour = duel({"sure": 2, "effects": "critical@"}, {"armour": 2, **STILL}, round_limit=1,
                       game=red(broken_armour__armour=-1))  # fmt: skip
    assert end(less_armour) == (0, 1, 10, 9)
    less_health = duel(CRITICAL, STILL, round_limit=1, game=red(broken_armour__max_health=-2))
    assert end(less_health) == (0, 1, 10, 7)
    no_effects = duel(
        CRITICAL, {"sure": 1, "effects": "hits3@"}, round_limit=1, game=red(broken_armour__silences="true")
    )
    assert end(no_effects) == (0, 1, 9, 9)
    assert end(duel({"sure": 1}, {"sure": 1, "effects": "hits3@"}, round_limit=1)) == (0, 1, 6, 9)


@pytest.mark.rule("IS-CRIT.8")
def test_hits_are_never_fewer_than_none_for_a_critical() -> None:
    asked = duel(CRITICAL, {"sure": 1}, round_limit=1, game=red(broken_armour__hits=-3))
    assert end(asked) == (0, 1, 10, 9)


@pytest.mark.rule("IS-CRIT.8")
def test_whom_a_critical_silenced_uses_no_effect_of_attack_or_defence() -> None:
    """What is paid for as well as what is free, and re-rolls; an enemy who must buy, and a hero who would.

    The hero is silenced as the first attack meets him, so after his own; the second critical is one wound.
    """
    silent = red(broken_armour__silences="true")
    target = {
        "sure": 1,
        "red": 1,
        "effects": "hits3@HIT,reroll@ABI",
        "defence_dice": 1,
        "defence_effects": "shield1@ABI,reroll@MAG",
    }
    asked = duel(CRITICAL, target, round_limit=1, game=silent)
    kept = {"a_weapon_defence": ["ABI"], "b_weapon_attack_red": ["HIT+ABI"]}
    assert play(asked, **kept) == {"winner": 0, "rounds": 1, "a_health": 8, "b_health": 9}
    mine = {**target, "sure": 2}
    heroic = duel(mine, CRITICAL, round_limit=2, game=silent)
    dice = {"a_weapon_attack_red": ["HIT", "HIT+ABI"], "b_weapon_defence": ["ABI", "ABI"]}
    assert play(heroic, **dice) == {"winner": 0, "rounds": 2, "a_health": 7, "b_health": 2}


@pytest.mark.rule("IS-CRIT.9")
def test_criticals_are_the_same_for_enemies() -> None:
    """Who strikes a second time against armour 2: broken by the first attack, it lets one of two hits through."""
    game = red(broken_armour__armour=-1)
    twice = {"sure": 2, "effects": "critical@", "combat_activities": 2}
    on_enemy = end(duel(twice, {"armour": 3, **STILL}, round_limit=1, game=game))
    on_hero = end(duel({"armour": 3}, twice, round_limit=1, game=game))
    assert (on_enemy, on_hero) == ((0, 1, 10, 9), (0, 1, 9, 10))


# -- fire -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-FIRE.1", "IS-FIRE.4")
def test_fire_tokens_add_up_and_are_no_condition() -> None:
    """A Fire I in each of two attacks: two wounds in the next Time Phase, and none at once."""
    asked = {"sure": 0, "effects": "fire1@", "combat_activities": 2}
    assert end(duel(asked, STILL, round_limit=1)) == (0, 1, 10, 10)
    assert end(duel({**asked, "effects": "fire1@,fire1@"}, {"fire1": 3, **STILL}, round_limit=1)) == (0, 1, 10, 7)
    assert end(duel(asked, STILL, round_limit=2)) == (0, 2, 10, 8)


@pytest.mark.rule("IS-FIRE.2", "IS-HIT.12")
def test_fire_burns_down_in_the_time_phase() -> None:
    """Fire II: a wound, then as Fire I another, then nothing. On either side, whatever the defence."""
    guard = {"armour": 9, "shields": 9, "defence_dice": 9}
    for rounds, wounds in ((1, 3), (2, 5), (3, 5)):
        asked = duel({"fire1": 1, "fire2": 2, **guard}, {"fire1": 1, "fire2": 2, **guard}, round_limit=rounds)
        assert end(asked) == (0, rounds, 10 - wounds, 10 - wounds)


@pytest.mark.rule("IS-FIRE.2")
def test_a_new_fire_burns_in_the_next_two_time_phases() -> None:
    """IS-Q46: laid by a power that is used once in the four rounds."""
    mine = power(0, 4, "fire2@")
    for rounds, left in ((1, 10), (2, 9), (3, 8), (4, 8)):
        assert end(duel(mine, STILL, round_limit=rounds)) == (0, rounds, 10, left)


# -- conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-COND.1", "IS-COND.2")
@pytest.mark.parametrize("condition", ["ko", "poison1", "poison2", "blind", "slow", "stun"])
def test_each_condition_a_second_time_is_a_wound(condition: str) -> None:
    """Bought twice in one attack; on a hero as on an enemy."""
    twice = {"effects": f"{condition}@,{condition}@"}
    assert end(duel(twice, STILL, round_limit=1)) == (0, 1, 10, 9)
    assert end(duel({}, twice, round_limit=1)) == (0, 1, 9, 10)
    assert end(duel({"effects": f"{condition}@"}, STILL, round_limit=1)) == (0, 1, 10, 10)


@pytest.mark.rule("IS-COND.1", "IS-COND.2")
def test_different_conditions_may_be_held_at_once() -> None:
    every = "ko@,poison1@,blind@,slow@,stun@"
    assert end(duel({"effects": every}, STILL, round_limit=1)) == (0, 1, 10, 10)


@pytest.mark.rule("IS-COND.4")
def test_a_hero_who_is_knocked_out_ignores_his_armour_and_stands_up_first() -> None:
    """The enemy strikes twice: armour 2 stops the first attack, not the second; then he attacks as ever."""
    foe = {"sure": 2, "effects": "ko@ABI", "red": 1, "combat_activities": 2}
    asked = duel({"armour": 3, "sure": 1}, foe, round_limit=1, rules={"supremacy_over_knocked_out": False})
    dice = {"b_weapon_attack_red": ["HIT+ABI", "MIS"]}
    assert play(asked, **dice) == {"winner": 0, "rounds": 1, "a_health": 10 - 3 - 2, "b_health": 9}
    whole = {"b_weapon_attack_red": ["HIT", "MIS"]}
    assert play(asked, **whole) == {"winner": 0, "rounds": 1, "a_health": 10, "b_health": 9}
    assert end(duel({"ko": True, "sure": 1, "combat_activities": 2}, STILL, round_limit=1)) == (0, 1, 10, 8)
    assert end(duel({"ko": True, "armour": 2}, {"sure": 2}, round_limit=1)) == (0, 1, 10, 10)


@pytest.mark.rule("IS-COND.4", "IS-COND.7")
def test_for_a_slowed_hero_standing_up_is_all() -> None:
    foe = {"effects": "ko@,slow@", "combat_activities": 1}
    rules = {"repeated_condition_wounds": False}
    assert end(duel({"sure": 1, "combat_activities": 3}, foe, round_limit=3, rules=rules)) == (0, 3, 10, 7)


@pytest.mark.rule("IS-COND.5", "IS-SAVE.3")
@pytest.mark.parametrize(("game", "lost"), [(SAVES, (1, 1, 1)), (FAILS, (1, 2, 3))])
def test_a_poisoned_hero_is_wounded_and_then_saves(game: dict[str, str], lost: tuple[int, int, int]) -> None:
    for poison in (1, 2):
        for rounds in (1, 2, 3):
            asked = duel({"poison": poison, "save": "SHD"}, STILL, round_limit=rounds, game=printed(game))
            assert end(asked) == (0, rounds, 10 - poison * lost[rounds - 1], 10)


@pytest.mark.rule("IS-COND.5")
def test_the_stronger_poison_turns_the_weaker_and_wounds() -> None:
    """One wound at once, and two in the next Time Phase."""
    asked = {"poison": 1, "save": "SHD"}
    foe = {"effects": "poison2@"}
    game = printed(FAILS)
    assert end(duel(asked, foe, round_limit=1, game=game)) == (0, 1, 10 - 1 - 1, 10)
    once = duel(asked, {"effects": "poison2@HIT+HIT", "red": 1}, round_limit=2, game=game)
    dice = {"b_weapon_attack_red": ["HIT+HIT", "MIS"]}
    assert play(once, **dice) == {"winner": 0, "rounds": 2, "a_health": 10 - 1 - 1 - 2, "b_health": 10}


@pytest.mark.rule("IS-COND.6", "IS-SAVE.3")
def test_a_blinded_hero_saves_before_each_attack() -> None:
    """Blinded in the first round: in the second each of his two attacks needs a save; in the third none does."""
    mine = {"sure": 1, "combat_activities": 2, "save": "SHD"}
    foe = {"red": 1, "effects": "blind@ABI+ABI"}
    for saves, hits in ((["SHD", "MIS"], 1), (["MIS", "HIT+SHD"], 1), (["SHD+ABI", "SHD"], 2), (["MIS", "ABI"], 0)):
        asked = duel(mine, foe, round_limit=3)
        dice = {"a_blind_save": ["MIS", "MIS", *saves, "MIS", "MIS"], "b_weapon_attack_red": ["ABI+ABI", "MIS", "MIS"]}
        assert play(asked, **dice) == {"winner": 0, "rounds": 3, "a_health": 10, "b_health": 10 - 2 - hits - 2}


@pytest.mark.rule("IS-COND.7")
def test_a_slowed_hero_has_one_activity() -> None:
    """Three attacks in the first round, one in each later one; to focus would be another activity."""
    mine = {"sure": 1, "combat_activities": 3}
    foe = {"effects": "slow@"}
    assert [end(duel(mine, foe, round_limit=rounds))[3] for rounds in (1, 2, 3)] == [7, 6, 5]
    focused = {**mine, "focus": True}
    assert [end(duel(focused, foe, round_limit=rounds))[3] for rounds in (1, 2, 3)] == [6, 5, 4]


@pytest.mark.rule("IS-COND.8")
def test_a_stunned_hero_skips_his_turn_and_the_enemy_does_not() -> None:
    """Stunned in every Enemy Turn: he attacks in the first round only; the stun of his skipped turn is off."""
    foe = {"sure": 1, "effects": "stun@"}
    mine = {"sure": 1}
    assert [end(duel(mine, foe, round_limit=rounds))[2:] for rounds in (1, 2, 3)] == [(9, 9), (8, 9), (7, 9)]
    once = duel(mine, {"red": 1, "effects": "stun@ABI+ABI"}, round_limit=3)
    dice = {"b_weapon_attack_red": ["ABI+ABI", "MIS", "MIS"]}
    assert play(once, **dice) == {"winner": 0, "rounds": 3, "a_health": 10, "b_health": 8}


@pytest.mark.rule("IS-COND.8", "IS-COND.4")
def test_a_stunned_hero_who_is_knocked_out_stays_down() -> None:
    """His armour is off in the Enemy Turns of two rounds, of the one he is stunned in too."""
    foe = {"sure": 1, "red": 1, "effects": "stun@ABI,ko@ABI"}
    asked = duel({"armour": 1, "sure": 1}, foe, round_limit=2, rules={"supremacy_over_knocked_out": False})
    dice = {"b_weapon_attack_red": ["ABI+ABI", "MIS"]}
    assert play(asked, **dice) == {"winner": 0, "rounds": 2, "a_health": 8, "b_health": 9}


@pytest.mark.rule("IS-COND.9")
def test_an_enemy_that_is_knocked_out_has_no_armour_until_it_acts() -> None:
    """It stands up first and goes on: both its attacks are made. Where its card is not drawn it stays down."""
    down = {"ko": True, "armour": 5, "sure": 1, "combat_activities": 2}
    plain = {"supremacy_over_knocked_out": False}
    assert end(duel({"sure": 2}, down, round_limit=1, rules=plain)) == (0, 1, 8, 8)
    assert end(duel({"sure": 2}, down, round_limit=2, rules=plain)) == (0, 2, 6, 8)
    assert end(duel({"sure": 2}, down, round_limit=2, rules=plain, activation_chance=0)) == (0, 2, 10, 6)


@pytest.mark.rule("IS-COND.10")
def test_a_slowed_enemy_acts_by_its_first_sentence_once() -> None:
    """Three attacks, of which its first sentence has one; slowed by the power, once in three rounds."""
    mine = power(0, 4, "slow@")
    foe = {"sure": 1, "combat_activities": 3}
    assert [end(duel(mine, foe, round_limit=rounds))[2] for rounds in (1, 2)] == [9, 6]
    none = printed({"enemies.green_gremlin.slowed_attacks": "0"})
    assert [end(duel(mine, foe, round_limit=rounds, game=none))[2] for rounds in (1, 2)] == [10, 7]


@pytest.mark.rule("IS-COND.11", "IS-SAVE.2")
def test_a_poisoned_enemy_is_wounded_until_it_is_dead() -> None:
    """It has no save, though every face would be one."""
    for poison, rounds in ((1, 10), (2, 5)):
        assert end(duel({"save": "SHD"}, {"poison": poison, **STILL}, game=printed(SAVES))) == (1, rounds, 10, 0)
    assert end(duel({}, {"poison": 2, "health": 2, **STILL})) == (1, 1, 10, 0)


@pytest.mark.rule("IS-COND.13")
def test_a_stunned_enemy_loses_its_next_activation() -> None:
    mine = power(0, 4, "stun@")
    foe = {"sure": 1, "combat_activities": 2}
    assert [end(duel(mine, foe, round_limit=rounds))[2] for rounds in (1, 2, 3)] == [10, 8, 6]
    assert end(duel(mine, foe, round_limit=1, enemy_turns=2))[2] == 8
    asleep = duel(mine, foe, round_limit=1, activation_chance=0.5, enemy_turns=2)
    assert {row[2]: float(p) for row, p in ends(asleep).items()} == pytest.approx({10: 3 / 4, 8: 1 / 4})


# -- death and ranks --------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-HP.3", "IS-HP.1")
def test_a_hero_who_dies_is_out_at_once() -> None:
    """In the Time Phase before his turn, and in an Enemy Turn before its further attacks; nothing is below 0."""
    assert end(duel({"health": 1, "fire1": 1, "sure": 9}, {})) == (2, 1, 0, 10)
    assert end(duel({"health": 3, "sure": 1}, {"sure": 2, "combat_activities": 5})) == (2, 1, 0, 9)
    assert end(duel({"sure": 9}, {"health": 2, "sure": 9})) == (1, 1, 10, 0)


@pytest.mark.rule("IS-HP.9")
@pytest.mark.parametrize("hero", ["ecarus", "shae_assassin", "auriel"])
def test_a_soul_rank_gives_health_powers_and_activities(hero: str) -> None:
    for gem in GAME.catalogue.entries(Gem).values():
        if gem.hero == hero:
            me = GAME.ask("duel", hero, "green_gremlin", {"a.rank": gem.rank}).setup.play.hero
            assert (me.health, me.attacks, me.focus) == (gem.health, gem.combat_activities, int(gem.actions > 0))


# -- powers -----------------------------------------------------------------------------------------------------------


def power_of(hero: str, rank: int, game: Any = GAME) -> tuple[Any, ...]:
    """Return the dice and hourglasses of the power that a hero uses in a duel at a rank; empty for none."""
    me = game.ask("duel", hero, "green_gremlin", {"a.rank": rank}).setup.play.hero
    if me.power is None:
        return ()
    strike = me.power.attack.strike
    return strike.sure, strike.red, strike.blue, ",".join(map(str, strike.effects)), me.cooldown


@pytest.mark.rule("IS-POW.1", "IS-POW.3", "IS-HP.9")
def test_powers_by_rank_each_at_its_highest_level() -> None:
    """Thunder Lord from rank I, at III its better level; the one power of rank I leaves no room for the fireball."""
    assert power_of("auriel", 1) == power_of("auriel", 2) == (0, 1, 1, "ko@ABI+MAG", 2)
    assert power_of("auriel", 3) == power_of("auriel", 7) == (1, 2, 2, "ko@ABI+MAG,stun@MAG+MAG", 3)
    assert [power_of("ecarus", rank) for rank in (1, 2, 3, 4)] == [()] * 4
    charge = (1, 3, 1, "ko@ABI+MAG,armour-1@ABI", 3)
    assert (power_of("ecarus", 5), power_of("ecarus", 6)[:3]) == (charge, (2, 3, 2))


@pytest.mark.rule("IS-POW.1")
def test_innate_powers_take_no_place_and_need_none() -> None:
    """With a taunt that is not innate, the holy charge of rank V would be a fourth power, and gems have three."""
    other = printed({"powers.taunt_1.innate": "false"})
    assert (power_of("ecarus", 5) != (), power_of("ecarus", 5, other)) == (True, ())


@pytest.mark.rule("IS-POW.1")
@pytest.mark.parametrize(
    ("hero", "power", "classes"),
    [
        ("ecarus", "thunder_lord_1", "auriel, auriel_enchantress"),
        ("ecarus", "dark_fury_3", "ecarus_black_rose"),
        ("auriel_enchantress", "healing_light_1", "auriel"),
    ],
)
def test_only_powers_of_ones_own_class(hero: str, power: str, classes: str) -> None:
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", f"{hero}+{power}", "green_gremlin", {"a.rank": 7})
    assert str(error.value) == f"a: '{power}' is no power of {hero} (IS-POW.1); allowed: {classes}"


@pytest.mark.rule("IS-POW.2")
def test_only_a_power_of_a_combat_activity_is_an_attack() -> None:
    """Heal Wounds comes first among Thorgar's, and takes an action; Hammer Throw takes a combat activity."""
    hammer = (1, 2, 1, "stun@ABI+ABI", 2)
    assert (power_of("thorgar", 1), power_of("thorgar", 3)) == ((), hammer)
    for activation in ("passive", "move", "action", "free", "reaction"):
        other = printed({"powers.hammer_throw_1.activation": activation})
        assert power_of("thorgar", 3, other) == ()


@pytest.mark.rule("IS-POW.3")
def test_a_level_above_the_rank_is_refused_and_one_below_may_be_chosen() -> None:
    asked = GAME.ask("duel", "thorgar+call_lightning_3", "green_gremlin", {"a.rank": 5})
    strike = asked.setup.play.hero.power.attack.strike
    assert (strike.sure, strike.red, strike.blue, asked.setup.play.hero.cooldown) == (1, 2, 2, 3)
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", "thorgar+call_lightning_5", "green_gremlin", {"a.rank": 3})
    assert str(error.value) == "a: 'call_lightning_5' needs rank 5 (IS-POW.3); set rank=5 for this side"


@pytest.mark.rule("IS-POW.4", "IS-POW.5")
@pytest.mark.parametrize("cooldown", [1, 2, 3, 4])
def test_a_power_of_n_hourglasses_is_ready_n_rounds_later(cooldown: int) -> None:
    """Two hits of the power in rounds 1, 1 + n, 1 + 2n ..., none of the weapon."""
    mine = power(2, cooldown)
    for rounds in range(1, 7):
        asked = duel(mine, {"health": 30, **STILL}, round_limit=rounds)
        uses = len(range(1, rounds + 1, cooldown))
        assert end(asked) == (0, rounds, 10, 30 - 2 * uses)


@pytest.mark.rule("IS-POW.4")
def test_a_power_that_cools_is_not_used_twice_in_a_turn() -> None:
    mine = {
        **power(3, 1),
        "combat_activities": 3,
    }
    assert [end(duel(mine, STILL, round_limit=rounds))[3] for rounds in (1, 2)] == [7, 4]


def test_a_power_that_only_has_hourglasses_does_nothing() -> None:
    """Ecarus has none at rank I: what is not set of it is nothing, but its damage type, which is the weapon's."""
    mine = {"sure": 3, "power_cooldown": 1, "combat_activities": 2}
    assert end(duel(mine, STILL, round_limit=1)) == (0, 1, 10, 7)
    weak = {"modifiers": "slashing:+1", **STILL}
    assert end(duel({**mine, "power_sure": 1}, weak, round_limit=1)) == (0, 1, 10, 4)
    assert end(duel({**mine, "power_sure": 1, "power_damage_type": "blunt"}, weak, round_limit=1)) == (0, 1, 10, 5)
    assert end(duel({**mine, "power_sure": 1, "damage_type": "blunt"}, weak, round_limit=1)) == (0, 1, 10, 6)


@pytest.mark.rule("IS-POW.2")
def test_a_wasted_activity_does_not_use_the_power() -> None:
    """IS-Q45: blinded in the first round, he fails in the second; the power is ready in the third."""
    mine = {"save": "SHD", **power(3, 1)}
    foe = {"red": 1, "effects": "blind@ABI+ABI"}
    dice = {"a_blind_save": ["MIS"] * 3, "b_weapon_attack_red": ["ABI+ABI", "MIS", "MIS"]}
    assert play(duel(mine, foe, round_limit=3), **dice)["b_health"] == 4


# -- items ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("IS-ITEM.1")
def test_only_what_is_worn_works() -> None:
    """A ring in the name takes the place of the ring on his card; a second armour cannot be worn."""
    robe = GAME.ask("duel", "auriel+mage_robe_forged", "green_gremlin").setup.play.hero
    assert (robe.shields, GAME.ask("duel", "auriel", "green_gremlin").setup.play.hero.shields) == (3, 2)
    bracers = GAME.ask("duel", "auriel+iron_bracers", "green_gremlin").setup.play.hero
    assert bracers.shields == 1
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", "auriel+mage_robe+leather_jerkin", "green_gremlin")
    assert str(error.value) == "a: 'mage_robe+leather_jerkin' are two armours; allowed: one armour"


@pytest.mark.rule("IS-ITEM.2")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("auriel+great_axe", "a: 'great_axe' is not for the style magic (IS-ITEM.2); allowed: strength"),
        ("shae+chain_mail", "a: 'chain_mail' is not for the style dexterity (IS-ITEM.2); allowed: faith, strength"),
        ("ecarus+amber_ring", "a: 'amber_ring' is not for the style strength (IS-ITEM.2); allowed: magic"),
    ],
)
def test_what_a_style_may_not_use(text: str, message: str) -> None:
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", text, "green_gremlin")
    assert str(error.value) == message
    assert GAME.ask("duel", "thorgar+chain_mail+iron_bracers", "green_gremlin").setup.play.hero.health == 8


@pytest.mark.rule("IS-ITEM.3")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "ecarus+great_axe+shield",
            "a: 'great_axe+shield' cannot be held at once (IS-ITEM.3); allowed: one in each hand, or one in both",
        ),
        (
            "shae+dagger+dagger+dagger",
            "a: 'dagger+dagger+dagger' cannot be held at once (IS-ITEM.3); allowed: one in each hand, or one in both",
        ),
        ("ecarus+long_sword+long_sword", "a: 'long_sword+long_sword' are for the same hand (IS-ITEM.3)"),
        ("shae+knives+knives", "a: 'knives+knives' are for the same hand (IS-ITEM.3)"),
        ("ecarus+claws_red", "a: 'claws_red' is a weapon of enemies"),
    ],
)  # fmt: skip
def test_two_weapons_one_in_each_hand_or_one_in_both(text: str, message: str) -> None:
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", text, "green_gremlin")
    assert str(error.value) == message


@pytest.mark.rule("IS-ITEM.3", "IS-ITEM.4")
def test_a_combat_activity_attacks_with_one_of_the_weapons() -> None:
    def dice(text: str, hand: str) -> tuple[int, int, int]:
        strike = GAME.ask("duel", text, "green_gremlin", {"a.hand": hand}).setup.play.hero.weapon.attack.strike
        return strike.sure, strike.red, strike.blue

    assert (dice("shae+dagger_forged+knives", "main"), dice("shae+dagger_forged+knives", "off")) == (
        (1, 1, 1),
        (0, 1, 1),
    )
    assert (dice("ecarus+great_axe", "main"), dice("ecarus+great_axe", "off")) == ((1, 2, 0), (1, 2, 0))
    assert (dice("ecarus", "main"), dice("ecarus", "off")) == ((0, 2, 1), (0, 0, 2))


@pytest.mark.rule("IS-HIT.16")
def test_the_one_weapon_of_an_enemy_is_both_its_weapons() -> None:
    def ended(enemy: str, hand: str) -> Any:
        return ends(GAME.ask("duel", "ecarus", enemy, {"b.hand": hand, "situation.round_limit": 2}))

    assert ended("blue_orc_warrior", "main") == ended("blue_orc_warrior", "off")
    assert ended("blue_gremlin", "main") != ended("blue_gremlin", "off")
    stone = GAME.ask("duel", "ecarus", "blue_gremlin+stone_blue", {"situation.round_limit": 2})
    assert ended("blue_gremlin", "off") == ends(stone)


@pytest.mark.rule("IS-ITEM.12")
def test_a_permanent_item_is_used_again_and_again() -> None:
    """The rune of might makes a hit of a legendary result, in each of three rounds."""
    plain = {"b.armour": 0, "b.defence_dice": 0, "b.combat_activities": 0, "a.focus": False, "situation.round_limit": 3}
    dice: dict[str, Any] = {"a_weapon_attack_red": ["MAG+LEG", "MIS"] * 3, "a_weapon_attack_blue": ["MIS"] * 3}
    for text, left in (("ecarus+rune_of_might", 4), ("ecarus", 7)):
        assert play(GAME.ask("duel", text, "green_gremlin", plain), **dice)["b_health"] == left


def only_of(question: Any, column: str) -> int:
    (value,) = set(question.distribution[column].tolist())
    return int(value)


@pytest.mark.rule("IS-ITEM.14", "IS-ITEM.1")
def test_an_item_adds_its_powers_while_it_is_worn() -> None:
    for text, expected in (("ecarus+rune_of_might", 3), ("ecarus", 2)):
        asked = GAME.ask("attack", text, "green_gremlin", {"situation.roll": "HIT,HIT,LEG"})
        assert only_of(asked, "hits") == expected
    effects = GAME.ask("duel", "thorgar", "green_gremlin").setup.play.enemy.weapon.attack.guards[0].effects
    bare = GAME.ask("duel", "thorgar+iron_bracers", "green_gremlin").setup.play.enemy.weapon.attack.guards[0].effects
    assert ([str(one) for one in effects], bare) == (["shield1@MAG"], ())


# -- the Time Phase and saves -----------------------------------------------------------------------------------------


@pytest.mark.rule("IS-SEQ.2")
def test_damage_comes_first_in_the_time_phase_and_for_both_at_once() -> None:
    """Whoever has one health left on fire dies before any attack; if both do, nobody wins (IS-Q37)."""
    burning = {"health": 1, "fire1": 1, "sure": 9}
    assert end(duel(burning, burning)) == (0, 1, 0, 0)
    assert end(duel(burning, {"sure": 9})) == (2, 1, 0, 10)
    assert end(duel({"sure": 9}, burning)) == (1, 1, 10, 0)
    assert end(duel({"poison": 1, "health": 1}, {"fire2": 1, "health": 1})) == (0, 1, 0, 0)


@pytest.mark.rule("IS-SEQ.2", "IS-DEF.3", "IS-ITEM.9")
def test_shields_are_back_and_powers_turned_in_each_time_phase() -> None:
    """Of two hits a round one shield stops one, in every round; the power of two hourglasses adds three every other."""
    mine = {"sure": 2, **power(5, 2)}
    left = [end(duel(mine, {"shields": 1, "health": 30, **STILL}, round_limit=rounds))[3] for rounds in (1, 2, 3, 4)]
    assert left == [26, 25, 21, 20]
    of_hero = [end(duel({"shields": 1}, {"sure": 2}, round_limit=rounds))[2] for rounds in (1, 2, 3)]
    assert of_hero == [9, 8, 7]


@pytest.mark.rule("IS-SAVE.1")
@pytest.mark.parametrize(("save", "chance"), [("SHD", 4), ("HIT", 4), ("ABI", 2), ("MAG", 2), ("MIS", 1), ("LEG", 0)])
def test_a_save_is_one_blue_die_that_shows_the_result(save: str, chance: int) -> None:
    """Faces of two results succeed by either: of HIT SHD both saves of SHD and of HIT. Two Time Phases of poison."""
    asked = duel({"poison": 1, "save": save}, STILL, round_limit=2)
    found = {row[2]: float(p) for row, p in ends(asked).items()}
    expected = {9: chance / 10, 8: 1 - chance / 10}
    assert found == pytest.approx({health: p for health, p in expected.items() if p})


@pytest.mark.rule("IS-SAVE.1")
def test_the_save_of_a_hero_is_on_his_card() -> None:
    for hero, chance in (("ecarus", 0.4), ("auriel", 0.2)):
        asked = duel({"poison": 1}, STILL, hero=hero, round_limit=2)
        assert {row[2]: float(p) for row, p in ends(asked).items()} == pytest.approx({9: chance, 8: 1 - chance})


@pytest.mark.rule("IS-SAVE.2")
def test_enemies_have_no_saves() -> None:
    with pytest.raises(BalanceError) as error:
        GAME.ask("duel", "ecarus", "green_gremlin", {"b.save": "SHD"})
    assert str(error.value) == "set b, save: 'SHD' is only for heroes"
    assert GAME.ask("duel", "ecarus", "green_gremlin").setup.play.enemy.save is None


@pytest.mark.rule("IS-SAVE.3", "IS-POW.1", "IS-HP.9")
def test_with_luck_the_better_of_two_dice_counts() -> None:
    """A talent, which takes the place of a talent and not that of a power; it may be named too."""
    lucky, crowded = (printed({"heroes.ecarus.powers": text}) for text in ("lucky", "cleave;shield_wall;lucky"))
    fields = {"poison": 1, "save": "SHD"}
    for game, hero, rank, chance in (
        (lucky, "ecarus", 2, 0.64), (lucky, "ecarus", 1, 0.4), (crowded, "ecarus", 2, 0.64),
        (GAME, "ecarus+lucky_2", 2, 0.64), (GAME, "ecarus", 2, 0.4),
    ):  # fmt: skip
        found = ends(duel({**fields, "rank": rank}, STILL, hero=hero, round_limit=2, game=game))
        assert {row[2]: float(p) for row, p in found.items()} == pytest.approx({9: chance, 8: 1 - chance})


# -- the numbers of the rulebook --------------------------------------------------------------------------------------


@pytest.mark.rule("IS-FIRE.2", "IS-COND.2", "IS-COND.7", "IS-COND.11", "IS-ACT.14", "IS-SUP.4")
@pytest.mark.parametrize(
    ("constant", "value", "mine", "its", "left"),
    [
        ("conditions.poison_1_wounds", 3, {}, {"poison": 1, **STILL}, 4),
        ("conditions.poison_2_wounds", 4, {}, {"poison": 2, **STILL}, 2),
        ("conditions.fire_wounds", 2, {}, {"fire1": 1, "fire2": 1, **STILL}, 4),
        ("conditions.repeated_wounds", 3, {"effects": "blind@,blind@"}, STILL, 4),
        ("conditions.slowed_activities", 2, {"sure": 1, "combat_activities": 4}, {"effects": "slow@"}, 4),
        ("attack.supremacy_hits", 4, {"sure": 1}, {"ko": True, **STILL}, 4),
        ("attack.focus_hits", 3, {"sure": 1, "focus": True}, STILL, 2),
    ],
)
def test_what_a_number_of_the_rules_does_in_two_rounds(
    constant: str, value: int, mine: dict[str, Any], its: dict[str, Any], left: int
) -> None:
    """Ticks of both rounds; a condition repeated in each; four attacks and two; 5 hits and 1; twice 4 hits."""
    game = printed({f"constants.{constant}": str(value)})
    assert end(duel(mine, its, round_limit=2, game=game))[3] == left

"""The rulebook's worked examples of attacks and duels, replayed on their own dice through what the game runs.

Icons are lost from the text, so that a result whose symbol is unknown is written as what the effect of our card costs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.games.immortal_souls.tables.cards import Power
from tests.games.immortal_souls.plays import GAME, chances, duel, end, ends, only, play, power, printed, strike, told
from tests.games.immortal_souls.test_attack_rules import bag

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads(Path(__file__).with_name("immortal_souls_examples.json").read_text("utf-8"))["examples"]
}
REPLAYED = [name for name, example in EXAMPLES.items() if "replay" in example]
TYPES = {"slash": "slashing", "pierce": "piercing", None: "none"}


def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = EXAMPLES[name]["expect"]
    return found


def fields_of(replay: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a defence phase that is written down."""
    kind = replay.get("dtype")
    modifiers = ",".join(f"{TYPES.get(one, one)}:{change:+d}" for one, change in replay.get("mods", {}).items())
    return {
        "sure": replay["hits"],
        "effects": f"lethal{replay['lethal']}@" if replay.get("lethal") else "none",
        "damage_type": TYPES.get(kind, kind),
        "modifiers": modifiers or "none",
        "armour": replay.get("armour", 0) + replay.get("armour_change", 0),
        "shields": replay.get("shields", 0),
        "defence_dice": replay.get("cap", 0),
        "ko": replay.get("ko", False),
    }


def dice_of(asked: balance.Question) -> int:
    """Return how many dice a defence rolls."""
    total: int = asked.distribution.total
    assert set(str(total)) <= {"1", "0"}
    return len(str(total)) - 1


def wounds_of(asked: balance.Question, shields_rolled: int = 0) -> int:
    faces = ["SHD"] * shields_rolled + ["MIS"] * (dice_of(asked) - shields_rolled)
    return play(asked, **({"defence": faces} if faces else {}))["wounds"]


@pytest.mark.rule(
    "IS-HIT.1", "IS-DEF.1", "IS-DEF.2", "IS-DEF.3", "IS-DEF.4", "IS-DEF.6", "IS-DEF.7", "IS-LETH.2", "IS-LETH.3",
    "IS-LETH.4", "IS-LETH.5", "IS-ITEM.9",
)  # fmt: skip
@pytest.mark.parametrize("name", REPLAYED)
def test_a_defence_phase_is_as_it_is_written(name: str) -> None:
    replay = EXAMPLES[name]["replay"]
    asked = strike(**fields_of(replay))
    n_dice = dice_of(asked)
    found = {"defence_dice": n_dice, "wounds": wounds_of(asked, replay.get("shields_rolled", 0))}
    want = {key: value for key, value in replay["want"].items() if key != "shields_left"}
    assert {key: found[key] for key in want} == want


@pytest.mark.rule("IS-DEF.3", "IS-ITEM.9", "IS-LETH.3")
@pytest.mark.parametrize("name", [name for name in REPLAYED if "shields_left" in EXAMPLES[name]["replay"]["want"]])
def test_spent_shields_are_missing_in_the_next_attack(name: str) -> None:
    """The same attack twice in a turn: the second meets the shields that are left by the example, and rolls misses."""
    replay = EXAMPLES[name]["replay"]
    want, fields = replay["want"], fields_of(replay)
    first = strike(**fields)
    second = strike(**{**fields, "shields": want["shields_left"]})
    rolled = replay.get("shields_rolled", 0)
    faces = ["SHD"] * rolled + ["MIS"] * (dice_of(first) - rolled + dice_of(second))
    mine = {key: fields.pop(key) for key in ("sure", "effects", "damage_type")}
    twice = duel({**mine, "combat_activities": 2}, {**fields, "combat_activities": 0}, round_limit=1)
    outcome = play(twice, **({"a_weapon_defence": faces} if faces else {}))
    assert outcome["b_health"] == 10 - want["wounds"] - wounds_of(second)


# -- the same examples, and those that no defence phase tells, with our cards -----------------------------------------


@pytest.mark.rule("IS-DEF.7", "IS-HIT.5", "IS-ENE.6")
def test_auriel_knocks_the_red_orc_warrior_out() -> None:
    """IS-EX-01: two hits, one more for the weakness, no armour, two dice, one shield."""
    expect = expected("IS-EX-01")
    asked = GAME.ask("attack", "auriel+thunder_lord_1", "red_orc_warrior", {"situation.roll": "HIT,HIT,ABI,MAG"})
    outcome = play(asked, defence=["SHD", "MIS"])
    assert dice_of(asked) == expect["defence_dice"]
    assert outcome == told(expect["hits_before_defence"], expect["wounds"], symbols_left=2, effects_bought=1, ko=1)


@pytest.mark.rule("IS-CRIT.2", "IS-CRIT.3", "IS-CRIT.5")
def test_laegon_stuns_the_red_gremlin_with_a_critical() -> None:
    """IS-EX-02: armour stops one hit and a die the other; the critical stays."""
    expect = expected("IS-EX-02")
    game = printed(bag("graze", graze__colour="blue", graze__condition="stun", graze__tokens=1))
    asked = game.ask("attack", "laegon_archer", "red_gremlin", {"situation.roll": "HIT,HIT,ABI,ABI"})
    outcome = play(asked, defence=["SHD"])
    assert dice_of(asked) == expect["defence_dice"]
    assert outcome == told(expect["hits"], expect["wounds"], symbols_left=2, effects_bought=1, stun=1)
    assert (expect["critical"], expect["critical_drawn"], expect["critical_applied_before_defence"]) == (
        "stunned",
        True,
        True,
    )


@pytest.mark.rule("IS-HIT.3", "IS-ITEM.4")
def test_ecarus_bashes_the_green_bandit() -> None:
    """IS-EX-03: armour stops the hit, and the push is bought all the same."""
    expect = expected("IS-EX-03")
    changes = {"situation.roll": "HIT,ABI", "attacker.hand": "off"}
    outcome = only(GAME.ask("attack", "ecarus", "green_bandit", changes))
    assert outcome == told(expect["hits"], expect["wounds"], symbols_left=1, effects_bought=expect["pushed"])


@pytest.mark.rule("IS-LETH.3", "IS-ACT.14", "IS-DEF.3")
def test_shae_stabs_the_green_orc_shaman_twice() -> None:
    """IS-EX-04: both shields go, one of them for a lethal hit; then a sure hit and focus kill, whatever is rolled."""
    expect = expected("IS-EX-04")
    first = only(
        GAME.ask("attack", "shae_assassin", "green_orc_shaman", {"attacker.sure": 0, "situation.roll": "HIT,HIT,ABI"})
    )
    assert first == told(expect["hits"], expect["wounds"], lethal=expect["lethal"], symbols_left=2, effects_bought=1)
    second = {"attacker.hand": "off", "situation.focus": True, "defender.shields": 2 - expect["shields_spent"]}
    wounds = chances(GAME.ask("attack", "shae_assassin", "green_orc_shaman", second), "wounds")
    hp_left = EXAMPLES["IS-EX-04"]["given"]["defender"]["hp_left"]
    assert min(wounds) == hp_left == expect["second_attack"]["hits_enough_to_kill"]


@pytest.mark.rule("IS-LETH.1", "IS-LETH.2", "IS-LETH.5")
def test_lethal_hits_of_the_daggers() -> None:
    """IS-EX-05: the one hit is lethal; IS-EX-06: of four, two are, and armour stops the others."""
    given, expect = EXAMPLES["IS-EX-05"]["given"], expected("IS-EX-05")
    changes = {"attacker.hand": "off", "situation.roll": "HIT,ABI", "defender.health": given["defender"]["hp_left"]}
    outcome = only(GAME.ask("attack", "laegon", "red_gremlin", changes))
    assert outcome == told(expect["hits"], expect["wounds"], lethal=expect["lethal"], symbols_left=1, effects_bought=1)
    expect = expected("IS-EX-06")
    changes = {"attacker.sure": 2, "situation.roll": "HIT,HIT,ABI,ABI,MIS"}
    outcome = only(GAME.ask("attack", "shae+crystal_dagger", "red_orc_warrior", changes))
    assert outcome == told(expect["hits"], expect["wounds"], lethal=expect["lethal"], symbols_left=3, effects_bought=1)


@pytest.mark.rule("IS-HIT.13", "IS-AOE.1")
def test_the_red_orc_shaman_buys_the_dearest_effect_with_two_results() -> None:
    """IS-EX-07: two MAG pay for the area alone; with a third it would have bought the fire too."""
    expect = expected("IS-EX-07")
    plain = {"defender.defence_dice": 0, "defender.armour": 1}
    for roll, bought, left in (("HIT,HIT,ABI,ABI,SHD,MAG,MAG", 1, 5), ("HIT,HIT,ABI,ABI,MAG,MAG,MAG", 2, 4)):
        asked = GAME.ask("attack", "red_orc_shaman", "thorgar,ecarus", {**plain, "situation.roll": roll})
        hits = expect["hits"]
        expected_end = told(
            hits, hits - 1, symbols_left=left, effects_bought=bought, fire2=bought - 1, others_wounds=hits - 1
        )
        assert only(asked) == expected_end


@pytest.mark.rule("IS-DEF.5", "IS-HIT.13", "IS-DIE.4")
def test_the_red_bandit_blinds_and_poisons_ecarus() -> None:
    """IS-EX-08a and 08b: Ecarus rolls his dice again each time; the poison works though the knife does not wound."""
    expect = expected("IS-EX-08a")
    sword = GAME.ask("attack", "red_bandit", "ecarus+scale_armour_forged", {"situation.roll": "HIT,ABI"})
    outcome = play(sword, defence=["ABI", "MIS"], defence_again=["SHD", "MIS"])
    assert outcome == told(
        expect["hits"], expect["wounds"], symbols_left=1, effects_bought=1, blind=int(expect["blinded"])
    )
    expect = expected("IS-EX-08b")
    changes = {"attacker.hand": "off", "defender.shields": 0}
    knife = GAME.ask("attack", "red_bandit", "ecarus+scale_armour_forged", changes)
    outcome = play(knife, defence=["ABI"], defence_again=["SHD"])
    assert outcome == told(expect["hits"], expect["wounds"], effects_bought=1, poison=expect["poison"])


@pytest.mark.rule("IS-DEF.1", "IS-ENE.6")
def test_the_blue_gremlin_resists_slashing() -> None:
    """IS-EX-09."""
    change = expected("IS-EX-09")["hit_change"]
    plain = {"attacker.sure": 3, "attacker.red": 0, "attacker.blue": 0, "defender.defence_dice": 0}
    for damage in ("slashing", "blunt"):
        outcome = only(GAME.ask("attack", "ecarus", "blue_gremlin", {**plain, "attacker.damage_type": damage}))
        assert outcome == told(3, 3 + change * (damage == "slashing"))


@pytest.mark.rule("IS-DEF.2")
def test_armour_2_is_nothing_for_who_is_knocked_out() -> None:
    """IS-EX-10."""
    expect = expected("IS-EX-10")
    armour = EXAMPLES["IS-EX-10"]["given"]["armour"]
    assert only(strike(sure=5, armour=armour)) == told(5, 5 - expect["first_hits_removed"])
    assert only(strike(sure=5, armour=armour, ko=True)) == told(5, 5 - expect["if_ko"], ko=1)


@pytest.mark.rule("IS-DEF.1", "IS-HIT.11")
def test_all_but_arcane() -> None:
    """IS-EX-13."""
    word, number = EXAMPLES["IS-EX-13"]["given"]["all_but"]
    for damage, change in expected("IS-EX-13").items():
        asked = strike(sure=3, damage_type=TYPES.get(damage, damage), modifiers=f"all_but_{word}:{number:+d}")
        assert only(asked) == told(3, 3 + change)


@pytest.mark.rule("IS-CRIT.7")
def test_a_greater_critical_replaces_the_lesser() -> None:
    """IS-EX-14: of two draws of -1 or -2 health, only -1 and then -2 (or twice -1, with its wound) costs two in all."""
    expect = expected("IS-EX-14")
    reds = bag(
        "broken_armour", "deep_wound", broken_armour__armour=0, broken_armour__max_health=-1, broken_armour__tokens=1,
        deep_wound__colour="red", deep_wound__wounds=0, deep_wound__max_health=-2, deep_wound__tokens=1,
    )  # fmt: skip
    twice = {"sure": 1, "effects": "critical@", "combat_activities": 2}
    asked = duel(twice, {"armour": 9, "combat_activities": 0}, round_limit=1, game=printed(reds))
    lost = {10 - row[3]: float(p) for row, p in ends(asked).items()}
    assert lost == pytest.approx({2 + expect["extra_wound"]: 1 / 2, 3: 1 / 2})


@pytest.mark.rule("IS-AOE.1", "IS-AOE.2")
def test_an_area_attack_is_one_roll_and_a_defence_each() -> None:
    """IS-EX-15: the target and every other in its area, with the same hits and the same effects."""
    assert expected("IS-EX-15")["all"].startswith("same number of hits and same extra effects; one attack roll")
    asked = strike(at="green_gremlin,blue_gremlin,red_gremlin", red=1, effects="area0@,armour-1@", armour=2)
    assert chances(asked, "hits", "wounds", "others_wounds") == {
        (hits, max(hits - 1, 0), 2 * max(hits - 1, 0)): p for hits, p in chances(strike(red=1), "hits").items()
    }


@pytest.mark.rule("IS-POW.3", "IS-POW.4")
def test_call_lightning_at_rank_three_and_five() -> None:
    """IS-EX-16: a hero of rank V may use either level; the level decides how long it cools."""
    expect = expected("IS-EX-16")
    assert expect["at_soulrank_V_may_use"] == ["III", "V"]
    for level, rank in (("III", 3), ("V", 5)):
        asked = GAME.ask("duel", f"thorgar+call_lightning_{rank}", "green_gremlin", {"a.rank": 5})
        me, want = asked.setup.play.hero, expect[f"rank_{level}"]
        strike_of = me.power.attack.strike
        assert (strike_of.sure, strike_of.red, strike_of.blue) == (want["sure_hits"], want["red"], want["blue"])
        assert [effect.name for effect in strike_of.effects] == ["area", "ko", "lethal"][: len(want["effects"])]
        assert me.cooldown == expect["hourglasses"][level]
    lethal = strike_of.effects[-1]
    assert (lethal.number, len(lethal.cost)) == (3, want["effects"][-1]["cost_results"])


@pytest.mark.rule("IS-POW.4", "IS-POW.5")
@pytest.mark.parametrize(("name", "card"), [("IS-EX-44", "heal_wounds_1"), ("IS-EX-45", "cleave_1")])
def test_when_a_power_is_ready_again(name: str, card: str) -> None:
    """An attack with as many hourglasses, used in round 1, is used again in the round that the example says."""
    hourglasses = EXAMPLES[name]["given"]["hourglasses"]
    assert GAME.catalogue.entries(Power)[card].cooldown == hourglasses
    mine = {**power(4, hourglasses)}
    again = expected(name)["ready_in_round"]
    left = [end(duel(mine, {"combat_activities": 0}, round_limit=rounds))[3] for rounds in range(1, again + 1)]
    assert left == [6] * (again - 1) + [2]


@pytest.mark.rule("IS-SAVE.3")
def test_lucky_is_the_better_of_two_dice() -> None:
    """IS-EX-46: a save fails where both dice do, 6 of 10 each."""
    expect = expected("IS-EX-46")
    asked = duel({"poison": 1, "save": "SHD", "rank": 2}, {}, hero="ecarus+lucky_2", round_limit=2)
    assert expect["keep"] == "best"
    fails = 0.6 ** expect["dice"]
    assert {row[2]: float(p) for row, p in ends(asked).items()} == pytest.approx({9: 1 - fails, 8: fails})

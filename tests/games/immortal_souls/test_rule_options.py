"""What each open question of the rulebook changes in an attack or a duel: one case, and its end in every reading."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import balance
from tests.games.immortal_souls.plays import GAME, chances, duel, end, ends, only, play, power, printed, strike, told
from tests.games.immortal_souls.test_attack_rules import bag

STILL = {"combat_activities": 0}
F = Fraction
TWO = "green_gremlin,green_gremlin"


def setting(option: str, reading: str) -> dict[str, Any]:
    """Return a reading as a field of an attack."""
    return {f"rules__{option}": reading}


def attack(option: str, game: Any = GAME, **fields: Any) -> Callable[[str], Any]:
    """Return what all columns of an attack are in a reading of an option."""
    return lambda reading: only(strike(game=game, **fields, **setting(option, reading)))


def fight(option: str, a: dict[str, Any], b: dict[str, Any], game: Any = GAME, **more: Any) -> Callable[[str], Any]:
    """Return how a duel without chance ends in a reading of an option."""
    rules = {**more.pop("rules", {})}
    return lambda reading: end(duel(a, b, game=game, rules={**rules, option: reading}, **more))


def two_reds(reading: str) -> Any:
    """Two draws of -1 or -2 armour, each as likely, against armour that stops all hits: the health that is left."""
    reds = bag(
        "broken_armour", "deep_wound", broken_armour__armour=-1, deep_wound__colour="red", deep_wound__wounds=0,
        deep_wound__armour=-2, broken_armour__tokens=1, deep_wound__tokens=1,
    )  # fmt: skip
    twice = {"sure": 1, "effects": "critical@"}
    asked = duel(twice, {"armour": 9, **STILL}, round_limit=2, game=printed(reds), rules={"lesser_critical": reading})
    return {row[3]: p.limit_denominator(1000) for row, p in ends(asked).items()}


def wasted_power(reading: str) -> Any:
    """A power of two hourglasses, used in round 1; blinded in round 2, he cannot save in round 3. Four rounds."""
    mine = {"save": "LEG", **power(3, 2)}
    foe = {"red": 1, "effects": "blind@ABI+ABI"}
    asked = duel(mine, foe, round_limit=4, rules={"failed_save_turns_power": reading})
    return play(asked, b_weapon_attack_red=["MIS", "ABI+ABI", "MIS", "MIS"])["b_health"]


RESISTED: dict[str, Any] = {"sure": 3, "damage_type": "blunt", "effects": "lethal2@", "armour": 1}
DEEP = printed(bag("deep_wound"))
CASES: dict[str, tuple[Callable[[str], Any], dict[str, Any]]] = {
    "effects_need_a_hit": (
        attack("effects_need_a_hit", roll="ABI,ABI", effects="stun@ABI,poison2@ABI"),
        {"false": told(0, 0, effects_bought=2, stun=1, poison=2), "true": told(0, 0, effects_bought=2)},
    ),
    "resistance_takes": (
        # two lethal hits and one that armour stops: the resistance takes a lethal one, or the other
        attack("resistance_takes", **RESISTED, modifiers="blunt:-1"),
        {
            "lethal_first": told(3, 1, lethal=2, effects_bought=1),
            "normal_first": told(3, 2, lethal=2, effects_bought=1),
            "attackers_choice": told(3, 2, lethal=2, effects_bought=1),
        },
    ),
    "weakness_without_hits": (
        attack("weakness_without_hits", damage_type="blunt", modifiers="blunt:+2"),
        {"false": told(0, 0), "true": told(0, 2)},
    ),
    "lethal_effects": (
        attack("lethal_effects", sure=4, armour=9, effects="lethal1@,lethal2@"),
        {"add": told(4, 3, lethal=3, effects_bought=2), "greatest": told(4, 2, lethal=2, effects_bought=2)},
    ),
    "untyped_is_all_but": (
        attack("untyped_is_all_but", sure=3, damage_type="none", modifiers="all_but_blunt:-1"),
        {"true": told(3, 2), "false": told(3, 3)},
    ),
    "bonus_hits_are_hits": (
        # focus and supremacy on a roll of nothing: two hits that may be critical, or none at all
        attack("bonus_hits_are_hits", game=DEEP, focus=True, supremacy=True, effects="critical@"),
        {"true": told(2, 4, effects_bought=1), "false": told(0, 0, effects_bought=1)},
    ),
    "supremacy_over_knocked_out": (
        fight("supremacy_over_knocked_out", {"sure": 1}, {"ko": True, **STILL}, round_limit=1),
        {"true": (0, 1, 10, 8), "false": (0, 1, 10, 9)},
    ),
    "knocked_out_again": (
        attack("knocked_out_again", ko=True, effects="ko@"),
        {"wound": told(0, 1, effects_bought=1, ko=1), "nothing": told(0, 0, effects_bought=1, ko=1)},
    ),
    "critical_tokens": (
        attack("critical_tokens", game=DEEP, at=TWO, sure=1, armour=1, effects="critical@,area0@"),
        {
            "each_defender": told(1, 2, effects_bought=2, others_wounds=2),
            "primary": told(1, 2, effects_bought=2),
        },
    ),
    "repeated_condition_wounds": (
        attack("repeated_condition_wounds", poison=1, effects="poison1@"),
        {"true": told(0, 1, effects_bought=1, poison=1), "false": told(0, 0, effects_bought=1, poison=1)},
    ),
    "stunned_knocked_out_stands_up": (
        # knocked out from the start and stunned in each round: its armour is off in round 2, or back
        fight(
            "stunned_knocked_out_stands_up", {"sure": 2, "effects": "stun@"}, {"ko": True, "armour": 1}, round_limit=2,
            rules={"supremacy_over_knocked_out": False},
        ),
        {"false": (0, 2, 10, 6), "true": (0, 2, 10, 7)},
    ),
    "lesser_critical": (two_reds, {"wound": {10: F(1, 4), 9: F(3, 4)}, "nothing": {10: F(1, 2), 9: F(1, 2)}}),
    "failed_save_turns_power": (wasted_power, {"false": 4, "true": 7}),
}  # fmt: skip
"""Rule option -> what is asked, and what comes of it in each reading."""
ELSEWHERE = (
    "supremacy_of_area_attacks",  # an attack here reaches one area
    "focus_declared",  # focus goes to the first attack of a turn in either reading
    "knocked_out_hero_may_not",  # he stands up before anything else, with his Move: it matters in encounters
    "own_turn_token_ends",  # nobody gives a hero a token in his own turn
    "blinded_hero_saves",  # a duel has no free activities
)
"""Rule options of levels A and B that change nothing an attack or a duel can tell."""


@pytest.mark.parametrize("option", CASES)
def test_each_reading_ends_as_it_says(option: str) -> None:
    ask, expected = CASES[option]
    assert {reading: ask(reading) for reading in expected} == expected
    assert len({str(one) for one in expected.values()}) > 1


@pytest.mark.parametrize("option", CASES)
def test_every_reading_is_among_the_cases_and_the_first_is_in_force(option: str) -> None:
    switch = GAME.catalogue.rule_options[option]
    expected = CASES[option][1]
    assert [str(one).lower() for one in switch.allowed] == [*expected]
    assert str(getattr(GAME.catalogue.rules, option)).lower() == next(iter(expected))


def test_no_option_of_attacks_and_duels_is_left_out() -> None:
    levels = {name: switch.level for name, switch in GAME.catalogue.rule_options.items()}
    assert {name for name, level in levels.items() if level in "AB"} == {*CASES, *ELSEWHERE}


def rich_questions(option: str, reading: str) -> list[balance.Question]:
    """Return an area attack and a duel in which much happens."""
    mine = {"red": 1, "effects": "ko@ABI", "focus": True, "combat_activities": 2, "save": "SHD", "defence_dice": 1}
    foe = {"red": 1, "effects": "ko@ABI,blind@MAG,slow@", "combat_activities": 2, "armour": 1}
    rules = {option: reading}
    area = strike(at=TWO, red=1, effects="area1@", supremacy=True, **setting(option, reading))
    return [area, duel(mine, foe, round_limit=3, rules=rules)]


@pytest.mark.parametrize("option", ELSEWHERE)
def test_an_option_that_is_of_no_matter_here_changes_nothing(option: str) -> None:
    one, *others = (
        [q.distribution for q in rich_questions(option, str(r).lower())]
        for r in GAME.catalogue.rule_options[option].allowed
    )
    assert all(other == one for other in others)


@pytest.mark.parametrize(("change", "wounds"), [(-1, (1, 2)), (-2, (0, 1)), (-3, (0, 0))])
def test_a_resistance_takes_what_is_there(change: int, wounds: tuple[int, int]) -> None:
    """Two lethal hits and one normal against armour 1, and a resistance of one to all of them."""
    for reading, expected in zip(("lethal_first", "normal_first"), wounds, strict=True):
        asked = strike(**RESISTED, modifiers=f"blunt:{change}", rules__resistance_takes=reading)
        assert only(asked) == told(3, expected, lethal=2, effects_bought=1)


@pytest.mark.parametrize("reading", ["true", "false"])
def test_poison_ii_on_poison_i_is_a_wound_in_either_reading(reading: str) -> None:
    asked = strike(poison=1, effects="poison2@", rules__repeated_condition_wounds=reading)
    assert only(asked) == told(0, 1, effects_bought=1, poison=2)


def test_bonus_hits_that_are_no_hits_add_to_those_that_are() -> None:
    """One hit of its own is enough; a penalty takes away in either reading."""
    for reading, nothing in (("true", 2), ("false", 0)):
        fields: dict[str, Any] = {"bonus_hits": 2, "rules__bonus_hits_are_hits": reading}
        assert chances(strike(red=1, **fields), "hits") == {nothing: F(3, 10), 3: F(6, 10), 4: F(1, 10)}
        assert only(strike(sure=1, bonus_hits=-1, rules__bonus_hits_are_hits=reading)) == told(0, 0)


def test_what_a_weakness_makes_of_nothing_is_not_lethal() -> None:
    """Lethal needs a hit of the attack (IS-LETH.1): armour stops one of two hits that only the weakness deals."""
    asked = strike(
        effects="lethal@", damage_type="blunt", modifiers="blunt:+2", armour=1, rules__weakness_without_hits="true"
    )
    assert only(asked) == told(0, 1, effects_bought=1)

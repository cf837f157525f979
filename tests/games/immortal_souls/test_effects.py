"""Effects and modifiers as they are typed: what they mean, the one way they are written back, and what is told."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.catalogue import Record, apply
from balance.catalogue.tables.cells import BadCell
from balance.games.immortal_souls.rules.effects import (
    ATTACK_EFFECTS,
    DEFENCE_EFFECTS,
    AttackEffects,
    DefenceEffects,
    Effect,
    Modifier,
    Modifiers,
    change_of,
    parse_effect,
    parse_modifier,
)


class Cells(Record):
    """A card with one cell of each type."""

    effects: AttackEffects = ()
    defence_effects: DefenceEffects = ()
    modifiers: Modifiers = ()


@pytest.mark.parametrize(
    ("text", "effect", "written"),
    [
        ("lethal1@ABI", Effect("lethal", 1, ("ABI",)), "lethal1@ABI"),
        ("lethal@ABI+ABI", Effect("lethal", None, ("ABI", "ABI")), "lethal@ABI+ABI"),
        ("Lethal 3 @ abi + hit", Effect("lethal", 3, ("HIT", "ABI")), "lethal3@HIT+ABI"),
        ("armour-1@ABI", Effect("armour", -1, ("ABI",)), "armour-1@ABI"),
        ("armor-2@", Effect("armour", -2, ()), "armour-2@"),
        ("poison1@", Effect("poison", 1, ()), "poison1@"),
        ("hit2@LEG", Effect("hits", 2, ("LEG",)), "hits2@LEG"),
        ("AoE0@MAG+MAG", Effect("area", 0, ("MAG", "MAG")), "area0@MAG+MAG"),
        ("K.O.@MIS+SHD", Effect("ko", None, ("SHD", "MIS")), "ko@SHD+MIS"),
        ("reroll@ABI", Effect("reroll", None, ("ABI",)), "reroll@ABI"),
    ],
)
def test_an_attack_effect_is_read_and_written_back(text: str, effect: Effect, written: str) -> None:
    assert parse_effect(text) == effect
    assert str(effect) == written
    assert parse_effect(written) == effect


def test_every_effect_can_be_written_with_its_lowest_and_highest_number() -> None:
    for grammar in (ATTACK_EFFECTS, DEFENCE_EFFECTS):
        for name, numbers in grammar.items():
            written = [None] if numbers is None else [numbers.low, numbers.high]
            for number in written:
                effect = Effect(name, number, ("MAG",))
                assert parse_effect(str(effect), grammar) == effect
            for number in () if numbers is None else (numbers.low - 1, numbers.high + 1):
                with pytest.raises(BadCell):
                    parse_effect(str(Effect(name, number, ())), grammar)


def test_a_defender_buys_shields_and_a_reroll() -> None:
    assert parse_effect("shields1@ABI", DEFENCE_EFFECTS) == Effect("shield", 1, ("ABI",))
    assert parse_effect("reroll@", DEFENCE_EFFECTS) == Effect("reroll", None, ())
    with pytest.raises(BadCell, match="is not a known effect"):
        parse_effect("lethal1@ABI", DEFENCE_EFFECTS)


@pytest.mark.parametrize(
    ("text", "modifier", "written"),
    [
        ("arcane:+1", Modifier("arcane", False, 1), "arcane:+1"),
        ("Slashing: -1", Modifier("slashing", False, -1), "slashing:-1"),
        ("all but arcane:-2", Modifier("arcane", True, -2), "all_but_arcane:-2"),
        ("blunt:3", Modifier("blunt", False, 3), "blunt:+3"),
    ],
)
def test_a_modifier_is_read_and_written_back(text: str, modifier: Modifier, written: str) -> None:
    assert parse_modifier(text) == modifier
    assert str(modifier) == written
    assert parse_modifier(written) == modifier


@pytest.mark.parametrize(
    ("damage_type", "by_rule", "untyped_spared"),
    [("arcane", 2, 2), ("blunt", -1, -1), ("piercing", -1, -1), ("slashing", -4, -4), ("none", -1, 0)],
)
def test_what_a_damage_type_changes_adds_up(damage_type: str, by_rule: int, untyped_spared: int) -> None:
    modifiers = ("arcane:+2", "all_but_arcane:-1", "slashing:-3")
    assert change_of(modifiers, damage_type) == by_rule
    assert change_of([parse_modifier(text) for text in modifiers], damage_type) == by_rule
    assert change_of(modifiers, damage_type, all_but_untyped=False) == untyped_spared
    assert change_of((), damage_type) == 0


def test_cells_are_set_as_they_are_typed() -> None:
    set_ = apply(
        Cells(), {"effects": "lethal1@abi,KO@MAG+ABI", "defence_effects": "shields2@", "modifiers": "arcane:1"}
    )
    expected = Cells(effects=("lethal1@ABI", "ko@ABI+MAG"), defence_effects=("shield2@",), modifiers=("arcane:+1",))
    assert set_ == expected
    assert apply(set_, {"effects": "", "defence_effects": "none", "modifiers": "None"}) == Cells()
    assert apply(Cells(), {"effects": "slow@;slow@"}).effects == ("slow@", "slow@")


NAMES = "lethal, critical, ko, armour, poison, blind, slow, stun, fire, hits, push, area, reroll"
FORM = "NAME[NUMBER]@COST, such as lethal1@ABI, ko@ABI+MAG, or slow@ for a free one"
COST = "HIT, ABI, MAG, SHD, LEG, MIS, joined by +"
CHANGE = "TYPE:CHANGE, such as arcane:+1 or all_but_arcane:-1, a change from -9 to +9 but 0"
TYPES = "arcane, blunt, piercing, slashing, or all_but_ before one"


@pytest.mark.parametrize(
    ("field", "text", "told"),
    [
        ("effects", "letal1@ABI", f"is not a known effect; allowed: {NAMES}; did you mean lethal?"),
        ("effects", "ko@ABY", f"costs 'ABY', which no die shows; allowed: {COST}; did you mean ABI?"),
        ("effects", "ko@ABI+", f"costs '', which no die shows; allowed: {COST}"),
        ("effects", "ko1@ABI", "has a number, and this effect takes none; allowed: ko@COST"),
        ("effects", "fire@", "has no number; allowed: a number from 1 to 2; such as fire1@ABI"),
        ("effects", "armour@", "has no number; allowed: a number from -99 to -1; such as armour-1@ABI"),
        ("effects", "area@", "has no number; allowed: a number from 0 to 2; such as area0@ABI"),
        ("effects", "lethal0@", "has a number that is out of range; allowed: a number from 1 to 99, or none"),
        ("effects", "armour1@", "has a number that is out of range; allowed: a number from -99 to -1"),
        ("effects", "slow", f"does not say what it costs; allowed: {FORM}; write slow@ if it is free"),
        ("effects", "@ABI", f"is not an effect; allowed: {FORM}"),
        ("defence_effects", "shild1@", "is not a known effect; allowed: shield, reroll; did you mean shield?"),
        ("modifiers", "arcan:+1", f"is of an unknown damage type; allowed: {TYPES}; did you mean arcane?"),
        ("modifiers", "arcane", f"is not a weakness or resistance; allowed: {CHANGE}"),
        ("modifiers", "blunt:0", f"is not a weakness or resistance; allowed: {CHANGE}"),
    ],
)
def test_what_is_wrong_is_told(field: str, text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        apply(Cells(), {field: text})
    assert str(caught.value) == f"set, {field}: {text!r} {told}"


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        apply(Cells(), {"effects": "ko1@,slow@,stan@", "modifiers": "none:+1"})
    assert [fault.found for fault in caught.value.faults] == ["ko1@", "stan@", "none:+1"]

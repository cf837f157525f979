"""A side of a question: a character, what was set of it, and what only a hero may have set."""

from __future__ import annotations

from typing import Any

import pytest

from balance.base.errors import BalanceError
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.stances import HERO_ONLY, DuelStance
from tests.games.immortal_souls.plays import GAME


def side_of(changes: dict[str, Any], name: str = "a") -> dict[str, Any]:
    found: dict[str, Any] = GAME.ask("duel", "shae+knives", "red_gremlin", changes).inputs[name]
    return found


def test_what_was_asked_of_a_side_is_told_in_full() -> None:
    """Its id, its card, and what was set or has a default; what the cards say is left to them."""
    told = side_of({"a.armour": 2, "a.effects": "ko@ABI, lethal1@MAG", "a.save": "MAG"})
    card = told.pop("card")
    assert (card["id"], card["weapon"], card["save"]) == ("shae", "dagger", "HIT")
    assert told == {
        "id": "shae+knives",
        "name": "Shae, Thief + Knives",
        "rank": 1,
        "hand": "main",
        "armour": 2,
        "bonus_hits": 0,
        "effects": ["ko@ABI", "lethal1@MAG"],
        "ko": False,
        "poison": 0,
        "fire1": 0,
        "fire2": 0,
        "save": "MAG",
        "lost_actions": 0,
    }


def test_what_is_set_stands_before_what_is_printed() -> None:
    side = Side(character=GAME.ask("attack", "shae", "troll").setup.play, stance=DuelStance(armour=0))
    assert (side.value_or("armour", 3), side.value_or("shields", 2), side.value_or("no_field", 1)) == (0, 2, 1)


def test_what_only_heroes_have() -> None:
    assert HERO_ONLY == (
        "save", "focus", "power_sure", "power_red", "power_blue", "power_effects", "power_damage_type",
        "power_cooldown",
    )  # fmt: skip
    cases = (("save", "HIT", "HIT"), ("power_effects", "ko@", "ko@"), ("focus", "no", "false"))
    for name, value, shown in cases:
        assert side_of({f"a.{name}": value})[name] in (value, False, ["ko@"])
        with pytest.raises(BalanceError) as error:
            side_of({f"b.{name}": value})
        assert str(error.value) == f"set b, {name}: {shown!r} is only for heroes"


def test_a_rank_is_of_a_hero_and_sets_his_gem() -> None:
    duels = [GAME.ask("duel", "shae", "red_gremlin", {"a.rank": rank}).setup.play for rank in (1, 4, 7)]
    assert [(duel.hero.health, duel.hero.attacks) for duel in duels] == [(7, 1), (13, 2), (19, 3)]
    assert {duel.enemy.health for duel in duels} == {10}


def test_each_member_of_a_group_has_fields_of_its_own() -> None:
    changes = {"defender.armour": 1, "defender.2.armour": 3, "defender.2.modifiers": "arcane:-1"}
    asked = GAME.ask("attack", "auriel", "troll,orc_king", changes)
    assert [(guard.armour, guard.change) for guard in asked.setup.play.guards] == [(1, 1), (3, -1)]

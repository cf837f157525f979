"""What may be set and what a table may hold: from where to where, and what is taken if nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from balance.catalogue import Record
from balance.games.immortal_souls.ruleset import (
    AttackRule,
    BoardRule,
    ConditionRule,
    DefenceRule,
    EconomyRule,
    EnemyRule,
    PartyRule,
    PowerRule,
)
from balance.games.immortal_souls.situation import AttackSituation, DuelSituation
from balance.games.immortal_souls.stances import AttackStance, DefenceStance, DuelStance
from balance.games.immortal_souls.tables.board import Encounter, EncounterCard, EnemyPower, Event, Scroll, Shadow
from balance.games.immortal_souls.tables.cards import Critical, Enemy, Gem, Hero, Power
from balance.games.immortal_souls.tables.items import Armour, Artefact, Item, Weapon
from tests.games.limits import own_fields_of

FIELDS: dict[type[Record], dict[str, tuple[Any, ...]]] = {
    AttackStance: {"rank": (1, 1, 7), "hand": ("main",), "sure": (None, 0, 99), "red": (None, 0, 9),
        "blue": (None, 0, 9), "damage_type": (None,), "bonus_hits": (0, -9, 99), "effects": (None,)},
    DefenceStance: {"rank": (1, 1, 7), "health": (None, 1, 999), "armour": (None, 0, 99), "shields": (None, 0, 20),
        "defence_dice": (None, 0, 9), "modifiers": (None,), "defence_effects": (None,), "ko": (False,),
        "poison": (0, 0, 2)},
    DuelStance: {"lost_actions": (0, 0, 9), "combat_activities": (None, 0, 9), "fire1": (0, 0, 20), "fire2": (0, 0, 20),
        "save": (None,), "focus": (None,), "power_sure": (None, 0, 99), "power_red": (None, 0, 9),
        "power_blue": (None, 0, 9), "power_effects": (None,), "power_damage_type": (None,),
        "power_cooldown": (None, 0, 4)},
    AttackSituation: {"roll": ([], 40), "distance": (0, 0, 5), "supremacy": (False,), "focus": (False,)},
    DuelSituation: {"round_limit": (0, 0, 5000), "activation_chance": (1.0, 0, 1), "activation_deck": ([], 60, 0, 1),
        "enemy_turns": (1, 1, 5)},
    AttackRule: {"unarmed_sure": ("-", 0, 99), "unarmed_red": ("-", 0, 99), "unarmed_blue": ("-", 0, 99),
        "focus_hits": ("-", 0, 99), "supremacy_hits": ("-", 0, 99)},
    DefenceRule: {"unarmoured_dice": ("-", 0, 99)},
    ConditionRule: {"repeated_wounds": ("-", 0, 99), "poison_1_wounds": ("-", 0, 99), "poison_2_wounds": ("-", 0, 99),
        "fire_wounds": ("-", 0, 99), "slowed_activities": ("-", 0, 99)},
    PowerRule: {"longest_cooldown": ("-", 0, 99)},
    BoardRule: {"sight_areas": ("-", 0, 99), "difficult_cost": ("-", 0, 99), "deadly_wounds": ("-", 0, 99),
        "sprint_points": ("-", 0, 99)},
    PartyRule: {"fewest": ("-", 0, 99), "most": ("-", 0, 99), "many": ("-", 0, 99), "rank_costs": ("-", 7, 7, 0, 99),
        "ranks_lost": ("-", 0, 99)},
    EnemyRule: {"most_power_cards": ("-", 0, 99), "cards_for_a_kill": ("-", 0, 99)},
    EconomyRule: {"sale_per_act": ("-", 0, 9999), "forging": ("-", 0, 9999), "pony_stake": ("-", 0, 9999),
        "pony_results": ("-", 3, 3), "pony_prizes": ("-", 3, 3, 0, 9999)},
    Critical: {"tokens": ("-", 0, 20), "wounds": ("-", 0, 20), "armour": ("-", -20, 0), "hits": ("-", -20, 0),
        "max_health": ("-", -20, 0)},
    Hero: {"movement": ("-", 0, 20), "carry": ("-", 0, 20)},
    Gem: {"rank": ("-", 1, 7), "health": ("-", 1, 999), "powers": ("-", 0, 20), "talents": ("-", 0, 20),
        "combat_activities": ("-", 0, 20), "actions": ("-", 0, 20)},
    Weapon: {"range_areas": ("-", 0, 9), "sure": ("-", 0, 20), "red": ("-", 0, 20), "blue": ("-", 0, 20),
        "gem_souls": ("-", 1, 99), "price_crowns": ("-", 0, 9999)},
    Armour: {"armour": ("-", 0, 20), "shields": ("-", 0, 20), "defence_dice": ("-", 0, 20),
        "price_crowns": ("-", 0, 9999)},
    Artefact: {"armour": ("-", 0, 20), "shields": ("-", 0, 20), "defence_dice": ("-", 0, 20), "charges": ("-", 0, 20),
        "per_use": ("-", 0, 20), "price_crowns": ("-", 0, 9999)},
    Item: {"heals": ("-", 0, 20), "shields": ("-", 0, 20), "hits": ("-", 0, 20), "price_crowns": ("-", 0, 9999)},
    Power: {"rank": ("-", 1, 7), "cooldown": ("-", 0, 4), "range_areas": ("-", 0, 9), "sure": ("-", 0, 20),
        "red": ("-", 0, 20), "blue": ("-", 0, 20), "targets": ("-", 0, 20), "extra_attacks": ("-", 0, 20),
        "heals": ("-", 0, 20), "shields": ("-", 0, 20), "saves_dice": ("-", 0, 20)},
    Enemy: {"copies": ("-", 0, 20), "health": ("-", 1, 999), "health_many": ("-", 1, 999), "armour": ("-", 0, 20),
        "shields": ("-", 0, 20), "defence_dice": ("-", 0, 20), "attacks": ("-", 0, 20), "slowed_attacks": ("-", 0, 20),
        "power_icons": ("-", 0, 20), "charges": ("-", 0, 20), "minis": ("-", 1, 9), "soul_points": ("-", 0, 20),
        "crowns": ("-", 0, 999), "flips_at_health": ("-", 1, 999)},
    EnemyPower: {"level": ("-", 1, 3), "hits": ("-", -9, 9), "armour": ("-", -9, 9), "shields": ("-", 0, 20),
        "defence_dice": ("-", -9, 9), "heals": ("-", 0, 20), "hero_hits": ("-", -9, 9), "copies": ("-", 0, 20)},
    Scroll: {"order": ("-", 1, 9)},
    EncounterCard: {"number": ("-", 1, 9), "otherwise_number": ("-", 1, 9), "copies": ("-", 0, 20)},
    Event: {"spawn_few": ("-", -9, 9), "spawn_many": ("-", -9, 9), "hero_hits": ("-", -9, 9),
        "enemy_hits": ("-", -9, 9), "powers_turned": ("-", -4, 4), "spawns": ("-", 0, 20), "activates": ("-", 0, 20),
        "shadows": ("-", 0, 20)},
    Encounter: {"rounds": ("-", 1, 99)},
    Shadow: {"copies": ("-", 0, 20)},
}  # fmt: skip
"""Each record's own fields; those it has of another are as there."""


@pytest.mark.parametrize("record", list(FIELDS))
def test_fields_are_within_their_bounds_and_as_usual_if_nothing_is_said(record: type[Record]) -> None:
    assert own_fields_of(record, FIELDS) == FIELDS[record]

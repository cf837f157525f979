"""Who an id stands for: heroes and enemies by id and by name, what they hold and wear, and what that is made of."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.immortal_souls.tables.characters import Profile, cards_of, character_of, soul_points_of
from tests.games.immortal_souls.plays import GAME, printed

CATALOGUE = GAME.catalogue
HEROES = [
    "ecarus", "ecarus_black_rose", "thorgar", "thorgar_rune_master", "shae", "shae_assassin", "laegon", "laegon_archer",
    "auriel", "auriel_enchantress",
]  # fmt: skip
ENEMIES = [
    "green_gremlin", "blue_gremlin", "red_gremlin", "green_bandit", "blue_bandit", "red_bandit", "green_orc_warrior",
    "blue_orc_warrior", "red_orc_warrior", "green_orc_shaman", "blue_orc_shaman", "red_orc_shaman", "troll", "orc_king",
    "gremlin_horde", "gargoyle", "witch_queen", "witch_queen_wrath",
]  # fmt: skip


def told(text: str, rank: int = 1) -> dict[str, Any]:
    """Return a character as plain values; hands and powers by their ids."""
    one = character_of(CATALOGUE, text, rank)
    return {
        "id": one.id,
        "card": one.card.id,
        "hands": [hand.id for hand in one.hands],
        "named": one.named_power and one.named_power.id,
        "power": one.power and (one.power[0].id, one.power[1]),
        "wears": (one.armour, one.shields, one.defence_dice, one.defence_effects),
        "gem": (one.health, one.combat_activities, one.actions, one.saves_dice),
    }


def test_who_may_be_asked_about() -> None:
    assert list(GAME.entrants_of("duel")) == HEROES
    assert list(GAME.others_of("duel")) == ENEMIES


@pytest.mark.parametrize(
    "text", ["red_orc_warrior", "Red Orc Warrior", "orc_warrior_red", "RED-ORC-WARRIOR", "Orc Warrior Red"]
)
def test_an_enemy_is_found_by_its_names(text: str) -> None:
    assert told(text) == {
        "id": "red_orc_warrior",
        "card": "red_orc_warrior",
        "hands": ["war_axes_red"],
        "named": None,
        "power": None,
        "wears": (2, 0, 2, ()),
        "gem": (12, 1, 0, 0),
    }


@pytest.mark.parametrize(
    ("text", "rank", "expected"),
    [
        (
            "Auriel, Light Mage",
            3,
            {
                "id": "auriel",
                "card": "auriel",
                "hands": ["wand"],
                "named": None,
                "power": ("thunder_lord_3", 3),
                "wears": (0, 2, 2, ()),
                "gem": (11, 1, 2, 1),
            },
        ),
        (
            "shae_assassin+Dagger+Crystal Dagger",
            1,
            {
                "id": "shae_assassin+dagger+crystal_dagger",
                "card": "shae_assassin",
                "hands": ["dagger", "crystal_dagger"],
                "named": None,
                "power": ("backstab_1", 2),
                "wears": (0, 0, 3, ()),
                "gem": (6, 1, 1, 1),
            },
        ),
        (
            "thorgar+call_lightning_3+rune_hammer+chain_mail_forged",
            4,
            {
                "id": "thorgar+call_lightning_3+rune_hammer+chain_mail_forged",
                "card": "thorgar",
                "hands": ["rune_hammer"],
                "named": "call_lightning_3",
                "power": ("call_lightning_3", 3),
                "wears": (1, 1, 2, ("shield1@MAG",)),
                "gem": (14, 2, 2, 1),
            },
        ),
        (
            "auriel+iron_bracers+amber_ring+lucky_2",
            2,
            {
                "id": "auriel+iron_bracers+amber_ring+lucky_2",
                "card": "auriel",
                "hands": ["wand"],
                "named": None,
                "power": ("thunder_lord_1", 2),
                "wears": (0, 2, 3, ()),
                "gem": (9, 1, 1, 2),
            },
        ),
        (
            "blue_gremlin+stone_red",
            7,
            {
                "id": "blue_gremlin+stone_red",
                "card": "blue_gremlin",
                "hands": ["stone_red"],
                "named": None,
                "power": None,
                "wears": (0, 0, 2, ()),
                "gem": (9, 1, 0, 0),
            },
        ),
    ],
)
def test_what_a_character_is(text: str, rank: int, expected: dict[str, Any]) -> None:
    assert told(text, rank) == expected


def test_artefacts_add_their_effects_to_every_weapon() -> None:
    plain, ringed = (character_of(CATALOGUE, text) for text in ("shae", "shae+ring_of_venom"))
    assert [hand.effects for hand in plain.hands] == [("lethal1@ABI",), ("armour-1@ABI+ABI",)]
    assert [hand.effects for hand in ringed.hands] == [(*hand.effects, "poison1@MAG+MAG") for hand in plain.hands]


def test_an_unarmed_hero_without_armour() -> None:
    bare = printed({"heroes.shae.weapon": "", "heroes.shae.off_hand": "", "heroes.shae.armour": ""}).catalogue
    shae = character_of(bare, "shae")
    assert shae.hands == (Profile("unarmed", 0, 0, 1, "none", (), 0),)
    assert (shae.armour, shae.shields, shae.defence_dice, shae.defence_effects) == (0, 0, 1, ())
    assert character_of(bare, "shae+iron_bracers").defence_dice == 2


@pytest.mark.parametrize(
    ("text", "label", "cost"),
    [
        ("laegon_archer", "Laegon, Archer", 0),
        ("laegon_archer+long_bow_forged", "Laegon, Archer + Long Bow (forged)", 0),
        ("auriel+thunder_lord_3", "Auriel, Light Mage + Thunder Lord III", 0),
        ("red_bandit+knife_red", "Red Bandit + Knife (red)", 4),
        ("troll", "Troll", 10),
    ],
)
def test_names_for_people_and_what_an_enemy_is_worth(text: str, label: str, cost: int) -> None:
    assert (GAME.label(text), GAME.cost_points(text), soul_points_of(CATALOGUE, text)) == (label, cost, cost)


def cards(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, card in cards_of(CATALOGUE, text):
        found.setdefault(table, []).append(card)
    return found


SHAES = {
    "heroes": ["shae"],
    "gems": [f"shae_{rank}" for rank in range(1, 8)],
    "powers": ["treasure_hunter_1", "treasure_hunter_4", "knife_fan_1", "knife_fan_4", "smoke_bomb_2", "vital_spot_3"],
}


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("shae", {"weapons": ["dagger", "short_sword"], "armours": ["leather_jerkin"]}),
        ("shae+knives", {"weapons": ["knives"], "armours": ["leather_jerkin"]}),
        ("shae+leather_jerkin_forged", {"weapons": ["dagger", "short_sword"], "armours": ["leather_jerkin_forged"]}),
        (
            "shae+ring_of_venom",
            {"weapons": ["dagger", "short_sword"], "armours": ["leather_jerkin"], "artefacts": ["ring_of_venom"]},
        ),
    ],
)
def test_the_cards_that_a_hero_is_made_of(text: str, carried: dict[str, list[str]]) -> None:
    """What his row gives him and nothing in the id takes the place of is carried all the same."""
    assert cards(text) == {**SHAES, **carried}


def test_the_cards_that_other_characters_are_made_of() -> None:
    assert cards("red_bandit") == {"enemies": ["red_bandit"], "weapons": ["sword_red", "knife_red"]}
    assert cards("red_bandit+stone_red") == {"enemies": ["red_bandit"], "weapons": ["stone_red"]}
    own = cards("auriel+thunder_lord_3")
    assert (own["weapons"], own["armours"], own["artefacts"]) == (["wand"], ["mage_robe"], ["amber_ring"])
    assert sorted(own["powers"]) == [
        "fireball_3", "fireball_6", "healing_light_1", "healing_light_4", "mage_shield_1", "thunder_lord_1",
        "thunder_lord_3",
    ]  # fmt: skip


def test_the_cards_of_a_companion_are_its_callers() -> None:
    own, plain = cards("laegon+call_fenrir_1"), cards("laegon")
    assert own["companions"] == ["fenrir_1"]
    assert own["weapons"] == [*plain["weapons"], "fangs", "pounce"]
    assert "companions" not in plain


def test_powers_by_rank() -> None:
    """Which power a hero attacks with in a duel: the first attack among those that his gem leaves him."""
    heroes, ranks = ("shae_assassin", "laegon", "thorgar"), range(1, 8)
    by_rank = {hero: [told(hero, rank)["power"] for rank in ranks] for hero in heroes}
    assert by_rank == {
        "shae_assassin": [("backstab_1", 2)] * 3 + [("backstab_4", 3)] * 4,
        "laegon": [("hunters_mark_1", 2)] * 3 + [("hunters_mark_4", 3)] * 4,
        "thorgar": [None] * 2 + [("hammer_throw_1", 2)] + [("hammer_throw_4", 3)] * 4,
    }

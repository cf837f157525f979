"""Whole Lore adventures by two engines: cards, tokens, councils, creatures' powers and landmarks, told twice."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from balance.games.battlelore.adventure.map.adventure import Council
from tests.games.battlelore.adventure.adventure_twins import compared
from tests.games.battlelore.adventure.random_adventures import LORE_OPTIONS, random_encounter, some_options
from tests.games.battlelore.adventure.test_twins import GREEDY, PAIRS, RANDOM, all_seen

MIXED_TROOPS = ("giant_spider", "green_foot", "blue_mounted+long_sword", "human_archers", "goblin_red_foot")
SPIDERS = ("giant_spider", "giant_spider", "red_foot+long_sword", "dwarf_blue_foot")
PLACES = ("training_camp", "healing_pool", "rogues_den", "forest", "magic_pentacle")
RICH: dict[str, Any] = {"lore": True, "tokens": (14, 14), "banners": (9, 9), "turn_limit": 14, "n": 6}
"""Sides with tokens for many cards, who play on for a while."""
WEBS: dict[str, Any] = {**RICH, "texts": SPIDERS, "arena": True, "turn_limit": 24, "n": 8, "seed": 30}
VENOM: dict[str, Any] = {**WEBS, "rules": {"constants.lore.poison": 1}}
"""Spiders in little room, whose bites are webs and poison."""
MEETINGS: dict[str, dict[str, Any]] = {
    "webbed_flags": WEBS,
    "freed_unit": WEBS,
    "poison_lore": {**VENOM, "seed": 31},
    "lore_deck": {**RICH, "seed": 40},
    "income": {**RICH, "seed": 40, "terrains": ("magic_pentacle",)},
}
"""What kind of adventure a reading shows itself in."""


@pytest.mark.slow("test_lore_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-LORE-02", "BL-LORE-04", "BL-LORE-06", "BL-LORE-07", "BL-LORE-08", "BL-LORE-10", "BL-LORE-11")
@pytest.mark.rule("BL-LORE-12", "BL-LORE-13", "BL-LORE-14", "BL-LORE-15", "BL-LORE-16", "BL-LORE-17", "BL-LORE-19")
@pytest.mark.rule(
    "BL-LORE-20", "BL-LORE-21", "BL-LORE-22", "BL-LORE-23", "BL-WC-03", "BL-WC-04", "BL-WC-05", "BL-WC-06"
)
def test_lore_adventures_are_the_second_engines() -> None:
    happened: Counter[str] = Counter()
    for seed, policies in ((11, ("greedy", "random")), (13, GREEDY), (15, RANDOM)):
        happened += compared(random_encounter(seed, texts=MIXED_TROOPS, arena=True, policies=policies, **RICH))
    all_seen(happened, "gain", "heal", "confuse", "mists", "fireball", "doom", "teleport", "speed", "speed_all", "dice")
    all_seen(happened, "cry", "berserk", "agility", "fearless", "parry", "shield", "backstab", "cancel")
    all_seen(happened, "refill 0", "refill 1", "refill 2", "lore card dropped")


@pytest.mark.slow("test_lore_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-CRE-10", "BL-CRE-11", "BL-CRE-12", "BL-CRE-13", "BL-CRE-14", "BL-CRE-15", "BL-CRE-16")
@pytest.mark.rule("BL-CRE-04", "BL-CMD-15", "BL-LORE-03")
def test_powers_of_creatures_are_the_second_engines() -> None:
    happened = compared(random_encounter(**WEBS)) + compared(random_encounter(**{**VENOM, "seed": 28}))
    all_seen(happened, "power store", "power web", "power poison", "freed", "out of section", "creature eliminated")


@pytest.mark.slow("test_lore_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-LMK-02", "BL-LMK-03", "BL-LMK-04", "BL-LMK-05", "BL-LMK-06", "BL-LMK-07", "BL-LMK-08")
@pytest.mark.rule("BL-LMK-09", "BL-LMK-10", "BL-LMK-11", "BL-LMK-12", "BL-WC-08")
def test_landmarks_are_the_second_engines() -> None:
    happened: Counter[str] = Counter()
    for seed, councils in ((0, {}), (4, {"councils": (Council(3, 3, 3, 0, 3), Council(0, 3, 1, 3, 3))}), (5, {})):
        meeting: dict[str, Any] = {**RICH, **councils}
        happened += compared(random_encounter(seed, terrains=PLACES, masters_landmarks=True, **meeting))
    all_seen(happened, "training_camp placed", "rogues_den placed", "stronghold placed", "stronghold lost")
    all_seen(happened, "trained", "healed in a pool", "passage opened", "income")


@pytest.mark.slow("test_lore_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-LORE-19", "BL-LORE-21")
def test_a_small_lore_deck_is_made_of_its_discards_as_in_the_second_engine() -> None:
    counts = {"wizard_1": 3, "rogue_3": 2, "cleric_4": 1, "warrior_1": 2, "warrior_4": 1, "cleric_5": 2}
    council = Council(1, 2, 2, 1, 2)
    meeting: dict[str, Any] = {**RICH, "lore_counts": counts, "councils": (council, council)}
    all_seen(compared(random_encounter(41, **meeting)), "lore reshuffle", "keep", "cancel")


@pytest.mark.parametrize(("name", "value"), [(name, values[0]) for name, values in LORE_OPTIONS.items()])
@pytest.mark.rule("BL-CRE-14", "BL-CRE-15", "BL-CRE-16", "BL-WC-05", "BL-LMK-05")
def test_lore_adventures_by_every_other_reading_are_the_second_engines(name: str, value: Any) -> None:
    meeting = MEETINGS[name]
    happened = compared(random_encounter(**{**meeting, "rules": {**meeting.get("rules", {}), name: value}}))
    seen = {"freed_unit": "freed", "webbed_flags": "power web", "poison_lore": "power poison", "income": "income"}
    all_seen(happened, seen.get(name, "adventure"))


@pytest.mark.slow("test_lore_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.parametrize("part", range(5))
def test_one_thousand_lore_adventures_are_the_second_engines(part: int) -> None:
    happened: Counter[str] = Counter()
    for seed in range(3000 + 25 * part, 3025 + 25 * part):
        rng = Random(seed)
        rules, policies = some_options(rng, 0.2, lore=True), rng.choice(PAIRS)
        terms: dict[str, Any] = {"rules": rules, "policies": policies, "masters_landmarks": seed % 2 == 0, "n": 8}
        happened += compared(random_encounter(seed, lore=True, wild=seed % 3 == 0, **terms))
    assert happened["adventure"] == 200
    all_seen(happened, "fireball", "cancel", "mists", "trained", "power web", "power store")

"""Whole adventures by two engines: the game's, and one in plain Python that was written from the ledger alone.

Before every decision the state is the same, and so are the options; who plays at random decides the same, and the end
is reported the same. Adventures, cards and readings are drawn by luck, for rare meetings of rules come about nowhere
else; each test says which events it has seen.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.battlelore.adventure.map.field import Field, field_of
from tests.games.battlelore.adventure.adventure_twins import Encounter, compared, traced
from tests.games.battlelore.adventure.random_adventures import OPTIONS, random_encounter, some_options
from tests.games.battlelore.adventure.reference_board import CELLS, Board, distance, neighbours, rear, relative
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_play import play

RANDOM, GREEDY, RUSH = ("random", "random"), ("greedy", "greedy"), ("rush", "rush")
PAIRS = (RANDOM, RANDOM, GREEDY, RUSH, ("careful", "random"), ("focus", "hold"), ("flank", "random"))
CREATURES = ("giant_spider", "giant_spider", "goblin_blue_foot+short_sword", "red_foot")
RIDERS = ("green_mounted", "blue_mounted", "red_mounted", "goblin_green_mounted", "green_foot+long_sword")
SHOOTERS = ("human_archers", "dwarf_crossbowmen", "blue_mounted+common_bow", "red_foot+crossbow", "blue_foot")
BOLD = ("dwarf_blue_foot", "dwarf_red_mounted", "blue_foot", "goblin_red_foot", "goblin_green_mounted")
CORNER: dict[str, Any] = {"texts": CREATURES, "arena": True, "mixed": True, "banners": (9, 9), "seed": 311, "n": 12}
"""Creatures among others in little room; with the seed many are trampled."""
MEETINGS: dict[str, dict[str, Any]] = {
    "bold_sources": {"texts": BOLD, "terrains": ("bridge", "rampart", "stronghold"), "arena": True},
    "short_sword_vs_creature": {"texts": ("giant_spider", "red_foot+short_sword"), "policies": RUSH},
    "crossbow_after_moving": {"texts": ("dwarf_crossbowmen", "red_mounted+crossbow"), "policies": RUSH},
    "bow_after_moving": {"texts": ("red_foot+common_bow", "blue_mounted+common_bow"), "policies": RUSH},
    "battle_back_needs": {"texts": BOLD, "policies": RUSH},
    "battle_back_on_bonus": {"texts": (*RIDERS, "dwarf_blue_foot"), "policies": GREEDY, "banners": (9, 9)},
    "ford_pursuit": {"texts": RIDERS, "terrains": ("ford",), "policies": GREEDY, "banners": (9, 9)},
    "trample": CORNER,
    "trample_clears_way": CORNER,
    "edge_sight": {"texts": SHOOTERS, "terrains": ("forest", "hill")},
    "hill_sight": {"texts": SHOOTERS, "terrains": ("hill",)},
    "rampart_along": {"texts": ("green_mounted", "goblin_green_foot"), "terrains": ("rampart", "rampart", "hill")},
    "bonus_target": {"texts": RIDERS, "policies": GREEDY, "banners": (9, 9)},
    "battle_back_caps": {
        "texts": BOLD,
        "terrains": ("forest", "hill"),
        "policies": RUSH,
        "banners": (9, 9),
        "seed": 118,
    },
}
"""What kind of adventure a reading shows itself in."""
EVERY_OPTION = [(name, value) for name, values in OPTIONS.items() for value in values]


def all_seen(happened: Counter[str], *events: str) -> None:
    assert not [event for event in events if not happened[event]], happened


OFF_BOARD = -1


def both_maps(encounter: Encounter) -> tuple[Field, Board]:
    return field_of(encounter.adventure(), encounter.catalogue, encounter.read), encounter.terms().board


@pytest.mark.rule("BL-SETUP-01", "BL-CMD-08", "BL-FLAG-03")
def test_the_board_is_the_second_engines() -> None:
    field, board = both_maps(random_encounter(1))
    sections = {1: "left", 2: "centre", 4: "right"}
    for cell in CELLS:
        assert {int(c) for c in field.neighbours[cell + 1] if c != OFF_BOARD} == set(neighbours(cell))
        for side in (0, 1):
            assert {int(c) for c in field.rear[side, cell + 1] if c != OFF_BOARD} == set(rear(side, cell))
            assert field.relative[side, cell + 1] == relative(side, cell)
            bits = int(field.section[side, cell + 1])
            assert {name for bit, name in sections.items() if bits & bit} == board.sections(side, cell)
        for other in CELLS:
            assert field.distances[cell + 1, other + 1] == distance(cell, other)


@pytest.mark.rule("BL-RNG-06", "BL-RNG-07", "BL-RNG-08", "BL-RNG-09")
@pytest.mark.parametrize("seed", range(4))
def test_lines_of_sight_are_the_second_engines(seed: int) -> None:
    rng = Random(f"sight {seed}")
    for number in range(8):
        rules = {"edge_sight": rng.choice(("both_sides", "same_edge"))}
        rules["hill_sight"] = rng.choice(("over_adjacent", "target_only"))
        field, board = both_maps(random_encounter(100 * seed + number, rules=rules))
        units = dict.fromkeys(rng.sample(CELLS, rng.choice((0, 10, 30))), True)
        occupied = np.zeros((1, 145), bool)
        occupied[0, [cell + 1 for cell in units]] = True
        pairs = [(a, b) for a in CELLS for b in rng.sample(CELLS, 12) if 2 <= distance(a, b) <= 4]
        starts, goals = (np.array(cells) for cells in zip(*pairs, strict=True))
        seen = field.sees(occupied, np.zeros(len(pairs), np.int64), starts, goals).tolist()
        assert seen == [board.sees(a, b, units) for a, b in pairs]


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-TURN-01", "BL-TURN-02", "BL-TURN-03", "BL-CMD-01", "BL-CMD-02", "BL-CMD-03", "BL-CMD-04")
@pytest.mark.rule("BL-CMD-07", "BL-CMD-08", "BL-CMD-09", "BL-CMD-10", "BL-CMD-11", "BL-CMD-12", "BL-CMD-14")
@pytest.mark.rule("BL-MOV-01", "BL-MOV-02", "BL-MOV-03", "BL-MOV-04", "BL-MOV-06", "BL-MOV-07", "BL-MOV-08")
@pytest.mark.rule("BL-RNG-01", "BL-RNG-03", "BL-RNG-06", "BL-RNG-07", "BL-RNG-08", "BL-RNG-09", "BL-RNG-10")
@pytest.mark.rule("BL-GOB-01", "BL-GOB-02", "BL-CRE-02", "BL-TER-04", "BL-WIN-01", "BL-WIN-03", "BL-WIN-04")
def test_adventures_of_the_shipped_units_are_the_second_engines() -> None:
    happened: Counter[str] = Counter()
    for seed, policies in enumerate(PAIRS[1:]):
        happened += compared(random_encounter(seed, policies=policies, n=6))
    all_seen(happened, "melee", "ranged", "charge", "move", "move without battle", "battle back", "gain", "retreat")
    all_seen(happened, "flag ignored", "flag taken freely", "blocked retreat", "panic losses", "critical", "won")
    all_seen(happened, "scout", "battlelore", "darken_the_sky", "foot_onslaught", "mounted_charge", "banner hex")


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
def test_adventures_of_units_that_no_catalogue_has_are_the_second_engines() -> None:
    happened: Counter[str] = Counter()
    for seed, policies in enumerate(PAIRS[1:5], 20):
        rules = some_options(Random(seed), 0.25)
        happened += compared(random_encounter(seed, wild=True, policies=policies, rules=rules, banners=(5, 5), n=6))
    all_seen(happened, "melee", "ranged", "charge", "battle back", "panic losses", "won")


@pytest.mark.parametrize(("name", "value"), EVERY_OPTION, ids=lambda value: str(value))
@pytest.mark.rule("BL-RNG-07", "BL-RNG-09", "BL-LMK-13", "BL-POST-05", "BL-POST-08", "BL-POST-10", "BL-CRE-08")
def test_adventures_by_every_other_reading_are_the_second_engines(name: str, value: Any) -> None:
    meeting = {"seed": 100 + EVERY_OPTION.index((name, value)), "n": 6, **MEETINGS[name]}
    happened = compared(random_encounter(rules={name: value}, **meeting))
    all_seen(happened, "melee", *(["trampled to death"] if name.startswith("trample") else []))


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-CRE-01", "BL-CRE-03", "BL-CRE-05", "BL-CRE-07", "BL-CRE-08", "BL-CRE-09")
def test_creatures_in_a_corner_fare_as_in_the_second_engine() -> None:
    happened: Counter[str] = Counter()
    for seed, trample in ((309, "all_adjacent"), (311, "all_adjacent"), (317, "in_path")):
        happened += compared(random_encounter(**{**CORNER, "seed": seed, "rules": {"trample": trample}}))
    all_seen(happened, "critical", "trample", "way cleared", "trampled beside the way", "creature eliminated")


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.rule("BL-RNG-03", "BL-RNG-04", "BL-GOB-01", "BL-CMD-03")
def test_shooters_among_enemies_fare_as_in_the_second_engine() -> None:
    goblins = ("goblin_red_foot+common_bow", "goblin_blue_foot+crossbow", "green_mounted")
    happened = compared(random_encounter(231, texts=goblins, policies=("rush", "random"), banners=(12, 12), n=12))
    all_seen(happened, "charge", "ranged")
    counts = {"darken_the_sky": 30}
    meeting: dict[str, Any] = {
        "texts": SHOOTERS,
        "mixed": True,
        "counts": counts,
        "policies": ("rush", "greedy"),
        "n": 20,
    }
    happened = compared(random_encounter(233, banners=(12, 12), **meeting))
    all_seen(happened, "darken_the_sky", "melee", "retreat")


@pytest.mark.rule("BL-POST-03", "BL-POST-04", "BL-POST-05", "BL-POST-06", "BL-POST-08", "BL-POST-09")
def test_riders_pursue_as_in_the_second_engine() -> None:
    happened: Counter[str] = Counter()
    for seed, terrains in ((210, ("rampart", "landmark")), (211, ("ford", "forest")), (212, ())):
        happened += compared(random_encounter(seed, texts=RIDERS, terrains=terrains, policies=GREEDY, n=8))
    all_seen(happened, "gain", "pursuit", "bonus melee", "battle back")


@pytest.mark.rule("BL-CMD-12", "BL-CMD-13", "BL-SETUP-03")
def test_small_decks_are_dealt_and_shuffled_as_in_the_second_engine() -> None:
    happened: Counter[str] = Counter()
    decks = ({"scout_left": 2, "patrol_centre": 2}, {"counter_attack": 3, "attack_left": 2, "scout_right": 2})
    for seed, counts in enumerate((*decks, {"battlelore": 2, "scout_centre": 3}), 220):
        happened += compared(random_encounter(seed, counts=counts, hands=(3, 2), turn_limit=12, n=5))
    all_seen(happened, "reshuffle", "nothing to draw", "counter_attack", "scout", "battlelore")


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
def test_the_second_engine_plays_at_random_by_itself() -> None:
    encounter = random_encounter(7, n=4)
    trace, _ = traced(encounter)
    for luck, turns in trace.turns.items():
        game = Game(encounter.terms(), luck)
        play(game)
        last = turns[-1]
        assert (game.turn, game.winner, game.moments) == (last["turn"], last["winner"], last["moments"])
        assert game.banners == last["banners"]


@pytest.mark.slow("test_adventures_by_every_other_reading_are_the_second_engines")
@pytest.mark.parametrize("part", range(5))
def test_two_thousand_adventures_are_the_second_engines(part: int) -> None:
    happened: Counter[str] = Counter()
    for seed in range(1000 + 40 * part, 1040 + 40 * part):
        rng = Random(seed)
        terms: dict[str, Any] = {"rules": some_options(rng, 0.25), "policies": rng.choice(PAIRS), "n": 10}
        happened += compared(random_encounter(seed, wild=seed % 2 == 1, **terms))
    assert happened["adventure"] == 400
    all_seen(happened, "trample", "pursuit", "bonus melee", "banner hex lost", "counter_attack", "reshuffle")

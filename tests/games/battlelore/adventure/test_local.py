"""Combats on the board equal the combats that are proved without one, whenever the local situation is the same.

Outcomes of many simulated combats are held against the exact distribution of the kind `combat`: no outcome may be more
than five standard deviations from its chance, which happens by chance once in some 1.7 million outcomes; seeds are
fixed. Dice and flags that may be ignored are compared exactly.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.legal import boldness
from balance.games.battlelore.adventure.combat.strike import dice_of
from balance.games.battlelore.building import Post
from balance.games.battlelore.rules.dice import Ground, dice_count
from balance.games.battlelore.tables import Terrain
from tests.games.battlelore.adventure.local import free_hexes, worst_deviation
from tests.games.battlelore.adventure.scenes import battle_of, catalogue, scene
from tests.games.battlelore.asking import Case
from tests.games.battlelore.reference import Unit, unit

LIMIT = 5
"""Standard deviations."""
FOOT, RIDER, SPIDER = "blue foot short_sword", "blue mounted long_sword", "green creature bite"


def u(name: str, **changes: Any) -> Unit:
    return unit(name, **changes)


CASES: dict[str, Case] = {
    "foot drives off archers": (u(FOOT), u("green foot common_bow", free=4), {}),
    "short swords against riders": (u(FOOT), u(RIDER, free=2, supported=True), {}),
    "archers after a move": (u("green foot common_bow", moved=True, extra=1), u(FOOT, free=1), {"melee": False}),
    "crossbows at range": (u("green foot crossbow"), u(RIDER, free=3, supported=True), {"melee": False}),
    "crossbows point blank": (u("green foot crossbow", supported=True), u(RIDER, free=3, supported=True), {}),
    "no way back": (u(FOOT), u(FOOT, free=0, figures=2), {}),
    "a bridge battles back": (u(RIDER), u("red foot long_sword", free=4, terrain="bridge"), {}),
    "uphill": (u("red mounted long_sword"), u("red foot short_sword", free=4, terrain="hill", supported=True), {}),
    "out of a forest": (u("red foot short_sword", terrain="forest"), u(FOOT, free=4, supported=True), {}),
    "dwarves": (u(RIDER, extra=2), u("green foot crossbow", race="dwarf", free=4, supported=True), {}),
    "goblins flee": (u("red foot short_sword"), u(FOOT, race="goblin", free=4, supported=True), {}),
    "goblins cornered": (u("red foot short_sword"), u(FOOT, race="goblin", free=1), {}),
    "goblins driven off": (u(FOOT, race="goblin", figures=3), u("red foot short_sword", race="dwarf", free=4), {}),
    "pursuit": (u(RIDER), u(FOOT, race="dwarf", figures=3, free=4), {"pursues": True}),
    "pursuit into a forest": (u(RIDER), u(FOOT, figures=3, free=4, terrain="forest"), {"pursues": True}),
    "pursuit into a ford": (u(RIDER), u(FOOT, figures=3, free=4, terrain="ford"), {"pursues": True}),
    "no bonus in a landmark": (u(RIDER), u(FOOT, figures=2, free=4, terrain="landmark"), {"pursues": True}),
    "another enemy": (
        u(RIDER), u(FOOT, figures=2, free=4), {"pursues": True, "u": u(FOOT, race="dwarf", figures=3, free=4)},
    ),
    "a spider attacked": (u("red foot short_sword"), u(SPIDER, free=4), {}),
    "a spider cornered": (u("red foot short_sword", extra=1), u(SPIDER, free=1), {}),
    "a spider shot": (u("green foot crossbow"), u(SPIDER, free=4), {"melee": False}),
    "a spider webs": (u(SPIDER, power="web"), u(FOOT, free=4, supported=True), {}),
    "a spider poisons": (u(SPIDER, power="poison", stored=1), u(FOOT, free=4, supported=True, poisoned=True), {}),
    "a spider with two Lore": (u(SPIDER, power="poison web", stored=2, extra=1), u(FOOT, free=4, race="dwarf"), {}),
    "a spider battles back": (u(FOOT, poisoned=True), u(SPIDER, power="poison web", free=4, stored=1), {}),
    "spider against spider": (u(SPIDER, power="web"), u(SPIDER, free=4, power="web"), {}),
    "in a web": (u(FOOT), u(FOOT, free=4, supported=True, webbed=True), {}),
    "nobody battles back": (u(FOOT), u(FOOT, free=4, race="dwarf"), {"backs": False}),
}  # fmt: skip
READINGS: dict[str, Case] = {
    "BL-Q12": (u(RIDER), u(FOOT, free=4, race="dwarf"), {"pursues": True, "readings": {"BL-Q12"}}),
    "BL-Q13": (u(RIDER), u(FOOT, free=4, race="dwarf", figures=3), {"pursues": True, "readings": {"BL-Q13"}}),
    "BL-Q16": (u(RIDER), u(FOOT, free=4, race="dwarf", figures=3), {"pursues": True, "readings": {"BL-Q16"}}),
    "BL-Q38": (u(FOOT), u(FOOT, free=4, supported=True, webbed=True), {"readings": {"BL-Q38"}}),
    "BL-Q41": (u(SPIDER), u(FOOT, free=4, poisoned=True), {"readings": {"BL-Q41"}}),
    "BL-Q53": (u(FOOT, terrain="hill"), u(FOOT, race="dwarf", free=4, terrain="forest"), {"readings": {"BL-Q53"}}),
}


@pytest.mark.rule(
    "BL-HIT-01", "BL-HIT-02", "BL-HIT-03", "BL-HIT-04", "BL-HIT-05", "BL-WPN-01", "BL-WPN-02", "BL-WPN-04",
    "BL-FLAG-01", "BL-FLAG-06", "BL-MOR-03", "BL-MOR-07", "BL-MOR-10", "BL-POST-03", "BL-POST-04", "BL-POST-08",
    "BL-POST-10", "BL-POST-13", "BL-PANIC-01", "BL-PANIC-02", "BL-PANIC-03", "BL-PANIC-04", "BL-DWF-01", "BL-DWF-02",
    "BL-GOB-03", "BL-GOB-04", "BL-CRE-03", "BL-CRE-05", "BL-CRE-07", "BL-CRE-09", "BL-CRE-10", "BL-CRE-11",
    "BL-CRE-12", "BL-CRE-14", "BL-CRE-15", "BL-DIE-03",
)  # fmt: skip
@pytest.mark.parametrize("name", list(CASES))
def test_a_combat_on_the_board_has_the_odds_of_one_without(name: str) -> None:
    assert worst_deviation(free_hexes(CASES[name]), 6000, seed=3) < LIMIT


@pytest.mark.parametrize("name", list(READINGS))
def test_it_does_under_other_readings_of_the_rules(name: str) -> None:
    assert worst_deviation(free_hexes(READINGS[name]), 6000, seed=4) < LIMIT


SORTS = (
    "green foot short_sword", "green foot common_bow", "green foot crossbow", FOOT, "blue foot long_sword",
    "red foot short_sword", "green mounted common_bow", RIDER, "blue mounted short_sword", "red mounted long_sword",
    SPIDER,
)  # fmt: skip
RACES = ("human", "dwarf", "goblin")
TERRAINS = ("countryside", "forest", "hill", "ford", "bridge", "landmark", "rampart", "magic_pentacle", "healing_pool")


def random_case(random: Random, one: str, other: str, terrains: tuple[str, str]) -> Case:
    """Return a case of two sorts on two terrains; all else is by chance."""
    ranged = one.split()[2] in ("common_bow", "crossbow") and random.random() < 0.5
    pair = []
    for name, terrain in zip((one, other), terrains, strict=True):
        foot = not name.startswith(SPIDER)
        figures = random.randint(1, 3) if foot else 1
        supported = foot and random.random() < 0.4
        pair.append(
            u(
                name,
                race=random.choice(RACES) if foot else "human",
                figures=figures,
                supported=supported,
                terrain=terrain,
                power="" if foot else random.choice(("", "web", "poison", "poison web")),
                stored=0 if foot else random.randint(0, 2),
                poisoned=random.random() < 0.1,
            )
        )
    a, t = pair
    a["moved"] = terrains[0] not in ("landmark", "rampart") and random.random() < 0.3
    a["extra"], t["free"] = random.choice((0, 0, 0, 1, -1)), random.randint(0, 6 if ranged else 7)
    return free_hexes((a, t, {"melee": not ranged, "backs": random.random() < 0.9, "pursues": False}))


@pytest.mark.slow("test_a_combat_on_the_board_has_the_odds_of_one_without")
def test_every_sort_of_unit_against_every_other_on_all_pairs_of_terrain() -> None:
    """121 pairs of sorts, and 81 pairs of terrains, each at least once; about 2,000 outcomes a pair are compared."""
    random, grounds = Random(47), [(out, into) for out in TERRAINS for into in TERRAINS]
    random.shuffle(grounds)
    for number, (one, other) in enumerate(product(SORTS, repeat=2)):
        case = random_case(random, one, other, grounds[number % len(grounds)])
        assert worst_deviation(case, 10_000, seed=number) < LIMIT, case


# -- exactly -----------------------------------------------------------------------------------------------------------

UNITS = (
    "green_foot+common_bow", "blue_foot", "red_foot+crossbow", "dwarf_blue_foot", "dwarf_green_mounted",
    "goblin_red_foot", "red_mounted", "giant_spider",
)  # fmt: skip
EVERY_TERRAIN = [terrain for terrain in catalogue().entries(Terrain) if terrain != "watercourse"]


@pytest.mark.slow("test_units_are_as_bold_as_the_rules_say_on_every_terrain")
@pytest.mark.rule("BL-DICE-01", "BL-DICE-02", "BL-DICE-05", "BL-DICE-06", "BL-TER-02", "BL-TER-03", "BL-LMK-01")
@pytest.mark.parametrize("reading", [{}, {"bow_after_moving": "to_one", "crossbow_after_moving": "full"}])
def test_units_roll_as_many_dice_as_the_rules_say_on_every_pair_of_terrains(reading: dict[str, Any]) -> None:
    trials = list(product(range(len(UNITS)), (False, True), (-5, 0, 2)))
    for out, into in product(EVERY_TERRAIN, repeat=2):
        battle = battle_of(
            {"D6": UNITS[0], **{f"A{n}": name for n, name in enumerate(UNITS[1:], 1)}}, {"E6": "blue_foot"},
            {"D6": out, "E6": into}, lore=True, **reading,
        )  # fmt: skip
        made, rules = scene(battle, len(trials)), battle.terms.rules
        grounds = [Ground((catalogue().entries(Terrain)[name],)) for name in (out, into)]
        members, moved, extra = (np.array(column) for column in zip(*trials, strict=True))
        made.state["kind"][:, 0, 0], made.state["moved"][:, 0], made.state["bonus"][:, 0] = members, moved, extra
        rows, zeros = np.arange(len(trials)), np.zeros(len(trials), np.int64)
        dice = dice_of(Clash(made.turn, 0, rows, zeros, zeros), zeros + 1)
        expected = [
            dice_count(battle.muster.fighters[member], rules, *grounds, has_moved=has_moved, extra=more)
            for member, has_moved, more in trials
        ]
        assert dice.tolist() == expected, (out, into)


@pytest.mark.rule("BL-MOR-04", "BL-MOR-06", "BL-MOR-08", "BL-MOR-09", "BL-CRE-05", "BL-CRE-06", "BL-TER-06")
@pytest.mark.parametrize("sources", ["add", "dwarves_only", "never"])
def test_units_are_as_bold_as_the_rules_say_on_every_terrain(sources: str) -> None:
    friends = {"D5": "blue_foot", "D7": "blue_foot"}
    for terrain, supported in product(EVERY_TERRAIN, (False, True)):
        a = {"D6": UNITS[0], **{f"A{n}": name for n, name in enumerate(UNITS[1:], 1)}}
        battle = battle_of(
            a | (friends if supported else {}), {"I1": "blue_foot"}, {"D6": terrain}, bold_sources=sources
        )
        made, referee = scene(battle, len(UNITS)), battle.muster.referee
        made.state["kind"][:, 0, 0] = np.arange(len(UNITS))
        rows = np.arange(len(UNITS))
        bold = boldness(battle, made.state, 0, rows, np.zeros_like(rows))
        ground = Ground((catalogue().entries(Terrain)[terrain],))
        posts = [Post(fighter, 1, ground, supported) for fighter in battle.muster.fighters[: len(UNITS)]]
        assert bold.tolist() == [referee.bold(post) for post in posts], terrain

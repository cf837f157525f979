"""Combats at random in the corners of the rules: ambush, web, poison, trampling, pursuit; against the twin, exactly."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.battlelore.asking import READINGS, Case, our_distribution, twin_distribution
from tests.games.battlelore.reference import Unit, unit

TERRAINS = ("countryside", "countryside", "countryside", "hill", "forest", "ford", "bridge", "rampart", "landmark")


def troop(draw: Random, kinds: tuple[str, ...] = ("foot", "mounted")) -> Unit:
    weapon = draw.choice(("short_sword", "long_sword", "common_bow", "crossbow"))
    race = draw.choice(("human", "dwarf", "goblin"))
    made = unit(f"green {draw.choice(kinds)} {weapon}", race=race, supported=draw.random() < 0.4)
    return made | {"figures": draw.randint(1, made["figures"])}


def spider(draw: Random) -> Unit:
    power = draw.choice(("", "web", "poison", "poison web", "firm web poison"))
    return unit("green creature bite", power=power, stored=draw.choice((0, 0, 1, 2)))


def placed(draw: Random, one: Unit) -> Unit:
    """Put a unit somewhere; units may block a creature's way back."""
    place = {"terrain": draw.choice(TERRAINS), "free": draw.choice((0, 0, 1, 2, 3)), "extra": draw.choice((0, 0, 0, 1))}
    poisoned = {"poisoned": draw.random() < 0.15}
    if one["kind"] != "creature":
        return one | place | poisoned
    return one | place | poisoned | {"blockers": draw.choice((0, 1, 2)), "blocker_figures": draw.randint(1, 3)}


def corner(draw: Random) -> Case:
    """Return a combat in one of the corners."""
    a, t, how = troop(draw), spider(draw), dict[str, object]()
    match draw.choice(("ambush", "spider attacks", "spiders", "pursuit", "pursuit", "another enemy")):
        case "ambush":
            how["ambush"] = True
        case "spider attacks":
            a, t = spider(draw), troop(draw) | {"webbed": draw.random() < 0.3}
        case "spiders":
            a = spider(draw)
        case "pursuit":
            a, how["pursues"] = troop(draw, ("mounted",)), True
        case _:
            a, t, how["pursues"] = troop(draw, ("mounted",)), troop(draw), True
            how["u"] = troop(draw)
    how["readings"] = frozenset(name for name in READINGS if draw.random() < 0.2)
    how["backs"] = draw.random() < 0.7
    a, t = placed(draw, a), placed(draw, t)
    return a | {"blockers": 0}, t, how


@pytest.mark.rule("BL-POST-07", "BL-POST-08", "BL-POST-09", "BL-CRE-08", "BL-CRE-09", "BL-CRE-14", "BL-CRE-15")
@pytest.mark.parametrize(
    ("cases", "most_ways"),
    [(8, 600), pytest.param(40, 3000, marks=pytest.mark.slow), pytest.param(200, 15_000, marks=pytest.mark.slow)],
)
def test_corners_are_the_rulebooks(cases: int, most_ways: int) -> None:
    """Those whose dice fall in few enough ways to try them all."""
    draw, done = Random("corners"), 0
    while done < cases:
        case = corner(draw)
        if twin := twin_distribution(case, most_ways):
            assert our_distribution(case) == twin, case
            done += 1

"""Whom enemies aim at: the rulebook's examples, and random parties against plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from balance.games.immortal_souls.encounter.board.areas import FAR
from balance.games.immortal_souls.encounter.board.victims import (
    NO_INDEX,
    STYLES,
    VICTIMS,
    Prey,
    Scrolls,
    aim,
    preferred_victim,
)

GREMLIN, BANDIT, WARRIOR, SHAMAN = range(4)
SCROLLS = Scrolls.of([[{0}, {1, 2, 3}, {4}], [{0, 1}, {2, 3, 4}], [{0, 1}], [{2, 3}]])


class Seen(NamedTuple):
    """A hero as an enemy sees it."""

    distance: int
    wounds: int = 0
    health: int = 5
    crowns: int = 0
    style: str = "magic"
    sees: bool = True
    target: bool = True
    reaches: bool = True


def prey(trials: Sequence[Sequence[Seen]]) -> Prey:
    """Return the heroes of some trials as columns."""

    def column(name: str) -> list[list[int]]:
        return [[getattr(hero, name) for hero in heroes] for heroes in trials]

    distance, wounds, health, crowns = (
        np.array(column(name), np.int32) for name in ("distance", "wounds", "health", "crowns")
    )
    reaches, sees, target = (np.array(column(name), bool) for name in ("reaches", "sees", "target"))
    style = np.array([[STYLES.index(hero.style) for hero in heroes] for heroes in trials], np.int8)
    return Prey(distance.astype(np.int8), reaches, sees, target, wounds, health, crowns, style)


def aimed(scroll: int, prefers: str, *heroes: Seen, blinded: bool = False, only: int = NO_INDEX) -> tuple[int, int]:
    """Return the rule and the victim of one enemy."""
    found = aim(
        SCROLLS,
        np.array([scroll]),
        np.array([VICTIMS.index(prefers)]),
        prey([heroes]),
        np.array([blinded]),
        np.array([only], np.int8),
    )
    assert found.rule.dtype == found.victim.dtype == np.int8
    return int(found.rule[0]), int(found.victim[0])


def test_the_scroll_of_the_gremlin() -> None:
    """IS-EX-64, IS-AI.7, IS-AI.8: richest in its area, else another there, else rule 2, else 3, else {+}."""
    assert aimed(GREMLIN, "richest", Seen(0, crowns=5), Seen(0, crowns=9), Seen(1, crowns=50)) == (0, 1)
    assert aimed(GREMLIN, "richest", Seen(0, wounds=1), Seen(0), Seen(1, crowns=50)) == (0, 0)
    assert aimed(GREMLIN, "richest", Seen(4, crowns=9), Seen(3, crowns=5), Seen(1)) == (1, 1)
    assert aimed(GREMLIN, "richest", Seen(4), Seen(4, crowns=1), Seen(5, crowns=9)) == (2, 1)
    assert aimed(GREMLIN, "richest", Seen(5), Seen(1, crowns=1, sees=False)) == (3, 1)


def test_the_scroll_of_the_bandit() -> None:
    """IS-EX-65, IS-AI.10: it ignores the hero in its own area for the most wounded one an area away."""
    assert aimed(BANDIT, "most_wounded", Seen(0), Seen(1, wounds=1), Seen(2, wounds=4)) == (0, 1)
    assert aimed(BANDIT, "most_wounded", Seen(5), Seen(2), Seen(4, wounds=1)) == (1, 2)
    assert aimed(BANDIT, "most_wounded", Seen(5), Seen(6, wounds=1, sees=False)) == (2, 1)


def test_the_blue_gremlin_picks_thorgar() -> None:
    """IS-EX-66, IS-AI.11, IS-AI.18: Shae is hidden, one hero is behind a wall, Laegon too far for the second rule."""
    heroes = (Seen(0, target=False), Seen(3), Seen(4, crowns=50), Seen(2, crowns=50, sees=False))
    assert aimed(GREMLIN, "richest", *heroes) == (1, 1)


def test_the_orc_warrior_ignores_the_hero_beside_it() -> None:
    """IS-EX-67, IS-AI.10: the style that it prefers beats wounds and nearness within the rule."""
    heroes = Seen(0, style="dexterity"), Seen(1, wounds=1, style="magic"), Seen(1, style="strength")
    assert aimed(WARRIOR, "strength", *heroes) == (0, 2)
    assert aimed(WARRIOR, "faith", *heroes) == (0, 1), "nobody has it: the most wounded"


def test_distances_of_one_rule_are_equal() -> None:
    """IS-EX-07, IS-AI.10: Ecarus at two areas and Thorgar at three, whom the shaman prefers."""
    assert aimed(SHAMAN, "faith", Seen(2, style="strength"), Seen(3, style="faith")) == (0, 1)


def test_priorities() -> None:
    """IS-AI.9: most wounds, least health left, nearest, and then the first hero or whom the player wishes."""
    assert aimed(BANDIT, "faith", Seen(1, 2, 1), Seen(1, 3, 9), Seen(0, 2, 1)) == (0, 1)
    assert aimed(BANDIT, "faith", Seen(0, 3, 9), Seen(1, 3, 8), Seen(0, 2, 1)) == (0, 1)
    assert aimed(BANDIT, "faith", Seen(1, 3, 8), Seen(0, 3, 8), Seen(0, 2, 1)) == (0, 1)
    assert aimed(BANDIT, "nearest", Seen(1, 9, 1), Seen(0, 1), Seen(0, 2)) == (0, 2)
    heroes = prey([[Seen(1), Seen(1), Seen(0, target=False)]] * 2)
    wishes = np.array([[1, 0, 15], [15, 15, 0]])
    found = preferred_victim(np.zeros(2, int), heroes, heroes.targets, wishes)
    assert found.tolist() == [1, 0]


def test_the_last_rule_needs_a_way_and_no_sight() -> None:
    """IS-AI.11, IS-AI.16: without a way to anybody it stays."""
    assert aimed(WARRIOR, "nearest", Seen(3, sees=False), Seen(2, sees=False)) == (1, 1)
    assert aimed(WARRIOR, "nearest", Seen(3, sees=False), Seen(FAR, reaches=False)) == (1, 0)
    assert aimed(WARRIOR, "nearest", Seen(1, reaches=False)) == (NO_INDEX, NO_INDEX)
    assert aimed(WARRIOR, "nearest", Seen(1, target=False)) == (NO_INDEX, NO_INDEX)


def test_a_blinded_enemy_follows_the_last_rule() -> None:
    """IS-COND.12."""
    assert aimed(BANDIT, "nearest", Seen(2), Seen(0, wounds=1), blinded=True) == (2, 1)


def test_a_vindictive_master_sees_the_threatening_hero_only() -> None:
    """IS-MAST.11, IS-MAST.10: only that hero's distance counts; who cannot be a target is not attacked."""
    heroes = Seen(0, wounds=5), Seen(3)
    assert aimed(GREMLIN, "most_wounded", *heroes) == (0, 0)
    assert aimed(GREMLIN, "most_wounded", *heroes, only=1) == (1, 1)
    assert aimed(GREMLIN, "most_wounded", heroes[0], Seen(3, target=False), only=1) == (NO_INDEX, NO_INDEX)


def test_no_priority_outweighs_an_earlier_one() -> None:
    """IS-AI.8, IS-AI.9: at the ends of what is allowed."""
    rich, poor = 2**20 - 1, 2**20 - 2
    assert aimed(GREMLIN, "richest", Seen(0, 1023, 0, poor), Seen(0, 0, 1023, rich)) == (0, 1)
    assert aimed(GREMLIN, "faith", Seen(0, 1022, 0), Seen(0, 1023, 1023)) == (0, 1)
    assert aimed(BANDIT, "faith", Seen(0, 0, 1), Seen(1, 0, 0)) == (0, 1)
    heroes = prey([[Seen(FAR), Seen(98)]])
    assert preferred_victim(np.array([3]), heroes, heroes.targets, np.array([[0, 15]])).tolist() == [1]


def literally(
    rules: Sequence[frozenset[int]], prefers: str, heroes: Sequence[Seen], blinded: bool, only: int
) -> list[int]:
    """Return rule and victim by section 2.3 of the ledger, rule after rule."""
    numbered = [(n, hero) for n, hero in enumerate(heroes) if hero.target and hero.reaches and only in (n, NO_INDEX)]
    for rule, distances in enumerate((*rules, None)):
        if distances is None:
            candidates = numbered
        else:
            candidates = [(n, hero) for n, hero in numbered if hero.distance in distances and hero.sees and not blinded]
        if candidates:
            return [rule, chosen(prefers, candidates)]
    return [NO_INDEX, NO_INDEX]


def chosen(prefers: str, candidates: list[tuple[int, Seen]]) -> int:
    """Return the victim: first who is preferred, then priority after priority."""
    if prefers in STYLES:
        liked = [(n, hero) for n, hero in candidates if hero.style == prefers] or candidates
    else:
        liked = fewest(prefers, candidates)
    for priority in ("most_wounded", "least_health", "nearest"):
        liked = fewest(priority, liked)
    return liked[0][0]


def fewest(priority: str, candidates: list[tuple[int, Seen]]) -> list[tuple[int, Seen]]:
    """Return those who come first in something."""

    def place(hero: Seen) -> int:
        found = {"most_wounded": -hero.wounds, "least_health": hero.health, "nearest": hero.distance}
        return {**found, "richest": -hero.crowns}[priority]

    best = min(place(hero) for _, hero in candidates)
    return [(n, hero) for n, hero in candidates if place(hero) == best]


def some_hero(rng: np.random.Generator) -> Seen:
    """Return a hero with few values, so that many are equal."""
    distance, wounds, health, crowns = (int(rng.integers(0, most)) for most in (6, 3, 3, 3))
    sees, target, reaches = (bool(flag) for flag in rng.random(3) < 0.8)
    return Seen(distance, wounds, health, 999 * crowns, STYLES[rng.integers(4)], sees, target, reaches)


@pytest.mark.parametrize("seed", range(20))
def test_random_parties_as_in_plain_python(seed: int) -> None:
    """IS-AI.7 to IS-AI.12, IS-AI.18: a hundred enemies with random scrolls, and all they may prefer."""
    rng = np.random.default_rng([31, seed])
    n, n_heroes = 100, int(rng.integers(1, 6))
    rules = [
        [frozenset(np.flatnonzero(rng.random(6) < 0.3).tolist()) for _ in range(rng.integers(0, 4))] for _ in range(5)
    ]
    scroll, prefers = rng.integers(0, 5, n), rng.integers(0, len(VICTIMS), n)
    heroes = [[some_hero(rng) for _ in range(n_heroes)] for _ in range(n)]
    blinded, only = rng.random(n) < 0.1, rng.choice([NO_INDEX, NO_INDEX, *range(n_heroes)], n)
    found = aim(Scrolls.of(rules), scroll, prefers, prey(heroes), blinded, only)
    assert np.stack(found, axis=1).tolist() == [
        literally(rules[scroll[row]], VICTIMS[prefers[row]], heroes[row], bool(blinded[row]), int(only[row]))
        for row in range(n)
    ]

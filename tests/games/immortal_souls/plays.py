"""Attacks and duels of plain fighters, so that a test says only what it is about, and what comes of them, whole."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import balance
from balance.catalogue import patch_catalogue
from balance.game.loaded import LoadedGame
from tests.games.plays import chances, only, play

__all__ = ["GAME", "chances", "duel", "end", "ends", "only", "play", "power", "printed", "strike", "told"]

GAME = balance.load("immortal_souls")
COLUMNS = tuple(GAME.definition.kinds["attack"].columns)
STRIKES: dict[str, Any] = {"sure": 0, "red": 0, "blue": 0, "effects": "none"}
GUARDS: dict[str, Any] = {"armour": 0, "shields": 0, "defence_dice": 0, "modifiers": "none", "defence_effects": "none"}
ATTACKER = ("sure", "red", "blue", "damage_type", "bonus_hits", "effects", "hand")
SITUATION = ("roll", "distance", "supremacy", "focus")


def printed(values: Mapping[str, str]) -> LoadedGame:
    """Return the game with some values of its cards printed otherwise: `table.entry.column` -> text."""
    return balance.load("immortal_souls", patch_catalogue(GAME.catalogue, values))


def strike(
    *, by: str = "ecarus", at: str = "green_gremlin", game: LoadedGame = GAME, spends: str = "by_rules", **fields: Any
) -> balance.Question:
    """Ask about an attack without dice or effects on a target without any defence, but for the fields given."""
    changes = {f"attacker.{name}": value for name, value in STRIKES.items()}
    changes |= {f"defender.{name}": value for name, value in GUARDS.items()}
    for name, value in fields.items():
        root = "attacker" if name in ATTACKER else "situation" if name in SITUATION else "defender"
        changes[name.replace("__", ".") if "__" in name else f"{root}.{name}"] = value
    return game.ask("attack", by, at, changes, attacker_spending=spends)


def duel(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    game: LoadedGame = GAME,
    hero: str = "ecarus",
    enemy: str = "green_gremlin",
    rules: Mapping[str, Any] | None = None,
    **more: Any,
) -> balance.Question:
    """Ask about a duel of a hero without focus and power, and an enemy, each of 10 health that strikes in vain.

    What is given beside the fighters and the rules is of the situation, or a choice if it begins with a side.
    """
    plain = {**STRIKES, **GUARDS, "health": 10, "combat_activities": 1}
    changes = {f"b.{name}": value for name, value in {**plain, **b}.items()}
    changes |= {f"a.{name}": value for name, value in {**plain, "focus": False, "power_cooldown": 0, **a}.items()}
    changes |= {f"rules.{name}": value for name, value in (rules or {}).items()}
    choices = {name: more.pop(name) for name in [*more] if name.startswith(("a_", "b_"))}
    changes |= {f"situation.{name}": value for name, value in more.items()}
    return game.ask("duel", hero, enemy, changes, **choices)


def power(sure: int, cooldown: int, effects: str = "none") -> dict[str, Any]:
    """Return a hero's power without dice, as fields of a duel."""
    dice = {"power_sure": sure, "power_red": 0, "power_blue": 0}
    return {**dice, "power_effects": effects, "power_cooldown": cooldown}


def told(hits: int, wounds: int, **more: int) -> dict[str, int]:
    """Return all columns of an attack: those given, and 0 for the others."""
    return {**dict.fromkeys(COLUMNS, 0), "hits": hits, "wounds": wounds, **more}


def ends(question: balance.Question) -> dict[tuple[int, int, int, int], Fraction]:
    """Return the chance of each end of a duel: winner (1: the hero, 2: the enemy), rounds, health left of both."""
    return chances(question, "winner", "rounds", "a_health", "b_health")


def end(question: balance.Question) -> tuple[int, int, int, int]:
    """Return the end of a duel that has no chance in it."""
    ((one, chance),) = ends(question).items()
    assert chance == 1
    return one

"""Attacks and duels of plain units, so that a test says only what it is about, and what comes of them, whole.

A plain unit rolls no dice, adds nothing, is hurt by 1 damage and has figures that 1 wound removes. Its formation,
2 trays of 4 figures in one rank, is that of the card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import balance
from balance.catalogue import patch_catalogue
from balance.game.loaded import LoadedGame
from tests.games.plays import chances, only, play

__all__ = ["GAME", "chances", "duel", "end", "only", "play", "printed", "strike", "told"]

GAME = balance.load("runewars")
COLUMNS = tuple(GAME.definition.kinds["attack"].columns)
STRIKES: dict[str, Any] = {"red": 0, "blue": 0, "white": 0, "surge_abilities": "none"}
GUARDS: dict[str, Any] = {"defence": 1, "wound_threshold": 1, "regenerate": 0}
Fields = Mapping[str, Any]


def printed(values: Mapping[str, str]) -> LoadedGame:
    """Return the game with some values of its cards printed otherwise: `table.entry.column` -> text."""
    return balance.load("runewars", patch_catalogue(GAME.catalogue, values))


def strike(
    attacker: Fields | None = None,
    defender: Fields | None = None,
    *,
    by: str = "spearmen",
    at: str = "reanimates",
    game: LoadedGame = GAME,
    rules: Fields | None = None,
    **more: Any,
) -> balance.Question:
    """Ask about an attack of a plain unit on another; `more` is of the situation, or a choice of the attacker."""
    sides = {"attacker": {**STRIKES, **(attacker or {})}, "defender": {**GUARDS, **(defender or {})}}
    changes, choices = _asked(sides, rules, more)
    return game.ask("attack", by, at, changes, **choices)


def duel(
    a: Fields | None = None,
    b: Fields | None = None,
    *,
    one: str = "spearmen",
    other: str = "reanimates",
    game: LoadedGame = GAME,
    rules: Fields | None = None,
    first: str = "a",
    **more: Any,
) -> balance.Question:
    """Ask about a duel of plain units, of which neither harms the other; `more` as in `strike`."""
    sides = {"a": {**STRIKES, **GUARDS, **(a or {})}, "b": {**STRIKES, **GUARDS, **(b or {})}}
    changes, choices = _asked(sides, rules, more)
    return game.ask("duel", one, other, changes, first=first, **choices)


def _asked(sides: Mapping[str, Fields], rules: Fields | None, more: Fields) -> tuple[dict[str, Any], dict[str, str]]:
    choices = {name: value for name, value in more.items() if name.endswith(("_rerolls", "_surges", "_accuracy"))}
    roots = {**sides, "rules": rules or {}, "situation": {k: v for k, v in more.items() if k not in choices}}
    return {f"{root}.{name}": value for root, fields in roots.items() for name, value in fields.items()}, choices


def told(**some: int) -> dict[str, int]:
    """Return all columns of an attack: those given, and 0 for the others."""
    return {**dict.fromkeys(COLUMNS, 0), **some}


def end(question: balance.Question) -> tuple[int, ...]:
    """Return the end of a duel that has no chance in it: winner, rounds, figures of a and b, trays of a and b."""
    return tuple(only(question).values())

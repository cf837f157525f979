"""Positions in Lore adventures, staged for a test: who holds which Lore cards, and plays them."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import mixed
from balance.games.battlelore.adventure.map.adventure import Council
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import start
from balance.games.battlelore.adventure.turns.spells import cast_spells
from balance.games.battlelore.tables import LoreCard
from tests.games.battlelore.adventure.scenes import Owner, Scene, Units, battle_of, catalogue, scene

FOOT, RIDERS, ARCHERS, SPIDER = "blue_foot", "blue_mounted", "green_foot+common_bow", "giant_spider"
A, B = {"D5": FOOT}, {"E6": FOOT}
N = 400
WIZARD, ALL = Council(wizard=1), Council(2, 2, 1, 1, 1)
CARDS = list(catalogue().entries(LoreCard))


def staged(*cards: str, side: int = 0, a: Units = A, b: Units = B, n: int = N, **options: Any) -> Scene:
    """Return a position in which a side holds cards, and plays the first of them that it can."""
    owners = [Owner({"back": [0], "gain": [0]}), Owner({"back": [0], "gain": [0]})]
    owners[side].wishes = {**owners[side].wishes, "lore": cards}
    made = scene(battle_of(a, b, lore=True, **options), n, a=owners[0], b=owners[1])
    return made.hold(side, *cards)


def held(made: Scene, side: int) -> IntArray:
    """Return how many Lore cards a side holds in each trial."""
    return np.asarray(made.state["lore_hand"][:, side].sum(axis=1))


def cast(made: Scene) -> Scene:
    """Open the window beside the command card."""
    cast_spells(made.turn, np.arange(made.n))
    return made.check()


def played(made: Scene) -> set[str]:
    return {CARDS[int(card)] for what, _, _, given in made.events if what == "lore" for card in given["card"]}


def dice_thrown(made: Scene, name: str = "battle") -> set[int]:
    return {int(n) for what, _, _, f in made.events if what == "throw" and f["name"] == name for n in f["n"]}


def rows_of_battles(made: Scene) -> set[int]:
    return {int(row) for what, side, rows, _ in made.events if what == "battle" and side == 0 for row in rows}


def begun(n: int = 50, first: int = 0, councils: tuple[Council, Council] = (ALL, ALL), **options: Any) -> Scene:
    """Return adventures that have begun, Lore dealt."""
    made = scene(battle_of(A, B, lore=True, councils=councils, **options), n)
    keys = mixed(np.arange(n, dtype=np.uint64))
    state = start(made.battle, keys, first, made.turn.players, made.turn.watch)
    return Scene(Turn(made.battle, first, made.turn.players, state, made.turn.watch), made.events)

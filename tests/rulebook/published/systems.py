"""The published systems that ship as game files, each beside its reference: what one attack leaves, and duels."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import balance.rulebook
from tests.rulebook.published.references.chances import Card, Law, become
from tests.rulebook.published.references.pools import (
    dice_against_dice,
    fleet,
    hit_wound_save,
    nerve,
    pins,
    quality_defence,
    sorted_pairs,
    symbol_dice,
)
from tests.rulebook.published.references.rolls import (
    activation,
    block_dice,
    combat_factors,
    d20,
    deck,
    opposed_d20,
    percentile,
    wild_dice,
)
from tests.rulebook.published.slow.cards import cards_of

TEMPLATES = Path(balance.rulebook.__file__).parent / "templates"
Duel = Callable[[Card, Card], dict[str, float]]


@dataclass(frozen=True)
class System:
    """A system.

    Attributes
    ----------
    columns
        The names that an attack assigns, such as `foe.wounds`, in the order of `left`.
    attack
        The law of the reference.
    left
        (attacker, attacked, outcome of the reference) -> the values of the columns after the attack.
    duel
        The chance of each result of a duel in which the first unit begins; None where the reference has none.
    """

    columns: tuple[str, ...]
    attack: Callable[[Card, Card], Law[Any]]
    left: Callable[[Card, Card, Any], tuple[int, ...]]
    duel: Duel | None = None

    def law(self, me: Card, foe: Card) -> Law[tuple[int, ...]]:
        """Return the law of what an attack leaves in each column."""
        return become(self.attack(me, foe), lambda outcome: tuple(map(int, self.left(me, foe, outcome))))


def _loss(field: str) -> Callable[[Card, Card, int], tuple[int, ...]]:
    return lambda _me, foe, lost: (foe[field] - lost,)


def _losses(field: str) -> Callable[[Card, Card, tuple[int, int]], tuple[int, ...]]:
    return lambda me, foe, lost: (foe[field] - lost[0], me[field] - lost[1])


def _conquest(first: Card, second: Card) -> dict[str, float]:
    chance = float(sorted_pairs.conquest(first["armies"], second["armies"], first["dice"], second["guard"]))
    return {"first": chance, "second": 1 - chance}


SYSTEMS = {
    "hit-wound-save": System(("foe.wounds",), hit_wound_save.attack, _loss("wounds"), hit_wound_save.duel),
    "quality-defence": System(
        ("foe.wounds", "foe.routed"),
        quality_defence.attack,
        lambda _, foe, after: (foe["wounds"] - after[0], after[1]),
        quality_defence.duel,
    ),
    "dice-against-dice": System(("foe.wounds",), dice_against_dice.attack, _loss("wounds"), dice_against_dice.duel),
    "sorted-pairs": System(("foe.armies", "me.armies"), sorted_pairs.attack, _losses("armies"), _conquest),
    "fleet": System(("foe.ships",), fleet.attack, _loss("ships"), fleet.duel),
    "symbol-dice": System(
        ("foe.figures", "foe.back"),
        symbol_dice.attack,
        lambda _, foe, after: (foe["figures"] - after[0], after[1]),
        symbol_dice.duel,
    ),
    "nerve": System(
        ("foe.damage", "foe.wavers", "foe.routed"), nerve.attack, lambda _me, _foe, after: after, nerve.duel
    ),
    "pins": System(
        ("foe.figures", "foe.pins", "foe.gone"),
        pins.attack,
        lambda _, foe, after: (foe["figures"] - after[0], after[1], after[2]),
        pins.duel,
    ),
    "d20": System(("foe.health",), d20.attack, _loss("health"), d20.duel),
    "opposed-d20": System(("foe.health", "me.health"), opposed_d20.attack, _losses("health"), opposed_d20.duel),
    "activation": System(
        ("foe.life", "foe.fallen", "me.life", "me.fallen"),
        activation.attack,
        lambda _me, _foe, after: (1 - after[0], after[1], 1 - after[2], after[3]),
        lambda first, second: activation.duel(first, second, 2),
    ),
    "deck": System(("foe.health",), deck.attack, _loss("health")),
    "wild-dice": System(
        ("foe.wounds", "foe.shaken"),
        wild_dice.attack,
        lambda _, foe, after: (foe["wounds"] - after[0], after[1]),
        wild_dice.duel,
    ),
    "percentile": System(("foe.health",), percentile.attack, _loss("health")),
    "block-dice": System(("foe.standing", "me.standing"), block_dice.attack, _losses("standing")),
    "combat-factors": System(("foe.steps", "me.steps"), combat_factors.attack, _losses("steps"), combat_factors.duel),
}


def units(name: str) -> dict[str, Card]:
    """Return the units of the game file of a system, as it prints them."""
    return dict(cards_of(tomllib.loads((TEMPLATES / f"{name}.toml").read_text("utf-8"))))

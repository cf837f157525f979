"""BattleLore (2006): a pool of battle dice, morale, and what follows a roll; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from balance.catalogue import Catalogue
from balance.games.battlelore.combat import ATTACK_COLUMNS, COMBAT_COLUMNS
from balance.games.battlelore.duel import DUEL_COLUMNS
from balance.games.battlelore.fights import (
    DUEL_CHOICES,
    SKIRMISH_CHOICES,
    duel_rung_processes,
    duel_setup,
    skirmish_rung_processes,
    skirmish_setup,
)
from balance.games.battlelore.setup import (
    ATTACK_CHOICES,
    COMBAT_CHOICES,
    attack_processes,
    attack_setup,
    combat_processes,
    combat_setup,
)
from balance.games.battlelore.sides import parse_fighter, roster
from balance.games.battlelore.skirmish import SKIRMISH_COLUMNS
from balance.games.battlelore.tables import RULE_IDS, SPEC, Unit
from balance.games.protocol import Game, Rung

__all__ = ["GAME"]


def _entrants(catalogue: Catalogue) -> list[str]:
    return list(roster(catalogue))


def _targets(catalogue: Catalogue) -> list[str]:
    return list(catalogue.entries(Unit))


def _label(catalogue: Catalogue, entrant: str) -> str:
    fighter = parse_fighter(catalogue, entrant)
    return roster(catalogue).get(fighter.id, fighter.name)


def _banners(catalogue: Catalogue, entrant: str) -> int:
    """Return what a unit is worth: one victory banner (BL-WIN-02). BattleLore has no other price."""
    parse_fighter(catalogue, entrant)
    return 1


SIDES = ("attacker", "defender")


def _fight(name: str, setup: Callable[..., Any], processes: Callable[..., Any], columns: Mapping[str, str]) -> Rung:
    return Rung(
        name,
        ("a", "b"),
        setup,
        processes,
        columns,
        endless=True,
        winners={"a": 1, "b": 2, "draw": 0},
        seats=("a", "b", "random"),
        choices=DUEL_CHOICES if name == "duel" else SKIRMISH_CHOICES,
    )


GAME = Game(
    name="battlelore",
    title="BattleLore",
    spec=SPEC,
    rule_ids=RULE_IDS,
    rungs={
        "attack": Rung("attack", SIDES, attack_setup, attack_processes, ATTACK_COLUMNS, choices=ATTACK_CHOICES),
        "combat": Rung("combat", SIDES, combat_setup, combat_processes, COMBAT_COLUMNS, choices=COMBAT_CHOICES),
        "duel": _fight("duel", duel_setup, duel_rung_processes, DUEL_COLUMNS),
        "skirmish": _fight("skirmish", skirmish_setup, skirmish_rung_processes, SKIRMISH_COLUMNS),
    },
    entrants=_entrants,
    targets=_targets,
    label=_label,
    cost_points=_banners,
)

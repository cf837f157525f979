"""BattleLore (2006): a pool of battle dice, morale, and what follows a roll; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from balance.catalogue import Catalogue
from balance.games.battlelore import combat, duel, skirmish
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
from balance.games.battlelore.sides import fighter_of, parse_fighter, roster
from balance.games.battlelore.tables import RULE_IDS, SPEC, Troop, Unit
from balance.protocol.game import Game, Rung

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


def _cards(catalogue: Catalogue, entrant: str) -> Iterator[tuple[str, str]]:
    fighter = parse_fighter(catalogue, entrant)
    yield "units", fighter.unit.id
    yield "weapons", fighter.weapon.id
    if not fighter.is_creature:
        yield "races", fighter.race.id
        named = [troop.id for troop in catalogue.entries(Troop).values() if fighter_of(catalogue, troop) == fighter]
        yield from (("troops", troop) for troop in named[-1:])


SIDES = ("attacker", "defender")


FIGHT: dict[str, Any] = {
    "sides": ("a", "b"),
    "endless": True,
    "winners": {"a": 1, "b": 2, "draw": 0},
    "seats": ("a", "b", "random"),
}

GAME = Game(
    name="battlelore",
    title="BattleLore",
    spec=SPEC,
    rule_ids=RULE_IDS,
    rungs={
        "attack": Rung(
            "attack",
            SIDES,
            attack_setup,
            attack_processes,
            combat.ATTACK_COLUMNS,
            choices=ATTACK_CHOICES,
            played=combat.ATTACK_PLAYED,
            cannot_see=combat.ATTACK_CANNOT_SEE,
        ),
        "combat": Rung(
            "combat",
            SIDES,
            combat_setup,
            combat_processes,
            combat.COMBAT_COLUMNS,
            choices=COMBAT_CHOICES,
            played=combat.COMBAT_PLAYED,
            cannot_see=combat.COMBAT_CANNOT_SEE,
            exchange=combat.COMBAT_EXCHANGE,
        ),
        "duel": Rung(
            "duel",
            setup=duel_setup,
            processes=duel_rung_processes,
            columns=duel.DUEL_COLUMNS,
            choices=DUEL_CHOICES,
            played=duel.DUEL_PLAYED,
            cannot_see=duel.DUEL_CANNOT_SEE,
            **FIGHT,
        ),
        "skirmish": Rung(
            "skirmish",
            setup=skirmish_setup,
            processes=skirmish_rung_processes,
            columns=skirmish.SKIRMISH_COLUMNS,
            choices=SKIRMISH_CHOICES,
            played=skirmish.SKIRMISH_PLAYED,
            cannot_see=skirmish.SKIRMISH_CANNOT_SEE,
            **FIGHT,
        ),
    },
    entrants=_entrants,
    targets=_targets,
    label=_label,
    cost_points=_banners,
    cards=_cards,
    unused={
        "races": "no row of troops names it",
        "weapons": "no row of troops or units names it",
        "troops": "a later row has its race, unit and weapon, and one of them is played",
    },
)

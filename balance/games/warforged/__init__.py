"""Warforged, table edition: D10 precision, D6 armour, weapon effects, duels; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from balance.catalogue import Catalogue
from balance.games.warforged import attack, duel
from balance.games.warforged.cards import RULE_IDS, SPEC, legal_loadouts, parse_loadout, units_of
from balance.games.warforged.setup import (
    attack_processes,
    attack_setup,
    duel_rung_processes,
    duel_setup,
    kill_rung_processes,
    kill_setup,
)
from balance.protocol.game import Game, Rung

__all__ = ["GAME"]


def _entrants(catalogue: Catalogue) -> list[str]:
    return [loadout.id for loadout in legal_loadouts(catalogue)]


def _targets(catalogue: Catalogue) -> list[str]:
    return list(units_of(catalogue))


def _label(catalogue: Catalogue, entrant: str) -> str:
    return parse_loadout(catalogue, entrant).name


def _cost_points(catalogue: Catalogue, entrant: str) -> int:
    return parse_loadout(catalogue, entrant).cost_points


GAME = Game(
    name="warforged",
    title="Warforged, table edition",
    spec=SPEC,
    rule_ids=RULE_IDS,
    rungs={
        "attack": Rung(
            "attack",
            ("attacker", "defender"),
            attack_setup,
            attack_processes,
            attack.COLUMNS,
            played=attack.PLAYED,
            cannot_see=attack.CANNOT_SEE,
        ),
        "kill": Rung(
            "kill",
            ("attacker", "defender"),
            kill_setup,
            kill_rung_processes,
            duel.KILL_COLUMNS,
            endless=True,
            played=duel.KILL_PLAYED,
            cannot_see=duel.KILL_CANNOT_SEE,
        ),
        "duel": Rung(
            "duel",
            ("a", "b"),
            duel_setup,
            duel_rung_processes,
            duel.DUEL_COLUMNS,
            endless=True,
            winners={"a": 1, "b": 2, "draw": 0},
            seats=("a", "b", "random"),
            played=duel.DUEL_PLAYED,
            cannot_see=duel.DUEL_CANNOT_SEE,
        ),
    },
    entrants=_entrants,
    targets=_targets,
    label=_label,
    cost_points=_cost_points,
    unused={"weapons": "no unit may carry it (handling, heavy, copies)"},
)

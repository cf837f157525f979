"""War for Edadh: hidden cards, damage and morale, no dice; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from balance.catalogue import Catalogue
from balance.games.edadh import duel
from balance.games.edadh.cards.armies import parse_army
from balance.games.edadh.cards.catalogue import RULE_IDS, SPEC
from balance.games.edadh.cards.records import ArmyCard
from balance.games.edadh.setup import CHOICES, HABITS, battle_setup, duel_processes, finish_processes, turn_processes
from balance.games.edadh.solving.solve import solve
from balance.protocol.game import Game, Rung

__all__ = ["GAME"]


def _armies(catalogue: Catalogue) -> list[str]:
    return list(catalogue.entries(ArmyCard))


def _label(catalogue: Catalogue, entrant: str) -> str:
    return parse_army(catalogue, entrant).name


def _n_cards(catalogue: Catalogue, entrant: str) -> int:
    """Return what a Unit is worth: its troop cards. War for Edadh has no other price."""
    return sum(len(rank) for rank in parse_army(catalogue, entrant).ranks)


def _cards(catalogue: Catalogue, entrant: str) -> Iterator[tuple[str, str]]:
    army = parse_army(catalogue, entrant)
    yield from (("troops", troop) for rank in army.ranks for troop in rank)
    yield from (("armies", army.id) for name in catalogue.entries(ArmyCard) if name == army.id)
    parts = {"terrain": army.terrain, "combat_masters": army.combat_master}
    parts |= {"standards": army.standard, "battle_masters": army.battle_master}
    yield from ((table, entry) for table, entry in parts.items() if entry)


SIDES = ("a", "b")
DUEL: dict[str, Any] = {
    "sides": SIDES,
    "setup": battle_setup,
    "winners": {"a": 1, "b": 2, "draw": 0},
    "choices": CHOICES,
    "habits": HABITS,
    "has_law": False,
    "played": duel.DUEL_PLAYED,
    "cannot_see": duel.DUEL_CANNOT_SEE,
    "categories": duel.ENDINGS,
}

GAME = Game(
    name="edadh",
    title="War for Edadh",
    spec=SPEC,
    rule_ids=RULE_IDS,
    rungs={
        "turn": Rung(
            "turn",
            SIDES,
            battle_setup,
            turn_processes,
            duel.TURN_COLUMNS,
            choices=CHOICES,
            habits=HABITS,
            played=duel.TURN_PLAYED,
            cannot_see=duel.TURN_CANNOT_SEE,
            categories=duel.ATTACKERS,
        ),
        "duel": Rung("duel", processes=duel_processes, columns=duel.DUEL_COLUMNS, solve=solve, **DUEL),
        "finish": Rung("finish", processes=finish_processes, columns=duel.FINISH_COLUMNS, **DUEL),
    },
    entrants=_armies,
    targets=_armies,
    label=_label,
    cost_points=_n_cards,
    cards=_cards,
    unused={
        **dict.fromkeys(("troops", "combat_masters", "standards", "battle_masters"), "no army has it"),
        "terrain": "no army stands in it",
    },
)

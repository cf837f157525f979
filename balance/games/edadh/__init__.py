"""War for Edadh: hidden cards, damage and morale, no dice; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from balance.catalogue import Catalogue
from balance.game.game import Game, QuestionKind
from balance.game.setup import EntrantKind
from balance.games.edadh.cards.armies import Markers, parse_army, read_army
from balance.games.edadh.cards.catalogue import SPEC
from balance.games.edadh.cards.records import ArmyCard, Troop
from balance.games.edadh.duel import duel
from balance.games.edadh.duel.hidden import conceal
from balance.games.edadh.setup import POLICIES, Situation, duel_processes, duel_setup, finish_processes, turn_processes
from balance.games.edadh.solving.solve import solve

__all__ = ["GAME"]


def _n_cards(catalogue: Catalogue, entrant: str) -> int:
    """Return the number of troop cards of an entrant, the only price that War for Edadh knows."""
    return sum(len(rank) for rank in parse_army(catalogue, entrant).ranks)


def _cards(catalogue: Catalogue, entrant: str) -> Iterator[tuple[str, str]]:
    army = parse_army(catalogue, entrant)
    yield from (("troops", troop) for rank in army.ranks for troop in rank)
    yield from (("armies", army.id) for name in catalogue.entries(ArmyCard) if name == army.id)
    parts = {"terrain": army.terrain, "combat_masters": army.combat_master}
    parts |= {"standards": army.standard, "battle_masters": army.battle_master}
    yield from ((table, entry) for table, entry in parts.items() if entry)


ARMY = EntrantKind(
    "army",
    ids=lambda catalogue: list(catalogue.entries(ArmyCard)),
    label=lambda catalogue, entrant: parse_army(catalogue, entrant).name,
    cost_points=_n_cards,
    read=read_army,
    written="an id, or ranks from the front: TROOP:3[+TROOP:2][/TROOP:3...]",
    cards=_cards,
    fields={"": ArmyCard, "TROOP": Troop},
)
about = partial(
    QuestionKind,
    sides=("a", "b"),
    takes=(ARMY, ARMY),
    setup=duel_setup,
    policies=POLICIES,
    situation=Situation,
    stances=(Markers, Markers),
)
about_duel = partial(
    about,
    has_distribution=False,
    conceal=conceal,
    block_trials=2**17,
    slow_block_trials=2**11,
    played=duel.DUEL_PLAYED,
    cannot_see=duel.DUEL_CANNOT_SEE,
)

GAME = Game(
    name="edadh",
    title="War for Edadh",
    spec=SPEC,
    kinds={
        "turn": about(
            "turn",
            processes=turn_processes,
            columns=duel.TURN_COLUMNS,
            asks="what the first turn of a duel does",
            played=duel.TURN_PLAYED,
            cannot_see=duel.TURN_CANNOT_SEE,
        ),
        "duel": about_duel(
            "duel", processes=duel_processes, columns=duel.DUEL_COLUMNS, asks="who wins a duel", solve=solve
        ),
        "finish": about_duel(
            "finish",
            processes=finish_processes,
            columns=duel.FINISH_COLUMNS,
            asks="who wins a duel, and with what markers",
        ),
    },
    unused={
        **dict.fromkeys(("troops", "combat_masters", "standards", "battle_masters"), "no army has it"),
        "terrain": "no army stands in it",
    },
)

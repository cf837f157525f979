"""What the cards of War for Edadh may hold, and what a side may begin with: from where to where."""

from __future__ import annotations

from typing import Any

import pytest

from balance.catalogue import Record
from balance.games.edadh.cards.armies import Markers
from balance.games.edadh.cards.command_cards import BattleMaster, CombatMaster, Standard, Stratagem
from balance.games.edadh.cards.player_cards import Mix, Player
from balance.games.edadh.cards.records import MasteryValue, Terrain, Troop
from tests.games.limits import fields_of

LEVELS = ("ballistic", "charge", "melee")
STATS = {"ml": 98, "mp_bonus": 99, "protection": 99, "piercing": 99, "att": 98, "def": 98, "od": 99, "dd": 99}
CARDS: dict[type[Record], dict[str, tuple[Any, ...]]] = {
    MasteryValue: {
        "other_end": ("-", 1, 12),
        "alternative": ("-", 1, 99),
        "alternative_against": ("-", 1, 12),
        "mp_cost": ("-", 0, 99),
        "mp_reduced": ("-", 0, 99),
        "mp_reduced_against": ("-", 1, 12),
        "protects_against": ("-", 1, 12),
        "extra_damage": ("-", 0, 99),
    },
    Troop: {
        "discard_value": ("-", 1, 99),
        "psyche": ("-", 0, 99),
        **{f"{level}_{stat}": ("-", 0, most) for level in LEVELS for stat, most in STATS.items()},
    },
    Terrain: {
        f"{side}_{level}_{what}": ("-", least, 99)
        for side in "ab"
        for level in LEVELS
        for what, least in (("modifier", -99), ("protection", 0))
    },
    CombatMaster: {
        **dict.fromkeys(("ml", "mp", "att", "defence", "damage"), ("-", 0, 99)),
        "discard_value": ("-", 1, 99),
    },
    Standard: {"damage": ("-", 0, 99), "res": ("-", 0, 99)},
    BattleMaster: {"land": ("-", 0, 99)},
    Stratagem: {"cost": ("-", 0, 99), "amount": ("-", 0, 99)},
    Mix: {f"cv{value}": ("-", 0, 1000) for value in range(1, 13)},
    Player: {"retire_below": ("-", 0, 99)},
    Markers: {"mp": (None, 1, 999), "damage": (0, 0, 999), "shaken": (False,), "mix": (None,)},
}


@pytest.mark.parametrize("record", list(CARDS))
def test_fields_are_within_their_bounds_and_as_usual_if_nothing_is_said(record: type[Record]) -> None:
    assert fields_of(record) == CARDS[record]

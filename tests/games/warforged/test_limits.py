"""What may be set and what a table may hold: from where to where, and what is taken if nothing is said."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from balance.catalogue import Record
from balance.games.warforged.cards import Unit, Weapon
from balance.games.warforged.lineup.setup import LineUpSituation
from balance.games.warforged.ruleset import (
    ArmourRule,
    BlastRule,
    ByPlayers,
    CoverRule,
    Dice,
    EmpRule,
    Grid,
    LaserRule,
    Limits,
    RapidFireRule,
    SlimRule,
    Span,
    SupershieldRule,
)  # fmt: skip
from balance.games.warforged.setup import AttackSituation, DuelSituation, DuelStance, Stance
from tests.games.limits import own_fields_of

FIELDS: dict[type[Record], dict[str, tuple[Any, ...]]] = {
    AttackSituation: {"light_cover": (False,), "n_covers": (1, 1, 9)},
    DuelSituation: {"light_cover": (False,), "a_in_light_cover": (False,), "b_in_light_cover": (False,),
        "n_covers": (1, 1, 9), "distance_cells": (2, 1, 40), "actions": (1, 1, 12), "round_limit": (0, 0, 10000)},
    LineUpSituation: {"actions": ("pool",), "unit_limit": (0, 0, 64), "budget_points": (0, 0, 9999), "legal": (False,),
        "light_cover": (False,), "a_in_light_cover": (False,), "b_in_light_cover": (False,), "n_covers": (1, 1, 9),
        "distance_cells": (2, 1, 40), "neighbours": (0, 0, 64), "round_limit": (0, 0, 10000)},
    Stance: {"shield_active": (True,), "burn_tokens": (0, 0, 20)},
    DuelStance: {"shield": ("raise",)},
    Dice: {"precision_faces": ("-", 2, 100), "special_faces": ("-", 2, 100)},
    ArmourRule: {"blocking_faces": ("-", 1, 6), "min_damage": ("-", 0, 99)},
    CoverRule: {"extra_dice": ("-", 0, 99)},
    SlimRule: {"miss_faces": ("-", 1, 6)},
    SupershieldRule: {"keep_faces": ("-", 1, 6)},
    LaserRule: {"burn_faces": ("-", 1, 6), "duration_attacks": ("-", 0, 99)},
    BlastRule: {"damage": ("-", 0, 99), "radius_cells": ("-", 0, 99)},
    RapidFireRule: {"attacks": ("-", 1, 9)},
    EmpRule: {"turns": ("-", 0, 9)},
    Limits: {"max_weapons": ("-", 1, 9), "max_main_weapons": ("-", 1, 9), "max_moves": ("-", 0, 9)},
    Grid: {"hex_directions": ("-", 0, 99), "square_directions": ("-", 0, 99)},
    Span: {"low": ("-", 0, 99), "high": ("-", 0, 99)},
    ByPlayers: {"players_2": ("-", 0, 9999), "players_3_4": ("-", 0, 9999), "players_5_6": ("-", 0, 9999)},
    Unit: {"cost_points": ("-", 0, 9999), "speed_cells": ("-", 0, 20), "health": ("-", 1, 999), "armour": ("-", 0, 20),
        "handling": ("-", 0, 20), "copies": ("-", 1, 99)},
    Weapon: {"cost_points": ("-", 0, 9999), "handling": ("-", 0, 20), "range_cells": ("-", 1, 40),
        "precision": ("-", 1, 10), "damage": ("-", 0, 99), "copies": ("-", 1, 99)},
}  # fmt: skip
"""Each record's own fields; those it has of another are as there."""


@pytest.mark.parametrize("record", list(FIELDS))
def test_fields_are_within_their_bounds_and_as_usual_if_nothing_is_said(record: type[Record]) -> None:
    assert own_fields_of(record, FIELDS) == FIELDS[record]


def test_a_span_may_be_one_number_but_not_turned_round() -> None:
    assert Span(low=3, high=3).model_dump() == {"low": 3, "high": 3}
    with pytest.raises(ValidationError, match="low is above high"):
        Span(low=4, high=3)

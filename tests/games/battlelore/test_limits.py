"""What may be set and what a table may hold: from where to where, and what is taken if nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from balance.catalogue import Record
from balance.games.battlelore.ruleset import (
    Banners,
    Board,
    ByCommander,
    ByLevel,
    DieRule,
    LoreDeck,
    LoreRule,
    MoraleRule,
    WarCouncil,
)  # fmt: skip
from balance.games.battlelore.sides import AttackerStance, Stance
from balance.games.battlelore.situation import (
    AttackSituation,
    Circumstances,
    CombatSituation,
    DuelSituation,
    SkirmishSituation,
)  # fmt: skip
from balance.games.battlelore.tables import Race, Terrain, Unit, Weapon
from tests.games.limits import own_fields_of

FIELDS: dict[type[Record], dict[str, tuple[Any, ...]]] = {
    Circumstances: {"adventure": ("lore",)},
    AttackSituation: {"adjacent": (None,), "distance_hexes": (None, 1, 20), "attacker_terrain": (["countryside"],),
        "target_terrain": (["countryside"],), "entered_from": (["countryside"],), "extra_dice": (0, -20, 20)},
    CombatSituation: {"free_hexes": (99, 0, 99), "attacker_free_hexes": (99, 0, 99),
        "defender_extra_dice": (0, -20, 20), "blockers": (0, 0, 6), "blocker_figures": (4, 1, 99), "ambush": (False,),
        "retreat_terrain": (["countryside"],), "other": ("",), "other_terrain": (["countryside"],),
        "other_figures": (None, 1, 99), "other_supported": (False,), "other_free_hexes": (99, 0, 99)},
    DuelSituation: {"a_terrain": (["countryside"],), "b_terrain": (["countryside"],), "a_free_hexes": (99, 0, 99),
        "b_free_hexes": (99, 0, 99), "a_extra_dice": (0, -20, 20), "b_extra_dice": (0, -20, 20),
        "turn_limit": (0, 0, 10000)},
    SkirmishSituation: {"a_units": (2, 1, 3), "b_units": (2, 1, 3)},
    Stance: {"race": (None,), "figures": (None, 1, 99), "supported": (False,), "bold": (0, 0, 99), "webbed": (False,),
        "poisoned": (False,), "beside": ([],), "in_enemy_structure": (False,), "stored_lore": (0, 0, 9)},
    AttackerStance: {"moved": (False,), "freed": (False,)},
    Unit: {"figures": ("-", 1, 99), "dice": ("-", 0, 20), "battle_move": ("-", 0, 20), "move": ("-", 0, 20),
        "hexes_per_flag": ("-", 0, 20)},
    Weapon: {"range_hexes": ("-", 1, 20)},
    Race: {"foot_bold": ("-", 0, 9), "mounted_bold": ("-", 0, 9), "hexes_per_flag": ("-", 0, 20),
        "charge_hexes": ("-", 0, 20)},
    Terrain: {"cap_out": ("-", 0, 20), "cap_in": ("-", 0, 20), "bold": ("-", 0, 9), "bold_beside": (0, 0, 9),
        "owners_only": (False,)},
    DieRule: {"faces": ("-", 1, 20)},
    MoraleRule: {"friends_for_support": ("-", 0, 99), "support_bold": ("-", 0, 99), "creature_bold": ("-", 0, 99)},
    LoreRule: {"creature_kill": ("-", 0, 99), "web": ("-", 0, 99), "poison": ("-", 0, 99),
        "free_from_web": ("-", 0, 99), "out_of_section": ("-", 0, 99), "out_of_character": ("-", 0, 99),
        "passage": ("-", 0, 99), "tokens": ("-", 0, 999)},
    Board: {"rows": ("-", 0, 99), "columns": ("-", 0, 99), "section_lines": ("-", 2, 2, 0, 99)},
    Banners: {"low": ("-", 0, 99), "high": ("-", 0, 99)},
    ByCommander: {"none": ("-", 0, 99), "level_1": ("-", 0, 99), "level_2": ("-", 0, 99), "level_3": ("-", 0, 99)},
    ByLevel: {"level_1": ("-", 0, 99), "level_2": ("-", 0, 99), "level_3": ("-", 0, 99)},
    LoreDeck: {"in_both": ("-", 0, 99), "in_one": ("-", 0, 99), "in_none": ("-", 0, 99)},
    WarCouncil: {"usual_levels": ("-", 0, 99), "most_levels": ("-", 0, 99)},
}  # fmt: skip
"""Each record's own fields; those it has of another are as there."""


@pytest.mark.parametrize("record", list(FIELDS))
def test_fields_are_within_their_bounds_and_as_usual_if_nothing_is_said(record: type[Record]) -> None:
    assert own_fields_of(record, FIELDS) == FIELDS[record]

"""What the rules and the situation of War for Edadh may hold, and what the columns of a turn are called."""

from __future__ import annotations

from typing import Any

import pytest

from balance.catalogue import Record
from balance.game.loaded import load
from balance.games.edadh import GAME
from balance.games.edadh.duel.duel import DUEL_COLUMNS, FINISH_COLUMNS, TURN_COLUMNS
from balance.games.edadh.ruleset import Length, Movement, NoAttack, Retirement, Score, Unit
from balance.games.edadh.setup import Situation
from tests.games.limits import fields_of

RECORDS: dict[type[Record], dict[str, tuple[Any, ...]]] = {
    Situation: {"level": (None,), "terrain": (None,), "max_periods": (None, 1, 1000)},
    Score: {"mp_start": ("-", 1, 999), "mp_cap": ("-", 1, 999)},
    Unit: {"max_columns": ("-", 1, 3), "max_ranks": ("-", 1, 4)},
    Retirement: {"below_mp": ("-", 0, 999)},
    NoAttack: {"mp_loss": ("-", 0, 99)},
    Movement: {"ballistic_periods": ("-", 0, 99), "charge_periods": ("-", 0, 99), "swap_ranks": ("-", 1, 9)},
    Length: {"max_periods": ("-", 1, 1000)},
}


@pytest.mark.parametrize("record", list(RECORDS))
def test_fields_are_within_their_bounds_and_as_usual_if_nothing_is_said(record: type[Record]) -> None:
    assert fields_of(record) == RECORDS[record]


def test_codes_of_columns_have_names() -> None:
    lost = {0: "did not lose", 1: "damage above MP", 2: "rout", 3: "no MP left", 4: "no cards left"}
    assert {name: column.names for name, column in TURN_COLUMNS.items() if column.names} == {
        "attacker": {0: "tie", 1: "a", 2: "b"}
    }
    for columns in (DUEL_COLUMNS, FINISH_COLUMNS):
        assert {name: column.names for name, column in columns.items() if column.names} == {
            "winner": {0: "draw", 1: "a", 2: "b"},
            "a_lost": lost,
            "b_lost": lost,
        }


def test_duels_are_played_in_larger_blocks_than_turns() -> None:
    """Published draws stand on these sizes."""
    assert {name: kind.block_trials for name, kind in GAME.kinds.items()} == {
        "turn": 65_536,
        "duel": 131_072,
        "finish": 131_072,
    }
    duel = load("edadh").ask("duel", "spears", "shieldsmen", policy_a="lookahead")
    assert duel.block_trials == 2048, "small blocks for two cores, where a side looks ahead"
    assert load("edadh").ask("duel", "spears", "shieldsmen").block_trials == 131_072

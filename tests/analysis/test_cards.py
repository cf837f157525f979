"""What the parts of an entrant are called and cost."""

from __future__ import annotations

import polars as pl
import pytest

import balance
from balance.analysis.scores.cards import entrant_table, find_card
from balance.game.loaded import LoadedGame


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_a_part_is_looked_for_in_every_table_and_may_be_no_card(warforged: LoadedGame) -> None:
    assert find_card(warforged, "nexus") == ("units", "Nexus", 24.0)
    assert find_card(warforged, "shotgun") == ("weapons", "Shotgun", 10.0)
    assert find_card(warforged, "banner") == ("", "banner", None)
    table, name, cost = find_card(balance.load("battlelore"), "long_sword")
    assert (table, name, cost) == ("weapons", "Long Sword", None)


def test_the_arms_of_an_entrant_cost_what_they_all_cost_or_it_is_not_known() -> None:
    """Weapons of BattleLore have no cost of their own: the whole entrant's stands for it."""
    game = balance.load("battlelore")
    found = entrant_table(game, ["dwarf_red_foot+long_sword", "giant_spider"])
    assert found.select("cost_points", "arm_cost").rows() == [(1.0, 1.0), (1.0, 1.0)]
    assert found.schema == pl.Schema(dict.fromkeys(found.columns, pl.String) | {
        "cost_points": pl.Float64, "arm_cost": pl.Float64
    })  # fmt: skip

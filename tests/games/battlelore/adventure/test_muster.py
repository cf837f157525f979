"""What the muster of an adventure says of each sort of unit, by the rules that are proved."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.battlelore.adventure.terms.muster import Muster, trained
from balance.games.battlelore.building import Referee
from balance.games.battlelore.rules.dice import SWORDS
from balance.games.battlelore.sides import parse_fighter
from tests.games.battlelore.adventure.scenes import (
    catalogue,
)

CATALOGUE = catalogue()
SORTS = ("green_foot+common_bow", "blue_foot", "dwarf_red_foot+long_sword", "goblin_blue_foot", "red_mounted",
         "giant_spider")  # fmt: skip


def muster_of(*names: str, adventure: str = "lore") -> Muster:
    """Return the muster of some units."""
    return Muster.of(tuple(parse_fighter(CATALOGUE, name) for name in names), Referee.of(CATALOGUE, None, adventure))


@pytest.mark.rule("BL-TRP-01", "BL-TRP-03", "BL-TRP-05", "BL-DICE-01", "BL-MOV-02", "BL-MOV-03")
def test_a_muster_says_what_the_cards_of_each_sort_say() -> None:
    muster = muster_of(*SORTS)
    assert muster.nobody == 6 and muster.number_of(muster.fighters[3]) == 3
    assert muster.colour.tolist() == [0, 1, 2, 1, 2, 0, 0]
    assert muster.full.tolist() == [4, 4, 4, 4, 3, 1, 0]
    assert muster.dice.tolist() == [[2, 1], [3, 3], [4, 4], [3, 3], [4, 4], [2, 2], [0, 0]]
    assert muster.battle_move.tolist() == [2, 1, 1, 1, 2, 4, 0] and muster.move.tolist() == [2, 2, 1, 2, 2, 4, 0]
    assert muster.foot.tolist() == [True] * 4 + [False] * 3
    assert muster.mounted.tolist() == [False] * 4 + [True, False, False]
    assert muster.creature.tolist() == [False] * 5 + [True, False]


@pytest.mark.rule("BL-GOB-01", "BL-GOB-03", "BL-CRE-07", "BL-CRE-12", "BL-RNG-05")
def test_a_muster_says_what_is_special_of_each_sort() -> None:
    muster = muster_of(*SORTS)
    assert muster.charge_hexes.tolist() == [0, 0, 0, 2, 0, 0, 0] and muster.panics.nonzero()[0].tolist() == [3]
    assert muster.hexes_per_flag.tolist() == [1, 1, 1, 2, 1, 2, 0]
    assert muster.range_hexes.tolist() == [4, 1, 1, 1, 1, 1, 0] and muster.ranged.nonzero()[0].tolist() == [0]
    assert [table[5] for table in (muster.most_stored, muster.web, muster.poison)] == [2, 1, 2]
    assert not np.delete(muster.most_stored, 5).any()


@pytest.mark.rule("BL-WPN-01", "BL-WPN-02", "BL-WPN-03")
def test_a_muster_says_which_bonus_strikes_hit_whom() -> None:
    muster = muster_of(*SORTS)
    names = [[SWORDS[int(code)] for code in muster.swords[by, :6, 1]] for by in range(3)]
    assert names == [["none"] * 6, ["all"] * 4 + ["all_but_one", "all"], ["all"] * 6]


@pytest.mark.rule("BL-DWF-01", "BL-DWF-02", "BL-MOR-09", "BL-CRE-05", "BL-CRE-06")
def test_a_muster_says_how_bold_each_sort_is_by_place_support_and_cards() -> None:
    bold = muster_of(*SORTS).bold
    assert [bold[1, 0, 0, 0], bold[1, 0, 1, 0], bold[1, 1, 1, 0], bold[1, 1, 1, 2]] == [0, 1, 2, 4]
    assert [bold[2, 0, 0, 0], bold[2, 0, 1, 0], bold[2, 1, 1, 0]] == [1, 2, 3]
    assert [bold[5, 0, 0, 0], bold[5, 0, 1, 0], bold[5, 1, 1, 0]] == [1, 1, 1]
    assert not bold[6].any()


@pytest.mark.rule("BL-LMK-09")
def test_training_lifts_a_troop_by_one_colour_and_leaves_its_weapon() -> None:
    archers, spider = (parse_fighter(CATALOGUE, name) for name in ("goblin_green_foot+common_bow", "giant_spider"))
    better = trained(CATALOGUE, archers)
    assert better is not None and better.id == "goblin_blue_foot+common_bow"
    assert trained(CATALOGUE, spider) is None
    assert trained(CATALOGUE, parse_fighter(CATALOGUE, "red_foot")) is None
    muster = Muster.of((archers, spider, better, archers), Referee.of(CATALOGUE, None, "lore"))
    assert muster.promoted.tolist() == [2, -1, -1, -1]

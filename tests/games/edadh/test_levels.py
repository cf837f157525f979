"""Level D, the ground: combat levels, terrain, troops without att, cards that change places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import State, start_state
from balance.games.edadh.cards.records import LEVELS, STAR
from balance.games.edadh.cards.swaps import swap_results
from balance.games.edadh.duel.conflict import take_turn
from balance.games.edadh.duel.duel import duel_process, may_swap, regroup
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.look_up import TurnTable, literally
from balance.games.edadh.rules.strike import NO_ATT, Ground, Profile, RuleOptions, strike
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.faces import Faces

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example for example in json.loads(Path(__file__).with_name("edadh_examples.json").read_text("utf-8"))
}
GAME = balance.load("edadh")
TERRAIN = ("angueth_terrain", "huaos_dzaa_terrain")
ARCHERS = Profile(4, 2, 0, 2, 6, 4, 4, 2, 3)
GUNNERS = Profile(3, 1, 0, 4, 7, 4, 5, 2, 3)


def duel_of(changes: Any = None, a: str = TERRAIN[0], b: str = TERRAIN[1]) -> Duel:
    duel: Duel = GAME.ask("duel", a, b, changes, **AT_RANDOM).setup.duel
    return duel


def state_of(duel: Duel, **columns: int) -> State:
    state = start_state(duel_process(duel, literally(duel.arena)), 1)
    return {**state, **{name: np.array([value], np.int16) for name, value in columns.items()}}


def turn(duel: Duel, state: State, a: int, b: int, resolve: Any = None) -> State:
    """Play the first columns against each other."""
    cards = (np.array([a], np.int16), np.array([b], np.int16))
    return take_turn(duel, resolve or literally(duel.arena), state, cards, (np.array([0]), np.array([0])))


@pytest.mark.rule("WE-LEVEL.1")
def test_standard_movement() -> None:
    example, duel = EXAMPLES["WE-E21"], duel_of()
    found = [LEVELS[int(np.ravel(duel.level(state_of(duel, period=p)))[0])] for p in example["given"]["periods"]]
    assert found == example["expect"]["levels"]


@pytest.mark.rule("WE-LEVEL.1", "WE-LEVEL.2")
def test_every_level_has_its_own_row() -> None:
    """Archers against Gunners: 6 > 4 at range, 4 is not more than 4 in the Charge, 3 not in Melee."""
    duel = duel_of({"situation.terrain": "none"})
    for period, damage in ((1, 4), (2, 4), (3, 1), (4, 1), (9, 1)):
        for resolve in (literally(duel.arena), TurnTable.of(duel.arena)):
            assert int(turn(duel, state_of(duel, period=period), 5, 1, resolve)["b_damage"][0]) == damage


@pytest.mark.rule("WE-TERR.1", "WE-TERR.2")
def test_terrain_protects() -> None:
    read = RuleOptions()
    assert not strike(ARCHERS, GUNNERS, True, 0, read).is_protected, "protection 0, piercing 2, ML 3 against 4"
    assert strike(ARCHERS, GUNNERS, True, 0, read, ground=Ground(0, 3)).is_protected
    assert not strike(ARCHERS, GUNNERS, True, 0, read, ground=Ground(0, 2)).is_protected, "strictly more"
    assert not strike(ARCHERS, GUNNERS, False, 0, read, ground=Ground(0, 3)).is_protected, "the gate stays"
    starred = ARCHERS._replace(piercing=STAR)
    assert not strike(starred, GUNNERS, True, 0, read, ground=Ground(0, 98)).is_protected
    assert strike(starred, GUNNERS, True, 0, RuleOptions(terrain_stops_star=True), ground=Ground(0, 1)).is_protected


@pytest.mark.rule("WE-TERR.1", "WE-TERR.3")
def test_terrain_changes_damage() -> None:
    read, total = RuleOptions(), RuleOptions(terrain_on_total=True)
    assert int(strike(ARCHERS, GUNNERS, False, 3, read, ground=Ground(-1)).damage) == 4 - 1 + 3
    assert int(strike(ARCHERS, GUNNERS, False, 3, read, ground=Ground(+2)).damage) == 4 + 2 + 3
    assert int(strike(ARCHERS, GUNNERS, False, 3, read, ground=Ground(-9)).damage) == 0 + 3, "base not below 0"
    assert int(strike(ARCHERS, GUNNERS, False, 3, total, ground=Ground(-9)).damage) == 0
    duel = duel_of({"situation.level": "ballistic"})
    assert int(turn(duel, state_of(duel), 11, 8)["b_damage"][0]) == 4 - 1 + 2, "the Forest on the defender's half"


@pytest.mark.rule("WE-NOATT.1", "WE-NOATT.2")
@pytest.mark.parametrize("name", ["WE-E23", "WE-E24"])
def test_no_att_examples(name: str) -> None:
    given, expect = EXAMPLES[name]["given"], EXAMPLES[name]["expect"]
    tie = given["role"] == "tie"
    duel = duel_of({"situation.level": given["level"], "b.front": "blunderbuss,blunderbuss,blunderbuss"})
    before = given.get("defender_mp", given.get("opponent_mp"))
    after = turn(duel, state_of(duel, a_mp=before), 7 if tie else 8, 1 if tie else 12)
    cost = int(duel.arena.mastery.cost[7, 1] if tie else duel.arena.mastery.cost[8, 12])
    bonus = 2  # of the archers
    assert int(after["a_mp"][0]) == expect.get("defender_mp", expect.get("opponent_mp")) - cost + bonus
    assert int(after["a_damage"][0]) == expect["damage"], "no extra damage, no terrain"


@pytest.mark.rule("WE-NOATT.1")
def test_protection_stops_no_att_or_not() -> None:
    bare = GUNNERS._replace(att=NO_ATT, piercing=0)
    shield = ARCHERS._replace(protection=3)
    losses = {
        flag: int(strike(bare, shield, True, 0, RuleOptions(noatt_protect=flag)).mp_loss) for flag in (True, False)
    }
    assert losses == {True: 0, False: 5}


@pytest.mark.rule("WE-SWAP.1")
def test_who_may_change_places() -> None:
    given, expect = EXAMPLES["WE-E22"]["given"], EXAMPLES["WE-E22"]["expect"]
    there = {column[given["rank"]] for column in swap_results(tuple(range(given["ranks"])), 2)}
    assert sorted(there - {given["rank"]}) == expect["legal_partner_ranks"]
    assert swap_results((0, 1), 2) == [(0, 1), (1, 0)], "two ranks: one swap in a column"
    assert (2, 1, 0) in swap_results((0, 1, 2), 2)
    assert (1, 2, 0) not in swap_results((0, 1, 2), 2), "no card moves twice"
    assert (3, 1, 2, 0) not in swap_results((0, 1, 2, 3), 2), "three ranks away"
    assert (1, 0, 3, 2) in swap_results((0, 1, 2, 3), 2), "two pairs at once"


@pytest.mark.rule("WE-SWAP.1")
def test_swaps_end_with_the_charge() -> None:
    for reading, able in ((True, [True, True, True, False]), (False, [True, True, False, False])):
        duel = duel_of({"rules.swap_last_charge": reading})
        found = [bool(may_swap(duel, state_of(duel, period=p))[0]) for p in (2, 3, 4, 5)]
        assert found == able, "at the end of Periods 1, 2, 3 and 4"


@pytest.mark.rule("WE-SWAP.1")
def test_a_swap_brings_the_second_rank_forward() -> None:
    duel = duel_of()
    after = regroup(duel, state_of(duel, period=2), Faces({"a swap": [1, 840, 1]}))
    unit = duel.arena.forces[0].unit.arrangements[int(after["a_unit"][0])]
    assert unit == ((0, 1), (1, 0), (0, 1))
    late = regroup(duel, state_of(duel, period=5), Faces({"a swap": [840] * 3}))
    assert int(late["a_unit"][0]) == 0


def test_a_melee_duel_pays_for_none_of_this() -> None:
    melee = GAME.ask("duel", "angueth_learning", "huaos_dzaa_learning").setup.duel
    assert not melee.swaps
    assert not melee.is_led
    assert len(duel_process(melee, literally(melee.arena)).steps) == 3 + 3
    assert isinstance(melee.level({}), int)

"""Hexes that are worth banners, by every way in which who stands there may change (BL-WIN-03, BL-WIN-04)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.games.battlelore.adventure.map.adventure import Blazon, Council
from balance.games.battlelore.adventure.play import PLAYERS, battle_process
from balance.games.battlelore.adventure.terms.battle import NOBODY, Battle
from balance.games.battlelore.adventure.turns.begin import start
from tests.games.battlelore.adventure.lore_scenes import cast, staged
from tests.games.battlelore.adventure.random_adventures import random_encounter
from tests.games.battlelore.adventure.scenes import Owner, Scene, battle_of, cell, scene

FOOT, RIDERS, BOW, SPIDER = "blue_foot", "blue_mounted", "green_foot+common_bow", "giant_spider"
N = 200


def held(side: int, at: str, banners: int = 1) -> Blazon:
    return Blazon(side, cell(at), banners, held=True)


def begun(battle: Battle, a: Owner | None = None, b: Owner | None = None) -> Scene:
    """Return a battle in which whoever stands on a hex at first has its banners."""
    return scene(battle, N, a=a, b=b)


def counts(made: Scene, side: int) -> set[tuple[bool, int]]:
    """Return whether the side's unit 0 still stands on E6, and the side's banners, of every trial."""
    stands = made.state["cell"][:, side, 0] == cell("E6")
    return set(zip(stands.tolist(), made.state["banners"][:, side].tolist(), strict=True))


# how a holder comes


def test_who_stands_there_as_the_battle_begins_holds_the_hex() -> None:
    for is_held in (False, True):
        battle = battle_of({"E6": FOOT}, {"I1": FOOT}, blazons=(Blazon(0, cell("E6"), 2, is_held),))
        assert (begun(battle).state["banners"] == [2, 0]).all()


def test_a_battle_may_be_won_before_its_first_turn() -> None:
    battle = battle_of({"E6": FOOT}, {"I1": FOOT}, blazons=(held(0, "E6"),), banners=(1, 1))
    process = battle_process(battle, (PLAYERS["greedy"], PLAYERS["greedy"]), 0)
    columns = simulate(process, RandomRolls(0, "won", 0, 3))
    assert columns["winner"].tolist() == [1] * 3 and columns["turns"].tolist() == [0] * 3


def test_who_retreats_onto_a_hex_holds_it() -> None:
    battle = battle_of({"F6": FOOT}, {"E6": FOOT, "A1": FOOT}, blazons=(held(1, "F5"), held(1, "F6")))
    made = begun(battle, b=Owner({"retreat": ["F5"]}))
    made.turn.place(np.arange(N), 0, np.zeros(N, np.int64), np.full(N, cell("D6")))
    made.fight()
    there = made.state["cell"][:, 1, 0] == cell("F5")
    alive = made.state["figures"][:, 1, 0] > 0
    assert there.any() and (made.state["banners"][:, 1] == (there & alive)).all()


def test_who_passes_a_hex_in_a_retreat_does_not_hold_it() -> None:
    goblins = {"E6": "goblin_blue_foot", "A1": FOOT}
    battle = battle_of({"D6": FOOT}, goblins, blazons=(Blazon(1, cell("F5")), Blazon(1, cell("F6"))))
    made = begun(battle).fight()
    passed = {int(row) for what, _, rows, said in made.events if what == "retreat" for row in rows}
    one_hex = np.isin(made.state["cell"][:, 1, 0], [cell("F5"), cell("F6")])
    assert passed and not one_hex.any() and not made.state["banners"][:, 1].any()


def test_who_gains_ground_or_pursues_onto_a_hex_holds_it() -> None:
    for unit, at, owner in (
        (FOOT, "E6", Owner({"gain": [1]})),
        (RIDERS, "F6", Owner({"gain": [1], "pursuit": ["F6"]})),
    ):
        battle = battle_of({"D6": unit}, {"E6": "goblin_green_foot", "I1": FOOT}, blazons=(held(0, at, 3),))
        made = begun(battle, a=owner).fight()
        there = made.state["cell"][:, 0, 0] == cell(at)
        gone = made.state["cell"][:, 1, 0] == -1
        assert there.any() and (made.state["banners"][:, 0] == 3 * there + gone).all()


def test_who_is_put_onto_a_hex_by_a_card_holds_it() -> None:
    made = staged("rogue_11", blazons=(held(0, "D6"),), councils=(Council(rogue=1), Council()), n=50)
    made.owner(0).wishes = {**made.owner(0).wishes, "lore_cell": ["D6"]}
    cast(made)
    assert made.where(0, 0) == {"D6"} and (made.state["banners"] == [1, 0]).all()


# how a holder goes


@pytest.mark.parametrize(("shooter", "at"), [(BOW, "C6"), ("red_foot+long_sword", "D6")])
def test_who_is_killed_or_driven_off_holds_the_hex_no_longer(shooter: str, at: str) -> None:
    battle = battle_of({at: shooter}, {"E6": "goblin_green_foot", "A1": FOOT}, blazons=(held(1, "E6"),))
    made = begun(battle)
    assert counts(made, 1) == {(True, 1)}
    made.put("figures", 1, 0, 1).fight()
    assert counts(made, 1) == {(True, 1), (False, 0)}
    kills, stays = (made.state["figures"][:, 1, 0] == 0), made.state["cell"][:, 1, 0] == cell("E6")
    assert kills.any() and (~kills & ~stays).any()


def test_an_attacker_who_is_driven_off_by_a_battle_back_holds_its_hex_no_longer() -> None:
    battle = battle_of({"E6": "goblin_green_foot"}, {"F6": "dwarf_red_foot"}, blazons=(held(0, "E6"),))
    made = begun(battle, b=Owner({"back": [1]})).fight()
    assert {stands for stands, _ in counts(made, 0)} == {True, False}
    gone = made.state["cell"][:, 1, 0] == -1
    stands = made.state["cell"][:, 0, 0] == cell("E6")
    assert (made.state["banners"][:, 0] == stands + 1 * gone).all()


def test_who_is_trampled_holds_its_hex_no_longer() -> None:
    foes = {"E6": SPIDER, "F5": "green_foot", "F6": "green_foot"}
    battle = battle_of({"D6": "red_foot"}, foes, blazons=(held(1, "F5", 2),))
    made = begun(battle).put("figures", 1, 1, 1).fight()
    stands = made.state["cell"][:, 1, 1] == cell("F5")
    assert not stands.all() and (made.state["banners"][:, 1] == 2 * stands).all()


def test_who_burns_holds_its_hex_no_longer() -> None:
    made = staged("wizard_14", blazons=(held(1, "E6"),), councils=(Council(wizard=3), Council()))
    cast(made)
    assert counts(made, 1) == {(True, 1), (False, 0)}


# the end


def test_the_banner_of_a_hex_that_its_holder_dies_on_does_not_win() -> None:
    """The holder's last strike would give it its second banner, had it lived."""
    battle = battle_of(
        {"D6": "red_foot+long_sword"}, {"E6": FOOT, "I1": FOOT}, blazons=(held(1, "E6"),), banners=(9, 2)
    )
    made = begun(battle, b=Owner({"back": [1]})).put("figures", 0, 0, 1).put("figures", 1, 0, 1).fight()
    assert not (made.state["winner"][made.state["cell"][:, 1, 0] == -1] == 2).any()


def test_retreating_onto_the_last_banner_ends_the_battle_at_once() -> None:
    battle = battle_of({"D6": FOOT}, {"E6": FOOT, "A1": FOOT}, blazons=(held(1, "F5"), held(1, "F6")), banners=(9, 1))
    made = begun(battle, a=Owner({"gain": [1]})).fight()
    won = made.state["winner"] == 2
    assert won.any() and (won == (made.state["banners"][:, 1] == 1)).all()
    assert (made.state["cell"][won, 0, 0] == cell("D6")).all(), "nobody follows any more"


class Looker:
    """Watches whether hexes worth banners are settled before whatever comes next; the way of a retreat is no stay."""

    def __init__(self, battle: Battle) -> None:
        self.battle, self.n_looks = battle, 0

    def __call__(self, what: str, side: int, rows: Any, said: Mapping[str, Any], state: State) -> None:
        is_on_its_way = what == "choice" and said["choice"].name == "retreat"
        if what not in ("choice", "throw", "draw") or is_on_its_way or not state["turn"][rows].any():
            return
        self.n_looks += 1
        for number, blazon in enumerate(self.battle.adventure.blazons):
            slots = self.battle.slots_of(blazon.side, state["occupant"][rows, blazon.cell + 1])
            assert (state["earned"][rows, number] == (slots != NOBODY)).all(), what
        assert not state["winner"][rows].any()


@pytest.mark.parametrize("lore", [False, True])
def test_hexes_are_looked_at_before_anything_else_is_decided_or_thrown(lore: bool) -> None:
    """In adventures drawn by luck: held hexes count for who stands there, and nobody has won, at every decision."""
    rng, checked = Random(f"hexes {lore}"), 0
    blazons = tuple(Blazon(k % 2, 16 * (3 + k // 4) + 2 + 2 * (k % 4), 1, held=True) for k in range(12))
    arena: dict[str, Any] = {"terrains": (), "arena": False, "blazons": blazons, "banners": (9, 9), "n": 12}
    for seed in range(4):
        battle = random_encounter(rng.randrange(10**6), lore=lore, turn_limit=8, **arena).battle()
        watch = Looker(battle)
        players = (PLAYERS["random"], PLAYERS["rush"])
        simulate(battle_process(battle, players, 0, watch), RandomRolls(seed, "hexes", 0, 12))
        checked += watch.n_looks
    assert checked > 100


def test_nothing_is_dealt_differently_for_a_start_without_players() -> None:
    battle = battle_of({"E6": FOOT}, {"I1": FOOT}, blazons=(held(1, "E6"),))
    keys = np.arange(1, 4, dtype=np.uint64)
    with_players = start(battle, keys, 0, (PLAYERS["random"], PLAYERS["random"]))
    for name, values in start(battle, keys, 0).items():
        assert (values == with_players[name]).all(), name

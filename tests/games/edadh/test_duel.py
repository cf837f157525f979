"""A duel and a turn as processes: how they begin, what their steps are, and every pair of cards in the first turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import RandomRolls, Rolls, bound
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process, turn_process
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, begin_period, end_codes, start_of, winner_of
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.unit import COMBINE_ALL, COMBINE_ONE
from balance.games.edadh.rules.view import View

LEARNING = ("angueth_learning", "huaos_dzaa_learning")
WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
STEPS = {
    "learning": (LEARNING, ["fight"] * 3 + ["defeat", "discard_and_retire", "settle"]),
    "two against three": (("spears:2/swords", LEARNING[1]), ["fight"] * 2 + ["defeat", "discard_and_retire", "settle"]),
    "terrain": (("angueth_terrain", "gunners"), ["fight", "defeat", "discard_and_retire", "settle", "regroup"]),
    "all cards": (
        WARBANDS,
        [
            "muster",
            *["fight_led"] * 3,
            "advance",
            "defeat",
            "discard_and_retire",
            "steady",
            "settle",
            "rally",
            "regroup",
        ],
    ),
}


def duel_of(a: str, b: str, changes: Any = None, **choices: str) -> Duel:
    duel: Duel = load("edadh").ask("duel", a, b, changes, **choices).setup.duel
    return duel


def process_of(duel: Duel, **more: bool) -> Process:
    return duel_process(duel, literally(duel.arena), **more)


@pytest.mark.parametrize("name", STEPS)
def test_the_steps_of_a_period(name: str) -> None:
    entrants, told = STEPS[name]
    duel = replace(duel_of(*entrants, {"a.movement": "standard"} if name == "terrain" else None), max_periods=7)
    process = process_of(duel)
    assert [step.func.__name__ for step in process.steps] == told  # type: ignore[attr-defined]
    assert process.max_steps == 7 * len(told)
    assert list(process.policies) == ["a", "b"]
    assert tuple(process.policies.values()) == duel.policies


COMMON = {"unit": 0, "pile": 0, "relief": 0, "lost": 0}


def test_the_state_at_the_start() -> None:
    changes = {"a.mp": 33, "b.damage": 7, "b.shaken": True, "a.second": "shieldmaidens"}
    told = {"period": 1, "turns": 2, "over": 0}
    told |= {f"a_{name}": value for name, value in {**COMMON, "mp": 33, "damage": 0, "shaken": 0, "up": 7}.items()}
    told |= {f"b_{name}": value for name, value in {**COMMON, "mp": 50, "damage": 7, "shaken": 1, "up": 3}.items()}
    told |= {"a_combine": COMBINE_ONE, "b_combine": 0}
    plain = duel_of(LEARNING[0], "spears:2", changes)
    assert start_of(plain) == told
    played = {f"a_played_{value}": 0 for value in range(1, 13)}
    watched = duel_of(LEARNING[0], "spears:2", changes, policy_b="adaptive")
    assert (plain.has_counted_cards, watched.has_counted_cards) == ((False, False), (True, False))
    assert start_of(watched) == told | played
    assert duel_of(LEARNING[0], "spears", policy_a="adaptive").has_counted_cards == (False, True)
    assert (plain.is_led, duel_of(*WARBANDS).is_led, plain.swaps, duel_of(*WARBANDS).swaps) == (
        False, True, False, True,
    )  # fmt: skip


def test_the_state_at_the_start_with_cards_behind_a_unit() -> None:
    deck = ("shield_wall", "volley", "ambush", "war_cry", "palisade", "counter", "retreat")
    cards = {"champion": 0, "standard": 1, "leader": 0, "second": 0}
    told = {**start_of(duel_of("archers", "gunners"))}
    told |= {f"a_{name}": value for name, value in cards.items()}
    told |= {f"b_{name}": value for name, value in {"champion": 1, "standard": 0, "leader": 1, "second": 0}.items()}
    told |= {f"b_s_{card}": 0 for card in deck}
    changes = {"a.standard": "banner", "b.battle_master": "warleader", "b.combat_master": "champion"}
    led = duel_of("archers", "gunners", changes)
    assert start_of(led) == told
    assert not led.swaps
    assert [command.is_empty for command in led.commands] == [False, False]
    one = duel_of("archers", "gunners", {"a.standard": "banner"})
    assert one.is_led and one.commands[1].is_empty and not one.commands[0].is_empty
    assert duel_of("archers", "gunners", {"b.combat_master": "champion"}).is_led


@pytest.mark.parametrize(("n_a", "n_b"), product(range(4), repeat=2))
def test_a_period_begins(n_a: int, n_b: int) -> None:
    duel = duel_of(*LEARNING)
    units = [force.unit.n_front.tolist().index(n) for force, n in zip(duel.arena.forces, (n_a, n_b), strict=True)]
    state = {"a_unit": np.array([units[0]]), "b_unit": np.array([units[1]]), "kept": np.array([5])}
    after = begin_period(duel, state)
    right = COMBINE_ALL if min(n_a, n_b) == 1 else COMBINE_ONE
    told = {
        "a_unit": units[0], "b_unit": units[1], "kept": 5, "turns": min(n_a, n_b),
        "a_up": duel.arena.forces[0].unit.front_mask[units[0]], "b_up": duel.arena.forces[1].unit.front_mask[units[1]],
        "a_combine": right if n_a > n_b else 0, "b_combine": right if n_b > n_a else 0,
    }  # fmt: skip
    assert {name: int(values[0]) for name, values in after.items()} == told


def test_who_has_won() -> None:
    ways = [0, *LOSS_CODES.values()]
    a, b = (np.array(side) for side in zip(*product(ways, repeat=2), strict=True))
    told = [0 if bool(x) == bool(y) else 1 if y else 2 for x, y in product(ways, repeat=2)]
    assert winner_of(a, b).tolist() == told
    over = np.arange(len(a)) % 2
    assert end_codes({"a_lost": a, "b_lost": b, "over": over}).tolist() == [
        who if end else -1 for who, end in zip(told, over.tolist(), strict=True)
    ]
    assert LOSS_CODES == {"damage": 1, "rout": 2, "mp": 3, "cards": 4}


def test_the_level_of_each_period() -> None:
    duel = duel_of("angueth_terrain", "huaos_dzaa_terrain")
    assert duel.level({"period": np.array([1, 2, 3, 4, 5, 60])}).tolist() == [0, 0, 1, 2, 2, 2]  # type: ignore[union-attr]
    assert [duel_of(*LEARNING, {"situation.level": level}).level({}) for level in ("ballistic", "charge", "melee")] == [
        0, 1, 2,
    ]  # fmt: skip


class Written:
    """Plays these cards, and always the first troop."""

    def __init__(self, cards: list[int]) -> None:
        self.cards = cards

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return the card written for each trial, else the first option."""
        return np.array(self.cards) - 1 if name == "card" else np.zeros(len(self.cards), np.int64)


def test_every_pair_of_cards_in_the_first_turn() -> None:
    """All columns, for a side that begins hurt: changes of the markers, and not the markers."""
    changes = {"a.mp": 13, "a.damage": 3, "b.mp": 21, "b.damage": 6}
    duel = duel_of(*LEARNING, changes)
    pairs = list(product(range(1, 13), repeat=2))
    one, other = Written([a for a, _ in pairs]), Written([b for _, b in pairs])
    process = turn_process(duel, literally(duel.arena))
    state = start_state(process, len(pairs))
    rolls = bound(RandomRolls(0, "none", 0, len(pairs)), {"a": one, "b": other})
    after = process.steps[0](state, rolls)
    told = process.outcome(after, np.ones(len(pairs), np.int16))
    fighters = tuple(force.fighter[0] for force in duel.arena.forces)
    for i, (a, b) in enumerate(pairs):
        turn = literally(duel.arena)(2, (a, b), fighters)
        ahead = (a - b) % 12
        expected: dict[str, int] = {"attacker": 0 if ahead % 6 == 0 else 1 if ahead < 6 else 2}
        for me, side in enumerate("ab"):
            gained = int(turn.bonus[me]) - int(turn.cost[me]) - int(turn.mp_loss[me])
            expected |= {f"{side}_mp": gained, f"{side}_damage": int(turn.damage[me])}
            expected[f"{side}_discarded"] = int(turn.is_discarded[me])
        assert {name: int(values[i]) for name, values in told.items()} == expected
    assert process.start == {**start_of(duel), "attacker": 0}
    assert (process.max_steps, len(process.steps), tuple(process.policies.values())) == (1, 1, duel.policies)
    assert not process.over(after).any()


@pytest.mark.parametrize("markers", [False, True])
def test_what_a_duel_reports(markers: bool) -> None:
    duel = duel_of(*LEARNING)
    process = process_of(duel, markers=markers)
    state: State = start_state(process, 3)
    columns = {
        "a_lost": [0, 2, 1], "b_lost": [4, 0, 3], "period": [2, 5, 9], "a_unit": [0, 5, 26], "b_unit": [7, 0, 26],
        "a_mp": [3, 4, -5], "b_mp": [50, 6, 0], "a_damage": [1, 2, 3], "b_damage": [9, 8, 7], "over": [1, 1, 0],
    }  # fmt: skip
    state = {**state, **{name: np.array(values, np.int16) for name, values in columns.items()}}
    told = {name: values.tolist() for name, values in process.outcome(state, np.zeros(3, np.int64)).items()}
    cards = [[sum(map(len, force.unit.arrangements[u])) for u in columns[f"{side}_unit"]]
             for side, force in zip("ab", duel.arena.forces, strict=True)]  # fmt: skip
    expected = {
        "winner": [1, 2, 0], "periods": [2, 5, 9], "a_lost": [0, 2, 1], "b_lost": [4, 0, 3],
        "a_cards": cards[0], "b_cards": cards[1],
    }  # fmt: skip
    marks = {name: columns[name] for name in ("a_mp", "b_mp", "a_damage", "b_damage")}
    assert told == expected | (marks if markers else {})
    assert process.over(state).tolist() == [True, True, False]
    assert "a_mp" not in process_of(duel).outcome(state, np.zeros(3, np.int64))

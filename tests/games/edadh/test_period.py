"""Levels B and C: the end of a Period, short fronts, and who has won; on states written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls, bound
from balance.chance.trials.lockstep import play_fixed
from balance.games.edadh.duel.conflict import take_turn, troop_options
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, begin_period, winner_of
from balance.games.edadh.duel.period import defeat, discard_and_retire, settle
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.unit import COMBINE_ALL, COMBINE_ONE, NO_COLUMN, plays_of
from balance.games.edadh.rules.view import View
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.faces import Faces

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example for example in json.loads(Path(__file__).with_name("edadh_examples.json").read_text("utf-8"))
}
GAME = balance.load("edadh")
LEARNING = ("angueth_learning", "huaos_dzaa_learning")


def duel_of(a: str = LEARNING[0], b: str = LEARNING[1], changes: Any = None, **choices: str) -> Duel:
    duel: Duel = GAME.ask("duel", a, b, changes, **{**AT_RANDOM, **choices}).setup.duel
    return duel


def state_of(duel: Duel, **columns: int) -> State:
    """Return the state of one trial at the start, with some columns changed."""
    state = start_state(duel_process(duel, literally(duel.arena)), 1)
    return {**state, **{name: np.array([value], np.int16) for name, value in columns.items()}}


def told(state: State, *names: str) -> tuple[int, ...]:
    return tuple(int(state[name][0]) for name in names)


def dice(**named: list[int]) -> FixedRolls:
    return Faces({name.replace("_", " "): values for name, values in named.items()})


def sizes(duel: Duel, me: int, unit: int) -> list[int]:
    return [len(column) for column in duel.arena.forces[me].unit.arrangements[unit]]


@pytest.mark.rule("WE-SETUP.1", "WE-SETUP.2", "WE-SETUP.3", "WE-SETUP.4")
def test_the_learning_set_up() -> None:
    expect = EXAMPLES["WE-E19"]["expect"]
    asked = GAME.ask("duel", *LEARNING)
    for side, letter in zip("ab", "AH", strict=True):
        inputs = asked.setup.inputs[side]
        names = {troop: card["name"] for troop, card in inputs["troops"].items()}
        assert [names[troop] for troop in inputs["front"]] == expect[letter]["front"]
        assert [names[troop] for troop in inputs["second"]] == expect[letter]["second"]
    duel = asked.setup.duel
    assert told(state_of(duel), "a_mp", "b_mp", "a_damage", "b_damage") == (50, 50, 0, 0)
    assert duel.levels.tolist() == [2], "Melee throughout"
    assert duel.arena.read.mp_cap == 60


@pytest.mark.rule("WE-EOP.0")
def test_a_period_is_three_turns_then_its_end() -> None:
    """On written cards nobody can be hurt in: six turns and two ends later, each side has paid six times."""
    asked = GAME.ask("finish", *LEARNING, {"situation.max_periods": 2}, **AT_RANDOM)
    process = asked.kind.processes(asked.setup, "literal")[0]
    assert len(process.steps) == 3 + 3
    played = play_fixed(process, {"a card": [2] * 6, "b card": [6, 5, 4, 6, 5, 4]})
    assert (played["periods"], played["winner"]) == (2, 0)
    assert played["a_mp"] == 50 - 6 * 1 + 6 * 1


@pytest.mark.rule("WE-EOP.1")
@pytest.mark.parametrize("name", ["WE-V01", "WE-V02"])
def test_defeat_examples(name: str) -> None:
    given, duel = EXAMPLES[name]["given"], duel_of()
    after = defeat(duel, state_of(duel, a_mp=given["mp"][0], b_mp=given["mp"][1], a_damage=given["dmg"][0]), dice())
    winner = {1: "A", 2: "H", 0: None}[int(winner_of(after["a_lost"], after["b_lost"])[0])]
    assert winner == EXAMPLES[name]["expect"]["winner"]
    assert bool(after["over"][0]) == (winner is not None)


@pytest.mark.rule("WE-EOP.1", "WE-WIN.3")
def test_both_defeated() -> None:
    both = {"a_mp": 10, "a_damage": 12, "b_mp": 10, "b_damage": 15}
    for reading, winner in (("draw", 0), ("smaller_excess", 1)):
        duel = duel_of(changes={"rules.both_defeated": reading})
        after = defeat(duel, state_of(duel, **both), dice())
        assert (int(winner_of(after["a_lost"], after["b_lost"])[0]), int(after["over"][0])) == (winner, 1)
    pooled = duel_of(changes={"rules.eop1_pooled": True})
    later = defeat(pooled, state_of(pooled, **both, b_shaken=0), dice())
    assert told(later, "over", "a_lost", "b_lost") == (0, LOSS_CODES["damage"], LOSS_CODES["damage"])
    assert told(settle(pooled, later, dice()), "over", "a_lost", "b_lost") == (
        1,
        LOSS_CODES["damage"],
        LOSS_CODES["damage"],
    )


@pytest.mark.rule("WE-EOP.2")
def test_damage_leaves_with_the_pile() -> None:
    given, expect = EXAMPLES["WE-V05"]["given"], EXAMPLES["WE-V05"]["expect"]
    duel = duel_of()
    one = state_of(duel, a_damage=given["turn_damage"], a_pile=expect["pile_after_turn"], a_relief=given["DV"])
    assert told(discard_and_retire(duel, one, dice()), "a_damage", "a_pile") == (expect["dmg_after_step2"], 1)
    less = state_of(duel, a_damage=2, a_pile=1, a_relief=4)
    assert told(discard_and_retire(duel, less, dice()), "a_damage") == (0,), "never below 0"


@pytest.mark.rule("WE-EOP.3")
@pytest.mark.parametrize("name", ["WE-V03", "WE-V04"])
def test_forced_discard_examples(name: str) -> None:
    given, expect, duel = EXAMPLES[name]["given"], EXAMPLES[name]["expect"], duel_of()
    for first, second in ((1, 1), (12, 12), (5, 9)):
        after = discard_and_retire(duel, state_of(duel, a_damage=given["dmg"]), dice(a_loss=[first, second]))
        assert told(after, "a_pile", "a_damage") == (expect["discards"], expect["dmg"])
        assert sorted(sizes(duel, 0, int(after["a_unit"][0]))) == sorted(expect["columns"])


@pytest.mark.rule("WE-EOP.3")
def test_the_owner_chooses_among_the_fullest_columns() -> None:
    """DV 3 forces the discard, but another card may go; the other reading takes the lowest."""
    army = {"a.front": "archers,clanmaidens,clanmaidens"}
    for reading, gone in (("any", {0, 1, 2}), ("lowest_dv", {0})):
        duel = duel_of(changes={**army, "rules.discard_choice": reading})
        found = set()
        for die in range(1, 13):
            after = discard_and_retire(duel, state_of(duel, a_damage=4), dice(a_loss=[die]))
            found.add(sizes(duel, 0, int(after["a_unit"][0])).index(1))
        assert found == gone


@pytest.mark.rule("WE-RETIRE.1")
@pytest.mark.parametrize("name", ["WE-V07", "WE-V08"])
def test_retire_examples(name: str) -> None:
    given, expect = EXAMPLES[name]["given"], EXAMPLES[name]["expect"]
    duel = duel_of(changes={"a.shieldsmen.psyche": given["psy"][0], "a.shieldmaidens.psyche": given["psy"][0]})
    after = discard_and_retire(duel, state_of(duel, a_mp=given["mp"]), dice(a_loss=[12] * 6))
    assert told(after, "a_pile", "a_mp") == (expect["max_retired"], expect["mp"])
    stays = discard_and_retire(duel, state_of(duel, a_mp=given["mp"]), dice(a_loss=[1] * 6))
    assert told(stays, "a_pile", "a_mp") == (0, given["mp"])


@pytest.mark.rule("WE-RETIRE.1")
def test_retiring_at_thirty() -> None:
    changes = {"a.shieldsmen.psyche": 1}
    for reading, piled in (("each_below", 1), ("until_above", 2)):
        duel = duel_of(changes={**changes, "rules.retire_at_30": reading})
        after = discard_and_retire(duel, state_of(duel, a_mp=29), dice(a_loss=[12, 12, 1]))
        assert told(after, "a_pile", "a_mp") == (piled, 29 + piled)
        assert told(discard_and_retire(duel, state_of(duel, a_mp=30), dice(a_loss=[12])), "a_pile") == (0,)


@pytest.mark.rule("WE-RETIRE.1", "WE-EOP.3")
def test_a_retirement_may_force_a_discard() -> None:
    changes = {"a.second": "archers,archers,archers"}  # DV 3 behind DV 4
    for recheck, piled, damage in ((True, 2, 0), (False, 1, 4)):
        duel = duel_of(changes={**changes, "rules.recheck_after_retire": recheck})
        # the retired column is short then, so the discard comes from another
        after = discard_and_retire(duel, state_of(duel, a_mp=28, a_damage=4), dice(a_loss=[12, 1, 1]))
        assert told(after, "a_pile", "a_damage", "a_mp") == (piled, damage, 33)


@pytest.mark.rule("WE-SHAKE.1", "WE-SHAKE.2", "WE-SHAKE.3")
@pytest.mark.parametrize("name", ["WE-V09", "WE-V10"])
def test_shaken_examples(name: str) -> None:
    given, expect, duel = EXAMPLES[name]["given"], EXAMPLES[name]["expect"], duel_of()
    state = state_of(duel)
    for (a, b), answer in zip(given["piles"], expect.values(), strict=True):
        piles = {"a_pile": np.array([a], np.int16), "b_pile": np.array([b], np.int16)}
        state = settle(duel, {**state, **piles}, dice())
        if answer == "A routs, H wins":
            assert told(state, "a_lost", "b_lost", "over") == (LOSS_CODES["rout"], 0, 1)
        else:
            assert [bool(flag) for flag in told(state, "a_shaken", "b_shaken")] == answer
            assert told(state, "a_pile", "b_pile", "over") == (0, 0, 0), "piles leave the game"


@pytest.mark.rule("WE-SHAKE.3")
def test_every_way_into_the_pile_counts() -> None:
    duel = duel_of()
    state = state_of(duel, a_pile=1, a_relief=4, a_damage=9, a_mp=28)
    after = discard_and_retire(duel, state, dice(a_loss=[1, 12, 1]))
    assert told(after, "a_pile", "a_damage", "a_mp") == (3, 1, 33), "one at once, one forced, one retired"


@pytest.mark.rule("WE-WIN.1", "WE-WIN.3")
@pytest.mark.parametrize("name", ["WE-V11", "WE-V12"])
def test_victory_examples(name: str) -> None:
    given, duel = EXAMPLES[name]["given"], duel_of()
    units = [_some_unit(duel, me, n) for me, n in enumerate(given["cards"])]
    state = state_of(duel, a_mp=given["mp"][0], b_mp=given["mp"][1], a_unit=units[0], b_unit=units[1])
    after = settle(duel, state, dice())
    assert int(after["over"][0]) == 1
    assert winner_of(after["a_lost"], after["b_lost"]).tolist() == [0]
    assert EXAMPLES[name]["expect"]["result"] == "draw"


def _some_unit(duel: Duel, me: int, n_cards: int) -> int:
    return int(duel.arena.forces[me].unit.n_cards.tolist().index(n_cards))


@pytest.mark.rule("WE-WIN.1", "WE-WIN.3")
@pytest.mark.parametrize(
    ("columns", "lost"),
    [({"b_mp": 0}, "mp"), ({"b_mp": -7}, "mp"), ({"b_shaken": 1, "b_pile": 1}, "rout"), ({}, "")],
)
def test_ways_to_lose_at_the_end_of_a_period(columns: dict[str, int], lost: str) -> None:
    duel = duel_of()
    after = settle(duel, state_of(duel, **columns), dice())
    assert told(after, "a_lost", "b_lost", "over") == (0, LOSS_CODES.get(lost, 0), int(bool(lost)))
    bare = settle(duel, state_of(duel, b_unit=_some_unit(duel, 1, 0)), dice())
    assert told(bare, "b_lost") == (LOSS_CODES["cards"],)


@pytest.mark.rule("WE-WIN.2")
def test_a_new_period_turns_the_front_ranks_up() -> None:
    duel = duel_of()
    after = settle(duel, state_of(duel, a_up=0, b_up=0, turns=0), dice())
    assert told(after, "a_up", "b_up", "turns", "period") == (7, 7, 3, 2)
    last = settle(duel, state_of(duel, period=duel.max_periods), dice())
    assert told(last, "over", "a_lost", "b_lost", "period") == (1, 0, 0, duel.max_periods)


@pytest.mark.rule("WE-WIN.3")
def test_the_last_mp_lost_at_once() -> None:
    duel = duel_of(changes={"rules.mp_zero_check": "immediate"})
    resolve = literally(duel.arena)
    state = state_of(duel, a_mp=8)
    cards = (np.array([10], np.int16), np.array([8], np.int16))
    after = take_turn(duel, resolve, state, cards, (np.array([0]), np.array([0])))
    assert told(after, "a_mp", "a_lost", "over", "b_damage") == (0, LOSS_CODES["mp"], 1, 0), "the turn stops there"
    later = duel_of()
    assert told(take_turn(later, resolve, state, cards, (np.array([0]), np.array([0]))), "a_mp", "over") == (1, 0)


def front(duel: Duel, me: int, n: int) -> int:
    """Return an arrangement with n columns left."""
    return int(duel.arena.forces[me].unit.n_front.tolist().index(n))


@pytest.mark.rule("WE-FEW.1")
def test_turns_with_short_fronts() -> None:
    duel = duel_of()
    given, expect = EXAMPLES["WE-E26"]["given"], EXAMPLES["WE-E26"]["expect"]
    cases = {tuple(pair): n for pair, n in zip(given["front"], expect["turns"], strict=True)}
    cases |= {(2, 3): 2, (3, 2): 2, (1, 2): 1, (3, 1): 1, (3, 3): 3}
    for (a, b), turns in cases.items():
        state = begin_period(duel, state_of(duel, a_unit=front(duel, 0, a), b_unit=front(duel, 1, b)))
        assert told(state, "turns") == (turns,)


@pytest.mark.rule("WE-FEW.2", "WE-FEW.3")
def test_the_larger_side_may_combine_as_attacker() -> None:
    duel = duel_of()
    rights = {
        (2, 3): (0, COMBINE_ONE),
        (3, 2): (COMBINE_ONE, 0),
        (1, 2): (0, COMBINE_ALL),
        (1, 3): (0, COMBINE_ALL),
        (3, 1): (COMBINE_ALL, 0),
        (2, 2): (0, 0),
    }
    for (a, b), expected in rights.items():
        state = begin_period(duel, state_of(duel, a_unit=front(duel, 0, a), b_unit=front(duel, 1, b)))
        assert told(state, "a_combine", "b_combine") == expected
        for role in (1, -1, 0):
            _, right = troop_options(duel, 1, state, 2, np.array([role], np.int8))
            assert int(right[0]) == (expected[1] if role == 1 else 0), "only the Attacker, not on a tie"
    tied = duel_of(changes={"rules.combine_on_tie": True})
    _, right = troop_options(tied, 1, {**state, "b_combine": np.array([COMBINE_ALL])}, 2, np.array([0], np.int8))
    assert right.tolist() == [COMBINE_ALL]


@pytest.mark.rule("WE-FEW.2", "WE-FEW.3")
def test_how_many_may_be_combined() -> None:
    assert EXAMPLES["WE-E27"]["expect"]["max_extra_cards"] == 1
    assert {bin(play >> 2).count("1") for play in plays_of(0b111, COMBINE_ONE)} == {0, 1}
    assert {bin(play >> 2).count("1") for play in plays_of(0b111, COMBINE_ALL)} == {0, 2}, "all others, or none"
    assert EXAMPLES["WE-E28"]["expect"]["extra_cards"] == "all other front cards"
    assert len(plays_of(0b111, COMBINE_ONE)) == 9
    assert plays_of(0, COMBINE_ALL) == []


@pytest.mark.rule("WE-FEW.2", "WE-FEW.4")
def test_combining_adds_att_and_turns_all_face_down() -> None:
    duel = duel_of()
    resolve = literally(duel.arena)
    state = begin_period(duel, state_of(duel, b_unit=front(duel, 1, 2)))
    cards = (np.array([12], np.int16), np.array([9], np.int16))
    foe = np.array([int(state["b_up"][0] & 1 == 0)])
    alone = take_turn(duel, resolve, state, cards, (np.array([0]), foe))
    helped = take_turn(duel, resolve, state, cards, (np.array([0 + 4 * 0b010]), foe))
    assert told(alone, "b_damage", "a_up", "a_combine") == (2 + 3, 0b110, COMBINE_ONE), "5 is not more than 5"
    assert told(helped, "b_damage", "a_up", "a_combine") == (4 + 3, 0b100, 0), "5 + 5 is; and only once a Period"


@pytest.mark.rule("WE-DISC.2")
def test_when_the_next_card_may_be_selected() -> None:
    cards = (np.array([1], np.int16), np.array([12], np.int16))
    for reading, up in (("eop", 0b110), ("at_once", 0b111)):
        duel = duel_of(changes={"rules.refill": reading, "a.shieldsmen.melee.att": 9, "a.shieldsmen.melee.od": 9})
        state = state_of(duel)
        after = take_turn(duel, literally(duel.arena), state, cards, (np.array([0]), np.array([0])))
        assert told(after, "b_pile", "b_up") == (1, up)
        assert sizes(duel, 1, int(after["b_unit"][0])) == [1, 2, 2]


def test_no_turn_left_is_no_turn() -> None:
    duel = duel_of()
    state = state_of(duel, turns=0)
    nothing, nobody = np.zeros(1, np.int16), np.array([NO_COLUMN])
    after = take_turn(duel, literally(duel.arena), state, (nothing, nothing), (nobody, nobody))
    assert {name: values.tolist() for name, values in after.items()} == {n: v.tolist() for n, v in state.items()}


class Spy(Uniform):
    """Discards anything, and writes down how large it sees the other side's pile."""

    seen: ClassVar[dict[int, int]] = {}

    def choose(self, name: str, legal: Any, view: View, rolls: Rolls) -> Any:
        if name == "loss 1":
            self.seen[view.side_index] = int(view.foe_column("pile")[0])
        return super().choose(name, legal, view, rolls)


def test_order_of_eop3_decides_what_is_seen() -> None:
    """A side that moves second sees the other's pile; the first one, and both at once, do not."""
    for order, expected in (("simultaneous", (0, 0)), ("a_first", (0, 1)), ("b_first", (1, 0))):
        duel = duel_of(changes={"rules.eop3_order": order})
        rolls = bound(RandomRolls(0, "spies", 0, 1), {"a": Spy(), "b": Spy()})
        discard_and_retire(duel, state_of(duel, a_damage=5, b_damage=5), rolls)
        assert (Spy.seen[0], Spy.seen[1]) == expected

"""The kit of games: what is asked is read alike everywhere, and all that is wrong with it is told at once."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.catalogue import EntryId, Overrides, Record
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.game.game import Column, PolicyKind
from balance.game.kit import (
    WINNER,
    CardSide,
    Named,
    cards_of,
    each_side,
    names_known,
    once,
    orders,
    per_side,
    read_asked,
    turn_about,
)
from balance.game.loaded import load
from balance.game.setup import Asked, AskedSide
from tests.toy.game import GAME, PLAYS, Fighter, SkirmishRules

SKIRMISH = load(GAME)
DUEL = GAME.kinds["duel"]
CHOSEN = {"a_effort": "steady", "b_effort": "bold"}


def asked(*entries: tuple[str, str, str]) -> Asked[SkirmishRules, Record, CardSide[Record]]:
    return read_asked(DUEL, SKIRMISH.catalogue, ("knight", "rat"), Overrides(entries), "b", CHOSEN)


def test_what_is_set_reaches_the_rules_and_the_side_that_it_names() -> None:
    found = asked(("a", "dice", "7"), ("rules", "hits_on", "5-6"))
    assert (found.sides["a"].card.dice, found.sides["b"].card.dice) == (7, 1)
    assert (found.rules.hits_on, found.first) == ("5-6", "b")
    assert asked().rules.hits_on == "4-6"


def test_inputs_tell_everything_that_was_asked_in_one_order() -> None:
    told = asked().inputs({"light": True}, n_dice=3)
    assert list(told) == ["a", "b", "situation", "rules", "n_dice", "first", "choices"]
    assert told["situation"] == {"light": True}
    assert told["choices"] == CHOSEN
    assert "choices" not in replace(asked(), choices={}, first="").inputs()


def test_policies_go_to_the_sides_whose_they_are() -> None:
    assert asked().policies == {"a": PLAYS["steady"], "b": PLAYS["bold"]}


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("warforged", "nexus+nonsense", "nobody"),
        ("battlelore", "blue_foot+nonsense", "nobody"),
        ("edadh", "nonsense", "nobody"),
    ],
)
def test_the_faults_of_both_sides_are_told_at_once(game: str, one: str, other: str) -> None:
    with pytest.raises(BalanceError) as error:
        load(game).duel(one, other, first="a" if game != "edadh" else None)
    assert {fault.path for fault in error.value.faults} == {"a", "b"}


def test_a_side_is_split_into_stance_and_cards() -> None:
    class Stance(Record):
        brave: bool = False

    side = AskedSide(SKIRMISH.catalogue, SKIRMISH.catalogue.rules, "a", "rat", {"brave": "yes", "dice": "2"}, Stance())
    assert side.split() == ({"brave": "yes"}, {"dice": "2"})
    read = cards_of("fighters", Fighter).read(side)
    assert read.inputs() == {"id": "rat", "name": "Rat", "cost_points": 5, "dice": 2, "health": 2, "brave": True}


def test_columns_and_decisions_of_both_sides_know_whose_they_are() -> None:
    columns = per_side("banners", "won by {me} of {foe}")
    assert [(name, column.meaning, column.side, column.of) for name, column in columns.items()] == [
        ("a_banners", "won by a of b", "a", "banners"),
        ("b_banners", "won by b of a", "b", "banners"),
    ]
    decisions = each_side("flags", PolicyKind("How many.", {"most": "all"}), ("x", "y"), name="{of}_{side}")
    assert [(name, one.side, one.of) for name, one in decisions.items()] == [
        ("flags_x", "x", "flags"),
        ("flags_y", "y", "flags"),
    ]


def test_steps_that_are_made_once_each_report_the_columns_asked_for() -> None:
    def roll(state: State, rolls: Rolls) -> State:
        return {**state, "sum": state["sum"] + rolls.d(6, 1, "die")[:, 0]}

    process = once({"sum": 0, "spare": 1}, [roll, roll], ["sum"])
    distribution = exact_distribution(process)
    assert distribution.columns == ("sum",)
    assert distribution.mean("sum") == pytest.approx(7)
    assert distribution.to_dict()["weight"] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(("first", "begins"), [("a", ["a"]), ("b", ["b"]), ("random", ["a", "b"])])
def test_sides_take_turns_in_every_order_that_is_likely(first: str, begins: list[str]) -> None:
    def turn(side: str, state: State, rolls: Rolls) -> State:
        return {"said": state["said"] * 10 + (1 if side == "a" else 2)}

    def report(process: Process) -> int:
        return int(simulate(process, RandomRolls(0, "turns", 0, 1))["said"][0])

    played = turn_about(
        first, {"said": 0}, turn, lambda state: state["said"] > 99, lambda state, steps: dict(state), max_steps=9
    )
    assert [report(process) for process in played] == [{"a": 121, "b": 212}[side] for side in begins]
    assert [order[0] for order in orders(first)] == begins


def test_a_game_that_prepares_nothing_has_setups_that_are_equal_where_it_plays_alike() -> None:
    plain, same = SKIRMISH.duel("knight", "rat"), SKIRMISH.duel("knight", "rat", {"a.dice": 3})
    other = SKIRMISH.duel("knight", "rat", {"a.dice": 4})
    assert plain.setup.play == same.setup.play
    assert hash(plain.setup.play) == hash(same.setup.play)
    assert plain.setup.play != other.setup.play


def test_what_a_game_that_prepares_nothing_is_given_differs_by_the_constants_too() -> None:
    constants = SKIRMISH.catalogue.constants.model_copy(update={"faces": 8})
    other = load(GAME, replace(SKIRMISH.catalogue, constants=constants)).attack("knight", "rat")
    plain = SKIRMISH.attack("knight", "rat")
    assert plain.setup.play != other.setup.play
    assert other.distribution.mean("damage") == pytest.approx(3 * 3 / 8)  # 4, 5 and 6 of eight faces


def test_a_name_that_is_in_no_other_table_is_a_fault_of_each_entry_that_has_it() -> None:
    class Duo(Named):
        leader: EntryId
        others: tuple[EntryId, ...] = ()
        mount: EntryId | None = None

    duos = {
        "one": Duo(id="one", name="One", leader="rat", others=("rats", "rat", "rats"), mount="rot"),
        "two": Duo(id="two", name="Two", leader="ogrre"),
    }
    check = pickle.loads(pickle.dumps(names_known("duos", leader="fighters", others="fighters", mount="fighters")))
    found = list(check({"duos": duos, "fighters": SKIRMISH.catalogue.tables["fighters"]}))
    assert [(table, entry, fault.field, fault.found, fault.tip) for table, entry, fault in found] == [
        ("duos", "two", "leader", "ogrre", "did you mean ogre?"),
        ("duos", "one", "others", "rats", "did you mean rat?"),
        ("duos", "one", "mount", "rot", "did you mean rat?"),
    ]


def test_the_winner_is_told_by_side() -> None:
    assert WINNER.names == {1: "a", 2: "b", 0: "draw"}
    assert isinstance(WINNER, Column)
    assert np.array_equal(list(WINNER.names), [1, 2, 0])

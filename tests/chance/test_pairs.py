"""Pairs on the same dice: what cancels, what does not, and that each game alone follows its own distribution."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import collect
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.pairs import _swap, mirrored_task, paired_task
from balance.chance.trials.stopping import FixedTrials
from balance.chance.trials.tally import count_rows
from balance.game.game import LANES, Lane
from tests.toy.game import GAME as TOY
from tests.toy.renamed import GAME as RENAMED

N = 20_000


@cache
def game() -> Any:
    return balance.load("warforged")


def process(a: str, b: str, first: str, lane: Lane = "literal", changes: Any = None) -> Any:
    question = game().duel(a, b, changes, first)
    return question.kind.processes(question.setup, lane)[0]


@pytest.mark.parametrize("lane", LANES)
def test_a_mirror_match_cancels_all_luck(lane: Lane) -> None:
    me = "nexus+shotgun"
    task = mirrored_task("k", process(me, me, "a", lane), process(me, me, "b", lane), "winner")
    counts = collect(task, FixedTrials(N), seed=1).counts
    assert {(1, 2), (2, 1)} == set(map(tuple, counts.outcomes.tolist()))


@pytest.mark.parametrize("play", [mirrored_task, paired_task])
def test_what_came_of_each_game_is_read_from_the_column_that_is_named(play: Any) -> None:
    counted = []
    for toy, column in ((TOY, "winner"), (RENAMED, "outcome")):
        duels = [balance.load(toy).duel("knight", "rat", {"b.health": 9}, first) for first in ("a", "b")]
        games = [duel.kind.processes(duel.setup, "literal") for duel in duels]
        sides = [game[0] for game in games] if play is mirrored_task else games
        counted.append(collect(play("k", *sides, column), FixedTrials(2_000), seed=6).counts.to_dict())
    assert counted[0] == counted[1]
    assert set(counted[0]["weight"]) != {2_000}


@pytest.mark.parametrize("lane", LANES)
def test_each_game_of_a_pair_follows_its_own_distribution(lane: Lane) -> None:
    a, b = "nexus+laser_carbine", "aegis+shotgun"
    task = mirrored_task("k", process(a, b, "a", lane), process(a, b, "b", lane), "winner")
    counts = collect(task, FixedTrials(N), seed=2).counts
    for seat in ("a", "b"):
        distribution = game().duel(a, b, None, seat).distribution.marginal("winner")
        seen = counts.marginal(f"{seat}_first").map(lambda **columns: {"winner": next(iter(columns.values()))})
        assert distribution.agreement(seen).p_value > 0.001


def test_pairs_need_fewer_games_than_independent_ones() -> None:
    a, b = "nexus+shotgun", "vanguard+shotgun"
    counts = collect(
        mirrored_task("k", process(a, b, "a"), process(a, b, "b"), "winner"), FixedTrials(N), seed=3
    ).counts
    won = {seat: counts[f"{seat}_first"] == 1 for seat in ("a", "b")}
    pair = (won["a"] + 0.0 + won["b"]) / 2
    variance = float(counts.p @ pair**2 - (counts.p @ pair) ** 2)
    alone = sum(float(counts.p @ w) * (1 - float(counts.p @ w)) for w in won.values()) / 4
    assert alone / variance > 2


def test_an_unchanged_rule_gives_an_unchanged_game() -> None:
    both = (process("nexus+shotgun", "aegis+shotgun", "a"),)
    counts = collect(paired_task("k", both, both, "winner"), FixedTrials(N), seed=4).counts
    assert (counts["before_0"] == counts["after_0"]).all()


def test_a_small_change_keeps_most_games_the_same() -> None:
    before = (process("nexus+shotgun", "aegis+shotgun", "a"),)
    after = (process("nexus+shotgun", "aegis+shotgun", "a", changes={"a.precision": 9}),)
    counts = collect(paired_task("k", before, after, "winner"), FixedTrials(N), seed=5).counts
    same = float(counts.p @ (counts["before_0"] == counts["after_0"]))
    assert 0.8 < same < 1


def test_trials_come_back_in_order() -> None:
    duel = process("nexus+shotgun", "aegis+shotgun", "a")
    mixed, ordered = (simulate(duel, RandomRolls(0, "k", 0, 500, is_paired=True), how) for how in (False, True))
    assert sorted(mixed["rounds"].tolist()) == sorted(ordered["rounds"].tolist())
    assert mixed["rounds"].tolist() == sorted(ordered["rounds"].tolist()) != ordered["rounds"].tolist()


def test_in_paired_rolls_the_length_of_one_trial_does_not_move_the_dice_of_another() -> None:
    """Give side a more health in the second run: trials where it never came to that are the same to the last die."""
    short, long = (
        simulate(
            process("nexus+shotgun", "aegis+shotgun", "a", changes=more),
            RandomRolls(0, "k", 0, 500, is_paired=True),
            True,
        )
        for more in ({}, {"a.health": 99})
    )
    won = short["winner"] == 1
    assert won.sum() > 50
    assert np.array_equal(short["rounds"][won], long["rounds"][won])


def thrown(*names: str) -> Process:
    """Return one throw of a die of each name, read as one number: 3 and 5 are 35."""
    worth = 10 ** np.arange(len(names))[::-1]

    def step(state: Any, rolls: Any) -> Any:
        return {"x": np.stack([rolls.d(6, 1, name)[:, 0] for name in names], axis=1) @ worth}

    return Process({"x": 0}, (step,), lambda s: s["x"] > 0, lambda s, n: {"x": s["x"], "idle": s["x"] * 0}, 1)


def test_the_sides_of_the_second_game_read_each_others_dice() -> None:
    task = mirrored_task("k", thrown("a die", "b die", "deck"), thrown("a die", "b die", "deck"), "x")
    counts = collect(task, FixedTrials(50), seed=1).counts
    dice = [
        RandomRolls(1, "k", 0, 50).paired_rolls("pair").d(6, 1, f"{name}")[:, 0] for name in ("a die", "b die", "deck")
    ]
    a, b, deck = (values.astype(int) for values in dice)
    assert counts == count_rows({"a_first": 100 * a + 10 * b + deck, "b_first": 100 * b + 10 * a + deck})


def test_two_rule_sets_roll_the_same_dice_in_each_game() -> None:
    games = (thrown("a die"), thrown("b die"))
    counts = collect(paired_task("k", games, (thrown("b die"), thrown("b die")), "x"), FixedTrials(50), seed=1).counts
    columns = {}
    for number, (before, after) in enumerate((("a die", "b die"), ("b die", "b die"))):
        for when, name in (("before", before), ("after", after)):
            rolls = RandomRolls(1, "k", 0, 50).paired_rolls(f"game {number}")
            columns[f"{when}_{number}"] = rolls.d(6, 1, name)[:, 0]
    assert counts == count_rows(columns)
    assert counts.columns == ("before_0", "after_0", "before_1", "after_1")


@pytest.mark.parametrize(
    ("name", "swapped"),
    [("a attack", "b attack"), ("b  x y", "a  x y"), ("a", "b"), ("deck", "deck"), ("ab x", "ab x"), ("c a", "c a")],
)
def test_the_first_word_of_a_name_is_its_side(name: str, swapped: str) -> None:
    assert _swap(name) == swapped

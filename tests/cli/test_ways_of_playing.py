"""Which way of playing does best against what the other side plays: worked out for the very duel that was asked."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from balance.game.loaded import load
from balance.game.question.habits import compare_habits
from tests.cli.conftest import Command

ARMIES = ("edadh", "angueth_learning", "huaos_dzaa_learning")
DUEL = ("duel", *ARMIES, "--trials", "500", "--more")
RANDOM = ("--policy-a", "random", "--policy-b", "random")


@pytest.fixture(autouse=True)
def fewer_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare ways of playing in fewer duels, to save time."""
    monkeypatch.setattr("balance.game.question.habits.TRIALS", 256)


@pytest.mark.slow("test_ways_of_playing_that_come_to_the_same_are_not_told_apart")
def test_a_player_of_plain_habits_is_told_who_would_beat_it(balance: Command) -> None:
    answer: dict[str, Any] = json.loads(balance(*DUEL, *RANDOM, "--json").out)
    habits = answer["habits"]["a"]
    assert (habits["plays"], habits["against"], habits["n_trials"], habits["seed"]) == ("random", "random", 256, 0)
    scores = {habit["name"]: habit["score"] for habit in habits["ranking"]}
    assert len(scores) == 8
    assert scores["random"]["low"] < 0.5 < scores["random"]["high"]
    assert "adaptive" in habits["best"]
    assert "random" not in habits["best"]


@pytest.mark.slow("test_ways_of_playing_that_come_to_the_same_are_not_told_apart")
def test_the_screen_says_it_in_words(balance: Command) -> None:
    out = " ".join(balance(*DUEL, "--policy-b", "low").out.split())
    assert re.search(
        r"a plays cautious and scores [\d.]+% \([\d.]+% to [\d.]+%\) in simulation\. "
        r"Against low, \w+ does best: [\d.]+%",
        out,
    )
    assert re.search(r"b plays low and scores [\d.]+% .*? Against cautious, \w+ does best: ", out)
    assert "8 ways to play were simulated, 256 trials of each, seed 0" in out


@pytest.mark.slow("test_ways_of_playing_that_come_to_the_same_are_not_told_apart")
def test_it_depends_on_what_the_other_side_plays() -> None:
    ask = load("edadh").ask
    plain, other = (compare_habits(ask("duel", *ARMIES[1:], policy_a=name, policy_b="random"))
                    for name in ("random", "adaptive"))  # fmt: skip
    assert (plain[1].against, other[1].against) == ("random", "adaptive")
    assert plain[1].played_habit.score.value > other[1].played_habit.score.value + 0.2
    unsaid = compare_habits(ask("duel", *ARMIES[1:]))
    assert unsaid == compare_habits(ask("duel", *ARMIES[1:], policy_a="cautious", policy_b="cautious"))


def test_ways_of_playing_that_come_to_the_same_are_not_told_apart(balance: Command) -> None:
    short = ("--set", "situation.max_periods=1")  # over before anything is decided
    a, b = compare_habits(load("edadh").ask("duel", *ARMIES[1:], {"situation.max_periods": 1}))
    assert len(a.best) == len(b.best) == 8
    assert "; not distinguishable from that: " in " ".join(balance(*DUEL, *short).out.split())


def test_nothing_is_compared_where_nobody_wins_or_one_must_learn_first() -> None:
    ask = load("edadh").ask
    assert compare_habits(ask("turn", *ARMIES[1:])) == ()
    assert compare_habits(ask("duel", "spears", "shieldsmen", policy_a="lookahead")) == ()
    assert compare_habits(load("battlelore").duel("blue_foot", "red_foot")) == ()

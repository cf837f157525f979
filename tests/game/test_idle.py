"""What is said of changes that change nothing, and what it takes for two things to be alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.loaded import load
from balance.game.question import idle
from balance.game.question.idle import _alike, _same_distribution, _setup_played, idle_changes
from balance.game.question.question import Question


def shot(changes: dict[str, object]) -> Question:
    return load("warforged").attack("nexus+shotgun", "trooper", changes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, []),
        ({"rules.faces": "0-9"}, []),
        ({"situation.n_covers": 3}, ["situation.n_covers=3 changes no outcome here"]),
        ({"situation.n_covers": 3, "situation.light_cover": True}, ["situation.n_covers=3 changes no outcome here"]),
        ({"situation.n_covers": 3, "situation.light_cover": True, "rules.cover_stack": "each"}, []),
        (
            {"rules.laser_self": True, "rules.laser_heavy": False, "attacker.effects": "laser"},
            ["rules.laser_heavy=false changes no outcome here"],
        ),
        (
            {"attacker.precision": 8, "defender.armour": 1, "attacker.damage": 4},
            ["attacker.precision=8 is so already", "defender.armour=1 is so already"],
        ),
    ],
    ids=str,
)
def test_a_change_is_idle_if_all_that_are_left_give_the_same_without_it(
    changes: dict[str, object], told: list[str]
) -> None:
    assert list(idle_changes(shot(changes))) == told


def test_what_shows_in_a_question_beside_it_is_not_idle() -> None:
    health: dict[str, object] = {"defender.health": 1}
    asked, beside = shot(health), load("warforged").kill("nexus+shotgun", "trooper", health)
    assert list(idle_changes(asked)) == ["defender.health=1 changes no outcome here"]
    assert list(idle_changes(asked, beside)) == []


def test_a_choice_that_changes_nothing_is_told_like_a_change() -> None:
    asked = load("battlelore").ask("combat", "blue_foot", "red_foot", follow_up="stay", battle_back="no")
    assert list(idle_changes(asked)) == ["battle_back=no changes no outcome here"]


def test_where_there_is_no_exact_distribution_trials_with_the_same_dice_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "LOOKS", (1, 256))
    long = {"situation.max_periods": 50}
    duel = load("edadh").ask("duel", "spears", "shieldsmen", long, policy_a="high", policy_b="high")
    told = "situation.max_periods=50 changed no outcome in 4,096 trials with the same dice"
    assert list(idle_changes(duel)) == [told]
    assert list(idle_changes(duel, as_played=False)) == []
    assert list(idle_changes(duel.again({"situation.max_periods": 1}))) == []


def test_trials_are_as_many_as_are_told_and_have_one_seed() -> None:
    asked = shot({"rules.faces": "0-9"})
    assert idle._sample_distribution(asked, 4096) == collect(asked.task(key="idle"), FixedTrials(4096), seed=0).counts


@dataclass(frozen=True)
class Made:
    play: Any
    inputs: Any = None


def test_of_a_setup_all_but_the_record_of_what_was_asked_is_played() -> None:
    assert _setup_played(Made(3, {"a": 1})) == {"play": 3}
    assert _setup_played("a plain value") == "a plain value"


ONES = np.ones(3)
ALIKE = {
    "the same object": (ONES, ONES),
    "equal arrays": (np.arange(3), np.arange(3)),
    "mappings": ({"a": ONES, "b": 2}, {"a": np.ones(3), "b": 2}),
    "sequences": ((1, [2, ONES]), (1, [2, np.ones(3)])),
    "partial calls": (partial(max, 1, key=abs), partial(max, 1, key=abs)),
    "records": (Made(np.arange(2)), Made(np.arange(2))),
    "values": (2.5, 2.5),
}
UNLIKE = {
    "types": (1, 1.0),
    "types of arrays": (np.arange(3), np.arange(3.0)),
    "values of arrays": (np.arange(3), np.array([0, 1, 3])),
    "keys": ({"a": 1}, {"b": 1}),
    "more keys": ({"a": 1}, {"a": 1, "b": 2}),
    "values of mappings": ({"a": ONES, "b": 1}, {"a": ONES, "b": 2}),
    "lengths": ((1, 2), (1, 2, 3)),
    "parts": ([1, 2], [1, 3]),
    "functions": (partial(max, 1), partial(min, 1)),
    "arguments": (partial(max, 1), partial(max, 2)),
    "names of arguments": (partial(max, 1, key=abs), partial(max, 1, key=len)),
    "records": (Made(1, 2), Made(1, 3)),
    "values": (1, 2),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_what_is_built_alike_is_alike(one: object, other: object) -> None:
    assert _alike(one, other) is True


@pytest.mark.parametrize(("one", "other"), UNLIKE.values(), ids=UNLIKE)
def test_what_differs_in_one_part_is_not_alike(one: object, other: object) -> None:
    assert _alike(one, other) is False


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Pmf.of({1: 1, 2: 1}, "x"), Pmf.of({1: 2, 2: 2}, "x"), True),
        (Pmf.of({1: 1, 2: 1}, "x"), Pmf.of({1: 1, 3: 1}, "x"), False),
        (Pmf.of({1: 1, 2: 10**13 - 1}, "x"), Pmf.of({1: 2, 2: 10**13 - 2}, "x"), False),
        (Pmf.of({1: 0.25, 2: 0.75}, "x"), Pmf.of({1: 0.25 + 1e-13, 2: 0.75 - 1e-13}, "x"), True),
        (Pmf.of({1: 0.25, 2: 0.75}, "x"), Pmf.of({1: 0.25 + 1e-9, 2: 0.75 - 1e-9}, "x"), False),
        (Pmf.of({1: 0.25, 2: 0.75}, "x"), Pmf.of({1: 0.25, 3: 0.75}, "x"), False),
    ],
)
def test_distributions_are_equal_exactly_where_they_are_exact_and_else_to_the_last_digits(
    one: Pmf, other: Pmf, same: bool
) -> None:
    assert _same_distribution(one, other) is same

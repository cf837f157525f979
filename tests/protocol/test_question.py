"""A question can be asked again, a little differently, and by another process."""

from __future__ import annotations

import pickle

import pytest

import balance
from balance.errors import UsageError

COMBAT = ("combat", "blue_mounted", "dwarf_blue_foot", {"situation.target_terrain": "hill"})


def test_it_is_asked_again_with_one_thing_changed() -> None:
    asked = balance.load("battlelore").ask(*COMBAT, follow_up="stay")
    assert asked.again().task_id == asked.task_id
    other = asked.again(follow_up="gain_ground")
    assert dict(other.choices) == {**dict(asked.choices), "follow_up": "gain_ground"}
    assert other.changes == asked.changes == ("situation.target_terrain=hill",)
    assert asked.again({}).changes == ()
    with pytest.raises(UsageError, match="did you mean stay"):
        asked.again(follow_up="sta")


def test_the_side_that_goes_first_is_kept_unless_another_is_said() -> None:
    duel = balance.load("warforged").duel("nexus+assault_rifle", "trooper+shotgun", first="b")
    assert (duel.again({"a.armour": 1}).first, duel.again(first="a").first) == ("b", "a")


@pytest.mark.parametrize("asked", [("battlelore", COMBAT), ("edadh", ("turn", "spears", "shieldsmen", {"a.mp": 9}))])
def test_another_process_asks_the_same(asked: tuple[str, tuple[str, ...]]) -> None:
    game, words = asked
    question = balance.load(game).ask(*words)
    sent = pickle.loads(pickle.dumps(question))
    assert (sent.task_id, sent.inputs, sent.choices) == (question.task_id, question.inputs, question.choices)


def test_what_was_asked_is_told_resolved() -> None:
    inputs = balance.load("battlelore").ask(*COMBAT).inputs
    assert inputs["set"] == ["situation.target_terrain=hill"]
    assert inputs["situation"]["target_terrain"] == ["hill"]

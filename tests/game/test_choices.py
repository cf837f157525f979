"""What is typed beside the entrants: every choice with its default, every wrong one told, values as texts."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.game.loaded import load
from balance.game.question.choices import assignments, choose
from tests.toy.game import GAME as TOY

COMBAT = load("battlelore").definition.kinds["combat"]


def test_every_choice_has_its_default_unless_another_is_given() -> None:
    usual = {name: allowed[0] for name, allowed in COMBAT.choices.items()}
    assert choose(COMBAT, {}) == usual
    assert choose(COMBAT, {"follow_up": "stay"}) == {**usual, "follow_up": "stay"}


def test_every_choice_that_cannot_be_is_told_at_once() -> None:
    with pytest.raises(UsageError) as found:
        choose(COMBAT, {"follow_up": "stey", "battle_bak": "no", "battle_back": "yes"})
    known = ", ".join(COMBAT.choices)
    follow_up = ", ".join(COMBAT.choices["follow_up"])
    assert str(found.value).splitlines() == [
        f"'stey' is not a choice of follow_up; allowed: {follow_up}; did you mean stay?",
        f"'battle_bak' is not something to choose in combat; allowed: {known}; did you mean battle_back?",
    ]


def test_where_nothing_can_be_chosen_that_is_said() -> None:
    with pytest.raises(UsageError) as found:
        choose(TOY.kinds["attack"], {"a_effort": "bold"})
    assert str(found.value) == "'a_effort' is not something to choose in attack; allowed: nothing"


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        (None, []),
        ({}, []),
        (["a.x=1"], ["a.x=1"]),
        (("a.x=1", "b.y=2"), ["a.x=1", "b.y=2"]),
        ({"a.x": 1, "a.y": True, "b.z": False}, ["a.x=1", "a.y=true", "b.z=false"]),
        ({"a.x": [1, "two"], "a.y": (), "b.z": {3}}, ["a.x=1,two", "a.y=", "b.z=3"]),
        ({"a.x": frozenset({4}), "a.y": None}, ["a.x=4", "a.y="]),
    ],
)
def test_changes_are_texts(changes: object, texts: list[str]) -> None:
    assert assignments(changes) == texts  # type: ignore[arg-type]

"""What a game is given when it is asked, and how it tells it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.base.errors import UsageError
from balance.game.loaded import load
from balance.game.question import choices
from balance.game.setup import Asked, AskedSide, ready
from tests.toy.game import GAME as TOY

TOYS = load(TOY)
DUEL = TOYS.duel("knight", "rat", {"a.health": 9}, first="b")


def test_inputs_are_the_sides_the_situation_the_rules_and_who_was_chosen() -> None:
    assert DUEL.setup.inputs == {
        "a": {"id": "knight", "name": "Knight", "cost_points": 20, "dice": 3, "health": 9},
        "b": {"id": "rat", "name": "Rat", "cost_points": 5, "dice": 1, "health": 2},
        "situation": {},
        "rules": {"hits_on": "4-6"},
        "first": "b",
        "choices": {"a_effort": "steady", "b_effort": "steady"},
    }
    assert list(TOYS.attack("knight", "rat").setup.inputs) == ["attacker", "defender", "situation", "rules"]


def test_what_is_worked_out_and_what_is_told_beside_come_in_their_place() -> None:
    play = DUEL.setup.play
    asked = Asked(("knight", "rat"), TOYS.catalogue, play.rules, play.situation, play.sides)
    told = asked.inputs({"weather": "rain"}, level="C")
    assert list(told) == ["a", "b", "situation", "rules", "level"]
    assert (told["situation"], told["level"]) == ({"weather": "rain"}, "C")


def test_what_is_set_of_a_side_is_of_its_stance_or_of_its_cards() -> None:
    edadh = load("edadh")
    stance = edadh.definition.kinds["duel"].stances[0]()
    side = AskedSide(edadh.catalogue, None, "a", "spears", {"mp": "9", "spears.att": "3"}, stance)  # type: ignore[type-var]
    assert side.place == "§set a"
    assert side.split() == ({"mp": "9"}, {"spears.att": "3"})
    assert replace(side, fields={}).split() == ({}, {})


def test_what_is_played_is_equal_where_all_that_can_change_a_result_is() -> None:
    same = TOYS.duel("knight", "rat", {"a.health": 9}, first="b").setup.play
    assert same == DUEL.setup.play
    assert hash(same) == hash(DUEL.setup.play)
    for other in (
        DUEL.again({}),
        DUEL.again(first="a"),
        DUEL.again(b_effort="bold"),
        DUEL.again({"a.health": 9, "rules.hits_on": "5-6"}),
    ):
        assert other.setup.play != DUEL.setup.play
        assert hash(other.setup.play) != hash(DUEL.setup.play)


def test_a_game_that_prepares_nothing_plays_by_what_was_asked() -> None:
    play = DUEL.setup.play
    asked = Asked(
        ("knight", "rat"), TOYS.catalogue, play.rules, play.situation, play.sides, "b", {"a_effort": "steady"}
    )
    made = ready(asked)
    assert made.inputs == asked.inputs()
    assert (made.play.constants, made.play.first, made.play.policies) == (TOYS.catalogue.constants, "b", {})


def test_overrides_are_read_once_and_are_the_same_from_texts_and_from_values(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TOYS.duel("knight", "rat", "a.health=9", first="b").overrides == DUEL.overrides
    assert TOYS.duel("knight", "rat", ["A.Health = 9"], first="b").overrides == DUEL.overrides
    with pytest.raises(UsageError, match=r"^set: 'health=9' is not an assignment"):
        TOYS.duel("knight", "rat", {"health": 9})
    monkeypatch.setattr(choices, "parse_assignments", None)
    assert DUEL.again(first="a").changes == ("a.health=9",)
    ask, what = DUEL.__reduce__()
    assert ask(*what).overrides == DUEL.overrides

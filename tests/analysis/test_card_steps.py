"""Single changes of cards: which there are, and what is legal."""

from __future__ import annotations

import pytest

from balance.analysis.changes.neighbours.card_steps import CardStep, further, steps_of
from balance.game.authoring.new_file import TEMPLATES
from balance.game.loaded import LoadedGame, load

WARFORGED = load("warforged")


def told(step: CardStep) -> tuple[str, str, str, str, float, bool]:
    return step.field, step.old, step.new, step.value, step.by, step.has_effect


def steps(cards: list[tuple[str, str]], members: list[str], added: bool = False) -> list[CardStep]:
    return steps_of(WARFORGED, "lineup", cards, members, added)


def test_every_number_goes_up_and_down_and_every_word_goes_as_far_as_legal() -> None:
    found = steps([("units", "spectre")], ["spectre+shotgun"])
    assert [told(step) for step in found] == [
        ("speed_cells", "5", "6", "6", 1.0, False),
        ("speed_cells", "5", "4", "4", -1.0, False),
        ("health", "5", "6", "6", 1.0, True),
        ("health", "5", "4", "4", -1.0, True),
        ("armour", "1", "2", "2", 1.0, True),
        ("armour", "1", "0", "0", -1.0, True),
        ("handling", "2", "3", "3", 1.0, False),  # at 1 it could not bear a shotgun
        ("abilities", "jump", "", "slim", 0.0, False),
        ("abilities", "slim", "", "jump", 0.0, True),
        ("copies", "2", "3", "3", 1.0, False),
        ("copies", "2", "1", "1", -1.0, False),
    ]
    assert found[3].path == "units.spectre.health"
    assert str(found[3].apply_to("spectre+shotgun")) == "spectre+shotgun with units.spectre.health=4"


def test_words_may_come_too() -> None:
    found = [told(step) for step in steps([("weapons", "sidearm")], ["nexus+sidearm"], True) if not step.by]
    assert found == [
        ("effects", "", word, word, 0.0, word != "high_explosive")
        for word in ("piercing", "high_explosive", "rapid_fire", "emp", "laser")
    ]


def test_what_a_range_forbids_is_no_step() -> None:
    found = steps([("weapons", "marksman_rifle")], ["nexus+marksman_rifle"])
    up, down = (step for step in found if step.field == "precision")
    assert (up.new, down.new) == ("9", "7")
    ten = further(WARFORGED, "lineup", up, 2, [])
    assert ten is not None
    assert told(ten) == ("precision", "8", "10", "10", 2.0, True)
    assert further(WARFORGED, "lineup", ten, 1.5, []) is None  # 11


def test_several_cards_are_stepped_one_after_the_other() -> None:
    both = steps([("units", "nexus"), ("weapons", "sidearm")], ["nexus+sidearm"])
    assert list(dict.fromkeys(step.card for step in both)) == ["nexus", "sidearm"]
    assert all(step.field not in ("id", "name", "kind", "cost_points", "weapon_class") for step in both)


@pytest.mark.parametrize("times", [0, 1])
def test_a_word_goes_but_once(times: int) -> None:
    word = next(step for step in steps([("units", "spectre")], []) if not step.by)
    assert further(WARFORGED, "lineup", word, times, []) is None


def test_no_steps_of_a_number_are_none() -> None:
    first = steps([("units", "nexus")], [])[0]
    assert further(WARFORGED, "lineup", first, 0, []) is None


def test_what_a_kind_without_armies_cannot_see_nobody_says() -> None:
    found = steps_of(LoadedGame(WARFORGED.definition, WARFORGED.catalogue), "duel", [("units", "nexus")], [])
    assert all(step.has_effect for step in found)


def test_a_value_that_a_rule_of_a_file_cannot_take_is_no_step() -> None:
    game = load(str(TEMPLATES / "hit-wound-save.toml"))
    found = steps_of(game, "battle", [("units", "raiders")], ["raiders"])
    assert [step.new for step in found if step.field == "size"] == ["2"]  # `me.wounds / me.size` cannot be told of 0
    assert [step.new for step in found if step.field == "attacks"] == ["2", "0"]

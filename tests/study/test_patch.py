"""A patch: what it sets, in whatever way it is written, and the catalogue that comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import StudyError
from balance.game.loaded import LoadedGame, load
from balance.study.settings.patch import Patch, PatchLimits, load_patch
from tests.toy.game import GAME as TOY

TEXT = """
[set]
"fighters.rat.dice" = 2
"constants.faces" = 8

[set.fighters.knight]
cost_points = 21
name = "Sir"

[rules]
hits_on = "5-6"

[limits]
max_unfair = 3
"""


@pytest.fixture(scope="module")
def game() -> LoadedGame:
    return load(TOY)


def patch(folder: Path, text: str, name: str = "more_dice.toml") -> Patch:
    (folder / name).write_text(text, "utf-8")
    return load_patch(folder / name)


def test_a_patch_says_what_it_sets_in_the_order_of_the_file(tmp_path: Path) -> None:
    found = patch(tmp_path, TEXT)
    assert list(found.assignments.items()) == [
        ("fighters.rat.dice", "2"),
        ("constants.faces", "8"),
        ("fighters.knight.cost_points", "21"),
        ("fighters.knight.name", "Sir"),
        ("rules.hits_on", "5-6"),
    ]
    assert (found.name, found.title, found.path) == ("more_dice", "More dice", tmp_path / "more_dice.toml")
    assert found.settings.limits == PatchLimits(max_unfair=3)
    assert patch(tmp_path, 'title = "Mine"\n').title == "Mine"


def test_flags_and_lists_are_written_as_an_assignment_has_them(tmp_path: Path) -> None:
    found = patch(tmp_path, '[set]\na.b.c = [1, 2]\na.b.d = ["x"]\na.b.e = []\na.b.f = true\n[rules]\ng = false\n')
    assert found.assignments == {"a.b.c": "1,2", "a.b.d": "x", "a.b.e": "", "a.b.f": "true", "rules.g": "false"}


def test_all_that_is_set_is_changed_and_nothing_else(tmp_path: Path, game: LoadedGame) -> None:
    before = {name: dict(entries) for name, entries in game.catalogue.tables.items()}
    after = patch(tmp_path, TEXT).apply(game).catalogue
    changed = {name: card.model_dump() for name, card in after.tables["fighters"].items()}
    expected = {name: card.model_dump() for name, card in before["fighters"].items()}
    expected["rat"]["dice"] = 2
    expected["knight"] |= {"cost_points": 21, "name": "Sir"}
    assert changed == expected
    assert after.constants.model_dump() == {"faces": 8}
    assert after.rules.model_dump() == {"hits_on": "5-6"}
    assert {name: dict(entries) for name, entries in game.catalogue.tables.items()} == before
    assert game.catalogue.rules.model_dump() == {"hits_on": "4-6"}


def test_an_entry_may_be_written_by_its_name(tmp_path: Path, game: LoadedGame) -> None:
    after = patch(tmp_path, '[set]\n"fighters.Rat.dice" = 3\n').apply(game)
    assert after.catalogue.tables["fighters"]["rat"].model_dump()["dice"] == 3


def test_entries_that_no_longer_fit_are_told_by_the_patch(tmp_path: Path) -> None:
    units = load("battlelore")
    change = patch(tmp_path, '[set]\n"units.blue_foot.weapon" = "no_sword"\n', "other.toml")
    with pytest.raises(StudyError) as error:
        change.apply(units)
    assert str(error.value).startswith(f"{tmp_path / 'other.toml'}, ")
    assert "'no_sword'" in str(error.value)

"""Values changed in a catalogue: all of them or none, checked as if they stood in its files."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.catalogue import patch_catalogue
from balance.game.loaded import load
from tests.toy.game import GAME

TOY = load(GAME).catalogue


def test_what_is_named_is_changed_and_nothing_else() -> None:
    before = TOY.content
    found = patch_catalogue(TOY, {"fighters.Rat.dice": "3", "constants.faces": "8", "rules.hits_on": "5-6"})
    assert found.content["tables"]["fighters"] == [
        {**entry, "dice": 3} if entry["id"] == "rat" else entry for entry in before["tables"]["fighters"]
    ]
    assert (found.content["constants"], found.content["rules"]) == ({"faces": 8}, {"hits_on": "5-6"})
    assert TOY.content == before
    assert patch_catalogue(TOY, {}) == TOY


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("fighters.rat.dice", "0", "fighters, fighters.rat.dice: '0' is out of range"),
        ("fighters.rot.dice", "1", "fighters.rot.dice: 'rot' is not in fighters; allowed: rat, knight, ogre"),
        ("fighter.rat.dice", "1", "fighter.rat.dice: 'fighter' is not a table; allowed: fighters"),
        ("rules.hit_on", "5-6", "rules, rules.hit_on: 'hit_on' is not a field; allowed: hits_on"),
        ("constants.face", "8", "constants, constants.face: 'face' is not a field; allowed: faces"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(path: str, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        patch_catalogue(TOY, {"constants.faces": "x", path: text})
    first, second = error.value.faults
    assert str(first) == "constants, constants.faces: 'x' is not a number; allowed: a whole number from 2 to 20"
    assert str(second).startswith(said)


def test_entries_that_no_longer_fit_are_refused() -> None:
    with pytest.raises(UsageError) as error:
        patch_catalogue(load("battlelore").catalogue, {"units.blue_foot.weapon": "no_sword"})
    assert "'no_sword'" in str(error.value)

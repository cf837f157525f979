"""`--set`: what it reads, what it refuses, and that a changed record obeys the ranges of the files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field

from balance.base.errors import UsageError
from balance.catalogue import Header, Overrides, Record, SortedSet, apply, check_folder, parse_assignments
from balance.catalogue.overrides import field_paths
from balance.catalogue.tables.schema import leaf_columns
from balance.games.warforged.cards import SPEC

SHIPPED = Path(__file__).parents[2] / "data" / "warforged"


class Wind(Record):
    speed: Annotated[float, Field(ge=0, le=50)] = 0.0


class Situation(Record):
    light_cover: bool = False
    distance: Annotated[int, Field(ge=1, le=40)] = 2
    tokens: Annotated[tuple[Literal["burned", "emp"], ...], SortedSet] = ()
    limit: int | None = None
    wind: Wind = Wind()


def test_assignments_are_grouped_by_root() -> None:
    found = parse_assignments(["attacker.precision=7", "defender.abilities=", "rules.faces = 0-9", "a.b.c=x=y"])
    assert found.roots() == ("attacker", "defender", "rules", "a")
    assert found.take("defender") == {"abilities": ""}
    assert found.take("rules") == {"faces": "0-9"}
    assert found.take("a") == {"b.c": "x=y"}
    assert found.take("nobody") == {}


@pytest.mark.parametrize(
    "text", ["precision", "attacker.precision", "attacker=7", ".x=7", "attacker.=7", "", "=", "a..b=1"]
)
def test_what_is_no_assignment(text: str) -> None:
    with pytest.raises(UsageError, match="is not an assignment"):
        parse_assignments([text])


def test_every_bad_assignment_is_told() -> None:
    with pytest.raises(UsageError) as error:
        parse_assignments(["x", "atacker.a=1", "attacker.b=1", "Attacker.B=2"], roots=("attacker", "defender"))
    assert [fault.message for fault in error.value.faults] == [
        "is not an assignment",
        "is not something to set here",
        "is set twice",
    ]
    assert error.value.faults[1].tip == "did you mean attacker?"


@pytest.mark.parametrize("text", ["true", "YES", "1", "vero", "sì"])
def test_words_for_true(text: str) -> None:
    assert apply(Situation(), {"light_cover": text}).light_cover


@pytest.mark.parametrize("text", ["false", "no", "0", "Falso"])
def test_words_for_false(text: str) -> None:
    assert not apply(Situation(light_cover=True), {"light_cover": text}).light_cover


def test_lists_are_set_sorted_and_cleared() -> None:
    set_to = apply(Situation(), {"tokens": "EMP, burned, emp"})
    assert set_to.tokens == ("burned", "emp")
    assert apply(set_to, {"tokens": ""}).tokens == ()


def test_decimal_comma_nested_field_and_none() -> None:
    changed = apply(Situation(limit=3), {"wind.speed": "7,5", "distance": "7,0", "limit": ""})
    assert (changed.wind.speed, changed.distance, changed.limit) == (7.5, 7, None)


@pytest.mark.parametrize(
    ("fields", "found", "tip"),
    [
        ({"distence": "3"}, "distence", "did you mean distance?"),
        ({"distance": "0"}, "0", ""),
        ({"distance": "1e30"}, "1e30", ""),
        ({"distance": ""}, None, ""),
        ({"light_cover": "maybe"}, "maybe", ""),
        ({"tokens": "burnt"}, "burnt", "did you mean burned?"),
        ({"wind.speed": "nan"}, "nan", ""),
        ({"wind": "3"}, "wind", ""),
    ],
)
def test_a_bad_override_says_why(fields: dict[str, str], found: str | None, tip: str) -> None:
    with pytest.raises(UsageError) as error:
        apply(Situation(), fields, "§set situation")
    (fault,) = error.value.faults
    assert (fault.path, fault.found) == ("§set situation", found)
    assert fault.tip == tip or not tip


def test_the_record_given_is_left_alone() -> None:
    before = Situation()
    apply(before, {"distance": "9"})
    assert before == Situation()


@pytest.mark.parametrize(("text", "word"), [("rapid_fire,lasr,emp", "lasr"), ("Emp; Lazer", "Lazer")])
def test_a_fault_in_a_list_names_the_word_at_fault(text: str, word: str) -> None:
    from balance.game.loaded import load

    with pytest.raises(UsageError) as caught:
        load("warforged").attack("nexus+assault_rifle", "whisper", {"attacker.effects": text})
    (fault,) = caught.value.faults
    assert fault.found == word
    assert fault.tip == "did you mean laser?"


def test_a_fault_in_a_list_of_a_file_names_the_word_at_fault(tmp_path: Path) -> None:
    for file in Path(SHIPPED).glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weapons = tmp_path / "weapons.csv"
    weapons.write_text(weapons.read_text("utf-8").replace("rapid_fire", "emp;rapid_fier", 1), "utf-8")
    fault = next(fault for fault in check_folder(SPEC, tmp_path) if fault.field == "effects")
    assert (fault.found, fault.tip) == ("rapid_fier", "did you mean rapid_fire?")


def refusal(record: Record, fields: dict[str, str], *where: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        apply(record, fields, *where)
    return [str(fault) for fault in caught.value.faults]


def test_every_bad_override_is_told_in_full() -> None:
    fields = {
        "distence": "3",
        "distance": "0",
        "light_cover": " maybe ",
        "tokens": "emp;burnt",
        "limit": "x",
        "wind.speed": "51",
        "wind": "3",
    }
    leaves = "light_cover, distance, tokens, limit, wind.speed"
    assert refusal(Situation(), fields) == [
        f"set: 'distence' is not a field; allowed: {leaves}; did you mean distance?",
        "set, light_cover: ' maybe ' is neither true nor false; allowed: true or false",
        "set, tokens: 'burnt' is not a known choice; allowed: any of burned, emp; did you mean burned?",
        "set, limit: 'x' is not a number; allowed: a whole number",
        f"set: 'wind' is not a field; allowed: {leaves}; did you mean wind.speed?",
        "set, distance: '0' is out of range; allowed: a whole number from 1 to 40",
        "set, wind.speed: '51.0' is out of range; allowed: a number from 0 to 50",
    ]
    assert refusal(Situation(), {"distance": ""}, "§set x") == [
        "set x, distance: is empty; allowed: a whole number from 1 to 40"
    ]


def test_every_bad_assignment_is_told_in_full() -> None:
    texts = ["x", "atacker.a=1", "attacker.b=1", "Attacker.B=2", "attacker.c= 3 "]
    with pytest.raises(UsageError) as caught:
        parse_assignments(texts, roots=("attacker", "defender"))
    assert str(caught.value).splitlines() == [
        "set: 'x' is not an assignment; allowed: ROOT.FIELD=VALUE; such as set=attacker.precision=7",
        "set: 'atacker' is not something to set here; allowed: attacker, defender; did you mean attacker?",
        "set: 'attacker.b' is set twice",
    ]
    found = parse_assignments(iter([texts[4], "attacker.d.e=f.g=h", "x.y="]))
    assert found == Overrides((("attacker", "c", "3"), ("attacker", "d.e", "f.g=h"), ("x", "y", "")))
    assert found.roots() == ("attacker", "x")
    assert parse_assignments([], ()) == Overrides()


class Gun(Record):
    damage: Annotated[int, Header(("danni", "strength"), name="dmg")] = 3
    strength: int = 1


class Turret(Record):
    gun: Gun = Gun()
    danni: int = 0


def test_a_field_may_be_called_as_in_a_file_unless_another_is_called_so() -> None:
    leaves = leaf_columns(Turret)
    assert field_paths(Turret) is field_paths(Turret)
    assert dict(field_paths(Turret)) == {
        "danni": ("danni", leaves["danni"]),
        "gun.damage": ("gun.damage", leaves["gun.damage"]),
        "gun.danni": ("gun.damage", leaves["gun.damage"]),
        "gun.dmg": ("gun.damage", leaves["gun.damage"]),
        "gun.strength": ("gun.strength", leaves["gun.strength"]),
    }
    changed = apply(Turret(), {"gun.dmg": "7", "gun.strength": "9", "danni": "5"})
    assert changed == Turret(gun=Gun(damage=7, strength=9), danni=5)


def test_nothing_to_set_is_the_record_itself() -> None:
    record = Turret()
    assert apply(record, {}) is record

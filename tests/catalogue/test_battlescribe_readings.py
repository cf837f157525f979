"""What `balance check FILE --explain` tells of a BattleScribe file: its kind, types, columns, costs and profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.catalogue.battlescribe.readings import MOST_PROFILES, roster_reading
from tests.catalogue.battlescribe_army import CATALOGUE, ROSTER, SYSTEM
from tests.catalogue.test_roster_costs import GUARD, cost, costs, entry, force, held, profile, roster

UNIT_COST_IN_MODELS = roster(force(GUARD), total=costs(cost("86.0")))


@pytest.mark.parametrize(
    ("name", "text", "kind", "summary"),
    [
        ("a.cat", CATALOGUE, "BattleScribe catalogue", "2 profiles (2 Unit)"),
        ("a.gst", SYSTEM, "BattleScribe game system", "2 profiles (2 Weapon)"),
        ("a.ros", ROSTER, "BattleScribe roster", "1 profile (1 Unit)"),
        ("a.json", '{"catalogue": {"name": "C"}}', "BattleScribe catalogue", "0 profiles"),
    ],
)
def test_the_kind_of_each_file(tmp_path: Path, name: str, text: str, kind: str, summary: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    reading = roster_reading(tmp_path / name)
    assert reading is not None and (reading.kind, reading.faults) == (kind, ())
    assert reading.summary.startswith(f"{summary}; balance roster")


def test_pieces_of_a_roster_with_its_costs_in_models(tmp_path: Path) -> None:
    (tmp_path / "a.ros").write_text(UNIT_COST_IN_MODELS, "utf-8")
    reading = roster_reading(tmp_path / "a.ros")
    assert reading is not None
    assert [(piece.where, piece.text, piece.meaning) for piece in reading.readings] == [
        ("type of profile", "Unit (1)", "a row for each, with W"),
        ("type of profile", "Weapon (1)", "a row for each, with W"),
        ("column W", "1", "a characteristic, a whole number"),
        ("cost pts", "10", "a cost of a selection for all of its number, without what it holds, kept exactly"),
        (
            "line 1",
            "River Guard",
            "selection of 1, profile named P of type Unit, costs 76 pts with what it holds that has no row",
        ),
        ("line 1", "Bow", "selection of 1, profile named P of type Weapon, costs 10 pts"),
    ]
    assert "together the roster's 86" in reading.notes[0]


def test_what_a_column_holds(tmp_path: Path) -> None:
    values = {"M": ['6"', '5"'], "S": ["3+", "-"], "A": ["2", ""]}
    some = [
        entry(f"E{n}", 0, profile("Unit").replace('name="W" typeId="w">1', f'name="{name}">{value}'))
        for n, (name, value) in enumerate((name, value) for name, texts in values.items() for value in texts)
    ]
    (tmp_path / "a.cat").write_text(f'<catalogue id="c" name="C">{held(*some)}</catalogue>', "utf-8")
    reading = roster_reading(tmp_path / "a.cat")
    assert reading is not None
    meanings = {piece.where: piece.meaning for piece in reading.readings if piece.where.startswith("column")}
    assert meanings == {
        "column M": "a characteristic, a number with a unit, which --column leaves out",
        "column S": "a characteristic, kept as text (a number in 1 of 2 rows)",
        "column A": "a characteristic, a whole number",
    }


def test_many_profiles_are_told_up_to_a_limit(tmp_path: Path) -> None:
    units = [entry(f"E{n}", n, profile("Unit")) for n in range(MOST_PROFILES + 1)]
    (tmp_path / "a.cat").write_text(f'<catalogue id="c" name="C">{held(*units)}</catalogue>', "utf-8")
    reading = roster_reading(tmp_path / "a.cat")
    assert reading is not None
    assert sum(piece.where == "line 1" for piece in reading.readings) == MOST_PROFILES
    assert any("the first 200 of 201 profiles" in note for note in reading.notes)


def test_a_file_that_is_none_of_these(tmp_path: Path) -> None:
    (tmp_path / "a.ros").write_text("River Guard, 86 pts", "utf-8")
    reading = roster_reading(tmp_path / "a.ros")
    assert reading is not None and "neither XML nor JSON" in reading.faults[0].message
    assert roster_reading(tmp_path / "a.csv") is None

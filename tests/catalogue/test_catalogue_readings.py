"""How catalogues are read, piece by piece, as `balance check PATH --explain` shows them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field

from balance.base.readings import FileReading, Reading
from balance.catalogue import EntryId, Header, Record, export_workbook, load_catalogue
from balance.catalogue.readings import catalogue_reading
from balance.catalogue.tables.files import rows_of
from balance.catalogue.tables.readings import column_readings
from balance.game.registry import find_game, shipped_folder

WARFORGED = find_game("warforged")
SHIPPED = shipped_folder(WARFORGED)
ITALIAN = """id;nome;tipo;PG;velocità;salute;armatura;maneggevolezza;abilità;copie;meteo
nexus;Nexus;Cyborg;24;4;8;2;3;pesante;2;sole
trooper;Fante;Soldato;molti;6;9;1;3;;2;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "warforged"))


def read(path: Path) -> FileReading:
    reading = catalogue_reading(WARFORGED.spec, path)
    assert reading is not None
    return reading


def meaning_of(reading: FileReading, text: str, where: str = "") -> str:
    return next(piece.meaning for piece in reading.readings if piece.text == text and piece.where.startswith(where))


def test_a_shipped_folder_is_told_by_table_rule_constant_and_source() -> None:
    reading = read(SHIPPED)
    assert (reading.kind, reading.faults) == ("catalogue of warforged", ())
    assert reading.summary == "2 tables with 22 rows, 20 rule options and 37 constants"
    assert meaning_of(reading, "12 rows").startswith("the table weapons, a record Weapon in each row")
    assert meaning_of(reading, "cost_points", "units.csv, column 4") == (
        "cost_points: What the card costs. A whole number from 0 to 9999, in war points; here 12 to 50. "
        "A blank is a fault."
    )
    assert meaning_of(reading, "class").startswith("class (field weapon_class): Main, secondary or heavy. One of main,")
    assert meaning_of(reading, "abilities").endswith("here 2 blanks. A blank is an empty list.")
    assert "One of main, secondary, heavy (from worst to best: heavy, main, secondary)" in meaning_of(reading, "class")
    assert "overload (better to have: heavy, jump, slim, supershield); here" in meaning_of(reading, "abilities")
    assert "from 1 to 999 (more is better); here 4 to 16" in meaning_of(reading, "health")
    assert meaning_of(reading, "limits.max_weapons = 3", "rules.toml, line 243").endswith("from 1 to 9; from the file")
    assert meaning_of(reading, "255 rows") == (
        "where values come from: 52 stated by the rulebook, 13 inferred, 190 assumed"
    )


def test_a_rule_option_is_told_by_its_reading_and_whether_it_is_the_default(folder: Path) -> None:
    rules = folder / "rules.toml"
    rules.write_text(rules.read_text().replace('value = "345"', 'value = "le"'))
    reading = read(rules)
    assert (reading.kind, reading.summary) == ("rules file of warforged", "20 rule options and 37 constants")
    assert meaning_of(reading, "faces = 1-10").endswith("one tenth of it critical; the default")
    assert meaning_of(reading, "armour = le").startswith("WF-Q2: Each die that shows the armour value or less")
    assert meaning_of(reading, "armour = le").endswith("; set in the file (default: 345)")


def test_italian_headers_and_words_are_told_as_what_they_were_read_as(folder: Path) -> None:
    (folder / "units.csv").write_text(ITALIAN)
    reading = read(folder / "units.csv")
    assert (reading.kind, reading.summary) == ("table of warforged", "2 rows")
    assert {piece.where.partition(",")[0] for piece in reading.readings} == {"units.csv"}
    assert meaning_of(reading, "2 rows").endswith("decimals with a comma or a point")
    assert meaning_of(reading, "PG").startswith("cost_points: What the card costs.")
    assert "here 24, 1 cell not read." in meaning_of(reading, "PG")
    assert "here 4 to 6." in meaning_of(reading, "velocità")
    assert "here pesante is heavy, 1 blank." in meaning_of(reading, "abilità")
    assert meaning_of(reading, "meteo") == "not read: no column of this table"
    assert sorted((fault.row, fault.found) for fault in reading.faults) == [(1, "meteo"), (3, "molti")]


def test_a_workbook_is_told_by_sheet(tmp_path: Path) -> None:
    path = tmp_path / "cards.xlsx"
    export_workbook(load_catalogue(WARFORGED.spec, SHIPPED), path)
    reading, shipped = read(path), read(SHIPPED)
    assert (reading.kind, reading.summary, reading.faults) == ("workbook of warforged", shipped.summary, ())
    assert meaning_of(reading, "limits.max_weapons = 3", "sheet constants, row").endswith("; from the file")
    assert [piece.meaning for piece in reading.readings if ", column" in piece.where] == [
        piece.meaning for piece in shipped.readings if ", column" in piece.where
    ]
    assert meaning_of(reading, "255 rows", "sheet SOURCES") == meaning_of(shipped, "255 rows")


def test_what_is_broken_is_told_beside_what_could_be_read(folder: Path) -> None:
    (folder / "weapons.csv").unlink()
    rules = (folder / "rules.toml").read_text().replace("max_weapons = 3", "max_weapons = 30\nmax_wepons = 3")
    (folder / "rules.toml").write_text(rules)
    reading = read(folder)
    assert meaning_of(reading, "", "weapons.csv").endswith("not read (there is no such file)")
    assert meaning_of(reading, "limits.max_weapons = 30").endswith("from the file; not read (is out of range)")
    assert meaning_of(reading, "limits.max_wepons").startswith("not read: no rule has this name")
    assert len(reading.faults) == 3
    (folder / "rules.toml").write_text('rules_version = 1\n[switches.faces]\nvalue = "2-11"\nallowed = ["1-10"]\n')
    assert meaning_of(read(folder), "faces = 2-11") == "a rule option; set in the file (default: 1-10)"
    assert meaning_of(read(folder), "armour", "rules.toml") == "a rule option: missing, which is a fault"
    assert meaning_of(read(folder), "rules_version = 1").startswith("the version of the rules; not read (")
    (folder / "rules.toml").write_text("no toml")
    assert "not read (the file is not TOML" in meaning_of(read(folder), "", "rules.toml")


def test_what_is_no_catalogue_is_none(tmp_path: Path) -> None:
    (tmp_path / "units.png").write_bytes(b"\x89PNG")
    assert catalogue_reading(WARFORGED.spec, tmp_path) is None
    assert catalogue_reading(WARFORGED.spec, tmp_path / "units.png") is None
    assert catalogue_reading(WARFORGED.spec, tmp_path / "units.csv") is None
    (tmp_path / "cards.xlsx").write_text("no workbook")
    damaged = read(tmp_path / "cards.xlsx")
    assert (damaged.summary, len(damaged.faults)) == ("not readable", 1)


class Beast(Record):
    """A record with every kind of blank."""

    id: EntryId
    bite: Annotated[int | None, Field(ge=0, le=9), Header(("morso",), unit="health", marks=(("*", 9), ("-", None)))]
    size: Literal["small", "large"] = "small"
    speed: float = 1.5


def test_blanks_marks_defaults_and_columns_that_are_not_there_are_told() -> None:
    table = rows_of("id,morso,bite,size\nwolf,*,1,\nbear,3,1,large\ncat,,1,\n", Path("beasts.csv"), ["id", "bite"])
    assert list(column_readings(Beast, table, "beasts.csv"))[1:] == [
        Reading(
            "beasts.csv, column 2",
            "morso",
            "bite: A whole number from 0 to 9 or * or -, in health; here 3 to 9, * is 9, 1 blank. A blank is no value.",
        ),
        Reading("beasts.csv, column 3", "bite", "not read: a second column of bite"),
        Reading("beasts.csv, column 4", "size", "size: One of small, large; here 2 blanks. A blank is small."),
        Reading("beasts.csv, no column", "", "speed: each row has 1.5"),
    ]

"""What a designer gets wrong in a file, and what the file is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import CatalogueError, Fault
from balance.catalogue import check_folder, load_catalogue, load_table, unsourced_values
from balance.game.kit import RULE_IDS
from balance.games.warforged.cards import SPEC


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def only_fault(folder: Path) -> Fault:
    faults = check_folder(SPEC, folder)
    assert len(faults) == 1, faults
    return faults[0]


NEXUS = "nexus,Nexus,Cyborg,24,4,8,2,3,,2"


@pytest.mark.parametrize(
    ("cells", "field", "found", "allowed"),
    [
        ("nexus,Nexus,Cyborg,24,4,-8,2,3,,2", "health", "-8", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,1000000000,2,3,,2", "health", "1000000000", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,1e9,2,3,,2", "health", "1000000000", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,1e999,2,3,,2", "health", "1e999", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,NaN,2,3,,2", "health", "NaN", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,-inf,2,3,,2", "health", "-inf", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,7.5,2,3,,2", "health", "7.5", "a whole number from 1 to 999"),
        ('nexus,Nexus,Cyborg,24,4,"7,0",2,3,,2', "health", "7,0", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,1.000,2,3,,2", "health", "1.000", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,03-apr,2,3,,2", "health", "03-apr", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,#DIV/0!,2,3,,2", "health", "#DIV/0!", "a whole number from 1 to 999"),
        ("nexus,Nexus,Cyborg,24,4,,2,3,,2", "health", None, "a whole number from 1 to 999"),
        ("nexus,,Cyborg,24,4,8,2,3,,2", "name", None, "a text of 1 to 80 characters"),
        (
            "nexus,Nexus,Cyborg,24,4,8,2,3,slimm,2",
            "abilities",
            "slimm",
            "any of heavy, jump, slim, supershield, overload",
        ),
        ("+,Nexus,Cyborg,24,4,8,2,3,,2", "id", "+", "a text of 1 to 64 characters"),
    ],
)
def test_a_bad_cell_names_file_row_field_found_and_allowed(
    folder: Path, cells: str, field: str, found: str | None, allowed: str
) -> None:
    edit(folder / "units.csv", NEXUS, cells)
    fault = only_fault(folder)
    assert (fault.path, fault.row, fault.field) == (str(folder / "units.csv"), 2, field)
    assert (fault.found, fault.allowed) == (found, allowed)


@pytest.mark.parametrize("precision", ["0", "11"])
def test_precision_is_from_1_to_10(folder: Path, precision: str) -> None:
    edit(folder / "weapons.csv", "Assault Rifle,main,14,2,6,7", f"Assault Rifle,main,14,2,6,{precision}")
    fault = only_fault(folder)
    assert (fault.field, fault.found, fault.allowed) == ("precision", precision, "a whole number from 1 to 10")


def test_a_typo_in_a_list_names_the_nearest(folder: Path) -> None:
    edit(folder / "units.csv", "slim", "slmi")
    assert only_fault(folder).tip == "did you mean slim?"


def test_a_date_is_told_to_be_a_date(folder: Path) -> None:
    edit(folder / "units.csv", NEXUS, "nexus,Nexus,Cyborg,24,3-Apr,8,2,3,,2")
    assert "date" in only_fault(folder).message


def test_duplicate_id_names_the_first_row(folder: Path) -> None:
    edit(folder / "units.csv", "whisper,Whisper", "Nexus,Whisper")
    fault = only_fault(folder)
    assert (fault.row, fault.field, fault.found) == (3, "id", "nexus")
    assert "row 2" in fault.tip


def test_two_cards_of_one_name_are_a_fault(folder: Path) -> None:
    edit(folder / "units.csv", "whisper,Whisper", "whisper,Nexus")
    fault = only_fault(folder)
    assert (fault.row, fault.field, fault.found) == (3, "name", "Nexus")


def test_missing_column(folder: Path) -> None:
    lines = (folder / "units.csv").read_text(encoding="utf-8").splitlines()
    (folder / "units.csv").write_text("\n".join(line.rpartition(",")[0] for line in lines), encoding="utf-8")
    fault = only_fault(folder)
    assert (fault.row, fault.field, fault.message) == (1, "copies", "the column is missing")


def test_unknown_column_names_the_nearest(folder: Path) -> None:
    edit(folder / "units.csv", "armour,", "armuor,")
    unknown, missing = check_folder(SPEC, folder)
    assert (unknown.found, unknown.tip) == ("armuor", "did you mean armour?")
    assert missing.field == "armour"


def test_duplicate_column_even_under_another_name(folder: Path) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8").replace(",copies", ",copies,PG")
    (folder / "units.csv").write_text(text, encoding="utf-8")
    faults = check_folder(SPEC, folder)
    assert faults[0].found == "PG"
    assert faults[0].field == "cost_points"


@pytest.mark.parametrize("cells", ["nexus,Nexus,Cyborg,24", NEXUS + ",99"])
def test_a_ragged_row(folder: Path, cells: str) -> None:
    edit(folder / "units.csv", NEXUS, cells)
    assert only_fault(folder).row == 2


def test_an_open_quote_names_the_row_where_it_begins(folder: Path) -> None:
    edit(folder / "units.csv", "vanguard,Vanguard", 'vanguard,"Vanguard')
    assert only_fault(folder).row == 4


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["units.csv", "rules.toml", "SOURCES.csv"])
def test_an_empty_file(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    fault = only_fault(folder)
    assert (fault.path, fault.message) == (str(folder / name), "the file is empty")


def test_a_table_without_entries(folder: Path) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8")
    (folder / "units.csv").write_text(text.splitlines()[0], encoding="utf-8")
    assert "no entries" in only_fault(folder).message


def test_another_encoding_names_the_row(folder: Path) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8").replace("Trooper", "Truppe-Größe")
    (folder / "units.csv").write_bytes(text.encode("cp1252"))
    fault = only_fault(folder)
    assert fault.row == 7
    assert "UTF-8" in fault.message + fault.tip


def test_utf16_without_its_mark(folder: Path) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8")
    (folder / "units.csv").write_bytes(text.encode("utf-16-le"))
    assert "UTF-16" in only_fault(folder).message


def test_a_workbook_named_csv(folder: Path) -> None:
    (folder / "units.csv").write_bytes(b"PK\x03\x04rest")
    assert "workbook" in only_fault(folder).message


def test_a_missing_file_names_the_nearest(folder: Path) -> None:
    (folder / "units.csv").rename(folder / "unit.csv")
    assert only_fault(folder).tip == "is unit.csv meant?"


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    (folder / "units.csv").unlink()
    (folder / "units.csv").mkdir()
    assert "cannot be read" in only_fault(folder).message


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no such folder"):
        load_catalogue(SPEC, tmp_path / "nowhere")


def test_all_faults_of_all_files_at_once(folder: Path) -> None:
    edit(folder / "units.csv", NEXUS, "nexus,Nexus,Cyborg,x,4,-8,2,3,slmi,2")
    edit(folder / "weapons.csv", "Shotgun,main", "Shotgun,mein")
    edit(folder / "rules.toml", 'value = "345"', 'value = "346"')
    faults = check_folder(SPEC, folder)
    assert [(Path(fault.path).name, fault.field) for fault in faults] == [
        ("units.csv", "cost_points"),
        ("units.csv", "abilities"),
        ("units.csv", "health"),
        ("weapons.csv", "class"),
        ("rules.toml", "switches.armour.value"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "field", "tip"),
    [
        ('value = "345"', 'value = "34"', "switches.armour.value", "did you mean 345?"),
        ("[switches.faces]", "[switches.facs]", "switches.facs", "did you mean faces?"),
        ("max_weapons = 3", "max_weapon = 3", "constants.limits.max_weapon", "did you mean limits.max_weapons?"),
        ("max_weapons = 3", 'max_weapons = "3"', "constants.limits.max_weapons", ""),
        ("max_weapons = 3", "max_weapons = 0", "constants.limits.max_weapons", ""),
        ("keep_faces = [5, 6]", "keep_faces = [5, 7]", "constants.supershield.keep_faces", ""),
        ("low = 8", "low = 80", "constants.rounds", ""),
        ('allowed = ["345", "le"]', 'allowed = ["345"]', "switches.armour.allowed", ""),
        ('"le" = "Each', '"lee" = "Each', "switches.armour.readings", ""),
        ('rules_version = "1.0"', "rules_version = 1", "rules_version", 'such as rules_version = "1.0"'),
        ('level = "A"', 'level = "Z"', "switches.faces.level", ""),
    ],
)
def test_a_fault_in_the_rules_names_line_key_and_nearest(
    folder: Path, old: str, new: str, field: str, tip: str
) -> None:
    edit(folder / "rules.toml", old, new)
    faults = [fault for fault in check_folder(SPEC, folder) if fault.field == field]
    assert faults
    assert faults[0].path == str(folder / "rules.toml")
    assert faults[0].tip == tip
    lines = (folder / "rules.toml").read_text(encoding="utf-8").splitlines()
    assert faults[0].row is not None
    assert lines[faults[0].row - 1].split("=")[0].strip(' []"').split(".")[-1] in field


def test_toml_that_is_none(folder: Path) -> None:
    edit(folder / "rules.toml", "[switches.faces]", "[switches.faces")
    fault = only_fault(folder)
    assert fault.row == 6
    assert "TOML" in fault.message


@pytest.mark.parametrize(
    ("old", "new", "field", "found"),
    [
        ("units,nexus,health,assumed", "units,nexus,health,guessed", "status", "guessed"),
        ("units,nexus,health", "units,nexus,armour", "field", "units.nexus.armour"),
    ],
)
def test_a_source_that_cannot_be_read(folder: Path, old: str, new: str, field: str, found: str) -> None:
    edit(folder / "SOURCES.csv", old, new)
    fault = only_fault(folder)
    assert (Path(fault.path).name, fault.field, fault.found) == ("SOURCES.csv", field, found)


@pytest.mark.parametrize(
    ("old", "new", "field", "found", "near"),
    [
        ("units,nexus,health", "unit,nexus,health", "table", "unit", "units"),
        ("units,nexus,health", "units,nexsus,health", "id", "nexsus", "nexus"),
        ("units,nexus,health", "units,nexus,healht", "field", "healht", "health"),
    ],
)
def test_a_source_about_nothing_blocks_nothing(
    folder: Path, old: str, new: str, field: str, found: str, near: str
) -> None:
    sound = load_catalogue(SPEC, folder)
    edit(folder / "SOURCES.csv", old, new)
    assert check_folder(SPEC, folder) == []
    catalogue = load_catalogue(SPEC, folder)
    (fault,) = catalogue.dangling_sources
    assert (Path(fault.path).name, fault.field, fault.found) == ("SOURCES.csv", field, found)
    assert fault.tip == f"did you mean {near}?"
    (note,) = unsourced_values(catalogue)
    assert (note.field, "units nexus" in note.message) == ("health", True)
    assert catalogue.tables == sound.tables


def test_a_value_without_source_is_a_note_and_no_fault(folder: Path) -> None:
    lines = (folder / "SOURCES.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("units,nexus,health")]
    (folder / "SOURCES.csv").write_text("".join(kept), encoding="utf-8")
    assert check_folder(SPEC, folder) == []
    (note,) = unsourced_values(load_catalogue(SPEC, folder))
    assert (note.field, "units nexus" in note.message) == ("health", True)


def test_without_sources_every_value_is_of_unknown_origin(folder: Path) -> None:
    (folder / "SOURCES.csv").unlink()
    assert len(unsourced_values(load_catalogue(SPEC, folder))) == 10 * 9 + 12 * 9 + 20 + 37


def test_rule_ids_load(folder: Path) -> None:
    assert "WF-ATT.1" in load_table(RULE_IDS, folder)
    edit(folder / "rule_ids.csv", "WF-ATT.1,A", "WF-ATT.1,Q")
    with pytest.raises(CatalogueError, match="'Q' is not a known choice"):
        load_table(RULE_IDS, folder)

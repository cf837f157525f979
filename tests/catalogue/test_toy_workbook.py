"""A whole workbook, cell by cell, against `toy_workbook.txt`; and what a designer's changes to it are told."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart

from balance.base.errors import CatalogueError
from balance.catalogue import Catalogue, Column, export_workbook, exported_from, import_workbook, load_catalogue
from balance.catalogue.workbook import cells as reading_module
from balance.catalogue.workbook.cells import cell_text, check_parts, is_unread
from balance.catalogue.workbook.writer import _validation, stable_bytes

from .toy import GOLDEN, SPEC, Constants, Dice, Unit, shown, write

Edit = Callable[[Any], None]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return load_catalogue(SPEC, write(tmp_path_factory.mktemp("toy")))


@pytest.fixture(scope="module")
def book(toy: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_workbook(toy, str(tmp_path_factory.mktemp("book") / "toy.xlsx"))


def edited(book: Path, folder: Path, *changes: Edit) -> Path:
    """Return the path of the workbook as changed and saved."""
    opened = openpyxl.load_workbook(book)
    for change in changes:
        change(opened)
    opened.save(folder / "edited.xlsx")
    return folder / "edited.xlsx"


def put(sheet: str, **cells: object) -> Edit:
    def change(opened: Any) -> None:
        for name, value in cells.items():
            opened[sheet][name] = value

    return change


def refusal(path: Path) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        import_workbook(SPEC, path)
    return [str(fault).replace(f"{path.parent}/", "") for fault in caught.value.faults]


def test_the_workbook_is_the_published_one(book: Path) -> None:
    assert shown(book) == GOLDEN.read_text(encoding="utf-8"), "python -m tests.catalogue.toy writes it anew"


def test_the_workbook_reads_back_as_it_was(book: Path, toy: Catalogue) -> None:
    again = import_workbook(SPEC, str(book))
    assert again == toy and again.sha256 == toy.sha256 == exported_from(book)
    assert again.path == book
    assert (again.content, again.rules, again.rule_options) == (toy.content, toy.rules, toy.rule_options)


def test_every_time_in_the_file_is_fixed(book: Path) -> None:
    with zipfile.ZipFile(book) as parts:
        assert {(part.date_time, part.compress_type) for part in parts.infolist()} == {
            ((2000, 1, 1, 0, 0, 0), zipfile.ZIP_DEFLATED)
        }
        core = parts.read("docProps/core.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2
    opened = openpyxl.Workbook()
    opened.properties.modified = datetime(2020, 5, 5)
    assert zipfile.is_zipfile(io.BytesIO(stable_bytes(opened)))


CHOICES = tuple(f"{number:04}" for number in range(50))  # 249 characters with their commas


@pytest.mark.parametrize(
    ("column", "check"),
    [
        (Column("a", "a", "integer", low=1, high=9), ("whole", "between", "1", "9")),
        (Column("a", "a", "number", low=0, high=0.5), ("decimal", "between", "0", "0.5")),
        (Column("a", "a", "integer", low=1), None),
        (Column("a", "a", "integer", high=9), None),
        (Column("a", "a", "integer", is_list=True, low=1, high=9), None),
        (Column("a", "a", "text", low=1, high=9), None),
        (Column("a", "a", "id"), None),
        (Column("a", "a", "flag"), ("list", None, '"true,false"', None)),
        (Column("a", "a", "choice", choices=("x", "y")), ("list", None, '"x,y"', None)),
        (Column("a", "a", "choice", choices=CHOICES), ("list", None, f'"{",".join(CHOICES)}"', None)),
        (Column("a", "a", "choice", choices=(*CHOICES[:-1], "00049")), None),
    ],
)
def test_a_spreadsheet_checks_what_it_can(
    column: Column, check: tuple[str, str | None, str, str | None] | None
) -> None:
    found = _validation(column)
    assert (found and (found.type, found.operator, found.formula1, found.formula2)) == check
    if check:
        assert (found.allow_blank, found.showErrorMessage, found.errorTitle) == (True, True, "a")
        assert found.error == f"Allowed: {column.allowed}"


def test_a_saved_change_is_read_however_a_spreadsheet_types_it(book: Path, tmp_path: Path) -> None:
    path = edited(
        book,
        tmp_path,
        put("units", D2=13.0, F2=0.125, F3="0,75", H2=False, E3="Bow", D3="*", A4=None, B5=" "),
        put("rules", B2="1-10", B3=False),
        put("constants", B2="2.0", B3="9", B4=3.5, B5=12.0, B6=6),
    )
    changed = import_workbook(SPEC, path)
    units = changed.entries(Unit)
    assert units["long_rider"] == Unit(
        id="long_rider", name="Long Rider", kind="horse", move=13, skills=("long_bow", "web"), share=0.125, brave=False
    )
    assert (units["guard"].move, units["guard"].skills, units["guard"].share) == (99, ("bow",), 0.75)
    assert changed.rules.model_dump() == {"faces": "1-10", "friendly": False}
    assert changed.constants == Constants(rounds=9, motto="3,5", dice=Dice(faces=12, keep=(6,)))
    assert changed.rules_version == "2.0"


@pytest.mark.parametrize(("value", "motto"), [(7.0, "7"), (-2.5, "-2,5"), (True, "true"), (12345678.25, "12345678,25")])
def test_a_number_in_place_of_a_text_is_what_the_spreadsheet_shows(
    value: object, motto: str, book: Path, tmp_path: Path
) -> None:
    changed = import_workbook(SPEC, edited(book, tmp_path, put("constants", B4=value)))
    assert changed.constants.model_dump()["motto"] == motto


def test_a_whole_number_has_no_point_while_it_is_exact() -> None:
    texts = {
        -7.0: "-7",
        999_999_999_999_999.0: "999999999999999",
        1e15: "1000000000000000,0",
        -1e15: "-1000000000000000,0",
    }
    assert {value: cell_text(value) for value in texts} == texts


DATE = "format the cell as text, then type the value again"
RESULT = "save the workbook in a spreadsheet program, or type the value"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            [put("units", D3=datetime(2026, 4, 3), E2=time(12, 30), G3=timedelta(hours=30))],
            [
                f"units, row 2, E2: holds a date (12:30:00); {DATE}",
                f"units, row 3, D3: holds a date (2026-04-03 00:00:00); {DATE}",
                f"units, row 3, G3: holds a date (1 day, 6:00:00); {DATE}",
                "units, row 2, skills: '12:30:00' looks like a date made by a spreadsheet; "
                "allowed: any of bow, web, long_bow; format the column as text, then type the value again",
                "units, row 3, move: '2026-04-03 00:00:00' looks like a date made by a spreadsheet; "
                "allowed: a whole number from 0 to 99 or *; format the column as text, then type the value again",
                "units, row 3, limit: '1 day, 6:00:00' is not a number; allowed: a whole number of at least 1; "
                "write decimals with a point here, and thousands without a separator",
            ],
        ),
        (
            [put("units", D3="=1+1")],
            [
                f"units, row 3, D3: holds a formula without a saved result; {RESULT}",
                "units, row 3, move: is empty; allowed: a whole number from 0 to 99 or *",
            ],
        ),
        (
            [put("units", D3=100)],
            ["units, row 3, move: '100' is out of range; allowed: a whole number from 0 to 99 or *"],
        ),
        (
            [put("rules", B2="x", A3="frindly", E2="Q")],
            [
                "readings, row 4, switch: 'friendly' is unknown; allowed: faces, frindly; did you mean frindly?",
                "readings, row 5, switch: 'friendly' is unknown; allowed: faces, frindly; did you mean frindly?",
                "rules, row 3, switches.frindly: 'frindly' is unknown; allowed: faces, friendly; "
                "did you mean friendly?",
                "rules, row 2, switches.faces.level: Input should be 'A', 'B', 'C' or 'D'; "
                "allowed: value, allowed, ambiguity, level, meaning, readings",
                "edited.xlsx, switches.friendly: the switch is missing; allowed: true or false",
            ],
        ),
        (
            [put("rules", A3="faces")],
            [
                "rules, row 3, switch: 'faces' is a second row of this switch",
                "readings, row 4, switch: 'friendly' is unknown; allowed: faces",
                "readings, row 5, switch: 'friendly' is unknown; allowed: faces",
                "rules, row 3, switches.faces.allowed: 'false; true' are not the readings this switch has; "
                "allowed: 1-10, 0-9",
                "rules, row 3, switches.faces.value: 'true' is not a known choice; allowed: 1-10, 0-9",
                "edited.xlsx, switches.friendly: the switch is missing; allowed: true or false",
            ],
        ),
        (
            [put("readings", B3="0-8")],
            ["rules, row 2, switches.faces.readings: '1-10; 0-8' need one sentence per reading; allowed: 1-10, 0-9"],
        ),
        (
            [put("constants", A5="dice.face", B3="many", B6="5;x", B2=None)],
            [
                "constants, row 3, rounds: 'many' is not a number; allowed: a whole number of at least 1",
                "constants, row 5, name: 'dice.face' is unknown; allowed: rounds, motto, dice.faces, dice.keep; "
                "did you mean dice.faces?",
                "constants, row 6, dice.keep: 'x' is not a number; allowed: a list, each a whole number from 1 to 6",
                'constants, row 2, rules_version: must be one line of text; such as rules_version = "1.0"',
                "edited.xlsx, constants.rounds: is missing; allowed: a whole number of at least 1",
                "edited.xlsx, constants.dice: is missing",
            ],
        ),
        (
            [put("constants", B3=0, B6="7", B4=None)],
            [
                "constants, row 4, motto: is empty; allowed: a text",
                "constants, row 3, constants.rounds: '0' is out of range; allowed: a whole number of at least 1",
                "edited.xlsx, constants.motto: is missing; allowed: a text",
                "constants, row 6, constants.dice.keep: '7' is out of range; "
                "allowed: a list, each a whole number from 1 to 6",
            ],
        ),
        (
            [put("constants", A3="rounds", A4="rounds"), put("SOURCES", A2="unit")],
            [
                "constants, row 4, rounds: '=1+1 is \"2\"' is not a number; allowed: a whole number of at least 1",
                "edited.xlsx, constants.motto: is missing; allowed: a text",
            ],
        ),
    ],
)
def test_a_change_that_is_wrong_names_sheet_and_row(
    changes: list[Edit], expected: list[str], book: Path, tmp_path: Path
) -> None:
    assert refusal(edited(book, tmp_path, *changes)) == [
        line if line.startswith("edited") else f"edited.xlsx, sheet {line}" for line in expected
    ]


def test_sheets_that_are_missing_empty_charts_or_called_otherwise(book: Path, tmp_path: Path) -> None:
    def change(opened: Any) -> None:
        opened["units"].title = "Unit"
        opened["SOURCES"].title = "sources"
        del opened["constants"]
        del opened["rules"]
        opened.create_chartsheet("Rules ").add_chart(BarChart())
        opened["readings"].delete_rows(1, 20)

    assert refusal(edited(book, tmp_path, change)) == [
        "edited.xlsx, units: the sheet is missing; is the sheet Unit meant?",
        "edited.xlsx, sheet: 'Rules ' is a chart, not a table",
        "edited.xlsx, sheet readings: the sheet is empty",
        "edited.xlsx, constants: the sheet is missing",
    ]


def test_a_workbook_needs_no_sources_and_its_sheets_may_be_called_as_people_write(book: Path, tmp_path: Path) -> None:
    def change(opened: Any) -> None:
        del opened["SOURCES"]
        opened["units"].title = "Units!"

    changed = import_workbook(SPEC, edited(book, tmp_path, change))
    assert (list(changed.tables["units"]), changed.sources) == (["long_rider", "guard"], ())


def test_sources_of_an_entry_that_is_renamed_follow_it_and_it_is_said(
    book: Path, toy: Catalogue, tmp_path: Path
) -> None:
    path, notes = edited(book, tmp_path, put("units", A3="old_guard")), list[str]()
    changed = import_workbook(SPEC, path, toy.tables, notes)
    assert notes == ["units: guard is now old_guard, and its 2 sources moved with it"]
    assert [source.id for source in changed.sources] == ["old_guard", "old_guard", "faces", "dice.faces"]
    notes.clear()
    assert [source.id for source in import_workbook(SPEC, path, None, notes).sources] == ["faces", "dice.faces"]
    assert [note.replace(f"{tmp_path}/", "") for note in notes] == [
        "edited.xlsx, sheet SOURCES, row 2, id: 'guard' is not in this catalogue; allowed: long_rider, old_guard; "
        "did you mean old_guard?; 2 rows name it: delete them if the entry is gone, or write its new id in them"
    ]


LARGE = "the sheet is far too large; delete the empty rows and columns at its end"


@pytest.mark.parametrize(
    ("limit", "most", "sheets"),
    [
        ("MOST_ROWS", 6, []),
        ("MOST_ROWS", 5, ["constants"]),
        ("MOST_ROWS", 4, ["readings", "constants", "SOURCES"]),
        ("MOST_ROWS", 3, ["readings", "constants", "SOURCES"]),
        ("MOST_ROWS", 2, ["units", "rules", "readings", "constants", "SOURCES"]),
        ("MOST_CELLS", 25, []),
        ("MOST_CELLS", 24, ["SOURCES"]),
        ("MOST_CELLS", 23, ["units", "constants", "SOURCES"]),
        ("MOST_CELLS", 17, ["units", "rules", "constants", "SOURCES"]),
    ],
)
def test_a_sheet_may_have_as_many_rows_and_cells_as_the_limit_and_no_more(
    limit: str, most: int, sheets: list[str], book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and columns: units 3 x 8, rules 3 x 6, readings 5 x 3, constants 6 x 4, SOURCES 5 x 5."""
    monkeypatch.setattr(reading_module, limit, most)
    if not sheets:
        import_workbook(SPEC, book)
        return
    assert refusal(book) == [f"toy.xlsx, sheet {name}: {LARGE}" for name in sheets]


def test_a_lone_cell_far_to_the_right_makes_every_row_as_wide(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = edited(book, tmp_path, put("readings", Z6=1))
    monkeypatch.setattr(reading_module, "MOST_CELLS", 6 * 26)
    assert refusal(path) == [
        "edited.xlsx, sheet readings, row 6: '1' stands under no header; "
        "put quotation marks around a text that holds the separator"
    ]
    monkeypatch.setattr(reading_module, "MOST_CELLS", 6 * 26 - 1)
    assert refusal(path) == [f"edited.xlsx, sheet readings: {LARGE}"]


def test_a_row_far_below_makes_the_sheet_too_large_only_beyond_the_last_one(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_module, "MOST_ROWS", 30)
    far = {"A30": "old", "B30": "Old", "C30": "foot", "D30": 1}
    assert list(import_workbook(SPEC, edited(book, tmp_path, put("units", **far))).tables["units"])[2] == "old"
    further = {name.replace("30", "31"): value for name, value in far.items()}
    assert refusal(edited(book, tmp_path, put("units", **further))) == [f"edited.xlsx, sheet units: {LARGE}"]


def test_of_a_sheet_full_of_dates_the_first_thousand_are_told(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_module, "MOST_FAULTS", 2)
    three = put("readings", A2=date(2026, 1, 1), A3=date(2026, 1, 2), A4=date(2026, 1, 3))
    lines = refusal(edited(book, tmp_path, three))
    assert lines == [
        f"edited.xlsx, sheet readings, row {row}, A{row}: holds a date (2026-01-0{row - 1} 00:00:00); {DATE}"
        for row in (2, 3, 4)
    ] + [f"edited.xlsx, sheet readings: {LARGE}"]
    two = refusal(edited(book, tmp_path, put("readings", A2=date(2026, 1, 1), A3=date(2026, 1, 2))))
    assert f"edited.xlsx, sheet readings: {LARGE}" not in two


def test_a_file_that_is_no_workbook(tmp_path: Path, book: Path) -> None:
    damaged = "save it in a spreadsheet program as Excel workbook (.xlsx)"
    none = "the file is not an .xlsx workbook, or is damaged"
    path = tmp_path / "x.xlsx"
    assert refusal(path) == ["x.xlsx: there is no such file"]
    path.write_bytes(b"id;name\n")
    assert refusal(path) == [f"x.xlsx: {none}; {damaged}"]
    path.write_bytes(book.read_bytes()[:-200])
    assert refusal(path) == [f"x.xlsx: {none}; {damaged}"]
    path.unlink()
    path.mkdir()
    assert refusal(path) == ["x.xlsx: the file cannot be read (Is a directory)"]
    with (tmp_path / "large.xlsx").open("wb") as file:
        file.truncate(2**24 + 1)
    assert refusal(tmp_path / "large.xlsx") == ["large.xlsx: the file cannot be read (it is larger than 16 MB)"]


def repacked(book: Path, path: Path, change: Callable[[str, bytes], bytes], extra: int = 0) -> Path:
    """Return a workbook whose parts are changed, and has some more."""
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, change(name, source.read(name)))
        for number in range(extra):
            target.writestr(f"more/{number}", b"")
    return path


def test_a_sheet_that_is_damaged_is_told_by_its_name(book: Path, tmp_path: Path) -> None:
    broken = repacked(
        book, tmp_path / "x.xlsx", lambda name, data: data.replace(b"</row>", b"</rov>", "sheet2.xml" in name)
    )
    assert refusal(broken) == [
        "x.xlsx, sheet units: the file is not an .xlsx workbook, or is damaged; "
        "save it in a spreadsheet program as Excel workbook (.xlsx)"
    ]


def test_a_sheet_in_the_place_of_a_picture_is_damage(book: Path, tmp_path: Path) -> None:
    """What is not looked into for its size is not read as a sheet either."""

    def change(name: str, data: bytes) -> bytes:
        return data.replace(b"worksheets/sheet2.xml", b"media/sheet2.xml")

    with zipfile.ZipFile(book) as parts:
        sheet = parts.read("xl/worksheets/sheet2.xml")
    path = repacked(book, tmp_path / "x.xlsx", change)
    with zipfile.ZipFile(path, "a") as more:
        more.writestr("xl/media/sheet2.xml", sheet)
    assert refusal(path) == [
        "x.xlsx: the file is not an .xlsx workbook, or is damaged; "
        "save it in a spreadsheet program as Excel workbook (.xlsx)"
    ]


@pytest.mark.parametrize(
    ("name", "unread"),
    [
        ("xl/comments/comment12.xml", True),
        ("xl/comments1.xml", True),
        ("xl/comments.xml", True),
        ("xl/drawings/a.vml", True),
        ("xl/DRAWINGS/drawing1.xml", True),
        ("xl/media/picture.png", True),
        ("xl/theme/theme1.xml", True),
        ("xl/printerSettings/printerSettings1.bin", True),
        ("xl/worksheets/sheet1.xml", False),
        ("xl/sharedStrings.xml", False),
        ("xl/comments1.xml.bak", False),
    ],
)
def test_parts_that_are_never_looked_into(name: str, unread: bool) -> None:
    assert is_unread(name) is unread


TAIL = "delete empty rows and columns and what is no table, or save each sheet that is meant as CSV"
XML = (
    b'<a><row r="1"><c r="A1"><v>1</v></c><c><f>A1</f><v x="1">2</v></c><c r="C"><f x="1"/><f/></c></row>'
    b'<si><t>x</t></si><si><t x="1">y</t></si><is><t/></is><mergeCell/><xf></xf></a>'
)


def packed(*parts: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return target.getvalue()


@pytest.mark.parametrize(
    ("limit", "held", "line"),
    [
        ("MOST_PARTS", 2, "the workbook has more than 1 parts"),
        ("MOST_WORKBOOK_CELLS", 12, "the workbook has more than 5 cells"),
        ("MOST_TEXTS", 4, "the workbook has more than 3 texts"),
        ("MOST_OTHER_TAGS", 6, "the workbook has more than 5 styles, merged cells and the like"),
    ],
)
def test_a_workbook_may_hold_as_much_as_its_limit_and_no_more(
    limit: str, held: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = packed(("xl/a.xml", XML), ("xl/b.xml", XML))
    monkeypatch.setattr(reading_module, limit, held)
    check_parts(data, Path("x.xlsx"))
    monkeypatch.setattr(reading_module, limit, held - 1)
    with pytest.raises(CatalogueError) as caught:
        check_parts(data, Path("x.xlsx"))
    assert str(caught.value) == f"x.xlsx: {line}; {TAIL}"


def test_a_workbook_may_unpack_to_its_limit_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(("xl/a.bin", b"x" * 2**20), ("xl/media/b.bin", b"x" * 2**20))
    monkeypatch.setattr(reading_module, "MOST_UNPACKED_BYTES", 2**21)
    check_parts(data, Path("x.xlsx"))
    monkeypatch.setattr(reading_module, "MOST_UNPACKED_BYTES", 2**21 - 1)
    with pytest.raises(CatalogueError) as caught:
        check_parts(data, Path("x.xlsx"))
    assert str(caught.value) == f"x.xlsx: the workbook has more than 1 MB, unpacked; {TAIL}"


def test_limits_are_told_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, part, what in (
        ("MOST_WORKBOOK_CELLS", b"<c>" * 1235, "1,234 cells"),
        ("MOST_TEXTS", b"<si>" * 1235, "1,234 texts"),
        ("MOST_OTHER_TAGS", b"<x>" * 1235, "1,234 styles, merged cells and the like"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(reading_module, limit, 1234)
            with pytest.raises(CatalogueError) as caught:
                check_parts(packed(("a.xml", part)), Path("x.xlsx"))
            assert str(caught.value) == f"x.xlsx: the workbook has more than {what}; {TAIL}"
    with monkeypatch.context() as patched:
        patched.setattr(reading_module, "MOST_PARTS", 1234)
        with pytest.raises(CatalogueError) as caught:
            check_parts(b"PK\x01\x02" * 1235, Path("x.xlsx"))
        assert str(caught.value) == f"x.xlsx: the workbook has more than 1,234 parts; {TAIL}"


@pytest.mark.parametrize("found", [b"<!DOCTYPE a>", b"<!ENTITY a>"])
def test_definitions_are_refused_where_they_are_read_alone(found: bytes) -> None:
    with pytest.raises(CatalogueError) as caught:
        check_parts(packed(("a.xml", found)), Path("x.xlsx"))
    assert str(caught.value) == "x.xlsx: holds definitions that no workbook has"
    check_parts(packed(("xl/media/a.xml", found)), Path("x.xlsx"))


def test_what_is_no_zip_or_a_damaged_one_is_left_to_the_reader() -> None:
    whole = packed(("a.xml", XML * 100))
    for data in (b"", b"PK\x03\x04", whole[:-10], whole[:40] + b"\0" * 20 + whole[60:]):
        check_parts(data, Path("x.xlsx"))


@pytest.mark.parametrize(
    "part",
    [
        '<?xml version="1.0" encoding="UTF-16"?><a/>'.encode("utf-16"),
        "<a/>".encode("utf-16-le"),
        '<?xml version="1.0"?><a/>'.encode("utf-16-be"),
        b'<?xml version="1.0" encoding="cp037"?><a/>',
    ],
)
def test_a_part_whose_tags_cannot_be_counted_is_refused(part: bytes) -> None:
    with pytest.raises(CatalogueError, match=r"x\.xlsx: 'xl/a\.xml' holds a part that is not UTF-8; save it again"):
        check_parts(packed(("xl/a.xml", part)), Path("x.xlsx"))
    check_parts(packed(("xl/a.xml", b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?><a/>')), Path("x.xlsx"))


def test_formulas_count_the_cells_twice_since_they_are_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_module, "MOST_WORKBOOK_CELLS", 11)
    for formula in (b"<f>1</f>", b'<f t="shared"/>', b"<f/>", b"<x:f>1</x:f>"):
        assert check_parts(packed(("a.xml", b"<c>" * 5 + formula)), Path("x.xlsx"))
        with pytest.raises(CatalogueError, match="more than 5 cells"):
            check_parts(packed(("a.xml", b"<c>" * 6 + formula)), Path("x.xlsx"))
    assert not check_parts(packed(("a.xml", b"<c>" * 11 + b"<font/>")), Path("x.xlsx"))
    with pytest.raises(CatalogueError, match="more than 11 cells"):
        check_parts(packed(("a.xml", b"<c>" * 12)), Path("x.xlsx"))


def test_which_catalogue_a_workbook_was_exported_from(book: Path, toy: Catalogue, tmp_path: Path) -> None:
    assert exported_from(str(book)) == toy.sha256
    assert exported_from(edited(book, tmp_path, put("units", D2=4))) == toy.sha256
    assert exported_from(tmp_path / "none.xlsx") == ""
    (tmp_path / "text.xlsx").write_text("text")
    assert exported_from(tmp_path / "text.xlsx") == ""
    opened = openpyxl.load_workbook(book)
    opened.custom_doc_props = type(opened.custom_doc_props)()
    opened.save(tmp_path / "plain.xlsx")
    assert exported_from(tmp_path / "plain.xlsx") == ""
    short = repacked(book, tmp_path / "short.xlsx", lambda name, data: data.replace(toy.sha256.encode(), b"abc"))
    assert exported_from(short) == ""
    far = repacked(
        book, tmp_path / "far.xlsx", lambda name, data: b" " * 2**20 + data if name == "docProps/custom.xml" else data
    )
    assert exported_from(far) == ""
    with zipfile.ZipFile(book) as parts:
        told = parts.read("docProps/custom.xml")
    end = told.index(toy.sha256.encode()) + 65
    for extra in (0, 1):
        padded = b" " * (2**20 - end + extra) + told
        near = repacked(book, tmp_path / "near.xlsx", lambda _, data, padded=padded: padded if data == told else data)  # type: ignore[misc]
        assert exported_from(near) == ("" if extra else toy.sha256)


def test_a_workbook_that_has_no_sources_is_written_too(toy: Catalogue, tmp_path: Path) -> None:
    bare = dataclasses.replace(toy, sources=())
    path = export_workbook(bare, tmp_path / "deep" / "bare.xlsx")
    assert path == tmp_path / "deep" / "bare.xlsx"
    assert import_workbook(SPEC, path) == bare

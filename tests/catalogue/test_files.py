"""From bytes to rows: what a text file may be, and the one line that refuses another."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.base.files import SWITCH
from balance.catalogue.tables import files as module
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.files import read_rows, read_text

KNOWN = {"id", "name", "cost"}


def refusal(path: Path, most: int = 1000) -> str:
    with pytest.raises(CatalogueError) as caught:
        read_rows(path, KNOWN) if path.suffix == ".csv" else read_text(path, most)
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfd\xc3\xa9;1\n",
        "dé;1\n".encode(),
        codecs.BOM_UTF16_LE + "dé;1\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "dé;1\n".encode("utf-16-be"),
    ],
)
def test_text_is_read_in_each_encoding(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    assert read_text(tmp_path / "a.txt") == "dé;1\n"
    assert read_text(tmp_path / "a.txt", len(data)) == "dé;1\n"


UTF8 = "save it as 'CSV UTF-8', or export the workbook with balance export"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "a.txt: the file is empty"),
        (b" \n\t\n", "a.txt: the file is empty"),
        (b"PK\x03\x04", "a.txt: this is a workbook, not a text file; read it with balance import"),
        (
            b"a\nb\nGr\xf6\xdfe\n",
            "a.txt, row 3: the text is not UTF-8 (perhaps Windows-1252); "
            f"allowed: UTF-8, or UTF-16 with its mark; {UTF8}",
        ),
        (
            b"\xf6",
            "a.txt, row 1: the text is not UTF-8 (perhaps Windows-1252); "
            f"allowed: UTF-8, or UTF-16 with its mark; {UTF8}",
        ),
        (
            b"\xef\xbb\xbfa\n\xff",
            "a.txt, row 2: the text is not UTF-8 (perhaps Windows-1252); "
            f"allowed: UTF-8, or UTF-16 with its mark; {UTF8}",
        ),
        (
            codecs.BOM_UTF16_LE + b"a",
            "a.txt, row 1: the text is not UTF-16 (perhaps Windows-1252); "
            f"allowed: UTF-8, or UTF-16 with its mark; {UTF8}",
        ),
        (b"a\nb\0", "a.txt, row 2: this is not a text file, or it is UTF-16 without its mark; save it as 'CSV UTF-8'"),
        (b"\0", "a.txt, row 1: this is not a text file, or it is UTF-16 without its mark; save it as 'CSV UTF-8'"),
        (b"x" * 1001, "a.txt: the file cannot be read (it is larger than 1000 bytes)"),
    ],
)
def test_another_file_is_refused_with_its_row_and_a_tip(data: bytes, line: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    assert refusal(tmp_path / "a.txt") == line


def test_a_file_that_is_not_there_may_be_another(tmp_path: Path) -> None:
    assert refusal(tmp_path / "units.csv") == "units.csv: there is no such file"
    (tmp_path / "unit.csv").touch()
    assert refusal(tmp_path / "units.csv") == "units.csv: there is no such file; is unit.csv meant?"
    assert refusal(tmp_path / "none" / "units.csv") == "units.csv: there is no such file"
    (tmp_path / "folder.csv").mkdir()
    assert refusal(tmp_path / "folder.csv") == "folder.csv: the file cannot be read (Is a directory)"
    with pytest.raises(CatalogueError) as caught:
        read_text(tmp_path / "a\0b")
    assert str(caught.value) == f"{tmp_path}/a\0b: the file cannot be read (embedded null byte)"


def test_a_set_that_was_switched_to_is_read_before_its_files_are_moved(tmp_path: Path) -> None:
    (tmp_path / SWITCH).mkdir()
    (tmp_path / "units.csv").write_text("old")
    (tmp_path / SWITCH / "units.csv").write_text("new")
    assert read_text(tmp_path / "units.csv") == "new"


@pytest.mark.parametrize(
    ("text", "rows", "comma"),
    [
        ("id,name\na,A\n", [(1, ("id", "name")), (2, ("a", "A"))], False),
        ("id;name\na;A,B\n", [(1, ("id", "name")), (2, ("a", "A,B"))], True),
        ("id\tname\na\tA\n", [(1, ("id", "name")), (2, ("a", "A"))], True),
        (
            "\n,,\n id , name \r\n\r\n a,A\r,\rb,'=B",
            [(3, (" id ", " name ")), (5, (" a", "A")), (7, ("b", "=B"))],
            False,
        ),
        ('id,name\n"a","A\nB ""C"""\nb,B', [(1, ("id", "name")), (2, ("a", 'A\nB "C"')), (4, ("b", "B"))], False),
        ("sep=;\nid;name\na;A\n", [(2, ("id", "name")), (3, ("a", "A"))], True),
        ("SEP=,\nid,name\n", [(2, ("id", "name"))], False),
        ("sep=\t\nid\tname\n", [(2, ("id", "name"))], True),
        ("sep=|,id\n1,2\n", [(1, ("sep=|", "id")), (2, ("1", "2"))], False),
        ('"id";"name, old"\na;"1,2"\n', [(1, ("id", "name, old")), (2, ("a", "1,2"))], True),
        ("id\na\n", [(1, ("id",)), (2, ("a",))], False),
        ("x;y,z,w\n1;2,3,4\n", [(1, ("x;y", "z", "w")), (2, ("1;2", "3", "4"))], False),
        ("id;x,y,z\n", [(1, ("id", "x,y,z"))], True),
    ],
)
def test_rows_are_split_by_the_separator_under_which_most_headers_are_known(
    text: str, rows: list[tuple[int, tuple[str, ...]]], comma: bool, tmp_path: Path
) -> None:
    path = tmp_path / "units.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert read_rows(path, KNOWN) == RawTable(str(path), tuple(rows), comma)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            'id,name\na,A\nb,"B\nc,C\n',
            "units.csv, row 3: the row cannot be split into cells (unexpected end of data); "
            "check the quotation marks in this row",
        ),
        (
            'id,name\n"a"b,A\n',
            "units.csv, row 2: the row cannot be split into cells (',' expected after '\"'); "
            "check the quotation marks in this row",
        ),
        (
            '"id,name\n',
            "units.csv, row 1: the row cannot be split into cells (unexpected end of data); "
            "check the quotation marks in this row",
        ),
        (",,\n;\n", None),
        ("sep=;\n", "units.csv: the file is empty"),
        ("sep=;\n;;\n", "units.csv: the file is empty"),
        (",,,\n,,\n", "units.csv: the file is empty"),
    ],
)
def test_rows_that_cannot_be_split_are_told_by_where_they_begin(text: str, line: str | None, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_text(text, encoding="utf-8", newline="")
    if line is None:
        assert read_rows(path, KNOWN).rows == ((2, (";",)),)
    else:
        assert refusal(path) == line


def test_a_table_of_too_many_cells_is_refused_before_it_is_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "units.csv"
    path.write_text("id,name\na,A\nb,B\n", encoding="utf-8")
    monkeypatch.setattr(module, "MOST_CELLS", 6)
    assert len(read_rows(path, KNOWN).rows) == 3
    monkeypatch.setattr(module, "MOST_CELLS", 5)
    assert refusal(path) == "units.csv: the table has more than 5 cells; delete the empty rows and columns at its end"


def test_the_limit_of_cells_is_told_as_people_write_it(tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_bytes(b"id,name\n" + b"," * 2_500_000)
    assert refusal(path).startswith("units.csv: the table has more than 2,500,000 cells; ")


def test_a_table_may_have_32_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def watched(folder: Path, name: str, most: int) -> bytes:
        asked.append(most)
        return b"id\n"

    monkeypatch.setattr(module, "read_current", watched)
    read_text(tmp_path / "a")
    read_rows(tmp_path / "a", KNOWN)
    assert asked == [2**25, 2**25]

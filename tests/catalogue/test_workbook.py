"""One workbook and back: identity when untouched, faults by sheet and row when not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from balance.base.errors import CatalogueError, Fault, OutputError
from balance.catalogue import Catalogue, check_folder, export_workbook, import_workbook, write_folder
from balance.catalogue.writer import folder_files
from balance.games.warforged.cards import SPEC

from .conftest import DATA

EditBook = Callable[[Callable[[Any], None]], list[Fault]]


@pytest.fixture(scope="module")
def book(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_workbook(catalogue, tmp_path_factory.mktemp("book") / "warforged.xlsx")


@pytest.fixture
def faults_after(book: Path, tmp_path: Path) -> EditBook:
    def edit(change: Callable[[Any], None]) -> list[Fault]:
        opened = openpyxl.load_workbook(book)
        change(opened)
        opened.save(tmp_path / "edited.xlsx")
        with pytest.raises(CatalogueError) as error:
            import_workbook(SPEC, tmp_path / "edited.xlsx")
        return list(error.value.faults)

    return edit


def test_round_trip_is_the_identity(catalogue: Catalogue, book: Path) -> None:
    again = import_workbook(SPEC, book)
    assert again == catalogue
    assert again.sha256 == catalogue.sha256


def test_the_shipped_files_are_what_the_writer_writes(catalogue: Catalogue) -> None:
    for name, text in folder_files(catalogue).items():
        assert (DATA / name).read_text(encoding="utf-8") == text, name


def test_the_same_catalogue_gives_the_same_bytes(catalogue: Catalogue, book: Path, tmp_path: Path) -> None:
    assert export_workbook(catalogue, tmp_path / "other.xlsx").read_bytes() == book.read_bytes()


def test_headers_are_bold_frozen_and_explained(book: Path) -> None:
    sheet = openpyxl.load_workbook(book)["weapons"]
    assert sheet.freeze_panes == "A2"
    assert all(cell.font.bold for cell in sheet[1])
    notes = {cell.value: cell.comment.text for cell in sheet[1]}
    assert "from 1 to 10" in notes["precision"]
    assert "cells" in notes["range_cells"]
    assert [check.formula1 for check in sheet.data_validations.dataValidation if check.type == "list"] == [
        '"main,secondary,heavy"'
    ]
    assert sheet["F2"].comment.text == "assumed: placeholder catalogue"


def test_a_saved_change_is_read(book: Path, tmp_path: Path) -> None:
    opened = openpyxl.load_workbook(book)
    opened["units"]["F2"] = 9.0
    opened["rules"]["B2"] = "0-9"
    opened["constants"]["B4"] = 8
    opened.save(tmp_path / "edited.xlsx")
    changed = import_workbook(SPEC, tmp_path / "edited.xlsx")
    assert changed.tables["units"]["nexus"].model_dump()["health"] == 9
    assert changed.rules.model_dump()["faces"] == "0-9"
    assert changed.constants.model_dump()["dice"]["special_faces"] == 8


@pytest.mark.parametrize("name", ["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "_x0041_", "<b>&amp;", 'O\'Neil "x"'])
def test_a_hostile_name_stays_text(catalogue: Catalogue, tmp_path: Path, name: str) -> None:
    units = dict(catalogue.tables["units"])
    units["nexus"] = units["nexus"].model_copy(update={"name": name})
    hostile = dataclasses.replace(catalogue, tables={**catalogue.tables, "units": units})
    path = export_workbook(hostile, tmp_path / "hostile.xlsx")
    assert openpyxl.load_workbook(path)["units"]["B2"].data_type == "s"
    assert import_workbook(SPEC, path) == hostile
    write_folder(hostile, tmp_path / "hostile")
    assert check_folder(SPEC, tmp_path / "hostile") == []


def test_a_formula_without_a_result_is_a_fault(faults_after: EditBook) -> None:
    def change(opened: Any) -> None:
        opened["units"]["F2"] = "=4+4"

    (fault, *_) = faults_after(change)
    assert (fault.row, fault.field) == (2, "F2")
    assert "formula" in fault.message
    assert fault.path.endswith("edited.xlsx, sheet units")


@pytest.mark.parametrize(("cell", "value", "word"), [("F3", -8, "range"), ("F3", 7.5, "whole"), ("E3", "x", "number")])
def test_a_bad_cell_names_sheet_and_row(faults_after: EditBook, cell: str, value: object, word: str) -> None:
    def change(opened: Any) -> None:
        opened["units"][cell] = value

    (fault,) = faults_after(change)
    assert (fault.row, word in fault.message) == (3, True)


def test_a_date_is_a_fault(faults_after: EditBook) -> None:
    def change(opened: Any) -> None:
        opened["units"]["F3"] = datetime(2026, 4, 3)

    assert any("date" in fault.message for fault in faults_after(change))


def test_a_missing_sheet_names_the_nearest(faults_after: EditBook) -> None:
    def change(opened: Any) -> None:
        opened["weapons"].title = "wepons"

    (fault,) = faults_after(change)
    assert (fault.field, fault.tip) == ("weapons", "is the sheet wepons meant?")


def test_faults_in_rules_and_constants_name_their_rows(faults_after: EditBook) -> None:
    def change(opened: Any) -> None:
        opened["rules"]["B3"] = "346"
        opened["constants"]["B3"] = "many"
        opened["constants"]["A4"] = "dice.special_face"
        opened["readings"]["A2"] = "facs"

    faults = faults_after(change)
    places = {(fault.path.split("sheet ")[-1], fault.row) for fault in faults}
    assert {("rules", 3), ("constants", 3), ("constants", 4), ("readings", 2)} <= places


@pytest.mark.parametrize("data", [b"", b"id,name\n", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_workbook(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.xlsx").write_bytes(data)
    with pytest.raises(CatalogueError, match=r"not an \.xlsx workbook"):
        import_workbook(SPEC, tmp_path / "x.xlsx")


def test_no_workbook(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no such file"):
        import_workbook(SPEC, tmp_path / "x.xlsx")


def test_a_workbook_that_cannot_be_written(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="cannot be written"):
        export_workbook(catalogue, tmp_path / "file" / "x.xlsx")


def test_a_folder_that_cannot_be_written(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="what was there before still is"):
        write_folder(catalogue, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize("n_good", [0, 1, 3])
def test_a_failed_write_leaves_everything_as_it_was(
    catalogue: Catalogue, folder: Path, monkeypatch: pytest.MonkeyPatch, n_good: int
) -> None:
    (folder / "weapons.csv").write_text("old weapons")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    replace, calls = Path.replace, []

    def failing(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == n_good + 1:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(OutputError, match="no space left"):
        write_folder(catalogue, folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_other_files_of_the_folder_stay(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    written = write_folder(catalogue, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*(path.name for path in written), "notes.txt"])

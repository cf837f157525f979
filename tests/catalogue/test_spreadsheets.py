"""The same content however a spreadsheet writes it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from balance.catalogue import Catalogue, check_folder, load_catalogue
from balance.games.warforged.cards import SPEC

ITALIAN = "id;Nome;Tipo;Costo;Velocità;Salute;Armatura;Maneggevolezza;Abilità;Copie"
ITALIAN_WEAPONS = "id;nome;CLASSE;PG;Costo di maneggevolezza;Raggio;Precisione;Danni;Effetti;Copie"
WORDS = {"heavy": "Pesante", "jump": "Salto Potenziato", "slim": "Snello", "overload": "Sovraccarico"}


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_italian_excel(folder: Path, catalogue: Catalogue) -> None:
    for name, header in (("units.csv", ITALIAN), ("weapons.csv", ITALIAN_WEAPONS)):
        body = []
        for row in rows_of(folder / name)[1:]:
            cells = [f"{cell},0" if cell.isdigit() else cell.replace(";", " | ") for cell in row]
            body.append(";".join(WORDS.get(cell, cell) for cell in cells))
        text = "\r\n".join([header, *body[:3], ";" * 9, "", *body[3:], ""])
        (folder / name).write_bytes(text.encode("utf-8-sig"))
    assert check_folder(SPEC, folder) == []
    assert load_catalogue(SPEC, folder).sha256 == catalogue.sha256


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_every_way_to_save_text(
    folder: Path, catalogue: Catalogue, encoding: str, delimiter: str, newline: str
) -> None:
    rows = rows_of(folder / "units.csv")
    text = newline.join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    (folder / "units.csv").write_bytes(text.encode(encoding))
    assert load_catalogue(SPEC, folder) == catalogue


def test_excels_own_separator_line(folder: Path, catalogue: Catalogue) -> None:
    rows = rows_of(folder / "units.csv")
    text = "\n".join(["sep=;", *(";".join(cell.replace(";", "|") for cell in row) for row in rows)])
    (folder / "units.csv").write_text(text, encoding="utf-8")
    assert load_catalogue(SPEC, folder) == catalogue


def test_empty_columns_at_the_end_are_ignored_but_not_values_in_them(folder: Path) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8").replace("\n", ",,\n")
    (folder / "units.csv").write_text(text, encoding="utf-8")
    assert check_folder(SPEC, folder) == []
    (folder / "units.csv").write_text(text.replace("24,4,8,2,3,,2,,", "24,4,8,2,3,,2,,x"), encoding="utf-8")
    assert [fault.found for fault in check_folder(SPEC, folder)] == ["x"]


def test_names_become_ids(folder: Path, catalogue: Catalogue) -> None:
    text = (folder / "weapons.csv").read_text(encoding="utf-8")
    text = text.replace("assault_rifle,", "Assault-Rifle,").replace("rapid_fire", "Rapid Fire")
    (folder / "weapons.csv").write_text(text, encoding="utf-8")
    assert load_catalogue(SPEC, folder) == catalogue


def test_a_changed_value_changes_the_hash(folder: Path, catalogue: Catalogue) -> None:
    text = (folder / "units.csv").read_text(encoding="utf-8")
    (folder / "units.csv").write_text(text.replace("24,4,8,2,3", "24,4,9,2,3"), encoding="utf-8")
    assert load_catalogue(SPEC, folder).sha256 != catalogue.sha256

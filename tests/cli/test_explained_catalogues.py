"""`balance check --explain` of catalogues, by name and by path, and of what cannot be explained."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from balance.game.registry import find_game, shipped_folder
from tests.cli.conftest import Command

SHIPPED = shipped_folder(find_game("warforged"))


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")


def test_the_name_of_a_game_is_explained_and_checked(balance: Command, elsewhere: Path) -> None:
    done = balance("check", "warforged", "--explain")
    assert (done.status, done.err) == (0, "")
    assert "is read as a catalogue of warforged: 2 tables with 22 rows" in done.out
    assert done.out.index("limits.max_weapons = 3") < done.out.index("(warforged): sound")


def test_the_catalogue_of_a_folder_is_explained_for_the_game_that_is_named(balance: Command, elsewhere: Path) -> None:
    shutil.copytree(SHIPPED, elsewhere / "cards")
    (elsewhere / "cards" / "weapons.csv").unlink()
    for arguments in (("warforged", "--catalogue", "cards"), ("cards", "--game", "warforged")):
        done = balance("check", *arguments, "--explain")
        assert done.status == 2
        assert "cards is read as a catalogue of warforged: 1 table with 10 rows" in done.out
        assert "cards/weapons.csv: there is no such file" in done.err


@pytest.mark.parametrize(
    ("name", "reason"),
    [("units.cvs", "there is no such file, folder or game"), ("picture.png", "it is no catalogue, table or workbook")],
)
def test_what_cannot_be_explained_is_told_in_a_sentence(
    name: str, reason: str, balance: Command, elsewhere: Path
) -> None:
    (elsewhere / "picture.png").write_bytes(b"\x89PNG")
    done = balance("check", name, "--game", "warforged", "--explain")
    assert done.status == 2
    assert f"{name} cannot be explained: {reason}" in done.out
    assert name in done.err

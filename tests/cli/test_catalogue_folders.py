"""`--catalogue DIR` is what every verb reads that has the option: faults of it are told, and what differs is seen."""

from __future__ import annotations

import base64
import gzip
import inspect
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from balance.game.registry import find_game, shipped_folder
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command

ONE, OTHER = "trooper+shotgun", "nexus+assault_rifle"
WORDS: dict[str, tuple[str, ...]] = {
    "check": ("warforged",),
    "export": ("warforged", "out.xlsx"),
    "show": ("warforged", "nexus"),
    "attack": ("warforged", ONE, "nexus"),
    "duel": ("warforged", ONE, OTHER),
    "ask": ("warforged", "duel", ONE, OTHER),
    "solve": ("warforged", ONE, OTHER),
    "fit": ("warforged", "games.csv"),
    "luck": ("warforged", "duel", ONE, OTHER),
    "replay": ("warforged", "battle", ONE, OTHER, "--map", "open"),
    "tornado": ("warforged", "attack", ONE, "nexus", "--over", "weapons.shotgun"),
    "card": ("warforged", "nexus", "--among", f"{ONE},{OTHER}"),
    "handicap": ("warforged", ONE, OTHER),
    "page": ("warforged", ONE, OTHER, "--kinds", "attack", "--answers", "1"),
    "army": ("warforged", "--budget", "100", "--random", "1"),
    "price": ("warforged",),
    "tune": ("warforged",),
    "play": ("warforged", "lineup"),
    "stability": ("warforged", "battle"),
}
NAMING = ("show", "attack", "duel", "ask", "luck", "replay")
"""Quick verbs whose answer names the card that is called otherwise in the changed folder."""


@pytest.fixture
def folder(elsewhere: Path) -> Path:
    shutil.copytree(shipped_folder(find_game("warforged")), elsewhere / "own")
    return elsewhere / "own"


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / "units.csv").read_text("utf-8")
    assert old in text
    (folder / "units.csv").write_text(text.replace(old, new), "utf-8")


def test_every_verb_with_the_option_is_tried() -> None:
    with_option = {
        verb
        for verb, entry in VERBS.items()
        if entry.home and "catalogue" in inspect.signature(entry.function()).parameters
    }
    assert with_option <= set(WORDS)


@pytest.mark.parametrize("verb", WORDS)
def test_a_broken_folder_is_told_with_its_row(balance: Command, folder: Path, verb: str) -> None:
    change(folder, "nexus,Nexus,Cyborg,24,4,8,", "nexus,Nexus,Cyborg,24,4,x,")
    done = balance(verb, *WORDS[verb], "--catalogue", folder)
    assert done.status == 2 and "units.csv, row 2, health: 'x' is not a number" in done.err


@pytest.mark.parametrize("verb", NAMING)
def test_a_changed_folder_is_what_is_asked(balance: Command, folder: Path, verb: str) -> None:
    change(folder, "nexus,Nexus,", "nexus,Nixie,")
    done = balance(verb, *WORDS[verb], "--catalogue", folder)
    assert done.status == 0 and "Nixie" in " ".join(done.out.split())


@pytest.mark.slow("test_a_broken_folder_is_told_with_its_row")
def test_check_of_a_name_is_of_the_folder_and_no_other_folder_is_left_out(balance: Command, folder: Path) -> None:
    shipped = balance("check", "warforged").out.split()[-1]
    change(folder, "nexus,Nexus,", "nexus,Nixie,")
    for words in (("warforged",), ("--game", "warforged", "warforged")):
        done = balance("check", *words, "--catalogue", folder)
        assert done.status == 0 and "own (warforged): sound" in done.out and shipped not in done.out
    wrong_game = balance("check", "edadh", "--catalogue", folder)
    assert wrong_game.status == 2 and "own (edadh)" in wrong_game.out
    (folder.parent / "data").mkdir()
    shutil.copytree(folder, folder.parent / "data" / "mine")
    both = balance("check", folder.parent / "data" / "mine", "--catalogue", folder)
    assert "2 catalogues are sound" in both.out and "own (warforged)" in both.out


@pytest.mark.slow("test_a_changed_folder_is_what_is_asked")
def test_commands_that_are_told_name_the_folder(balance: Command, folder: Path) -> None:
    change(folder, "nexus,Nexus,Cyborg,24,4,8,", "nexus,Nexus,Cyborg,24,4,20,")
    assert balance("page", *WORDS["page"], "--catalogue", "own").status == 0
    page = Path("what-if.html").read_text("utf-8")
    held = re.search(r'id="held"[^>]*>([^<]+)<', page)
    assert held is not None
    data = json.loads(gzip.decompress(base64.b64decode(held[1])))
    command = data["kinds"]["attack"]["command"]
    assert command == f"balance attack warforged --catalogue own {ONE} {OTHER}"
    assert balance(*shlex.split(command)[1:]).status == 0
    card = balance("card", "warforged", ONE, "--among", OTHER, "--catalogue", "own").out
    assert "balance price warforged --catalogue own" in " ".join(card.split())


def test_a_workbook_holds_the_folder(balance: Command, folder: Path) -> None:
    from openpyxl import load_workbook

    change(folder, "nexus,Nexus,", "nexus,Nixie,")
    assert balance("export", "warforged", "out.xlsx", "--catalogue", folder).status == 0
    assert any("Nixie" in row for row in load_workbook("out.xlsx")["units"].iter_rows(values_only=True))

"""How a game file was read, told in words: each column, value, step, die, table and keyword."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.game.authoring.new_file import TEMPLATES
from balance.rulebook.readings import game_file_reading
from balance.rulebook.text import read_game_file
from balance.rulebook.text.book import all_lines
from tests.rulebook.games import changed, write


@pytest.mark.parametrize(
    ("where", "text", "meaning"),
    [
        ("title", "Iron and Dust", "what the game is called"),
        ("health", "wounds", "the field that is lost; a unit with none left is out"),
        ("column attacks", "attacks", "a number of the unit, 2 to 3, which steps call me.attacks and foe.attacks"),
        ("column keywords", "keywords", "the keywords of the unit"),
        ("[numbers] crit", "6", "a number of the rulebook, which steps call crit"),
        ("[tables] armour", "1: 6, 2: 5, 3: 4", "a look-up table: armour[number]"),
        ("[tokens] stunned", "0", "a value of every unit at the start: me.stunned, foe.stunned"),
        ("[attack] hits", "me.attacks d6 count me.skill+", "roll me.attacks six-sided dice; count"),
        ("[attack] foe.wounds", "foe.wounds - past * (1 + crits_double)", "wounds of whoever is attacked"),
        ("[keywords] reliable.hits", "reroll 1", "while a unit that has it acts: roll me.attacks"),
        ("[keywords] tough.attacked.past", "max(0, past - 1)", "while a unit that has it is attacked, past becomes"),
        ("[choices] effort.steady", "steady", "an option of whoever acts, the usual one"),
        ("[choices] effort.all_out.hits", "+ 2", "where all_out is chosen, hits becomes hits + 2"),
        ("[policies] effort.finisher.all_out", "foe.wounds <= 2", "finisher takes all_out where this is not 0"),
        ("[turns] order", "alternate, as usual", "all units of a side act, then all of the other"),
        ("[armies] lists.patrol", "raider, raider, brute", "an army called Patrol"),
    ],
)  # fmt: skip
def test_each_piece_has_its_meaning(tmp_path: Path, where: str, text: str, meaning: str) -> None:
    told = game_file_reading(write(tmp_path))
    assert told is not None
    pieces = {piece.where: piece for piece in told.readings}
    assert pieces[where].text == text
    assert pieces[where].meaning.startswith(meaning)
    assert told.faults == ()


def test_which_way_a_column_is_better_is_told(tmp_path: Path) -> None:
    better = '[better]\nless = ["skill"]\nkeywords = ["tough"]\n[units.raider]'
    told = game_file_reading(write(tmp_path, changed(("[units.raider]", better))))
    assert told is not None
    meanings = {piece.where: piece.meaning for piece in told.readings}
    assert meanings["column skill"].endswith("me.skill and foe.skill; less is better")
    assert meanings["column attacks"].endswith("me.attacks and foe.attacks")
    assert meanings["column keywords"] == "the keywords of the unit; better to have: tough"


def test_what_has_a_fault_is_told_beside_what_was_read(tmp_path: Path) -> None:
    path = write(tmp_path, changed(("me.skill+", "me.skil+"), ("crit = 6", "crit = 6.5")))
    told = game_file_reading(path)
    assert told is not None
    pieces = {piece.where: (piece.text, piece.meaning) for piece in told.readings}
    assert [fault.field for fault in told.faults] == ["numbers.crit", "attack.hits"]
    assert pieces["[numbers] crit"] == ("6.5", "not read: it has a fault")
    assert pieces["[attack] hits"][1] == "not read: it has a fault"
    assert pieces["column wounds"][1].startswith("a number of the unit, 3 to 4")


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_line_of_every_template_is_told_in_the_order_of_the_file(path: Path) -> None:
    told = game_file_reading(path)
    assert told is not None
    written = [line.text for line in all_lines(read_game_file(path).rulebook)]
    assert not {*written} - {piece.text for piece in told.readings}
    assert not any(not piece.meaning or "·" in piece.meaning for piece in told.readings)


def test_another_file_is_none_of_these(tmp_path: Path) -> None:
    assert game_file_reading(write(tmp_path, "a,b\n1,2\n", "log.csv")) is None

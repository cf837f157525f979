from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.game.local_games import is_game_file
from balance.rulebook.text import Band, GameFile, read_game_file
from balance.rulebook.text.records import unit_record_of

from .games import SMALL, changed, write


def read(folder: Path, *pairs: tuple[str, str]) -> GameFile:
    return read_game_file(write(folder, changed(*pairs)))


def faults(folder: Path, *pairs: tuple[str, str]) -> list[str]:
    with pytest.raises(CatalogueError) as error:
        read(folder, *pairs)
    return [str(fault).removeprefix(f"{folder}/") for fault in error.value.faults]


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    rulebook = read(tmp_path).rulebook
    assert (rulebook.name, rulebook.title, rulebook.health) == ("iron", "Iron and Dust", "wounds")
    assert rulebook.numeric_fields == ("attacks", "skill", "wounds")
    assert rulebook.card_keywords == ("reliable", "tough")
    assert rulebook.numbers == {"crit": 6}
    assert rulebook.tables["to_wound"].rows[0] == Band(None, -3)
    assert rulebook.tables["armour"].values == ((6,), (5,), (4,))
    assert [line.name for line in rulebook.keywords["tough"].attacked] == ["past"]
    assert list(rulebook.choices["effort"].options) == ["steady", "all_out"]
    assert [line.name for line in rulebook.choices["effort"].options["all_out"]] == ["hits", "me.wounds"]
    assert rulebook.choices["effort"].policies["finisher"]["all_out"].text == "foe.wounds <= 2"
    assert rulebook.armies.lists == {"patrol": ("raider", "raider", "brute")}
    assert rulebook.ends.rounds == 10


def test_steps_stand_in_the_order_of_the_file_though_some_are_tables_in_toml(tmp_path: Path) -> None:
    lines = read(tmp_path).rulebook.attack
    assert [line.name for line in lines] == ["hits", "foe.stunned", "past", "foe.wounds"]
    assert [SMALL.splitlines()[line.row - 1].partition(" =")[0] for line in lines if line.row] == [
        line.name for line in lines
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_editor_may_have_written_it(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "iron.toml"
    path.write_bytes(SMALL.replace("\n", end).encode(encoding))
    assert [line.row for line in read_game_file(path).rulebook.attack] == [26, 27, 28, 29]
    assert is_game_file(path)


def test_sections_may_be_written_in_other_ways_of_toml(tmp_path: Path) -> None:
    text = """\
health = 'hp'
attack.hits = \'\'\'me.dice d6
count 4+\'\'\'
attack . foe . mark = "hits"
attack.last = "0"
attack."foe.hp" = "foe.hp - hits"
units.rat = {hp = 3, dice = 2, keywords = ["brave", "keen"]}
keywords.brave = {hits = "+ 1", attacked = {hits = "- 1"}}
[ keywords . "keen" . friends ]
hits = "+ 1"
[tokens]
mark = 0
"""
    path = write(tmp_path, text)
    book = read_game_file(path).rulebook
    assert [(line.name, line.row) for line in book.attack] == [("hits", 2), ("foe.mark", 4), ("last", 5), ("foe.hp", 6)]
    assert book.card_keywords == ("brave", "keen")
    assert [line.text for line in book.keywords["brave"].attacked] == ["- 1"]
    assert [line.row for line in book.keywords["keen"].friends] == [10]
    assert is_game_file(path)


def test_a_rulebook_goes_to_other_processes_with_the_classes_of_its_records(tmp_path: Path) -> None:
    file = read(tmp_path)
    assert pickle.loads(pickle.dumps(file)) == file
    record = unit_record_of(file.rulebook)
    assert pickle.loads(pickle.dumps(record)) is record


def test_the_place_of_a_file_is_no_part_of_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert read(tmp_path).rulebook.digest == read(tmp_path / "other").rulebook.digest
    assert read(tmp_path).rulebook.digest != read(tmp_path, ("reroll 1", "reroll 2")).rulebook.digest


def test_values_of_the_catalogue_are_no_rules(tmp_path: Path) -> None:
    values = [
        ("crit = 6", "crit = 5"),
        ("value = 1\n", "value = 0\n"),
        ("raider:2", "raider:3"),
        ("skill = 5", "skill = 6"),
    ]
    assert read(tmp_path).rulebook.digest == read(tmp_path, *values).rulebook.digest


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[numbers]", "[nubmers]", "row ROW, nubmers: 'nubmers' is unknown; allowed: title, "),
        ("crit = 6", "crit = 6.5", "row ROW, numbers.crit: '6.5' is not a whole number"),
        ("crit = 6", "keep = 6", "row ROW, numbers.keep: 'keep' has a meaning of its own"),
        ("crit = 6", "d6 = 6", "row ROW, numbers.d6: 'd6' has a meaning of its own"),
        ("crit = 6", "Crit = 6", "row ROW, numbers.Crit: 'Crit' cannot be a name"),
        ("crit = 6", "hits = 6", "row ROW, numbers.hits: 'hits' is taken; attack.hits has it"),
        ("stunned = 0", "wounds = 0", "row ROW, tokens.wounds: 'wounds' is taken; a field of the units has it"),
        ("stunned = 0", "attacker = 0", "row ROW, tokens.attacker: 'attacker' has a meaning of its own after me."),
        ("stunned = 0", "wounds_at_start = 0", "row ROW, tokens.wounds_at_start: 'wounds_at_start' has a meaning"),
        ('"reliable; tough"', '"skill; tough"', "units: 'skill' is taken; a field of the units has it"),
        ("value = 1\n", "value = 3\n", "row ROW, options.crits_double.value: '3' is not allowed; allowed: 0, 1"),
        ("meaning =", "meanign =", "row ROW, options.crits_double.meanign: 'meanign' is unknown"),
        ('"1..2" = 3', '"2..1" = 3', "row ROW, tables.to_wound.2..1: '2..1' is no number and no band"),
        ('"1..2" = 3', '"0..2" = 3', "row ROW, tables.to_wound.0..2: '0..2' overlaps with '0'"),
        ("armour = [6, 5, 4]", "armour = [6, true]", "row ROW, tables.armour: 'true' is not a whole number"),
        ('health = "wounds"', 'health = "wound"', "row ROW, health: 'wound' is no field of the units"),
        ("[keywords.reliable]\nhits", "[keywords.reliable]\nhist", "'hist' is no step; allowed: hits, past, acts; did"),
        ("foe.stunned =", "fo.stunned =", "row ROW, attack.fo.stunned: 'fo' is no unit"),
        ("front = 2", "front = 0", "row ROW, armies.front: '0' is out of range"),
        ('"raider:2"', '"raider:x"', "row ROW, armies.lists.patrol.units: 'raider:x' is no unit with how many"),
        ("attacks = 3\n", "", "units.brute.attacks: is missing of brute"),
        ("attacks = 3\n", "attacks = 3.5\n", "row ROW, units.brute.attacks: '3.5' is not a whole number"),
        ("rounds = 10", "rounds = 0", "row ROW, ends.rounds: '0' is out of range"),
        ("all_out = \"foe", "all_oit = \"foe", "row ROW, policies.effort.finisher.all_oit: 'all_oit' is unknown"),
        ("[policies.effort.", "[policies.efort.", "policies.efort: 'efort' is not a choice"),
    ],
)  # fmt: skip
def test_each_fault_has_its_line_and_its_key(tmp_path: Path, old: str, new: str, words: str) -> None:
    place = SMALL.index(old) + max(0, new.rfind("\n", 0, -1))
    words = words.replace("ROW", str(SMALL.count("\n", 0, place) + 1))
    messages = faults(tmp_path, (old, new))
    assert any(words in message for message in messages), messages


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    messages = faults(
        tmp_path, ("crit = 6", "crit = 6.5"), ("rounds = 10", "rounds = 0"), ("attacks = 2", "attacks = []")
    )
    assert [message.partition(",")[0] for message in messages] == ["iron.toml"] * 3


def test_a_step_may_be_a_function(tmp_path: Path) -> None:
    line = read(tmp_path, ('past = "hits d6', 'past = { python = "rats.rules:past" }\n#')).rulebook.attack[2]
    assert (line.name, line.text, line.python) == ("past", "", "rats.rules:past")

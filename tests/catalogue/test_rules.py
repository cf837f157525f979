"""The rules file: every fault with its line, its key, what was found and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from balance.base.errors import CatalogueError, RulesError
from balance.catalogue import RuleOption, Rules, check_folder, load_catalogue
from balance.catalogue.tables import toml_file
from balance.catalogue.tables.toml_file import read_rules_file

from .toy import RULES, SPEC, ToyRules, told, write


def lines(folder: Path, *edits: tuple[str, str]) -> list[str]:
    text = RULES
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return told(check_folder(SPEC, write(folder, rules=text)), folder)


def test_the_rules_file_is_read_whole(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path))
    assert catalogue.rules_version == "1.2"
    assert catalogue.rules == ToyRules(faces="0-9", friendly=True)
    assert catalogue.constants.model_dump() == {
        "rounds": 8,
        "motto": '=1+1 is "2"',
        "dice": {"faces": 10, "keep": (5, 6)},
    }
    assert dict(catalogue.rule_options) == {
        "faces": RuleOption(
            "faces",
            ("1-10", "0-9"),
            "Does a ten-sided die show a 0?",
            "A",
            "What the die shows, told in exactly fifty-six characters",
            (
                ("1-10", "A sentence of sixty characters is written in a single line.."),
                ("0-9", "A sentence of sixty-one characters is wrapped in its own cell"),
            ),
        ),
        "friendly": RuleOption(
            "friendly",
            ("false", "true"),
            "May one hit one's own?",
            "C",
            "Whom a shot may hit.",
            (("false", "Only the other side."), ("true", "Everybody.")),
        ),
    }


KEEP = "a list, each a whole number from 1 to 6"
ENTRY = "value, allowed, ambiguity, level, meaning, readings"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'rules_version = "1.2"',
            "rules_version = 1.2",
            ["4, rules_version: '1.2' must be one line of text; such as rules_version = \"1.0\""],
        ),
        (
            'rules_version = "1.2"',
            'rules_version = ""',
            ['4, rules_version: must be one line of text; such as rules_version = "1.0"'],
        ),
        (
            'rules_version = "1.2"',
            'rules_version = "1\\u0007"',
            ["4, rules_version: '1\\x07' must be one line of text; such as rules_version = \"1.0\""],
        ),
        (
            'rules_version = "1.2"',
            f"rules_version = {[int('9' * 18)] * 9}",
            [
                f"4, rules_version: '{str([int('9' * 18)] * 9)[:80]}' must be one line of text; "
                'such as rules_version = "1.0"'
            ],
        ),
        (
            'rules_version = "1.2"',
            "rules_versio = 3",
            [
                "4, rules_versio: 'rules_versio' is unknown; allowed: rules_version, switches, constants; "
                "did you mean rules_version?",
                'rules.toml, rules_version: must be one line of text; such as rules_version = "1.0"',
            ],
        ),
        (
            'value = "0-9"',
            'value = "0-8"',
            ["7, switches.faces.value: '0-8' is not a known choice; allowed: 1-10, 0-9"],
        ),
        ('value = "0-9"', 'value = ""', ["7, switches.faces.value: is empty; allowed: 1-10, 0-9"]),
        (
            "value = true",
            "value = 3",
            ["17, switches.friendly.value: '3' is neither true nor false; allowed: true, false"],
        ),
        (
            'allowed = ["1-10", "0-9"]',
            'allowed = ["1-10", "9"]',
            ["8, switches.faces.allowed: '1-10; 9' are not the readings this switch has; allowed: 1-10, 0-9"],
        ),
        (
            "allowed = [false, true]",
            "allowed = [true]",
            ["18, switches.friendly.allowed: 'true' are not the readings this switch has; allowed: true, false"],
        ),
        (
            '"0-9" = "A s',
            '"09" = "A s',
            ["12, switches.faces.readings: '1-10; 09' need one sentence per reading; allowed: 1-10, 0-9"],
        ),
        (
            'level = "C"',
            'level = "E"',
            [f"20, switches.friendly.level: Input should be 'A', 'B', 'C' or 'D'; allowed: {ENTRY}"],
        ),
        ('level = "C"\n', "", [f"16, switches.friendly.level: is missing; allowed: {ENTRY}"]),
        (
            'level = "C"',
            'levle = "C"',
            [
                f"16, switches.friendly.level: is missing; allowed: {ENTRY}",
                f"20, switches.friendly.levle: is unknown; allowed: {ENTRY}",
            ],
        ),
        (
            '"Whom a shot may hit."',
            '" "',
            [f"21, switches.friendly.meaning: must be one line of text; allowed: {ENTRY}"],
        ),
        (
            '"Everybody."',
            '"Every\\tbody."',
            [f"22, switches.friendly.readings: must be one line of text; allowed: {ENTRY}"],
        ),
        (
            "[switches.faces]",
            "[switches.face]",
            [
                "6, switches.face: 'face' is unknown; allowed: faces, friendly; did you mean faces?",
                f"rules.toml, row 12, switches.faces.value: is missing; allowed: {ENTRY}",
                f"rules.toml, row 12, switches.faces.allowed: is missing; allowed: {ENTRY}",
                f"rules.toml, row 12, switches.faces.ambiguity: is missing; allowed: {ENTRY}",
                f"rules.toml, row 12, switches.faces.level: is missing; allowed: {ENTRY}",
                f"rules.toml, row 12, switches.faces.meaning: is missing; allowed: {ENTRY}",
            ],
        ),
        (
            "rounds = 8",
            "rounds = 0",
            ["27, constants.rounds: '0' is out of range; allowed: a whole number of at least 1"],
        ),
        (
            "rounds = 8",
            "round = 8",
            [
                "26, constants.rounds: is missing; allowed: a whole number of at least 1",
                "27, constants.round: is unknown; did you mean rounds?",
            ],
        ),
        (
            "faces = 10",
            "faces = 21",
            ["31, constants.dice.faces: '21' is out of range; allowed: a whole number from 2 to 20"],
        ),
        ("keep = [5, 6]", "keep = [5, 7]", [f"32, constants.dice.keep: '7' is out of range; allowed: {KEEP}"]),
        ("keep = [5, 6]", "keep = 5", [f"32, constants.dice.keep: '5' is not a list; allowed: {KEEP}"]),
    ],
)
def test_a_fault_names_its_line_and_key(old: str, new: str, expected: list[str], tmp_path: Path) -> None:
    found = lines(tmp_path, (old, new))
    assert found == [line if line.startswith("rules.toml") else f"rules.toml, row {line}" for line in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("switches = 3", "rules.toml, row 1, switches: must be a table of switches; allowed: faces, friendly"),
        ("x = 1", "rules.toml, switches.faces: the switch is missing; allowed: 1-10, 0-9"),
        ("x = 1", "rules.toml, switches.friendly: the switch is missing; allowed: true or false"),
        (
            "[switches]\nfaces = 3",
            "rules.toml, row 2, switches.faces: must be a table with value, allowed, meaning and readings",
        ),
        ("constants = 3", "rules.toml, row 1, constants: Input should be a valid dictionary or instance of Constants"),
        ("x = 1", "rules.toml, constants.motto: is missing; allowed: a text"),
    ],
)
def test_a_part_that_is_missing_or_no_table(text: str, expected: str, tmp_path: Path) -> None:
    found = told(check_folder(SPEC, write(tmp_path, rules=f"{text}\n")), tmp_path)
    assert expected in [line.replace("'3' Input", "Input") for line in found]


TIP = "texts stand in double quotes, one key = value per line"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", f"a.toml, row 2: the file is not TOML (Invalid value (at line 2, column 5)); {TIP}"),
        (f"a = {2**63 - 1}\nb = {-(2**63)}", None),
        (f"a = {2**63}", f"a.toml: the file is not TOML (a whole number has more than 64 bits); {TIP}"),
        (f"a = [{-(2**63) - 1}]", f"a.toml: the file is not TOML (a whole number has more than 64 bits); {TIP}"),
        ("a = true\nb = 1e400", None),
        (f"a = {'[' * 31}{']' * 31}", None),
        (f"a = {'[' * 32}{']' * 32}", f"a.toml: the file is not TOML (nested too deeply); {TIP}"),
        (f"{'.'.join('a' * 32)} = 1", None),
        (f"{'.'.join('a' * 33)} = 1", f"a.toml: the file is not TOML (nested too deeply); {TIP}"),
        (f"a = {'[' * 5000}", f"a.toml: the file is not TOML (nested too deeply); {TIP}"),
        (f"{'.'.join('a' * 102)} = 1", "a.toml: a key has more than 100 points"),
        (f"{'.'.join('a' * 101)} = 1", f"a.toml: the file is not TOML (nested too deeply); {TIP}"),
        (f'a = "{"." * 101}"', "a.toml: a key has more than 100 points"),
        (f'a = ["{"." * 100}", "{"." * 100}"]\nb = "{"." * 100}"', None),
        (f'a = {{b = "{"." * 100}"}}', None),
        ('a = "x"\r\nb = 1\r\n', None),
    ],
)
def test_a_file_that_is_not_toml_or_does_harm(text: str, line: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8", newline="")
    if line is None:
        read_rules_file(path)
        return
    with pytest.raises(CatalogueError) as caught:
        read_rules_file(path)
    assert str(caught.value).replace(f"{tmp_path}/", "") == line


def test_of_what_the_reader_says_120_characters_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(text: str) -> None:
        raise ValueError(f"{text}{'x' * 200}")

    monkeypatch.setattr("tomllib.loads", refused)
    (tmp_path / "a.toml").write_text("ab")
    with pytest.raises(CatalogueError) as caught:
        read_rules_file(tmp_path / "a.toml")
    assert str(caught.value) == f"{tmp_path}/a.toml: the file is not TOML (ab{'x' * 118}); {TIP}"


def test_a_toml_file_may_have_a_megabyte(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"a = 1\n" + b"#" * (2**20 - 6))
    assert read_rules_file(tmp_path / "a.toml")[0] == {"a": 1}
    (tmp_path / "a.toml").write_bytes(b"a = 1\n" + b"#" * (2**20 - 5))
    with pytest.raises(CatalogueError) as caught:
        read_rules_file(tmp_path / "a.toml")
    assert str(caught.value) == f"{tmp_path}/a.toml: the file cannot be read (it is larger than 1 MB)"


LISTS = """\
top = 1
[a.b]
key = 1
"quo-ted".x = 2
[[rows]]
id = 1
  [[rows.inner]]
  x = 1
  [[rows.inner]]
  x = 2
[[rows]]
id = 2
[[rows.inner]]
x = 3
[rows.inner.deep]
y = 1
[a.b.'c']
key = 2
"""


@pytest.mark.parametrize(
    ("dotted", "row"),
    [
        ("top", 1),
        ("a.b", 2),
        ("a.b.key", 3),
        ("a.b.quo-ted.x", 4),
        ("rows", 5),
        ("rows.id", 6),
        ("rows.0.id", 6),
        ("rows.1.id", 12),
        ("rows.0", 5),
        ("rows.1", 11),
        ("rows.0.inner.0.x", 8),
        ("rows.0.inner.1.x", 10),
        ("rows.1.inner.0", 13),
        ("rows.1.inner.0.x", 14),
        ("rows.1.inner.0.deep.y", 16),
        ("rows.1.nothing.there", 11),
        ("rows.5.id", 5),
        ("nothing", None),
        ("a", 2),
        ("", None),
    ],
)
def test_a_key_is_found_by_its_line_or_by_that_of_what_holds_it(dotted: str, row: int | None, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(LISTS)
    data, locate = read_rules_file(tmp_path / "a.toml")
    assert data["rows"][1]["inner"][0]["deep"] == {"y": 1}
    place = locate(dotted)
    assert (place.path, place.row, place.field, place.message) == (str(tmp_path / "a.toml"), row, dotted, "")


def test_lines_are_looked_for_once_and_only_where_something_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    found = toml_file._line_numbers

    def watched(text: str) -> dict[str, int]:
        asked.append(text)
        return found(text)

    monkeypatch.setattr(toml_file, "_line_numbers", watched)
    (tmp_path / "a.toml").write_text("a = 1")
    _, locate = read_rules_file(tmp_path / "a.toml")
    assert asked == []
    assert (locate("a").row, locate("a.b").row, asked) == (1, 1, ["a = 1"])


class Options(Rules):
    faces: Literal["1-10", "0-9"]
    friendly: bool = True


def test_other_readings_are_taken_as_people_write_them() -> None:
    rules = Options(faces="1-10")
    assert rules.replace(faces="0 - 9", friendly="no") == Options(faces="0-9", friendly=False)
    assert rules.replace(friendly=False) == Options(faces="1-10", friendly=False)
    assert rules.replace() == rules == Options(faces="1-10")


def test_a_reading_that_is_none_is_refused_in_full() -> None:
    with pytest.raises(RulesError) as caught:
        Options(faces="1-10").replace(faces="1-9", frindly=1, friendly="maybe")
    assert str(caught.value).splitlines() == [
        "rules, faces: '1-9' is not a known choice; allowed: 1-10, 0-9",
        "rules, frindly: 'frindly' is unknown; allowed: faces, friendly; did you mean friendly?",
        "rules, friendly: 'maybe' is neither true nor false; allowed: true or false",
    ]

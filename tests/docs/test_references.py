"""The references follow the code: every verb with its options, every public name, every room."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import balance
from balance.answers.documents.schemas import DOCUMENTS, schema
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command
from tests.docs import command_pages, python_pages, rooms, schema_pages
from tests.docs.pages import text_of

COMMANDS = command_pages.commands_page()


def test_every_verb_has_a_section_in_order() -> None:
    assert re.findall(r"^## `balance ([a-z-]+)`$", COMMANDS, re.MULTILINE) == list(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_section_tells_what_the_help_tells(verb: str, balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    section, help_ = command_pages.verb_section(verb), balance(verb, "--help").out
    names = set(re.findall(r"^│ +(?:\* +)?(--[a-z-]+)", help_, re.MULTILINE))
    assert set(re.findall(r"^\| `(--[a-z-]+)", section, re.MULTILINE)) == names - {"--help"}
    assert all(f"$ {example}\n" in section for example in VERBS[verb].examples)
    assert VERBS[verb].help_text in section


def test_a_default_is_told() -> None:
    assert "| `--seed S` | `0` |" in command_pages.verb_section("duel")
    assert "| `--jobs, -j N` | `1` | How many workers run at once. From 1 to 256. |" in command_pages.verb_section(
        "duel"
    )


def test_every_kind_of_question_is_listed() -> None:
    table = command_pages.kinds_table()
    assert "| `balance battle warforged A B` | who wins a battle on a board |" in table
    assert "| `balance encounter immortal_souls HEROES ENCOUNTER` | whether a party wins an encounter |" in table


def test_every_verb_that_prints_json_has_a_section_with_its_fields_and_a_file() -> None:
    page, files = schema_pages.schemas_page(), dict(schema_pages.schema_files())
    assert re.findall(r"^## `([a-z-]+)`$", page, re.MULTILINE) == [path.stem for path in files] == list(DOCUMENTS)
    assert '| `peeking_error` | number or null | How often "fixed" is wrong if one looks after every' in page
    assert "| `exact` | Distribution, optional | The exact distribution, where it can be had. |" in page
    assert json.loads(files[Path("reference/schemas/need.json")]) == schema("need")


def test_every_public_name_has_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_pages, "_docstring", lambda thing: "")  # which only Sphinx formats
    pages = [python_pages.verbs_page(), python_pages.tools_page()]
    names = [name for page in pages for name in re.findall(r"^##+ (\w+)$", page, re.MULTILINE)]
    assert sorted(names) == sorted([*balance.__all__, "Functions", "Objects"])
    assert "\n### " not in pages[0], "no level of headings is left out, which Sphinx refuses"


def test_a_module_that_can_be_called_is_documented_as_a_function() -> None:
    class Called(ModuleType):
        def __call__(self, game: str, seed: int = 0) -> Any:
            """Ask for something.

            Parameters
            ----------
            seed
                Where luck starts.
            """

    pytest.importorskip("sphinx")
    section = python_pages.name_section("luck", Called("luck"))
    assert ".. py:function:: balance.luck(game: str, seed: int = 0) -> Any" in section
    assert ":param seed: Where luck starts." in section


def test_an_example_at_the_end_of_a_docstring_gets_its_heading() -> None:
    lines = ["Open it.", "", "Raises", "------", "UsageError", "    There is none.", "", ">>> 1", "1", ""]
    python_pages.head_examples(lines)
    assert lines[6:] == ["", "Examples", "--------", ">>> 1", "1", ""]
    plain = ["Open it.", "", ">>> 1", "1"]
    python_pages.head_examples(plain)
    assert plain == ["Open it.", "", ">>> 1", "1"]


def test_the_picture_shows_the_rooms_of_the_rule_in_their_order() -> None:
    assert rooms.PICTURE.read_text("utf-8") == rooms.picture(), "if that is meant: python -m tests.docs"
    drawn = ElementTree.fromstring(rooms.picture())
    texts = [part.text for part in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:-1] == [name for names in rooms.layers() for name in names]
    assert "images/rooms.svg" in text_of("explanation/architecture.md")


def test_every_room_says_what_it_is_for() -> None:
    text = rooms.rooms_list()
    outer = re.findall(r"^\* `balance\.(\w+)`: .{20,}$", text, re.MULTILINE)
    assert outer == [name for names in rooms.layers() for name in names]
    rows = re.findall(r"^ *\* `(?:balance\.)?(\w+)`: (.*)$", text, re.MULTILINE)
    names = [name for name, _ in rows]
    assert {"prices", "solvers", "combat", "solving"} <= {*names}, "rooms within rooms are listed too"
    assert [name for name, purpose in rows if len(purpose) <= 20] == []
    assert rooms.PAGE.read_text("utf-8") == rooms.page(), "if that is meant: python -m tests.docs"

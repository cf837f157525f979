"""show: a game's tables, rules, entries and entrants, whole and with where each value comes from."""

from __future__ import annotations

import json
import re

import pytest
from rich.text import Text

import balance as toolkit
from balance.answers.games.page import Part
from balance.answers.media.answer import drawn
from balance.answers.media.terminal import Rows
from balance.answers.words.games.show import _table
from balance.game.registry import GAMES
from balance.verbs.catalogues.games import PAGES
from tests.cli.conftest import Command


@pytest.mark.parametrize("table", ["", "units", "weapons", "rules", "constants", "sources", "entrants", "nexus"])
def test_show_prints_every_table_whole(table: str, balance: Command) -> None:
    done = balance("show", "warforged", *([table] if table else []))
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "…" not in done.out


def test_show_marks_where_each_value_comes_from(balance: Command) -> None:
    out = balance("show", "warforged", "units").out
    assert "S stated by the rulebook, I inferred from it, A assumed" in out
    nexus = next(line for line in out.splitlines() if line.startswith("  nexus"))
    assert "Nexus S" in nexus.replace("\u00a0", " ")
    assert "24 A" in nexus.replace("\u00a0", " ")


@pytest.mark.parametrize("game", list(GAMES))
def test_every_id_that_a_question_takes_is_listed_under_its_kind(game: str, balance: Command) -> None:
    loaded, out = toolkit.load(game), balance("show", game, "entrants").out
    told = " ".join(out.split())
    for taken in loaded.definition.entrant_kinds:
        assert f"{taken.name} {taken.written}" in told
        before = loaded.definition.entrant_kinds[: loaded.definition.entrant_kinds.index(taken)]
        if same := [kind for kind in before if loaded.ids(kind) == loaded.ids(taken)]:
            assert f"Those listed are the same as under {same[0].name}." in told
            assert {taken.name, same[0].name} in ({"army", "unit"}, {"army", "loadout"}, {"group", "enemy"})
            continue
        _, _, rows = out.partition(f"\n  {taken.name} ")
        lines = rows.partition("\n\n")[0].splitlines()[2:]
        listed = [line.split()[0] for line in lines if line[2:3] != " "]  # a long name goes on in the next line
        assert listed == list(loaded.ids(taken))
    unlike = {"edadh": "turn (a, b), duel (a, b), finish (a, b)", "runewars": "attack (attacker, defender)"}
    assert unlike.get(game, "attack (defender)") in out


def test_show_accepts_an_entry_as_people_write_it(balance: Command) -> None:
    assert "rulebook l.172" in balance("show", "warforged", "Nexus").out


def test_show_tells_which_reading_is_in_force(balance: Command) -> None:
    out = balance("show", "warforged", "rules").out
    assert re.search(r"^  1-10 +in force, default +The die shows 1 to 10", out, re.M)
    assert re.search(r"^  0-9 +The die shows 0 to 9", out, re.M)


def test_what_is_assumed_or_unsaid_stands_out_and_what_is_nothing_says_so() -> None:
    values = ("nexus", "Nexus", 24, ("a", "b"), (), None)
    part = Part(
        columns=("id", "name", "cost", "abilities", "effects", "weapon"),
        rows=(values,),
        origins=(("", "stated", "assumed", "unknown", "inferred", "public"),),
    )
    (table,) = drawn([_table(part)])
    assert isinstance(table, Rows)
    ((entry, *cells),) = table.rows
    texts = [cell for cell in cells if isinstance(cell, Text)]
    assert (entry, [text.plain.replace("\u00a0", " ") for text in texts]) == (
        "nexus",
        ["Nexus S", "24 A", "a, b ?", "none I", "– P"],
    )
    assert [str(text.spans[-1].style) for text in texts] == ["dim", "yellow", "yellow", "dim", "dim"]


def test_values_are_numbers_and_lists_in_json_with_where_they_come_from(balance: Command) -> None:
    (part,) = json.loads(balance("show", "warforged", "units", "--json").out)["parts"]
    places = [part["columns"].index(name) for name in ("id", "cost_points", "abilities")]
    (row, origins), *_ = zip(part["rows"], part["origins"], strict=True)
    assert [row[place] for place in places] == ["nexus", 24, []]
    assert [origins[place] for place in places] == ["", "assumed", "assumed"]


@pytest.mark.parametrize("page", ["", "units", "nexus", *PAGES])
def test_every_page_has_tables_and_is_told_in_short(page: str, balance: Command) -> None:
    result = toolkit.show("warforged", page)
    assert {*result.tables} and all(frame.height for frame in result.tables.values())
    assert len([part for part in result.value.parts if part.columns]) == len(result.tables)
    brief = json.loads(balance("show", "warforged", page, "--brief").out)
    assert (brief["sentence"], brief["game"]) == (result.sentence, "warforged")

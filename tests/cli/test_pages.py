"""show: a game's tables, rules, entries and entrants, whole and with where each value comes from."""

from __future__ import annotations

import pytest

import balance as toolkit
from balance.cli.questions.pages import _with_mark
from balance.game.registry import GAMES
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
    assert "* 1-10  default" in out
    assert "* 0-9" not in out


def test_what_is_assumed_or_unsaid_stands_out_and_what_is_nothing_says_so() -> None:
    catalogue = toolkit.load("warforged").catalogue
    stated = _with_mark(catalogue, "units", "nexus", "name", "Nexus")
    assumed = _with_mark(catalogue, "units", "nexus", "cost_points", 24)
    unsaid = _with_mark(catalogue, "units", "no_such", "name", ("a", "b"))
    nothing = _with_mark(catalogue, "units", "nexus", "name", ())
    assert [text.plain for text in (stated, assumed, unsaid, nothing)] == [
        "Nexus\u00a0S",
        "24\u00a0A",
        "a, b\u00a0?",
        "none\u00a0S",
    ]
    assert [text.spans[-1].style for text in (stated, assumed, unsaid)] == ["dim", "yellow", "yellow"]

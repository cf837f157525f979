"""Every command takes the name of a game file as that of a game, and says what is wrong with one by its lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.game.authoring.new_file import template_kinds
from tests.cli.conftest import Command
from tests.cli.test_completing import Complete, complete
from tests.rulebook.games import changed, write

__all__ = ["complete"]


@pytest.fixture
def iron(elsewhere: Path) -> Path:
    return write(elsewhere)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", template_kinds())
def test_a_new_game_of_each_kind_is_sound_and_answers(balance: Command, kind: str) -> None:
    done = balance("new-game", "sky_rats", "--template", kind)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert balance("check", "sky_rats.toml").status == 0
    command, *_ = (line.split()[1:] for line in done.out.splitlines() if line.startswith("  balance duel"))
    assert "Sky rats" in balance("show", "sky_rats").out
    assert balance(*command).status == 0


def test_a_template_that_is_none_names_them_all(balance: Command, elsewhere: Path) -> None:
    done = balance("new-game", "sky_rats", "--template", "hit-wond-save")
    assert done.status == 2
    assert all(kind in done.err for kind in template_kinds())
    assert "did you mean hit-wound-save?" in done.err
    assert not [*elsewhere.iterdir()]


def test_a_template_alone_names_them_all(balance: Command, elsewhere: Path) -> None:
    for words in (("new-game", "--template"), ("new-game", "sky_rats", "--template")):
        done = balance(*words)
        assert (done.status, done.err) == (0, "")
        assert all(kind in done.out for kind in template_kinds())
    assert "name of the game is missing" in balance("new-game", "--python").err
    assert not [*elsewhere.iterdir()]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("iron",), "is already there"),
        (("iron.toml",), "is already there"),
        (
            ("Sky Rats",),
            "'Sky Rats' is no name for a game; allowed: small letters, digits and _, at most 40; try sky_rats",
        ),
        (("warforged",), "'warforged' is taken by a game; try my_warforged"),
        (("sky_rats", "--python"), "a game is one file or a Python package"),
    ],
)
def test_a_new_game_overwrites_nothing(balance: Command, iron: Path, words: tuple[str, ...], text: str) -> None:
    before = iron.read_bytes()
    done = balance("new-game", *words, "--template", "hit-wound-save")
    assert done.status == 2
    assert text in done.err
    assert (iron.read_bytes(), [*iron.parent.iterdir()]) == (before, [iron])


def test_a_package_is_still_written(balance: Command, elsewhere: Path) -> None:
    assert balance("new-game", "sky_rats", "--python").status == 0
    assert (elsewhere / "sky_rats" / "game.py").is_file()


@pytest.mark.parametrize("name", ["iron", "iron.toml", "./iron.toml"])
def test_a_path_and_a_bare_name_are_asked_alike(balance: Command, iron: Path, name: str) -> None:
    document = json.loads(balance("attack", name, "raider", "brute", "--json").out)
    assert document["game"] == "iron"
    assert balance("duel", name, "raider", "brute", "--set", "rules.crits_double=0").status == 0


def test_workers_play_it(balance: Command, iron: Path) -> None:
    words = ("attack", "iron.toml", "raider", "brute", "--trials", "200_000", "--json")
    assert balance(*words, "--jobs", "2").out == balance(*words, "--jobs", "1").out


def test_a_check_tells_all_faults_by_line(balance: Command, iron: Path) -> None:
    write(iron.parent, changed(("crit = 6", "crit = 6.5"), ("rounds = 10", "rounds = 0"), ("raider:2", "raidr:2")))
    done = balance("check", "iron.toml")
    assert done.status == 2
    assert [line.split(",")[1] for line in done.err.splitlines()] == [" row 5", " row 46", " row 51"]
    assert "iron.toml: 3 faults" in done.out


def test_a_check_notes_what_nothing_reads(balance: Command, iron: Path) -> None:
    write(iron.parent, changed(("[keywords.reliable]", "[keywords.relaible]"), ("crit = 6", "crit = 6\nspare = 1")))
    done = balance("check", "iron", "--more")
    assert done.status == 0
    assert "row 6, numbers: 'spare' is read by no expression" in done.out
    assert "'reliable' is a keyword of a unit that no rule names; did you mean relaible?" in done.out
    assert "'relaible' is a keyword that no unit has" in done.out


def test_a_game_is_told_from_other_files_beside_it(balance: Command, iron: Path) -> None:
    (iron.parent / "study.toml").write_text('game = "iron.toml"\nmetrics = ["match_ups"]\n')
    said = balance("games").out
    assert "iron.toml" in said
    assert "study.toml" not in said
    assert balance("run", "study.toml", "--dry-run").status == 0


def test_a_study_names_the_game_file_beside_it(
    balance: Command, iron: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (iron.parent / "study.toml").write_text('game = "iron.toml"\nmetrics = ["match_ups"]\n')
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert balance("run", iron.parent / "study.toml", "--dry-run").status == 0


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("duel", "irn.toml", "a", "b"), "irn.toml: there is no such game file; is iron.toml meant?"),
        (("duel", "irn", "a", "b"), "there is no game 'irn'; did you mean iron?"),
        (
            ("duel", "iron.toml", "raidr", "brute"),
            "'raidr' is not in units; allowed: raider, brute; did you mean raider?",
        ),
        (("run", "iron.toml"), "'iron.toml' is a game, and a run takes the file of a study"),
        (("iron.toml",), "'iron.toml' is a game, and what to do comes before it: balance show iron.toml"),
        (("rules", "iron.toml"), "a game file has no list of rules"),
        (("import", "iron.toml", "x.xlsx"), 'write units = "x.xlsx#units" into iron.toml'),
        (("attack", "iron.toml", "raider", "brute", "--set", "rules.crits_double=3"), "allowed: 0, 1"),
    ],
)
def test_what_cannot_be_is_told_with_what_to_do(
    balance: Command, iron: Path, words: tuple[str, ...], text: str
) -> None:
    done = balance(*words)
    assert done.status == 2
    assert text in done.err


def test_two_files_are_compared_line_by_line(balance: Command, iron: Path) -> None:
    write(iron.parent, changed(("reroll 1", "reroll 1,2"), ("cost_points = 30", "cost_points = 25")), "new.toml")
    said = balance("compare", "iron.toml", "--patch", "new.toml", "--quiet", "--format", "html", "--jobs", "1")
    assert said.status == 0
    assert "keywords.reliable.hits   reroll 1   reroll 1,2" in said.out
    assert "1 match-up can be touched: 0 none" in said.out
    assert 'href="compare_new/index.html"' in (iron.parent / "reports" / "index.html").read_text("utf-8")


@pytest.mark.slow("test_two_files_are_compared_line_by_line")
@pytest.mark.parametrize("words", [("price",), ("card", "raider"), ("tune",), ("report", "--format", "html")])
def test_cards_are_judged(balance: Command, iron: Path, words: tuple[str, ...]) -> None:
    verb, *rest = words
    text = changed(("rounds = 10", "rounds = 3"), ("wounds = 4", "wounds = 2"))
    write(iron.parent, text)
    assert balance(verb, "iron.toml", *rest, "--quiet", "--jobs", "2").status == 0


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "page", ["", "units", "armies", "rules", "constants", "sources", "fields", "questions", "policies"]
)
def test_every_page_of_a_game_without_much_in_it_is_shown(balance: Command, page: str) -> None:
    Path("tiny.toml").write_text('health = "hp"\n[units.rat]\nhp = 3\n[attack]\n"foe.hp" = "foe.hp - d6"\n')
    done = balance("show", "tiny", *([page] if page else []))
    assert (done.status, done.err) == (0, "")
    assert "nobody said" not in done.out


def test_a_shell_completes_it(complete: Complete, iron: Path) -> None:
    assert complete("balance duel ir") == ["iron"]
    for name in ("iron", "iron.toml"):
        assert complete(f"balance duel {name} ra") == ["raider"]
        assert complete(f"balance attack {name} raider brute --set attacker.att") == ["attacker.attacks="]
        assert complete(f"balance show {name} ar") == ["armies"]
    write(iron.parent, changed(('"hits d6 count to_wound[me.attacks - foe.skill]+"', '{ python = "antigravity:fly" }')))
    assert complete("balance duel iron ra") == []


def test_its_workbook_can_be_used_where_it_lies(balance: Command, iron: Path) -> None:
    said = balance("export", "iron.toml", "army.xlsx").out
    assert 'To use it, write units = "army.xlsx#units" into iron.toml' in said
    before = balance("show", "iron.toml", "units").out
    text = iron.read_text().partition("[units.raider]")[0]
    iron.write_text('units = "army.xlsx#units"\n' + text)
    assert balance("show", "iron.toml", "units").out == before

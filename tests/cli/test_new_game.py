"""`balance new-game` and every other verb for the game that it writes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.cli.conftest import Command


@pytest.fixture
def made(balance: Command, elsewhere: Path) -> Iterator[Path]:
    """The folder of a new game, of which no module outlives the test."""
    done = balance("new-game", "sky_rats")
    assert (done.status, done.err) == (0, "")
    yield elsewhere / "sky_rats"
    for name in [name for name in sys.modules if name.partition(".")[0] == "sky_rats"]:
        del sys.modules[name]


def test_what_it_says_can_be_typed(balance: Command, elsewhere: Path) -> None:
    said = balance("new-game", "sky_cats").out
    commands = [line.strip() for line in said.splitlines() if line.startswith("  balance")]
    assert len(commands) == 2
    assert balance(*commands[0].split()[1:]).status == 0


def test_a_second_time_is_refused(balance: Command, made: Path) -> None:
    done = balance("new-game", "sky_rats")
    assert (done.status, done.out) == (2, "")
    assert "already there" in done.err


def test_it_is_listed_without_running_its_code(balance: Command, made: Path) -> None:
    (made / "game.py").write_text("raise SystemExit", "utf-8")
    done = balance("games")
    assert done.status == 0
    assert "Sky rats" in done.out


@pytest.mark.slow("test_it_is_listed_without_running_its_code")
def test_a_check_of_all_games_does_not_run_its_code(balance: Command, made: Path) -> None:
    (made / "game.py").write_text("raise SystemExit", "utf-8")
    assert balance("check").status == 0


@pytest.mark.parametrize("page", ["questions", "situation", "policies"])
def test_the_examples_of_its_pages_work(page: str, balance: Command, made: Path) -> None:
    shown = balance("show", "sky_rats", page).out
    examples = [line.split()[2:] for line in shown.splitlines() if line.startswith("  Example: balance ")]
    assert [example[0] for example in examples] == (["attack", "duel", "battle"] if page == "questions" else ["duel"])
    assert all(balance(*example).status == 0 for example in examples)


@pytest.mark.slow("test_what_it_says_can_be_typed")
def test_it_can_be_shown_checked_and_asked(balance: Command, made: Path) -> None:
    assert "fighters" in balance("show", "sky_rats").out
    said = balance("show", "sky_rats", "situation").out
    assert "a field of fighters or armies" in said
    assert "Health left to a foe" in said
    checked = balance("check", "sky_rats")
    assert "sky_rats/data (sky_rats): sound" in checked.out
    assert "note" not in checked.out
    assert balance("rules", "sky_rats").status == 0
    assert "Sky rats: attack" in balance("attack", "sky_rats", "knight", "giant", "--more").out
    found = json.loads(balance("duel", "sky_rats", "knight", "giant", "--trials", "5000", "--json").out)
    assert found["agreement"]["p_value"] > 1e-6
    assert "draw" in found["exact"]["p_win"]
    battle = balance("battle", "sky_rats", "screen", "vanguard", "--policy-a", "bold", "--trials", "5000", "--more")
    assert "a: Screen" in battle.out
    assert "finisher" in battle.out  # what the other policies would have scored
    assert "simulated" in battle.out


@pytest.mark.parametrize(
    ("new", "near", "rows"),
    [("", "", 4), ("scoot,Scoot,5,1,3\n", "did you mean scoot?; ", 4), ("scoot,Scoot,x,1,3\n", "", 0)],
)
def test_a_fighter_that_is_renamed_or_gone_leaves_sources_behind_that_block_nothing(
    new: str, near: str, rows: int, balance: Command, made: Path
) -> None:
    for name in ("fighters", "armies"):
        path = made / "data" / f"{name}.csv"
        text = path.read_text("utf-8")
        text = text.replace("scout,Scout,5,1,3\n", new) if name == "fighters" else text.replace("scout", "soldier")
        path.write_text(text, "utf-8")
    asked, checked = balance("attack", "sky_rats", "knight", "giant"), balance("check", "sky_rats")
    if not rows:
        assert (asked.status, checked.status) == (2, 2)
        assert asked.err == checked.err
        assert "'x' is not a number" in asked.err and "SOURCES" not in asked.err
        return
    assert (asked.status, checked.status) == (0, 0)
    where = "sky_rats/data/SOURCES.csv"
    told = "has rows about what is not in this catalogue (scout); `balance check` lists them"
    assert asked.err == f"note: {where} {told}\n"
    names = "soldier, knight, giant" if not near else "scoot, soldier, knight, giant"
    todo = f"{rows} rows name it: delete them if the entry is gone, or write its new id in them"
    (note,) = (line for line in checked.out.splitlines() if "SOURCES.csv" in line)
    assert note == (
        f"note: {made}/data/SOURCES.csv, row 2, id: 'scout' is not in this catalogue; allowed: {names}; {near}{todo}"
    )
    assert json.loads(balance("duel", "sky_rats", "knight", "giant", "--json").out)["schema"] == 1


def test_its_cards_can_go_through_a_workbook(balance: Command, made: Path) -> None:
    assert balance("export", "sky_rats", "cards.xlsx").status == 0
    cells = openpyxl.load_workbook("cards.xlsx")
    cells["fighters"]["A6"], cells["fighters"]["B6"] = "ninja", "Ninja"
    for cell, number in (("C6", "12,0"), ("D6", 2), ("E6", "4")):  # as a spreadsheet set to Italian keeps text
        cells["fighters"][cell] = number
    cells.save("cards.xlsx")
    read = balance("import", "sky_rats", "cards.xlsx")
    assert (read.status, "Wrote sky_rats/data/fighters.csv\n" in read.out) == (0, True)
    assert "Commands started in this folder now use it." in read.out
    assert "ninja,Ninja,12,2,4" in (made / "data" / "fighters.csv").read_text("utf-8").splitlines()
    assert balance("attack", "sky_rats", "ninja", "giant").status == 0


def test_tables_beside_you_stay_those_of_its_cards(balance: Command, made: Path) -> None:
    """Where commands use `data/GAME`, a workbook goes there: what is imported is what is used."""
    assert balance("export", "sky_rats", "cards.xlsx").status == 0
    assert balance("import", "sky_rats", "cards.xlsx", "--to", "data/sky_rats").status == 0
    assert "Wrote" in balance("import", "sky_rats", "cards.xlsx").out
    assert not (made / "data" / ".last_import").exists()
    assert "data/sky_rats" in balance("attack", "sky_rats", "knight", "giant", "--more").out


def test_a_study_of_it_is_made_and_forecast(balance: Command, made: Path) -> None:
    assert balance("init", "sky_rats").status == 0
    assert balance("run", "study.toml", "--dry-run").status == 0


@pytest.mark.slow("test_a_study_of_it_is_made_and_forecast")
def test_a_study_and_a_report_of_it_work(balance: Command, made: Path) -> None:
    assert balance("init", "sky_rats").status == 0
    assert balance("run", "study.toml", "--jobs", "1", "-q").status == 0
    done = balance("report", "sky_rats", "--format", "html", "--jobs", "1", "-q")
    assert done.status == 0
    assert done.err == ""
    page = Path("reports/sky_rats/index.html").read_text("utf-8")
    assert "Who wins in Sky rats?" in page
    assert "Score of the army on the left" in page


BATTLES = 'game = "sky_rats"\nlevel = "battle"\nmetrics = [{}]\n[policies]\npolicy_a = ["steady", "bold"]\n'


@pytest.mark.slow("test_a_study_of_it_is_made_and_forecast")
def test_a_study_of_battles_takes_armies(balance: Command, made: Path) -> None:
    Path("battles.toml").write_text(BATTLES.format('"match_ups"'), "utf-8")
    done = balance("run", "battles.toml", "--jobs", "1", "-q")
    assert (done.status, done.err) == (0, "")
    balance("tables", "runs/battles", "--format", "csv", "--out", "csv")
    assert {row.split(",")[0] for row in Path("csv/entrants.csv").read_text("utf-8").splitlines()[1:]} == {
        "patrol",
        "guard",
        "screen",
        "vanguard",
    }
    assert balance("report", "runs/battles", "--format", "html").status == 0


def test_cards_are_not_read_off_battles(balance: Command, made: Path) -> None:
    Path("battles.toml").write_text(BATTLES.format('"match_ups", "cards"'), "utf-8")
    done = balance("run", "battles.toml", "--jobs", "1", "-q")
    assert done.status == 2
    assert "metrics: 'cards' cannot be had of what a battle takes" in done.err


def test_an_army_of_nobody_is_told(balance: Command, made: Path) -> None:
    armies = made / "data" / "armies.csv"
    armies.write_text(armies.read_text("utf-8").replace("knight;soldier", "knight;sailor"), "utf-8")
    done = balance("check", "sky_rats")
    assert done.status == 2
    assert "armies.csv, row 3, fighters: 'sailor' is not in fighters" in done.err


def test_a_rule_that_fails_is_told_by_its_line_and_is_no_bug_of_ours(balance: Command, made: Path) -> None:
    code = (made / "game.py").read_text("utf-8")
    (made / "game.py").write_text(code.replace("return rolls.count(", "return rolls.counts("), "utf-8")
    done = balance("attack", "sky_rats", "knight", "giant")
    assert (done.status, done.out) == (2, "")
    assert "game.py, line " in done.err
    assert "that is the code of your game" in done.err
    assert "Traceback" in balance("--debug", "attack", "sky_rats", "knight", "giant").err


STUDY = 'game = "sky_rats"\nentrants = ["knight", "giant"]\nexact = "never"\n[budget]\ntrials = 70_000\n'


@pytest.mark.slow
def test_other_processes_play_the_rules_as_they_are_now(made: Path, tmp_path: Path) -> None:
    """What is kept of earlier runs is not taken for the rules that were changed since, and a fault there is told."""
    Path("study.toml").write_text(STUDY, "utf-8")
    code = (made / "game.py").read_text("utf-8")

    def score(rule: str) -> str:
        (made / "game.py").write_text(code.replace("return rolls.count(", f"return {rule}("), "utf-8")
        command = [sys.executable, "-m", "balance", "run", "study.toml", "--out", f"runs/{len(rule)}", "--json"]
        done = subprocess.run([*command, "--jobs", "2", "--cache", "cache"], capture_output=True, text=True)
        if done.returncode:
            return done.stderr
        tables = [sys.executable, "-m", "balance", "tables", f"runs/{len(rule)}", "--format", "csv", "--out", "csv"]
        subprocess.run(tables, check=True, capture_output=True)
        return Path("csv/tasks.csv").read_text("utf-8")

    assert score("rolls.count") != score("1 + rolls.count")
    assert "game.py, line " in score("rolls.counts")


def test_the_templates_are_listed_for_programs_too(balance: Command) -> None:
    document = json.loads(balance("new-game", "--json", "--template").out)
    assert "hit-wound-save" in json.dumps(document)
    assert document["verb"] == "new-game"

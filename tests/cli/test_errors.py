"""Whatever a user gets wrong: status 2, one line for each fault, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command

ATTACK = ("attack", "warforged", "nexus+assault_rifle", "whisper")
DUEL = ("duel", "warforged", "nexus+assault_rifle", "whisper+sidearm")

MISTAKES = {
    "unknown game": (("attack", "warfroged", "x", "y"), ["no game 'warfroged'", "did you mean warforged?"]),
    "unknown unit": (
        ("attack", "warforged", "nexsus+sidearm", "whisper"),
        ["'nexsus'", "units", "did you mean nexus?"],
    ),
    "unknown weapon": (("attack", "warforged", "nexus+asault_rifle", "whisper"), ["did you mean assault_rifle?"]),
    "unknown target": (("attack", "warforged", "nexus+sidearm", "wisper"), ["defender", "did you mean whisper?"]),
    "heavy weapon": (("attack", "warforged", "nexus+rail_lance", "whisper"), ["'rail_lance' is a heavy weapon", "WF-"]),
    "handling": (("attack", "warforged", "whisper+shotgun", "nexus"), ["too much handling", "at most 1"]),
    "no weapon": (("attack", "warforged", "nexus", "whisper"), ["uses one weapon", "found 0"]),
    "unarmed duel": (("duel", "warforged", "nexus", "whisper+sidearm"), ["no weapon"]),
    "precision 0": ((*ATTACK, "--set", "attacker.precision=0"), ["precision", "'0'", "from 1 to 10"]),
    "precision 11": ((*ATTACK, "--set", "attacker.precision=11"), ["precision", "'11'", "from 1 to 10"]),
    "negative health": ((*ATTACK, "--set", "defender.health=-1"), ["health", "'-1'", "from 1 to 999"]),
    "huge health": ((*ATTACK, "--set", "defender.health=1000000000"), ["out of range"]),
    "not a number": ((*ATTACK, "--set", "attacker.damage=nan"), ["damage"]),
    "unknown field": ((*ATTACK, "--set", "attacker.precison=3"), ["did you mean precision?"]),
    "unknown root": ((*ATTACK, "--set", "attacer.precision=3"), ["did you mean attacker?"]),
    "no assignment": ((*ATTACK, "--set", "precision"), ["is not an assignment", "ROOT.FIELD=VALUE"]),
    "set twice": ((*ATTACK, "--set", "attacker.damage=1", "--set", "attacker.damage=2"), ["is set twice"]),
    "unknown ability": ((*ATTACK, "--set", "defender.abilities=slimm"), ["did you mean slim?"]),
    "unknown reading": ((*ATTACK, "--set", "rules.faces=1-6"), ["faces", "1-10, 0-9"]),
    "0 trials": ((*ATTACK, "--trials", "0"), ["trials must be from 1", "found 0"]),
    "negative trials": ((*ATTACK, "--trials", "-5"), ["found -5"]),
    "1e30 trials": ((*ATTACK, "--trials", "1e30"), ["trials must be from 1 to 1,000,000,000,000"]),
    "1e999999999 trials": ((*ATTACK, "--trials", "1e999999999"), ["not a number of trials"]),
    "half a trial": ((*ATTACK, "--trials", "0.5"), ["not a number of trials"]),
    "text for trials": ((*ATTACK, "--trials", "many"), ["'many' is not a number of trials"]),
    "negative seed": ((*ATTACK, "--seed", "-1"), ["a seed is a whole number from 0"]),
    "no lane": ((*ATTACK, "--lane", "fast"), ["'literal', 'compiled'"]),
    "no jobs": ((*ATTACK, "--jobs", "0"), ["--jobs"]),
    "width 0": ((*DUEL, "--half-width", "0"), ["between 0 and 0.5"]),
    "width nan": ((*DUEL, "--half-width", "nan"), ["between 0 and 0.5"]),
    "both budgets": ((*DUEL, "--half-width", "0.1", "--trials", "5"), ["either a number of trials or a half-width"]),
    "unknown seat": ((*DUEL, "--first", "c"), ["a, b, random", "'c'"]),
    "no folder": ((*ATTACK, "--catalogue", "nowhere"), ["nowhere: there is no such folder"]),
    "unknown verb": (("atack",), ["No such command 'atack'", "Did you mean 'attack'?"]),
    "unknown option": ((*ATTACK, "--tirals", "5"), ["--tirals", "--trials"]),
    "too few arguments": (("duel", "warforged"), ["Missing argument 'A': balance duel GAME A B\n"]),
    "no game to price": (("price",), ["Missing argument 'GAME': balance price GAME [CARD]\n"]),
    "a game for a verb": (
        ("warforged", "duel"),
        ["'warforged' is a game, and what to do comes before it: balance show"],
    ),
    "unknown table": (("show", "warforged", "wepons"), ["did you mean weapons?"]),
    "no workbook": (("import", "warforged", "nothing.xlsx"), ["nothing.xlsx", "no such file"]),
    "not a workbook's name": (("export", "warforged", "cards.txt"), ["cards.txt", ".xlsx"]),
    "no folder for it": (("export", "warforged", "/dev/null/cards.xlsx"), ["/dev/null/cards.xlsx: cannot be written"]),
    "nothing to check": (
        ("check", "nowhere", "none.csv"),
        ["nowhere: there is no such file, folder or game", "none.csv: there is no"],
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_one_line(mistake: str, balance: Command, elsewhere: Path) -> None:
    arguments, expected = MISTAKES[mistake]
    done = balance(*arguments)
    assert done.status == 2
    assert all(text in done.err for text in expected), done.err
    assert "Traceback" not in done.err
    assert all(re.match(r"error: |Try 'balance", line) for line in done.err.splitlines()), done.err
    assert done.out == "" or arguments[0] == "check"
    assert list(elsewhere.iterdir()) == []


def test_errors_stay_text_with_json(balance: Command) -> None:
    done = balance(*ATTACK, "--json", "--set", "attacker.precision=11")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: --set attacker, precision: '11' is out of range")


def test_every_rule_that_a_loadout_breaks_is_told(balance: Command) -> None:
    done = balance("attack", "warforged", "nexus+assault_rifle+assault_rifle", "whisper")
    assert [line[:7] for line in done.err.splitlines()] == ["error: ", "error: "]


def test_what_a_user_typed_cannot_write_on_the_terminal(balance: Command) -> None:
    done = balance("attack", "warforged", "ne\nxus\x1b[31m", "whisper")
    assert done.status == 2
    assert len(done.err.splitlines()) == 1
    assert "\x1b" not in done.err


def test_a_catalogue_with_faults_tells_them_all(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx", "--to", "mine")
    units = elsewhere / "mine" / "units.csv"
    units.write_text(units.read_text().replace("24,4,8", "24,4,-8").replace("14,6,4", "14,6,x"))
    done = balance(*ATTACK, "--catalogue", "mine")
    assert done.status == 2
    assert [line.partition("units.csv, ")[2][:13] for line in done.err.splitlines()] == [
        "row 2, health",
        "row 3, health",
    ]

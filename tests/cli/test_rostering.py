"""`balance roster`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.catalogue.battlescribe_army import ARMY, ROSTER
from tests.cli.conftest import Command


@pytest.fixture
def army(elsewhere: Path) -> Path:
    for name, text in ARMY.items():
        (elsewhere / name).write_text(text, "utf-8")
    return elsewhere


def test_what_is_there_is_shown(balance: Command, army: Path) -> None:
    done = balance("roster", "army.cat", "army.gst")
    assert (done.status, done.err) == (0, "note: army.gst: left out, since nothing here links or imports it: Unused\n")
    assert "M, W, pts" in done.out and "Goblin & Söhne" in done.out


def test_a_table_of_ones_own_columns(balance: Command, army: Path) -> None:
    done = balance(
        "roster",
        "army.cat",
        "army.gst",
        "--type",
        "Unit",
        "--column",
        "health=W",
        "--column",
        "speed=M",
        "--out",
        "u.csv",
    )
    assert done.status == 0 and "Wrote u.csv: 2 rows, 4 columns" in done.out
    assert "note: column speed holds numbers" in done.err
    rows = list(csv.DictReader(Path("u.csv").read_text("utf-8").splitlines()))
    assert rows[1] == {"id": "troll", "name": "Troll", "health": "4", "speed": "6"}
    assert balance("roster", "army.cat", "--out", "u.csv").status == 2
    assert balance("roster", "army.cat", "--out", "u.xlsx").status == 0 and Path("u.xlsx").exists()


def test_one_object_of_json(balance: Command, army: Path) -> None:
    found = json.loads(balance("roster", "army.cat", "--json").out)
    assert (found["schema"], found["verb"], found["profile_types"]) == (1, "roster", {"Unit": 2})
    assert {"file": "army.cat", "line": 37, "id": "club"}.items() <= found["unresolved"][-1].items()
    assert len(found["rows"]) == 2 and len(found["rows"][0]) == len(found["columns"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothere.cat"], "nothere.cat: cannot be read"),
        (["army.cat", "army.cat"], "is named twice"),
        (["army.cat", "--type", "Unti"], "did you mean Unit?"),
        (["army.cat", "--column", "health"], "allowed: NEW=OLD"),
        (["army.cat", "--column", "health=Wd"], "did you mean W?"),
        (["army.cat", "--out", "u.txt"], "end it in .csv or .xlsx"),
    ],
)
def test_what_makes_no_sense_is_told(balance: Command, army: Path, words: list[str], told: str) -> None:
    done = balance("roster", *words)
    assert done.status == 2 and told in done.err
    assert not list(army.glob("u.*"))


def test_a_hostile_name_stays_a_text_on_the_screen(balance: Command, army: Path) -> None:
    Path("army.cat").write_text(ARMY["army.cat"].replace('name="Troll"', 'name="[red]&#10;Troll[/red]"'), "utf-8")
    assert "[red] Troll[/red]" in balance("roster", "army.cat").out


def test_the_price_of_a_unit_is_with_its_models_and_adds_up_to_the_roster(balance: Command, army: Path) -> None:
    price = '<costs><cost name="pts" value="36.5"/></costs>'
    model = f'<selection id="m" name="Rider" number="3" type="model">{price}</selection>'
    text = ROSTER.replace('<selections><selection id="s2"', f'<selections>{model}<selection id="s2"')
    Path("mine.ros").write_text(
        text.replace("<forces>", '<costs><cost name="pts" value="86.5"/></costs><forces>'), "utf-8"
    )
    done = balance("roster", "mine.ros", "--column", "cost_points=pts", "--out", "u.csv")
    assert done.status == 0
    assert "note: mine.ros: pts of the rows 86.5, left over 0: together the roster's 86.5" in done.err
    assert "multiply every cost by 2" in done.err
    assert Path("u.csv").read_text("utf-8") == "id,name,cost_points\ntroll,Troll,86.5\n"


def test_where_nothing_has_a_profile_no_table_is_written(balance: Command, army: Path) -> None:
    link = '<entryLinks><entryLink id="l" targetId="gone" type="selectionEntry"/></entryLinks>'
    Path("bare.cat").write_text(f'<catalogue id="c" name="C">{link}</catalogue>', "utf-8")
    for words in (["bare.cat"], ["bare.cat", "--out", "u.csv"], ["bare.cat", "--json"]):
        done = balance("roster", *words)
        assert done.status == 2 and done.out == ""
        assert "nothing in it has a profile" in done.err and "such as gone" in done.err
    assert not Path("u.csv").exists()
    assert "bare.cat: nothing in it has a profile" in balance("roster", "army.cat", "bare.cat").err


def test_costs_are_on_the_screen_however_many_characteristics_there_are(balance: Command, army: Path) -> None:
    traits = "".join(f'<characteristic name="T{n}" typeId="t{n}">{n}</characteristic>' for n in range(20))
    Path("army.cat").write_text(ARMY["army.cat"].replace("<characteristics>", f"<characteristics>{traits}"), "utf-8")
    done = balance("roster", "army.cat", "--type", "Unit")
    assert "pts" in done.out.rpartition("T3")[2]


def test_check_says_what_a_roster_is(balance: Command, elsewhere: Path) -> None:
    (elsewhere / "mine.ros").write_text(ROSTER, "utf-8")
    (elsewhere / "bad.ros").write_text("x", "utf-8")
    done = balance("check", "mine.ros")
    assert done.status == 0 and "mine.ros (BattleScribe roster): sound; 1 profile" in done.out
    assert "Troll" in balance("check", "mine.ros", "--explain").out
    assert balance("check", "bad.ros").status == 2

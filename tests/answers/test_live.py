"""The page of a game says what the command says of the game as it was saved, in every number and digit."""

from __future__ import annotations

import random
import shlex
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.rulebook.plain.reading import split_file
from tests.answers.live import TEMPLATES, Table, asked, game, random_edits, same_as_the_command, with_edits

HIT_WOUND_SAVE = next(file for file in TEMPLATES if file.stem == "hit-wound-save")
RULES, TABLE = split_file(HIT_WOUND_SAVE)
SIDES = {"a": "raiders", "b": "guard"}


def saved(folder: Path, rules: str, table: Table) -> Path:
    """Write the game that the page saves."""
    file = folder / "game.toml"
    file.write_text(asked("file", now=game(rules, table))[-1]["text"], "utf-8")
    return file


def same_for_random_edits(folder: Path, template: Path, many: int) -> None:
    luck, (rules, table) = random.Random(template.stem), split_file(template)
    for _ in range(many):
        changed = with_edits(table, random_edits(luck, table))
        one, other = luck.sample([row[table[0].index("id")] for row in table[1:]], 2)
        shown = asked(now=game(rules, changed), before=game(rules, table), a=one, b=other)[-1]
        same_as_the_command(shown, saved(folder, rules, changed), one, other)


def test_random_edits_equal_the_command_on_the_saved_game(tmp_path: Path) -> None:
    same_for_random_edits(tmp_path, HIT_WOUND_SAVE, 2)


@pytest.mark.slow("test_random_edits_equal_the_command_on_the_saved_game")
@pytest.mark.parametrize("template", TEMPLATES, ids=[file.stem for file in TEMPLATES])
def test_edits_of_every_template_equal_the_command(tmp_path: Path, template: Path) -> None:
    same_for_random_edits(tmp_path, template, 4)


def test_each_answer_stands_beside_that_of_the_file() -> None:
    changed = with_edits(TABLE, [(0, TABLE[0].index("skill"), "3")])
    parts = asked(now=game(RULES, changed), before=game(RULES, TABLE), **SIDES)
    assert "attack" in parts[0] and "duel" not in parts[0]  # the quickest first
    (row,) = parts[-1]["attack"]["rows"]
    assert row["cells"][0]["was"] == "was 0.972"
    assert row["cells"][0]["change"] == "+0.324"
    (row,) = asked(now=game(RULES, TABLE), before=None, **SIDES)[-1]["attack"]["rows"]
    assert "was" not in row["cells"][0]


def run(command: str) -> float:
    """Return the first mean that a command line says."""
    _, kind, file, one, other, *words = shlex.split(command)
    sets = words[1::2]
    mean: dict[str, float] = balance.ask(file, kind, one, other, set=sets, quiet=True).to_dict()["exact"]["mean"]
    return next(iter(mean.values()))


@pytest.mark.parametrize(
    ("column", "text", "said"),
    [
        ("skill", "3", "--set attacker.skill=3"),
        ("keywords", "lethal", "--set attacker.keywords=lethal"),
        ("name", "Rovers", "game_2.toml raiders"),
    ],
)
def test_the_command_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    changed = with_edits(TABLE, [(0, TABLE[0].index(column), text)])
    Path("game.toml").write_bytes(HIT_WOUND_SAVE.read_bytes())
    saved(tmp_path, RULES, changed).rename("game_2.toml")
    Path("game.toml").write_bytes(HIT_WOUND_SAVE.read_bytes())
    view = asked(now=game(RULES, changed), before=game(RULES, TABLE), **SIDES)[-1]["attack"]
    assert said in view["command"]
    assert run(view["command"]) == pytest.approx(view["mean"]["damage"], abs=1e-12)


def test_faults_are_those_of_check_each_at_its_place(tmp_path: Path) -> None:
    changed, rules = with_edits(TABLE, [(1, TABLE[0].index("save"), "x")]), RULES.replace("d6 count", "d6 cuont")
    faults = asked(now=game(rules, changed), **SIDES)[-1]["faults"]
    assert [faults[0][key] for key in ("path", "row", "field")] == ["units", 3, "save"]
    with pytest.raises(balance.BalanceError) as error:
        balance.load(str(saved(tmp_path, rules, changed)))
    assert {fault["text"].partition(": ")[2] for fault in faults} == {
        str(fault).partition(": ")[2] for fault in error.value.faults
    }
    line = RULES.split("\n")[faults[-1]["row"] - 1]
    assert "count" in line and "^cuont" in faults[-1]["text"]


@pytest.mark.parametrize(
    "text",
    ["Name;Cost;attacks;keywords\nRed Ant;10;2;fast, tough\n", "id,name,cost,attacks,keywords\nred_ant,Red Ant,10,2,x"],
)
def test_tables_of_spreadsheets_are_read(text: str) -> None:
    ((header, row),) = (part["table"] for part in asked("table", text=text))
    assert dict(zip(header, row, strict=True)) | {"id": "red_ant", "name": "Red Ant", "attacks": "2"} == dict(
        zip(header, row, strict=True)
    )


def test_a_cell_of_the_matrix_is_the_duel_from_both_first_moves() -> None:
    cell = asked("cell", now=game(RULES, TABLE), **SIDES)[-1]
    duel = asked(now=game(RULES, TABLE), before=None, **SIDES)[-1]["duel"]
    wins: Any = duel["p_win"]
    assert cell["there"]["score"] == pytest.approx(wins["a"] + wins["draw"] / 2, abs=1e-12)
    back = asked("cell", now=game(RULES, TABLE), a=SIDES["b"], b=SIDES["a"])[-1]
    assert back["there"]["score"] == pytest.approx(cell["back"]["score"], abs=1e-12)


def no_hits(values: Any, rolls: Any) -> Any:
    return values["roll"] * 0


def test_steps_in_python_have_no_page(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    step = f'hits = {{ python = "{__name__}:no_hits" }}'
    file.write_text(HIT_WOUND_SAVE.read_text("utf-8").replace('hits = "roll count me.skill+"', step), "utf-8")
    with pytest.raises(balance.BalanceError) as error:
        balance.page(str(file), out=tmp_path / "page.html", quiet=True)
    assert [fault.field for fault in error.value.faults] == ["attack.hits"]
    assert not (tmp_path / "page.html").exists()

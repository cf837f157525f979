"""What docs/reference/game-files.md says of a game file is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from balance.base.arrays import IntArray
from balance.game.authoring.conformance import check_game
from balance.game.loaded import LoadedGame, load

if TYPE_CHECKING:
    from collections.abc import Mapping


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "game-files.md"


def game(folder: Path, text: str) -> LoadedGame:
    """Return the game of a file with this text."""
    (folder / "iron.toml").write_text(text, "utf-8")
    return load(str(folder / "iron.toml"))


def example() -> str:
    """Return the file that the page shows."""
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return str(text)


def attack_of(text: str) -> str:
    """Return a file of two units with these steps."""
    units = "a = { name = 'A', dice = 3, skill = 4, sides = 8, best = 2, hp = 9, keywords = 'lead' }\n"
    return (
        f"health = 'hp'\n[units]\n{units}b = {{ name = 'B', dice = 1, skill = 5, sides = 6, best = 1, hp = 9 }}\n{text}"
    )


@pytest.mark.slow("tests/rulebook/test_playing.py::test_an_attack_is_exact")
def test_the_whole_of_it_keeps_the_promises_of_a_game(tmp_path: Path) -> None:
    game(tmp_path, example())
    assert check_game(str(tmp_path / "iron.toml")) == ()


@pytest.mark.parametrize(
    ("step", "mean"),
    [
        ("me.dice d6 count me.skill+", 1.5),
        ("me.dice d6 count me.skill..5", 1.0),
        ("me.dice d6 count (foe.skill - 1)+", 1.5),
        ("d(me.sides)", 4.5),
        ("me.dice d6 keep me.best", 8.4583),
        ("(me.dice - 5) d6 count 4+", 0.0),
        ("me.dice d6 count 7+", 0.0),
        ("foe.hp_at_start - foe.hp + me.units", 1.0),
        ("me.attacker + 2 * foe.attacker", 1.0),
        ("if(me.lead, 2, 5) + if(foe.lead, 10, 0)", 2.0),
    ],
)
def test_a_name_stands_wherever_a_number_may(step: str, mean: float, tmp_path: Path) -> None:
    loaded = game(tmp_path, attack_of(f"[attack]\nresult = '{step}'\n'foe.hp' = 'foe.hp - result'\n"))
    plain = game(tmp_path, attack_of(f"[attack]\nresult = '{step}'\n[ends]\nout = 'me.hp = 0'\n"))
    assert plain.attack("a", "b").distribution.mean("damage") == pytest.approx(mean, abs=1e-4)
    assert loaded.attack("a", "b").distribution.mean("damage") <= mean + 1e-4, "no more than it has"


def test_numbers_options_tables_and_dice_have_names(tmp_path: Path) -> None:
    text = """
[numbers]
crit = 6
[options.crits_count_two]
value = 1
[dice]
red = "{hit, hit, -}"
[tables]
to_wound = { "<= -1" = 6, "0" = 5, "1..2" = 4, else = 3 }
chart = { rows = ["1", "2+"], columns = ["1..4", "5+"], values = [[1, 2], [3, 4]] }
[attack]
hits = "3 red count hit"
result = "hits + crit + 10 * crits_count_two + 100 * to_wound[me.dice - foe.dice] + 1000 * chart[me.dice, foe.skill]"
[ends]
out = "me.hp = 0"
"""
    loaded = game(tmp_path, attack_of(text))
    assert loaded.attack("a", "b").distribution.mean("damage") == pytest.approx(2 + 6 + 10 + 400 + 4000)
    other = loaded.attack("a", "b", {"rules.crits_count_two": 0})
    assert other.distribution.mean("damage") == pytest.approx(2 + 6 + 400 + 4000)


def test_a_leader_reaches_its_friends_while_it_lives(tmp_path: Path) -> None:
    text = """
[attack]
hits = "1"
"foe.hp" = "foe.hp - hits"
[keywords.lead.friends]
hits = "+ 8"
"""
    loaded = game(tmp_path, attack_of(text))
    rounds = {
        army: loaded.ask("battle", army, "b", first="a").distribution.mean("rounds")
        for army in ("b", "b,a", "b,b", "a")
    }
    assert rounds["b,a"] == 1.0, "b hits nine times with a leader beside it"
    assert rounds["b"] == 9.0
    assert rounds["a"] == 9.0, "no unit leads itself"
    assert rounds["b,b"] == 5.0


def test_a_turn_that_passes_ends_after_the_unit_that_passed_it(tmp_path: Path) -> None:
    """Two units bring nine health down by one each in five rounds; where the first passes the turn, in nine."""
    attack = "[attack]\nhits = '1'\n'foe.hp' = 'foe.hp - hits'\n"
    both = game(tmp_path, attack_of(attack)).ask("battle", "b,b", "b", first="a").distribution
    passing = game(tmp_path, attack_of(attack + "[turn]\npasses = '1'\n"))
    first = passing.ask("battle", "b,b", "b", first="a").distribution
    assert (both.mean("rounds"), first.mean("rounds")) == (5.0, 9.0)


def deal(values: Mapping[str, IntArray], rolls: object) -> IntArray:
    """Return a result of a step: twice the dice of the unit that attacks."""
    return 2 * values["dice_thrown"]


def test_a_python_function_may_stand_for_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a function that lies where you are is none of an installed package
    text = f"""
[attack]
dice_thrown = "me.dice"
damage = {{ python = "{__name__}:deal" }}
"foe.hp" = "foe.hp - damage"
"""
    loaded = game(tmp_path, attack_of(text))
    assert loaded.attack("a", "b").distribution.mean("damage") == 6.0
    assert loaded.duel("a", "b", first="a").p_win()["a"] == 1.0

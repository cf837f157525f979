"""`balance tornado`: what it prints of a toss of coins, where every number is known, and its one object."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

import balance as toolkit
from balance.analysis.claims.region import Turn
from balance.analysis.claims.robustness import robustness
from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.terminal import say
from balance.answers.words.questions import tornado
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.registry import GAMES
from tests.analysis.coins import STATED, written
from tests.cli.conftest import Command

TORNADO = ("tornado", "coins", "toss", "ann", "bob", "--catalogue", "cards", "--quiet", "--more")


@pytest.fixture(autouse=True)
def coins(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(GAMES, "coins", "tests.analysis.coins:GAME")
    written(elsewhere / "cards")
    return elsewhere / "cards"


def test_all_is_told_from_the_widest_to_what_cannot_be_seen(balance: Command) -> None:
    done = balance(*TORNADO)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "  Score of a 75.0%: a is ahead. 20 values that nobody stated moved, one at a",
        "  time. No single move flips it; 3 together do: 50.0%: tied. They were found one",
        "  after the other, so that fewer may do.",
        "",
        "  value                    is    lowest         highest        flips",
        " ────────────────────────────────────────────────────────────────────",
        "  faces.a_1.results (+4)   HIT   66.7% at MIS   75.0%",
        "  faces.b_1.results (+1)   HIT   75.0%          83.3% at MIS",
        "  faces.b_3.results (+3)   MIS   66.7% at HIT   75.0%",
        "  faces.a_6.results        MIS   75.0%          83.3% at HIT",
        "",
        "  (+n): n others of the table that do the same",
        "",
        "  move                from   to",
        " ────────────────────────────────",
        "  faces.a_1.results   HIT    MIS",
        "  faces.a_2.results   HIT    MIS",
        "  faces.a_3.results   HIT    MIS",
        "",
        "  Where it stands: 42.9% of this grid",
        "  Across: faces of a from HIT to MIS. Down: faces of b from MIS to HIT. Below 0",
        "  the other way round.",
        "  In per cent; in brackets where it flips.",
        "",
        "       −1    0   +1   +2   +3   +4   +5",
        "  −2  100   92   83   75   67   58 [50]",
        "  −1   92   83   75   67   58 [50] [42]",
        "   0   83   75   67   58 [50] [42] [33]",
        "  +1   75   67   58 [50] [42] [33] [25]",
        "  +2   67   58 [50] [42] [33] [25] [17]",
        "  +3   58 [50] [42] [33] [25] [17]  [8]",
        "  +4 [50] [42] [33] [25] [17]  [8]  [0]",
        "",
        "  Not measurable here, as no move changes anything of the distribution: 8 values",
        "  (2 of faces, 6 of players).",
        "",
        "  Refused, whatever else they might be: 2 values (2 of players).",
        "",
        "  a      Ann",
        "  b      Bob",
        "  costs  a 10 points, b 20 points",
        "  Exact; Coins, catalogue cards e1c7a7539a53.",
    ]


@pytest.mark.parametrize(
    ("asked", "begin", "flip"),
    [
        (
            ("--at-least", "0.7"),
            "Score of a 75.0%: at least 70.0%.",
            "Changing any one of 9 values can make it 66.7%: less",
        ),
        (
            ("--at-most", "0.7"),
            "Score of a 75.0%: more than 70.0%.",
            "Changing any one of 9 values can make it 66.7%: at most",
        ),
        (("--at-least", "0.6"), "Score of a 75.0%: at least 60.0%.", "No single move flips it; 2 together do: 58.3%:"),
        (("--moves", "2"), "a is ahead.", "Not found within 2 moves; the nearest, by 2 moves, is 58.3%: a is ahead."),
        (("--measure", "score=b"), "Score of b 25.0%: a is ahead.", "No single move flips it; 3 together do"),
        (("--measure", "wins=b"), "Wins of b 5.6%: less likely than not.", "Not found within 4 moves; the nearest"),
        (("--measure", "chance=hits"), "hits >= 1 83.3%: more likely than not.", "2 together do: 50.0%: as likely"),
        (("--measure", "mean=hits"), "Mean hits 0.833.", "Nothing is concluded from it: say what should hold with"),
        (
            ("--measure", "mean=hits", "--at-most", "1"),
            "Mean hits 0.833: at most 1.00.",
            "the nearest, by 1 move, is 1.00",
        ),
    ],
)
def test_a_conclusion_is_told_in_words(balance: Command, asked: tuple[str, ...], begin: str, flip: str) -> None:
    done = balance(*TORNADO, *asked)
    told = " ".join(done.out.split())
    assert (done.status, done.err) == (0, "")
    assert begin in told
    assert flip in told


def test_what_is_simulated_is_told_with_its_error(balance: Command) -> None:
    done = balance(
        "tornado", "coins", "series", *TORNADO[3:], "--trials", "64", "--at-least", "0.75", "--over", "faces"
    )
    told = " ".join(done.out.split())
    assert done.out.endswith("  Simulated, 64 trials, seed 0; Coins, catalogue cards e1c7a7539a53.\n")
    assert "not yet known. 14 values that nobody stated moved, one at a time. All with the same dice;" in told
    assert "points, with a confidence of 95%." in told
    assert "What follows is not yet known from so few trials: ask for more with --trials N." in told


def test_a_change_that_does_nothing_is_noted(balance: Command) -> None:
    done = balance(*TORNADO, "--set", "a.more=0")
    assert done.err == "note: a.more=0 is so already\n"


def test_the_object_says_all_of_it(balance: Command) -> None:
    found = json.loads(balance(*TORNADO, "--over", "faces, players", "--json").out)
    asked = {"game": "coins", "verb": "tornado", "kind": "toss", "policies": {}, "measure": "score of a"}
    assert {name: found[name] for name in asked} == asked
    assert found["inputs"]["set"] == []
    assert found["claim"] == {"kind": "side", "limit": 0.5}
    outcome = found["outcome"]
    assert (outcome["value"]["value"], outcome["verdict"], found["n_trials"]) == (pytest.approx(0.75), "above", None)
    one = next(span for span in found["spans"] if span["path"] == "faces.a_6.results")
    assert (one["old"], one["flips"], one["width"]) == ("MIS", [], pytest.approx(1 / 12))
    assert (one["lowest"]["to"], one["highest"]["to"]) == (None, "HIT")
    assert one["highest"]["value"] == one["highest"]["low"] == one["highest"]["high"] == pytest.approx(10 / 12)
    flip = found["smallest_flip"]
    assert (flip["does_flip"], found["max_moves"], flip["outcome"]["verdict"]) == (True, 4, "tied")
    assert flip["moves"][0] == {"path": "faces.a_1.results", "old": "HIT", "new": "MIS"}
    region = found["region"]
    assert region["across"] == {"of": ["a"], "old": "HIT", "new": "MIS", "steps": [-1, 0, 1, 2, 3, 4, 5]}
    assert [[cell["verdict"] for cell in row][-1] for row in region["cells"]] == ["tied"] + ["below"] * 6
    assert region["stands"] == pytest.approx(21 / 49)
    assert found["without_effect"][:2] == ["faces.box_1.results", "faces.box_2.results"]
    assert found["fixed"] == ["players.ann.kin", "players.bob.kin"]


def test_what_flips_by_itself_is_named(balance: Command, coins: Path) -> None:
    written(coins, ["HIT", "MIS"], ["MIS", "MIS"], stated=STATED[:3])
    found = json.loads(balance(*TORNADO, "--over", "faces", "--over", "rules", "--json").out)
    flips = {span["path"]: span["flips"] for span in found["spans"]}
    assert flips == {
        "faces.a_1.results": ["MIS"],
        "faces.a_2.results": [],
        "faces.b_1.results": ["HIT"],
        "faces.b_2.results": ["HIT"],
        "rules.ties": [],
    }


def test_what_moves_something_else_is_counted_beside_what_moves_the_number(balance: Command) -> None:
    done = balance(*TORNADO, "--over", "faces", "--measure", "mean=hits")
    assert "  faces.a_1.results (+4)   HIT   0.667 at MIS   0.833" in done.out
    assert "  No move of 6 other values that can be seen here changes this number.\n" in done.out
    assert "faces.b_" not in done.out


def test_of_many_rows_the_widest_are_shown(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tornado, "MOST_ROWS", 3)
    done = balance(*TORNADO, "--over", "faces")
    assert "faces.b_3.results (+3)" in done.out
    assert "faces.a_6.results" not in done.out
    assert "\n  1 more: --json lists all\n" in done.out


def test_a_grid_marks_what_is_refused_what_is_not_known_and_a_die_without_a_name(
    coins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded, query = written(coins), Query("series", "ann", "bob")
    found = robustness(Runner(loaded), query, trials=256)
    drawn = found.region
    assert drawn is not None
    refused = replace(drawn, down=Turn((), "HIT", "MIS", (), ()), cells=((None, *drawn.cells[2][1:]),))
    told_of = replace(found, region=refused)
    say(*screen_of_answer(tornado.WORDS, told_of, Terms.of(loaded, "series"), more=True))
    told = capsys.readouterr().out
    assert "Down: faces from HIT to MIS. Below 0" in told
    grid = next(row for row in told.splitlines() if row.startswith("  0 "))
    assert grid.split()[:2] == ["0", "-"]
    assert [cell for cell in grid.split() if cell.endswith("?")] == ["55?", "47?"]
    assert [cell for cell in grid.split() if cell.startswith("[")]


PAGE = (Path(toolkit.__file__).parents[1] / "docs" / "how-to" / "robustness.md").read_text("utf-8")


@pytest.mark.parametrize("command", re.findall(r"^\$ balance (.*)$", PAGE, re.MULTILINE))
def test_the_commands_of_the_page_work(balance: Command, command: str) -> None:
    done = balance(*shlex.split(command), "--quiet")
    assert (done.status, done.err) == (0, "")


@pytest.mark.slow("test_the_commands_of_the_page_work")
def test_the_page_finds_what_the_command_prints(balance: Command) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, object] = {}
    exec(compile(block, "robustness.md", "exec"), found)
    told = json.loads(balance(*shlex.split(re.findall(r"^\$ balance (.*)$", PAGE, re.MULTILINE)[0]), "--json").out)
    assert found["widest"] == told["spans"][0]["path"]
    assert found["fewest"] == len(told["smallest_flip"]["moves"])
    assert found["stands"] == told["region"]["stands"]


@pytest.mark.slow("test_the_object_says_all_of_it")
def test_a_picture_is_drawn_where_none_was(balance: Command, elsewhere: Path) -> None:
    asked = (*TORNADO, "--over", "faces", "--picture")
    assert balance(*asked, "faces.svg").status == 0
    drawn = (elsewhere / "faces.svg").read_text("utf-8")
    assert drawn.startswith("<svg")
    again = balance(*asked, "faces.svg")
    assert (again.status, again.out) == (2, "")
    assert again.err == "error: faces.svg: is already there; name another file with --picture\n"
    assert (elsewhere / "faces.svg").read_text("utf-8") == drawn
    wrong = balance(*asked, "faces.png")
    assert wrong.err == "error: --picture: 'faces.png' is not a name for a picture; end it in .svg\n"
    assert balance(*asked, "faces.png/faces.svg").status == 0  # a folder is made for it

"""compare, tables, init and --dry-run with real studies of a small game."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest

from balance.answers.media.answer import screen_of_answer
from balance.answers.media.terminal import say
from balance.answers.words.changes.comparison import WORDS
from balance.game.registry import GAMES
from balance.game.words import Words
from balance.study.compare.answer import CardChange, Comparison
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command
from tests.study.comparisons import comparison, match_up, standing, terms

STUDY = 'game = "skirmish"\nmetrics = ["match_ups"]\n'
SAMPLED = STUDY + 'exact = "never"\n[budget]\ntrials = 1000\n'
PATCH = 'title = "Heavier"\n[set]\n"fighters.{fighter}.dice" = 5\n'


@pytest.fixture(autouse=True)
def small_game(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    Path("study.toml").write_text(STUDY)
    Path("patch.toml").write_text(PATCH.format(fighter=fighter()))


def fighter() -> str:
    from tests.toy.game import GAME

    assert GAME.folder is not None
    return (GAME.folder / "fighters.csv").read_text().splitlines()[1].partition(",")[0]


@pytest.mark.slow("test_two_catalogues_are_compared")
def test_a_patch_is_compared(balance: Command) -> None:
    done = balance("compare", "study.toml", "--patch", "patch.toml", "--out", "cmp", "--jobs", "1", "--more")
    assert (done.status, done.err) == (0, "")
    assert all(Path("cmp", name).is_file() for name in ("index.html", "report.pdf", "compare.json", "changes.parquet"))
    assert "Heavier" in done.out
    assert json.loads(Path("cmp/compare.json").read_text())["summary"]["n_touched"] > 0


@pytest.mark.slow("test_two_catalogues_are_compared")
def test_the_same_comparison_gives_the_same_bytes(balance: Command) -> None:
    Path("study.toml").write_text(SAMPLED)
    for out in ("one", "two"):
        arguments = ("--patch", "patch.toml", "--out", out, "--format", "html", "--jobs", "1", "--no-cache")
        assert balance("compare", "study.toml", *arguments).status == 0
    for name in ("index.html", "compare.json", "changes.parquet"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()


@pytest.mark.slow("test_two_catalogues_are_compared")
def test_a_broken_limit_ends_with_one(balance: Command) -> None:
    with Path("patch.toml").open("a") as file:
        file.write("[limits]\nmax_change = 0.0\n")
    done = balance("compare", "study.toml", "--patch", "patch.toml", "--out", "cmp", "--json", "--format", "html")
    assert done.status == 1
    assert done.err.startswith("error: limit broken: max_change is 0")
    assert json.loads(done.out)["broken_limits"]


def test_two_catalogues_are_compared(balance: Command) -> None:
    from tests.toy.game import GAME

    assert GAME.folder is not None
    for name in ("old", "new"):
        shutil.copytree(GAME.folder, name)
    arguments = ("--base", "old", "--patch", "new", "--out", "cmp", "--json", "--format", "html", "--jobs", "1")
    assert json.loads(balance("compare", "skirmish", *arguments).out)["summary"]["n_touched"] == 0


NOBODY = "fighters.nobody.dice: 'nobody' is not in fighters; allowed: rat, knight, ogre"
NO_TABLE = "fighter.x.dice: 'fighter' is not a table; allowed: fighters, constants; did you mean fighters?"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[set]\n"fighter.x.dice" = 1\n', [f", {NO_TABLE}"]),
        ('[set]\n"fighters.nobody.dice" = 1\n', [f", {NOBODY}"]),
        (
            '[set]\n"fighters.rat.dize" = 1\n',
            [
                ", fighters.rat.dize: 'dize' is not a field; allowed: id, name, cost_points, dice, health; "
                "did you mean dice?"
            ],
        ),
        (
            '[set]\n"fighters.rat.dice" = 99\n',
            [", fighters.rat.dice: '99' is out of range; allowed: a whole number from 1 to 9"],
        ),
        ('[rules]\nhits_on = "7-9"\n', [", rules.hits_on: '7-9' is not a known choice; allowed: 4-6, 5-6"]),
        ('title = "nothing"\n', [": changes nothing"]),
        (
            "[limit]\nmax_change = 0.1\n",
            [", row 1, limit: 'limit' is unknown; allowed: title, set, rules, limits; did you mean limits?"],
        ),
        ('[set]\n"fighters.nobody.dice" = 1\n"fighter.x.dice" = 1\n', [f", {NOBODY}", f", {NO_TABLE}"]),
    ],
)
def test_a_wrong_patch_is_told(text: str, told: list[str], balance: Command) -> None:
    Path("patch.toml").write_text(text)
    done = balance("compare", "study.toml", "--patch", "patch.toml", "--out", "cmp", "--more")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines() == [f"error: patch.toml{rest}" for rest in told]
    assert not Path("cmp").exists()


@pytest.mark.slow("test_two_catalogues_are_compared")
def test_the_examples_work(balance: Command) -> None:
    from tests.toy.game import GAME

    balance("run", "study.toml", "--out", "runs/mine", "--jobs", "1")
    assert GAME.folder is not None
    for name in ("old", "new"):
        shutil.copytree(GAME.folder, name)
    for verb in ("compare", "tables"):
        for example in VERBS[verb].examples:
            done = balance(*shlex.split(example.replace("warforged", "skirmish"))[1:])
            assert (done.status, done.err) == (0, ""), example


@pytest.mark.parametrize("fmt", ["csv", "parquet", "xlsx"])
def test_tables_leave_in_every_format(fmt: str, balance: Command) -> None:

    balance("run", "study.toml", "--out", "one", "--jobs", "1")
    done = balance("tables", "one", "--format", fmt, "--out", "out")
    assert done.status == 0
    kept = pl.read_parquet("one/tables/tasks.parquet")
    header, scores = read_back(fmt)
    assert header == kept.columns
    assert scores == pytest.approx(kept["score"].to_list())


def read_back(fmt: str) -> tuple[list[str], list[float]]:
    import openpyxl

    if fmt == "xlsx":
        rows = list(openpyxl.load_workbook("out/tables.xlsx")["tasks"].values)
        header = [str(cell) for cell in rows[0]]
        return header, [float(str(row[header.index("score")])) for row in rows[1:]]
    frame = pl.read_csv("out/tasks.csv") if fmt == "csv" else pl.read_parquet("out/tasks.parquet")
    return frame.columns, frame["score"].to_list()


def test_a_workbook_is_the_same_each_time(balance: Command) -> None:
    balance("run", "study.toml", "--out", "one", "--jobs", "1")
    for out in ("x", "y"):
        balance("tables", "one", "--format", "xlsx", "--out", out)
    assert Path("x/tables.xlsx").read_bytes() == Path("y/tables.xlsx").read_bytes()
    with ZipFile("x/tables.xlsx") as archive:  # which tells times by two seconds
        assert {part.date_time for part in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(("--format", "cvs"), "did you mean csv?"), (("taks",), "is not a table of this run")],
)
def test_tables_that_are_not_there_are_told(arguments: tuple[str, ...], expected: str, balance: Command) -> None:
    balance("run", "study.toml", "--out", "one", "--jobs", "1")
    done = balance("tables", "one", *arguments)
    assert done.status == 2
    assert expected in done.err


@pytest.mark.parametrize("game", ["skirmish", "warforged"])
def test_init_writes_a_study_that_runs(game: str, balance: Command) -> None:
    assert balance("init", game, "mine.toml").status == 0
    done = balance("run", "mine.toml", "--dry-run", "--json", "--jobs", "1")
    assert done.status == 0
    found = json.loads(done.out)["forecast"]
    assert found["n_tasks"] == found["n_exact"] > 0
    assert not Path("runs").exists()
    again = balance("init", game, "mine.toml")
    assert again.status == 2
    assert "is already there" in again.err
    assert balance("init", game, "mine.toml", "--force").status == 0


@pytest.mark.slow("test_init_writes_a_study_that_runs")
def test_everything_init_offers_may_be_said(balance: Command) -> None:
    """Uncomment each setting of the study; only what names files that are not there is left out."""
    balance("init", "warforged", "mine.toml")
    lines = Path("mine.toml").read_text().splitlines()[5:]
    left_out = ("# catalogue", "# patches", "# half_width", "# trials")
    shown = [line.removeprefix("# ") for line in lines if not line.startswith(left_out)]
    Path("mine.toml").write_text("\n".join(shown) + "\n")
    done = balance("run", "mine.toml", "--dry-run")
    assert (done.status, done.err) == (0, "")


def test_a_dry_run_tells_what_will_be_simulated(balance: Command) -> None:
    Path("study.toml").write_text(SAMPLED)
    found = json.loads(balance("run", "study.toml", "--dry-run", "--json").out)["forecast"]
    assert found["n_exact"] == 0
    assert found["pairs"] == found["n_tasks"] * 16384
    assert "mirrored pairs to play" in balance("run", "study.toml", "--dry-run").out


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("[budget]\ntrials = 10\nverdict = 0.1\n", "give one of trials, half_width and verdict"),
        ('exact = "maybe"\n', "exact: 'maybe' is not allowed"),
        ('[[situations]]\nname = "x"\n[[situations]]\nname = "x"\n', "situations: holds 'x' twice"),
        ("[grid]\n'a.dize' = [1, 2]\n", "grid: 'dize' is not a field"),
        ('[policies]\npolicy_a = ["bold"]\n', "'policy_a' is not something to choose"),
        ('level = "attack"\n', "'attack' is not a level of this game; allowed: duel"),
        ('patches = ["gone.toml"]\n', "gone.toml"),
    ],
)
def test_a_wrong_study_is_told(more: str, expected: str, balance: Command) -> None:
    Path("study.toml").write_text(STUDY + more)
    done = balance("run", "study.toml", "--out", "one")
    assert done.status == 2
    assert expected in done.err
    assert not Path("one").exists()


def test_an_executor_that_is_none_is_told(balance: Command) -> None:
    done = balance("run", "study.toml", "--executor", "proceses")
    assert done.status == 2
    assert "did you mean processes" in done.err


def test_ctrl_c_keeps_what_is_finished(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from balance.engine.store import BlockStore

    Path("study.toml").write_text(SAMPLED)
    kept, add = list[str](), BlockStore.add

    def press_once(store: BlockStore, stream_id: str, tally: object) -> None:
        kept.append(stream_id)
        if len(kept) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        add(store, stream_id, tally)  # type: ignore[arg-type]

    monkeypatch.setattr(BlockStore, "add", press_once)
    done = balance("run", "study.toml", "--out", "one", "--jobs", "1", "--no-cache")
    assert done.status == 3
    assert "finished blocks are kept in one" in done.err
    assert list(Path("one/blocks").rglob("*.json"))
    monkeypatch.setattr(BlockStore, "add", add)
    assert balance("run", "study.toml", "--out", "one", "--jobs", "1", "--no-cache").status == 0
    assert balance("run", "study.toml", "--out", "two", "--jobs", "1", "--no-cache").status == 0
    for name in ("tasks", "outcomes"):
        assert Path(f"one/tables/{name}.parquet").read_bytes() == Path(f"two/tables/{name}.parquet").read_bytes()


def test_the_line_of_match_ups_tells_speed_and_width() -> None:
    from balance.base.progress import line_of
    from balance.study.match_ups.streams import Status

    told = line_of(Status(60_000, 500_000, 1000.0, 3, 9, 0.0123))
    assert "1,000 a second" in told
    assert "about 7 min left" in told
    assert "widest interval +-0.012" in told


def test_the_report_of_match_ups_alone_is_written(balance: Command) -> None:
    Path("study.toml").write_text(SAMPLED)
    balance("run", "study.toml", "--out", "one", "--jobs", "1")
    assert balance("report", "one", "--out", "pages").status == 0
    page = Path("pages/index.html").read_text()
    assert "How trials were spread" in page
    assert "1,000 pairs each" in page


def lines_of(change: Comparison, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is printed of a change of a game of which 2,000 match-ups stay as they were."""
    numbers = replace(change.summary, effects_touched={"changed": 1234, "small": 5}, n_not_touched=2000)
    say(*screen_of_answer(WORDS, replace(change, summary=numbers), terms(Words()), more=True))
    return capsys.readouterr().out.splitlines()


NOTHING = [
    "  Nothing changes: before and after are the same cards under the same rules.",
    "  Nobody is affected.",
    "",
    "  Nobody comes to lose alone to what costs no more, and nobody ceases to.",
]
LAST = "  Game: Fix."
STAY = "  2,000 match-ups stay as they were: counted in mean scores, and nowhere else"


def test_the_six_largest_changes_are_told_and_none_that_is_no_change(capsys: pytest.CaptureFixture[str]) -> None:
    changes = [
        match_up(f"a{n}", "b", after=0.5 + by / 100, difference=by / 100, effect=effect)
        for n in range(1, 21)
        for by, effect in [(n if n % 2 else -n, ("changed", "small", "none")[n % 3])]
    ]
    assert lines_of(comparison(changes=changes, n_touched=1), capsys) == [
        *NOTHING,
        "  1 match-up can be touched: 1,234 changed, 5 small",
        "",
        "  a     b   before   after   change, % points",
        " " + "─" * 45,
        "  a19   b    50.0%   69.0%              +19.0",
        "  a18   b    50.0%   32.0%              −18.0",
        "  a16   b    50.0%   34.0%              −16.0",
        "  a15   b    50.0%   65.0%              +15.0",
        "  a13   b    50.0%   63.0%              +13.0",
        "  a12   b    50.0%   38.0%              −12.0",
        "",
        STAY,
        LAST,
    ]


def test_a_change_that_touches_nothing_has_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines_of(comparison(), capsys) == [*NOTHING, STAY, LAST]


def test_of_those_affected_the_first_are_told_in_a_word_each(capsys: pytest.CaptureFixture[str]) -> None:
    row: dict[str, Any] = {"cost_after": 6.0, "after": 0.6, "difference": 0.1}
    told = [standing(f"e{n}", **row, cards=("elf",)) for n in range(14)] + [standing("o", **row)] * 8
    told[0] = replace(told[0], dominated_after=True, dominated_by_after=("e1",))
    cards = [CardChange("units", "elf", "Elf", f"field_{n}", n, n + 1) for n in range(25)]
    lines = lines_of(comparison(cards, told), capsys)
    assert lines[:5] == [
        "  1 card changes. 14 of the 22 entrants contain it; of these, the mean score",
        "  moves most, and as far, for e0, from 50.0% to 60.0%, and for 13 others.",
        "",
        "  card   value      before   after",
        " " + "─" * 34,
    ]
    assert lines[5:29] == [f"  Elf    field {n:<7}{n:>4}{n + 1:>8}" for n in range(24)]
    assert lines[29:36] == [
        "",
        "  1 more is in compare.json.",
        "",
        "  entrant    cost   before   after     change   loses alone",
        " " + "─" * 59,
        "  e0        5 → 6    50.0%   60.0%   +10.0 pp   now",
        "  e1        5 → 6    50.0%   60.0%   +10.0 pp   –",
    ]
    assert lines[45:] == [
        "  e11       5 → 6    50.0%   60.0%   +10.0 pp   –",
        "",
        "  2 more are in compare.json.",
        "",
        "  other entrant    cost   before   after     change   loses alone",
        " " + "─" * 65,
        *["  o               5 → 6    50.0%   60.0%   +10.0 pp   –"] * 6,
        "",
        "  2 more are in compare.json.",
        "",
        "  Loses alone from now on to what costs no more: e0 (to e1).",
        STAY,
        LAST,
    ]

"""`balance rate`: its screen, its JSON, its page and its table, and how it ends on a mistake."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from balance.base.errors import UsageError
from balance.playtests.games import Games
from balance.playtests.log.log import read_log
from balance.playtests.model.answer import RateSettings, RatingAnswer
from balance.playtests.shares import parse_band_around_half
from balance.playtests.source import LogSource
from balance.playtests.words.vocabulary import role_of
from tests.cli.conftest import Command
from tests.playtests.stand_ins import NAMES, whole_rating
from tests.reporting.policy import check_policy

FACTS = Path(__file__).parents[1] / "playtests" / "data" / "baseball_1987.csv"
LOG = "first,second,winner\n" + "Elves,Orcs,Elves\nOrcs,Dwarves,draw\nDwarves,Elves,1\n" * 3


@pytest.fixture
def rating(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[RateSettings]]:
    """Let every log be rated the same way, at once; returns what was asked."""
    asked: list[RateSettings] = []

    def start(names: tuple[str, ...] = NAMES) -> list[RateSettings]:
        def rate(games: Games, settings: RateSettings, log: LogSource) -> RatingAnswer:
            asked.append(settings)
            return whole_rating(names, log)

        monkeypatch.setattr("balance.playtests.model.rating.rate", rate)
        return asked

    return start


@pytest.fixture
def log(elsewhere: Path) -> Path:
    path = elsewhere / "log.csv"
    path.write_text(LOG, "utf-8")
    return path


# -- as it is ---------------------------------------------------------------------------------------------------------


def test_the_template_is_written_once_and_rated(balance: Command, elsewhere: Path) -> None:
    done = balance("rate", "evenings.csv", "--template")
    assert (done.status, done.err) == (0, "")
    assert "then: balance rate evenings.csv" in done.out
    rated = balance("rate", "evenings.csv")
    assert (rated.status, rated.err) == (0, "")
    assert "Overpowered: Elves; not yet known: the other 3." in rated.out
    again = balance("rate", "evenings.csv", "--template")
    assert (again.status, "is already there" in again.err) == (2, True)


def test_the_json_is_what_was_agreed(balance: Command) -> None:
    done = balance("rate", FACTS, "--json")
    told = json.loads(done.out)
    assert (done.status, told["schema"], told["verb"], told["log"]["n_games"]) == (0, 1, "rate", 273)
    assert {"rating", "rating_low", "rating_high", "games", "verdict", "more_games"} <= set(
        told["ratings"]["Milwaukee"]
    )
    assert sum(one["rating"] for one in told["ratings"].values()) == pytest.approx(0.0, abs=1e-9)
    assert {"value", "low", "high"} <= set(told["first_mover"])
    assert len(told["pairs"]) == 21
    assert isinstance(told["cycles"], list)
    assert told["log"]["columns"] == {
        "one": "home",
        "other": "away",
        "wins_one": "home_wins",
        "wins_other": "away_wins",
    }
    assert balance("rate", FACTS, "--json").out == done.out


def test_without_a_prior_the_published_numbers_come_out(balance: Command) -> None:
    """Agresti (2002), Categorical Data Analysis, 2nd edition, table 10.10."""
    told = json.loads(balance("rate", FACTS, "--prior", "none", "--level", "0.95", "--json").out)
    first = told["first_mover"]
    assert first["value"] == pytest.approx(0.3023, abs=5e-5)
    assert (first["high"] - first["low"]) / 2 / 1.959964 == pytest.approx(0.1309, abs=5e-5)
    assert (told["fit"]["deviance"], told["fit"]["df"]) == (pytest.approx(38.643, abs=5e-4), 35)


def test_a_workbook_and_a_csv_give_the_same_bytes_but_for_the_file(balance: Command, elsewhere: Path) -> None:
    with FACTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([int(cell) if cell.isdecimal() else cell for cell in row])
    book.save("table.xlsx")
    Path("table.csv").write_text("\n".join(";".join(row) for row in rows), "utf-8-sig")
    told = [json.loads(balance("rate", name, "--json").out) for name in ("table.xlsx", "table.csv", FACTS)]
    for one in told:
        del one["log"]["file"], one["log"]["sha256"]
    assert told[0] == told[1] == told[2]


def test_a_run_is_rated_by_its_scores(balance: Command, elsewhere: Path) -> None:
    """The scores of our own simulations go the same way as a log."""
    study = """game = "warforged"
entrants = ["nexus+shotgun", "trooper+shotgun", "spectre+shotgun"]
armies = []
metrics = ["match_ups"]
[check]
match_ups = 1
trials = 64
[budget]
trials = 256
"""
    Path("s.toml").write_text(study)
    assert balance("run", "s.toml", "--out", "runs/s", "--quiet", "-j", "1").status == 0
    told = json.loads(balance("rate", "runs/s", "--json").out)
    assert set(told["ratings"]) == {"nexus+shotgun", "trooper+shotgun", "spectre+shotgun"}
    assert told["log"]["assumptions"][0] == "The games are mirrored pairs: each of the two went first in half of them."
    balance("tables", "runs/s", "--out", "csv", "tasks")
    again = json.loads(balance("rate", "csv/tasks.csv", "--json").out)
    assert again["ratings"] == told["ratings"]
    assert balance("rate", "runs").status == 2


# -- what is asked ----------------------------------------------------------------------------------------------------


def test_options_reach_the_rating(balance: Command, log: Path, rating: Callable[..., list[RateSettings]]) -> None:
    asked = rating()
    words = ("--band", "40:60", "--level", "0.9", "--draws", "rao-kupper", "--seed", "7")
    assert balance("rate", log, *words).status == 0
    assert asked == [RateSettings((0.4, 0.6), 0.9, "rao_kupper", seed=7)]
    assert balance("rate", log, "--level", "90").status == 0
    assert asked[1].level == 0.9
    assert balance("rate", log, "--prior", "none").status == balance("rate", log, "--prior", "0,5").status == 0
    assert [one.prior for one in asked[2:]] == [None, 0.5]


def test_reading_options_reach_the_log(balance: Command, elsewhere: Path, rating: Callable[..., object]) -> None:
    rating()
    Path("log.csv").write_text("x,y,vinto\nElves,Orcs,stallo\n")
    words = ("--column", "one=x", "--column", "other=y", "--column", "winner=Vinto", "--draw", "stallo")
    told = json.loads(balance("rate", "log.csv", "--json", *words, "--first-goes", "second").out)
    assert told["log"]["columns"] == {"one": "x", "other": "y", "winner": "vinto"}
    assert told["log"]["assumptions"] == ["The one under y went first in every game, as the command says."]
    none = json.loads(balance("rate", "log.csv", "--json", *words, "--no-first").out)
    assert none["log"]["assumptions"] == ["Who went first is left out, as the command says."]


MISTAKES = {
    ("--band", "60:40"): "--band: '60:40' is no band; allowed: LOW:HIGH in per cent around 50; such as 45:55",
    ("--level", "2"): "--level: '2' is no level",
    ("--draws", "davison"): "did you mean davidson?",
    ("--column", "winner"): "--column: 'winner' is no WHAT=HEADER; such as winner=Vinto",
    ("--prior", "0"): "--prior: '0' is no scale of a prior; allowed: a number above 0, at most 100, or none",
    ("--prior", "nan"): "is no scale of a prior",
    ("--first-goes", "both"): "--first-goes: 'both' is no side; allowed: one, other",
    ("--first-goes", "one", "--no-first"): "exclude each other",
    ("--page", "page.txt"): "is not a name for a page; end it in .html or .pdf",
    ("--table", "log.csv"): "is already there",
    ("--seed", "-1"): "-1",
    ("--sheet", "Games"): "it is no workbook",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_in_a_line_and_nothing_is_written(
    words: tuple[str, ...], balance: Command, log: Path
) -> None:
    done = balance("rate", log, *words)
    assert (done.status, done.out) == (2, "")
    assert MISTAKES[words] in done.err
    assert [path.name for path in log.parent.iterdir()] == ["log.csv"]


@pytest.mark.parametrize("text", ["", "45", "45:45", "55:45", "0:100", "50:60", "a:b", "45:55:60", "-1:200", "nan:inf"])
def test_what_is_no_band_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no band"):
        parse_band_around_half(text)


def test_every_fault_of_a_log_is_told(balance: Command, log: Path) -> None:
    log.write_text("first,second,winner\nElves,Orcs,x\x1b[31my\n,Orcs,Orcs\nElves,Orcs,\n")
    done = balance("rate", log, "--page", "page.html")
    assert (done.status, done.out, done.err.count("error: ")) == (2, "", 3)
    assert "\x1b" not in done.err
    assert not Path("page.html").exists()


def test_those_that_never_met_are_not_compared(balance: Command, log: Path) -> None:
    log.write_text("first,second,winner\nElves,Orcs,1\nTrolls,Goblins,2\n")
    done = balance("rate", log)
    assert done.status == 2
    assert "never met" in done.err


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_the_screen_has_every_part(balance: Command, log: Path, rating: Callable[..., object]) -> None:
    rating()
    out = balance("rate", log, "--more").out
    parts = (
        "Ratings of ", "Overpowered: Elves; underpowered: Undead; fair: Orcs; not yet known: Dwarves.",
        "Play Dwarves next", "  Elves          70      24       70", "Between equal sides, going first adds +10.0",
        "8% of the games were drawn", "  Elves        +1.00   +0.60 to +1.40", "  1 Elves", "1 cycle stands out",
        "2 groups of games lie further out", "Before you believe it:",
        "Read: 9 rows; columns first, second, winner.", "The one under first went first",
    )  # fmt: skip
    places = [" ".join(out.split()).index(" ".join(part.split())) for part in parts]
    assert places == sorted(places)
    assert "--json lists all" not in out


def test_the_first_screen_answers_first_and_in_words_that_are_known(
    balance: Command, elsewhere: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 24 lines of 80 columns: the answer, the table with the raw score, what to do; the rest with --more."""
    monkeypatch.setenv("COLUMNS", "80")
    assert balance("rate", "evenings.csv", "--template").status == 0
    Path("one.csv").write_text("first,second,winner\nA,B,A\n")
    for path in ("evenings.csv", "one.csv", log):
        done = balance("rate", path)
        assert (done.status, done.err) == (0, "")
        assert len(done.out.splitlines()) <= 24
        assert max(map(len, done.out.splitlines())) <= 80
        assert "scored   games   chance" in done.out
        for word in ("log-odds", "deviance", "degrees", "Davidson", "Bradley", "effects", "prior", "likelihood"):
            assert word not in done.out
    assert "None of the 2 can be judged yet." in balance("rate", "one.csv").out.splitlines()[1]
    assert "--more" in balance("rate", "one.csv").out.splitlines()[-1]


def test_a_narrow_terminal_leaves_out_columns_and_breaks_no_name(
    balance: Command, log: Path, rating: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rating()
    monkeypatch.setenv("COLUMNS", "60")
    lines = balance("rate", log).out.splitlines()
    (at,) = (at for at, line in enumerate(lines) if line.split() == ["entrant", "scored", "chance", "95%", "verdict"])
    assert [row.split()[0] for row in lines[at + 2 : at + 6]] == ["Elves", "Dwarves", "Orcs", "Undead"]
    assert max(map(len, lines)) <= 60


def test_what_was_found_and_left_out_stands_on_the_first_screen(
    balance: Command, log: Path, rating: Callable[..., object]
) -> None:
    rating()
    log.write_text(log.read_text() + "Elves,Elves,1\n")
    out = " ".join(balance("rate", log).out.split())
    assert "each beats the next in about 62%" in out
    assert "Session 2: Elves won 8 of 8" in out
    assert "Left out: 1 row of one against itself" in out
    assert "Fewer than 10 games each" in out


@pytest.mark.slow("test_page_pdf_and_table_hold_what_the_screen_says")
def test_one_game_is_told_the_same_on_screen_json_page_and_pdf(balance: Command, elsewhere: Path) -> None:
    Path("one.csv").write_text("first,second,winner\nA,B,A\n")
    done = balance("rate", "one.csv", "--more", "--page", "p.html", "--page", "p.pdf", "--table", "t.csv")
    assert done.status == 0
    texts = [done.out, Path("p.html").read_text("utf-8")]
    if shutil.which("pdftotext") is not None:
        run = subprocess.run(["pdftotext", "p.pdf", "-"], capture_output=True, check=True)
        texts.append(run.stdout.decode().replace("\u200b", ""))
    for text in texts:
        assert "Goodness of fit: not measurable here" in " ".join(text.split())
        assert "-1 degrees" not in text and "\u22121 degrees" not in text
        assert re.search(r"A scored 100% of 1 game; going first as often as second \d\d%", " ".join(text.split()))
    told = json.loads(balance("rate", "one.csv", "--json").out)
    assert told["fit"] == {"deviance": None, "df": 0, "n": 1.0, "n_rows": 1, "verdict": "not measurable here"}
    assert told["ratings"]["A"]["score"] == 1.0 and told["ratings"]["A"]["games"] == 1.0
    assert told["chance_means"] == "going first as often as second"
    (first, _) = csv.DictReader(Path("t.csv").read_text("utf-8").splitlines())
    assert (float(first["score"]), float(first["games"])) == (1.0, 1.0)


HOSTILE = ("=HYPERLINK(1)", "<script>alert(1)</script>", "[bold red]#emph[x]**b**`c`", "a\u202eevil $x^2$")


@pytest.mark.slow("test_the_screen_has_every_part")
def test_a_name_is_a_name_everywhere(balance: Command, elsewhere: Path, rating: Callable[..., object]) -> None:
    rating(HOSTILE)
    rows = "\n".join(f'"{one}","{other}",1' for one, other in zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1], strict=True))
    Path("log.csv").write_text(f"first,second,winner\n{rows}\n", "utf-8")
    files = ("--page", "p.html", "--page", "p.pdf", "--table", "t.csv")
    done = balance("rate", "log.csv", *files)
    assert done.status == 0
    assert "'=HYPERLINK(1)' has an apostrophe before it" in done.err
    assert "[bold red]#emph[x]" in done.out
    assert "<script>alert(1)</script>"[:10] in done.out
    assert not set(done.out) & {"\u202e", "\x1b"}
    page = Path("p.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "[bold red]#emph[x]**b**`c`" in page
    assert Path("p.pdf").read_bytes().startswith(b"%PDF")
    if shutil.which("pdftotext") is not None:
        told = subprocess.run(["pdftotext", "p.pdf", "-"], capture_output=True, check=True).stdout.decode()
        text = "".join(told.replace("\u200b", "").split())
        assert all(part in text for part in ("<script>alert(1)", "=HYPERLINK(1)", "#emph[x]**b**`c`", "$x^2$"))
    assert "'=HYPERLINK(1)," in Path("t.csv").read_text("utf-8")
    assert balance("rate", "log.csv", "--table", "t.xlsx").status == 0
    cells = [cell for row in openpyxl.load_workbook("t.xlsx")["ratings"].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "inlineStr"}
    assert "=HYPERLINK(1)" in [cell.value for cell in cells]


def test_page_pdf_and_table_hold_what_the_screen_says(
    balance: Command, log: Path, rating: Callable[..., object]
) -> None:
    rating()
    assert balance("rate", log, "--page", "p.html", "--table", "t.csv").status == 0
    check_policy(Path("p.html").read_text("utf-8"), "img-src data:")
    page = " ".join(Path("p.html").read_text("utf-8").split())
    for part in (
        "Overpowered: Elves; underpowered: Undead; fair: Orcs; not yet known: Dwarves.",
        "Ratings do not tell all",
        "Chance of the row against the column in per cent",
        "With and without the games of 2",
        "SHA-256 of the file",
        "Every entrant, the strongest first",
    ):
        assert part in page
    rows = list(csv.DictReader(Path("t.csv").read_text("utf-8").splitlines()))
    assert [(row["entrant"], row["verdict"]) for row in rows] == [
        ("Elves", "overpowered"),
        ("Dwarves", "not yet known"),
        ("Orcs", "fair"),
        ("Undead", "underpowered"),
    ]


# -- the page about it ------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "playtests.md").read_text("utf-8")


@pytest.mark.slow("test_the_logs_of_the_page_are_read_whole")
def test_the_commands_and_the_python_of_the_page_work(balance: Command, elsewhere: Path) -> None:
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines():
        done = balance(*shlex.split(line)[2:])
        assert (done.status, done.err) == (0, ""), line
        assert done.out
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(compile(code, "playtests.md", "exec"), found)
    assert found["strongest"]["entrant"] == "Elves"


@pytest.mark.parametrize("text", re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL))
def test_the_logs_of_the_page_are_read_whole(text: str, elsewhere: Path) -> None:
    Path("log.csv").write_text(text, "utf-8")
    log = read_log("log.csv")
    assert log.source.n_rows == 3
    assert len(log.source.columns) == len(re.split("[,;]", text.splitlines()[0]))
    assert log.games.knows_mover == bool(re.search("starts|Inizia", text))
    assert not log.source.notes


def test_every_header_of_the_page_means_what_it_says() -> None:
    rows = re.findall(r"^\| ([a-z ,]+) \| (`.*) \|$", PAGE, re.MULTILINE)
    kinds = {
        "the two sides": {"name", "player"}, "who won": {"name"}, "or the result": {"result"},
        "or both names by result": {"name", "draw"}, "or points of both": {"points"},
        "or a result of each": {"result"}, "or games won": {"wins", "draws"}, "or a win rate": {"score"},
        "who went first": {"starts"}, "the evening": {"session", "date"}, "players": {"player"},
        "scenario, cost": {"scenario", "cost"}, "many games in a row": {"n"},
    }  # fmt: skip
    told = {what: headers.split(":")[0] for what, headers in rows if not headers.startswith("`overpowered`")}
    assert set(kinds) <= set(told)
    for what, known in kinds.items():
        for header in re.findall(r"`([^`]+)`", told[what]):
            role = role_of(header)
            assert role is not None, header
            assert role.kind in known, header


def test_check_tells_how_a_log_was_read_and_takes_it_for_no_catalogue(balance: Command, elsewhere: Path) -> None:
    Path("evenings.csv").write_text("army 1,army 2,first,winner\nElves,Orcs,Orcs,Elves\n", "utf-8")
    done = balance("check", "evenings.csv", "--explain")
    assert done.status == 0
    told = " ".join(done.out.split())
    assert "evenings.csv is read as a log of games: 1 game of 2 entrants, one row per game" in told
    assert "column 3 first who went first" in told
    assert "evenings.csv (log of games): sound" in told
    Path("nobody.csv").write_text("day,id1,id2,k1,k2\nMon,A3,C0,3,1\nTue,A1,A2,2,3\n", "utf-8")
    done = balance("check", "nobody.csv")
    assert done.status == 2
    assert "warforged" not in done.out + done.err
    assert "as a log of games, header: no column holds two names" in done.err

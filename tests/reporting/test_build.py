"""The report of a run: for a tiny catalogue, for hostile names, for a sixth game, and the same bytes twice."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import polars as pl
import pytest

from balance.base.errors import OutputError, StudyError
from balance.game.registry import GAMES
from balance.reporting import Attachment
from balance.reporting.build import build_document, report_run
from balance.study import load_run, load_study, run_study
from balance.study.run.forecast import forecast
from balance.study.run.run import sides_of
from tests.reporting.reading import Reader, squeeze

DATA = Path(__file__).parents[2] / "data" / "warforged"
STUDY = """game = "warforged"
catalogue = "cards"
armies = []
[check]
match_ups = 4
trials = 256
[verdicts]
draws = 100
"""


def catalogue(folder: Path, units: str, weapons: str) -> Path:
    """Write a catalogue of a few cards and a study of it; return the study."""
    cards = folder / "cards"
    cards.mkdir(parents=True)
    (cards / "units.csv").write_text(
        "id,name,kind,cost_points,speed_cells,health,armour,handling,abilities,copies\n" + units, "utf-8"
    )
    (cards / "weapons.csv").write_text(
        "id,name,class,cost_points,handling,range_cells,precision,damage,effects,copies\n" + weapons, "utf-8"
    )
    shutil.copy(DATA / "rules.toml", cards / "rules.toml")
    (folder / "study.toml").write_text(STUDY, "utf-8")
    return folder / "study.toml"


RIFLE = "rifle,Rifle,main,14,2,6,7,3,Rapid Fire,4\n"
UNIT = "nexus,Nexus,Cyborg,24,4,8,2,3,,2\n"
HOSTILE = 'mean,"<script>alert(1)</script> **#emph[x]** $y$",Robot 🔥,0,4,6,1,3,Slim,2\n'


@pytest.mark.parametrize(("units", "n_duels"), [(UNIT, 1), (UNIT + HOSTILE, 4)], ids=["one unit", "two, one hostile"])
def test_a_tiny_catalogue_gives_a_whole_report(tmp_path: Path, units: str, n_duels: int) -> None:
    run = run_study(load_study(catalogue(tmp_path, units, RIFLE)), tmp_path / "run")
    assert run.summary["n_duels"] == n_duels
    html, pdf = report_run(run, tmp_path / "report", live="the page")
    text = html.read_text("utf-8")
    assert "In one page" in text
    assert '<a href="live.html">' in text
    assert (tmp_path / "report" / "live.html").read_text("utf-8") == "the page"
    assert "<script>alert" not in text
    assert pdf.read_bytes().startswith(b"%PDF")


@pytest.mark.slow("tests/study/test_run.py::test_the_same_study_leaves_the_same_bytes_wherever_it_runs")
def test_the_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    study = load_study(catalogue(tmp_path, UNIT + HOSTILE, RIFLE))
    files = []
    for name in ("one", "two"):
        report_run(run_study(study, tmp_path / name), tmp_path / name)
        folder = tmp_path / name
        files.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert files[0] == files[1]
    assert {"index.html", "report.pdf", "manifest.json"} <= {str(name) for name in files[0]}


@pytest.mark.slow("test_a_tiny_catalogue_gives_a_whole_report")
def test_a_sixth_game_goes_from_registry_to_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    (tmp_path / "study.toml").write_text('game = "skirmish"\n[check]\nmatch_ups = 3\ntrials = 256\n', "utf-8")
    run = run_study(load_study(tmp_path / "study.toml"), tmp_path / "run")
    html, pdf = report_run(run, tmp_path / "report")
    assert "Knight" in html.read_text("utf-8")
    assert "Ogre &lt;b&gt;of&lt;/b&gt; Ys" in html.read_text("utf-8")
    assert pdf.stat().st_size > 10_000


@pytest.mark.slow("test_a_tiny_catalogue_gives_a_whole_report")
def test_every_section_of_the_shipped_report_is_there() -> None:
    """The published run is drawn again; its tables must be those its manifest names."""
    run = load_run(Path(__file__).parents[2] / "reports" / "warforged")
    titles = [getattr(block, "title", "") for block in build_document(run).blocks]
    assert titles == [
        "In one page",
        "Worth its points",
        "Which prices hold",
        "Who wins",
        "Method and sources",
        "Tables to download",
    ]


def test_a_table_changed_after_the_run_is_refused(tmp_path: Path) -> None:
    run = run_study(load_study(catalogue(tmp_path, UNIT, RIFLE)), tmp_path / "run")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "run" / "tables" / "prices.parquet")
    with pytest.raises(StudyError, match="changed after the run"):
        report_run(load_run(run.folder), tmp_path / "report")


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    study = load_study(catalogue(tmp_path, UNIT, RIFLE))
    (tmp_path / "file").write_text("in the way", "utf-8")
    with pytest.raises(OutputError):
        run_study(study, tmp_path / "file")


@pytest.mark.slow("test_a_tiny_catalogue_gives_a_whole_report")
def test_a_report_whose_distributions_are_too_large_simulates_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 3)
    (tmp_path / "study.toml").write_text('game = "skirmish"\n[verdicts]\ndraws = 100\n', "utf-8")
    run = run_study(load_study(tmp_path / "study.toml"), tmp_path / "run")
    simulated = run.table("duels").filter(n_trials=65_536)
    assert simulated.height == 8, "all but rats alone, whose attack is one die"
    (html,) = report_run(run, tmp_path, ("html",))
    page = squeeze("".join(Reader(html.read_text("utf-8")).text))
    assert squeeze("6 of 9 attacks and 8 of 9 duels could not be had") in page
    assert squeeze("not all of them solved exactly (see Method)") in page
    assert squeeze("each solved exactly") not in page
    study = load_study(tmp_path / "study.toml")
    assert forecast(study, sides_of(study)).n_duels == 9


@pytest.mark.slow("test_a_tiny_catalogue_gives_a_whole_report")
def test_what_nobody_acts_on_is_a_table_to_download() -> None:
    run = load_run(Path(__file__).parents[2] / "reports" / "warforged")
    files = {block.name: block for block in build_document(run).blocks[-1].blocks if isinstance(block, Attachment)}
    rows = list(csv.reader(files["tables/matrix.csv"].content.decode().splitlines()))
    matrix = run.table("matrix")
    assert [len(rows), len(rows[0])] == [matrix.height + 1, matrix.width]
    assert [float(cell) for cell in rows[1][1:]] == pytest.approx(matrix.row(0)[1:], rel=1e-5)
    assert files["tables/matrix.csv"].text == "Every match-up: the chance that the row wins against the column:"
    assert files["tables/sweep_armour.csv"].text == "Weapons against armour:"
    assert "tables/duels.csv" not in files

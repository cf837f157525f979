"""A catalogue may call its cards what it likes: every page, figure, sheet and terminal shows the name and no more."""

from __future__ import annotations

import csv
import html
import re
import shutil
import subprocess
from importlib.metadata import EntryPoint
from pathlib import Path

import openpyxl
import pytest

from balance.base.errors import UsageError
from balance.catalogue import export_workbook, import_workbook, load_catalogue, write_folder
from balance.cli.main import main
from balance.game import registry
from balance.games.warforged.cards import SPEC
from balance.reporting.figures.figures import plot_bars, plot_intervals
from balance.reporting.figures.scatter import Point, plot_against

DATA = Path(__file__).parents[2] / "data" / "warforged"
NAMES = {
    "Nexus": '<script>alert("1")</script>',
    "Trooper": "=HYPERLINK(1)",
    "Whisper": "$\\frac{x$ \\alpha",
    "Bulwark": "[bold red]#emph[x]**b**`c`",
    "Sentinel": "a\u202eevil\u2066",
    "Vanguard": "'+1 & <img src=x onerror=y>",
}
STUDY = """game = "warforged"
catalogue = "warforged"
entrants = [{}]
armies = []
metrics = ["cards", "match_ups"]
[check]
match_ups = 2
trials = 100
[verdicts]
draws = 100
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a catalogue of hostile names, and the run and the report of a study of it."""
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copytree(DATA, folder / "warforged")
    path = folder / "warforged" / "units.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[NAMES.get(cell, cell) for cell in row] for row in rows])
    entrants = ", ".join(f'"{name.lower()}+sidearm"' for name in NAMES)
    (folder / "s.toml").write_text(STUDY.format(entrants))
    assert main(["report", str(folder / "s.toml"), "--out", str(folder / "run"), "--quiet", "-j", "1"]) == 0
    return folder


@pytest.mark.slow("test_figures_do_not_take_names_for_mathematics")
def test_pages_show_names_as_text(hostile: Path) -> None:
    page = (hostile / "run" / "index.html").read_text(encoding="utf-8")
    assert page.count("<script") == (DATA.parents[1] / "reports" / "warforged" / "index.html").read_text().count(
        "<script"
    )
    assert "<img src=x" not in page
    assert "\u202e" not in page
    for name in (NAMES["Nexus"], NAMES["Trooper"], NAMES["Whisper"], "+1 & <img src=x onerror=y>"):
        assert html.escape(name).replace("&quot;", "&#34;") in page
    assert "[bold red]#emph[x]**b**`c`" in page


def test_figures_do_not_take_names_for_mathematics() -> None:
    """Whoever did would fail to draw what is no formula: `ParseFatalException` of matplotlib."""
    name = "$\\frac{x$ \\alpha"
    assert plot_intervals([name, "b"], [0.1, 0.2], [0.0, 0.1], [0.2, 0.3], "points").wide.startswith("<svg")
    assert plot_against([Point(name, 3, 1.2)], [0], name, name).wide.startswith("<svg")
    assert plot_bars([0, 3], [0.4, 0.6], name).wide.startswith("<svg")


@pytest.mark.parametrize(
    ("name", "value"), [("../evil", "balance.games.warforged:GAME"), ("lost", "no.such.module:GAME")]
)
def test_a_game_of_another_package_is_named_plainly_and_found(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint(name, value, group)])
    assert (name in registry.game_names()) == (name == "lost")
    with pytest.raises(UsageError, match="there is no game" if name != "lost" else r"is not at no\.such\.module:GAME"):
        registry.find_game(name)


@pytest.mark.slow("test_figures_do_not_take_names_for_mathematics")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="reads the PDF with poppler")
def test_the_pdf_shows_names_as_text(hostile: Path) -> None:
    told = subprocess.run(["pdftotext", str(hostile / "run/report.pdf"), "-"], capture_output=True, check=True)
    text = "".join(told.stdout.decode().replace("\u200b", "").split())
    for part in ("<script>", "=HYPERLINK(1)", "$\\frac{x$", "#emph[x]**b**`c`"):
        assert part in text


def test_the_terminal_is_given_nothing_to_obey(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in (["show", "warforged", "units"], ["show", "warforged", "entrants"], ["check", "--game", "warforged"]):
        assert main([*verb, "--catalogue", str(hostile / "warforged")]) == 0
    told = capsys.readouterr()
    assert "[bold red]#emph[x]" in told.out
    assert not set(told.out + told.err) & {"\u202e", "\u2066", "\x1b"}


def test_what_is_written_holds_no_formula_and_comes_back(hostile: Path) -> None:
    catalogue = load_catalogue(SPEC, hostile / "warforged")
    export_workbook(catalogue, hostile / "cards.xlsx")
    assert main(["tables", str(hostile / "run"), "--format", "xlsx"]) == 0
    for path in (hostile / "cards.xlsx", hostile / "run" / "xlsx" / "tables.xlsx"):
        for sheet in openpyxl.load_workbook(path):
            assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "b", "inlineStr"}
    assert import_workbook(SPEC, hostile / "cards.xlsx") == catalogue
    write_folder(catalogue, hostile / "again")
    assert ",'=HYPERLINK(1)," in (hostile / "again" / "units.csv").read_text()
    assert load_catalogue(SPEC, hostile / "again") == catalogue


def test_no_cell_of_the_exported_csv_is_a_formula(hostile: Path) -> None:
    assert main(["tables", str(hostile / "run"), "--format", "csv"]) == 0
    cells = [
        cell
        for path in (hostile / "run" / "csv").glob("*.csv")
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines())
        for cell in row
    ]
    live = [
        cell for cell in cells if cell[:1] in set("=+-@\t\r") and not re.fullmatch(r"[-+]?[\d.]*(e[-+]?\d+)?", cell)
    ]
    assert live == []
    assert "'=HYPERLINK(1)" in cells

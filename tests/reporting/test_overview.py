"""The page over the reports: what it shows is read from their pages, and it is kept beside them."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from balance.cli.main import main
from balance.reporting.overview import entries_of, overview_page, write_overview
from tests.cli.stand_ins import stand_in_studies
from tests.packaging.checkout import ROOT

REPORTS = ROOT / "reports"
PICTURE = "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode()
PAGE = """<title>t</title><h1>Fair &amp; <b>square</b>?</h1> <p class="subtitle">On Chess</p>
<p>Before.</p><section id="summary"><h2>In one page</h2><aside><p class="title">What to change</p><p>Of 2, {finding}</p>
<p>More.</p></aside></section><source srcset="{picture}"><img src="data:image/svg+xml;base64,BB==">
<img src="data:image/svg+xml;base64,AAAA"><h1>Other</h1>"""


def put(folder: Path, name: str, page: str) -> Path:
    path = folder / name / "index.html"
    path.parent.mkdir(parents=True)
    path.write_text(page, "utf-8")
    return path


def test_the_page_that_is_kept_is_what_the_reports_give() -> None:
    kept = (REPORTS / "index.html").read_text("utf-8")
    assert overview_page(REPORTS) == kept, "if that is meant: balance report reports/warforged"


def test_every_published_report_is_on_it_with_links_that_lead_somewhere() -> None:
    kept = (REPORTS / "index.html").read_text("utf-8")
    published = sorted(path.parent.name for path in REPORTS.glob("*/manifest.json"))
    hrefs = set(re.findall(r'href="([^"]+)"', kept))
    assert hrefs == {f"{name}/{file}" for name in published for file in ("index.html", "report.pdf")}
    assert [href for href in hrefs if not (REPORTS / href).is_file()] == []
    entries = [*entries_of(REPORTS)]
    assert [entry.folder for entry in entries] == published
    assert all(entry.picture and entry.finding.endswith(".") for entry in entries)
    assert kept.count("<img ") == len(published)


def test_an_entry_is_read_from_a_page(tmp_path: Path) -> None:
    put(
        tmp_path,
        "b",
        PAGE.format(finding="1 is too dear. Fair is what scores one half of all there is. Rest.", picture=PICTURE),
    )
    short = put(tmp_path, "a", PAGE.format(finding="x.", picture="https://elsewhere.example/p.svg"))
    short.with_name("report.pdf").write_bytes(b"%PDF-")
    first, second = entries_of(tmp_path)
    assert (second.title, second.subtitle, second.picture) == ("Fair & square?", "On Chess", PICTURE)
    assert second.finding == "Of 2, 1 is too dear. Fair is what scores one half of all there is."
    assert (first.picture, first.has_paper, second.has_paper) == ("data:image/svg+xml;base64,BB==", True, False)
    assert first.finding == "Of 2, x."
    page = write_overview(tmp_path).read_text("utf-8")
    assert '<a href="b/index.html">Fair &amp; square?</a>' in page
    assert page.count("report.pdf") == 1


def test_what_is_no_report_is_passed_over_and_nothing_is_taken_as_markup(tmp_path: Path) -> None:
    put(tmp_path, "notes", "<h1>Mine</h1>")
    put(tmp_path, "odd", '<h1>&lt;script&gt;</h1><p class="subtitle">x</p>')
    page = overview_page(tmp_path)
    assert "Mine" not in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize(("options", "listed"), [((), True), (("--format", "pdf"), False), (("--out", "mine"), False)])
def test_a_report_in_its_usual_folder_is_listed(
    options: tuple[str, ...], listed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stand_in_studies(monkeypatch)
    put(tmp_path / "reports", "warforged", PAGE.format(finding="all fair.", picture=PICTURE))
    assert main(["report", "warforged", *options]) == 0
    assert (tmp_path / "reports" / "index.html").exists() is listed

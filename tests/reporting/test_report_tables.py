"""Declared sections on the page: numbers, units, error bars and findings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from balance.game.registry import GAMES, find_game
from balance.reporting import Attachment, Bullets, HeatMap, Paragraph, Section, Table, literal
from balance.reporting.build import build_document, report_run
from balance.reporting.sections.common.report_tables import _scale, headline_findings, report_sections, table_caption
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.downloads import download_section
from balance.reporting.sections.method import method_section
from balance.study import Run, load_run, load_study, run_study
from balance.study.frames.report_settings import GameSettings
from balance.study.frames.report_tables import SCHEMA, frame_name
from tests.packaging.checkout import ROOT
from tests.reporting.altered import altered
from tests.reporting.reading import Reader, squeeze
from tests.reporting.test_findings import table as declared
from tests.toy import game as toy

STUDY = 'game = "{game}"\n{more}\n[check]\nmatch_ups = 2\ntrials = 256\n[verdicts]\ndraws = 100\n'
FEW = 'entrants = ["blue_foot+short_sword", "red_foot+short_sword", "giant_spider"]\narmies = []'
SECTIONS = """
[[sections]]
id = "duels"
title = "Duels as declared"
[[sections.tables]]
id = "shares"
caption = "Who wins"
rung = "duel"
measure = { wins = "a" }
trials = 400
headline = true
finding = "**{most_row}** wins most, {most} against {most_column}."
rows = [{ each = "one", of = ["knight", "ogre"] }]
columns = [{ each = "other", of = ["knight", "ogre"] }]
draw = "heat map"
[[sections.tables]]
id = "gains"
caption = "What the other reading changes"
rung = "duel"
measure = { wins = "a" }
trials = 400
show = "difference"
set = { "rules.hits_on" = "5-6" }
baseline = { set = { "rules.hits_on" = "4-6" } }
rows = [{ each = "one", of = ["knight"] }]
columns = [{ each = "other", of = ["ogre"] }]
"""


def run_of(game: str, folder: Path, more: str = "") -> Run:
    (folder / "study.toml").write_text(STUDY.format(game=game, more=more), "utf-8")
    return run_study(load_study(folder / "study.toml"), folder / "run")


@pytest.fixture(scope="module")
def battlelore(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of("battlelore", tmp_path_factory.mktemp("battlelore"), FEW)


@pytest.fixture
def simulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A toy whose duels have no exact distribution; it has nothing but declared sections."""
    cards = tmp_path / "cards"
    cards.mkdir()
    for file in (toy.GAME.folder or Path()).iterdir():
        (cards / file.name).write_bytes(file.read_bytes())
    (cards / "report.toml").write_text(SECTIONS, "utf-8")
    kinds = {**toy.GAME.kinds, "duel": replace(toy.GAME.kinds["duel"], has_distribution=False)}
    monkeypatch.setattr(toy, "SIMULATED", replace(toy.GAME, kinds=kinds, folder=cards), raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:SIMULATED")
    return run_of("skirmish", tmp_path, 'metrics = ["sections"]')


@pytest.fixture
def both(simulated: Run, tmp_path: Path) -> Run:
    """The same with its match-ups played."""
    more = 'metrics = ["match_ups", "sections"]\nbudget = { trials = 64 }'
    return run_of("skirmish", tmp_path, more)


def blocks_of(run: Run, kind: type) -> list[Table | HeatMap]:
    return [block for section in report_sections(Pages(run)) for block in section.blocks if isinstance(block, kind)]


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_every_declared_number_of_battlelore_is_exact(battlelore: Run) -> None:
    names = [name for name in battlelore.manifest["tables"] if name.startswith("declared_")]
    assert len(names) == sum(len(section.tables) for section in battlelore.settings.sections)
    assert {kind for name in names for kind in battlelore.table(name)["kind"]} == {"exact"}


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_both_renderings_of_battlelore_are_written(battlelore: Run, tmp_path: Path) -> None:
    html, pdf = report_run(battlelore, tmp_path)
    page = squeeze("".join(Reader(html.read_text("utf-8")).text))
    caption = battlelore.settings.sections[0].tables[0].caption
    assert all(squeeze(said) in page for said in ("In one page", caption))
    assert pdf.read_bytes().startswith(b"%PDF")


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_the_method_says_how_what_is_shown_is_played(battlelore: Run) -> None:
    section = method_section(Pages(battlelore))
    paragraphs = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    bullets = [item for block in section.blocks if isinstance(block, Bullets) for item in block.items]
    kind = find_game("battlelore").kinds["duel"]
    assert any(text.startswith(f"**Duel.** {literal(kind.played)}") for text in paragraphs)
    assert {literal(text) for text in kind.cannot_see} <= set(bullets)
    assert "**To ask again:** `balance duel battlelore A B`." in paragraphs
    assert not any(text.startswith(("**Skirmish.**", "**Combat.**")) for text in paragraphs)


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_a_run_of_a_version_with_other_settings_is_still_read(battlelore: Run) -> None:
    older = {**battlelore.manifest["report_settings"], "duel": "They fight.", "blind_spots": ["All."]}
    run = replace(battlelore, manifest={**battlelore.manifest, "rungs": {}, "report_settings": older})
    assert run.settings == battlelore.settings
    assert (run.play_text("duel"), run.cannot_see("duel")) == ("", ())


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_every_finding_on_the_first_page_speaks_of_cells_that_are_there(battlelore: Run) -> None:
    tables = [part for section in battlelore.settings.sections for part in section.tables]
    findings = headline_findings(Pages(battlelore))
    assert len(findings) == sum(part.headline for part in tables) > 0
    assert not any("{" in finding for finding in findings)


def test_simulated_cells_carry_their_error(simulated: Run) -> None:
    (heat,) = blocks_of(simulated, HeatMap)
    assert all("±" in cell for row in heat.cells for cell in row)
    assert "400 trials each" in heat.caption
    (gains,) = blocks_of(simulated, Table)
    cell = gains.rows[0][1].text
    assert cell.startswith(("+", "−", "0"))
    assert "pp" in cell and "±" in cell


def test_a_game_without_duels_has_its_findings_on_the_first_page(simulated: Run) -> None:
    html = report_run(simulated, simulated.folder / "report", ("html",))[0].read_text("utf-8")
    assert "wins most" in html.partition('<section id="section-duels"')[0]
    assert "Ogre &lt;b&gt;of" in html


def test_a_finding_leads_and_match_ups_follow(both: Run) -> None:
    front, *rest = (block for block in build_document(both).blocks if isinstance(block, Section))
    assert [type(block).__name__ for block in front.blocks] == ["Callout", "Figure"]
    assert [section.title for section in rest[:2]] == ["Match-ups", "Duels as declared"]


def test_the_published_report_is_of_the_shipped_catalogue_and_settings() -> None:
    from balance.game.loaded import load
    from balance.study import shipped_study
    from balance.study.frames.report_settings import load_settings

    published = load_run(Path(__file__).parents[2] / "reports" / "battlelore")
    assert published.manifest["catalogue_sha256"] == shipped_study("battlelore").open().catalogue.sha256
    assert published.settings == load_settings(load("battlelore"))
    assert published.summary["check"]["alarms"] == 0


@pytest.mark.slow("tests/reporting/test_golden_pages.py::test_a_page_says_what_was_read_and_kept")
def test_no_unit_is_called_not_worth_taking_where_nothing_has_a_price(battlelore: Run) -> None:
    assert "worth taking" not in str(build_document(battlelore))


def cells(*values: float | None, **more: object) -> pl.DataFrame:
    """One row of exact shares, with other words for all."""
    plain = {"show": "value", "is_share": True, "measure": "wins of a", "kind": "exact", "choices": None} | more
    rows = [{"row": "r", "column": f"c{n}", "value": value, **plain} for n, value in enumerate(values)]
    return pl.DataFrame(rows, schema=dict(SCHEMA))


@pytest.mark.parametrize(
    ("frame", "known", "scale"),
    [
        (cells(0.2), [0.2], (0.0, 0.5, 1.0)),
        (cells(0.2, measure="score of b"), [0.2], (0.0, 0.5, 1.0)),
        (cells(0.2, measure="chance of damage >= 2"), [0.2], (0.0, 0.0, 1.0)),
        (cells(2.0, is_share=False, measure="mean damage"), [2.0, 1.0], (0.0, 0.0, 2.0)),
        (cells(2.0, is_share=False, measure="mean damage"), [2.0, -3.0], (-3.0, 0.0, 3.0)),
        (cells(0.2, show="difference"), [0.2, 0.1], (-0.2, 0.0, 0.2)),
        (cells(1.5, show="worth", is_share=False), [1.5], (-1.5, 0.0, 1.5)),
        (cells(0.0, show="difference"), [0.0], (-1.0, 0.0, 1.0)),
        (cells(None, show="difference"), [], (-1.0, 0.0, 1.0)),
        (cells(None, is_share=False), [], (0.0, 0.0, 1.0)),
        (pl.concat([cells(0.2), cells(0.2, measure="mean x")]), [0.2], (0.0, 0.0, 1.0)),
        (pl.concat([cells(0.2), cells(0.3, show="worth")]), [0.2], (-0.2, 0.0, 0.2)),
        (pl.concat([cells(0.2), cells(3.0, is_share=False)]), [0.2, 3.0], (0.0, 0.0, 3.0)),
    ],
)
def test_a_scale_has_a_neutral_middle_where_a_number_can_be_neutral(
    frame: pl.DataFrame, known: list[float], scale: tuple[float, float, float]
) -> None:
    assert _scale(frame, known) == scale


SIMULATED = "imulated, 65,536 trials each; ± is a 95 % interval of each by itself."


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (["exact"], "Exact."),
        (["exact", "not asked"], "Exact."),
        (["simulated", "not asked"], f"S{SIMULATED}"),
        (["exact", "simulated"], f"Numbers with ± are s{SIMULATED}"),
    ],
)
def test_a_caption_says_how_its_numbers_are_known(kinds: list[str], told: str) -> None:
    frame = pl.concat([cells(0.5, kind=kind) for kind in kinds])
    assert table_caption(declared("x"), frame, GameSettings()) == f"c. {told}"


def test_a_table_that_the_run_lacks_is_left_out_and_a_section_without_any_too() -> None:
    first, second, third = load_run(ROOT / "reports" / "agincourt").settings.sections
    gone: dict[str, pl.DataFrame | None] = {frame_name(one): None for one in (first.tables[0], *second.tables)}
    shown = report_sections(altered("agincourt", gone))
    assert [section.title for section in shown] == [first.title, third.title]
    captions = [block.caption for block in shown[0].blocks if isinstance(block, Table | HeatMap)]
    assert [caption.partition(".")[0] for caption in captions] == [one.caption for one in first.tables[1:]]


def test_a_section_that_is_not_shown_is_to_download() -> None:
    pages = altered("battlelore", {})
    assert report_sections(pages) == []
    section = download_section(pages)
    assert section is not None
    names = {block.name for block in section.blocks if isinstance(block, Attachment)}
    assert {f"tables/{frame_name(part)}.csv" for one in pages.run.settings.sections for part in one.tables} <= names

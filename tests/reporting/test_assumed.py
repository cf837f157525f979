"""The caution on assumed numbers: by their share, for games with prices and without, and whose they are."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from openpyxl import load_workbook

from balance.catalogue import export_workbook, import_workbook, replace_folder
from balance.game.loaded import load
from balance.game.registry import find_game
from balance.reporting import Callout
from balance.reporting.sections.claims.assumptions import assumed_callout
from balance.reporting.sections.common.cell_text import cell_text
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.page import caution_text
from balance.study import load_run, load_study, run_study
from balance.study.frames.report_settings import load_settings
from tests.reporting.altered import altered

REPORTS = Path(__file__).parents[2] / "reports"


def pages_of(game: str, caution: str = "", shifts: pl.DataFrame | None = None, **statuses: str) -> Pages:
    """Return a published report whose values have other statuses, and one of its tables a caution."""
    run = load_run(REPORTS / game)
    sections = [section.model_dump(mode="json") for section in run.settings.sections]
    for part in [part for section in sections for part in section["tables"]]:
        part["caution"] = caution if part["id"] == "reading_shifts" else ""
    sources = run.table("provenance").with_columns(pl.col("status").replace(statuses))
    tables = {"provenance": sources} | ({} if shifts is None else {"declared_reading_shifts": shifts})
    return altered(game, tables, None, {"sections": sections})


def callout(game: str, **statuses: str) -> Callout:
    """Return the box of a published report whose values have other statuses."""
    found = assumed_callout(pages_of(game, **statuses))
    assert isinstance(found, Callout)
    return found


def test_a_game_without_prices_is_cautioned_too_and_told_for_what() -> None:
    found, sources = callout("edadh"), load_run(REPORTS / "edadh").table("provenance")
    troops = sources.filter(table="troops")
    assert found.kind == "caution"
    assert f"{(sources['status'] == 'assumed').sum()} assumed" in found.text
    assert f"troops ({(troops['status'] == 'assumed').sum()} of {troops.height})" in found.text
    titles = [one.title for one in load_run(REPORTS / "edadh").settings.sections if one.shown]
    assert titles and all(title in found.text for title in titles)


def test_few_assumed_numbers_are_a_note() -> None:
    assert callout("battlelore").kind == "note"
    assert callout("edadh", assumed="stated").kind == "note"


SHIFT = "Of the open questions: {largest_row}, {largest}."


def test_what_a_table_cautions_against_is_worked_out_from_it() -> None:
    """The reading that is named is the one whose number is farthest from 0, whichever that is in the run at hand."""
    shifts = load_run(REPORTS / "edadh").table("declared_reading_shifts")
    row = max(shifts.iter_rows(named=True), key=lambda row: abs(row["value"]))
    told = caution_text(pages_of("edadh", SHIFT))
    assert told.endswith(f"{row['row']}, {cell_text(row, 1)} (the largest of {shifts.height}, either way).")
    value = pl.when(pl.col("row") == row["row"]).then(0.0).otherwise("value")
    turned = caution_text(pages_of("edadh", SHIFT, shifts.with_columns(value=value)))
    assert "Of the open questions:" in turned
    assert row["row"] not in turned


def test_the_first_page_cautions_where_much_is_assumed() -> None:
    sources = load_run(REPORTS / "edadh").table("provenance")
    n = (sources["status"] == "assumed").sum()
    assert caution_text(pages_of("edadh")).startswith(f"**{n} of {sources.height} values are assumed**")
    assert caution_text(pages_of("edadh", assumed="stated")) == ""
    assert caution_text(pages_of("battlelore")) == ""
    assert caution_text(pages_of("edadh", "Of {cell[no such row][Cautious]}.", assumed="stated")) == ""


def test_the_first_page_cautions_of_assumed_costs_whatever_else_is_assumed() -> None:
    assert caution_text(pages_of("warforged")).startswith("**All 22 costs are assumed**")
    assert caution_text(pages_of("warforged", assumed="unknown")) == "", "a designer's own need no source"


def test_the_shipped_caution_of_edadh_names_the_reading_that_shifts_most() -> None:
    settings = load_settings(load("edadh"))
    (part,) = [part for section in settings.sections for part in section.tables if part.caution]
    assert (part.id, part.caution.count("{largest_row}"), part.caution.count("{largest}")) == ("reading_shifts", 1, 1)


def test_costs_of_ones_own_are_not_called_placeholders() -> None:
    shipped = callout("warforged")
    assert "22 of 22 costs are assumed** (SOURCES: placeholder catalogue)" in shipped.text
    assert shipped.kind == "caution"
    own = callout("warforged", assumed="unknown", stated="unknown", inferred="unknown")
    assert not re.search("placeholder|put in your own|assumed", own.text + own.title)
    assert "name no source" in own.text


@pytest.mark.slow("test_the_first_page_cautions_where_much_is_assumed")
def test_an_exported_and_imported_catalogue_without_sources_is_said_to_name_none(tmp_path: Path) -> None:
    """A designer's own cards, from the workbook that we wrote, its sheet of sources taken out."""
    spec = find_game("warforged").spec
    book = export_workbook(load("warforged").catalogue, tmp_path / "cards.xlsx")
    edited = load_workbook(book)
    del edited["SOURCES"]
    edited["units"]["D2"], edited["units"]["D3"] = 25, 15
    edited.save(book)
    replace_folder(import_workbook(spec, book), tmp_path / "cards")
    names = ["nexus+shotgun", "trooper+shotgun"]
    path = tmp_path / "study.toml"
    path.write_text(
        f'game = "warforged"\ncatalogue = "cards"\nentrants = {names}\narmies = []\n'
        "[check]\nmatch_ups = 1\ntrials = 64\n"
    )
    found = assumed_callout(Pages(run_study(load_study(path), tmp_path / "run")))
    assert isinstance(found, Callout)
    assert "22 of 22 costs name no source" in found.text
    assert not re.search("placeholder|put in your own|assumed", found.text + found.title)

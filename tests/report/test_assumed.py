"""The caution on assumed numbers: by their share, for games with prices and without, and whose they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from openpyxl import load_workbook

from balance.catalogue import export_workbook, import_workbook, replace_folder
from balance.protocol.loaded import load
from balance.protocol.registry import find_game
from balance.report import Callout
from balance.report.sections.assumed import assumed_callout
from balance.report.sections.words import Pages
from balance.study import Run, load_run, load_study, run_study

REPORTS = Path(__file__).parents[2] / "reports"


def callout(game: str, monkeypatch: pytest.MonkeyPatch, **statuses: str) -> Callout:
    run = load_run(REPORTS / game)
    sources = run.table("provenance").with_columns(pl.col("status").replace(statuses))
    kept = Run.table

    def table(self: Run, name: str) -> Any:
        return sources if name == "provenance" else kept(self, name)

    monkeypatch.setattr(Run, "table", table)
    found = assumed_callout(Pages(run))
    assert isinstance(found, Callout)
    return found


def test_a_game_without_prices_is_cautioned_too_and_told_for_what(monkeypatch: pytest.MonkeyPatch) -> None:
    found, sources = callout("edadh", monkeypatch), load_run(REPORTS / "edadh").table("provenance")
    troops = sources.filter(table="troops")
    assert found.kind == "caution"
    assert f"{(sources['status'] == 'assumed').sum()} assumed" in found.text
    assert f"troops ({(troops['status'] == 'assumed').sum()} of {troops.height})" in found.text
    titles = [one.title for one in load_run(REPORTS / "edadh").settings.sections]
    assert titles and all(title in found.text for title in titles)


def test_few_assumed_numbers_are_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    assert callout("battlelore", monkeypatch).kind == "note"
    assert callout("edadh", monkeypatch, assumed="stated").kind == "note"


def test_costs_of_ones_own_are_not_called_placeholders(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = callout("warforged", monkeypatch)
    assert "22 of 22 costs are assumed** (SOURCES: placeholder catalogue)" in shipped.text
    assert shipped.kind == "caution"
    own = callout("warforged", monkeypatch, assumed="unknown", stated="unknown", inferred="unknown")
    assert not re.search("placeholder|put in your own|assumed", own.text + own.title)
    assert "name no source" in own.text


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

"""The caution on assumed numbers: by their share, for games with prices and without, and whose they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.analysis.study import Run, load_run
from balance.report import Callout
from balance.report.sections.assumed import assumed_callout
from balance.report.sections.words import Pages

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
    found = callout("edadh", monkeypatch)
    assert found.kind == "caution"
    assert "511 assumed" in found.text and "troops (207 of 224)" in found.text
    titles = [one.title for one in load_run(REPORTS / "edadh").settings.sections]
    assert titles and all(title in found.text for title in titles)


def test_few_assumed_numbers_are_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    assert callout("battlelore", monkeypatch).kind == "note"
    assert callout("edadh", monkeypatch, assumed="stated").kind == "note"


def test_costs_of_ones_own_are_not_called_placeholders(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = callout("warforged", monkeypatch)
    assert "placeholder" in shipped.text and shipped.kind == "caution"
    own = callout("warforged", monkeypatch, assumed="unknown", stated="unknown", inferred="unknown")
    assert "placeholder" not in own.text and "put in your own" not in own.text
    assert "name no source" in own.text

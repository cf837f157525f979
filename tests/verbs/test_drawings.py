"""Pictures of answers, and what a notebook shows of an answer by itself."""

from __future__ import annotations

import polars as pl
import pytest
from rich import console

import balance
from balance.answers.media.notebook import as_text
from balance.answers.media.plot import plot_table
from balance.answers.media.terminal import line

FIELD = ["nexus+assault_rifle", "trooper+shotgun"]


def test_a_drawing_shows_itself_as_a_picture() -> None:
    picture = balance.attack("warforged", "nexus+assault_rifle", "trooper").plot()
    assert picture._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[attr-defined]
    assert len(repr(picture)) < 200


def test_match_ups_are_a_map_with_their_numbers() -> None:
    picture = balance.matchups("warforged", among=FIELD).plot()
    assert [text.get_text() for text in picture.axes[0].texts] == ["0.50", "0.80", "0.20", "0.50"]


def test_numbers_that_are_no_chances_are_coloured_around_nothing() -> None:
    dealt = balance.matchups("warforged", "attack", among=FIELD, against="trooper", measure="damage")
    image = dealt.plot().axes[0].get_images()[0]
    assert image.get_clim() == pytest.approx((-3.65, 3.65))
    assert dealt.plot("matchups").axes[0].get_xlabel() == "mean"


def test_a_bar_that_nobody_can_see_takes_no_room() -> None:
    axes = balance.kill("warforged", "nexus+assault_rifle", "bulwark").plot("actions").axes[0]
    heights = [bar.get_height() for bar in axes.patches]  # type: ignore[attr-defined]
    assert min(heights) >= 1e-4
    assert sum(heights) == pytest.approx(1, abs=1e-3)


def test_text_is_caught_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich would show what it catches below the cell as well."""
    monkeypatch.setattr(console, "_is_jupyter", lambda: pytest.fail("asked whether this is a notebook"))
    assert as_text([line("They are even.")]).strip() == "They are even."


def test_notes_are_worked_out_when_they_are_looked_at() -> None:
    idle = balance.duel("warforged", "trooper+shotgun", "trooper+shotgun", set={"a.range_cells": 9})
    assert "notes" not in vars(idle)
    assert any("range_cells" in note for note in idle.notes)


def test_a_row_is_named_by_its_label_or_by_what_differs() -> None:
    ladder = pl.DataFrame({"way": ["kite", "hold"], "rating": [3.0, 1.0], "near": [True, False]})
    priced = pl.DataFrame({"entrant": ["a+b"], "label": ["A + B"], "fair": [3.0], "verdict": ["fair"]})
    met = pl.DataFrame({"one": ["a", "b"], "other": ["c", "c"], "score": [0.5, 0.25]})
    for frame, names in ((ladder, ["kite", "hold"]), (priced, ["A + B"]), (met, ["a", "b"])):
        ticks = plot_table(frame, "").axes[0].get_yticklabels()
        assert [tick.get_text() for tick in ticks] == names


def test_chances_of_a_duel_are_bars_in_per_cent() -> None:
    axes = balance.duel("warforged", "vanguard+shotgun", "aegis+laser_carbine").plot().axes[0]
    assert [text.get_text() for text in axes.texts] == ["64.4%", "35.6%", "0%"]
    assert axes.xaxis.get_major_formatter()(0.2, 0) == "20%"


def test_what_a_card_costs_today_stands_beside_its_fair_cost() -> None:
    priced = pl.DataFrame({"label": ["A"], "cost_points": [30], "fair_points": [18.8], "low": [6.9], "high": [24.5]})
    drawn = {row.get_label(): list(row.get_xdata()) for row in plot_table(priced, "").axes[0].lines}  # type: ignore[arg-type]
    assert drawn == {"fair points": [18.8], "cost today": [30]}


def test_a_notebook_names_its_own_way_to_more_and_cuts_no_sentence() -> None:
    shown = balance.duel("warforged", "trooper+shotgun", "nexus+assault_rifle")._repr_html_()
    assert "--more" not in shown
    assert "explain() shows" in shown
    assert "…" not in shown

"""The first page that a game declares: every number of it is the table's, and a part that is missing is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.reporting import Callout, Figure, Paragraph, Section, Table
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.declared import declared_page
from balance.reporting.sections.first_page.page import FirstPage, first_page_section
from balance.study.frames.report_tables import SCHEMA
from balance.study.run.folder import Run

SCORES = {"Ambush": (0.30, 0.35), "Crypt": (0.45, 0.55), "Inn": (0.35, 0.45), "Tomb": (0.70, 0.80)}
PAGE = {
    "headline": "The tomb is won {cell[Tomb][4 heroes]}, and {small.cell[Tomb][4 heroes]} by few.",
    "chart": {
        "table": "scores", "axis": "chance to win, in per cent", "fair": [0.4, 0.6],
        "too_low": "too hard", "too_high": "too easy",
    },
    "change": "small",
}  # fmt: skip


def cells(scores: dict[str, tuple[float, float]]) -> pl.DataFrame:
    rows = [
        {"row": name, "column": "4 heroes", "measure": "wins of a", "show": "value", "is_share": True,
         "value": (low + high) / 2, "low": low, "high": high, "n_trials": 100, "kind": "simulated"}
        for name, (low, high) in scores.items()
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=SCHEMA)


def run_of(page: dict[str, Any], frames: dict[str, pl.DataFrame]) -> Run:
    """Return a run that holds only declared tables."""
    case = {"label": "x"}
    tables = [
        {"id": name, "caption": name.capitalize(), "rung": "duel", "rows": [case], "columns": [case]}
        for name in ("scores", "small")
    ]
    settings = {"first_page": page, "sections": [{"id": "all", "title": "All", "tables": tables}]}
    rungs = {"duel": {"played": "", "cannot_see": ["People: nobody errs.", "Terrain."]}}
    manifest = {"report_settings": settings, "rungs": rungs, "tables": dict.fromkeys(frames, "")}
    return Run(Path(), manifest, frames)


def page_of(page: dict[str, Any] = PAGE, **scores: dict[str, tuple[float, float]]) -> FirstPage | None:
    tables = {"scores": SCORES, "small": SCORES} | scores
    frames = {f"declared_{name}": cells(table) for name, table in tables.items() if table}
    return declared_page(Pages(run_of(page, frames)))


def test_the_headline_says_what_its_tables_say() -> None:
    assert page_of().headline == "The tomb is won 75%\u00a0±5.0, and 75%\u00a0±5.0 by few."  # type: ignore[union-attr]
    planted = page_of(small={"Tomb": (0.1, 0.2)})
    assert planted is not None
    assert planted.headline == "The tomb is won 75%\u00a0±5.0, and 15%\u00a0±5.0 by few."


def test_a_mark_has_a_verdict_only_if_its_whole_interval_has_it() -> None:
    page = page_of()
    assert page is not None
    assert isinstance(page.chart, Figure)
    assert page.chart.alt.replace("\u00a0", " ") == (
        "chance to win, in per cent: Ambush 32% ±2.5, too hard; Crypt 50% ±5.0, fair; Inn 40% ±5.0, not yet known; "
        "Tomb 75% ±5.0, too easy."
    )


def test_what_to_change_is_the_first_five_rows_of_its_table() -> None:
    page = page_of(small={f"Change {at}": (0.1, 0.2) for at in range(9)})
    assert page is not None
    assert page.change is not None
    assert [row[0].text for row in page.change.rows] == [f"Change {at}" for at in range(5)]
    assert page.change.caption.startswith("What to change. Small.")


def test_what_it_cannot_see_is_what_its_kinds_of_question_say_first() -> None:
    assert page_of().cannot_see == "people: nobody errs."  # type: ignore[union-attr]
    assert page_of(PAGE | {"cannot_see": "moods."}).cannot_see == "moods."  # type: ignore[union-attr]


@pytest.mark.parametrize(("lacking", "part"), [("scores", "chart"), ("small", "change")])
def test_a_part_whose_table_a_run_lacks_is_left_out(lacking: str, part: str) -> None:
    page = page_of(**{lacking: {}})
    assert page is not None
    assert getattr(page, part) is None
    assert page.headline == ""
    assert page_of(scores={}, small={}) is None


def test_the_parts_stand_in_one_order() -> None:
    page = page_of()
    assert page is not None
    section = first_page_section(replace(page, caution="Assumed."))
    assert isinstance(section, Section)
    assert [type(block) for block in section.blocks] == [Callout, Figure, Table, Callout, Paragraph]
    assert isinstance(last := section.blocks[-1], Paragraph)
    assert last.text == "**What this cannot see:** people: nobody errs."

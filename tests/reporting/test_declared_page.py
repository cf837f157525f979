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
from balance.study.frames.solutions import SCHEMA as SOLUTIONS
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


@pytest.mark.slow("test_the_parts_stand_in_one_order")
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


def test_what_to_change_is_the_five_rows_nearest_to_even_in_the_order_of_their_table() -> None:
    shares = [0.1, 0.52, 0.2, 0.46, 0.9, 0.35, 0.58, 0.3]
    table = _change_table({f"Change {at}": (share - 0.01, share + 0.01) for at, share in enumerate(shares)})
    assert [row[0].text for row in table.rows] == [f"Change {at}" for at in (1, 3, 5, 6, 7)]
    assert table.caption.startswith("What to change. Small.")


def test_rows_at_one_distance_from_even_are_those_that_stand_first() -> None:
    table = _change_table({f"Change {at}": (0.1, 0.2) for at in range(9)})
    assert [row[0].text for row in table.rows] == [f"Change {at}" for at in range(5)]


def _change_table(rows: dict[str, tuple[float, float]]) -> Table:
    page = page_of(small=rows)
    assert page is not None
    assert page.change is not None
    return page.change


@pytest.mark.slow("test_the_value_of_a_solution_is_the_first_mark_of_the_chart")
def test_a_table_that_answers_the_question_stands_under_the_chart() -> None:
    page = page_of(PAGE | {"answer": "small"}, small={f"Way {at}": (0.1, 0.2) for at in range(9)})
    assert page is not None
    assert page.answer is not None
    assert [row[0].text for row in page.answer.rows] == [f"Way {at}" for at in range(8)]
    assert first_page_section(page).blocks[:2] == (page.chart, page.answer), "the headline names a tomb not there"
    plain = page_of()
    assert plain is not None
    assert plain.answer is None


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
    assert [type(block) for block in section.blocks] == [Callout, Figure, Callout, Table, Paragraph]
    assert isinstance(last := section.blocks[-1], Paragraph)
    assert last.text == "**What this cannot see:** people: nobody errs."


# -- what a solution says --------------------------------------------------------------------------------------------

SOLVED = PAGE | {
    "headline": "It is worth {duel.value}. {duel.remedy}.",
    "chart": {**PAGE["chart"], "solution": "duel"},  # type: ignore[dict-item]
    "change": "duel",
}
SOLUTION = {
    "id": "duel", "one": "angels", "other": "bats", "changes": [], "kind": "approximate", "how": "", "value": 0.69,
    "lower": 0.7, "upper": 0.71, "half_width": 0.02, "exploitability": 0.01, "converged": False, "iterations": 1,
    "n_states": 1,
}  # fmt: skip
NOBODY = pl.DataFrame(schema=dict.fromkeys(
    ("entrant", "label", "arm", "arm_label", "group", "group_label"), pl.String))  # fmt: skip
USUAL = {"usual": 0.8, "usual low": 0.79, "usual high": 0.81, "usual play": "careful"}
START = {"side": "b", "number": "mp", "from": 50, "to": 56, "a scores": 0.52, "a is held to": 0.51, "b concedes": 0.53,
         "change": "b.mp=56", **USUAL}  # fmt: skip
OTHER = {"side": "a", "number": "damage", "from": 0, "to": 7, "a scores": 0.49, "a is held to": 0.45, "b concedes": 0.5,
         "change": "a.damage=7", **USUAL}  # fmt: skip


def solved_page(**tables: list[dict[str, Any]]) -> FirstPage:
    frames = {"declared_scores": cells(SCORES), "solutions": pl.DataFrame([SOLUTION], SOLUTIONS), "entrants": NOBODY}
    run = run_of(SOLVED, frames | {f"solution_duel_{name}": pl.DataFrame(rows) for name, rows in tables.items()})
    run.manifest["report_settings"] |= {  # type: ignore[index]
        "solutions": [{"id": "duel", "title": "Duel", "rung": "duel"}],
        "names": {"mp": "points at the start", "damage": "Damage", "careful": "Careful"},
    }
    page = declared_page(Pages(run))
    assert page is not None
    return page


def test_what_makes_a_solution_even_is_what_to_change() -> None:
    """Each with its number in words, its scores, and what answers leave of them; the first is told."""
    page = solved_page(even_starts=[START, OTHER])
    assert page.headline.replace("\u00a0", " ") == (
        "It is worth about 69.0% (68.0% to 73.0% against the best answers found, not certified). "
        "To make it even, set **Bats: points at the start to 56 rather than 50**: Angels then scores 52.0% ±2.0."
    )
    assert page.change is not None
    assert [column.name for column in page.change.columns] == [
        "What", "From", "To", "Angels scores then", "Both sides Careful", "How sure"
    ]  # fmt: skip
    start, other = ([cell.text.replace("\u00a0", " ") for cell in row] for row in page.change.rows)
    assert start[:-1] == ["Bats: points at the start", "50", "56", "52.0% ±2.0", "80.0% ±1.0"]
    assert other[:-1] == ["Angels: Damage", "0", "7", "49.0% ±2.0", "80.0% ±1.0"]
    assert start[-1] == "tested, 51.0% ±2.0 to 53.0% ±2.0"
    assert other[-1] == "tested, 45.0% ±2.0 to 50.0% ±2.0"
    assert "others may do better" in page.change.note


def test_where_nothing_makes_it_even_that_is_said() -> None:
    page = solved_page()
    assert page.headline.endswith("No single number that was tried makes it even.")
    assert page.change is None


def test_the_value_of_a_solution_is_the_first_mark_of_the_chart() -> None:
    """Over all that its bracket leaves open, errors included."""
    page = solved_page()
    assert page.chart is not None
    assert "Good play, as far as found 69.0, too easy; Ambush" in page.chart.alt

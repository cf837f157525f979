"""The page of a field of one cost: every number of it is the table's, and moves with it."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

from balance.analysis.changes.handicaps.even_field import ALONE, LINE, READING
from balance.analysis.changes.handicaps.even_tables import EVEN_TABLES
from balance.reporting import Figure, Table
from balance.reporting.figures.ranges import Range
from balance.reporting.sections.costs.even_field import even_field_section
from balance.reporting.sections.first_page import even_field
from balance.reporting.sections.first_page.even_field import even_field_page
from balance.reporting.sections.first_page.page import FirstPage
from tests.reporting.altered import altered, said

GROUPS = {
    ("dwarf_red_foot+long_sword",): (0.87, 0.85, 0.92, "too cheap", 0.51),
    ("giant_spider",): (0.60, 0.50, 0.65, "depends", 0.52),
    ("red_foot+short_sword", "goblin_red_foot+short_sword"): (0.51, 0.5, 0.52, "fair", 0.58),
    ("green_foot+common_bow",): (0.31, 0.28, 0.32, "too dear", 0.44),
}
CHANGE = {"entrants": ["dwarf_red_foot+long_sword"], "field": "figures", "old": "4", "new": "1", "score": 0.87}


def page_of(changes: int = 1, **planted: tuple[float, float, float, str, float]) -> tuple[FirstPage, list[str]]:
    """Return the first page and the lines of the section, with some groups planted by the first word of their id."""
    rows = []
    for group, told in GROUPS.items():
        score, low, high, verdict, after = planted.get(group[0].partition("_")[0], told)
        depends = [LINE] if verdict == "depends" else []
        numbers = {"score": score, "low": low, "high": high, "after": after, "after_low": after, "after_high": after}
        rows.append({"entrants": list(group), "verdict": verdict, "depends": depends, **numbers})
    verdict = {"verdict": CHANGE.get("then", "fair")}
    change = CHANGE | {"alone": 0.48, "after": 0.51, "after_low": 0.49, "after_high": 0.56} | verdict
    change.pop("then", None)
    settings = [(ALONE, 1, []), (LINE, 2, []), (READING, 1, ["rules.x=1"]), (READING, 1, ["rules.x=2"])]
    tables: dict[str, list[Any]] = {
        "even_field": rows,
        "even_changes": [change | {"depends": []}] * changes,
        "even_settings": [dict(zip(EVEN_TABLES["even_settings"], row, strict=True)) for row in settings],
    }
    pages = altered("battlelore", {name: pl.DataFrame(rows, schema=EVEN_TABLES[name]) for name, rows in tables.items()})
    page = even_field_page(pages)
    assert page is not None
    return page, said(even_field_section(pages))


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("**", "")


def test_a_change_that_is_not_enough_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    enough = page_of()[0].change
    monkeypatch.setitem(CHANGE, "then", "too cheap")
    not_enough = page_of()[0].change
    text = "No single change makes Iron Dwarf Heavy Swordsmen fair; this one comes nearest."
    assert enough is not None and not_enough is not None
    assert text not in enough.note
    assert text in not_enough.note


def test_the_headline_is_worked_out_from_its_table() -> None:
    assert plain(page_of()[0].headline) == (
        "1 banner buys Iron Dwarf Heavy Swordsmen, which holds its hex in 87% of its duels (85% to 92% over all "
        "settings), or Archers, with 31% (28% to 32%). Of 15 units, 1 is too cheap, 1 is too dear, 2 are fair and 1 "
        "depends on the setting. With the change below every unit holds its hex in 44% to 58% of its duels, instead of "
        "31% to 87%, and 2 are fair instead of 2."
    )


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ({"dwarf": (0.77, 0.7, 0.8, "too cheap", 0.51)}, "holds its hex in 77% of its duels (70% to 80% over all"),
        ({"dwarf": (0.87, 0.85, 0.92, "too cheap", 0.66)}, "in 44% to 66% of its duels, instead of 31% to 87%"),
        ({"green": (0.21, 0.2, 0.3, "too dear", 0.44)}, "with 21% (20% to 30%)"),
        ({"red": (0.56, 0.56, 0.6, "too cheap", 0.58)}, "3 are too cheap, 1 is too dear and 1 depends on the setting"),
        ({"giant": (0.6, 0.58, 0.65, "too cheap", 0.52)}, "2 are too cheap, 1 is too dear and 2 are fair."),
    ],
)
def test_a_planted_number_moves_the_headline(planted: dict[str, Any], told: str) -> None:
    assert told in plain(page_of(**planted)[0].headline)
    assert told not in plain(page_of()[0].headline)


@pytest.mark.slow("test_the_headline_is_worked_out_from_its_table")
def test_the_headline_counts_the_changes() -> None:
    assert "With the 3 changes below" in page_of(changes=3)[0].headline
    assert "below" not in page_of(changes=0)[0].headline
    assert page_of(changes=0)[0].change is None


def test_each_label_of_the_chart_stands_at_its_own_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Range] = []
    plot = even_field.plot_ranges

    def keep(rows: list[Range], *words: Any, **options: Any) -> Any:
        drawn.extend(rows)
        return plot(rows, *words, **options)

    monkeypatch.setattr(even_field, "plot_ranges", keep)
    chart = page_of()[0].chart
    assert isinstance(chart, Figure)
    assert [(mark.name, round(mark.mark), round(mark.low), round(mark.high), mark.family) for mark in drawn] == [
        ("Iron Dwarf Heavy Swordsmen", 87, 85, 92, "under"),
        ("Giant Spider", 60, 50, 65, "depends"),
        ("Heavy Infantry, Hobgoblin Swordsmen", 51, 50, 52, "fair"),
        ("Archers", 31, 28, 32, "over"),
    ]
    assert "Giant Spider 60% (50 to 65), depends on how many meet; Heavy Infantry" in chart.alt.replace("\u00a0", " ")


def test_what_to_change_says_from_what_to_what_and_what_comes_of_it() -> None:
    change = page_of()[0].change
    assert isinstance(change, Table)
    (row,) = change.rows
    texts = [cell.text.replace("\u00a0", "") for cell in row]
    assert texts == ["Iron Dwarf Heavy Swordsmen", "too cheap", "figures 4 → 1", "87%", "51%", "49% to 56%", "fair"]
    assert "2 other readings of the open rules" in change.note.replace("\u00a0", " ")


def test_neither_page_nor_section_holds_an_id() -> None:
    page, lines = page_of()
    assert isinstance(page.chart, Figure)
    assert isinstance(page.change, Table)
    text = " ".join([page.headline, page.chart.alt, page.chart.caption, page.change.caption, page.change.note, *lines])
    assert not re.findall(r"[a-z]+_[a-z]+|BL-|rules\\.", text)


def test_few_words_stand_before_the_table() -> None:
    page = page_of()[0]
    assert isinstance(page.chart, Figure)
    assert len(f"{page.title} {page.headline} {page.chart.caption}".split()) <= 200

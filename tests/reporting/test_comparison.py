"""A change as a page and as files; what the pages say in full is kept in `golden/`, see `golden_pages`."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance
from balance.base.answers import as_plain
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.game.words import Words
from balance.reporting import Callout, Figure, Section, Table
from balance.reporting.changes.chart import Move, reasons
from balance.reporting.changes.comparison import _Pages, comparison_document, write_comparison
from balance.study.compare.answer import ChangeSummary, Comparison
from balance.study.compare.compare import compare_catalogues
from balance.study.settings.settings import Study, StudySettings
from tests.study.comparisons import comparison, terms

TERMS = terms(Words(), "Skirmish")


@cache
def found() -> Comparison:
    """Skirmish, its Knights a little sturdier."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
        before = load("skirmish")
        fighters = before.catalogue.tables["fighters"]
        sturdy = {**fighters, "knight": fighters["knight"].model_copy(update={"health": 6})}
        after = load("skirmish", replace(before.catalogue, tables={"fighters": sturdy}))
        settings = StudySettings(game="skirmish", seed=3)
        return compare_catalogues(Study(settings, Path("study.toml")), before, after, title="Sturdy Knights")


def test_what_is_written_as_json_is_the_summary_and_what_the_change_touches() -> None:
    told = as_plain(found())
    assert list(told) == [
        *("schema", "verb", "title", "game", "seed"),
        *("catalogue_sha256", "broken_limits", "equal_points", "summary", "affected", "changes"),
    ]
    shas = list(found().catalogue_sha256)
    assert list(told.values())[:7] == [1, "compare", "Sturdy Knights", "skirmish", 3, shas, []]
    assert shas[0] != shas[1]
    assert list(told["summary"]) == [part.name for part in fields(ChangeSummary)]
    assert told["equal_points"] is None
    assert list(told["affected"]) == ["everybody", "cards", "entrants", "others"]
    assert told["changes"] == [row for row in found().match_ups.to_dicts() if row["touched"]]
    assert [(row["a"], row["b"]) for row in told["changes"]] == [("rat", "knight"), ("knight", "ogre")]
    assert found().match_ups.height == 3


def test_a_change_is_said_drawn_and_explained_in_this_order() -> None:
    summary = comparison_document(found(), TERMS).blocks[0]
    assert isinstance(summary, Section)
    said, drawn, why = summary.blocks[:3]
    assert isinstance(said, Callout)
    assert isinstance(drawn, Figure)
    assert isinstance(why, Table)
    assert why.caption == "Why: what is changed."
    assert drawn.picture.marks is not None
    scores = "before, in per cent", "after, in per cent", "change, in points", "lower", "upper"
    assert drawn.picture.marks.columns == ("name", *scores, "verdict", "why")
    told = {row[0]: row for row in drawn.picture.marks.rows}
    assert told["Knight"][1] < told["Knight"][2]
    assert told["Knight"][-2:] == ("", "Knight: health 5 → 6")
    assert told["Rat"][-1] == "meets what is changed"
    assert list(reasons(found(), "knight")) == ["Knight: health 5 → 6"]
    assert "Knight from" in drawn.alt
    assert [block.caption.partition(".")[0] for block in summary.blocks[3:] if isinstance(block, Table)] == [
        "The entrants that contain a changed card",
        "Other entrants, without a changed card, whose standing changes all the same",
    ]


@pytest.mark.parametrize(
    ("low", "high", "look"),
    [(0.1, 0.3, "more"), (-0.3, -0.1, "less"), (-0.1, 0.3, "not told apart"), (0.0, 0.2, "not told apart"),
     (0.0, 0.0, "the same")],
)  # fmt: skip
def test_a_mark_says_what_its_interval_says(low: float, high: float, look: str) -> None:
    assert Move("Ox", 50.0, 50.1, low, high, "", "").look == f"after: {look}"


def test_a_comparison_is_its_report_its_numbers_and_all_its_match_ups(tmp_path: Path) -> None:
    written = write_comparison(found(), TERMS, tmp_path / "told", ["html"])
    assert [path.name for path in written] == ["index.html", "compare.json", "changes.parquet"]
    assert "<h1>Sturdy Knights</h1>" in written[0].read_text("utf-8")
    text = written[1].read_text("utf-8")
    assert json.loads(text) == json.loads(json.dumps(as_plain(found())))
    assert text.startswith('{\n  "schema": 1,\n')
    assert text.endswith("}\n")
    assert pl.read_parquet(written[2]).equals(found().match_ups)


def test_without_a_format_only_numbers_are_written(tmp_path: Path) -> None:
    assert [path.name for path in write_comparison(found(), TERMS, tmp_path, ())] == ["compare.json", "changes.parquet"]


def changed(**columns: Any) -> Comparison:
    row = found().match_ups.filter(a="rat", b="knight").with_columns(effect=pl.lit("changed"), **columns)
    return replace(found(), match_ups=row)


def rows_of(comparison: Comparison) -> Table:
    section = next(block for block in comparison_document(comparison, TERMS).blocks if isinstance(block, Section)
                   and block.anchor == "changes")  # fmt: skip
    table = section.blocks[-1]
    assert isinstance(table, Table)
    return table


@pytest.mark.parametrize(
    ("n", "shown", "note"),
    [
        (400, 400, ""),
        (401, 400, "1 smaller changes are in `changes.parquet`."),
        (1500, 400, "1,100 smaller changes are in `changes.parquet`."),
    ],
)
def test_of_very_many_changes_the_largest_are_listed(n: int, shown: int, note: str) -> None:
    size = pl.int_range(pl.len()).cast(pl.Float64)
    changes = pl.concat([changed().match_ups] * n).with_columns(
        difference=pl.when(size % 2 == 0).then(size).otherwise(-size)
    )
    table = rows_of(replace(found(), match_ups=changes))
    assert (len(table.rows), table.note) == (shown, note)
    column = [column.name for column in table.columns].index("Change")
    assert [abs(row[column].sort) for row in table.rows] == [float(n - 1 - place) for place in range(shown)]


@pytest.mark.parametrize(
    ("columns", "verdict", "interval"),
    [
        ({"difference": None}, "one-sided", "not played"),
        ({"difference": 0.1, "verdict_after": "unfair"}, "one-sided → unfair", "exact"),
        ({"difference": None, "verdict_after": "unfair"}, "unfair", "not played"),
        ({"difference": 0.1, "difference_low": 0.05, "difference_high": 0.2}, "one-sided", "+5.0 pp to +20.0 pp"),
    ],
)
def test_a_row_tells_what_is_known_of_a_change(columns: dict[str, Any], verdict: str, interval: str) -> None:
    schema = found().match_ups.schema
    literals = {name: pl.lit(value, schema[name]) for name, value in columns.items()}
    table = rows_of(changed(**literals))
    cells = dict(zip((column.name for column in table.columns), (cell.text for cell in table.rows[0]), strict=True))
    assert cells["Match-up"] == "Rat – Knight"
    assert (cells["Verdict"], cells["Interval"].replace("\u00a0", " ")) == (verdict, interval)


def test_where_nothing_is_known_of_going_first_nothing_is_said_of_it() -> None:
    nothing = replace(found().summary.first_mover_touched, before=None)
    numbers = replace(found().summary, first_mover_touched=nothing)
    assert _Pages(replace(found(), summary=numbers), TERMS)._first_move() == ""
    assert _Pages(found(), TERMS)._first_move().startswith(" Going first is worth ")


def test_who_has_no_name_goes_by_an_id() -> None:
    assert [_Pages(found(), TERMS).name(one) for one in ("rat", "wolf")] == ["Rat", "wolf"]


def test_a_page_tells_which_catalogues_it_is_about() -> None:
    """Prints of catalogues are as long as in the front of a report, so that the two can be held side by side."""
    digests = "0123456789abcdef" * 4, "fedcba9876543210" * 4
    assert _Pages(replace(comparison(), catalogue_sha256=digests, seed=7), TERMS).facts() == (
        ("Game", "Skirmish"),
        ("Catalogue before", "0123456789abcdef"),
        ("Catalogue after", "fedcba9876543210"),
        ("Seed", "7"),
        ("Made with", f"balance {balance.__version__}"),
    )


def test_what_was_not_played_comes_last() -> None:
    known, unknown = (changed(difference=pl.lit(by, pl.Float64)).match_ups for by in (0.1, None))
    table = rows_of(replace(found(), match_ups=pl.concat([unknown, known])))
    assert [row[-2].text for row in table.rows] == ["exact", "not played"]

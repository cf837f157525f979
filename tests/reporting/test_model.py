"""The one tree that both templates are filled from: every kind of block in full."""

from __future__ import annotations

from typing import Any

import pytest

from balance.answers.blocks.document import Block
from balance.answers.blocks.marks import Marks, row_marks
from balance.reporting import (
    Attachment,
    Bullets,
    Callout,
    Cell,
    Column,
    Document,
    Facts,
    Figure,
    HeatMap,
    PageBreak,
    Paragraph,
    Picture,
    Section,
    Table,
    Verdict,
    Verdicts,
    table,
)
from balance.reporting.page.model import _size, _Writer, as_model

HEAT = {"row_labels": ("r",), "column_labels": ("a\n", "b"), "cells": (("1", "–"),), "shades": ((0.25, None),)}
PERCENT_ROW = Cell("1\n", 1.5), Cell("−5\u00a0% ±1", -1 / 3, -0.5, 0.0)
VERDICTS = Verdicts((Verdict("N\n", "not yet known", "s **b**", "i\n"),))


def shown(text: str, step: int | None, sort: float | None = None, ends: list[float] | None = None) -> dict[str, Any]:
    """A cell of a heat map as the model holds it."""
    return {"text": text, "step": step, "sort": sort, "ends": ends}


def drawn(block: Block) -> dict[str, Any]:
    return _Writer().write(block)


@pytest.mark.parametrize(
    ("block", "written"),
    [
        (Paragraph("**p**"), {"kind": "paragraph", "runs": [["bold", "p"]]}),
        (Bullets(("a", "`b`")), {"kind": "bullets", "items": [[["text", "a"]], [["code", "b"]]]}),
        (Callout("key", "t\n", "x"), {"kind": "callout", "tone": "key", "title": "t ", "runs": [["text", "x"]]}),
        (Facts((("l\n", "v\n"),)), {"kind": "facts", "rows": [{"label": "l ", "value": "v "}]}),
        (Attachment("a.csv", b"", "see"), {"kind": "attachment", "name": "a.csv", "runs": [["text", "see"]]}),
        (PageBreak(), {"kind": "pagebreak"}),
        (
            VERDICTS,
            {
                "kind": "verdicts",
                "rows": [
                    {
                        "name": "N ",
                        "word": "not yet known",
                        "tone": "unknown",
                        "sign": "?",
                        "runs": [["text", "s "], ["bold", "b"]],
                        "interval": "i ",
                    }
                ],
            },
        ),
        (
            Table((Column("h\n", "right", "`t`", "pp"), Column("g")), (PERCENT_ROW,), "c", "**n**"),
            {
                "kind": "table",
                "number": "Table 1",
                "id": "table-1",
                "caption": [["text", "c"]],
                "columns": [
                    {"name": "h ", "align": "right", "tip": [["code", "t"]], "unit": "pp"},
                    {"name": "g", "align": "left", "tip": [], "unit": "difference of shares"},
                ],
                "rows": [
                    [
                        {"text": "1 ", "sort": 1.5, "ends": None},
                        {"text": "−5\u00a0% ±1", "sort": -0.333333333, "ends": [-0.5, 0]},
                    ]
                ],
                "note": [["bold", "n"]],
                "source": "",
                "sheet": {"size": 9.0, "sideways": False, "stretch": False},
            },
        ),
        (
            HeatMap(
                **HEAT,
                caption="c",
                row_title="rows\n",
                column_title="columns\n",
                legend=("0", "1\n"),
                note="n",
                numbers=(((0.5, 0.25, 1.0), (None, None, None)),),
                unit="hits",
            ),
            {
                "kind": "heatmap",
                "number": "Table 1",
                "id": "table-1",
                "caption": [["text", "c"]],
                "palette": "sequential",
                "columns": ["a ", "b"],
                "units": ["hits", "hits"],
                "heads": ["a ", "b"],
                "rows": [{"label": "r", "cells": [shown("1", 5, 0.5, [0.25, 1]), shown("–", None)]}],
                "row_title": "rows ",
                "column_title": "columns ",
                "legend": ["0", "1 "],
                "scale": ["worse for the row", "better for the row"],
                "note": [["text", "n"]],
                "unit": "hits",
                "source": "",
                "grid": {
                    "size": 8.5,
                    "cell_width": 58.0,
                    "cell_height": 15.5,
                    "turned": False,
                    "label_height": pytest.approx(15.99),
                    "sideways": False,
                    "panels": ({"rows": (0, 1), "columns": (0, 2)},),
                },
            },
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, dict) else "",
)
def test_a_block_is_written_in_full(block: Block, written: dict[str, Any]) -> None:
    assert drawn(block) == written


def test_what_is_better_for_the_side_that_a_map_favours_comes_last() -> None:
    block = drawn(HeatMap(**HEAT, caption="c", legend=("0", "9"), better="less", favours="us\n"))
    assert block["rows"] == [{"label": "r", "cells": [shown("1", 15), shown("–", None)]}]
    assert (block["legend"], block["scale"]) == (["9", "0"], ["worse for us ", "better for us "])


def test_a_long_label_of_a_column_has_a_short_head_for_paper() -> None:
    block = drawn(HeatMap(("r",), ("x" * 80,), (("1",),), ((0.0,),), "c"))
    assert block["columns"] == ["x" * 80]
    assert block["heads"] == [f"{'x' * 31}…{'x' * 32}"]


def test_a_picture_is_handed_to_paper_in_points_and_to_a_screen_in_pixels() -> None:
    wide, narrow = '<svg width="960pt" height="90pt"></svg>', '<svg width="240pt" height="90pt"></svg>'
    block = drawn(Figure(Picture(wide, narrow), "a\n", "c"))
    assert (block["number"], block["id"], block["alt"], block["svg"]) == ("Figure 1", "figure-1", "a ", wide)
    assert block["paper"] == [480.0, 45.0]
    assert [(block[name]["width"], block[name]["height"]) for name in ("wide", "narrow")] == [(1280, 120), (320, 120)]
    assert drawn(Figure(Picture(wide), "a", "c"))["narrow"] is None


def test_the_numbers_of_a_picture_stand_where_its_marks_are() -> None:
    marks = row_marks(["card\n", "cost"], [["Ox\n", 1 / 3], ["Elf", None]], [1.0, 2.0])
    picture = Picture("<svg>", "<svg>", marks, ((3, 4), (5, 6)), ((7, 8), (9, 10)))
    assert drawn(Figure(picture, "a", "c"))["marks"] == {
        "columns": ["card ", "cost"],
        "rows": [["Ox ", 0.333333333], ["Elf", None]],
        "spread": "y",
        "wide": [3, 4, 5, 6],
        "narrow": [7, 8, 9, 10],
    }
    assert drawn(Figure(Picture("<svg>"), "a", "c"))["marks"] is None
    assert drawn(Figure(Picture("<svg>", marks=Marks(("card",), (), ())), "a", "c"))["marks"] is None


def test_only_a_table_that_lies_beside_the_page_is_linked() -> None:
    rows = table(["Card"], [["Ox"]], "c", source="prices")
    model = as_model(Document("T", "", (rows,), files=("tables/prices.parquet", "changes.parquet")))
    assert (model["files"], model["front"][0]["source"]) == (["changes.parquet"], "tables/prices.parquet")
    assert as_model(Document("T", "", (rows,)))["front"][0]["source"] == ""


def test_sections_have_levels_anchors_of_their_own_and_a_place_in_the_contents() -> None:
    inner = Section("Inner\n", "main", (Paragraph("y"),))
    first = Section("One", "", (PageBreak(), Paragraph("x"), PageBreak(), inner))
    blocks = (Paragraph("before"), first, Section("One", "", ()), Section("One", "one", ()), Paragraph("after"))
    model = as_model(Document("T\n", "S\n", blocks, (("l", "v"),), "pt-BR"))
    assert (model["title"], model["subtitle"], model["language"]) == ("T ", "S ", "pt-br")
    assert model["facts"] == [{"label": "l", "value": "v"}]
    assert model["contents"] == [
        {"title": "One", "anchor": "one", "parts": [{"title": "Inner ", "anchor": "main-2", "parts": []}]},
        {"title": "One", "anchor": "one-2", "parts": []},
        {"title": "One", "anchor": "one-3", "parts": []},
    ]
    before, found = model["front"]
    assert before == {"kind": "paragraph", "runs": [["text", "before"]]}
    assert (found["kind"], found["level"], found["title"], found["breaks"]) == ("section", 2, "One", True)
    assert [block["kind"] for block in found["blocks"]] == ["paragraph", "pagebreak", "section"]
    assert (found["blocks"][2]["level"], found["blocks"][2]["breaks"]) == (3, False)
    assert [block["kind"] for block in model["rest"]] == ["section", "section", "paragraph"]
    assert [block["level"] for block in model["rest"][:2]] == [2, 2]


def test_a_report_without_sections_is_all_front() -> None:
    model = as_model(Document("T", "", (Paragraph("a"), Paragraph("b"))))
    assert (len(model["front"]), model["rest"], model["contents"]) == (2, [], [])


def test_figures_and_tables_are_numbered_apart() -> None:
    figure, rows = Figure(Picture("<svg>"), "a", "c"), Table((Column("h"),), (), "c")
    numbers = [block["number"] for block in as_model(Document("T", "", (figure, rows, figure, rows)))["front"]]
    assert numbers == ["Figure 1", "Table 1", "Figure 2", "Table 2"]


def test_a_block_that_nobody_can_write_is_our_fault() -> None:
    with pytest.raises(TypeError, match=r"^no writer for str$"):
        drawn("text")


@pytest.mark.parametrize(
    ("svg", "size"),
    [
        ('<svg width="100pt" height="50.5pt">', (100.0, 50.5)),
        ('<svg width="100" height="50px">', (75.0, 37.5)),
        ('<?xml?><svg width="2in" height="1.5in">', (144.0, 108.0)),
        ('<svg height="5pt">', (480.0, 300.0)),
        ('<svg width="5pt">', (480.0, 300.0)),
        ('<svg><rect width="9" height="9"/>', (480.0, 300.0)),
    ],
)
def test_the_size_of_a_picture_is_read_off_its_head(svg: str, size: tuple[float, float]) -> None:
    assert _size(svg) == size

"""What a conclusion rests on, on the page: a number, what flips it, and where it stands, as the run found them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.answers.blocks.document import Figure, Paragraph, Section
from balance.answers.blocks.tables import HeatMap, Table
from balance.engine.runner import Runner
from balance.reporting.sections.claims.robust import robust_findings, robust_sections
from balance.reporting.sections.common.words import Pages
from balance.study.frames.robustness import robustness_frames
from tests.analysis.coins import written
from tests.reporting.altered import altered
from tests.study.test_robustness import wanted


def pages(folder: Path, changes: dict[str, Any] | None = None, **asked: Any) -> Pages:
    """Return the pages of a run that held one conclusion on a toss of coins, some of its numbers changed."""
    one = wanted(finding="**Coins.** {value}, {says}: {flip}.", text="Who is ahead?", **asked)
    frames: dict[str, pl.DataFrame | None] = {**robustness_frames(Runner(written(folder)), [one])}
    frames["robustness"] = frames["robustness"].with_columns(**{name: pl.lit(x) for name, x in (changes or {}).items()})
    return altered("immortal_souls", frames, settings={"robustness": [one.model_dump(mode="json")]})


def section(shown: Pages) -> Section:
    (found,) = robust_sections(shown)
    return found


def test_a_conclusion_is_told_drawn_and_mapped(tmp_path: Path) -> None:
    found = section(pages(tmp_path))
    text, begin, figure, moves, region, unseen = found.blocks
    assert (found.title, found.anchor) == ("X", "robust-x")
    assert text == Paragraph("Who is ahead?")
    assert begin == Paragraph(
        "**Score of a 75.0%: a is ahead.** Side a is Ann, side b Bob. 14 values that nobody stated moved, one at a "
        "time: none flips it alone, 3 together do (50.0%: tied). It stands on 42.9% of the grid of turned faces below."
    )
    assert isinstance(figure, Figure)
    assert figure.alt == "The widest is faces.a_1.results: from 66.7% to 75.0%, around 75.0% as it is."
    assert figure.caption == (
        "Between which ends each value moves the number, the widest on top; the line is where the conclusion turns"
    )
    assert isinstance(moves, Table)
    assert moves.caption == "The moves that flip the conclusion: 50.0%: tied"
    assert [[cell.text for cell in row] for row in moves.rows] == [
        [f"faces.a_{at}.results", "HIT", "MIS"] for at in (1, 2, 3)
    ]
    assert isinstance(region, HeatMap)
    assert (region.row_title, region.column_title) == ("faces of b from MIS to HIT", "faces of a from HIT to MIS")
    assert region.column_labels == ("−1", "0", "+1", "+2", "+3", "+4", "+5")
    assert region.cells[2] == ("83", "75", "67", "58", "[50]", "[42]", "[33]")
    assert region.shades[2][1] == pytest.approx(0.25 / 0.5)
    assert region.shades[0][0] == pytest.approx(1.0)
    assert unseen == Paragraph("Not measurable here, as no move changes anything of the distribution: 2 values.")


@pytest.mark.parametrize(
    ("asked", "changes", "told"),
    [
        ({}, {}, "75.0%, a is ahead: none flips it alone, 3 together do (50.0%: tied)"),
        (
            {"moves": 2},
            {},
            "75.0%, a is ahead: no 2 together were found to flip it (the nearest is 58.3%: a is ahead)",
        ),
        (
            {"at_least": 0.7},
            {},
            "75.0%, at least 70.0%: one is enough to flip it (66.7%: less than 70.0%), and 8 others are",
        ),
        (
            {"at_least": 0.7},
            {"n_alone": 1},
            "75.0%, at least 70.0%: one is enough to flip it (66.7%: less than 70.0%), and no other is",
        ),
        ({}, {"n_moves": 2}, "75.0%, a is ahead: none flips it alone, 2 together do (50.0%: tied)"),
        ({"measure": {"mean": "hits"}}, {}, "0.833, : nothing is concluded from it"),
        (
            {},
            {"low": 0.7, "high": 0.8, "then_low": 0.4, "then_high": 0.6},
            "75.0% (70.0% to 80.0%), a is ahead: none flips it alone, 3 together do (50.0% (40.0% to 60.0%): tied)",
        ),
    ],
)
def test_the_first_page_says_what_flips_it(
    tmp_path: Path, asked: dict[str, Any], changes: dict[str, Any], told: str
) -> None:
    assert robust_findings(pages(tmp_path, changes, **asked)) == [f"**Coins.** {told}."]


def test_what_is_not_there_is_not_shown(tmp_path: Path) -> None:
    """No conclusion, one die that matters, and everything that moves seen."""
    found = section(pages(tmp_path, {"n_unseen": 0, "stands": None}, measure={"mean": "hits"}))
    assert [type(block) for block in found.blocks] == [Paragraph, Paragraph, Figure]
    begin, figure = found.blocks[1:3]
    assert isinstance(figure, Figure)
    assert begin == Paragraph(
        "**Mean hits 0.833.** Ann against Bob. 14 values that nobody stated moved, one at a time: nothing is concluded "
        "from it."
    )
    assert figure.caption == "Between which ends each value moves the number, the widest on top"


def test_a_run_without_conclusions_has_no_section() -> None:
    assert robust_sections(altered("battlelore", {})) == []
    assert robust_findings(altered("battlelore", {})) == []

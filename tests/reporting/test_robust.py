"""What a conclusion rests on, on the page: a number, what flips it, and where it stands, as the run found them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.engine.runner import Runner
from balance.reporting.sections.claims.robust import robust_findings
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


@pytest.mark.parametrize(
    ("asked", "changes", "told"),
    [
        ({}, {}, "75.0%, a is ahead: none flips it alone, 3 together do (50.0%: tied)"),
        ({"moves": 2}, {}, "75.0%, a is ahead: no 2 together were found to flip it (the nearest is 58.3%: a is ahead)"),
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


def test_a_run_without_conclusions_says_nothing() -> None:
    assert robust_findings(altered("battlelore", {})) == []

"""Games solved, on the page: words that claim no more than was measured, numbers as shares or differences."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from balance.protocol.solution import SolutionTable
from balance.report.sections.solutions import _table, _value, _verdict
from balance.study.solutions import solution_frames
from tests.study.test_solutions import asker, solved, wanted


def test_words_claim_no_more_than_was_measured() -> None:
    frame = solution_frames(asker(), [wanted(), wanted(id="y", method="approximate")])["solutions"]
    exact, rough = (_verdict(row) for row in frame.iter_rows(named=True))
    assert "Certified" in exact
    assert "exploitable by at least" in rough
    assert "not the training" in rough  # which one seed does not settle: it turned out otherwise on another machine
    assert not any(word in rough for word in ("Certified", "between", "bracket", "equilibrium"))


def test_a_value_that_is_not_certified_is_never_told_without_its_range() -> None:
    frame = solution_frames(asker(), [wanted(), wanted(id="y", method="approximate")])["solutions"]
    exact, rough = frame.with_columns(half_width=pl.when(pl.col("id") == "y").then(0.031).otherwise(0.0)).rows(
        named=True
    )
    assert _value(exact) == "62.5%"
    for text in (_value(rough), _verdict(rough)):
        assert all(said in text.replace("\u00a0", " ") for said in ("60.0% ±3.1", "55.0% ±3.1", "65.0% ±3.1"))


def test_numbers_with_decimals_are_shares_or_differences() -> None:
    part = SolutionTable("t", "T", ("card", "share", "gain"), ((1, 0.25, -0.1), (2, 0.75, 0.2)), ("gain",))
    solution = replace(solved(None, "exact", 0), tables=(part,))
    frame = solution_frames(asker(lambda setup, method, seed: solution), [wanted()])["solution_x_t"]
    shown = [[cell.text for cell in row] for row in _table(frame, "T", part.differences).rows]
    assert shown == [["1", "25.0%", "−10.0\N{NO-BREAK SPACE}pp"], ["2", "75.0%", "+20.0\N{NO-BREAK SPACE}pp"]]

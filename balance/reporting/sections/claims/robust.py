"""What a conclusion rests on, in a sentence: how many assumed values must move before it flips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.base.numbers import show_interval, show_number, show_probability
from balance.reporting import literal
from balance.reporting.sections.common.words import Pages
from balance.study.frames.robustness import ReportRobustness

Row = Mapping[str, Any]


def robust_findings(pages: Pages) -> list[str]:
    """Return the declared sentences on conclusions for the first page, with their fields filled in, as marked text."""
    return [
        conclusion.finding.replace("{value}", literal(_number(row, "value", "low", "high")))
        .replace("{says}", literal(row["says"]))
        .replace("{flip}", literal(_flip(row)))
        for conclusion, row in _conclusions(pages)
        if conclusion.finding
    ]


def _conclusions(pages: Pages) -> list[tuple[ReportRobustness, Row]]:
    frame = pages.table("robustness")
    rows = {} if frame is None else {row["id"]: row for row in frame.iter_rows(named=True)}
    return [(conclusion, rows[conclusion.id]) for conclusion in pages.run.settings.robustness if conclusion.id in rows]


def _show(row: Row, x: float) -> str:
    return show_probability(x) if row["is_share"] else show_number(x)


def _number(row: Row, value: str, low: str, high: str) -> str:
    """Return a number, with its interval where it is simulated."""
    text = _show(row, row[value])
    if row["low"] == row["high"]:
        return text
    return f"{text} ({show_interval(row[low], row[high], lambda x: _show(row, x))})"


def _then(row: Row) -> str:
    """Return the number after the moves, and what is concluded from it."""
    says = f": {row['then_says']}" if row["then_says"] else ""
    return f"{_number(row, 'then', 'then_low', 'then_high')}{says}"


def _flip(row: Row) -> str:
    """Return how many values must move before the conclusion flips, as a clause."""
    if row["then"] is None:
        return "nothing is concluded from it"
    if not row["flips"]:
        return f"no {row['most']} together were found to flip it (the nearest is {_then(row)})"
    if row["n_moves"] > 1:
        return f"none flips it alone, {row['n_moves']} together do ({_then(row)})"
    alone = row["n_alone"]
    return f"one is enough to flip it ({_then(row)}), and {'no other is' if alone == 1 else f'{alone - 1} others are'}"

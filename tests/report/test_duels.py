"""Who wins, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from balance.report.sections.duels import _ends


def told(high: list[str], low: list[str], scores: tuple[float, float]) -> str:
    summary: dict[str, Any] = {
        end: {"score": score} for end, score in zip(("strongest", "weakest"), scores, strict=True)
    }
    pages = SimpleNamespace(ends=(high, low), run=SimpleNamespace(summary=summary), list_bold=", ".join)
    return _ends(cast("Any", pages))


@pytest.mark.parametrize(
    ("high", "low", "scores", "text"),
    [
        (["x"], ["y"], (0.7, 0.3), "x scores 70.0%, y 30.0%."),
        (["x", "z"], ["y"], (0.7, 0.1), "x, z score 70.0% each, y 10.0%."),
        (["x"], ["y", "z"], (0.7, 0.1), "x scores 70.0%, y, z 10.0% each."),
        (["x", "y"], ["x", "y"], (0.5, 0.5), "Each scores 50.0%."),
        (["x"], ["x"], (0.5, 0.5), "It scores 50.0%."),
    ],
)
def test_all_that_are_equal_are_named_and_none_twice(
    high: list[str], low: list[str], scores: tuple[float, float], text: str
) -> None:
    assert told(high, low, scores) == text

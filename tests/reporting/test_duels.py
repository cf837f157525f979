"""Who wins, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import polars as pl
import pytest

from balance.reporting import Table
from balance.reporting.sections.fights.duels import duel_section
from balance.reporting.sections.first_page.duels import _ends_text
from tests.reporting.altered import altered, table


def told(high: list[str], low: list[str], scores: tuple[float, float]) -> str:
    summary: dict[str, Any] = {
        end: {"score": score} for end, score in zip(("strongest", "weakest"), scores, strict=True)
    }
    pages = SimpleNamespace(
        ends=(high, low), run=SimpleNamespace(summary=summary | {"n_entrants": len({*high, *low})}),
        list_bold=", ".join, words=SimpleNamespace(entrant="card", wins="wins"), all_of_them=lambda: "3 cards",
        has_prices=False,
    )  # fmt: skip
    return _ends_text(cast("Any", pages))


@pytest.mark.parametrize(
    ("high", "low", "scores", "text"),
    [
        (
            ["x"],
            ["y"],
            (0.7, 0.3),
            "is x, which wins in 70% of its duels (a draw counts half); the weakest is y with 30%",
        ),
        (["x", "z"], ["y"], (0.7, 0.1), "are x, z, each of which wins in 70% of its duels (a draw counts half); the"),
        (["x"], ["y", "z"], (0.7, 0.1), "the weakest are y, z with 10%."),
        (["x", "y"], ["x", "y"], (0.5, 0.5), "Of 3 cards, each met each. Each of them wins in 50% of its duels ("),
        (["x"], ["x"], (0.5, 0.5), "The one card met itself. It wins in 50% of its duels (a draw counts half)."),
    ],
)
def test_all_that_are_equal_are_named_and_none_twice(
    high: list[str], low: list[str], scores: tuple[float, float], text: str
) -> None:
    assert text in told(high, low, scores)


@pytest.mark.parametrize(
    ("n", "rows", "note"),
    [
        (16, 16, ""),
        (17, 16, "1 in between are left out; {} has all."),
        (40, 16, "24 in between are left out; {} has all."),
    ],
)
@pytest.mark.parametrize("priced", [True, False])
def test_of_very_many_the_strongest_and_the_weakest_are_listed(n: int, rows: int, note: str, priced: bool) -> None:
    prices = table("warforged", "prices").head(n).with_columns(score=pl.int_range(n) / n)
    entrants = table("warforged", "entrants")
    if not priced:
        entrants = entrants.with_columns(cost_points=pl.lit(1.0))
    section = duel_section(altered("warforged", {"prices": prices, "entrants": entrants}))
    assert section is not None
    found = section.blocks[-2]
    assert isinstance(found, Table)
    assert (len(found.rows), found.note) == (rows, note.format("the table to download"))
    scores = [row[-1].sort for row in found.rows]
    assert scores == pytest.approx([place / n for place in (*range(n - 1, n - 9, -1), *range(7, -1, -1))])
    assert [column.name for column in found.columns] == ["Loadout", *["Cost"] * priced, "Score"]

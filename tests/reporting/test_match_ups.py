"""Very many match-ups on a page, and how many of which verdict; what the pages say in full is kept in `golden/`."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.reporting import Cell, Column, Table
from balance.reporting.sections.fights.match_ups import match_up_section, verdict_table
from tests.reporting.altered import altered
from tests.reporting.golden_variants import counted, task


@pytest.mark.parametrize(
    ("n", "shown", "note"),
    [
        (300, 300, ""),
        (301, 300, "1 more even ones are in the run's table `tasks`."),
        (1500, 300, "1,200 more even ones are in the run's table `tasks`."),
    ],
)
def test_of_very_many_match_ups_the_least_even_are_listed(n: int, shown: int, note: str) -> None:
    tasks = pl.DataFrame([task(0.5 + (-1) ** place * place / (4 * n)) for place in range(n)])
    section = match_up_section(altered("warforged", {"tasks": tasks}, {"match_ups": counted({"fair": n})}))
    assert section is not None
    table = section.blocks[-1]
    assert isinstance(table, Table)
    assert (len(table.rows), table.note) == (shown, note)
    score = [column.name for column in table.columns].index("Score")
    far = [abs(row[score].sort - 0.5) for row in table.rows]
    assert far == pytest.approx([(n - 1 - place) / (4 * n) for place in range(shown)])


def test_a_verdict_that_nobody_has_is_left_out() -> None:
    verdicts: dict[str, Any] = {"before": {"even": 1200, "fair": 0}, "after": {"not yet known": 1}}
    found = verdict_table(verdicts, "Side", "Verdicts")
    assert found.caption == "Verdicts"
    tip = "of unequal points, and the score is close to 1/2 all the same"
    assert found.columns == (Column("Side"), Column("Even", "right", tip), Column("Not yet known", "right"))
    rows = [["before", "1,200", "0"], ["after", "0", "1"]]
    assert found.rows == tuple(tuple(map(Cell, row)) for row in rows)

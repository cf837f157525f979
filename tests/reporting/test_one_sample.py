"""A quantity that several tables of a run hold is one number: the same question, measure and unit, the same value.

How that comes about: `tests/study/test_report_tables.py::test_what_two_tables_print_is_one_sample`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

from balance.game.registry import GAMES
from balance.study import Run
from balance.study.run.folder import load_run
from tests.reporting.golden_pages import DECLARED, FIGHTERS, run_of
from tests.reporting.manifests import PUBLISHED

BEFORE_IT_WAS_SO = ("edadh",)
"""Reports whose runs are older than the rule: played again, they leave this list."""
QUESTION = ("one", "other", "first", "changes", "choices", "measure")


def differing(run: Run) -> dict[str, list[tuple[str, str, str, float]]]:
    """Return each question with the cells that tell it, where these hold several values."""
    cells = defaultdict(list)
    for name in run.manifest["tables"]:
        if name.startswith("declared_"):
            for row in run.table(name).filter(pl.col("show") == "value", pl.col("value").is_not_null()).to_dicts():
                question = " ".join(str(row[column]) for column in QUESTION)
                cells[question].append((name, row["row"], row["column"], row["value"]))
    return {question: told for question, told in cells.items() if len({value for *_, value in told}) > 1}


def shared_scores(run: Run) -> list[float]:
    """Return how far scores of entrants in the tables of prices and of an even field differ; [] without either."""
    if not (run.has("prices") and run.has("even_field")):
        return []
    field = run.table("even_field").explode("entrants").select(entrant="entrants", even="score")
    both = run.table("prices").join(field, on="entrant", how="inner")
    return (both["score"] - both["even"]).abs().to_list()


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(folder, marks=[pytest.mark.xfail(strict=True)] if folder.name in BEFORE_IT_WAS_SO else [])
        for folder in PUBLISHED
    ],
    ids=lambda folder: folder.name,
)
def test_what_a_published_run_holds_twice_is_one_number(folder: Path) -> None:
    run = load_run(folder)
    assert differing(run) == {}
    assert max(shared_scores(run), default=0.0) < 1e-9


@pytest.mark.slow("test_what_a_published_run_holds_twice_is_one_number")
def test_what_a_small_run_holds_twice_is_one_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert differing(run_of(tmp_path, "", FIGHTERS, DECLARED.read_text("utf-8"))) == {}

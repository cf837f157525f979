"""Mutated catalogues and rosters: a table or an error of ours, never a traceback; most of them a table."""

from __future__ import annotations

import contextlib
import csv
import io
import random
from collections import Counter
from pathlib import Path

import pytest

from balance.cli.main import main
from tests.hostile.rosters import grown, mutated, written

FEWEST_READ = 0.5


def ask(*words: str) -> tuple[int, str, str]:
    """Return how a command ended, and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    return status, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("n", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_mutated_rosters_and_catalogues(n: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    statuses = Counter[int]()
    for case in range(n):
        chance = random.Random(case)
        ending, tree = grown(chance)
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            mutated(tree, chance)
        name, out = f"{case}.{ending}", f"{case}.{chance.choice(('csv', 'csv', 'csv', 'xlsx'))}"
        Path(name).write_bytes(written(ending, tree, chance))
        more = chance.choice(([], ["--type", "Unit"], ["--column", "cost=pts"], ["--json"]))
        status, printed, told = ask("roster", name, "--out", out, *more)
        statuses[status] += 1
        assert status in (0, 1, 2, 3), (case, told[-500:])
        assert "\x1b" not in printed + told and "\u202e" not in printed, case
        assert Path(out).exists() == (status == 0), case
        if status == 0 and out.endswith(".csv"):
            rows = [*csv.reader(Path(out).read_text("utf-8").splitlines())]
            assert len(rows) > 1 and len({len(row) for row in rows}) == 1, case
    assert statuses[0] >= FEWEST_READ * n, statuses

"""Outcomes are added up in bounded memory, and rightly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from balance.study.export import summarise_outcomes

MILLION = 1_000_000

AGGREGATE = """
import sys
from pathlib import Path
from tests.bench.commands import peak_megabytes
from balance.study.export import summarise_outcomes
found = summarise_outcomes(Path(sys.argv[1]), ["a", "b"])
peak = round(peak_megabytes())
print(found.height, found["n_pairs"].sum(), round(float(found["score"].mean()), 6), peak)
"""


def write_outcomes(path: Path, n_rows: int, seed: int) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    names = pl.Series([f"unit_{n}" for n in range(60)])
    winners = pl.Series(["a", "b", "draw"])
    frame = pl.DataFrame(
        {
            "a": names.gather(generator.integers(0, 60, n_rows, dtype=np.uint32)),
            "b": names.gather(generator.integers(0, 60, n_rows, dtype=np.uint32)),
            "a_first": winners.gather(generator.integers(0, 3, n_rows, dtype=np.uint32)),
            "b_first": winners.gather(generator.integers(0, 3, n_rows, dtype=np.uint32)),
            "n": generator.integers(1, 1000, n_rows),
        }
    )
    frame.write_parquet(path, compression="lz4", statistics=False)
    return frame


def test_scores_are_added_up(tmp_path: Path) -> None:
    rows = {"a": ["x", "x", "x", "y"], "a_first": ["a", "b", "a", "draw"], "b_first": ["a", "b", None, "a"]}
    pl.DataFrame(rows | {"n": [3, 1, None, 2]}, schema_overrides={"n": pl.Int64}).write_parquet(tmp_path / "o.parquet")
    found = summarise_outcomes(tmp_path / "o.parquet")
    assert found.to_dict(as_series=False) == {"a": ["x", "y"], "n_pairs": [4, 2], "score": [0.75, 0.75]}


@pytest.mark.parametrize(
    ("n_files", "n_rows", "most"),
    [(4, MILLION // 2, 500), pytest.param(20, 5 * MILLION, 1000, marks=pytest.mark.slow)],
)
def test_a_hundred_million_rows_fit_in_little_memory(n_files: int, n_rows: int, most: int, tmp_path: Path) -> None:
    """All rows at once would take 60 bytes each, 6 GB in the long form; `most` is in MB, the program included."""
    pytest.importorskip("resource")
    counted = 0
    for number in range(n_files):
        counted += int(write_outcomes(tmp_path / f"{number:02d}.parquet", n_rows, number)["n"].sum())
    done = subprocess.run([sys.executable, "-c", AGGREGATE, f"{tmp_path}"], capture_output=True, text=True, check=True)
    n_groups, n_pairs, score, peak = done.stdout.split()
    assert (int(n_groups), int(n_pairs)) == (3600, counted)
    assert abs(float(score) - 0.5) < 0.01
    assert int(peak) < most

"""What workers do: who won is read from the column that has that role, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from balance.protocol.registry import GAMES
from balance.study.run import run_study
from balance.study.settings import load_study

SMALL = """
game = "skirmish"
entrants = ["knight", "ogre", "rat"]
metrics = ["match_ups"]
exact = "{exact}"
budget = {{ half_width = 0.03, cap = 4096 }}
"""


@pytest.mark.parametrize("exact", ["auto", "never"])
def test_a_study_is_the_same_whatever_the_column_of_the_winner_is_called(
    exact: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study.toml").write_text(SMALL.format(exact=exact), "utf-8")
    played = []
    for module in ("game", "renamed"):
        monkeypatch.setitem(GAMES, "skirmish", f"tests.toy.{module}:GAME")
        run_study(load_study(tmp_path / "study.toml"), tmp_path / module)
        played.append({path.stem: pl.read_parquet(path) for path in sorted((tmp_path / module).glob("tables/*"))})
    assert {"tasks", "outcomes"} <= set(played[0])
    assert played[0]["tasks"]["score"].is_between(0.01, 0.99).any()
    for name, frame in played[0].items():
        assert frame.equals(played[1][name]), name

"""What play is worth and which prices hold, as tables of a run: tug of war, in which who pulls lazily loses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from balance.base.errors import StudyError
from balance.game.registry import GAMES
from balance.study import load_study, run_study
from balance.study.frames.battles import BATTLE_TABLES
from balance.study.run.folder import Run
from balance.study.settings.settings import Study
from tests.tug import write_catalogue

BODIES = [(f"b{at}", 10.0 + 5 * at, 100 * (10 + 5 * at)) for at in range(6)]
FEW = "[check]\nmatch_ups = 1\ntrials = 64\n[verdicts]\ndraws = 100\n"
BOTH = """
[[battles]]
id = "pull"
title = "pulling"
budgets = [[150, 5], [200, 6]]
pairs = 512
battles = 131072
precision = 0.01
over = { "situation.mud" = ["false", "true"] }
"""
PLAY = '[[battles]]\nid = "play"\ntitle = "play alone"\nways = ["lazily", "hard"]\npairs = 64\nbattles = 0\n'


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug.game:GAME")


def study(folder: Path, more: str) -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    write_catalogue(folder / "cards", BODIES, [("rope", 0.001, 1)])
    path = folder / "study.toml"
    path.write_text(f'game = "tug"\ncatalogue = "cards"\nmetrics = ["cards"]\narmies = []\n{more}{FEW}')
    return load_study(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "tug", "tests.tug.game:GAME")
        folder = tmp_path_factory.mktemp("battles")
        yield run_study(study(folder, BOTH + PLAY), folder / "run")


@pytest.mark.slow("test_a_study_without_battles_has_no_such_tables")
def test_tables_have_the_columns_they_are_said_to_have(run: Run) -> None:
    for name, schema in BATTLE_TABLES.items():
        frame = run.table(name)
        assert frame.columns == list(schema)
        assert frame["setting"].unique(maintain_order=True).to_list() == (
            ["pull", "play"] if name.startswith("play") else ["pull"]
        )


def test_who_pulls_lazily_is_far_behind_and_prices_are_judged_by_the_others(run: Run) -> None:
    ladder = run.table("play_ladder").filter(setting="pull")
    assert ladder.select("play", "place").rows() == [("hard", "in"), ("lazily", "out")]
    assert ladder["behind"][1] > 150
    assert run.table("stable_settings")["facets"].to_list() == [
        ["play=hard", "mud=false"], ["play=hard", "mud=true"],
    ]  # fmt: skip


def test_what_is_fair_on_dry_ground_and_not_in_mud_depends_on_the_mud(run: Run) -> None:
    costs = run.table("stable_costs")
    words = dict(costs.select("entrant", "verdict").iter_rows())
    assert words["b0+rope"] == words["b5+rope"] == "depends on the mud"
    row = costs.filter(entrant="b5+rope").row(0, named=True)
    assert "fair with mud false" in row["because"]
    assert row["depends"] == ["mud"]
    assert row["low"] < 25 < row["high"]
    assert run.table("stable_settings")["moved"].to_list()[0] is None
    assert run.table("stable_settings")["moved"].to_list()[1] >= 4


def test_predictions_are_held_against_battles_not_fitted(run: Run) -> None:
    bins = run.table("battle_calibration").filter(scene="hard, false")
    assert bins["n_battles"].sum() == 131_072
    assert bins.select((pl.col("predicted") - pl.col("observed")).abs().max()).item() < 0.03


@pytest.mark.slow("test_predictions_are_held_against_battles_not_fitted")
def test_the_same_study_gives_the_same_tables(tmp_path: Path) -> None:
    first, again = (run_study(study(tmp_path / name, PLAY), tmp_path / name / "run") for name in ("one", "two"))
    assert first.manifest["tables"]["play_matrix"] == again.manifest["tables"]["play_matrix"]


def test_a_study_without_battles_has_no_such_tables(tmp_path: Path) -> None:
    assert not set(BATTLE_TABLES) & set(run_study(study(tmp_path, ""), tmp_path / "run").manifest["tables"])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('kind = "pulling"', "do not meet in tug's 'pulling'"),
        ('ways = ["hardly"]', "is no way of playing"),
        ('over = { "situation.rain" = ["true"] }', "rain"),
        ('over = { "situation.mud" = ["often"] }', "often"),
        ('set = ["situation.rain=true"]', "rain"),
    ],
)
def test_what_a_game_does_not_know_is_told_before_anything_is_played(more: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as error:
        study(tmp_path, f'[[battles]]\nid = "pull"\ntitle = "pulling"\n{more}\n')
    assert told in str(error.value)
    assert "battles.pull" in str(error.value)


def test_two_tables_need_two_names(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="holds 'play' twice"):
        study(tmp_path, PLAY + PLAY)

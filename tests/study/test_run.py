from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from balance.analysis.scores.shape import arm_table, choose_curves, group_matrix
from balance.base.errors import OutputError, StudyError
from balance.engine.runner import Engine
from balance.game.game import Game
from balance.game.registry import GAMES
from balance.study import Run, load_run, load_study, run_study, shipped_study
from balance.study.settings.settings import Study, StudySettings
from tests.analysis.conftest import write_catalogue, write_study
from tests.toy import game as toy

UNITS: dict[str, dict[str, str]] = {"trooper": {}, "aegis": {}, "spectre": {}}
WEAPONS: dict[str, dict[str, str]] = {"shotgun": {}, "smg_pistol": {}}


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    return write_study(folder, write_catalogue(folder / "cards", UNITS, WEAPONS), 'title = "Small"')


@pytest.fixture(scope="module")
def run(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_study(load_study(study), tmp_path_factory.mktemp("run") / "one")


@pytest.mark.parametrize("executor", ["auto", "threads", pytest.param("dask", marks=pytest.mark.slow)])
def test_the_same_study_leaves_the_same_bytes_wherever_it_runs(
    executor: str, study: Path, run: Run, tmp_path: Path
) -> None:
    again = run_study(load_study(study), tmp_path / "two", Engine(executor, n_jobs=2))
    assert files_of(again.folder) == files_of(run.folder)


@pytest.mark.slow("tests/study/test_match_ups.py::test_exact_distributions_are_kept_too")
def test_a_run_that_is_repeated_replaces_its_own_files_only(study: Path, tmp_path: Path) -> None:
    run_study(load_study(study), tmp_path)
    (tmp_path / "note.txt").write_text("mine")
    (tmp_path / "tables" / "old.parquet").write_text("old")
    found = run_study(load_study(study), tmp_path)
    assert (tmp_path / "note.txt").read_text() == "mine"
    assert not (tmp_path / "tables" / "old.parquet").exists()
    assert load_run(tmp_path).summary == found.summary


@pytest.mark.slow("test_a_game_without_attacks_has_the_tables_of_duels_alone")
def test_the_manifest_names_no_place_time_or_machine(run: Run, study: Path) -> None:
    text = (run.folder / "manifest.json").read_text()
    assert str(study.parent) not in text
    assert json.loads(text)["title"] == "Small"


@pytest.mark.slow("test_a_game_without_attacks_has_the_tables_of_duels_alone")
def test_another_seed_gives_other_trials_and_the_same_exact_numbers(study: Path, run: Run, tmp_path: Path) -> None:
    (study.parent / "seed.toml").write_text("seed = 1\n" + study.read_text())
    other = run_study(load_study(study.parent / "seed.toml"), tmp_path)
    assert other.table("duels").equals(run.table("duels"))
    assert other.table("prices").equals(run.table("prices"))
    assert not other.table("check").equals(run.table("check"))
    assert other.manifest["seed"] == 1


@pytest.mark.slow("test_a_game_without_attacks_has_the_tables_of_duels_alone")
def test_every_table_is_read_back(run: Run) -> None:
    for name in run.manifest["tables"]:
        assert run.table(name).columns
    assert run.table("duels").height == run.summary["n_duels"] == 36
    assert not run.has("nothing")


@pytest.mark.slow("tests/cli/test_comparing.py::test_two_catalogues_are_compared")
def test_limits_that_are_broken_are_told(study: Path, tmp_path: Path) -> None:
    limits = study.parent / "limits.toml"
    limits.write_text(study.read_text() + "[limits]\nmax_score = 0.1\nmin_score = 0.9\nmax_overpriced = 99\n")
    broken = run_study(load_study(limits), tmp_path).broken_limits
    assert [text.split()[0] for text in broken] == ["max_score", "min_score"]


@pytest.mark.parametrize("damage", ["{", "[]", '{"schema": 2, "tables": {}, "summary": {}}', "{}"])
def test_a_folder_that_is_no_run_is_refused(damage: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"no manifest.json"):
        load_run(tmp_path)
    (tmp_path / "manifest.json").write_text(damage)
    with pytest.raises(StudyError, match="run the study again"):
        load_run(tmp_path)


def test_a_folder_that_cannot_be_made_is_an_error_and_nothing_is_left(study: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(OutputError, match="cannot"):
        run_study(load_study(study), tmp_path / "file" / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow("test_a_game_without_attacks_has_the_tables_of_duels_alone")
def test_a_loadout_with_two_weapons_duels_but_does_not_attack(study: Path, tmp_path: Path) -> None:
    two = study.parent / "two.toml"
    two.write_text('entrants = ["trooper+smg_pistol+smg_pistol", "aegis+*"]\n' + study.read_text())
    run = run_study(load_study(two), tmp_path)
    assert "trooper+smg_pistol+smg_pistol" in run.table("prices")["entrant"].to_list()
    assert "trooper+smg_pistol+smg_pistol" not in run.table("attacks")["attacker"].to_list()


@pytest.mark.slow("test_a_game_without_attacks_has_the_tables_of_duels_alone")
def test_other_rules_are_in_force_everywhere(study: Path, run: Run, tmp_path: Path) -> None:
    rules = study.parent / "rules.toml"
    rules.write_text(study.read_text() + '[rules]\nfaces = "0-9"\n')
    other = run_study(load_study(rules), tmp_path)
    assert not other.table("attacks")["damage"].equals(run.table("attacks")["damage"])
    assert not other.table("duels")["p_a"].equals(run.table("duels")["p_a"])
    assert "1-10" in other.table("readings").filter(switch="faces")["value"].to_list()


def test_the_shipped_study_is_sound() -> None:
    assert shipped_study("warforged").settings.entrants == "all"


def test_the_published_run_is_of_the_shipped_catalogue() -> None:
    published = load_run(Path(__file__).parents[2] / "reports" / "warforged")
    assert published.manifest["catalogue_sha256"] == shipped_study("warforged").open().catalogue.sha256
    assert published.broken_limits == ()
    assert published.summary["check"]["alarms"] == 0


def test_arms_and_groups_are_means_over_those_that_share_them() -> None:
    entrants = pl.DataFrame(
        {"entrant": ["a+x", "b+x"], "arm": "x", "arm_label": "X", "arm_cost": 2.0, "group": ["a", "b"]}
    )
    attacks = pl.DataFrame({"attacker": ["a+x", "b+x"], "target": ["t", "t"], "damage": [1.0, 3.0]})
    arms = arm_table(entrants, attacks)
    assert arms.select("gain", "gain_per_point", "shared", "n_carriers").row(0) == (2.0, 1.0, False, 2)
    duels = pl.DataFrame(
        {"a": ["a+x", "a+x", "b+x", "b+x"], "b": ["a+x", "b+x"] * 2, "p_a": [0.6, 0.9, 0.3, 0.6], "p_draw": 0.0}
    )
    groups = group_matrix(entrants, duels)
    assert groups["score"].to_list() == pytest.approx([0.5, 0.8, 0.2, 0.5])


def test_no_curve_is_drawn_where_nobody_can_be_hurt() -> None:
    arms = pl.DataFrame({"attacker": ["a"], "arm_cost": [1.0]})
    kills = pl.DataFrame(
        {"attacker": ["a"], "target": ["t"], "mean_actions": [None]}, schema_overrides={"mean_actions": pl.Float64}
    )
    assert choose_curves(arms, kills) == []


def toy_run(folder: Path, monkeypatch: pytest.MonkeyPatch, game: Game, **told: object) -> Run:
    """Run a study of the cards of a toy."""
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setattr(toy, "PLAYED", game, raising=False)
    monkeypatch.setitem(GAMES, game.name, "tests.toy.game:PLAYED")
    small = {"metrics": ["cards"], "check": {"match_ups": 1, "trials": 10}, "verdicts": {"draws": 100}}
    settings = StudySettings.model_validate({"game": game.name} | small | told)
    return run_study(Study(settings, folder / "study.toml"), folder / "run")


DUELS = {"check", "dominance", "dominated_cards", "duels", "first_mover", "groups", "item_summary", "items", "ladder"}
DUELS |= {"matrix", "panel", "prices", "readings", "twins"}
ATTACKS = {"attacks", "arms"}


def test_a_game_without_attacks_has_the_tables_of_duels_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = toy_run(tmp_path, monkeypatch, replace(toy.GAME, kinds={"duel": toy.GAME.kinds["duel"]}))
    assert set(run.manifest["tables"]) == {"entrants", "provenance"} | DUELS
    assert run.table("items").height == 0


def test_a_game_without_duels_has_the_tables_of_attacks_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    throws = replace(toy.GAME, kinds={"attack": toy.GAME.kinds["attack"]})
    run = toy_run(tmp_path, monkeypatch, throws, level="none")
    assert set(run.manifest["tables"]) == {"entrants", "provenance"} | ATTACKS
    assert run.table("arms")["gain"].to_list() == [0.5, 1.5, 2.0]
    assert "n_duels" not in run.summary


@pytest.mark.slow("test_a_game_without_duels_has_the_tables_of_attacks_alone")
def test_what_an_attack_achieves_is_the_column_that_is_named_or_the_last(study: Path, tmp_path: Path) -> None:
    report = study.parent / "cards" / "report.toml"
    gains = []
    try:
        for name in ("hit", "nothing"):
            report.write_text(f'gain = "{name}"\n', "utf-8")
            run = run_study(load_study(study), tmp_path / name)
            gains.append(dict(run.table("arms").select("arm", "gain").iter_rows()))
    finally:
        report.unlink()
    means = run.table("attacks").group_by("attacker").agg(pl.col("hit", "splash").mean())
    assert gains[0]["shotgun"] == pytest.approx(means.filter(attacker="aegis+shotgun")["hit"].item())
    assert set(gains[1].values()) == {0.0}

"""Prices of two sides beside each other; who tells them is not asked here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.protocol.loaded import LoadedGame, load
from balance.protocol.registry import GAMES
from balance.report.comparison import comparison_json
from balance.study.compare import Comparison, compare_catalogues
from balance.study.compared_prices import PRICED, Pricing, army_prices, compare_prices
from balance.study.patch import Patch, PatchSettings
from balance.study.settings import Study, StudySettings, shipped_study
from tests.analysis.conftest import write_catalogue


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def dearer(game: LoadedGame) -> LoadedGame:
    change = PatchSettings.model_validate({"set": {"fighters.knight.cost_points": 30}})
    return Patch("dearer", change, Path("dearer.toml")).apply(game)


def priced(loaded: LoadedGame) -> pl.DataFrame:
    """Everybody should cost 25, give or take 5; what is beside the five columns is nobody's business."""
    rows = []
    for name in loaded.entrants:
        cost = float(loaded.cost_points(name))
        word = "underpriced" if cost < 20 else "overpriced" if cost > 30 else "fair"
        told: dict[str, Any] = {"cost": cost, "fair": 25.0, "fair_low": 20.0, "fair_high": 30.0, "verdict": word}
        rows.append({"because": "so", "entrant": name} | told)
    return pl.DataFrame(rows)


def compared(pricing: Pricing | None) -> Comparison:
    game = load("skirmish")
    study = Study(StudySettings(game="skirmish"), Path("study.toml"))
    return compare_catalogues(study, game, dearer(game), pricing=pricing)


def test_prices_of_both_sides_stand_in_one_row() -> None:
    game = load("skirmish")
    found = compare_prices(priced, game, dearer(game))
    assert found.columns == ["entrant", *(f"{name}_{side}" for side in ("before", "after") for name in PRICED)]
    assert found.select("entrant", "cost_before", "cost_after", "verdict_before", "verdict_after").rows() == [
        ("rat", 5.0, 5.0, "underpriced", "underpriced"),
        ("knight", 20.0, 30.0, "fair", "fair"),
        ("ogre", 35.0, 35.0, "overpriced", "overpriced"),
    ]
    assert set(found.select("fair_low_before", "fair_high_after").rows()) == {(20.0, 30.0)}


def test_who_is_judged_on_one_side_alone_is_left_out() -> None:
    game = load("skirmish")
    after = dearer(game)

    def some(loaded: LoadedGame) -> pl.DataFrame:
        return priced(loaded).filter(pl.col("entrant") != ("rat" if loaded is after else "ogre")).reverse()

    assert compare_prices(some, game, after)["entrant"].to_list() == ["knight"]


def test_a_comparison_holds_prices_if_somebody_tells_them() -> None:
    game = load("skirmish")
    assert compared(None).prices is None
    assert comparison_json(compared(None))["prices"] is None
    found = compared(priced)
    assert found.prices is not None
    assert found.prices.equals(compare_prices(priced, game, dearer(game)))
    assert comparison_json(found)["prices"] == found.prices.to_dicts()


def small(folder: Path, cost: str) -> LoadedGame:
    units: dict[str, dict[str, str]] = {"trooper": {"cost_points": cost}, "nexus": {}, "vanguard": {}}
    weapons: dict[str, dict[str, str]] = {name: {} for name in ("shotgun", "assault_rifle", "smg_pistol")}
    return load("warforged", write_catalogue(folder, units, weapons))


def test_prices_of_both_sides_are_judged_where_armies_of_equal_points_meet(tmp_path: Path) -> None:
    before, after = small(tmp_path / "before", "12"), small(tmp_path / "after", "90")
    study = Study(StudySettings(game="warforged"), tmp_path / "study.toml")
    pricing = army_prices(study, (before, after))
    assert pricing is not None
    found = compare_prices(pricing, before, after)
    row = found.filter(entrant="trooper+shotgun").row(0, named=True)
    assert (row["cost_before"], row["cost_after"]) == (22, 100)
    assert row["verdict_after"] == "overpriced"
    assert row["fair_before"] < row["fair_high_before"]
    assert {"trooper", "shotgun", "nexus+shotgun"} <= set(found["entrant"])


def test_a_game_whose_armies_never_meet_has_no_such_prices() -> None:
    game = load("edadh")
    assert army_prices(shipped_study("edadh"), (game, game)) is None


def test_a_study_without_armies_judges_no_prices_there(tmp_path: Path) -> None:
    game = load("warforged")
    settings = StudySettings.model_validate({"game": "warforged", "armies": []})
    assert army_prices(Study(settings, tmp_path / "study.toml"), (game, game)) is None

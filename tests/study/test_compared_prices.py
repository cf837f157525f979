"""Prices of two sides beside each other; who tells them is not asked here."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.engine.answers import AnswerStore
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.reporting.changes.comparison import comparison_json
from balance.study.compare.change_effects import ChangeEffects
from balance.study.compare.compare import Comparison, compare_catalogues
from balance.study.compare.prices import PRICE_COLUMNS, Pricing, army_prices, compare_prices
from balance.study.loading.load import shipped_study
from balance.study.settings.patch import Patch, PatchSettings
from balance.study.settings.settings import Study, StudySettings
from tests.analysis.conftest import write_catalogue


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def dearer(game: LoadedGame) -> LoadedGame:
    change = PatchSettings.model_validate({"set": {"fighters.knight.cost_points": 30}})
    return Patch("dearer", change, Path("dearer.toml")).apply(game)


def priced(loaded: LoadedGame) -> pl.DataFrame:
    """Everybody should cost 25, give or take 5, in mud 30; what is beside these columns is nobody's business."""
    rows = []
    for name in loaded.entrants:
        cost = float(loaded.cost_points(name))
        word = "too cheap" if cost < 20 else "too dear" if cost > 30 else "fair"
        told: dict[str, Any] = {"cost": cost, "fair": 25.0, "fair_low": 20.0, "fair_high": 30.0, "verdict": word}
        rows.append({"because": "so", "setting": "dry", "entrant": name} | told)
        rows.append(rows[-1] | {"setting": "mud", "fair": 30.0})
    return pl.DataFrame(rows)


def compared(pricing: Pricing | None) -> Comparison:
    game = load("skirmish")
    study = Study(StudySettings(game="skirmish"), Path("study.toml"))
    return compare_catalogues(study, game, dearer(game), pricing=pricing)


def test_prices_of_both_sides_stand_in_one_row() -> None:
    game = load("skirmish")
    found = compare_prices(priced, game, dearer(game))
    assert found.columns == [
        "setting",
        "entrant",
        *(f"{name}_{side}" for side in ("before", "after") for name in PRICE_COLUMNS),
    ]
    dry = found.filter(setting="dry")
    assert dry.select("entrant", "cost_before", "cost_after", "verdict_before", "verdict_after").rows() == [
        ("rat", 5.0, 5.0, "too cheap", "too cheap"),
        ("knight", 20.0, 30.0, "fair", "fair"),
        ("ogre", 35.0, 35.0, "too dear", "too dear"),
    ]
    assert set(found.select("fair_low_before", "fair_high_after").rows()) == {(20.0, 30.0)}
    pairs = [(where, who, fair, fair) for who in game.entrants for where, fair in (("dry", 25.0), ("mud", 30.0))]
    assert found.select("setting", "entrant", "fair_before", "fair_after").rows() == pairs


def test_who_is_judged_on_one_side_alone_is_left_out() -> None:
    game = load("skirmish")
    after = dearer(game)

    def some(loaded: LoadedGame) -> pl.DataFrame:
        return priced(loaded).filter(pl.col("entrant") != ("rat" if loaded is after else "ogre")).reverse()

    found = compare_prices(some, game, after)
    assert found.select("setting", "entrant").rows() == [("mud", "knight"), ("dry", "knight")]


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


@pytest.fixture
def few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.study.compare.prices.N_BATTLES", 150)
    monkeypatch.setattr("balance.analysis.armies.play_ladder.N_BATTLES", 512)


@pytest.mark.slow("test_prices_that_were_found_are_found_again")
@pytest.mark.usefixtures("few_battles")
def test_prices_of_both_sides_are_judged_where_armies_of_equal_points_meet(tmp_path: Path) -> None:
    before, after = small(tmp_path / "before", "12"), small(tmp_path / "after", "90")
    study = Study(StudySettings(game="warforged"), tmp_path / "study.toml")
    pricing = army_prices(study, (before, after))
    assert pricing is not None
    found = compare_prices(pricing, before, after)
    assert set(found["setting"]) == {"armies"}
    row = found.filter(entrant="trooper+shotgun").row(0, named=True)
    assert (row["cost_before"], row["cost_after"]) == (22, 100)
    assert row["verdict_after"] == "too dear"
    assert row["fair_before"] < row["fair_high_before"]
    assert {"trooper", "shotgun", "nexus+shotgun"} <= set(found["entrant"])


def test_every_setting_of_a_study_is_priced_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prices(runner: Runner, setting: ArmySetting, seed: int, **more: Any) -> Any:
        fair = {"situation.actions=pool": 20.0, "situation.actions=per_unit": 30.0}[setting.changes[0]]
        ends = {"cost_points": 22.0, "fair_points": fair, "low": fair - more["n_battles"], "high": fair + seed}
        one = {**ends, "verdict": "fair", "because": ""}
        cards = [{"card": "shotgun"} | one, {"card": "trooper+shotgun"} | one]
        return SimpleNamespace(cards=pl.DataFrame(cards), loadouts=pl.DataFrame([{"entrant": "trooper+shotgun"} | one]))

    monkeypatch.setattr("balance.study.compare.prices.price_list", prices)
    monkeypatch.setattr("balance.study.compare.prices.N_BATTLES", 5)
    economies = [
        {"id": name, "title": name, "set": [f"situation.actions={actions}"]}
        for name, actions in (("shared", "pool"), ("each", "per_unit"))
    ]
    settings = StudySettings.model_validate({"game": "warforged", "seed": 2, "armies": economies})
    game = load("warforged")
    pricing = army_prices(Study(settings, tmp_path / "study.toml"), (game, game))
    assert pricing is not None
    assert pricing(game).rows() == [
        (setting, entrant, 22.0, fair, fair - 5, fair + 2, "fair")
        for setting, fair in (("shared", 20.0), ("each", 30.0))
        for entrant in ("shotgun", "trooper+shotgun")
    ]


def test_a_game_whose_armies_never_meet_has_no_such_prices() -> None:
    game = load("edadh")
    assert army_prices(shipped_study("edadh"), (game, game)) is None


def test_a_study_without_armies_judges_no_prices_there(tmp_path: Path) -> None:
    game = load("warforged")
    settings = StudySettings.model_validate({"game": "warforged", "armies": []})
    assert army_prices(Study(settings, tmp_path / "study.toml"), (game, game)) is None


def test_a_comparison_knows_the_titles_of_its_settings() -> None:
    assert compared(None).setting_titles == {}
    game = load("warforged")
    shipped = Comparison(
        "", game, game, shipped_study("warforged"), pl.DataFrame(), {}, ChangeEffects((), False, pl.DataFrame())
    )
    assert shipped.setting_titles == {"pool": "actions shared by the army", "per_unit": "one action for each unit"}


@pytest.mark.usefixtures("few_battles")
def test_prices_that_were_found_are_found_again(tmp_path: Path) -> None:
    game = load("warforged", write_catalogue(tmp_path / "cards", {"trooper": {}, "vanguard": {}}, {"shotgun": {}}))
    study, store = Study(StudySettings(game="warforged"), tmp_path / "study.toml"), AnswerStore(tmp_path / "kept")
    kept, anew = army_prices(study, (game, game), answers=store), army_prices(study, (game, game))
    assert kept is not None
    assert anew is not None
    found = kept(game)
    files = {path: path.read_bytes() for path in store.home.glob("??/*.json")}
    assert files
    assert kept(game).equals(found)
    assert anew(game).equals(found)
    assert {path: path.read_bytes() for path in store.home.glob("??/*.json")} == files

"""What a change does at equal points, in tug of war: costs are fair exactly if they are proportional to strength."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.price_list import price_list
from balance.answers.form import Records
from balance.answers.media.frames import frame_of
from balance.base.answers import as_plain
from balance.engine.answers import AnswerStore
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.compare.answer import ArmyScore, EqualPoints, PriceChange, TypicalChange
from balance.study.compare.compare import compare_catalogues
from balance.study.compare.equal_points import compare_armies
from balance.study.loading.load import shipped_study
from balance.study.settings.economies import Economy
from balance.study.settings.patch import Patch, PatchSettings
from balance.study.settings.settings import Study, StudySettings
from tests.analysis.conftest import write_catalogue as write_warforged
from tests.tug import write_catalogue

FAIR = {"ant": 10, "elk": 20, "ox": 40, "yak": 30, "hen": 16, "bat": 24}
DRY = {"id": "dry", "title": "on dry ground"}
STEEP = {"id": "steep", "title": "as fifth powers", "set": ["rules.steep=5"]}


@pytest.fixture(autouse=True)
def tug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug.game:GAME")
    monkeypatch.setattr("balance.analysis.prices.fits.fair_costs.usual_battles", lambda n: 1000)
    monkeypatch.setattr("balance.analysis.prices.price_list.MOST_TIMES", 0)
    monkeypatch.setattr("balance.analysis.armies.before_after.BATTLES", 2000)
    monkeypatch.setattr("balance.analysis.play.playing.N_PAIRS", 128)


def game(folder: Path, costs: Mapping[str, float] = FAIR, strengths: Mapping[str, int] | None = None) -> LoadedGame:
    """Return a catalogue of bodies that are worth 10 strength a point, unless other costs or strengths are named."""
    of = {name: 10 * cost for name, cost in FAIR.items()} | dict(strengths or {})
    return load("tug", write_catalogue(folder, [(name, costs[name], of[name]) for name in costs], [("rope", 0, 100)]))


def study(folder: Path, *economies: Mapping[str, Any]) -> Study:
    settings = {"game": "tug"} | ({"armies": list(economies)} if economies else {})
    return Study(StudySettings.model_validate(settings), folder / "study.toml")


class Frames(NamedTuple):
    """What a change does at equal points, as tables."""

    scores: pl.DataFrame
    typical: pl.DataFrame
    prices: pl.DataFrame


def frames(changes: EqualPoints | None) -> Frames:
    assert changes is not None
    tables = (ArmyScore, changes.scores), (TypicalChange, changes.typical_match_ups), (PriceChange, changes.prices)
    return Frames(*(frame_of(Records(*table)) for table in tables))


def changed(folder: Path, after: LoadedGame, *economies: Mapping[str, Any]) -> Frames:
    return frames(compare_armies(study(folder, *economies), game(folder / "before"), after))


def row_of(frame: pl.DataFrame, entrant: str) -> dict[str, Any]:
    return frame.filter(entrant=entrant).row(0, named=True)


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_a_card_that_gets_dearer_scores_less_and_is_too_dear_and_all_others_stay(tmp_path: Path) -> None:
    """One is 25 % dearer than fair. Firm verdicts on others turn by chance in less than one run of 20."""
    changes = changed(tmp_path, game(tmp_path / "after", FAIR | {"ox": 50}))
    for name in ("ox", "ox+rope"):
        score, price = row_of(changes.scores, name), row_of(changes.prices, name)
        assert score["high"] < -0.05 < score["before"] - 0.4
        assert score["after"] == pytest.approx(score["before"] + score["difference"])
        assert (price["cost_before"], price["cost_after"]) == (40, 50)
        assert price["verdict_before"] in {"fair", "not yet known"}
        assert price["verdict_after"] == "too dear"
    others = changes.prices.filter(~pl.col("entrant").is_in(["ox", "ox+rope"]))
    assert others.height == 11
    assert {*others["verdict_before"], *others["verdict_after"]} <= {"fair", "not yet known"}
    assert changes.typical["off_before"].item() < 0.03 < changes.typical["off_after"].item()


def test_a_change_of_what_a_card_does_is_seen_too(tmp_path: Path) -> None:
    """Half as strong again at the same cost."""
    changes = changed(tmp_path, game(tmp_path / "after", strengths={"elk": 300}))
    assert row_of(changes.scores, "elk")["low"] > 0.1
    assert row_of(changes.prices, "elk")["verdict_after"] == "too cheap"


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_another_rule_concerns_everybody(tmp_path: Path) -> None:
    """As fifth powers instead of squares, even costs stay even: all is played again, and nothing certainly moves."""
    before = game(tmp_path / "before")
    patch = Patch("steep", PatchSettings.model_validate({"rules": {"steep": "5"}}), Path("patch.toml"))
    changes = frames(compare_armies(study(tmp_path), before, patch.apply(before)))
    assert changes.scores.filter(pl.col("entrant") != "rope")["low"].null_count() == 0
    assert changes.scores.filter((pl.col("low") > 0) | (pl.col("high") < 0)).height == 0


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_every_setting_has_its_scores_and_all_have_one_verdict(tmp_path: Path) -> None:
    changes = changed(tmp_path, game(tmp_path / "after", FAIR | {"ox": 50}), DRY, STEEP)
    assert changes.typical.select("setting", "title").rows() == [("dry", "on dry ground"), ("steep", "as fifth powers")]
    dry, steep = (changes.scores.filter(setting=name, entrant="ox")["difference"].item() for name in ("dry", "steep"))
    assert steep < dry - 0.05
    assert changes.prices["entrant"].n_unique() == changes.prices.height
    assert row_of(changes.prices, "ox")["verdict_after"] == "too dear"
    alone = changed(tmp_path, game(tmp_path / "after", FAIR | {"ox": 50}), DRY)
    wide, narrow = row_of(changes.prices, "ox"), row_of(alone.prices, "ox")
    assert wide["fair_low_after"] <= narrow["fair_low_after"]
    assert narrow["fair_high_after"] <= wide["fair_high_after"]
    assert wide["fair_after"] == narrow["fair_after"]


def test_where_nothing_changes_nothing_is_played(tmp_path: Path) -> None:
    assert compare_armies(study(tmp_path), game(tmp_path / "one"), game(tmp_path / "two")) is None


@pytest.mark.slow("test_where_nothing_changes_nothing_is_played")
def test_rows_in_another_order_change_nothing(tmp_path: Path) -> None:
    after = FAIR | {"ox": 50}
    changes = changed(tmp_path, game(tmp_path / "after", after))
    before = game(tmp_path / "back", dict(reversed(FAIR.items())))
    turned = game(tmp_path / "after back", dict(reversed(after.items())))
    mixed = frames(compare_armies(study(tmp_path), before, turned))
    for tables in ((changes.scores, mixed.scores), (changes.prices, mixed.prices)):
        one, other = (table.with_columns(pl.col(pl.Float64).round(9)).sort("entrant") for table in tables)
        assert one.equals(other)


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_a_card_that_comes_concerns_nobody_else(tmp_path: Path) -> None:
    changes = changed(tmp_path, game(tmp_path / "after", FAIR | {"cow": 12}, {"cow": 120}))
    assert "cow" not in set(changes.scores["entrant"])
    assert {*changes.scores["difference"]} == {0.0}
    assert changes.scores["low"].null_count() == changes.scores.height


@pytest.mark.slow("test_where_nothing_changes_nothing_is_played")
def test_what_was_found_is_found_again(tmp_path: Path) -> None:
    sides = game(tmp_path / "before"), game(tmp_path / "after", FAIR | {"ox": 50})
    store = AnswerStore(tmp_path / "kept")
    first, again = (compare_armies(study(tmp_path), *sides, answers=store) for _ in range(2))
    assert first == again is not None


def test_a_game_whose_armies_never_meet_has_none() -> None:
    before = load("edadh")
    change = PatchSettings.model_validate({"set": {"mastery.1.extra_damage": 1}})
    after = Patch("more", change, Path("patch.toml")).apply(before)
    assert compare_armies(shipped_study("edadh"), before, after) is None


def test_a_study_without_armies_asks_nothing_of_them(tmp_path: Path) -> None:
    settings = StudySettings.model_validate({"game": "tug", "armies": []})
    sides = game(tmp_path / "before"), game(tmp_path / "after", FAIR | {"ox": 50})
    assert compare_armies(Study(settings, tmp_path / "study.toml"), *sides) is None


def test_who_costs_nothing_is_no_part_of_an_army(tmp_path: Path) -> None:
    sides = game(tmp_path / "before"), game(tmp_path / "after", FAIR | {"ox": 0})
    assert compare_armies(study(tmp_path), *sides) is None


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_a_comparison_holds_what_armies_do_and_leads_with_it(tmp_path: Path) -> None:
    before, after = game(tmp_path / "before"), game(tmp_path / "after", FAIR | {"ox": 50})
    armies = compare_armies(study(tmp_path), before, after)
    assert armies is not None
    settings = StudySettings.model_validate({"game": "tug", "entrants": ["ox+rope", "ant+rope"]})
    comparison = compare_catalogues(Study(settings, tmp_path / "study.toml"), before, after, equal_points=armies)
    assert comparison.equal_points is armies
    document = as_plain(comparison)
    assert list(document).index("equal_points") < list(document).index("summary")
    assert document["equal_points"] == {
        "scores": frames(armies).scores.to_dicts(),
        "typical_match_ups": frames(armies).typical.to_dicts(),
        "prices": frames(armies).prices.to_dicts(),
    }
    assert not comparison.touches_duels


# -- Warforged, made fair ----------------------------------------------------------------------------------------------

UNITS = "trooper", "nexus", "vanguard", "aegis", "bulwark"


def warforged(folder: Path, costs: Mapping[str, int]) -> LoadedGame:
    """Return five units with a Shotgun each, at these costs."""
    units = {name: {"cost_points": str(cost)} for name, cost in costs.items()}
    return load("warforged", write_warforged(folder, units, {"shotgun": {}}))


@pytest.mark.slow("test_a_change_of_what_a_card_does_is_seen_too")
def test_in_warforged_made_fair_the_one_that_gets_dearer_is_too_dear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs are those measured on other dice, as whole points, in line-ups, which are judged in place of the board.

    Others turn in one run of 20 at most.
    """
    monkeypatch.undo()
    monkeypatch.setattr("balance.study.compare.equal_points.leading_setting", lambda game: army_setting(game, "lineup"))
    shipped = load("warforged")
    printed = {name: int(shipped.cost_points(f"{name}+shotgun")) - 10 for name in UNITS}
    runner = Runner(warforged(tmp_path / "printed", printed))
    measured = price_list(runner, army_setting(runner.game, "lineup"), seed=99, n_battles=4000).loadouts
    fair = {entrant.split("+")[0]: round(price.fair) - 10 for entrant, price in measured.items()}
    dearer = fair | {"nexus": fair["nexus"] + round(0.25 * (fair["nexus"] + 10))}
    before, after = warforged(tmp_path / "fair", fair), warforged(tmp_path / "dearer", dearer)
    pool = Economy(id="pool", title="pool", kind="lineup", set=["situation.actions=pool"])
    settings = StudySettings(game="warforged", armies=[pool])
    changes = frames(compare_armies(Study(settings, tmp_path / "study.toml"), before, after))
    assert row_of(changes.scores, "nexus+shotgun")["high"] < -0.05
    assert row_of(changes.prices, "nexus+shotgun")["verdict_after"] == "too dear"
    others = changes.prices.filter(pl.col("entrant").str.ends_with("+shotgun") & (pl.col("entrant") != "nexus+shotgun"))
    assert {*others["verdict_before"], *others["verdict_after"]} <= {"fair", "not yet known"}
    assert changes.typical["off_before"].item() < changes.typical["off_after"].item()

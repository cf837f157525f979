"""The studies of battles that ship with Warforged, one for each scale: they are sound, and play nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.analysis.play.playing import ways_of
from balance.game.loaded import LoadedGame, load
from balance.study import load_study
from balance.study.frames.battles import expected_fights, meeting, scenes
from balance.study.settings.battles import BattleStudy
from balance.study.settings.settings import Study

FOLDER = Path(__file__).parents[2] / "data" / "warforged"
SCALES = {"tactical": (150, 4), "medium": (250, 7), "large": (350, 10.5)}
MAPS = {"ledger", "open", "dense"}


def shipped(scale: str) -> tuple[Study, BattleStudy, LoadedGame]:
    study = load_study(FOLDER / f"battles_{scale}.toml")
    (told,) = study.settings.battles
    return study, told, load("warforged")


def test_there_is_one_for_each_scale() -> None:
    assert {path.stem for path in FOLDER.glob("battles_*.toml")} == {f"battles_{scale}" for scale in SCALES}


@pytest.mark.parametrize("scale", SCALES)
def test_a_study_of_battles_plays_battles_alone_at_its_scale(scale: str) -> None:
    study, told, loaded = shipped(scale)
    assert (study.metrics, study.fights, told.id) == (("battles",), True, scale)
    assert len(study.choose(loaded)) == len(loaded.entrants_of("battle"))
    setting = meeting(told, loaded, study)
    assert (setting.kind, setting.budgets) == ("battle", (SCALES[scale],))


@pytest.mark.parametrize("scale", SCALES)
def test_prices_must_hold_on_each_map_by_each_way_of_playing(scale: str) -> None:
    study, told, loaded = shipped(scale)
    setting = meeting(told, loaded, study)
    ways = ways_of(loaded.definition.kinds[setting.kind], told.ways)
    assert ways == ("greedy", "focus", "kite", "hold", "kite_hold")
    found = scenes(told, loaded, setting, ways)
    assert len(found) == len(ways) * len(MAPS)
    assert {dict(scene.facets)["map"] for scene in found} == MAPS


@pytest.mark.parametrize("scale", SCALES)
def test_what_it_costs_is_known_before(scale: str) -> None:
    """Twenty-five match-ups of ways, each pair of armies from both seats; and prices on three maps, by one way."""
    _, told, loaded = shipped(scale)
    assert expected_fights(told, loaded) == 2 * 25 * told.pairs + 3 * told.battles

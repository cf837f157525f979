"""What a study says, seen from where its file lies."""

from __future__ import annotations

from pathlib import Path

from balance.study.settings import Study, StudySettings


def test_patches_are_looked_for_beside_the_study() -> None:
    settings = StudySettings.model_validate({"game": "warforged", "patches": ["one.toml", "more/two.toml"]})
    study = Study(settings, Path("folder/study.toml"))
    assert study.patch_paths == (Path("folder/one.toml"), Path("folder/more/two.toml"))


def test_the_same_metric_twice_is_one() -> None:
    settings = StudySettings.model_validate({"game": "warforged", "metrics": ["cards", "match_ups", "cards"]})
    assert Study(settings, Path("study.toml")).metrics == ("cards", "match_ups")

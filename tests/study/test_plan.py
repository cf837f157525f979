"""Plans: the tasks of a study, and the size of their blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import balance
from balance.protocol.loaded import LoadedGame
from balance.study.plan import plan_tasks
from balance.study.settings import Study, StudySettings


def with_blocks(loaded: LoadedGame, block_trials: int) -> LoadedGame:
    """Return a game that plays its duels so many at a time."""
    kinds = {name: replace(kind, block_trials=block_trials) for name, kind in loaded.game.kinds.items()}
    return LoadedGame(replace(loaded.game, kinds=kinds), loaded.catalogue)


@pytest.mark.parametrize(
    ("game", "block_trials", "pairs"),
    [("warforged", 65_536, 16_384), ("warforged", 1000, 1000), ("edadh", 65_536, 512), ("edadh", 64, 64)],
)
def test_no_block_is_larger_than_the_kind_of_question_says(game: str, block_trials: int, pairs: int) -> None:
    study = Study(StudySettings(game=game), Path("study.toml"))
    (task, *_) = plan_tasks(study, {"base": with_blocks(balance.load(game), block_trials)})
    assert task.pairs_per_block == task.query.block == pairs


def test_the_size_of_a_block_is_in_the_name_of_a_question_and_in_its_numbers() -> None:
    plain = balance.load("warforged")
    usual, small = (loaded.duel("nexus+shotgun", "aegis+shotgun") for loaded in (plain, with_blocks(plain, 1000)))
    assert usual.task_id != small.task_id
    assert [question.simulate(2500, seed=0).tally.n_blocks for question in (usual, small)] == [1, 3]
    assert usual.task_id == with_blocks(plain, 65_536).duel("nexus+shotgun", "aegis+shotgun").task_id

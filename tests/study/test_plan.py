"""Plans: the tasks of a study, and the size of their blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.base.errors import RulesError
from balance.game.loaded import LoadedGame
from balance.game.registry import GAMES
from balance.study.match_ups.plan import as_sampled, blocks_for, merge_changes, plan_tasks, stream_id
from balance.study.settings.settings import Study, StudySettings


def with_blocks(loaded: LoadedGame, block_trials: int) -> LoadedGame:
    """Return a game that plays its duels so many at a time."""
    kinds = {name: replace(kind, block_trials=block_trials) for name, kind in loaded.definition.kinds.items()}
    return LoadedGame(replace(loaded.definition, kinds=kinds), loaded.catalogue)


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


@pytest.fixture
def skirmish(monkeypatch: pytest.MonkeyPatch) -> LoadedGame:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.study.golden.toy:GAME")
    return balance.load("skirmish")


def study(**told: Any) -> Study:
    return Study(StudySettings.model_validate({"game": "skirmish"} | told), Path("study.toml"))


def test_an_entrant_meets_itself_only_where_there_is_a_reason(skirmish: LoadedGame) -> None:
    def pairs(**told: Any) -> list[tuple[str, str]]:
        return [(task.a, task.b) for task in plan_tasks(study(**told), {"base": skirmish})]

    others = [("rat", "knight"), ("rat", "ogre"), ("knight", "ogre")]
    assert pairs() == others
    assert pairs(entrants=["rat"]) == [("rat", "rat")]
    with_itself = [("rat", "rat"), *others[:2], ("knight", "knight"), others[2], ("ogre", "ogre")]
    assert pairs(policies={"a_effort": ["bold"]}) == with_itself


def test_what_has_no_exact_distribution_is_not_told_to_be_exact(skirmish: LoadedGame) -> None:
    assert not any(task.exact for task in plan_tasks(study(), {"base": skirmish}))
    with pytest.raises(RulesError) as error:
        plan_tasks(study(exact="always"), {"base": skirmish})
    assert str(error.value) == 'duel has no exact distribution; say exact = "auto" in the study'
    for exact, told in (("always", True), ("auto", True), ("never", False)):
        (task, *_) = plan_tasks(study(level="bout", exact=exact), {"base": skirmish})
        assert task.exact == told
        assert not as_sampled(task).exact


def test_blocks_are_whole(skirmish: LoadedGame) -> None:
    (task, *_) = plan_tasks(study(), {"base": skirmish})
    assert [blocks_for(pairs, task) for pairs in (0, 1, 512, 513, 1024)] == [0, 1, 1, 2, 2]
    assert replace(task, query=replace(task.query, block=0)).pairs_per_block == 16_384


def test_a_stream_is_named_by_all_that_fixes_its_blocks() -> None:
    plain: dict[str, Any] = {"query_ids": ["a"], "key": "k", "lane": "l", "seed": 0, "program": "p"}
    others: list[dict[str, Any]] = [
        {"query_ids": ["a", "b"]},
        {"key": "x"},
        {"lane": "x"},
        {"seed": 1},
        {"program": "x"},
    ]
    names = {stream_id(**(plain | other)) for other in ({}, *others)}
    assert len(names) == 6
    assert stream_id(**plain) == stream_id(**plain)


def test_the_last_of_several_assignments_counts_where_the_first_stood() -> None:
    assert merge_changes(["x=1", "y=a=b", "x=2"]) == ("x=2", "y=a=b")


def test_each_of_one_faction_meets_everybody_of_the_other() -> None:
    settings = StudySettings(game="immortal_souls", entrants=["ecarus", "shae"])
    study = Study(settings, Path("study.toml"))
    loaded = study.open()
    played = [(task.a, task.b) for task in plan_tasks(study, {"base": loaded})]
    assert played == [(hero, enemy) for hero in ("ecarus", "shae") for enemy in loaded.others_of("duel")]
    assert study.field(loaded) == ("ecarus", "shae", *loaded.others_of("duel"))

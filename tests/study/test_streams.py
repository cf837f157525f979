"""How far the playing is, in words."""

from __future__ import annotations

from pathlib import Path

from balance.chance.trials.estimate import Estimate
from balance.engine.source import Source
from balance.game.loaded import load
from balance.study.match_ups.jobs import Recipe, counts_of
from balance.study.match_ups.plan import plan_tasks, stream_id
from balance.study.match_ups.streams import Status, stream_of
from balance.study.settings.settings import Study, StudySettings


def test_what_is_open_and_how_sure_it_is_is_told_once_it_is_known() -> None:
    assert Status(1, 2, 3.0, 1000, 2000, None).details == ("1,000 of 2,000 match-ups open",)
    assert Status(1, 2, 3.0, 4, 5, 0.01234).details == ("4 of 5 match-ups open", "widest interval +-0.012")
    assert (Status.work, Status.unit) == ("match-ups", "pairs")


def test_a_stream_is_named_by_what_fixes_its_blocks() -> None:
    loaded = load("warforged")
    settings = StudySettings(game="warforged", entrants=["nexus+s*"], lane="literal", seed=5)
    study = Study(settings, Path("study.toml"))
    (task, *_) = plan_tasks(study, {"base": loaded})
    source = Source.of(loaded)
    found = stream_of(study, [(3, task)], ["an id"], loaded, {"base": source}, lambda tally: Estimate.exact(0.5))
    key = task.query.pairing_key(loaded.definition)
    recipe = Recipe(key, ((3, task),), "literal")
    assert (found.name, found.recipe) == (task.name, recipe)
    assert found.id == stream_id(["an id"], key, "literal", 5, source.program)
    assert found.expected == counts_of(recipe, loaded.definition.kinds["duel"])

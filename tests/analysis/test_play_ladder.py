from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.play_ladder import near_the_top
from balance.engine.runner import Runner
from balance.game.loaded import load
from tests.tug import GAME

SETTING = ArmySetting("lineup", ((100, 4), (200, 8)))


def test_a_way_of_playing_that_loses_clearly_is_not_near_the_top() -> None:
    """Who pulls with half its strength has a fifth of the chances, more where armies differ: S^2 / (S^2 + 4 T^2)."""
    found = near_the_top(Runner(load(GAME)), SETTING, 0)
    assert list(found.settings.items()) == [("hard", SETTING)]
    row = found.scores.row(0, named=True)
    assert (row["play"], row["near"]) == ("lazily", False)
    assert 0.2 < row["score"] < 0.25


def test_the_way_in_force_is_the_one_that_is_set() -> None:
    lazily = ArmySetting("lineup", SETTING.budgets, (), (("pull_a", "lazily"), ("pull_b", "lazily")))
    found = near_the_top(Runner(load(GAME)), lazily, 0)
    assert list(found.settings) == ["lazily", "hard"]
    assert found.settings["hard"].choices == (("pull_a", "hard"), ("pull_b", "hard"))
    assert 0.75 < found.scores["score"][0] < 0.8

"""Kinds of question whose trials are long answer every verb that makes sense, and refuse the others in a line."""

from __future__ import annotations

import pytest

from balance.analysis.changes.handicaps.match_up_score import search_trials
from balance.analysis.changes.handicaps.remedies import remedies
from balance.analysis.prices.asked import army_setting
from balance.base.errors import UsageError
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.game.question.replay import replay

TOLD = {
    "quest": ("immortal_souls", "ecarus,auriel", "gremlin_road"),
    "approach": ("runewars", "spearmen+2x2", "oathsworn_cavalry+2x2"),
    "seats": ("warforged", "trooper+shotgun:1", "trooper+shotgun:1 / trooper+shotgun:1"),
}
"""Kinds whose trials are told, with a game and two sides of each."""


@pytest.mark.parametrize("kind", TOLD)
def test_a_trial_is_told(kind: str) -> None:
    game, *sides = TOLD[kind]
    assert replay(load(game).ask(kind, *sides), trial=1).lines


@pytest.mark.parametrize("kind", TOLD)
def test_a_search_of_long_trials_begins_with_few(kind: str) -> None:
    trials = search_trials(load(TOLD[kind][0]).kind(kind))
    assert len(trials) == 3 and trials[0] <= 1_024 and trials[-1] <= 16_384


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("quest", "of two sides, ask balance quest immortal_souls HEROES QUEST choose= way=greedy"),
        ("approach", "they do in lineup, advance; of two sides, ask balance approach runewars A B choose= policy_a="),
        ("seats", "they do in lineup, battle; of two sides, ask balance seats warforged A OTHERS choose= policy_a="),
    ],
)
def test_no_ladder_is_played_where_armies_are_not_drawn(kind: str, words: str) -> None:
    with pytest.raises(UsageError, match="do not meet") as error:
        army_setting(load(TOLD[kind][0]), kind)
    assert words in str(error.value)


def test_the_walk_is_made_even_by_one_number() -> None:
    query = Query("advance", "spearmen+2x2", "oathsworn_cavalry+2x2", first="random")
    answer = remedies(Runner(load("runewars")), query, ["a.wounds_suffered"])
    assert [remedy.change for remedy in answer.remedies if remedy.even] == ["a.wounds_suffered=2"]


def test_a_third_is_even_for_one_of_three() -> None:
    game, own, others = TOLD["seats"]
    answer = remedies(Runner(load(game)), Query("seats", own, others, first="random"), ["lost_actions"])
    assert answer.is_even and answer.score.value == pytest.approx(1 / 3, abs=0.02)
    assert answer.band == pytest.approx((0.45 - 1 / 6, 0.55 - 1 / 6))


@pytest.mark.parametrize("kind", ["lineup", "advance"])
def test_nobody_is_twice_in_a_field_of_one_kind_of_army(kind: str) -> None:
    assert not load("runewars").kind(kind).has_factions

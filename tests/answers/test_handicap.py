"""What answers about an even match-up say alike: what was changed, and how both sides play."""

from __future__ import annotations

from typing import Any

import pytest

from balance.analysis.changes.handicaps.answer import MatchUpSource, match_up_source
from balance.answers.blocks.lines import Paragraph
from balance.answers.form import Terms
from balance.answers.words.handicaps.common import basis, changes_line
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.game.loaded import load


def source(game: str, *queries: Query, is_field: bool = False) -> tuple[MatchUpSource, Terms]:
    opened = load(game)
    return MatchUpSource(**match_up_source(opened, queries, is_field, 3)), Terms.of(opened, queries[0].kind)


@pytest.mark.parametrize(
    ("query", "is_field", "said"),
    [
        (("ox", "elk", ("rules.faces=0-9",), "a", (("play", "greedy"),)), False, ["; play=greedy; a goes first."]),
        (("ox", "elk", ("rules.faces=0-9",), "a", (("play", "greedy"),)), True, ["; play=greedy."]),
        (("ox", "elk", (), "random"), False, []),
    ],
)
def test_who_goes_first_is_a_change_unless_it_is_about_a_field(query: Any, is_field: bool, said: list[str]) -> None:
    lines = list(changes_line(*source("warforged", Query("duel", *query), is_field=is_field), more=False))
    assert [line.text for line in lines if isinstance(line, Paragraph)] == [
        f"Changed: rules.faces = 0-9{text}" for text in said
    ]


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ((), "both play greedy"),
        ((("policy_b", "rush"),), "greedy against rush play"),
        ((("policy_a", "rush"), ("policy_b", "rush")), "both play rush"),
    ],
)
def test_a_handicap_names_the_way_of_playing_that_its_numbers_rest_on(choices: Any, said: str) -> None:
    answer, terms = source("battlelore", Query("battle", "agincourt:english", "agincourt:french", choices=choices))
    assert basis(answer, Estimate.of_share(0.5, 100), "100 trials", terms).startswith(f"Simulated, {said}, 100 trials,")
    duel, terms = source("battlelore", Query("duel", "blue_foot", "red_foot"))
    assert basis(duel, Estimate.of_share(0.5, 100), "100 trials", terms).startswith("Simulated, 100 trials, seed 3; ")

"""Every rule at levels A and B is cited by a test, and the published coverage is what the tests say."""

from __future__ import annotations

import pytest

from balance.protocol.registry import GAMES, find_game, shipped_folder
from tests.coverage import citations, coverage_csv, rule_levels


@pytest.mark.parametrize("game", list(GAMES))
def test_every_rule_at_levels_a_and_b_is_cited(game: str) -> None:
    found = citations()
    assert [rule for rule, level in rule_levels(game).items() if level in "AB" and rule not in found] == []


def test_only_rules_that_exist_are_cited() -> None:
    known = {rule for game in GAMES for rule in rule_levels(game)}
    assert set(citations()) <= known


@pytest.mark.parametrize("game", list(GAMES))
def test_published_coverage_is_up_to_date(game: str) -> None:
    published = (shipped_folder(find_game(game)) / "coverage.csv").read_text("utf-8")
    assert published == coverage_csv(game), "run `python -m tests.coverage`"

"""Every rule at levels A and B is proved by a test that runs the game, and the published coverage cites what exists."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from balance.game.registry import GAMES
from balance.games.warforged import attack
from tests.coverage import Watch, citations, coverage_csv, not_played, published, rule_levels, run_by, shipped


@pytest.mark.parametrize("game", list(GAMES))
def test_every_rule_at_levels_a_and_b_is_proved(game: str) -> None:
    proofs = published(game)
    assert [rule for rule, level in rule_levels(game).items() if level in "AB" and not proofs.get(rule)] == []


def test_every_rule_is_proved_or_told_as_not_played() -> None:
    reasons = {rule: reason for game in GAMES for rule, reason in not_played(game).items()}
    proofs = {rule: tests for game in GAMES for rule, tests in published(game).items()}
    assert [rule for rule, tests in proofs.items() if bool(tests) == bool(reasons[rule])] == []
    assert len(proofs) == 576
    assert sum(map(bool, reasons.values())) <= 12


def test_only_rules_that_exist_are_cited() -> None:
    known = {rule for game in GAMES for rule in rule_levels(game)}
    assert set(citations()) <= known


@pytest.mark.parametrize("game", list(GAMES))
def test_published_proofs_are_cited(game: str) -> None:
    """Whether each of them runs the game is looked at when it runs (`tests/conftest.py`)."""
    assert shipped(game) == coverage_csv(game, published(game)), "run `python -m tests.coverage`"


def test_a_game_runs_what_its_record_leads_to() -> None:
    run = run_by("warforged")
    assert (attack.__file__, "attack_distribution") in run
    assert all(Path(file).is_relative_to(Path(attack.__file__).parent) for file, _ in run)
    assert {"GAME"} <= {name for _, name in run}


def test_a_call_is_noticed_once_and_for_all() -> None:
    def ours() -> None:
        pass

    watch, other = (
        Watch(frozenset({(__file__, name)})) for name in (test_a_call_is_noticed_once_and_for_all.__name__, "x")
    )
    for one in (watch, other):
        with one.on():
            ours()
        assert sys.getprofile() is None
    assert (watch.proved, other.proved) == (True, False)

"""Where an exact distribution cannot be had, whatever the game, the question is simulated instead and says so."""

from __future__ import annotations

import pytest

from balance.base.errors import DistributionError
from balance.game.loaded import LoadedGame, load
from balance.game.question.question import SIMULATED_TRIALS
from tests.toy.game import GAME


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> LoadedGame:
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 3)
    return load(GAME)


@pytest.mark.parametrize("kind", ["attack", "duel"])
def test_a_question_whose_distribution_is_too_large_is_simulated(kind: str, toy: LoadedGame) -> None:
    question = toy.ask(kind, "knight", "ogre")
    with pytest.raises(DistributionError, match="too many to list"):
        _ = question.distribution
    assert "too many to list" in question.why_no_distribution
    distribution, n_trials = question.known_distribution(trials=512, seed=3)
    assert n_trials == 512 == distribution.total
    assert question.simulate(100, lane="compiled").n_trials == 100


def test_the_chance_to_win_is_simulated_where_it_cannot_be_exact(toy: LoadedGame) -> None:
    question = toy.duel("knight", "ogre")
    assert question.known_distribution()[1] == SIMULATED_TRIALS
    assert sum(question.p_win().values()) == pytest.approx(1)


def test_a_distribution_that_can_be_had_is_not_simulated() -> None:
    question = load(GAME).duel("knight", "ogre")
    assert question.known_distribution() == (question.distribution, None)
    assert question.why_no_distribution == ""


def test_a_kind_of_question_without_distributions_says_so() -> None:
    question = load("edadh").ask("duel", "spears", "shieldsmen")
    assert question.why_no_distribution == "duel has no exact distribution"
    assert question.p_win() == question.p_win(question.known_distribution()[0])


def test_a_distribution_that_would_take_gigabytes_is_simulated() -> None:
    """Both sides draw their cards from 10,000 numbers each."""
    entrants, players = ("angueth_terrain", "huaos_dzaa_terrain"), {"policy_a": "adaptive", "policy_b": "adaptive"}
    question = load("edadh").ask("turn", *entrants, **players)
    assert "100,000,000 combinations of dice are too many to list" in question.why_no_distribution
    assert question.known_distribution(trials=64)[1] == 64

"""Oddities: a loaded evening is named, a clean log has none, and lively evenings are no oddity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from balance.playtests.games import Games
from balance.playtests.model.answer import Oddity
from balance.playtests.model.design import design
from balance.playtests.model.forecast import Doubt, forecast_score
from balance.playtests.model.rating import rate
from balance.playtests.model.residuals import find_oddities
from balance.playtests.model.spreads import posterior
from tests.playtests.logs import Truth, play, true_strengths


def loaded(rng: np.random.Generator, games: Games, how: str, session: int) -> Games:
    """Return a log in one evening of which a seat, one entrant or one player won every game."""
    assert games.session is not None
    rows = games.session == session
    score, one, players = games.score.copy(), games.side_a.copy(), games.players
    if how == "seat":
        score[rows] = games.mover[rows] == 1
    elif how == "entrant":
        cheat = int(np.argsort(np.bincount(games.side_a, games.score - 0.5))[rng.integers(2)])  # one of the weaker
        one[rows & (games.side_b != cheat)] = cheat
        score[rows] = one[rows] == cheat
    else:
        assert players is not None
        players = players.copy()
        players[rows] = np.stack([np.zeros(rows.sum()), np.maximum(players[rows, 1], 1)], axis=1)
        score[rows] = 1.0
    return replace(games, side_a=one, score=score, players=players)


def oddities_of(games: Games) -> list[Oddity]:
    law = "davidson" if games.has_draws else "none"
    return [one for one, _ in find_oddities(games, posterior(design(games, law, effects=True), 0.7), 0.05)]  # type: ignore[arg-type]


def shares(n_logs: int, size: int, evening: int, how: str | None) -> tuple[float, float]:
    """Return in which share of logs the loaded evening is named, and in which anything is."""
    named = anything = 0
    for k in range(n_logs):
        rng = np.random.default_rng((19, size, k))
        truth = Truth(true_strengths(rng, "0.6", 5), 0.3, 0.3, 0.3, 0.2, 0.3, n_players=6)
        games = play(rng, truth, size, evening)
        session = int(rng.integers(size // evening))
        found = oddities_of(loaded(rng, games, how, session) if how else games)
        named += any(one.kind == "session" and one.name == games.session_names[session] for one in found)
        anything += bool(found)
    return named / n_logs, anything / n_logs


@pytest.mark.slow("test_an_oddity_tells_who_was_favoured_by_how_much_and_what_changes")
@pytest.mark.parametrize("how", ["seat", "entrant", "player"])
def test_a_loaded_evening_is_named(how: str) -> None:
    """95 % and more as measured for evenings of 20 games; 9 of 12 would come by chance in 1 of 400 at 95 %."""
    assert shares(12, 120, 20, how)[0] >= 9 / 12


@pytest.mark.parametrize(("n", "most"), [(8, 2), pytest.param(24, 4, marks=pytest.mark.slow)])
def test_clean_logs_seldom_have_an_oddity(n: int, most: int) -> None:
    """At most 5 % by design; 5 of 24, or 3 of 8, would come by chance in 1 of 150."""
    assert shares(n, 120, 12, None)[1] <= most / n


@pytest.mark.slow("test_clean_logs_seldom_have_an_oddity")
def test_loaded_evenings_and_clean_logs_by_size() -> None:
    """The table is printed (`-s`): short evenings of even games cannot show a cheat, whatever the method."""
    for size, evening in ((40, 8), (40, 20), (100, 10), (100, 20), (200, 20), (500, 20)):
        clean = shares(100, size, evening, None)[1]
        caught = {how: shares(40, size, evening, how)[0] for how in ("seat", "entrant", "player")}
        print(size, evening, f"clean logs with an oddity {clean:.2f}; named", caught)
        assert clean <= 0.1  # 5 % by design; 10 of 100 would come by chance in 1 of 35, and there are 6 such
        if evening >= 20 and size >= 100:
            assert min(caught.values()) >= 0.9


def test_an_oddity_tells_who_was_favoured_by_how_much_and_what_changes() -> None:
    rng = np.random.default_rng(2)
    games = loaded(rng, play(rng, Truth(np.zeros(4), 0.0, n_players=5), 120, 20), "seat", 3)
    (found,) = rate(games).oddities
    assert (found.kind, found.name, found.what, found.whom, found.favoured) == ("session", "s03", "seat", "first", True)
    assert found.games == 20 and found.observed == 1.0 and 0.3 < found.expected < 0.7
    assert found.size == pytest.approx(20 * (1 - found.expected))
    assert found.p_value < 0.01
    assert [one.name for one in found.changes] == list(games.names)
    assert any(one.rating != one.rating_without for one in found.changes)


def test_the_law_of_a_score_is_the_binomial_where_nothing_is_uncertain() -> None:
    score = np.r_[np.ones(9), np.zeros(3)]
    found = forecast_score("none", np.full(12, 0.4), 0.0, Doubt.of(np.zeros((12, 12))), np.ones(12), score)
    chance = 1 / (1 + np.exp(-0.4))
    assert found.expected == pytest.approx(12 * chance)
    assert found.p_value == pytest.approx(2 * binom.sf(8, 12, chance))
    assert found.chances[-1] == pytest.approx(1.0)


@pytest.mark.slow("test_the_law_of_a_score_is_the_binomial_where_nothing_is_uncertain")
def test_the_law_of_a_score_is_what_a_simulation_finds_where_all_is_uncertain() -> None:
    """20 games with draws, of shared and of own uncertainty: 200,000 simulated; 4 standard errors and 0.5 % of bias."""
    rng = np.random.default_rng(8)
    covariance = 0.3 + np.diag(np.full(20, 0.1))
    eta = np.linspace(-0.5, 0.8, 20)
    drawn = eta + rng.multivariate_normal(np.zeros(20), covariance, 200_000)
    up, down = np.exp(drawn / 2), np.exp(-drawn / 2)
    place = rng.random(drawn.shape) * (up + down + 0.5)
    total = np.where(place < up, 1, np.where(place < up + 0.5, 0.5, 0)).sum(axis=1)
    for score in (4.0, 8.0, 16.0):
        share = score / 20
        found = forecast_score("davidson", eta, np.log(0.5), Doubt.of(covariance), np.ones(20), np.full(20, share))
        tail = min((total >= score).mean(), (total <= score).mean())
        assert found.p_value == pytest.approx(2 * tail, abs=0.012)
    assert found.expected == pytest.approx(total.mean(), abs=0.03)


@pytest.mark.slow("test_an_oddity_tells_who_was_favoured_by_how_much_and_what_changes")
def test_lively_evenings_are_no_oddity_of_one_of_them() -> None:
    """Every evening is wild: the spread says so, and no single one is named more often than the error allows."""
    named = 0
    for k in range(15):
        rng = np.random.default_rng((20, k))
        named += bool(oddities_of(play(rng, Truth(np.zeros(4), 0.0, form=1.0), 160, 10)))
    assert named <= 3

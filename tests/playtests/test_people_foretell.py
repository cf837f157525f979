"""Forecasts from points: as good as a ridge, calibrated, and a drift is told."""

from dataclasses import replace

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.playtests.games import Games, Labels
from balance.playtests.people.foretell import Forecasts, foretell, foretold, probit
from balance.playtests.people.score import score_design
from tests.playtests.test_people_score import simulate


def _by_month(games: Games) -> Games:
    months = Labels(games.labels["event"].places // 5, tuple(f"2025-{month:02}" for month in range(1, 13)))
    return replace(games, labels={**games.labels, "month": months})


@pytest.fixture(scope="module")
def games() -> Games:
    return _by_month(simulate(1, n_events=25))


def _need(forecasts: Forecasts | None) -> Forecasts:
    assert forecasts is not None
    return forecasts


def _ridge(games: Games, month: int, penalty: float) -> FloatArray:
    design, before = score_design(games), games.labels["month"].places < month
    players = design.sparse["player"].toarray()
    squares = players[before].T @ players[before] + penalty * np.eye(players.shape[1])
    usual = design.y[before].mean()
    skills = np.linalg.solve(squares, players[before].T @ (design.y[before] - usual))
    return np.asarray(usual + players[~before & (games.labels["month"].places == month)] @ skills)


def test_forecasts_are_no_worse_than_the_best_ridge(games: Games) -> None:
    forecasts = _need(foretold(games))
    best = np.inf
    for penalty in (1, 2, 4, 8):
        lines = [_ridge(games, month, penalty) for month in np.unique(forecasts.periods.places)]
        best = min(best, ((forecasts.y - np.concatenate(lines)) ** 2).sum())
    assert ((forecasts.y - forecasts.mean) ** 2).sum() < best
    whole = forecasts.whole
    assert whole.slope_low < 1 < whole.slope_high
    assert not whole.drifts
    assert [row.group for row in forecasts.by_period] == [f"2025-{month:02}" for month in range(2, 6)]
    assert sum(row.n_games for row in forecasts.by_known) == whole.n_games


def test_chances_come_true(games: Games) -> None:
    """In five groups by chance to win, the share won is within 3.5 standard errors (1 run in 400 is not)."""
    forecasts = _need(foretold(games))
    won, chance = forecasts.y > 0, forecasts.chances[:, 2]
    np.testing.assert_allclose(forecasts.chances.sum(axis=1), 1)
    for group in np.array_split(np.argsort(chance), 5):
        se = np.sqrt((chance[group] * (1 - chance[group])).sum())
        assert abs(won[group].sum() - chance[group].sum()) < 3.5 * se


def test_skills_that_change_are_told_as_drift(games: Games) -> None:
    later = games.labels["month"].places >= 3
    assert games.players is not None
    earlier = games.select_rows(~later)
    moved = np.where(games.players % 2 == 0, (games.players + 2) % 60, games.players)
    changed = replace(games, players=moved).select_rows(later)
    frozen, monthly = foretell(earlier, changed)
    assert _need(frozen).whole.drifts
    same, _ = foretell(earlier, games.select_rows(later))
    assert not _need(same).whole.drifts
    assert _need(same).whole.r2 > _need(frozen).whole.r2 + 0.05
    assert _need(monthly).whole.r2 > _need(frozen).whole.r2


def test_later_games_and_names_say_nothing_of_earlier_ones(games: Games) -> None:
    months = games.labels["month"].places
    frozen, monthly = (_need(part) for part in foretell(games.select_rows(months < 4), games.select_rows(months == 4)))
    np.testing.assert_allclose(monthly.mean, frozen.mean, atol=1e-9)
    within = _need(foretold(games.select_rows(months <= 4)))
    np.testing.assert_allclose(within.mean[within.periods.places == 4], frozen.mean, atol=1e-3)
    assert games.players is not None
    order = np.random.default_rng(1).permutation(len(months))
    shuffled = _need(foretold(replace(games, players=59 - games.players).select_rows(order)))
    whole = _need(foretold(games)).whole
    for name in ("r2", "right_side", "slope_low", "brier", "log_loss"):
        assert getattr(shuffled.whole, name) == pytest.approx(getattr(whole, name), abs=1e-6)


def test_levels_of_victory_are_thirds_or_the_scores_themselves() -> None:
    y = np.array([0.0, 1, -2, 3, -4, 5, 6, -7, 8, -9])
    levels = probit(y, np.ones(10))
    assert levels.cuts.tolist() == [0, 3, 6]
    assert levels.level_of(y).tolist() == [3, 4, 2, 4, 1, 5, 5, 0, 6, 0]
    assert probit(np.array([0.5, -0.5, 0.0]), np.ones(3)).cuts.tolist() == [0]
    chances = levels.chances(np.zeros(1), np.full(1, np.mean(y**2)))[0]
    np.testing.assert_allclose(chances, [0.15, 0.15, 0.15, 0.1, 0.15, 0.15, 0.15], atol=1e-12)


def test_without_months_nothing_is_foretold(games: Games) -> None:
    plain = replace(games, labels={})
    assert foretold(plain) is None
    assert foretell(plain, plain.select_rows(np.arange(50)))[1] is None
    assert foretell(plain.select_rows(np.arange(50)), plain)[0] is None

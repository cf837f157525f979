"""Forecasts from points: as good as a ridge, calibrated, and a drift is told."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.playtests.games import Games, Labels
from balance.playtests.people.foretell import Forecasts, Probit, forecast_later, forecast_months, foretell, foretold
from balance.playtests.people.score import score_design
from tests.playtests.test_people_score import simulate


@pytest.fixture(scope="module")
def games() -> Games:
    log = simulate(1, n_events=25)
    months = Labels(log.labels["event"].places // 5, tuple(f"2025-{month:02}" for month in range(1, 6)))
    return replace(log, labels={**log.labels, "month": months})


@pytest.fixture(scope="module")
def forecasts(games: Games) -> Forecasts:
    return _need(forecast_months(games))


def _need(forecasts: Forecasts | None) -> Forecasts:
    assert forecasts is not None
    return forecasts


def _ridge(games: Games, month: int, penalty: float) -> FloatArray:
    design, months = score_design(games), games.labels["month"].places
    players, before = design.sparse["player"].toarray(), months < month
    usual, squares = design.y[before].mean(), players[before].T @ players[before] + penalty * np.eye(60)
    skills = np.linalg.solve(squares, players[before].T @ (design.y[before] - usual))
    return np.asarray(usual + players[months == month] @ skills)


def test_forecasts_are_no_worse_than_the_best_ridge(games: Games, forecasts: Forecasts) -> None:
    lines = [np.concatenate([_ridge(games, month, penalty) for month in range(1, 5)]) for penalty in (1, 2, 4, 8)]
    errors = [((forecasts.y - line) ** 2).sum() for line in lines]
    assert ((forecasts.y - forecasts.mean) ** 2).sum() < min(errors)
    whole = forecasts.rows[0]
    assert whole.slope_low < 1 < whole.slope_high
    assert [row.month for row in forecasts.rows[-4:]] == [f"2025-{month:02}" for month in range(2, 6)]
    assert sum(row.games for row in forecasts.rows if row.players != "all") == whole.games


def test_chances_come_true(forecasts: Forecasts) -> None:
    """In five groups by chance to win, the share won is within 3.5 standard errors (1 run in 400 is not)."""
    won, chance = forecasts.y > 0, forecasts.chances[:, 2]
    for group in np.array_split(np.argsort(chance), 5):
        se = np.sqrt((chance[group] * (1 - chance[group])).sum())
        assert abs(won[group].sum() - chance[group].sum()) < 3.5 * se


def test_skills_that_change_are_told_as_drift(games: Games) -> None:
    later = games.labels["month"].places >= 3
    assert games.players is not None
    moved = np.where(games.players % 2 == 0, (games.players + 2) % 60, games.players)
    same, changed = (
        foretell(games.select_rows(~later), replace(games, players=players).select_rows(later))
        for players in (games.players, moved)
    )
    assert changed[0].drifts
    assert not same[0].drifts
    assert same[0].r2 > changed[0].r2 + 0.05


def test_a_month_is_foretold_from_what_comes_before_it_alone(games: Games, forecasts: Forecasts) -> None:
    months = games.labels["month"].places
    parts = forecast_later(games.select_rows(months < 4), games.select_rows(months == 4))
    frozen, monthly = (_need(part) for part in parts)
    np.testing.assert_allclose(monthly.mean, frozen.mean, atol=1e-9)
    np.testing.assert_allclose(forecasts.mean[forecasts.periods.places == 4], frozen.mean, atol=2e-3)


def test_names_and_order_change_no_forecast(games: Games, forecasts: Forecasts) -> None:
    assert games.players is not None
    order = np.random.default_rng(1).permutation(len(games.rows))
    shuffled = foretold(replace(games, players=59 - games.players).select_rows(order))
    for row, other in zip(forecasts.rows, shuffled, strict=True):
        assert asdict(other) == pytest.approx(asdict(row), abs=1e-6)


def test_levels_of_victory_are_thirds_or_the_scores_themselves() -> None:
    y = np.array([0.0, 1, -2, 3, -4, 5, 6, -7, 8, -9])
    levels = Probit.of(y, np.ones(10), float(np.mean(y**2)))
    assert levels.cuts.tolist() == [0, 3, 6]
    assert Probit.of(np.array([0.5, -0.5, 0.0]), np.ones(3), 1.0).cuts.tolist() == [0]
    np.testing.assert_allclose(levels.chances(np.zeros(())), [0.15, 0.15, 0.15, 0.1, 0.15, 0.15, 0.15], atol=1e-12)
    assert levels.scores(np.zeros(2)).tolist() == pytest.approx([0.5, 0.5])


def test_without_months_or_games_before_nothing_is_foretold(games: Games) -> None:
    plain = replace(games, labels={})
    assert foretold(plain) == ()
    assert [row.players for row in foretell(plain, plain.select_rows(np.arange(50)))] == ["all", "both known"]
    assert foretell(plain.select_rows(np.arange(50)), plain) == ()

"""Published fits, digit by digit, and the same maxima found by a general optimiser."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logit

from balance.analysis.scores.ratings import PRIOR_SD, fit_ratings
from balance.playtests.games import AS_EXACT, Games, games_of
from balance.playtests.model.answer import RateSettings
from balance.playtests.model.design import design
from balance.playtests.model.fit import Priors, find_modes
from balance.playtests.model.outcomes import chances, slopes, third_and_fourth
from balance.playtests.model.rating import rate
from balance.playtests.model.spreads import origin, plain_fit
from tests.playtests.logs import Truth, play

PLAIN = RateSettings(prior=None)
DATA = Path(__file__).parent / "data"
# Davidson (1970), table of the chocolate puddings: i, j, preferred i, preferred j, no preference.
PUDDINGS = """1 2 19 22 16;1 3 16 19 12;2 3 19 19 10;1 4 18 23 13;2 4 23 19 9;3 4 19 20 15;1 5 13 19 18;2 5 16 20 12;
3 5 16 15 17;4 5 17 14 16;1 6 18 21 12;2 6 22 20 12;3 6 13 18 10;4 6 14 19 18;5 6 11 21 12"""


def baseball() -> Games:
    """The American League of 1987 (Agresti 2002, table 10.10): a row of games won at home, and one of games lost."""
    with (DATA / "baseball_1987.csv").open() as file:
        table = list(csv.DictReader(file))
    rows = [(row["home"], row["away"], 1.0, float(row["home_wins"])) for row in table]
    rows += [(row["home"], row["away"], 0.0, float(row["away_wins"])) for row in table]
    home, away, score, count = zip(*(row for row in rows if row[3]), strict=True)
    return games_of(home, away, score, 1, count)


def puddings() -> Games:
    rows = [[int(part) for part in row.split()] for row in PUDDINGS.replace("\n", "").split(";")]
    one = [f"brand {row[0]}" for row in rows for _ in range(3)]
    other = [f"brand {row[1]}" for row in rows for _ in range(3)]
    return games_of(one, other, [1, 0, 0.5] * len(rows), 0, [count for row in rows for count in row[2:]])


def test_the_american_league_of_1987_is_as_agresti_prints_it() -> None:
    found = plain_fit(design(baseball(), "none", effects=False))
    strengths, home = found.effects[:7] - found.effects[0], found.effects[7]
    assert home == pytest.approx(0.3023, abs=5e-5)
    assert found.modes.covariance[0, 7, 7] ** 0.5 == pytest.approx(0.1309, abs=5e-5)
    # Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto; Agresti 2002, section 10.6.2.
    assert strengths == pytest.approx([0, 1.144, 0.705, 1.475, 1.620, 1.281, 1.327], abs=5e-4)
    rated = rate(baseball(), PLAIN)
    assert rated.fit.deviance == pytest.approx(38.643, abs=5e-4)
    assert rated.fit.df == 35
    assert rated.first_mover.value == pytest.approx(home)
    assert (rated.first_mover.high - rated.first_mover.low) / 2 / 1.959964 == pytest.approx(0.1309, abs=5e-5)


def test_without_the_home_field_the_league_is_as_bradleyterry2_prints_it() -> None:
    """Turner and Firth 2012, the first model of its baseball example."""
    games = baseball()
    rated = rate(replace(games, mover=np.zeros_like(games.mover)), PLAIN)
    strengths = np.array([one.rating for one in rated.ratings.values()])
    assert strengths - strengths[0] == pytest.approx([0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945], abs=5e-5)
    assert rated.fit.df == 21 - 6
    assert rated.fit.deviance == pytest.approx(15.737, abs=5e-4)


def test_chocolate_puddings_are_as_davidson_prints_them() -> None:
    """Davidson 1970; all digits and the standard error as by Turner et al. 2020 (PlackettLuce, section 2.1.1)."""
    found = plain_fit(design(puddings(), "davidson", effects=False))
    worth = np.exp(found.effects[:6])
    assert worth / worth.sum() == pytest.approx(
        [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=3e-5
    )
    assert np.exp(found.effects[-1]) == pytest.approx(0.7468147, abs=3e-5)
    assert found.modes.covariance[0, -1, -1] ** 0.5 == pytest.approx(0.0825, abs=5e-5)
    assert -2 * found.modes.value.sum() == pytest.approx(1619.4, abs=0.05)


def test_rao_and_kuppers_threshold_of_two_entrants_has_a_closed_form() -> None:
    """Of w games won, t drawn and l lost, the two logits of w / n and l / n are eta - cut and -eta - cut."""
    found = plain_fit(design(games_of(["a"] * 3, ["b"] * 3, [1, 0.5, 0], 0, [50, 20, 30]), "rao_kupper", effects=False))
    assert found.effects[0] - found.effects[1] == pytest.approx((logit(0.5) - logit(0.3)) / 2)
    assert found.effects[-1] == pytest.approx(-(logit(0.5) + logit(0.3)) / 2)


@pytest.mark.parametrize("law", ["davidson", "rao_kupper"])
def test_puddings_are_where_a_general_optimiser_finds_the_maximum(law: str) -> None:
    games = puddings()

    def lost(values: np.ndarray) -> float:
        gap = values[games.side_a] - values[games.side_b]
        if law == "davidson":
            up, down, even = np.exp(gap / 2), np.exp(-gap / 2), np.exp(values[-1])
            won, drawn = up / (up + down + even), even / (up + down + even)
        else:
            won = 1 / (1 + np.exp(values[-1] - gap))
            drawn = 1 - won - 1 / (1 + np.exp(values[-1] + gap))
        chance = np.select([games.score == 1, games.score == 0.5], [won, drawn], 1 - won - drawn)
        return float(-(games.count * np.log(chance)).sum() + values[:6].sum() ** 2)

    best = minimize(lost, np.r_[np.zeros(6), 0.4], tol=1e-10).x
    found = plain_fit(design(games, law, effects=False))  # type: ignore[arg-type]
    assert found.effects == pytest.approx(best, abs=2e-5)


@pytest.mark.parametrize("law", ["none", "davidson", "rao_kupper"])
def test_slopes_are_those_of_the_log_likelihood(law: str) -> None:
    """Central differences of the law itself: first to fourth by eta, first and second by cut."""
    won, drawn, lost = np.array(3.0), np.array(0.0 if law == "none" else 2.0), np.array(4.0)
    eta, cut, step = np.array(0.7), 0.3, 1e-2

    def value(at: Any, bar: float) -> float:
        parts = chances(law, np.array(at), bar)  # type: ignore[arg-type]
        return float(sum(n * np.log(p) for n, p in zip((won, drawn, lost), parts, strict=True) if n))

    line = np.array([value(eta + k * step, cut) for k in range(-3, 4)])
    found = slopes(law, eta, np.array(cut), won, drawn, lost)  # type: ignore[arg-type]
    third, fourth = third_and_fourth(law, eta, np.array(cut), (won, drawn, lost))  # type: ignore[arg-type]
    assert found.value == pytest.approx(line[3])
    assert found.eta == pytest.approx((line[4] - line[2]) / 2 / step, abs=1e-3)
    assert -found.eta_eta == pytest.approx((line[4] - 2 * line[3] + line[2]) / step**2, abs=1e-3)
    assert third == pytest.approx((line[5] - 2 * line[4] + 2 * line[2] - line[1]) / 2 / step**3, abs=1e-3)
    assert fourth == pytest.approx((line[5] - 4 * line[4] + 6 * line[3] - 4 * line[2] + line[1]) / step**4, abs=1e-2)
    if law != "none":
        up, down = value(0.7, cut + step), value(0.7, cut - step)
        assert found.cut == pytest.approx((up - down) / 2 / step, abs=5e-3)
        assert -found.cut_cut == pytest.approx((up - 2 * line[3] + down) / step**2, abs=0.05)
        mixed = value(0.7 + step, cut + step) - value(0.7 + step, cut - step)
        mixed -= value(0.7 - step, cut + step) - value(0.7 - step, cut - step)
        assert -found.eta_cut == pytest.approx(mixed / 4 / step**2, abs=1e-2)


def test_a_session_at_a_time_is_the_fit_of_all_effects_at_once() -> None:
    """The arrowhead's mode and covariance against a dense Newton over the same effects."""
    games = play(np.random.default_rng(4), Truth(np.array([0.5, 0, -0.5]), draws=0.5, form=0.5), 40, 8)
    d = design(games, "davidson", effects=True)
    g, n_local = d.g, len(d.local_kinds)
    modes = find_modes(d, Priors.of(d, np.full((1, g), 2.0), np.full((1, n_local), 3.0)), origin(d))
    effects = np.delete(np.arange(g + 1 + n_local), g)
    rows = d.loadings(np.arange(len(d.block)), effects)
    outcomes = d.wins, d.draws, d.losses
    mean, sd = -1.0, 1.5

    def lost(values: np.ndarray) -> float:
        fit = slopes("davidson", rows @ values[:-1], np.array(values[-1]), *outcomes).value.sum()
        held = 2 * (values[:g] ** 2).sum() + 3 * (values[g:-1] ** 2).sum() + ((values[-1] - mean) / sd) ** 2
        return float(held / 2 - fit)

    best = minimize(lost, np.zeros(rows.shape[1] + 1), tol=1e-10)
    assert modes.effects[0] == pytest.approx([*best.x[:g], best.x[-1]], abs=1e-5)
    assert modes.all_effects[0, g + 1 :] == pytest.approx(best.x[g:-1], abs=1e-5)
    bends = slopes("davidson", rows @ best.x[:-1], np.array(best.x[-1]), *outcomes)
    bent = np.zeros((len(best.x), len(best.x)))
    bent[:-1, :-1] = rows.T @ (bends.eta_eta[:, None] * rows)
    bent[:-1, -1] = bent[-1, :-1] = rows.T @ bends.eta_cut
    bent[-1, -1] = bends.cut_cut.sum() + sd**-2
    bent[np.arange(g), np.arange(g)] += 2
    bent[np.arange(g, len(bent) - 1), np.arange(g, len(bent) - 1)] += 3
    covariance = np.linalg.inv(bent)
    keep = np.r_[np.arange(g), len(bent) - 1]
    assert modes.covariance[0] == pytest.approx(covariance[np.ix_(keep, keep)], abs=1e-5)
    evidence = -best.fun + g * np.log(2) / 2 + n_local * np.log(3) / 2 - np.linalg.slogdet(bent)[1] / 2
    assert modes.evidence[0] == pytest.approx(evidence, abs=1e-5)


def test_exact_tables_are_rated_as_the_ladder_of_the_analysis_rates_them() -> None:
    """One answer by two paths: `fit_ratings` over a matrix, and this fit over its cells under the same prior."""
    rng = np.random.default_rng(2)
    first = rng.uniform(0.2, 0.8, (6, 6))
    pairs = list(permutations(range(6), 2))
    one, other = (["abcdef"[pair[seat]] for pair in pairs] for seat in (0, 1))
    games = games_of(one, other, [first[pair] for pair in pairs], 1, float(AS_EXACT))
    ladder = fit_ratings(first, np.ones((6, 6)) - np.eye(6))
    d = design(games, "none", effects=False)
    weak = np.full((1, 7), AS_EXACT / PRIOR_SD**2)  # each cell counts as many games, so the prior does too
    modes = find_modes(d, Priors.of(d, weak, np.ones((1, 0))), origin(d))
    assert modes.effects[0, :6] == pytest.approx(ladder.theta, abs=1e-7)
    assert modes.effects[0, 6] == pytest.approx(ladder.first_mover, abs=1e-7)

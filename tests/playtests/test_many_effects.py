"""Logs of many entrants or players: what is eliminated block by block gives what dense matrices give."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from balance.base.limits import MOST_LOG_EFFECTS
from balance.playtests.games import Games
from balance.playtests.model.cycles import find_cycles
from balance.playtests.model.design import design
from balance.playtests.model.fit import find_evidence, find_modes
from balance.playtests.model.rating import RateSettings, rate
from balance.playtests.model.residuals import find_oddities
from balance.playtests.model.spreads import origin, posterior, priors_at, unknown_kinds
from tests.playtests.logs import Truth, league, play, true_strengths


def a_log(draws: float = 0.4) -> Games:
    """Return a log with everything in it: draws, sessions, some without, players, some unknown, and scenarios."""
    rng = np.random.default_rng(3)
    games = play(rng, Truth(true_strengths(rng, "0.6", 12), 0.3, draws, 0.3, 0.2, 0.3, 40), 150, 6)
    assert games.session is not None and games.players is not None
    some = rng.random(150) < 0.3
    return replace(
        games,
        session=np.where(some, -1, games.session),
        players=np.where(rng.random((150, 2)) < 0.1, -1, games.players),
        scenario=rng.integers(-1, 2, 150),
        scenario_names=("hill", "wood"),
        cost=rng.choice([90.0, 100.0], (150, 2)),
    ).group_equal()


@pytest.mark.parametrize("law", ["none", "davidson", "rao_kupper"])
def test_effects_of_one_block_eliminated_give_what_whole_matrices_give(law: Any) -> None:
    games = a_log(0.0 if law == "none" else 0.4)
    whole, sparse = design(games, law, True, whole=10_000), design(games, law, True, whole=0)
    assert whole.whole and not sparse.whole
    assert sparse.arrowhead.c < whole.arrowhead.c == whole.g + 1
    kinds = unknown_kinds(whole)
    assert len(kinds) == 5
    sds = np.full((3, 5), 0.5) * np.array([[0.5], [1.0], [2.0]])
    priors = priors_at(whole, kinds, sds)
    one, other = (find_modes(d, priors, origin(d), with_corrections=True) for d in (whole, sparse))
    for name in ("all_effects", "means", "covariance", "evidence", "value", "bend"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-9), name
    evidence, _ = find_evidence(sparse, priors, origin(sparse), 1e-9)
    plain = find_modes(whole, priors, origin(whole))
    assert evidence == pytest.approx(plain.evidence, abs=1e-9)


@pytest.mark.parametrize("few", [0, 1000])
@pytest.mark.parametrize("whole", [0, 10_000])
@pytest.mark.parametrize("scenarios", [False, True])
def test_an_arrowhead_is_the_dense_matrix_of_all_effects(
    few: int, whole: int, scenarios: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Curvature, solutions, determinant, covariances and cubes of two members, by normal equations written out."""
    monkeypatch.setattr("balance.playtests.model.arrowhead.FEW", few)
    games = a_log()
    games = games if scenarios else replace(games, scenario=None, scenario_names=())
    d, rng = design(games, "davidson", True, whole), np.random.default_rng(9)
    n = d.g + 1 + len(d.local_kinds)
    x = d.loadings(np.arange(len(d.block)), np.arange(n))
    bend, tilt = rng.uniform(0.1, 1.0, (2, 2, len(x)))
    precision, cut_bend, vectors = rng.uniform(5.0, 9.0, (2, n)), np.array([150.0, 250.0]), rng.normal(size=(2, n))
    curvature = d.arrowhead.curvature(bend, tilt, cut_bend, precision, tied=d.n)
    solutions = curvature.solve(vectors)
    determinants, cubes = curvature.log_determinants(), curvature.cubes(tilt)
    for member in range(2):
        dense = x.T @ (bend[member, :, None] * x) + np.diag(precision[member])
        dense[d.g] += x.T @ tilt[member]
        dense[:, d.g] += x.T @ tilt[member]
        dense[d.g, d.g] += cut_bend[member]
        dense[: d.n, : d.n] += 1.0
        covariance = np.linalg.inv(dense)
        rows = x @ covariance @ x.T
        together = d.block[:, None] == d.block
        assert solutions[member] == pytest.approx(covariance @ vectors[member], abs=1e-12)
        assert curvature.of_member(member).solve(vectors[member : member + 1])[0] == pytest.approx(solutions[member])
        assert determinants[member] == pytest.approx(np.linalg.slogdet(dense)[1])
        assert curvature.covariance(d.answer_effects)[member] == pytest.approx(
            covariance[np.ix_(d.answer_effects, d.answer_effects)], abs=1e-12
        )
        assert curvature.row_variances[member] == pytest.approx(np.diagonal(rows), abs=1e-12)
        assert cubes[member] == pytest.approx(tilt[member] @ (together * rows**3) @ tilt[member])


def test_names_and_the_order_of_rows_change_nothing() -> None:
    """Of a log of 90 players, some of whom came once; all renamed back to front, and rows in another order."""
    rng = np.random.default_rng(12)
    games = play(rng, Truth(true_strengths(rng, "0.6", 7), 0.3, 0.3, n_players=90), 260, 13)
    mixed = games.select_rows(rng.permutation(len(games.side_a)))
    n, p = len(games.names), len(games.player_names)
    assert mixed.players is not None
    mixed = replace(
        mixed, side_a=n - 1 - mixed.side_a, side_b=n - 1 - mixed.side_b, players=p - 1 - mixed.players,
        names=tuple(f"e{at:02}" for at in range(n)), player_names=tuple(f"p{at:02}" for at in range(p)),
    )  # fmt: skip
    one, other = rate(games), rate(mixed)
    for left, right in zip(one.ratings.values(), reversed(list(other.ratings.values())), strict=True):
        for key, value in asdict(left).items():
            assert getattr(right, key) == (pytest.approx(value, abs=1e-8) if isinstance(value, float) else value), key
    assert [spread.value for spread in other.spread] == pytest.approx([spread.value for spread in one.spread], abs=1e-8)


def test_cycles_and_oddities_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one posterior, so that only the sums differ; a loaded evening is named by both."""
    rng = np.random.default_rng(2)
    games = play(rng, Truth(true_strengths(rng, "0.6", 6), 0.3, 0.0, n_players=5), 120, 20)
    assert games.session is not None
    games = replace(games, score=np.where(games.session == 3, games.mover > 0, games.score) * 1.0).group_equal()
    found = posterior(design(games, "none", True), 0.7)
    monkeypatch.setattr("balance.playtests.model.residuals.MARGIN", 1e9)  # refit as many groups
    blocks = replace(found, design=design(games, "none", True, whole=0))
    for left, right in zip(find_cycles(games, found, 0.95), find_cycles(games, blocks, 0.95), strict=True):
        assert asdict(right) == {k: pytest.approx(v) if isinstance(v, float) else v for k, v in asdict(left).items()}
    (one, rows), *_ = find_oddities(games, found, 0.05)
    (other, again), *_ = find_oddities(games, blocks, 0.05)
    assert (one.kind, one.name, other.name) == ("session", "s03", "s03")
    assert (rows == again).all()
    assert (other.observed, other.expected) == pytest.approx((one.observed, one.expected))
    assert other.p_value == pytest.approx(one.p_value, rel=1e-6)


@pytest.mark.slow("test_effects_of_one_block_eliminated_give_what_whole_matrices_give")
@pytest.mark.parametrize("n_factions", [0, 6])
def test_points_around_the_peak_say_what_the_whole_lattice_says(
    n_factions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings within a thirtieth of their error, errors within 2 %, spreads within 3 %, of 500 points all over."""
    games = league(7, 80, 500, n_factions).group_equal()
    near = posterior(design(games, "none", True), 0.7)
    assert not near.design.whole
    monkeypatch.setattr("balance.playtests.model.spreads.N_POINTS", 500)
    all_over = posterior(design(games, "none", True, whole=1000), 0.7)
    assert len(all_over.weights) == 500
    assert len(near.weights) <= 16
    one, other = near.strengths(), all_over.strengths()
    assert np.abs((one.mean - other.mean) / other.sd).max() < 1 / 30
    assert one.sd == pytest.approx(other.sd, rel=0.02)
    assert near.typical_sds() == pytest.approx(all_over.typical_sds(), rel=0.03)
    gaps = near.gaps(np.array([0, 1]), np.array([3, 2]))
    assert gaps.mean == pytest.approx(one.mean[[0, 1]] - one.mean[[3, 2]], abs=1e-12)
    assert gaps.sd == pytest.approx(np.sqrt(one.sd[[0, 1]] ** 2 + one.sd[[3, 2]] ** 2), rel=0.3)


@pytest.mark.slow("test_effects_of_one_block_eliminated_give_what_whole_matrices_give")
def test_intervals_of_a_league_hold_the_truth() -> None:
    """Six leagues of 120 players: 95 % of intervals hold it; 4 standard errors. Halved ones do not: the control."""
    held, halved = [], []
    for seed in range(6):
        rng = np.random.default_rng((31, seed))
        truth = Truth(true_strengths(rng, "0.6", 120), 0.3)
        rated = rate(play(rng, truth, 700), RateSettings(oddities=False, cycles=False))
        for one, true in zip(rated.ratings.values(), truth.strengths.tolist(), strict=True):
            held.append(one.rating_low <= true <= one.rating_high)
            halved.append(abs(true - one.rating) <= (one.rating_high - one.rating_low) / 4)
    assert 0.95 - 4 * (0.05 * 0.95 / 720) ** 0.5 < np.mean(held) < 0.98
    assert np.mean(halved) < 0.8


@pytest.mark.slow("test_too_many_players_are_cut_to_those_that_play_most")
def test_more_than_500_entrants_are_rated() -> None:
    games = league(8, 520, 1400)
    rated = rate(games)
    assert len(rated.ratings) == 520
    assert len(rated.pairs) < 1400
    assert all(pair.games > 0 and pair.observed is not None for pair in rated.pairs)
    assert [one.games for one in rated.ratings.values()] == games.games_by_entrant.tolist()
    best = max(rated.ratings.values(), key=lambda one: one.rating)
    assert best.chance > 0.5 and best.score > 0.5


def test_too_many_players_are_cut_to_those_that_play_most(monkeypatch: pytest.MonkeyPatch) -> None:
    games = league(9, 40, 200, 4).group_equal()
    assert games.within(MOST_LOG_EFFECTS) == (games, "")
    fewer, told = games.within(14)
    assert told == "the 30 players of the fewest games count as average ones"
    assert games.players is not None and fewer.players is not None
    played = np.bincount(games.players.ravel(), np.repeat(games.count, 2))
    kept = {games.player_names[at] for at in np.argsort(-played, kind="stable")[:10]}
    assert set(fewer.player_names) == kept
    for old, new in zip(games.players.ravel().tolist(), fewer.players.ravel().tolist(), strict=True):
        name = games.player_names[old]
        assert (fewer.player_names[new] if new >= 0 else None) == (name if name in kept else None)
    placed = replace(games, scenario=np.arange(len(games.side_a)) % 3, scenario_names=("a", "b", "c"))
    assert placed.within(46)[1] == "scenarios are not told apart"
    assert placed.within(46)[0].scenario is None
    monkeypatch.setattr("balance.playtests.model.rating.MOST_LOG_EFFECTS", 14)
    rated = rate(games, RateSettings(oddities=False, cycles=False))
    assert rated.cautions[0].kind == "many effects"
    assert "30 players of the fewest games" in rated.cautions[0].text

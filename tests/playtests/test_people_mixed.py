"""REML against dense likelihoods and closed forms; which effects are named."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from balance.base.arrays import FloatArray, IntArray
from balance.playtests.people.mixed import crossed_clusters, fit_mixed
from balance.playtests.people.naming import max_t

RNG = np.random.default_rng(3)
N_GAMES, N_PLAYERS, N_EVENTS = 90, 12, 5
FIRST = RNG.integers(N_PLAYERS, size=N_GAMES)
SECOND = (FIRST + RNG.integers(1, N_PLAYERS, size=N_GAMES)) % N_PLAYERS
EVENT = RNG.integers(N_EVENTS, size=N_GAMES)
COUNT = RNG.integers(1, 3, size=N_GAMES)
ROWS = np.repeat(np.arange(N_GAMES), COUNT)


def _difference(first: IntArray, second: IntArray) -> sp.csc_array:
    n = len(first)
    return sp.csc_array((np.repeat([1.0, -1.0], n), (np.tile(np.arange(n), 2), np.r_[first, second])))


PLAYER, WITHIN = _difference(FIRST, SECOND), _difference(FIRST * N_EVENTS + EVENT, SECOND * N_EVENTS + EVENT)
PAIR, FIXED = RNG.normal(size=(N_GAMES, 4)), np.c_[np.ones(N_GAMES), RNG.normal(size=(N_GAMES, 2))]
Y = PLAYER @ RNG.normal(size=N_PLAYERS) + 0.5 * PAIR @ RNG.normal(size=4) + RNG.normal(size=N_GAMES)


def _dense(ratios: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray, FloatArray]:
    """The likelihood, fixed effects, their covariance and P of the games one by one, from whole matrices."""
    x, y = FIXED[ROWS], Y[ROWS]
    blocks = (PLAYER.toarray(), WITHIN.toarray(), PAIR)
    v = np.eye(len(ROWS)) + sum(r * (z @ z.T)[np.ix_(ROWS, ROWS)] for r, z in zip(ratios, blocks, strict=True))
    inverse = np.linalg.inv(v)
    bread = np.linalg.inv(x.T @ inverse @ x)
    p = inverse - inverse @ x @ bread @ x.T @ inverse
    variance = y @ p @ y / (len(y) - 3)
    logs = [np.linalg.slogdet(matrix)[1] for matrix in (v, x.T @ inverse @ x)]
    likelihood = -((len(y) - 3) * (np.log(2 * np.pi * variance) + 1) + sum(logs) - np.linalg.slogdet(x.T @ x)[1]) / 2
    return likelihood, bread @ x.T @ inverse @ y, variance * bread, p / variance, inverse @ x @ bread


def test_fit_is_that_of_whole_matrices() -> None:
    clusters = crossed_clusters(EVENT, np.c_[FIRST, SECOND])
    fit = fit_mixed(
        Y,
        {"pair": PAIR, "x": FIXED},
        {"player": PLAYER, "within": WITHIN},
        ["pair"],
        COUNT.astype(np.float64),
        clusters=clusters,
    )
    likelihood, effects, covariance, p, weights = _dense(np.array([*fit.ratios.values()]))
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-8)
    best = minimize(lambda logs: -_dense(np.exp(logs))[0], np.log([0.5, 0.05, 0.2]), method="Nelder-Mead")  # type: ignore[call-overload]
    assert fit.log_likelihood >= -best.fun - 1e-5
    np.testing.assert_allclose(fit.effects["x"], effects, atol=1e-9)
    np.testing.assert_allclose(fit.covariance("x"), covariance, rtol=1e-6)
    firsts = np.searchsorted(ROWS, np.arange(N_GAMES))
    np.testing.assert_allclose(fit.py, (p @ Y[ROWS])[firsts], atol=1e-9)
    rows = {"x": FIXED[:3], "pair": PAIR[:3], "player": PLAYER[:3], "within": WITHIN[:3]}
    blocks = {kind: sp.csc_array(block) for kind, block in rows.items()}
    np.testing.assert_allclose(fit.expect(blocks), Y[:3] - fit.error_variance * fit.py[:3], atol=1e-9)
    leverage = fit.error_variance * (1 - fit.error_variance * p[firsts[:3], firsts[:3]])
    np.testing.assert_allclose(fit.variance_of(blocks), leverage, rtol=1e-6)
    together = EVENT[:, None] == EVENT
    for one in (FIRST, SECOND):
        together |= (one[:, None] == FIRST) | (one[:, None] == SECOND)
    influence = weights * (Y - FIXED @ effects)[ROWS][:, None]
    meat = influence.T @ together[np.ix_(ROWS, ROWS)] @ influence * N_EVENTS / (N_EVENTS - 1)
    largest = np.maximum(np.diag(meat), np.diag(covariance))
    np.testing.assert_allclose(np.diag(fit.clustered("x")), largest, rtol=1e-6)


def test_balanced_groups_have_the_variances_of_anova() -> None:
    y = RNG.normal(size=(8, 5)) + RNG.normal(size=(8, 1))
    within = y.var(axis=1, ddof=1).mean()
    between = 5 * y.mean(axis=1).var(ddof=1)
    groups = sp.csc_array(np.kron(np.eye(8), np.ones((5, 1))))
    for blocks in ({"dense": {"mean": np.ones((40, 1))}, "sparse": {"group": groups}},
                   {"dense": {"mean": np.ones((40, 1)), "group": groups}, "random": ["group"]}):  # fmt: skip
        fit = fit_mixed(y.ravel(), **blocks)
        assert fit.error_variance == pytest.approx(within, rel=1e-4)
        assert fit.variances["group"] == pytest.approx((between - within) / 5, rel=1e-3)


def test_a_variance_may_end_at_0() -> None:
    y = np.tile([1.0, -1.0], 20) + 0.1 * RNG.normal(size=40)
    groups = sp.csc_array(np.kron(np.eye(20), np.ones((2, 1))))
    assert fit_mixed(y, {"mean": np.ones((40, 1))}, {"group": groups}).variances["group"] == 0


def test_names_are_rarely_wrong_and_do_not_depend_on_order() -> None:
    """Of 200 sets of 10 effects of nothing at most 19 name one (a true 5 % does so in 0.1 % of runs)."""
    root = RNG.normal(size=(10, 12)) * RNG.uniform(0.5, 2, size=(10, 1))
    covariance = root @ root.T
    draws = RNG.multivariate_normal(np.zeros(10), covariance, 200)
    sets = [max_t(estimates, covariance) for estimates in draws[:40]]
    assert sum(bool((np.abs(draw) / sets[0].se > sets[0].critical).any()) for draw in draws) <= 19
    alone = (np.abs(draws / sets[0].se) > 1.96).any(axis=1)
    assert alone.sum() > 40
    order = RNG.permutation(10)
    again = max_t(-draws[0][order], covariance[np.ix_(order, order)])
    np.testing.assert_allclose(again.p, sets[0].p[order], atol=1e-12)
    planted = max_t(np.r_[6 * sets[0].se[0], np.zeros(9)], covariance)
    assert planted.named.tolist() == [True, *[False] * 9]

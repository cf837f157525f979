"""Players who err: closed forms, the two ends of rationality, and a residual that is measured."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from balance.errors import BalanceError
from balance.solvers import solve_logit_games, solve_matrix_games

GAMES = np.random.default_rng(5).normal(size=(20, 4, 3))


def test_without_reason_every_action_is_as_likely() -> None:
    found = solve_logit_games(GAMES, rationality=0.0)
    assert found.row_strategies == pytest.approx(np.full((20, 4), 1 / 4))
    assert found.payoffs == pytest.approx(GAMES.mean(axis=(1, 2)))


@pytest.mark.parametrize("rationality", [0.3, 2.0, 10.0])
def test_two_by_two_against_the_root_of_its_equation(rationality: float) -> None:
    """[[2, 0], [0, 1]]: p is the logistic of r (3 q - 1), and q of -r (3 p - 1)."""

    def logistic(x: float) -> float:
        return float(1 / (1 + np.exp(-x)))

    def p_of(q: float) -> float:
        return logistic(rationality * (3 * q - 1))

    q = brentq(lambda q: q - logistic(-rationality * (3 * p_of(q) - 1)), 0, 1, xtol=1e-14)
    found = solve_logit_games([[[2, 0], [0, 1]]], rationality)
    assert found.row_strategies[0, 0] == pytest.approx(p_of(q), abs=1e-8)
    assert found.column_strategies[0, 0] == pytest.approx(q, abs=1e-8)


def test_mixes_answer_each_other() -> None:
    found = solve_logit_games(GAMES, rationality=3.0)
    exponents = np.exp(3.0 * np.einsum("gmn,gn->gm", GAMES, found.column_strategies))
    assert found.row_strategies == pytest.approx(exponents / exponents.sum(axis=1, keepdims=True), abs=1e-8)
    assert found.converged.all()


def test_reason_tends_to_the_value() -> None:
    exact = solve_matrix_games(GAMES).values
    missed = [np.abs(solve_logit_games(GAMES, r, tolerance=1e-7).payoffs - exact).max() for r in (1.0, 10.0, 100.0)]
    assert missed[0] > missed[1] > missed[2]
    # Entropy over r bounds what both players forgo.
    assert missed[2] <= np.log(4) / 100


def test_a_cap_on_updates_is_told() -> None:
    found = solve_logit_games(GAMES, rationality=20.0, max_iterations=2)
    assert (found.iterations == 2).all()
    assert not found.converged.any()
    assert (found.residuals > 1e-3).all()


def test_a_negative_rationality_is_refused() -> None:
    with pytest.raises(BalanceError, match="rationality"):
        solve_logit_games(GAMES, rationality=-1.0)

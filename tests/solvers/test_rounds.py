"""Games of a limited number of rounds: closed forms, the same game unrolled, and rounds left out that are paid for."""

from __future__ import annotations

import numpy as np
import pytest

from balance.errors import BalanceError
from balance.solvers import solve_rounds
from tests.solvers.arrays import ArrayGame, Stage, solve_layers
from tests.solvers.test_stages import EVERETT, walk


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_everetts_game_cut_short_has_its_closed_form(rounds: int) -> None:
    """With [[again, 1], [1, 0]] and nothing at the end, k rounds are worth k / (k + 1)."""
    solution = solve_rounds(EVERETT, rounds, final=0.0)
    assert solution.values[0] == pytest.approx(rounds / (rounds + 1), abs=1e-12)
    assert solution.rounds == rounds and solution.converged


def test_a_drawn_walk_is_a_fair_share_of_what_is_left() -> None:
    """A random walk from 1 to 3 of pennies for k rounds, by its matrix: a draw counts 1/2."""
    step, win = np.array([[0, 0.5], [0.5, 0]]), np.array([0, 0.5])
    worth = np.full(2, 0.5)
    for rounds in range(1, 12):
        worth = step @ worth + win
        solution = solve_rounds(walk(3), rounds, final=0.5, tolerance=1e-12)
        assert solution.values == pytest.approx(worth, abs=1e-11)


def in_rounds(seed: int, rounds: int) -> tuple[ArrayGame, ArrayGame]:
    """Two layers of two states that lead back to the first; and the same game with every round a pair of layers."""
    rng = np.random.default_rng(seed)
    rewards = rng.normal(size=(2, 2, 3, 2))
    first, second = rng.integers(2, 4, size=(2, 3, 2, 2)), rng.integers(0, 2, size=(2, 3, 2, 2))
    weights = rng.dirichlet([1, 1], size=(2, 2, 3, 2))
    once = ArrayGame((Stage(rewards[0], first, weights[0]), Stage(rewards[1], second, weights[1])))
    stages = []
    for place in range(rounds):
        last = np.full((2, 3, 2, 2), -1) if place == rounds - 1 else second + 4 * (place + 1)
        stages += [Stage(rewards[0], first + 4 * place, weights[0]), Stage(rewards[1], last, weights[1])]
    return once, ArrayGame(tuple(stages))


@pytest.mark.parametrize("seed", range(3))
def test_rounds_are_the_game_unrolled(seed: int) -> None:
    once, unrolled = in_rounds(seed, rounds=4)
    solution, layers = solve_rounds(once, 4, final=0.0), solve_layers(unrolled)
    assert solution.values == pytest.approx(layers.values[:4], abs=1e-12)
    assert solution.exploitability == pytest.approx(layers.exploitability, abs=1e-12)
    assert solution.row_policies[0] == pytest.approx(layers.row_policies[0], abs=1e-9)


def test_rounds_left_out_widen_the_bounds() -> None:
    rough, exact = (solve_rounds(walk(6), 10_000, 0.5, tolerance=t) for t in (1e-2, 1e-12))
    assert rough.rounds < exact.rounds < 10_000
    assert rough.converged
    truth = np.arange(1, 6) / 6
    assert (rough.lower <= truth).all() and (truth <= rough.upper).all()
    assert exact.values == pytest.approx(truth, abs=1e-12)


def test_strategies_that_are_not_optimal_cost_their_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that stops before its first pivot plays evenly; the bounds say what that concedes."""
    from balance.solvers import matrix_games, simplex

    exact = solve_rounds(in_rounds(1, 1)[0], 3, final=0.0)
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
    even = solve_rounds(in_rounds(1, 1)[0], 3, final=0.0)
    assert not even.converged and even.exploitability > 0.1
    assert (even.lower <= exact.values + 1e-12).all() and (exact.values <= even.upper + 1e-12).all()


def test_what_makes_no_sense_is_refused() -> None:
    for rounds, final in ((0, 0.5), (3, float("nan"))):
        with pytest.raises(BalanceError):
            solve_rounds(EVERETT, rounds, final)

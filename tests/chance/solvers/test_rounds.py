"""Games of a limited number of rounds: closed forms, the same game unrolled, and rounds left out that are paid for."""

from __future__ import annotations

import dataclasses
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.chance.solvers import RoundsSolution, matrix_games, simplex, solve_matrix_game, solve_rounds
from balance.chance.solvers.rounds import read_only
from balance.chance.solvers.stages import layer_slices
from tests.chance.solvers.arrays import ArrayGame, Stage, solve_layers
from tests.chance.solvers.test_stages import EVERETT, walk


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_everetts_game_cut_short_has_its_closed_form(rounds: int) -> None:
    """With [[again, 1], [1, 0]] and nothing at the end, k rounds are worth k / (k + 1)."""
    solution = solve_rounds(EVERETT, rounds, final=0.0)
    assert solution.values[0] == pytest.approx(rounds / (rounds + 1), abs=1e-12)
    assert solution.rounds == rounds and solution.converged


@pytest.mark.parametrize("dances", [1, 2, 20])
def test_a_dance_of_n_steps_has_its_closed_form(dances: int) -> None:
    """With n steps left: dance or attack, against a sucker or another, [[n - 1 steps left, 0], [0, 1]]: 1 / (n + 1).

    Without a step left it is worth 1. Both sides' first choice has chance n / (n + 1).
    """
    n = np.arange(1, dances + 1)
    successors = np.full((dances, 2, 2, 1), -1)
    successors[1:, 0, 0, 0] = np.arange(dances - 1)
    rewards = np.zeros((dances, 2, 2))
    rewards[:, 1, 1] = 1
    rewards[0, 0, 0] = 1  # no step is left
    solution = solve_rounds(ArrayGame((Stage(rewards, successors),)), dances, final=0.0)
    assert solution.values == pytest.approx(1 / (n + 1), abs=1e-12)
    for policy in (solution.row_policies[0], solution.column_policies[0]):
        assert policy == pytest.approx(np.stack([n / (n + 1), 1 / (n + 1)], axis=1), abs=1e-9)
    short = solve_rounds(ArrayGame((Stage(rewards, successors),)), max(1, dances - 1), final=0.0)
    assert (short.values[-1] < solution.values[-1] - 1e-6) == (dances > 1), "too few rounds for all dances"


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
    exact = solve_rounds(in_rounds(1, 1)[0], 3, final=0.0)
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
    even = solve_rounds(in_rounds(1, 1)[0], 3, final=0.0)
    assert not even.converged and even.exploitability > 0.1
    assert (even.lower <= exact.values + 1e-12).all() and (exact.values <= even.upper + 1e-12).all()


@pytest.mark.parametrize(
    ("rounds", "final", "tolerance", "line"),
    [
        (0, 0.5, 1e-6, "rounds: '0' is not a positive whole number"),
        (1.5, 0.5, 1e-6, "rounds: '1.5' is not a positive whole number"),
        (3, float("nan"), 1e-6, "final must be a finite number; found nan"),
        (3, float("inf"), 1e-6, "final must be a finite number; found inf"),
        (3, 0.5, 0.0, "tolerance: '0.0' is not a positive number"),
    ],
)
def test_what_makes_no_sense_is_refused(rounds: int, final: float, tolerance: float, line: str) -> None:
    with pytest.raises(BalanceError) as caught:
        solve_rounds(EVERETT, rounds, final, tolerance=tolerance)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("rounds", "tolerance"), [*product([1, 7, 60], [0.5, 0.1, 1e-2, 1e-3, 1e-9]), (3, 8.0), (3, 7.9)]
)
def test_passes_stop_once_what_is_left_moves_little_and_the_bounds_are_widened_by_it(
    rounds: int, tolerance: float
) -> None:
    """In Everett's game pass k moves the value by 1 / (k (k + 1)), and each that is left by no more."""
    made = next(k for k in range(1, rounds + 1) if (rounds - k) / (k * (k + 1)) <= tolerance / 8 or k == rounds)
    change = 1 / (made * (made + 1))
    slack = change * (rounds - made)
    found = solve_rounds(EVERETT, rounds, final=0.0, tolerance=tolerance)
    assert (found.rounds, found.n_starts, found.tolerance) == (made, 1, tolerance)
    assert found.change == pytest.approx(change, abs=1e-12)
    worth = made / (made + 1)
    assert (found.lower[0], found.upper[0], found.values[0]) == pytest.approx(
        (worth - slack, worth + slack, worth), abs=1e-12
    )
    assert found.exploitability == pytest.approx(2 * slack, abs=1e-12)
    assert found.converged == (2 * slack <= tolerance)
    (rows,), (columns,) = found.row_policies, found.column_policies
    assert rows[0] == pytest.approx([made / (made + 1), 1 / (made + 1)], abs=1e-9)
    assert columns[0] == pytest.approx([made / (made + 1), 1 / (made + 1)], abs=1e-9)


def test_a_solution_is_solved_to_a_millionth_if_nobody_says() -> None:
    assert solve_rounds(EVERETT, 2, 0.0).tolerance == 1e-6


def test_the_exploitability_is_that_of_the_worst_start() -> None:
    found = RoundsSolution(
        np.array([0.0, 1.0, 0.0]), np.array([0.5, 2.0, 9.0]), (), (), 1, 0.0, n_starts=2, tolerance=1.0
    )
    assert (found.exploitability, found.converged, found.values.tolist()) == (1.0, True, [0.25, 1.5, 4.5])
    assert not dataclasses.replace(found, tolerance=0.999).converged
    assert dataclasses.replace(found, n_starts=3).exploitability == 9.0
    assert dataclasses.replace(found, n_starts=0).exploitability == 0.0
    lowered = dataclasses.replace(found, upper=np.array([-1.0, 0.0, 0.0]))
    assert lowered.exploitability == 0.0


def masked(seed: int) -> tuple[ArrayGame, Any]:
    """Return one layer of three states with illegal actions, whose cells hold anything, and its stage."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.random((3, 3)) < 0.6, rng.random((3, 4)) < 0.6
    rows[:, 1], columns[:, 2] = True, True
    rewards = rng.normal(size=(3, 3, 4))
    rewards[~(rows[:, :, None] & columns[:, None, :])] = rng.choice([np.nan, np.inf, -np.inf, 1e9])
    stage = Stage(
        rewards, rng.integers(0, 3, (3, 3, 4, 2)), rng.dirichlet([1, 1, 1], (3, 3, 4))[..., :2], rows, columns
    )
    return ArrayGame((stage,)), stage


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("are_even", [False, True])
def test_rounds_of_games_with_illegal_actions_are_those_of_smaller_games(
    seed: int, are_even: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each state's legal part alone; also where the policies are not optimal, so that the bounds part."""
    if are_even:
        monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
        monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
    game, stage = masked(seed)
    lower, middle, upper = (np.full(3, 0.25) for _ in range(3))
    for _ in range(3):
        payoffs = [stage.payoffs(worth) for worth in (lower, middle, upper)]
        before = [lower.copy(), middle.copy(), upper.copy()]
        for s in range(3):
            part = np.ix_(stage.row_legal[s], stage.column_legal[s])
            low, mid, high = (table[s][part] for table in payoffs)
            m, n = mid.shape
            x = np.full(m, 1 / m) if are_even else solve_matrix_game(mid).row_strategy
            y = np.full(n, 1 / n) if are_even else solve_matrix_game(mid).column_strategy
            lower[s], upper[s] = (x @ low).min(), (high @ y).max()
            middle[s] = ((x @ mid).min() + (mid @ y).max()) / 2
        change = max(np.abs(now - then).max() for now, then in zip((lower, middle, upper), before, strict=True))
    found = solve_rounds(game, 3, final=0.25)
    assert found.lower == pytest.approx(lower, abs=1e-9)
    assert found.upper == pytest.approx(np.maximum(upper, lower), abs=1e-9)
    assert found.change == pytest.approx(change, abs=1e-9)
    assert not found.row_policies[0][~stage.row_legal].any()
    assert not found.column_policies[0][~stage.column_legal].any()
    assert found.converged is bool(found.exploitability <= 1e-6)


def test_a_game_is_shown_values_that_it_cannot_write_to() -> None:
    values = np.array([1.0, 2.0])
    view = read_only(values)
    assert view.base is values and view.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 3.0
    values[0] = 3.0
    assert view[0] == 3.0


def test_states_stand_layer_by_layer() -> None:
    stage = Stage([[[1.0]]] * 2, [[[[-1]]]] * 2)
    assert layer_slices(ArrayGame((stage, Stage([[[1.0]]], [[[[-1]]]]), stage))) == [
        slice(0, 2),
        slice(2, 3),
        slice(3, 5),
    ]


def test_the_states_of_the_first_layer_are_the_starts() -> None:
    game = ArrayGame((Stage([[[1.0]], [[2.0]]], [[[[2]]]] * 2), Stage([[[4.0]]], [[[[-1]]]])))
    found = solve_layers(game)
    assert (found.n_starts, found.values.tolist()) == (2, [5.0, 6.0, 4.0])
    assert [policy.shape for policy in found.row_policies] == [(2, 1), (1, 1)]

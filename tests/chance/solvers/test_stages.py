"""Games over many states: a brute-force twin, and solutions whose bounds best responses measure again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.base.errors import BalanceError
from tests.chance.solvers.arrays import ArrayGame, Stage, solve_layers
from tests.chance.solvers.responding import best_response, certify

END = -1


def walk(length: int) -> ArrayGame:
    """Pennies on a line: a match moves up one, a mismatch down one; up at `length` wins 1, down at 0 wins nothing."""
    here = np.arange(length - 1)
    up, down = np.where(here == length - 2, END, here + 1), np.where(here == 0, END, here - 1)
    successors = np.stack([up, down, down, up], axis=-1).reshape(-1, 2, 2, 1)
    rewards = np.zeros((length - 1, 2, 2))
    rewards[-1] = np.eye(2)
    return ArrayGame((Stage(rewards, successors),))


EVERETT = ArrayGame((Stage([[[0.0, 1.0], [1.0, 0.0]]], [[[[0], [END]], [[END], [END]]]]),))
"""Everett (1957), "Recursive games": [[again, 1], [1, 0]] is worth 1 to a row player who can only come close to it."""


def random_game(seed: int) -> ArrayGame:
    """Three layers of two states with 2 x 2 choices and two chances, some of which end play."""
    rng = np.random.default_rng(seed)
    stages = [
        Stage(
            rng.normal(size=(2, 2, 2)),
            rng.integers(2 * layer + 2, 7, size=(2, 2, 2, 2)) % 6 if layer < 2 else np.full((2, 2, 2, 1), END),
            rng.dirichlet([1, 1], size=(2, 2, 2)) if layer < 2 else 1.0,
        )
        for layer in range(3)
    ]
    ended = [np.where(np.asarray(s.successors) < 2 * layer + 2, END, s.successors) for layer, s in enumerate(stages)]
    return ArrayGame(tuple(Stage(s.rewards, e, s.weights) for s, e in zip(stages, ended, strict=True)))


def worth(game: ArrayGame, mixes: FloatArray, replies: tuple[int, ...], state: int) -> float:
    """Return what row mixes `[6, 2]` earn from a state on against one pure reply per state, told literally."""
    if state == END:
        return 0.0
    stage, place, reply = game.stages[state // 2], state % 2, replies[state]
    rewards, successors = np.asarray(stage.rewards), np.asarray(stage.successors)
    weights = np.broadcast_to(np.asarray(stage.weights), successors.shape)
    earned = 0.0
    for row, share in enumerate(mixes[state]):
        later = zip(weights[place, row, reply], successors[place, row, reply], strict=True)
        earned += share * (
            rewards[place, row, reply] + sum(weight * worth(game, mixes, replies, int(to)) for weight, to in later)
        )
    return float(earned)


@pytest.mark.parametrize("seed", range(4))
def test_a_best_response_is_the_best_of_all_pure_replies(seed: int) -> None:
    game = random_game(seed)
    mixes = np.random.default_rng(seed + 100).dirichlet([1, 1], size=6)
    policies = [mixes[0:2], mixes[2:4], mixes[4:6]]
    found = best_response(game, policies, "row")
    everything = [[worth(game, mixes, replies, s) for s in (0, 1)] for replies in product((0, 1), repeat=6)]
    assert found.values[:2] == pytest.approx(np.min(everything, axis=0), abs=1e-12)
    assert found.values[:2] == pytest.approx(
        [worth(game, mixes, tuple(np.concatenate(found.actions)), s) for s in (0, 1)], abs=1e-12
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_bounds_of_a_solution_are_what_best_responses_to_it_measure(seed: int) -> None:
    game = random_game(seed)
    solution = solve_layers(game)
    certificate = certify(game, solution.row_policies, solution.column_policies)
    assert solution.lower == pytest.approx(certificate.lower, abs=1e-12)
    assert solution.upper == pytest.approx(certificate.upper, abs=1e-12)
    assert solution.converged
    assert solution.exploitability < 1e-12


def test_policies_that_are_not_optimal_are_told_apart_by_the_certificate() -> None:
    game = random_game(1)
    solution = solve_layers(game)
    even = [np.full_like(policy, 0.5) for policy in solution.row_policies]
    certificate = certify(game, even, solution.column_policies)
    assert (certificate.lower <= solution.values + 1e-12).all()
    assert certificate.upper == pytest.approx(solution.values, abs=1e-12)
    assert certificate.exploitability > 0.01


def test_a_best_response_cut_short_is_a_wider_bound() -> None:
    # Up and down with equal chance: after a few sweeps from 0 the guarantee is still below the gambler's 1/2.
    even = [np.full((5, 2), 0.5)]
    short = best_response(walk(6), even, "row", start=0.0, max_sweeps=3)
    long = best_response(walk(6), even, "row", start=0.0)
    assert short.sweeps == 3 and short.change > 1e-3
    assert (short.values < long.values).all()
    assert long.values == pytest.approx(np.arange(1, 6) / 6, abs=1e-9)


def test_illegal_actions_are_never_played_whatever_their_cells_hold() -> None:
    stage = Stage(
        [[[1.0, -1.0, np.nan], [-1.0, 1.0, np.nan], [np.inf, np.inf, np.nan]]],
        np.full((1, 3, 3, 1), END),
        row_legal=np.array([[True, True, False]]),
        column_legal=np.array([[True, True, False]]),
    )
    solution = solve_layers(ArrayGame((stage,)))
    assert solution.values[0] == pytest.approx(0.0, abs=1e-12)
    assert solution.row_policies[0][0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-12)
    assert solution.row_policies[0][0, 2] == 0
    assert solution.exploitability == pytest.approx(0.0, abs=1e-12)


def test_a_game_that_returns_is_refused_without_bounds() -> None:
    with pytest.raises(BalanceError, match="give bounds"):
        certify(EVERETT, [np.array([[0.5, 0.5]])], [np.array([[0.5, 0.5]])])


@pytest.mark.parametrize(
    "made",
    [
        lambda: Stage([[1.0]], [[[0]]]),
        lambda: Stage([[[1.0]]], [[[[0, 0]]]], weights=0.6),
        lambda: Stage([[[1.0]]], [[[[0]]]], weights=-1.0),
        lambda: Stage([[[1.0]]], [[[[0.5]]]]),
        lambda: ArrayGame(()),
        lambda: ArrayGame((Stage([[[1.0]]], [[[[1]]]]),)),
        lambda: certify(walk(3), [np.full((2, 2), 0.6)], [np.full((2, 2), 0.5)], floor=0, ceiling=1),
        lambda: certify(walk(3), [np.full((3, 2), 0.5)], [np.full((2, 2), 0.5)], floor=0, ceiling=1),
        lambda: certify(walk(3), [], [np.full((2, 2), 0.5)], floor=0, ceiling=1),
    ],
)
def test_what_is_no_game_or_policy_is_refused(made: Callable[[], object]) -> None:
    with pytest.raises(BalanceError):
        made()

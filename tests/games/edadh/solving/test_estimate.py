"""What a position is worth, estimated: its numbers, its formula and its fit, told again in plain Python."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import State
from balance.game.loaded import load
from balance.games.edadh.solving import estimate as module
from balance.games.edadh.solving.estimate import Estimate, Fit, Position
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.met import met_in_play


@pytest.fixture(scope="module")
def moves() -> Moves:
    sides = ("archers:2+shieldmaidens/clanmaidens:2", "spears:2/swords")
    return moves_of(load("edadh").ask("duel", *sides, ["a.mp=22", "b.mp=14"]).setup.duel)


@pytest.fixture(scope="module")
def met(moves: Moves) -> State:
    """Positions met in play, ended ones among them, with damage, piles, Shaken sides and turns of every number."""
    return met_in_play(moves, 60, 12)


def between(least: float, value: float, most: float) -> float:
    return min(max(value, least), most)


def numbers_of(moves: Moves, at: dict[str, int]) -> list[float]:
    """Return z: 1, and for each side its markers, how low they are, and its cards by kind."""
    told = [1.0]
    for side, force in zip("ab", moves.duel.arena.forces, strict=True):
        mp, damage = at[f"{side}_mp"], at[f"{side}_damage"]
        cards, up = force.unit.arrangements[at[f"{side}_unit"]], at[f"{side}_up"]
        told.append(mp / 60)
        told += [between(0, low - mp, 2 * low) / low for low in (2, 4, 8, 16)]
        told += [damage / 12, between(0, damage - mp + 8, 16) / 8]
        told.append(sum(bool(column) for column in cards) / 3)
        told += [at[f"{side}_pile"] / 3, at[f"{side}_relief"] / 12, float(at[f"{side}_shaken"])]
        kinds = range(len(force.troops))
        told += [sum(column.count(kind) for column in cards) / 3 for kind in kinds]
        front = [column[0] if column and up & (1, 2, 4)[c] else None for c, column in enumerate(cards)]
        told += [front.count(kind) / 3 for kind in kinds]
    return told


def one(state: State, i: int) -> dict[str, int]:
    return {name: int(values[i]) for name, values in state.items()}


def test_the_numbers_of_a_position(moves: Moves, met: State) -> None:
    position = Estimate(moves).position(met)
    assert np.array_equal(position.turns, met["turns"])
    assert set(met["turns"].tolist()) == {0, 1, 2}
    for i in range(0, len(met["turns"]), 3):
        assert position.numbers[:, i] == pytest.approx(numbers_of(moves, one(met, i)), abs=1e-12)


def test_an_estimate_is_a_logistic_function_of_pairs_of_numbers(moves: Moves, met: State) -> None:
    """With any W: each number of turns left has its own; a duel that has ended is worth what it came to."""
    k = Estimate(moves).position(met).numbers.shape[0]
    weights = np.random.default_rng(3).normal(size=(4, k, k))
    weights[2] *= 20  # so that some are cut off
    found = Estimate(moves, weights)(met)
    blind = Estimate(moves)(met)
    ended = 0
    for i in range(len(met["turns"])):
        at = one(met, i)
        if at["over"]:
            a, b = at["a_lost"] > 0, at["b_lost"] > 0
            told = blank = 0.5 + 0.5 * (b - a)
            ended += told != 0.5
        else:
            z = np.array(numbers_of(moves, at))
            told = 1 / (1 + exp(-between(-30, float(z @ weights[at["turns"]] @ z), 30)))
            blank = 0.5
        assert found[i] == pytest.approx(told, abs=0.51e-7)
        assert blind[i] == blank
    assert ended > 10


def fitted(numbers: Any, worth: Any, before: Any) -> Any:
    """Return W of one phase: at most two Newton steps for the cross entropy, with a ridge of 1."""
    k = len(numbers[0])
    pairs = [(i, j) for i in range(k) for j in range(i, k)]
    x = np.array([[z[i] * z[j] for i, j in pairs] for z in numbers])
    beta = np.array([before[i, j] + before[j, i] if i < j else before[i, i] for i, j in pairs])
    for _ in range(2):
        p = np.array([1 / (1 + exp(-between(-30, float(row @ beta), 30))) for row in x])
        slope, curve = -1.0 * beta, np.eye(len(pairs))
        for row, share, value in zip(x, p, worth, strict=True):
            slope = slope + row * (value - share)
            curve = curve + np.outer(row, row) * (share * (1 - share) + 1e-3)
        step = np.linalg.inv(curve) @ slope
        beta = beta + step
        if max(abs(step)) < 1e-3:
            break
    weights = np.zeros((k, k))
    for (i, j), value in zip(pairs, beta, strict=True):
        weights[i, j] = value
    return weights


def positions(seed: int, n: int, turns: list[int]) -> tuple[Position, Any]:
    rng = np.random.default_rng(seed)
    z = np.stack([np.ones(n), rng.normal(size=n), rng.random(n) * 3])
    return Position(z, np.resize(turns, n)), rng.random(n)


def test_a_fit_is_two_steps_of_newtons_method_for_each_phase() -> None:
    position, worth = positions(1, 40, [0, 1, 3])
    fit = Fit(1000)
    fit.add(position, worth)
    found = fit.weights(None)
    assert found is not None
    again = fit.weights(found)
    assert again is not None
    for turns in (0, 1, 3):
        rows = position.turns == turns
        first = fitted(position.numbers[:, rows].T, worth[rows], np.zeros((3, 3)))
        assert found[turns] == pytest.approx(first, rel=1e-9, abs=1e-12)
        assert again[turns] == pytest.approx(fitted(position.numbers[:, rows].T, worth[rows], first), abs=1e-9)
    assert not found[2].any(), "nothing was met with two turns left"
    lower = np.tril(np.full((4, 3, 3), 0.3))
    third = fit.weights(lower)
    assert third is not None
    rows = position.turns == 1
    assert third[1] == pytest.approx(fitted(position.numbers[:, rows].T, worth[rows], lower[1]), abs=1e-9)
    assert np.array_equal(third[2], lower[2]), "what was not met stays as it was"
    assert Fit(10).weights(None) is None
    assert Fit(10).weights(lower) is None, "nothing was met at all"


def test_a_fit_ends_early_where_a_step_is_small() -> None:
    """Each step that is taken, and none after one of less than a thousandth."""
    position, worth = positions(2, 60, [1])
    start = np.zeros((4, 3, 3))
    rows = position.numbers.T
    for _ in range(6):
        start[1] = fitted(rows, worth, start[1])
    near = start.copy()
    near[1, 0, 0] += 5e-4
    fit = Fit(1000)
    fit.add(position, worth)
    found = fit.weights(near)
    assert found is not None
    assert found[1] == pytest.approx(fitted(rows, worth, near[1]), abs=1e-13)


@pytest.mark.parametrize(("window", "kept"), [(9, [2]), (10, [1, 2]), (14, [1, 2]), (15, [0, 1, 2]), (3, [2])])
def test_only_the_last_of_a_window_count(window: int, kept: list[int]) -> None:
    """Batches of five a phase: as many of the last as fit, and the last one always."""
    batches = [positions(seed, 5, [2]) for seed in range(3)]
    fit, told = Fit(window), Fit(1000)
    for position, worth in batches:
        fit.add(position, worth)
    for number in kept:
        told.add(*batches[number])
    found, expected = fit.weights(None), told.weights(None)
    assert found is not None and expected is not None
    assert np.array_equal(found, expected)


def test_what_a_fit_is_made_with() -> None:
    assert (module.N_PHASES, module.RIDGE, module.NEWTON_STEPS) == (4, 1.0, 2)
    assert (module.LOW_MP, module.CLOSE) == ((2, 4, 8, 16), 8)

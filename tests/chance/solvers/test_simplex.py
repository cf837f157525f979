"""The simplex method on a stack, against one tableau at a time in loops: the same pivots, strategies and counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.solvers import simplex
from balance.chance.solvers.games import matrix_games
from balance.chance.solvers.simplex import solve_tableaux


def one_at_a_time(
    payoffs: Any, rows: Any, columns: Any, by_price: int, most: int
) -> tuple[list[float], list[float], int]:
    """Solve one game in its condensed tableau: Dantzig's rule for so many pivots, then Bland's, at most so many."""
    m, n = payoffs.shape
    table = [[payoffs[i, j] * rows[i] * columns[j] for j in range(n)] + [1.0] for i in range(m)]
    table.append([float(columns[j]) for j in range(n)] + [0.0])
    basic, nonbasic = list(range(n, n + m)), list(range(n))
    pivots = 0
    while pivots < most:
        better = [j for j in range(n) if table[m][j] > 1e-12]
        if not better:
            break
        by_name = pivots >= by_price
        c = min(better, key=lambda j: nonbasic[j]) if by_name else max(better, key=lambda j: (table[m][j], -j))
        ratios = {i: table[i][n] / table[i][c] for i in range(m) if table[i][c] > 1e-11}
        least = min(ratios.values())
        ties = [i for i, ratio in ratios.items() if ratio <= least * (1 + 1e-12)] if by_name else list(ratios)
        r = min(ties, key=lambda i: basic[i]) if by_name else min(ties, key=lambda i: (ratios[i], i))
        pivot = table[r][c]
        column = [row[c] for row in table]
        row = [value / pivot for value in table[r]]
        for i in range(m + 1):
            for j in range(n + 1):
                table[i][j] = row[j] if i == r else table[i][j] - column[i] * row[j]
            table[i][c] = 1 / pivot if i == r else -column[i] / pivot
        basic[r], nonbasic[c] = nonbasic[c], basic[r]
        pivots += 1
    found = [0.0] * (n + m)
    for i, name in enumerate(basic):
        found[name] = table[i][n] if name < n else found[name]
    for j, name in enumerate(nonbasic):
        found[name] = -table[m][j] if name >= n else found[name]
    return mixed(found[n:], rows), mixed(found[:n], columns), pivots


def mixed(weights: list[float], legal: Any) -> list[float]:
    usable = [max(weight, 0.0) * bool(ok) for weight, ok in zip(weights, legal, strict=True)]
    if sum(usable) == 0:
        usable = [float(ok) for ok in legal]
    return [weight / sum(usable) for weight in usable]


def games(seed: int, g: int, m: int, n: int) -> tuple[Any, Any, Any]:
    """Return games whose payoffs lie in [1, 2], with some actions that are not legal."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.random((g, m)) < 0.8, rng.random((g, n)) < 0.8
    rows[:, seed % m] = columns[:, seed % n] = True
    games = matrix_games(rng.normal(size=(g, m, n)), rows, columns)
    return games.unit() + 1.0, rows, columns


@pytest.mark.parametrize(("by_price", "most"), [(5, 30), (0, 30), (1, 30), (5, 1), (0, 0)])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (4, 1), (3, 5), (6, 4)])
def test_a_stack_is_solved_as_each_game_alone(
    by_price: int, most: int, m: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the largest price for `by_price` pivots per action, then by name; by any rule, left after the last pivot."""
    monkeypatch.setattr(simplex, "LARGEST_PRICE_PIVOTS", by_price)
    monkeypatch.setattr(simplex, "MOST_PIVOTS", most)
    payoffs, rows, columns = games(m + n, 40, m, n)
    x, y, pivots = solve_tableaux(payoffs, rows, columns)
    for g in range(40):
        alone = one_at_a_time(payoffs[g], rows[g], columns[g], by_price * (m + n), most * (m + n))
        assert pivots[g] == alone[2]
        assert x[g] == pytest.approx(alone[0], abs=1e-9)
        assert y[g] == pytest.approx(alone[1], abs=1e-9)
    assert (x.shape, y.shape) == ((40, m), (40, n))
    assert pivots.dtype == np.int64
    assert not x[~rows].any() and not y[~columns].any()


def test_the_rule_changes_in_the_midst_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of 6 by 6 that needs many pivots: the rule of names takes other ways from any pivot on."""
    payoffs, rows, columns = games(3, 60, 6, 6)
    counts = []
    for by_price in (0, 1, 5):
        monkeypatch.setattr(simplex, "LARGEST_PRICE_PIVOTS", by_price)
        counts.append(solve_tableaux(payoffs, rows, columns)[2])
    assert (counts[0] != counts[2]).any()
    assert counts[2].max() < 5 * 12


def test_the_rules_are_those_that_were_timed() -> None:
    assert (simplex.LARGEST_PRICE_PIVOTS, simplex.MOST_PIVOTS) == (5, 30)


def test_ties_are_broken_by_the_first_and_by_the_smallest_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Payoffs of 1, 1.5 and 2 alone, of which prices and ratios are often alike."""
    rng = np.random.default_rng(8)
    payoffs = rng.choice([1.0, 1.5, 2.0], size=(60, 3, 3))
    all_ = np.ones((60, 3), bool)
    for by_price in (5, 0):
        monkeypatch.setattr(simplex, "LARGEST_PRICE_PIVOTS", by_price)
        x, y, pivots = solve_tableaux(payoffs, all_, all_)
        for g in range(60):
            alone = one_at_a_time(payoffs[g], all_[g], all_[g], by_price * 6, 180)
            assert (x[g], y[g]) == (pytest.approx(alone[0], abs=1e-9), pytest.approx(alone[1], abs=1e-9))
            assert pivots[g] == alone[2]


def test_strategies_of_nothing_usable_are_even_over_what_is_legal() -> None:
    legal = np.array([[True, False, True], [True, True, True], [True, True, False]])
    weights = np.array([[0.0, 5.0, 0.0], [np.nan, 2.0, 6.0], [-1.0, np.inf, 3.0]])
    assert simplex._mixed(weights, legal).tolist() == [[0.5, 0, 0.5], [0, 0.25, 0.75], [0.5, 0.5, 0]]
    assert simplex._mixed(np.array([[-1.0, 3.0, 1.0]]), np.ones((1, 3), bool)).tolist() == [[0, 0.75, 0.25]]


@pytest.mark.filterwarnings("error")
def test_a_tableau_that_has_broken_says_nothing_and_leaves_the_others_alone() -> None:
    """By rounding, to inf: the measured gap tells of it, and no warning of numpy's does."""
    payoffs, legal = np.array([[[2.0, 1.0], [1.0, 2.0]]] * 2), np.ones((2, 2), bool)
    stack = simplex._start(payoffs, legal, legal)
    stack.tableau[0, [0, 2], 0] = np.inf
    entering = np.zeros(2, np.int64)
    for by_name in (False, True):
        whole = simplex._start(payoffs[1:], legal[1:], legal[1:])
        column = simplex._column(whole, entering[1:])
        assert simplex._leaving_rows(stack, simplex._column(stack, entering), by_name)[1] == simplex._leaving_rows(
            whole, column, by_name
        )
    column = simplex._column(stack, entering)
    simplex._pivot(stack, simplex._leaving_rows(stack, column, False), entering, column)
    assert np.isfinite(stack.tableau[:, :, 1]).all()

"""How far optimal strategies may differ: sets known in closed form."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.chance.solvers import matrix_games, simplex, solve_matrix_game, strategy_ranges
from tests.chance.solvers.programming import by_programming

PAPER_TWICE = [[0, -1, -1, 1], [1, 0, 0, -1], [1, 0, 0, -1], [-1, 1, 1, 0]]
"""Rock, paper, scissors with two papers: a third is for the papers, shared as one likes."""


def test_rock_paper_scissors_has_one_solution() -> None:
    ranges = strategy_ranges([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert ranges.row_low == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert ranges.row_high == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_twins_share_as_they_like() -> None:
    ranges = strategy_ranges(PAPER_TWICE)
    assert ranges.row_low == pytest.approx([1 / 3, 0, 0, 1 / 3], abs=1e-6)
    assert ranges.row_high == pytest.approx([1 / 3] * 4, abs=1e-6)


def test_a_dominated_action_has_no_share_until_slack_allows_it() -> None:
    payoffs = [[1.0, -1.0], [-1.0, 1.0], [-0.1, -0.1]]
    assert strategy_ranges(payoffs).row_high[2] == pytest.approx(0, abs=1e-6)
    assert strategy_ranges(payoffs, slack=0.05).row_high[2] == pytest.approx(0.5, abs=1e-6)


def test_every_solution_lies_inside_and_the_ends_are_optimal() -> None:
    payoffs = np.random.default_rng(7).integers(-2, 3, size=(5, 6)).astype(float)
    ranges, solution = strategy_ranges(payoffs), solve_matrix_game(payoffs)
    assert (ranges.row_low - 1e-6 <= solution.row_strategy).all()
    assert (solution.row_strategy <= ranges.row_high + 1e-6).all()
    assert (ranges.column_low <= ranges.column_high + 1e-9).all()


def by_grid(payoffs: np.ndarray[Any, Any], slack: float, steps: int) -> tuple[list[float], list[float]]:
    """Return the smallest and largest share of each row over mixes of a grid that guarantee the value, less slack."""
    value = by_programming(payoffs) - slack - 1e-9
    mixes = [np.array(mix) / steps for mix in product(range(steps + 1), repeat=len(payoffs)) if sum(mix) == steps]
    good = np.array([mix for mix in mixes if (mix @ payoffs).min() >= value])
    return good.min(axis=0).tolist(), good.max(axis=0).tolist()


@pytest.mark.parametrize(
    ("payoffs", "slack"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0),
        (PAPER_TWICE, 0.0),
        ([[4, 0, 2], [0, 4, 2], [2, 2, 2]], 0.0),
        ([[4, 0, 2], [0, 4, 2], [2, 2, 2]], 1.0),
        ([[3, 1], [0, 2]], 0.5),
        ([[3, 1], [0, 2], [3, 1], [0, 0]], 0.5),
        ([[7, 7], [7, 7]], 0.0),
        ([[7]], 2.0),
    ],
)
def test_ranges_are_those_of_all_mixes_of_a_grid(payoffs: list[list[float]], slack: float) -> None:
    """Payoffs whose corners lie on twelfths, so that a grid meets them; both players, in units of payoff."""
    table = np.array(payoffs, float)
    ranges = strategy_ranges(payoffs, slack)
    rows, columns = by_grid(table, slack, 12), by_grid(-table.T, slack, 12)
    for found, expected in (
        (ranges.row_low, rows[0]),
        (ranges.row_high, rows[1]),
        (ranges.column_low, columns[0]),
        (ranges.column_high, columns[1]),
    ):
        assert found.tolist() == pytest.approx(expected, abs=1e-6)


def test_what_has_no_ranges_is_refused_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    for slack in (-0.1, float("nan")):
        with pytest.raises(BalanceError) as caught:
            strategy_ranges([[1.0]], slack)
        line = f"slack must be 0 or more, and the game solvable; found slack {slack}, gap 0.0"
        assert str(caught.value) == line
    with monkeypatch.context() as patched:
        patched.setattr(simplex, "MOST_PIVOTS", 0)
        patched.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
        with pytest.raises(BalanceError) as caught:
            strategy_ranges([[3.0, 1.0], [0.0, 1.0]])
        assert str(caught.value) == "slack must be 0 or more, and the game solvable; found slack 0.0, gap 1.0"
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: SimpleNamespace(x=None, message="it is empty"))
    with pytest.raises(BalanceError) as caught:
        strategy_ranges([[3.0, 1.0], [0.0, 2.0]])
    assert str(caught.value) == "no range for action 0: it is empty"


def test_the_programs_handed_over_are_two_for_each_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """In [[1, 0], [0, 1], [0, 1]] less a slack of 0.1; payoffs from 0 to 1, and a billionth for rounding."""
    asked = list[dict[str, Any]]()

    def answered(price: Any, **how: Any) -> SimpleNamespace:
        asked.append({name: np.asarray(value).tolist() for name, value in how.items()} | {"price": price.tolist()})
        return SimpleNamespace(x=np.arange(len(price)) + len(asked) / 8)

    monkeypatch.setattr("scipy.optimize.linprog", answered)
    ranges = strategy_ranges([[1, 0], [0, 1], [0, 1]], 0.1)
    rows = {"A_ub": [[-1, 0, 0], [0, -1, -1]], "A_eq": [[1, 1, 1]], "bounds": [[0, 1]] * 3}
    columns = {"A_ub": [[0, -1], [-1, 0], [-1, 0]], "A_eq": [[1, 1]], "bounds": [[0, 1]] * 2}
    for found in asked:
        assert found.pop("b_ub") == pytest.approx([-(0.5 - 0.1 - 1e-9)] * (5 - len(found["price"])), abs=1e-15)
        assert (found.pop("b_eq"), found.pop("method")) == ([1.0], "highs")
    prices = [*np.eye(3).tolist(), *(-np.eye(3)).tolist()]
    assert asked[:6] == [rows | {"price": price} for price in prices]
    prices = [*np.eye(2).tolist(), *(-np.eye(2)).tolist()]
    assert asked[6:] == [columns | {"price": price} for price in prices]
    assert (ranges.row_low.tolist(), ranges.row_high.tolist()) == ([0.125, 1.25, 2.375], [0.5, 1.625, 2.75])
    assert (ranges.column_low.tolist(), ranges.column_high.tolist()) == ([0.875, 2.0], [1.125, 2.25])

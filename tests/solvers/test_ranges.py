"""How far optimal strategies may differ: sets known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from balance.errors import BalanceError
from balance.solvers import solve_matrix_game, strategy_ranges

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


def test_a_negative_slack_is_refused() -> None:
    with pytest.raises(BalanceError, match="slack"):
        strategy_ranges([[1.0]], slack=-0.1)

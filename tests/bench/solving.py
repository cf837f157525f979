"""Zero-sum matrix games: ten thousand of 12 x 12 together, against one linear program each by scipy's HiGHS."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.chance.solvers import solve_matrix_games
from tests.bench.contest import Contender, Contest
from tests.bench.known import WrongAnswerError
from tests.chance.solvers.programming import by_programming

N_CHECKED = 100
"""Games whose values every contender gives back; one at a time takes long."""
GAP = 1e-9

Values = npt.NDArray[np.float64]


@cache
def _payoffs(n_games: int) -> Values:
    return np.random.default_rng(0).random((n_games, 12, 12))


def solved(n_games: int) -> Values:
    """Return the values of the first games, all of them solved and their gaps measured."""
    found = solve_matrix_games(_payoffs(n_games))
    if found.gaps.max() > GAP:
        raise WrongAnswerError(f"a gap of {found.gaps.max()} is left")
    return found.values[:N_CHECKED]


def programmed(n_games: int) -> Values:
    """Return the same by one linear program after the other."""
    return np.array([by_programming(payoffs) for payoffs in _payoffs(n_games)])


@cache
def _known() -> Values:
    return programmed(N_CHECKED)


def _check(name: str, found: Any) -> None:
    if not np.allclose(found, _known(), rtol=0, atol=GAP):
        raise WrongAnswerError(f"{name} values the games otherwise, by {np.abs(found - _known()).max()}")


def contests(n_games: int = 10_000) -> list[Contest]:
    """Return the contest."""
    mine = Contender(f"{n_games:,} games together, gaps measured", solved, n_games, n_games)
    peer = Contender("scipy, HiGHS, one program a game", programmed, N_CHECKED, N_CHECKED)
    return [Contest("Matrix games of 12 x 12", [mine], [peer], _check)]

"""The twin of every solver of matrix games: one linear program at a time, in its textbook form."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog


def by_programming(payoffs: np.ndarray[Any, Any]) -> float:
    """Return the value of a matrix game to the row player."""
    m, n = payoffs.shape
    found: Any = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * m + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    return float(-found.fun)

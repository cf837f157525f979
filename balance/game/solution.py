"""The solution of a game in terms that all games share: a value between bounds, the method, and tables.

The value is what side a can be sure of when both sides play optimally: 1 for a win, 1/2 for a draw, 0 for a defeat.
Bounds are measured by best responses to the policies that were found; a solution is exact when they hold for the game
as it stands, and approximate when they are estimates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Method = Literal["exact", "approximate"]
METHODS: tuple[Method, ...] = ("exact", "approximate")
"""exact: every state is solved, and the answer certified. approximate: policies for games too large for that."""

CHANGE = "change"
"""The column of a table whose cells are assignments, such as a.mp=43: a run asks the question changed so, as the game
plays it where nothing is said, too."""

Cell = str | int | float
"""A cell of a table; a float is a probability or a value from 0 to 1, or a difference of two."""


@dataclass(frozen=True)
class SolutionTable:
    """A table read off a solution, such as how often each option is chosen at the start.

    A report names the sides where a column begins with "a " or "b ", where a title says "side a" or "side b", and in
    the cells of a column "side". `name` is the key in JSON, `title` a sentence for people, and `differences` are the
    columns that hold differences of two values.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    differences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solution:
    """The solution of a game, with measured bounds of its error.

    Attributes
    ----------
    kind
        "exact" or "approximate".
    method
        The method, in one sentence.
    value
        Value of the start to side a, 0 to 1.
    lower, upper
        What side a's policy guarantees, and the most side b's policy concedes: measured bounds of the value if exact,
        estimates if approximate.
    exploitability
        Sum of what best responders gain against the two policies; a measured lower bound of it if approximate.
    converged
        Whether the exploitability was measured exactly and is within the tolerance; never so for an approximation.
    iterations
        Sweeps over the states, or rounds of fitting.
    n_states
        Number of states solved, or sampled in each round.
    tables
        Tables for people, such as of the best openings.
    half_width
        Half a 95 % interval of each bound where they were simulated; 0 where they are exact.
    """

    kind: Method
    method: str
    value: float
    lower: float
    upper: float
    exploitability: float
    converged: bool
    iterations: int
    n_states: int
    tables: tuple[SolutionTable, ...] = ()
    half_width: float = 0.0

    @property
    def gain_half_width(self) -> float:
        """Half a 95 % interval of the exploitability, which is the difference of two simulated bounds."""
        return gain_half_width(self.half_width)

    @property
    def is_surely_exploitable(self) -> bool:
        """Whether the gain of best responses exceeds its sampling error: only then is exploitability a lower bound."""
        return self.exploitability > self.gain_half_width

    def __repr__(self) -> str:
        """Return the value to side a and its bounds in short."""
        return f"Solution({self.kind}, {self.value:.6f} from {self.lower:.6f} to {self.upper:.6f})"


def gain_half_width(half_width: float) -> float:
    """Return half a 95 % interval of the difference of two independent bounds with this half-width each.

    >>> round(gain_half_width(0.015), 4)
    0.0212
    """
    return math.sqrt(2) * half_width

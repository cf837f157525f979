"""The search for the smallest move of one number that makes a score even: what is tried, in which order, how long.

A number is moved step by step, first up, then down, until the score has crossed its fair share, goes the wrong way, is
even, or does not seem to move. Whoever works out the scores may use arrays or plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from balance.chance.trials.estimate import Estimate

HALF = 0.5
"""What each of two sides scores where neither is favoured."""
TENTH = 10
"""A step is this part of a number, or 1 where that is more; a number that need not be whole moves by its tenth."""
MOST_STEPS = 12
"""Steps that a number is moved at most."""
UNSEEN_STEPS = 2
"""Steps after which a number that seems to change nothing is left alone."""
HINT = 0.5
"""Part of what two scores may differ by chance from which a move seems to change something: 2 standard errors."""
ROUNDING = 1e-9
INVISIBLE = ("cost", "copies")
"""Parts of names of numbers that no fight can see: what a card costs, and how many of it there are."""


class Move(NamedTuple):
    """A move of a number by some steps, below 0 for less of it; what it scores, and whether that is even."""

    steps: int
    score: Estimate
    is_even: bool


@dataclass
class Walk:
    """Moves one number, and keeps the `best` move; `base` is the score as it is.

    `has_effect`: whether any move had one; None where none could be made. `tells_crossing`: whether a move counts as
    best though it goes too far, if there is none before it.
    """

    base: Estimate
    fair_share: float = HALF
    tells_crossing: bool = False
    best: Move | None = None
    has_effect: bool | None = None
    _steps: int = 0
    _has_hint: bool = False
    _is_over: bool = True

    def moves(self) -> Iterator[int]:
        """Yield the steps to move by; `take` what each scores, or it cannot be made and that way ends there."""
        for way in (1, -1):
            self._has_hint = bool(self.has_effect)
            for self._steps in range(way, way * (MOST_STEPS + 1), way):
                self._is_over = True
                yield self._steps
                if self._is_over:
                    break

    @property
    def needs_closer_look(self) -> bool:
        """Whether this move decides if the number is left alone as it seems to change nothing."""
        return abs(self._steps) == UNSEEN_STEPS and not self._has_hint

    def take(self, score: Estimate, is_even: bool) -> None:
        """Take what the move scores that was yielded last."""
        move, gap, likely = Move(self._steps, score, is_even), self._gap(score), noise(score, self.base)
        effect = abs(score.value - self.base.value) / likely
        self.has_effect, self._has_hint = bool(self.has_effect) or effect > 1, self._has_hint or effect > HINT
        crosses = (score.value - self.fair_share) * (self.base.value - self.fair_share) <= 0
        if self._is_better(move) or (crosses and self.best is None and self.tells_crossing):
            self.best = move
        is_worse = gap > self._gap(self.base) + HINT * likely
        self._is_over = crosses or is_worse or is_even or self.needs_closer_look

    def _is_better(self, move: Move) -> bool:
        """Return whether a move beats the best before it: nearer to a fair share beyond noise, or even."""
        if self.best is not None and self.best.is_even and abs(self.best.steps) <= abs(move.steps):
            return False
        nearest = self.base if self.best is None else self.best.score
        is_nearer = self._gap(move.score) < self._gap(nearest) - noise(move.score, self.base)
        return is_nearer or (move.is_even and self.best is not None)

    def _gap(self, score: Estimate) -> float:
        return abs(score.value - self.fair_share)


def whole_step(value: float) -> int:
    """Return the size of a step of a whole number.

    >>> whole_step(28), whole_step(-4), whole_step(0)
    (3, 1, 1)
    """
    return max(1, round(abs(value) / TENTH))


def rank(is_even: bool, steps: int, gap: float, change: str) -> tuple[object, ...]:
    """Return by what changes are put in order: the smallest that makes a score even, else how near it comes.

    Gaps that differ by rounding alone are the same.
    """
    gap = round(gap, 9)
    return not is_even, abs(steps) if is_even else gap, gap, change


def noise(first: Estimate, second: Estimate) -> float:
    """Return by how much two scores may differ by chance: 4 standard errors of their difference."""
    return ROUNDING + 4 * math.hypot(first.error or 0.0, second.error or 0.0)

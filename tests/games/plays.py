"""What comes of a question of any game: on written dice, in all its chances, or the one thing that can happen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import balance
from balance.chance.trials.lockstep import play_fixed


def play(question: balance.Question, **dice: Sequence[int | str]) -> dict[str, int]:
    """Play a question on written dice; what they are called has `_` for its spaces."""
    process = question.kind.processes(question.setup, "literal")[0]
    return play_fixed(process, {name.replace("_", " "): faces for name, faces in dice.items()})


def chances(question: balance.Question, *columns: str) -> dict[Any, Fraction]:
    """Return the exact chance of each value of a column, or of each tuple of values of several."""
    whole = question.distribution.marginal(*columns)
    rows = [row[0] if len(columns) == 1 else tuple(row) for row in whole.outcomes.tolist()]
    weights = [Fraction(weight) / Fraction(whole.total) for weight in whole.weights.tolist()]
    return dict(zip(rows, weights, strict=True))


def only(question: balance.Question) -> dict[str, int]:
    """Return all columns of a question that has one outcome."""
    distribution = question.distribution
    assert len(distribution) == 1, distribution
    return dict(zip(distribution.columns, distribution.outcomes[0].tolist(), strict=True))

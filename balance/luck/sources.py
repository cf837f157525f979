"""Sources of luck, and the shares of the variance that they have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.core.estimate import Estimate

__all__ = ["SEAT", "LuckSource", "mean_share", "part", "together"]

SEAT = "seat"
"""The source that is who goes first."""


@dataclass(frozen=True)
class LuckSource:
    """One source of luck.

    Attributes
    ----------
    name
        Of the dice, cards or choices as the rules ask for them, or `SEAT`.
    alone
        The share of the variance that it settles by itself.
    when_rolled
        The share that its rolls bring when they are made; None where it is not known.
    """

    name: str
    alone: Estimate
    when_rolled: float | None


def part(some: float, variance: float) -> float:
    """Return a part of a variance as a share of it; 0 where there is none."""
    return float(some / variance) if variance > 0 else 0.0


def mean_share(parts: Sequence[Estimate], variance: float) -> Estimate:
    """Return the mean of parts of a variance, as a share of the whole."""
    value = part(float(np.mean([one.value for one in parts])), variance)
    if all(one.is_exact for one in parts):
        return Estimate.exact(value)
    error = part(math.sqrt(sum((one.error or 0.0) ** 2 for one in parts)) / len(parts), variance)
    return Estimate.of_mean(value, error, sum(one.n_trials for one in parts))


def together(found: Sequence[LuckSource]) -> Estimate:
    """Return the share that no source settles alone."""
    if not found or all(source.alone.value == 0 for source in found):
        return Estimate.exact(0.0)
    rest = Estimate.exact(1.0)
    for source in found:
        rest = rest - source.alone
    return rest

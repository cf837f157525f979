"""How well fair costs of two settings agree, and how many differ by more than three standard errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Annotated

import numpy as np

from balance.base.answers import Count, Doc
from balance.base.arrays import FloatArray
from balance.base.errors import UsageError, comma_list

MOVE_ERRORS = 3.0
"""Standard errors beyond which two fair costs are not the same."""


@dataclass(frozen=True)
class Costs:
    """Fair costs of entrants in a setting, by id, each with its standard error in points."""

    fair: Mapping[str, float]
    error: Mapping[str, float]


@dataclass(frozen=True)
class Agreement:
    """How the fair costs of two settings agree."""

    one: Annotated[str, Doc("A setting.")]
    other: Annotated[str, Doc("Another.")]
    correlation: Annotated[float | None, Doc("Of fair costs; null where they do not vary.")]
    moved: Annotated[tuple[str, ...], Doc("Who differs by more than three standard errors of the difference.")]
    loadouts: Annotated[Count, Doc("How many were compared.")]
    rms: Annotated[
        float,
        Doc("Root mean square of the difference as a share of the mean of both, without what simulation adds."),
    ]


def compare_costs(costs: Mapping[str, Costs], base: str | None = None) -> Iterator[Agreement]:
    """Yield how settings agree: each with the base, or every two of them.

    The simulations behind two settings are taken to be independent. Raise UsageError if the base is no setting.
    """
    if base is not None and base not in costs:
        raise UsageError(f"{base!r} is no setting; there are {comma_list(costs)}")
    names = list(costs)
    pairs = combinations(names, 2) if base is None else product([base], [name for name in names if name != base])
    for first, second in pairs:
        yield _agreement(first, second, costs[first], costs[second])


def _agreement(first: str, second: str, a: Costs, b: Costs) -> Agreement:
    common = [name for name in a.fair if name in b.fair]
    x, y = (np.array([costs.fair[name] for name in common], np.float64) for costs in (a, b))
    noise = np.array([np.hypot(a.error[name], b.error[name]) for name in common], np.float64)
    moved = tuple(name for name, far in zip(common, np.abs(x - y) > MOVE_ERRORS * noise, strict=True) if far)
    level = np.maximum((np.abs(x) + np.abs(y)) / 2, 1e-9)
    square = float(np.mean(((x - y) ** 2 - noise**2) / level**2)) if common else 0.0
    return Agreement(first, second, _correlation(x, y), moved, len(common), max(square, 0.0) ** 0.5)


def _correlation(x: FloatArray, y: FloatArray) -> float | None:
    if len(x) < 3 or np.ptp(x) < 1e-9 or np.ptp(y) < 1e-9:
        return None
    return float(np.corrcoef(x, y)[0, 1])

"""All costs to a power, as one change: for costs that grow too slowly or too fast with what things are worth.

The new cost of a card is `times * cost ** power`, in whole points, at least 1; what is free stays free. `times` keeps
what the typical entrant costs, since points are only compared with points. The likeliest power is chosen by costs
before rounding, so that luck of rounding plays no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.changes.tuning.score_forecast import ScoreForecast
from balance.base.arrays import BoolArray, FloatArray

POWERS = tuple(round(float(power), 2) for power in np.geomspace(1 / 3, 3, 221))
"""The powers that are tried: steps of 1 per cent."""
LEAST_POWER = 0.05
"""A power that differs from 1 by less is no change worth making."""
LEAST_COSTS = 3
"""Different costs from which a power says more than a change of one or two of them."""


@dataclass(frozen=True)
class CardCost:
    """The present cost of a card, at the path that a patch writes.

    `points`: `float64[m]`: what one more of it adds to the cost of each entrant.
    """

    path: str
    cost: float
    points: FloatArray


@dataclass(frozen=True)
class PowerOfCosts:
    """All costs to a power, `times * cost ** power`.

    `costs`: path -> text of the new cost of each card, in whole points. `points` and `exact_points`: `float64[m]`: what
    that adds to the cost of each entrant, in whole points and before they are rounded.
    """

    power: float
    times: float
    costs: dict[str, str]
    points: FloatArray
    exact_points: FloatArray


def powers_of_costs(cards: Sequence[CardCost], powers: Sequence[float] = POWERS) -> Iterator[PowerOfCosts]:
    """Yield the costs of all cards to each power but 1; nothing where there are few different costs above 0.

    >>> cards = [CardCost(name, cost, np.eye(3)[at]) for at, (name, cost) in enumerate([("a", 4), ("b", 6), ("c", 9)])]
    >>> square, = powers_of_costs(cards, [2.0])
    >>> square.power, round(square.times, 2), square.costs, square.exact_points.round(2).tolist()
    (2.0, 0.17, {'a': '3', 'b': '6', 'c': '14'}, [-1.33, 0.0, 4.5])
    """
    paid = [card for card in cards if card.cost > 0]
    if len({card.cost for card in paid}) < LEAST_COSTS:
        return
    old, points = np.array([card.cost for card in paid]), np.array([card.points for card in paid])
    some = points.sum(axis=0) > 0
    for power in powers:
        if abs(power - 1) < LEAST_POWER:
            continue
        raised = old**power
        times = float(np.median((old @ points)[some] / (raised @ points)[some]))
        whole = np.maximum(np.round(times * raised), 1.0)
        costs = {card.path: f"{new:.0f}" for card, new in zip(paid, whole.tolist(), strict=True)}
        yield PowerOfCosts(power, times, costs, (whole - old) @ points, (times * raised - old) @ points)


def likely_powers(
    forecast: ScoreForecast, powers: Sequence[PowerOfCosts], of: BoolArray | None = None
) -> list[PowerOfCosts]:
    """Return the powers that bring scores nearest to one half by least squares, and by least absolute deviations.

    With `of`, `bool[m]`, only these entrants count, and their deviations are from their own mean.
    """
    if not powers:
        return []
    counted = slice(None) if of is None else of
    scores = forecast.scores(np.array([power.exact_points for power in powers]))[:, counted]
    off = np.abs(scores - (0.5 if of is None else scores.mean(axis=1, keepdims=True)))
    best = {int(np.argmin(measure.sum(axis=1))): None for measure in (off**2, off)}
    return [powers[at] for at in best]

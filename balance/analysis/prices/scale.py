"""Whether a point is worth the same in a dear loadout as in a cheap one: the slope of log fair on log printed cost.

A slope of 2 says that twice the printed cost is worth four times as much: dear is too cheap. The cards are taken as a
sample of the cards that might be: loadouts of one unit share its error, and so do those of one weapon. The variance is
that of crossed clusters (Cameron, Gelbach and Miller 2011), each from the jackknife over cards: leave one unit out, one
weapon out, add both, take off what leaving out one loadout of both says. It is never less than that of any one kind of
card, nor than that of the noise of simulation alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np

from balance.analysis.prices.entries import PriceEntries
from balance.base.answers import Doc
from balance.base.arrays import FloatArray, IntArray

SCALE_TOLERANCE = 0.15
"""How far from 1 a slope may be: a doubling of the cost is then worth 1.8 to 2.2 times as much."""
MEANINGS = {
    "dear too cheap": "what is dear is too cheap",
    "dear too dear": "what is dear is too dear",
    "fair": "a point is worth the same in cheap and in dear loadouts",
    "not yet known": "too wide for a verdict",
}


@dataclass(frozen=True)
class Scale:
    """Whether costs are on the right scale."""

    slope: Annotated[
        float | None, Doc("Of log fair cost on log cost, 1 where they are; null where all loadouts cost the same.")
    ]
    low: Annotated[float | None, Doc("The lower end of its 95 % interval; null where too few cards differ.")]
    high: Annotated[float | None, Doc("Its upper end.")]
    verdict: Annotated[str, Doc("What follows.")]
    because: Annotated[str, Doc("Why.")]


def price_scale(entries: PriceEntries, all_fair: bool, tolerance: float = SCALE_TOLERANCE) -> Scale:
    """Return the slope of log fair on log printed cost over distinct loadouts, and its verdict.

    `all_fair` is all there is to say where every loadout costs the same; `tolerance` is how far from 1 the slope may
    be.
    """
    x = np.log(entries.printed_costs[entries.once])
    if np.ptp(x) < 1e-9:
        reason = "all loadouts cost the same, and all are fair" if all_fair else "all loadouts cost the same"
        return Scale(None, None, None, "fair" if all_fair else "not yet known", reason)
    slope = _slope(x, entries.anchored_log_fair[entries.once])
    half = _half_width(entries, x)
    if not np.isfinite(half):
        reason = f"fair costs rise as printed costs to the power {slope:.2f}; too few cards for an interval"
        return Scale(slope, None, None, "not yet known", reason)
    low, high = slope - half, slope + half
    verdict = "fair" if abs(slope - 1) + half <= tolerance else "not yet known"
    if low > 1 + tolerance:
        verdict = "dear too cheap"
    elif high < 1 - tolerance:
        verdict = "dear too dear"
    reason = f"fair costs rise as printed costs to the power {slope:.2f} ({low:.2f} to {high:.2f}): {MEANINGS[verdict]}"
    return Scale(slope, low, high, verdict, reason)


def _slope(x: FloatArray, y: FloatArray) -> float:
    """Return the least-squares slope of y on x, nan where x does not vary."""
    off = x - x.mean()
    spread = float(off @ off)
    return float(off @ y) / spread if spread > 1e-12 else np.nan


def _half_width(entries: PriceEntries, x: FloatArray) -> float:
    """Return the half-width of the 95 % interval (Student's t), infinite where no kind of card is a sample."""
    from scipy.special import stdtrit

    y, kinds = entries.anchored_log_fair[entries.once], _kinds(entries)
    singles = [float(_jackknife(x, y, labels)) for labels in kinds]
    crossed_variance = sum(sign * _jackknife(x, y, labels) for sign, labels in _crossings(kinds))
    off = x - x.mean()
    pull = np.zeros(len(entries.log_fair))
    np.add.at(pull, entries.fighter[entries.once], off / (off @ off))
    variance = max([float(crossed_variance), *singles, float(pull @ entries.covariance @ pull)])
    freedom = min((int(labels.max()) for labels in kinds), default=0)
    return float(stdtrit(freedom, 0.975) * np.sqrt(variance)) if freedom > 0 and np.isfinite(variance) else np.inf


def _kinds(entries: PriceEntries) -> list[IntArray]:
    """Return for each table with several cards in use the label of the combination that each loadout has."""
    kinds: list[IntArray] = []
    for table in sorted(set(entries.tables)):
        within = np.array([name == table for name in entries.tables])
        labels = np.unique(entries.counts[entries.once][:, within], axis=0, return_inverse=True)[1].ravel()
        if labels.max() > 0:
            kinds.append(labels)
    return kinds


def _crossings(kinds: list[IntArray]) -> Iterator[tuple[int, IntArray]]:
    """Yield the inclusion-exclusion sign and the clusters of every set of kinds: one kind +, two crossed -, three +."""
    for size in range(1, len(kinds) + 1):
        for subset in combinations(kinds, size):
            labels = np.unique(np.stack(subset, axis=1), axis=0, return_inverse=True)[1].ravel()
            yield (1 if size % 2 else -1), labels


def _jackknife(x: FloatArray, y: FloatArray, labels: IntArray) -> float:
    """Return the jackknife variance of the slope over clusters, infinite where one cluster bears it alone."""
    slopes = np.array([_slope(x[labels != label], y[labels != label]) for label in range(int(labels.max()) + 1)])
    if np.isnan(slopes).any():
        return np.inf
    return float((len(slopes) - 1) / len(slopes) * np.sum((slopes - slopes.mean()) ** 2))

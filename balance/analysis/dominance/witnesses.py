"""Who is dominated, and the witness: an entrant or a mixture of entrants that costs no more and does no worse.

B dominates A if B costs no more, scores at least what A does against every opponent of the field in every situation (A
and B themselves among the opponents, either seat as likely), and is cheaper or scores more against someone. Scores that
differ by no more than `TIE` are equal. No model and no price is needed for that, only the costs as printed.

The *witness* against A is the one of those with the largest mean gain over A, the cheapest of several; opponents whom
no score of the field tells apart are one opponent in that mean, so that a second copy of a card changes nothing. Where
several are alike even in that, all of them are witnesses.

Where nobody dominates A, a *mixture* may: shares of several, such as half B and half C, with the mean of their costs
and of their scores. It is given by the fewest parts that were found, none of them dominated themselves, and in simple
shares where these also do (see `mixtures`).

Nothing of this depends on the order of the rows; names decide only between entrants that nothing else tells apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from balance.analysis.dominance.mixtures import Demands, fewest_parts, find_mixture
from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.scores import Scores

Grid = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
DIGITS = 9
WORST = -1.0
"""What a part of a mixture is taken to gain against an opponent that it never met."""


class Bounds(NamedTuple):
    """What each scores against each in s situations, `float64[s, n, n]`: the estimate and the ends of its interval.

    All three are equal where a score is exact, and nan where it was not played.
    """

    value: Grid
    low: Grid
    high: Grid


@dataclass(frozen=True)
class Witness:
    """An entrant, or a mixture of several, that dominates another.

    * `parts`: ids with the share of each; shares add up to 1.
    * `alike`: for each part everybody who would do as well in its place, itself the first of them by id.
    * `cost`: what it costs, a mixture on average, in points.
    * `margin`: the least that it gains against any opponent, in shares of a win; below 0 only if so much is overlooked.
    * `error`: how much less the margin may be, for all opponents at once; 0 where scores are exact.
    * `mean_gain` and `largest_gain`: what it gains on average over opponents, and the most.
    * `n_dominating`: how many single entrants dominate; 0 if only mixtures do.
    * `outright`: whether it does no worse against anyone; else it does by up to what is overlooked.
    """

    parts: tuple[tuple[str, float], ...]
    alike: tuple[tuple[str, ...], ...]
    cost: float
    margin: float
    error: float
    mean_gain: float
    largest_gain: float
    n_dominating: int
    outright: bool = True

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its parts."""
        return tuple(name for name, _ in self.parts)

    @property
    def is_mixture(self) -> bool:
        """Whether it has more than one part."""
        return len(self.parts) > 1

    @property
    def shares(self) -> tuple[float, ...] | None:
        """The share of each part of a mixture; None where one entrant is the witness."""
        return tuple(share for _, share in self.parts) if self.is_mixture else None

    def names_in_order(self, names: Sequence[str]) -> list[str]:
        """Return the parts of a mixture, else all entrants that are alike, in the order of these names."""
        return list(self.ids) if self.is_mixture else sorted(self.alike[0], key=names.index)


def find_dominators(
    names: Sequence[str], costs: Sequence[float], low: Grid, high: Grid, imbalance: float = 0.0
) -> dict[str, tuple[str, ...]]:
    """Return each entrant that single others dominate, with all that do, in the order of the names.

    `low` and `high`, `float64[s, n, n]`, are the ends of the interval of what the row scores against the column, in s
    situations: equal where exact, nan where not played. With an `imbalance`, a score is not worse if it is certainly no
    more than that below, and better only if it is certainly more than that above.
    """
    margin, price = imbalance + TIE, np.asarray(costs, np.float64)
    dominators: dict[str, tuple[str, ...]] = {}
    for a, name in enumerate(names):
        gap = low - high[:, a : a + 1, :]
        is_comparable = (~np.isnan(gap)).any((0, 2))
        worse, better = (gap < -margin).any((0, 2)), (gap > margin).any((0, 2))
        by = is_comparable & ~worse & ((price < price[a]) | ((price == price[a]) & better))
        by[a] = False
        if by.any():
            dominators[name] = tuple(names[b] for b in np.flatnonzero(by).tolist())
    return dominators


def score_bounds(scores: Scores) -> Bounds:
    """Return the mean scores over both seats, as one situation."""
    values = np.where(scores.weight, scores.either_seat, np.nan)[None]
    return Bounds(values, values - scores.half_widths, values + scores.half_widths)


def witnesses(scores: Scores, costs: Sequence[float], imbalance: float = 0.0) -> dict[str, Witness]:
    """Return each dominated entrant with the witness against it, in the order of the names.

    Costs are in points. Where scores are simulated, a witness holds wherever in their simultaneous intervals they are.
    `imbalance` is how much less a witness may score against someone, and how much more it has to against someone unless
    it is cheaper.
    """
    return witnesses_between(scores.names, costs, score_bounds(scores), imbalance)


def single_witnesses(
    names: Sequence[str], costs: Sequence[float], scores: Bounds, imbalance: float = 0.0
) -> dict[str, Witness]:
    """Return each entrant that single others dominate with the witness, in the order of the names.

    An entrant dominated without any `imbalance` has a witness for which that holds. See `witnesses_between`.

    >>> grid = np.array([[[0.5, 0.4, 0.6], [0.6, 0.5, 0.6], [0.4, 0.4, 0.5]]])
    >>> single_witnesses(["a", "b", "c"], [10, 10, 8], Bounds(grid, grid, grid), 0.05)["a"].ids
    ('b',)
    """
    field = _field(names, costs, scores)
    outright, nearly = (find_dominators(names, costs, scores.low, scores.high, slack) for slack in (0.0, imbalance))
    by_name = {name: replace(field.single(name, by), outright=False) for name, by in nearly.items()}
    by_name |= {name: field.single(name, by) for name, by in outright.items()}
    return {name: by_name[name] for name in names if name in by_name}


def witnesses_between(
    names: Sequence[str], costs: Sequence[float], scores: Bounds, imbalance: float = 0.0
) -> dict[str, Witness]:
    """Return each dominated entrant with the witness against it, in the order of the names.

    A mixture is a witness only against an entrant without a single one, even with the `imbalance`. An opponent that the
    dominated entrant never met does not count; a part of a mixture that never met one of the others is taken to lose. A
    witness holds at the ends of the intervals of scores; its gains are those of the values.
    """
    field, outright = _field(names, costs, scores), find_dominators(names, costs, scores.low, scores.high)
    by_name = single_witnesses(names, costs, scores, imbalance)
    by_name |= field.mixtures(by_name, outright, 0.0)
    if imbalance:
        nearly = field.mixtures(by_name, outright, imbalance)
        by_name |= {name: replace(witness, outright=False) for name, witness in nearly.items()}
    return {name: by_name[name] for name in names if name in by_name}


@dataclass(frozen=True)
class _Field:
    """Entrants in an order of their own: by mean score, by cost, then by id.

    `scores` are `float64[n, k]` each, opponents of all situations side by side; `apart` are the columns that differ.
    `first` is the place of the first entrant alike in every score and in cost.
    """

    names: tuple[str, ...]
    costs: Grid
    scores: Bounds
    apart: Places
    first: Places

    def place(self, name: str) -> int:
        return self.names.index(name)

    def firsts(self, without: Collection[str]) -> Places:
        """Return the places of entrants that are not left out, one for each group of copies."""
        return np.array([at for at in np.unique(self.first).tolist() if self.names[at] not in without], np.int64)

    def gains(self, a: int, among: Places) -> tuple[Grid, Grid]:
        """Return what m others gain on entrant a against k opponents, and its lower bound, `float64[m, k]` each."""
        value, low, high = self.scores
        return value[among] - value[a], low[among] - high[a]

    def single(self, name: str, by: Sequence[str]) -> Witness:
        """Return the witness among the dominating: the largest mean gain, then the lowest cost."""
        among = np.array([self.place(rival) for rival in by], np.int64)
        gains, min_gains = self.gains(self.place(name), among)
        means, price = np.nanmean(gains[:, self.apart], axis=1), self.costs[among]
        best = means >= means.max() - TIE
        best &= price == price[best].min()
        alike = tuple(sorted(rival for rival, is_best in zip(by, best, strict=True) if is_best))
        cost, mean = float(price[best][0]), float(means[best].max())
        return _witness(((alike[0], 1.0),), (alike,), cost, gains[best], min_gains[best], mean, len(by))

    def mixtures(
        self, dominated_names: Collection[str], without: Collection[str], imbalance: float
    ) -> dict[str, Witness]:
        """Return the entrants that only a mixture dominates, with it; neither they nor those in `without` are parts."""
        remaining, candidates = [name for name in self.names if name not in dominated_names], self.firsts(without)
        mixtures = {name: witness for name in remaining if (witness := self.mixture(name, candidates, imbalance))}
        best = self.firsts([*without, *mixtures])
        return {name: self.mixture(name, best, imbalance) or witness for name, witness in mixtures.items()}

    def demands(self, name: str, among: Places, imbalance: float) -> tuple[Places, Demands]:
        """Return the possible parts of a mixture against an entrant, without its copies, and the demands on shares."""
        a = self.place(name)
        among = among[self.first[among] != self.first[a]]
        gains, min_gains = (np.nan_to_num(grid, nan=WORST) for grid in self.gains(a, among))
        met_mask = ~np.isnan(self.scores.value[a])
        savings = (self.costs[a] - self.costs[among]) / (np.abs(self.costs).max() or 1.0)
        means = gains[:, self.apart[met_mask[self.apart]]].mean(axis=1)
        return among, Demands(min_gains[:, met_mask], savings, means, imbalance)

    def mixture(self, name: str, among: Places, imbalance: float) -> Witness | None:
        """Return the mixture of few parts that dominates an entrant; None if there is none."""
        among, demands = self.demands(name, among, imbalance)
        if (shares := find_mixture(demands)) is None:
            return None
        shares = fewest_parts(demands, shares)
        among, shares = among[shares > 0], shares[shares > 0]
        parts = tuple((self.names[at], share) for at, share in zip(among.tolist(), shares.tolist(), strict=True))
        alike = tuple(tuple(self.names[at] for at in np.flatnonzero(self.first == place).tolist()) for place in among)
        gains, min_gains = (shares @ grid for grid in self.gains(self.place(name), among))
        cost, mean = float(shares @ self.costs[among]), float(np.nanmean(gains[self.apart]))
        return _witness(parts, alike, cost, gains, min_gains, mean, 0)


def _field(names: Sequence[str], costs: Sequence[float], scores: Bounds) -> _Field:
    """Return the field sorted by scores, costs and ids, so that no order of rows matters."""
    price, means = np.asarray(costs, np.float64), np.nanmean(scores.value[:, :, _apart(scores.value)], axis=(0, 2))
    order = np.lexsort((np.asarray(names, np.str_), price, means.round(10)))
    price, sorted_scores = price[order], [grid[:, order][:, :, order] for grid in scores]
    marks = np.concatenate([*sorted_scores, *(grid.swapaxes(1, 2) for grid in sorted_scores)])
    marks = np.column_stack([*np.nan_to_num(marks, nan=WORST).round(8), price])
    first, label = np.unique(marks, axis=0, return_index=True, return_inverse=True)[1:]
    columns = _apart(sorted_scores[0]) + len(price) * np.arange(len(scores.value))[:, None]
    side_by_side = Bounds(*(np.column_stack(list(grid)) for grid in sorted_scores))
    return _Field(tuple(names[at] for at in order.tolist()), price, side_by_side, columns.ravel(), first[label.ravel()])


def _apart(scores: Grid) -> Places:
    """Return the places of opponents whose column of scores differs, the first of each group of equal ones."""
    return np.sort(np.unique(np.concatenate(list(scores)).round(8), axis=1, return_index=True)[1])


def _witness(
    parts: tuple[tuple[str, float], ...],
    alike: tuple[tuple[str, ...], ...],
    cost: float,
    gains: Grid,
    min_gains: Grid,
    mean: float,
    n_dominating: int,
) -> Witness:
    """Return a witness with its numbers rounded to nine digits, so that the order of sums does not show."""
    margin, certain, max_gain = float(np.nanmin(gains)), float(np.nanmin(min_gains)), float(np.nanmax(gains))
    cost, margin, error, mean, max_gain = (round(x, DIGITS) for x in (cost, margin, margin - certain, mean, max_gain))
    return Witness(parts, alike, cost, margin, error, mean, max_gain, n_dominating)

"""Loadouts and cards in an order that no name and no row decides, each counted once.

Fair costs of loadouts come with a free factor; here the typical loadout keeps its cost: the median of log(fair cost /
printed cost) is 0, each fighter at each printed cost counted once (see `typical`). Cards that nothing tells apart (same
table, same cost, same company in fighters that play alike) are one card here, so that a copy changes nothing of the
others; and as the order follows from costs alone, neither does a renaming or another order of rows, to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import UsageError
from balance.chance.rolls.streams import stream

FAR_APART = 0.15
"""Between two middle loadouts whose errors of price differ by more than this, neither is the middle."""
N_DRAWS = 4000
"""Random draws of the noise of simulation: standard deviations are known to about 1 %."""


class FairLoadouts(Protocol):
    """Fair costs of n loadouts up to a common factor, as simulation found them.

    `printed_costs`: `float64[n]`, above 0. `log_fair` and `covariance`: `float64[n]`, and `float64[n, n]`: of its
    noise. Entrants that play alike share one value exactly. `fighters`: `int64[n]`: equal numbers play alike.
    """

    @property
    def entrants(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def printed_costs(self) -> FloatArray: ...  # noqa: D102
    @property
    def log_fair(self) -> FloatArray: ...  # noqa: D102
    @property
    def covariance(self) -> FloatArray: ...  # noqa: D102
    @property
    def fighters(self) -> IntArray: ...  # noqa: D102


@dataclass(frozen=True)
class Card:
    """A card that loadouts are made of: the table it stands in and its printed cost."""

    table: str
    cost: float


@dataclass(frozen=True)
class PriceEntries:
    """Distinct loadouts (m entries) of distinct cards (p), and who they are.

    * `names` and `entry_of`: n entrants and the entry of each, `int64[n]`.
    * `cards` and `card_of`: ids of cards and the distinct card of each, `int64[...]`.
    * `printed_costs`, `card_printed`, `tables`: printed costs, `float64[m]` and `float64[p]`; the table of each
      distinct card.
    * `counts`: `float64[m, p]`: how often each card is in each entry.
    * `fighter`: `int64[m]`: the place of its fighter in `log_fair` and `covariance`.
    * `log_fair` and `covariance`: `float64[f]`, `float64[f, f]`: of the distinct fighters, as given.
    * `worth`: `bool[m]`: entries over which the typical cost is taken, those worth taking; all for None.
    * `middle`: which of two middle loadouts keeps its cost, as in `typical`.
    """

    names: tuple[str, ...]
    entry_of: IntArray
    cards: tuple[str, ...]
    card_of: IntArray
    printed_costs: FloatArray
    card_printed: FloatArray
    tables: tuple[str, ...]
    counts: FloatArray
    fighter: IntArray
    log_fair: FloatArray
    covariance: FloatArray
    worth: BoolArray | None = None
    middle: int = 0

    @property
    def worth_taking(self) -> BoolArray:
        """Which entries are worth taking, `bool[m]`."""
        return np.ones(len(self.printed_costs), bool) if self.worth is None else self.worth

    @cached_property
    def once(self) -> IntArray:
        """Return the places of entries of distinct fighter and printed cost, over which the typical cost is taken."""
        pairs = np.stack([self.fighter.astype(np.float64), self.printed_costs], axis=1)
        first = np.sort(np.unique(pairs, axis=0, return_index=True)[1])
        return first[self.worth_taking[first]]

    @cached_property
    def copies(self) -> IntArray:
        """Return how many entrants share the fighter and the printed cost of each entry in `once`."""
        pairs = np.stack([self.fighter.astype(np.float64), self.printed_costs], axis=1)
        pair_of = np.unique(pairs, axis=0, return_inverse=True)[1].ravel()
        n_each = np.bincount(self.entry_of, minlength=len(self.printed_costs))
        return np.bincount(pair_of, n_each).astype(np.int64)[pair_of[self.once]]

    @cached_property
    def anchored_log_fair(self) -> FloatArray:
        """Return log fair costs of entries, `float64[m]`, scaled so that the typical loadout keeps its cost."""
        return np.asarray(self.anchor(self.log_fair[None, :])[0])

    def anchor(self, log_fair: FloatArray) -> FloatArray:
        """Return log fair costs of entries `[k, m]` from those of fighters `[k, f]`, the free factor taken out."""
        typical_over = typical(self._over(log_fair), self.copies, self.middle)
        return np.asarray(log_fair[:, self.fighter] - typical_over[:, None])

    @cached_property
    def middle_gap(self) -> float:
        """How far apart the two middle loadouts are in log(fair cost / printed cost), 0 where there is one."""
        over = self._over(self.log_fair[None, :])
        low, high = (float(typical(over, self.copies, middle)[0]) for middle in (-1, 1))
        return high - low

    def _over(self, log_fair: FloatArray) -> FloatArray:
        """Return log(fair cost / printed cost) of entries in `once`, `[k, o]`, up to the free factor."""
        return np.asarray(log_fair[:, self.fighter[self.once]] - np.log(self.printed_costs[self.once]))

    @cached_property
    def draws(self) -> FloatArray:
        """Return anchored log fair costs with simulated noise added, `float64[k, m]`, always from the same stream."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        normal = stream(0, "analysis/price_entries", 0, "noise").standard_normal((N_DRAWS, len(values)))
        return self.anchor(self.log_fair + normal @ root)


def typical(over: FloatArray, copies: IntArray, middle: int = 0) -> FloatArray:
    """Return the median of each row, `float64[k]`; between two middle ones far apart, that of the most copies.

    With a `middle` below or above 0 it is the lower or the upper of the two. `over`, `float64[k, m]`, is log(fair cost
    / printed cost) of m distinct entries, and `copies`, `int64[m]`, how many entrants each stands for. Copies count
    nowhere else: a second copy of a card must not move the others. But of ten equal cards, one of them at double cost,
    it is the nine that are typical.

    >>> typical(np.array([[0.0, 0.7], [0.0, 0.01]]), np.array([9, 1])).tolist()
    [0.0, 0.005]
    """
    order, m = np.sort(over, axis=1), over.shape[1]
    low, high = order[:, (m - 1) // 2], order[:, m // 2]
    if middle:
        return low if middle < 0 else high
    more = np.where(over <= low[:, None], copies, 0).sum(axis=1) - np.where(over >= high[:, None], copies, 0).sum(
        axis=1
    )
    side = np.where(high - low > FAR_APART, np.sign(more), 0)
    return np.asarray(np.where(side > 0, low, np.where(side < 0, high, (low + high) / 2)))


def price_entries(
    fair: FairLoadouts, parts: Sequence[Sequence[str]], cards: Mapping[str, Card] | None = None
) -> PriceEntries:
    """Return distinct loadouts of distinct cards in canonical order.

    `parts` are the cards of each entrant; without `cards` they are ignored, and each entrant is one card. Raise
    UsageError where an entrant costs nothing, a part is no card, or an entrant does not cost what its cards cost
    together.
    """
    if cards is None:
        parts = [(name,) for name in fair.entrants]
        cards = {name: Card("", float(cost)) for name, cost in zip(fair.entrants, fair.printed_costs, strict=True)}
    _check_sums(fair, parts, cards)
    part_names = list(dict.fromkeys(part for own_parts in parts for part in own_parts))
    fighter, order = _fighters(fair)
    places = [[part_names.index(part) for part in own_parts] for own_parts in parts]
    entry_of, card_of = _colours(
        fighter, fair.printed_costs, places, [(cards[name].table, cards[name].cost) for name in part_names]
    )
    firsts = np.unique(entry_of, return_index=True)[1]
    heads = np.unique(card_of, return_index=True)[1]
    counts = np.zeros((len(firsts), len(heads)))
    for row, first in enumerate(firsts):
        np.add.at(counts[row], card_of[places[first]], 1.0)
    return PriceEntries(
        names=tuple(fair.entrants),
        entry_of=entry_of,
        cards=tuple(part_names),
        card_of=card_of,
        printed_costs=np.asarray(fair.printed_costs, np.float64)[firsts],
        card_printed=np.array([float(cards[part_names[head]].cost) for head in heads]),
        tables=tuple(cards[part_names[head]].table for head in heads),
        counts=counts,
        fighter=fighter[firsts],
        log_fair=fair.log_fair[order],
        covariance=fair.covariance[np.ix_(order, order)],
    )


def _check_sums(fair: FairLoadouts, parts: Sequence[Sequence[str]], cards: Mapping[str, Card]) -> None:
    """Raise UsageError for a loadout that costs nothing, has unknown cards, or does not cost their sum."""
    for name, printed_cost, own_parts in zip(fair.entrants, fair.printed_costs.tolist(), parts, strict=True):
        if not printed_cost > 0:
            raise UsageError(f"{name} costs {printed_cost:g} points", "fair costs are shares of printed ones: above 0")
        strange = [part for part in own_parts if part not in cards]
        if strange:
            raise UsageError(
                f"{name} is made of {strange[0]}, which is no card", "allowed: cards with a table and a cost"
            )
        total = sum(cards[part].cost for part in own_parts)
        if abs(total - printed_cost) > 1e-9 * max(printed_cost, 1.0):
            problem = f"{name} costs {printed_cost:g}, its cards {' + '.join(own_parts)} cost {total:g} together"
            raise UsageError(problem, "costs of cards follow only where a loadout costs what its cards cost")


def _fighters(fair: FairLoadouts) -> tuple[IntArray, IntArray]:
    """Return the place of each entrant's fighter in canonical order, and one row of each fighter in that order."""
    _, first, inverse = np.unique(fair.fighters, return_index=True, return_inverse=True)
    covariance = fair.covariance[np.ix_(first, first)]
    keys = [
        (
            float(fair.log_fair[row]),
            sorted(covariance[place].tolist()),
            sorted(set(fair.printed_costs[inverse == place].tolist())),
        )
        for place, row in enumerate(first)
    ]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
    return np.argsort(order)[inverse], first[order]


def _colours(
    fighter: IntArray, printed_costs: FloatArray, places: list[list[int]], cards: list[tuple[str, float]]
) -> tuple[IntArray, IntArray]:
    """Return the distinct entry of each entrant and the distinct card of each card, by colour refinement."""
    colour, n_known = _ranks(cards), 0
    while True:
        entries = _ranks(
            [
                (int(number), float(cost), sorted(colour[own_places]))
                for number, cost, own_places in zip(fighter, printed_costs, places, strict=True)
            ]
        )
        entry_sets: list[set[int]] = [set() for _ in cards]
        for entry, own_places in zip(entries.tolist(), places, strict=True):
            for place in own_places:
                entry_sets[place].add(entry)
        colour = _ranks([(int(old), sorted(entry_set)) for old, entry_set in zip(colour, entry_sets, strict=True)])
        n_found = int(colour.max()) + int(entries.max())
        if n_found == n_known:
            return entries, colour
        n_known = n_found


def _ranks(keys: Sequence[tuple[object, ...]]) -> IntArray:
    """Return the rank of each key among the distinct keys, `int64[n]`."""
    distinct = {repr(key): key for key in keys}
    rank = {name: place for place, name in enumerate(sorted(distinct, key=distinct.__getitem__))}
    return np.array([rank[repr(key)] for key in keys], np.int64)

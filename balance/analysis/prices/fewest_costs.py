"""Which costs of cards explain what is off, the fewest of them, and what each card should cost beside the others.

A loadout costs the sum of its cards while its value is nearer to a product, so costs of cards are not fitted all at
once: one loadout that is off would be spread over all cards. Instead the fewest changes are sought. A loadout is off by
r = log(cost / fair cost), of which no more than half the tolerance is left unmended, and the *loss* is the sum of
(|r| - half the tolerance)^2 over distinct loadouts, each weighted by how well it is known. Cards change one after the
other, the one that takes off most of the loss first, and none that takes off less than `LEAST_GAIN` of the loss of the
loadouts that hold it. All costs to a power are one change, too, which comes first where it explains more.

Where half of the loadouts are off, nobody can tell by a median which half: each of the two middle ones is tried as the
typical loadout that keeps its cost, and is if one change then explains all. Where more than half of the loadouts
are off and of the cards would change, few changes explain nothing, and all cards are fitted at once.

A card that no legal cost makes worth taking, because its loadouts stay too dear even at the least cost, carries no
price, nor do its loadouts: fair is judged among what is worth taking.

What a card should cost follows with all other cards at their costs, those that change at their new ones: least squares
in the log, over the loadouts that hold it. Of all ways to split the costs of loadouts it is the one nearest to today's,
by the sum of absolute changes: that is the convention under which cards are judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance.analysis.prices.card_costs import settle_constant
from balance.analysis.prices.entries import PriceEntries
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.arrays import BoolArray, FloatArray
from balance.base.numbers import SURE

LEAST_GAIN = 0.15
"""Share of the loss of its loadouts that a further change has to take off."""
ONE_SIDE = 0.8
"""Share of the loadouts with a card from which they are off to one side."""
POWER_GAIN = 0.8
"""Share of the loss that all costs to a power have to take off to explain it."""
PER_CHANGE = 4.0
"""Squares of standard errors that each change of a card has to explain more than all costs to a power."""
POWERS = np.geomspace(1 / 4, 4, 281)
LEAST_POWER = 0.1
"""A power that differs from 1 by less is no change."""
FACTORS = np.geomspace(1 / 8, 8, 121)
"""Costs that are tried for a card, as shares of its printed one or of what its loadouts cost."""
APART = 0.05
"""Between two middle loadouts that are farther apart in the log, either may be the typical one."""
MOST_CHANGES = 20
MOST_SHARE = 0.5
"""Share of the cards that change, and of the loadouts that are off, from which all cards are fitted at once."""
STEPS = 30


@dataclass(frozen=True)
class FewestCosts:
    """The fewest changes of costs, and what every card should cost beside them; p distinct cards of m loadouts.

    * `entries`: the loadouts that are judged, `entries.worth` those worth taking.
    * `changed`: places of the cards that change, the largest gain first.
    * `power`: to which all costs are to be raised; None where they stay. `base`: costs of cards then, `float64[p]`.
    * `costs` and `draws`: what each card should cost in points, below 0 for one that is useless, `float64[p]`, and the
      same under fresh noise of simulation, `float64[k, p]`.
    * `useless`: `bool[p]`: cards that no cost makes worth taking.
    * `one_sided`: `bool[p]`: whether the loadouts that hold the card are off to one side, those that change mended.
    """

    entries: PriceEntries
    changed: tuple[int, ...]
    power: float | None
    base: FloatArray
    costs: FloatArray
    draws: FloatArray
    useless: BoolArray
    one_sided: BoolArray

    @property
    def mended(self) -> FloatArray:
        """Costs of cards once those that change have their new ones, `float64[p]`."""
        mended = self.base.copy()
        mended[list(self.changed)] = self.costs[list(self.changed)]
        return mended


def fewest_costs(
    entries: PriceEntries, tolerance: Tolerance, min_cost: float = 1.0, keep: str | None = None
) -> FewestCosts:
    """Return the fewest changes of costs that explain what is off, and what each card should cost.

    With `keep`, it is the cards of that table that keep their costs as nearly as can be, and not all of them. What a
    card should cost may be less than `min_cost`, the least that is legal: then no legal cost will do.
    """
    useless = np.zeros(len(entries.card_printed), bool)
    while True:
        worth = np.asarray(~entries.counts[:, useless].any(axis=1))
        judged = replace(entries, worth=worth)
        more = _useless(judged, tolerance, min_cost) & ~useless
        if not more.any() or not (entries.counts[:, ~(useless | more)].sum(axis=1) == entries.counts.sum(axis=1)).any():
            break
        useless = useless | more
    middles = (0, -1, 1) if judged.middle_gap > APART else (0,)
    first, *others = [_fewest(_Search.of(replace(judged, middle=at), tolerance, keep), useless) for at in middles]
    return min([first, *(other for other in others if len(other.changed) == 1)], key=_burden)


def _fewest(search: _Search, useless: BoolArray) -> FewestCosts:
    """Return the fewest changes where the typical loadout keeps its cost."""
    changed = search.changes()
    power, base = search.power(changed) or (None, search.entries.card_printed)
    if power is not None:
        changed = ()
    if len(changed) > MOST_SHARE * len(useless) and search.share_off > MOST_SHARE:  # few changes explain nothing
        changed = (*changed, *(card for card in np.flatnonzero(~useless).tolist() if card not in changed))
    costs, draws = search.estimates(changed, base, useless)
    return FewestCosts(
        search.entries, changed, power, base, costs, draws, useless, search.one_sided(costs, changed, base)
    )


def _burden(fewest: FewestCosts) -> tuple[int, bool, float]:
    """Return how many cards change, copies too, whether the median is not kept, and the squares of r that are left."""
    entries = fewest.entries
    n_changed = int(np.isin(entries.card_of, fewest.changed).sum()) + (fewest.power is not None)
    off = np.log(np.maximum(entries.counts @ fewest.mended, 1e-9)) - entries.anchored_log_fair
    return n_changed, entries.middle != 0, float(np.sum(off[entries.worth_taking] ** 2))


def _useless(entries: PriceEntries, tolerance: Tolerance, min_cost: float) -> BoolArray:
    """Return the cards whose loadouts are all certainly too dear even at the least cost, `bool[p]`."""
    high = np.exp(np.quantile(entries.draws, 0.999, axis=0))
    useless = np.zeros(len(entries.card_printed), bool)
    for card, cost in enumerate(entries.card_printed.tolist()):
        holders = np.flatnonzero((entries.counts[:, card] > 0) & entries.worth_taking)
        if len(holders) == 0:
            continue
        least = entries.printed_costs[holders] - entries.counts[holders, card] * max(cost - min_cost, 0.0)
        bands = np.array([tolerance.band(points)[0] for points in least.tolist()])
        useless[card] = bool((high[holders] < bands).all())
    return useless


@dataclass(frozen=True)
class _Search:
    """The search in arrays over w loadouts worth taking: `counts` is `float64[w, p]`, the others `float64[w]`.

    `room` is half the tolerance in the log, `error` the standard error of `log_fair`.
    """

    entries: PriceEntries
    counts: FloatArray
    log_fair: FloatArray
    room: FloatArray
    error: FloatArray
    weight: FloatArray
    keep: str | None

    @classmethod
    def of(cls, entries: PriceEntries, tolerance: Tolerance, keep: str | None) -> _Search:
        rows = np.flatnonzero(entries.worth_taking)
        printed = entries.printed_costs[rows]
        room = np.array([np.log(tolerance.band(cost)[1] / cost) / 2 for cost in printed.tolist()])
        error = entries.draws[:, rows].std(axis=0)
        return cls(
            entries, entries.counts[rows], entries.anchored_log_fair[rows], room, error, room**2 / (room**2 + error**2),
            keep,
        )  # fmt: skip

    def losses(self, sums: FloatArray, of: BoolArray | None = None) -> FloatArray:
        """Return the loss of costs of all loadouts, or of those of a mask, `float64[w, ...]`, over the first axis."""
        own = self.log_fair, self.room, self.weight
        log_fair, room, weight = (
            (values if of is None else values[of]).reshape(-1, *(1,) * (sums.ndim - 1)) for values in own
        )
        beyond = np.maximum(np.abs(np.log(np.maximum(sums, 1e-9)) - log_fair) - room, 0.0)
        return np.asarray((weight * beyond**2).sum(axis=0))

    def power(self, changed: tuple[int, ...]) -> tuple[float, FloatArray] | None:
        """Return the power of all costs that explains most of the loss, and the costs of cards then, `float64[p]`.

        None where none does, where nobody is off for certain, or where changed costs of cards explain more.
        """
        printed = self.entries.card_printed
        before = float(self.losses(self.counts @ printed))
        off = np.abs(np.log(np.maximum(self.counts @ printed, 1e-9)) - self.log_fair)
        is_any_off = bool((off > 2 * self.room + SURE * self.error).any())
        if not is_any_off or len(set(printed.tolist())) < 3:
            return None
        costs = [self.raised(power, by_loadout) for by_loadout in (False, True) for power in POWERS.tolist()]
        sums = self.counts @ np.array(costs).T
        squares = self.squares(sums)
        best, by_cards = int(np.argmin(squares)), self.counts @ self.least_squares(changed, printed)[0]
        power, after = float(POWERS[best % len(POWERS)]), float(self.losses(sums[:, best]))
        allowed = self.squares(by_cards[:, None])[0] + PER_CHANGE * (len(changed) - 1)
        explains = after <= (1 - POWER_GAIN) * before and squares[best] <= allowed
        return (power, costs[best]) if explains and abs(power - 1) >= LEAST_POWER else None

    def squares(self, sums: FloatArray) -> FloatArray:
        """Return the squares of r of costs of loadouts, `float64[w, k]`, each beside what may explain it by chance."""
        off = np.log(np.maximum(sums, 1e-9)) - self.log_fair[:, None]
        chance = self.error**2 + (self.room / 4) ** 2
        return np.asarray((off**2 / chance[:, None]).sum(axis=0))

    def changes(self) -> tuple[int, ...]:
        """Return the cards that change, the largest gain first."""
        costs, changed = self.entries.card_printed.copy(), tuple[int, ...]()
        loss = float(self.losses(self.counts @ costs))
        while loss > 1e-9 and len(changed) < min(MOST_CHANGES, len(costs)):
            extension = self.extension(changed, costs)
            if extension is None:
                break
            card, after = extension
            changed, costs, loss = (*changed, card), after, float(self.losses(self.counts @ after))
        return changed

    def extension(self, changed: Sequence[int], costs: FloatArray) -> tuple[int, FloatArray] | None:
        """Return the further card whose change takes off most, and the costs then; None if none takes off enough."""
        before, best, least = float(self.losses(self.counts @ costs)), None, np.inf
        for card in range(len(costs)):
            holders = self.counts[:, card] > 0
            if card in changed or not self.leans(costs, holders):
                continue
            after = self.fitted((*changed, card), costs)
            loss = float(self.losses(self.counts @ after))
            own = float(self.losses(self.counts[holders] @ costs, holders))
            if loss < least and before - loss >= LEAST_GAIN * own > 0:
                best, least = (card, after), loss
        return best

    @property
    def share_off(self) -> float:
        """The share of loadouts that are off by more than the tolerance, by point value."""
        off = np.log(np.maximum(self.counts @ self.entries.card_printed, 1e-9)) - self.log_fair
        return float((np.abs(off) > 2 * self.room).mean())

    def leans(self, costs: FloatArray, holders: BoolArray) -> bool:
        """Return whether most loadouts with a card, `bool[w]`, are off to one side, by a quarter of the tolerance.

        A change of a card that half of them do not ask for would be paid by these.
        """
        off = np.log(np.maximum(self.counts[holders] @ costs, 1e-9)) - self.log_fair[holders]
        sides = [(sign * off > self.room[holders] / 2).mean() for sign in (1, -1)] if holders.any() else [0.0]
        return bool(max(sides) >= ONE_SIDE)

    def fitted(self, cards: Sequence[int], costs: FloatArray) -> FloatArray:
        """Return costs with those of `cards` at their best by the loss, one at a time until nothing gets better."""
        now = costs.copy()
        for _ in range(1 if len(cards) == 1 else 4):
            for card in cards[::-1]:
                tried, holders = (
                    self.tried[card],
                    self.counts[:, card] > 0,
                )  # what others lose, the card does not change
                held = self.counts[holders, card]
                rest = self.counts[holders] @ now - held * now[card]
                losses = self.losses(rest[:, None] + held[:, None] * tried, holders)
                flat = np.flatnonzero(losses <= losses.min() + 1e-12)
                now[card] = tried[flat[np.argmin(np.abs(tried[flat] - self.entries.card_printed[card]))]]
        return now

    @cached_property
    def tried(self) -> tuple[FloatArray, ...]:
        """The costs that are tried for each card, `float64[k]`: factors of its own.

        A card that is cheap beside its loadouts, or free, may be worth many times as much: of these factors, too.
        """
        return tuple(map(self._tried, range(len(self.entries.card_printed))))

    def _tried(self, card: int) -> FloatArray:
        printed, held = self.entries.card_printed[card], self.counts[:, card]
        shares = (self.counts @ self.entries.card_printed / np.maximum(held, 1))[held > 0]
        loadout = float(np.median(shares)) if len(shares) else 0.0
        costs = printed * FACTORS
        if costs[-1] < loadout:
            costs = np.concatenate([costs, printed + loadout * (FACTORS - 1)])
        return np.append(np.maximum(costs, 0.0), 0.0)

    def estimates(
        self, changed: tuple[int, ...], base: FloatArray, useless: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return what every card should cost, `float64[p]`, and the same under fresh noise, `float64[k, p]`.

        `base`, `float64[p]`, are the costs of cards that do not change.
        """
        costs, gain = self.least_squares(changed, base)
        rows = np.flatnonzero(self.entries.worth_taking)
        noise = np.concatenate([np.zeros((1, len(rows))), self.entries.draws[:, rows] - self.log_fair])
        mended: FloatArray = np.tile(costs, (len(noise), 1))
        mended[:, list(changed)] += noise @ gain.T
        result: FloatArray = mended.copy()
        for card in range(len(costs)):
            if card not in changed and self.counts[:, card].any():
                alone, alone_gain = self.least_squares((*changed, card), costs)
                result[:, card] = alone[card] + noise @ alone_gain[-1]
        result[:, useless] = self.below_nothing(costs, useless)
        if len(changed) > 1 or self.keep:  # to one change no other split is nearer
            kept = np.array([1.0 if self.keep in (None, table) else 0.0 for table in self.entries.tables])
            moved = settle_constant(self.entries, mended, kept, 0.0)
            result += np.asarray(moved - mended)
        return result[0], result[1:]

    def below_nothing(self, costs: FloatArray, useless: BoolArray) -> FloatArray:
        """Return at which cost, below nothing, the typical loadout with each useless card would be fair."""
        lacks = np.exp(self.entries.anchored_log_fair) - self.entries.counts @ costs
        holds = self.entries.counts > 0
        return np.array([costs[card] + np.median(lacks[holds[:, card]]) for card in np.flatnonzero(useless)])

    def raised(self, power: float, by_loadout: bool) -> FloatArray:
        """Return costs of cards such that they are raised to a power, or the sums of loadouts are.

        The typical loadout keeps its cost.
        """
        raised = self.entries.card_printed**power
        raised = raised * np.exp(np.median(self.log_fair - np.log(self.counts @ raised)))
        if not by_loadout:
            return np.asarray(raised)
        sums = (self.counts @ self.entries.card_printed) ** power
        shares = self.counts / (sums * np.exp(np.median(self.log_fair - np.log(sums))))[:, None]
        return np.asarray(raised + np.linalg.pinv(shares) @ (1 - shares @ raised))

    def least_squares(self, cards: Sequence[int], costs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return costs with those of `cards` at the least weighted squares of r, and their derivative, `[c, w]`."""
        now, places = costs.copy(), list(cards)
        gain: FloatArray = np.zeros((len(places), len(self.log_fair)))
        for _ in range(STEPS if places else 0):
            sums = np.maximum(self.counts @ now, 1e-9)
            slope = self.counts[:, places] / sums[:, None]
            gain = np.asarray(np.linalg.pinv(slope * np.sqrt(self.weight)[:, None]) * np.sqrt(self.weight))
            step = gain @ (self.log_fair - np.log(sums))
            most = np.maximum(now[places], sums.mean() / 10)  # a free card grows, too
            now[places] = np.maximum(now[places] + np.clip(step, -now[places] / 2, most), 1e-6)
            if float(np.abs(step).max()) < 1e-7:
                break
        return now, gain

    def one_sided(self, costs: FloatArray, changed: tuple[int, ...], base: FloatArray) -> BoolArray:
        """Return for each card whether its loadouts may be off to its side, most of them, if it is off."""
        mended = base.copy()
        mended[list(changed)] = costs[list(changed)]
        sides = np.zeros(len(costs), bool)
        for card in range(len(costs)):
            holders = self.counts[:, card] > 0
            sums = self.counts[holders] @ mended + self.counts[holders, card] * (base[card] - mended[card])
            off = np.log(np.maximum(sums, 1e-9)) - self.log_fair[holders]
            side = np.sign(base[card] - costs[card])
            agrees = side * off > self.room[holders] / 2 - SURE * self.error[holders]
            if abs(base[card] - costs[card]) <= 2 * self.room.min() * base[card]:  # it is not off: nor are these
                agrees = np.abs(off) <= 2 * self.room[holders] + SURE * self.error[holders]
            sides[card] = bool(holders.any()) and agrees.mean() >= ONE_SIDE
        return sides

"""Costs of cards whose sums come nearest to the fair costs of loadouts, and what no sum can reach.

A loadout costs what its cards cost together, so costs of cards are fitted: the sum of squares of (sum / fair cost - 1)
over distinct loadouts is least, and no card costs less than is legal. Adding t to every unit and taking t from every
weapon changes no loadout: that *free constant* is found as the null space of the design, whatever the tables, and is
settled by a *rule*: by default the printed costs change least in sum, so that most cards keep theirs; or the designer
says which table keeps its costs in the middle (the median change of its cards is 0). Unless the designer says so, both
ends of the range in which every cost stays legal are kept as well, since a verdict on a card counts only if neither
changes it.

The noise of simulation goes through the linear map of the fit, and through the choice of the constant anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.entries import PriceEntries
from balance.base.arrays import BoolArray, FloatArray
from balance.base.errors import UsageError, comma_list

LEAST_CHANGE = "least change"
"""The rule by which the printed costs change least in sum."""


@dataclass(frozen=True)
class FreeConstant:
    """One direction in which costs of cards are free; t is 0 where costs are as proposed.

    `steps`: card -> what t = 1 adds to it. `low` and `high`: the range of t in points in which every cost stays legal;
    infinite where nothing ends it. `by_rule`: rule -> its t. Where there are several directions, the nearest along this
    one. `sentence`: the same in plain English.
    """

    steps: dict[str, float]
    low: float
    high: float
    by_rule: dict[str, float]
    sentence: str


@dataclass(frozen=True)
class CardCosts:
    """Additive costs of the p distinct cards of m distinct loadouts.

    * `rule`: what settles the free constant: "least change" or a table.
    * `by_rule`: rule -> costs `float64[p]`, the rule in force first, then the ends of what is free, such as "weapons at
      their cheapest"; only the designer's own rule where there is one.
    * `draws`: rule -> costs under fresh noise of simulation, `float64[k, p]`.
    * `constants`: the directions in which costs are free; none where loadouts fix every card.
    * `sums`: `float64[m]`: what loadouts would cost; the same by every rule.
    * `unfair`: `float64[m]`: log(sum / fair cost), above 0 where the loadout would be too dear.
    * `rms` and `rms_noise`: root mean square of `unfair` less what noise adds to it (the unfairness that no additive
      cost can remove), and that part of the noise.
    """

    entries: PriceEntries
    rule: str
    by_rule: dict[str, FloatArray]
    draws: dict[str, FloatArray]
    constants: tuple[FreeConstant, ...]
    sums: FloatArray
    unfair: FloatArray
    rms: float
    rms_noise: float

    @property
    def costs(self) -> FloatArray:
        """Return the costs by the rule in force, in points, `float64[p]`."""
        return self.by_rule[self.rule]


def fit_card_costs(entries: PriceEntries, keep: str | None = None, min_cost: float = 1.0) -> CardCosts:
    """Fit costs of cards to the fair costs of loadouts.

    `keep` names the table whose cards keep their costs in the middle; by default all costs change least. `min_cost` is
    the least legal cost of a card; where one costs less already, that; a loadout of one card has its fair cost, however
    small. Raise UsageError where `keep` is no table of these cards, or `min_cost` is not a number.
    """
    rule = _rule(entries, keep)
    if not np.isfinite(min_cost):
        raise UsageError(f"the least legal cost of a card is a number, found {min_cost}")
    shares_cost = bool((entries.counts.sum(axis=1) > 1).any())
    min_cost = min(min_cost, float(entries.card_printed.min())) if shares_cost else 0.0
    relative = entries.counts / np.exp(entries.anchored_log_fair)[:, None]
    cost, jacobian = _fit(relative, min_cost, entries)
    deviations = entries.draws - entries.anchored_log_fair
    cost_rows = cost + np.concatenate([np.zeros((1, len(entries.printed_costs))), deviations]) @ jacobian.T
    rows_by_rule = {rule: settle_constant(entries, cost_rows, _weights(entries, rule), min_cost)}
    if rule == LEAST_CHANGE:
        rows_by_rule |= _ends(entries, rows_by_rule[rule], min_cost)
    by_rule = {rule: rows[0] for rule, rows in rows_by_rule.items()}
    sums = entries.counts @ cost
    unfair = np.log(np.maximum(sums, 1e-12)) - entries.anchored_log_fair
    slope = (entries.counts @ jacobian) / np.maximum(sums, 1e-12)[:, None] - np.eye(len(sums))
    noise = float(np.mean(((deviations - deviations.mean(0)) @ slope.T).var(axis=0)))
    return CardCosts(
        entries,
        rule,
        by_rule,
        {rule: rows[1:] for rule, rows in rows_by_rule.items()},
        free_constants(entries, by_rule, rule, min_cost),
        sums,
        unfair,
        float(np.sqrt(max(float(np.mean(unfair**2)) - noise, 0.0))),
        float(np.sqrt(noise)),
    )


def unfairness(entries: PriceEntries, costs: FloatArray) -> float:
    """Return the root mean square of log(sum / fair cost) over distinct loadouts, of costs of cards `float64[p]`."""
    off = np.log(np.maximum(entries.counts @ costs, 1e-12)) - entries.anchored_log_fair
    return float(np.sqrt(np.mean(off**2)))


def check_kept(tables: Iterable[str], keep: str | None) -> list[str]:
    """Return the tables of cards, each once; raise UsageError where `keep` is none of them."""
    names = sorted(set(tables))
    if keep is not None and keep not in names:
        raise UsageError(f"no card stands in the table {keep!r}", f"allowed: {comma_list(names)}")
    return names


def _rule(entries: PriceEntries, keep: str | None) -> str:
    """Return the rule for the free constant; a table's only card keeps its cost. Raise UsageError for no table."""
    tables = check_kept(entries.tables, keep)
    sizes = {table: len({card for card, at in zip(entries.cards, entries.card_of, strict=True)
                         if entries.tables[at] == table}) for table in tables}  # fmt: skip
    only = [table for table, size in sizes.items() if size == 1]
    if keep is None and len(tables) > 1 and only:
        return only[0]
    return LEAST_CHANGE if keep is None else keep


def _weights(entries: PriceEntries, rule: str) -> FloatArray:
    """Return how much each card's change counts in a rule, `float64[p]`: 1, or 0 in tables that may move freely."""
    return np.array([1.0 if rule in (LEAST_CHANGE, table) else 0.0 for table in entries.tables])


def _fit(relative: FloatArray, min_cost: float, entries: PriceEntries) -> tuple[FloatArray, FloatArray]:
    """Return the best legal costs `[p]` (one of many) and their derivative by the log fair costs `[p, m]`.

    Where sum / fair cost - 1 is r, the derivative is pinv(A) (1 + 2 r), A the rows of counts / fair cost of the cards
    that are not held at the least legal cost.
    """
    target = np.ones(len(relative))
    cost = np.asarray(np.linalg.lstsq(relative, target, rcond=None)[0], np.float64)
    legal = settle_constant(entries, cost[None, :], np.ones(len(cost)), min_cost)[0]
    free = np.ones(len(cost), bool)
    if legal.min() < min_cost - 1e-9 * max(1.0, float(np.abs(cost).max())):
        from scipy.optimize import lsq_linear  # takes most of a second to load, and is seldom needed

        cost = np.maximum(lsq_linear(relative, target, (min_cost, np.inf), method="bvls", tol=1e-13).x, min_cost)
        free = cost > min_cost + 1e-9 * max(1.0, float(np.abs(cost).max()))
    jacobian = np.zeros((len(cost), len(relative)))
    jacobian[free] = np.linalg.pinv(relative[:, free]) * (1 + 2 * (relative @ cost - 1))
    return cost, jacobian


# -- the free constant --


def free_directions(entries: PriceEntries) -> list[FloatArray]:
    """Return the null space of the counts by connected component of cards: arrays `float64[p, q]`, q at least 1.

    A single direction has its largest step 1 and adds to the first table that it moves.
    """
    together = entries.counts.T @ entries.counts
    company, directions = _companies(together > 0), []
    for number in np.unique(company):
        cards = np.flatnonzero(company == number)
        values, vectors = np.linalg.eigh(together[np.ix_(cards, cards)])
        free = vectors[:, values < 1e-9 * values.max()]
        if free.size:
            basis = np.zeros((len(company), free.shape[1]))
            basis[cards] = free
            directions.append(_in_steps(basis, entries.tables))
    return directions


def _companies(together: BoolArray) -> npt.NDArray[np.int64]:
    """Return the first card of each card's connected component, `int64[p]`.

    `together`, `bool[p, p]`, says which cards share a loadout.

    >>> _companies(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool)).tolist()
    [0, 1, 0]
    """
    p = len(together)
    first, before = np.arange(p), np.full(p, -1)
    while (first != before).any():
        before = first
        first = np.minimum(first, np.where(together, first, p).min(axis=1))
    return first


def _in_steps(basis: FloatArray, tables: tuple[str, ...]) -> FloatArray:
    """Return a basis scaled to a largest step of 1, with the sign that is positive where the first table moves."""
    steps = np.round(basis / np.abs(basis).max(axis=0), 12)
    first = [min(np.flatnonzero(column), key=lambda card: (tables[card], card)) for column in steps.T]
    return np.asarray(steps * np.sign(steps[first, np.arange(steps.shape[1])]))


def settle_constant(entries: PriceEntries, costs: FloatArray, weights: FloatArray, min_cost: float) -> FloatArray:
    """Return costs `[k, p]` moved along the free directions to where the cards that count keep their printed costs.

    `costs` is `float64[k, p]` in points, and `weights` `float64[p]`: the weighted sum of absolute changes is least, the
    middle of the ends where it is so in a range; costs stay at `min_cost` or more where they can. Several directions at
    once are settled in the first row; the others keep the same cards.
    """
    moved_costs = costs
    for basis in free_directions(entries):
        if basis.shape[1] == 1:
            moved_costs = (
                moved_costs + _median_step(moved_costs, basis[:, 0], entries, weights, min_cost)[:, None] * basis[:, 0]
            )
        else:
            moved_costs = moved_costs + _program_steps(moved_costs, basis, entries, weights, min_cost) @ basis.T
    return moved_costs


def _ends(entries: PriceEntries, costs: FloatArray, min_cost: float) -> dict[str, FloatArray]:
    """Return costs `[k, p]` at both ends of every free direction, by the name of the end."""
    ends: dict[str, FloatArray] = {}
    steps = [step for basis in free_directions(entries) for step in basis.T]
    for number, step in enumerate(steps):
        low, high = _legal(costs, step, min_cost)
        of = f" of {number + 1}" if len(steps) > 1 else ""
        table = entries.tables[int(np.argmax(np.round(step, 9)))] or "cards"
        for name, by in (("cheapest", np.minimum(low, 0.0)), ("dearest", np.maximum(high, 0.0))):
            ends[f"{table} at their {name}{of}"] = costs + np.where(np.isfinite(by), by, 0.0)[:, None] * step
    return ends


def _median_step(
    costs: FloatArray, step: FloatArray, entries: PriceEntries, weights: FloatArray, min_cost: float
) -> FloatArray:
    """Return t `[k]`: the weighted median of (printed cost - cost) / step over cards, within what is legal."""
    weight = np.abs(step) * weights
    if not weight.any():
        weight = np.abs(step)
    cards = np.flatnonzero(weight)
    ratios = (entries.card_printed[cards] - costs[:, cards]) / step[cards]
    order = np.argsort(ratios, axis=1)
    below = np.cumsum(weight[cards][order], axis=1) / weight.sum() - 0.5
    ends = [np.argmax(below >= -1e-9, axis=1), np.argmax(below > 1e-9, axis=1)]
    middle = sum(np.take_along_axis(ratios, np.take_along_axis(order, end[:, None], 1), 1)[:, 0] for end in ends) / 2
    low, high = _legal(costs, step, min_cost)
    return np.asarray(np.where(low <= high, np.clip(middle, low, np.maximum(low, high)), (low + high) / 2))


def _legal(costs: FloatArray, step: FloatArray, min_cost: float) -> tuple[FloatArray, FloatArray]:
    """Return the ends `[k]` of the steps that leave every cost legal, low above high where there is none."""
    room = min_cost - costs
    low = np.max(room[:, step > 0] / step[step > 0], axis=1, initial=-np.inf)
    return low, np.min(room[:, step < 0] / step[step < 0], axis=1, initial=np.inf)


def _program_steps(
    costs: FloatArray, basis: FloatArray, entries: PriceEntries, weights: FloatArray, min_cost: float
) -> FloatArray:
    """Return steps `[k, q]`: a linear program for the first row; the others keep the same cards at their prices."""
    from scipy.linalg import qr
    from scipy.optimize import linprog

    moves = np.flatnonzero(np.abs(basis).max(axis=1) > 0)
    part, lacks = basis[moves], (entries.card_printed - costs)[:, moves]
    q, m = part.shape[1], len(moves)
    eye, price = np.eye(m), np.concatenate([np.zeros(q), np.maximum(weights[moves], 1e-3)])
    above = np.block([[part, -eye], [-part, -eye], [-part, np.zeros((m, m))]])
    room = costs[0, moves] - min_cost
    limits = np.concatenate([lacks[0], -lacks[0], room])
    solution = linprog(price, above, limits, bounds=(None, None))
    if solution.status != 0:  # nothing is legal: as if everything were
        solution = linprog(price, above[: 2 * m], limits[: 2 * m], bounds=(None, None))
    steps = np.asarray(solution.x, np.float64)[:q]
    off = np.minimum(np.abs(part @ steps - lacks[0]), np.abs(part @ steps + room))
    fixed = np.flatnonzero(off < 1e-6 * max(1.0, float(np.abs(lacks[0]).max())))
    anchors = fixed[qr(part[fixed].T, pivoting=True)[2][:q]] if len(fixed) >= q else fixed
    deviations = (costs[0, moves] - costs[:, moves])[:, anchors]
    return np.asarray(steps + deviations @ np.linalg.pinv(part[anchors]).T)


def free_constants(
    entries: PriceEntries, by_rule: Mapping[str, FloatArray], rule: str, min_cost: float
) -> tuple[FreeConstant, ...]:
    """Return every free direction with its legal range and the t of each rule, relative to the rule in force.

    `by_rule` is rule -> costs of the cards by it, `float64[p]`; a cost below `min_cost` is not legal.
    """
    constants = []
    for basis in free_directions(entries):
        for step in basis.T:
            low, high = (round(float(end[0]), 9) + 0.0 for end in _legal(by_rule[rule][None, :], step, min_cost))
            at = {name: float(step @ (costs - by_rule[rule]) / (step @ step)) for name, costs in by_rule.items()}
            steps = dict(zip(entries.cards, step[entries.card_of].tolist(), strict=True))
            sentence = _sentence(entries, step, (min(low, 0.0), max(high, 0.0)))
            constants.append(FreeConstant({name: by for name, by in steps.items() if by}, low, high, at, sentence))
    return tuple(constants)


def _sentence(entries: PriceEntries, step: FloatArray, ends: tuple[float, float]) -> str:
    """Return in plain English what a direction does to tables and how far it may go."""
    tables = {table: {float(by) for by, name in zip(step, entries.tables, strict=True) if name == table} for table in
              sorted(set(entries.tables))}  # fmt: skip
    step_of_table = {table: steps.pop() for table, steps in tables.items() if len(steps) == 1 and steps != {0.0}}
    whole = all(not steps for table, steps in tables.items() if steps != {0.0})
    if whole and set(step_of_table.values()) == {1.0, -1.0}:
        ups = " and of ".join(table for table, by in step_of_table.items() if by > 0)
        downs = " and of ".join(table for table, by in step_of_table.items() if by < 0)
        does = f"adding t to every card of {ups} and taking t from every card of {downs} changes no loadout"
    else:
        does = f"adding t times its step to each of {int((step != 0).sum())} cards changes no loadout"
    return f"{does}; every cost stays legal for t from {ends[0]:.3g} to {ends[1]:.3g} points beside the costs proposed"

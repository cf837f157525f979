"""What may be added to some cards and taken from others without changing what any loadout costs.

Where each loadout is one unit and one weapon, t added to every unit and taken from every weapon changes nothing; three
tables leave two such directions, loadouts that share no card leave one for each company. They are the null space of the
counts, company by company. One direction is settled by a weighted median, several by a linear program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.entries import PriceEntries

__all__ = ["LEAST_CHANGE", "FreeConstant", "free_constants", "free_directions", "settle_constant"]

FloatArray = npt.NDArray[np.float64]
LEAST_CHANGE = "least change"
"""The rule by which the printed costs change least in sum."""


@dataclass(frozen=True)
class FreeConstant:
    """One direction in which costs of cards are free; t is 0 where costs are as proposed.

    Attributes
    ----------
    steps
        Card -> what t = 1 adds to it.
    low, high
        The range of t in points in which every cost stays legal; infinite where nothing ends it.
    by_rule
        Rule -> its t. Where there are several directions, the nearest along this one.
    sentence
        The same in plain English.
    """

    steps: dict[str, float]
    low: float
    high: float
    by_rule: dict[str, float]
    sentence: str


def free_directions(entries: PriceEntries) -> list[FloatArray]:
    """Return the null space of the counts, company by company: arrays `float64[p, q]`, q at least 1.

    A single direction has its largest step 1 and adds to the first table that it moves.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    together = entries.counts.T @ entries.counts
    _, company = connected_components(csr_array(together), directed=False)
    found = []
    for number in np.unique(company):
        cards = np.flatnonzero(company == number)
        values, vectors = np.linalg.eigh(together[np.ix_(cards, cards)])
        free = vectors[:, values < 1e-9 * values.max()]
        if free.size:
            basis = np.zeros((len(company), free.shape[1]))
            basis[cards] = free
            found.append(_in_steps(basis, entries.tables))
    return found


def _in_steps(basis: FloatArray, tables: tuple[str, ...]) -> FloatArray:
    """Return a basis with largest step 1, positive where the first table moves."""
    scaled = np.round(basis / np.abs(basis).max(axis=0), 12)
    first = [min(np.flatnonzero(column), key=lambda card: (tables[card], card)) for column in scaled.T]
    return np.asarray(scaled * np.sign(scaled[first, np.arange(scaled.shape[1])]))


def settle_constant(entries: PriceEntries, costs: FloatArray, weights: FloatArray, least: float) -> FloatArray:
    """Return costs `[k, p]` moved along the free directions to where the cards that count keep their printed costs.

    The weighted sum of absolute changes is least, the middle of the ends where it is so in a range; costs stay legal
    where they can. Several directions at once are settled in the first row; the others keep the same cards.
    """
    settled = costs
    for basis in free_directions(entries):
        if basis.shape[1] == 1:
            settled = settled + _median_step(settled, basis[:, 0], entries, weights, least)[:, None] * basis[:, 0]
        else:
            settled = settled + _program_steps(settled, basis, entries, weights, least) @ basis.T
    return settled


def _median_step(
    costs: FloatArray, step: FloatArray, entries: PriceEntries, weights: FloatArray, least: float
) -> FloatArray:
    """Return t `[k]`: the weighted median of what each card lacks of its printed cost, within what is legal."""
    weight = np.abs(step) * weights
    if not weight.any():
        weight = np.abs(step)
    counted = np.flatnonzero(weight)
    wanted = (entries.card_printed[counted] - costs[:, counted]) / step[counted]
    order = np.argsort(wanted, axis=1)
    below = np.cumsum(weight[counted][order], axis=1) / weight.sum() - 0.5
    ends = [np.argmax(below >= -1e-9, axis=1), np.argmax(below > 1e-9, axis=1)]
    middle = sum(np.take_along_axis(wanted, np.take_along_axis(order, end[:, None], 1), 1)[:, 0] for end in ends) / 2
    low, high = _legal(costs, step, least)
    return np.asarray(np.where(low <= high, np.clip(middle, low, np.maximum(low, high)), (low + high) / 2))


def _legal(costs: FloatArray, step: FloatArray, least: float) -> tuple[FloatArray, FloatArray]:
    """Return the ends `[k]` of the steps that leave every cost legal, low above high where there is none."""
    room = least - costs
    low = np.max(room[:, step > 0] / step[step > 0], axis=1, initial=-np.inf)
    return low, np.min(room[:, step < 0] / step[step < 0], axis=1, initial=np.inf)


def _program_steps(
    costs: FloatArray, basis: FloatArray, entries: PriceEntries, weights: FloatArray, least: float
) -> FloatArray:
    """Return steps `[k, q]`: a linear program for the first row, and those that keep the same cards for the others."""
    from scipy.linalg import qr
    from scipy.optimize import linprog

    moves = np.flatnonzero(np.abs(basis).max(axis=1) > 0)
    part, lacks = basis[moves], (entries.card_printed - costs)[:, moves]
    q, m = part.shape[1], len(moves)
    eye, price = np.eye(m), np.concatenate([np.zeros(q), np.maximum(weights[moves], 1e-3)])
    above = np.block([[part, -eye], [-part, -eye], [-part, np.zeros((m, m))]])
    room = costs[0, moves] - least
    limits = np.concatenate([lacks[0], -lacks[0], room])
    found = linprog(price, above, limits, bounds=(None, None))
    if found.status != 0:  # nothing is legal: as if everything were
        found = linprog(price, above[: 2 * m], limits[: 2 * m], bounds=(None, None))
    steps = np.asarray(found.x, np.float64)[:q]
    off = np.minimum(np.abs(part @ steps - lacks[0]), np.abs(part @ steps + room))
    fixed = np.flatnonzero(off < 1e-6 * max(1.0, float(np.abs(lacks[0]).max())))
    chosen = fixed[qr(part[fixed].T, pivoting=True)[2][:q]] if len(fixed) >= q else fixed
    moved = (costs[0, moves] - costs[:, moves])[:, chosen]
    return np.asarray(steps + moved @ np.linalg.pinv(part[chosen]).T)


def free_constants(
    entries: PriceEntries, by_rule: Mapping[str, FloatArray], rule: str, least: float
) -> tuple[FreeConstant, ...]:
    """Return every free direction with its legal range and where each rule lies, seen from the rule in force."""
    found = []
    for basis in free_directions(entries):
        for step in basis.T:
            low, high = (float(end[0]) + 0.0 for end in _legal(by_rule[rule][None, :], step, least))
            at = {name: float(step @ (costs - by_rule[rule]) / (step @ step)) for name, costs in by_rule.items()}
            steps = dict(zip(entries.cards, step[entries.card_of].tolist(), strict=True))
            told = _sentence(entries, step, (min(low, 0.0), max(high, 0.0)))
            found.append(FreeConstant({name: by for name, by in steps.items() if by}, low, high, at, told))
    return tuple(found)


def _sentence(entries: PriceEntries, step: FloatArray, ends: tuple[float, float]) -> str:
    """Return what the direction does to tables and how far it may go."""
    tables = {table: {float(by) for by, name in zip(step, entries.tables, strict=True) if name == table} for table in
              sorted(set(entries.tables))}  # fmt: skip
    moved = {table: steps.pop() for table, steps in tables.items() if len(steps) == 1 and steps != {0.0}}
    whole = all(not steps for table, steps in tables.items() if steps != {0.0})
    if whole and set(moved.values()) == {1.0, -1.0}:
        ups = " and of ".join(table for table, by in moved.items() if by > 0)
        downs = " and of ".join(table for table, by in moved.items() if by < 0)
        does = f"adding t to every card of {ups} and taking t from every card of {downs} changes no loadout"
    else:
        does = f"adding t times its step to each of {int((step != 0).sum())} cards changes no loadout"
    return f"{does}; every cost stays legal for t from {ends[0]:.3g} to {ends[1]:.3g} points beside the costs proposed"

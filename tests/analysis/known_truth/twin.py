"""Armies of equal points at the true costs, drawn here by plain Python: whoever they are made of, they score one half.

Half of the battles are between armies of one member each, half between mixed ones, both sides at one budget. Costs are
fair where E[(y - 1/2) d_l] is 0 for every member l, with y what the first army scores and d_l the share of its points
that it spends on l less that of the other. A cost too low by a small part e moves this by e kappa E[d_l^2], where kappa
is what a budget larger by 1 in the log is worth: both are measured here, so that e follows without any fit.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import FloatArray
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from tests.analysis.known_truth.catalogues import Catalogue

MORE = 1.1
"""How many times as large the budget of the first army is, to measure what a budget is worth."""
EQUAL, TRIES = 0.02, 200
"""By how much the points of a mixed army may miss the budget, and how often one is drawn to come so near."""


@dataclass(frozen=True)
class Balance:
    """By how much each cost is too low for armies of equal points to score one half: parts of it, and their errors."""

    too_low: FloatArray
    errors: FloatArray


def mixed_army(costs: Sequence[float], points: float, limit: int, luck: random.Random) -> list[int]:
    """Return the places of random units that cost so many points, to `EQUAL`, or as nearly as any of `TRIES` armies."""
    armies = []
    for _ in range(TRIES):
        army, left = list[int](), points
        while left > 0 and len(army) < limit:
            army.append(luck.randrange(len(costs)))
            left -= costs[army[-1]]
        armies.append((abs(left), army))
        if abs(left) <= EQUAL * points:
            return army
    return min(armies)[1]


def one_army(
    costs: Sequence[float], points: float, limit: int, is_mixed: bool, luck: random.Random
) -> tuple[list[int], list[float]]:
    """Return the places of an army's units, and which share of its points each member has."""
    member = luck.randrange(len(costs))
    army = [member] * max(int(points / costs[member] + luck.random()), 1)
    if is_mixed:
        army = mixed_army(costs, points, limit, luck)
    spent = [0.0] * len(costs)
    for member in army:
        spent[member] += costs[member]
    return army, [cost / sum(spent) for cost in spent]


def battles(
    whole: Catalogue, loadout_costs: Mapping[str, float], n: int, seed: int, more: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return what the first army scores in n battles less one half, `float64[n]`, and d_l, `float64[n, m]`."""
    names, luck = list(whole.loadouts), random.Random(f"{seed}/{more}")
    costs = [loadout_costs[name] for name in names]
    budgets = [tuple(map(float, part.split(":"))) for part in whole.budget.split(",")]
    armies: list[tuple[list[int], list[int]]] = []
    shares, limits = [], []
    for number in range(n):
        points, units = budgets[number % len(budgets)]
        limit = max(int(units + luck.random()), 2)
        is_mixed = luck.random() < 0.5
        (a, share_a), (b, share_b) = (one_army(costs, points * part, limit, is_mixed, luck) for part in (more, 1.0))
        armies.append((a, b))
        shares.append(np.subtract(share_a, share_b))
        limits.append(limit)
    width = max(len(army) for pair in armies for army in pair)
    first, second = (
        np.array([pair[side] + [-1] * (width - len(pair[side])) for pair in armies], np.int16) for side in range(2)
    )
    loaded = whole.open(whole.card_costs(whole.fair))
    arena = loaded.arena(whole.kind, names, whole.settings)
    process = arena.process(first, second, np.array(limits, np.int16))
    winner = simulate(process, RandomRolls(seed, f"tests/twin/{more}", 0, n), in_order=True)["winner"]
    return np.choose(np.asarray(winner), [0.0, 0.5, -0.5]), np.array(shares)


def balance_of(whole: Catalogue, loadout_costs: Mapping[str, float], n: int, seed: int = 0) -> Balance:
    """Return by how much each cost is too low, from n battles at equal points and n at unequal budgets."""
    score, shares = battles(whole, loadout_costs, n, seed)
    score -= score.mean()  # who goes first
    larger, equal = battles(whole, loadout_costs, n, seed, MORE)[0], battles(whole, loadout_costs, n, seed + 1)[0]
    kappa = (larger.mean() - equal.mean()) / np.log(MORE)
    response = kappa * (shares**2).mean(axis=0)
    products = score[:, None] * shares
    too_low, errors = products.mean(axis=0) / response, products.std(axis=0) / n**0.5 / response
    return Balance(too_low - too_low.mean(), errors)

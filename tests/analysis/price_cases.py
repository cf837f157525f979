"""Catalogues of planted prices for the tests of fair costs of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.entries import Card, PriceEntries, price_entries
from balance.base.arrays import FloatArray


@dataclass(frozen=True)
class Found:
    """Fair costs as simulation would find them."""

    entrants: tuple[str, ...]
    printed_costs: FloatArray
    log_fair: FloatArray
    covariance: FloatArray
    fighters: npt.NDArray[np.int64]

    def rows(self, chosen: Sequence[int]) -> Found:
        """Return some rows, in this order."""
        at = np.array(chosen)
        return Found(
            tuple(self.entrants[row] for row in chosen),
            self.printed_costs[at],
            self.log_fair[at],
            self.covariance[np.ix_(at, at)],
            self.fighters[at],
        )


@dataclass(frozen=True)
class Case:
    """Loadouts with fair costs, what they are made of, and cards."""

    found: Found
    parts: tuple[tuple[str, ...], ...]
    cards: Mapping[str, Card]

    def entries(self) -> PriceEntries:
        return price_entries(self.found, self.parts, self.cards)

    def rows(self, chosen: Sequence[int]) -> Case:
        return replace(self, found=self.found.rows(chosen), parts=tuple(self.parts[row] for row in chosen))

    def printed(self, costs: Mapping[str, float]) -> Case:
        """Return the case with other printed costs of some cards."""
        cards = {name: replace(card, cost=costs.get(name, card.cost)) for name, card in self.cards.items()}
        total = np.array([sum(cards[part].cost for part in one) for one in self.parts])
        return replace(self, found=replace(self.found, printed_costs=total), cards=cards)

    def renamed(self, new: Mapping[str, str]) -> Case:
        parts = tuple(tuple(new[part] for part in one) for one in self.parts)
        found = replace(self.found, entrants=tuple("+".join(one) for one in parts))
        return Case(found, parts, {new[name]: card for name, card in self.cards.items()})

    def with_copy(self, card: str, copy: str, cost: float | None = None) -> Case:
        """Return the case with a copy of a card in all its loadouts, at another cost if one is given."""
        rows = [row for row, one in enumerate(self.parts) if card in one]
        found = self.found.rows([*range(len(self.parts)), *rows])
        parts = (*self.parts, *(tuple(copy if part == card else part for part in self.parts[row]) for row in rows))
        cards = {**self.cards, copy: self.cards[card]}
        case = Case(replace(found, entrants=tuple("+".join(one) for one in parts)), parts, cards)
        return case.printed({copy: self.cards[card].cost if cost is None else cost})


def sums(units: Mapping[str, float], weapons: Mapping[str, float]) -> FloatArray:
    """Return what every unit costs with every weapon, `float64[units, weapons]`."""
    return np.asarray(np.add.outer(list(units.values()), list(weapons.values())))


def measured(case: Case, noise: float, seed: int = 1) -> Case:
    """Return a case as it is measured with independent noise of each loadout."""
    m = len(case.parts)
    off = np.random.default_rng(seed).normal(0, noise, m)
    return replace(case, found=replace(case.found, log_fair=case.found.log_fair + off, covariance=np.eye(m) * noise**2))


def grid(
    units: Mapping[str, float],
    weapons: Mapping[str, float],
    fair: FloatArray | None = None,
    noise: float = 0.0,
    skipped: Sequence[str] = (),
) -> Case:
    """Return every unit with every weapon; fair costs `float64[units, weapons]` are what is printed by default."""
    cards = {name: Card("units", cost) for name, cost in units.items()}
    cards |= {name: Card("weapons", cost) for name, cost in weapons.items()}
    pairs = [(unit, weapon) for unit in units for weapon in weapons]
    printed = np.array([units[unit] + weapons[weapon] for unit, weapon in pairs])
    found = Found(
        tuple(map("+".join, pairs)),
        printed,
        np.log(printed if fair is None else fair.ravel()),
        np.eye(len(pairs)) * noise**2,
        np.arange(len(pairs)),
    )
    case = Case(found, tuple(pairs), cards)
    return case.rows([row for row, name in enumerate(found.entrants) if name not in skipped])


def random_case(
    seed: int, error: float = 0.15, noise: float = 0.03, rough: float = 0.0, *, measured: bool = True
) -> Case:
    """Return 6 units with 5 weapons of fair additive costs, printed off by an error of each card, measured with noise.

    `rough` is the error that makes each loadout more or less than its cards. The noise of loadouts is correlated;
    without it (`measured` false) the fair costs are the true ones, exactly.
    """
    n_units, n_weapons = 6, 5
    rng = np.random.default_rng(seed)
    true = (rng.uniform(8, 40, n_units), rng.uniform(4, 25, n_weapons))
    fair = true[0][:, None] + true[1]
    wrong = [cost * np.exp(rng.normal(0, error, len(cost))) for cost in true]
    case = grid(
        {f"u{place}": float(cost) for place, cost in enumerate(wrong[0])},
        {f"w{place}": float(cost) for place, cost in enumerate(wrong[1])},
        fair * np.exp(rng.normal(0, rough, fair.shape)) if rough else fair,
        noise if measured else 0.0,
    )
    if not measured:
        return case
    load = rng.normal(0, noise, (len(case.parts), 3))
    covariance = case.found.covariance + load @ load.T
    off = rng.multivariate_normal(np.zeros(len(load)), covariance)
    return replace(case, found=replace(case.found, log_fair=case.found.log_fair + off, covariance=covariance))


def three_tables(seed: int) -> Case:
    """Return every unit with every weapon and every talent."""
    rng = np.random.default_rng(seed)
    tables = {"units": "abc", "weapons": "xyz", "talents": "pqrs"}
    cards = {name: Card(table, float(rng.integers(3, 20))) for table, names in tables.items() for name in names}
    parts = tuple((u, w, t) for u in "abc" for w in "xyz" for t in "pqrs")
    printed = np.array([sum(cards[part].cost for part in one) for one in parts])
    log_fair = np.log(printed) + rng.normal(0, 0.1, len(parts))
    return Case(Found(tuple(map("+".join, parts)), printed, log_fair, np.zeros((36, 36)), np.arange(36)), parts, cards)

"""Fair costs with noise of a known size in place of battles: what is said of them, in hundreds of runs in seconds.

The rule of decision alone is asked: loadouts and cards as Warforged has them, or a small catalogue, with true costs
that are what is printed but for what is planted, and errors as battles leave them (`ERRORS`). Beside it stands a twin
of the rule over several settings, in numbers of its own: a word is firm where the point values of all settings lie on
one side, or where the ends of simultaneous intervals do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.fewest_costs import fewest_costs
from balance.analysis.prices.verdicts import PriceVerdicts, price_verdicts
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.arrays import FloatArray, IntArray
from balance.game.loaded import load
from tests.analysis.known_truth.cases import TOLERANCE

ERRORS = {"warforged": 0.033, "few": 0.009}
"""Standard errors of log fair costs at the usual number of battles, as measured: of 89 loadouts, and of 8."""
OFF = ("too dear", "too cheap")
SIMULTANEOUS = 3.05
"""Standard errors that the largest of 22 keeps within in 95 % of runs."""


@dataclass(frozen=True)
class Noisy:
    """Fair costs of n loadouts as battles would find them: true ones with noise (see `FairLoadouts`)."""

    entrants: tuple[str, ...]
    printed_costs: FloatArray
    log_fair: FloatArray
    covariance: FloatArray
    fighters: IntArray


@dataclass(frozen=True)
class Shape:
    """Loadouts by their cards, and the true cost of each card with its table."""

    name: str
    parts: Sequence[tuple[str, ...]]
    cards: Mapping[str, Card]

    def log_sums(self, costs: Mapping[str, float]) -> FloatArray:
        """Return the logs of what loadouts cost."""
        return np.log([sum(costs[part] for part in own) for own in self.parts])


@dataclass(frozen=True)
class Words:
    """What is said of loadouts and of cards in one run, and what is true: log(printed / true cost) of loadouts."""

    verdicts: PriceVerdicts
    off: Mapping[str, float]
    planted: Mapping[str, str] = field(default_factory=dict)

    @property
    def false(self) -> set[str]:
        """Firm words that are not so: of loadouts, and of cards that are off and not planted so."""
        band = {True: -np.log(1 - TOLERANCE), False: np.log(1 + TOLERANCE)}
        names = set[str]()
        for name, price in self.verdicts.loadouts.items():
            beyond = abs(self.off[name]) > band[self.off[name] > 0]
            word = OFF[0] if self.off[name] > 0 else OFF[1]
            if (price.verdict in OFF and not (beyond and price.verdict == word)) or (
                price.verdict == "fair" and beyond
            ):
                names.add(name)
        return names | {
            name for name, price in self.verdicts.cards.items()
            if price.verdict in OFF and self.planted.get(name) != price.verdict
        }  # fmt: skip


def warforged() -> Shape:
    """Return Warforged's loadouts and cards, at ten times their costs."""
    game = load("warforged")
    parts = [tuple(name.split("+")) for name in game.members_of("lineup")]
    cards: dict[str, Card] = {}
    for table in ("units", "weapons"):
        entries: Mapping[str, Any] = game.catalogue.tables[table]
        cards |= {card: Card(table, 10.0 * entry.cost_points) for card, entry in entries.items()}
    return Shape("warforged", parts, {card: cards[card] for own in parts for card in own})


def few(m: int = 8) -> Shape:
    """Return so many units that are bought whole."""
    costs = np.geomspace(120, 450, m).round().tolist()
    names = [f"unit_{at}" for at in range(m)]
    return Shape(
        "few", [(name,) for name in names], dict(zip(names, (Card("units", cost) for cost in costs), strict=True))
    )


def said(
    shape: Shape, factors: Mapping[str, float], seed: int, *, error: float | None = None, bias: float = 0.0
) -> Words:
    """Return what is said where cards are printed at so many times their true costs.

    `error` is of log fair costs; by `bias`, in standard errors, all are too high by turns and too low, which the
    covariance does not know.
    """
    true = {card: one.cost for card, one in shape.cards.items()}
    printed = {card: float(round(cost * factors.get(card, 1.0))) for card, cost in true.items()}
    names = tuple("+".join(own) for own in shape.parts)
    noise, m = error or ERRORS[shape.name], len(names)
    rng = np.random.default_rng([seed, m])
    log_fair = shape.log_sums(true) + noise * (rng.standard_normal(m) + bias * (-1.0) ** np.arange(m))
    covariance = noise**2 * (np.eye(m) - 1 / m)
    fair = Noisy(names, np.exp(shape.log_sums(printed)), log_fair, covariance, np.arange(m))
    tolerance = Tolerance.usual(printed.values())
    entries = price_entries(
        fair, shape.parts, {card: Card(one.table, printed[card]) for card, one in shape.cards.items()}
    )
    verdicts = price_verdicts(fewest_costs(entries, tolerance), shape.parts, tolerance)
    over = shape.log_sums(printed) - shape.log_sums(true)
    off = dict(zip(names, (over - np.median(over)).tolist(), strict=True))  # the typical loadout keeps its cost
    planted = {card: OFF[0] if factor > 1 else OFF[1] for card, factor in factors.items()}
    return Words(verdicts, off, planted)


def at_the_edge(shape: Shape, seed: int) -> dict[str, float]:
    """Return factors by which all cards but one or two lie at the tolerance, by turns dear and cheap."""
    cards = np.random.default_rng([seed, 7]).permutation(list(shape.cards)).tolist()
    n_off = (len(cards) - 1) // 2 * 2
    return {card: 1 / (1 - TOLERANCE * (-1) ** at) for at, card in enumerate(cards[:n_off])}


def share_of_false_words(
    by: str, n: int, *, settings: int = 3, cards: int = 22, bias: float = 0.0, seed: int = 0
) -> float:
    """Return in which share of n runs a card is called off that lies at the tolerance in one of several settings.

    In the others it is off by far more. `by` "points": where point values of all settings lie beyond; by "ends": where
    the ends of simultaneous intervals do. `bias` is in standard errors, outwards.
    """
    estimates = np.random.default_rng(seed).standard_normal((n, settings, cards)) + bias  # errors beyond the tolerance
    estimates[:, 1:] += 100.0
    least = SIMULTANEOUS if by == "ends" else 0.0
    is_firm = np.all(estimates > least, axis=1)
    return float(np.mean(np.any(is_firm, axis=1)))

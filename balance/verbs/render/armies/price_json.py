"""Prices as the one JSON object that `balance price --json` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from balance.analysis.changes.neighbours.price_card import CardPrice
from balance.analysis.prices.cost_changes import CostProposals, Loadout, verdict_at
from balance.analysis.prices.price_list import PriceList

__all__ = ["of_card", "of_list"]

SCHEMA = 1


def of_list(prices: PriceList, changes: CostProposals | None = None) -> dict[str, Any]:
    """Return the prices of all loadouts and cards, and the few changes that were asked for."""
    scale = prices.scale
    return {
        "schema": SCHEMA,
        "game": prices.loaded.game.name,
        "verb": "price",
        "loadouts": {row["entrant"]: _priced(prices, row) for row in prices.loadouts.to_dicts()},
        "cards": {row["card"]: _priced(prices, row) for row in prices.cards.to_dicts()},
        "scale": {name: _plain(getattr(scale, name)) for name in ("slope", "low", "high", "verdict")},
        **({} if changes is None else {"changes": _few(prices, changes)}),
        "settings": _settings(prices),
    }


def of_card(found: CardPrice, prices: PriceList) -> dict[str, Any]:
    """Return the price of one card or loadout."""
    priced = found.item
    row = {name: getattr(priced, name) for name in ("low", "high", "verdict", "because", "dominated_by")}
    return {
        "schema": SCHEMA,
        "game": prices.loaded.game.name,
        "verb": "price",
        "card": priced.name,
        "table": priced.table or None,
        "price": _priced(prices, {"cost_points": priced.cost, "fair_points": priced.fair, **row}),
        "alternatives": _rows(found.alternatives),
        "steps": _rows(found.steps),
        "readings": _rows(found.readings),
        "settings": _settings(prices) | {"battles_a_change": found.n_battles},
    }


def _few(prices: PriceList, found: CostProposals) -> dict[str, Any]:
    """Return the few changes of costs; `unfair` is the root mean square of log(cost / fair cost) over loadouts."""
    few, every = found.few_changes, found.all_costs
    cards = {row["card"]: row for row in prices.cards.to_dicts()}
    loadouts = {row["entrant"]: row for row in prices.loadouts.to_dicts()}
    return {
        "most": found.max_changes,
        "cards": [asdict(one) | _then(prices, cards[one.card], one.proposed) for one in few.changes],
        "unfair": {"before": few.before, "after": few.after, "all_cards": every.after},
        **{
            name: [_loadout(one) | _then(prices, loadouts[one.entrant], one.proposed) for one in those]
            for name, those in (("profit", few.profit), ("lose", few.lose), ("left", found.worst_loadouts))
        },
    }


def _loadout(one: Loadout) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("entrant", "cost", "proposed", "fair")}


def _then(prices: PriceList, row: Mapping[str, Any], cost: float) -> dict[str, Any]:
    """Return the interval of a fair cost and what is said of a cost that is proposed, within what tolerance."""
    told = {"low": row["low"], "high": row["high"], "tolerance": prices.tolerance.of(cost)}
    return told | {"verdict": verdict_at(prices, row, cost).partition(" within ")[0]}


def _priced(prices: PriceList, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cost with the fair one; its verdict holds within the tolerance, in points."""
    names = {"cost": "cost_points", "fair": "fair_points", "low": "low", "high": "high"}
    told = {name: _plain(row[column]) for name, column in names.items()}
    witness = row["dominated_by"]
    words = {name: row[name] for name in ("verdict", "because")} | {
        "tolerance": prices.tolerance.of(row["cost_points"])
    }
    return told | words | {"dominated_by": list(witness) if witness is not None else None}


def _settings(prices: PriceList) -> dict[str, Any]:
    setting, catalogue = prices.setting, prices.loaded.catalogue
    return {
        "kind": setting.kind,
        "changes": list(setting.changes),
        "choices": dict(setting.choices),
        "budgets": [{"points": points, "units": units} for points, units in setting.budgets],
        "seed": prices.seed,
        "tolerance": {"share": prices.tolerance.share, "points": prices.tolerance.points},
        "battles": next(iter(prices.fair.values())).n_battles,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in row.items()} for row in _dicts(table)]


def _dicts(table: pl.DataFrame) -> Iterable[dict[str, Any]]:
    return table.iter_rows(named=True)


def _plain(value: object) -> object:
    """Return a value as JSON knows it: what is no number is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value

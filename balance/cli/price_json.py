"""Prices as the one JSON object that `balance price --json` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from balance.analysis.cost_changes import Loadout
from balance.analysis.price_card import CardPrice
from balance.analysis.price_changes import PriceChanges
from balance.analysis.price_list import PriceList

__all__ = ["of_card", "of_list"]

SCHEMA = 1


def of_list(prices: PriceList, changes: PriceChanges | None = None) -> dict[str, Any]:
    """Return the prices of all loadouts and cards, and the few changes that were asked for."""
    scale = prices.scale
    return {
        "schema": SCHEMA,
        "game": prices.loaded.game.name,
        "verb": "price",
        "loadouts": {row["entrant"]: _priced(row) for row in prices.loadouts.to_dicts()},
        "cards": {row["card"]: _priced(row) for row in prices.cards.to_dicts()},
        "scale": {name: _plain(getattr(scale, name)) for name in ("slope", "low", "high", "verdict")},
        **({} if changes is None else {"changes": _few(changes)}),
        "settings": _settings(prices),
    }


def of_card(found: CardPrice, prices: PriceList) -> dict[str, Any]:
    """Return the price of one card or loadout."""
    priced = found.priced
    row = {name: getattr(priced, name) for name in ("low", "high", "verdict", "because", "dominated_by")}
    return {
        "schema": SCHEMA,
        "game": prices.loaded.game.name,
        "verb": "price",
        "card": priced.name,
        "table": priced.table or None,
        "price": _priced({"cost_points": priced.cost, "fair_points": priced.fair, **row}),
        "alternatives": _rows(found.alternatives),
        "steps": _rows(found.steps),
        "readings": _rows(found.readings),
        "settings": _settings(prices) | {"battles_a_change": found.n_battles},
    }


def _few(found: PriceChanges) -> dict[str, Any]:
    """Return the few changes of costs; `unfair` is the root mean square of log(cost / fair cost) over loadouts."""
    few, every = found.few, found.every
    return {
        "most": found.most,
        "cards": [asdict(one) for one in few.changes],
        "unfair": {"before": few.before, "after": few.after, "all_cards": every.after},
        "profit": [_loadout(one) for one in few.profit],
        "lose": [_loadout(one) for one in few.lose],
        "left": [_loadout(one) for one in found.left],
    }


def _loadout(one: Loadout) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("entrant", "cost", "proposed", "fair")}


def _priced(row: Mapping[str, Any]) -> dict[str, Any]:
    names = {"cost": "cost_points", "fair": "fair_points", "low": "low", "high": "high"}
    told = {name: _plain(row[column]) for name, column in names.items()}
    witness = row["dominated_by"]
    words = {name: row[name] for name in ("verdict", "because")}
    return told | words | {"dominated_by": list(witness) if witness is not None else None}


def _settings(prices: PriceList) -> dict[str, Any]:
    setting, catalogue = prices.setting, prices.loaded.catalogue
    return {
        "kind": setting.kind,
        "changes": list(setting.changes),
        "choices": dict(setting.choices),
        "budgets": [{"points": points, "units": units} for points, units in setting.budgets],
        "seed": prices.seed,
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

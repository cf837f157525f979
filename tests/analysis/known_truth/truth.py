"""Measure the true costs of `MEASURED` with many times the battles, and keep them: minutes for each game.

Those of the board are of 262,144 battles by `battle_prices` (seed 20261130, kite, the only way of playing that counts).

python -m tests.analysis.known_truth.truth [GAME ...]
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from balance.analysis.armies.battles import ArmySetting, costs_of
from balance.analysis.prices.fits.fair_costs import TOTAL_BATTLES, FairCosts, fair_costs
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from tests.analysis.known_truth.catalogues import BOARD, FILES, KEPT, MEASURED, TIMES, Catalogue, template_units

SEEDS = (20261130, 20261131)
"""Each with three times the battles that are usual; both together are the truth."""


def setting_of(game: str) -> ArmySetting:
    """Return where prices of a catalogue are judged."""
    _, _, budget, settings = MEASURED[game]
    budgets = tuple((float(points), float(units)) for points, units in (part.split(":") for part in budget.split(",")))
    return ArmySetting("battle" if game in FILES else "lineup", budgets, settings)


def at_tenfold(game: str) -> LoadedGame:
    """Return a game with ten times its printed costs."""
    names, given, budget, settings = MEASURED[game]
    if game in FILES:
        units = template_units(game)[1]
        first = next(iter(units.values()))
        costs = {name: TIMES * float(units.get(name, first)["cost"]) for name in names}
    else:
        shipped = load(game)
        parts = {name: name.split("+") if game == "warforged" else [name] for name in names}
        costs = {part: TIMES * _cost(shipped, part) for own in parts.values() for part in own}
    return Catalogue(game, {name: (name,) for name in names}, {}, given, budget, settings).open(costs)


def _cost(shipped: LoadedGame, card: str) -> float:
    tables = {} if "+" in card else shipped.catalogue.tables
    entries: list[Any] = [tables[name][card] for name in ("units", "weapons") if card in tables.get(name, {})]
    return float(entries[0].cost_points if entries else shipped.cost_points(card))


def pooled(fits: list[FairCosts]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of log fair costs over independent fits, and its standard errors beside the typical loadout."""
    logs = np.array([fit.log_fair - fit.log_fair.mean() for fit in fits])
    m = logs.shape[1]
    centred = np.eye(m) - 1 / m
    variances = [np.diag(centred @ fit.covariance @ centred) for fit in fits]
    return logs.mean(axis=0), np.sqrt(np.sum(variances, axis=0)) / len(fits)


def measure(game: str) -> dict[str, dict[str, float]]:
    """Return the true costs of loadouts, whole where costs have to be, and the standard errors of their logs."""
    loaded, setting, names = at_tenfold(game), setting_of(game), MEASURED[game][0]
    each = 3 * TOTAL_BATTLES // len(names)
    logs, errors = pooled([fair_costs(Runner(loaded), setting, seed, names, n_battles=each) for seed in SEEDS])
    level = np.median(np.log(costs_of(loaded, names)) - logs)
    fair = np.exp(logs + level).round().tolist()
    return {
        "fair": dict(zip(names, fair, strict=True)),
        "errors": dict(zip(names, errors.round(5).tolist(), strict=True)),
    }


if __name__ == "__main__":
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for one in sys.argv[1:] or [game for game in MEASURED if game not in BOARD]:
        kept[one] = measure(one)
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")

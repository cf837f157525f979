"""Games whose fair prices are known, from Warforged's own line-up; `python -m tests.analysis.many_games` asks.

The fair costs of some loadouts are measured once, with a hundred blocks of battles (minutes), and kept. Each of many
games then has secret errors of units and of weapons: its printed costs are the true ones times `exp(error)`, or with
points added, as whole numbers. Errors of a table have a part in common. As points are only compared with points,
budgets grow with the printed costs, so that the true ratios are the same in every game.

In the *plain* field the worth of a loadout is that of its unit times that of its weapon, to .001. In the *odd* one
(EMP, blasts, burns, shields, Overload) the best product is off by .05, and errors are in points.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from balance.analysis.armies.battles import ArmySetting, distinct_fighters
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.card_costs import fit_card_costs
from balance.analysis.prices.entries import Card, PriceEntries, price_entries
from balance.analysis.prices.fewest_costs import fewest_costs
from balance.analysis.prices.fits.fair_costs import BLOCK, FairCosts, fair_costs
from balance.analysis.prices.verdicts import OFF_VERDICTS, PriceVerdict, PriceVerdicts, price_verdicts
from balance.analysis.scores.cards import find_card
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.arrays import FloatArray
from balance.catalogue import patch_catalogue
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load

KEPT = Path(__file__).parent / "kept" / "true_prices.json"
UNITS = {"plain": ("nexus", "whisper", "vanguard", "trooper"), "odd": ("detonator", "aegis", "vanguard", "colossus")}
WEAPONS = {
    "plain": ("assault_rifle", "smg_pistol", "marksman_rifle", "shotgun"),
    "odd": ("emp_projector", "grenade_launcher", "pulse_pistol", "laser_carbine", "shotgun"),
}
ERROR, ERROR_POINTS, IN_COMMON = 0.2, 4.0, 0.5
"""Standard deviation of a card's error, and the share of its variance that is common to its table."""
TABLES = ("units", "weapons")


def loadouts(family: str) -> tuple[str, ...]:
    """Return the loadouts of one unit and one weapon of a field."""
    pairs = ((name, name.split("+")) for name in load("warforged").entrants_of("lineup"))
    return tuple(
        name for name, parts in pairs if len(parts) == 2 and parts[0] in UNITS[family] and parts[1] in WEAPONS[family]
    )


def cards_of(loaded: LoadedGame, names: tuple[str, ...]) -> dict[str, Card]:
    found = {part: find_card(loaded, part) for name in names for part in name.split("+")}
    return {part: Card(table, cost) for part, (table, _, cost) in found.items() if cost is not None}


def entries_of(loaded: LoadedGame, found: FairCosts) -> PriceEntries:
    return price_entries(found, [name.split("+") for name in found.entrants], cards_of(loaded, found.entrants))


@dataclass(frozen=True)
class Truth:
    """True costs of a field: of loadouts in proportion, and of cards near those printed."""

    names: tuple[str, ...]
    log_fair: FloatArray
    cards: dict[str, float]


def truth_of(family: str) -> Truth:
    kept = json.loads(KEPT.read_text())[family]
    return Truth(tuple(kept["loadouts"]), np.log(list(kept["loadouts"].values())), kept["cards"])


@dataclass(frozen=True)
class OneGame:
    """A game of wrong prices, and where they are judged."""

    loaded: LoadedGame
    setting: ArmySetting
    truth: Truth


def one_game(family: str, seed: int) -> OneGame:
    """Return a game with secret errors of its own."""
    shipped, truth = load("warforged"), truth_of(family)
    rng = np.random.default_rng([20261122, list(UNITS).index(family), seed])
    printed = {}
    for table in (UNITS[family], WEAPONS[family]):
        common, own = rng.normal(), rng.normal(size=len(table))
        for card, error in zip(table, IN_COMMON**0.5 * common + (1 - IN_COMMON) ** 0.5 * own, strict=True):
            wrong = truth.cards[card] * np.exp(ERROR * error)
            wrong = wrong if family == "plain" else truth.cards[card] + ERROR_POINTS * error
            where = TABLES[table is WEAPONS[family]]
            printed[f"{where}.{card}.cost_points"] = str(max(round(float(wrong)), 1))
    loaded = LoadedGame(shipped.definition, patch_catalogue(shipped.catalogue, printed))
    return at_its_budgets(loaded, truth)


def at_its_budgets(loaded: LoadedGame, truth: Truth) -> OneGame:
    """Return a game to be judged at budgets as much larger than the rules' as its typical cost is than the true one."""
    setting = army_setting(load("warforged"))
    printed = np.array([float(loaded.cost_points(name)) for name in truth.names])
    fighters = distinct_fighters(loaded, setting, truth.names, printed)
    true = truth.log_fair[np.unique(fighters.of, return_index=True)[1]]
    dearer = float(np.exp(np.median(np.log(fighters.costs) - true)))
    budgets = tuple((dearer * points, limit) for points, limit in setting.budgets)
    return OneGame(loaded, replace(setting, budgets=budgets), truth)


@dataclass(frozen=True)
class Judged:
    """What was said of a game beside the truth.

    Attributes
    ----------
    said
        The verdicts.
    loadouts, cards
        How far each fair cost is off, in half-widths of its interval from the dice: at most 1 where that covers it.
    widest
        The same for the loadout that is farthest off, by the interval that holds for all at once.
    accused, wrong
        Who is called too dear or too cheap and is within the tolerance of the true price; about whom the verdict
        is not so, "fair" included.
    known
        The share of verdicts that are not "not yet known".
    """

    said: PriceVerdicts
    loadouts: FloatArray
    cards: FloatArray
    widest: float
    accused: tuple[str, ...]
    wrong: tuple[str, ...]
    known: float


def judge_game(game: OneGame, seed: int, n_battles: int = 300) -> Judged:
    """Price a game as `balance price` does, and compare with the truth.

    The truth of a loadout is its true cost where the typical loadout keeps its printed one; the truth of a card is what
    the true costs of loadouts come to by the same fewest changes, as the split of a loadout's cost is a convention.
    """
    truth, tolerance = game.truth, Tolerance()
    found = fair_costs(Runner(game.loaded), game.setting, seed, truth.names, n_battles=n_battles)
    parts = [name.split("+") for name in truth.names]
    said = price_verdicts(fewest_costs(entries_of(game.loaded, found), tolerance), parts, tolerance)
    known = replace(found, log_fair=truth.log_fair, covariance=np.zeros_like(found.covariance))
    exact = fewest_costs(entries_of(game.loaded, known), tolerance)
    entries = exact.entries
    true = dict(zip(entries.names, np.exp(entries.anchored_log_fair)[entries.entry_of].tolist(), strict=True))
    cost = dict(zip(entries.cards, exact.costs[entries.card_of].tolist(), strict=True))
    every = [(name, price, true[name]) for name, price in said.loadouts.items()]
    every += [(name, price, cost[name]) for name, price in said.cards.items()]

    def logs(name: str, *costs: float) -> float:
        return off(float(np.log(costs[0])), float(np.log(true[name])), np.log(costs[1:]).tolist())

    return Judged(
        said,
        np.array([logs(name, price.fair, price.dice_low, price.dice_high) for name, price in said.loadouts.items()]),
        np.array([off(price.fair, cost[name], [price.dice_low, price.dice_high])
                  for name, price in said.cards.items()]),
        max(logs(name, price.fair, price.low, price.high) for name, price in said.loadouts.items()),
        tuple(name for name, price, at in every if price.verdict in OFF_VERDICTS and wrong(price, at)),
        tuple(name for name, price, at in every if wrong(price, at)),
        float(np.mean([price.verdict != "not yet known" for _, price, _ in every])),
    )  # fmt: skip


def off(found: float, true: float, ends: Sequence[float]) -> float:
    """Return how far from the truth, in half-widths of the interval; what is certain and right has no width."""
    return abs(found - true) / max((ends[1] - ends[0]) / 2, 1e-9)


def wrong(price: PriceVerdict, true: float) -> bool:
    """Return whether a verdict says what is not so."""
    return price.verdict in (*OFF_VERDICTS, "fair") and price.verdict != Tolerance().judge(price.cost, true, true)


def main(families: Sequence[str], n_blocks: int = 100) -> None:
    """Measure the true prices of some fields, and keep them."""
    loaded, kept = load("warforged"), json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for family in families:
        names = loadouts(family)
        found = fair_costs(
            Runner(loaded), army_setting(loaded), 20261122, names, n_battles=n_blocks * BLOCK // len(names)
        )
        costs = fit_card_costs(entries_of(loaded, found))
        cards = dict(zip(costs.entries.cards, costs.costs[costs.entries.card_of].tolist(), strict=True))
        kept[family] = {
            "loadouts": dict(zip(names, found.fair.round(5).tolist(), strict=True)),
            "errors": [round(float(error), 5) for error in found.errors],
            "cards": {name: round(cost, 3) for name, cost in cards.items()},
        }
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or list(UNITS))

"""Prices as the one JSON object that `balance price --json` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.changes.neighbours.price_card import CardPrice
from balance.analysis.dominance.unfair_pairs import UnfairPairs
from balance.analysis.prices.cost_changes import CostProposals, Loadout, verdict_at
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.proposals import CostProposal

SCHEMA = 1


def of_list(prices: PriceList, proposal: CostProposal, changes: CostProposals | None = None) -> dict[str, Any]:
    """Return the prices of all loadouts and cards, and the few changes that were asked for.

    Parameters
    ----------
    prices
        The prices of all cards and loadouts.
    proposal
        Whole costs that cards should have, and what stays unfair.
    changes
        The few changes of costs that bring all nearest to fair; None where they were not asked for.
    """
    scale = prices.scale
    return {
        "schema": SCHEMA,
        "game": prices.game.definition.name,
        "verb": "price",
        "loadouts": {row["entrant"]: _price_json(prices, row) for row in prices.loadouts.to_dicts()},
        "cards": {
            row["card"]: _price_json(prices, row)
            | {"proposed_cost": proposal.costs.get(row["card"]), "whole_cost": proposal.whole_costs[row["card"]]}
            for row in prices.cards.to_dicts()
        },
        "no_whole_cost": list(proposal.no_cost),
        "typical_match_up": {
            "before": _match_up(proposal.before),
            "after": None if proposal.after is None else _match_up(proposal.after),
            "after_all": _match_up(proposal.after_all),
        },
        "unfair": _unfair(proposal.unfair),
        "scale": {name: _plain(getattr(scale, name)) for name in ("slope", "low", "high", "verdict")},
        **({} if changes is None else {"changes": _few_changes(prices, changes)}),
        "settings": _settings(prices),
    }


def _match_up(typical: TypicalMatchUp) -> dict[str, Any]:
    """Return how far a typical match-up of armies of one loadout each lies from one half, with its standard error."""
    return {"off": typical.off, "error": typical.error, "match_ups": typical.n_match_ups, "odds": typical.odds}


def _unfair(unfair: UnfairPairs) -> dict[str, Any]:
    """Return the pairs farthest from even at whole costs for all cards, and who is rock, paper, scissors."""
    return {
        "of_pairs": unfair.n_pairs,
        "share_of_strength": unfair.strength_share,
        **{name: [asdict(pair) | {"odds": pair.odds} for pair in pairs]
           for name, pairs in (("pairs", unfair.pairs), ("cycle", unfair.cycle))},
    }  # fmt: skip


def of_card(card_price: CardPrice, prices: PriceList) -> dict[str, Any]:
    """Return the price of one card or loadout.

    Parameters
    ----------
    card_price
        The price of a card or a loadout.
    prices
        The prices of all, among which it was priced.
    """
    card = card_price.item
    row = {name: getattr(card, name) for name in ("verdict", "because", "depends", "as_proposed", "dominated_by")}
    row |= {"lead": card.lead, "lead_error": card.lead_error}
    row |= {"low": card.fair_range[0], "high": card.fair_range[1], "dice_low": card.low, "dice_high": card.high}
    return {
        "schema": SCHEMA,
        "game": prices.game.definition.name,
        "verb": "price",
        "card": card.name,
        "table": card.table or None,
        "price": _price_json(prices, {"cost_points": card.cost, "fair_points": card.fair, **row}),
        "alternatives": _rows(card_price.alternatives),
        "steps": _rows(card_price.steps),
        "readings": _rows(card_price.readings),
        "settings": _settings(prices) | {"battles_a_change": card_price.n_battles},
    }


def _few_changes(prices: PriceList, proposals: CostProposals) -> dict[str, Any]:
    """Return the few changes of costs; `unfair` is the root mean square of log(cost / fair cost) over loadouts."""
    few_changes, all_costs = proposals.few_changes, proposals.all_costs
    cards = {row["card"]: row for row in prices.cards.to_dicts()}
    loadouts = {row["entrant"]: row for row in prices.loadouts.to_dicts()}
    return {
        "most": proposals.max_changes,
        "cards": [
            {"card": change.card, "cost": change.cost, "proposed": change.proposed_cost}
            | _then(prices, cards[change.card], change.proposed_cost)
            for change in few_changes.changes
        ],
        "unfair": {"before": few_changes.before, "after": few_changes.after, "all_cards": all_costs.after},
        **{
            name: [
                _loadout(loadout) | _then(prices, loadouts[loadout.entrant], loadout.proposed_cost) for loadout in group
            ]
            for name, group in (
                ("profit", few_changes.profit),
                ("lose", few_changes.lose),
                ("left", proposals.worst_loadouts),
            )
        },
    }


def _loadout(loadout: Loadout) -> dict[str, Any]:
    return {"entrant": loadout.entrant, "cost": loadout.cost, "proposed": loadout.proposed_cost, "fair": loadout.fair}


def _then(prices: PriceList, row: Mapping[str, Any], cost: float) -> dict[str, Any]:
    """Return the interval of a fair cost and what is said of a cost that is proposed, within what tolerance."""
    limits = {"low": row["dice_low"], "high": row["dice_high"], "tolerance": prices.tolerance.of(cost)}
    return limits | {"verdict": verdict_at(prices, row, cost).partition(" within ")[0]}


def _price_json(prices: PriceList, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cost with the fair one; its verdict holds within the tolerance, in points."""
    names = {"cost": "cost_points", "fair": "fair_points"}
    names |= {name: name for name in ("low", "high", "dice_low", "dice_high")}
    numbers = {name: _plain(row[column]) for name, column in names.items()}
    words = {"verdict": row["verdict"], "because": row["because"], "depends": list(row["depends"])}
    words["as_proposed"] = row["as_proposed"]
    witness = row["dominated_by"]
    return (
        numbers
        | words
        | {
            "tolerance": prices.tolerance.of(row["cost_points"]),
            "dominated_by": list(witness) if witness is not None else None,
            "lead": row["lead"],
            "lead_error": row["lead_error"],
        }
    )


def _settings(prices: PriceList) -> dict[str, Any]:
    setting, catalogue = prices.setting, prices.game.catalogue
    return {
        "kind": setting.kind,
        "changes": list(setting.changes),
        "choices": dict(setting.choices),
        "verdicts_hold_over": [dict(facets) for facets in prices.facets],
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

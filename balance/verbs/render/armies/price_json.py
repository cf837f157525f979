"""Prices as the one JSON object that `balance price --json` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.changes.neighbours.price_card import CardPrice
from balance.analysis.dominance.unfair_pairs import UnfairPair, UnfairPairs
from balance.analysis.prices.cost_changes import CostProposals, Loadout, verdict_at
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.proposals import CostProposal

if TYPE_CHECKING:
    from balance.answers.documents import prices as documents

SCHEMA: Final = 1


def of_list(prices: PriceList, proposal: CostProposal, changes: CostProposals | None = None) -> documents.Prices:
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
    document: documents.Prices = {
        "schema": SCHEMA,
        "game": prices.game.definition.name,
        "verb": "price",
        "loadouts": {row["entrant"]: _price_json(prices, row) for row in prices.loadouts.to_dicts()},
        "cards": {
            row["card"]: {
                **_price_json(prices, row),
                "proposed_cost": proposal.costs.get(row["card"]),
                "whole_cost": proposal.whole_costs[row["card"]],
            }
            for row in prices.cards.to_dicts()
        },
        "no_whole_cost": list(proposal.no_cost),
        "typical_match_up": {
            "before": _match_up(proposal.before),
            "after": None if proposal.after is None else _match_up(proposal.after),
            "after_all": _match_up(proposal.after_all),
        },
        "unfair": _unfair(proposal.unfair),
        "scale": {
            "slope": _finite(scale.slope),
            "low": _finite(scale.low),
            "high": _finite(scale.high),
            "verdict": scale.verdict,
        },
        "settings": _settings(prices),
    }
    if changes is not None:
        document["changes"] = _few_changes(prices, changes)
    return document


def _match_up(typical: TypicalMatchUp) -> documents.TypicalMatchUp:
    """Return how far a typical match-up of armies of one loadout each lies from one half, with its standard error."""
    return {"off": typical.off, "error": typical.error, "match_ups": typical.n_match_ups, "odds": typical.odds}


def _unfair(unfair: UnfairPairs) -> documents.Unfair:
    """Return the pairs farthest from even at whole costs for all cards, and who is rock, paper, scissors."""
    return {
        "of_pairs": unfair.n_pairs,
        "share_of_strength": unfair.strength_share,
        "pairs": [_pair(pair) for pair in unfair.pairs],
        "cycle": [_pair(pair) for pair in unfair.cycle],
    }


def _pair(pair: UnfairPair) -> documents.NamedPair:
    return {
        "winner": pair.winner,
        "loser": pair.loser,
        "score": pair.score,
        "error": pair.error,
        "share": pair.share,
        "odds": pair.odds,
    }


def of_card(card_price: CardPrice, prices: PriceList) -> documents.PriceOfCard:
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
        "settings": {**_settings(prices), "battles_a_change": card_price.n_battles},
    }


def _few_changes(prices: PriceList, proposals: CostProposals) -> documents.FewChanges:
    """Return the few changes of costs; `unfair` is the root mean square of log(cost / fair cost) over loadouts."""
    few_changes, all_costs = proposals.few_changes, proposals.all_costs
    cards = {row["card"]: row for row in prices.cards.to_dicts()}
    loadouts = {row["entrant"]: row for row in prices.loadouts.to_dicts()}
    return {
        "most": proposals.max_changes,
        "cards": [
            {"card": change.card, **_then(prices, cards[change.card], change.cost, change.proposed_cost)}
            for change in few_changes.changes
        ],
        "unfair": {"before": few_changes.before, "after": few_changes.after, "all_cards": all_costs.after},
        "profit": [_loadout(prices, loadouts, loadout) for loadout in few_changes.profit],
        "lose": [_loadout(prices, loadouts, loadout) for loadout in few_changes.lose],
        "left": [_loadout(prices, loadouts, loadout) for loadout in proposals.worst_loadouts],
    }


def _loadout(prices: PriceList, rows: Mapping[str, Any], loadout: Loadout) -> documents.LoadoutAfter:
    then = _then(prices, rows[loadout.entrant], loadout.cost, loadout.proposed_cost)
    return {"entrant": loadout.entrant, **then, "fair": loadout.fair}


def _then(prices: PriceList, row: Mapping[str, Any], cost: float, proposed: float) -> documents.ThenFair:
    """Return the interval of a fair cost and what is said of a cost that is proposed, within what tolerance."""
    return {
        "cost": cost,
        "proposed": proposed,
        "low": row["dice_low"],
        "high": row["dice_high"],
        "tolerance": prices.tolerance.of(proposed),
        "verdict": verdict_at(prices, row, proposed).partition(" within ")[0],
    }


def _price_json(prices: PriceList, row: Mapping[str, Any]) -> documents.Price:
    """Return a cost with the fair one; its verdict holds within the tolerance, in points."""
    witness = row["dominated_by"]
    return {
        "cost": row["cost_points"],
        "fair": _finite(row["fair_points"]),
        "low": _finite(row["low"]),
        "high": _finite(row["high"]),
        "dice_low": _finite(row["dice_low"]),
        "dice_high": _finite(row["dice_high"]),
        "verdict": row["verdict"],
        "because": row["because"],
        "depends": list(row["depends"]),
        "as_proposed": row["as_proposed"],
        "tolerance": prices.tolerance.of(row["cost_points"]),
        "dominated_by": list(witness) if witness is not None else None,
        "lead": row["lead"],
        "lead_error": row["lead_error"],
    }


def _settings(prices: PriceList) -> documents.PriceSettings:
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


def _rows(table: pl.DataFrame) -> list[Any]:
    """Return the rows of a table as JSON knows them; tests hold them against their schema."""
    return [
        {name: _finite(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.iter_rows(named=True)
    ]


def _finite(value: float | None) -> float | None:
    """Return a number as JSON knows it: what is no number is null."""
    return None if value is None or not math.isfinite(value) else value

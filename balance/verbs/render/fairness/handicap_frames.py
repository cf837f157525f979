"""The tables of `balance handicap` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.changes.handicaps.bids import Bid
from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
from balance.analysis.changes.handicaps.remedies import Remedies
from balance.analysis.changes.handicaps.worth import Worths
from balance.chance.trials.estimate import Estimate


def frames_of_changes(remedies: Remedies) -> Mapping[str, pl.DataFrame]:
    """Return `changes`: the first side's score with interval as it is (an empty change) and after each change."""
    rows = [{"change": "", "from": "", "to": "", "steps": 0, **_score(remedies.score), "even": remedies.is_even}]
    rows += [
        {
            "change": remedy.change,
            "from": remedy.old,
            "to": remedy.new,
            "steps": remedy.steps,
            **_score(remedy.score),
            "even": remedy.fits,
        }
        for remedy in remedies.remedies
    ]
    return {"changes": pl.DataFrame(rows)}


def frames_of_bid(bid: Bid) -> Mapping[str, pl.DataFrame]:
    """Return `bids`: the score of going first at each bid, in steps of the number that pays it."""
    number = f"{bid.payer}.{bid.field}"
    rows = [
        {"number": number, "steps": str(offer.steps), **_score(offer.score), "even": offer.score.is_within(bid.band)}
        for offer in bid.offers
    ]
    return {"bids": pl.DataFrame(rows)}


def frames_of_cost(fair_cost: FairCost) -> Mapping[str, pl.DataFrame]:
    """Return `costs`: for either of two its cost, and the cost at which they are even while the other's stays."""
    rows = [
        {"entrant": name, "against": against, "cost": cost, "fair": fair.value, "low": fair.low, "high": fair.high}
        for name, against, cost, fair in (
            (fair_cost.member, fair_cost.opponent, fair_cost.cost, fair_cost.fair),
            (fair_cost.opponent, fair_cost.member, fair_cost.against, fair_cost.other_fair),
        )
    ]
    return {"costs": pl.DataFrame(rows)}


def frames_of_points(points_bid: PointsBid) -> Mapping[str, pl.DataFrame]:
    """Return `points`: what going first is worth at each budget, with its interval."""
    share = points_bid.share
    rows = [
        {"budget": f"{budget:g}", "worth": worth, "low": budget * share.low, "high": budget * share.high}
        for budget, worth in points_bid.points
    ]
    return {"points": pl.DataFrame(rows)}


def frames_of_worths(worths: Worths) -> Mapping[str, pl.DataFrame]:
    """Return `worths`, the effect of each single change in steps of the number too; and `curve`, its own effects."""
    changes = [
        {
            "change": part.change,
            "name": part.name,
            **_score(part.score),
            "effect": part.effect.value,
            "effect_low": part.effect.low,
            "effect_high": part.effect.high,
            "worth": None if part.steps is None else part.steps.value,
            "worth_low": None if part.steps is None else part.steps.low,
            "worth_high": None if part.steps is None else part.steps.high,
            "measurable": part.is_measurable,
        }
        for part in worths.changes
    ]
    curve = [
        {"number": worths.number.name, "change": change, "effect": effect.value, "low": effect.low, "high": effect.high}
        for change, effect in worths.curve.items()
    ]
    return {"worths": pl.DataFrame(changes, infer_schema_length=None), "curve": pl.DataFrame(curve)}


def _score(score: Estimate) -> dict[str, float]:
    return {"score": score.value, "low": score.low, "high": score.high}

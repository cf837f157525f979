"""The tables of `balance handicap` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.changes.handicaps.bids import Bid
from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
from balance.analysis.changes.handicaps.remedies import Remedies
from balance.chance.trials.estimate import Estimate

__all__ = ["frames_of_bid", "frames_of_changes", "frames_of_cost", "frames_of_points"]


def frames_of_changes(found: Remedies) -> Mapping[str, pl.DataFrame]:
    """Return what the first side scores as it is and after each change, whether that is even, and how much moved."""
    rows = [{"change": "", "from": "", "to": "", "steps": 0, **_score(found.score), "even": found.is_even}]
    rows += [
        {
            "change": one.change,
            "from": one.old,
            "to": one.new,
            "steps": one.steps,
            **_score(one.score),
            "even": one.fits,
        }
        for one in found.remedies
    ]
    return {"changes": pl.DataFrame(rows)}


def frames_of_bid(found: Bid) -> Mapping[str, pl.DataFrame]:
    """Return what going first scores at each bid, in steps of the number that pays it."""
    number = f"{found.payer}.{found.field}"
    rows = [
        {"number": number, "steps": str(one.steps), **_score(one.score), "even": one.score.is_within(found.band)}
        for one in found.offers
    ]
    return {"bids": pl.DataFrame(rows)}


def frames_of_cost(found: FairCost) -> Mapping[str, pl.DataFrame]:
    """Return what either of two costs now, and at which cost the two are even, the other's as it is."""
    rows = [
        {"entrant": name, "against": other, "cost": cost, "fair": fair.value, "low": fair.low, "high": fair.high}
        for name, other, cost, fair in (
            (found.member, found.opponent, found.cost, found.fair),
            (found.opponent, found.member, found.against, found.other_fair),
        )
    ]
    return {"costs": pl.DataFrame(rows)}


def frames_of_points(found: PointsBid) -> Mapping[str, pl.DataFrame]:
    """Return what going first is worth in points at each budget."""
    share = found.share
    rows = [
        {"budget": f"{budget:g}", "worth": worth, "low": budget * share.low, "high": budget * share.high}
        for budget, worth in found.points
    ]
    return {"points": pl.DataFrame(rows)}


def _score(score: Estimate) -> dict[str, float]:
    return {"score": score.value, "low": score.low, "high": score.high}

"""How many games it takes as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from balance.playtests.need.plans import few_games

if TYPE_CHECKING:
    import polars as pl

    from balance.playtests.need.lattice import Zone
    from balance.playtests.need.plans import After, Needed, Plan

__all__ = ["as_json", "frames_of"]

SCHEMA = 1


def as_json(needed: Needed, plan: str, then: After | None, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same command gives the same bytes."""
    plans = {name: _plan_json(needed, each) for name, each in needed.plans.items()}
    return {
        "schema": SCHEMA,
        "verb": "need",
        "asked": asdict(needed.goal),
        **plans[plan],
        "plans": plans,
        "for_good": needed.size.for_good,
        "least_power_from_there_on": needed.size.dip,
        "peeking_error": needed.peeking,
        "after": None if then is None else asdict(then),
        "told_by": [{"games": games, "difference": least} for games, least in few_games(needed.goal)],
        "seed": seed,
    }


def _plan_json(needed: Needed, plan: Plan) -> dict[str, Any]:
    per_evening = needed.goal.games_per_evening
    return {
        "plan": plan.name,
        "games": plan.games,
        "evenings": plan.evenings,
        "games_an_option": plan.games_a_thing,
        "games_a_pair": plan.games_a_pair,
        "power": plan.power,
        "error": plan.error,
        "analysis": plan.analysis,
        "simulated": asdict(plan.simulated),
        "outcomes": [
            {"score": each.score, **asdict(each.verdicts), "unknown": each.verdicts.unknown, "games": each.mean_games}
            for each in plan.outcomes
        ],
        "looks": [_look_json(zone, per_evening) for zone in plan.zones if zone.games <= plan.games],
    }


def _look_json(zone: Zone, per_evening: int) -> dict[str, Any]:
    """Return one look: leads of wins over losses; null where it does not stop."""
    reached = {
        "underpowered": zone.down >= -zone.games,
        "fair": zone.low <= zone.high,
        "overpowered": zone.up <= zone.games,
    }
    return {
        "evening": -(-zone.games // per_evening),
        "games": zone.games,
        "underpowered_if_lead_at_most": zone.down if reached["underpowered"] else None,
        "fair_if_lead_from": zone.low if reached["fair"] else None,
        "fair_if_lead_to": zone.high if reached["fair"] else None,
        "overpowered_if_lead_at_least": zone.up if reached["overpowered"] else None,
    }


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(needed: Needed, plan: str, then: After | None) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `plans` has a row for each way to play, the one that was asked for first. `outcomes` has what each says of things
    with a true `score`; `looks` when to stop, as leads of wins over losses; `few` the least `difference` that few games
    tell; `after` what so many evenings tell, where that was asked.
    """
    import polars as pl

    plans = sorted(needed.plans.values(), key=lambda each: each.name != plan)
    documents = [_plan_json(needed, each) for each in plans]
    rows = {
        "plans": [{key: value for key, value in each.items() if key in _NUMBERS} for each in documents],
        "outcomes": [{"plan": each["plan"], **row} for each in documents for row in each["outcomes"]],
        "looks": [{"plan": each["plan"], **row} for each in documents for row in each["looks"]],
        "few": [{"games": games, "difference": least} for games, least in few_games(needed.goal)],
        "after": [] if then is None else [asdict(then)],
    }
    return {name: pl.DataFrame(some, infer_schema_length=None) for name, some in rows.items() if some}


_NUMBERS = ("plan", "games", "evenings", "games_an_option", "games_a_pair", "power", "error")

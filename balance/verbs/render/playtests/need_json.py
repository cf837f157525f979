"""How many games it takes as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from balance.base.records import record_json
from balance.playtests.need.plans import few_games

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.documents import playtests
    from balance.playtests.need.lattice import Zone
    from balance.playtests.need.plans import After, NeededGames, Plan

SCHEMA: Final = 1


def as_json(need: NeededGames, plan: str, then: After | None, seed: int) -> playtests.Need:
    """Return the object that --json prints, the same bytes for the same command.

    `plan` names the plan that was asked for, `seed` is that of playing plans out, and `then` is what so many evenings
    can tell, None if that was not asked.
    """
    plans = {name: _plan_json(need, design) for name, design in need.plans.items()}
    return {
        "schema": SCHEMA,
        "verb": "need",
        "asked": record_json(need.goal),
        **plans[plan],
        "plans": plans,
        "for_good": need.size.for_good,
        "least_power_from_there_on": need.size.dip,
        "peeking_error": need.peeking_error,
        "after": None if then is None else record_json(then),
        "told_by": [{"games": games, "difference": difference} for games, difference in few_games(need.goal)],
        "seed": seed,
    }


def _plan_json(need: NeededGames, plan: Plan) -> playtests.Plan:
    per_evening = need.goal.games_per_evening
    return {
        "plan": plan.name,
        "games": plan.games,
        "evenings": plan.evenings,
        "games_an_option": plan.games_a_thing,
        "games_a_pair": plan.games_a_pair,
        "power": plan.power,
        "error": plan.error,
        "analysis": plan.analysis,
        "simulated": record_json(plan.simulation),
        "outcomes": [
            {
                "score": outcome.score,
                "underpowered": outcome.verdicts.underpowered,
                "fair": outcome.verdicts.fair,
                "overpowered": outcome.verdicts.overpowered,
                "unknown": outcome.verdicts.unknown,
                "games": outcome.mean_games,
            }
            for outcome in plan.outcomes
        ],
        "looks": [_look_json(zone, per_evening) for zone in plan.zones if zone.games <= plan.games],
    }


def _look_json(zone: Zone, per_evening: int) -> playtests.Look:
    """Return one look: leads of wins over losses that stop the plan, null where none does."""
    boundaries = {
        "underpowered": zone.down >= -zone.games,
        "fair": zone.low <= zone.high,
        "overpowered": zone.up <= zone.games,
    }
    return {
        "evening": -(-zone.games // per_evening),
        "games": zone.games,
        "underpowered_if_lead_at_most": zone.down if boundaries["underpowered"] else None,
        "fair_if_lead_from": zone.low if boundaries["fair"] else None,
        "fair_if_lead_to": zone.high if boundaries["fair"] else None,
        "overpowered_if_lead_at_least": zone.up if boundaries["overpowered"] else None,
    }


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(need: NeededGames, plan: str, then: After | None) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `plans` has a row for each way to play, the one named `plan` first. `outcomes` has the chances of each verdict for
    sides of a true `score`; `looks` when to stop, as leads of wins over losses; `few` the least `difference` that few
    games tell; `after` what so many evenings tell, unless `then` is None.
    """
    import polars as pl

    plans = sorted(need.plans.values(), key=lambda design: design.name != plan)
    documents = [_plan_json(need, design) for design in plans]
    rows: dict[str, list[Mapping[str, Any]]] = {
        "plans": [{key: value for key, value in document.items() if key in _NUMBERS} for document in documents],
        "outcomes": [{"plan": document["plan"], **row} for document in documents for row in document["outcomes"]],
        "looks": [{"plan": document["plan"], **row} for document in documents for row in document["looks"]],
        "few": [{"games": games, "difference": difference} for games, difference in few_games(need.goal)],
        "after": [] if then is None else [asdict(then)],
    }
    return {name: pl.DataFrame(table_rows, infer_schema_length=None) for name, table_rows in rows.items() if table_rows}


_NUMBERS = ("plan", "games", "evenings", "games_an_option", "games_a_pair", "power", "error")

"""`balance need`: how many games it takes to tell, and what fewer can tell."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from balance.cli import options
from balance.cli.exits import say_json
from balance.errors import Fault, UsageError, gathering, unknown
from balance.files import write_whole
from balance.render.terminal import say
from balance.verbs.shares import parse_band, parse_share
from balance.verbs.words import check_new_file

if TYPE_CHECKING:
    from balance.playtests.goals import Goal
    from balance.playtests.lattice import Zone
    from balance.playtests.need import After, Needed, Plan

__all__ = ["need"]

SCHEMA = 1
PLANS = ("fixed", "sequential")
MOST_EVENINGS = 100_000

Difference = Annotated[
    str | None,
    options.option(
        "--difference",
        metavar="5pp",
        told="How far from 50% a win chance lies that is to be named; 5pp, 5, 5% and 0.05 are the same. 5pp without "
        "it, unless a band is given.",
    ),
]
Band = Annotated[
    str | None,
    options.option(
        "--band", metavar="45:55", told="What counts as fair; asks for the games after which a fair thing is called so."
    ),
]
Options = Annotated[
    int,
    options.option(
        "--options",
        metavar="K",
        parser=options.parse_count,
        told="So many factions or weapons play a round robin, every one against every other. A pair without it.",
    ),
]
Power = Annotated[
    str, options.option("--power", metavar="80%", told="How often it is named or called fair; 80% without it.")
]
Error = Annotated[
    str,
    options.option(
        "--error", metavar="5%", told="How often at most something is named wrongly, all together; 5% without it."
    ),
]
Draws = Annotated[
    str,
    options.option(
        "--draws",
        metavar="20%",
        told="The share of draws, each half a win. None without it, which is the safe side.",
    ),
]
Evenings = Annotated[
    int | None,
    options.option("--evenings", metavar="N", parser=options.parse_count, told="Tell what so many evenings can tell."),
]
PerEvening = Annotated[
    int,
    options.option(
        "--games-per-evening", metavar="G", parser=options.parse_count, told="Games of one evening; 4 without it."
    ),
]
PlanName = Annotated[
    str,
    options.option(
        "--plan",
        metavar="fixed|sequential",
        told="The plan to spell out: one look at the end, or one after every evening.",
    ),
]
Runs = Annotated[
    int,
    options.option(
        "--runs", metavar="N", parser=options.parse_count, told="How often each plan is played out as a check; 10,000."
    ),
]
Out = Annotated[
    Path | None, options.option("--out", metavar="FILE.csv", told="Write when to stop after each evening, a new file.")
]


def need(
    difference: Difference = None,
    band: Band = None,
    of_options: Options = 2,
    power: Power = "80%",
    error: Error = "5%",
    draws: Draws = "0%",
    games_per_evening: PerEvening = 4,
    evenings: Evenings = None,
    plan: PlanName = "fixed",
    runs: Runs = 10_000,
    seed: options.Seed = 0,
    out: Out = None,
    more: options.More = False,
    as_json: options.Json = False,
) -> None:
    """Say how many games it takes to tell, and what fewer can tell."""
    faults = [*_faults(plan, of_options, evenings, out), *_faults_of_numbers(seed, runs)]
    texts = {"--power": power, "--error": error, "--draws": draws}
    goal = _goal(faults, difference, band, of_options, texts, games_per_evening)
    if faults or goal is None:
        raise UsageError(faults)

    from balance.playtests.need import after
    from balance.playtests.need import need as found_by
    from balance.render.needing_text import blocks, looks_csv

    found = found_by(goal, runs, seed)
    told = None if evenings is None else after(goal, evenings)
    if as_json:
        say_json(_as_json(found, plan, told, seed))
    else:
        say(*blocks(found, plan, told, more))
    if out is not None:
        write_whole(out, looks_csv(goal, _plans(found)[plan]).encode())


def _faults(plan: str, of_options: int, evenings: int | None, out: Path | None) -> list[Fault]:
    """Return what is wrong with a plan that there is not, and with a file that cannot be written."""
    faults = list[Fault]()
    if plan not in PLANS:
        faults.append(unknown(plan, PLANS, "is not a plan", "--plan"))
    elif plan == "sequential" and of_options > 2:
        message = "looks after every evening of one pair, not of a round robin"
        faults.append(Fault(message, "--plan", found=plan, tip="plan for one pair, or with --plan fixed"))
    if evenings is not None and not 1 <= evenings <= MOST_EVENINGS:
        faults.append(Fault("is out of range", "--evenings", found=str(evenings), allowed=f"1 to {MOST_EVENINGS:,}"))
    with gathering(faults):
        if out is not None:
            check_new_file(out, "--out", "a table", (".csv",))
    return faults


def _faults_of_numbers(seed: int, runs: int) -> list[Fault]:
    """Return what is wrong with a seed and with a number of simulated plans."""
    from balance.core.streams import check_seed
    from balance.playtests.need import check_runs

    faults = list[Fault]()
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        check_runs(runs)
    return faults


def _goal(
    faults: list[Fault],
    difference: str | None,
    band: str | None,
    of_options: int,
    texts: dict[str, str],
    games_per_evening: int,
) -> Goal | None:
    """Return what is asked for, None if it makes no sense; what is wrong is added to the faults, all of it."""
    from balance.playtests.goals import Goal

    usual = {"--power": 0.8, "--error": 0.05, "--draws": 0.0}
    for name, text in texts.items():
        with gathering(faults):
            usual[name] = parse_share(text, name)
    off, scores = 0.05 if band is None else None, None
    with gathering(faults):
        off = off if difference is None else parse_share(difference, "--difference")
    with gathering(faults):
        scores = None if band is None else parse_band(band)
    if off is None and scores is None:
        off = 0.05  # the band is no band, which is told; what else is wrong is too
    found = list[Goal]()
    with gathering(faults):
        found.append(
            Goal(off, scores, of_options, usual["--power"], usual["--error"], usual["--draws"], games_per_evening)
        )
    return found[0] if found else None


def _plans(found: Needed) -> dict[str, Plan]:
    plans = {"fixed": found.fixed, "sequential": found.sequential, "sprt": found.sprt}
    return {name: plan for name, plan in plans.items() if plan is not None}


def _as_json(found: Needed, plan: str, told: After | None, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same command gives the same bytes."""
    from balance.playtests.need import few_games

    plans = {name: _plan_json(found, each) for name, each in _plans(found).items()}
    return {
        "schema": SCHEMA,
        "verb": "need",
        "asked": asdict(found.goal),
        **plans[plan],
        "plans": plans,
        "for_good": found.size.for_good,
        "least_power_from_there_on": found.size.dip,
        "peeking_error": found.peeking,
        "after": None if told is None else asdict(told),
        "told_by": [{"games": games, "difference": least} for games, least in few_games(found.goal)],
        "seed": seed,
    }


def _plan_json(found: Needed, plan: Plan) -> dict[str, Any]:
    per_evening = found.goal.games_per_evening
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

"""What `balance need` prints: how many games, how they go on average, when to stop, and what fewer can tell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.answers.media.terminal import line, table, title
from balance.base.numbers import show_count, show_fixed, show_many, show_probability
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import Zone
from balance.playtests.need.plans import After, NeededGames, Outcome, Plan, few_games

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_LOOKS, FIRST_LOOKS = 12, 6
"""Looks that a screen shows of a plan, and the first screen."""
_FROM_EVEN = (
    "This plan tells a side from an even one. `balance rate` asks more: whether a side lies outside a band, 45% to 55% "
    "unless you say otherwise."
)
_BAND = 0.05
"""How far from one half the band ends that `rate` takes without being told another."""
LONG = 30
"""Evenings from which on an answer is told to be long."""


def blocks(need: NeededGames, plan: str, after: After | None, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: the answer, and if more is asked for all that stands behind it."""
    goal = need.goal
    yield title("Games needed", _goal_text(goal))
    if after is not None:
        yield from _after(goal, after)
    looks = need.sequential if plan == "sequential" else None
    yield from _advice(need, plan)
    if looks is not None:
        yield from _looks(goal, looks, MOST_LOOKS if more else FIRST_LOOKS)
    if more:
        yield table(*_plans(need), right=("at most", "evenings", "power", "error"))
        yield table(*_outcomes(need, plan), right=(*_words(goal), "fair", "not yet known", "games"))
    if more or (looks is None and after is None):
        yield table(
            ["games of one pair" if goal.options == 2 else "games of one option", "tell from 50%"], _few_games(goal)
        )
    if more:
        yield from _notes(need, plan)
    else:
        yield line("--more: the plans side by side, how to judge, and how it was done.", "dim")


def _goal_text(goal: Goal) -> str:
    low, high = (_score(end) for end in goal.band or (HALF, HALF))
    parts = [] if goal.difference is None else [f"50% against {_score(goal.sides[1])}"]
    parts += [f"fair is {low} to {high}"] if goal.band else []
    parts += [f"{goal.options} options"] if goal.options > 2 else []
    return ", ".join([*parts, f"{_score(goal.draws)} draws"] if goal.draws else parts)


def _score(share: float) -> str:
    return f"{100 * share:.4g}%"


def _after(goal: Goal, after: After) -> Iterator[RenderableType]:
    """Yield the least difference that so many evenings can tell, and the power against the one asked for."""
    yield line(_after_text(goal, after), "bold")
    yield line(f"What is asked for here would be found in {show_probability(after.power)} of such series.", after=1)


def _after_text(goal: Goal, after: After) -> str:
    begin = f"After {show_many(after.evenings, 'evening')}, {show_many(after.games, 'game')},"
    if after.difference is None:
        return f"{begin} no difference can be told with a power of {_score(goal.power)}."
    points = show_fixed(100 * after.difference, 1)
    return f"{begin} you can tell 50% from {_score(HALF + after.difference)}: {points} points or more."


def sentence(need: NeededGames, after: After | None) -> str:
    """Return what so many evenings can tell, or where nobody asks that, how many games to play."""
    return _games_text(need) if after is None else _after_text(need.goal, after)


def _games_text(need: NeededGames) -> str:
    goal, plan = need.goal, need.fixed
    robin = f" ({show_count(plan.games_a_pair)} a pair, {show_count(plan.games_a_thing)} an option)"
    return (
        f"Play {show_many(plan.games, 'game')}{robin if goal.options > 2 else ''}: "
        f"{show_many(plan.evenings, 'evening')} of {show_count(goal.games_per_evening)}."
    )


def _advice(need: NeededGames, plan_name: str) -> Iterator[RenderableType]:
    """Yield how many games to play, with power and error of the plan, in sentences."""
    goal, plan = need.goal, need.fixed
    yield line(_games_text(need), "bold")
    yield line(_promise(goal, plan), after=0 if _counts(goal, plan) else 1)
    if counts := _counts(goal, plan):
        yield line(counts, after=1)
    if goal.band is None:
        yield line(f"{_FROM_EVEN} To plan for that: {_command_with_a_band(goal)}.", after=1)
    if need.sequential is not None:
        yield line(_with_looks(goal, need.sequential), after=1)
    if plan.evenings > LONG and plan_name == plan.name:
        example = next(
            ((games, difference) for games, difference in few_games(goal) if games >= 40 and difference), None
        )
        example_text = (
            f" {example[0]} games tell {show_fixed(100 * (example[1] or 0), 0)} points or more." if example else ""
        )
        simulate = "For smaller ones simulate: `balance` plays a game whose rules it has a million times in minutes."
        yield line(f"That is a long time.{example_text} {simulate}", after=1)


def _counts(goal: Goal, plan: Plan) -> str:
    """Return how many wins give which verdict at the end; empty where draws or several options count too."""
    if goal.options > 2 or not plan.zones:
        return ""
    zone = plan.zones[-1]
    worse, better = _words(goal)
    down, low, high, up = ((zone.games + lead) // 2 for lead in (zone.down, zone.low, zone.high, zone.up))
    parts = [f"wins {up} or more of the {show_count(zone.games)} games is {better}"] if zone.up <= zone.games else []
    parts += [f"wins {low} to {high} is fair"] if zone.low <= zone.high else []
    parts += [f"wins {down} or fewer is {worse}"] if zone.down >= -zone.games else []
    return f"A side that {', one that '.join(parts)}." if parts else ""


def _command_with_a_band(goal: Goal) -> str:
    """Return the command that plans for a verdict by the band of `rate`, 45% to 55%."""
    difference = (
        f" --difference {100 * goal.difference:.4g}pp" if goal.difference and goal.difference > _BAND + 1e-9 else ""
    )
    options = f" --options {goal.options}" if goal.options > 2 else ""
    return f"balance need --band 45:55{difference}{options}"


def _words(goal: Goal) -> tuple[str, str]:
    """Return what a plan calls a side that wins too little and one that wins too much: by a band, or against even."""
    return ("underpowered", "overpowered") if goal.band is not None else ("worse than even", "better than even")


def _promise(goal: Goal, plan: Plan) -> str:
    """Return the power of a plan and its error, as shares of series of games, in a sentence."""
    power, error = show_probability(plan.power), show_probability(plan.error)
    subject = "an option" if goal.options > 2 else "a side"
    if goal.band is None:
        fair = "of all fair options any is named" if goal.options > 2 else "a fair one is named"
        return (
            f"Then {subject} that scores {_score(goal.sides[1])} is named in {power} of such series; {fair} in {error}."
        )
    off = "" if goal.difference is None else f" (and one of {_score(goal.sides[1])} unfair)"
    return (
        f"Then {subject} of 50% is called fair{off} in {power} of such series; "
        f"one on the edge of the band is called fair in {error}."
    )


def _with_looks(goal: Goal, plan: Plan) -> str:
    """Return the mean number of games of the sequential plan, and the most it takes, in a sentence."""
    fair = round(_at(plan, HALF).mean_games)
    averages = f"{show_count(fair)} games on average if it is 50%"
    if goal.difference is not None:
        averages += f", {show_count(round(_at(plan, goal.sides[1]).mean_games))} if it is {_score(goal.sides[1])}"
    latest = f"{show_many(plan.games, 'game')} ({show_many(plan.evenings, 'evening')})"
    return f"With looks after every evening you would stop after {averages}, and after {latest} at the latest."


def _at(plan: Plan, score: float) -> Outcome:
    return min(plan.outcomes, key=lambda outcome: abs(outcome.score - score))


def _plans(need: NeededGames) -> tuple[list[str], list[Sequence[object]]]:
    """Return heads and rows of the fixed, the sequential and Wald's plan, with power and error as played out too."""
    names = {"fixed": "one look, at the end", "sequential": "a look every evening", "sprt": "Wald's SPRT"}
    rows = list[Sequence[object]]()
    for plan in (need.fixed, need.sequential, need.sprt):
        if plan is not None:
            max_games = f"{show_count(plan.games)}{'*' if plan.name == 'sprt' else ''}"
            row = [names[plan.name], max_games, show_count(plan.evenings), show_probability(plan.power)]
            played_text = f"{show_probability(plan.simulation.power)} and {show_probability(plan.simulation.error)}"
            rows.append([*row, show_probability(plan.error), played_text])
    return ["plan", "at most", "evenings", "power", "error", "played out"], rows


def _outcomes(need: NeededGames, name: str) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of the chances of each verdict by true score, with the mean number of games."""
    plan = need.sequential if name == "sequential" and need.sequential is not None else need.fixed
    calls_fair = need.goal.band is not None or plan.name == "sequential"
    rows = [
        [
            _score(outcome.score),
            show_probability(outcome.verdicts.underpowered),
            *([show_probability(outcome.verdicts.fair)] if calls_fair else []),
            show_probability(outcome.verdicts.overpowered),
            show_probability(outcome.verdicts.unknown),
            show_count(round(outcome.mean_games)),
        ]
        for outcome in plan.outcomes
    ]
    return [
        "if it scores",
        _words(need.goal)[0],
        *(["fair"] if calls_fair else []),
        _words(need.goal)[1],
        "not yet known",
        "games",
    ], rows


def _looks(goal: Goal, plan: Plan, max_looks: int) -> Iterator[RenderableType]:
    """Yield the table of looks at which the plan can stop, at most `max_looks` of them, evenly spread."""
    stops = [zone for zone in plan.zones if zone.up <= zone.games or zone.low <= zone.high]
    sample = stops
    if len(stops) > max_looks:
        sample = [stops[round(at * (len(stops) - 1) / (max_looks - 1))] for at in range(max_looks)]
    rows = [_look(goal, zone) for zone in sample]
    unit = "wins less losses" if goal.draws else "wins"
    yield line(f"When to stop, by {unit}:")
    worse, better = _words(goal)
    yield table(["after evening", "games", worse, "fair", better], rows)
    if len(stops) > len(sample):
        yield line(f"{show_many(len(plan.zones), 'look')} in all: --out FILE.csv or --json lists each.", "dim", 1)


def _look(goal: Goal, zone: Zone) -> list[str]:
    """Return one look as a row: boundaries in wins, or with draws in the lead of wins over losses."""

    def lead_text(lead: int) -> str:
        return f"{lead:+d}" if goal.draws and lead else str(lead if goal.draws else (zone.games + lead) // 2)

    fair = "" if zone.low > zone.high else lead_text(zone.low)
    if zone.high > zone.low:
        fair += f" to {lead_text(zone.high)}"
    return [
        show_count(-(-zone.games // goal.games_per_evening)),
        show_count(zone.games),
        f"{lead_text(zone.down)} or fewer" if zone.down >= -zone.games else "",
        fair,
        f"{lead_text(zone.up)} or more" if zone.up <= zone.games else "",
    ]


def looks_csv(goal: Goal, plan: Plan) -> str:
    """Return every look of a plan as a table; leads, and wins where there are no draws."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["evening", "games", "underpowered_to_lead", "fair_from_lead", "fair_to_lead", "overpowered_from_lead"]
    )
    for zone in plan.zones:
        underpowered, overpowered = zone.down >= -zone.games, zone.up <= zone.games
        fair = [zone.low, zone.high] if zone.low <= zone.high else ["", ""]
        ends = [zone.down if underpowered else "", *fair, zone.up if overpowered else ""]
        writer.writerow([-(-zone.games // goal.games_per_evening), zone.games, *ends])
    return text.getvalue()


def _few_games(goal: Goal) -> list[Sequence[object]]:
    return [
        [show_count(games), "nothing" if difference is None else f"{show_fixed(100 * difference, 1)} points or more"]
        for games, difference in few_games(goal)
    ]


def _notes(need: NeededGames, plan: str) -> Iterator[RenderableType]:
    """Yield how to judge, the number of simulated series, and the error of peeking and the dips of the power."""
    goal = need.goal
    chosen_plan = need.sequential if plan == "sequential" and need.sequential is not None else need.fixed
    yield line(f"How to judge: {chosen_plan.analysis}.", "dim")
    yield line(f"Played out: {show_count(chosen_plan.simulation.runs)} whole series of games for each number.", "dim")
    if need.sprt is not None:
        yield line("* 99% of its series end by then; it has no last evening.", "dim")
    if need.peeking_error is not None and need.peeking_error > goal.error:
        yield line(
            "Whoever looks at the one-look plan every evening and stops as soon as it says so is wrong in "
            f"{show_probability(need.peeking_error)}: take the plan with looks for that.",
            "dim",
        )
    if need.size.for_good > need.size.games:
        unit = "games" if goal.options == 2 else "games of an option"
        yield line(
            f"With some numbers of games a little above {show_count(need.size.games)} the power dips to "
            f"{show_probability(need.size.dip)}; from {show_count(need.size.for_good)} {unit} on it never does.",
            "dim",
        )
    if goal.draws:
        yield line("With fewer draws than that the plan with looks errs more often: --draws 0 is the safe side.", "dim")
    if (false_names := need.fixed.simulation.false_names) is not None:
        yield line(
            f"With one option off, another one is named on its own account in {show_probability(false_names)}.", "dim"
        )

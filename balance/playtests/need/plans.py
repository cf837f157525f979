"""How many games it takes to tell: plans with one look and plans that look after every evening, side by side.

>>> {name: (plan.games, plan.evenings) for name, plan in need(Goal(0.2), runs=500).plans.items()}
{'fixed': (51, 13), 'sequential': (60, 15), 'sprt': (200, 50)}
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt

from balance.base.errors import Fault, UsageError
from balance.playtests.need.analyses import FAIR, OVERPOWERED, UNDERPOWERED, SignTest, Verdicts
from balance.playtests.need.answer import After, FewGames, Look, NeededGames, Outcome, Plan, PlanName
from balance.playtests.need.fixed import analysis_of, error_of, fixed_size, power_of, told_by
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import NEVER, Ends, Zone, walk
from balance.playtests.need.sequential import error_with, power_with, sequential_zones
from balance.playtests.need.simulation import SimulatedRates, play_fixed, play_looks, play_round_robins
from balance.playtests.need.sprt import sprt_zones

VerdictCodes = npt.NDArray[np.int8]

RUNS = 10_000
MOST_RUNS = 1_000_000
MOST_PAIRINGS = 40_000_000
"""Pairings of options that are played out at most, so that many options take seconds: fewer runs, never below 1,000."""
NEARLY_ALL = 0.99
FEW_GAMES = (10, 20, 40, 100, 200, 400)
"""Games that designers play by hand."""


Details = tuple[Plan, list[Outcome], tuple[Zone, ...]]
"""A plan, its outcomes, and where it stops."""


def check_runs(runs: int) -> None:
    """Raise `UsageError` unless `runs` is from 1 to `MOST_RUNS`."""
    if not 1 <= runs <= MOST_RUNS:
        raise UsageError(Fault("is out of range", "§runs", found=str(runs), allowed=f"1 to {MOST_RUNS:,}"))


def need(
    goal: Goal, runs: int = RUNS, seed: int = 0, plan: PlanName = "fixed", evenings: int | None = None
) -> NeededGames:
    """Return the plans that keep a goal's promise, each played out `runs` times as a check, `plan` first.

    Of many options fewer are played out. `evenings` asks for what these can tell. Raises `UsageError` for more games
    than anybody plays, and for a number of runs out of range.
    """
    check_runs(runs)
    size, runs = fixed_size(goal), min(runs, max(1000, MOST_PAIRINGS // goal.options**2))
    details: dict[PlanName, Details] = {"fixed": _fixed(goal, size.games, runs, seed)}
    if goal.options == 2:
        details["sequential"] = _plan_with_looks("sequential", goal, sequential_zones(goal), runs, seed)
        if goal.band is None:
            details["sprt"] = _plan_with_looks("sprt", goal, sprt_zones(goal), runs, seed)
    details = {plan: details[plan]} | details
    return NeededGames(
        1,
        "need",
        goal,
        plan,
        {name: design for name, (design, _, _) in details.items()},
        size.for_good,
        size.dip,
        peeking_error(goal, size.games) if "sprt" in details else None,
        tuple(outcome for _, outcomes, _ in details.values() for outcome in outcomes),
        tuple(
            _look(name, zone, goal.games_per_evening)
            for name, (design, _, zones) in details.items()
            for zone in zones
            if zone.games <= design.games
        ),
        few_games(goal),
        None if evenings is None else after(goal, evenings),
        seed,
    )


def _look(name: PlanName, zone: Zone, games_per_evening: int) -> Look:
    is_fair = zone.low <= zone.high
    return Look(
        name,
        -(-zone.games // games_per_evening),
        zone.games,
        zone.down if zone.down >= -zone.games else None,
        zone.low if is_fair else None,
        zone.high if is_fair else None,
        zone.up if zone.up <= zone.games else None,
    )


def after(goal: Goal, evenings: int) -> After:
    """Return what can be told after so many evenings, all of them spent on one pair or one round robin.

    >>> told = after(Goal(0.05), 10)
    >>> told.games, round(told.power, 3), told.difference
    (40, 0.075, 0.222)
    """
    games = goal.games_per_evening * evenings
    games_per_option = int(2 * games / goal.options)
    if games_per_option < 1:
        return After(evenings, games, 0.0, None)
    power = power_of(goal, games_per_option)
    return After(evenings, games, power, told_by(games_per_option, goal.power, 1 - goal.level, goal.draws))


def peeking_error(goal: Goal, games: int) -> float:
    """Return the false-alarm rate of the sign test for one look if it is applied after every evening until `games`.

    With draws, as if just their share had been drawn by each look.

    >>> round(peeking_error(Goal(0.05), 800), 2)
    0.34
    """
    test, zones = SignTest(goal.level), []
    for at in range(1, games // goal.games_per_evening + 1):
        games_so_far = goal.games_per_evening * at
        n_decisive = round(games_so_far * (1 - goal.draws))
        up = 2 * test.least_wins(n_decisive) - n_decisive
        zones.append(Zone(games_so_far, -up, up=up))
    ends = walk(zones, HALF, goal.draws)
    return float(ends.up.sum() + ends.down.sum())


def _fixed(goal: Goal, games_an_option: int, runs: int, seed: int) -> Details:
    analysis = analysis_of(goal)
    rounds = games_an_option // (goal.options - 1)
    games = rounds * goal.options * (goal.options - 1) // 2
    text = analysis.description
    if goal.options > 2:
        text += f", of each option's games, {100 * goal.error:.3g}% shared among {goal.options} options"
        if goal.band is None:
            text += "; of several named the furthest off stands, and who is not off without its games was pulled by it"
    plan = Plan(
        games,
        ceil(games / goal.games_per_evening),
        games_an_option,
        rounds,
        power_of(goal, games_an_option),
        min(1.0, goal.things * error_of(goal, games_an_option)),
        text,
        _play_out(goal, rounds, runs, seed),
    )
    laws = {score: analysis.law(games_an_option, score, goal.draws) for score in _truths(goal)}
    outcomes = [_outcome("fixed", score, law, games) for score, law in laws.items()]
    return plan, outcomes, _last_look(goal, games_an_option)


def _outcome(plan: PlanName, score: float, law: Verdicts, games: float) -> Outcome:
    return Outcome(plan, score, law.underpowered, law.fair, law.overpowered, law.unknown, float(games))


def _last_look(goal: Goal, games: int) -> tuple[Zone, ...]:
    """Return the leads at which the analysis names something, as one zone; () with draws, which count in it."""
    if goal.draws:
        return ()
    wins = np.arange(games + 1)
    verdicts = analysis_of(goal).says(wins, np.zeros_like(wins), games - wins)
    inside = 2 * wins[verdicts == FAIR] - games
    low, high = (int(inside[0]), int(inside[-1])) if len(inside) else (NEVER, -NEVER)
    underpowered, overpowered = 2 * wins[verdicts == UNDERPOWERED] - games, 2 * wins[verdicts == OVERPOWERED] - games
    max_underpowered = int(underpowered[-1]) if len(underpowered) else -NEVER
    min_overpowered = int(overpowered[0]) if len(overpowered) else NEVER
    return (Zone(games, max_underpowered, low, high, min_overpowered),)


def _play_out(goal: Goal, rounds: int, runs: int, seed: int) -> SimulatedRates:
    """Return the power and error of a plan with one look, by simulation."""
    analysis = analysis_of(goal)

    def verdicts_at(score: float) -> tuple[VerdictCodes, VerdictCodes]:
        if goal.options > 2:
            return play_round_robins(goal, analysis, rounds, score, runs, seed)
        alone = play_fixed(analysis, rounds, score, goal.draws, runs, seed)[:, None]
        return alone, alone

    powers, false_names = list[float](), None
    if goal.difference is not None:
        verdicts, own_verdicts = verdicts_at(goal.sides[1])
        powers.append(float((verdicts[:, 0] == OVERPOWERED).mean()))
        false_names = float(np.isin(own_verdicts[:, 1:], (OVERPOWERED, UNDERPOWERED)).any(axis=1).mean())
    if goal.band is not None:
        powers.append(float((verdicts_at(HALF)[0][:, 0] == FAIR).mean()))
        error = float((verdicts_at(_wrong_at(goal))[0][:, 0] == FAIR).mean())
    else:
        error = float(np.isin(verdicts_at(HALF)[0], (OVERPOWERED, UNDERPOWERED)).any(axis=1).mean())
    games = rounds * goal.options * (goal.options - 1) / 2
    return SimulatedRates(
        runs, min(powers), error, games, false_names if goal.options > 2 and goal.band is None else None
    )


def _plan_with_looks(name: PlanName, goal: Goal, zones: tuple[Zone, ...], runs: int, seed: int) -> Details:
    """Return the plan that stops in these zones, with its exact law and a simulation of it."""
    ends = {score: walk(zones, score, goal.draws) for score in _truths(goal)}
    max_games = zones[-1].games
    if name == "sprt":
        max_games = max(end.games_within(NEARLY_ALL) for end in ends.values())
    plan = Plan(
        max_games,
        ceil(max_games / goal.games_per_evening),
        max_games,
        max_games,
        power_with(goal, zones),
        error_with(goal, zones),
        _REPEAT_TEXTS[name] + ("" if goal.draws == 0 else f"; counted on {goal.draws:.3g} draws a game"),
        _play_out_looks(goal, zones, runs, seed),
    )
    return plan, [_outcome(name, score, _verdicts(end), end.mean_games) for score, end in ends.items()], zones


_REPEAT_TEXTS = {
    "sequential": "after each evening compare the lead, wins less losses, with the boundaries of that evening "
    "(Lan and DeMets's spending like O'Brien and Fleming's, exact on the lattice of leads)",
    "sprt": "after each evening compare the lead, wins less losses, with the boundaries of that evening (Wald's "
    "sequential probability ratio test of one half against either side, without a last evening)",
}


def _verdicts(ends: Ends) -> Verdicts:
    return Verdicts(*(float(chances_by_look.sum()) for chances_by_look in (ends.down, ends.fair, ends.up)))


def _play_out_looks(goal: Goal, zones: Sequence[Zone], runs: int, seed: int) -> SimulatedRates:
    """Return the power, error and mean games of a plan with looks, by simulation."""

    def play_at(score: float) -> tuple[VerdictCodes, npt.NDArray[np.int64]]:
        return play_looks(zones, score, goal.draws, runs, seed)

    powers_and_games = []
    if goal.difference is not None:
        verdicts, games = play_at(goal.sides[1])
        powers_and_games.append((float((verdicts == OVERPOWERED).mean()), float(games.mean())))
    if goal.band is not None:
        verdicts, games = play_at(HALF)
        powers_and_games.append((float((verdicts == FAIR).mean()), float(games.mean())))
        error = float((play_at(_wrong_at(goal))[0] == FAIR).mean())
    else:
        error = float(np.isin(play_at(HALF)[0], (OVERPOWERED, UNDERPOWERED)).mean())
    power, mean = min(powers_and_games)
    return SimulatedRates(runs, power, error, mean)


def _wrong_at(goal: Goal) -> float:
    """Return the score at which a false verdict is likeliest: the edge of the band nearest to one half."""
    return HALF if goal.band is None else min(goal.band, key=lambda edge: abs(edge - HALF))


def _truths(goal: Goal) -> list[float]:
    """Return the true scores that outcomes are shown for: one half, halfway, the difference or edge, twice as far."""
    away = goal.sides[1] - HALF if goal.difference is not None else 0.0
    if goal.band is not None:
        edges = [*goal.band]
        beyond = [HALF - 2 * (HALF - goal.band[0]), HALF + 2 * (goal.band[1] - HALF)]
        scores = [*beyond, *edges, HALF, *([goal.sides[1]] if away else [])]
    else:
        scores = [HALF, HALF + away / 2, HALF + away, HALF + 2 * away]
    room = HALF - goal.draws / 2
    return sorted({round(score, 6) for score in scores if abs(score - HALF) <= room})


def few_games(goal: Goal) -> tuple[FewGames, ...]:
    """Return the least difference that few games of one thing detect.

    >>> few_games(Goal(0.05))[:2]
    (FewGames(games=10, difference=0.417), FewGames(games=20, difference=0.299))
    """
    return tuple(FewGames(games, told_by(games, goal.power, 1 - goal.level, goal.draws)) for games in FEW_GAMES)

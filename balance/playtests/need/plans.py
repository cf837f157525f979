"""How many games it takes to tell: plans with one look and plans that look after every evening, side by side.

>>> found = need(Goal(0.2), runs=500)
>>> found.fixed.games, found.fixed.evenings, found.sequential.games
(51, 13, 60)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from balance.base.errors import Fault, UsageError
from balance.playtests.need.analyses import FAIR, OVERPOWERED, UNDERPOWERED, SignTest, Verdicts
from balance.playtests.need.fixed import FixedSize, analysis_of, error_of, fixed_size, power_of, told_by
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import NEVER, Ends, Zone, walk
from balance.playtests.need.sequential import error_with, power_with, sequential_zones
from balance.playtests.need.simulation import SimulatedRates, play_fixed, play_looks, play_round_robins
from balance.playtests.need.sprt import sprt_zones

__all__ = [
    "After",
    "Goal",
    "NeededGames",
    "Outcome",
    "Plan",
    "after",
    "check_runs",
    "few_games",
    "need",
    "peeking_error",
]

VerdictCodes = npt.NDArray[np.int8]

RUNS = 10_000
MOST_RUNS = 1_000_000
MOST_PAIRINGS = 40_000_000
"""Pairings of options that are played out at most, so that many options take seconds: fewer runs, never below 1,000."""
NEARLY_ALL = 0.99
FEW_GAMES = (10, 20, 40, 100, 200, 400)
"""Games that designers play by hand."""


@dataclass(frozen=True)
class Outcome:
    """What a plan says of a thing with true score `score`, and its expected number of games."""

    score: float
    verdicts: Verdicts
    mean_games: float


@dataclass(frozen=True)
class Plan:
    """One way to play the games.

    * `name`: "fixed", "sequential" or "sprt".
    * `games` and `evenings`: the most that are played in all; of an "sprt", which has no end, what 99 in 100 stay
      within.
    * `games_a_thing` and `games_a_pair`: games of each option, and between each two.
    * `power` and `error`: exact, of one thing; with several options `error` is the most that all of them together come
      to.
    * `zones`: where it stops at each look; of a plan with one look and draws none, as the draws count in its analysis.
    * `outcomes`: of things with scores of one half and further off.
    * `analysis`: how to repeat the verdict, in words.
    * `simulation`: the same power and error by simulation, as a check.
    """

    name: str
    games: int
    evenings: int
    games_a_thing: int
    games_a_pair: int
    power: float
    error: float
    zones: tuple[Zone, ...]
    outcomes: tuple[Outcome, ...]
    analysis: str
    simulation: SimulatedRates


@dataclass(frozen=True)
class NeededGames:
    """What a goal takes.

    `sequential` and `sprt`: none for a round robin, which has no looks; the second also for a band. `size`: how the
    number of games of the plan with one look came about. `peeking_error`: the false-alarm rate of the plan with one
    look if one looked at its interval after every evening nevertheless; None for bands and round robins.
    """

    goal: Goal
    fixed: Plan
    sequential: Plan | None
    sprt: Plan | None
    size: FixedSize
    peeking_error: float | None

    @property
    def plans(self) -> dict[str, Plan]:
        """The plans that there are, by name."""
        plans = {"fixed": self.fixed, "sequential": self.sequential, "sprt": self.sprt}
        return {name: plan for name, plan in plans.items() if plan is not None}

    def __repr__(self) -> str:
        """Return how many games each plan takes, in short."""
        return f"Needed({', '.join(f'{name}: {plan.games} games' for name, plan in self.plans.items())})"


@dataclass(frozen=True)
class After:
    """What can be told after so many games: the power for the goal, and the difference that has the goal's power."""

    evenings: int
    games: int
    power: float
    difference: float | None


def check_runs(runs: int) -> None:
    """Raise `UsageError` unless `runs` is from 1 to `MOST_RUNS`."""
    if not 1 <= runs <= MOST_RUNS:
        raise UsageError(Fault("is out of range", "§runs", found=str(runs), allowed=f"1 to {MOST_RUNS:,}"))


def need(goal: Goal, runs: int = RUNS, seed: int = 0) -> NeededGames:
    """Return the plans that keep a goal's promise, each played out `runs` times as a check.

    Parameters
    ----------
    goal
        What is to be found out, with which power and false-alarm rate.
    runs
        Simulated logs for each plan, from 1 to 1,000,000; fewer are played with many options.
    seed
        Of the simulated logs.

    Raises
    ------
    UsageError
        More games than anybody plays, or a number of runs out of range.
    """
    check_runs(runs)
    size, runs = fixed_size(goal), min(runs, max(1000, MOST_PAIRINGS // goal.options**2))
    pair = goal.options == 2
    return NeededGames(
        goal,
        _fixed(goal, size, runs, seed),
        _plan_with_looks("sequential", goal, sequential_zones(goal), runs, seed) if pair else None,
        _plan_with_looks("sprt", goal, sprt_zones(goal), runs, seed) if pair and goal.band is None else None,
        size,
        peeking_error(goal, size.games) if pair and goal.band is None else None,
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


def _fixed(goal: Goal, size: FixedSize, runs: int, seed: int) -> Plan:
    analysis, games_per_option = analysis_of(goal), size.games
    rounds = games_per_option // (goal.options - 1)
    games = rounds * goal.options * (goal.options - 1) // 2
    outcomes = [Outcome(at, analysis.law(games_per_option, at, goal.draws), float(games)) for at in _truths(goal)]
    analysis_text = analysis.description
    if goal.options > 2:
        analysis_text += f", of each option's games, {100 * goal.error:.3g}% shared among {goal.options} options"
        if goal.band is None:
            analysis_text += (
                "; of several named the furthest off stands, and who is not off without its games was pulled by it"
            )
    return Plan(
        "fixed",
        games,
        ceil(games / goal.games_per_evening),
        games_per_option,
        rounds,
        power_of(goal, games_per_option),
        min(1.0, goal.things * error_of(goal, games_per_option)),
        _last_look(goal, games_per_option),
        tuple(outcomes),
        analysis_text,
        _play_out(goal, rounds, runs, seed),
    )


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


def _plan_with_looks(name: str, goal: Goal, zones: tuple[Zone, ...], runs: int, seed: int) -> Plan:
    """Return the plan that stops in these zones, with its exact law and a simulation of it."""
    ends = {score: walk(zones, score, goal.draws) for score in _truths(goal)}
    max_games = zones[-1].games
    if name == "sprt":
        max_games = max(end.games_within(NEARLY_ALL) for end in ends.values())
    return Plan(
        name,
        max_games,
        ceil(max_games / goal.games_per_evening),
        max_games,
        max_games,
        power_with(goal, zones),
        error_with(goal, zones),
        zones,
        tuple(_outcome(score, end) for score, end in ends.items()),
        _REPEAT_TEXTS[name] + ("" if goal.draws == 0 else f"; counted on {goal.draws:.3g} draws a game"),
        _play_out_looks(goal, zones, runs, seed),
    )


_REPEAT_TEXTS = {
    "sequential": "after each evening compare the lead, wins less losses, with the boundaries of that evening "
    "(Lan and DeMets's spending like O'Brien and Fleming's, exact on the lattice of leads)",
    "sprt": "after each evening compare the lead, wins less losses, with the boundaries of that evening (Wald's "
    "sequential probability ratio test of one half against either side, without a last evening)",
}


def _outcome(score: float, ends: Ends) -> Outcome:
    sums = (float(chances_by_look.sum()) for chances_by_look in (ends.down, ends.fair, ends.up))
    return Outcome(score, Verdicts(*sums), ends.mean_games)


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


def few_games(goal: Goal) -> list[tuple[int, float | None]]:
    """Return the least difference that few games of one thing detect: (games, difference), None where none is.

    >>> few_games(Goal(0.05))[:2]
    [(10, 0.417), (20, 0.299)]
    """
    return [(games, told_by(games, goal.power, 1 - goal.level, goal.draws)) for games in FEW_GAMES]

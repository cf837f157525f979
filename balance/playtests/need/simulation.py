"""Plans played out: whole logs drawn game by game and put to the analysis, as a check of what was worked out.

Nothing of the exact laws is used here, only what a plan says to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from balance.base.answers import Chance, Count, Doc
from balance.base.arrays import BoolArray, FloatArray
from balance.base.progress import Stage, tell
from balance.chance.rolls.streams import stream
from balance.playtests.need.analyses import FAIR, OVERPOWERED, UNDERPOWERED, UNKNOWN, Analysis
from balance.playtests.need.binomials import at_most
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import Zone, chances

Counts = npt.NDArray[np.int64]
Verdicts = npt.NDArray[np.int8]

MOST_AT_ONCE = 4_000_000
"""Numbers held at once."""


@dataclass(frozen=True)
class SimulatedRates:
    """How often a plan that is played out does what it says."""

    runs: Annotated[Count, Doc("Plans played for each of the two numbers.")]
    power: Annotated[Chance, Doc("Of them that named what is off, or called fair what is.")]
    error: Annotated[Chance, Doc("Of them that were wrong.")]
    games: Annotated[float, Doc("Games played on average by those of the power.")]
    false_names: Annotated[
        Chance | None,
        Doc("Of a round robin with one option off, that another is named on its own account; null elsewhere."),
    ] = None


def play_fixed(analysis: Analysis, games: int, score: float, draws: float, runs: int, seed: int) -> Verdicts:
    """Return the verdicts on `runs` simulated logs of `games` games, `int8[run]`, at this true score and draw share."""
    rng = stream(seed, f"need {games}", round(score * 10_000), "games")
    tell(Stage("playing out one look"))
    wins, draw_counts, losses = rng.multinomial(games, chances(score, draws), size=runs).T
    return np.asarray(analysis.says(wins, draw_counts, losses), np.int8)


def play_looks(zones: Sequence[Zone], score: float, draws: float, runs: int, seed: int) -> tuple[Verdicts, Counts]:
    """Return the verdicts on `runs` simulated logs with looks, `int8[run]`, and their games, `int64[run]`."""
    rng = stream(seed, f"need {len(zones)} looks", round(score * 10_000), "games")
    verdicts, games = np.zeros(runs, np.int8), np.zeros(runs, np.int64)
    lead, open_ = np.zeros(runs, np.int64), np.arange(runs)
    before = 0
    for at, zone in enumerate(zones):
        tell(Stage("playing out looks", at, len(zones)))
        wins, _, losses = rng.multinomial(zone.games - before, chances(score, draws), size=len(open_)).T
        before = zone.games
        lead[open_] += wins - losses
        games[open_] = zone.games
        now = lead[open_]
        inside = (now >= zone.low) & (now <= zone.high)
        verdicts[open_] = np.select(
            [now >= zone.up, now <= zone.down, inside], [OVERPOWERED, UNDERPOWERED, FAIR], UNKNOWN
        )
        open_ = open_[verdicts[open_] == UNKNOWN]
        if not len(open_):
            break
    return verdicts, games


def named_of_round_robin(wins_over: Counts, losses_to: Counts, error: float) -> tuple[Verdicts, Verdicts]:
    """Return who is named in finished round robins, and who of them on its own account, both `int8[run, option]`.

    `wins_over` and `losses_to` are games won from and lost to others, `[run, option, other]`. An option is named if the
    p-value of its sign test is at most the error shared among all options (Bonferroni): `OVERPOWERED` or
    `UNDERPOWERED`, else `UNKNOWN`. One that is off pulls the scores of all others the other way, so of several that are
    named the furthest off stands; its games are set aside, and whoever is no longer off without them was pulled by it,
    and so on.
    """
    runs, options, _ = wins_over.shape
    level = error / (1 if options == 2 else options)
    among, open_ = np.ones((runs, options), bool), np.arange(runs)
    wins, losses, p = _p_values(wins_over, losses_to, among)
    verdicts = np.where(p <= level, np.where(wins > losses, OVERPOWERED, UNDERPOWERED), UNKNOWN).astype(np.int8)
    own_verdicts = np.zeros_like(verdicts)
    while len(open_):
        _, _, p = _p_values(wins_over[open_], losses_to[open_], among[open_])
        p[~among[open_] | (verdicts[open_] == UNKNOWN)] = np.inf
        furthest_off = p.argmin(axis=1)
        is_named = p[np.arange(len(open_)), furthest_off] <= level
        open_, furthest_off = open_[is_named], furthest_off[is_named]
        own_verdicts[open_, furthest_off] = verdicts[open_, furthest_off]
        among[open_, furthest_off] = False
    return verdicts, own_verdicts


def _p_values(wins_over: Counts, losses_to: Counts, among: BoolArray) -> tuple[Counts, Counts, FloatArray]:
    """Return games won and lost by each option against those `among`, and its sign test's p-value, `[run, option]`."""
    wins, losses = (np.einsum("roq,rq->ro", games, among) for games in (wins_over, losses_to))
    return wins, losses, np.minimum(1, 2 * at_most(np.minimum(wins, losses), wins + losses, 0.5))


def play_round_robins(
    goal: Goal, analysis: Analysis, rounds: int, score: float, runs: int, seed: int
) -> tuple[Verdicts, Verdicts]:
    """Return who is named, and who on its own account, if the first option has this score against each other one.

    Both are `int8[run, option]`; with a band, all verdicts are each option's own.
    """
    rng = stream(seed, f"need {rounds} rounds", round(score * 10_000), "games")
    runs_at_once = max(1, MOST_AT_ONCE // goal.options**2)
    parts = [min(runs_at_once, runs - first_run) for first_run in range(0, runs, runs_at_once)]
    pieces = []
    for at, part in enumerate(parts):
        tell(Stage("playing out round robins", at, len(parts)))
        pieces.append(_some_round_robins(goal, analysis, rounds, score, part, rng))
    verdicts, own_verdicts = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    return verdicts, own_verdicts


def _some_round_robins(
    goal: Goal, analysis: Analysis, rounds: int, score: float, runs: int, rng: np.random.Generator
) -> tuple[Verdicts, Verdicts]:
    wins_over, losses_to = (np.zeros((runs, goal.options, goal.options), np.int64) for _ in range(2))
    for option in range(goal.options - 1):
        law = chances(score if option == 0 else HALF, goal.draws)
        result = rng.multinomial(rounds, law, size=(runs, goal.options - option - 1))
        wins_over[:, option, option + 1 :], losses_to[:, option, option + 1 :] = result[..., 0], result[..., 2]
        wins_over[:, option + 1 :, option], losses_to[:, option + 1 :, option] = result[..., 2], result[..., 0]
    if goal.band is None:
        return named_of_round_robin(wins_over, losses_to, goal.error)
    wins, losses = wins_over.sum(axis=2), losses_to.sum(axis=2)
    verdicts = np.asarray(analysis.says(wins, rounds * (goal.options - 1) - wins - losses, losses), np.int8)
    return verdicts, verdicts

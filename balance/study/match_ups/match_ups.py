"""Every match-up in every situation: exact where that can be had, simulated until the verdict is clear elsewhere.

Two tables come out. `tasks` has one row per match-up, situation, choice of policies and side of a patch:

* `side` ("base" or a patch), `situation`, `a`, `b`, `policies`, `task_id` (sha256 of what fixes the distribution);
* `method` ("exact" or "sampled"), `n_pairs`, `n_blocks` (0 where exact);
* `score`, `low`, `high`: what a scores on average over both turn orders, a draw counting half, with its interval;
* `advantage`, `advantage_low`, `advantage_high`: what going first adds to a score; null where nobody goes first;
* `verdict` (one of `MATCH_UP_VERDICTS`), `reason` it was given no more trials, `more_pairs` about still needed.

`outcomes` has one row per task and outcome: `side`, `situation`, `a`, `b`, `policies`, `task_id`, then who won the game
in which a went first (`a_first`) and the one in which b did (`b_first`), how often (`n`) and its share (`p`). A sampled
row is a mirrored pair; an exact row is one game alone, with the other column and `n` null.

Rows are in the order of the plan: sides, situations, entrants as the game lists them. Intervals are null where exact,
and hold for all sampled tasks of the study and at every look at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from balance.base.errors import RulesError
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.jobs import Job
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.game.loaded import LoadedGame
from balance.study.match_ups.jobs import distribution_of, solve
from balance.study.match_ups.plan import BASE, MatchUpTask, as_sampled, plan_tasks, stream_id
from balance.study.match_ups.sampling import ALLOCATION, Sampler
from balance.study.match_ups.streams import StreamEnd, stream_of
from balance.study.match_ups.verdict import MATCH_UP_VERDICTS, judge_match_up, mean_of, more_needed, scores_of
from balance.study.settings.grid import Budget
from balance.study.settings.settings import Study

SOLVE_AT_ONCE = 32
"""Exact tasks in a job."""
EXACT_COLUMNS = ("seat", "winner")
"""Columns of an exact distribution, which tell it from counts."""


@dataclass
class MatchUp:
    """A match-up of the plan, and what was found out about it.

    `id`: the sha256 of everything that fixes its distribution. `equal_points`: whether both sides cost the same.
    `distribution`: the exact distribution, columns `seat` and `winner`; None where it was sampled. `ended`: what was
    sampled; None where it is exact.
    """

    task: MatchUpTask
    id: str
    equal_points: bool
    distribution: Pmf | None = None
    ended: StreamEnd | None = None

    @property
    def counts(self) -> Pmf | None:
        """The exact distribution, or the counts of what was sampled; None if nothing was played."""
        if self.distribution is not None or self.ended is None or self.ended.tally is None:
            return self.distribution
        return self.ended.tally.counts


@dataclass(frozen=True)
class MatchUps:
    """What was played, in the order of the plan.

    `winners` maps results to their codes; `confidence` is that of each single interval, so that all hold at once.
    """

    match_ups: tuple[MatchUp, ...]
    winners: Mapping[str, int]
    confidence: float
    budget: Budget


def play_study(study: Study, sides: Mapping[str, LoadedGame], runner: Runner) -> MatchUps:
    """Play every task of a study; `sides` are named as for `plan_tasks`.

    Raises `Halted` if asked to stop, with finished blocks kept, and `BalanceError` if the study cannot be played or the
    folder cannot be written.
    """
    sources = {name: Source.of(game) for name, game in sides.items()}
    match_ups = [
        MatchUp(task, task.query.id(sides[task.side]), task.equal_points(sides[task.side]))
        for task in plan_tasks(study, sides)
    ]
    distributions = solve_tasks(
        runner, [match_up.task for match_up in match_ups], [match_up.id for match_up in match_ups], sources
    )
    for match_up, distribution in zip(match_ups, distributions, strict=True):
        if distribution is None and match_up.task.exact:
            if study.settings.exact == "always":
                raise RulesError(f"{match_up.task.name}: the exact distribution is too large", 'say exact = "auto"')
            match_up.task = as_sampled(match_up.task)
        match_up.distribution = distribution
    sampled_match_ups = [match_up for match_up in match_ups if match_up.distribution is None]
    confidence = 1 - (1 - study.settings.confidence) / max(1, len(sampled_match_ups))
    winners = next(iter(sides.values())).definition.kinds[study.settings.level].winners
    measure, places = partial(_score_of, winners, confidence), {name: at for at, name in enumerate(sources)}
    streams = [
        stream_of(
            study,
            [(places[match_up.task.side], match_up.task)],
            [match_up.id],
            sides[match_up.task.side],
            sources,
            measure,
        )
        for match_up in sampled_match_ups
    ]
    sampler = Sampler(runner, list(sources.values()), study.settings.seed)
    for match_up, ending in zip(sampled_match_ups, sampler.run(streams, study.settings.budget), strict=True):
        match_up.ended = ending
    return MatchUps(tuple(match_ups), winners, confidence, study.settings.budget)


def solve_tasks(
    runner: Runner, tasks: Sequence[MatchUpTask], ids: Sequence[str], sources: Mapping[str, Source]
) -> list[Pmf | None]:
    """Return the exact distribution of each task marked exact, None where it is too large; kept under `ids`.

    `sources` says where the game of each side is loaded from.
    """
    names = [stream_id([ids[at]], "exact", "", 0, sources[task.side].program) for at, task in enumerate(tasks)]
    distributions: list[Pmf | None] = [None] * len(tasks)
    todo: dict[str, list[int]] = {}
    for place, task in enumerate(tasks):
        if not task.exact:
            continue
        expected = distribution_of(task.kind(sources[task.side].open())) if runner.stores else None
        tallies = [tally for store in runner.stores for tally in store.ranges(names[place], expected)]
        if tallies:
            distributions[place] = tallies[0].counts
        else:
            todo.setdefault(task.side, []).append(place)
    jobs = [
        Job(tasks[part[0]].name, solve, (sources[side], tuple(tasks[at] for at in part)), part)
        for side, places in todo.items()
        for part in (places[start : start + SOLVE_AT_ONCE] for start in range(0, len(places), SOLVE_AT_ONCE))
    ]
    total = sum(task.exact for task in tasks)
    n_done = total - sum(map(len, todo.values()))
    for job, solutions in runner.run(jobs):
        for place, distribution in zip(job.tag, solutions, strict=True):
            distributions[place] = distribution
            for store in runner.stores if distribution is not None else ():
                store.add(names[place], Tally(distribution, 0, 1))
        n_done += len(job.tag)
        runner.engine.tell("exact match-ups", n_done, total)
    return distributions


def _score_of(winners: Mapping[str, int], confidence: float, tally: Tally) -> Estimate:
    return score_estimate(tally.counts, winners, confidence)


def score_estimate(counts: Pmf, winners: Mapping[str, int], confidence: float) -> Estimate:
    """Return the mean score of side a over both games of a pair, with an interval at `confidence`.

    `winners` maps results to their codes in `counts`.
    """
    values = np.mean([scores_of(counts, column, winners) for column in counts.columns], axis=0)
    return mean_of(values, counts, confidence)


def advantage_estimate(counts: Pmf, winners: Mapping[str, int], confidence: float) -> Estimate | None:
    """Return the score of going first less that of going second, with its interval; None where nobody goes first."""
    if len(counts.columns) != 2:
        return None
    first, second = (scores_of(counts, column, winners) for column in counts.columns)
    return mean_of(first - second, counts, confidence, -1.0, 1.0)


def exact_scores(distribution: Pmf, winners: Mapping[str, int]) -> list[float]:
    """Return the expected score of side a in each turn order, from the exact distribution."""
    scores, orders, weights = scores_of(distribution, "winner", winners), distribution["seat"], distribution.weights
    rows = [orders == order for order in np.unique(orders)]
    return [float(scores[rows] @ weights[rows] / weights[rows].sum()) for rows in rows]


# -- tables ----------------------------------------------------------------------------------------------------------

_KEYS: dict[str, Any] = dict.fromkeys(("side", "situation", "a", "b", "policies", "task_id"), pl.String)
TASK_SCHEMA: dict[str, Any] = {
    **_KEYS,
    "method": pl.String,
    "n_pairs": pl.Int64,
    "n_blocks": pl.Int64,
    **dict.fromkeys(("score", "low", "high", "advantage", "advantage_low", "advantage_high"), pl.Float64),
    "verdict": pl.String,
    "reason": pl.String,
    "more_pairs": pl.Int64,
}
OUTCOME_SCHEMA: dict[str, Any] = {**_KEYS, "a_first": pl.String, "b_first": pl.String, "n": pl.Int64, "p": pl.Float64}


def match_up_frames(results: MatchUps) -> dict[str, pl.DataFrame]:
    """Return the tables `tasks` and `outcomes`; see the module's text for their columns."""
    rows, outcomes = [], list[dict[str, Any]]()
    for match_up in results.match_ups:
        task, counts = match_up.task, match_up.counts
        key = {"side": task.side, "situation": task.situation, "a": task.a, "b": task.b}
        key |= {"policies": task.policies, "task_id": match_up.id}
        rows.append(key | _row(match_up, results))
        outcomes += [key | row for row in _outcome_rows(counts, results.winners)] if counts is not None else []
    return {
        "tasks": pl.DataFrame(rows, schema=TASK_SCHEMA, orient="row"),
        "outcomes": pl.DataFrame(outcomes, schema=OUTCOME_SCHEMA, orient="row"),
    }


def _row(match_up: MatchUp, results: MatchUps) -> dict[str, Any]:
    ending, limit = match_up.ended, results.budget.imbalance
    row: dict[str, Any] = {
        "method": "sampled" if match_up.distribution is None else "exact",
        "n_pairs": 0,
        "n_blocks": 0,
    }
    row["reason"] = "exact" if match_up.distribution is not None else ending.reason if ending is not None else ""
    if match_up.counts is None:
        return row | {"verdict": "not yet known"}
    score, first = _score_and_advantage(match_up.counts, results)
    if ending is not None and ending.tally is not None:
        row |= {"n_pairs": ending.tally.n_trials, "n_blocks": ending.tally.n_blocks}
    row |= columns_of(score, "score", "low", "high")
    row |= columns_of(first, "advantage", "advantage_low", "advantage_high") if first is not None else {}
    return row | {
        "verdict": judge_match_up(score, limit, match_up.equal_points),
        "more_pairs": more_needed(score, limit),
    }


def _score_and_advantage(counts: Pmf, results: MatchUps) -> tuple[Estimate, Estimate | None]:
    if counts.columns != EXACT_COLUMNS:
        winners = results.winners, results.confidence
        return score_estimate(counts, *winners), advantage_estimate(counts, *winners)
    scores = exact_scores(counts, results.winners)
    advantage = Estimate.exact(scores[0] - scores[1]) if len(scores) == 2 else None
    return Estimate.exact(sum(scores) / len(scores)), advantage


def columns_of(estimate: Estimate, name: str, low: str, high: str) -> dict[str, float]:
    """Return an estimate as cells of a table under these column names; without ends where it is exact."""
    ends = {} if estimate.is_exact else {low: estimate.low, high: estimate.high}
    return {column: round(value, 12) for column, value in ({name: estimate.value} | ends).items()}


def _outcome_rows(counts: Pmf, winners: Mapping[str, int]) -> list[dict[str, Any]]:
    names = {value: name for name, value in winners.items()}
    if counts.columns == EXACT_COLUMNS:
        return [
            {("a_first", "b_first")[order]: names.get(winner, str(winner)), "p": round(p, 15)}
            for order, winner, p in zip(counts["seat"].tolist(), counts["winner"].tolist(), counts.weights, strict=True)
        ]
    places = ("a_first", "b_first")[: len(counts.columns)]
    n_all = int(counts.total)
    return [
        {place: names.get(code, str(code)) for place, code in zip(places, row, strict=True)} | {"n": n, "p": n / n_all}
        for row, n in zip(counts.outcomes.tolist(), counts.weights.tolist(), strict=True)
    ]


def match_up_summary(study: Study, tasks: pl.DataFrame) -> dict[str, Any]:
    """Return the match-ups of a run in a few numbers, as plain JSON values."""
    by_side = {}
    for side in tasks["side"].unique(maintain_order=True).to_list():
        verdicts = tasks.filter(pl.col("side") == side)["verdict"]
        by_side[side] = {word: int((verdicts == word).sum()) for word in MATCH_UP_VERDICTS}
    sampled_tasks = tasks.filter(pl.col("method") == "sampled")
    widest = ((sampled_tasks["high"] - sampled_tasks["low"]) / 2).max()
    budget = study.settings.budget
    return {
        "n_tasks": tasks.height,
        "n_exact": tasks.height - sampled_tasks.height,
        "n_sampled": sampled_tasks.height,
        "n_pairs": int(sampled_tasks["n_pairs"].sum()),
        "verdicts": by_side,
        "unfair": by_side.get(BASE, {}).get("unfair", 0),
        "imbalance": budget.imbalance,
        "confidence": study.settings.confidence,
        "widest_half_width": widest if isinstance(widest, float) else None,
        "rule": rule_words(budget),
        "allocation": ALLOCATION,
    }


def rule_words(budget: Budget) -> str:
    """Return the stopping rule of a match-up in words.

    >>> rule_words(Budget(half_width=0.01, cap=1000))
    'until the score is known to within 0.01, at most 1,000 pairs'
    """
    if budget.trials is not None:
        text = f"{budget.trials:,} pairs each, rounded up to whole blocks"
    elif budget.half_width is not None:
        text = f"until the score is known to within {budget.half_width:g}, at most {budget.cap:,} pairs"
    else:
        text = (
            f"until it is known whether the score is within {budget.imbalance:g} of 1/2, at most {budget.cap:,} pairs"
        )
    return text if budget.total is None else f"{text}, and {budget.total:,} pairs in all"

"""What a change does: every match-up before and after it, on the same dice, with intervals that hold all together.

Where both sides have exact distributions, the difference is exact. A match-up that the change does not touch (the
game's own setup is the same) is not played twice. All others are played in pairs: both rule sets on the same dice,
trial by trial, so that most luck cancels and what is left is what the change does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.records import types_of
from balance.analysis.scores.cards import find_card
from balance.base.answers import records_of
from balance.base.arrays import FloatArray
from balance.base.errors import StudyError
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.runner import Engine, Runner, same_distribution
from balance.engine.source import Source
from balance.game.loaded import LoadedGame
from balance.study.compare.answer import Affected, Comparison, EqualPoints, MatchUpChange
from balance.study.compare.change_effects import affected_by
from balance.study.compare.summary import broken_limits, summarise_changes
from balance.study.match_ups.match_ups import columns_of, exact_scores, score_estimate, solve_tasks
from balance.study.match_ups.plan import BASE, MatchUpTask, as_sampled, plan_tasks
from balance.study.match_ups.sampling import Sampler
from balance.study.match_ups.streams import Stream, StreamEnd, stream_of
from balance.study.match_ups.verdict import judge_match_up, judge_score, mean_of, scores_of
from balance.study.settings.patch import PatchLimits
from balance.study.settings.settings import Study

AFTER = "after"
INTERVALS = 5
"""Intervals given for each sampled match-up: two scores, their difference, two advantages of going first."""


@dataclass
class _Pair:
    """One match-up before and after a change; `is_touched` says whether its distribution can differ.

    `equal` says, before and after, whether both sides cost the same.
    """

    before: MatchUpTask
    after: MatchUpTask
    is_touched: bool
    equal: tuple[bool, bool]
    ids: tuple[str, str]
    distributions: list[Pmf | None] = field(default_factory=lambda: [None, None])
    result: StreamEnd | None = None


def compare_catalogues(
    study: Study,
    before: LoadedGame,
    after: LoadedGame,
    *,
    title: str = "Before and after",
    limits: PatchLimits | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    equal_points: EqualPoints | None = None,
) -> Comparison:
    """Return what happens to the match-ups of a study when one catalogue is replaced by another.

    The study's own patches are left out. Finished blocks are kept in `folder`, without one in the engine's cache alone;
    without an engine this process works alone. Raises `StudyError` if no match-up exists on both sides, and `Halted`,
    with finished blocks kept, if asked to stop.
    """
    pairs = _match(study, before, after)
    sources = {BASE: Source.of(before), AFTER: Source.of(after)}
    with Runner(before, engine, folder) as runner:
        _solve(runner, pairs, sources)
        sampled_pairs = [pair for pair in pairs if pair.distributions[0] is None or pair.distributions[1] is None]
        confidence = 1 - (1 - study.settings.confidence) / max(1, INTERVALS * len(sampled_pairs))
        winners = before.definition.kinds[study.settings.level].winners
        streams = [_stream(study, pair, before, sources, winners, confidence) for pair in sampled_pairs]
        sampler = Sampler(runner, list(sources.values()), study.settings.seed)
        for pair, result in zip(sampled_pairs, sampler.run(streams, study.settings.budget), strict=True):
            pair.result = result
    rows = [_row(pair, winners, confidence, study.settings.budget.imbalance) for pair in pairs]
    changes = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    affected = affected_by(study, before, after, changes)
    summary = summarise_changes(study, before, after, changes, affected.standing)
    summary = replace(summary, pairing_gain=pairing_gain(sampled_pairs, winners))
    return Comparison(
        1,
        "compare",
        title,
        before.definition.name,
        study.settings.seed,
        (before.catalogue.sha256, after.catalogue.sha256),
        broken_limits(limits or PatchLimits(), summary),
        equal_points,
        summary,
        affected,
        records_of(MatchUpChange, changes.filter("touched").iter_rows(named=True)),
        changes,
        _labels(before, changes, affected, equal_points),
    )


def _labels(
    game: LoadedGame, changes: pl.DataFrame, affected: Affected, equal_points: EqualPoints | None
) -> dict[str, str]:
    """Return what cards and entrants are called."""
    scores = () if equal_points is None else equal_points.scores
    parts = {row.entrant for row in scores} | {row.entrant for row in affected.standing}
    parts |= {card.card for card in affected.cards}
    names = dict.fromkeys([*changes["a"], *changes["b"]])
    return {part: find_card(game, part)[1] for part in parts} | {name: game.label(name) for name in names}


def _match(study: Study, before: LoadedGame, after: LoadedGame) -> list[_Pair]:
    def key(task: MatchUpTask) -> tuple[object, ...]:
        return task.situation, task.a, task.b, task.policies

    tasks_after = {key(task): task for task in plan_tasks(study, {AFTER: after})}
    pairs = []
    for task in plan_tasks(study, {BASE: before}):
        task_after = tasks_after.get(key(task))
        if task_after is not None:
            games = zip(task.games(before), task_after.games(after), strict=True)
            is_touched = not all(same_distribution(*pair) for pair in games)
            equal = task.equal_points(before), task_after.equal_points(after)
            pairs.append(
                _Pair(task, task_after, is_touched, equal, (task.query.id(before), task_after.query.id(after)))
            )
    if not pairs:
        raise StudyError("no match-up of this study exists on both sides", "compare catalogues with the same entrants")
    return pairs


def _solve(runner: Runner, pairs: list[_Pair], sources: Mapping[str, Source]) -> None:
    """Fill in the exact distributions, None where there is none; untouched match-ups are solved once."""
    tasks = [pair.before for pair in pairs] + [pair.after for pair in pairs if pair.is_touched]
    ids = [pair.ids[0] for pair in pairs] + [pair.ids[1] for pair in pairs if pair.is_touched]
    distributions = iter(solve_tasks(runner, tasks, ids, sources))
    for pair in pairs:
        pair.distributions[0] = next(distributions)
    for pair in pairs:
        pair.distributions[1] = next(distributions) if pair.is_touched else pair.distributions[0]


def _stream(
    study: Study,
    pair: _Pair,
    before: LoadedGame,
    sources: Mapping[str, Source],
    winners: Mapping[str, int],
    confidence: float,
) -> Stream:
    n = 2 if pair.is_touched else 1
    sides = [(0, as_sampled(pair.before)), (1, as_sampled(pair.after))][:n]
    measure = partial(_stopping_estimate, pair.is_touched, winners, confidence)
    return stream_of(study, sides, pair.ids[:n], before, sources, measure)


def _stopping_estimate(is_touched: bool, winners: Mapping[str, int], confidence: float, tally: Tally) -> Estimate:
    """Return the estimate that decides when to stop: the difference plus 1/2, or the score if nothing can change."""
    if not is_touched:
        return score_estimate(tally.counts, winners, confidence)
    return _difference(tally.counts, winners, confidence) + 0.5


def _sides(counts: Pmf, winners: Mapping[str, int]) -> tuple[list[FloatArray], list[FloatArray]]:
    """Return a's score in each game of a pair, `float64[outcome]` each, before and after the change."""
    before = [scores_of(counts, name, winners) for name in counts.columns if name.startswith("before")]
    after = [scores_of(counts, name, winners) for name in counts.columns if name.startswith("after")]
    return (before, after) if before else ([scores_of(counts, n, winners) for n in counts.columns],) * 2


def _difference(counts: Pmf, winners: Mapping[str, int], confidence: float) -> Estimate:
    before, after = _sides(counts, winners)
    return mean_of(np.mean(after, axis=0) - np.mean(before, axis=0), counts, confidence, -1.0, 1.0)


SCHEMA = dict(types_of(MatchUpChange))
"""The columns of the table of all match-ups, one row for each in each situation."""


def _row(pair: _Pair, winners: Mapping[str, int], confidence: float, imbalance: float) -> dict[str, Any]:
    task = pair.before
    row: dict[str, Any] = {"situation": task.situation, "a": task.a, "b": task.b, "touched": pair.is_touched}
    row["policies"] = task.policies
    if pair.distributions[0] is not None and pair.distributions[1] is not None:
        estimates = _exact(pair.distributions[0], pair.distributions[1], winners)
        row |= {"method": "exact", "n_pairs": 0}
    else:
        row["method"] = "sampled"
        tally = pair.result.tally if pair.result is not None else None
        row["n_pairs"] = 0 if tally is None else tally.n_trials
        if tally is None:
            return row | dict.fromkeys(("verdict_before", "verdict_after", "effect"), "not yet known")
        estimates = _estimates(tally.counts, winners, confidence, pair.is_touched)
    for name, value in estimates.items():
        row |= columns_of(value, name, f"{name}_low", f"{name}_high")
    for side, equal in zip(("before", "after"), pair.equal, strict=True):
        row[f"verdict_{side}"] = judge_match_up(estimates[side], imbalance, equal)
    return row | {"effect": _effect(estimates["difference"], pair.is_touched, imbalance)}


def _effect(difference: Estimate, is_touched: bool, imbalance: float) -> str:
    if not is_touched or (difference.is_exact and abs(difference.value) < 1e-12):
        return "none"
    words = {"fair": "small", "unfair": "changed"}
    return words.get(judge_score(difference, imbalance, 0.0), "not yet known")


def _exact(before: Pmf, after: Pmf, winners: Mapping[str, int]) -> dict[str, Estimate]:
    old, new = exact_scores(before, winners), exact_scores(after, winners)
    means = sum(old) / len(old), sum(new) / len(new)
    estimates = {"before": means[0], "after": means[1], "difference": means[1] - means[0]}
    if len(old) == len(new) == 2:
        estimates |= {"advantage_before": old[0] - old[1], "advantage_after": new[0] - new[1]}
    return {name: Estimate.exact(value) for name, value in estimates.items()}


def _estimates(counts: Pmf, winners: Mapping[str, int], confidence: float, is_touched: bool) -> dict[str, Estimate]:
    before, after = _sides(counts, winners)
    estimates = {
        "before": mean_of(np.mean(before, axis=0), counts, confidence),
        "after": mean_of(np.mean(after, axis=0), counts, confidence),
        "difference": _difference(counts, winners, confidence) if is_touched else Estimate.exact(0.0),
    }
    if len(before) == 2:
        estimates["advantage_before"] = mean_of(before[0] - before[1], counts, confidence, -1.0, 1.0)
        estimates["advantage_after"] = mean_of(after[0] - after[1], counts, confidence, -1.0, 1.0)
    return estimates


def pairing_gain(pairs: list[_Pair], winners: Mapping[str, int]) -> float | None:
    """Return how many times more trials unpaired runs would need: the ratio of the variances of the difference.

    `winners` maps a result, such as "a" or "draw", to its code. None if nothing touched was sampled, or nothing varies.
    """
    separate_variance = paired_variance = 0.0
    for pair in pairs:
        if not pair.is_touched or pair.result is None or pair.result.tally is None:
            continue
        counts = pair.result.tally.counts
        before, after = _sides(counts, winners)
        games = [*before, *after]
        separate_variance += sum(_variance(values, counts) for values in games) / len(before) ** 2
        paired_variance += _variance(np.mean(after, axis=0) - np.mean(before, axis=0), counts)
    return separate_variance / paired_variance if paired_variance > 0 else None


def _variance(values: FloatArray, counts: Pmf) -> float:
    return float(counts.p @ values**2 - (counts.p @ values) ** 2)

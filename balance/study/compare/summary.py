"""A comparison in a few numbers: how many match-ups change, what the change can touch, and which limits it breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from balance.analysis.dominance.witnesses import find_dominators
from balance.base.arrays import FloatArray
from balance.game.loaded import LoadedGame
from balance.study.compare.answer import ChangeSummary, DominanceChange, FirstMover, Standing
from balance.study.compare.standings import score_grids, shared_entrants
from balance.study.match_ups.match_ups import rule_words
from balance.study.match_ups.sampling import ALLOCATION
from balance.study.match_ups.verdict import MATCH_UP_VERDICTS
from balance.study.settings.patch import PatchLimits
from balance.study.settings.settings import Study

EFFECTS = ("none", "small", "changed", "not yet known")


def _ends(changes: pl.DataFrame, name: str, end: str) -> FloatArray:
    """Return one end, "low" or "high", of every interval of a number; the number itself where it is exact."""
    return changes.select(pl.coalesce(f"{name}_{end}", name).fill_null(float("nan"))).to_series().to_numpy()


def summarise_changes(
    study: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame, standing: Sequence[Standing]
) -> ChangeSummary:
    """Return the table of changes, and where entrants stand, in a few numbers."""
    budget, touched_changes = study.settings.budget, changes.filter("touched")
    names = shared_entrants(study, before, after)
    verdicts = changes.select("verdict_before", "verdict_after").rows()
    judged_anew = changes.filter(pl.col("touched") | (pl.col("verdict_before") != pl.col("verdict_after")))
    certain_changes = np.maximum(_ends(changes, "difference", "low"), -_ends(changes, "difference", "high"))
    return ChangeSummary(
        n_match_ups=changes.height,
        n_touched=touched_changes.height,
        n_not_touched=changes.height - touched_changes.height,
        n_exact=_n_exact(changes),
        n_exact_touched=_n_exact(touched_changes),
        n_pairs=int(changes["n_pairs"].sum()),
        n_pairs_touched=int(touched_changes["n_pairs"].sum()),
        effects=_counts(changes["effect"], EFFECTS),
        effects_touched=_counts(touched_changes["effect"], EFFECTS),
        verdicts=_verdicts(changes),
        verdicts_touched=_verdicts(touched_changes),
        unfair_touched=int((judged_anew["verdict_after"] == "unfair").sum()),
        newly_unfair=verdicts.count(("fair", "unfair")),
        no_longer_unfair=verdicts.count(("unfair", "fair")),
        largest_certain_change=float(np.fmax.reduce(certain_changes, initial=0.0)),
        first_mover=_first_mover(changes),
        first_mover_touched=_first_mover(touched_changes),
        dominated=_dominance_changes(study, before, after, changes, standing),
        entrants_added=tuple(name for name in study.choose(after) if name not in names),
        entrants_removed=tuple(name for name in study.choose(before) if name not in names),
        costs={
            name: (before.cost_points(name), after.cost_points(name))
            for name in names
            if before.cost_points(name) != after.cost_points(name)
        },
        imbalance=budget.imbalance,
        confidence=study.settings.confidence,
        rule=rule_words(budget),
        allocation=ALLOCATION,
    )


def _counts(values: pl.Series, words: tuple[str, ...]) -> dict[str, int]:
    return {word: int((values == word).sum()) for word in words}


def _n_exact(changes: pl.DataFrame) -> int:
    return int((changes["method"] == "exact").sum())


def _verdicts(changes: pl.DataFrame) -> dict[str, dict[str, int]]:
    return {side: _counts(changes[f"verdict_{side}"], MATCH_UP_VERDICTS) for side in ("before", "after")}


def _dominance_changes(
    study: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame, standing: Sequence[Standing]
) -> DominanceChange:
    """Return who becomes dominated and who no longer is, each with the witnesses against it."""
    names = shared_entrants(study, before, after)
    by: dict[str, dict[str, tuple[str, ...]]] = {"before": {}, "after": {}}
    shares: dict[str, dict[str, tuple[float, ...]]] = {"before": {}, "after": {}}
    # with policies a match-up has several scores; across factions nobody could be taken instead
    if not study.settings.policies and not study.has_factions(before):
        for side, game in (("before", before), ("after", after)):
            costs = [float(game.cost_points(name)) for name in names]
            scores = score_grids(changes, names, side)
            by_one = find_dominators(names, costs, scores.low, scores.high, study.settings.budget.imbalance)
            mixed = [row for row in standing if getattr(row, f"shares_{side}") is not None]
            shares[side] = {row.entrant: getattr(row, f"shares_{side}") for row in mixed}
            dominators = by_one | {row.entrant: getattr(row, f"dominated_by_{side}") for row in mixed}
            by[side] = {name: dominators[name] for name in names if name in dominators}
    became, no_longer = (
        {name: whom for name, whom in by[side].items() if name not in by[opposite]}
        for side, opposite in (("after", "before"), ("before", "after"))
    )
    return DominanceChange(
        became,
        no_longer,
        len(by["before"]),
        len(by["after"]),
        {side: len(mixed) for side, mixed in shares.items()},
        {
            "became": {name: shares["after"][name] for name in became if name in shares["after"]},
            "no_longer": {name: shares["before"][name] for name in no_longer if name in shares["before"]},
        },
    )


def _first_mover(changes: pl.DataFrame) -> FirstMover:
    """Return the mean advantage of going first before and after; ends are means of ends, so they hold together."""
    advantages: dict[str, float | None] = {}
    for side in ("before", "after"):
        name = f"advantage_{side}"
        has = changes.filter(pl.col(name).is_not_null())
        for end in ("low", "high"):
            advantages[f"{side}_{end}"] = float(_ends(has, name, end).mean()) if has.height else None
        mean = has[name].mean()
        advantages[side] = mean if isinstance(mean, float) else None
    return FirstMover(**advantages)


def broken_limits(limits: PatchLimits, summary: ChangeSummary) -> tuple[str, ...]:
    """Return one sentence for each limit of a patch that is certainly broken, by the match-ups that it can touch."""
    before, after = summary.first_mover_touched.before_high, summary.first_mover_touched.after_low
    values = {
        "max_unfair": summary.unfair_touched,
        "max_newly_unfair": summary.newly_unfair,
        "max_newly_dominated": len(summary.dominated.became),
        "max_change": summary.largest_certain_change,
        "max_first_mover_advantage": after,
        "max_first_mover_increase": after - before if after is not None and before is not None else None,
    }
    return tuple(
        f"{name} is {getattr(limits, name):g}, found {value:.4g}"
        for name, value in values.items()
        if getattr(limits, name) is not None and value is not None and value > getattr(limits, name) + 1e-12
    )

"""A run in a few numbers, and which of the study's limits they break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from balance.analysis.claims.checking import ALARM_LEVEL
from balance.analysis.claims.provenance import STATUSES
from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import OFF_VERDICTS, TOO_CHEAP, TOO_DEAR
from balance.analysis.scores.shape import mean_advantage
from balance.study.frames.army_prices import ARMY_TABLES, ARMY_VERDICTS, COST_KINDS, DEPENDS_ON_SETTING
from balance.study.match_ups.match_ups import match_up_summary
from balance.study.settings.settings import Limits, Study

Summary = dict[str, Any]


def summarise(study: Study, frames: Mapping[str, pl.DataFrame]) -> Summary:
    """Return what a run found, as plain JSON values; tables that the game cannot fill are missing in `frames`."""
    summary: Summary = {"n_entrants": frames["entrants"].height}
    summary["provenance"] = _counts(frames["provenance"]["status"], STATUSES)
    if "duels" in frames:
        summary |= _summarise_duels(study, frames)
    if "fair_costs" in frames:
        summary["armies"] = _summarise_armies(frames)
        summary["off_in_every_setting"] = _count_off(frames["fair_costs"])
    if "tasks" in frames:
        summary["match_ups"] = match_up_summary(study, frames["tasks"])
    summary["broken_limits"] = list(broken_limits(study.settings.limits, summary))
    return summary


def _counts(values: pl.Series, words: tuple[str, ...]) -> dict[str, int]:
    """Return how many have each of these verdicts; all of the form "depends on ..." count as one."""
    kinds = [DEPENDS_ON_SETTING if value.startswith(DEPENDS) else value for value in values.to_list()]
    return {word: kinds.count(word) for word in words}


def _summarise_armies(frames: Mapping[str, pl.DataFrame]) -> Summary:
    """Return, by setting, counts of verdicts on prices, the price scale and the checks at other budgets."""
    summaries = {}
    for row in frames["army_scale"].iter_rows(named=True):
        setting_frames = {
            name: frame.filter(setting=row["setting"]) for name, frame in frames.items() if name in ARMY_TABLES
        }
        checks = setting_frames["army_checks"].group_by("armies", maintain_order=True).agg(pl.col("^rms_.*$").mean())
        summaries[row["setting"]] = {
            "verdicts": _counts(setting_frames["fair_costs"]["verdict"], ARMY_VERDICTS),
            "card_verdicts": _counts(setting_frames["fair_card_costs"]["verdict"], ARMY_VERDICTS),
            "scale": {name: row[name] for name in ("slope", "low", "high", "verdict")},
            "checked": {
                check["armies"]: {name: check[f"rms_{name}"] for name in COST_KINDS} for check in checks.to_dicts()
            },
        }
    return summaries


def _count_off(fair_costs: pl.DataFrame) -> dict[str, int]:
    """Return how many entrants are too dear, and how many too cheap, in every setting."""
    columns = [(pl.col("verdict") == word).all().alias(word) for word in OFF_VERDICTS]
    off = fair_costs.group_by("entrant").agg(columns)
    return {word: int(off[word].sum()) for word in OFF_VERDICTS}


def _summarise_duels(study: Study, frames: Mapping[str, pl.DataFrame]) -> Summary:
    prices, check = frames["prices"], frames["check"]
    by_score = prices.sort("score", descending=True, maintain_order=True)
    tested_duels = check.filter(pl.col("degrees") > 0)
    low = check.filter(pl.col("adjusted") < ALARM_LEVEL)
    return {
        "n_duels": frames["duels"].height,
        "first_mover_advantage": mean_advantage(frames["first_mover"]),
        "dominated": _count_dominated(frames["dominance"]) | {"smallest_imbalance": study.settings.budget.imbalance},
        "cards_that_are_the_same_fighter": frames["twins"].height,
        "strongest": {"entrant": by_score["entrant"][0], "score": by_score["score"][0]},
        "weakest": {"entrant": by_score["entrant"][-1], "score": by_score["score"][-1]},
        "ladder": frames["ladder"].row(0, named=True),
        "check": {
            "match_ups": check.height,
            "tested": tested_duels.height,
            "trials": int(check["n_trials"].sum()),
            "below_5_percent": int((tested_duels["p_value"] < 0.05).sum()),
            "least_adjusted": min(check["adjusted"].to_list(), default=1.0),
            "alarms": low.height,
            "control_alarms": int((check["adjusted_control"] < ALARM_LEVEL).sum()),
            "level": ALARM_LEVEL,
        },
    }


def _count_dominated(dominance: pl.DataFrame) -> Summary:
    """Return how many are dominated by one witness, outright or up to the smallest imbalance, and by a mixture."""
    mixed, singles = (dominance.filter(pl.col("shares").is_null() == alone) for alone in (False, True))
    return {
        "outright": int(singles["outright"].sum()),
        "overlooking_the_smallest_imbalance": singles.height,
        "by_a_mixture": int(mixed["outright"].sum()),
        "by_any_overlooking": dominance["entrant"].n_unique(),
    }


def broken_limits(limits: Limits, summary: Summary) -> Iterator[str]:
    """Yield one sentence for each limit of a study that a run's `summary` breaks.

    >>> list(broken_limits(Limits(max_too_dear=0), {"off_in_every_setting": {"too dear": 2, "too cheap": 0}}))
    ['max_too_dear is 0, found 2']
    """
    off, rating = summary.get("off_in_every_setting", {}), summary.get("ladder", {})
    values = {
        "max_first_mover_advantage": summary.get("first_mover_advantage", {}).get("mean"),
        "max_score": summary.get("strongest", {}).get("score"),
        "min_score": summary.get("weakest", {}).get("score"),
        "max_too_dear": off.get(TOO_DEAR),
        "max_too_cheap": off.get(TOO_CHEAP),
        "max_cyclic_share": rating.get("cyclic_share"),
        "max_unfair": summary.get("match_ups", {}).get("unfair"),
    }
    for name, value in values.items():
        limit = getattr(limits, name)
        if limit is None or value is None:
            continue
        if (value < limit) if name.startswith("min") else (value > limit):
            yield f"{name} is {limit:g}, found {value:.4g}"

"""What everything should cost where armies of equal points meet, as tables of a run: one set of rows for each setting.

* `fair_costs`: `setting`, `entrant`, `cost_points`, `fair_points` with its range over all budgets and ways of
  playing (`low`, `high`) and the 95 % interval of dice alone (`dice_low`, `dice_high`), the `verdict`, the reason
  `because` and the facets that it `depends` on; and `sum_points`: what it would cost at those costs of cards that come
  nearest.
* `fair_card_costs`: the same of every card, with its `table` and `label`, and the whole cost proposed for it,
  `proposed_points`, null where none is.
* `typical_match_ups`: how far the score of a typical match-up of armies of one entrant each lies from one half, `off`
  with its standard `error`: at `costs` as "printed", with those "proposed", and with whole costs for "all"; of the last
  also `strength_share`, which share of the squares of (score - 1/2) one strength a member explains.
* `unfair_pairs`: the pairs farthest from even with whole costs for all, and rock, paper, scissors: `kind` is "pair" or
  "cycle", the `score` of the `winner` against the `loser` on dice that did not choose them, its standard `error`, and
  the `share` of all squares of (score - 1/2), over `n_pairs` pairs, that is this one's.
* `army_scale`: whether a point is worth the same in dear loadouts as in cheap ones: `slope`, `low`, `high`, `verdict`.
* `army_play`: each way of playing, how far it is `behind` the best, its share of stand-offs and whether it counts
  (`place`), and, if it does, by it: `unfair`, the root mean square of log(sum of cards / fair cost) that no costs of
  cards can remove, `noise`, what simulation adds to it, and the free constant: `constant`, with its range in points.
* `army_checks`: armies of equal points at budgets that were not fitted: `rms_before` at printed costs, `rms_after` at
  fair costs of loadouts and `rms_cards` at those sums of cards that come nearest, each the root mean square of
  (score - 1/2) over match-ups without what dice add; `slope_...`: what a doubling of the cost adds to the mean score.
* `army_scores`: what armies of each entrant score on average against those of each other, at these budgets.
* `army_settings`: how it was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.armies.battles import ArmySetting, costs_of, distinct_fighters
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.armies.equal_points import alike_scores, mixed_scores
from balance.analysis.armies.meeting import leading_kind
from balance.analysis.play.playing import usual_pairs
from balance.analysis.play.ways import CountedWay
from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.price_list import PriceList, price_list, settings_beside
from balance.analysis.prices.proposals import CostProposal, cost_proposal, is_fair
from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.analysis.records import types_of
from balance.analysis.scores.usual_prices import VERDICTS, Tolerance
from balance.base.answers import headings_of, row_of
from balance.base.arrays import FloatArray
from balance.base.errors import Fault, UsageError
from balance.engine.query import override
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.study.settings.economies import Economy, usual_economies
from balance.study.settings.settings import Study, VerdictSettings
from balance.study.settings.tables import in_report

Rows = dict[str, list[dict[str, Any]]]
Schema = dict[str, pl.DataType | type[pl.DataType]]
DIGITS = 6
"""Decimals that are kept: processors differ in the last digits of long sums."""
ALIKE, MIXED = 16_000, (500, 16)
"""Battles of armies alike at one budget, about; match-ups of mixed armies, and battles of each."""
TRIAL_BATTLES = 256
"""Match-ups at each budget that are played to tell how long a battle takes."""
MIN_BATTLES, MAX_BATTLES = 4, 128
"""Battles of a match-up of armies alike."""
DEPENDS_ON_SETTING = f"{DEPENDS}the setting"
ARMY_VERDICTS = (*VERDICTS, DEPENDS_ON_SETTING, NOT_MEASURABLE)
"""What may be said of a price where armies meet."""
COST_KINDS = ("before", "after", "cards")
"""Costs at which armies are made equal: as printed, fair costs of loadouts, sums of costs of cards."""


def _numbers(*names: str) -> Schema:
    return dict.fromkeys(names, pl.Float64)


SETTING: Schema = {"setting": pl.String}
RUN_NAMES = {"cost": "cost_points", "fair": "fair_points", "proposed_cost": "proposed_points"}
"""Part of a price -> its column in the tables of a run."""
NOT_IN_RUNS = ("table", "tolerance", "whole_cost")
"""Parts of a price that a run has elsewhere, or that no report needs."""


def price_columns(kind: type[Price]) -> Schema:
    """Return the columns of prices in a run: those that it needs, and those that people see."""
    left_out = {*NOT_IN_RUNS} - {*headings_of(kind)}
    columns = {RUN_NAMES.get(key, key): dtype for key, dtype in types_of(kind) if key not in left_out}
    if taken := {"setting", "entrant", "card", "sum_points"} & {*columns}:
        raise TypeError(f"{kind.__name__}.{taken.pop()}: a run has another column of that name")
    return columns


def without_label(columns: Schema) -> Schema:
    """Return the columns of who is told by an id alone, whose name the catalogue has."""
    return {name: kind for name, kind in columns.items() if name != "label"}


def price_row(price: Price) -> dict[str, Any]:
    """Return a price as a row of a run, with all that it holds."""
    return {RUN_NAMES.get(name, name): value for name, value in row_of(price).items()}


ARMY_TABLES: dict[str, Schema] = {
    "fair_costs": SETTING
    | {"entrant": pl.String}
    | without_label(price_columns(LoadoutPrice))
    | _numbers("sum_points"),
    "fair_card_costs": SETTING | {"table": pl.String, "card": pl.String} | price_columns(CardPrice),
    "typical_match_ups": SETTING
    | {"costs": pl.String}
    | _numbers("off", "error")
    | {"n_match_ups": pl.Int64}
    | _numbers("strength_share"),
    "unfair_pairs": SETTING
    | dict.fromkeys(("kind", "winner", "loser"), pl.String)
    | _numbers("score", "error", "share")
    | {"n_pairs": pl.Int64},
    "army_scale": SETTING | _numbers("slope", "low", "high") | {"verdict": pl.String, "because": pl.String},
    "army_play": SETTING
    | dict(types_of(CountedWay))
    | _numbers("unfair", "noise")
    | {"constant": pl.String}
    | _numbers("constant_low", "constant_high"),
    "army_checks": SETTING
    | _numbers("budget", "unit_limit")
    | {"armies": pl.String, "n_match_ups": pl.Int64, "n_battles": pl.Int64}
    | _numbers(*(f"{what}_{costs}" for what in ("rms", "slope") for costs in COST_KINDS)),
    "army_scores": SETTING | {"entrant": pl.String} | _numbers(*(f"score_{costs}" for costs in COST_KINDS)),
    "army_settings": SETTING
    | {
        "title": pl.String,
        "is_fair": pl.String,
        "power": pl.Float64,
        "beside": pl.List(pl.String),
        "kind": pl.String,
        "changes": pl.List(pl.String),
        "play": pl.String,
    }
    | dict.fromkeys(("budgets", "unit_limits"), pl.List(pl.Float64))
    | dict.fromkeys(("n_battles", "n_fighters", "seed"), pl.Int64),
}


def economies_of(study: Study, game: LoadedGame) -> tuple[Economy, ...]:
    """Return the `[[armies]]` of a study, or the game's usual setting if it declares none; the one in force first."""
    army_settings = study.settings.armies
    return usual_economies(game) if army_settings is None else tuple(army_settings)


def try_battles(runner: Runner, setting: ArmySetting, names: Sequence[str], seed: int) -> int:
    """Play mixed armies at each budget as a timing sample, and return how many battles these were."""
    costs = costs_of(runner.game, names)
    fighters = distinct_fighters(runner.game, setting, names, costs)
    _ = mixed_scores(runner, setting, fighters.members, fighters.costs, TRIAL_BATTLES, 2, seed)
    return 2 * TRIAL_BATTLES * len(setting.budgets)


def expected_battles(economy: Economy, game: LoadedGame, n: int) -> int:
    """Return about how many battles a setting takes with n entrants, if one way of playing counts."""
    setting = meeting_of(economy, game)
    kind, checks = game.definition.kinds[setting.kind], len(held_out(economy, setting))
    n_ways = len(kind.habits[next(iter(kind.habits))]) if kind.habits else 1
    n_searched = 2 * n * economy.battles
    n_checked = len(COST_KINDS) * checks * (ALIKE + MIXED[0] * MIXED[1])
    return n_searched + n_checked + 2 * n_ways**2 * usual_pairs(kind)


def army_frames(
    study: Study, runner: Runner, names: Sequence[str], gaps: list[Fault] | None = None
) -> dict[str, pl.DataFrame]:
    """Return the tables of all settings for the entrants `names`; none where armies do not meet.

    If prices cannot be judged, `gaps` grows by the reasons; without it `UsageError` is raised.
    """
    economies = economies_of(study, runner.game)
    judged_names = [name for name in names if name in runner.game.entrants]
    if not economies or len(judged_names) < 2:
        return {}
    try:
        frames = [_price_rows(study, runner, economy, judged_names) for economy in economies]
    except UsageError as error:
        if gaps is None:
            raise
        gaps += [in_report(fault, "worth its points") for fault in error.faults]
        return {}
    return {
        name: frame_of([row for rows in frames for row in rows[name]], schema) for name, schema in ARMY_TABLES.items()
    }


def frame_of(rows: Sequence[Mapping[str, Any]], schema: Schema) -> pl.DataFrame:
    """Return a table of a run: of each row the columns that it has, null where the row has none."""
    cells = [{column: row.get(column) for column in schema} for row in rows]
    return pl.DataFrame(cells, schema=schema).with_columns(pl.col(pl.Float64).round(DIGITS))


def tolerance_of(verdict_settings: VerdictSettings) -> Tolerance:
    """Return the tolerance of price verdicts that a study sets."""
    return Tolerance(verdict_settings.share, verdict_settings.points)


def meeting_of(
    economy: Economy, game: LoadedGame, changes: Callable[[str], tuple[str, ...]] = lambda kind: ()
) -> ArmySetting:
    """Return how armies meet in an economy; `changes` gives a study's assignments for a kind of question.

    Raises `BalanceError` if armies do not meet in this game, or not at these budgets.
    """
    setting = army_setting(game, economy.kind or leading_kind(game), budgets=_pairs(economy.budgets) or None, option="")
    if economy.checked:
        check_budgets(game, setting.kind, _pairs(economy.checked), option="")
    all_changes = override(changes(setting.kind), economy.set)
    return replace(setting, changes=all_changes, choices=tuple(economy.choices.items()))


def _pairs(scales: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((points, units) for points, units in scales)


def held_out(economy: Economy, setting: ArmySetting) -> tuple[tuple[float, float], ...]:
    """Return the budgets at which prices are checked: those named, else the geometric means of neighbouring ones."""
    if economy.checked:
        return _pairs(economy.checked)
    ends = setting.budgets
    if len(ends) == 1:
        return ends
    return tuple(
        (float(round((sooner[0] * later[0]) ** 0.5)), float(round((sooner[1] * later[1]) ** 0.5, 1)))
        for sooner, later in pairwise(ends)
    )


def _price_rows(study: Study, runner: Runner, economy: Economy, names: Sequence[str]) -> Rows:
    """Return the rows of a setting, computed once and kept for a run that resumes."""
    setting, settings = meeting_of(economy, runner.game, study.changes), study.settings
    facts = [setting, economy, tuple(names), settings.seed, settings.verdicts.share, settings.verdicts.points]
    return runner.once(f"prices, {economy.id}", facts, partial(_rows, study, runner, economy, setting, names))


def _rows(study: Study, runner: Runner, economy: Economy, setting: ArmySetting, names: Sequence[str]) -> Rows:
    settings = study.settings
    tolerance = tolerance_of(settings.verdicts)
    prices = price_list(
        runner,
        setting,
        settings.seed,
        tolerance=tolerance,
        n_battles=economy.battles,
        entrants=tuple(names),
        beside=settings_beside(runner.game, setting),
    )
    sums = prices.main.sums[prices.main.entries.entry_of]
    scale, proposal = prices.scale, cost_proposal(runner, prices)
    checks, scores = ([], []) if setting.is_legal else _check_rows(runner, prices, held_out(economy, setting))
    rows: Rows = {
        "fair_costs": [
            {"entrant": entrant, **price_row(price), "sum_points": points}
            for (entrant, price), points in zip(prices.loadouts.items(), sums.tolist(), strict=True)
        ],
        "fair_card_costs": [
            {"card": card, **price_row(price)} for card, price in proposal.beside(prices.cards).items()
        ],
        "typical_match_ups": list(_typical_match_ups(proposal)),
        "unfair_pairs": list(_unfair_pairs(proposal)),
        "army_scale": [{name: getattr(scale, name) for name in ("slope", "low", "high", "verdict", "because")}],
        "army_play": _play(prices),
        "army_checks": checks,
        "army_scores": scores,
        "army_settings": [_setting(prices, proposal, economy)],
    }
    return {name: [{"setting": economy.id} | row for row in of] for name, of in rows.items()}


def _typical_match_ups(proposal: CostProposal) -> Iterator[dict[str, Any]]:
    """Yield a row of the table `typical_match_ups` for each kind of costs: "printed", "proposed" and "all"."""
    ways = proposal.typical
    for costs, typical in (("printed", ways.before), ("proposed", ways.after), ("all", ways.after_all)):
        if typical is not None:
            share = proposal.unfair.share_of_strength if costs == "all" else None
            numbers = {"off": typical.off, "error": typical.error, "n_match_ups": typical.match_ups}
            yield {"costs": costs, **numbers, "strength_share": share}


def _unfair_pairs(proposal: CostProposal) -> Iterator[dict[str, Any]]:
    """Yield rows of the table `unfair_pairs`: the pairs farthest from even with whole costs for all, then a cycle."""
    unfair = proposal.unfair
    for kind, pairs in (("pair", unfair.pairs), ("cycle", unfair.cycle)):
        for pair in pairs:
            yield {"kind": kind, **asdict(pair), "n_pairs": unfair.of_pairs}


def _setting(prices: PriceList, proposal: CostProposal, economy: Economy) -> dict[str, Any]:
    setting, first = prices.setting, next(iter(prices.fair.values()))
    points, limits = zip(*setting.budgets, strict=True)
    return {
        "title": economy.title,
        "is_fair": is_fair(prices, proposal),
        "power": None if proposal.proposal is None else proposal.proposal.power,
        "beside": list(prices.beside),
        "kind": setting.kind,
        "changes": list(setting.changes),
        "play": next(iter(prices.card_costs)),
        "budgets": list(points),
        "unit_limits": list(limits),
        "n_battles": first.n_battles,
        "n_fighters": len(set(first.fighters.tolist())),
        "seed": prices.seed,
    }


def _play(prices: PriceList) -> list[dict[str, Any]]:
    """Return the rows of the table `army_play`, the best way of playing first."""
    ways = [row_of(way) for way in prices.ways.ways] or [{"play": way, "place": "in"} for way in prices.fair]
    return [way | _without_sum(prices, way["play"]) for way in ways]


def _without_sum(prices: PriceList, play: str) -> dict[str, Any]:
    """Return the misfit of card costs and the free constant for a way of playing that counts; {} for another."""
    if (costs := prices.card_costs.get(play)) is None:
        return {}
    fit_values = {"unfair": costs.rms, "noise": costs.rms_noise}
    if len(costs.constants) != 1:
        return fit_values
    (constant,) = costs.constants
    ends = {
        name: end if np.isfinite(end) else None
        for name, end in (("constant_low", constant.low), ("constant_high", constant.high))
    }
    return fit_values | {"constant": constant.sentence} | ends


def _check_rows(
    runner: Runner, prices: PriceList, budgets: Sequence[tuple[float, float]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return rows of `army_checks` and of `army_scores`, from armies of equal points at budgets not fitted.

    Points are made equal at each of `COST_KINDS`.
    """
    main = prices.main
    fair = next(iter(prices.fair.values()))
    sums = np.maximum(main.sums[main.entries.entry_of], 1e-9)
    costs_by_name = dict(zip(COST_KINDS, (fair.printed_costs, fair.fair, sums), strict=True))
    rows, means = [], {name: np.zeros(len(fair.entrants)) for name in COST_KINDS}
    for setting in replace(prices.setting, budgets=tuple(budgets)).each_budget:
        budget = setting.budgets[0]
        alike, mixed = _row(budget, "alike"), _row(budget, "mixed")
        for name, costs in costs_by_name.items():
            mean = _alike(runner, setting, fair.entrants, costs, prices.seed, alike, name)
            means[name] += mean / len(budgets)
            _mixed(runner, setting, fair.entrants, costs, prices.seed, mixed, name)
        rows += [alike, mixed]
    scores = [
        {"entrant": entrant} | {f"score_{name}": float(means[name][at]) for name in COST_KINDS}
        for at, entrant in enumerate(fair.entrants)
    ]
    return rows, scores


def _row(budget: tuple[float, float], armies: str) -> dict[str, Any]:
    return {"budget": budget[0], "unit_limit": budget[1], "armies": armies}


def _alike(
    runner: Runner, setting: ArmySetting, names: tuple[str, ...], costs: FloatArray, seed: int, row: Any, name: str
) -> FloatArray:
    """Add to the row results of armies of one kind of member each; return the mean score of each, `float64[n]`."""
    n = len(names) * (len(names) - 1) // 2
    n_battles = int(np.clip(2 * round(ALIKE / n / 2), MIN_BATTLES, MAX_BATTLES))
    grid, scores = alike_scores(runner, setting, names, costs, n_battles, seed)
    mean = (grid.sum(axis=1) - 0.5) / (len(names) - 1)
    row |= {"n_match_ups": n, "n_battles": n_battles, f"rms_{name}": scores.rms}
    doublings = np.log2(costs) - np.log2(costs).mean()
    spread = float(doublings @ doublings)
    row[f"slope_{name}"] = float(doublings @ mean) / spread if spread > 1e-9 else None
    return np.asarray(mean)


def _mixed(
    runner: Runner, setting: ArmySetting, names: tuple[str, ...], costs: FloatArray, seed: int, row: Any, name: str
) -> None:
    """Add to the row results of armies of several kinds of members."""
    fighters = distinct_fighters(runner.game, setting, names, costs)
    scores = mixed_scores(runner, setting, fighters.members, fighters.costs, *MIXED, seed)
    row |= {"n_match_ups": len(scores.scores), "n_battles": MIXED[1], f"rms_{name}": scores.rms}

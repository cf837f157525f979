"""What play is worth and which prices hold, as tables of a run: one set of rows for each `[[battles]]` of the study.

* `play_ladder`: each way of playing: `rating` points with `error`, `behind` the best, from `behind_low` to
  `behind_high`, its `place` ("in" and "open" count, "out" does not) and why (`because`), mean `score` against the
  others, what going first adds where both play so (`advantage`), `stand_offs`, from `stand_offs_low` to
  `stand_offs_high`.
* `play_matrix`: `score` of the `first` way going first against the `second`, and from `both_seats` with `error`.
* `play_settings`: how it was had, with the `gap` from the weakest to the best way, rating points of `going_first`, the
  share that goes in circles (`cyclic`) and what luck alone would show as such (`cyclic_noise`).
* `stable_costs`, `stable_card_costs`: fair costs in the first setting with their 95 % interval, the `least` and the
  `most` over all settings, the `verdict` that holds in all of them or what it depends on, and why.
* `stable_settings`: each setting with its `facets`, the battles fought there, how well prices are known (`worst`
  standard error as a share of a cost), what a point and going first are worth in log-odds, and how its fair costs of
  loadouts agree with those of the first: `correlation`, `moved` of `n` by more than three standard errors, `rms`.
* `battle_calibration`: battles by their predicted chance, which no fit had seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.play.ladder import Ladder
from balance.analysis.play.playing import play_worth, ways_of
from balance.analysis.prices.answer import Price
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.fits.battle_prices import battle_prices
from balance.analysis.stability.stable_prices import Scene, StablePrices, scenes_of, stable_prices
from balance.base.answers import row_of
from balance.engine.query import override
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import frame_of, price_columns, price_row, tolerance_of, without_label
from balance.study.settings.battles import BattleStudy
from balance.study.settings.settings import Study

Rows = dict[str, list[dict[str, Any]]]
Schema = dict[str, pl.DataType | type[pl.DataType]]
SETTING: Schema = {"setting": pl.String}


def _numbers(*names: str) -> Schema:
    return dict.fromkeys(names, pl.Float64)


BATTLE_TABLES: dict[str, Schema] = {
    "play_ladder": SETTING
    | {"play": pl.String}
    | _numbers("rating", "error", "behind", "behind_low", "behind_high")
    | {"place": pl.String, "because": pl.String}
    | _numbers("score", "advantage", "stand_offs", "stand_offs_low", "stand_offs_high"),
    "play_matrix": SETTING
    | {"first": pl.String, "second": pl.String}
    | _numbers("score", "both_seats", "error", "stand_offs")
    | {"n_battles": pl.Int64},
    "play_settings": SETTING
    | {"title": pl.String, "kind": pl.String, "changes": pl.List(pl.String)}
    | dict.fromkeys(("budgets", "unit_limits"), pl.List(pl.Float64))
    | _numbers("near_points", "gap", "gap_error", "going_first", "cyclic", "cyclic_noise")
    | {"cycles": pl.List(pl.String), "n_battles": pl.Int64, "seed": pl.Int64},
    "stable_costs": SETTING | {"entrant": pl.String} | without_label(price_columns(Price)),
    "stable_card_costs": SETTING | {"table": pl.String, "card": pl.String, **price_columns(Price)},
    "stable_settings": SETTING
    | {"scene": pl.String, "facets": pl.List(pl.String), "n_battles": pl.Int64}
    | _numbers("worst", "per_point", "going_first", "going_first_error", "correlation")
    | {"moved": pl.Int64, "n": pl.Int64}
    | _numbers("rms"),
    "battle_calibration": SETTING
    | {"scene": pl.String, "bin": pl.Int64}
    | _numbers("predicted", "observed", "error")
    | {"n_battles": pl.Int64},
}


def meeting(battle: BattleStudy, game: LoadedGame, study: Study | None = None) -> ArmySetting:
    """Return how the armies of a table meet, with the study's changes to that kind of question.

    Raises `BalanceError` if armies do not meet in this game, or not at these budgets.
    """
    budgets = tuple((points, units) for points, units in battle.budgets)
    at_once = bool(battle.battles and not battle.scales)
    setting = army_setting(game, battle.kind, budgets=budgets or None, buys_all=at_once, option="")
    for points, units in battle.scales:
        check_budgets(game, setting.kind, [(points, units)], buys_all=battle.battles > 0, option="")
    changes = override(study.changes(setting.kind) if study is not None else (), battle.set)
    return replace(setting, changes=changes, choices=tuple(battle.choices.items()))


def scenes(battle: BattleStudy, game: LoadedGame, setting: ArmySetting, ways: Sequence[str]) -> tuple[Scene, ...]:
    """Return every setting in which prices are judged: the ways of playing times `over` times `scales`."""
    return scenes_of(game, setting, ways, battle.over, [(points, units) for points, units in battle.scales])


def expected_fights(battle: BattleStudy, game: LoadedGame) -> int:
    """Return about how many battles a table takes, if one way of playing counts and needs all it may have."""
    setting = meeting(battle, game)
    kind = game.definition.kinds[setting.kind]
    ways, quick = ways_of(kind, battle.ways), next(iter(kind.habits.values()))
    n_quick = sum(way in quick for way in ways)
    slow = len(ways) ** 2 - n_quick**2
    pairs = n_quick**2 * battle.pairs + slow * min(battle.slow, battle.pairs)
    return 2 * pairs + len(scenes(battle, game, setting, ways[:1])) * battle.battles


def try_fights(study: Study, runner: Runner, battle: BattleStudy, names: Sequence[str]) -> int:
    """Fight battles in the first scene as a timing sample, and return how many these were."""
    setting = meeting(battle, runner.game, study)
    ways = ways_of(runner.game.definition.kinds[setting.kind], battle.ways)
    at = scenes(battle, runner.game, setting, ways[:1])[0].setting
    member_names = set(runner.game.members_of(setting.kind))
    members = [name for name in names if name in member_names]
    return battle_prices(runner, at, study.settings.seed, members, n_battles=1).n_battles


def battle_frames(study: Study, runner: Runner, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return the tables of all `[[battles]]` of a study, whose armies are made of `names`; none where it has none."""
    if not study.settings.battles:
        return {}
    frames = [_price_rows(study, runner, battle, names) for battle in study.settings.battles]
    return {
        name: frame_of([row for rows in frames for row in rows[name]], schema) for name, schema in BATTLE_TABLES.items()
    }


def _price_rows(study: Study, runner: Runner, battle: BattleStudy, names: Sequence[str]) -> Rows:
    """Return the rows of a table, computed once and kept for a run that resumes."""
    setting, settings = meeting(battle, runner.game, study), study.settings
    members = tuple(name for name in names if name in set(runner.game.members_of(setting.kind)))
    facts = [setting, battle, members, settings.seed, settings.verdicts.share, settings.verdicts.points]
    return runner.once(f"battles, {battle.id}", facts, partial(_rows, study, runner, battle, setting, members))


def _rows(study: Study, runner: Runner, battle: BattleStudy, setting: ArmySetting, members: tuple[str, ...]) -> Rows:
    settings, kind = study.settings, runner.game.definition.kinds[setting.kind]
    worth = play_worth(
        runner, setting, settings.seed, ways_of(kind, battle.ways), entrants=members, n_pairs=battle.pairs,
        n_slow=battle.slow,
    )  # fmt: skip
    ladder = Ladder.of(worth, battle.near)
    rows: Rows = {name: [] for name in BATTLE_TABLES} | _of_play(ladder, battle, setting)
    if battle.battles and ladder.counted:
        prices = stable_prices(
            runner,
            scenes(battle, runner.game, setting, ladder.counted),
            settings.seed,
            entrants=members,
            tolerance=tolerance_of(settings.verdicts),
            n_battles=battle.battles,
            precision=battle.precision,
        )
        rows |= _of_prices(prices)
    return {name: [{"setting": battle.id} | row for row in of] for name, of in rows.items()}


def _of_play(ladder: Ladder, battle: BattleStudy, setting: ArmySetting) -> Rows:
    points, limits = zip(*setting.budgets, strict=True)
    matrix = [
        {
            "first": pair.first,
            "second": pair.second,
            "score": pair.score,
            "both_seats": pair.both_seats,
            "error": pair.both_seats_error or 0.0,
            "stand_offs": pair.stand_offs,
            "n_battles": pair.battles,
        }
        for pair in ladder.matrix
    ]
    ways = [row_of(way) for way in ladder.ladder]
    rows = [{"advantage": way.pop("first_mover_advantage")} | way for way in ways]
    row: dict[str, Any] = {"title": battle.title, "kind": setting.kind, "changes": list(setting.changes)}
    row |= {"budgets": list(points), "unit_limits": list(limits), "near_points": battle.near}
    row |= {"gap": ladder.gap, "gap_error": ladder.gap_error, "going_first": ladder.going_first}
    row |= {"cyclic": ladder.cyclic_share, "cyclic_noise": ladder.cyclic_share_of_luck}
    row |= {"cycles": [" > ".join(cycle) for cycle in ladder.cycles]}
    row |= {"n_battles": ladder.settings.battles, "seed": ladder.settings.seed}
    return {"play_ladder": rows, "play_matrix": matrix, "play_settings": [row]}


def _of_prices(prices_by_scene: StablePrices) -> Rows:
    agreements = {agreement.other: agreement for agreement in prices_by_scene.agreements}
    settings, bins = [], []
    for scene, prices in zip(prices_by_scene.scenes, prices_by_scene.prices, strict=True):
        agreement = agreements.get(scene.name)
        settings.append({
            "scene": scene.name,
            "facets": [f"{name}={value}" for name, value in scene.facets],
            "n_battles": prices.n_battles,
            "worst": prices.worst,
            "per_point": prices.per_point,
            "going_first": prices.going_first,
            "going_first_error": prices.first_error,
            "correlation": None if agreement is None else agreement.correlation,
            "moved": None if agreement is None else len(agreement.moved),
            "n": len(prices.entrants),
            "rms": None if agreement is None else agreement.rms,
        })  # fmt: skip
        bins += [
            {"scene": scene.name, "bin": at, "predicted": price_bin.predicted, "observed": price_bin.observed}
            | {"error": price_bin.error, "n_battles": price_bin.battles}
            for at, price_bin in enumerate(prices.bins, start=1)
        ]
    return {
        "stable_costs": [
            {"entrant": entrant, **price_row(price)} for entrant, price in prices_by_scene.loadouts.items()
        ],
        "stable_card_costs": [{"card": card, **price_row(price)} for card, price in prices_by_scene.cards.items()],
        "stable_settings": settings,
        "battle_calibration": bins,
    }

"""Which ways of playing are near the top, measured by mixed armies of equal points, each way against the one in force.

Prices are judged by the way of playing in force, and again by every other that does about as well: what holds for one
of them only depends on play. A way that loses clearly is no reason to doubt a price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from balance.analysis.armies.battles import ArmySetting, Blocks, costs_of, distinct_fighters, play_armies, play_blocks
from balance.analysis.armies.random_armies import mixed_armies
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.game import QuestionKind

NEAR = 0.45
"""What a way of playing has to score against the way in force to count as near the top."""
N_BATTLES = 4096
"""Battles of a way of playing against the way in force, by seat."""


@dataclass(frozen=True)
class NearTop:
    """Ways of playing, and which of them are near the top.

    `scores`: one row for each way but the one in force: `play`, `score` against the way in force, its standard `error`,
    and whether it is `near` the top. `settings`: way of playing near the top -> the setting in which both sides play
    so; the way in force comes first.
    """

    scores: pl.DataFrame
    settings: Mapping[str, ArmySetting]


def near_the_top(runner: Runner, setting: ArmySetting, seed: int, entrants: Sequence[str] | None = None) -> NearTop:
    """Measure every way of playing against the one in force: the setting's choice, else the first option there is.

    Armies are made of `entrants`, by default of all members.
    """
    members = tuple(runner.game.members_of(setting.kind) if entrants is None else entrants)
    kind = runner.game.definition.kinds[setting.kind]
    choices = dict(setting.choices)
    names = list(kind.habits)
    in_force = [choices.get(name, next(iter(kind.policies[name].options))) for name in names]
    settings = {in_force[0] if in_force else "": setting}
    rows = []
    for way in _ways(kind, names):
        if way in in_force or len(names) != 2:
            continue
        facts = (setting, members, names, way, in_force, seed)
        score, error = runner.once("ways of playing", facts, partial(_score, runner, *facts))
        rows.append({"play": way, "score": score, "error": error, "near": score + 2 * error >= NEAR})
        if rows[-1]["near"]:
            settings[way] = replace(setting, choices=tuple({**choices, **dict.fromkeys(names, way)}.items()))
    schema = {"play": pl.String, "score": pl.Float64, "error": pl.Float64, "near": pl.Boolean}
    return NearTop(pl.DataFrame(rows, schema=schema), settings)


def _ways(kind: QuestionKind, names: list[str]) -> tuple[str, ...]:
    return kind.habits[names[0]] if names else ()


def _score(
    runner: Runner,
    setting: ArmySetting,
    members: tuple[str, ...],
    names: list[str],
    way: str,
    in_force: list[str],
    seed: int,
) -> tuple[float, float]:
    """Return a way's score against the way in force over both seats, and its largest possible standard error."""
    costs = costs_of(runner.game, members)
    fighters = distinct_fighters(runner.game, setting, members, costs)
    scores = []
    for seat in range(2):
        play = dict(zip(names, in_force, strict=True)) | {names[seat]: way}
        at = replace(setting, choices=tuple({**dict(setting.choices), **play}.items()))
        blocks = Blocks(
            at, fighters.members, tuple(fighters.costs.tolist()), seed, f"analysis/play_ladder/{way}/{seat}", _play
        )
        score = float(np.mean(play_blocks(runner, blocks, 2, "ways of playing")))
        scores.append(score if seat == 0 else 1 - score)
    return float(np.mean(scores)), 0.5 / (2 * N_BATTLES) ** 0.5


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> float:
    n, costs, setting = N_BATTLES // 2, np.array(blocks.costs), blocks.setting
    budgets, limits = setting.draw_budgets(n, rng)
    a, b = (mixed_armies(budgets, limits, costs, rng) for _ in range(2))
    return float(play_armies(arena, a, b, limits, blocks.rolls(number, "play", n)).mean())

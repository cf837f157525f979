"""Plays every way of playing against every other: the same armies on the same luck, from both seats (see `matrix`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.batches import Battles
from balance.analysis.armies.battles import (
    ArmySetting,
    Blocks,
    Playing,
    costs_of,
    distinct_fighters,
    play_numbered_blocks,
    scores_of,
)
from balance.analysis.armies.legal_armies import drawn_armies
from balance.analysis.armies.random_armies import same_width
from balance.analysis.play.matrix import PlayWorth
from balance.base.arrays import BoolArray
from balance.base.errors import Fault, UsageError, comma_list, suggestion
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.armies.copies import Copies
from balance.game.game import QuestionKind

N_PAIRS, N_SLOW = 512, 64
"""Pairs of armies that ways play which are quick, and that those play which are not."""
LONG_SHARE = 4
"""Where a trial is long, one in so many pairs is played if nothing is said."""
BLOCK = 1024
"""Pairs of armies drawn at a time."""
TASK = "ways of playing"


def ways_of(kind: QuestionKind, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the ways of playing named, by default those that are quick to play.

    Raise UsageError where nobody chooses how to play, or a name is no way.
    """
    if len(kind.habits) != len(kind.sides):
        raise UsageError(f"{kind.name} has no ways of playing to be compared", "its sides choose nothing, or not alike")
    options = tuple(kind.policies[next(iter(kind.habits))].options)
    if strange := [name for name in names if name not in options]:
        tip = suggestion(strange[0], options)
        raise UsageError(Fault("is no way of playing", found=strange[0], allowed=comma_list(options), tip=tip))
    return tuple(dict.fromkeys(names)) or next(iter(kind.habits.values()))


def ways_compared(kind: QuestionKind, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return at least two ways of playing, by default all that are quick to play; raise UsageError for fewer."""
    ways = ways_of(kind, names)
    if len(ways) < 2:
        raise UsageError(f"one way of playing ({comma_list(ways)}) is worth nothing by itself", "name two or more")
    return ways


def usual_pairs(kind: QuestionKind) -> int:
    """Return how many pairs quick ways of playing play by default: fewer where a trial is long.

    >>> from balance.game.loaded import load
    >>> usual_pairs(load("warforged").kind("battle")), usual_pairs(load("battlelore").kind("battle"))
    (512, 128)
    """
    return N_PAIRS // LONG_SHARE if kind.is_long else N_PAIRS


def with_play(kind: QuestionKind, setting: ArmySetting, first: str, second: str | None = None) -> ArmySetting:
    """Return a setting in which the side that goes first plays one way, and the other `second`, by default the same."""
    play = dict(zip(kind.habits, (first, first if second is None else second), strict=True))
    return replace(setting, choices=tuple({**dict(setting.choices), **play}.items()))


def play_worth(
    runner: Runner,
    setting: ArmySetting,
    seed: int = 0,
    ways: Sequence[str] = (),
    *,
    entrants: Sequence[str] | None = None,
    n_pairs: int | None = None,
    n_slow: int = N_SLOW,
) -> PlayWorth:
    """Return the worth of ways of playing, at least two, by default all that are quick to play.

    Armies are of `entrants`, by default all. There are `n_pairs` pairs of armies for each match-up, by default as many
    as are usual, and the first `n_slow` of them where a way is not quick. Raise UsageError where there are no such
    ways, or fewer than two.
    """
    kind = runner.game.definition.kinds[setting.kind]
    names = ways_compared(kind, ways)
    members = tuple(runner.game.members_of(setting.kind) if entrants is None else entrants)
    n_pairs = usual_pairs(kind) if n_pairs is None else n_pairs
    facts = (setting, seed, names, members, n_pairs, min(n_slow, n_pairs))
    return runner.once("what play is worth", facts, partial(_measure_play, runner, *facts))


def _measure_play(
    runner: Runner,
    setting: ArmySetting,
    seed: int,
    names: tuple[str, ...],
    members: tuple[str, ...],
    n_pairs: int,
    n_slow: int,
) -> PlayWorth:
    kind, w = runner.game.definition.kinds[setting.kind], len(names)
    ending = kind.column("ending")
    stand_offs = kind.columns[ending].stand_offs if ending is not None else ()
    fighters = distinct_fighters(runner.game, setting, members, costs_of(runner.game, members))
    quick = next(iter(kind.habits.values()))
    columns = (kind.winner, ending) if ending else (kind.winner,)
    cells, tasks = [], []
    for i, j in product(range(w), repeat=2):
        n = n_pairs if names[i] in quick and names[j] in quick else n_slow
        at = with_play(kind, setting, names[i], names[j])
        for number, start in enumerate(range(0, n, BLOCK)):
            beside = (min(BLOCK, n - start), stand_offs)
            costs = tuple(fighters.costs.tolist())
            of = Blocks(at, fighters.members, costs, seed, "analysis/play", _play, beside, 2 * beside[0], columns)
            tasks.append((of, number))
            cells.append((i, j, start))
    results = np.full((w, w, n_pairs, 2), -1, np.int8)
    stand_off_marks = np.zeros((w, w, n_pairs, 2), bool)
    for (i, j, start), (doubled_scores, off) in zip(cells, play_numbered_blocks(runner, tasks, TASK), strict=True):
        results[i, j, start : start + len(doubled_scores)] = doubled_scores
        stand_off_marks[i, j, start : start + len(doubled_scores)] = off
    return PlayWorth.of_results(names, results, stand_off_marks if ending else None, seed, setting)


def _play(
    blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator
) -> Playing[tuple[npt.NDArray[np.int8], BoolArray]]:
    """Play a block of pairs of armies from both seats; return twice the scores, `int8[n, 2]`, and stand-offs."""
    (winner, *ending), (n, stand_offs) = blocks.columns, blocks.beside
    costs, copies = np.array(blocks.costs), arena.copies or Copies.of([[]] * len(blocks.costs))
    budgets, limits = blocks.setting.draw_budgets(BLOCK, rng)
    x, y = same_width([drawn_armies(budgets, limits, costs, copies, rng)[:n] for _ in range(2)])
    a, b = np.concatenate([x, y]), np.concatenate([y, x])
    dice = blocks.rolls(number, "battles", n, is_paired=True)
    outcome = yield Battles(arena, a, b, np.tile(limits[:n], 2), dice)
    doubled_scores = np.rint(2 * scores_of(outcome[winner])).astype(np.int8).reshape(2, n).T
    off = np.isin(outcome[ending[0]], stand_offs).reshape(2, n).T if ending else np.zeros((n, 2), bool)
    return doubled_scores, off

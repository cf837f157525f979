"""The contests: which task, who takes part, and how an answer is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench import (
    battlelore,
    dice_rows,
    edadh,
    immortal_souls,
    known,
    line_ups,
    ours,
    runewars,
    solving,
    souls_encounters,
)
from tests.bench.contest import Contender, Contest, SkippedError
from tests.bench.exact_peers import exact_peers
from tests.bench.sampling_peers import CLoop, sampling_peers

__all__ = ["contests"]

COLD = "exact, tables built anew"
ALL = "exact, joint law of all columns"
ROWS = "trials drawn one by one, 1 thread"


def contests(n_trials: int, folder: Path) -> list[Contest]:
    """Return every contest; sampled ones make about `n_trials` trials a call, and C is built in `folder`."""
    return [
        *_exact_contests(),
        *dice_rows.contests(),
        *_sampled_contests(n_trials, folder),
        *battlelore.contests(n_trials),
        *edadh.contests(n_trials),
        *immortal_souls.contests(n_trials),
        *souls_encounters.contests(n_trials),
        *runewars.contests(n_trials),
        *line_ups.contests(n_trials),
        *solving.contests(),
    ]


def _exact_contests() -> list[Contest]:
    return [
        _exact("T1 attack", ours.attack, known.ONE_ATTACK, "attack", whole=ours.attack_of_all),
        _exact("T2 attacks to kill", ours.kill, known.KILLS, "kill", whole=ours.kill_of_all),
        *(_exact(f"T3 pool of {n} dice", partial(ours.dice_pool, n), known.pool(n), "pool", n) for n in (4, 8, 12, 24)),
        _exact("T4 creature, 2 to 4 dice", ours.creature, known.CREATURE, "creature"),
        _exact("T5 duel, 12 against 12", ours.duel, known.DUEL, "duel"),
    ]


def _exact(
    task: str,
    mine: Callable[[], Any],
    answer: Sequence[float],
    name: str,
    *arguments: int,
    whole: Callable[[], Any] | None = None,
) -> Contest:
    """Return a contest of what is asked, and of the joint law of all columns where that is more."""
    own = [Contender(COLD, mine), *([Contender(ALL, whole)] if whole else [])]
    return Contest(task, own, exact_peers(name, *arguments), known.checker(known.check, answer))


def _sampled_contests(n_trials: int, folder: Path) -> list[Contest]:
    try:
        c_loop: CLoop | str = CLoop(folder)
    except SkippedError as reason:
        c_loop = str(reason)
    attacks = [
        Contender(f"compiled lane, counts only, {ROWS}", partial(ours.sampled, "compiled", 8 * n_trials), 8 * n_trials),
        Contender("the same on 2 threads", partial(ours.sampled, "compiled", 8 * n_trials, 2), 8 * n_trials),
        Contender(f"literal lane, {ROWS}", partial(ours.sampled, "literal", n_trials), n_trials),
    ]
    kills = [
        Contender(f"compiled lane, lockstep, {ROWS}", partial(ours.kills_sampled, "compiled", n_trials), n_trials),
        Contender(f"literal lane, lockstep, {ROWS}", partial(ours.kills_sampled, "literal", n_trials), n_trials),
    ]
    return [
        Contest(
            "T1 attack, sampled",
            attacks,
            sampling_peers("attacks", n_trials, c_loop),
            known.checker(known.check_counts, known.ONE_ATTACK),
        ),
        Contest(
            "T2 attacks to kill, sampled",
            kills,
            sampling_peers("kills", n_trials, c_loop),
            known.checker(known.check_counts, [0.0, 0.0, *known.KILLS]),
        ),
    ]

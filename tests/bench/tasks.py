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
    game_files,
    immortal_souls,
    known,
    line_ups,
    ours,
    runewars,
    solving,
    souls_encounters,
)
from tests.bench.contest import BLOCK, Contender, Contest, SkippedError
from tests.bench.exact_peers import exact_peers
from tests.bench.sampling_peers import CLoop, sampling_peers

COLD = "exact, tables built anew"
ALL = "exact, joint law of all columns"
ROWS = "trials drawn one by one, 1 thread"


def contests(folder: Path) -> list[Contest]:
    """Return every contest; C is built in `folder`."""
    return [
        *_exact_contests(),
        *dice_rows.contests(),
        *_sampled_contests(folder),
        *battlelore.contests(),
        *edadh.contests(),
        *immortal_souls.contests(),
        *souls_encounters.contests(),
        *runewars.contests(),
        *line_ups.contests(),
        *solving.contests(),
        *game_files.contests(),
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


def _sampled_contests(folder: Path) -> list[Contest]:
    try:
        c_loop: CLoop | str = CLoop(folder)
    except SkippedError as reason:
        c_loop = str(reason)
    draw, compiled, literal = ours.sampled, 2**23, 2**20
    attacks = [
        Contender(f"compiled lane, counts only, {ROWS}", partial(draw, "compiled", 1), compiled, BLOCK),
        Contender("the same on 2 threads", partial(draw, "compiled", 2), compiled, 2 * BLOCK),
        Contender(f"literal lane, {ROWS}", partial(draw, "literal", 1), literal, BLOCK),
    ]
    kills = [
        Contender(f"{lane} lane, lockstep, {ROWS}", partial(ours.kills_sampled, lane), literal, BLOCK)
        for lane in ("compiled", "literal")
    ]
    return [
        Contest(
            "T1 attack, sampled",
            attacks,
            sampling_peers("attacks", c_loop),
            known.checker(known.check_counts, known.ONE_ATTACK),
        ),
        Contest(
            "T2 attacks to kill, sampled",
            kills,
            sampling_peers("kills", c_loop),
            known.checker(known.check_counts, [0.0, 0.0, *known.KILLS]),
        ),
    ]

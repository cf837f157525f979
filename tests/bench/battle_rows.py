"""Rows of whole battles: greedy play beside the C loop and plain Python, and what other policies take.

Two processes play two blocks, one each. Every block of greedy play must end as the C loop ends it, battle by battle;
plain Python plays a few battles, which must end so too. What other policies play must end with a result at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import numpy as np

from tests.bench.battles import BLOCK, CBattles, Ends, Meeting, check_same, met, played, told
from tests.bench.commands import run_command
from tests.bench.contest import Contender, Contest, Row, SkippedError, run_contest
from tests.bench.known import WrongAnswerError

__all__ = ["battle_contests", "battle_memory_row", "battle_rows", "blocks_played"]

Found: TypeAlias = list[tuple[Meeting, Ends]]
"""Battles, and how they ended."""
GREEDY = ("greedy", "greedy")
N_TOLD = 64
OTHERS = {
    ("kite_hold", "kite_hold"): BLOCK,
    ("hold", "hold"): BLOCK,
    ("random", "random"): BLOCK,
    ("lookahead", "greedy"): 2048,
    ("rollout", "greedy"): 256,
}
"""Policies of the two sides -> battles that a process plays in a call."""
MEMORY_BLOCKS = 40


@dataclass(frozen=True)
class _Ours:
    """Our engine as a contender: blocks of n battles between armies of a size."""

    n: int
    size: int
    policies: tuple[str, str]

    def block(self, number: int) -> tuple[Meeting, Ends]:
        """Play one."""
        meeting = met(self.n, self.size, self.policies, number)
        return meeting, played(meeting)

    def alone(self) -> Found:
        """Play one in this process."""
        return [self.block(0)]

    def on_two(self, pool: Executor) -> Found:
        """Play two, each in a process of its own."""
        return list(pool.map(self.block, (0, 1)))

    def contenders(self, pool: Executor) -> list[Contender]:
        """Return it on two processes, and on one."""
        text = f"blocks of {self.n:,}"
        return [
            Contender(f"2 processes, {text}", partial(self.on_two, pool), 2 * self.n),
            Contender(f"1 process, {text}", self.alone, self.n),
        ]


def _by(play: Callable[[Meeting], Ends], meeting: Meeting) -> Found:
    return [(meeting, play(meeting))]


def battle_contests(folder: Path, pool: Executor, n: int = BLOCK) -> Iterator[Contest]:
    """Yield the contests of greedy play, which the C loop and plain Python join, and those of other policies."""
    try:
        c_loop: CBattles | None = CBattles(folder)
    except SkippedError:
        c_loop = None
    known = cache(c_loop.played if c_loop else played)
    for size in (8, 4):
        peers: list[Contender | str] = [
            Contender("C loop, the same dice", partial(_by, c_loop.played, met(n, size)), n)
            if c_loop
            else "C loop (none)",
            Contender("Python loop, the same dice", partial(_by, told, met(N_TOLD, size)), N_TOLD),
        ]
        yield Contest(
            _task("greedy", size), _Ours(n, size, GREEDY).contenders(pool), peers, partial(_check_known, known)
        )
    for policies, most in OTHERS.items():
        text = " against ".join(dict.fromkeys(policies))
        yield Contest(_task(text, 8), _Ours(min(n, most), 8, policies).contenders(pool), ["nobody"], _check_over)


def _task(policies: str, size: int) -> str:
    return f"Warforged battles, {size} against {size}, {policies}"


def _check_known(known: Callable[[Meeting], Ends], name: str, found: Found) -> None:
    for meeting, ends in found:
        check_same(name, ends, known(meeting))


def _check_over(name: str, found: Found) -> None:
    for _, ends in found:
        if not np.isin(ends[:, 0], (1, 2, 3)).all():
            raise WrongAnswerError(f"{name} leaves battles open")


@contextmanager
def two_processes() -> Iterator[ProcessPoolExecutor]:
    """Yield two processes, started anew so that they are as small as workers are."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


def battle_rows(folder: Path, rounds: int, n: int = BLOCK) -> list[Row]:
    """Measure every contest, in battles a second and in decisions a second; slow policies once."""
    rows: list[Row] = []
    with two_processes() as pool:
        for contest in battle_contests(folder, pool, n):
            decisions: list[float] = []
            slow = contest.ours[0].trials < 2 * BLOCK
            found = run_contest(replace(contest, check=_counting(contest.check, decisions)), 1 if slow else rounds)
            rows += found
            rows += [_in_decisions(row, decisions[0]) for row in found if row.peer == found[0].peer]
    return rows


def _counting(check: Callable[[str, Found], None], decisions: list[float]) -> Callable[[str, Found], None]:
    """Return the check, which then writes down how many decisions a battle has."""

    def counted(name: str, found: Found) -> None:
        check(name, found)
        decisions.append(float(np.mean([ends[:, 2].mean() for _, ends in found])))

    return counted


def _in_decisions(row: Row, a_battle: float) -> Row:
    text = row.task.replace("battles", "decisions")
    return replace(row, task=text, our_cost=row.our_cost / a_battle, peer="nobody", peer_cost=None)


def blocks_played(n_blocks: int) -> None:
    """Play blocks of greedy battles one after another, keeping nothing but who won."""
    won = np.zeros(4, np.int64)
    for block in range(n_blocks):
        won += np.bincount(played(met(BLOCK, 8, GREEDY, block))[:, 0], minlength=4)


def battle_memory_row(n_blocks: int = MEMORY_BLOCKS) -> Row:
    """Return the size of a process that plays many blocks beside that of one that plays two."""
    sizes = []
    for n in (n_blocks, 2):
        work = f"battle_rows.blocks_played({n})\nprint(commands.peak_megabytes())"
        sizes.append(float(run_command("-c", f"from tests.bench import battle_rows, commands\n{work}").printed))
    ours = f"1 process, {n_blocks} blocks of {BLOCK:,}"
    return Row("Warforged battles, peak memory", ours, sizes[0], "2 blocks", sizes[1], "memory")

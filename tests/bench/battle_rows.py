"""Rows of whole battles: greedy play beside the C loop and plain Python, and what other policies take.

Two processes play two blocks, one each. Every block of greedy play must end as the C loop ends it, battle by battle;
plain Python plays a few battles, which must end so too. What other policies play must end with a result at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from balance.engine.workers import worker_processes
from tests.bench.battles import BLOCK, CBattles, Ends, Meeting, check_same, met, played, told
from tests.bench.commands import run_command
from tests.bench.contest import Budget, Contender, Contest, Row, SkippedError, run_contest
from tests.bench.known import WrongAnswerError

Found: TypeAlias = list[tuple[Meeting, Ends]]
"""Battles, and how they ended."""
GREEDY = ("greedy", "greedy")
N_TOLD = 64
LOOK_SECONDS = 0.5
OTHERS = {
    ("kite_hold", "kite_hold"): BLOCK,
    ("hold", "hold"): BLOCK,
    ("random", "random"): BLOCK,
    ("lookahead", "greedy"): 2048,
    ("rollout", "greedy"): 256,
}
"""Policies of the two sides -> battles that a process plays in a call."""
WEIGHT = 3
MEMORY = "Warforged battles, peak memory"


@dataclass(frozen=True)
class _Ours:
    """Our engine as a contender: battles between armies of a size, so many a process and call."""

    n: int
    size: int
    policies: tuple[str, str]

    def block(self, n: int, number: int) -> tuple[Meeting, Ends]:
        """Play one."""
        meeting = met(n, self.size, self.policies, number)
        return meeting, played(meeting)

    def alone(self, n: int) -> Found:
        """Play a block in this process."""
        return [self.block(n, 0)]

    def on_two(self, pool: Executor, n: int) -> Found:
        """Play half of the battles in each of two processes."""
        under_way = [pool.submit(self.block, n // 2, number) for number in (0, 1)]
        while wait(under_way, LOOK_SECONDS).not_done:
            pass  # a wait without end may not see Ctrl-C where numpy has threads
        return [one.result() for one in under_way]

    def contenders(self, pool: Executor) -> list[Contender]:
        """Return it on two processes, and on one."""
        text = f"blocks of {self.n:,}"
        return [
            Contender(f"2 processes, {text}", partial(self.on_two, pool), 2 * self.n, 2 * self.n),
            Contender(f"1 process, {text}", self.alone, self.n, self.n),
        ]


def _by(play: Callable[[Meeting], Ends], size: int, n: int) -> Found:
    meeting = met(n, size)
    return [(meeting, play(meeting))]


def battle_contests(folder: Path, pool: Executor, part: int = 1) -> Iterator[Contest]:
    """Yield the contests of greedy play, which the C loop and plain Python join, and those of other policies.

    Blocks are a `part`-th as large as studies have them.
    """
    try:
        c_loop: CBattles | None = CBattles(folder)
    except SkippedError:
        c_loop = None
    known, n = c_loop.played if c_loop else played, BLOCK // part
    for size in (8, 4):
        peers: list[Contender | str] = [
            Contender("C loop, the same dice", partial(_by, c_loop.played, size), n, n) if c_loop else "C loop (none)",
            Contender("Python loop, the same dice", partial(_by, told, size), N_TOLD, N_TOLD),
        ]
        mine, check = _Ours(n, size, GREEDY).contenders(pool), partial(_check_known, known)
        yield Contest(_task("greedy", size), mine, peers, check, WEIGHT)
    for policies, most in OTHERS.items():
        text = " against ".join(dict.fromkeys(policies))
        mine = _Ours(most // part, 8, policies).contenders(pool)
        yield Contest(_task(text, 8), mine, ["nobody"], _check_over, WEIGHT)


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
def two_processes() -> Iterator[Executor]:
    """Yield two processes, started anew so that they are as small as workers are; they end at once on Ctrl-C."""
    with worker_processes(2) as pool:
        try:
            yield pool
        except KeyboardInterrupt:
            pool.end_at_once()
            raise


def battle_rows(contest: Contest, budget: Budget) -> list[Row]:
    """Measure a contest, in battles a second and in decisions a second."""
    decisions: list[float] = []
    rows = run_contest(replace(contest, check=_counting(contest.check, decisions)), budget)
    return rows + [_in_decisions(row, decisions[0]) for row in rows if row.peer == rows[0].peer]


def _counting(check: Callable[[str, Found], None], decisions: list[float]) -> Callable[[str, Found], None]:
    """Return the check, which then writes down how many decisions a battle has."""

    def counted(name: str, found: Found) -> None:
        check(name, found)
        decisions.append(float(np.mean([ends[:, 2].mean() for _, ends in found])))

    return counted


def in_decisions(task: str) -> str:
    """Return the name of the row that counts decisions where this one counts battles."""
    return task.replace("battles", "decisions")


def _in_decisions(row: Row, a_battle: float) -> Row:
    return replace(row, task=in_decisions(row.task), our_cost=row.our_cost / a_battle, peer="nobody", peer_cost=None)


def blocks_played(n_blocks: int, n: int = BLOCK) -> None:
    """Play blocks of greedy battles one after another, keeping nothing but who won."""
    won = np.zeros(4, np.int64)
    for block in range(n_blocks):
        won += np.bincount(played(met(n, 8, GREEDY, block))[:, 0], minlength=4)


def battle_memory_row(n_blocks: int, part: int = 1) -> Row:
    """Return the size of a process that plays many blocks beside that of one that plays two."""
    n, sizes = BLOCK // part, []
    for blocks in (n_blocks, 2):
        work = f"battle_rows.blocks_played({blocks}, {n})\nprint(commands.peak_megabytes())"
        sizes.append(float(run_command("-c", f"from tests.bench import battle_rows, commands\n{work}").printed))
    ours = f"1 process, {n_blocks} blocks of {n:,}"
    return Row(MEMORY, ours, sizes[0], "2 blocks", sizes[1], "memory")

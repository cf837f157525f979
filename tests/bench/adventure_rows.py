"""Rows of whole adventures of BattleLore: by greedy play, by look-ahead, and at random beside plain Python.

Two processes play two blocks, one each. Plain Python plays a few adventures, which must end as our own first ones do;
what other ways of playing play must end with a result at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, wait
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from tests.bench.adventures import BLOCK, Ends, check_same, played, told
from tests.bench.commands import run_command
from tests.bench.contest import Contender, Contest, Row
from tests.bench.known import WrongAnswerError

TITLES = {"agincourt": "Agincourt", "lore_duel": "the Lore duel"}
GREEDY, RANDOM, LOOKAHEAD = ("greedy", "greedy"), ("random", "random"), ("lookahead", "greedy")
LOOKAHEAD_BLOCK = 512
"""Adventures with look-ahead that a process plays in a call."""
N_TOLD = 12
LOOK_SECONDS = 0.5
WEIGHT = 3
MEMORY = "BattleLore adventures, peak memory"


@dataclass(frozen=True)
class _Ours:
    """Our engine as a contender: an adventure played in some way, so often a process and call."""

    name: str
    policies: tuple[str, str]
    n: int

    def block(self, number: int) -> Ends:
        """Play one block."""
        return played(self.name, self.policies, self.n, number)

    def alone(self, n: int) -> list[Ends]:
        """Play a block in this process."""
        return [self.block(0)]

    def on_two(self, pool: Executor, n: int) -> list[Ends]:
        """Play a block in each of two processes."""
        under_way = [pool.submit(self.block, number) for number in (0, 1)]
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


def adventure_contests(pool: Executor, part: int = 1) -> Iterator[Contest]:
    """Yield the contests of random play, which plain Python joins, and those of other ways of playing.

    Blocks are a `part`-th as large as studies have them.
    """
    for name in TITLES:
        mine = _Ours(name, RANDOM, BLOCK // part)
        peer = Contender("Python loop, the same luck", partial(_told, name), N_TOLD, N_TOLD)
        yield Contest(task_of(name, RANDOM), mine.contenders(pool), [peer], partial(_check_known, name), WEIGHT)
    for name, policies, most in (
        ("agincourt", GREEDY, BLOCK),
        ("lore_duel", GREEDY, BLOCK),
        ("agincourt", LOOKAHEAD, LOOKAHEAD_BLOCK),
    ):
        ours = _Ours(name, policies, most // part).contenders(pool)
        yield Contest(task_of(name, policies), ours, ["nobody"], _check_over, WEIGHT)


def task_of(name: str, policies: tuple[str, str]) -> str:
    """Return what an adventure played in some way is called."""
    return f"BattleLore adventures, {TITLES[name]}, {' against '.join(dict.fromkeys(policies))}"


def _told(name: str, n: int) -> list[Ends]:
    return [told(name, n)]


def _check_known(name: str, who: str, found: list[Ends]) -> None:
    _check_over(who, found)
    check_same(who, found[0][:N_TOLD], _known(name))


@cache
def _known(name: str) -> Ends:
    return told(name, N_TOLD)


def _check_over(name: str, found: list[Ends]) -> None:
    for ends in found:
        if not (np.isin(ends[:, 0], (0, 1, 2)) & (ends[:, 1] > 0)).all():
            raise WrongAnswerError(f"{name} leaves adventures open")


def blocks_played(n_blocks: int, n: int = BLOCK) -> None:
    """Play blocks of greedy Lore duels one after another, keeping nothing but who won."""
    won = np.zeros(3, np.int64)
    for block in range(n_blocks):
        won += np.bincount(played("lore_duel", GREEDY, n, block)[:, 0], minlength=3)


def adventure_memory_row(n_blocks: int, part: int = 1) -> Row:
    """Return the size of a process that plays many blocks beside that of one that plays two."""
    n, sizes = BLOCK // part, []
    for blocks in (n_blocks, 2):
        work = f"adventure_rows.blocks_played({blocks}, {n})\nprint(commands.peak_megabytes())"
        sizes.append(float(run_command("-c", f"from tests.bench import adventure_rows, commands\n{work}").printed))
    ours = f"1 process, {n_blocks} blocks of {n:,}"
    return Row(MEMORY, ours, sizes[0], "2 blocks", sizes[1], "memory")

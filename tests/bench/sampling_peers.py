"""The sampled tasks elsewhere: plain numpy, stochroll, a Python loop and a C loop. All roll every die, one trial each.

numpy comes twice. "As most write it" uses `default_rng()` and its default integers for all trials at once; "tuned" uses
the fastest generator, small integers and batches that fit the cache. C comes twice too: one random number per die
without bias (Lemire 2019), or all four dice of an attack from the 16-bit parts of one number, which is quicker and very
slightly biased.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.bench.contest import Contender, SkippedError

Counts = npt.NDArray[Any]
BATCH = 65536
MOST = 2**20
"""Trials of a call."""
LONGEST = 200
"""Attacks after which a kill is not counted any further."""


def sampling_peers(task: str, c_loop: CLoop | str) -> list[Contender | str]:
    """Return the peers of a sampled task, "attacks" or "kills"; a text in place of one says why it is missing."""
    peers: list[Contender | str] = [
        Contender("numpy, as most write it", partial(run_plain, task), MOST, BATCH, own_clock=True),
        Contender("numpy, tuned", TUNED[task], MOST, BATCH),
        Contender("Python loop", PYTHON[task], 2**14, 512),
    ]
    try:
        peers.append(Contender("stochroll", _stochroll(task), MOST, BATCH))
    except SkippedError as reason:
        peers.append(f"stochroll ({reason})")
    if isinstance(c_loop, str):
        return [*peers, f"C loop ({c_loop})"]
    for dice, name in (("each", "C loop, a number per die"), ("packed", "C loop, a number per attack")):
        peers.append(Contender(name, partial(c_loop.run, task, dice), MOST, BATCH, own_clock=True))
    return peers


def _damage(d10: Counts, blocked: Counts) -> Counts:
    return np.where(d10 > 7, 0, np.where(d10 == 7, 4, np.maximum(4 - blocked, 1)))


def _roll(rng: np.random.Generator, n: int, kind: Any) -> Counts:
    d10 = rng.integers(1, 11, n, dtype=kind)
    d6 = rng.integers(1, 7, (3, n), dtype=kind)
    return _damage(d10, ((d6 >= 3) & (d6 <= 5)).sum(axis=0, dtype=kind))


def numpy_attacks(n_trials: int) -> Counts:
    """Return how often each damage came up, rolled as most people write it."""
    rng = np.random.default_rng(0)
    d10 = rng.integers(1, 11, n_trials)
    d6 = rng.integers(1, 7, (n_trials, 3))
    blocked = ((d6 >= 3) & (d6 <= 5)).sum(axis=1)
    return np.asarray(np.bincount(_damage(d10, blocked), minlength=5))


def _numpy_attacks_tuned(n_trials: int) -> Counts:
    rng, counts = np.random.Generator(np.random.SFC64(0)), np.zeros(5, np.int64)
    for start in range(0, n_trials, BATCH):
        counts += np.bincount(_roll(rng, min(BATCH, n_trials - start), np.int16), minlength=5)
    return counts


def numpy_kills(n_trials: int) -> Counts:
    """Return how many targets died on attack 1, 2, ...: lockstep, with the dead taken out after every attack."""
    return _lockstep(np.random.default_rng(0), n_trials, np.int64)


def _numpy_kills_tuned(n_trials: int) -> Counts:
    rng, counts = np.random.Generator(np.random.SFC64(0)), np.zeros(LONGEST, np.int64)
    for start in range(0, n_trials, BATCH):
        counts += _lockstep(rng, min(BATCH, n_trials - start), np.int16)
    return counts


def _lockstep(rng: np.random.Generator, n: int, kind: Any) -> Counts:
    health, counts = np.full(n, 12, kind), np.zeros(LONGEST, np.int64)
    for number in range(LONGEST):
        health = health - _roll(rng, len(health), kind)
        left = health[health > 0]
        counts[number] = len(health) - len(left)
        if len(left) == 0:
            break
        health = left
    return counts


def _python_damage() -> int:
    d10 = random.randint(1, 10)
    blocked = sum(3 <= random.randint(1, 6) <= 5 for _ in range(3))
    return 0 if d10 > 7 else 4 if d10 == 7 else max(4 - blocked, 1)


def python_attacks(n_trials: int) -> Counts:
    """Return how often each damage came up, in a loop of plain Python."""
    random.seed(0)
    return np.bincount([_python_damage() for _ in range(n_trials)], minlength=5)


def _python_kills(n_trials: int) -> Counts:
    random.seed(0)
    counts = np.zeros(LONGEST, np.int64)
    for _ in range(n_trials):
        health, attacks = 12 - _python_damage(), 1
        while health > 0:
            health, attacks = health - _python_damage(), attacks + 1
        counts[attacks - 1] += 1
    return counts


PLAIN = {"attacks": numpy_attacks, "kills": numpy_kills}
TUNED = {"attacks": _numpy_attacks_tuned, "kills": _numpy_kills_tuned}
PYTHON = {"attacks": python_attacks, "kills": _python_kills}


def run_plain(task: str, n_trials: int) -> tuple[float, Counts]:
    """Run plain numpy in a fresh process, once to warm up and once by the clock; return the seconds and the counts."""
    return _timed_output([sys.executable, "-m", __name__, task, str(n_trials)])


def _timed_output(command: list[str]) -> tuple[float, Counts]:
    root = Path(__file__).parents[2]
    seconds, *counts = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout.split()
    return float(seconds), np.array(counts, np.int64)


def _stochroll(task: str) -> Callable[[int], Counts]:
    try:
        library = import_module("stochroll")
    except ImportError:
        raise SkippedError("not installed: it needs Python 3.12") from None
    return partial(_stochroll_attacks if task == "attacks" else _stochroll_kills, library)


def _stochroll_damage(library: Any, roller: Any) -> Any:
    d10, d6 = roller.d(10), roller.d(6, shape=3)
    left = 4 - ((d6 >= 3) & (d6 <= 5)).indicator().sum()
    return library.where(d10 == 7, 4, library.where(d10 < 7, library.where(left < 1, 1, left), 0))


def _stochroll_attacks(library: Any, n_trials: int) -> Counts:
    damage = _stochroll_damage(library, library.Roller(repetitions=n_trials, seed=0))
    return np.bincount(np.asarray(damage.values).ravel(), minlength=5)


def _stochroll_kills(library: Any, n_trials: int) -> Counts:
    """Play 60 attacks for every target: it has no way to take out the dead."""
    roller, dead = library.Roller(repetitions=n_trials, seed=0), [0]
    dealt = _stochroll_damage(library, roller)
    for _ in range(60):
        dead.append(int(np.count_nonzero(np.asarray(dealt.values) >= 12)))
        dealt = dealt + _stochroll_damage(library, roller)
    return np.diff(dead)


def compiled(source: Path, output: Path, *flags: str) -> Path:
    """Compile a C program for this machine, and return where it is.

    Raises
    ------
    SkippedError
        There is no C compiler.
    """
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        raise SkippedError("no C compiler")
    subprocess.run([found, "-O3", "-march=native", "-std=c99", *flags, "-o", output, source], check=True)
    return output


class CLoop:
    """`loops.c`, compiled for this machine into a folder.

    Raises
    ------
    SkippedError
        There is no C compiler.
    """

    def __init__(self, folder: Path) -> None:
        self._program = compiled(Path(__file__).with_name("loops.c"), folder / "loops")

    def run(self, task: str, dice: str, n_trials: int) -> tuple[float, Counts]:
        """Return the seconds its loop took by its own clock, and the counts."""
        return _timed_output([str(self._program), task, dice, str(n_trials), "1"])


def _main(task: str, n_trials: int) -> None:
    PLAIN[task](n_trials)
    start = perf_counter()
    counts = PLAIN[task](n_trials)
    print(perf_counter() - start, *counts.tolist(), sep="\n")


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]))

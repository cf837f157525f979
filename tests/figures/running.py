"""What has to be run to be measured, each time in a process of its own: a command, a repr, the list of tests."""

from __future__ import annotations

import json
import os
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ATTACK = ["attack", "warforged", "nexus+assault_rifle", "trooper"]
CPU_RUNS = 9
"""Runs of one attack, of which the median counts."""
REPR = 'import balance; print(len(repr(balance.load("warforged"))))'
COLLECT = ("-m", "pytest", "tests", "balance", "--co", "-q", "-n0", "-p", "no:cacheprovider")
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def attack_path(root: Path) -> tuple[int, int, bool]:
    """Return the files and functions that one `balance attack` passes, and whether it imports polars."""
    process = _python(root, str(Path(__file__).with_name("traced.py").resolve()), *ATTACK)
    files, functions, polars = json.loads(process.stderr.splitlines()[-1])
    return files, functions, polars


def cpu_seconds(root: Path, runs: int = CPU_RUNS) -> float:
    """Return the CPU seconds of one `balance attack`, start to end: the median of some runs after a first one."""
    _python(root, "-m", "balance", *ATTACK)
    seconds = []
    for _ in range(runs):
        before = _children_seconds()
        _python(root, "-m", "balance", *ATTACK)
        seconds.append(_children_seconds() - before)
    return statistics.median(seconds)


def repr_length(root: Path) -> int:
    """Return how many characters a game has that is shown at a prompt."""
    return int(_python(root, "-c", REPR).stdout)


def tests_by_default(root: Path) -> int:
    """Return how many tests pytest runs when nothing is asked of it."""
    return collected(_python(root, *COLLECT).stdout)


def collected(report: str) -> int:
    """Return the number in the last line of what pytest reports when it collects tests.

    >>> collected("a\\n1200/1500 tests collected (300 deselected) in 9.00s"), collected("1 test collected in 0.1s")
    (1200, 1)
    """
    numbers = re.findall(r"^(\d+)(?:/\d+)? tests? collected", report, re.MULTILINE)
    return int(numbers[-1])


def _python(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **THREADS, "PYTHONPATH": str(root)}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime

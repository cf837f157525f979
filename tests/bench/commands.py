"""Whole processes: what 10^9 attacks cost in memory, and what it costs to start."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter

from tests.bench.contest import Row

ROOT = Path(__file__).parents[2]
BARE = ("-c", "pass")
STARTS = {
    "import balance": ("-c", "import balance"),
    "balance --help": ("-m", "balance", "--help"),
    "balance attack": ("-m", "balance", "attack", "warforged", "nexus+assault_rifle", "trooper"),
}


@dataclass(frozen=True)
class Usage:
    """What one process took: seconds by the clock, seconds of processor time, and what it printed."""

    wall: float
    cpu: float
    printed: str


def run_command(*arguments: str) -> Usage:
    """Run this Python with arguments, in the checkout, and return what it took.

    Raises
    ------
    CalledProcessError
        It failed; its complaint is on standard error.
    """
    command = [sys.executable, *arguments]
    start = perf_counter()
    # A session of its own: Ctrl-C stops the bench, which ends the process without a word of its own.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True)
    try:
        with process.stdout as pipe:  # type: ignore[union-attr]  # it was asked for
            printed = pipe.read()
    except KeyboardInterrupt:
        process.kill()
        raise
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Usage(wall, used.ru_utime + used.ru_stime, printed)


def peak_megabytes() -> float:
    """Return the largest size this process has had.

    Linux lets `ru_maxrss` of a new process begin at the size of the one that started it, so /proc is asked where it is.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    found = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
    if found:
        return found[0] / 1024
    return getrusage(RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)


MEMORY = {
    "T1 attacks": ("ours", "sampled('compiled', 1, {})", "counts only"),
    "line-ups": ("line_ups", "battles_of_others({})", "others in every battle"),
}
"""What is drawn in a process of its own -> the module that does it, how it is asked, and in what way it is drawn."""


def memory_task(what: str, n_trials: int) -> str:
    """Return the name of a row of memory."""
    return f"{n_trials:.0e} {what}".replace("e+0", "e")


def memory_row(what: str, n_trials: int) -> Row:
    """Return the size of a process of the compiled lane, and its time, beside one that does a thousandth."""
    module, work, how = MEMORY[what]
    large, small = (run_command("-c", _measured(module, work.format(n))) for n in (n_trials, n_trials // 1000))
    few = f"a thousandth of the {what.split()[-1]}, {small.wall:.1f} s"
    ours = f"compiled lane, {how}, 1 thread, {large.wall:.1f} s"
    return Row(memory_task(what, n_trials), ours, float(large.printed), few, float(small.printed), "memory")


def _measured(module: str, work: str) -> str:
    return f"from tests.bench import commands, {module}\n{module}.{work}\nprint(commands.peak_megabytes())"


def start_rows(rounds: int) -> list[Row]:
    """Start each command and a bare Python in turn."""
    usages: dict[str, list[Usage]] = {name: [] for name in ("bare", *STARTS)}
    for _ in range(rounds):
        for name in usages:
            usages[name].append(run_command(*STARTS.get(name, BARE)))
    rows = []
    for name in STARTS:
        for what in ("wall", "cpu"):
            mine, bare = (median(getattr(usage, what) for usage in usages[key]) for key in (name, "bare"))
            text = f"{'clock' if what == 'wall' else 'processor'} time"
            rows.append(Row(name, text, mine, "bare Python", bare, "time", samples=rounds))
    return rows

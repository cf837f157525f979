"""Run command lines by the thousand, each in a fork of a warm process, within bounds that are measured.

`python -m tests.hostile.commands tests.hostile.budgets 1000` runs the cases 0 to 999 of a module that has a function
`case(number)`, prints each that breaks a bound, then a table of how they ended. A command may end with status 0, 1, 2
or 3. After `SECONDS` of processor time, of all its processes together, it is interrupted as by Ctrl-C, and then has
`GRACE` to end well, with status 3.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import pkgutil
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, NoReturn, Self

from balance.base.limits import ONE_THREAD
from balance.cli.main import run
from tests.cli.transcripts import PLAIN, UNSET

SECONDS, MEGABYTES = 10, 500
GRACE = 4
"""Seconds of processor time: two of the clock on two cores."""
WALL_SECONDS = 300
LEFT_TO_A_COMMAND = ("balance.__main__", "balance.reporting", "balance.cli.server", "balance.verbs.call.explore")
"""Modules that few commands need, and that take long to import."""
ADDRESS_SPACE = 4 << 30
"""Bytes from which memory is refused, so that a fault costs the machine nothing."""


@dataclass(frozen=True)
class Case:
    """A command line with the files that lie beside it, and the processor time after which it gets a signal."""

    number: int
    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    seconds: float = SECONDS
    signal: int = signal.SIGINT


@dataclass(frozen=True)
class Ending:
    """How a command ended; a negative status is the signal that killed it.

    `seconds_after` is the processor time that it took after it was interrupted, `written` what lies beside it then.
    """

    case: Case
    status: int
    out: str
    err: str
    seconds: float
    megabytes: float
    seconds_after: float = 0.0
    written: tuple[str, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether it was answered, or would have been: status 2 alone refuses an input."""
        return self.status in (0, 1, 3)

    @property
    def is_sound(self) -> bool:
        return self.fault == ""

    @property
    def fault(self) -> str:
        """Which bound it broke."""
        told = self.out + self.err
        bounds = {
            "ran on after an interruption": self.status != -signal.SIGKILL,
            f"status {self.status}": self.status in (0, 1, 2, 3),
            "traceback": "Traceback (most recent call last)" not in told,
            "refused without a fault": self.status != 2 or "error: " in self.err,
            f"{self.seconds:.1f} s": self.seconds <= SECONDS + GRACE,
            f"{self.seconds_after:.1f} s after an interruption": self.seconds_after <= GRACE,
            f"{self.megabytes:.0f} MB": self.megabytes <= MEGABYTES,
        }
        return next((fault for fault, holds in bounds.items() if not holds), "")

    def __str__(self) -> str:
        told = "\n    ".join((self.err or self.out).splitlines()[-6:])
        return f"case {self.case.number}: {self.fault}: balance {shlex.join(self.case.words)[:300]}\n    {told[-1500:]}"


class WarmCommand:
    """A process that has everything imported and forks for each command."""

    def __enter__(self) -> Self:
        environment = {name: value for name, value in os.environ.items() if name not in UNSET} | PLAIN | ONE_THREAD
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.commands"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def run(self, case: Case) -> Ending:
        """Run a case in a folder of its own."""
        home = Path(tempfile.mkdtemp(prefix="balance-case-"))
        try:
            return self.run_in(home, case)
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def run_in(self, home: Path, case: Case) -> Ending:
        """Run a case in a folder that is there, where it finds what an earlier one left."""
        beside = home / "beside"
        beside.mkdir(exist_ok=True)
        for name, content in case.files.items():
            (beside / name).parent.mkdir(parents=True, exist_ok=True)
            (beside / name).write_bytes(content)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(home), case.words, case.seconds, case.signal]) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        out, err = ((home / name).read_text("utf-8", errors="replace") for name in ("out", "err"))
        written = sorted(str(path.relative_to(beside)) for path in beside.rglob("*") if path.is_file())
        return Ending(case, out=out, err=err, written=tuple(written), **told)


def endings(cases: Iterable[Case], n_workers: int = 1) -> Iterator[Ending]:
    """Yield how each case ends, in order, from some warm processes; one of them serves all tests."""
    if n_workers == 1:
        yield from map(shared_warm_command().run, cases)
        return
    with contextlib.ExitStack() as stack:
        idle: SimpleQueue[WarmCommand] = SimpleQueue()
        for _ in range(n_workers):
            idle.put(stack.enter_context(WarmCommand()))

        def run_one(case: Case) -> Ending:
            warm = idle.get()
            try:
                return warm.run(case)
            finally:
                idle.put(warm)

        yield from stack.enter_context(ThreadPoolExecutor(n_workers)).map(run_one, cases)


@cache
def shared_warm_command() -> WarmCommand:
    """Return a warm process that lasts as long as this one."""
    warm = WarmCommand().__enter__()
    atexit.register(warm.__exit__, None, None, None)
    return warm


def assert_sound(make: Callable[[int], Case], n: int, n_workers: int = 1) -> None:
    """Check that the first n cases end within their bounds, and that at least half of them are valid."""
    all_endings = list(endings(map(make, range(n)), n_workers))
    unsound = [str(ending) for ending in all_endings if not ending.is_sound]
    assert not unsound, "\n".join(unsound)
    assert sum(ending.is_valid for ending in all_endings) >= n / 2, Counter(ending.status for ending in all_endings)


# -- in the warm process ----------------------------------------------------------------------------------------------


def _serve() -> None:
    """Fork for each command that is asked for on standard input, and tell how it ended."""
    _import_all()
    for line in sys.stdin:
        home, words, seconds, kind = json.loads(line)
        if not (child := os.fork()):
            _become(Path(home), words)
        print(json.dumps(_wait(child, seconds, kind)), flush=True)


def _import_all() -> None:
    """Import what commands import, but run nothing: a thread that polars starts would be missing in a fork."""
    import balance

    for module in pkgutil.walk_packages(balance.__path__, "balance."):
        if not module.name.startswith(LEFT_TO_A_COMMAND):
            importlib.import_module(module.name)


def _wait(child: int, most: float, kind: int) -> dict[str, float]:
    """Wait for a command; send it a signal when its time is up, and end it if it then goes on."""
    start, pause, interrupted_at = time.monotonic(), 0.002, 0.0
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # workers that outlive it, if any do
            seconds = usage.ru_utime + usage.ru_stime
            return {
                "status": os.waitstatus_to_exitcode(status),
                "seconds": seconds,
                "megabytes": usage.ru_maxrss / 2**10,
                "seconds_after": max(0.0, seconds - interrupted_at) if interrupted_at else 0.0,
            }
        time.sleep(pause)
        if (pause := min(0.1, pause * 1.5)) < 0.1:
            continue
        seconds = _cpu_seconds(child)
        is_late = seconds > interrupted_at + GRACE if interrupted_at else False
        if is_late or time.monotonic() - start > WALL_SECONDS:
            os.killpg(child, signal.SIGKILL)
        elif seconds > most and not interrupted_at:
            interrupted_at = seconds
            (os.killpg if kind == signal.SIGKILL else os.kill)(child, kind)


def _cpu_seconds(session: int) -> float:
    """Return the processor time of all processes of a session, and of those of theirs that ended."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            facts = path.read_text().rpartition(")")[2].split()
            ticks += sum(map(int, facts[11:15])) if facts[3] == str(session) else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def _become(home: Path, words: list[str]) -> NoReturn:
    """Turn this fork into a command that stands in a folder and writes to files; never return."""
    status: Any = 70
    try:
        os.chdir(home / "beside")
        os.environ |= {"BALANCE_CACHE": str(home / "cache"), "HOME": str(home), "PWD": str(home / "beside")}
        tempfile.tempdir = str(home)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(home / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        _bound()
        sys.argv = ["balance", *words]
        run()
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(status if isinstance(status, int) else 70)


def _bound() -> None:
    """Let this process be a session of its own, heed Ctrl-C, and have so much memory at most."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.default_int_handler)


# -- the command ------------------------------------------------------------------------------------------------------


def main(module: str, n: int, first: int = 0, n_workers: int = 1) -> int:
    """Run cases of a module, print each that breaks a bound, then how all ended."""
    make: Callable[[int], Case] = importlib.import_module(module).case
    counts: Counter[int] = Counter()
    slowest: Ending | None = None
    largest: Ending | None = None
    n_unsound = 0
    for ending in endings(map(make, range(first, first + n)), n_workers):
        counts[ending.status] += 1
        slowest = ending if slowest is None or ending.seconds > slowest.seconds else slowest
        largest = ending if largest is None or ending.megabytes > largest.megabytes else largest
        if not ending.is_sound:
            n_unsound += 1
            print(ending, flush=True)
    print(f"{n_unsound} of {n} break a bound; statuses {dict(sorted(counts.items()))}")
    for title, extreme in (("slowest", slowest), ("largest", largest)):
        if extreme is not None:
            words = shlex.join(extreme.case.words)[:200]
            print(f"{title}: {extreme.seconds:.1f} s, {extreme.megabytes:.0f} MB, case {extreme.case.number}: {words}")
    return int(n_unsound > 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
    _serve()

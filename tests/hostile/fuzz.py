"""Feed spoilt inputs to every reader and count what becomes of them: `python -m tests.hostile.fuzz 10000`.

A case is a number; it fixes the reader, the input and how it is spoilt. It must end with an error of ours or be
accepted, within `SECONDS` of processor time (two minutes on the clock) and `MEGABYTES`.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from balance.base.errors import BalanceError
from tests.hostile.readers import GAMES, READERS

SECONDS, MEGABYTES = 10, 500


class Hung(BaseException):
    """A case took too long."""


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    case: int
    reader: str
    what: str
    seconds: float
    megabytes: float

    @property
    def is_sound(self) -> bool:
        return self.what in ("accepted", "refused") and self.seconds < SECONDS and self.megabytes < MEGABYTES


def run_case(case: int) -> Outcome:
    """Spoil the input of one case and feed it to its reader."""
    chance = random.Random(case)
    reader = chance.choices(list(READERS), [share for _, share in READERS.values()])[0]
    spoil, name = READERS[reader][0], chance.choice(GAMES)
    _forget_peak()
    begun = time.process_time()
    for timer, kind, seconds in (
        (signal.ITIMER_PROF, signal.SIGPROF, SECONDS),
        (signal.ITIMER_REAL, signal.SIGALRM, 120),
    ):
        signal.signal(kind, _stop)
        signal.setitimer(timer, seconds)
    try:
        with tempfile.TemporaryDirectory(prefix="balance-fuzz-") as folder:
            spoil(name, chance, Path(folder))
        what = "accepted"
    except BalanceError:
        what = "refused"
    except Hung:
        what = "hung"
    except BaseException as error:
        what = f"crashed: {type(error).__name__}: {str(error)[:200]}"
    finally:
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
    return Outcome(case, reader, what, time.process_time() - begun, _peak())


def _stop(_: int, __: FrameType | None) -> None:
    raise Hung


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    told = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(told.split()[1]) / 1024


def _work_in(home: str) -> None:
    """Keep everything temporary in a folder that is removed when all is done."""
    tempfile.tempdir = home


def run_cases(cases: Iterable[int], n_workers: int = 2) -> Iterator[Outcome]:
    """Yield the outcome of each case, from processes of their own."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as home, context.Pool(n_workers, _work_in, (home,)) as pool:
        yield from pool.imap_unordered(run_case, cases, chunksize=4)


def main(first: int, n: int) -> int:
    """Run cases, print each that is not sound, then a table of all."""
    counts: Counter[tuple[str, str]] = Counter()
    slowest = largest = Outcome(-1, "", "", 0.0, 0.0)
    for outcome in run_cases(range(first, first + n)):
        counts[outcome.reader, outcome.what.split(":")[0]] += 1
        slowest = max(slowest, outcome, key=lambda found: found.seconds)
        largest = max(largest, outcome, key=lambda found: found.megabytes)
        if not outcome.is_sound:
            print(outcome, flush=True)
    for reader in READERS:
        print(f"{reader:16}", {what: n for (name, what), n in sorted(counts.items()) if name == reader})
    print(f"slowest {slowest}\nlargest {largest}")
    return int(any(what not in ("accepted", "refused") for _, what in counts))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1])))

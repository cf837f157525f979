"""Two suites: the default run proves a change in minutes, the long one is everything.

Two rules say what the default run leaves out, and each leaves a short form of it in:

* A case of a test with several cases that took 0.03 seconds of CPU time or more when all was last measured
  (`tests/seconds.csv`) is left out, unless it is the quickest of its test: that one is the short form. A mark
  `up_to(seconds)` allows the cases of one test more.
* A test that takes more than about half a second in every case is marked `slow("tests/path.py::test_name")`, with the
  test that is its short form; a name alone is that of a test in the same file. What no shorter test would notice stays.

`python -m tests.suites` runs everything and measures it anew. A test that is named with `::`, and `-m slow`, runs
always.
"""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

SECONDS = Path(__file__).parent / "seconds.csv"
MOST_SECONDS = 0.025
"""CPU time from which a case is left to the long suite."""
LEAST_KEPT = 0.03
"""CPU time below which a test is not written down."""


def measured(path: Path = SECONDS) -> dict[str, float]:
    """Return the CPU time of each test that takes any to speak of, in seconds, by its id."""
    rows = csv.DictReader(io.StringIO(path.read_text("utf-8")))
    return {row["test"]: float(row["seconds"]) for row in rows}


def left_out(names: Sequence[str], seconds: Mapping[str, float], most: Mapping[str, float] | None = None) -> set[str]:
    """Return those ids of tests that are cases too long for the default run; the quickest of each test stays.

    `most` holds how many seconds a case may take where that is not `MOST_SECONDS`.

    >>> sorted(left_out(["a[1]", "a[2]", "a[3]", "b"], {"a[1]": 0.5, "a[2]": 0.3, "b": 9.0}))
    ['a[1]', 'a[2]']
    >>> left_out(["a[1]", "a[2]"], {"a[1]": 0.5, "a[2]": 0.3})
    {'a[1]'}
    """
    cases = defaultdict(list)
    for name in names:
        cases[name.partition("[")[0]].append(name)
    quickest = {min(group, key=lambda name: (seconds.get(name, 0.0), name)) for group in cases.values()}
    limits = most or {}
    return {name for name in names if name not in quickest and seconds.get(name, 0.0) > limits.get(name, MOST_SECONDS)}


def short_form(item: pytest.Item) -> str:
    """Return the id of the test that is the short form of one marked `slow`; empty if none is named."""
    mark = item.get_closest_marker("slow")
    if mark is None:
        return ""
    name = str(mark.args[0]) if mark.args else ""
    return name if "::" in name or not name else f"{item.nodeid.split('::')[0]}::{name}"


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the default run leaves to the long suite, if nothing else is asked for."""
    if config.getoption("--all") or config.option.markexpr or any("::" in word for word in config.args):
        return
    allowed = {item.nodeid: float(mark.args[0]) for item in items if (mark := item.get_closest_marker("up_to"))}
    cases = left_out([item.nodeid for item in items], measured(), allowed)
    out = [item for item in items if item.nodeid in cases or item.get_closest_marker("slow") is not None]
    if out:
        leave = {id(item) for item in out}
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if id(item) not in leave]


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def written(rows: Iterable[tuple[str, float]]) -> str:
    """Return the text of `seconds.csv`."""
    kept = sorted((name, round(seconds, 2)) for name, seconds in rows if seconds >= LEAST_KEPT)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("test", "seconds"), *kept])
    return out.getvalue()


def main() -> None:
    """Run everything, one test after another, and write down how long each takes."""
    log = SECONDS.with_suffix(".log")
    log.unlink(missing_ok=True)
    words = ["-m", "pytest", "tests", "balance", "--all", "-q", "-p", "no:cacheprovider", f"--seconds={log}"]
    subprocess.run([sys.executable, *words], check=False)
    rows = [line.rsplit("\t", 1) for line in log.read_text("utf-8").splitlines()]
    SECONDS.write_text(written((name, float(seconds)) for name, seconds in rows), "utf-8")
    log.unlink()


if __name__ == "__main__":
    main()

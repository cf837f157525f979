"""Calls of a server for assistants, more than half of them valid, and what becomes of each.

`python -m tests.hostile.server_calls 1000`
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.base.paths import data_folder
from balance.cli.server.calls import Worker
from tests.cli.server.test_serving import CALLS
from tests.hostile.mutations import TEXTS, VALUES

SECONDS, MEGABYTES = 10, 500
LEFT_TO_THE_COMMAND = ("rate", "tune")
"""Tools whose calls need a folder of their own."""
QUICK = [name for name in CALLS if name not in (*LEFT_TO_THE_COMMAND, "stability", "price", "play")]
MORE: dict[str, list[Any]] = {
    "seed": [0, 1, 7, 2**40, -1, "x", None, 1.5],
    "trials": [1, 100, 2000, 0, -1, 10**9, "many"],
    "set": [[], ["a.health=9"], ["rules.faces=0-9"], ["nonsense"], "a.health=9", [1]],
    "first": ["a", "b", "random", "c", 1],
    "table": ["entrants", "units", "situation", "policies", "questions", "nothing", ""],
    "game": ["warforged", "battlelore", "edadh", "immortal_souls", "runewars", "nobody", "../secret"],
}


def call(number: int) -> tuple[str, dict[str, Any]]:
    """Return the tool and the words of a call; the same for the same number."""
    chance = random.Random(number)
    if number % 9 == 0:
        words = {name: chance.choice(MORE[name]) for name in ("game", "table") if chance.random() < 0.7}
        return "show", words
    name = chance.choice(QUICK)
    words = dict(CALLS[name])
    if chance.random() < 0.5:
        words["seed"] = chance.choice(MORE["seed"][:4])
    if chance.random() < 0.3:
        key = chance.choice([*words, *MORE])
        words[key] = chance.choice([*MORE.get(key, []), *VALUES, *TEXTS])
    if chance.random() < 0.05:
        words.pop(chance.choice([*words]))
    return name if chance.random() < 0.98 else str(chance.choice(TEXTS)), words


def faults(n: int, counts: Counter[str], first: int = 0) -> Iterator[str]:
    """Make some calls of one server, count how they end, and yield what is unsound in them."""
    worker = Worker([], SECONDS, 4 << 30)
    root = str(Path(data_folder()).parent)
    try:
        for number in range(first, first + n):
            name, words = call(number)
            result = worker.ask(name, words)
            told = str(result)
            counts["answer" if "answer" in result else "error"] += 1
            signs = ("Traceback", "balance has a bug", "before its end", "out of memory", root)
            if found := [sign for sign in signs if sign in told]:
                yield f"call {number}: {name} {str(words)[:300]}: {found}: {told[:600]}"
            if (megabytes := _peak(worker)) > MEGABYTES:
                yield f"call {number}: {name}: {megabytes:.0f} MB"
                worker.stop()
    finally:
        worker.stop()


def _peak(worker: Worker) -> float:
    process = worker._process
    if process is None:
        return 0.0
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def main(n: int, first: int = 0) -> int:
    """Make calls, print what is unsound, then how they ended."""
    counts: Counter[str] = Counter()
    n_faults = 0
    for fault in faults(n, counts, first):
        n_faults += 1
        print(fault, flush=True)
    print(f"{n_faults} faults in {n} calls; {dict(counts)}")
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

"""Commands that are killed at a random moment and given again: they end with the same bytes as if nothing had been."""

from __future__ import annotations

import random
import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from balance.base.paths import data_folder
from tests.cli.server.test_serving import UNITS, WEAPONS
from tests.hostile.commands import Case, WarmCommand

ROOT = Path(__file__).parents[2]
SIDES = ("nexus+assault_rifle", "trooper+shotgun")
FEW = {
    "few/units.csv": UNITS.encode(),
    "few/weapons.csv": WEAPONS.encode(),
    "few/SOURCES.csv": b"table,id,field,status,where\n",
    "few/rules.toml": (data_folder() / "warforged" / "rules.toml").read_bytes(),
}
COMMANDS = {
    "price": ("price", "warforged", "--catalogue", "few", "--budget", "60:2", "--battles", "300", "--jobs", "1"),
    "tune": ("tune", "warforged", "--catalogue", "few", "--changes", "1", "--jobs", "1"),
    "compare": ("compare", "study.toml", "--patch", "patch.toml", "--out", "out", "--format", "html", "--jobs", "1"),
    "page": ("page", "warforged", *SIDES, "--kinds", "attack,duel", "--answers", "100"),
    "play": (
        "play",
        "warforged",
        "lineup",
        "--ways",
        "focus,spread",
        "--pairs",
        "64",
        "--budget",
        "100:4",
        "--jobs",
        "1",
    ),
}
FILES = FEW | {
    "study.toml": b'game = "warforged"\nentrants = ["nexus+s*", "trooper+s*"]\n[budget]\ntrials = 20000\n',
    "patch.toml": (ROOT / "docs/examples/shotgun.toml").read_bytes(),
}
NEVER_THE_SAME = re.compile(r"\d+(\.\d+)? s\b")


def faults(n: int, seed: int = 0) -> Iterator[str]:
    """Kill each command n times, and yield where the next go of it ends otherwise than a whole one."""
    moments = random.Random(seed)
    with ExitStack() as stack:
        warm = stack.enter_context(WarmCommand())
        for number, (name, words) in enumerate(COMMANDS.items()):
            case = Case(number, words, FILES, 120.0)
            whole, seconds = _whole(warm, case)
            for _ in range(n):
                moment = moments.uniform(0.05, 1.0) * seconds
                yield from _killed(warm, name, replace(case, seconds=moment, signal=signal.SIGKILL), whole)


def _whole(warm: WarmCommand, case: Case) -> tuple[dict[str, bytes], float]:
    """Return what a command leaves and prints that nothing happens to, and how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        ending = warm.run_in(Path(folder), replace(case, seconds=120.0, signal=signal.SIGINT))
        assert ending.status in (0, 1), ending.err
        return _left(Path(folder), ending.out), ending.seconds


def _killed(warm: WarmCommand, name: str, case: Case, whole: dict[str, bytes]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        killed = warm.run_in(Path(folder), case)
        if killed.status != -signal.SIGKILL or _files(killed.written) == _files(tuple(whole)):
            return  # it was over already, or all was written
        again = warm.run_in(Path(folder), replace(case, seconds=120.0, signal=signal.SIGINT))
        left = _left(Path(folder), again.out)
        if again.status not in (0, 1) or left != whole:
            others = sorted(path for path in left.keys() | whole.keys() if left.get(path) != whole.get(path))
            told = f"status {again.status}, other: {others}: {again.err[-300:]}"
            yield f"{name} killed after {case.seconds:.2f} s: {told}"


def _files(names: tuple[str, ...]) -> set[str]:
    """Return which of some files are results, as far as there are such."""
    return {name for name in names if name not in FILES and name != "printed"} or {"nothing"}


def _left(folder: Path, printed: str) -> dict[str, bytes]:
    """Return the files beside a command, but for locks, and what it printed."""
    beside = folder / "beside"
    paths = [path for path in beside.rglob("*") if path.is_file() and path.name != ".lock"]
    files = {str(path.relative_to(beside)): path.read_bytes() for path in paths}
    return files | {"printed": NEVER_THE_SAME.sub("... s", printed).encode()}

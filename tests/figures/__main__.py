"""Print the figures of a checkout as a table."""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.figures import trees

HERE = Path(__file__).resolve().parent
ATTACK = ["attack", "warforged", "nexus+assault_rifle", "trooper"]
CPU_RUNS = 9
"""Runs of one attack; their median is told."""
LONGEST = 40
"""Lines that a function may have, without its docstring."""


def passed(root: Path) -> tuple[int, int, bool]:
    """Return the files and functions that one `balance attack` passes, and whether it imports polars."""
    done = _run(root, str(HERE / "traced.py"))
    files, functions, polars = json.loads(done.stderr.splitlines()[-1])
    return files, functions, polars


def cpu_seconds(root: Path, runs: int = CPU_RUNS) -> float:
    """Return the CPU seconds of one `balance attack`, start to end: the median of some runs after a first one."""
    _run(root, "-m", "balance")
    used = []
    for _ in range(runs):
        before = _children()
        _run(root, "-m", "balance")
        used.append(_children() - before)
    return statistics.median(used)


def _run(root: Path, *how: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, *how, *ATTACK]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def figures(root: Path, toy: str) -> Iterator[tuple[str, str]]:
    """Yield what is measured and what was found, those of the source first."""
    code, edadh = trees.modules(root), trees.modules(root, "balance/games/edadh")
    game = trees.Module(root, root / toy)
    lengths = [length for length, _ in trees.function_lengths(code)]
    middle, high = (lengths[int(share * (len(lengths) - 1))] for share in (0.5, 0.9))
    yield "lines of code of balance/", f"{sum(map(trees.code_lines, code)):,}"
    yield "floors of games/edadh (modules)", f"{trees.floors(edadh)} ({len(edadh)})"
    yield "classes to touch for a new kind of chance", str(len(trees.classes_of_a_request(code)))
    yield (
        f"{toy}: names imported, slots filled, lines",
        (f"{len(trees.imports_of(game))}, {len(trees.slots_of(game))}, {len(game.text.splitlines())}"),
    )
    yield (
        "function length p50 / p90 / max (over 40)",
        (f"{middle} / {high} / {lengths[-1]} ({sum(length > LONGEST for length in lengths)})"),
    )
    yield "`Any` among Edadh's types", str(trees.mentions_of_any(edadh))
    yield 'lines with "did you mean"', str(trees.lines_with(code, "did you mean"))
    yield "modules that draw progress", str(sum("from rich.progress import" in module.text for module in code))
    games = [module for module in code if "games" in module.path.parts]
    yield "places where a game gathers faults", str(trees.lines_with(games, "error.faults"))
    files, functions, polars = passed(root)
    yield "files; functions of one attack", f"{files}; {functions}"
    yield "polars imported by it", "yes" if polars else "no"
    yield "CPU seconds of it", f"{cpu_seconds(root):.2f}"


def main() -> None:
    """Print the table, and every function that is too long."""
    parser = argparse.ArgumentParser(prog="tests.figures", description=__doc__)
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help="the checkout to measure")
    parser.add_argument("--toy", default="tests/toy/game.py", help="the toy game's file in it")
    asked = parser.parse_args()
    root = asked.root.resolve()
    for what, found in figures(root, asked.toy):
        print(f"{what:<60} {found}", flush=True)
    for length, where in trees.function_lengths(trees.modules(root)):
        if length > LONGEST:
            print(f"  {length} lines: {where}")


if __name__ == "__main__":
    main()

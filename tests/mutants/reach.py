"""Which tests execute which lines, noted once for a state of the checkout by running every test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.workshop import Workshop

SETTINGS = """[run]
source = {source}
data_file = {notes}/lines
parallel = True
sigterm = True
context = ${{PYTEST_CURRENT_TEST-}}
"""
WHOLE_SUITE = 3600.0
"""Seconds that every test together may take."""


@dataclass(frozen=True)
class Reach:
    """By file and line the tests that execute it, and by test how many seconds it takes; failing tests are left out."""

    lines: dict[str, dict[int, frozenset[str]]]
    seconds: dict[str, float]

    def of(self, file: str, lines: Iterable[int]) -> frozenset[str]:
        """Return the tests that execute one of some lines of a file."""
        found = self.lines.get(file, {})
        return frozenset().union(*(found.get(line, frozenset()) for line in lines)) & self.seconds.keys()

    def of_file(self, file: str) -> frozenset[str]:
        """Return the tests that execute something of a file after it was imported."""
        return self.of(file, self.lines.get(file, {}))


def note(workshop: Workshop, jobs: int) -> None:
    """Run every test in the copy, one folder after the other, and write beside it what executes what."""
    notes = workshop.folder / "notes"
    notes.mkdir(exist_ok=True)
    settings = notes / "settings.ini"
    settings.write_text(SETTINGS.format(source=workshop.checkout / "balance", notes=notes), "utf-8")
    changes = {"MUTANTS_NOTES": str(notes), "COVERAGE_PROCESS_START": str(settings)}
    for part in parts(workshop.checkout):
        workshop.test(["-n", str(jobs), "--dist", "loadfile", *part], WHOLE_SUITE, changes, one_test=WHOLE_SUITE)
    lines = _lines(notes, workshop.checkout)
    (workshop.folder / "reach.json").write_text(json.dumps(lines), "utf-8")


def parts(checkout: Path) -> list[list[str]]:
    """Return the parts in which the suite is run, so that a test that ends its process loses the notes of one alone."""
    tests = checkout / "tests"
    folders = sorted({path.relative_to(tests).parts[0] for path in tests.glob("*/**/test_*.py")})
    single = sorted(f"tests/{path.name}" for path in tests.glob("test_*.py"))
    return [["balance"], single, *([f"tests/{folder}"] for folder in folders)]


def _lines(notes: Path, checkout: Path) -> dict[str, dict[int, list[str]]]:
    from coverage import CoverageData

    lines: dict[str, dict[int, list[str]]] = {}
    for path in notes.glob("lines.*"):
        data = CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            known = lines.setdefault(Path(file).relative_to(checkout).as_posix(), {})
            for line, contexts in data.contexts_by_lineno(file).items():
                known[line] = sorted({*known.get(line, []), *map(_test, contexts)} - {""})
    return lines


def _test(context: str) -> str:
    """Return the test of a context: `id`, or `id (call)`, which is what pytest tells processes that a test starts."""
    return context.split("|")[-1].removesuffix(" (call)").removesuffix(" (setup)").removesuffix(" (teardown)")


def read(folder: Path) -> Reach:
    """Return what was noted, of the tests that pass."""
    files = (folder / "notes").glob("taken*.tsv")
    taken = (row.split("\t") for file in files for row in file.read_text("utf-8").split("\n"))
    rows = [(float(seconds), outcome, test) for seconds, outcome, test in taken]
    failing = {test for _, outcome, test in rows if outcome == "failed"}
    seconds = {test: seconds for seconds, outcome, test in rows if outcome == "passed" and test not in failing}
    noted = json.loads((folder / "reach.json").read_text("utf-8"))
    lines = {file: {int(n): frozenset(tests) for n, tests in by.items()} for file, by in noted.items()}
    return Reach(lines, seconds)

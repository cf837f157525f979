"""A plugin of pytest for the copies in which mutants live: chooses tests, and says which lines each executes.

MUTANTS_CHOSEN is a file of node ids, one a line, in the order to run; without it every test runs.
MUTANTS_NOTES is a folder: with it, every executed line is noted with the test that executes it, and every test's time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from coverage import Coverage

CHOSEN, NOTES = os.environ.get("MUTANTS_CHOSEN"), os.environ.get("MUTANTS_NOTES")
taken: list[str] = []


def _started() -> Coverage | None:
    """Return what notes lines in this process; processes that tests start have the same from coverage itself."""
    if not NOTES:
        return None
    import coverage

    return coverage.Coverage.current()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in the order given."""
    if CHOSEN:
        place = {name: n for n, name in enumerate(Path(CHOSEN).read_text("utf-8").split("\n"))}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Lines that are executed from now on are executed by this test."""
    if notes := _started():
        notes.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep how each test ended and how long it took (the process that collects the reports of all writes them)."""
    if NOTES and (report.when == "call" or not report.passed):
        taken.append(f"{report.duration:.3f}\t{report.outcome}\t{report.nodeid}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write what was kept."""
    if NOTES and taken and not hasattr(config, "workerinput"):
        Path(NOTES, f"taken.{os.getpid()}.tsv").write_text("\n".join(taken), "utf-8")

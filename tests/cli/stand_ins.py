"""A study that takes no time, in place of the real one."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from balance.engine.runner import Engine


@dataclass
class FakeRun:
    folder: Path
    broken_limits: tuple[str, ...] = ()
    summary: dict[str, Any] = field(
        default_factory=lambda: {
            "n_entrants": 9,
            "provenance": {},
            "broken_limits": [],
            "n_duels": 81,
            "off_in_every_setting": {"too dear": 2, "too cheap": 7},
        }
    )


def stand_in_studies(monkeypatch: pytest.MonkeyPatch, broken: tuple[str, ...] = ()) -> list[tuple[object, ...]]:
    """Put stand-ins where studies are run and reports are built; return the list of what they are told."""
    calls: list[tuple[object, ...]] = []

    def run_study(
        study: object, out: Path, engine: Engine, note: Callable[[str], None] | None = None, keep_answers: bool = False
    ) -> FakeRun:
        calls.append(("run", study, out, engine.n_jobs))
        engine.tell("duels", 1, 1)
        return FakeRun(out, broken)

    def report_run(
        run: FakeRun, folder: Path, formats: tuple[str, ...] = ("html", "pdf"), live: str = ""
    ) -> tuple[Path, ...]:
        calls.append(("report", run.folder, folder, formats))
        return tuple(folder / f"report.{name}" for name in formats)

    study, build = ModuleType("balance.study"), ModuleType("balance.reporting.build")
    vars(study).update(
        __path__=importlib.import_module("balance.study").__path__,
        load_study=lambda path: f"study {path}",
        shipped_study=lambda game: f"shipped {game}",
        run_study=run_study,
        load_run=lambda folder: FakeRun(folder, broken),
    )
    vars(build).update(report_run=report_run)
    monkeypatch.setitem(sys.modules, "balance.study", study)
    monkeypatch.setitem(sys.modules, "balance.reporting.build", build)
    return calls

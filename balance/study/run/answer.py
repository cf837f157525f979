"""The answers of `run` and `report`: a study that was run, what it would cost, and the report of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from balance.base.answers import ASKED_FOR, BEHIND, Doc, Form, Opaque
from balance.study.run.folder import Run
from balance.study.run.forecast import Forecast
from balance.study.run.manifest import RunSummary

Limits = Annotated[tuple[str, ...], Doc("Demands that are not met, a sentence each.")]
Summary = Annotated[RunSummary, Doc("The run in a few numbers; what the study did not ask is absent.")]


@dataclass(frozen=True, repr=False)
class FinishedRun:
    """A study was run."""

    schema: Form
    verb: Literal["run"]
    folder: Annotated[str, Doc("Where its results are.")]
    broken_limits: Limits
    summary: Summary
    run: Annotated[Run, Opaque()] = field(metadata=BEHIND)

    @classmethod
    def of(cls, run: Run) -> FinishedRun:
        """Return the answer about a run."""
        return cls(1, "run", str(run.folder), run.broken_limits, _summary_of(run), run)


@dataclass(frozen=True, repr=False)
class WrittenReport:
    """A report was written."""

    schema: Form
    verb: Literal["report"]
    files: Annotated[tuple[str, ...], Doc("The one to read first is the first.")]
    broken_limits: Limits
    summary: Summary
    run: Annotated[Run, Opaque()] = field(metadata=BEHIND)

    @classmethod
    def of(cls, run: Run, files: Sequence[Path]) -> WrittenReport:
        """Return the answer about a run and the files of its report."""
        return cls(1, "report", tuple(map(str, files)), run.broken_limits, _summary_of(run), run)

    def __repr__(self) -> str:
        """Return the names of the first four files."""
        return f"<WrittenReport: {', '.join(Path(file).name for file in self.files[:4])}>"


@dataclass(frozen=True)
class DryRun:
    """What a study would cost."""

    schema: Form
    verb: Literal["run"]
    dry_run: Literal[True]
    forecast: Annotated[
        Forecast | None, Doc("Null where that would run code that is not trusted, which `notes` tells.")
    ]
    workers: Annotated[int, Doc("How many would work on it at once.")]
    notes: tuple[str, ...] | None = field(default=None, metadata=ASKED_FOR)


def _summary_of(run: Run) -> Any:
    """Return the summary, which was checked when the run was read or written."""
    return run.summary

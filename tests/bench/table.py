"""One table of everything measured, printed row by row as text for a terminal or as Markdown, and whole as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from tests.bench.contest import Row
from tests.bench.targets import Verdict

HEAD = ("ratio", "task", "ours", "", "peer", "")
NOTES = (
    "Ratio: how many times as fast (or as small) as the peer we are; above 1 is in our favour.",
    "Exact rows: our laws and tables are built anew in every call; the answer is the law of the column asked for, or",
    "the joint law of all columns where a row says so. How many answers each request for dice has (no weight and no",
    "outcome) is guessed from the last call, and checked. Each library is used in the fastest formulation we found",
    "(symbols as digits of one integer, faces merged first, 40 attacks or rounds at most), and gives only the number",
    "that is compared; one duel is as first written.",
    "Sampled rows: every trial is drawn on its own, from 16 random bits in the compiled lane and die by die in the",
    "literal lane and in every peer; tables are kept between calls. Plain numpy and C run in processes of their own.",
    "Medians of interleaved samples, as many as a few seconds hold, one where a call takes longer; --json counts them.",
)
PACKAGES = ("numpy", "scipy", "icepool", "dyce", "lea", "stochroll")


def machine() -> dict[str, Any]:
    """Return when and on what this was measured."""
    return {
        "date": date.today().isoformat(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _machine_line() -> str:
    facts = machine()
    versions = ", ".join(f"{name} {version}" for name, version in facts["packages"].items() if version)
    return f"{facts['date']}, {facts['processor']}, {facts['cores']} cores, Python {facts['python']}, {versions}."


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "-" if row.ratio is None else f"{row.ratio:.3g}" if row.ratio < 1000 else f"{row.ratio:,.0f}"
    return ratio, row.task, row.ours, _cost(row.our_cost, row.kind), row.peer, _cost(row.peer_cost, row.kind)


def _cost(cost: float | None, kind: str) -> str:
    if cost is None:
        return "-"
    if kind == "rate" and cost > 1e-4:
        return f"{1 / cost:,.3g}/s" if cost > 1e-2 else f"{1 / cost:,.0f}/s"
    if kind == "rate":
        return f"{1e-6 / cost:.3g} M/s"
    return f"{cost:.0f} MB" if kind == "memory" else f"{cost * 1e3:.3g} ms"


class Paper(Protocol):
    """What the table is printed on, from top to bottom."""

    def opening(self) -> str:
        """Return what stands above all rows."""

    def heading(self, task: str) -> str:
        """Return what is printed before a task is measured, with its end of line."""

    def line(self, row: Row) -> str:
        """Return a row."""

    def closing(self, verdicts: Sequence[Verdict]) -> str:
        """Return what stands below: the targets that were measured, and how to read the rows."""


class Text:
    """The table for a terminal: a task, and below it its rows."""

    def __init__(self) -> None:
        self._task = ""

    def opening(self) -> str:
        """Return the machine and the heads of the columns."""
        return f"{_machine_line()}\n\n{_columns('ratio', 'ours', 'peer', 'ours | peer')}"

    def heading(self, task: str) -> str:
        """Return the task, unless its rows are being printed."""
        if task == self._task:
            return ""
        self._task = task
        return f"{task}\n"

    def line(self, row: Row) -> str:
        """Return a row, below its task if that is another one."""
        ratio, task, ours, our_cost, peer, peer_cost = _cells(row)
        return self.heading(task) + _columns(ratio, our_cost, peer_cost, f"{ours} | {peer}")

    def closing(self, verdicts: Sequence[Verdict]) -> str:
        """Return the targets and the notes."""
        targets = [f"{_mark(verdict):8} {verdict.target}: {verdict.found}" for verdict in _judged(verdicts)]
        return "\n".join(["", *targets, _unjudged(verdicts), "", *NOTES])


def _columns(ratio: str, ours: str, peer: str, names: str) -> str:
    return f"{ratio:>9}  {ours:>10}  {peer:>10}  {names}"


class Markdown:
    """The table for documents, with date and machine."""

    def opening(self) -> str:
        """Return the machine and the head of the table."""
        return f"Measured {_machine_line()}\n\n{_in_bars(HEAD)}\n|---:|---|---|---:|---|---:|"

    def heading(self, task: str) -> str:
        """Return nothing: every row names its task."""
        return ""

    def line(self, row: Row) -> str:
        """Return a row."""
        return _in_bars(_cells(row))

    def closing(self, verdicts: Sequence[Verdict]) -> str:
        """Return the notes and the table of targets."""
        targets = [_in_bars((verdict.target, verdict.found, _mark(verdict))) for verdict in _judged(verdicts)]
        table = ["| target | found | |", "|---|---:|---|", *targets]
        return "\n".join(["", *NOTES, "", *table, "", _unjudged(verdicts)])


def _in_bars(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.met is not None]


def _unjudged(verdicts: Sequence[Verdict]) -> str:
    return f"{len(_judged(verdicts))} of {len(verdicts)} targets were measured."


def _mark(verdict: Verdict) -> str:
    return "met" if verdict.met else "NOT MET"


def as_json(rows: Sequence[Row], verdicts: Sequence[Verdict]) -> str:
    """Return everything as one JSON document."""
    named = [asdict(row) | {"ratio": row.ratio} for row in rows]
    found = {"schema": 1, **machine(), "rows": named, "targets": [asdict(verdict) for verdict in verdicts]}
    return json.dumps(found, indent=2) + "\n"

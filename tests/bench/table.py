"""One table of everything measured, as text for a terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

from tests.bench.contest import Row
from tests.bench.targets import Verdict

__all__ = ["as_json", "as_markdown", "as_text", "machine"]

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


def as_text(rows: Sequence[Row], verdicts: Sequence[Verdict]) -> str:
    """Return the table for a terminal, with the targets below it."""
    lines = [HEAD, *map(_cells, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    table = ["  ".join(_pad(cell, place, widths) for place, cell in enumerate(line)).rstrip() for line in lines]
    targets = [f"{_mark(verdict):12} {verdict.target}: {verdict.found}" for verdict in verdicts]
    return "\n".join([*table, "", *targets, "", *NOTES, _machine_line()])


def _pad(cell: str, place: int, widths: Sequence[int]) -> str:
    return cell.rjust(widths[place]) if place in (0, 3, 5) else cell.ljust(widths[place])


def _mark(verdict: Verdict) -> str:
    return {True: "met", False: "NOT MET", None: "not measured"}[verdict.met]


def as_markdown(rows: Sequence[Row], verdicts: Sequence[Verdict]) -> str:
    """Return the table for the README, with date and machine."""
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEAD, *map(_cells, rows))]
    lines.insert(1, "|---:|---|---|---:|---|---:|")
    targets = [f"| {verdict.target} | {verdict.found} | {_mark(verdict)} |" for verdict in verdicts]
    return "\n".join(
        ["Measured " + _machine_line(), "", *lines, "", *NOTES, "", "| target | found | |", "|---|---:|---|", *targets]
    )


def as_json(rows: Sequence[Row], verdicts: Sequence[Verdict]) -> str:
    """Return everything as one JSON document."""
    named = [asdict(row) | {"ratio": row.ratio} for row in rows]
    found = {"schema": 1, **machine(), "rows": named, "targets": [asdict(verdict) for verdict in verdicts]}
    return json.dumps(found, indent=2) + "\n"

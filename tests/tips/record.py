"""Which case reaches each place that builds a tip, as it is written down."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

RECORD = Path(__file__).with_name("reached.csv")


def case_by_site() -> dict[str, str]:
    """Return place -> name of the case that reaches it."""
    if not RECORD.exists():
        return {}
    return {row["place"]: row["case"] for row in csv.DictReader(io.StringIO(RECORD.read_text("utf-8")))}


def written(record: Mapping[str, str]) -> str:
    """Return the record as text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("place", "case"), *record.items()])
    return out.getvalue()

"""The tables of `balance tornado` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.claims.region import Region
from balance.analysis.claims.robustness import Robustness, Span

TEXTS = ("value", "is", "lowest_at", "highest_at")
NUMBERS = ("number", "low", "high")
OF_VALUES = {**dict.fromkeys(TEXTS[:2], pl.String), **dict.fromkeys(NUMBERS, pl.Float64)}
OF_VALUES |= {**dict.fromkeys(TEXTS[2:], pl.String), "flips": pl.Boolean}
OF_MOVES = dict.fromkeys(("value", "from", "to"), pl.String)


def frames_of(robustness: Robustness, region: Region | None) -> Mapping[str, pl.DataFrame]:
    """Return the tables of how far a conclusion stands.

    `values` holds the number as it is and between which ends each value moves it, the widest first; `moves` the fewest
    that flip the conclusion, or come nearest; `region` the number for faces of dice turned across and down, if any can
    be.
    """
    moves = robustness.smallest_flip.moves if robustness.smallest_flip is not None else ()
    frames = {
        "values": pl.DataFrame([_row(span) for span in robustness.spans], schema=OF_VALUES),
        "moves": pl.DataFrame([(move.place.path, move.place.old, move.new) for move in moves], OF_MOVES, orient="row"),
    }
    return frames if region is None else {**frames, "region": _region(region)}


def _row(span: Span) -> dict[str, object]:
    low, high = span.ends
    numbers = (span.base.value.value, low.value, high.value)
    ends = (span.low.new if span.low else span.place.old, span.high.new if span.high else span.place.old)
    texts = dict(zip(TEXTS, (span.place.path, span.place.old, *ends), strict=True))
    return {**texts, **dict(zip(NUMBERS, numbers, strict=True)), "flips": bool(span.flips)}


def _region(region: Region) -> pl.DataFrame:
    rows = [
        {"across": across, "down": down, "number": cell and cell.value.value, "verdict": cell and cell.verdict}
        for down, row in zip(region.down.steps, region.cells, strict=True)
        for across, cell in zip(region.across.steps, row, strict=True)
    ]
    return pl.DataFrame(rows, schema={"across": pl.Int64, "down": pl.Int64, "number": pl.Float64, "verdict": pl.String})

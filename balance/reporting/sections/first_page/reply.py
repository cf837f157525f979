"""The reply to a report's title, the first words of its headline: whether the game is fair, in one of four words."""

from __future__ import annotations

from enum import StrEnum

import polars as pl

from balance.analysis.prices.proposals import UNEVEN
from balance.base.numbers import EVEN_BAND
from balance.reporting.sections.common.words import Pages


class Reply(StrEnum):
    """What is said first."""

    YES = "Yes"
    COSTS_YES = "Costs yes, match-ups no"
    NO = "No"
    UNKNOWN = "Not yet known"


def reply_of(is_off: bool, all_fair: bool, uneven: float | None) -> Reply:
    """Return the reply where nothing but who wins is judged.

    `is_off`: somebody is firmly off. `all_fair`: everybody is firmly fair. `uneven`: how far from one half a typical
    match-up lies, None where that is not known.

    >>> [str(reply_of(*known)) for known in ((False, True, 0.08), (False, True, 0.2), (True, False, None))]
    ['Yes', 'No', 'No']
    >>> str(reply_of(False, False, 0.08)), str(reply_of(False, True, None))
    ('Not yet known', 'Not yet known')
    """
    if is_off or (uneven is not None and uneven > UNEVEN):
        return Reply.NO
    return Reply.YES if all_fair and uneven is not None else Reply.UNKNOWN


def reply_of_duels(pages: Pages) -> Reply:
    """Return the reply of duels of all against all: of a game in which costs differ it takes armies, so not yet known.

    Duels carry no interval, or a far smaller one than the band.
    """
    if pages.has_prices:
        return Reply.UNKNOWN
    low, high = EVEN_BAND
    is_fair = bool(pages.run.table("prices")["score"].is_between(low, high).all())
    return reply_of(not is_fair, is_fair, unevenness(pages))


def unevenness(pages: Pages) -> float | None:
    """Return the root mean square distance from one half of all match-ups of two that differ; None without any."""
    matrix = pages.table("matrix")
    if matrix is None or matrix.height < 2:
        return None
    scores = matrix.unpivot(index=matrix.columns[0]).filter(pl.col(matrix.columns[0]) != pl.col("variable"))["value"]
    return float(((scores - 0.5) ** 2).mean() ** 0.5)  # type: ignore[operator]  # a column of floats

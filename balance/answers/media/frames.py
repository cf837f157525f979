"""Tables of an answer as polars frames."""

from __future__ import annotations

from typing import TypeVar

import polars as pl

from balance.analysis import records as analysis_records
from balance.answers.form import AnswerWords, Records

T = TypeVar("T")


def frame_of(records: Records | pl.DataFrame) -> pl.DataFrame:
    """Return a table of an answer; null where a record has None, or a number that is not finite."""
    if isinstance(records, pl.DataFrame):
        return records
    return analysis_records.frame_of(records.kind, records.rows, records.key)


def frames_of_answer(words: AnswerWords[T], value: T) -> dict[str, pl.DataFrame]:
    """Return the tables of an answer by name, the one that matters most first."""
    return {name: frame_of(records) for name, records in words.tables(value).items()}

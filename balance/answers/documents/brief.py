"""The object of `--brief`, of whatever verb."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from balance.base.answers import Count


class BriefTable(TypedDict):
    """A table of an answer, or its first rows.

    Attributes
    ----------
    name, columns
        What it is called, and its columns; the ends of 95 % intervals are columns such as low and high.
    rows
        Of each row its cells in the order of the columns; numbers have six digits, null is not measurable. Where there
        is no room for all, those come first of which a verdict says that they are off.
    n_rows
        How many rows it has in all.
    """

    name: str
    columns: list[str]
    rows: list[list[Any]]
    n_rows: Count


class Brief(TypedDict):
    """The answer in short, as `--brief` prints it: at most 10,000 bytes.

    Attributes
    ----------
    verb
        The verb, or the kind of question.
    game, kind, file
        What was asked about.
    seed, rules_version, catalogue_sha256, sha256
        Where the answer comes from: its seed, and the digests of what was read.
    sentence
        The answer in one sentence.
    tables
        The tables that matter most, in this order.
    left_out
        Tables for which there was no room: `--json` has them.
    cannot_see
        What the answer leaves out, a sentence each: no conclusion should rest on it.
    notes
        What the reader should know of an answer that is sound.
    """

    schema: Literal[1]
    verb: str
    form: Literal["brief"]
    game: NotRequired[str]
    file: NotRequired[str]
    kind: NotRequired[str]
    seed: NotRequired[int]
    rules_version: NotRequired[str]
    catalogue_sha256: NotRequired[str | list[str]]
    sha256: NotRequired[str]
    sentence: str
    tables: list[BriefTable]
    left_out: list[str]
    cannot_see: list[str]
    notes: list[str]

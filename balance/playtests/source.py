"""Where games come from, as an answer tells it: the file, what its columns hold, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from balance.base.answers import Count, Doc


@dataclass(frozen=True)
class LogSource:
    """The log that games come from, and how it was read; without values, games that stand in no log."""

    file: Annotated[str, Doc("Its name.")] = ""
    sha256: Annotated[str, Doc("The digest of its bytes.")] = ""
    shape: Annotated[str, Doc("How rows make games.")] = "one row per game"
    n_rows: Annotated[Count, Doc("Rows that were read, without the header.")] = 0
    n_games: Annotated[float, Doc("Games that the rows stand for.")] = 0.0
    n_sessions: Annotated[Count, Doc("Evenings that it tells apart.")] = 0
    columns: Annotated[Mapping[str, str], Doc("What a column holds -> its header, of each that was used.")] = field(
        default_factory=dict
    )
    assumptions: Annotated[
        tuple[str, ...], Doc("What the log leaves open and how it was taken, a sentence each; first, who went first.")
    ] = ()
    notes: Annotated[tuple[str, ...], Doc("What to look at, a sentence each.")] = ()

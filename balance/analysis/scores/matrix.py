"""A field as a matrix: what every row makes of every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from balance.game.loaded import LoadedGame

SCORE = "score"
"""What is measured where nobody names a column of the question."""


@dataclass(frozen=True, repr=False)
class MatchUps:
    """What every row of a field makes of every column.

    `game` and `kind`: the game with its catalogue, and the kind of question that was asked. `measure`: "score", a draw
    counting half, or the column of which this is the mean. `table`: `one`, `other`, the measure, and the ends `low` and
    `high` of its 95 % interval; null where the rules forbid it.
    """

    game: LoadedGame
    kind: str
    measure: str
    table: pl.DataFrame

    @property
    def exact(self) -> bool:
        """Whether no number has an error."""
        return bool((self.table["low"] == self.table["high"]).all())

    @property
    def matrix(self) -> pl.DataFrame:
        """One row for each of the first sides, one column for each of the second."""
        opponents = list(dict.fromkeys(self.table["other"]))
        wide = self.table.pivot("other", index="one", values=self.measure)
        return wide.select("one", *opponents)

    def __repr__(self) -> str:
        """Return it in short."""
        rows, columns = self.table["one"].n_unique(), self.table["other"].n_unique()
        return f"<match-ups of {self.game.definition.name}: {rows} x {columns}, {self.measure} in {self.kind}>"

"""A field as a matrix: what every row makes of every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from balance.base.answers import Digest, Doc, Form, GameName, RulesVersion

SCORE = "score"
"""What is measured where nobody names a column of the question."""


@dataclass(frozen=True)
class MatchUp:
    """What one makes of another; null where the rules forbid that they meet."""

    one: str
    other: str
    mean: Annotated[float | None, Doc("The score or the mean of what is measured.")] = None
    low: Annotated[float | None, Doc("The lower end of its 95 % interval, which is the mean where it is exact.")] = None
    high: Annotated[float | None, Doc("Its upper end.")] = None


@dataclass(frozen=True, repr=False)
class MatchUps:
    """What every row of a field makes of every column."""

    schema: Form
    game: GameName
    verb: Literal["matchups"]
    kind: Annotated[str, Doc("What was asked.")]
    measure: Annotated[str, Doc('"score", a draw counting half, or the column of which this is the mean.')]
    matchups: tuple[MatchUp, ...]
    rules_version: RulesVersion
    catalogue_sha256: Digest

    @property
    def exact(self) -> bool:
        """Whether no number has an error."""
        return all(pair.low == pair.high for pair in self.matchups)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The second sides, in order."""
        return tuple(dict.fromkeys(pair.other for pair in self.matchups))

    @property
    def matrix(self) -> dict[str, list[float | None]]:
        """The means of each of the first sides, in the order of the second."""
        matrix = dict[str, list[float | None]]()
        for pair in self.matchups:
            matrix.setdefault(pair.one, []).append(pair.mean)
        return matrix

    def __repr__(self) -> str:
        """Return it in short."""
        size = f"{len(self.matrix)} x {len(self.opponents)}"
        return f"<match-ups of {self.game}: {size}, {self.measure} in {self.kind}>"

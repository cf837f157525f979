"""Parts that depend on a result: conditions, choices, look-up tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from balance.chance.dice.tree.faces import Faces
from balance.chance.dice.tree.totals import Comparison, Contest, bracket_if, closed

if TYPE_CHECKING:
    from balance.chance.dice.tree.nodes import Node


@dataclass(frozen=True)
class Logic:
    """1 where all of some parts hold (`and`), or any of them does (`or`), else 0; a part holds where it is not 0."""

    word: str
    parts: tuple[Node, ...]

    def __str__(self) -> str:
        return f"({f' {self.word} '.join(bracket_if(part, Contest) for part in self.parts)})"


@dataclass(frozen=True)
class Not:
    """1 where a part is 0, else 0."""

    of: Node

    def __str__(self) -> str:
        return f"(not {bracket_if(self.of, Contest, Comparison)})"


@dataclass(frozen=True)
class If:
    """The part `then` where a condition is not 0, else `otherwise`."""

    condition: Node
    then: Node
    otherwise: Node

    def __str__(self) -> str:
        return f"if({self.condition}, {bracket_if(self.then, Contest)}, {bracket_if(self.otherwise, Contest)})"


@dataclass(frozen=True)
class Gives:
    """A choice by the value of a total: the first branch whose faces include it; faces None match any value."""

    of: Node
    branches: tuple[tuple[Faces | None, Node], ...]

    def __str__(self) -> str:
        texts = [f"{'else' if faces is None else faces}: {node}" for faces, node in self.branches]
        return f"({closed(self.of, Comparison, Contest)} gives ({'; '.join(texts)}))"

    def branch(self, value: int) -> Node:
        """Return the branch for a value of the total."""
        return next(node for faces, node in self.branches if faces is None or faces.has(value))


class Chart(Protocol):
    """A look-up table, by one place or by a row and a column."""

    @property
    def n_places(self) -> int:
        """Number of coordinates: 1, or 2 for rows and columns."""
        ...

    def at(self, *places: int) -> int:
        """Return the number at a place, or at a row and a column; raise UsageError for a place that it lacks."""
        ...


@dataclass(frozen=True)
class LookUp:
    """The value of a look-up table at places that may themselves be rolled."""

    name: str
    chart: Chart
    places: tuple[Node, ...]

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(bracket_if(place, Contest) for place in self.places)}]"

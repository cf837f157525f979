"""Parts made of totals and of symbols: sums, comparisons, losses; and when a part needs brackets inside another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.chance.dice.tree.dice import KeptDice, Mix, Pairs, Pool
from balance.chance.dice.tree.faces import Faces

if TYPE_CHECKING:
    from balance.chance.dice.tree.nodes import Node


@dataclass(frozen=True)
class Number:
    """A whole number; its value may be a `NamedNumber`."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class NamedNumber(int):
    """A trial value for a name; it prints as the name in all that is said of an expression.

    >>> f"{NamedNumber(5, 'me.dice')}d6"
    'me.diced6'
    """

    text: str

    def __new__(cls, value: int, text: str) -> NamedNumber:
        """Make an int that prints as `text`."""
        number = super().__new__(cls, value)
        number.text = text
        return number

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Name:
    """A number known by name, in parts without dice that are evaluated for many values at once."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Sum:
    """Terms that are added, each with a sign 1 or -1."""

    terms: tuple[tuple[int, Node], ...]

    def __str__(self) -> str:
        texts = [closed(term, Sum, Comparison, Contest) for _, term in self.terms[:-1]]
        texts.append(bracket_if(self.terms[-1][1], Sum, Comparison, Contest))
        signs = ["-" if sign < 0 else "+" for sign, _ in self.terms]
        return f"{signs[0]}{texts[0]}".removeprefix("+") + "".join(
            f" {sign} {text}" for sign, text in zip(signs[1:], texts[1:], strict=True)
        )


@dataclass(frozen=True)
class Absolute:
    """The absolute value of a total."""

    of: Node

    def __str__(self) -> str:
        return f"abs({self.of})"


@dataclass(frozen=True)
class Product:
    """The product of independent factors."""

    factors: tuple[Node, ...]

    def __str__(self) -> str:
        kinds = (Sum, Product, Quotient, Comparison, Contest)
        texts = [closed(factor, *kinds) for factor in self.factors[:-1]]
        return " * ".join([*texts, bracket_if(self.factors[-1], *kinds)])


@dataclass(frozen=True)
class Quotient:
    """A total divided by a whole number above 0, rounded down, up, or off: to the nearest, halves up."""

    over: Node
    by: int
    rounded: str = "down"

    def __str__(self) -> str:
        over_text = closed(self.over, Sum, Product, Quotient, Comparison, Contest)
        divided = "//" if self.rounded == "down" else "/"
        return f"{over_text} {divided} {self.by}{'' if self.rounded == 'down' else f' rounded {self.rounded}'}"

    def of(self, value: Any) -> Any:
        """Return the rounded quotient of a total, or of each of an array of totals.

        >>> [Quotient(Number(0), 2, "off").of(value) for value in (-3, 3, 4)]
        [-1, 2, 2]
        """
        if self.rounded == "off":
            return (2 * value + self.by) // (2 * self.by)
        return -(-value // self.by) if self.rounded == "up" else value // self.by


@dataclass(frozen=True)
class Best:
    """The sum of the `n_totals` highest or lowest of independent totals."""

    highest: bool
    n_totals: int
    parts: tuple[Node, ...]

    def __str__(self) -> str:
        inner = ", ".join(closed(part, Contest) for part in self.parts)
        if self.n_totals == 1:
            return f"{'max' if self.highest else 'min'}({inner})"
        return f"{'highest' if self.highest else 'lowest'} {self.n_totals} of ({inner})"


@dataclass(frozen=True)
class Span:
    """A range of whole numbers, both ends included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Comparison:
    """1 where two independent totals compare so, or a total lies in a span, else 0.

    `apart`: the first is written in brackets, since without them it might be read as a count of dice.
    """

    first: Node
    sign: str
    second: Node | Span
    apart: bool = False

    def __str__(self) -> str:
        left_text = bracket_if(self.first, Comparison, Contest)
        apart = self.apart or left_text.endswith("!")  # which would take the sign of the comparison for its own
        if isinstance(self.second, Span):
            right_text = str(self.second)
        else:
            minus = self.sign in ("=", "!=") and isinstance(self.second, Sum)  # which would be a range
            right_text = f"({self.second})" if minus else bracket_if(self.second, Comparison, Contest)
        return f"{f'({left_text})' if apart else left_text} {self.sign} {right_text}"


@dataclass(frozen=True)
class Contest:
    """Two independent totals against each other; the higher wins, and the margin is first less second."""

    first: Node
    second: Node

    def __str__(self) -> str:
        return f"{bracket_if(self.first, Contest)} vs {bracket_if(self.second, Contest)}"


@dataclass(frozen=True)
class Less:
    """Symbols after each of `second` cancels one of the same kind, down to 0."""

    first: Node
    second: Node

    def __str__(self) -> str:
        return f"({self.first} less {self.second})"


@dataclass(frozen=True)
class Shown:
    """The number of these symbols that a sum of symbols shows."""

    of: Node
    faces: Faces

    def __str__(self) -> str:
        return f"{bracket_if(self.of, Sum)} count every {self.faces}"


@dataclass(frozen=True)
class WoundsLeft:
    """Wounds left after hits, each of which takes its damage from one figure, wounded ones first.

    A hit takes no more than that figure has. `figure`: the wounds of one figure; None makes all wounds one pool.
    """

    wounds: Node
    hits: Node
    damage: Node
    figure: Node | None = None

    def __str__(self) -> str:
        wounds, hits, damage = (_plain(part) for part in (self.wounds, self.hits, self.damage))
        figures = "" if self.figure is None else f" on figures of {_plain(self.figure)}"
        return f"({wounds} after {hits} hits of {damage}{figures})"


def bracket_if(node: Node, *kinds: type) -> str:
    """Return the text of a part, in brackets if it is of one of these kinds."""
    return f"({node})" if isinstance(node, kinds) else str(node)


def closed(node: Node, *kinds: type) -> str:
    """Return the text of a part before a comma or the like, in brackets also if its end would read on as a face."""
    return f"({node})" if isinstance(node, kinds) or _ends_in_faces(node) else str(node)


def _plain(node: Node) -> str:
    return str(node) if isinstance(node, Number | Pool) else f"({node})"


def _ends_in_faces(node: Node) -> bool:
    if isinstance(node, Pool):
        exploding = node.explosion is not None and node.explosion.faces is not None and node.explosion.max_times is None
        ended = node.picks or node.each is not None
        return node.count is not None or (not ended and (node.reroll is not None or exploding))
    if isinstance(node, Mix):
        return node.count is not None
    if isinstance(node, KeptDice):
        ended = node.each is not None
        return node.count is not None or (not ended and (node.reroll is not None or node.explosion is not None))
    if isinstance(node, Pairs):
        return _ends_in_faces(node.second)
    if isinstance(node, Shown):
        return True
    if isinstance(node, Comparison):
        return isinstance(node.second, Span) or _ends_in_faces(node.second)
    if isinstance(node, Sum):
        return _ends_in_faces(node.terms[-1][1])
    return isinstance(node, Product) and _ends_in_faces(node.factors[-1])

"""The parts of an expression, as they were read; each part tells itself in one way of writing, which reads the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "SHIFT",
    "Best",
    "Comparison",
    "Contest",
    "Count",
    "Die",
    "Explosion",
    "Faces",
    "Node",
    "Number",
    "Pick",
    "Pool",
    "Product",
    "Quotient",
    "Reroll",
    "Sum",
    "grouped",
    "symbols_of",
]

SHIFT = 32
"""Bits of the one number that a face with symbols is: so many for each kind of symbol, how often it is shown."""


@dataclass(frozen=True)
class Faces:
    """Some faces of a die: between ends, each included and None where there is none, or showing any of some symbols.

    >>> Faces(">=5", ((5, None),)).has(6)
    True
    """

    text: str
    spans: tuple[tuple[int | None, int | None], ...] = ()
    symbols: tuple[int, ...] = ()
    blank: bool = False

    def has(self, value: int) -> bool:
        """Whether a face is one of them."""
        if self.symbols or self.blank:
            return (self.blank and value == 0) or any(
                value >> SHIFT * place & (1 << SHIFT) - 1 for place in self.symbols
            )
        return any((low is None or value >= low) and (high is None or value <= high) for low, high in self.spans)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Die:
    """A die: its faces and their weights, or `inner`, whose total is what it shows; `symbolic` if it shows symbols."""

    text: str
    faces: tuple[tuple[int, int], ...] = ()
    inner: Node | None = None
    symbolic: bool = False

    def __str__(self) -> str:
        return self.text if self.inner is None else f"d({self.inner})"


@dataclass(frozen=True)
class Reroll:
    """Faces that are rolled once more, or until another face comes up."""

    faces: Faces
    always: bool = False

    def __str__(self) -> str:
        return f"reroll {'always ' if self.always else ''}{self.faces}"


@dataclass(frozen=True)
class Explosion:
    """Faces after which a die is rolled again and the roll added, `most` times at most (None: without end).

    `together`: what a die shows is the sum of its rolls, also where faces are counted.
    """

    faces: Faces | None
    together: bool = False
    most: int | None = None

    def __str__(self) -> str:
        times = "" if self.most is None else " once" if self.most == 1 else f" at most {self.most}"
        faces = "" if self.faces is None else f"{self.faces}"
        apart = " " if faces.startswith("!") else ""  # as !!=1 would be !! and =1
        return f"{'!!' if self.together else '!'}{apart}{faces}{times}"


@dataclass(frozen=True)
class Pick:
    """Which dice of a pool stay: keep or drop so many of the highest or lowest."""

    keep: bool
    highest: bool
    many: int

    def __str__(self) -> str:
        side = "" if self.keep == self.highest else "highest " if self.highest else "lowest "
        return f"{'keep' if self.keep else 'drop'} {side}{self.many}"

    def within(self, first: int, last: int) -> tuple[int, int]:
        """Return the places, counted from the highest die, that stay of those from `first` to before `last`."""
        many = min(self.many, last - first)
        if self.keep == self.highest:
            return (first, first + many) if self.keep else (first, last - many)
        return (last - many, last) if self.keep else (first + many, last)


@dataclass(frozen=True)
class Count:
    """What a die counts: 1 for some faces, 2 for others, one less for others again."""

    faces: Faces
    double: Faces | None = None
    cancel: Faces | None = None

    def __str__(self) -> str:
        twice = "" if self.double is None else " twice" if self.double == self.faces else f" double {self.double}"
        return f"count {self.faces}{twice}{f' cancel {self.cancel}' if self.cancel else ''}"

    def of(self, value: int) -> int:
        """Return what a face counts."""
        many = 2 if self.double is not None and self.double.has(value) else int(self.faces.has(value))
        return many - int(self.cancel is not None and self.cancel.has(value))


@dataclass(frozen=True)
class Pool:
    """Equal dice, what is done with each, which of them stay, and what is counted; else their faces are added."""

    many: int | Node
    die: Die
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    picks: tuple[Pick, ...] = ()
    count: Count | None = None

    def __str__(self) -> str:
        tight = f"{self.explosion or ''}"
        words = [part for part in (self.reroll, *self.picks, self.count) if part is not None]
        many = self.many if isinstance(self.many, int) else f"({self.many})"
        return " ".join([f"{many}{self.die}{tight}", *map(str, words)])


@dataclass(frozen=True)
class Number:
    """A whole number."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Sum:
    """Terms that are added, each with a sign 1 or -1."""

    terms: tuple[tuple[int, Node], ...]

    def __str__(self) -> str:
        texts = [_closed(term, Sum, Comparison, Contest) for _, term in self.terms[:-1]]
        texts.append(grouped(self.terms[-1][1], Sum, Comparison, Contest))
        signs = ["-" if sign < 0 else "+" for sign, _ in self.terms]
        return f"{signs[0]}{texts[0]}".removeprefix("+") + "".join(
            f" {sign} {text}" for sign, text in zip(signs[1:], texts[1:], strict=True)
        )


@dataclass(frozen=True)
class Product:
    """Independent factors."""

    factors: tuple[Node, ...]

    def __str__(self) -> str:
        kinds = (Sum, Product, Quotient, Comparison, Contest)
        texts = [_closed(factor, *kinds) for factor in self.factors[:-1]]
        return " * ".join([*texts, grouped(self.factors[-1], *kinds)])


@dataclass(frozen=True)
class Quotient:
    """A total divided by a whole number above 0, rounded down."""

    over: Node
    by: int

    def __str__(self) -> str:
        return f"{_closed(self.over, Sum, Product, Quotient, Comparison, Contest)} // {self.by}"


@dataclass(frozen=True)
class Best:
    """The sum of the `many` highest or lowest of several independent totals."""

    highest: bool
    many: int
    parts: tuple[Node, ...]

    def __str__(self) -> str:
        inner = ", ".join(_closed(part, Contest) for part in self.parts)
        if self.many == 1:
            return f"{'max' if self.highest else 'min'}({inner})"
        return f"{'highest' if self.highest else 'lowest'} {self.many} of ({inner})"


@dataclass(frozen=True)
class Comparison:
    """1 where two independent totals compare so, else 0."""

    one: Node
    sign: str
    other: Node

    def __str__(self) -> str:
        one = grouped(self.one, Comparison, Contest)
        one = f"({one})" if one.endswith("!") else one  # which would take the sign of the comparison for its own
        return f"{one} {self.sign} {grouped(self.other, Comparison, Contest)}"


@dataclass(frozen=True)
class Contest:
    """Two independent totals against each other: the higher wins."""

    one: Node
    other: Node

    def __str__(self) -> str:
        return f"{grouped(self.one, Contest)} vs {grouped(self.other, Contest)}"


Node: TypeAlias = "Number | Pool | Sum | Product | Quotient | Best | Comparison | Contest"


def grouped(node: Node, *kinds: type) -> str:
    """Return a part as text, in brackets if it is one of these kinds."""
    return f"({node})" if isinstance(node, kinds) else str(node)


def _closed(node: Node, *kinds: type) -> str:
    """Return a part that something follows: in brackets too where its end would take that for one face more."""
    return f"({node})" if isinstance(node, kinds) or _ends_in_faces(node) else str(node)


def _ends_in_faces(node: Node) -> bool:
    if isinstance(node, Pool):
        exploding = node.explosion is not None and node.explosion.faces is not None and node.explosion.most is None
        return node.count is not None or (not node.picks and (node.reroll is not None or exploding))
    if isinstance(node, Comparison):
        return _ends_in_faces(node.other)
    if isinstance(node, Sum):
        return _ends_in_faces(node.terms[-1][1])
    return isinstance(node, Product) and _ends_in_faces(node.factors[-1])


def symbols_of(value: int, many: int) -> tuple[int, ...]:
    """Return how often each of `many` kinds of symbols is shown by a face that is one number.

    >>> symbols_of(1 + (2 << 32), 2)
    (1, 2)
    """
    return tuple(value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(many))

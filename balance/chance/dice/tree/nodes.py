"""All kinds of parts of an expression: dice, totals, and what depends on a result.

They stand in one module since any of them may be a part of any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

from balance.chance.dice.tree.faces import Count, Each, Explosion, Faces, Pick, Reroll
from balance.chance.dice.tree.functions import FUNCTIONS, Function

Node: TypeAlias = (
    "Number | Pool | Mix | KeptDice | Against | Pattern"
    "| Sum | Applied | Product | Quotient | Best | Comparison | Contest"
    "| Logic | Not | If | Gives | LookUp | Pairs | Less | Shown | WoundsLeft | Name"
)


# -- dice that are rolled together, and what they show ----------------------------------------------------------------


@dataclass(frozen=True)
class Die:
    """A die: (value, weight) of its faces, or `inner`, whose total it shows; a `symbolic` value packs symbols."""

    text: str
    faces: tuple[tuple[int, int], ...] = ()
    inner: Node | None = None
    symbolic: bool = False

    def __str__(self) -> str:
        return self.text if self.inner is None else f"d({self.inner})"


@dataclass(frozen=True)
class Pool:
    """Equal dice: what is done with each, which are kept, and what is counted; without a count, faces are added.

    `drawn`: cards drawn without replacement. `of`: the name of the result whose dice they are; dice of one name are the
    same dice.
    """

    n_dice: int | Node
    die: Die
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    each: Each | None = None
    drawn: bool = False
    of: str = ""

    @property
    def are_alike(self) -> bool:
        """Whether dice are independent and identically distributed: no cards, no re-roll limited to some dice."""
        return not self.drawn and (self.reroll is None or self.reroll.max_dice is None)

    @property
    def adds_rolls(self) -> bool:
        """Whether every roll of an exploding die adds what it counts, so that the sum of its rolls does not matter."""
        explosion = self.explosion
        summed = self.picks or self.each is not None
        return explosion is not None and not summed and not (explosion.together and self.count is not None)

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode and every roll is counted by itself."""
        return self.count is not None and self.adds_rolls

    def __str__(self) -> str:
        tight = f"{self.explosion or ''}"
        n_text = self.n_dice if isinstance(self.n_dice, int) else f"({self.n_dice})"
        dice_text = f"{n_text} from {self.die.text[1:]}" if self.drawn else f"{n_text}{self.die}{tight}"
        return _joined_text(dice_text, self.reroll, self.each, *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the first kept place and the place after the last, 0 for the highest die."""
        return places_of(self.n_dice, self.picks) if isinstance(self.n_dice, int) else (0, 0)


@dataclass(frozen=True)
class Mix:
    """Dice of several kinds side by side, which of all of them are kept, and what is counted; else they are added.

    `of`: as in a pool.
    """

    parts: tuple[Pool, ...]
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    of: str = ""

    @property
    def counts_rolls(self) -> bool:
        """Whether dice explode and every roll is counted by itself."""
        return not self.picks and any(replace(pool, count=self.count).counts_rolls for pool in self.parts)

    def __str__(self) -> str:
        return _joined_text(f"({', '.join(map(str, self.parts))})", *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the first kept place among all dice and the place after the last, 0 for the highest die."""
        return places_of(sum(pool.n_dice for pool in self.parts if isinstance(pool.n_dice, int)), self.picks)


@dataclass(frozen=True)
class KeptDice:
    """The kept dice of a pool, with what is done to them afterwards: re-rolled, exploded, clipped, counted."""

    pool: Pool
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    count: Count | None = None
    each: Each | None = None

    @property
    def as_pool(self) -> Pool:
        """The same as one pool, where nothing is re-rolled or explodes after keeping."""
        each = self.each if self.pool.each is None else self.pool.each.then(self.each)
        return replace(self.pool, count=self.count, each=each)

    def __str__(self) -> str:
        return _joined_text(f"({self.pool}){self.explosion or ''}", self.reroll, self.each, self.count)


@dataclass(frozen=True)
class Against:
    """The number of dice that compare so with a limit, which is rolled once for all of them."""

    dice: Pool | Mix | KeptDice
    sign: str
    limit: Node

    def __str__(self) -> str:
        return f"{self.dice} count {self.sign} ({self.limit})"


@dataclass(frozen=True)
class Pattern:
    """A result of dice together: `kind` is largest set, longest run, different or sets of.

    It is the size of the largest set of equal dice, the number of consecutive values in the longest run, the number of
    different values, or the number of sets of `size` equal dice.
    """

    dice: Pool | Mix
    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.dice} {self.kind}{f' {self.size}' if self.size else ''}"

    def add(self, told: int, n_dice: int, run: int) -> int:
        """Return the result after one more value, as values are visited in falling order.

        `told` is the result so far; `n_dice` dice show the value, with which a run of so many consecutive values ends.
        """
        match self.kind:
            case "different":
                return told + (n_dice > 0)
            case "sets of":
                return told + n_dice // self.size
            case "longest run":
                return max(told, run)
        return max(told, n_dice)


@dataclass(frozen=True)
class Pairs:
    """The number of pairs that satisfy a comparison, the dice of both sides sorted downwards and matched in order."""

    first: Pool | Mix
    sign: str
    second: Pool | Mix

    def __str__(self) -> str:
        return f"{self.first} pairs {self.sign} {self.second}"

    @property
    def signs(self) -> tuple[bool, bool, bool]:
        """Whether a pair counts if the first die is higher, equal, lower."""
        return (
            ">" in self.sign or self.sign == "!=",
            self.sign in (">=", "<=", "="),
            "<" in self.sign or self.sign == "!=",
        )


# -- what is made of totals and of symbols ----------------------------------------------------------------------------


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
class Applied:
    """A function of a total, by its name in `FUNCTIONS`."""

    name: str
    of: Node

    @property
    def function(self) -> Function:
        """What it does with the total."""
        return FUNCTIONS[self.name]

    def __str__(self) -> str:
        return f"{self.name}({self.of})"


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


# -- what depends on a result -----------------------------------------------------------------------------------------


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


# -- which dice stay, and how a part is told within another -----------------------------------------------------------


def places_of(n_dice: int, picks: tuple[Pick, ...]) -> tuple[int, int]:
    """Return the first kept place of n dice, 0 for the highest, and the place after the last.

    Each pick applies to the dice that those before it left.
    """
    first, last = 0, n_dice
    for pick in picks:
        first, last = pick.within(first, last)
    return first, last


def _joined_text(dice: str, *parts: object) -> str:
    return " ".join([dice, *(str(part) for part in parts if part is not None)])


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

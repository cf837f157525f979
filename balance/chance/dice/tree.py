"""The parts of an expression, as they were read; each part tells itself in one way of writing, which reads the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

SHIFT = 32
"""Bits of the one number that a face with symbols is: so many for each kind of symbol, how often it is shown."""
PASS = 2**31
"""What a die that skips the next roll counts, in a count of both: so many times what it counts."""


@dataclass(frozen=True)
class Faces:
    """Some faces of a die: between ends, each included and None where there is none, or showing any of some symbols.

    `failing`: all the other faces.

    >>> Faces(">=5", ((5, None),)).has(6)
    True
    """

    text: str
    spans: tuple[tuple[int | None, int | None], ...] = ()
    symbols: tuple[int, ...] = ()
    blank: bool = False
    failing: bool = False

    def has(self, value: int) -> bool:
        """Whether a face is one of them."""
        return self._lists(value) != self.failing

    def _lists(self, value: int) -> bool:
        if self.symbols or self.blank:
            return (self.blank and value == 0) or any(
                value >> SHIFT * place & (1 << SHIFT) - 1 for place in self.symbols
            )
        return any((low is None or value >= low) and (high is None or value <= high) for low, high in self.spans)

    def __str__(self) -> str:
        return f"failing {self.text}" if self.failing else self.text


def faces_that(sign: str, value: int) -> Faces:
    """Return the faces that compare so with a number.

    Parameters
    ----------
    sign
        The sign, such as `>=`.
    value
        The number.

    >>> str(faces_that(">", 4)), faces_that(">", 4).spans
    ('>4', ((5, None),))
    """
    spans: dict[str, tuple[tuple[int | None, int | None], ...]] = {
        ">=": ((value, None),),
        ">": ((value + 1, None),),
        "<=": ((None, value),),
        "<": ((None, value - 1),),
        "=": ((value, value),),
        "!=": ((None, value - 1), (value + 1, None)),
    }
    return Faces(f"{value}" if sign == "=" else f"{sign}{value}", spans[sign])


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
    """Faces that are rolled once more, or until another face comes up.

    `max_dice`: of so many dice of a pool at most, the lowest first; their extra rolls stand.
    """

    faces: Faces
    always: bool = False
    max_dice: int | None = None

    def __str__(self) -> str:
        at_most = "" if self.max_dice is None else f"up to {self.max_dice} of "
        return f"reroll {'always ' if self.always else ''}{at_most}{self.faces}"


@dataclass(frozen=True)
class Each:
    """The least and the highest that a die counts as, whatever it shows with all its rolls; None for no end."""

    least: int | None = None
    highest: int | None = None

    def of(self, value: int) -> int:
        """Return what a die counts as that shows a value."""
        raised = value if self.least is None else max(value, self.least)
        return raised if self.highest is None else min(raised, self.highest)

    def then(self, later: Each | None) -> Each:
        """Return both, one after the other.

        Parameters
        ----------
        later
            What is done afterwards; None for nothing.
        """
        if later is None:
            return self
        least = later.least if self.least is None else later.of(self.least)
        return Each(least, later.highest if self.highest is None else later.of(self.highest))

    def __str__(self) -> str:
        ends = {"least": self.least, "most": self.highest}
        return " ".join(f"each at {word} {end}" for word, end in ends.items() if end is not None)


@dataclass(frozen=True)
class Explosion:
    """Faces after which a die is rolled again and the roll added, `max_times` times at most (None: without end).

    `together`: what a die shows is the sum of its rolls, also where faces are counted.
    """

    faces: Faces | None
    together: bool = False
    max_times: int | None = None

    def __str__(self) -> str:
        times = "" if self.max_times is None else " once" if self.max_times == 1 else f" at most {self.max_times}"
        faces = "" if self.faces is None else f"{self.faces}"
        apart = " " if faces.startswith(("!", "failing")) else ""  # as !!=1 would be !! and =1
        return f"{'!!' if self.together else '!'}{apart}{faces}{times}"


@dataclass(frozen=True)
class Pick:
    """Which dice of a pool stay: keep or drop so many of the highest or lowest."""

    keep: bool
    highest: bool
    n_dice: int

    def __str__(self) -> str:
        side = "" if self.keep == self.highest else "highest " if self.highest else "lowest "
        return f"{'keep' if self.keep else 'drop'} {side}{self.n_dice}"

    def within(self, first: int, last: int) -> tuple[int, int]:
        """Return the places, counted from the highest die, that stay of those from `first` to before `last`.

        Parameters
        ----------
        first
            First place, 0 for the highest die.
        last
            Place after the last.
        """
        n_dice = min(self.n_dice, last - first)
        if self.keep == self.highest:
            return (first, first + n_dice) if self.keep else (first, last - n_dice)
        return (last - n_dice, last) if self.keep else (first + n_dice, last)


@dataclass(frozen=True)
class Count:
    """What a die counts: 1 for some faces, 2 or 3 for others, one less for others again; some skip the next roll.

    `every`: a die counts as many as it shows of some symbols.
    """

    faces: Faces
    double: Faces | None = None
    cancel: Faces | None = None
    triple: Faces | None = None
    skip: Faces | None = None
    every: bool = False

    def __str__(self) -> str:
        if self.every:
            return f"count every {self.faces}"
        twice = self.double == self.faces
        text = {
            "double": None if twice else self.double,
            "triple": self.triple,
            "cancel": self.cancel,
            "skip": self.skip,
        }
        words = [f"count {self.faces}{' twice' if twice else ''}"]
        words += [f"{word} {faces}" for word, faces in text.items() if faces is not None]
        return " ".join(words)

    def of(self, value: int) -> int:
        """Return what a face counts; one that skips the next roll counts so much times `PASS`."""
        if self.every:
            return sum(value >> SHIFT * place & (1 << SHIFT) - 1 for place in self.faces.symbols)
        n_times = int(self.faces.has(value))
        for times, faces in ((2, self.double), (3, self.triple)):
            n_times = times if faces is not None and faces.has(value) else n_times
        n_times -= int(self.cancel is not None and self.cancel.has(value))
        return PASS * max(1, n_times) if self.skip is not None and self.skip.has(value) else n_times


@dataclass(frozen=True)
class Pool:
    """Equal dice, what is done with each, which of them stay, and what is counted; else their faces are added.

    `drawn`: they are cards of a deck, each drawn once.
    """

    n_dice: int | Node
    die: Die
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    picks: tuple[Pick, ...] = ()
    count: Count | None = None
    each: Each | None = None
    drawn: bool = False

    @property
    def are_alike(self) -> bool:
        """Whether each die falls as if it were rolled alone."""
        return not self.drawn and (self.reroll is None or self.reroll.max_dice is None)

    @property
    def adds_rolls(self) -> bool:
        """Whether every roll of a die that explodes adds what it counts by itself."""
        explosion = self.explosion
        summed = self.picks or self.each is not None
        return explosion is not None and not summed and not (explosion.together and self.count is not None)

    def __str__(self) -> str:
        tight = f"{self.explosion or ''}"
        n_text = self.n_dice if isinstance(self.n_dice, int) else f"({self.n_dice})"
        dice_text = f"{n_text} from {self.die.text[1:]}" if self.drawn else f"{n_text}{self.die}{tight}"
        return _joined_text(dice_text, self.reroll, self.each, *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the places that stay, counted from the highest die, of so many dice."""
        return places_of(self.n_dice, self.picks) if isinstance(self.n_dice, int) else (0, 0)


@dataclass(frozen=True)
class Mix:
    """Dice of several kinds side by side, which of all of them stay, and what is counted; else they are added."""

    parts: tuple[Pool, ...]
    picks: tuple[Pick, ...] = ()
    count: Count | None = None

    def __str__(self) -> str:
        return _joined_text(f"({', '.join(map(str, self.parts))})", *self.picks, self.count)

    def stays(self) -> tuple[int, int]:
        """Return the places that stay, counted from the highest die."""
        return places_of(sum(pool.n_dice for pool in self.parts if isinstance(pool.n_dice, int)), self.picks)


@dataclass(frozen=True)
class KeptDice:
    """The dice that stay of a pool, with what is done to them afterwards: rolled again, exploded, counted."""

    pool: Pool
    reroll: Reroll | None = None
    explosion: Explosion | None = None
    count: Count | None = None
    each: Each | None = None

    @property
    def as_pool(self) -> Pool:
        """The pool alone, where nothing is rolled on: the ends of its dice are the same before and after keeping."""
        each = self.each if self.pool.each is None else self.pool.each.then(self.each)
        return replace(self.pool, count=self.count, each=each)

    def __str__(self) -> str:
        return _joined_text(f"({self.pool}){self.explosion or ''}", self.reroll, self.each, self.count)


@dataclass(frozen=True)
class Against:
    """How many dice compare so with a total that is rolled once for all of them."""

    dice: Pool | Mix | KeptDice
    sign: str
    limit: Node

    def __str__(self) -> str:
        return f"{self.dice} count {self.sign} ({self.limit})"


@dataclass(frozen=True)
class Pattern:
    """What dice show together; `kind` says what is told.

    How many dice the largest set of equal ones has, how many values of the longest run follow one another, how many
    different values there are, or how many sets of `size` equal dice they make.
    """

    dice: Pool | Mix
    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.dice} {self.kind}{f' {self.size}' if self.size else ''}"

    def add(self, told: int, n_dice: int, run: int) -> int:
        """Return what is told after one value more.

        Parameters
        ----------
        told
            What is told so far.
        n_dice
            How many dice show the value.
        run
            How many values up to it follow one another, each shown.
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
    """In how many pairs a die of one side compares so with one of the other, the highest with the highest and so on."""

    first: Pool | Mix
    sign: str
    second: Pool | Mix

    def __str__(self) -> str:
        return f"{self.first} pairs {self.sign} {self.second}"

    @property
    def signs(self) -> tuple[bool, bool, bool]:
        """Whether a pair counts in which the first is more, is the same, is less."""
        return (
            ">" in self.sign or self.sign == "!=",
            self.sign in (">=", "<=", "="),
            "<" in self.sign or self.sign == "!=",
        )


@dataclass(frozen=True)
class Less:
    """Symbols of which others take away as many of the same kind, as far as there are any."""

    first: Node
    second: Node

    def __str__(self) -> str:
        return f"({self.first} less {self.second})"


@dataclass(frozen=True)
class Shown:
    """How many of some symbols several dice show together."""

    of: Node
    faces: Faces

    def __str__(self) -> str:
        return f"{bracket_if(self.of, Sum)} count every {self.faces}"


@dataclass(frozen=True)
class WoundsLeft:
    """What is left of wounds after hits: each takes its damage from the figure that was struck before, but no more.

    `figure`: the wounds of one figure; None where all are one pool.
    """

    wounds: Node
    hits: Node
    damage: Node
    figure: Node | None = None

    def __str__(self) -> str:
        wounds, hits, damage = (_plain(part) for part in (self.wounds, self.hits, self.damage))
        figures = "" if self.figure is None else f" on figures of {_plain(self.figure)}"
        return f"({wounds} after {hits} hits of {damage}{figures})"


def _plain(node: Node) -> str:
    return str(node) if isinstance(node, Number | Pool) else f"({node})"


def _joined_text(dice: str, *parts: object) -> str:
    return " ".join([dice, *(str(part) for part in parts if part is not None)])


def places_of(n_dice: int, picks: tuple[Pick, ...]) -> tuple[int, int]:
    """Return the first place that stays of so many dice, counted from the highest, and the place after the last.

    Parameters
    ----------
    n_dice
        How many dice there are.
    picks
        Which of them are kept or dropped, one after the other.
    """
    first, last = 0, n_dice
    for pick in picks:
        first, last = pick.within(first, last)
    return first, last


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
        texts.append(bracket_if(self.terms[-1][1], Sum, Comparison, Contest))
        signs = ["-" if sign < 0 else "+" for sign, _ in self.terms]
        return f"{signs[0]}{texts[0]}".removeprefix("+") + "".join(
            f" {sign} {text}" for sign, text in zip(signs[1:], texts[1:], strict=True)
        )


@dataclass(frozen=True)
class Absolute:
    """The size of a total, whatever its sign."""

    of: Node

    def __str__(self) -> str:
        return f"abs({self.of})"


@dataclass(frozen=True)
class Product:
    """Independent factors."""

    factors: tuple[Node, ...]

    def __str__(self) -> str:
        kinds = (Sum, Product, Quotient, Comparison, Contest)
        texts = [_closed(factor, *kinds) for factor in self.factors[:-1]]
        return " * ".join([*texts, bracket_if(self.factors[-1], *kinds)])


@dataclass(frozen=True)
class Quotient:
    """A total divided by a whole number above 0, rounded down, up, or off: to the nearest, up from the middle."""

    over: Node
    by: int
    rounded: str = "down"

    def __str__(self) -> str:
        over_text = _closed(self.over, Sum, Product, Quotient, Comparison, Contest)
        divided = "//" if self.rounded == "down" else "/"
        return f"{over_text} {divided} {self.by}{'' if self.rounded == 'down' else f' rounded {self.rounded}'}"

    def of(self, value: Any) -> Any:
        """Return what a total gives, or each of an array of totals.

        >>> [Quotient(Number(0), 2, "off").of(value) for value in (-3, 3, 4)]
        [-1, 2, 2]
        """
        if self.rounded == "off":
            return (2 * value + self.by) // (2 * self.by)
        return -(-value // self.by) if self.rounded == "up" else value // self.by


@dataclass(frozen=True)
class Best:
    """The sum of the `n_totals` highest or lowest of several independent totals."""

    highest: bool
    n_totals: int
    parts: tuple[Node, ...]

    def __str__(self) -> str:
        inner = ", ".join(_closed(part, Contest) for part in self.parts)
        if self.n_totals == 1:
            return f"{'max' if self.highest else 'min'}({inner})"
        return f"{'highest' if self.highest else 'lowest'} {self.n_totals} of ({inner})"


@dataclass(frozen=True)
class Span:
    """Numbers from one to another, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Comparison:
    """1 where two independent totals compare so, or a total lies in a span, else 0.

    `apart`: the first stands in brackets, as without them it might be read as a count of dice.
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
    """Two independent totals against each other: the higher wins."""

    first: Node
    second: Node

    def __str__(self) -> str:
        return f"{bracket_if(self.first, Contest)} vs {bracket_if(self.second, Contest)}"


@dataclass(frozen=True)
class Name:
    """A number that is known by its name; only where a part without dice is worked out for many values at once."""

    text: str

    def __str__(self) -> str:
        return self.text


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
    """One part where a condition holds, else another."""

    condition: Node
    then: Node
    otherwise: Node

    def __str__(self) -> str:
        return f"if({self.condition}, {bracket_if(self.then, Contest)}, {bracket_if(self.otherwise, Contest)})"


@dataclass(frozen=True)
class Gives:
    """The part that stands for what a total shows: the first whose faces it is; None stands for any other."""

    of: Node
    branches: tuple[tuple[Faces | None, Node], ...]

    def __str__(self) -> str:
        texts = [f"{'else' if faces is None else faces}: {node}" for faces, node in self.branches]
        return f"({_closed(self.of, Comparison, Contest)} gives ({'; '.join(texts)}))"

    def branch(self, value: int) -> Node:
        """Return the part that stands for a value."""
        return next(node for faces, node in self.branches if faces is None or faces.has(value))


class Chart(Protocol):
    """A look-up table, by one place or by a row and a column."""

    @property
    def n_places(self) -> int:
        """1, or 2 for rows and columns."""
        ...

    def at(self, *places: int) -> int:
        """Return the number at a place, or at a row and a column; refuses a place that it does not have."""
        ...


@dataclass(frozen=True)
class LookUp:
    """What a look-up table has at a place, or at a row and a column."""

    name: str
    chart: Chart
    places: tuple[Node, ...]

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(bracket_if(place, Contest) for place in self.places)}]"


Node: TypeAlias = (
    "Number | Pool | Mix | KeptDice | Against | Pattern"
    "| Sum | Absolute | Product | Quotient | Best | Comparison | Contest"
    "| Logic | Not | If | Gives | LookUp | Pairs | Less | Shown | WoundsLeft | Name"
)


class Statement(Protocol):
    """One result with a name, which other results may use: what it is made of hangs on the values of names.

    Attributes
    ----------
    columns
        What it makes known: its name, or names of what is counted of its dice.
    uses
        The names that it hangs on.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its results."""
        ...

    @property
    def uses(self) -> tuple[str, ...]:
        """Names whose values it needs."""
        ...

    def nodes(self, values: tuple[int, ...]) -> tuple[Node, ...]:
        """Return the part that each result is, for the values of the names used."""
        ...


@dataclass(frozen=True)
class Program:
    """Results that follow one another, each with a name; the last is the answer."""

    text: str
    statements: tuple[Statement, ...]

    @property
    def last(self) -> Node:
        """The part that is the answer, for names that are all 0."""
        statement = self.statements[-1]
        return statement.nodes((0,) * len(statement.uses))[-1]

    def __str__(self) -> str:
        return self.text


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the parts that a part is made of, those of its dice too."""
    match node:
        case Number() | Name():
            return ()
        case Pool():
            inner = () if node.die.inner is None else (node.die.inner,)
            return inner if isinstance(node.n_dice, int) else (node.n_dice, *inner)
        case Mix() | Best():
            return node.parts
        case KeptDice():
            return (node.pool,)
        case Against():
            return node.dice, node.limit
        case Pattern():
            return (node.dice,)
        case Sum():
            return tuple(term for _, term in node.terms)
        case Absolute():
            return (node.of,)
        case Product():
            return node.factors
        case Quotient():
            return (node.over,)
        case Comparison():
            return (node.first,) if isinstance(node.second, Span) else (node.first, node.second)
        case Contest():
            return node.first, node.second
        case Logic():
            return node.parts
        case Not():
            return (node.of,)
        case If():
            return node.condition, node.then, node.otherwise
        case Gives():
            return node.of, *(branch for _, branch in node.branches)
        case LookUp():
            return node.places
        case Pairs() | Less():
            return node.first, node.second
        case Shown():
            return (node.of,)
        case WoundsLeft():
            return tuple(part for part in (node.wounds, node.hits, node.damage, node.figure) if part is not None)


def bracket_if(node: Node, *kinds: type) -> str:
    """Return a part as text, in brackets if it is one of these kinds.

    Parameters
    ----------
    node
        The part.
    *kinds
        The kinds of parts that need brackets.
    """
    return f"({node})" if isinstance(node, kinds) else str(node)


def _closed(node: Node, *kinds: type) -> str:
    """Return a part that something follows: in brackets too where its end would take that for one face more."""
    return f"({node})" if isinstance(node, kinds) or _ends_in_faces(node) else str(node)


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


def symbols_of(value: int, n_symbols: int) -> tuple[int, ...]:
    """Return how often each of `n_symbols` kinds of symbols is shown by a face that is one number.

    Parameters
    ----------
    value
        The face's number, in which the counts are written.
    n_symbols
        How many kinds of symbols there are.

    >>> symbols_of(1 + (2 << 32), 2)
    (1, 2)
    """
    return tuple(value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(n_symbols))


def symbols_shown(node: Node) -> int:
    """Return how many kinds of symbols the dice of a part show at most."""
    dice = [node.die] if isinstance(node, Pool) else []
    own = max(
        (max(value for value, _ in die.faces).bit_length() // SHIFT + 1 for die in dice if die.symbolic), default=0
    )
    return max([own, *map(symbols_shown, parts_of(node))])

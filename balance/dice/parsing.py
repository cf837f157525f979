"""Reads an expression; docs/dice.md tells the grammar.

What is wrong is remembered and read over where its meaning is plain (a misspelt word, a pool of no dice), so that one
look finds as many faults as can be told apart; where it is not, reading stops.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from math import inf, prod

from balance.dice.bounds import bounds, shows_symbols
from balance.dice.faces import read_family
from balance.dice.reading import PoolReader, Stop
from balance.dice.tokens import Reader, Token, numbered, read_tokens
from balance.dice.tree import Best, Comparison, Contest, Node, Number, Pool, Product, Quotient, Sum
from balance.errors import UsageError
from balance.limits import MOST_DICE_CHARACTERS, MOST_DICE_NESTING, MOST_DICE_ROWS, MOST_DICE_TOTAL

__all__ = ["Expression", "Family", "parse", "parse_family"]

DICE = ("d", "df")
"""Words that begin a die."""
COMPARISONS = (">=", "<=", ">", "<", "=", "!=")
MOST_TOLD = 20
"""Faults told of one expression."""


@dataclass(frozen=True)
class Expression:
    """An expression that was read.

    Attributes
    ----------
    node
        What it is made of; as text, one way of writing that reads the same.
    symbols
        What the columns of its law are called: the symbols of its faces, or `total`.
    values
        Of a row of a family, the values that stand for the families, in the order of the text.
    notes
        What the reader should know of how it was read.
    n_symbols
        Kinds of symbols on its dice, also where they are counted.
    """

    node: Node
    symbols: tuple[str, ...]
    values: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    n_symbols: int = 0

    def __str__(self) -> str:
        """Return the expression as text.

        >>> str(parse("3D6kh2-1"))
        '3d6 keep 2 - 1'
        """
        return str(self.node)


@dataclass(frozen=True)
class Family:
    """All the expressions that one text stands for: one row for each value of its families, the last changing first."""

    text: str
    families: tuple[tuple[int, ...], ...]
    rows: tuple[Expression, ...]


def parse(text: str) -> Expression:
    """Return one expression.

    Raises
    ------
    UsageError
        With one fault for each thing wrong, or the text stands for a family.

    Examples
    --------
    >>> parse("3d6 keap 2")
    Traceback (most recent call last):
    balance.errors.UsageError: 3d6 ^keap 2, character 5: 'keap' is not a word of expressions; did you mean keep?
    """
    family = parse_family(text)
    if family.families:
        raise UsageError(f"{text.strip()} stands for {len(family.rows)} expressions", "ask for it as a table")
    return family.rows[0]


def parse_family(text: str) -> Family:
    """Return every expression that a text stands for; just one where it has no family such as `{1..8}`.

    Raises
    ------
    UsageError
        With one fault for each thing wrong.

    Examples
    --------
    >>> [str(row) for row in parse_family("{1..2}d6 count 5-6").rows]
    ['1d6 count 5-6', '2d6 count 5-6']
    """
    if len(text) > MOST_DICE_CHARACTERS:
        message = f"an expression has {len(text):,} characters"
        raise UsageError(message, f"at most {MOST_DICE_CHARACTERS:,}: split it, or ask for its parts")
    reader = Reader(text)
    tokens = read_tokens(reader)
    places = [place for place, token in enumerate(tokens) if _is_family(tokens, place)]
    families = tuple(tuple(read_family(reader, tokens[place])) for place in places)
    if (n_rows := prod(map(len, families))) > MOST_DICE_ROWS:
        last = tokens[places[-1]]
        reader.fault(last.start, last.end, f"makes {n_rows:,} rows", f"at most {MOST_DICE_ROWS}")
        families = tuple(values[:1] for values in families)
    rows = []
    for values in itertools.product(*families):
        row = list(tokens)
        for place, value in zip(places, values, strict=True):
            row[place] = numbered(tokens[place], value)
        rows.append(_Parser(reader, row).expression(values))
    if reader.found:
        raise UsageError(reader.faults[:MOST_TOLD])
    return Family(text, families, tuple(row for row in rows if row is not None))


def _is_family(tokens: list[Token], place: int) -> bool:
    before = tokens[place - 1] if place else None
    of_die = before is not None and before.kind == "word" and before.text == "d"
    return tokens[place].kind == "braces" and tokens[place].text[0] == "{" and not of_die


class _Parser(PoolReader):
    """Reads the tokens of one row."""

    def __init__(self, reader: Reader, tokens: list[Token]) -> None:
        super().__init__(reader, tokens)
        self.depth = 0

    def expression(self, values: tuple[int, ...]) -> Expression | None:
        """Return what the tokens say; None where that cannot be told."""
        try:
            node = self._contest()
            if self.token.kind != "end":
                self.stop("an operator, a modifier or the end")
        except Stop:
            return None
        symbols = tuple(self.symbols) if shows_symbols(node) else ("total",)
        if symbols == ("total",) and any(MOST_DICE_TOTAL < abs(end) < inf for end in bounds(node)):
            self.reader.fault(0, len(self.reader.text), "can be too large a total", f"at most {MOST_DICE_TOTAL:,}")
        return Expression(node, symbols, values, tuple(dict.fromkeys(self.notes)), len(self.symbols))

    # -- operators, the weakest first -------------------------------------------------------------------------------

    def _contest(self) -> Node:
        begin = self.token
        one = self._comparison()
        if not self.word("vs"):
            return one
        middle = self.token
        other = self._comparison()
        self._a_total(one, begin)
        self._a_total(other, middle)
        if self.token.text == "vs":
            self.stop("one `vs`; two totals against each other")
        return Contest(one, other)

    def _comparison(self) -> Node:
        begin = self.token
        one = self._chain()
        if self.token.kind != "sign" or self.token.text not in COMPARISONS:
            return one
        sign = self.next().text
        middle = self.token
        other = self._chain()
        self._a_total(one, begin)
        self._a_total(other, middle)
        return Comparison(one, sign, other)

    def _chain(self) -> Node:
        begin = self.token
        found = self._sum()
        while self.token.text == "then":
            self.next()
            if self.token.text not in DICE:
                self.stop("a die without a number before it: `then d6 count >=4`")
            found = self._roll(self._many(found, begin))
        return found

    def _sum(self) -> Node:
        begin = self.token
        terms = [self._signed(begin)]
        while sign := self.sign("+", "-"):
            middle = self.token
            terms.append((1 if sign == "+" else -1, self._product()))
            if sign == "-":
                self._a_total(terms[-1][1], middle)
        if len({shows_symbols(term) for _, term in terms}) > 1:
            tip = "count the symbols first: count hit"
            self.reader.fault(begin.start, begin.end, "begins a sum of symbols and totals", "", tip)
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))

    def _signed(self, begin: Token) -> tuple[int, Node]:
        sign = self.sign("-", "+")
        node = self._product()
        if sign == "-":
            self._a_total(node, begin)
        return (-1 if sign == "-" else 1), node

    def _product(self) -> Node:
        begin = self.token
        factors = [self._atom()]
        while sign := self.sign("*", "//"):
            middle = self.token
            if sign == "//":
                whole = factors[0] if len(factors) == 1 else Product(tuple(factors))
                self._a_total(whole, begin)
                factors = [Quotient(whole, self._divisor())]
                continue
            if sign == "*" and self.token.text == "-":
                self.stop("a number or dice; put a negative factor in brackets")
            factors.append(self._atom())
            self._a_total(factors[-1], middle)
            self._a_total(factors[0], begin)
        return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _divisor(self) -> int:
        if self.token.kind != "number":
            self.stop("a whole number to divide by")
        token = self.next()
        if token.value < 1:
            self.reader.fault(token.start, token.end, "cannot be divided by", "1 or more")
        return max(1, token.value)

    def _a_total(self, node: Node, begin: Token) -> None:
        if shows_symbols(node):
            self.reader.fault(
                begin.start, begin.end, "begins symbols, where a total is needed", "", "count them: count hit"
            )

    # -- what operators join ----------------------------------------------------------------------------------------

    def _atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.next()
            if self.token.text in DICE:
                return self._roll(self.dice(token))
            if self.token.text == "(":
                tip = f"to roll it so often write {token.text}d(...), to multiply {token.text} * (...)"
                self.stop("an operator", tip)
            return Number(token.value)
        if token.kind == "word" and token.text in DICE:
            return self._roll(1)
        if token.kind == "word" and token.text in ("max", "min", "highest", "lowest"):
            return self._best()
        if token.text != "(":
            self.stop("a number, dice such as 3d6, a bracket, max(...) or min(...)")
        inner = self._bracketed()
        return self._roll(self._many(inner, token)) if self.token.text in DICE else inner

    def _bracketed(self) -> Node:
        """Return what stands in brackets."""
        opened = self._open()
        inner = self._comparison()
        if self.token.text == "vs":
            self.stop("`vs` outside of brackets, once: what wins is no total")
        self._close(opened)
        return inner

    def _open(self) -> Token:
        opened = self.next()
        self.depth += 1
        if self.depth > MOST_DICE_NESTING:
            self.reader.fault(opened.start, opened.end, "opens too many brackets", f"at most {MOST_DICE_NESTING} deep")
            raise Stop
        return opened

    def _close(self, opened: Token) -> None:
        self.depth -= 1
        if self.token.text != ")":
            tip = f"for the bracket of character {opened.start + 1}"
            self.stop("an operator, a modifier or )", tip)
        self.next()

    def _best(self) -> Node:
        """Return what stands after max, min, highest of or lowest of."""
        name, many = self.next(), 1
        if self.token.kind == "number":
            many = self.next().value
        self.word("of")
        if self.token.text != "(":
            self.stop(f"brackets: {name.text}(2d6, 1d12)")
        opened, parts = self._open(), list[Node]()
        while not parts or self.sign(","):
            begin = self.token
            parts.append(self._comparison())
            self._a_total(parts[-1], begin)
        self._close(opened)
        if not 1 <= many <= len(parts) or len(parts) < 2:
            told = f"takes {many} of {len(parts)}"
            tip = "after `count 4` a comma goes on with the faces: put brackets around it" if len(parts) == 1 else ""
            self.reader.fault(name.start, name.end, told, "two or more in brackets, and no more than them", tip)
        return Best(name.text in ("max", "highest"), max(1, min(many, len(parts))), tuple(parts))

    def _many(self, node: Node, begin: Token) -> int | Node:
        """Return a number of dice that is itself rolled."""
        self._a_total(node, begin)
        if isinstance(node, Number):
            return self.dice(replace(begin, kind="number", text=str(node.value), value=node.value))
        low, high = bounds(node)
        self.check_many(begin, low, high, node)
        return node

    def _roll(self, many: int | Node) -> Pool:
        """Return dice with what is done with them."""
        token = self.next()
        if token.text == "d" and self.token.text == "(":
            return self.pool(many, self.inner_die(token, self._bracketed()))
        return self.pool(many, self.die(token))

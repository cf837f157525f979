"""The base of the parser: the position among the tokens, and what all its parts share: numbers, faces, symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

from balance.chance.dice.bounds import shows_symbols
from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.text.faces import BLANKS
from balance.chance.dice.text.habits import two_ways
from balance.chance.dice.text.tokens import Reader, Token
from balance.chance.dice.tree import (
    FUNCTIONS,
    Die,
    Faces,
    KeptDice,
    Mix,
    Name,
    NamedNumber,
    Node,
    Number,
    Pool,
    faces_that,
    parts_of,
)

STARTS = ("d", "df", "if", "max", "min", "highest", "lowest", "largest", "longest run", "sets of", *FUNCTIONS)
"""Words that can begin a part of a sum; a + before one is no end of `5+`."""
LITTLE_WORK = 100_000
SIGNS = (">=", "<=", ">", "<", "=", "!=")


class Stop(Exception):  # noqa: N818 - no error: what is wrong is with the reader
    """Parsing cannot go on; the fault is recorded with the reader."""


class Walker:
    """A position in the tokens of an expression, with the symbols and notes found so far."""

    def __init__(self, reader: Reader, tokens: list[Token], dice_of: Mapping[str, Pool | Mix] | None = None) -> None:
        self.reader, self.tokens, self.at, self.dice_of = reader, tokens, 0, dice_of or {}
        self.symbols: list[str] = []
        self.notes: list[str] = []
        self.had_faults = bool(reader.fault_at)

    # -- walking ----------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        """The next token, not consumed."""
        return self.tokens[self.at]

    def ahead(self, steps: int = 1) -> Token:
        """Return the token so many places ahead, or the end token."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Consume the next token and return it; the end token is never passed."""
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def word(self, *words: str) -> str:
        """Consume the next token if it is one of these words, and return its text; else return an empty text."""
        return self.next().text if self.token.kind == "word" and self.token.text in words else ""

    def sign(self, *signs: str) -> str:
        """Consume the next token if it is one of these signs, and return its text; else return an empty text."""
        return self.next().text if self.token.kind == "sign" and self.token.text in signs else ""

    def stop(self, legal_text: str, tip: str = "") -> NoReturn:
        """Record that the next token is unexpected, unless there were faults before, and raise Stop.

        `legal_text` says what may stand there instead, and `tip` how to mend it.
        """
        token = self.token
        if not self.had_faults:
            message = "is unexpected here" if token.kind != "end" else "something is missing"
            self.reader.fault(token.start, token.end, message, legal_text, tip)
        raise Stop

    def number(self, subject: str) -> int:
        """Parse a number of 1 or more; `subject` says of what, for the fault if it is missing."""
        token, value = self.token, self.whole(subject)
        if value < 1 and not token.free and not self.reader.vocabulary.names:
            self.reader.fault(token.start, token.end, "is too few", "1 or more")
        return value

    @property
    def says_number(self) -> bool:
        """Whether a number comes next; where names are known, also a look-up or a bracket."""
        return self.token.kind in ("number", "table") or (self.token.text == "(" and bool(self.reader.vocabulary.names))

    def whole(self, subject: str) -> int:
        """Parse a number, or the value of a look-up or of a bracket without dice; a fault asks for the `subject`."""
        if not self.says_number:
            self.stop(subject)
        if self.token.kind == "number":
            return self.next().value
        begin, node = self.token, self.part()
        value = self.constant_of(node)
        if value is None and has_named(node):
            return NamedNumber(1, str(node) if " " not in str(node) else f"({node})")
        if value is None:
            problem = "begins dice where a number should be"
            self.reader.fault(begin.start, begin.end, problem, "", "to compare with a roll write count >= (d6)")
        return value or 0

    def part(self) -> Node:
        """Parse one operand; implemented by the parser."""
        raise NotImplementedError

    def constant_of(self, node: Node) -> int | None:
        """Return the value of a part without dice; None for one with dice, names or symbols."""
        if isinstance(node, Number) and not has_named(node):
            return node.value
        if shows_symbols(node) or _is_open(node):
            return None
        return next(iter(law_of(node, Work(LITTLE_WORK))))

    def check_total(self, node: Node, begin: Token) -> None:
        """Report symbols where a total is needed; the part in that place, `node`, begins with the token `begin`."""
        if shows_symbols(node):
            self.reader.fault(
                begin.start, begin.end, "begins symbols, where a total is needed", "", self.how_to_count(node)
            )

    def how_to_count(self, node: Node) -> str:
        """Return the tip that shows how to count the symbols of a part."""
        symbol = next(iter(self.symbols), "hit")
        if isinstance(node, Pool):
            return f"count them: ({node} count {symbol})"
        text = f"{node}" if f"{node}".startswith("(") else f"({node})"
        return f"count them: ({text} count every {symbol})"

    # -- faces ------------------------------------------------------------------------------------------------------

    def faces(self, die: Die) -> Faces:
        """Parse faces of a die: `>=5`, `5+`, `5-6`, `1,3,5-6`, `!=2`, `failing 4+`; `hit`, `blank`, `hit,flag`."""
        if self.token.text == "not":
            self.stop("faces", "for faces that are not those write failing: count failing 4+")
        failing = self.word("failing")
        return replace(self._faces_named(die), failing=True) if failing else self._faces_named(die)

    def _faces_named(self, die: Die) -> Faces:
        if die.symbolic:
            return self.some_symbols()
        if sign := self.sign(*SIGNS):
            value = self.face()
            self._range_or_minus(sign, value)
            return faces_that(sign, value)
        spans: list[tuple[int | None, int | None]] = []
        texts: list[str] = []
        while not spans or self._goes_on():
            begin = self.token
            low = self.face()
            high = low
            if self.sign(".."):
                high = self.face()
            elif self.token.text == "-" and (begin.free or self.ahead().free or begin.kind != "number"):
                self._refuse_minus(begin)
            elif self.token.text == "-" and self.ahead().kind == "number" and self.ahead(2).text not in ("d", "df"):
                end = self.next(), self.token
                high = self.face()
                if high < low:
                    tip = "to subtract, put brackets around the dice: (5d6 count 4) - 1"
                    self.reader.fault(end[1].start, end[1].end, f"ends a range that begins at {low}", "more", tip)
                    high = low
            elif self.token.text == "+" and not self._or_more():
                self._plus_after(low)
            elif self._or_more():
                self.next()
                return faces_that(">=", low)
            spans.append((low, high))
            texts.append(f"{low}-{high}" if high > low else f"{low}")
        return Faces(",".join(texts), tuple(spans))

    def _refuse_minus(self, begin: Token) -> None:
        """Report `count me.skill-5`, which may be a range of faces or a difference."""
        minus, high = self.token, self.ahead()
        low_text, high_text = (self.reader.text[token.start : token.end] for token in (begin, high))
        ways = ("a range of faces", f"{low_text}..{high_text}"), ("a difference", f"({low_text} - {high_text})+")
        self.reader.fault(minus.start, minus.end, "can be read in two ways", "", two_ways(*ways))
        self.next(), self.next()

    def _range_or_minus(self, sign: str, low: int) -> None:
        """Report `count =4-5`, which may be a range of faces or a difference."""
        minus, high = self.token, self.ahead()
        number = high.kind == "number" and self.ahead(2).text not in ("d", "df")
        if sign == "=" and minus.text == "-" and number and high.value > low:
            ways = ("a range of faces", f"{low}-{high.value}"), ("a difference", f"(5d6 count {low}) - {high.value}")
            self.reader.fault(minus.start, minus.end, "can be read in two ways", "", two_ways(*ways))

    def _goes_on(self) -> bool:
        """Consume a comma if more faces follow it, and return whether one did."""
        after = self.ahead(2 if self.ahead().text == "-" else 1)
        beyond = self.ahead(3 if self.ahead().text == "-" else 2)
        goes = (
            self.token.text == "," and after.kind == "number" and beyond.text not in ("d", "df", "from", "(", "*", "//")
        )
        return goes and bool(self.sign(","))

    def _plus_after(self, low: int) -> None:
        """Note that `5+1` without blanks adds, and is not `5+`."""
        before, plus, after = self.tokens[self.at - 1], self.token, self.ahead()
        if before.end == plus.start and plus.end == after.start:
            more = f"for {low} or more write (6d6 count {low}+) + {after.text}"
            self.notes.append(f"{low}+{after.text} counts {low} alone and adds what follows: {more}")

    def _or_more(self) -> bool:
        """Whether the + ends `5+`: nothing that could be added follows."""
        after = self.ahead()
        part = after.kind in ("number", "braces", "table") or after.text in (*STARTS, "(")
        return self.token.text == "+" and not part

    def face(self) -> int:
        """Parse the number of a face, which may be negative."""
        below = bool(self.sign("-"))
        value = self.whole("faces: 6, 5-6, >=5, 5+ or 1,3,5-6")
        return -value if below else value

    def names_symbol(self, die: Die) -> bool:
        """Whether the die shows symbols and one comes next."""
        return die.symbolic and self.token.kind == "symbol"

    def some_symbols(self) -> Faces:
        """Parse symbols of the dice, joined by commas."""
        places, blank, texts = list[int](), False, list[str]()
        while not texts or self.sign(","):
            if self.token.text not in (*self.symbols, *BLANKS):
                self.stop(f"symbols of the dice: {', '.join([*self.symbols, 'blank'])}")
            name = self.next().text
            texts.append("blank" if name in BLANKS else name)
            blank = blank or name in BLANKS
            places += [] if name in BLANKS else [self.symbols.index(name)]
        return Faces(",".join(texts), (), tuple(places), blank)


def _is_open(node: Node) -> bool:
    """Whether a part contains dice, or a number that stands for a name."""
    return has_named(node) or isinstance(node, Pool | Mix | KeptDice | Name) or any(map(_is_open, parts_of(node)))


def has_named(node: Node) -> bool:
    """Whether a part contains a number that stands for a name."""
    named = isinstance(node, Number) and isinstance(node.value, NamedNumber)
    return named or any(map(has_named, parts_of(node)))

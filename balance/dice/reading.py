"""Reads one pool: its die and what is done with it, such as `6 reroll 1 keep 2` after `3d`."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, NoReturn

from balance.dice.bounds import shows_symbols
from balance.dice.exact import law_of
from balance.dice.faces import BLANKS, read_faces
from balance.dice.laws import Work
from balance.dice.tokens import Reader, Token
from balance.dice.tree import Count, Die, Explosion, Faces, Node, Number, Pick, Pool, Reroll
from balance.errors import BalanceError
from balance.limits import MOST_DICE, MOST_DICE_FACES

__all__ = ["PoolReader", "Stop"]

STARTS = ("d", "df", "max", "min", "highest", "lowest")
"""Words that can begin a part of a sum; a + before one is no end of `5+`."""
LITTLE_WORK = 100_000
SIGNS = (">=", "<=", ">", "<", "=", "!=")
MODIFIERS = ("reroll", "keep", "drop", "count")
FUDGE = ((-1, 1), (0, 1), (1, 1))


class Stop(Exception):  # noqa: N818 - no error: what is wrong is with the reader
    """Reading cannot go on."""


class PoolReader:
    """Walks along the tokens of an expression, and reads what belongs to one pool."""

    def __init__(self, reader: Reader, tokens: list[Token]) -> None:
        self.reader, self.tokens, self.at = reader, tokens, 0
        self.symbols: list[str] = []
        self.notes: list[str] = []
        self.repaired = bool(reader.found)

    # -- walking ----------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def ahead(self, steps: int = 1) -> Token:
        """Return a later token."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Return the next token and walk past it."""
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def word(self, *words: str) -> str:
        """Walk past one of these words if it comes next, and return it."""
        return self.next().text if self.token.kind == "word" and self.token.text in words else ""

    def sign(self, *signs: str) -> str:
        """Walk past one of these signs if it comes next, and return it."""
        return self.next().text if self.token.kind == "sign" and self.token.text in signs else ""

    def stop(self, allowed: str, tip: str = "") -> NoReturn:
        """Tell that something else should stand here, unless a word was left out before, and stop."""
        token = self.token
        if not self.repaired:
            message = "is where something else should be" if token.kind != "end" else "something is missing"
            self.reader.fault(token.start, token.end, message, allowed, tip)
        raise Stop

    # -- dice -------------------------------------------------------------------------------------------------------

    def dice(self, token: Token) -> int:
        """Return the number of dice that a number says."""
        self.check_many(token, token.value, token.value)
        return min(token.value, MOST_DICE)

    def check_many(self, token: Token, low: float, high: float, node: Node | None = None) -> None:
        """Tell a number of dice that none can have."""
        if low < 0 and node is not None and not _never_below_0(node):
            self.reader.fault(token.start, token.end, "begins a number of dice that may be below 0", "0 and more")
        elif high > MOST_DICE and high != inf:
            self.reader.fault(token.start, token.end, "are too many dice", f"at most {MOST_DICE:,}")

    def die(self, begin: Token) -> Die:
        """Return the die after `d`, or the one that `dF` is."""
        if begin.text == "df":
            return Die("dF", FUDGE)
        if self.token.kind == "number":
            token = self.next()
            return self._sided(token, token.value)
        if self.token.kind == "braces":
            return self._custom(self.next())
        if not self.sign("%"):
            self.stop("faces: d6, d%, dF, d{0,1,1,2} or d{hit,-}")
        return Die("d%", tuple((value, 1) for value in range(1, 101)))

    def _sided(self, token: Token, sides: int) -> Die:
        if not 1 <= sides <= MOST_DICE_FACES:
            self.reader.fault(token.start, token.end, "is no number of sides", f"1 to {MOST_DICE_FACES:,}")
            sides = 1
        return Die(f"d{sides}", tuple((value, 1) for value in range(1, sides + 1)))

    def _custom(self, token: Token) -> Die:
        faces = read_faces(self.reader, token, known := list(self.symbols))
        symbolic = known != self.symbols or any(name in token.text.casefold() for name in known)
        self.symbols = known
        values = [value for value, _ in faces]
        if not symbolic and len(values) > 1 and {*values} <= {4, 6, 8, 10, 12, 20, 100}:
            self.notes.append(f"d{token.text} is one die with these faces; a row for each die is d({token.text})")
        text = ",".join("".join(piece.split()) for piece in token.text[1:-1].casefold().split(","))
        return Die(f"d{{{text}}}", faces, None, symbolic)

    def inner_die(self, token: Token, inner: Node) -> Die:
        """Return the die whose faces are the totals of what stands in brackets."""
        if isinstance(inner, Number):
            return self._sided(token, inner.value)
        if shows_symbols(inner):
            self.reader.fault(token.start, token.end, "begins a die of symbols", "", "write its faces: d{hit,-}")
        return Die("d()", (), inner)

    # -- what is done with them -------------------------------------------------------------------------------------

    def pool(self, many: int | Node, die: Die) -> Pool:
        """Return a pool with all that is done with it, in any order."""
        found, begin = Pool(many, die), self.token
        while True:
            token = self.token
            if token.kind == "sign" and token.text in ("!", "!!"):
                found = self._set(found, token, "explosion", self._explosion(die))
            elif token.kind == "word" and token.text == "reroll":
                found = self._set(found, token, "reroll", self._reroll(die))
            elif token.kind == "word" and token.text in ("keep", "drop"):
                found = replace(found, picks=(*found.picks, self._pick(found, token)))
            elif token.kind == "word" and token.text == "count":
                found = self._set(found, token, "count", self._count(die))
            else:
                break
        if found.picks and die.symbolic:
            self.reader.fault(begin.start, begin.end, "keeps or drops symbols, which have no order")
        return found

    def _set(self, pool: Pool, token: Token, name: str, value: object) -> Pool:
        if getattr(pool, name) is not None:
            self.reader.fault(token.start, token.end, "is said twice of one pool", "once")
        changes: dict[str, Any] = {name: value}
        return replace(pool, **changes)

    def _explosion(self, die: Die) -> Explosion:
        token = self.next()
        starts = self.token.kind == "number" or self.token.text in SIGNS or self._names_symbol(die)
        faces = self._faces(die) if starts else None
        most = None
        if self.word("once"):
            most = 1
        elif self.token.text == "at" and self.ahead().text == "most":
            self.next(), self.next()
            most = self._number("how often at most")
        self._check_explosion(token, die, faces, most)
        return Explosion(faces, token.text == "!!", most)

    def _check_explosion(self, token: Token, die: Die, faces: Faces | None, most: int | None) -> None:
        """Tell dice that would be rolled without end, and explosions that never happen."""
        if die.inner is not None or die.symbolic:
            if faces is None:
                told = "has no highest face here"
                self.reader.fault(token.start, token.end, told, "", "name the faces: !>=12 or !crit")
            return
        top = max(value for value, _ in die.faces)
        again = [value for value, _ in die.faces if (faces.has(value) if faces else value == top)]
        if len(again) == len(die.faces) and most is None:
            told = "would never end: every face is rolled again"
            self.reader.fault(token.start, token.end, told, "", "say `! at most 5`, or name fewer faces")
        elif not again:
            tip = "to compare the total put brackets around the dice: (1d6!) >= 7"
            self.reader.fault(token.start, token.end, f"explodes on {faces}, which no face is", "", tip)

    def _reroll(self, die: Die) -> Reroll:
        token = self.next()
        always = bool(self.word("always"))
        self.word("once")
        faces = self._faces(die)
        always = bool(self.word("always")) or always
        self.word("once")
        if always and die.inner is None and all(faces.has(value) for value, _ in die.faces):
            told = "would never end: every face is rolled again"
            self.reader.fault(token.start, token.end, told, "", "leave `always` out, or name fewer faces")
        return Reroll(faces, always)

    def _pick(self, pool: Pool, token: Token) -> Pick:
        """Return which dice stay; without a word the highest are kept and the lowest are dropped."""
        keep = self.next().text == "keep"
        side = self.word("highest", "lowest")
        number = self.token
        many = self._number("how many dice") if number.kind == "number" else 1
        if number.kind != "number" and not side:
            self.stop(f"how many dice: {token.text} 1")
        if number.kind == "number":
            side = side or self.word("highest", "lowest")
            self._check_pick(pool, number, keep, many)
        return Pick(keep, (side or ("highest" if keep else "lowest")) == "highest", many)

    def _check_pick(self, pool: Pool, number: Token, keep: bool, many: int) -> None:
        if (
            not pool.many or not isinstance(pool.many, int) or any(token.free for token in self.tokens)
        ):  # a row may keep all it has
            return
        first, last = 0, pool.many
        for pick in pool.picks:
            first, last = pick.within(first, last)
        most = last - first - (not keep)
        if not 1 <= many <= most:
            there = f"1 to {most}" if most > 0 else "none"
            verb, rest = ("keep", "") if keep else ("drop", ", so that one is left")
            self.reader.fault(
                number.start, number.end, f"is no number of dice to {verb} of {last - first}", there + rest
            )

    def _count(self, die: Die) -> Count:
        self.next()
        faces = self._faces(die)
        double = cancel = None
        while word := self.word("double", "twice", "cancel"):
            if word == "cancel":
                cancel = self._faces(die)
            else:
                double = faces if word == "twice" else self._faces(die)
        return Count(faces, double, cancel)

    def _number(self, what: str) -> int:
        if self.token.kind != "number":
            self.stop(what)
        token = self.next()
        if token.value < 1 and not token.free:
            self.reader.fault(token.start, token.end, "is too few", "1 or more")
        return token.value

    # -- faces ------------------------------------------------------------------------------------------------------

    def _faces(self, die: Die) -> Faces:
        """Return some faces: `>=5`, `5+`, `5-6`, `1,3,5-6`, `!=2`; of symbols `hit`, `blank`, `hit,flag`."""
        if die.symbolic:
            return self._symbols()
        if sign := self.sign(*SIGNS):
            return _compared(sign, self._face())
        spans: list[tuple[int | None, int | None]] = []
        texts: list[str] = []
        while not spans or self._goes_on():
            low = self._face()
            high = low
            if self.token.text == "-" and self.ahead().kind == "number" and self.ahead(2).text not in ("d", "df"):
                end = self.next(), self.token
                high = self._face()
                if high < low:
                    tip = "to subtract, put brackets around the dice: (5d6 count 4) - 1"
                    self.reader.fault(end[1].start, end[1].end, f"ends a range that begins at {low}", "more", tip)
                    high = low
            elif self._or_more():
                self.next()
                return _compared(">=", low)
            spans.append((low, high))
            texts.append(f"{low}-{high}" if high > low else f"{low}")
        return Faces(",".join(texts), tuple(spans))

    def _goes_on(self) -> bool:
        """Walk past a comma that goes on with faces."""
        after = self.ahead(2 if self.ahead().text == "-" else 1)
        beyond = self.ahead(3 if self.ahead().text == "-" else 2)
        goes = self.token.text == "," and after.kind == "number" and beyond.text not in ("d", "df", "(", "*", "//")
        return goes and bool(self.sign(","))

    def _or_more(self) -> bool:
        """Whether a + ends `5+`, as it stands before nothing that could be added."""
        after = self.ahead()
        part = after.kind in ("number", "braces") or after.text in (*STARTS, "(")
        return self.token.text == "+" and not part

    def _face(self) -> int:
        """Return the number of a face; one below 0 has its sign before it."""
        below = bool(self.sign("-"))
        if self.token.kind != "number":
            self.stop("faces: 6, 5-6, >=5, 5+ or 1,3,5-6")
        value = self.next().value
        return -value if below else value

    def _names_symbol(self, die: Die) -> bool:
        return die.symbolic and self.token.kind == "symbol"

    def _symbols(self) -> Faces:
        places, blank, texts = list[int](), False, list[str]()
        while not texts or self.sign(","):
            if self.token.text not in (*self.symbols, *BLANKS):
                self.stop(f"symbols of the dice: {', '.join([*self.symbols, 'blank'])}")
            name = self.next().text
            texts.append("blank" if name in BLANKS else name)
            blank = blank or name in BLANKS
            places += [] if name in BLANKS else [self.symbols.index(name)]
        return Faces(",".join(texts), (), tuple(places), blank)


def _never_below_0(node: Node) -> bool:
    """Whether a part whose bounds reach below 0 never is, as far as little work tells."""
    try:
        return min(law_of(node, Work(LITTLE_WORK))) >= 0
    except BalanceError:
        return False


def _compared(sign: str, value: int) -> Faces:
    """Return the faces that compare so with a number."""
    spans: dict[str, tuple[tuple[int | None, int | None], ...]] = {
        ">=": ((value, None),),
        ">": ((value + 1, None),),
        "<=": ((None, value),),
        "<": ((None, value - 1),),
        "=": ((value, value),),
        "!=": ((None, value - 1), (value + 1, None)),
    }
    return Faces(f"{value}" if sign == "=" else f"{sign}{value}", spans[sign])

"""Parse the tokens of an expression by its grammar, which docs/reference/dice.md describes.

A fault whose meaning is plain (a misspelt word, a pool of no dice) is recorded and passed over, so that one look finds
as many faults as can be distinguished; at any other, parsing stops.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf

from balance.base.limits import MOST_DICE_NESTING, MOST_DICE_TOTAL
from balance.chance.dice import tree
from balance.chance.dice.bounds import bounds, shows_symbols
from balance.chance.dice.text.habits import MISPLACED, dice_or_total, two_ways
from balance.chance.dice.text.losses import LossReader
from balance.chance.dice.text.pools import MODIFIERS
from balance.chance.dice.text.shapes import PATTERNS
from balance.chance.dice.text.tokens import Token
from balance.chance.dice.text.walking import Stop

_FACES = re.compile(r"[0-9]+(?:\+|(?:\s*-\s*[0-9]+)?(?:\s*,\s*[0-9]+(?:\s*-\s*[0-9]+)?)*)")
DICE = ("d", "df")
"""Words that begin a die."""
COMPARISONS = (">=", "<=", ">", "<", "=", "!=")
IN_BRACKETS = (tree.Gives, tree.Less, tree.Logic, tree.Not, tree.WoundsLeft)
"""Parts that tell themselves in brackets, wherever they stand."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    * `node`: its syntax tree; as text, a canonical way of writing it.
    * `symbols`: names of the columns of its law: the symbols on its faces, or `total`.
    * `values`: of a row of a family, the values of the families, in the order of the text.
    * `notes`: what to tell the reader about how it was read.
    * `n_symbols`: number of kinds of symbols on its dice, also where they are counted.
    """

    node: tree.Node | tree.Program
    symbols: tuple[str, ...]
    values: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    n_symbols: int = 0

    @property
    def part(self) -> tree.Node:
        """The syntax tree; raise TypeError for a program of named results."""
        if isinstance(self.node, tree.Program):
            raise TypeError(f"{self} is results with names, and no part of another expression")
        return self.node

    def __str__(self) -> str:
        """Return the expression in its canonical form, without brackets around all of it."""
        return str(self.node)[1:-1] if isinstance(self.node, IN_BRACKETS) else str(self.node)


class Parser(LossReader):
    """The parser of one expression; `symbols` and `notes` gather what it finds."""

    depth = 0
    closed: tree.Node | None = None
    """What stood in brackets, and nothing more, where reading was last."""

    def expression(self, values: tuple[int, ...]) -> Expression | None:
        """Return the expression with the values of its families; None after a fault that stops parsing."""
        try:
            node = self._contest()
            if self.token.kind != "end":
                self.stop("an operator, a modifier or the end", self._misplaced(node))
        except Stop:
            return None
        self._check_skips(node)
        symbols = tuple(self.symbols) if shows_symbols(node) else ("total",)
        if symbols == ("total",) and any(MOST_DICE_TOTAL < abs(end) < inf for end in bounds(node)):
            self.reader.fault(0, len(self.reader.text), "can be too large a total", f"at most {MOST_DICE_TOTAL:,}")
        return Expression(node, symbols, values, tuple(dict.fromkeys(self.notes)), len(self.symbols))

    def _misplaced(self, node: tree.Node | None) -> str:
        """Return a tip for a token that cannot follow a part, such as a face without `count`."""
        if self.token.kind != "number" or not isinstance(node, tree.Pool | tree.Mix | tree.KeptDice):
            return MISPLACED.get(self.token.text, "")
        faces = _FACES.match(self.reader.text, self.token.start)
        told = f"{node}" if node.count is None else "6d6"
        return f"to count the dice that show it write {told} count {faces[0] if faces else self.token.text}"

    def way(self, at: int, dice: tree.Pool | tree.Mix, symbols: list[str]) -> tuple[int, tree.Node]:
        """Parse what is done with dice from the token at a place on; return the place after it, and the changed dice.

        The dice are those of an earlier result; `symbols` are the names of the symbols on them, in the order of their
        index.
        """
        self.at, self.symbols = at, list(symbols)
        die = self.mixed_die(dice.parts) if isinstance(dice, tree.Mix) else dice.die
        try:
            node = self.modify(dice, die)
        except Stop:
            return at + 1, dice
        return self.at, node

    def _check_skips(self, node: tree.Node, after: bool = False) -> None:
        """Report a `skip` of a roll that no `then` follows."""
        skips = (
            isinstance(node, tree.Pool | tree.Mix | tree.KeptDice)
            and node.count is not None
            and node.count.skip is not None
        )
        if skips and (not after or not isinstance(node, tree.Pool)):
            token = next(token for token in self.tokens if token.text == "skip")
            problem = "goes past a roll that does not follow"
            tip = "count what is rolled next: 10d6 count 3+ skip 6 then d6 count 5+"
            self.reader.fault(token.start, token.end, problem, "", tip)
        if skips and after and isinstance(node, tree.Pool) and node.count is not None:
            self._note_skips(node, node.count)
        for part in tree.parts_of(node):
            is_counted = isinstance(node, tree.Pool) and part is node.n_dice and (node.count is not None or after)
            self._check_skips(part, is_counted or isinstance(node, tree.Against))

    def _note_skips(self, dice: tree.Pool, count: tree.Count) -> None:
        """Note that a face which counts several times skips the next roll with all of them."""
        values = [value for value, _ in dice.die.faces if count.skip is not None and count.skip.has(value)]
        if all(abs(count.of(value)) < 2 * tree.PASS for value in values):
            return
        plain = tree.Count(count.faces, count.double, count.cancel, count.triple)
        counted = replace(plain, double=None if count.double == count.skip else plain.double)
        counted = replace(counted, triple=None if count.triple == count.skip else counted.triple)
        again = f"r = {replace(dice, count=None)}; (r count {count.skip}) + ((r {counted}) then d6 count 4+)"
        self.notes.append(
            f"all that a die showing {count.skip} counts goes past the next roll; where one goes past and the rest "
            f"are rolled write {again}"
        )

    # -- operators, the weakest first -------------------------------------------------------------------------------

    def _contest(self) -> tree.Node:
        begin = self.token
        side_a = self.either()
        if not self.word("vs"):
            return side_a
        middle = self.token
        side_b = self.either()
        self.check_total(side_a, begin)
        self.check_total(side_b, middle)
        if self.token.text == "vs":
            self.stop("one `vs`; two totals against each other")
        return tree.Contest(side_a, side_b)

    def comparison(self) -> tree.Node:
        """Parse a comparison, or a total alone; a fault or note if it may be meant to count dice."""
        begin = self.token
        left_node = self.chain()
        if self.token.kind != "sign" or self.token.text not in COMPARISONS:
            return left_node
        apart = left_node is self.closed
        token = self.next()
        middle = self.token
        span = self._span(left_node, token)
        right_node = span or self.chain()
        self.check_total(left_node, begin)
        if not isinstance(right_node, tree.Span):
            self.check_total(right_node, middle)
            self._after_comparison(left_node, token, right_node, middle)
        end = self.tokens[self.at]
        named = any(each.free for each in self.tokens[self.tokens.index(begin) : self.at])
        texts = (self.reader.text[begin.start : token.start], self.reader.text[middle.start : end.start])
        written = (texts[0].strip(), texts[1].strip()) if named and self.reader.vocabulary.names else None
        readings = dice_or_total(
            left_node, token.text, right_node, written, is_open=written is not None and middle.free
        )
        if readings.doubt == "much" and not apart and not self.had_faults and not self.reader.settled:
            self.reader.fault(token.start, token.end, "can be read in two ways", "", readings.tip)
        elif readings.doubt == "some" and not apart:
            self.notes.append(f"the total is compared: {readings.tip}")
        return tree.Comparison(left_node, token.text, right_node, readings.doubt == "much")

    def _span(self, left_node: tree.Node, sign: Token) -> tree.Span | None:
        """Parse a range `9..12` after = or !=; a fault for `9-12`, which may be a range or a difference."""
        ends, at = list[int](), self.at
        if sign.text not in ("=", "!="):
            return None
        for separator in ("..", ""):
            below = bool(self.sign("-"))
            if self.token.kind != "number":
                break
            value = self.next().value
            ends.append(-value if below else value)
            if separator and self.token.text == "-" and self.ahead().kind == "number" and self._ends(2):
                self._minus_or_to(left_node, sign, ends[0])
                break
            if separator and not self.sign(separator):
                break
        if len(ends) == 2 and ends[0] <= ends[1]:
            return tree.Span(*ends)
        if len(ends) == 2:
            self.reader.fault(sign.start, sign.end, "is followed by a range that falls", "the lower number first")
        self.at = at
        return None

    def _minus_or_to(self, left_node: tree.Node, sign: Token, low: int) -> None:
        """Report `3d6 = 9-12`, which may be a range or a difference."""
        minus, high = self.token, self.ahead().value
        if low < high:
            ways = (
                ("a range", f"{left_node} {sign.text} {low}..{high}"),
                ("a difference", f"{left_node} {sign.text} ({low} - {high})"),
            )
            self.reader.fault(minus.start, minus.end, "can be read in two ways", "", two_ways(*ways))

    def _ends(self, steps: int) -> bool:
        """Whether the token so many steps ahead ends a comparison."""
        return self.ahead(steps).kind == "end" or self.ahead(steps).text in (")", ",", "vs", "then")

    def _after_comparison(self, left_node: tree.Node, sign: Token, right_node: tree.Node, middle: Token) -> None:
        """Report `d20 >= 11 then d6`: the dice may depend on the comparison, or be part of its right side."""
        begin = self.tokens.index(middle)
        then = next((self.tokens[at] for at in range(begin, self.at) if self._open_then(begin, at)), None)
        if then is None:
            return
        before = self.reader.text[middle.start : then.start].strip()
        after = self.reader.text[then.start : self.tokens[self.at].start].strip()
        ways = two_ways(
            ("dice that are rolled where it holds", f"({left_node} {sign.text} {before}) {after}"),
            ("a comparison with these dice", f"{left_node} {sign.text} ({right_node})"),
        )
        self.reader.fault(then.start, then.end, "can be read in two ways", "", ways)

    def _open_then(self, begin: int, at: int) -> bool:
        """Whether the token at a place is a `then` outside all brackets opened since `begin`."""
        texts = [token.text for token in self.tokens[begin:at]]
        return self.tokens[at].text == "then" and texts.count("(") == texts.count(")")

    def chain(self) -> tree.Node:
        """Parse a sum and its suffixes `then`, `gives` and `after`."""
        begin = self.token
        node = self.less(begin)
        while self.token.text in ("then", "gives", "after"):
            if self.token.text != "then":
                node = self.gives(node, begin) if self.token.text == "gives" else self.after(node, begin)
                continue
            self.next()
            if self.token.text not in DICE:
                tip = ""
                if self.token.kind == "number" and self.ahead().text == "d":
                    tip = f"for so many dice each time write then d({self.token.text}d{self.ahead(2).text})"
                self.stop("a die without a number before it: `then d6 count >=4`", tip)
            node = self._roll(self._dice_count(node, begin))
        return node

    def terms(self) -> tree.Node:
        """Parse the terms joined by + and -; a fault for sums of symbols and totals."""
        begin = self.token
        terms = [self._signed(begin)]
        while sign := self.sign("+", "-"):
            middle = self.token
            terms.append((1 if sign == "+" else -1, self._product()))
            if sign == "-" and shows_symbols(terms[0][1]) and shows_symbols(terms[-1][1]):
                tip = "symbols that others take away are told by less: 4d{hit,-} less 3d{hit,-}"
                self.reader.fault(middle.start, middle.end, "begins symbols after a minus", "", tip)
            elif sign == "-":
                self.check_total(terms[-1][1], middle)
        symbols = [term for _, term in terms if shows_symbols(term)]
        if 0 < len(symbols) < len(terms):
            tip = self.how_to_count(symbols[0])
            self.reader.fault(begin.start, begin.end, "begins a sum of symbols and totals", "", tip)
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else tree.Sum(tuple(terms))

    def _signed(self, begin: Token) -> tuple[int, tree.Node]:
        sign = self.sign("-", "+")
        node = self._product()
        if sign == "-":
            self.check_total(node, begin)
        return (-1 if sign == "-" else 1), node

    def _product(self) -> tree.Node:
        begin = self.token
        factors = [self._atom()]
        while self.token.text in ("*", "//", "/"):
            sign = self.next()
            middle = self.token
            if sign.text != "*":
                whole = factors[0] if len(factors) == 1 else tree.Product(tuple(factors))
                self.check_total(whole, begin)
                factors = [tree.Quotient(whole, self._divisor(), self._rounding(sign))]
                continue
            self._note_times(sign)
            if self.token.text == "-":
                self.stop("a number or dice; put a negative factor in brackets")
            factors.append(self._atom())
            self.check_total(factors[-1], middle)
            self.check_total(factors[0], begin)
        return factors[0] if len(factors) == 1 else tree.Product(tuple(factors))

    def _note_times(self, sign: Token) -> None:
        """Note that `2d6x6` multiplies: in other rollers such an x makes dice explode."""
        before = self.tokens[self.at - 2]
        is_letter = self.reader.text[sign.start : sign.end].casefold() == "x"
        if is_letter and before.end == sign.start and sign.end == self.token.start:
            self.notes.append(f"x is times; for dice that explode on {self.token.text} write !{self.token.text}")

    def _divisor(self) -> int:
        token, value = self.token, self.whole("a whole number to divide by")
        if value < 1 and (self.reader.settled or not self.reader.vocabulary.names):
            self.reader.fault(token.start, token.end, "cannot be divided by", "1 or more")
        return max(1, value)

    def _rounding(self, sign: Token) -> str:
        """Return down, up or off: `//` rounds down, and `/` needs words that say so."""
        rounded = self.word("rounded up", "rounded down", "rounded off").removeprefix("rounded ")
        ways = "to divide and round down write //, else / 2 rounded up, or rounded off"
        if sign.text == "/" and not rounded:
            self.reader.fault(sign.start, sign.end, "leaves open how it is rounded", "", ways)
        elif sign.text == "//" and rounded not in ("", "down"):
            self.reader.fault(sign.start, sign.end, f"rounds down, and not {rounded}", "", f"/ 2 rounded {rounded}")
        return rounded or "down"

    # -- what operators join ----------------------------------------------------------------------------------------

    def _atom(self) -> tree.Node:
        token = self.token
        if token.kind in ("name", "column"):
            return tree.Name(self.next().text)
        if token.kind == "dice":
            dice = self.dice_of[self.next().text]
            return self.modify(dice, self.mixed_die(dice.parts) if isinstance(dice, tree.Mix) else dice.die)
        if token.kind == "number":
            self.next()
            if self.token.text in DICE:
                return self._roll(self.dice(token))
            if self.token.text == "from":
                return self._draw(token, self.dice(token))
            if self.token.text == "(":
                tip = f"to roll it so often write {token.text}d(...), to multiply {token.text} * (...)"
                self.stop("an operator", tip)
            return tree.Number(token.value)
        if token.kind == "word" and token.text in DICE:
            return self._roll(1)
        if token.kind == "word" and token.text in ("max", "min", "highest", "lowest"):
            return self._best()
        if token.kind == "word" and token.text == "if":
            return self.if_else()
        if token.kind == "table":
            return self.look_up()
        if token.kind == "word" and token.text in tree.FUNCTIONS:
            return self._function()
        if token.kind == "word" and token.text in PATTERNS:
            return self._pattern_first()
        if token.text != "(":
            self.stop("a number, dice such as 3d6, a bracket, max(...) or min(...)")
        bracket = self.open_bracket()
        inner = self._inner()
        if self.token.text == ",":
            return self._side_by_side(bracket, inner)
        self.close_bracket(bracket, inner)
        if self.token.text in DICE:
            return self._roll(self._dice_count(inner, token))
        if self.token.text == "from":
            return self._draw(token, self._dice_count(inner, token))
        if self.token.text in MODIFIERS and isinstance(inner, tree.Pool | tree.Mix) and inner.count is None:
            return self._modify_bracket(inner)
        if self.token.text == "count" and shows_symbols(inner):
            return self.shown(inner)
        self.closed = inner
        return inner

    def _modify_bracket(self, dice: tree.Pool | tree.Mix) -> tree.Node:
        """Parse what is done with dice in a bracket, after those kept inside it."""
        if isinstance(dice, tree.Mix):
            return self.modify(dice, self.mixed_die(dice.parts))
        return self.modify(tree.KeptDice(dice) if dice.picks else dice, dice.die)

    def _side_by_side(self, bracket: Token, first: tree.Node) -> tree.Node:
        """Parse dice of several kinds in one bracket: `(2d6, d8) keep 2`."""
        parts = [first]
        while self.sign(","):
            parts.append(self._inner())
        self.close_bracket(bracket)
        pools = [part for part in parts if isinstance(part, tree.Pool) and not _is_done_with(part)]
        if len(pools) < len(parts):
            problem = "opens a bracket of dice side by side"
            legal_text = "dice that are not kept or counted yet: (2d6, d8, d12) keep 2"
            self.reader.fault(bracket.start, bracket.end, problem, legal_text, "for the highest total write max(...)")
            raise Stop
        return self.mix(tuple(pools))

    def _function(self) -> tree.Node:
        name = self.next()
        if self.token.text != "(":
            self.stop(f"brackets: {name.text}(2d6 - 7)")
        begin = self.token
        inner = self._bracket()
        self.check_total(inner, begin)
        if self.token.text in MODIFIERS:
            self.stop("an operator", f"{name.text}(...) is a total and no dice")
        return tree.Applied(name.text, inner)

    def _pattern_first(self) -> tree.Node:
        """Parse a pattern before its dice: `largest set of 5d6`."""
        patterns = [self.pattern()]
        if not self.word("of"):
            kind = patterns[0][1]
            self.stop(f"dice: 5d6 {kind}, or {kind} of 5d6")
        begin, dice = self.token, self._atom()
        if isinstance(dice, tree.Pool | tree.Mix):
            return self.pattern_of(dice, patterns)
        self.reader.fault(begin.start, begin.end, "begins no dice", "dice that are not counted: largest set of 5d6")
        raise Stop

    def _bracket(self) -> tree.Node:
        """Parse a part in brackets."""
        bracket = self.open_bracket()
        inner = self._inner()
        self.close_bracket(bracket)
        return inner

    def _inner(self) -> tree.Node:
        inner = self.either()
        if self.token.text == "vs":
            self.stop("`vs` outside of brackets, once: what wins is no total")
        return inner

    def part(self) -> tree.Node:
        """Parse one operand: a number, dice, a name, a function or a bracket."""
        return self._atom()

    def open_bracket(self) -> Token:
        """Consume an opening bracket and return its token; stop if brackets are nested too deep."""
        bracket = self.next()
        self.depth += 1
        if self.depth > MOST_DICE_NESTING:
            self.reader.fault(
                bracket.start, bracket.end, "opens too many brackets", f"at most {MOST_DICE_NESTING} deep"
            )
            raise Stop
        return bracket

    def close_bracket(self, bracket: Token, inner: tree.Node | None = None) -> None:
        """Consume the closing bracket, or stop with a fault, whose tip names the place of the opening one.

        `inner` is the part in the brackets, for a tip; None if there are several.
        """
        self.depth -= 1
        if self.token.text != ")":
            tip = self._misplaced(inner) or f"for the bracket of character {bracket.start + 1}"
            self.stop("an operator, a modifier or )", tip)
        self.next()

    def _best(self) -> tree.Node:
        """Parse max(...), min(...), `highest n of` or `lowest n of`."""
        name, n_parts = self.next(), 1
        if self.token.kind == "number":
            n_parts = self.next().value
        picks = bool(self.word("of")) and name.text in ("highest", "lowest")
        if self.token.text != "(":
            return self._highest_of(name, n_parts, picks)
        bracket, parts = self.open_bracket(), list[tree.Node]()
        while not parts or self.sign(","):
            begin = self.token
            parts.append(self.either())
            self.check_total(parts[-1], begin)
        self.close_bracket(bracket)
        if picks and len(parts) == 1 and isinstance(parts[0], tree.Pool | tree.Mix) and parts[0].count is None:
            return self._kept_of(name, n_parts, parts[0])
        if not 1 <= n_parts <= len(parts) or len(parts) < 2:
            problem = f"takes {n_parts} of {len(parts)}"
            tip = "after `count 4` a comma goes on with the faces: put brackets around it" if len(parts) == 1 else ""
            if len(parts) == 1 and isinstance(parts[0], tree.Pool) and parts[0].count is None:
                side = "" if name.text in ("max", "highest") else "lowest "
                tip = f"to keep dice write {parts[0]} keep {side}{n_parts}"
            self.reader.fault(name.start, name.end, problem, "two or more in brackets, and no more than them", tip)
        return tree.Best(name.text in ("max", "highest"), max(1, min(n_parts, len(parts))), tuple(parts))

    def _highest_of(self, name: Token, n_dice: int, picks: bool) -> tree.Node:
        """Parse `highest 2 of 4d6`, which is `4d6 keep 2`."""
        side = "highest" if name.text in ("max", "highest") else "lowest"
        if not picks:
            self.stop(f"brackets: {name.text}(2d6, 1d12)", f"for the {side} dice of a pool write {side} 2 of 4d6")
        begin, dice = self.token, self._atom()
        if isinstance(dice, tree.Pool | tree.Mix):
            return self._kept_of(name, n_dice, dice)
        legal_text = f"brackets: {side}(2d6, 1d12), or dice: {side} 2 of 4d6"
        self.reader.fault(begin.start, begin.end, "begins no dice of which some could be kept", legal_text)
        raise Stop

    def _kept_of(self, name: Token, n_dice: int, dice: tree.Pool | tree.Mix) -> tree.Node:
        self.check_pick(dice, name, n_dice)
        return replace(dice, picks=(*dice.picks, tree.Pick(True, name.text == "highest", n_dice)))

    def _dice_count(self, node: tree.Node, begin: Token) -> int | tree.Node:
        """Return the number of dice that a part stands for, or the part if it is rolled, with faults for its bounds."""
        self.check_total(node, begin)
        value = self.constant_of(node) if self.reader.vocabulary.names else None
        if value is not None or isinstance(node, tree.Number):
            number = node.value if isinstance(node, tree.Number) else max(0, value or 0)
            return self.dice(replace(begin, kind="number", text=f"{number}", value=number))
        low, high = bounds(node)
        self.check_many(begin, low, high, node)
        return node

    def _draw(self, begin: Token, n_cards: int | tree.Node) -> tree.Node:
        """Parse the deck after `from`, and what is done with the cards."""
        self.next()
        self.word("d")  # as a deck with a name is read as one die
        if self.token.kind != "braces":
            self.stop("the cards of a deck: 3 from {1..13*4}")
        deck = self.die(self.token, n_cards)
        return self.modify(self.drawn(begin, n_cards, deck), deck)

    def _roll(self, n_dice: int | tree.Node) -> tree.Node:
        """Parse the die after `d`, and what is done with the dice."""
        token = self.next()
        if token.text == "d" and self.token.text == "(":
            return self.pool(n_dice, self.inner_die(token, self._bracket()))
        return self.pool(n_dice, self.die(token, n_dice))


def _is_done_with(dice: tree.Pool | tree.Mix) -> bool:
    """Whether dice cannot stand side by side: kept, counted, symbols, or of a rolled number."""
    if isinstance(dice, tree.Mix):
        return bool(dice.picks or dice.count)
    return bool(dice.picks or dice.count or dice.die.symbolic or not isinstance(dice.n_dice, int))

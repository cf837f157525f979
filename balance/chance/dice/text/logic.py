"""Parse conditions and choices: `if(2d6 >= 7, d6, 0)`, `d20 gives (20: 12; 11+: 6; else: 0)`, `and`, `or`, `not`."""

from __future__ import annotations

from typing import cast

from balance.base.errors import BalanceError, UsageError
from balance.chance.dice.bounds import bounds, shows_symbols
from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.text.pools import PoolReader
from balance.chance.dice.text.tokens import Token
from balance.chance.dice.text.walking import LITTLE_WORK
from balance.chance.dice.tree import Chart, Comparison, Die, Faces, Gives, If, Logic, LookUp, Name, Node, Not, Number

MOST_BRANCHES = 100
PLAIN = Die("d1", ((1, 1),))
"""A die without symbols, as whose faces the values of branches are read."""


class LogicReader(PoolReader):
    """Parser of comparisons, choices and look-ups; their operands are left to subclasses."""

    def comparison(self) -> Node:
        """Parse a comparison, or a total alone."""
        raise NotImplementedError

    def open_bracket(self) -> Token:
        """Consume an opening bracket and return its token."""
        raise NotImplementedError

    def close_bracket(self, bracket: Token) -> None:
        """Consume the closing bracket, or stop with a fault that names the opening one."""
        raise NotImplementedError

    # -- and, or, not -----------------------------------------------------------------------------------------------

    def either(self) -> Node:
        """Parse operands of `or` (each of `and`), or the one that stands alone."""
        return self._joined("or")

    def _joined(self, word: str) -> Node:
        begins, parts = [self.token], [self._part_of(word)]
        while self.word(word):
            begins.append(self.token)
            parts.append(self._part_of(word))
        if len(parts) == 1:
            return parts[0]
        for begin, part in zip(begins, parts, strict=True):
            self._check_holds(begin, part, word)
        return Logic(word, tuple(parts))

    def _part_of(self, word: str) -> Node:
        return self._joined("and") if word == "or" else self._negation()

    def _negation(self) -> Node:
        if not self.word("not"):
            return self.comparison()
        begin, inner = self.token, self._negation()
        self._check_holds(begin, inner, "not")
        return Not(inner)

    def _check_holds(self, begin: Token, part: Node, word: str) -> None:
        """Refuse `2d6 and 1d8`, where `and` may mean addition: operands must be 0 or 1."""
        if shows_symbols(part) or not (
            isinstance(part, Comparison | Logic | Not | If | Name | Number) or _is_flag(part)
        ):
            problem = "is no comparison, and may hold or not"
            tip = f"to add totals write +, to say that one is not 0 write {part} > 0" if word == "and" else ""
            self.reader.fault(begin.start, begin.end, problem, f"around `{word}`: 2d6 >= 7", tip)

    # -- choices by a result ----------------------------------------------------------------------------------------

    def if_else(self) -> Node:
        """Parse `if(condition, part, part)`."""
        word = self.next()
        if self.token.text != "(":
            self.stop("brackets: if(2d6 >= 7, d6, 0)")
        bracket, parts = self.open_bracket(), [self._total()]
        while self.sign(",", ";"):
            parts.append(self._total())
        self.close_bracket(bracket)
        if len(parts) != 3:
            problem = f"has {len(parts)} parts"
            tip = "a comma after faces goes on with them: put brackets around (3d6 count 4)"
            self.reader.fault(word.start, word.end, problem, "three: if(CONDITION, THEN, ELSE)", tip)
            return parts[0]
        condition = self.constant_of(parts[0])
        if condition is not None:
            return parts[1] if condition else parts[2]
        return If(*parts)

    def _total(self) -> Node:
        begin, node = self.token, self.either()
        self.check_total(node, begin)
        return node

    def gives(self, node: Node, begin: Token) -> Node:
        """Parse `gives (...)`: a part for each value of the total `node`; faults stand at its first token, `begin`."""
        word = self.next()
        self.check_total(node, begin)
        if self.token.text != "(":
            self.stop("brackets: d20 gives (20: 12; 11+: 6; else: 0)")
        bracket, branches = self.open_bracket(), list[tuple[Faces | None, Node]]()
        while not branches or self.sign(";"):
            if branches and branches[-1][0] is None:
                self.stop("`else` last: what stands after it is never reached")
            branches.append(self._branch())
        self.close_bracket(bracket)
        if len(branches) > MOST_BRANCHES:
            self.reader.fault(word.start, word.end, "has too many branches", f"at most {MOST_BRANCHES}")
        self._check_covered(node, branches, word)
        value = self.constant_of(node)
        whole = Gives(node, tuple(branches))
        return whole if value is None or branches[-1][0] is not None else whole.branch(value)

    def _branch(self) -> tuple[Faces | None, Node]:
        faces = None if self.word("else") else self.faces(PLAIN)
        if not self.sign(":"):
            self.stop("a colon after the values: 11+: 6")
        return faces, self._total()

    def _check_covered(self, node: Node, branches: list[tuple[Faces | None, Node]], word: Token) -> None:
        """Report values of the total that have no branch, and add `else: 0` so that parsing can go on."""
        if branches[-1][0] is None:
            return
        values: list[int] | None = None
        low, high = bounds(node)
        try:
            values = sorted(law_of(node, Work(LITTLE_WORK)))
        except BalanceError:
            values = list(range(int(low), int(high) + 1)) if -LITTLE_WORK < low <= high < LITTLE_WORK else None
        lacking = None if values is None else [v for v in values if not any(f and f.has(v) for f, _ in branches)]
        if lacking == []:
            return
        text = "it may be more than is listed" if not lacking else f"nothing stands for {lacking[0]}"
        self.reader.fault(word.start, word.end, f"leaves something open: {text}", "", "say the rest: else: 0")
        branches.append((None, Number(0)))

    # -- look-up tables ---------------------------------------------------------------------------------------------

    def look_up(self) -> Node:
        """Parse a look-up `table[place]` or `table[row, column]`."""
        name = self.next()
        chart = cast("Chart", self.reader.vocabulary.tables[name.text])
        if not self.sign("["):
            self.stop(f"square brackets: {name.text}[2]")
        first = self.at
        places = [self._total()]
        while self.sign(",", ";"):
            places.append(self._total())
        is_named = any(token.free for token in self.tokens[first : self.at])
        if not self.sign("]"):
            self.stop("an operator or ]")
        if len(places) != chart.n_places:
            legal_text = "a row and a column" if chart.n_places == 2 else "one place"
            self.reader.fault(name.start, name.end, f"is looked up by {len(places)}", legal_text)
            return Number(0)
        values = [self.constant_of(place) for place in places]
        known_values = [value for value in values if value is not None]
        if len(known_values) < len(places):
            return LookUp(name.text, chart, tuple(places))
        return self._looked_up(chart, known_values, is_named and not self.reader.settled)

    @staticmethod
    def _looked_up(chart: Chart, places: list[int], is_trial: bool) -> Node:
        """Return the value at known places as a number.

        Where the table lacks a trial value of a name, which no unit need have, the place itself stands in.
        """
        try:
            return Number(chart.at(*places))
        except UsageError:
            if not is_trial:
                raise
            return Number(places[0])


def _is_flag(part: Node) -> bool:
    """Whether the bounds of a part are within 0 and 1, so that it can be an operand of `and`."""
    low, high = bounds(part)
    return low >= 0 and high <= 1

"""Parse losses: symbols cancelled by others of their kind, and wounds that hits take from figures."""

from __future__ import annotations

from math import inf

from balance.base.limits import MOST_DICE
from balance.chance.dice.bounds import bounds, shows_symbols
from balance.chance.dice.text.logic import LogicReader
from balance.chance.dice.text.pools import is_never_below
from balance.chance.dice.text.tokens import Token
from balance.chance.dice.tree import SHIFT, Less, Node, Pool, Shown, WoundsLeft, parts_of


class LossReader(LogicReader):
    """Parser of `less`, `after` and counted symbols; sums and their terms are left to subclasses."""

    def chain(self) -> Node:
        """Parse a sum with its suffixes."""
        raise NotImplementedError

    def terms(self) -> Node:
        """Parse the terms joined by + and -."""
        raise NotImplementedError

    def less(self, begin: Token) -> Node:
        """Parse terms, and after `less` the symbols that cancel as many of the same kind; faults stand at `begin`."""
        node = self.terms()
        while word := self.word("less"):
            middle = self.token
            other = self.terms()
            if not (shows_symbols(node) and shows_symbols(other)):
                place = middle if shows_symbols(node) else begin
                tip = "of totals the rest is max(0, 3d6 - 2d6)"
                self.reader.fault(place.start, place.end, f"is no symbols, on both sides of `{word}`", "", tip)
            elif not _kinds_of_symbols(node) & _kinds_of_symbols(other):
                names = ", ".join(self.symbols[place] for place in sorted(_kinds_of_symbols(node)))
                problem = "begins symbols that take nothing away"
                self.reader.fault(middle.start, middle.end, problem, f"some of {names}")
            node = Less(node, other)
        return node

    def after(self, node: Node, begin: Token) -> Node:
        """Parse hits on wounds `node`: `20 after (10d6 count 5+) hits of d3 on figures of 2`; faults are at `begin`."""
        self.next()
        places, parts = [begin, self.token], [node, self.chain()]
        if not self.word("hits of"):
            self.stop("hits and their damage: 20 after (10d6 count 5+) hits of d3 on figures of 2")
        places.append(self.token)
        parts.append(self.terms())
        if self.word("on figures of"):
            places.append(self.token)
            parts.append(self.part())
        if self.token.text in ("+", "-", "*", "//", "/"):
            self.stop("the end", "put brackets around it to go on with what is left: (20 after 3 hits of d6) + 1")
        least = (0, 0, 0, 1)
        for place, part, low in zip(places, parts, least, strict=False):
            self.check_total(part, place)
            self._check_least(place, part, low)
        if MOST_DICE < bounds(parts[1])[1] < inf:
            self.reader.fault(places[1].start, places[1].end, "begins too many hits", f"at most {MOST_DICE:,}")
        return WoundsLeft(*parts)

    def shown(self, inner: Node) -> Node:
        """Parse the symbols that are counted of a sum of symbols, `inner`: `(...) count every hit`."""
        self.next()
        if not self.word("every"):
            self.stop("the word every: these are symbols and no dice, (4d{hit,-} less 3d{hit,-}) count every hit")
        return Shown(inner, self.every_symbol())

    def _check_least(self, begin: Token, node: Node, least: int) -> None:
        """Report wounds, hits or the like that may fall below `least`; not where names are known, which are clipped."""
        low, _ = bounds(node)
        if low < least and not self.reader.vocabulary.names and not is_never_below(node, least):
            self.reader.fault(begin.start, begin.end, f"begins a number that may be below {least}", f"{least} and more")


def _kinds_of_symbols(node: Node) -> set[int]:
    """Return the indices of the symbols on the dice of a part."""
    if isinstance(node, Pool):
        faces = [value for value, _ in node.die.faces]
        return {
            place
            for value in faces
            for place in range(value.bit_length() // SHIFT + 1)
            if value >> SHIFT * place & ((1 << SHIFT) - 1)
        }
    parts = (node.first,) if isinstance(node, Less) else parts_of(node)
    return set[int]().union(*map(_kinds_of_symbols, parts))

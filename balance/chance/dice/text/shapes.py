"""Parse results of dice taken together: patterns, pairs, cards drawn from a deck."""

from __future__ import annotations

from math import inf

from balance.chance.dice.bounds import bounds, shows_symbols
from balance.chance.dice.text.tokens import Token
from balance.chance.dice.text.walking import SIGNS, Walker
from balance.chance.dice.tree import Die, KeptDice, Mix, Node, Pairs, Pattern, Pool

PATTERNS = ("largest", "longest run", "different", "sets of")
"""Words that begin what is told of equal and following dice."""


class ShapeReader(Walker):
    """Parser of patterns, pairs and draws."""

    def pattern(self) -> tuple[Token, str, int]:
        """Parse the name of a pattern; return its token, its kind and the size of its sets (0 for other kinds)."""
        token, size = self.next(), 0
        kind = "largest set" if token.text == "largest" else token.text
        if token.text == "largest" and not self.word("set"):
            self.stop("the word set: 5d6 largest set")
        if token.text == "largest" and self.token.text == "of" and self.ahead().text in ("equal", "dice"):
            self.next(), self.word("equal"), self.word("dice")
        if token.text == "sets of":
            number = self.token
            size = max(1, self.number("how many equal dice make a set: 5d6 sets of 2"))
            if size == 1 and not number.free and not self.reader.vocabulary.names:
                self.reader.fault(number.start, number.end, "is no size of a set", "2 or more: 5d6 sets of 2")
        return token, kind, size

    def pattern_of(self, node: Node, patterns: list[tuple[Token, str, int]]) -> Node:
        """Apply a pattern to dice; report a second one, and dice that it cannot apply to.

        `patterns` are what `pattern` returned for each one that follows the dice.
        """
        (token, kind, size), *others = patterns
        if others or not isinstance(node, Pool | Mix) or node.count is not None:
            problem = "is told of dice that are not counted or rolled on after they were kept"
            self.reader.fault(token.start, token.end, problem, "once, of all dice: 5d6 largest set")
        return Pattern(node, kind, size) if isinstance(node, Pool | Mix) else node

    def pairs(self, node: Pool | Mix | KeptDice) -> Node:
        """Parse `pairs > 2d6` after the dice of the first side: a sign and the dice of the other side."""
        token = self.next()
        sign = self.sign(*SIGNS)
        if not sign:
            tip = "for sets of 2 equal dice write 5d6 sets of 2"
            self.stop("a sign and dice of the other side: 3d6 pairs > 2d6", tip)
        begin, other = self.token, self.part()
        for place, side in ((token, node), (begin, other)):
            if not isinstance(side, Pool | Mix) or side.count is not None or shows_symbols(side):
                problem = "compares dice in pairs" if place is token else "begins no dice that compare in pairs"
                legal_text = "dice of numbers that are not counted: 3d6 pairs > 2d6 keep 1"
                self.reader.fault(place.start, place.end, problem, legal_text)
                return node
        return Pairs(node, sign, other) if isinstance(node, Pool | Mix) and isinstance(other, Pool | Mix) else node

    def drawn(self, begin: Token, n_cards: int | Node, deck: Die) -> Pool:
        """Return cards drawn from a deck without replacement; a fault at `begin` if they may be more than it has.

        The faces of the die `deck` are the cards.
        """
        size = sum(number for _, number in deck.faces)
        most = n_cards if isinstance(n_cards, int) else bounds(n_cards)[1]
        if isinstance(n_cards, int) and (
            begin.free or self.reader.vocabulary.names
        ):  # a row, or a name, draws all that there are
            n_cards = min(n_cards, size)
        elif size < most < inf or most == inf:
            problem = f"may be more cards than the deck has: {size}" if most == inf else "are more cards than there are"
            self.reader.fault(begin.start, begin.end, problem, f"at most {size}")
            n_cards = 0
        return Pool(n_cards, deck, drawn=True)

"""Parse one pool: its die and its modifiers, such as `6 reroll 1 keep 2` after `3d`."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from balance.base.errors import BalanceError
from balance.base.limits import MOST_DICE, MOST_DICE_FACES
from balance.chance.dice.bounds import shows_symbols
from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.text.faces import read_faces
from balance.chance.dice.text.habits import tens_and_ones, two_ways
from balance.chance.dice.text.shapes import PATTERNS, ShapeReader
from balance.chance.dice.text.tokens import Token
from balance.chance.dice.text.walking import LITTLE_WORK, SIGNS, STARTS
from balance.chance.dice.tree import (
    Against,
    Count,
    Die,
    Each,
    Explosion,
    Faces,
    KeptDice,
    Mix,
    Node,
    Number,
    Pick,
    Pool,
    Reroll,
    names_in,
)
from balance.chance.dice.words import faces_in_words

MODIFIERS = (
    *("reroll", "each at least", "each at most", "keep", "drop", "count", "!", "!!"),
    *PATTERNS,
    "pairs",
)
FUDGE = ((-1, 1), (0, 1), (1, 1))


class PoolReader(ShapeReader):
    """Parser of dice, cards and their modifiers."""

    # -- dice -------------------------------------------------------------------------------------------------------

    def dice(self, token: Token) -> int:
        """Return the number of dice that a token gives, with a fault beyond `MOST_DICE`; at least 0 in a family."""
        n_dice = max(0, token.value) if token.free else token.value
        self.check_many(token, n_dice, n_dice)
        return min(n_dice, MOST_DICE)

    def check_many(self, token: Token, low: float, high: float, node: Node | None = None) -> None:
        """Report a rolled number of dice, between the bounds `low` and `high`, that may be negative or too large.

        It begins with the token; as the part `node` its law decides where the bound is loose.
        """
        if low < 0 and node is not None and not is_never_below(node, 0):
            self.reader.fault(token.start, token.end, "begins a number of dice that may be below 0", "0 and more")
        elif high > MOST_DICE and high != inf:
            self.reader.fault(token.start, token.end, "are too many dice", f"at most {MOST_DICE:,}")

    def die(self, begin: Token, n_dice: int | Node) -> Die:
        """Parse the die after `d` (sides, `%` or faces in braces); `dF` is complete by itself.

        The number of dice only tells whether d66 may be meant digit by digit.
        """
        if begin.text == "df":
            return Die("dF", FUDGE)
        if self.token.kind == "number":
            token = self.next()
            if not token.free and (tip := tens_and_ones(n_dice, token.value)):
                self.reader.fault(token.start, token.end, "can be read in two ways", "", tip)
            return self._die_of_sides(token, token.value)
        if self.token.kind == "braces":
            return self._custom(self.next())
        if not self.sign("%"):
            self.stop("faces: d6, d%, dF, d{0,1,1,2} or d{hit,-}")
        return Die("d%", tuple((value, 1) for value in range(1, 101)))

    def _die_of_sides(self, token: Token, sides: int) -> Die:
        if not 1 <= sides <= MOST_DICE_FACES:
            tip = "the die of 100 sides is d100 or d%" if token.text == "00" else ""
            self.reader.fault(token.start, token.end, "is no number of sides", f"1 to {MOST_DICE_FACES:,}", tip)
            sides = 1
        return Die(f"d{sides}", tuple((value, 1) for value in range(1, sides + 1)))

    def _custom(self, token: Token) -> Die:
        faces = read_faces(self.reader, token, symbols := list(self.symbols))
        symbolic = symbols != self.symbols or any(name in token.text.casefold() for name in symbols)
        self.symbols = symbols
        values = [value for value, _ in faces]
        if not symbolic and len(values) > 1 and {*values} <= {4, 6, 8, 10, 12, 20, 100}:
            self.notes.append(f"d{token.text} is one die with these faces; a row for each die is d({token.text})")
        text = ",".join("".join(piece.split()) for piece in token.text[1:-1].casefold().split(","))
        return Die(f"d{{{text}}}", faces, None, symbolic)

    def inner_die(self, token: Token, inner: Node) -> Die:
        """Return the die of `d(...)`, which shows the total of `inner`; the token of the bracket is for faults."""
        if isinstance(inner, Number):
            die = self._die_of_sides(token, inner.value)
            return replace(die, text=f"d({inner.value})") if tens_and_ones(1, inner.value) else die
        if shows_symbols(inner):
            self.reader.fault(token.start, token.end, "begins a die of symbols", "", "write its faces: d{hit,-}")
        sides = self.constant_of(inner) if self.reader.vocabulary.names else None
        return Die("d()", (), inner) if sides is None else self._die_of_sides(token, sides)

    # -- what is done with them -------------------------------------------------------------------------------------

    def pool(self, n_dice: int | Node, die: Die) -> Node:
        """Parse the modifiers of a new pool, in any order."""
        return self.modify(Pool(n_dice, die), die)

    def mix(self, parts: tuple[Pool, ...]) -> Node:
        """Parse the modifiers of dice side by side."""
        return self.modify(Mix(parts), self.mixed_die(parts))

    def mixed_die(self, parts: tuple[Pool, ...]) -> Die:
        """Return a die that has every face of the pools, to check faces against."""
        faces = {value: weight for pool in parts for value, weight in pool.die.faces}
        return Die("(...)", tuple(sorted(faces.items())) or ((0, 1),))

    def modify(self, dice: Pool | Mix | KeptDice, die: Die) -> Node:
        """Parse all modifiers that follow dice, and apply them; `die` is what these are, for its faces."""
        node, begin, against, patterns = dice, self.token, list[tuple[str, Node]](), list[tuple[Token, str, int]]()
        while self.token.text in MODIFIERS and self.token.text != "pairs":
            token = self.token
            if token.text in ("!", "!!"):
                node = self._put(node, token, self._explosion(die, node))
            elif token.text == "reroll":
                node = self._put(node, token, self._reroll(die, node))
            elif token.text in ("each at least", "each at most"):
                node = self._limit_each(node, die)
            elif token.text in ("keep", "drop"):
                node = self._pick_dice(node, token)
            elif token.text == "count" and self._rolled_limit():
                against.append(self._limit(token, against))
            elif token.text == "count":
                node = self._set(node, token, "count", self._count(die, node))
            else:
                patterns.append(self.pattern())
        if isinstance(node, KeptDice) and node.reroll is None and node.explosion is None:
            node = node.as_pool
        self._note_faces(node, die)
        if die.symbolic and (against or patterns or (not isinstance(node, KeptDice) and node.picks)):
            self.reader.fault(begin.start, begin.end, "keeps or compares symbols, which have no order")
        if patterns:
            self._alone(patterns[0][0], against)
            return self.pattern_of(node, patterns)
        if self.token.text == "pairs":
            self._alone(self.token, against)
            return self.pairs(node)
        return self._against(node, against)

    def _note_faces(self, node: Pool | Mix | KeptDice, die: Die) -> None:
        """Note faces that the die does not have, where rolls are not summed: `10d6 count 56`."""
        if die.inner is not None or die.symbolic or self.reader.vocabulary.names or any(t.free for t in self.tokens):
            return
        pools = node.parts if isinstance(node, Mix) else (node.pool if isinstance(node, KeptDice) else node,)
        rerolls = [each.reroll.faces for each in (node, *pools) if not isinstance(each, Mix) and each.reroll]
        count = node.count if all(pool.explosion is None and pool.each is None for pool in pools) else None
        count = None if isinstance(node, KeptDice) else count
        counted = [count.faces, count.double, count.triple, count.cancel, count.skip] if count else []
        for faces in dict.fromkeys([*rerolls, *counted]):
            self.notes += [] if faces is None else _no_faces(faces, die)

    def _alone(self, token: Token, against: list[tuple[str, Node]]) -> None:
        """Report a pattern or pairs of dice that are also compared with a rolled total."""
        if against:
            self.reader.fault(token.start, token.end, "is told of dice that are counted", "one or the other")

    def _against(self, node: Pool | Mix | KeptDice, against: list[tuple[str, Node]]) -> Node:
        """Return dice compared with a rolled total, or the dice alone if `against` is empty."""
        if not against:
            return node
        sign, limit = against[0]
        if not names_in(limit):
            self.notes.append(f"{limit} is rolled once, and every die is compared with it")
        return Against(node, sign, limit)

    def _put(self, dice: Pool | Mix | KeptDice, token: Token, value: Explosion | Reroll) -> Pool | Mix | KeptDice:
        """Apply an explosion or a re-roll to every die, or to those kept in a bracket; report where both fit."""
        name = "explosion" if isinstance(value, Explosion) else "reroll"
        pools = dice.parts if isinstance(dice, Mix) else (dice.pool if isinstance(dice, KeptDice) else dice,)
        if any(pool.drawn for pool in pools):
            legal_text = "keep, drop, count, each at least, largest set and the like"
            self.reader.fault(token.start, token.end, "is done with cards, each of which is drawn once", legal_text)
            return dice
        if isinstance(dice, Mix):
            parts = [self._set(pool, token, name, value) for pool in dice.parts]
            mix = replace(dice, parts=tuple(pool for pool in parts if isinstance(pool, Pool)))
            if dice.picks:
                tip = f"write it in the brackets: {mix}"
                self.reader.fault(token.start, token.end, "stands after dice were kept", "", tip)
            return mix
        changed_dice = self._set(dice, token, name, value)
        if isinstance(dice, Pool) and dice.picks and isinstance(changed_dice, Pool):
            after = KeptDice(replace(dice, count=None), count=dice.count)
            later = replace(after, explosion=value) if isinstance(value, Explosion) else replace(after, reroll=value)
            before = f"{replace(changed_dice, count=None)}"
            ways = two_ways(("all dice", before), ("those that are kept", replace(later, count=None)))
            if isinstance(value, Explosion):
                self.reader.fault(token.start, token.end, "can be read in two ways", "", ways)
            elif dice.explosion is None:
                self.notes.append(f"every die is rolled again before dice are kept: {ways}")
        return changed_dice

    def _pick_dice(self, dice: Pool | Mix | KeptDice, token: Token) -> Pool | Mix | KeptDice:
        """Parse `keep` or `drop` and apply it."""
        pool = dice.pool if isinstance(dice, KeptDice) else dice
        pick = self._pick(pool, token)
        if not isinstance(dice, KeptDice):
            return replace(dice, picks=(*dice.picks, pick))
        if dice.reroll is not None or dice.explosion is not None:
            problem = "keeps dice that were rolled on after others were kept"
            self.reader.fault(token.start, token.end, problem, "one keeping: (8d4 keep 4)!")
        return replace(dice, pool=replace(dice.pool, picks=(*dice.pool.picks, pick)))

    def _set(self, dice: Pool | Mix | KeptDice, token: Token, name: str, value: object) -> Pool | Mix | KeptDice:
        inner = isinstance(dice, KeptDice) and name == "explosion" and dice.pool.explosion is not None
        if getattr(dice, name) is not None or inner:
            self.reader.fault(token.start, token.end, "is said twice of one pool", "once")
        changes: dict[str, Any] = {name: value}
        return replace(dice, **changes)

    # -- a total that every die is compared with, and sets of equal dice ---------------------------------------------

    def _rolled_limit(self) -> bool:
        """Whether `count` and a sign are followed by dice, so that each die is compared with a rolled total."""
        sign, after, beyond = (self.ahead(steps) for steps in (1, 2, 3))
        rolls = after.text in ("(", *STARTS) or (after.kind == "number" and beyond.text in ("d", "df"))
        if sign.kind != "sign" or sign.text not in SIGNS or not rolls:
            return False
        return after.text != "(" or not self.reader.vocabulary.names or not self._is_constant(2)

    def _is_constant(self, steps: int) -> bool:
        """Whether the bracket that opens so many tokens ahead contains no dice."""
        depth, at = 0, self.at + steps
        for token in self.tokens[at:]:
            depth += (token.text == "(") - (token.text == ")")
            if (token.text in ("d", "df") and token.kind == "word") or token.kind == "column":
                return False
            if depth == 0:
                break
        return True

    def _limit(self, token: Token, limits: list[tuple[str, Node]]) -> tuple[str, Node]:
        if limits:
            self.reader.fault(token.start, token.end, "is said twice of one pool", "once")
        self.next()
        sign, begin = self.next().text, self.token
        limit = self.part()
        if shows_symbols(limit):
            self.reader.fault(begin.start, begin.end, "begins symbols, where a total is needed")
        if isinstance(limit, Number):
            self.reader.fault(begin.start, begin.end, "is a number in brackets", "faces without them: count >=5")
        if self.token.text in ("double", "triple", "twice", "cancel", "skip"):
            self.stop("nothing more to count; what is compared with a roll counts one")
        return sign, limit

    def _explosion(self, die: Die, dice: Pool | Mix | KeptDice) -> Explosion:
        token, sign = self.next(), self.token
        starts = self.token.kind == "number" or self.token.text in (*SIGNS, "failing") or self.names_symbol(die)
        faces = self.faces(die) if starts else None
        max_times = None
        if self.word("once"):
            max_times = 1
        elif self.token.text == "at" and self.ahead().text == "most":
            self.next(), self.next()
            max_times = self.number("how often at most")
        if not self._check_explosion(token, die, faces, max_times) and max_times is None:
            self._explodes_or_compares(token, sign, dice, faces)
        return Explosion(faces, token.text == "!!", max_times)

    def _explodes_or_compares(self, token: Token, sign: Token, dice: object, faces: Faces | None) -> None:
        """Report `5d10! >= 8`, which may name exploding faces, compare the total or count dice."""
        if sign.start > token.end and sign.text in (">=", "<=", ">", "<", "="):
            ways = [
                ("dice that explode on these faces", f"{dice}{token.text}{faces}"),
                ("the total", f"({dice}{token.text}) {sign.text} {f'{faces}'.lstrip('<>=')}"),
                ("how many dice show it", f"{dice}{token.text} count {faces}"),
            ]
            self.reader.fault(sign.start, sign.end, "can be read in several ways", "", two_ways(*ways))

    def _check_explosion(self, token: Token, die: Die, faces: Faces | None, max_times: int | None) -> bool:
        """Return whether no face explodes, which is reported, as are explosions without end."""
        if die.inner is not None or die.symbolic:
            if faces is None:
                problem = "has no highest face here"
                self.reader.fault(token.start, token.end, problem, "", "name the faces: !>=12 or !crit")
            return faces is None
        top = max(value for value, _ in die.faces)
        again = [value for value, _ in die.faces if (faces.has(value) if faces else value == top)]
        if len(again) == len(die.faces) and max_times is None:
            problem = "would never end: every face is rolled again"
            self.reader.fault(token.start, token.end, problem, "", "say `! at most 5`, or name fewer faces")
        elif not again and not self.reader.vocabulary.names:
            tip = "to compare the total put brackets around the dice: (1d6!) >= 7"
            self.reader.fault(token.start, token.end, f"explodes on {faces}, which no face is", "", tip)
        return not again

    def _reroll(self, die: Die, dice: Pool | Mix | KeptDice) -> Reroll:
        token = self.next()
        always = bool(self.word("always"))
        self.word("once")
        max_dice = self._most_dice()
        faces = self.faces(die)
        always = bool(self.word("always")) or always
        self.word("once")
        if always and die.inner is None and all(faces.has(value) for value, _ in die.faces):
            problem = "would never end: every face is rolled again"
            self.reader.fault(token.start, token.end, problem, "", "leave `always` out, or name fewer faces")
        if max_dice is not None:
            self._check_some_again(token, die, faces, dice)
        return Reroll(faces, always, max_dice)

    def _most_dice(self) -> int | None:
        """Parse the limit of a re-roll, `up to 2 of`; None without one."""
        if self.token.text == "at" and self.ahead().text == "most":
            self.next(), self.next()
        elif not self.word("up to"):
            return None
        n_dice = max(0, self.number("how many dice: reroll up to 2 of 1-3"))
        self.word("dice")
        if not self.word("of"):
            self.stop("the word of, and faces: reroll up to 2 of 1-3")
        return n_dice

    def _check_some_again(self, token: Token, die: Die, faces: Faces, dice: Pool | Mix | KeptDice) -> None:
        """Report a limited re-roll of dice among which the lowest is not defined."""
        tip = ""
        if isinstance(dice, Mix):
            tip = "write it in the brackets, for dice of one kind: (4d6 reroll up to 2 of 1, d8)"
        elif isinstance(dice, KeptDice):
            tip = "write it in the brackets, before dice are kept"
        elif die.symbolic and sum(faces.has(value) for value, _ in die.faces) > 1:
            tip = "name symbols that one kind of face shows, such as blank"
        if tip:
            self.reader.fault(token.start, token.end, "rolls so many of some dice again: which is open", "", tip)

    def _limit_each(self, dice: Pool | Mix | KeptDice, die: Die) -> Pool | Mix | KeptDice:
        """Parse `each at least` or `each at most` and apply it."""
        token = self.next()
        value = self.face()
        each = Each(least=value) if token.text == "each at least" else Each(highest=value)
        if die.symbolic:
            self.reader.fault(token.start, token.end, "is said of symbols, which have no order")
        if isinstance(dice, Mix):
            return replace(
                dice, parts=tuple(replace(pool, each=self._both_ends(token, pool.each, each)) for pool in dice.parts)
            )
        return replace(dice, each=self._both_ends(token, dice.each, each))

    def _both_ends(self, token: Token, before: Each | None, each: Each) -> Each:
        if before is None:
            return each
        if (before.least is None) == (each.least is None):
            self.reader.fault(token.start, token.end, "is said twice of one pool", "once")
            return before
        both = Each(
            each.least if before.least is None else before.least,
            each.highest if before.highest is None else before.highest,
        )
        if both.least is not None and both.highest is not None and both.least > both.highest and not token.free:
            problem = f"leaves nothing from {both.least} to {both.highest}"
            self.reader.fault(token.start, token.end, problem, "the least first: each at least 2 each at most 5")
        return both

    def _pick(self, pool: Pool | Mix, token: Token) -> Pick:
        """Parse which dice are kept or dropped: by default the highest are kept, the lowest dropped."""
        keep = self.next().text == "keep"
        side = self.word("highest", "lowest")
        number, is_said = self.token, self.says_number
        if not is_said and not side:
            self.stop(f"how many dice: {token.text} 1")
        n_dice = max(0, self.number("how many dice")) if is_said else 1
        if is_said:
            side = side or self.word("highest", "lowest")
            self.check_pick(pool, number, n_dice, keep=keep)
        return Pick(keep, (side or ("highest" if keep else "lowest")) == "highest", n_dice)

    def check_pick(self, dice: Pool | Mix, number: Token, n_dice: int, *, keep: bool = True) -> None:
        """Report a number of dice to keep, or else to drop, that is out of range for the pool.

        `dice` are those of the pool, with those kept or dropped before; `number` is the token of `n_dice`.
        """
        unknown = isinstance(dice, Pool) and (not dice.n_dice or not isinstance(dice.n_dice, int))
        if unknown or any(token.free for token in self.tokens):  # a row may keep all it has
            return
        first, last = dice.stays()
        max_dice = last - first - (not keep)
        if not 1 <= n_dice <= max_dice:
            legal_text = f"1 to {max_dice}" if max_dice > 0 else "none"
            verb, rest = ("keep", "") if keep else ("drop", ", so that one is left")
            self.reader.fault(
                number.start, number.end, f"is no number of dice to {verb} of {last - first}", legal_text + rest
            )

    def _count(self, die: Die, dice: Pool | Mix | KeptDice) -> Count:
        """Parse what each die counts; a word said twice is reported, as it may mean two things."""
        self.next()
        if self.word("every"):
            if not die.symbolic:
                self.stop("a symbol of the dice; numbers are added by themselves")
            return Count(self.every_symbol(), every=True)
        faces = self.faces(die)
        faces_by_word: dict[str, Faces] = {}
        while self.token.text in ("double", "triple", "twice", "cancel", "skip"):
            token = self.next()
            word = "double" if token.text == "twice" else token.text
            faces_meant = faces if token.text == "twice" else self.faces(die)
            if token.text == "twice" and faces_by_word:
                self._twice_of_what(token, Count(faces), faces_by_word, dice)
            if word in faces_by_word:
                self._said_again(token, word, f"{dice} count {faces}", faces_by_word[word], faces_meant)
            faces_by_word[word] = faces_meant
        others = {word: faces_by_word.get(word) for word in ("double", "cancel", "triple", "skip")}
        return Count(faces, others["double"], others["cancel"], others["triple"], others["skip"])

    def every_symbol(self) -> Faces:
        """Parse symbols after `count every`, each of which counts as often as it shows."""
        begin, faces = self.token, self.some_symbols()
        if faces.blank:
            self.reader.fault(begin.start, begin.end, "is no symbol of which a die shows so many", "", "count blank")
        return faces

    def _said_again(self, token: Token, word: str, begin: str, before: Faces, again: Faces) -> None:
        """Report a second `double` and the like: both lists of faces, or one of them twice over."""
        lists = all(text.replace(",", "").isalnum() for text in (str(before), str(again)))
        faces = f"{before},{again}" if lists and before != again else f"{before}"
        ways = [("every such face once", f"{begin} {word} {faces}")]
        if word == "double":
            ways.append(("a face that counts three", f"{begin} triple {again}"))
        self.reader.fault(token.start, token.end, "is said twice, which can be read in two ways", "", two_ways(*ways))

    def _twice_of_what(
        self, token: Token, count: Count, faces_by_word: dict[str, Faces], dice: Pool | Mix | KeptDice
    ) -> None:
        word, word_faces = next(iter(faces_by_word.items()))
        every_die, once = f"{dice} {count} twice {word} {word_faces}", f"{dice} {count} {word} {word_faces}"
        ways = two_ways(("twice what counts", every_die), ("once", once))
        self.reader.fault(token.start, token.end, "can be read in two ways", "", ways)


def _no_faces(faces: Faces, die: Die) -> list[str]:
    """Return notes on faces that a die does not have, such as 56 for 5 and 6."""
    values = [value for value, _ in die.faces]
    notes = list[str]()
    for low, high in faces.spans:
        if any((low is None or value >= low) and (high is None or value <= high) for value in values):
            continue
        digits = [int(digit) for digit in str(low)] if low is not None and low == high and low > 9 else []
        told = f"{low}" if low == high else faces_in_words(faces)
        tip = f"faces go from {min(values)} to {max(values)}"
        if digits and {*digits} <= {*values}:
            tip = f"for {' or '.join(map(str, digits))} write {','.join(map(str, digits))}"
            if len(digits) == 2 and digits[0] < digits[1]:
                tip += f", for {digits[0]} to {digits[1]} write {digits[0]}-{digits[1]}"
        notes.append(f"no face of {die.text if die.text != '(...)' else 'these dice'} is {told}; {tip}")
    return notes if faces.spans and not faces.text.startswith("!=") else []


def is_never_below(node: Node, least: int) -> bool:
    """Whether the law of a part, if it is cheap to find, has no total below `least`; its bounds may be loose."""
    try:
        return min(law_of(node, Work(LITTLE_WORK))) >= least
    except BalanceError:
        return False

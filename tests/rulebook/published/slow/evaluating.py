"""An expression of a game file with values for its names, rolled out in every way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.rulebook.published.references.chances import Law, become, die, faces
from tests.rulebook.published.slow.parsing import Part
from tests.rulebook.published.slow.rolling import (
    SIGNS,
    Choose,
    Roll,
    after_hits,
    count_of,
    every_way,
    exploding,
    faces_of,
    hand_law,
    number,
    pool_law,
)

BEST: Mapping[str, Callable[..., int]] = {"max": max, "min": min, "abs": abs}


@dataclass
class Evaluator:
    """Evaluates parts.

    Attributes
    ----------
    values
        Name -> number or roll.
    dice
        Name of dice -> their faces in braces.
    tables
        Name of a look-up table -> its value at places.
    choose
        Asked which outcome chance takes.
    """

    values: dict[str, Any]
    dice: Mapping[str, str]
    tables: Mapping[str, Callable[..., int]]
    choose: Choose

    def number(self, part: Part) -> int:
        """Return a part as a number."""
        return number(self.value(part))

    def value(self, part: Part) -> Any:
        """Return the value of a part: a number, or dice as they fell."""
        return getattr(self, f"of_{part[0]}")(*part[1:])

    def of_number(self, value: int) -> int:
        return value

    def of_name(self, name: str) -> Any:
        return self.values[name]

    def of_look(self, table: str, places: list[Part]) -> int:
        return self.tables[table](*map(self.number, places))

    def of_sum(self, sign: str, one: Part, other: Part) -> int:
        return int(SIGNS[sign](self.number(one), self.number(other)))

    of_compare = of_sum

    def of_and(self, one: Part, other: Part) -> int:
        return int(all([self.number(one), self.number(other)]))

    def of_or(self, one: Part, other: Part) -> int:
        return int(any([self.number(one), self.number(other)]))

    def of_not(self, part: Part) -> int:
        return int(not self.number(part))

    def of_if(self, condition: Part, yes: Part, no: Part) -> Any:
        return self.number(yes if self.number(condition) else no)

    def of_best(self, word: str, parts: list[Part]) -> int:
        return BEST[word](*map(self.number, parts))

    def of_gives(self, part: Part, branches: list[tuple[Any, Part]]) -> int:
        value = self.number(part)
        for ranges, result in branches:
            if ranges == "else" or count_of(ranges, self.number, value):
                return self.number(result)
        raise ValueError(f"nothing stands for {value}")

    def of_after(self, wounds: Part, hits: Part, damage: Part, size: Part) -> int:
        return after_hits(self.number(wounds), self.number(hits), lambda: self.number(damage), self.number(size))

    def of_let(self, results: list[tuple[str, Part]], part: Part) -> Any:
        for name, result in results:
            self.values = {**self.values, name: self.value(result)}
        return self.value(part)

    def of_again(self, part: Part, modifiers: list[Part]) -> Any:
        return self.changed(self.value(part), modifiers)

    def of_mix(self, parts: list[Part]) -> Roll:
        return Roll(face for pool in parts for face in self.roll(*pool[1:]))

    def of_hand(self, cards: Part, deck: str, modifiers: list[Part]) -> Any:
        law = hand_law(self.number(cards), faces_of(self.dice.get(deck, deck)))
        return self.changed(self.choose(law), modifiers)

    def of_pool(self, many: Part, one: Part, modifiers: list[Part]) -> Any:
        if [part[0] for part in modifiers if part[0] != "reroll" or part[2] is not None] == ["count"]:
            return self.counted(many, one, modifiers)
        rolled = self.roll(many, one, modifiers)
        return self.changed(rolled, [part for part in modifiers if part[0] not in ("reroll", "!")])

    def counted(self, many: Part, one: Part, modifiers: list[Part]) -> int:
        """Return how many of some dice count, told apart by that alone, which leaves fewer ways to fall."""
        (count,) = (part for part in modifiers if part[0] == "count")
        law = self.one_die(one, [part for part in modifiers if part[0] == "reroll"])
        worth = become(law, lambda face: self.do_count(Roll([face]), count[1]))
        return number(self.choose(pool_law(max(0, self.number(many)), tuple(sorted(worth.items())))))

    def roll(self, many: Part, one: Part, modifiers: list[Part]) -> Roll:
        """Return dice as they fell after all that is done while they are rolled."""
        again = [part for part in modifiers if part[0] == "reroll"]
        law = self.one_die(one, [part for part in again if part[2] is None])
        if any(part[0] == "!" for part in modifiers):
            law = exploding(law)
        dice = tuple(sorted(law.items(), key=str))
        rolled: Roll = self.choose(pool_law(max(0, self.number(many)), dice))
        for _, _, most, ranges in (part for part in again if part[2] is not None):
            failed = sorted(face for face in rolled if count_of(ranges, self.number, face))[: self.number(most)]
            kept = list(rolled)
            for face in failed:
                kept.remove(face)
            rolled = Roll([*kept, *self.choose(pool_law(len(failed), dice))])
        return rolled

    def one_die(self, one: Part, again: list[Part]) -> Law[Any]:
        kind, what = one
        law: Law[Any]
        if kind == "faces":
            law = faces(faces_of(self.dice.get(what, what)))
        elif what[0] in ("number", "name", "sum", "look"):
            law = die(self.number(what))
        else:
            law = self.inner(what)
        for _, how, _, ranges in again:
            hit = {face: count_of(ranges, self.number, face) for face in law}
            share = sum((chance for face, chance in law.items() if hit[face]), Fraction(0))
            stay = {face: chance for face, chance in law.items() if not hit[face]}
            if how == "always":
                law = {face: chance / (1 - share) for face, chance in stay.items()}
            else:
                law = {face: stay.get(face, Fraction(0)) + share * chance for face, chance in law.items()}
        return law

    def inner(self, part: Part) -> Law[int]:
        """Return the law of a part in brackets that is the face of a die."""
        return every_way(lambda choose: Evaluator(self.values, self.dice, self.tables, choose).number(part))

    def changed(self, dice: Any, modifiers: list[Part]) -> Any:
        """Return dice with all that is done with them after they fell."""
        for modifier in modifiers:
            dice = getattr(self, f"do_{modifier[0]}")(dice, *modifier[1:])
        return dice

    def do_keep(self, dice: Roll, which: str, many: Part) -> Roll:
        ordered = sorted(dice, reverse=which == "highest")
        return Roll(ordered[: self.number(many)])

    def do_drop(self, dice: Roll, which: str, many: Part) -> Roll:
        ordered = sorted(dice, reverse=which == "highest")
        return Roll(ordered[self.number(many) :])

    def do_each(self, dice: Roll, which: str, limit: Part) -> Roll:
        bound = self.number(limit)
        return Roll(max(face, bound) if which == "least" else min(face, bound) for face in dice)

    def do_count(self, dice: Roll, counts: list[tuple[str, Part]]) -> int:
        worth = {"count": 1, "double": 1, "triple": 2, "cancel": -1}
        return sum(worth[word] * count_of(ranges, self.number, face) for word, ranges in counts for face in dice)

    def do_beyond(self, dice: Roll, sign: str, limit: Part) -> int:
        bound = self.number(limit)
        return sum(SIGNS[sign](face, bound) for face in dice)

    def do_largest(self, dice: Roll) -> int:
        return max((dice.count(face) for face in dice), default=0)

    def do_pairs(self, dice: Roll, sign: str, other: Part) -> int:
        theirs = self.value(other)
        pairs = zip(sorted(dice, reverse=True), sorted(theirs, reverse=True), strict=False)
        return sum(SIGNS[sign](mine, yours) for mine, yours in pairs)

"""Laws of plain dice as fractions: what the reference implementations of published systems are written in.

A law is a dictionary: outcome -> chance. Nothing here is quick; everything can be followed with a pencil.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

From = TypeVar("From", bound=Hashable)
To = TypeVar("To", bound=Hashable)
Law = dict[To, Fraction]
Card = Mapping[str, Any]
"""A unit as its game file prints it: field -> number, and `keywords`."""


def faces(values: Iterable[To]) -> Law[To]:
    """Return the law of one die with these faces, each as likely as the next; a face may stand there often.

    >>> faces("aab")
    {'a': Fraction(2, 3), 'b': Fraction(1, 3)}
    """
    sides = list(values)
    return _sum((face, Fraction(1, len(sides))) for face in sides)


def die(sides: int) -> Law[int]:
    """Return the law of a die numbered from 1."""
    return faces(range(1, sides + 1))


def sure(outcome: To) -> Law[To]:
    """Return the law of what happens always."""
    return {outcome: Fraction(1)}


def then(law: Mapping[From, Fraction], step: Callable[[From], Law[To]]) -> Law[To]:
    """Return the law of a second roll whose law depends on the first."""
    return _sum((after, chance * more) for before, chance in law.items() for after, more in step(before).items())


def become(law: Mapping[From, Fraction], value: Callable[[From], To]) -> Law[To]:
    """Return the law of a value of the outcome."""
    return _sum((value(outcome), chance) for outcome, chance in law.items())


def side_by_side(*laws: Mapping[Any, Fraction]) -> Law[tuple[Any, ...]]:
    """Return the joint law of independent rolls, as tuples in their order."""
    joint: Law[tuple[Any, ...]] = sure(())
    for law in laws:
        joint = _sum(((*left, right), chance * more) for left, chance in joint.items() for right, more in law.items())
    return joint


def total(law: Law[int], number: int) -> Law[int]:
    """Return the law of the sum of so many independent rolls.

    >>> total(die(6), 2)[7]
    Fraction(1, 6)
    """
    added = sure(0)
    for _ in range(number):
        added = become(side_by_side(added, law), sum)
    return added


def successes(number: int, chance: Fraction) -> Law[int]:
    """Return the law of the successes of so many rolls that each succeed with this chance: binomial."""
    return total({1: chance, 0: 1 - chance}, number)


def tally(law: Law[tuple[int, ...]], number: int) -> Law[tuple[int, ...]]:
    """Return the joint law of the sums, column by column, of so many rolls whose outcomes are tuples."""
    width = len(next(iter(law)))
    added: Law[tuple[int, ...]] = sure((0,) * width)
    for _ in range(number):
        added = become(side_by_side(added, law), lambda pair: tuple(map(sum, zip(*pair, strict=True))))
    return added


def throws(number: int, sides: int) -> Law[tuple[int, ...]]:
    """Return the law of so many dice thrown together, as tuples from the highest down."""
    return faces(tuple(sorted(dice, reverse=True)) for dice in itertools.product(range(1, sides + 1), repeat=number))


def chance_of(law: Mapping[From, Fraction], event: Callable[[From], bool]) -> Fraction:
    """Return the chance that an event holds."""
    return sum((chance for outcome, chance in law.items() if event(outcome)), Fraction(0))


def mean(law: Mapping[int, Fraction]) -> Fraction:
    """Return the mean of a law of numbers."""
    return sum((outcome * chance for outcome, chance in law.items()), Fraction(0))


def has(card: Card, keyword: str) -> bool:
    """Return whether a unit has a keyword; a card separates them by semicolons."""
    return keyword in [word.strip() for word in card.get("keywords", "").split(";")]


def _sum(parts: Iterable[tuple[To, Fraction]]) -> Law[To]:
    law: defaultdict[To, Fraction] = defaultdict(Fraction)
    for outcome, chance in parts:
        if chance:
            law[outcome] += chance
    return dict(law)

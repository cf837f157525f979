"""The value of an expression for every way that its dice can fall, one after another."""

from __future__ import annotations

import itertools
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Any

from tests.rulebook.published.references.chances import Law, then
from tests.rulebook.published.slow.parsing import Part

Choose = Callable[[Mapping[Any, Fraction]], Any]
SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "/ up": lambda a, b: -(-a // b), "/ down": operator.floordiv, "/ off": lambda a, b: (2 * a + b) // (2 * b),
}  # fmt: skip
DEPTH = 12
"""How often an exploding die is followed."""


class Roll(tuple[Any, ...]):
    """Dice as they fell, or cards; as a number their sum."""

    __slots__ = ()


def number(value: Any) -> int:
    """Return a value as a number."""
    return sum(value) if isinstance(value, Roll) else int(value)


class Fork:
    """Takes one way: as many outcomes as are given by their place, and after them the first of each.

    Attributes
    ----------
    places
        The place of each outcome that was taken.
    chance
        The chance of this way.
    others
        Ways that part from this one after the places given.
    """

    def __init__(self, places: tuple[int, ...]) -> None:
        self.given, self.places, self.chance = places, list[int](), Fraction(1)
        self.others: list[tuple[int, ...]] = []

    def __call__(self, outcomes: Mapping[Any, Fraction]) -> Any:
        """Return the outcome that this way takes."""
        items, at = list(outcomes.items()), len(self.places)
        if at >= len(self.given):
            self.others.extend((*self.places, other) for other in range(1, len(items)))
        place = self.given[at] if at < len(self.given) else 0
        self.places.append(place)
        self.chance *= items[place][1]
        return items[place][0]


def every_way(evaluate: Callable[[Choose], Any]) -> Law[Any]:
    """Return the law of what a function returns that asks for each outcome of chance which one it is."""
    law: defaultdict[Any, Fraction] = defaultdict(Fraction)
    ways: list[tuple[int, ...]] = [()]
    while ways:
        fork = Fork(ways.pop())
        law[evaluate(fork)] += fork.chance
        ways += fork.others
    return dict(law)


@cache
def pool_law(number_of_dice: int, die: tuple[tuple[Any, Fraction], ...]) -> Law[Roll]:
    """Return the law of so many dice, their order left out."""
    law = {}
    for fall in itertools.combinations_with_replacement(range(len(die)), number_of_dice):
        chance = Fraction(factorial(number_of_dice))
        for place, times in Counter(fall).items():
            chance *= die[place][1] ** times / factorial(times)
        law[Roll(die[place][0] for place in fall)] = chance
    return law


@cache
def hand_law(cards: int, deck: tuple[int, ...]) -> Law[Roll]:
    """Return the law of so many cards of a deck, drawn without putting back."""
    many = Counter(itertools.combinations(deck, cards))
    return {Roll(hand): Fraction(times, comb(len(deck), cards)) for hand, times in many.items()}


def faces_of(text: str) -> tuple[Any, ...]:
    """Return the faces in braces: numbers, or tuples of symbols.

    >>> faces_of("{0,1..3*2}"), faces_of("{2 hit, hit+crit, -}")
    ((0, 1, 1, 2, 2, 3, 3), (('hit', 'hit'), ('hit', 'crit'), ()))
    """
    faces: list[Any] = []
    for piece in text.strip("{} ").split(","):
        what, _, times = (part.strip() for part in piece.partition("*"))
        first, _, last = what.partition("..")
        if first.lstrip("-").isdigit():
            shown: list[Any] = list(range(int(first), int(last or first) + 1))
        elif what in ("-", "blank"):
            shown = [()]
        else:
            symbols: list[str] = []
            for part in what.split("+"):
                many, _, symbol = part.strip().rpartition(" ")
                symbols += [symbol] * int(many or 1)
            shown = [tuple(symbols)]
        faces += [face for face in shown for _ in range(int(times or 1))]
    return tuple(faces)


def exploding(die: Law[int], depth: int = DEPTH) -> Law[int]:
    """Return the law of a die whose highest face is rolled again and added."""
    top = max(die)

    def again(face: int) -> Law[int]:
        if face < top or depth == 0:
            return {face: Fraction(1)}
        return {face + more: chance for more, chance in exploding(die, depth - 1).items()}

    return then(die, again)


def after_hits(wounds: int, hits: int, damage: Callable[[], int], size: int) -> int:
    """Return what is left of wounds when each hit hurts one figure and its excess is lost."""
    for _ in range(hits):
        if wounds > 0:
            figure = wounds - (wounds - 1) // max(1, size) * max(1, size)
            wounds -= min(max(0, damage()), figure)
    return max(0, wounds)


def count_of(ranges: Part, show: Callable[[Part], int], face: Any) -> int:
    """Return how often a face is one of these: of symbols, how often it shows any of them once."""
    failing, parts = ranges

    def within(part: Any) -> bool:
        if part[0] == "symbol":
            return part[1] in face if face or part[1] != "blank" else True
        if part[0] == "range":
            return bool(show(part[1]) <= face <= show(part[2]))
        return bool(SIGNS[part[0]](face, show(part[1])))

    return int(any(map(within, parts)) != failing)

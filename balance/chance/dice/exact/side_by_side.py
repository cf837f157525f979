"""Laws of mixed dice in one pool, and of cards drawn, by dynamic programming over faces from the highest down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import TypeAlias

from balance.chance.dice.exact.weights import Law, Work, add, power


@dataclass(frozen=True)
class Dice:
    """A group of equal dice: the law of one, and `gives`, from a face to the law of what a kept die adds.

    All laws of `gives` have the same total weight. `drawn` means cards drawn without replacement: the weight of a value
    is then the number of its cards.
    """

    n_dice: int
    law: Law
    gives: Callable[[int], Law]
    drawn: bool = False

    @property
    def total(self) -> int:
        """The number of equally likely ways in which all dice can fall, or cards be drawn."""
        total = sum(self.law.values())
        return comb(total, self.n_dice) if self.drawn else int(total**self.n_dice)

    def falls(self, n_left: int, max_dice: int, value: int) -> Iterator[int]:
        """Yield in how many ways 0, 1, ..., `max_dice` of `n_left` dice (or cards) show a value that is assigned next.

        Those left have no higher value. Each number comes from the one before it: a binomial coefficient of 10,000 dice
        takes a thousand times as long by itself.

        >>> list(Dice(3, {1: 2, 2: 5}, lambda value: {}).falls(3, 3, 1))  # the others are not counted
        [1, 6, 12, 8]
        >>> list(Dice(3, {1: 2, 2: 5}, lambda value: {}, drawn=True).falls(3, 3, 1))
        [1, 2, 1]
        """
        ways, weight = 1, self.law.get(value, 0)
        for n_dice in range(max_dice + 1):
            if not ways:
                return
            yield ways
            ways = ways * (weight - n_dice if self.drawn else (n_left - n_dice) * weight) // (n_dice + 1)


Side: TypeAlias = tuple[Sequence[Dice], int, int]
"""Dice in groups of equal ones; the first place that stays, 0 for the highest; the place after the last."""


def ordered_sum(groups: Sequence[Dice], first: int, last: int, work: Work) -> Law:
    """Return the law of the sum of what the dice at places `first` to `last` - 1 give, place 0 being the highest.

    The state is the number of dice of each group still below the values so far, with the law of what those kept so far
    give.

    >>> die = Dice(2, {1: 1, 2: 1, 3: 1}, lambda value: {value: 1})
    >>> ordered_sum([die], 0, 1, Work())  # the higher of 2d3
    {1: 1, 2: 3, 3: 5}
    """
    n, bits = sum(dice.n_dice for dice in groups), prod(dice.total for dice in groups).bit_length()
    laws: dict[tuple[int, ...], Law] = {tuple(dice.n_dice for dice in groups): {0: 1}}
    for value in sorted(set().union(*(dice.law for dice in groups)), reverse=True):
        for place, dice in enumerate(groups):
            if dice.law.get(value, 0):
                laws = _next_face(laws, place, dice, value, (n, first, last), work, bits)
    return next(law for n_left, law in laws.items() if not any(n_left))


def _next_face(
    laws: dict[tuple[int, ...], Law],
    place: int,
    dice: Dice,
    value: int,
    places: tuple[int, int, int],
    work: Work,
    bits: int,
) -> dict[tuple[int, ...], Law]:
    """Extend every state by any number of the dice left in one group that show `value`."""
    n, first, last = places
    next_laws: dict[tuple[int, ...], Law] = {}
    powers, gives = [{0: 1}], dice.gives(value)
    for n_left, law in laws.items():
        n_taken, max_dice = n - sum(n_left), n_left[place]
        for n_dice, ways in enumerate(dice.falls(max_dice, max_dice, value)):
            stays = max(0, min(n_taken + n_dice, last) - max(n_taken, first))
            while len(powers) <= stays:
                powers.append(power(gives, len(powers), work))
            more = add(law, powers[stays], work) if stays else law
            work.spend(2 + len(more), bits)
            into = next_laws.setdefault((*n_left[:place], max_dice - n_dice, *n_left[place + 1 :]), {})
            for total, times in more.items():
                into[total] = into.get(total, 0) + ways * times
    return next_laws

"""Laws of dice of several kinds side by side, and of sets of equal ones: face by face, from the highest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod

from balance.chance.dice.exact.weights import Law, Work, add, power


@dataclass(frozen=True)
class Dice:
    """So many equal dice: the law of one, and the law of what one that stays gives, the same total for each value.

    `drawn`: they are cards, each drawn once; the weight of a value is how many there are.
    """

    n_dice: int
    law: Law
    gives: Callable[[int], Law]
    drawn: bool = False

    @property
    def total(self) -> int:
        """The ways in which all of them can fall."""
        total = sum(self.law.values())
        return comb(total, self.n_dice) if self.drawn else int(total**self.n_dice)

    def falls(self, n_left: int, max_dice: int, value: int) -> Iterator[int]:
        """Yield in how many ways 0, 1, ... dice of so many that are left, up to `max_dice`, show a value.

        Each comes from the one before it: a binomial coefficient of 10,000 dice takes a thousand times as long by
        itself.

        Parameters
        ----------
        n_left
            How many dice are left.
        max_dice
            How many of them may show it, at most.
        value
            The value.

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


def ordered_sum(groups: Sequence[Dice], first: int, last: int, work: Work) -> Law:
    """Return the law of what the dice from place `first` to before place `last` give, the highest first.

    What is known is how many dice of each kind are left that show less than the values so far, and the law of what
    those that stay among the others give.

    Parameters
    ----------
    groups
        The dice of the pool, equal ones in groups.
    first
        Place of the first die that counts, 0 for the highest.
    last
        Place after the last die that counts.
    work
        Limits of the calculation.

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
    """Let any number of the dice of one kind that are left show a value."""
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


def largest_set(groups: Sequence[Dice], work: Work) -> Law:
    """Return the law of how many dice the largest set of equal ones has.

    Parameters
    ----------
    groups
        The dice of the pool, equal ones in groups.
    work
        Limits of the calculation.

    >>> largest_set([Dice(2, dict.fromkeys(range(1, 7), 1), lambda value: {})], Work())
    {1: 30, 2: 6}
    """
    total = prod(dice.total for dice in groups)
    weights, before = dict[int, int](), 0 if any(dice.n_dice for dice in groups) else total
    if before:
        return {0: total}
    for size in range(1, sum(dice.n_dice for dice in groups) + 1):
        ways = _no_larger(groups, size, work, total.bit_length())
        if ways > before:
            weights[size] = ways - before
        before = ways
        if before == total:
            break
    return weights


def _no_larger(groups: Sequence[Dice], max_size: int, work: Work, bits: int) -> int:
    """Return the ways in which no value is shown by more dice than so many."""
    ways_by_dice = {tuple(dice.n_dice for dice in groups): 1}
    for value in set().union(*(dice.law for dice in groups)):
        ways_by_room = {(n_left, max_size): ways for n_left, ways in ways_by_dice.items()}
        for place, dice in enumerate(groups):
            next_ways = dict[tuple[tuple[int, ...], int], int]()
            for (n_left, room), ways in ways_by_room.items():
                for n_dice, fall in enumerate(dice.falls(n_left[place], min(room, n_left[place]), value)):
                    key = (*n_left[:place], n_left[place] - n_dice, *n_left[place + 1 :]), room - n_dice
                    next_ways[key] = next_ways.get(key, 0) + ways * fall
            work.spend(6 * sum(1 + min(room, n_left[place]) for n_left, room in ways_by_room), bits)
            ways_by_room = next_ways
        ways_by_dice = {}
        for (n_left, _), ways in ways_by_room.items():
            ways_by_dice[n_left] = ways_by_dice.get(n_left, 0) + ways
    return ways_by_dice.get((0,) * len(groups), 0)

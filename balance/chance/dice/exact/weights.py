"""Laws of whole numbers in plain Python: {value: weight}, weights integers of any size, chances weight over their sum.

A `Pmf` is a table of numpy; loading numpy takes longer than most answers about dice, so the laws stay in dictionaries
until somebody wants the table. Every function says beforehand how much work it will be, see `Work`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from math import comb, gcd, inf, prod
from typing import TypeAlias

from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_OUTCOMES, MOST_DICE_WORK

__all__ = ["PAIR", "Law", "TooLarge", "Work", "add", "compose", "highest_of", "mapped", "mixed", "power", "select"]

Law: TypeAlias = dict[int, int]

DENSE = 16
"""Places of a lattice for each value up to which a sum is worked out on the lattice."""
PAIR = 3
"""Steps that a pair of values takes."""
WIDE = 5
"""Steps that a pair of values takes more that are as large as those of symbols."""
LONGEST_SPAN = 2**31
"""Places from the least to the largest value, at most, of laws that are added as digits: symbols lie farther apart."""
FEW_PAIRS = 2000
"""Pairs of values up to which a sum of two is worked out pair by pair."""
BITS_PER_STEP = 5000
"""Bits of an integer that are moved and added in one step."""
SLOW_BITS = 2500
"""Weights of so many bits take twice as long as small ones."""


class TooLarge(DistributionError):  # noqa: N818 - told, and then simulated
    """An exact law would take too much work."""


class Work:
    """What an exact law costs: `spent` of `limit` steps, and the chance of explosions that were cut off, at most."""

    def __init__(self, limit: float = MOST_DICE_WORK) -> None:
        self.limit, self.spent, self.tail = limit, 0.0, 0.0

    def spend(self, steps: float, bits: float = 0.0) -> None:
        """Add what comes next: steps, each with weights of so many bits.

        Raises
        ------
        TooLarge
            It is more than may be spent.

        >>> Work(100).spend(101)
        Traceback (most recent call last):
        balance.chance.dice.exact.weights.TooLarge: the exact distribution would take more than 100 steps of work
        """
        self.spent += steps * (1 + bits / SLOW_BITS)
        if self.spent > self.limit:
            raise TooLarge(f"the exact distribution would take more than {self.limit:,.0f} steps of work")

    def hold(self, outcomes: int) -> None:
        """Refuse more outcomes of a law than are held.

        Raises
        ------
        TooLarge
            There may be too many.
        """
        if outcomes > MOST_DICE_OUTCOMES:
            raise TooLarge(f"there may be more than {MOST_DICE_OUTCOMES:,} different totals")


def mapped(law: Law, function: Callable[[int], int]) -> Law:
    """Return the law of a function of the value.

    >>> mapped({1: 1, 2: 1, 3: 1}, lambda value: value // 2)
    {0: 1, 1: 2}
    """
    found: Law = {}
    for value, weight in law.items():
        new = function(value)
        found[new] = found.get(new, 0) + weight
    return found


def add(one: Law, other: Law, work: Work) -> Law:
    """Return the law of the sum of two independent numbers.

    >>> add({0: 1, 1: 1}, {0: 1, 1: 1}, Work())
    {0: 1, 1: 2, 2: 1}
    """
    pairs, bits = len(one) * len(other), _bits(one) + _bits(other)
    if pairs > FEW_PAIRS:
        spans = [max(law) - min(law) + 1 for law in (one, other)]
        wide = max(spans) >= LONGEST_SPAN
        work.hold(0 if wide else min(pairs, sum(spans)))
        work.spend(WIDE * pairs if wide else 0)
        steps = inf if wide else _steps_of_digits(spans, bits)
        if steps < PAIR * pairs * (1 + bits / SLOW_BITS):
            work.spend(steps)
            return _added_as_digits(one, other, sum(spans) - 1, bits)
    work.spend(PAIR * pairs, bits)
    found: Law = {}
    for value, weight in one.items():
        for more, times in other.items():
            found[value + more] = found.get(value + more, 0) + weight * times
    return found


def _steps_of_digits(spans: Sequence[int], bits: int) -> float:
    """Return what a product of two integers takes whose digits, of so many bits, are weights.

    Each piece of the longer one that is as long as the shorter one is multiplied as Karatsuba does; then the digits are
    told.
    """
    short, long = sorted(span * bits / 30 for span in spans)
    return float(long / short * short**1.585 / 60 + sum(spans) * (2 + bits / 2000))


def _added_as_digits(one: Law, other: Law, places: int, bits: int) -> Law:
    """Return the law of a sum by one product of two integers, whose digits are the weights."""
    size = bits // 8 + 1
    low = min(one) + min(other)
    product = _packed(one, size) * _packed(other, size)
    weights = _digits(product, 8 * size, places)
    return {low + place: weight for place, weight in enumerate(weights) if weight}


def _packed(law: Law, size: int) -> int:
    """Return an integer whose digits, of so many bytes each, are the weights from the lowest value on."""
    low, high = min(law), max(law)
    return int.from_bytes(b"".join(law.get(v, 0).to_bytes(size, "little") for v in range(low, high + 1)), "little")


def _digits(packed: int, width: int, places: int) -> Iterator[int]:
    """Yield the digits of an integer, of so many bits each, the lowest first."""
    mask, digits = (1 << width) - 1, packed.to_bytes((places * width + 7) // 8 + 1, "little")
    for at in range(0, places * width, width):
        yield int.from_bytes(digits[at // 8 : (at + width) // 8 + 1], "little") >> at % 8 & mask


def _bits(law: Law) -> int:
    return sum(law.values()).bit_length()


def power(one: Law, n: int, work: Work) -> Law:
    """Return the law of the sum of n independent draws.

    On a lattice the weights are the coefficients of a power of a polynomial g, and those of f = g^n follow one another
    by g f' = n g' f (Euler; Knuth, The Art of Computer Programming 2, 4.7, exercise 4): one step for each value and
    face, where pairwise sums would take one for each two values.

    >>> power({1: 1, 2: 1}, 3, Work())
    {3: 1, 4: 3, 5: 3, 6: 1}
    """
    if n == 1 or len(one) == 1:
        return one if n == 1 else {n * value: weight**n for value, weight in one.items()}
    low = min(one)
    step = gcd(*(value - low for value in one))
    top = (max(one) - low) // step
    if n == 0 or top > DENSE * len(one):
        return _power_by_halves(one, n, work)
    bits, size = n * _bits(one), n * top + 1
    work.spend(size * bits / 200)
    if n <= len(one) == top + 1 and len(set(one.values())) == 1:
        work.spend(size * n / 2, bits)
        return {n * low + step * place: weight for place, weight in enumerate(_flat(top + 1, n, one[low]))}
    work.spend(size * len(one), bits)
    faces = sorted(((value - low) // step, weight) for value, weight in one.items())
    weights = _coefficients(faces, n, size)
    return {n * low + step * place: weight for place, weight in enumerate(weights) if weight}


def _flat(faces: int, n: int, weight: int) -> list[int]:
    """Return the weights of the sums of n dice whose faces follow one another and weigh the same, the lowest first.

    One die more is the sum of the last so many weights: running sums, less those of so many places before.
    """
    found = [weight**n]
    for _ in range(n):
        sums = list(accumulate(found))
        rising, falling = sums + [sums[-1]] * (faces - 1), [0] * faces + sums
        found = [high - low for high, low in zip(rising, falling, strict=False)]
    return found


def _coefficients(faces: Sequence[tuple[int, int]], n: int, size: int) -> list[int]:
    """Return the weights of sums 0 to size - 1 of n draws from faces (value, weight) that begin at the value 0."""
    first, others = faces[0][1], faces[1:]
    found = [first**n] + [0] * (size - 1)
    slopes = [((n + 1) * value * weight, weight, value) for value, weight in others]
    for k in range(1, size):
        rising = 0
        for slope, weight, value in slopes:
            if value > k:
                break
            if before := found[k - value]:
                rising += (slope - k * weight) * before
        found[k] = rising // (k * first)
    return found


def _power_by_halves(one: Law, n: int, work: Work) -> Law:
    """Return the law of a sum of values that lie far apart."""
    if n == 0:
        return {0: 1}
    half = _power_by_halves(one, n // 2, work)
    both = add(half, half, work)
    return add(both, one, work) if n % 2 else both


def mixed(parts: Iterable[tuple[int, Law]], work: Work) -> Law:
    """Return the law of a draw from one of several laws, each chosen in proportion to its weight.

    >>> mixed([(1, {0: 1}), (1, {0: 1, 1: 1})], Work())
    {0: 3, 1: 1}
    """
    pairs = [(weight, law, sum(law.values())) for weight, law in parts]
    common = 1
    for _, _, total in pairs:
        common = common * total // gcd(common, total)
    found: Law = {}
    for weight, law, total in pairs:
        work.spend(len(law), common.bit_length())
        times = weight * (common // total)
        for value, own in law.items():
            found[value] = found.get(value, 0) + times * own
    return found


def compose(many: Law, one: Law, work: Work) -> Law:
    """Return the law of the sum of as many draws from `one` as `many`, a law of numbers from 0 on, says.

    >>> compose({0: 1, 2: 1}, {0: 1, 1: 1}, Work())
    {0: 5, 1: 2, 2: 1}
    """
    total, most = sum(one.values()), max(many)
    found: Law = {0: many[most]}
    for n in range(most - 1, -1, -1):  # as a polynomial is worked out from its highest term on
        found = add(found, one, work)
        if weight := many.get(n, 0):
            found[0] = found.get(0, 0) + weight * total ** (most - n)
    return found


# -- order ------------------------------------------------------------------------------------------------------------


def select(faces: Sequence[tuple[int, int]], n: int, first: int, last: int, work: Work) -> Law:
    """Return the law of what the dice from place `first` to before place `last` count, of n equal dice in order.

    Parameters
    ----------
    faces
        (what a die with this face counts, weight), in the order of the places: place 0 is taken first.

    Notes
    -----
    Face by face, what is known is the law of what a dice that show one of the faces so far count, for each a below
    `last`. If the n - a others show later faces, and those of them that count show the very next face, they add as much
    to each count; that they show exactly these is the difference of two such terms, one for each of two faces that
    follow one another. So a law is the sum over pairs of neighbouring faces, with the weight of all later faces to the
    power n - a, of which the power that all terms share is multiplied in last: until then weights are short. A law is
    the digits of one large integer, told from the lowest face so far on; adding dice of that face is then one sum.

    >>> select([(3, 1), (2, 1), (1, 1)], 2, 0, 1, Work())  # the higher of 2d3
    {1: 1, 2: 3, 3: 5}
    """
    kept, below = last - first, sum(weight for _, weight in faces)
    if kept <= 0:
        return {0: 1}
    values = [counts for counts, _ in faces]
    begin, sign = (min(values), 1) if values[0] > values[-1] else (max(values), -1)  # so that levels fall
    step = gcd(*(value - begin for value in values)) or 1
    levels = [abs(value - begin) // step for value in values]
    places, sums = kept * max(levels) + 1, len(faces) * last * (last + 8) / 3
    least = sums * (4 + places * (last - 1) * (below.bit_length() - 1) / BITS_PER_STEP)
    if work.spent + least > work.limit:  # told at once, as counting the ways would take long
        work.spend(least)
    ways = [comb(n, a) for a in range(last)]
    size = (below ** (last - 1) * sum(ways)).bit_length() // 8 + 1
    work.spend(sums * (4 + 8 * places * size / BITS_PER_STEP) + len(faces) * places, 8 * size)
    found = [0] * places
    found[levels[0] * kept] = below**n
    taken, most, base = [1] + [0] * (last - 1), levels[0], levels[0]
    for (_, weight), here, there in zip(faces, levels, levels[1:], strict=False):
        below, most, least = below - weight, max(most, there), min(base, there)
        _take_face(taken, first, weight, 8 * size * (here - base), 8 * size * (base - least))
        base = least
        if here != there:
            terms = _difference(taken, ways, first, below, 8 * size * (here - base), 8 * size * (there - base))
            digits, times = _signed_digits(terms, size, kept * (most - base) + 1), below ** (n - last + 1)
            low, high = kept * base, kept * most + 1
            found[low:high] = [so_far + digit * times for so_far, digit in zip(found[low:high], digits, strict=True)]
    return {kept * begin + sign * step * place: weight for place, weight in enumerate(found) if weight}


def _take_face(taken: list[int], first: int, weight: int, level: int, down: int) -> None:
    """Let any number of the dice in each law show one more face, then tell laws from a base so much further down.

    With y for the new face, (G + y)^a comes of all G^a by adding y G^b to G^(b + 1), over and over.
    """
    for begin in range(1, len(taken)):
        for a in range(len(taken) - 1, begin - 1, -1):
            if law := taken[a - 1]:
                more = law if weight == 1 else law * weight
                taken[a] += more << level if level and a > first else more
    if down:
        taken[:] = [law << down * max(0, a - first) for a, law in enumerate(taken)]


def _difference(taken: Sequence[int], ways: Sequence[int], first: int, below: int, here: int, there: int) -> int:
    """Return the terms of a pair of faces: all places left are taken by the second one, less by the first one."""
    found, low, gap = 0, min(here, there), abs(there - here)
    for a, (law, times) in enumerate(zip(taken, ways, strict=True)):
        left, part = len(taken) - max(a, first), law * times
        found = found * below + (((part << gap * left) - part) << low * left)
    return found if there > here else -found


def _signed_digits(packed: int, size: int, places: int) -> list[int]:
    """Return the digits of an integer, of so many bytes each and of either sign, the lowest first."""
    half = 1 << 8 * size - 1
    digits = (packed + int.from_bytes((bytes(size - 1) + b"\x80") * places, "little")).to_bytes(places * size, "little")
    return [int.from_bytes(digits[at : at + size], "little") - half for at in range(0, places * size, size)]


def highest_of(laws: Sequence[Law], kept: int, work: Work, lowest: bool = False) -> Law:
    """Return the law of the sum of the `kept` highest (or lowest) of some independent numbers.

    >>> highest_of([{1: 1, 2: 1}, {0: 1, 3: 1}], 1, Work())
    {3: 2, 2: 1, 1: 1}
    """
    values, bits = sorted(set().union(*laws), reverse=not lowest), sum(map(_bits, laws))
    if kept == 1:
        return _highest(laws, values, bits, work)
    work.spend(sum(map(len, laws)) * 2.0 ** (len(laws) if kept < len(laws) else 1), bits)
    left = [sum(law.values()) for law in laws]
    taken: dict[int, Law] = {0: {0: 1}}  # which numbers are known, as bits -> law of the sum of those that count
    done: Law = {}
    for value in values:
        for place, law in enumerate(laws):
            weight = law.get(value, 0)
            left[place] -= weight
            if weight:
                _take(taken, 1 << place, weight, value, kept, work)
        for known in [known for known in taken if known.bit_count() >= kept]:
            rest = 1
            for place, weight in enumerate(left):
                rest *= 1 if known >> place & 1 else weight
            for total, weight in taken.pop(known).items():
                if rest:
                    done[total] = done.get(total, 0) + weight * rest
    return done


def _highest(laws: Sequence[Law], values: Sequence[int], bits: int, work: Work) -> Law:
    """Return the law of the first value in this order that any number has: none has an earlier one."""
    work.spend(len(values) * (2 + len(laws) / 2), bits)
    left = [sum(law.values()) for law in laws]
    found, before = dict[int, int](), prod(left)
    for value in values:
        left = [weight - law.get(value, 0) for weight, law in zip(left, laws, strict=True)]
        after = prod(left)
        if before > after:
            found[value] = before - after
        before = after
    return found


def _take(taken: dict[int, Law], bit: int, weight: int, value: int, kept: int, work: Work) -> None:
    """Let one number have a value, in every case in which it is not known yet."""
    for known, law in list(taken.items()):
        if known & bit:
            continue
        counts = value if known.bit_count() < kept else 0
        into = taken.setdefault(known | bit, {})
        work.spend(len(law) * 2)
        for total, times in law.items():
            into[total + counts] = into.get(total + counts, 0) + times * weight

"""Laws of whole numbers in plain Python: {value: weight}, weights integers of any size, chances weight over their sum.

A `Pmf` is a table of numpy; loading numpy takes longer than most answers about dice, so the laws stay in dictionaries
until somebody wants the table. Every function says beforehand how much work it will be, see `Work`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, gcd, inf, prod
from typing import TypeAlias

from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_OUTCOMES, MOST_DICE_STATES, MOST_DICE_WORK

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
    """An exact law would take more steps, outcomes or states than `Work` allows."""


class Work:
    """The cost of an exact law: `n_steps` of at most `limit` steps; `tail` bounds the chance of explosions cut off.

    `names` are the values of results that parts may name.
    """

    def __init__(self, limit: float = MOST_DICE_WORK, names: Mapping[str, int] | None = None) -> None:
        self.limit, self.n_steps, self.tail, self.names = limit, 0.0, 0.0, names or {}

    def spend(self, steps: float, bits: float = 0.0) -> None:
        """Add the next steps of a calculation, such as additions of a weight, before it is made.

        `bits` is the size of the weights in a step; long integers cost more. Raises `TooLarge` if it is more than may
        be spent.

        >>> Work(100).spend(101)
        Traceback (most recent call last):
        balance.chance.dice.exact.weights.TooLarge: the exact distribution would take more than 100 steps of work
        """
        self.n_steps += steps * (1 + bits / SLOW_BITS)
        if self.n_steps > self.limit:
            raise TooLarge(f"the exact distribution would take more than {self.limit:,.0f} steps of work")

    def hold(self, outcomes: int) -> None:
        """Raise `TooLarge` for a law that may have more outcomes than are kept in memory."""
        if outcomes > MOST_DICE_OUTCOMES:
            raise TooLarge(f"there may be more than {MOST_DICE_OUTCOMES:,} different totals")

    def hold_states(self, states: int) -> None:
        """Raise `TooLarge` for more states of dice, or value combinations of several results, than memory may keep."""
        if states > MOST_DICE_STATES:
            raise TooLarge(f"there are more than {MOST_DICE_STATES:,} states to remember")


def map_law(law: Law, function: Callable[[int], int]) -> Law:
    """Return the law of `function` of a number; weights of equal values are added.

    >>> map_law({1: 1, 2: 1, 3: 1}, lambda value: value // 2)
    {0: 1, 1: 2}
    """
    weights: Law = {}
    for value, weight in law.items():
        new = function(value)
        weights[new] = weights.get(new, 0) + weight
    return weights


def add(law_a: Law, law_b: Law, work: Work) -> Law:
    """Return the law of the sum of two independent numbers (convolution).

    >>> add({0: 1, 1: 1}, {0: 1, 1: 1}, Work())
    {0: 1, 1: 2, 2: 1}
    """
    pairs, bits = len(law_a) * len(law_b), _bits(law_a) + _bits(law_b)
    if pairs > FEW_PAIRS:
        spans = [max(law) - min(law) + 1 for law in (law_a, law_b)]
        wide = max(spans) >= LONGEST_SPAN
        work.hold(0 if wide else min(pairs, sum(spans)))
        work.spend(WIDE * pairs if wide else 0)
        steps = inf if wide else _steps_of_digits(spans, bits)
        if steps < PAIR * pairs * (1 + bits / SLOW_BITS):
            work.spend(steps)
            return _added_as_digits(law_a, law_b, sum(spans) - 1, bits)
    work.spend(PAIR * pairs, bits)
    weights: Law = {}
    for value, weight in law_a.items():
        for more, times in law_b.items():
            weights[value + more] = weights.get(value + more, 0) + weight * times
    return weights


def _steps_of_digits(spans: Sequence[int], bits: int) -> float:
    """Return the steps of a product of two integers whose digits, of `bits` bits each, are weights.

    Each piece of the longer one that is as long as the shorter one is multiplied as Karatsuba does; reading the digits
    is added.
    """
    short, long = sorted(span * bits / 30 for span in spans)
    return float(long / short * short**1.585 / 60 + sum(spans) * (2 + bits / 2000))


def _added_as_digits(law_a: Law, law_b: Law, places: int, bits: int) -> Law:
    """Return the law of a sum by one product of two integers whose digits are the weights (Kronecker substitution)."""
    size = bits // 8 + 1
    low = min(law_a) + min(law_b)
    product = _pack(law_a, size) * _pack(law_b, size)
    weights = _digits(product, 8 * size, places)
    return {low + place: weight for place, weight in enumerate(weights) if weight}


def _pack(law: Law, size: int) -> int:
    """Return an integer whose digits, of `size` bytes each, are the weights from the lowest value up."""
    low, high = min(law), max(law)
    return int.from_bytes(b"".join(law.get(v, 0).to_bytes(size, "little") for v in range(low, high + 1)), "little")


def _digits(number: int, width: int, places: int) -> Iterator[int]:
    """Yield the lowest `places` digits of an integer, `width` bits each, the lowest first."""
    mask, digits = (1 << width) - 1, number.to_bytes((places * width + 7) // 8 + 1, "little")
    for at in range(0, places * width, width):
        yield int.from_bytes(digits[at // 8 : (at + width) // 8 + 1], "little") >> at % 8 & mask


def _bits(law: Law) -> int:
    return sum(law.values()).bit_length()


def power(law: Law, n: int, work: Work) -> Law:
    """Return the law of the sum of n >= 0 independent draws.

    On a lattice the weights are the coefficients of a power of a polynomial g, and those of f = g^n follow one another
    by g f' = n g' f (Euler; Knuth, The Art of Computer Programming 2, 4.7, exercise 4): one step for each value and
    face, where pairwise sums would take one for each two values.

    >>> power({1: 1, 2: 1}, 3, Work())
    {3: 1, 4: 3, 5: 3, 6: 1}
    """
    if n == 1 or len(law) == 1:
        return law if n == 1 else {n * value: weight**n for value, weight in law.items()}
    low = min(law)
    step = gcd(*(value - low for value in law))
    top = (max(law) - low) // step
    if n == 0 or top > DENSE * len(law):
        return _power_by_halves(law, n, work)
    bits, size = n * _bits(law), n * top + 1
    work.spend(size * bits / 200)
    if n <= len(law) == top + 1 and len(set(law.values())) == 1:
        work.spend(size * n / 2, bits)
        return {n * low + step * place: weight for place, weight in enumerate(_flat(top + 1, n, law[low]))}
    work.spend(size * len(law), bits)
    faces = sorted(((value - low) // step, weight) for value, weight in law.items())
    return {n * low + step * place: weight for place, weight in enumerate(_coefficients(faces, n, size)) if weight}


def _flat(faces: int, n: int, weight: int) -> list[int]:
    """Return the weights of the sums of n dice with consecutive faces of equal weight, the lowest sum first.

    Adding a die sums the last `faces` weights: a running sum less the running sum `faces` places before.
    """
    weights = [weight**n]
    for _ in range(n):
        sums = list(accumulate(weights))
        rising_sums, falling_sums = sums + [sums[-1]] * (faces - 1), [0] * faces + sums
        weights = [high - low for high, low in zip(rising_sums, falling_sums, strict=False)]
    return weights


def _coefficients(faces: Sequence[tuple[int, int]], n: int, size: int) -> list[int]:
    """Return the weights of sums 0 to size - 1 of n draws, by the recurrence of `power`.

    `faces` are (value, weight), rising from the value 0.
    """
    first, later_faces = faces[0][1], faces[1:]
    coefficients = [first**n] + [0] * (size - 1)
    slopes = [((n + 1) * value * weight, weight, value) for value, weight in later_faces]
    for k in range(1, size):
        rising_sum = 0
        for slope, weight, value in slopes:
            if value > k:
                break
            if before := coefficients[k - value]:
                rising_sum += (slope - k * weight) * before
        coefficients[k] = rising_sum // (k * first)
    return coefficients


def _power_by_halves(law: Law, n: int, work: Work) -> Law:
    """Return the law of the sum of n draws by repeated squaring, for values too far apart for a lattice."""
    if n == 0:
        return {0: 1}
    half = _power_by_halves(law, n // 2, work)
    pair = add(half, half, work)
    return add(pair, law, work) if n % 2 else pair


def mixed(parts: Iterable[tuple[int, Law]], work: Work) -> Law:
    """Return the mixture of laws, chosen in proportion to their weights, whatever each law sums to.

    >>> mixed([(1, {0: 1}), (1, {0: 1, 1: 1})], Work())
    {0: 3, 1: 1}
    """
    pairs = [(weight, law, sum(law.values())) for weight, law in parts]
    common = 1
    for _, _, total in pairs:
        common = common * total // gcd(common, total)
    weights: Law = {}
    for weight, law, total in pairs:
        work.spend(len(law), common.bit_length())
        times = weight * (common // total)
        for value, n_ways in law.items():
            weights[value] = weights.get(value, 0) + times * n_ways
    return weights


def compose(n_law: Law, law: Law, work: Work) -> Law:
    """Return the law of the sum of N draws from `law`, N >= 0 drawn from `n_law`, by Horner's scheme.

    >>> compose({0: 1, 2: 1}, {0: 1, 1: 1}, Work())
    {0: 5, 1: 2, 2: 1}
    """
    total, max_n = sum(law.values()), max(n_law)
    weights: Law = {0: n_law[max_n]}
    for n in range(max_n - 1, -1, -1):  # as a polynomial is worked out from its highest term on
        weights = add(weights, law, work)
        if weight := n_law.get(n, 0):
            weights[0] = weights.get(0, 0) + weight * total ** (max_n - n)
    return weights


# -- order ------------------------------------------------------------------------------------------------------------


def select(faces: Sequence[tuple[int, int]], n: int, first: int, last: int, work: Work) -> Law:
    """Return the law of the sum of the counts of n equal dice at places `first` to `last` - 1 of their order.

    `faces` are (count, weight) in the order of the places: place 0 is taken first.

    Face by face, the state is the law of the count of a dice that show one of the faces so far, for each a below
    `last`. If the n - a others show later faces, and those of them that count show the very next face, they add as much
    to each count; that they show exactly these is the difference of two such terms, one for each of two faces that
    follow one another. So a law is the sum over pairs of neighbouring faces, with the weight of all later faces to the
    power n - a, of which the power that all terms share is multiplied in last: until then weights are short. A law is
    the digits of one large integer, from the lowest face so far up; adding dice of that face is then one sum.

    >>> select([(3, 1), (2, 1), (1, 1)], 2, 0, 1, Work())  # the higher of 2d3
    {1: 1, 2: 3, 3: 5}
    """
    n_kept, below = last - first, sum(weight for _, weight in faces)
    if n_kept <= 0:
        return {0: 1}
    values = [counts for counts, _ in faces]
    begin, sign = (min(values), 1) if values[0] > values[-1] else (max(values), -1)  # so that levels fall
    step = gcd(*(value - begin for value in values)) or 1
    levels = [abs(value - begin) // step for value in values]
    places, sums = n_kept * max(levels) + 1, len(faces) * last * (last + 8) / 3
    min_steps = sums * (4 + places * (last - 1) * (below.bit_length() - 1) / BITS_PER_STEP)
    if work.n_steps + min_steps > work.limit:  # told at once, as counting the ways would take long
        work.spend(min_steps)
    ways = [comb(n, a) for a in range(last)]
    size = (below ** (last - 1) * sum(ways)).bit_length() // 8 + 1
    work.spend(sums * (4 + 8 * places * size / BITS_PER_STEP) + len(faces) * places, 8 * size)
    weights = [0] * places
    weights[levels[0] * n_kept] = below**n
    ways_taken, max_level, base = [1] + [0] * (last - 1), levels[0], levels[0]
    for (_, weight), level, next_level in zip(faces, levels, levels[1:], strict=False):
        below, max_level, min_steps = below - weight, max(max_level, next_level), min(base, next_level)
        _take_face(ways_taken, first, weight, 8 * size * (level - base), 8 * size * (base - min_steps))
        base = min_steps
        if level != next_level:
            terms = _difference(
                ways_taken, ways, first, below, 8 * size * (level - base), 8 * size * (next_level - base)
            )
            digits, times = _signed_digits(terms, size, n_kept * (max_level - base) + 1), below ** (n - last + 1)
            low, high = n_kept * base, n_kept * max_level + 1
            weights[low:high] = [
                so_far + digit * times for so_far, digit in zip(weights[low:high], digits, strict=True)
            ]
    return {n_kept * begin + sign * step * place: weight for place, weight in enumerate(weights) if weight}


def _take_face(ways_taken: list[int], first: int, weight: int, level: int, down: int) -> None:
    """Let any number of dice in each law show one more face, then lower the base of the digits by `down` bits.

    With y for the new face, (G + y)^a comes of all G^a by adding y G^b to G^(b + 1), over and over.
    """
    for begin in range(1, len(ways_taken)):
        for a in range(len(ways_taken) - 1, begin - 1, -1):
            if law := ways_taken[a - 1]:
                more = law if weight == 1 else law * weight
                ways_taken[a] += more << level if level and a > first else more
    if down:
        ways_taken[:] = [law << down * max(0, a - first) for a, law in enumerate(ways_taken)]


def _difference(
    ways_taken: Sequence[int], ways: Sequence[int], first: int, below: int, level: int, next_level: int
) -> int:
    """Return the term of two neighbouring faces: all places left show the second, less all show the first."""
    total, low, gap = 0, min(level, next_level), abs(next_level - level)
    for a, (law, times) in enumerate(zip(ways_taken, ways, strict=True)):
        n_places, part = len(ways_taken) - max(a, first), law * times
        total = total * below + (((part << gap * n_places) - part) << low * n_places)
    return total if next_level > level else -total


def _signed_digits(number: int, size: int, places: int) -> list[int]:
    """Return the signed digits of an integer, `size` bytes each, the lowest first."""
    half = 1 << 8 * size - 1
    digits = (number + int.from_bytes((bytes(size - 1) + b"\x80") * places, "little")).to_bytes(places * size, "little")
    return [int.from_bytes(digits[at : at + size], "little") - half for at in range(0, places * size, size)]


def highest_of(laws: Sequence[Law], n_kept: int, work: Work, lowest: bool = False) -> Law:
    """Return the law of the sum of the `n_kept` highest (or lowest) of independent, differently distributed numbers.

    >>> highest_of([{1: 1, 2: 1}, {0: 1, 3: 1}], 1, Work())
    {3: 2, 2: 1, 1: 1}
    """
    values, bits = sorted(set().union(*laws), reverse=not lowest), sum(map(_bits, laws))
    if n_kept == 1:
        return _highest(laws, values, bits, work)
    work.spend(sum(map(len, laws)) * 2.0 ** (len(laws) if n_kept < len(laws) else 1), bits)
    weights_left = [sum(law.values()) for law in laws]
    partial_laws: dict[int, Law] = {0: {0: 1}}  # which numbers are known, as bits -> law of the sum of those that count
    finished_law: Law = {}
    for value in values:
        for place, law in enumerate(laws):
            weight = law.get(value, 0)
            weights_left[place] -= weight
            if weight:
                _take(partial_laws, 1 << place, weight, value, n_kept, work)
        for known_bits in [known_bits for known_bits in partial_laws if known_bits.bit_count() >= n_kept]:
            rest = 1
            for place, weight in enumerate(weights_left):
                rest *= 1 if known_bits >> place & 1 else weight
            for total, weight in partial_laws.pop(known_bits).items():
                if rest:
                    finished_law[total] = finished_law.get(total, 0) + weight * rest
    return finished_law


def _highest(laws: Sequence[Law], values: Sequence[int], bits: int, work: Work) -> Law:
    """Return the law of the first number in the order of `values` that any draw shows: the maximum, or the minimum."""
    work.spend(len(values) * (2 + len(laws) / 2), bits)
    weights_left = [sum(law.values()) for law in laws]
    weights, before = dict[int, int](), prod(weights_left)
    for value in values:
        weights_left = [weight - law.get(value, 0) for weight, law in zip(weights_left, laws, strict=True)]
        after = prod(weights_left)
        if before > after:
            weights[value] = before - after
        before = after
    return weights


def _take(laws: dict[int, Law], bit: int, weight: int, value: int, n_kept: int, work: Work) -> None:
    """Let one number have `value` in every state in which it is not yet known; states are bit sets of known numbers."""
    for known_bits, law in list(laws.items()):
        if known_bits & bit:
            continue
        counts = value if known_bits.bit_count() < n_kept else 0
        into = laws.setdefault(known_bits | bit, {})
        work.spend(len(law) * 2)
        for total, times in law.items():
            into[total + counts] = into.get(total + counts, 0) + times * weight

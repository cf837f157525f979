"""Exact laws of expressions: of a die, of a pool, and of what is made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from math import comb

from balance.dice.laws import Law, Work, add, compose, highest_of, mapped, mixed, power, select
from balance.dice.tree import Best, Comparison, Contest, Node, Number, Pool, Product, Quotient, Sum
from balance.errors import UsageError

__all__ = ["SURE", "law_of"]

SURE = 10**12
"""Extra rolls of a pool are followed until more of them have a chance below 1 in so many."""
COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


def law_of(node: Node, work: Work) -> Law:
    """Return the exact law of a part; of a contest that of the margin.

    What `work.tail` grows by bounds the chance of outcomes that are given another value, as their explosions go on
    longer than is followed.

    Raises
    ------
    TooLarge
        It would take more work than there is.
    UsageError
        It would never end.

    >>> from balance.dice.parsing import parse
    >>> law_of(parse("2d2").node, Work())
    {2: 1, 3: 2, 4: 1}
    """
    match node:
        case Number():
            return {node.value: 1}
        case Sum():
            return reduce(
                lambda one, other: add(one, other, work), [_signed(sign, term, work) for sign, term in node.terms]
            )
        case Product():
            return reduce(lambda one, other: _product(one, other, work), [law_of(part, work) for part in node.factors])
        case Quotient():
            return mapped(law_of(node.over, work), lambda value: value // node.by)
        case Best():
            laws = [law_of(part, work) for part in node.parts]
            return highest_of(laws, node.many, work, lowest=not node.highest)
        case Comparison():
            return _compared(law_of(node.one, work), node.sign, law_of(node.other, work), work)
        case Contest():
            return add(law_of(node.one, work), mapped(law_of(node.other, work), operator.neg), work)
        case Pool():
            return _pool(node, work)


def _signed(sign: int, term: Node, work: Work) -> Law:
    law = law_of(term, work)
    return law if sign > 0 else mapped(law, operator.neg)


def _product(one: Law, other: Law, work: Work) -> Law:
    work.spend(len(one) * len(other))
    found: Law = {}
    for value, weight in one.items():
        for factor, times in other.items():
            found[value * factor] = found.get(value * factor, 0) + weight * times
    return found


def _compared(one: Law, sign: str, other: Law, work: Work) -> Law:
    """Return the law of 1 where two totals compare so, else 0."""
    if len(other) > 1:
        one, other = add(one, mapped(other, operator.neg), work), {0: 1}
    holds, (limit,) = COMPARE[sign], other
    return mapped(one, lambda value: int(holds(value, limit)))


# -- pools ------------------------------------------------------------------------------------------------------------


def _pool(node: Pool, work: Work) -> Law:
    roll = _rerolled(node, law_of(node.die.inner, work) if node.die.inner is not None else dict(node.die.faces))
    many = {node.many: 1} if isinstance(node.many, int) else law_of(node.many, work)
    if node.picks:
        before = work.tail
        die = _exploded(node, roll, 1, lambda value: value, work)
        work.tail = before + (work.tail - before) * max(many)
        return mixed([(weight, _picked(node, die, n, work)) for n, weight in many.items()], work)
    counts = node.count.of if node.count is not None else lambda value: value
    exploding = node.explosion is not None and not (node.explosion.together and node.count is not None)
    if exploding and isinstance(node.many, int):
        return _exploded(node, roll, node.many, counts, work)
    before = work.tail
    if exploding:
        die = _exploded(node, roll, 1, counts, work)
    else:
        die = mapped(_exploded(node, roll, 1, lambda value: value, work), counts)
    work.tail = before + (work.tail - before) * max(many)
    return power(die, node.many, work) if isinstance(node.many, int) else compose(many, die, work)


def _rerolled(node: Pool, die: Law) -> Law:
    """Return the law of one roll after its re-roll."""
    if node.reroll is None:
        return die
    again = sum(weight for value, weight in die.items() if node.reroll.faces.has(value))
    total = sum(die.values())
    if not node.reroll.always:
        kept = {value: 0 if node.reroll.faces.has(value) else weight * total for value, weight in die.items()}
        return {value: kept[value] + again * weight for value, weight in die.items() if kept[value] or again}
    if again == total:
        raise UsageError(f"{node.die} {node.reroll} would never end: every face is rolled again")
    return {value: weight for value, weight in die.items() if not node.reroll.faces.has(value)}


def _picked(node: Pool, die: Law, n: int, work: Work) -> Law:
    """Return the law of what the dice that stay count, of n dice."""
    first, last = 0, n
    for pick in node.picks:
        first, last = pick.within(first, last)
    counts = node.count.of if node.count is not None else lambda value: value
    highest = first <= n - last  # from the end that is nearer to the dice that stay
    faces = [(counts(value), die[value]) for value in sorted(die, reverse=highest)]
    return select(faces, n, *((first, last) if highest else (n - last, n - first)), work)


def _exploded(node: Pool, roll: Law, n: int, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of what all rolls of n dice count, with those that explosions add."""
    if node.explosion is None:
        return power(mapped(roll, counts), n, work)
    faces, top = node.explosion.faces, max(roll)
    again = {value: weight for value, weight in roll.items() if (faces.has(value) if faces else value == top)}
    last = {value: weight for value, weight in roll.items() if value not in again}
    if node.explosion.most is not None:
        return power(_chained(again, last, node.explosion.most, counts, work), n, work)
    if not last:
        raise UsageError(f"{node} would never end: every face is rolled again")
    return _unending(mapped(again, counts), mapped(last, counts), n, work)


def _chained(again: Law, last: Law, most: int, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of a die that explodes at most so often."""
    one, total = mapped(again, counts), sum(again.values()) + sum(last.values())
    ends = mapped(last, counts)
    found = mapped(again | last, counts)
    for times in range(1, most + 1):
        work.spend(len(found) * (len(one) + 1), times * total.bit_length())
        scale = total**times
        longer = {value: weight * scale for value, weight in ends.items()}
        for value, weight in add(one, found, work).items() if one else ():
            longer[value] = longer.get(value, 0) + weight
        found = longer
    return found


def _unending(again: Law, last: Law, n: int, work: Work) -> Law:
    """Return the law of n dice each rolled until a last face, which stands in the end.

    Of n dice and j extra rolls, n show a last face and j one that is rolled again, in C(n + j - 1, j) orders that end
    with a last face. The orders are followed until the rest has a chance below 1 in `SURE`, which is put on the highest
    value reached.
    """
    if not again or n == 0:
        return power(last, n, work)
    stop, go = sum(last.values()), sum(again.values())
    total, most, ways = stop + go, 0, stop**n
    orders, rest = total**n, total**n - ways  # of n + most rolls: all orders, and those that go on
    while rest * SURE > orders:
        most += 1
        ways = ways * go * (n + most - 1) // most
        orders, rest = orders * total, rest * total - ways
        work.spend(1, orders.bit_length())
    work.tail += rest / orders
    _spare(again, most, orders.bit_length(), work)
    extra = {0: comb(n + most - 1, most)}
    for j in range(most - 1, -1, -1):
        extra = add(extra, again, work)
        extra[0] = extra.get(0, 0) + comb(n + j - 1, j) * total ** (most - j)
    found = add(power(last, n, work), extra, work)
    found[max(found)] += rest
    return found


def _spare(again: Law, most: int, bits: int, work: Work) -> None:
    """Spend the work at once if so many extra rolls are far too much of it."""
    sums = min(most * (max(again) - min(again) + 1), comb(most + len(again), len(again)))  # of so many extra rolls
    pairs = len(again) * sums * most / 2
    if pairs > 4 * work.limit:
        work.spend(pairs, bits)

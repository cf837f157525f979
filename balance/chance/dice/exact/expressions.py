"""Exact laws of expressions: of a die, of a pool, and of what is made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from math import lcm

from balance.chance.dice.exact.side_by_side import Dice, largest_set, ordered_sum
from balance.chance.dice.exact.single_die import explodes_on, explosion_law, reroll_law
from balance.chance.dice.exact.weights import PAIR, Law, Work, add, compose, highest_of, map_law, mixed, power, select
from balance.chance.dice.tree import (
    PASS,
    Absolute,
    Against,
    Best,
    Comparison,
    Contest,
    Count,
    Explosion,
    Gives,
    If,
    KeptDice,
    LargestSet,
    Logic,
    LookUp,
    Mix,
    Node,
    Not,
    Number,
    Pool,
    Product,
    Quotient,
    Span,
    Sum,
    faces_that,
)

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

    Parameters
    ----------
    node
        The part of an expression whose distribution is wanted.
    work
        Limits of the calculation; what is spent and what tail is left out is added to it.

    Raises
    ------
    TooLarge
        It would take more work than there is.
    UsageError
        It would never end.

    >>> from balance.chance.dice.text.parsing import parse
    >>> law_of(parse("2d2").node, Work())
    {2: 1, 3: 2, 4: 1}
    """
    match node:
        case Number():
            return {node.value: 1}
        case Sum():
            return reduce(
                lambda law_a, law_b: add(law_a, law_b, work), [_signed(sign, term, work) for sign, term in node.terms]
            )
        case Product():
            return reduce(
                lambda law_a, law_b: _product(law_a, law_b, work), [law_of(part, work) for part in node.factors]
            )
        case Quotient():
            return map_law(law_of(node.over, work), lambda value: value // node.by)
        case Best():
            laws = [law_of(part, work) for part in node.parts]
            return highest_of(laws, node.n_totals, work, lowest=not node.highest)
        case Absolute():
            return map_law(law_of(node.of, work), abs)
        case Comparison():
            return _comparison(node, work)
        case Contest():
            return add(law_of(node.first, work), map_law(law_of(node.second, work), operator.neg), work)
        case Pool():
            return _pool(node, work)
        case Mix():
            return _mix(node, work)
        case KeptDice():
            return _keep_law(node, work)
        case Against():
            return _against(node, work)
        case LargestSet():
            return _largest_set(node, work)
        case Not():
            return map_law(law_of(node.of, work), lambda value: int(value == 0))
        case Logic() | If() | Gives() | LookUp():
            return _branches(node, work)


def _branches(node: Logic | If | Gives | LookUp, work: Work) -> Law:
    """Return the law of what hangs on what other parts show."""
    match node:
        case Logic():
            flags = [map_law(law_of(part, work), lambda value: int(value != 0)) for part in node.parts]
            joined = reduce(lambda law_a, law_b: add(law_a, law_b, work), flags)
            least = len(node.parts) if node.word == "and" else 1
            return map_law(joined, lambda n_held: int(n_held >= least))
        case If():
            holds = map_law(law_of(node.condition, work), lambda value: int(value != 0))
            ways = {1: node.then, 0: node.otherwise}
            return mixed([(weight, law_of(ways[value], work)) for value, weight in holds.items()], work)
        case Gives():
            weights = dict[Node, int]()
            for value, weight in law_of(node.of, work).items():
                weights[node.branch(value)] = weights.get(node.branch(value), 0) + weight
            return mixed([(weight, law_of(branch, work)) for branch, weight in weights.items()], work)
        case LookUp():
            row_law, *column_laws = (law_of(place, work) for place in node.places)
            if not column_laws:
                return map_law(row_law, node.chart.at)
            return mixed(
                [(weight, map_law(column_laws[0], partial(node.chart.at, row))) for row, weight in row_law.items()],
                work,
            )


def _signed(sign: int, term: Node, work: Work) -> Law:
    law = law_of(term, work)
    return law if sign > 0 else map_law(law, operator.neg)


def _product(law_a: Law, law_b: Law, work: Work) -> Law:
    work.spend(PAIR * len(law_a) * len(law_b))
    work.hold(len(law_a) * len(law_b))
    weights: Law = {}
    for value, weight in law_a.items():
        for factor, times in law_b.items():
            weights[value * factor] = weights.get(value * factor, 0) + weight * times
    return weights


def _comparison(node: Comparison, work: Work) -> Law:
    left_law = law_of(node.first, work)
    if isinstance(node.second, Span):
        low, high, within = node.second.low, node.second.high, node.sign == "="
        return map_law(left_law, lambda value: int((low <= value <= high) == within))
    return _comparison_law(left_law, node.sign, law_of(node.second, work), work)


def _comparison_law(left_law: Law, sign: str, right_law: Law, work: Work) -> Law:
    """Return the law of 1 where two totals compare so, else 0."""
    if len(right_law) > 1:
        left_law, right_law = add(left_law, map_law(right_law, operator.neg), work), {0: 1}
    holds, (limit,) = COMPARE[sign], right_law
    return map_law(left_law, lambda value: int(holds(value, limit)))


# -- pools ------------------------------------------------------------------------------------------------------------


def _pool(node: Pool, work: Work) -> Law:
    roll = one_roll(node, work)
    if isinstance(node.n_dice, int):
        return _equal_dice(node, roll, node.n_dice, work)
    if isinstance(node.n_dice, Pool) and node.n_dice.count is not None and node.n_dice.count.skip is not None:
        return _after_skips(node, roll, node.n_dice, work)
    n_dice_law = law_of(node.n_dice, work)
    if node.picks:
        return mixed([(weight, _equal_dice(node, roll, n, work)) for n, weight in n_dice_law.items()], work)
    before = work.tail
    die = _equal_dice(node, roll, 1, work)
    work.tail = before + (work.tail - before) * max(n_dice_law)
    return compose(n_dice_law, die, work)


def one_roll(node: Pool, work: Work) -> Law:
    """Return the law of one roll of a die with its re-roll."""
    roll = law_of(node.die.inner, work) if node.die.inner is not None else dict(node.die.faces)
    return roll if node.reroll is None else reroll_law(node.reroll, roll, roll, str(node.die))


def _equal_dice(node: Pool, roll: Law, n: int, work: Work) -> Law:
    """Return the law of so many dice of a pool."""
    counts = counts_of(node.count)
    before = work.tail
    if node.picks:
        die = explosion_law(node.explosion, roll, 1, _as_it_is, work)
        work.tail = before + (work.tail - before) * n
        return _pick_law(node, die, n, work)
    if node.explosion is not None and not (node.explosion.together and node.count is not None):
        return explosion_law(node.explosion, roll, n, counts, work)
    die = map_law(explosion_law(node.explosion, roll, 1, _as_it_is, work), counts)
    work.tail = before + (work.tail - before) * n
    return power(die, n, work)


def _no_dice(value: int) -> Law:
    return {0: 1}


def _as_it_is(value: int) -> int:
    return value


def counts_of(count: Count | None) -> Callable[[int], int]:
    """Return what a face counts; itself where nothing is counted."""
    return _as_it_is if count is None else count.of


def _after_skips(node: Pool, roll: Law, before: Pool, work: Work) -> Law:
    """Return the law of a pool of as many dice as another counts, of which some are counted without a roll."""
    joint = _pool(before, work)
    laws = {n: _equal_dice(node, roll, n, work) for n in sorted({value % PASS for value in joint})}
    parts = []
    for value, weight in joint.items():
        n_skipped, n = divmod(value, PASS)
        parts.append((weight, {n_skipped + total: ways for total, ways in laws[n].items()}))
    return mixed(parts, work)


def _pick_law(node: Pool, die: Law, n: int, work: Work) -> Law:
    """Return the law of what the dice that stay count, of n dice."""
    first, last = replace(node, n_dice=n).stays()
    counts = counts_of(node.count)
    if node.count is not None and node.count.skip is not None:  # of two numbers in one, far apart
        return ordered_sum([Dice(n, die, lambda value: {counts(value): 1})], first, last, work)
    highest = first <= n - last  # from the end that is nearer to the dice that stay
    faces = [(counts(value), die[value]) for value in sorted(die, reverse=highest)]
    return select(faces, n, *((first, last) if highest else (n - last, n - first)), work)


# -- dice of several kinds, and what is done to those that stay -------------------------------------------------------


def _dice(pool: Pool, n: int, work: Work, gives: Callable[[int], Law]) -> Dice:
    before = work.tail
    law = explosion_law(pool.explosion, one_roll(pool, work), 1, _as_it_is, work)
    work.tail = before + (work.tail - before) * n
    return Dice(n, law, gives)


def _mix(node: Mix, work: Work) -> Law:
    if not node.picks:
        laws = [law_of(replace(pool, count=node.count), work) for pool in node.parts]
        return reduce(lambda law_a, law_b: add(law_a, law_b, work), laws)
    counts = counts_of(node.count)
    groups = [
        _dice(pool, n, work, lambda v: {counts(v): 1}) for pool in node.parts if isinstance(n := pool.n_dice, int)
    ]
    return ordered_sum(groups, *node.stays(), work)


def _keep_law(node: KeptDice, work: Work) -> Law:
    if isinstance(node.pool.n_dice, int):
        return _kept_of(node, node.pool.n_dice, work)
    n_dice_law = law_of(node.pool.n_dice, work)
    return mixed([(weight, _kept_of(node, n, work)) for n, weight in n_dice_law.items()], work)


def _kept_of(node: KeptDice, n: int, work: Work) -> Law:
    """Return the law of what the dice that stay give, of n dice: each face by itself is followed to its end."""
    first, last = replace(node.pool, n_dice=n).stays()
    before = work.tail
    dice = _dice(node.pool, n, work, _afterwards(node, work))
    sums = ordered_sum([dice], first, last, work)
    work.tail = before + (work.tail - before) * max(1, last - first)
    return sums


def _afterwards(node: KeptDice, work: Work) -> Callable[[int], Law]:
    """Return what a die that stays gives with a face: the same total of weights for each."""
    roll = one_roll(node.pool, work)
    again = roll if node.reroll is None else reroll_law(node.reroll, roll, roll, str(node.pool.die))
    counts, explosion = counts_of(node.count), node.explosion
    together = explosion is not None and explosion.together
    extra = _extra(explosion, again, _as_it_is if together else counts, work)
    after, total = (counts, _as_it_is) if together else (_as_it_is, counts)

    def gives(value: int) -> Law:
        face_law = {value: 1} if node.reroll is None else reroll_law(node.reroll, {value: 1}, roll, str(node.pool.die))
        parts = []
        for face, weight in face_law.items():
            goes_on = explosion is not None and explodes_on(explosion, face, max(roll))
            face_total = total(face)
            shift = {face_total + rest: ways for rest, ways in (extra if goes_on else {0: 1}).items()}
            parts.append((weight, map_law(shift, after)))
        return mixed(parts, work)

    laws = {value: gives(value) for value in roll}
    common = lcm(*(sum(law.values()) for law in laws.values()))
    scaled_laws = {
        value: {total: weight * (common // sum(law.values())) for total, weight in law.items()}
        for value, law in laws.items()
    }
    return scaled_laws.__getitem__


def _extra(explosion: Explosion | None, roll: Law, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of the extra rolls after a die exploded."""
    if explosion is None or explosion.max_times is None:
        return explosion_law(explosion, roll, 1, counts, work)
    return explosion_law(replace(explosion, max_times=explosion.max_times - 1), roll, 1, counts, work)


def _against(node: Against, work: Work) -> Law:
    parts = []
    for limit, weight in law_of(node.limit, work).items():
        count = Count(faces_that(node.sign, limit))
        parts.append((weight, law_of(replace(node.dice, count=count), work)))
    return mixed(parts, work)


def _largest_set(node: LargestSet, work: Work) -> Law:
    pools = node.dice.parts if isinstance(node.dice, Mix) else (node.dice,)
    n_dice = pools[0].n_dice
    if isinstance(n_dice, int):
        groups = [_dice(pool, pool.n_dice, work, _no_dice) for pool in pools if isinstance(pool.n_dice, int)]
        return largest_set(groups, work)
    laws = [
        (weight, _largest_set(LargestSet(replace(pools[0], n_dice=n)), work))
        for n, weight in law_of(n_dice, work).items()
    ]
    return mixed(laws, work)

"""Exact distributions of expressions: of a die, of a pool, and of what is composed of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from math import lcm

from balance.chance.dice import tree
from balance.chance.dice.exact.patterns import pairs_law, pattern_law
from balance.chance.dice.exact.pools import Case, cases_of, counts_of, equal_dice, rolled_on
from balance.chance.dice.exact.side_by_side import Side, ordered_sum
from balance.chance.dice.exact.weights import PAIR, Law, Work, add, compose, highest_of, map_law, mixed
from balance.chance.dice.exact.wounds import symbols_left, symbols_shown, wounds_left

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


def law_of(node: tree.Node, work: Work) -> Law:
    """Return the exact distribution of a part, value to weight; of a contest, that of the margin.

    What is added to `work.tail` bounds the chance of outcomes put on another value because explosions were cut off.
    Raise TooLarge beyond the limit of `work`, and UsageError if an explosion or re-roll would never end.
    """
    match node:
        case tree.Number():
            return {node.value: 1}
        case tree.Sum():
            return reduce(
                lambda law_a, law_b: add(law_a, law_b, work), [_signed(sign, term, work) for sign, term in node.terms]
            )
        case tree.Product():
            return reduce(
                lambda law_a, law_b: _product(law_a, law_b, work), [law_of(part, work) for part in node.factors]
            )
        case tree.Quotient():
            return map_law(law_of(node.over, work), node.of)
        case tree.Best():
            laws = [law_of(part, work) for part in node.parts]
            return highest_of(laws, node.n_totals, work, lowest=not node.highest)
        case tree.Applied():
            return map_law(law_of(node.of, work), node.function.of)
        case tree.Comparison():
            return _comparison(node, work)
        case tree.Contest():
            return add(law_of(node.first, work), map_law(law_of(node.second, work), operator.neg), work)
        case tree.Pool():
            return _pool(node, work)
        case tree.Mix():
            return _mix(node, work)
        case tree.KeptDice():
            return _keep_law(node, work)
        case tree.Against():
            return _against(node, work)
        case tree.Pattern():
            return _pattern(node, work)
        case tree.Name():
            return {work.names[node.text]: 1}
        case tree.Not():
            return map_law(law_of(node.of, work), lambda value: int(value == 0))
        case tree.Logic() | tree.If() | tree.Gives() | tree.LookUp():
            return _branches(node, work)
        case tree.Pairs():
            return _pairs(node, work)
        case tree.Less():
            return symbols_left(law_of(node.first, work), law_of(node.second, work), work)
        case tree.Shown():
            return map_law(law_of(node.of, work), lambda value: symbols_shown(value, node.faces.symbols))
        case tree.WoundsLeft():
            return _wounds_left(node, work)


def _branches(node: tree.Logic | tree.If | tree.Gives | tree.LookUp, work: Work) -> Law:
    """Return the law of a part that depends on what other parts show: logic, `if`, `gives` or a look-up."""
    match node:
        case tree.Logic():
            flags = [map_law(law_of(part, work), lambda value: int(value != 0)) for part in node.parts]
            joined = reduce(lambda law_a, law_b: add(law_a, law_b, work), flags)
            least = len(node.parts) if node.word == "and" else 1
            return map_law(joined, lambda n_held: int(n_held >= least))
        case tree.If():
            holds = map_law(law_of(node.condition, work), lambda value: int(value != 0))
            ways = {1: node.then, 0: node.otherwise}
            return mixed([(weight, law_of(ways[value], work)) for value, weight in holds.items()], work)
        case tree.Gives():
            weights = dict[tree.Node, int]()
            for value, weight in law_of(node.of, work).items():
                weights[node.branch(value)] = weights.get(node.branch(value), 0) + weight
            return mixed([(weight, law_of(branch, work)) for branch, weight in weights.items()], work)
        case tree.LookUp():
            row_law, *column_laws = (law_of(place, work) for place in node.places)
            if not column_laws:
                return map_law(row_law, node.chart.at)
            return mixed(
                [(weight, map_law(column_laws[0], partial(node.chart.at, row))) for row, weight in row_law.items()],
                work,
            )


def _signed(sign: int, term: tree.Node, work: Work) -> Law:
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


def _comparison(node: tree.Comparison, work: Work) -> Law:
    left_law = law_of(node.first, work)
    if isinstance(node.second, tree.Span):
        low, high, within = node.second.low, node.second.high, node.sign == "="
        return map_law(left_law, lambda value: int((low <= value <= high) == within))
    return _comparison_law(left_law, node.sign, law_of(node.second, work), work)


def _comparison_law(left_law: Law, sign: str, right_law: Law, work: Work) -> Law:
    """Return the law of the comparison of two independent totals: 1 where it holds, else 0."""
    if len(right_law) > 1:
        left_law, right_law = add(left_law, map_law(right_law, operator.neg), work), {0: 1}
    holds, (limit,) = COMPARE[sign], right_law
    return map_law(left_law, lambda value: int(holds(value, limit)))


# -- pools ------------------------------------------------------------------------------------------------------------


def _pool(node: tree.Pool, work: Work) -> Law:
    roll = single_roll(node, work)
    if isinstance(node.n_dice, int):
        return equal_dice(node, roll, node.n_dice, work)
    if isinstance(node.n_dice, tree.Pool) and node.n_dice.count is not None and node.n_dice.count.skip is not None:
        return _after_skips(node, roll, node.n_dice, work)
    n_dice_law = law_of(node.n_dice, work)
    if node.picks or not node.are_alike:
        return mixed([(weight, equal_dice(node, roll, n, work)) for n, weight in n_dice_law.items()], work)
    before = work.tail
    die = equal_dice(node, roll, 1, work)
    work.tail = before + (work.tail - before) * max(n_dice_law)
    return compose(n_dice_law, die, work)


def single_roll(node: tree.Pool, work: Work) -> Law:
    """Return the law of one roll, before re-rolls, explosions and counts; of a die with an inner part, its total."""
    return law_of(node.die.inner, work) if node.die.inner is not None else dict(node.die.faces)


def _after_skips(node: tree.Pool, roll: Law, before: tree.Pool, work: Work) -> Law:
    """Return the law of a pool of as many dice as the pool `before` counts.

    Successes there that skip this roll are written as multiples of `PASS`, and count 1 here without a die.
    """
    joint = _pool(before, work)
    laws = {n: equal_dice(node, roll, n, work) for n in sorted({value % tree.PASS for value in joint})}
    parts = []
    for value, weight in joint.items():
        n_skipped, n = divmod(value, tree.PASS)
        parts.append((weight, {n_skipped + total: ways for total, ways in laws[n].items()}))
    return mixed(parts, work)


# -- dice of several kinds, and what is done to those that stay -------------------------------------------------------


def sides_of(dice: tree.Pool | tree.Mix, work: Work, gives: Callable[[int], Law]) -> list[tuple[int, Side]]:
    """Return the weighted cases of how the dice may be made up, each as groups of equal dice and the places that stay.

    There are several if the number of dice is rolled or only some are re-rolled; `gives` maps a face to what it adds.
    """
    cases: list[Case] = [(1, [])]
    for pool in dice.parts if isinstance(dice, tree.Mix) else (dice,):
        more = _cases_of_pool(pool, work, gives)
        cases = [(weight * ways, [*groups, *others]) for weight, groups in cases for ways, others in more]
    return [
        (weight, (groups, *tree.places_of(sum(group.n_dice for group in groups), dice.picks)))
        for weight, groups in cases
    ]


def _cases_of_pool(pool: tree.Pool, work: Work, gives: Callable[[int], Law]) -> list[Case]:
    roll = single_roll(pool, work)
    if isinstance(pool.n_dice, int):
        return cases_of(pool, roll, pool.n_dice, work, gives)
    n_dice_law = law_of(pool.n_dice, work)
    by_n = [(weight, cases_of(pool, roll, n, work, gives)) for n, weight in n_dice_law.items()]
    scale = lcm(*(sum(ways for ways, _ in cases) for _, cases in by_n))
    return [
        (weight * ways * (scale // sum(ways for ways, _ in cases)), groups)
        for weight, cases in by_n
        for ways, groups in cases
    ]


def _mix(node: tree.Mix, work: Work) -> Law:
    if not node.picks:
        laws = [law_of(replace(pool, count=node.count), work) for pool in node.parts]
        return reduce(lambda law_a, law_b: add(law_a, law_b, work), laws)
    counts = counts_of(node.count)
    cases = sides_of(node, work, lambda value: {counts(value): 1})
    return mixed([(weight, ordered_sum(*side, work)) for weight, side in cases], work)


def _keep_law(node: tree.KeptDice, work: Work) -> Law:
    roll = single_roll(node.pool, work)
    if isinstance(node.pool.n_dice, int):
        return rolled_on(node, roll, node.pool.n_dice, work)
    n_dice_law = law_of(node.pool.n_dice, work)
    return mixed([(weight, rolled_on(node, roll, n, work)) for n, weight in n_dice_law.items()], work)


def _against(node: tree.Against, work: Work) -> Law:
    parts = []
    for limit, weight in law_of(node.limit, work).items():
        count = tree.Count(tree.faces_that(node.sign, limit))
        parts.append((weight, law_of(replace(node.dice, count=count), work)))
    return mixed(parts, work)


def _pattern(node: tree.Pattern, work: Work) -> Law:
    cases = sides_of(node.dice, work, no_total)
    runs = node.kind == "longest run"
    return mixed([(weight, pattern_law(side, node.add, work, runs=runs)) for weight, side in cases], work)


def _pairs(node: tree.Pairs, work: Work) -> Law:
    sides = [sides_of(side, work, no_total) for side in (node.first, node.second)]
    parts = [
        (weight_a * weight_b, pairs_law(side_a, side_b, node.signs, work))
        for weight_a, side_a in sides[0]
        for weight_b, side_b in sides[1]
    ]
    return mixed(parts, work)


def _wounds_left(node: tree.WoundsLeft, work: Work) -> Law:
    wounds, hits, damage = (law_of(part, work) for part in (node.wounds, node.hits, node.damage))
    if node.figure is None:
        return wounds_left(wounds, hits, damage, None, work)
    figures = law_of(node.figure, work)
    return mixed([(weight, wounds_left(wounds, hits, damage, size, work)) for size, weight in figures.items()], work)


def no_total(value: int) -> Law:
    """Return the law of a constant 0, for dice of which only the face matters, as in patterns and pairs."""
    return {0: 1}

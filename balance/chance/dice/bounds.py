"""Bounds on the total of a part of an expression, found without working out its distribution."""

from __future__ import annotations

from dataclasses import replace
from math import inf, prod

from balance.base.limits import MOST_DICE_SYMBOLS
from balance.chance.dice import tree


def bounds(node: tree.Node) -> tuple[float, float]:
    """Return the lowest and the highest total, or a little beyond; infinite where explosions never stop and for names.

    >>> from balance.chance.dice.tree import Die, Pool
    >>> bounds(Pool(3, Die("d6", ((1, 1), (6, 1)))))
    (3, 18)
    """
    match node:
        case tree.Number():
            return node.value, node.value
        case tree.Sum():
            ends = [sorted(sign * end for end in bounds(term)) for sign, term in node.terms]
            return sum(low for low, _ in ends), sum(high for _, high in ends)
        case tree.Product():
            return _product(node)
        case tree.Quotient():
            low, high = (end if abs(end) == inf else node.of(int(end)) for end in bounds(node.over))
            return low, high
        case tree.Best():
            ends = [list(bounds(part)) for part in node.parts]
            lows, highs = (sorted(side, reverse=node.highest)[: node.n_totals] for side in zip(*ends, strict=True))
            return sum(lows), sum(highs)
        case tree.Comparison() | tree.Contest() | tree.Logic() | tree.Not():
            return 0, 1
        case tree.If():
            return _widest([bounds(node.then), bounds(node.otherwise)])
        case tree.Gives():
            return _widest([bounds(branch) for _, branch in node.branches])
        case tree.LookUp() | tree.Name():
            return -inf, inf
        case tree.Less():
            return 0, bounds(node.first)[1]
        case tree.Shown():
            return 0, _most_shown(node.of, node.faces)
        case tree.WoundsLeft():
            return 0, max(0, bounds(node.wounds)[1])
        case tree.Pairs():
            return 0, min(_most_dice(node.first), _most_dice(node.second))
        case tree.Applied():
            return node.function.ends(*bounds(node.of))
        case tree.Against() | tree.Pattern():
            return 0, _most_dice(node.dice)
        case tree.Pool() | tree.Mix() | tree.KeptDice():
            return _dice(node)


def _widest(ends: list[tuple[float, float]]) -> tuple[float, float]:
    return min(low for low, _ in ends), max(high for _, high in ends)


def _dice(node: tree.Pool | tree.Mix | tree.KeptDice) -> tuple[float, float]:
    if isinstance(node, tree.Pool):
        return _pool(node)
    if isinstance(node, tree.KeptDice):
        return _kept(node)
    ends = [bounds(replace(pool, count=node.count)) for pool in node.parts]
    low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
    return (min(0, low), max(0, high)) if node.picks else (low, high)


def _most_shown(node: tree.Node, faces: tree.Faces) -> float:
    """Return the most of these symbols that dice, sums or differences of dice can show; 0 for any other part."""
    match node:
        case tree.Pool():
            return bounds(replace(node, count=tree.Count(faces, every=True)))[1]
        case tree.Sum():
            return sum(_most_shown(term, faces) for _, term in node.terms)
        case tree.Less():
            return _most_shown(node.first, faces)
    return 0


def _most_dice(node: tree.Pool | tree.Mix | tree.KeptDice) -> float:
    if isinstance(node, tree.Mix):
        return sum(map(_most_dice, node.parts))
    n_dice = node.n_dice if isinstance(node, tree.Pool) else node.pool.n_dice
    return n_dice if isinstance(n_dice, int) else bounds(n_dice)[1]


def _product(node: tree.Product) -> tuple[float, float]:
    low, high = bounds(node.factors[0])
    for factor in node.factors[1:]:
        ends = [0 if 0 in pair else prod(pair) for pair in _corners((low, high), bounds(factor))]
        low, high = min(ends), max(ends)
    return low, high


def _corners(range_a: tuple[float, float], range_b: tuple[float, float]) -> list[tuple[float, float]]:
    return [(x, y) for x in range_a for y in range_b]


def _pool(node: tree.Pool) -> tuple[float, float]:
    min_dice, max_dice = _dice_that_stay(node)
    low, high = _die(node) if node.count is None else _exploded(*_count_bounds(node.count), node.explosion)
    return _so_many(low, high, min_dice, max_dice)


def _so_many(low: float, high: float, min_dice: float, max_dice: float) -> tuple[float, float]:
    """Return bounds on the sum of `min_dice` to `max_dice` dice, each of which counts from `low` to `high`."""
    lows, highs = ([0 if 0 in (end, dice) else end * dice for dice in (min_dice, max_dice)] for end in (low, high))
    return min(lows), max(highs)


def _dice_that_stay(node: tree.Pool) -> tuple[float, float]:
    """Return bounds on the number of dice left after keeping and dropping, where their number may itself be rolled."""
    if isinstance(node.n_dice, int):
        first, last = node.stays()
        return last - first, last - first
    low, high = bounds(node.n_dice)
    return (0 if node.picks else low), high


def _single(node: tree.Pool) -> tuple[float, float]:
    """Return the lowest and the highest face of one roll, before re-rolls and explosions."""
    if node.die.inner is not None:
        return bounds(node.die.inner)
    values = [value for value, _ in node.die.faces]
    return min(values), max(values)


def _exploded(low: float, high: float, explosion: tree.Explosion | None) -> tuple[float, float]:
    if explosion is None:
        return low, high
    most_rolls = inf if explosion.max_times is None else explosion.max_times + 1
    return (low * most_rolls if low < 0 else low), (high * most_rolls if high > 0 else high)


def _die(node: tree.Pool) -> tuple[float, float]:
    """Return bounds on the sum of all rolls of one die, explosions and `each` limits included."""
    return _within(*_exploded(*_single(node), node.explosion), node.each)


def _within(low: float, high: float, each: tree.Each | None) -> tuple[float, float]:
    """Clip bounds by the `at least` and `at most` of a die; None leaves them as they are."""
    if each is None:
        return low, high
    least, highest = -inf if each.least is None else each.least, inf if each.highest is None else each.highest
    return min(max(low, least), highest), min(max(high, least), highest)


def _kept(node: tree.KeptDice) -> tuple[float, float]:
    """Return bounds on dice that are kept first and re-rolled, exploded or counted afterwards."""
    min_dice, max_dice = _dice_that_stay(node.pool)
    if node.count is not None:
        return _so_many(*_exploded(*_count_bounds(node.count), node.explosion), min_dice, max_dice)
    (low, high), (least, highest) = _die(node.pool), _single(node.pool)
    if node.reroll is not None:
        low, high = min(low, least), max(high, highest)
    if node.explosion is not None:
        extra_low, extra_high = _exploded(least, highest, node.explosion)
        low, high = low + min(0, extra_low), high + max(0, extra_high)
    return _so_many(*_within(low, high, node.each), min_dice, max_dice)


def _count_bounds(count: tree.Count) -> tuple[int, int]:
    if count.every:
        return 0, MOST_DICE_SYMBOLS
    return -1 if count.cancel else 0, 3 if count.triple else 2 if count.double else 1


DICELESS = (
    tree.Applied,
    tree.Best,
    tree.Comparison,
    tree.Gives,
    tree.If,
    tree.Logic,
    tree.LookUp,
    tree.Name,
    tree.Not,
    tree.Number,
    tree.Product,
    tree.Quotient,
    tree.Sum,
)


def is_arithmetic(node: tree.Node) -> bool:
    """Return whether neither the part nor anything inside it rolls dice; look-ups and names count as arithmetic."""
    return isinstance(node, DICELESS) and all(map(is_arithmetic, tree.parts_of(node)))


def shows_symbols(node: tree.Node) -> bool:
    """Whether a part gives uncounted symbols, which have no total."""
    if isinstance(node, tree.Pool):
        return node.die.symbolic and node.count is None
    return isinstance(node, tree.Less) or (
        isinstance(node, tree.Sum) and any(shows_symbols(term) for _, term in node.terms)
    )

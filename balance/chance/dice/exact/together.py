"""Exact laws of results that hang together: the same dice counted in several ways, and results with names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations_with_replacement, product
from math import comb, factorial, lcm, prod
from typing import TypeAlias

from balance.chance.dice.exact.expressions import law_of, no_total, sides_of, single_roll
from balance.chance.dice.exact.pools import cases_of, counts_of
from balance.chance.dice.exact.side_by_side import Dice
from balance.chance.dice.exact.weights import Law, TooLarge, Work, add, map_law, mixed, power
from balance.chance.dice.tree import SHIFT, Mix, Node, Pattern, Pool, Program, Statement

JointLaw: TypeAlias = dict[tuple[int, ...], int]
"""Values of several results -> weight."""
MOST_FALLS = 100_000
"""Ways in which dice may lie, whatever their order, that are gone through one by one."""
FALL = 20
"""Steps that each of them takes."""


def joint_law(nodes: Sequence[Node], work: Work) -> JointLaw:
    """Return the law of several results of the same dice.

    Parameters
    ----------
    nodes
        What is counted: of one node anything, of several the same dice with other things done to them.
    work
        Limits of the calculation.

    Raises
    ------
    TooLarge
        It would take more work than there is.

    >>> from balance.chance.dice.text.parsing import parse
    >>> joint_law([parse("2d2 count 1").node, parse("2d2 count 2").node], Work())
    {(2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    if len(nodes) == 1:
        return {(value,): weight for value, weight in law_of(nodes[0], work).items()}
    pools = [_pools_counted(node) for node in nodes]
    if not all(pools):
        return _fall_by_fall(nodes, work)
    joint: JointLaw = {(0,) * len(nodes): 1}
    for equal_dice in zip(*pools, strict=True):
        joint = _sums(joint, _counts_together(equal_dice, work), work)
    return joint


def _pools_counted(node: Node) -> tuple[Pool, ...]:
    """Return the pools of dice of which each adds what it counts, whatever the others show; empty if there is more."""
    if not isinstance(node, Pool | Mix) or node.picks:
        return ()
    pools = node.parts if isinstance(node, Mix) else (node,)
    if any(pool.explosion is not None or pool.drawn for pool in pools):
        return ()
    return tuple(replace(pool, count=node.count) for pool in pools)


def _counts_together(pools: Sequence[Pool], work: Work) -> JointLaw:
    """Return the law of what equal dice count in several ways: each way has digits of its own in one number."""
    pool, n_dice = pools[0], pools[0].n_dice
    if not isinstance(n_dice, int):
        raise TooLarge("dice in unknown number are counted in several ways")
    cases = cases_of(pool, single_roll(pool, work), n_dice, work, lambda value: {})
    faces = {face for _, groups in cases for dice in groups for face in dice.law} or {0}
    counts = [counts_of(way.count) for way in pools]
    least = [min(map(count, faces)) for count in counts]

    def number(face: int) -> int:
        values = zip(counts, least, strict=True)
        return sum((count(face) - low) << SHIFT * way for way, (count, low) in enumerate(values))

    parts = []
    for weight, groups in cases:
        laws = [power(map_law(dice.law, number), dice.n_dice, work) for dice in groups]
        parts.append((weight, reduce(lambda law_a, law_b: add(law_a, law_b, work), laws, {0: 1})))
    mask = (1 << SHIFT) - 1
    return {
        tuple((total >> SHIFT * way & mask) + n_dice * low for way, low in enumerate(least)): weight
        for total, weight in mixed(parts, work).items()
    }


def _sums(law_a: JointLaw, law_b: JointLaw, work: Work) -> JointLaw:
    work.spend(len(law_a) * len(law_b) * 2)
    weights: JointLaw = {}
    for values_a, weight_a in law_a.items():
        for values_b, weight_b in law_b.items():
            values = tuple(a + b for a, b in zip(values_a, values_b, strict=True))
            weights[values] = weights.get(values, 0) + weight_a * weight_b
    return weights


def _fall_by_fall(nodes: Sequence[Node], work: Work) -> JointLaw:
    """Return the law of results of dice of which some are kept, or patterns are told: each fall of them in turn."""
    import numpy as np  # which takes longer to load than most answers take

    from balance.chance.dice.exact.rows import tally

    dice = nodes[0].dice if isinstance(nodes[0], Pattern) else nodes[0]
    pools = dice.parts if isinstance(dice, Mix) else (dice,)
    if not isinstance(dice, Pool | Mix) or any(isinstance(pool, Pool) and pool.explosion for pool in pools):
        raise TooLarge("such dice are told of in several ways at once")
    cases = sides_of(dice, work, no_total)
    n_falls = sum(prod(_n_falls(group) for group in groups) for _, (groups, _, _) in cases)
    if n_falls > MOST_FALLS:
        raise TooLarge(f"the dice may lie in {n_falls:,} ways")
    work.spend(n_falls * FALL)
    common = lcm(*(prod(group.total for group in groups) for _, (groups, _, _) in cases))
    weights: JointLaw = {}
    for case, (groups, _, _) in cases:
        falls = [_fall(parts) for parts in product(*map(_falls, groups))]
        faces = np.array([row for row, _ in falls], np.int64).reshape(len(falls), -1)
        results = np.stack([tally(part, faces, np.ones(faces.shape, bool)) for part in nodes], axis=1)
        scale = case * (common // prod(group.total for group in groups))
        for (_, ways), values in zip(falls, map(tuple, results.tolist()), strict=True):
            weights[values] = weights.get(values, 0) + ways * scale
    return {values: weight for values, weight in weights.items() if weight}


def _n_falls(dice: Dice) -> int:
    return comb(dice.n_dice + len(dice.law) - 1, dice.n_dice)


def _falls(dice: Dice) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield what equal dice may show, whatever their order, and in how many ways."""
    for fall in combinations_with_replacement(sorted(dice.law, reverse=True), dice.n_dice):
        times = Counter(fall)
        if dice.drawn:
            yield fall, prod(comb(dice.law[face], n) for face, n in times.items())
        else:
            orders = factorial(dice.n_dice) // prod(map(factorial, times.values()))
            yield fall, orders * prod(dice.law[face] ** n for face, n in times.items())


def _fall(parts: Sequence[tuple[tuple[int, ...], int]]) -> tuple[list[int], int]:
    """Return what all groups show, the highest first, and in how many ways."""
    return sorted((face for fall, _ in parts for face in fall), reverse=True), prod(ways for _, ways in parts)


def program_law(program: Program, work: Work) -> Law:
    """Return the law of the last result of a program.

    Parameters
    ----------
    program
        Results that follow one another.
    work
        Limits of the calculation.

    Raises
    ------
    TooLarge
        It would take more work than there is.

    >>> from balance.chance.dice.text.parsing import parse
    >>> program_law(parse("n = d2; n + n").node, Work())
    {2: 1, 4: 1}
    """
    names, joint = tuple[str, ...](), JointLaw({(): 1})
    statements = program.statements
    for number, statement in enumerate(statements):
        later_names = {name for other in statements[number + 1 :] for name in other.uses}
        needed_names = later_names if number < len(statements) - 1 else set(statement.columns)
        names, joint = _next_results(statement, names, joint, needed_names, work)
    return {value: weight for (value,), weight in sorted(joint.items())}


def _next_results(
    statement: Statement, names: tuple[str, ...], joint: JointLaw, needed_names: set[str], work: Work
) -> tuple[tuple[str, ...], JointLaw]:
    """Return names that are still needed and the law of their values, after one statement more."""
    places = [names.index(name) for name in statement.uses]
    laws = {used: joint_law(statement.nodes(used), work) for used in {_at(values, places) for values in joint}}
    totals = {used: sum(law.values()) for used, law in laws.items()}
    common = lcm(*totals.values())
    all_names = (*names, *statement.columns)
    places_needed = [place for place, name in enumerate(all_names) if name in needed_names]
    work.spend(sum(len(laws[_at(values, places)]) for values in joint), common.bit_length())
    weights: JointLaw = {}
    for values, weight in joint.items():
        used = _at(values, places)
        times = weight * (common // totals[used])
        for results, ways in laws[used].items():
            key = _at((*values, *results), places_needed)
            weights[key] = weights.get(key, 0) + times * ways
    return tuple(all_names[place] for place in places_needed), weights


def _at(values: tuple[int, ...], places: Sequence[int]) -> tuple[int, ...]:
    return tuple(values[place] for place in places)

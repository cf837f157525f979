"""Re-rolls limited to so many dice of a pool, the lowest first: the groups of equal dice that result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb
from typing import TypeAlias

from balance.chance.dice.exact.weights import Law, Work

Split: TypeAlias = "list[tuple[int, Law]]"
"""Groups of equal dice: how many, and the law of one."""


def limited_rerolls(
    roll: Law, is_again: Callable[[int], bool], fresh: Law, n: int, max_dice: int, work: Work
) -> Iterator[tuple[int, Split]]:
    """Yield the weight of each way in which n dice come to lie, and the groups (number, law of a die) that it leaves.

    `fresh` is the law of the roll that replaces one on a face with `is_again`. Of k such dice, the highest beyond
    `max_dice` stay. If the lowest of these shows t and j of them show more, b of the others show less than t: k! / (b!
    (k - b - j)! j!) orders, for each b.

    >>> list(limited_rerolls({1: 1, 2: 1}, lambda face: face == 1, {1: 1, 2: 1}, 2, 1, Work()))
    ... # doctest: +NORMALIZE_WHITESPACE
    [(1, [(2, {2: 1})]), (2, [(1, {2: 1}), (1, {1: 1, 2: 1})]), (1, [(1, {1: 1}), (1, {1: 1, 2: 1})])]
    """
    again = {face: roll[face] for face in sorted(roll) if is_again(face)}
    stays = {face: weight for face, weight in roll.items() if face not in again}
    n_ways, n_stays = sum(again.values()), sum(stays.values())
    n_cases = n + 1 if len(again) < 2 else n + len(again) * max(0, n - max_dice) ** 2 / 2
    work.spend(n_cases * n, n * sum(roll.values()).bit_length())
    orders = 1
    for k in range(n + 1):
        weight, first = orders * n_stays ** (n - k), [(n - k, stays)]
        orders = orders * (n - k) // (k + 1)
        if (k and not n_ways) or (k < n and not n_stays):
            continue
        if k <= max_dice:
            yield weight * n_ways**k, _present([*first, (k, fresh)])
            continue
        for ways, groups in _highest_that_stay(again, k, max_dice, work):
            yield weight * ways, _present([*first, *groups, (max_dice, fresh)])


def _present(groups: Split) -> Split:
    return [(n_dice, law) for n_dice, law in groups if n_dice]


def _highest_that_stay(again: Law, k: int, max_dice: int, work: Work) -> Iterator[tuple[int, Split]]:
    """Yield the weight and the groups of the k - `max_dice` highest of k dice, which are not re-rolled."""
    below, above, n_left = 0, sum(again.values()), k - max_dice
    for face, weight in again.items():
        above -= weight
        higher = {other: ways for other, ways in again.items() if other > face}
        for j in range(n_left if above else 1):
            work.spend(4 * (max_dice + 1 if below else 1), k * sum(again.values()).bit_length())
            orders = (
                comb(k, j) * comb(k - j, b) * below**b * weight ** (k - j - b)
                for b in range(max_dice + 1 if below else 1)
            )
            yield sum(orders) * above**j, [(j, higher), (n_left - j, {face: weight})]
        below += weight

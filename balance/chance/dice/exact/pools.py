"""Laws of the dice of one pool, given that of a single roll: of all, of those kept, of those rolled on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from math import comb, lcm
from typing import TypeAlias

from balance.chance.dice.exact.side_by_side import Dice, ordered_sum
from balance.chance.dice.exact.single_die import explodes_on, explosion_law, reroll_law
from balance.chance.dice.exact.weights import Law, Work, add, map_law, mixed, power, select
from balance.chance.dice.tree import Count, Explosion, KeptDice, Pool

Case: TypeAlias = tuple[int, list[Dice]]
"""A way in which the dice of a pool may be made up: its weight, and groups of equal dice."""
Split: TypeAlias = "list[tuple[int, Law]]"
"""Groups of equal dice: how many, and the law of one."""


def counts_of(count: Count | None) -> Callable[[int], int]:
    """Return the function from a face to what it counts; the identity where nothing is counted."""
    return _as_it_is if count is None else count.of


def rolled_law(pool: Pool, roll: Law) -> Law:
    """Return the law of a roll after its re-roll; a re-roll limited to some dice of the pool is not applied here."""
    if pool.reroll is None or pool.reroll.max_dice is not None:
        return roll
    return reroll_law(pool.reroll, roll, roll, str(pool.die))


def equal_dice(pool: Pool, roll: Law, n: int, work: Work) -> Law:
    """Return the law of the result of a pool of n dice, given that of a single roll, `roll`."""
    if not pool.are_alike:
        return _by_cases(pool, roll, n, work)
    counts, before = counts_of(pool.count), work.tail
    if pool.adds_rolls:
        return explosion_law(pool.explosion, rolled_law(pool, roll), n, counts, work)
    die = _die_law(pool, rolled_law(pool, roll), work)
    work.tail = before + (work.tail - before) * n
    return _pick_law(pool, die, n, work) if pool.picks else power(map_law(die, counts), n, work)


def cases_of(pool: Pool, roll: Law, n: int, work: Work, gives: Callable[[int], Law]) -> list[Case]:
    """Return the weighted cases of how n dice of a pool may be made up, each as groups of equal dice.

    There are several only if a re-roll is limited to some dice; `gives` maps a face to the law of what it adds.
    """
    before = work.tail
    if pool.reroll is None or pool.reroll.max_dice is None:
        cases = [(1, [Dice(n, _die_law(pool, rolled_law(pool, roll), work), gives, pool.drawn)])]
    else:
        splits = _splits(pool, roll, n, work)
        extra = _extra(pool.explosion, roll, _as_it_is, work)
        cases = [
            (weight, [Dice(m, _gone_on(pool, law, roll, extra, _as_it_is, work), gives) for m, law in groups])
            for weight, groups in splits
        ]
    work.tail = before + (work.tail - before) * n
    return cases


def die_cases(
    pool: Pool, roll: Law, n: int, counts: Count | None, work: Work
) -> list[tuple[int, list[tuple[int, Law]]]]:
    """Return the same as `cases_of`, but each group as (number of dice, law of one).

    With `counts` the law is of what every roll of a die counts by itself; None takes the sum of its rolls.
    """
    if counts is None:
        cases = cases_of(pool, roll, n, work, lambda value: {})
        return [(weight, [(dice.n_dice, dice.law) for dice in groups]) for weight, groups in cases]
    before = work.tail
    if pool.are_alike:
        splits = [(1, [(n, explosion_law(pool.explosion, rolled_law(pool, roll), 1, counts.of, work))])]
    else:
        extra = _extra(pool.explosion, roll, counts.of, work)
        splits = [
            (weight, [(m, _gone_on(pool, law, roll, extra, counts.of, work)) for m, law in groups])
            for weight, groups in _splits(pool, roll, n, work)
        ]
    work.tail = before + (work.tail - before) * n
    return splits


def sum_of(groups: Sequence[Dice], first: int, last: int, work: Work) -> Law:
    """Return the law of the sum of what the dice at places `first` to `last` - 1 give, place 0 being the highest."""
    if any(dice.drawn for dice in groups) or (first, last) != (0, sum(dice.n_dice for dice in groups)):
        return ordered_sum(groups, first, last, work)
    sums = (power(mixed([(w, dice.gives(v)) for v, w in dice.law.items()], work), dice.n_dice, work) for dice in groups)
    return reduce(lambda law_a, law_b: add(law_a, law_b, work), sums, {0: 1})


def rolled_on(node: KeptDice, roll: Law, n: int, work: Work) -> Law:
    """Return the law of n dice of which those kept are re-rolled, exploded or counted afterwards.

    `roll` is the law of a single roll; the continuation is worked out once for each face.
    """
    first, last = replace(node.pool, n_dice=n).stays()
    before = work.tail
    cases = cases_of(node.pool, roll, n, work, lambda value: {value: 1})
    values = {value for _, groups in cases for dice in groups for value in dice.law}
    gives = _afterwards(node, rolled_law(node.pool, roll), values, work)
    sums = []
    for weight, groups in cases:
        dice = [replace(group, gives=gives) for group in groups]
        sums.append((weight, ordered_sum(dice, first, last, work)))
    work.tail = before + (work.tail - before) * max(1, last - first)
    return mixed(sums, work)


def _as_it_is(value: int) -> int:
    return value


def _by_cases(pool: Pool, roll: Law, n: int, work: Work) -> Law:
    """Return the law of a pool whose dice are not alike: cards drawn, or re-rolls limited to some dice."""
    counts = counts_of(pool.count)
    first, last = replace(pool, n_dice=n).stays()
    if not pool.adds_rolls:
        cases = cases_of(pool, roll, n, work, lambda value: {counts(value): 1})
        return mixed([(weight, sum_of(groups, first, last, work)) for weight, groups in cases], work)
    before, extra = work.tail, _extra(pool.explosion, roll, counts, work)
    work.tail = before + (work.tail - before) * n
    parts = []
    for weight, groups in _splits(pool, roll, n, work):
        sums = [power(_gone_on(pool, law, roll, extra, counts, work), m, work) for m, law in groups]
        parts.append((weight, reduce(lambda law_a, law_b: add(law_a, law_b, work), sums, {0: 1})))
    return mixed(parts, work)


def _splits(pool: Pool, roll: Law, n: int, work: Work) -> list[tuple[int, list[tuple[int, Law]]]]:
    """Return the weighted splits into groups (number, law of a die) that a limited re-roll makes, or one group."""
    reroll = pool.reroll
    if reroll is None or reroll.max_dice is None:
        return [(1, [(n, rolled_law(pool, roll))])]
    fresh = reroll_law(reroll, roll, roll, str(pool.die)) if reroll.always else roll
    return list(limited_rerolls(roll, reroll.faces.has, fresh, n, reroll.max_dice, work))


def _die_law(pool: Pool, roll: Law, work: Work) -> Law:
    """Return the law of the sum of all rolls of a die, clipped by `each`."""
    law = explosion_law(pool.explosion, roll, 1, _as_it_is, work)
    return law if pool.each is None else map_law(law, pool.each.of)


def _gone_on(pool: Pool, first_law: Law, roll: Law, extra: Law, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of what a die counts, given the law of its first roll and that of its extra rolls."""
    each = _as_it_is if pool.each is None else pool.each.of
    if pool.explosion is None:
        return map_law(first_law, lambda value: counts(each(value)))
    parts = []
    for face, weight in first_law.items():
        goes_on = explodes_on(pool.explosion, face, max(roll))
        parts.append((weight, {counts(face) + rest: ways for rest, ways in (extra if goes_on else {0: 1}).items()}))
    return map_law(mixed(parts, work), each)


def _pick_law(node: Pool, die: Law, n: int, work: Work) -> Law:
    """Return the law of the count of the dice kept, of n dice with the law `die`."""
    first, last = replace(node, n_dice=n).stays()
    counts = counts_of(node.count)
    if node.count is not None and node.count.skip is not None:  # of two numbers in one, far apart
        return ordered_sum([Dice(n, die, lambda value: {counts(value): 1})], first, last, work)
    highest = first <= n - last  # from the end that is nearer to the dice that stay
    faces = [(counts(value), die[value]) for value in sorted(die, reverse=highest)]
    return select(faces, n, *((first, last) if highest else (n - last, n - first)), work)


def _afterwards(node: KeptDice, roll: Law, values: set[int], work: Work) -> Callable[[int], Law]:
    """Return the function from the face of a kept die to the law of what it gives, all of the same total weight."""
    again = roll if node.reroll is None else reroll_law(node.reroll, roll, roll, str(node.pool.die))
    counts, explosion = counts_of(node.count), node.explosion
    is_summed = node.each is not None or (explosion is not None and explosion.together)
    each = _as_it_is if node.each is None else node.each.of
    extra = _extra(explosion, again, _as_it_is if is_summed else counts, work)
    total = _as_it_is if is_summed else counts

    def after(value: int) -> int:
        return counts(each(value)) if is_summed else value

    def gives(value: int) -> Law:
        face_law = {value: 1} if node.reroll is None else reroll_law(node.reroll, {value: 1}, roll, str(node.pool.die))
        parts = []
        for face, weight in face_law.items():
            goes_on = explosion is not None and explodes_on(explosion, face, max(roll))
            shift = {total(face) + rest: ways for rest, ways in (extra if goes_on else {0: 1}).items()}
            parts.append((weight, map_law(shift, after)))
        return mixed(parts, work)

    laws = {value: gives(value) for value in values}
    common = lcm(*(sum(law.values()) for law in laws.values()))
    scaled_laws = {
        value: {total: weight * (common // sum(law.values())) for total, weight in law.items()}
        for value, law in laws.items()
    }
    return scaled_laws.__getitem__


def _extra(explosion: Explosion | None, roll: Law, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of the count of all rolls that follow an explosion."""
    if explosion is None or explosion.max_times is None:
        return explosion_law(explosion, roll, 1, counts, work)
    return explosion_law(replace(explosion, max_times=explosion.max_times - 1), roll, 1, counts, work)


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

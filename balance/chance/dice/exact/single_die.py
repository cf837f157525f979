"""Laws of a single die with its re-rolls and explosions."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from balance.base.errors import UsageError
from balance.chance.dice.exact.weights import Law, Work, add, map_law, power
from balance.chance.dice.tree import Explosion, Reroll

SURE = 10**12
"""Extra rolls of a pool are followed until more of them have a chance below 1 in so many."""


def reroll_law(reroll: Reroll, die: Law, again: Law, text: str) -> Law:
    """Return the law of a die with first roll `die` and re-rolls `again`; raise UsageError if it would never end.

    `text` is the die, for the error.
    """
    stays = {value: weight for value, weight in die.items() if not reroll.faces.has(value)}
    rerolled_weight = sum(die.values()) - sum(stays.values())
    new_faces = {v: w for v, w in again.items() if not reroll.faces.has(v)} if reroll.always else again
    if not new_faces:
        raise UsageError(f"{text} {reroll} would never end: every face is rolled again")
    if reroll.always and die == again:
        return stays
    total = sum(new_faces.values())
    weights = {value: weight * total for value, weight in stays.items()}
    for value, weight in new_faces.items() if rerolled_weight else ():
        weights[value] = weights.get(value, 0) + rerolled_weight * weight
    return weights


def explodes_on(explosion: Explosion, value: int, top: int) -> bool:
    """Return whether a die that shows a value is rolled once more; without faces it explodes on `top`, its highest."""
    return explosion.faces.has(value) if explosion.faces is not None else value == top


def explosion_law(explosion: Explosion | None, roll: Law, n: int, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of what all rolls of n dice count, explosions included; None means that nothing explodes.

    Raise UsageError if every face explodes without end.
    """
    if explosion is None:
        return power(map_law(roll, counts), n, work)
    top = max(roll)
    again = {value: weight for value, weight in roll.items() if explodes_on(explosion, value, top)}
    last = {value: weight for value, weight in roll.items() if value not in again}
    if explosion.max_times is not None:
        return power(_chain_law(again, last, explosion.max_times, counts, work), n, work)
    if not last:
        raise UsageError(f"{explosion} would never end: every face is rolled again")
    return _unending(map_law(again, counts), map_law(last, counts), n, work)


def _chain_law(again: Law, last: Law, max_rolls: int, counts: Callable[[int], int], work: Work) -> Law:
    """Return the law of the count of a die that is rolled again `max_rolls` times at most."""
    roll_law, total = map_law(again, counts), sum(again.values()) + sum(last.values())
    ends = map_law(last, counts)
    chain = map_law(again | last, counts)
    for times in range(1, max_rolls + 1):
        work.spend(len(chain) * (len(roll_law) + 1), times * total.bit_length())
        scale = total**times
        longer = {value: weight * scale for value, weight in ends.items()}
        for value, weight in add(roll_law, chain, work).items() if roll_law else ():
            longer[value] = longer.get(value, 0) + weight
        chain = longer
    return chain


def _unending(again: Law, last: Law, n: int, work: Work) -> Law:
    """Return the law of the sum of n dice, each rolled until it shows a face of `last`.

    Of n dice and j extra rolls, n show a last face and j one that is rolled again, in C(n + j - 1, j) orders that end
    with a last face. The orders are followed until the rest has a chance below 1 in `SURE`, which is put on the highest
    value reached.
    """
    if not again or n == 0:
        return power(last, n, work)
    stop, go = sum(last.values()), sum(again.values())
    total, n_extra, ways = stop + go, 0, stop**n
    orders, rest = total**n, total**n - ways  # of n + most rolls: all orders, and those that go on
    while rest * SURE > orders:
        n_extra += 1
        ways = ways * go * (n + n_extra - 1) // n_extra
        orders, rest = orders * total, rest * total - ways
        work.spend(1, orders.bit_length())
    work.tail += rest / orders
    _spare(again, n_extra, orders.bit_length(), work)
    extra = {0: comb(n + n_extra - 1, n_extra)}
    for j in range(n_extra - 1, -1, -1):
        extra = add(extra, again, work)
        extra[0] = extra.get(0, 0) + comb(n + j - 1, j) * total ** (n_extra - j)
    sums = add(power(last, n, work), extra, work)
    sums[max(sums)] += rest
    return sums


def _spare(again: Law, max_rolls: int, bits: int, work: Work) -> None:
    """Raise TooLarge before any work if following so many extra rolls takes several times the limit."""
    sums = min(
        max_rolls * (max(again) - min(again) + 1), comb(max_rolls + len(again), len(again))
    )  # of so many extra rolls
    pairs = len(again) * sums * max_rolls / 2
    if pairs > 4 * work.limit:
        work.spend(pairs, bits)

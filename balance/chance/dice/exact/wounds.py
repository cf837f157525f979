"""Laws of what hits leave of wounds on figures, and of symbols that opposing symbols cancel."""

from __future__ import annotations

from balance.chance.dice.exact.weights import PAIR, Law, Work, map_law
from balance.chance.dice.tree import SHIFT


def wounds_left(wounds: Law, hits: Law, damage: Law, figure: int | None, work: Work) -> Law:
    """Return the law of the wounds left after hits; negative wounds, hits and damage count as 0.

    Hit by hit: of w wounds left, the figure that is struck has w mod `figure`, or all of its wounds, and loses no more
    than it has; None makes all wounds one pool.

    >>> wounds_left({5: 1}, {1: 1}, {1: 1, 3: 1}, 2, Work())
    {4: 2}
    """
    law, n_hits = map_law(wounds, lambda value: max(0, value)), map_law(hits, lambda value: max(0, value))
    most = max(law) if figure is None else max(1, figure)
    losses = map_law(damage, lambda value: min(max(0, value), most))
    ways, max_hits = sum(losses.values()), max(n_hits)
    bits = sum(law.values()).bit_length() + max_hits * ways.bit_length()
    weights: Law = {}
    for n in range(max_hits + 1):
        work.spend(PAIR * len(law) * len(losses), bits)
        is_over = set(law) == {0}
        n_ways = sum(weight for hits_so, weight in n_hits.items() if hits_so >= n) if is_over else n_hits.get(n, 0)
        for value, weight in law.items() if n_ways else ():
            weights[value] = weights.get(value, 0) + weight * n_ways * ways ** (max_hits - n)
        if is_over or n == max_hits:
            break
        law = _one_hit(law, losses, most if figure is not None else None)
    return weights


def _one_hit(law: Law, losses: Law, figure: int | None) -> Law:
    next_law: Law = {}
    for value, weight in law.items():
        struck = value if figure is None else value % figure or min(figure, value)
        for loss, ways in losses.items():
            rest = value - min(loss, struck)
            next_law[rest] = next_law.get(rest, 0) + weight * ways
    return next_law


def symbols_left(law_a: Law, law_b: Law, work: Work) -> Law:
    """Return the law of symbols packed as numbers after each of `law_b` cancels one of its kind, down to 0.

    >>> symbols_left({2: 1, 1: 1}, {1: 1}, Work())
    {1: 1, 0: 1}
    """
    n_kinds = max(law_a).bit_length() // SHIFT + 1
    work.spend(PAIR * len(law_a) * len(law_b) * n_kinds)
    work.hold(len(law_a) * len(law_b))
    shifts, mask = [SHIFT * place for place in range(n_kinds)], (1 << SHIFT) - 1
    weights: Law = {}
    for symbols, weight in law_a.items():
        for losses, ways in law_b.items():
            rest = sum(max(0, (symbols >> shift & mask) - (losses >> shift & mask)) << shift for shift in shifts)
            weights[rest] = weights.get(rest, 0) + weight * ways
    return weights


def symbols_shown(value: int, places: tuple[int, ...]) -> int:
    """Return how many symbols of the kinds at `places` a packed number holds."""
    return sum(value >> SHIFT * place & (1 << SHIFT) - 1 for place in places)

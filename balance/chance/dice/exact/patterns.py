"""Laws of patterns by dynamic programming over values: sets, runs, different values, and comparison in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, TypeAlias

from balance.chance.dice.exact.side_by_side import Dice, Side
from balance.chance.dice.exact.weights import Law, Work

State: TypeAlias = tuple[int, int]
"""What is told in the end, and how many values that follow one another were shown last."""
Left: TypeAlias = tuple[int, ...]
"""How many dice of each group show less than the values so far."""
FALL, STEP = 8, 2
"""Steps that one number of dice takes that may show a value, and each result so far with it."""


def pattern_law(side: Side, add: Callable[[int, int, int], int], work: Work, *, runs: bool = False) -> Law:
    """Return the law of a pattern of the dice that stay, visiting values from the highest down.

    `add` maps (result so far, dice that show the next value, length of the run that ends there) to the new result; the
    length is 0 without `runs`. `side` holds the dice and the places that stay.

    >>> dice = Dice(2, dict.fromkeys(range(1, 7), 1), lambda value: {})
    >>> pattern_law(([dice], 0, 2), lambda most, n_dice, run: max(most, n_dice), Work())  # the largest set
    {1: 30, 2: 6}
    """
    groups, first, last = side
    n, bits = sum(dice.n_dice for dice in groups), prod(dice.total for dice in groups).bit_length()
    _spare(groups, FALL, work, bits)
    weights: dict[Left, dict[State, int]] = {tuple(dice.n_dice for dice in groups): {(0, 0): 1}}
    before: int | None = None
    for value in sorted(set().union(*(dice.law for dice in groups)), reverse=True):
        follows, next_weights = runs and before == value + 1, dict[Left, dict[State, int]]()
        for left, states in weights.items():
            n_taken = n - sum(left)
            for more_left, ways in shown_by(groups, left, value):
                work.spend(FALL + STEP * len(states), bits)
                shown = max(0, min(n - sum(more_left), last) - max(n_taken, first))
                into = next_weights.setdefault(more_left, {})
                for (told, run), weight in states.items():
                    run_now = (run if follows else 0) + 1 if runs and shown else 0
                    state = add(told, shown, run_now), run_now
                    into[state] = into.get(state, 0) + weight * ways
        weights, before = next_weights, value
    law: Law = {}
    for (told, _), weight in _none_left(weights).items():
        law[told] = law.get(told, 0) + weight
    return dict(sorted(law.items()))


def _spare(groups: Sequence[Dice], steps: float, work: Work, bits: float) -> None:
    """Raise TooLarge before any work if the number of ways to share dice out among values alone exceeds the limit."""
    n_values = max(1, len(set().union(*(dice.law for dice in groups))) - 1)
    falls = n_values * prod((dice.n_dice + 1) * (1 if dice.drawn else dice.n_dice + 2) / 2 for dice in groups)
    if work.n_steps + falls * steps > work.limit:
        work.spend(falls * steps, bits)


def _none_left(weights: dict[Left, dict[Any, int]]) -> dict[Any, int]:
    """Return the weights of the state in which every die has been assigned a value."""
    return next((states for left, states in weights.items() if not any(left)), {})


def shown_by(groups: Sequence[Dice], left: Left, value: int) -> Iterator[tuple[Left, int]]:
    """Yield the dice left in each group after some show `value`, with the number of ways in which that happens."""
    if not groups:
        yield (), 1
        return
    first, *others = groups
    for more_left, ways in shown_by(others, left[1:], value):
        for n_dice, falls in enumerate(first.falls(left[0], left[0], value)):
            yield (left[0] - n_dice, *more_left), ways * falls


def pairs_law(
    side_a: Side,
    side_b: Side,
    signs: tuple[bool, bool, bool],
    work: Work,
) -> Law:
    """Return the law of the number of pairs that satisfy the comparison, with the dice of each side sorted downwards.

    `signs` says whether a pair counts in which the first is higher, equal, lower. A pair is decided when the higher of
    its two dice comes up, as values fall: it is then known which dice of both sides show at least as much.

    >>> die = Dice(1, {1: 1, 2: 1}, lambda value: {})
    >>> pairs_law(([die], 0, 1), ([die], 0, 1), (True, False, False), Work())
    {0: 3, 1: 1}
    """
    groups = [*side_a[0], *side_b[0]]
    place = len(side_a[0])
    n_a, n_b = (sum(dice.n_dice for dice in side[0]) for side in (side_a, side_b))
    n_pairs = min(side_a[2] - side_a[1], side_b[2] - side_b[1])
    bits = prod(dice.total for dice in groups).bit_length()
    _spare(groups, 2 * FALL, work, bits)
    weights: dict[Left, dict[int, int]] = {tuple(dice.n_dice for dice in groups): {0: 1}}
    for value in sorted(set().union(*(dice.law for dice in groups)), reverse=True):
        next_weights = dict[Left, dict[int, int]]()
        for left, counts in weights.items():
            a, b = n_a - sum(left[:place]) - side_a[1], n_b - sum(left[place:]) - side_b[1]
            for more_left, ways in shown_by(groups, left, value):
                work.spend(2 * FALL + STEP * len(counts), bits)
                next_a, next_b = n_a - sum(more_left[:place]) - side_a[1], n_b - sum(more_left[place:]) - side_b[1]
                pairs = decided((a, next_a), (b, next_b), n_pairs)
                n_more = sum(n for n, is_counted in zip(pairs, signs, strict=True) if is_counted)
                into = next_weights.setdefault(more_left, {})
                for n_so, weight in counts.items():
                    into[n_so + n_more] = into.get(n_so + n_more, 0) + weight * ways
        weights = next_weights
    return dict(sorted(_none_left(weights).items()))


def decided(side_a: tuple[int, int], side_b: tuple[int, int], n_pairs: int) -> tuple[int, int, int]:
    """Return how many pairs decided by this value have the first die higher, equal, lower.

    A side is (dice that show a higher value, dice that show at least this one), counted from its first place that
    stays.
    """
    (a, next_a), (b, next_b) = ((max(0, low), min(max(0, high), n_pairs)) for low, high in (side_a, side_b))
    more = max(0, next_a - max(a, next_b))
    less = max(0, next_b - max(b, next_a))
    return more, max(0, min(next_a, next_b) - max(a, b)), less

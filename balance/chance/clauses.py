"""Clauses of sentences about chances: who wins, how long it takes; they need the numbers and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping

from balance.base.numbers import MINUS, show_fixed, show_interval, show_number, show_probability

MOSTLY = 0.95
MIN_CHANCE = 0.001
ROUNDING = 1e-12
LONGEST_NAME = 34
MIN_DIFFERENCE = 5e-4
"""From which chance on a result that is no side is told: below it would be 0.0%."""

Ends = tuple[float, float]


def unit(p: float) -> float:
    """Return a sum of probabilities, as exactly 0 or 1 where only rounding separates it from these."""
    return 0.0 if p < ROUNDING else 1.0 if p > 1 - ROUNDING else p


def mostly_in(chances: Mapping[int, float]) -> tuple[int, int]:
    """Return the shortest range of values with probability of at least 95%; the lowest of equally short ones.

    >>> mostly_in({1: 0.34, 2: 0.46, 3: 0.15, 4: 0.05})
    (1, 3)
    """
    values, p = list(chances), list(chances.values())
    best, low, mass = (values[0], values[-1]), 0, 0.0
    for high, share in enumerate(p):
        mass += share
        while mass - p[low] >= MOSTLY - ROUNDING:
            mass -= p[low]
            low += 1
        if mass >= MOSTLY - ROUNDING and values[high] - values[low] < best[1] - best[0]:
            best = values[low], values[high]
    return best


def show_brief(x: float) -> str:
    """Return a number as text with three significant figures, without trailing zeros.

    >>> show_brief(3.0), show_brief(1.916), show_brief(0.5), show_brief(1e-9)
    ('3', '1.92', '0.5', '<0.001')
    """
    if 0 < abs(x) < MIN_CHANCE:
        return f"{'<' if x > 0 else f'>{MINUS}'}{MIN_CHANCE}"
    text = show_number(x)
    return text.rstrip("0").rstrip(".") if "." in text else text


def sides_called(names: Mapping[str, str], can_win: bool) -> dict[str, str]:
    """Return what to call each side in a sentence: its name, unless that is too long or both names are equal.

    >>> sides_called({"a": "Scout", "b": "Scout"}, True), sides_called({"a": "Scout", "b": "Guard"}, True)
    ({'a': 'Side a', 'b': 'Side b'}, {'a': 'Scout (a)', 'b': 'Guard (b)'})
    """
    are_same = len(set(names.values())) < len(names)
    usual = {side: f"Side {side}" if len(side) == 1 else f"the {side}" for side in names}
    if not can_win:
        return {side: usual[side] if len(name) > LONGEST_NAME else name for side, name in names.items()}
    return {
        side: usual[side] if are_same or len(name) > LONGEST_NAME else f"{name} ({side})"
        for side, name in names.items()
    }


def who_wins(names: Mapping[str, str], chances: Mapping[str, float], ends: Mapping[str, Ends]) -> str:
    """Return the clause on the chance of each result; `names` are those of the sides, `ends` of simulated intervals.

    >>> who_wins({"a": "Scout (a)", "b": "Guard (b)"}, {"draw": 0.0, "a": 0.25, "b": 0.75}, {})
    'Scout (a) wins 25.0%, Guard (b) 75.0%'
    """
    clauses = list[str]()
    for result in sorted(chances, key=lambda name: name not in names):
        if result not in names and chances[result] < MIN_DIFFERENCE:
            continue
        wins = (
            (" win" if names.get(result, "") == f"the {result}" and result.endswith("s") else " wins")
            if not clauses
            else ""
        )
        clauses.append(f"{names.get(result, result)}{wins} {share_text(chances[result], ends.get(result))}")
    text = ", ".join(clauses)
    return text[:1].upper() + text[1:]


def share_text(p: float, ends: Ends | None) -> str:
    """Return a chance, with its interval if it is simulated."""
    return show_probability(p) + (f" ({show_interval(*ends, show=show_probability)})" if ends else "")


def going_first(advantages: Mapping[str, float]) -> str:
    """Return the clause on the gain from going first, for each side if it differs; empty if it is not known.

    >>> going_first({"a": 0.032, "b": 0.032}), going_first({"a": 0.0, "b": 0.0})
    ('going first adds 3.2 percentage points', 'going first makes no difference')
    """
    worth = {side: 100 * advantage for side, advantage in advantages.items()}
    points_texts = {side: show_fixed(points, 1) for side, points in worth.items()}
    if not points_texts:
        return ""
    if len(set(points_texts.values())) > 1:
        gains = " and ".join(f"{points} to {side}" for side, points in points_texts.items())
        return f"going first adds {gains} (percentage points)"
    points = next(iter(points_texts.values()))
    if points == show_fixed(0.0, 1):
        is_some = any(abs(gain) > ROUNDING for gain in worth.values())
        return f"going first makes no difference{' to speak of' if is_some else ''}"
    verb = "adds" if next(iter(worth.values())) > 0 else "costs"
    return f"going first {verb} {points.removeprefix(MINUS)} percentage points"


def how_long(begin: str, chances: Mapping[int, float], average: float, clock: str, limit: int = 0) -> str:
    """Return the clause on a duration: its mean and 95% range, or that it never ends within the limit.

    >>> how_long("over in", {1: 0.5, 2: 0.5}, 1.5, "rounds")
    'over in 1.5 rounds on average, 95% in 1 to 2'
    """
    low, high = mostly_in(chances)
    mean = show_brief(average)
    unit = clock.replace("_", " ")
    if limit and low == limit:
        return f"never {begin.removesuffix(' in')} within {limit:,} {unit}"
    if low == high:
        share = math.fsum(p for value, p in chances.items() if value == low)
        always = "always" if share > 1 - ROUNDING else f"{show_probability(share)} in {low}"
        return f"{begin} {mean} {unit.removesuffix('s') if mean == '1' else unit}, {always}"
    return f"{begin} {mean} {unit} on average, 95% in {low:,} to {high:,}"

"""Dice with a name that are asked about in several ways at once: against every way in which they can fall.

A die is the list of its rolls, so that those that explode count by every roll, and are kept by their sum.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import odds, parse
from balance.chance.dice.exact.together import program_law
from balance.chance.dice.exact.weights import TooLarge, Work
from balance.chance.dice.odds import Odds
from balance.chance.dice.tree import Program

Die = tuple[int, ...]
Table = Sequence[Die]


def rolls_of(sides: int, extra: int = 0) -> list[tuple[Die, Fraction]]:
    """Return all that one die can roll: its highest face is rolled again, so often at most."""
    rolls: list[tuple[Die, Fraction]] = [((face,), Fraction(1, sides)) for face in range(1, sides + 1)]
    if not extra:
        return rolls
    longer = [((sides, *rest), chance / sides) for rest, chance in rolls_of(sides, extra - 1)]
    return [*rolls[:-1], *longer]


def mean_of(dice: Sequence[Sequence[tuple[Die, Fraction]]], result: Callable[..., int], *sizes: int) -> Fraction:
    """Return the mean of a result of several pools, of so many dice each."""
    total = Fraction()
    for fall in itertools.product(*dice):
        table, pools = [die for die, _ in fall], list[Table]()
        for size in sizes:
            pools.append(table[:size])
            table = table[size:]
        total += result(*pools) * math.prod((chance for _, chance in fall), start=Fraction(1))
    return total


def count(pool: Table, *faces: int) -> int:
    return sum(roll in faces for die in pool for roll in die)


def kept(pool: Table, first: int = 0, last: int = 1) -> int:
    return sum(sorted(map(sum, pool), reverse=True)[first:last])


def pairs(pool: Table, other: Table) -> int:
    sides = [sorted(map(sum, each), reverse=True) for each in (pool, other)]
    return sum(a > b for a, b in zip(*sides, strict=False))


D4, D6, D4_AGAIN, D6_AGAIN = rolls_of(4), rolls_of(6), rolls_of(4, 2), rolls_of(6, 1)
CASES: list[tuple[str, Callable[[], Fraction]]] = [
    (
        "a = 3d6! once; max(0, (a count 5+) - (a count 1))",
        partial(mean_of, [D6_AGAIN] * 3, lambda a: max(0, count(a, 5, 6) - count(a, 1)), 3),
    ),
    (
        "a = 3d4! at most 2; x = a count 3+; y = a count 1; x * y",
        partial(mean_of, [D4_AGAIN] * 3, lambda a: count(a, 3, 4) * count(a, 1), 3),
    ),
    (
        "a = 3d4! at most 2; (a keep 1) * (a count 4)",
        partial(mean_of, [D4_AGAIN] * 3, lambda a: kept(a) * count(a, 4), 3),
    ),
    (
        "a = 3d4!! at most 2; (a count 5+) - (a count 1)",
        partial(mean_of, [D4_AGAIN] * 3, lambda a: sum((sum(die) >= 5) - (sum(die) == 1) for die in a), 3),
    ),
    (
        "a = (2d4! at most 2, d6); (a count 4+) * (a drop 1)",
        partial(mean_of, [D4_AGAIN, D4_AGAIN, D6], lambda a: count(a, 4, 5, 6) * kept(a, 0, 2), 3),
    ),
    (
        "a = 3d6; b = 2d6; (a pairs > b) - (b pairs > a)",
        partial(mean_of, [D6] * 5, lambda a, b: pairs(a, b) - pairs(b, a), 3, 2),
    ),
    (
        "b = 2d4; a = 3d4; (a pairs > b) * (a largest set)",
        partial(mean_of, [D4] * 5, lambda b, a: pairs(a, b) * max(sum(die == other for die in a) for other in a), 2, 3),
    ),
    (
        "a = 2d4! once; b = 2d6; (a pairs > b) + (a count 4)",
        partial(mean_of, [rolls_of(4, 1)] * 2 + [D6] * 2, lambda a, b: pairs(a, b) + count(a, 4), 2, 2),
    ),
    ("a = 3d6; a count = (a keep 1)", partial(mean_of, [D6] * 3, lambda a: count(a, kept(a)), 3)),
    ("a = 4d4; a count <= (a keep lowest 1)", partial(mean_of, [D4] * 4, lambda a: count(a, kept(a, 3, 4)), 4)),
    ("a = 3d6; m = a keep 1; a count = m", partial(mean_of, [D6] * 3, lambda a: count(a, kept(a)), 3)),
    (
        "a = 3d6; b = 2d6; a count > (b keep 1)",
        partial(mean_of, [D6] * 5, lambda a, b: count(a, *range(kept(b) + 1, 7)), 3, 2),
    ),
    (
        "b = 2d6; a = 3d6; a count > (b keep 1)",
        partial(mean_of, [D6] * 5, lambda b, a: count(a, *range(kept(b) + 1, 7)), 2, 3),
    ),
    (
        "a = 2d6; b = 2d6; (a count > (b keep 1)) - (b count >= (a keep 1))",
        partial(mean_of, [D6] * 4, lambda a, b: count(a, *range(kept(b) + 1, 7)) - count(b, *range(kept(a), 7)), 2, 2),
    ),
    (
        "a = 3d4; h = a count = (a keep 1); h * (a count 1)",
        partial(mean_of, [D4] * 3, lambda a: count(a, kept(a)) * count(a, 1), 3),
    ),
    (
        "r = 4d6; (r count 6) + ((r count 3+) then d6 count 4+)",
        partial(lambda: mean_of([D6] * 4, lambda a: count(a, 6), 4) + Fraction(4, 3)),
    ),
    ("a = 3d6; x = d6; a count > x", partial(Fraction, 5, 4)),
    ("a = 3d6; a pairs >= a", partial(Fraction, 3)),
    ("a = 5d10!; (a count >=7) - (a count 1)", partial(Fraction, 5, 3)),
    ("a = 2d6!; x = a count 4+; y = a count 1; x + y", partial(Fraction, 8, 5)),
    ("x = 3d6!; y = x count 5+; z = x count 1; max(0, y - z)", partial(Fraction, "0.862345679")),
]


@pytest.mark.parametrize(("text", "mean"), CASES)
def test_several_results_of_the_same_dice(text: str, mean: Callable[[], Fraction]) -> None:
    answer = odds(text)
    assert answer.is_exact
    assert answer.mean() == pytest.approx(float(mean()), abs=1e-8)


def error_of(answer: Odds, mean: float) -> float:
    return float(abs(answer.mean() - mean) / answer.mean_error())


@pytest.mark.parametrize("text", [text for text, _ in CASES if "pairs >= a" not in text])
def test_rolled_dice_agree(text: str) -> None:
    """Of 20 cases one in 50,000 would fail by chance, each beyond 4.9 standard errors."""
    rolled = odds(text).simulate(4000, seed=61)
    assert error_of(rolled, odds(text).mean()) < 4.9


def test_programs_made_at_random() -> None:
    luck = random.Random(61)
    ways: list[tuple[str, Callable[[Table], int]]] = [
        ("a count 3+", lambda a: count(a, 3, 4)),
        ("a count 1", lambda a: count(a, 1)),
        ("a keep 2", lambda a: kept(a, 0, 2)),
        ("a drop 1", lambda a: kept(a, 0, len(a) - 1)),
        ("a different", lambda a: len({sum(die) for die in a})),
        ("a largest set", lambda a: max(sum(sum(x) == sum(y) for x in a) for y in a)),
        ("a count >= (a keep lowest 1)", lambda a: count(a, *range(kept(a, len(a) - 1, len(a)), 99))),
    ]
    for _ in range(12):
        n, extra = luck.randint(2, 3), luck.randint(0, 1)
        chosen = luck.sample(ways, 2)
        dice = f"{n}d4{'! once' if extra else ''}"
        text = f"a = {dice}; ({chosen[0][0]}) * ({chosen[1][0]}) - ({chosen[1][0]})"

        def result(a: Table, first: Callable[[Table], int] = chosen[0][1], second: object = chosen[1][1]) -> int:
            assert callable(second)
            return first(a) * int(second(a)) - int(second(a))

        assert odds(text).mean() == pytest.approx(float(mean_of([rolls_of(4, extra)] * n, result, n)), abs=1e-9), text


@pytest.mark.parametrize(
    ("text", "tip"),
    [
        ("a = 3d6; x = d6 * d6; a count > x", "put its step before a"),
        ("a = 3d6; a count = a keep 1", "put brackets around it: (a keep ...)"),
        ("a = 3d6; x = a + 1; b = (x)d6; (a pairs > b) + (b pairs > a)", "put the steps of a and b together"),
        ("a = 3d6 count 5+; a count 6", "count it where its dice are rolled"),
    ],
)
def test_what_cannot_be_asked_names_the_way_out(text: str, tip: str) -> None:
    with pytest.raises(UsageError) as caught:
        odds(text)
    assert any(tip in fault.tip for fault in caught.value.faults)


@pytest.mark.parametrize(
    "text",
    [
        "a = 100d20; a count = (a keep 1)",
        "a = 60d6; b = 60d6; (a pairs > b) - (b pairs > a)",
        "a = 9999d6; b = 9999d6; (a pairs > b) - (b pairs > a)",
        "a = 2000d100!; (a keep 5) + (a count 6)",
    ],
)
def test_states_are_counted_before_they_are_gone_through(text: str) -> None:
    node = parse(text).node
    assert isinstance(node, Program)
    with pytest.raises(TooLarge):
        program_law(node, Work(2_000_000))

"""What the tests, manuals and articles of other tools state about dice: said here, with the same law.

The facts are theirs, counted anew fall by fall or in closed form; what of theirs cannot be said is listed too.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, prod

import pytest

from balance.chance.dice import odds

Law = dict[int, Fraction]
D4, D6, D10, D12 = range(1, 5), range(1, 7), range(1, 11), range(1, 13)


def by_hand(dice: Sequence[Sequence[int]], total: Callable[..., int]) -> Law:
    """Return the law of what falls of dice give, each fall in turn."""
    weights = Counter(int(total(*fall)) for fall in itertools.product(*dice))
    ways = prod(map(len, dice))
    return {value: Fraction(n, ways) for value, n in sorted(weights.items())}


def weighed(weights: dict[int, int]) -> Law:
    return {value: Fraction(weight, sum(weights.values())) for value, weight in weights.items()}


def middle(*dice: int) -> int:
    return sorted(dice)[len(dice) // 2]


def in_pairs(*dice: int) -> int:
    return sum(x > y for x, y in zip(sorted(dice[:3])[::-1], sorted(dice[3:])[::-1], strict=False))


def blades(*dice: int) -> int:
    return 4 if dice.count(6) > 1 else 3 if max(dice) == 6 else 2 if max(dice) > 3 else 1


FACTS: dict[str, dict[str, Law]] = {
    "icepool, tests": {
        "5 from {0..12*4} longest run = 5": weighed({0: comb(52, 5) - 9216, 1: 9216}),
        "d4 reroll 1": weighed({1: 1, 2: 5, 3: 5, 4: 5}),
        "d(d4 reroll 1) reroll 1": weighed({1: 1, 2: 85, 3: 85, 4: 85}),
        "d6 reroll always 1": weighed(dict.fromkeys(range(2, 7), 1)),
        "d6! once": weighed({**dict.fromkeys(range(1, 6), 6), **dict.fromkeys(range(7, 13), 1)}),
        "4d12 drop highest 1 keep 2": by_hand([D12] * 4, lambda *r: sum(sorted(r)[1:3])),
        "4d12 keep lowest 2": by_hand([D12] * 4, lambda *r: sum(sorted(r)[:2])),
        "5d6 drop 2 drop highest 2": by_hand([D6] * 5, middle),
        "r = 4d6; (r keep 1) - (r keep lowest 1)": by_hand([D6] * 4, lambda *r: max(r) - min(r)),
        "r = 5d6; 2 * (r drop lowest 2 keep lowest 1)": by_hand([D6] * 5, lambda *r: 2 * middle(*r)),
        "3d6 pairs > 2d6": by_hand([D6] * 5, in_pairs),
        "3d6 count >= 2d6 keep 1": by_hand([D6] * 5, lambda *r: sum(x >= max(r[3:]) for x in r[:3])),
        "3d6 count < 2d6 keep lowest 1": by_hand([D6] * 5, lambda *r: sum(x < min(r[3:]) for x in r[:3])),
        "5d6 each at least 2": by_hand([D6] * 5, lambda *r: sum(max(2, x) for x in r)),
        "lowest 2 of (d4, d6, d10)": by_hand([D4, D6, D10], lambda *r: sum(sorted(r)[:2])),
        "(d{a+a+b,a+b,a,-} less d{a+c}) count every a,b": weighed({0: 2, 1: 1, 2: 1}),
    },
    "dyce, read-me": {
        "2d6 * 3 - 4": by_hand([D6] * 2, lambda x, y: 3 * (x + y) - 4),
        "d6 < d6": weighed({0: 21, 1: 15}),
        "abs(d6 - d6)": weighed({0: 6, 1: 10, 2: 8, 3: 6, 4: 4, 5: 2}),
        "2d6 keep lowest 1": weighed({1: 11, 2: 9, 3: 7, 4: 5, 5: 3, 6: 1}),
        "2d10 count < (d6 + 1)": by_hand([D10, D10, D6], lambda x, y, a: (x < a + 1) + (y < a + 1)),
    },
    "AnyDice, articles and functions": {
        "4d6 keep 3": by_hand([D6] * 4, lambda *r: sum(sorted(r)[1:])),
        "3d6 count 5,6": by_hand([D6] * 3, lambda *r: sum(x > 4 for x in r)),
        "if(d12 > 9, 2d6, d6)": by_hand([D12, D6, D6], lambda x, y, z: y + z * (x > 9)),
        "(2d6, d10) keep 2": by_hand([D6, D6, D10], lambda *r: sum(sorted(r)[1:])),
        "x = d6; x + if(x = 6, d6 - 1, 0)": by_hand([D6] * 2, lambda x, y: x + (y - 1) * (x == 6)),
        "d12 gives (12: 2; 6-11: 1; else: 0)": weighed({0: 5, 1: 6, 2: 1}),
        "3d{0,0,1,1,2}": by_hand([[0, 0, 1, 1, 2]] * 3, lambda *r: sum(r)),
    },
    "Troll, manual": {
        "5d6 different": by_hand([D6] * 5, lambda *r: len({*r})),
        "a = d6; b = d6; if(a = b, 2 * (a + b), a + b)": by_hand([D6] * 2, lambda a, b: (a + b) * (1 + (a == b))),
        "d(2d6) reroll always <=5": weighed({n: 6 - abs(7 - n) for n in range(6, 13)}),
        "7d10 count <7": weighed({k: comb(7, k) * 6**k * 4 ** (7 - k) for k in range(8)}),
        "(3d6 largest set) = 3": weighed({0: 210, 1: 6}),
        "3 from {1..6}": {n: Fraction(c, 20) for n, c in Counter(map(sum, itertools.combinations(D6, 3))).items()},
    },
    "d20 and Foundry, modifiers": {
        "d20 each at least 10": weighed({10: 10, **dict.fromkeys(range(11, 21), 1)}),
        "3d6 reroll <=2 keep 2": by_hand(
            [[x for x in D6 for _ in range(1 if x < 3 else 4)]] * 3, lambda *r: sum(sorted(r)[1:])
        ),
        "max(d4 + 1, 3, 2d4 keep lowest 1)": by_hand([D4] * 3, lambda a, b, c: max(a + 1, 3, min(b, c))),
        "3d10 count >=8 cancel 1": by_hand([D10] * 3, lambda *r: sum((x > 7) - (x == 1) for x in r)),
        "5d6 count 2,4,6": by_hand([D6] * 5, lambda *r: sum(x % 2 == 0 for x in r)),
        "5d6 // 2": by_hand([D6] * 5, lambda *r: sum(r) // 2),
    },
    "games asked of them": {
        "r = 3d6; top = r keep 1; if((r count 6) >= 2, 4, 1 + (top > 3) + (top = 6))": by_hand([D6] * 3, blades),
        "5d6 sets of 2": by_hand([D6] * 5, lambda *r: sum(n // 2 for n in Counter(r).values())),
        "max(d10, d6) >= 4": by_hand([D10, D6], lambda x, y: max(x, y) >= 4),
        "d6 + d6 - d6": by_hand([D6] * 3, lambda x, y, z: x + y - z),
    },
}
NOT_SAID = (
    "two pools that cancel equal dice, as Neon City Overdrive (icepool)",
    "pools compared by their highest dice, then the next, and so on (icepool leximin; Don't Rest Your Head)",
    "pairs matched so that most are won, whatever the order (icepool max_pair)",
    "several hands dealt from one deck (icepool)",
    "cards drawn by weight, without putting back (icepool Wallenius)",
    "the value of the largest set beside its size, as in the One-Roll Engine (AnyDice, icepool)",
    "extra rolls of one less each without end (Roll20 and rpg-dice-roller: !p)",
    "dice rolled again until all are different (rpg-dice-roller: u)",
    "dice looked at in the order of rolling (Troll: sequences; AnyDice: [N @ dice] unsorted)",
    "the sum of all dice that show the highest value (Troll: maximal)",
    "loops that remember, such as fights to the last die (AnyDice: loop; Troll: accumulate)",
)
SAID = [(source, text, law) for source, facts in FACTS.items() for text, law in facts.items()]


@pytest.mark.parametrize(("source", "text", "law"), SAID, ids=[f"{source}: {text}" for source, text, _ in SAID])
def test_the_law_is_the_one_they_state(source: str, text: str, law: Law) -> None:
    found = odds(text)
    assert found.is_exact
    assert {value: found.fraction(value) for value in found.weights} == {v: p for v, p in sorted(law.items()) if p}


def test_a_spell_that_rolls_again() -> None:
    """icepool, tests: 8d6 of which at most four dice of 1 to 3 are rolled again, the lowest first: 33.61."""
    assert odds("8d6 reroll up to 4 of 1-3").mean() == pytest.approx(33.61, abs=0.01)


def test_dice_of_a_vampire() -> None:
    """icepool, tests: of three usual dice and two of hunger none shows anything in 2,000 of 100,000 ways."""
    found = odds("3d{-*5,hit*4,crit} + 2d{beast,-*4,hit*4,messy}")
    assert Fraction(found.weights[(0, 0, 0, 0)], found.total) == Fraction(2000, 100_000)


def test_rolling_and_keeping() -> None:
    """AnyDice, Legend of the Five Rings: dice explode before they are kept, or those that were kept."""
    assert odds("6d10! keep 3").is_exact
    assert odds("(6d10 keep 3)!").mean() == pytest.approx(odds("6d10! keep 3").mean(), abs=0.1)
    assert odds("(6d10 keep 3)!").mean() < odds("6d10! keep 3").mean()


def test_most_of_it_can_be_said() -> None:
    assert len(SAID) / (len(SAID) + len(NOT_SAID)) >= 0.7

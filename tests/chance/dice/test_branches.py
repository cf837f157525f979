"""What hangs on a result: if, gives, and, or, not; results with names, and dice that are counted in several ways."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import odds
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

D6 = range(1, 7)


def law_by_hand(n_dice: int, total: Callable[..., Fraction | int]) -> dict[int, Fraction]:
    """Return the law of what falls of d6 give, each fall in turn."""
    weights = Counter(total(*fall) for fall in product(D6, repeat=n_dice))
    return {int(value): Fraction(n, 6**n_dice) for value, n in sorted(weights.items())}


CASES: list[tuple[str, int, Callable[..., int]]] = [
    ("if(2d6 >= 7, d6, 0)", 3, lambda a, b, c: c if a + b >= 7 else 0),
    ("d6 gives (6: d6 + 6; 2-5: 1; else: 0)", 2, lambda a, b: b + 6 if a == 6 else int(a > 1)),
    ("d6 > 2 and d6 > 3 or d6 = 6", 3, lambda a, b, c: (a > 2 and b > 3) or c == 6),
    ("not (d6 > 2 or d6 > 3)", 2, lambda a, b: not (a > 2 or b > 3)),
    ("n = 2d6; n + if(n = 12, d6, 0)", 3, lambda a, b, c: a + b + (c if a + b == 12 else 0)),
    ("roll = 3d6; 10 * (roll count 6) + (roll count 3-5)", 3, lambda *r: sum(10 * (x == 6) + (3 <= x <= 5) for x in r)),
    ("roll = 3d6; (roll keep 1) - (roll keep lowest 1)", 3, lambda *r: max(r) - min(r)),
    ("roll = 2d6; if((roll largest set) = 2, 10, 0) + roll", 2, lambda a, b: 10 * (a == b) + a + b),
    ("x = d6; x + if(x = 6, d6 - 1, 0)", 2, lambda a, b: a + (b - 1 if a == 6 else 0)),
    ("x = 2d6; x - 4 * (x // 4) + 2x3", 2, lambda a, b: (a + b) % 4 + 6),
    ("n = d6; m = n + d6; n * m", 2, lambda a, b: a * (a + b)),
    ("n = d6; (n)d6 count 6", 7, lambda n, *r: sum(x == 6 for x in r[:n])),
]


@pytest.mark.parametrize(("text", "n_dice", "total"), CASES[:-1], ids=[text for text, _, _ in CASES[:-1]])
def test_the_law_is_that_of_every_fall(text: str, n_dice: int, total: Callable[..., int]) -> None:
    answer = odds(text)
    assert {value: answer.fraction(value) for value in answer.weights} == law_by_hand(n_dice, total)


@pytest.mark.parametrize("text", [text for text, _, _ in CASES])
def test_rolling_agrees_with_the_law(text: str) -> None:
    """By the mean, within 5 standard errors: one false alarm in two million, and seeds are fixed."""
    exact = odds(text)
    rolled = exact.simulate(20_000, seed=1)
    assert abs(rolled.mean() - exact.mean()) <= 5 * exact.sd() / 20_000**0.5
    assert set(rolled.weights) <= set(exact.weights)


def test_symbols_of_one_roll_are_counted_in_several_ways() -> None:
    answer = odds("roll = 2d{2 hit, hit+crit, -}; 10 * (roll count every hit) + (roll count crit)")
    assert {value: str(answer.fraction(value)) for value in answer.weights} == {
        0: "1/9",
        11: "2/9",
        20: "2/9",
        22: "1/9",
        31: "2/9",
        40: "1/9",
    }
    rolled = answer.simulate(20_000, seed=1)
    assert abs(rolled.mean() - answer.mean()) <= 5 * answer.sd() / 20_000**0.5
    assert set(rolled.weights) <= set(answer.weights)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2d6 and d4", "to add totals write +"),
        ("d20 gives (20: 1; 1: 2)", "nothing stands for 2; say the rest: else: 0"),
        ("n = 3d6", "write what is asked last: n = 3d6; n"),
        ("count = 3d6; count", "is a word of expressions and no name"),
        ("n = 3d6 count 4; n keep 1", "is a number and no dice that could be counted"),
        ("n = 3d6; n reroll 1", "say so where n is rolled"),
        ("if(2d6 >= 7, 1)", "if(CONDITION, THEN, ELSE)"),
        ("3d6; 2d6", "is no result with a name"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_write(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        odds(text)


class Steps:
    """A chart for tests: what is added to a place."""

    n_places = 1

    def at(self, *places: int) -> int:
        """Return 4 less the place, at least 2."""
        return max(2, 4 - places[0])


def test_a_name_stands_wherever_a_number_may() -> None:
    vocabulary = Vocabulary(frozenset({"me.dice", "me.skill", "foe.save"}), {"to_wound": Steps()}, {"red": "{hit,-}"})
    reader = StepReader(vocabulary)
    reader.add("hits", "me.dice d6 count me.skill+ reroll 1")
    reader.add("wounds", "hits d6 count to_wound[me.skill - foe.save]+")
    reader.add("past", "wounds d6 count < (foe.save + 1)")
    reader.add("reds", "(me.dice + 1) red count hit")
    hits, wounds, past, reds = reader.steps(["past", "reds"])
    assert (hits.uses, [str(node) for node in hits.nodes((3, 4))]) == (
        ("me.dice", "me.skill"),
        ["3d6 reroll 1 count >=4"],
    )
    assert [str(node) for node in wounds.nodes((2, 5, 4))] == ["2d6 count >=3"]
    assert [str(node) for node in past.nodes((2, 5))] == ["2d6 count <6"]
    assert [str(node) for node in reds.nodes((1,))] == ["2d{hit,-} count hit"]
    assert [str(node) for node in hits.nodes((-1, 4))] == ["0d6 reroll 1 count >=4"], "no dice, where there are fewer"


def test_a_name_that_is_unknown_is_told_with_the_nearest() -> None:
    reader = StepReader(Vocabulary(frozenset({"me.skill"})))
    with pytest.raises(UsageError, match=r"did you mean me\.skill"):
        reader.add("hits", "3d6 count me.skil+")
    with pytest.raises(UsageError, match="can be read in two ways"):
        reader.add("hits", "(me.skill)d6 >= 3")


@pytest.mark.parametrize("place", ["2d6", "2d6 - me.skill", "(3d6 count 5+) + 1", "max(d4, 2d6 keep 1)"])
def test_dice_may_be_the_place_in_a_table(place: str) -> None:
    """Square brackets after a table hold no faces, so `d6` in them is no symbol."""
    reader = StepReader(Vocabulary(frozenset({"me.skill"}), {"wound": Steps()}))
    reader.add("hurt", f"wound[{place}]")
    (hurt,) = reader.steps(["hurt"])
    assert str(hurt.nodes((3,) * len(hurt.uses))[0]).startswith("wound[")

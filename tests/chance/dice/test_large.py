"""Pools whose weights have thousands of digits, many symbols, and questions that would take too much time or memory."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest

from balance.base.errors import BalanceError, UsageError
from balance.chance.dice import odds, roll, table
from balance.chance.dice.exact.weights import TooLarge, Work, highest_of
from balance.chance.dice.rolling.sampling import outcomes_of


def test_a_short_chance_is_told_as_a_fraction_though_weights_are_long() -> None:
    assert odds("101d2 count 2 >= 51").short_fraction(1) == "1/2"
    assert odds("3d6 keep 2").short_fraction(12) == "2/27"
    assert odds("12d6").short_fraction(13) == ""


# -- symbols ----------------------------------------------------------------------------------------------------------

NAMES = [f"s{place}" for place in range(20)]


def some_symbols(luck: random.Random, kinds: int) -> tuple[str, list[Counter[str]]]:
    """Return a die with so many kinds of symbols, as text and as what each face shows."""
    faces = [Counter({name: luck.randint(1, 2)}) for name in NAMES[:kinds]]
    faces += [Counter(luck.sample(NAMES[:kinds], 2)), Counter()]
    texts = ["+".join(f"{many} {name}" for name, many in face.items()) or "-" for face in faces]
    return f"d{{{','.join(texts)}}}", faces


@pytest.mark.parametrize("kinds", [2, 3, 4, 5, 9, 20])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_any_number_of_kinds_is_exact_in_small_pools(kinds: int, n: int) -> None:
    luck = random.Random(kinds * 10 + n)
    die, faces = some_symbols(luck, kinds)
    found = odds(f"{n}{die}")
    assert found.columns == tuple(NAMES[:kinds])
    ways: Counter[tuple[int, ...]] = Counter()
    for way in itertools.product(faces, repeat=n):
        shown = sum(way, Counter())
        ways[tuple(shown[name] for name in found.columns)] += 1
    total = len(faces) ** n
    assert {key: Fraction(weight, found.total) for key, weight in found.weights.items()} == {
        key: Fraction(weight, total) for key, weight in ways.items()
    }


def test_pools_of_other_symbols_are_added() -> None:
    found = odds("2d{hit,crit,-} + d{surge,shield} + d{flag,wound,-}")
    assert found.columns == ("hit", "crit", "surge", "shield", "flag", "wound")
    assert [found.mean(name) for name in found.columns] == [
        float(Fraction(2, 3)),
        float(Fraction(2, 3)),
        float(Fraction(1, 2)),
        float(Fraction(1, 2)),
        float(Fraction(1, 3)),
        float(Fraction(1, 3)),
    ]


def test_ten_thousand_dice_of_twenty_symbols_are_counted() -> None:
    """Counts of one kind are never carried into the next."""
    found = odds(f"10000d{{20 {NAMES[0]},20 {NAMES[0]}+{NAMES[1]}}}", trials=20)
    assert set(found.weights_of(NAMES[0])) == {200_000}
    assert max(found.weights_of(NAMES[1])) <= 10_000


def test_symbols_too_many_for_an_exact_law_are_simulated() -> None:
    found = odds("30d{" + ",".join(NAMES) + "}", trials=2000, seed=1)
    assert not found.is_exact
    assert abs(found.mean() - 1.5) < 5 * found.mean_error()  # error rate 6e-7
    assert abs(found.mean() - 2) > 5 * found.mean_error()


def test_symbols_that_explode_are_exact() -> None:
    found = odds("1d{hit,crit,flag,surge}!crit")
    assert found.is_exact
    assert found.mean("hit") == pytest.approx(1 / 3)


# -- no dice at all ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0d6", "0d6 keep 1", "0d6 count 6", "0d6!", "0d20 drop 1", "(0)d6", "0d6 reroll 1"])
def test_no_dice_are_0(text: str) -> None:
    assert odds(text).weights == {0: 1}
    assert set(roll(text, 5).tolist()) == {0}


def test_no_dice_among_others() -> None:
    assert odds("0d6 + 2").weights == {2: 1}
    assert odds("0d{hit,flag}").weights == {(0, 0): 1}
    assert odds("0d6 vs d6").results == {"win": 0, "tie": 0, "lose": 1}
    assert [row.mean() for row in table("{0..2}d6")] == [odds("0d6").mean(), 3.5, 7]
    assert odds("(2d{0,1})d6").mean() == 3.5


# -- too much -------------------------------------------------------------------------------------------------------


def test_the_highest_of_many_totals_is_a_product_of_chances() -> None:
    laws = [dict.fromkeys(range(1, 1001), 1)] * 100
    found = highest_of(laws, 1, Work())
    assert found[1000] == 1000**100 - 999**100
    assert highest_of(laws, 1, Work(), lowest=True)[1] == found[1000]
    with pytest.raises(TooLarge):
        highest_of(laws, 2, Work())


@pytest.mark.slow("test_the_highest_of_many_totals_is_a_product_of_chances")
def test_the_highest_of_huge_dice_is_exact() -> None:
    text = f"max({', '.join(['d9999'] * 100)})"
    assert odds(text).mean() == float(9999 - Fraction(sum(k**100 for k in range(9999)), 9999**100))


def test_an_array_of_rolls_is_held_in_memory() -> None:
    with pytest.raises(UsageError, match="at most 20,000,000"):
        roll("4", 30_000_000)


def test_outcomes_are_counted_block_by_block() -> None:
    shown = roll("3d6 keep 2", 9000, seed=4)
    expression = odds("3d6 keep 2").expression
    assert outcomes_of(expression, 9000, 4) == dict(sorted(Counter(shown.tolist()).items()))


@pytest.mark.slow("test_an_array_of_rolls_is_held_in_memory")
def test_many_rows_share_the_time() -> None:
    rows = table("{1..8}d100!>=2")
    assert all(not row.is_exact and row.n_trials >= 100 for row in rows)


def test_numbers_that_no_table_holds_are_refused() -> None:
    with pytest.raises(BalanceError):
        odds("1000000 * 1000000 * d1000000")

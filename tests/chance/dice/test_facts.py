"""What is known of dice beyond this project: means and chances in closed form, or as other rollers tell them."""

from __future__ import annotations

from math import comb, perm

import pytest

from balance.chance.dice import odds


def harmonic(n: int) -> float:
    return sum(1 / k for k in range(1, n + 1))


MEANS: dict[str, float] = {
    # one die and sums: (n + 1) / 2 each
    "d4": 2.5,
    "d%": 50.5,
    "3d6": 10.5,
    "2d10 + 5": 16,
    "d100 - d100": 0,
    "d6 * d6": 12.25,
    # the highest of n dice of s sides: s - sum (k / s)^n over k < s
    "2d20 keep 1": 20 - sum((k / 20) ** 2 for k in range(20)),
    "2d20 keep lowest 1": 1 + sum((k / 20) ** 2 for k in range(20)),
    "3d20 keep 1": 20 - sum((k / 20) ** 3 for k in range(20)),
    "4d6 drop 1": 15869 / 1296,
    "3d20 drop 1 drop highest 1": 10.5,
    "5d6 keep 1": 6 - sum((k / 6) ** 5 for k in range(6)),
    # explosions: (s + 1) / 2 * s / (s - 1)
    "d6!": 4.2,
    "4d10!": 4 * 5.5 * 10 / 9,
    "d20!": 10.5 * 20 / 19,
    "d6!>=5": 3.5 * 1.5,
    "d8! once": 4.5 * 9 / 8,
    # re-rolls
    "2d6 reroll 1-2": 2 * (18 / 6 + 2 / 6 * 3.5),
    "d6 reroll always 1-2": 4.5,
    "d20 reroll 1": 209 / 20 + 10.5 / 20,
    # counts: n p
    "10d6 count 4+": 5,
    "12d6 count 6": 2,
    "7d10 count >=8": 2.1,
    "7d10!>=10 count >=8": 7 / 3,
    "6d10 count >=6 cancel 1": 2.4,
    "6d10 count >=6 double 10": 3.6,
    "8d12 count 1,12": 8 / 6,
    "20d6 count 3+ then d6 count 4+ then d6 count 5+": 20 * 2 / 3 / 2 / 3,
    "20d6 count 3+ reroll 1 then d6 count 4+": 20 * 7 / 9 / 2,
    "10d6 count 4+ skip 6 then d6 count 4+": 10 * (1 / 3 / 2 + 1 / 6),
    "10d6 count 4+ triple 6 then d6 count 4+": 10 * 5 / 12,
    # sets of equal dice, and the size of differences
    "2d6 largest set": 7 / 6,
    "3d6 largest set": (120 * 1 + 90 * 2 + 6 * 3) / 216,
    "abs(d6 - d6)": 35 / 18,
    "abs(d20 - d20)": (20**2 - 1) / 60,
    # dice of several kinds
    "max(d6, d8)": 8 - sum(min(k, 6) / 6 * k / 8 for k in range(1, 8)),
    "(d6, d8) keep 1": 8 - sum(min(k, 6) / 6 * k / 8 for k in range(1, 8)),
    "(d4, d6, d8, d10, d12) count >=4": 0.25 + 0.5 + 5 / 8 + 0.7 + 0.75,
    "(d4, d6, d8)": 10.5,
    "d{1,2,3} + d{0,10}": 7,
    "10*d10 + d10 - 10": 50.5,
    "8d6 // 2": 13.75,
    "(2d6)d6": 24.5,
    "4dF": 0,
}
CHANCES: dict[str, float] = {
    "2d6 >= 10": 6 / 36,
    "2d6 = 7": 6 / 36,
    "2d6 = 7..9": 15 / 36,
    "3d6 = 3": 1 / 216,
    "3d6 >= 16": 10 / 216,
    "3d6 = 9..12": 104 / 216,
    "d20 + 5 >= 15": 0.55,
    "2d20 keep 1 >= 11": 0.75,
    "2d20 keep lowest 1 >= 11": 0.25,
    "d20 > d20": 0.475,
    "4d6 count 6 >= 1": 671 / 1296,
    "24d(2d6) count 12 >= 1": 1 - (35 / 36) ** 24,
    "5d6 largest set >= 5": 6 / 6**5,
    "5d6 largest set >= 4": 156 / 6**5,
    "4d6 largest set = 1": 360 / 1296,
    "10d20 largest set >= 2": 1 - perm(20, 10) / 20**10,
    "100d2 count 2 = 50": comb(100, 50) / 2**100,
    "6d6 largest set = 1": 720 / 6**6,
    "(d6, d6) count 6 >= 1": 11 / 36,
    "4d6 keep 3 = 18": 21 / 1296,
    "d6 = d6": 1 / 6,
    "d100 <= 65": 0.65,
    "(3d6) >= 4": 215 / 216,
    "10d10 count >=8 >= 5": sum(comb(10, k) * 0.3**k * 0.7 ** (10 - k) for k in range(5, 11)),
    "d{3*5,6} > d{2*3,5*3}": 5 / 6 * 0.5 + 1 / 6,
}


@pytest.mark.parametrize("text", MEANS)
def test_a_mean_is_the_known_one(text: str) -> None:
    assert odds(text).mean() == pytest.approx(MEANS[text], abs=1e-9)


@pytest.mark.parametrize("text", CHANCES)
def test_a_chance_is_the_known_one(text: str) -> None:
    found = odds(text)
    assert found.kind == "chance"
    assert found.chance(1) == pytest.approx(CHANCES[text], abs=1e-9)


def test_a_total_of_throws_until_all_faces_came_is_no_expression_but_its_parts_are() -> None:
    """The collector of coupons: the mean of geometric waits, of which each is a die that explodes on the others."""
    waits = sum(odds(f"d6!>={7 - seen} count >=1").mean() for seen in range(6) if seen)
    assert 1 + waits == pytest.approx(6 * harmonic(6), abs=1e-6)

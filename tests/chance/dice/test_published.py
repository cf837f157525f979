"""Odds that others published, each with its source."""

from __future__ import annotations

from fractions import Fraction

import pytest

from balance.chance.dice import odds

DROP_LOWEST = [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21]
"""Ways of 1296 in which 4d6 without the lowest give 3, 4, ... 18: the table of ability scores, as AnyDice prints it for
`output [highest 3 of 4d6]` (Flick, AnyDice 2009)."""


def test_four_dice_without_the_lowest() -> None:
    found = odds("4d6 drop lowest 1")
    assert found.weights == dict(zip(range(3, 19), DROP_LOWEST, strict=True))
    assert found.mean() == float(Fraction(15869, 1296))


def test_nine_and_ten_of_three_dice() -> None:
    """Galileo, Sopra le scoperte dei dadi (about 1620): 25 ways to throw 9, 27 to throw 10, of 216."""
    found = odds("3d6")
    assert (found.fraction(9), found.fraction(10)) == (Fraction(25, 216), Fraction(27, 216))


def test_problems_of_de_mere() -> None:
    """Pascal to Fermat, 29 July 1654: a six in four throws is favourable by 671 to 625, a double six in 24 is not."""
    assert odds("4d6 count 6 >= 1").fraction(1) == Fraction(671, 1296)
    assert odds("24d(2d6) count 12 >= 1").fraction(1) == 1 - Fraction(35, 36) ** 24


@pytest.mark.parametrize(
    ("text", "chance"),
    [("6d6 count 6 >= 1", 0.6651), ("12d6 count 6 >= 2", 0.6187), ("18d6 count 6 >= 3", 0.5973)],
)
def test_the_question_of_pepys(text: str, chance: float) -> None:
    """Pepys to Newton 1693; the chances: Stigler, Isaac Newton as a probabilist (Statistical Science 21, 2006)."""
    assert round(odds(text).chance(1), 4) == chance


EFRON = {"A": "d{4*4,0*2}", "B": "d{3}", "C": "d{6*2,2*4}", "D": "d{5*3,1*3}"}


@pytest.mark.parametrize("pair", ["AB", "BC", "CD", "DA"])
def test_dice_of_efron(pair: str) -> None:
    """Gardner, Mathematical Games (Scientific American 223(6), 1970): each beats the next in two of three throws."""
    one, other = (EFRON[name] for name in pair)
    assert odds(f"{one} vs {other}").result_fractions["win"] == Fraction(2, 3)


def test_dice_of_sicherman() -> None:
    """Gardner, Mathematical Games (Scientific American 238(2), 1978): other faces, the same sums."""
    assert odds("d{1,2,2,3,3,4} + d{1,3,4,5,6,8}").weights == odds("2d6").weights


@pytest.mark.parametrize(
    ("text", "chance"),
    [
        ("1d6 > 1d6", Fraction(15, 36)),
        ("1d6 > 2d6 keep 1", Fraction(55, 216)),
        ("2d6 keep 1 > 1d6", Fraction(125, 216)),
        ("3d6 keep 1 > 1d6", Fraction(855, 1296)),
    ],
)
def test_single_battles_of_risk(text: str, chance: Fraction) -> None:
    """Osborne, Markov Chains for the RISK Board Game Revisited (Mathematics Magazine 76, 2003), table 2."""
    assert odds(text).fraction(1) == chance


def test_fudge_dice() -> None:
    """Fudge (O'Sullivan 1995), 4dF: 19, 16, 10, 4 and 1 ways of 81 for 0, 1, 2, 3 and 4 either way."""
    assert list(odds("4dF").weights.values()) == [1, 4, 10, 16, 19, 16, 10, 4, 1]


@pytest.mark.parametrize("sides", [2, 4, 6, 10, 12])
def test_an_exploding_die_by_its_closed_form(sides: int) -> None:
    """The mean m of a die that explodes: m = (n + 1) / 2 + m / n."""
    found = odds(f"1d{sides}!")
    assert found.mean() == pytest.approx(sides * (sides + 1) / 2 / (sides - 1), abs=1e-9)
    roll = (sides * sides - 1) / 12
    mean = found.mean()
    variance = roll + mean * mean * (1 / sides) * (1 - 1 / sides) + found.variance() / sides
    extra = 2 * mean / sides * (sides - (sides + 1) / 2)  # the extra rolls come with the highest face
    assert found.variance() == pytest.approx(variance + extra, abs=1e-6)
    assert 0 < found.tail <= 1e-12


@pytest.mark.parametrize("extra", range(5))
def test_exploding_dice_by_their_closed_form(extra: int) -> None:
    """Exactly the highest faces first: so many tens in a row, and then a 3, have a chance of 10 to the power."""
    assert odds("1d10!").fraction(10 * extra + 3) == Fraction(1, 10 ** (extra + 1))


@pytest.mark.parametrize(("again", "mean"), [(10, Fraction(1, 3)), (9, Fraction(3, 8)), (8, Fraction(3, 7))])
def test_pools_that_roll_again(again: int, mean: Fraction) -> None:
    """Storytelling System (White Wolf 2004): 8 and more succeed, 10 (9, 8) again; a die succeeds m = .3 + m p times."""
    found = odds(f"7d10!>={again} count >=8")
    assert found.mean() == pytest.approx(float(7 * mean), abs=1e-9)


def test_the_mean_of_the_highest_of_two() -> None:
    """The higher of two dice of n sides: (n + 1) (4 n - 1) / 6 n."""
    for sides in (4, 6, 20, 100):
        assert odds(f"2d{sides} keep 1").mean() == float(Fraction((sides + 1) * (4 * sides - 1), 6 * sides))


def test_the_die_of_descent() -> None:
    """A die of symbols by hand: two of six faces hit, one hits twice, so four hits in six faces."""
    found = odds("3d{hit,hit,2 hit,surge,hit*0+1,-}".replace("hit*0+1", "-"))
    assert found.mean("hit") == float(3 * Fraction(4, 6))
    assert found.fraction(6, "hit") == Fraction(1, 216)
    assert found.fraction(0, "surge") == Fraction(5, 6) ** 3

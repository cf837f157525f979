"""What is read in two ways is refused with both, each of which is answered; other rollers' words are told."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import odds, parse, parse_family

BOTH: dict[str, list[tuple[str, float]]] = {
    "10d6 count 3+ double 6 double 6": [("10d6 count >=3 double 6", 10 * 5 / 6), ("10d6 count >=3 triple 6", 10)],
    "5d10 count >=7 double 9 double 10": [("5d10 count >=7 double 9,10", 3), ("5d10 count >=7 triple 10", 3)],
    "5d10 count >=7 cancel 1 twice": [("5d10 count >=7 twice cancel 1", 3.5), ("5d10 count >=7 cancel 1", 1.5)],
    "d20>=11 then d6": [("(1d20 >= 11) then d6", 1.75), ("1d20 >= (11d6)", odds("1d20 - 11d6 >= 0").mean())],
    "d20 + 5 >= 15 then d8": [("(1d20 + 5 >= 15) then d8", 0.55 * 4.5), ("1d20 + 5 >= (15d8)", 0)],
    "10d6 >= 5": [("(10d6) >= 5", 1), ("10d6 count >=5", 10 / 3)],
    "8d10 > 6": [("(8d10) > 6", 1), ("8d10 count >6", 3.2)],
    "6d6 = 6": [("(6d6) = 6", 6.0**-6), ("6d6 count 6", 1)],
    "5d8 != 8": [("(5d8) != 8", 1 - 35 / 8**5), ("5d8 count !=8", 35 / 8)],
    "4d6 = 5..6": [("(4d6) = 5..6", 14 / 6**4), ("4d6 count 5-6", 4 / 3)],
    "6d6 keep 4 >= 5": [
        ("(6d6 keep 4) >= 5", 1 - 6.0**-6),
        ("6d6 keep 4 count >=5", odds("6d6 keep 4 count 5+").mean()),
    ],
    "(2d6, d8) >= 5": [("((2d6, 1d8)) >= 5", 1 - 4 / 288), ("(2d6, 1d8) count >=5", 2 / 3 + 0.5)],
    "3d6 >= 3": [("(3d6) >= 3", 1), ("3d6 count >=3", 2)],
    "10d6 count 3+ then d6 >= 4": [
        ("((10d6 count >=3)d6) >= 4", odds("(10d6 count 3+ then d6) >= 4").mean()),
        ("(10d6 count >=3)d6 count >=4", 10 / 3),
    ],
    "3d6 = 9-12": [("3d6 = 9..12", 104 / 216), ("3d6 = (9 - 12)", 0)],
    "2d6 != 2-5": [("2d6 != 2..5", 26 / 36), ("2d6 != (2 - 5)", 1)],
    "d66": [("d(66)", 33.5), ("10*d6 + d6", 38.5)],
    "2d66": [("2d(66)", 67), ("2d(10*d6 + d6)", 77)],
    "d666": [("d(666)", 333.5), ("100*d6 + 10*d6 + d6", 388.5)],
    "d36": [("d(36)", 18.5), ("10*d3 + d6", 23.5)],
    "8d4 keep 4!": [("8d4! keep 4", 20.013869), ("(8d4 keep 4)!", 19.949544)],
    "3d6 keep 2!>=5 once": [
        ("3d6!>=5 once keep 2", odds("3d6!>=5 once keep 2").mean()),
        ("(3d6 keep 2)!>=5 once", odds("(3d6 keep 2)!>=5 once").mean()),
    ],
}


@pytest.mark.parametrize("text", BOTH)
def test_both_meanings_are_told_and_each_is_answered(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_family(text)
    (fault,) = caught.value.faults
    assert "two ways" in fault.message
    for way, mean in BOTH[text]:
        assert way in fault.tip
        assert odds(way).mean() == pytest.approx(mean, abs=1e-6)
        assert parse(str(parse(way))).node == parse(way).node


@pytest.mark.parametrize(
    "text", ["5d10! >= 8", "1d6! = 6", "(3d6, d8)! > 5", "5d6 count =4-5", "5d10 count >=7 cancel 1 cancel 2"]
)
def test_others_are_refused_too(text: str) -> None:
    with pytest.raises(UsageError, match="ways; for "):
        parse(text)


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("2d6 >= 7", 21 / 36),
        ("2d6 > 7 + 1", 10 / 36),
        ("d20 >= 11 - 2", 0.6),
        ("1d6 >= 5", 1 / 3),
        ("3d6 = 12 - 3", 25 / 216),
        ("4d6 count 6 >= 1", 671 / 1296),
        ("2d6 <= 6", 15 / 36),
        ("4d6 >= 9", 1 - 70 / 1296),
        ("5d6 keep 1 >= 5", 1 - (2 / 3) ** 5),
        ("-2d6", -7),
        ("2d6 x 3", 21),
        ("1d100", 50.5),
        ("5d6 count =4 - 2", 5 / 6 - 2),
        ("6d6 count 5+ + 1", 3),
    ],
)
def test_what_has_one_meaning_is_answered_without_a_word(text: str, mean: float) -> None:
    found = odds(text)
    assert found.mean() == pytest.approx(mean)
    assert found.expression.notes == ()


@pytest.mark.parametrize(
    ("text", "mean", "note"),
    [
        ("2d6 >= 5", 30 / 36, "(2d6) >= 5, for how many dice show it 2d6 count >=5"),
        ("3d6 keep 2 reroll 1", 47153 / 5184, "for those that are kept (3d6 keep 2) reroll 1"),
        ("6d6 count 5+1", 2, "for 5 or more write (6d6 count 5+) + 1"),
        ("2d6x6", 42, "for dice that explode on 6 write !6"),
        ("5d6 count > d6", 25 / 12, "1d6 is rolled once, and every die is compared with it"),
    ],
)
def test_what_is_usual_is_answered_with_a_word(text: str, mean: float, note: str) -> None:
    found = odds(text)
    assert found.mean() == pytest.approx(mean, abs=5e-7)
    assert note in " ".join(found.expression.notes)


ELSEWHERE = {
    "4d6r1": "reroll 1 (ro1), for until it is no 1 reroll always 1 (rr1)",
    "d20mi10": "d20 each at least 10",
    "d20ma10": "d20 each at most 10",
    "d6!p": "x = d6; x + if(x = 6, d6 - 1, 0)",
    "d6!!p": "x = d6; x + if(x = 6, d6 - 1, 0)",
    "4d6p1": "drop 1",
    "4d6d1": "drop 1",
    "4d6min3": "each at least 10",
    "d20max10": "each at most 10",
    "(4d6min3)": "each at least 10",
    "4d10df1": "cancel 1",
    "3d10xo": "3d6! once",
    "3d10ra10": "3d6! once",
    "5d10 compounding": "5d10!! count >=8",
    "z9": "d{0..9}",
    "6@d6": "(2d6)d8",
    "4 fudge": "4dF",
    "percentile": "d100 or d%",
    "middle 3 of 5d6": "drop lowest 1 drop highest 1",
    "d6 mod 4": "x - 4 * (x // 4)",
    "absolute (2d6 - 7)": "abs(2d6 - 7)",
    "8d6mt": "5d6 sets of 2",
    "3d6sd": "do not depend on the order",
    "6d6 kp 2": "write keep",
    "repeat 2d6": "reroll always <=5",
    "accumulate d6": "x = 2d6",
    "3d10ms5": "(2d6) - 3",
    "wild": "max(d8!, d6!)",
    "5d6 count not 4+": "count failing 4+",
    "5d6 fail 4+": "count failing 4+",
    "5d6 set of 2": "5d6 sets of 2",
    "4d{hit,-} - 3d{hit,-}": "4d{hit,-} less 3d{hit,-}",
    "6d6 reroll up to two of 1": "in digits",
    "3d6 explode": "write ! after the dice",
    "6d6 count even": "count 2,4,6",
    "6d6 count odd": "count 1,3,5",
    "d20 adv": "2d20 keep 1",
    "d20 disadvantage": "2d20 keep lowest 1",
    "floor(3d6)": "2d6 // 2",
    "round(3d6)": "7d6 / 2 rounded up, or rounded off",
    "ceil(3d6)": "7d6 / 2 rounded up",
    "10d6 reroll up 2 of 1": "reroll up to 2 of 1-3",
    "sum(3d6)": "added by themselves",
    "4d6 sort": "do not depend on the order",
    "6#4d6": "several expressions stand side by side",
    "5d10cs>5": "5d10 count >=8",
    "5d10f1": "cancel 1",
    "4d6h3": "4d6 keep 3",
    "d00": "d100 or d%",
    "3d6 then 2d6": "then d(2d6)",
    "10d6 count 3+ then (lethal)": "count 3+ skip 6 then d6 count 5+",
    "5d6 pairs": "5d6 sets of 2",
    "5d6 r<2": "reroll always 1",
}


@pytest.mark.parametrize("text", ELSEWHERE)
def test_words_of_other_rollers_are_answered_with_ours(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_family(text)
    assert ELSEWHERE[text] in str(caught.value)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize(
    ("text", "mean"),
    [("2d20kh1", 13.825), ("4d6ro<2", 4 * 47 / 12), ("4d6dl1", 15869 / 1296), ("4d6rr1", 16), ("3d6k2", 1827 / 216)],
)
def test_short_words_of_other_rollers_are_read(text: str, mean: float) -> None:
    assert odds(text).mean() == pytest.approx(mean)


def test_a_sentence_is_told_in_few_lines() -> None:
    text = "2d6, d8 and d12: how many show more than the highest of 3d6, 2d8, d12"
    with pytest.raises(UsageError, match="are a sentence") as caught:
        parse(text)
    assert len(caught.value.faults) <= 4

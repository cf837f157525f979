"""What an expression means, and what is told of one that means nothing."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import Expression, odds, parse, parse_family, table
from balance.chance.dice.tree import Contest, Pool, Sum


@pytest.mark.parametrize(
    ("texts", "canonical"),
    [
        (["3d6kh2", "3D6 KEEP 2", " 3 d 6 k 2", "3d6keephighest2", "3d6 tieni 2", "3d6 keep 2 highest"], "3d6 keep 2"),
        (["2d20kl1", "2d20 keep lowest", "2d20 keep worst 1"], "2d20 keep lowest 1"),
        (["4d6 drop lowest 1", "4d6dl1", "4d6 scarta 1", "4d6 drop lowest"], "4d6 drop 1"),
        (["5d10 count 7+", "5D10 conta ≥ 7", "5d10count>=7"], "5d10 count >=7"),
        (["3d6 reroll once 1", "3d6ro1", "3d6 reroll 1 once", "3d6 ritira 1"], "3d6 reroll 1"),
        (["3d6rr1", "3d6 reroll 1 always", "3d6 ritira sempre 1"], "3d6 reroll always 1"),
        (["d%", "1D%"], "1d%"),
        (["4df", "4dF", "4 df"], "4dF"),
        (["3d[0, 1,2*2]", "3d{0,1,2 * 2}"], "3d{0,1,2*2}".replace("*", " * ")),
        (["3d6VS2d8", "3d6 against 2d8", "3d6 contro 2d8"], "3d6 vs 2d8"),
        (["10d6 count 3+ then d6 count 4+", "(10d6 count >=3)d6 count >=4"], "(10d6 count >=3)d6 count >=4"),
        (["max(d8!,d6!)", "highest of (1d8!, 1d6!)", "highest 1 (d8!, d6!)"], "max(1d8!, 1d6!)"),
        (["2d6 × 3 − 1", "2d6x3-1", "2d6 times 3 - 1"], "2d6 * 3 - 1"),
        (["((2d6))"], "2d6"),
        (["2d(8)"], "2d8"),
        (["5d6 count >= 3 keep 2", "5d6 keep 2 count >=3"], "5d6 keep 2 count >=3"),
        (["(5d6 count 4) - 2", "5d6 count =4 - 2"], "(5d6 count 4) - 2"),
        (["(1d6!) >= 7"], "(1d6!) >= 7"),
        (["1d6! !=3 once"], "1d6! !=3 once"),
        (["4d{Hit, hit + FLAG,-} count HIT"], "4d{hit,hit + flag,-} count hit".replace(" + ", "+")),
    ],
)
def test_one_meaning_has_one_text(texts: list[str], canonical: str) -> None:
    blank = canonical.replace(" ", "")
    for text in texts:
        assert str(parse(text)).replace(" ", "") == blank
        assert parse(str(parse(text))).node == parse(text).node


def test_what_binds_first() -> None:
    assert isinstance(parse("1d4 + 1d6 * 2").node, Sum)
    assert odds("1 + 2 * 3 - 4").mean() == 3
    assert odds("-2 + 7 // 2").mean() == 1
    assert isinstance(parse("1d4 + 2 >= 3 vs 1d6").node, Contest)
    assert odds("3d6 >= 5d1 + 13").fraction(1) == odds("3d6").fraction(18)


def test_a_minus_after_faces_is_a_range() -> None:
    assert odds("5d6 count 4-5").mean() == pytest.approx(5 / 3)
    assert odds("5d6 count >=4-1").mean() == 1.5
    assert odds("5d6 count 4-1d6").mean() == pytest.approx(5 / 6 - 3.5)
    with pytest.raises(UsageError, match=r"\(5d6 count 4\) - 1"):
        parse("5d6 count 4-1")


def test_a_plus_after_a_face_is_or_more() -> None:
    assert odds("6d6 count 5+").mean() == 2
    assert odds("6d6 count 5+1d6").mean() == 4.5
    assert odds("6d6 count 5+ + 1").mean() == 3
    assert odds("max(6d6 count 5+, 1)").mean() > 2


def test_families_make_rows() -> None:
    assert [str(row) for row in parse_family("{1..3}d6 keep {1,2}").rows][:3] == [
        "1d6 keep 1",
        "1d6 keep 2",
        "2d6 keep 1",
    ]
    assert [row.mean() for row in table("2d({4,6,8})")] == [5, 7, 9]
    assert [row.expression.values for row in table("{0..2}d6 + {10}")] == [(0, 10), (1, 10), (2, 10)]
    assert table("{0..1}d6")[0].weights == {0: 1}


def test_a_die_like_a_family_is_told() -> None:
    assert "row for each die is d({4,6,8})" in parse("d{4,6,8}").notes[0]
    assert parse("d{0,1,2}").notes == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3d6 keap 2", "3d6 ^keap 2, character 5: 'keap' is not a word of expressions; did you mean keep?"),
        ("3d0", "'0' is no number of sides; allowed: 1 to 10,000"),
        ("999999999d6", "'999999999' is too large a number; allowed: at most 1,000,000"),
        ("20000d6", "'20000' are too many dice; allowed: at most 10,000"),
        ("3d6 keep 4", "'4' is no number of dice to keep of 3; allowed: 1 to 3"),
        ("3d6 drop 3", "'3' is no number of dice to drop of 3; allowed: 1 to 2, so that one is left"),
        ("1d1!", "would never end: every face is rolled again"),
        ("2d6 reroll always <=6", "would never end: every face is rolled again"),
        ("1d6! >= 7", "to compare the total put brackets around the dice: (1d6!) >= 7"),
        ("3(2d6)", "to roll it so often write 3d(...), to multiply 3 * (...)"),
        ("2d6 / 2", "to divide and round down write //"),
        ("2d6.5", "numbers are whole"),
        ("(2d6", "something is missing; allowed: an operator, a modifier or ); for the bracket of character 1"),
        ("3d6 vs 2d6 vs 1d6", "one `vs`"),
        ("(1d6 - 3)d6", "a number of dice that may be below 0"),
        ("4d{hit,-} + 2", "count hit"),
        ("4d{hit,-} keep 2", "symbols, which have no order"),
        ("4d{hit,-} count flag", "'flag' is not a word"),
        ("4d{keep,-}", "holds a word of expressions; call 'keep' something else"),
        ("4d{}", "a face is missing"),
        ("{1..500}d6", "asks for too many rows; allowed: at most 200"),
        ("{1..50}d{6}+{1..50}", "makes 2,500 rows; allowed: at most 200"),
        ("{5..1}d6", "ranges that rise"),
        ("2d6 count 5 count 6", "is said twice"),
        ("", "something is missing"),
        ("max(2d6)", "two or more in brackets"),
        ("(" * 21 + "1" + ")" * 21, "opens too many brackets; allowed: at most 20 deep"),
    ],
)
def test_what_is_wrong_is_told_where(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_family(text)
    assert told in str(caught.value)
    assert all("^" in fault.path for fault in caught.value.faults)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        parse("3d6 keap 2 + 20000d6 + 2d0 + 5d6 conut 5 + 4d6 keep 9")
    found = [fault.found for fault in caught.value.faults]
    assert found == ["keap", "20000", "0", "conut", "9"]


def test_an_expression_is_made_of_its_parts() -> None:
    found = parse("3d6 keep 2")
    assert isinstance(found, Expression)
    assert isinstance(found.node, Pool)
    assert found.node.n_dice == 3


def test_a_family_is_no_single_expression() -> None:
    with pytest.raises(UsageError, match="stands for 3 expressions; ask for it as a table"):
        odds("{1..3}d6")


def test_a_chain_of_then_may_be_long() -> None:
    assert odds("10d6" + " then d6 count 2+" * 20).mean() == pytest.approx(35 * (5 / 6) ** 20)

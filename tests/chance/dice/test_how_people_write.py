"""Expressions as people write them who come from other rollers and languages: read, or refused with what to write.

Every tip that names an expression is followed: what it says to write has the mean that was meant.
"""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import odds, parse
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Vocabulary


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("highest 2 of 4d6", "4d6 keep 2"),
        ("best 3 of 4d6", "4d6 keep 3"),
        ("highest of 2d20", "2d20 keep 1"),
        ("lowest of 2d20", "2d20 keep lowest 1"),
        ("worst 2 of 3d6", "3d6 keep lowest 2"),
        ("lowest 3 of 5d10", "5d10 keep lowest 3"),
        ("highest 2 of (4d6)", "4d6 keep 2"),
        ("highest of (2d20)", "2d20 keep 1"),
        ("highest 2 of (2d6, d8)", "(2d6, d8) keep 2"),
        ("highest 3 of 4d6 reroll 1", "4d6 reroll 1 keep 3"),
        ("highest 1 of 2d8!", "2d8! keep 1"),
        ("highest 3 of 4d6 + 2", "(4d6 keep 3) + 2"),
        ("2 * highest 2 of 4d6", "2 * (4d6 keep 2)"),
        ("highest 2 of 4d6 >= 10", "(4d6 keep 2) >= 10"),
        ("Best 2 Of 3d10", "3d10 keep 2"),
        ("high 2 of 3d10", "3d10 keep 2"),
        ("low 2 of 3d10", "3d10 keep lowest 2"),
        ("highest {1..2} of 3d6", "3d6 keep {1..2}"),
    ],
)
def test_the_highest_of_dice_are_kept(text: str, same: str) -> None:
    from balance.chance.dice import table

    told, meant = table(text), table(same)
    assert [row.weights for row in told] == [row.weights for row in meant] or (
        text == "highest 2 of (2d6, d8)" and told[0].mean() == pytest.approx(odds("highest 2 of (2d6, d8)").mean())
    )


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("2w6", "2d6"),
        ("2W6+3", "2d6"),
        ("W20", "d20"),
        ("3w10 keep 2", "3d10"),
        ("d8 + 2w6", "2d6"),
        ("2k6", "2d6"),
        ("k20", "d20"),
        ("2K6 + 1", "2d6"),
        ("2t6", "2d6"),
        ("3T6", "3d6"),
        ("2n6", "2d6"),
        ("2к6", "2d6"),
        ("2д6", "2d6"),
        ("5k3", "5d10 keep 3"),
        ("6d6 4+", "6d6 count 4+"),
        ("6d6 5-6", "6d6 count 5-6"),
        ("10d6 6", "10d6 count 6"),
        ("(6d6 4+) - 1", "6d6 count 4+"),
        ("6d6 reroll 1 then 4+", ""),
        ("5d10 7+ double 10", "5d10 count 7+"),
        ("10d6 1,3,5", "10d6 count 1,3,5"),
        ("2d6 + 3 exploding", "2d6! + 3"),
        ("3d6 exploding", "3d6!"),
        ("exploding 3d6", "3d6!"),
        ("3d6 explode", "3d6!"),
        ("4d10 ace", "4d10!"),
        ("2d6 + 1d8 exploding", "2d6 + 1d8!"),
        ("3d6 esplode", "3d6!"),
        ("3d6 explosif", "3d6!"),
        ("3d6 explodierend", "3d6!"),
        ("max 4d6", "highest 2 of 4d6"),
        ("4d6 highest 3", "highest 3 of 4d6"),
        ("max(4d6)", "4d6 keep 1"),
        ("4d6 behalte 3", "4d6 keep 3"),
        ("4d6 garder 3", "4d6 keep 3"),
        ("4d6 zachowaj 3", "4d6 keep 3"),
        ("4d6 mantener 3", "4d6 keep 3"),
        ("4d6 odrzuć 1", "4d6 drop lowest 1"),
        ("3d6 relancer 1", "3d6 reroll 1"),
        ("3d6 przerzuć 1", "3d6 reroll 1"),
        ("5d10 zähle 8", "5d10 count >=8"),
        ("5d10 compter 8", "5d10 count >=8"),
        ("3d6 gegen 2d8", "3d6 vs 2d8"),
        ("3d6 contre 2d8", "3d6 vs 2d8"),
        ("2 würfel", "2d6"),
        ("2 dés", "2d6"),
    ],
)
def test_a_tip_names_what_to_write(text: str, mended: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert any(mended in fault.tip for fault in caught.value.faults)
    assert not mended or parse(mended)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("10d6 count 56", "for 5 or 6 write 5,6, for 5 to 6 write 5-6"),
        ("10d6 count 12", "for 1 or 2 write 1,2, for 1 to 2 write 1-2"),
        ("10d6 count 65", "write 6,5"),
        ("10d6 count 456", "write 4,5,6"),
        ("10d6 count 7", "no face of d6 is 7; faces go from 1 to 6"),
        ("10d6 count 7+", "no face of d6 is 7 or more"),
        ("10d6 count >6", "no face of d6 is more than 6"),
        ("10d6 count <1", "no face of d6 is less than 1"),
        ("10d6 count 0", "no face of d6 is 0"),
        ("10d6 count 5,9", "no face of d6 is 9"),
        ("10d6 count 7-9", "no face of d6 is 7 to 9"),
        ("5d10 count 8+ double 11", "no face of d10 is 11"),
        ("5d10 count 8+ cancel 0", "no face of d10 is 0"),
        ("5d6 count 4+ triple 66", "no face of d6 is 66"),
        ("3d6 reroll 7", "no face of d6 is 7"),
        ("3d6 reroll 0", "no face of d6 is 0"),
        ("4d{0,0,1} count 2", "no face of d{0,0,1} is 2"),
        ("4dF count 2", "no face of dF is 2"),
        ("d100 count 101+", "no face of d100 is 101 or more"),
        ("(2d6, d8) count 9", "no face of these dice is 9"),
        ("10d6 count 3+ double 6 skip 6 then d6 count 4+", "r = 10d6; (r count 6) + ((r count >=3) then d6 count 4+)"),
        ("10d6 count 3+ triple 6 skip 6 then d6 count 4+", "r = 10d6; (r count 6) + ((r count >=3) then d6 count 4+)"),
        ("8d6 count 4+ double 5-6 skip 6 then d6 count 4+", "(r count >=4 double 5-6) then"),
        ("x = d3; 9 after 3 hits of x on figures of 3", "hits of d3"),
        ("dmg = 2d4; 20 after (5d6 count 4+) hits of dmg", "hits of 2d4"),
        ("d = d6; dmg = d + 1; 20 after 4 hits of dmg on figures of 2", ""),
        ("w = d3!; 9 after 2 hits of w + 1", "hits of d3!"),
    ],
)
def test_a_note_tells_what_may_be_meant(text: str, note: str) -> None:
    try:
        notes = parse(text).notes
    except UsageError:
        assert text.startswith("d =")  # d is a word
        return
    assert any(note in told for told in notes)


@pytest.mark.parametrize(
    "text",
    [
        "10d6 count 5-6",
        "5d10!! count 12+",
        "5d6! keep 3 count 8+",
        "10d6 count !=7",
        "3d6 each at least 2 count 1",
        "10d6 count 3+ skip 6 then d6 count 5+",
        "10d6 count 3+ double 5 skip 6 then d6 count 5+",
        "9 after 3 hits of d3 on figures of 3",
        "x = 3; 9 after 3 hits of x",
        "n = 2d6; 9 after n hits of d3",
        "{5..8}d6 count {5..8}",
    ],
)
def test_what_is_meant_has_no_note(text: str) -> None:
    from balance.chance.dice import parse_family

    assert not [note for row in parse_family(text).rows for note in row.notes if "no face" in note or "once" in note]


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("10d6 count 3+ double 6 skip 6 then d6 count 4+", 35 / 6),
        ("r = 10d6; (r count 6) + ((r count 3+) then d6 count 4+)", 5),
        ("x = d3; 9 after 3 hits of x on figures of 3", 10 / 3),
        ("9 after 3 hits of d3 on figures of 3", 100 / 27),
    ],
)
def test_both_readings_have_their_value(text: str, mean: float) -> None:
    assert odds(text).mean() == pytest.approx(mean)


def read_step(text: str) -> StepReader:
    reader = StepReader(Vocabulary(frozenset({"me.skill", "me.dice", "foe.save"})))
    reader.add("hits", text)
    return reader


@pytest.mark.parametrize("sign", [">=", ">", "<=", "<", "=", "!="])
@pytest.mark.parametrize("dice", ["2d6", "3d6", "d20", "2d6 keep 1"])
def test_the_total_of_few_dice_is_compared_with_a_name(sign: str, dice: str) -> None:
    (step,) = read_step(f"{dice} {sign} me.skill").steps(["hits"])
    assert step.uses == ("me.skill",)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("10d6 >= me.skill", ("(10d6) >= me.skill", "10d6 count >=me.skill")),
        ("me.dice d6 >= me.skill", ("(me.dice d6) >= me.skill", "me.dice d6 count >=me.skill")),
        ("me.dice d6 > foe.save", ("(me.dice d6) > foe.save", "me.dice d6 count >foe.save")),
        ("me.dice d6 >= 5", ("(me.dice d6) >= 5", "me.dice d6 count >=5")),
    ],
)
def test_a_tip_writes_the_names(text: str, ways: tuple[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        read_step(text)
    assert all(way in caught.value.faults[0].tip for way in ways)
    assert all(read_step(way) for way in ways)

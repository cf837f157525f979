"""How expressions and steps were read, in words."""

from __future__ import annotations

import pytest

from balance.chance.dice import parse
from balance.chance.dice.reading import reading_of, readings_of
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Vocabulary


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5d10 count >=7", "roll 5 ten-sided dice; count those showing 7 or more"),
        ("4d6 drop 1", "roll 4 six-sided dice; drop the lowest; add the others"),
        ("2d20 keep lowest 1", "roll 2 twenty-sided dice; keep the lowest"),
        ("3d6 reroll 1", "roll 3 six-sided dice; roll each 1 again once; add them"),
        (
            "5d10! count >=7 double 10 cancel 1",
            "roll 5 ten-sided dice; roll once more for each highest face, as often as it comes, and count every roll"
            " by itself; count those showing 7 or more; each 10 counts two; each 1 takes one away",
        ),
        (
            "10d6 count 3+ then d6 count failing 4+",
            "roll 10 six-sided dice; count those showing 3 or more; then roll that many six-sided dice;"
            " count those showing less than 4",
        ),
        ("2d6 >= 7", "1 if (the sum of 2 six-sided dice) >= 7, else 0"),
        ("d8 - d6", "(one eight-sided die) - (one six-sided die)"),
        ("5d6 count 1,3,5-6", "roll 5 six-sided dice; count those showing 1, 3 or 5 to 6"),
        ("5d6 largest set", "roll 5 six-sided dice; the result is the number of dice in the largest set of equal ones"),
        ("4d{hit,-} count hit", "roll 4 dice with the faces hit, -; count those showing hit"),
        (
            "a = 3d6; (a count 5+) - (a count 1)",
            "a: roll 3 six-sided dice. (the number of the dice of a showing 5 or more)"
            " - (the number of the dice of a showing 1)",
        ),
        (
            "a = 3d6; a count = (a keep 1)",
            "a: roll 3 six-sided dice. the number of the dice of a showing"
            " (the sum of the dice of a, of which you keep the highest)",
        ),
        (
            "a = 3d6; b = 2d6; (a pairs > b) - (b pairs > a)",
            "a and b: roll 3 six-sided dice and roll 2 six-sided dice."
            " (the number of pairs, highest with highest and so on, whose die of a shows more than that of b)"
            " - (the number of pairs, highest with highest and so on, whose die of b shows more than that of a)",
        ),
    ],
)
def test_an_expression_is_told_in_words(text: str, words: str) -> None:
    assert reading_of(parse(text)) == words


def test_steps_keep_their_names() -> None:
    reader = StepReader(Vocabulary(frozenset({"me.attacks", "me.skill", "me.elite", "foe.save", "foe.wounds"})))
    reader.add("hits", "(me.attacks + 1) d6 count me.skill+", [("me.elite", "reroll 1")])
    reader.add("past", "hits d6 count failing (foe.save - 1)+")
    reader.add("foe.wounds", "foe.wounds - past")
    hits, past, wounds = readings_of(reader.steps(["foe.wounds"]))
    begin = "roll as many six-sided dice as (me.attacks + 1)"
    assert str(hits) == f"hits: {begin}; count those showing me.skill or more"
    assert hits.changes == (("me.elite", f"{begin}; roll each 1 again once; count those showing me.skill or more"),)
    assert past.words == "roll hits six-sided dice; count those showing less than (foe.save - 1)"
    assert wounds.words == "foe.wounds - past"

"""Hundreds of malformed expressions: each is refused by an error of ours that says where; none crashes."""

from __future__ import annotations

import random
import time

import pytest

from balance.base.errors import BalanceError, UsageError
from balance.chance.dice import parse_family
from balance.chance.dice.odds import rows_of
from balance.cli.main import main

WRONG = """
3d6 keap 2¦d¦3d¦dd¦d6d6¦3d6d¦3d0¦-3d6d¦3d6 keep¦3d6 keep 0¦3d6 keep 4¦3d6 keep -1¦3d6 keep two¦3d6 drop 3
3d6 drop¦3d6 count¦3d6 count x¦3d6 count >=¦3d6 count >= x¦3d6 count 5-¦3d6 count 6-5¦3d6 count ,
3d6 count 5 count 6¦3d6 !! ! !¦1d1!¦1d6!>=1¦1d6!>=7¦2d6 reroll¦2d6 reroll always¦2d6 reroll always <=6¦1d{3}!
3d6 vs¦vs 3d6¦3d6 vs 2d6 vs 1d6¦vs¦(3d6¦3d6)¦()¦(())¦max¦max()¦max(3d6)¦max(3d6,)¦max(,3d6)
highest 3 of (1d6,1d8)¦highest 0 of (1d6,1d8)¦lowest of¦of¦then¦3d6 then¦3d6 then 2d6¦then d6¦3d6 +¦+¦-¦*¦//
3d6 //¦3d6 // 0¦3d6 // 1d6¦3d6 / 2¦3d6 ** 2¦3d6 ^ 2¦3d6 % 2¦2.5d6¦3d6.5¦3,5d6¦1e5d6¦{¦}¦{}¦{}d6¦{1..}d6
{..3}d6¦{a}d6¦{1..500}d6¦{3..1}d6¦{-1..2}d6¦{1..9}d{1..9}d6¦{{1}}d6¦d{¦d}¦d{}¦d{,}¦d{1,}¦d{,1}¦d{1,,2}¦d{hit,}
d{hit+}¦d{+hit}¦d{hit*}¦d{hit*0}¦d{1*0}¦d{1*99999}¦d{9999999}¦d{hit,3}¦d{keep}¦d{1..}¦d{5..1}¦d{a b}
4d{hit,-} keep 1¦4d{hit,-} + 1¦4d{hit,-} * 2¦4d{hit,-} >= 1¦4d{hit,-} vs 1¦max(4d{hit,-}, 1)
4d{hit,-} count flag¦4d{hit,-}!¦d[1¦d1]¦[1]¦[1..8]d6¦999999999d6¦d999999999¦10001d6
99999999999999999999999999999999d6¦3d6 + 99999999999¦d6 = ¦= 3¦3d6 >= ¦>= 3¦3d6 => 3¦3d6 >= 3 >= 2
3d6 keep 2 2¦3 3¦3d6 3¦3d6 4d6¦d6 d6¦(1d6-3)d6¦(1d6-9)d6¦3(2d6)¦(2d6)(3d6)¦3d6 once¦3d6 at most¦3d6! at most
3d6! at most 0¦3d6 twice¦3d6 double 6¦3d6 cancel 1¦3d6 always¦3d6 highest¦best¦3d6 kz¦3d6;ls¦3d6 && ls
3d6 | 2d6¦$(ls)¦`ls`¦__import__('os')¦__import__¦import os¦lambda: 0¦3d6; import os¦eval(1)¦{{7*7}}¦${7*7}
<script>alert(1)</script>¦=1+1¦=cmd|' /C calc'!A0|SUM(1)¦[bold]3d6[/bold]¦[red]¦**3d6**¦3d６¦３d6¦3d²¦½d6¦d∞¦🎲
3d6🎲¦שלום¦3d6\u202e¦\u0000¦3d6\u0007¦\x1b[31m3d6¦\ufeff¦é¦ñd6¦3d6 ké 2¦None¦nan¦inf¦True¦NaNd6¦infd6¦1_000d6
0b10d6¦3d6 keep 0x2¦'3d6'¦"3d6"¦3d6'¦#¦3d6 # comment¦3d6 // comment¦--¦3d6 --json¦?¦3d?¦3d6:2
1000000*1000000*1000000¦3d6 keep highest lowest 2¦3d6 keep drop 2¦3d6 drop keep¦3d6 reroll 1 reroll 2¦3d6! !
3d6!!!!¦!¦!!¦3!¦3d!¦d!6
3d6 each¦3d6 each at¦3d6 each at least¦3d6 each at least x¦3d6 each least 2¦each at least 2¦3 each at least 2
3d6 reroll up¦3d6 reroll up to¦3d6 reroll up to 2¦3d6 reroll up to 2 of¦3d6 reroll up to of 1¦3d6 up to 2 of 1
3d6 count failing¦3d6 failing 4¦3d6 rounded up¦3d6 / rounded up¦3d6 / 2 rounded¦3d6 / 2 up¦3d6 / d6 rounded up¦3d6 /
5d6 sets¦5d6 sets of¦5d6 sets of 0¦5d6 sets of d6¦sets of 2¦sets of 2 of¦longest run¦longest run of¦5d6 longest
5d6 run¦different¦different of 3¦5d6 different 2¦5d6 largest different¦3d6 pairs¦3d6 pairs >¦3d6 pairs 2d6
3d6 pairs > 2¦pairs > 2d6¦3 pairs > 2d6¦3d6 pairs > 2d6 count 4¦3d6 pairs > 2d6 pairs > 1d6¦3 from¦from {1,2}
3 from 2¦3 from d6¦3 from {}¦9 from {1..3}¦(1 - 2d6) from {1..3}¦3 from {1..3} reroll 1¦3 from {1..3}!¦3d6 from {1..9}
4d{h,-} less¦less 4d{h,-}¦4d{h,-} less 2d6¦4d{h,-} less 3d{b,-}¦(4d{h,-} less d{h}) count h¦3 less 2
20 after¦after 3 hits of 2¦20 after 3¦20 after 3 hits¦20 after 3 hits of¦20 after hits of d6¦20 after 3 hits of d6 on
20 after 3 hits of d6 on figures of¦20 after 3 hits of d6 on figures of 0¦20 after 3 hits of d6 figures of 2
(d6 - 9) after 3 hits of 1¦20 after 3 hits of 2 + 1 on figures of 2 + 1¦hits of 3¦on figures of 2
"""
TEXTS = [text for line in WRONG.strip().split("\n") for text in line.split("¦")] + [
    "",
    " ",
    "\t\n",
    "(" * 400 + "1" + ")" * 400,
    "max(" * 200,
    "d(" * 300 + "6" + ")" * 300,
    "-" * 900,
    "d6" * 450,
    "x" * 1000,
    "9" * 999,
    "3d6+" * 250,
    "{1..2}" * 150,
    "3d6 keep 2" * 200,
    "a" * 100_000,
    "{" * 500,
    "!" * 999,
    ",".join(["1"] * 400),
]


def refused(text: str) -> list[str]:
    """Return what is told of a text; nothing of one that is understood."""
    try:
        parse_family(text)
    except UsageError as error:
        return [str(fault) for fault in error.faults]
    return []


def test_there_are_many() -> None:
    assert len(TEXTS) > 220


@pytest.mark.parametrize("part", range(4))
def test_each_is_refused_with_what_is_wrong(part: int) -> None:
    for text in TEXTS[part::4]:
        faults = refused(text)
        assert faults, text
        assert len(faults) <= 20
        assert all(len(fault) < 1000 for fault in faults)


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_the_command_line_tells_each_in_lines_of_ours(every: int, capsys: pytest.CaptureFixture[str]) -> None:
    for text in TEXTS[::every]:
        status = main(["dice", "--", text])
        told = capsys.readouterr()
        assert (status, told.out) == (2, ""), text
        lines = told.err.splitlines()
        assert lines
        assert all(line.startswith(("error: ", "Try ")) for line in lines), (text, lines)
        assert all(line.isprintable() for line in lines)


def test_and_so_it_does_past_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    for text in TEXTS[::3]:
        if not text.startswith("-"):
            assert main(["dice", text]) == 2, text
            assert "Traceback" not in capsys.readouterr().err


PIECES = (
    "3 d 6 keep drop 2 count >= 7 ! !! reroll always 1 + - * // ( ) , vs then max min highest of { } {1..3} d{0,1} "
)
PIECES += "each at least each at most up to failing / rounded up sets of longest run different pairs from less after "
PIECES += "hits of on figures of "
PIECES += "{h,-} dF % twice double cancel = != 5-6 5+ <= x 10 d20 hit 0 99999999999 once at most [ ] kh2 dl1 lowest ; é"


def test_words_at_random_never_crash() -> None:
    """4,000 lines of words in any order: refused by an error of ours, or answered, and never for long."""
    luck, words, answered = random.Random(11), PIECES.split(), 0
    for _ in range(4000):
        text = luck.choice(("", " ")).join(luck.choice(words) for _ in range(luck.randint(1, 7)))
        try:
            family = parse_family(text)
        except UsageError as error:
            assert error.faults, text
            continue
        answered += 1
        begin = time.process_time()
        for row in rows_of(family, trials=100)[:3]:
            assert sum(row.weights.values()) == row.total
            assert abs(sum(row.chances().values()) - 1) < 1e-9
        assert time.process_time() - begin < 60, text
    assert answered > 60


@pytest.mark.slow("test_words_at_random_never_crash")
def test_right_expressions_with_one_letter_changed_never_crash() -> None:
    luck = random.Random(12)
    right = ["3d6 keep 2", "5d10 count >=7 vs 4d10 count 7+", "4d{hit,hit+flag,-} count hit", "max(1d8!, 2d6 reroll 1)"]
    right += ["3d6 each at least 2 pairs > 2d6", "9 after 3 hits of d3 on figures of 2", "3 from {1..4} sets of 2"]
    refusals = 0
    for _ in range(1500):
        letters = list(luck.choice(right))
        letters[luck.randrange(len(letters))] = luck.choice("0123456789d!+-*/(){}[],.<>=%kx é\u0000🎲")
        try:
            rows_of(parse_family("".join(letters)), trials=50)
        except BalanceError:
            refusals += 1
    assert 500 < refusals < 1500

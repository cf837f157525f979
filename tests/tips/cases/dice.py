"""Tips of `balance dice` and its language."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from balance.answers.words.dice.live import views_of
from balance.chance.dice import odds
from balance.chance.dice.rolling.sampling import outcomes_of
from balance.chance.dice.text.parsing import check_rows, parse, parse_family
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Vocabulary
from tests.tips.following import Case, Typed, under

ROLLING = "balance.chance.dice.rolling"
HUGE = "* 1000000 * 1000000 * 1000000"


def read(text: str) -> Callable[[], object]:
    """Return the deed of reading an expression."""
    return lambda: parse_family(text) and None


def dice(wrong: str, tip: str, right: str, later: str = "") -> Case:
    """Return the case of an expression."""
    return Case(read(wrong), tip, read(right), later)


def step(wrong: str, tip: str, right: str) -> Case:
    """Return the case of a step of a game file, where there are names and tables."""

    def read_step(text: str) -> Callable[[], object]:
        return lambda: StepReader(Vocabulary(frozenset({"me.skill", "foe.save"}), TABLES)).add("hits", text) and None

    return Case(read_step(wrong), tip, read_step(right))


TABLES = {
    "to_hit": SimpleNamespace(n_places=1, at=lambda place: 7 - place),
    "to_wound": SimpleNamespace(n_places=2, at=lambda row, column: 4),
}


CASES = [
    dice("3d6 keap 2", "did you mean keep?", "3d6 keep 2"),
    dice("2d6 and d4", "around `and`: 2d6 >= 7", "2d6 >= 7 and d4 >= 2"),
    dice("2d6 and d4", "to say that one is not 0 write 2d6 > 0", "2d6 > 0 and d4 > 0"),
    dice("2d6 and d4", "to add totals write +", "2d6 + d4"),
    dice("d20 gives (20: 1; 1: 2)", "say the rest: else: 0", "d20 gives (20: 1; 1: 2; else: 0)"),
    dice("n = 3d6", "write what is asked last: n = 3d6; n", "n = 3d6; n"),
    dice("count = 3d6; count", "such as my_count", "my_count = 3d6; my_count"),
    dice("if(2d6 >= 7, 1)", "three: if(CONDITION, THEN, ELSE)", "if(2d6 >= 7, 1, 0)"),
    dice("if(d6 >= 4, 3d6 count 4, 5)", "put brackets around (3d6 count 4)", "if(d6 >= 4, (3d6 count 4), 5)"),
    dice("x = 2d6; 3d6; x", "x = 2d6; x + if(x = 12, d6, 0)", "x = 2d6; x + if(x = 12, d6, 0)"),
    dice("3d6 less 2d6", "of totals the rest is max(0, 3d6 - 2d6)", "max(0, 3d6 - 2d6)"),
    dice(
        "(4d{hit,-} less 3d{hit,-}) + 1",
        "count them: ((4d{hit,-} less 3d{hit,-}) count every hit)",
        "((4d{hit,-} less 3d{hit,-}) count every hit) + 1",
    ),
    dice("4d{ace,-} + 1", "count them: (4d{ace,-} count ace)", "(4d{ace,-} count ace) + 1"),
    dice("20 after 3 hits of d6 on figures of 2 + 1", "put brackets around it to go on", "(20 after 3 hits of d6) + 1"),
    dice(
        "20 after 3 hits of 2d{hit,-}", "count them: (2d{hit,-} count hit)", "20 after 3 hits of (2d{hit,-} count hit)"
    ),
    dice("3d6 keep two", "write numbers in digits", "3d6 keep 2"),
    dice("3d6 count 6-5", "to subtract, put brackets around the dice: (5d6 count 4) - 1", "(3d6 count 6) - 5"),
    dice("3d6 count 6-5", "more", "3d6 count 5-6"),
    dice("1d1!", "say `! at most 5`, or name fewer faces", "1d1! at most 5"),
    dice("2d2!<=2", "say `! at most 5`, or name fewer faces", "2d2!<=1"),
    dice("3d6 / 2", "to divide and round down write //", "3d6 // 2"),
    dice("3d6 / 2", "else / 2 rounded up, or rounded off", "3d6 / 2 rounded up"),
    dice("2.5d6 keep 1", "numbers are whole", "2d6 keep 1"),
    dice("3d6 count 5.6", "a range of faces is 5-6", "3d6 count 5-6"),
    dice("d{1,}", "- is a blank one", "d{1,-}"),
    dice("d{keep}", "such as keep_", "d{keep_} count keep_"),
    dice("4d{hit,-} vs 1", "count them: (4d{hit,-} count hit)", "(4d{hit,-} count hit) vs 1"),
    dice("+".join(["d6"] * 400), "at most 1,000: split it, or ask for its parts", "+".join(["d6"] * 300)),
    dice("2d6 reroll always <=6", "leave `always` out, or name fewer faces", "2d6 reroll <=6"),
    dice("2d6 reroll always <=6", "leave `always` out, or name fewer faces", "2d6 reroll always <=5"),
    dice("max(3d6)", "two or more in brackets, and no more than them", "max(3d6, 2d8)"),
    dice(
        "max(3d6 count 4, 5)",
        "after `count 4` a comma goes on with the faces: put brackets around it",
        "max((3d6 count 4), 5)",
    ),
    dice("5d6 pairs", "for sets of 2 equal dice write 5d6 sets of 2", "5d6 sets of 2"),
    dice("1d6!>=7", "to compare the total put brackets around the dice: (1d6!) >= 7", "(1d6!) >= 7"),
    dice("3d6 then 2d6", "for so many dice each time write then d(2d6)", "3d6 then d(2d6)"),
    dice("3(2d6)", "to roll it so often write 3d(...)", "3d(2d6)"),
    dice("3(2d6)", "to multiply 3 * (...)", "3 * (2d6)"),
    dice("six dice that hit on a four", "write dice such as 10d6 count 3+ then d6 count 5+", "6d6 count 4+"),
    dice("(3d6", "for the bracket of character 1", "(3d6)"),
    dice("4d{hit,-}!", "name the faces: !>=12 or !crit", "4d{hit,-}!hit count hit"),
    dice("10d6 count 3+ skip 6", "count what is rolled next", "10d6 count 3+ skip 6 then d6 count 5+"),
    dice("(2d6, d8) keep 2!", "write it in the brackets: (2d6!, 1d8!) keep 2", "(2d6!, 1d8!) keep 2"),
    dice("(2d6, 3) keep 1", "for the highest total write max(...)", "max(2d6, 3)"),
    dice("(2d6, 3) keep 1", "dice that are not kept or counted yet: (2d6, d8, d12) keep 2", "(2d6, d3) keep 1"),
    dice("abs(2d6) keep 1", "abs(...) is a total and no dice", "2d6 keep 1"),
    dice(
        "4d{hit,crit,-} reroll up to 2 of blank,hit count hit",
        "such as blank",
        "4d{hit,crit,-} reroll up to 2 of blank count hit",
    ),
    dice("7d6 // 2 rounded up", "/ 2 rounded up", "7d6 / 2 rounded up"),
    dice("8d4 keep 4!", "for those that are kept (8d4 keep 4)!", "(8d4 keep 4)!"),
    dice("5d6 count not 4+", "write failing: count failing 4+", "5d6 count failing 4+"),
    dice("4d{hit,-} - 3d{hit,-}", "told by less: 4d{hit,-} less 3d{hit,-}", "4d{hit,-} less 3d{hit,-}"),
    dice("d00", "the die of 100 sides is d100 or d%", "d100"),
    dice("d0", "1 to 10,000", "d2"),
    dice("{1,a}d6", "whole numbers and ranges, such as {1..8} or {1,2,4}", "{1,2,4}d6"),
    dice("{8..1}d6", "ranges that rise, of whole numbers from 0 to", "{1..8}d6"),
    dice("{1..2000}d6", "allowed: at most", "{1..90}d6"),
    dice("d{1*9999,2*9999}", "at most 10,000", "d{1*999,2*999}"),
    dice("d{8..1}", "ranges that rise", "d{1..8}"),
    dice("d{1*0}", "1 to 10,000", "d{1*1}"),
    dice("d{hit,*}", "hit*2 for two faces, - for a blank", "d{hit*2,-} count hit"),
    dice("d{hit,5000 flag}", "of it at most, or - for a blank", "d{hit,5 flag} count hit"),
    dice(
        f"d{{{','.join(f'face{n}' for n in range(30))}}} count face1",
        "at most 20 kinds",
        f"d{{{','.join(f'face{n}' for n in range(20))}}} count face1",
    ),
    dice("if(2d{hit,-}, 1, 0)", "count them: (2d{hit,-} count hit)", "if((2d{hit,-} count hit), 1, 0)"),
    dice(
        "2d{hit,-} gives (1: 2; else: 0)",
        "count them: (2d{hit,-} count hit)",
        "(2d{hit,-} count hit) gives (1: 2; else: 0)",
    ),
    dice(
        f"d{{1..120}} gives ({'; '.join(f'{n}: {n}' for n in range(1, 110))}; else: 0)",
        "at most 100",
        f"d{{1..120}} gives ({'; '.join(f'{n}: {n}' for n in range(1, 80))}; else: 0)",
    ),
    dice("4d{hit,-} less 3d{flag,-}", "some of hit", "4d{hit,-} less 3d{hit,flag}"),
    dice("20 after 30000d6 hits of d6", "at most", "20 after 3d6 hits of d6"),
    dice("(d6 - 9) after 3 hits of d6", "0 and more", "max(0, d6 - 9) after 3 hits of d6"),
    dice("9000d9999 * 9000d9999 * 900000", "at most", "9000d9999 * 9000"),
    dice("3d6 = 12..9", "the lower number first", "3d6 = 9..12"),
    dice("3d6 // 0", "1 or more", "3d6 // 1"),
    dice("largest set of (3d6 + 1)", "dice that are not counted: largest set of 5d6", "largest set of 5d6"),
    dice("(" * 60 + "d6" + ")" * 60, "deep", "(" * 6 + "d6" + ")" * 6),
    dice("(d6 - 9)d6", "0 and more", "(max(0, d6 - 9))d6"),
    dice("99999999d6", "at most", "99d6"),
    dice("d(2d{hit,-})", "write its faces: d{hit,-}", "d{hit,-} count hit"),
    dice("5d6 largest set count >= (d6)", "one or the other", "5d6 largest set"),
    dice("5d6 largest set count >= (d6)", "one or the other", "5d6 count >= (d6)"),
    dice("5 from d{1..52}!", "keep, drop, count, each at least, largest set and the like", "5 from d{1..52} keep 2"),
    dice("(8d4 keep 4) reroll 1 keep 2", "one keeping: (8d4 keep 4)!", "(8d4 keep 4) reroll 1"),
    dice("3d6 reroll 1 reroll 2", "once", "3d6 reroll 1,2"),
    dice("3d6 count >= (d6 + 1) count >= (d8)", "once", "3d6 count >= (d6)"),
    dice("3d6 count >= (5)", "faces without them: count >=5", "3d6 count >=5"),
    dice("(2d6, d8) reroll up to 1 of 1", "(4d6 reroll up to 2 of 1, d8)", "(2d6 reroll up to 1 of 1, d8)"),
    dice(
        "(3d6 keep 2) reroll up to 1 of 1",
        "write it in the brackets, before dice are kept",
        "3d6 reroll up to 1 of 1 keep 2",
    ),
    dice("3d6 each at least 2 each at least 3", "once", "3d6 each at least 3"),
    dice("3d6 each at least 5 each at most 2", "the least first", "3d6 each at least 2 each at most 5"),
    dice("3d6 keep 4", "1 to 3", "3d6 keep 3"),
    dice("3d6 drop 3", "1 to 2, so that one is left", "3d6 drop 2"),
    dice("4d{hit,-} count every blank", "count blank", "4d{hit,-} count blank"),
    dice("5d6 sets of 1", "2 or more: 5d6 sets of 2", "5d6 sets of 2"),
    dice("5d6 largest set longest run", "once, of all dice: 5d6 largest set", "5d6 largest set"),
    dice("3d6 pairs > 2d6 count 4", "dice of numbers that are not counted: 3d6 pairs > 2d6 keep 1", "3d6 pairs > 2d6"),
    dice("60 from d{1..52}", "at most 52", "52 from d{1..52}"),
    dice("n = 3d6 count 4+; n keep 1", "count it where its dice are rolled", "n = 3d6 keep 1 count 4+; n"),
    dice("n = 3d6 count 4+; n keep 1", "or roll as many dice: hits d6 count 5+", "n = 3d6 count 4+; n d6 keep 1"),
    dice("n = 3d6; n reroll 1", "say so where n is rolled", "n = 3d6 reroll 1; n"),
    dice("n = 3d6; m = d6; n count m+", "put its step before n", "m = d6; n = 3d6; n count m+"),
    dice("99999999999", "at most", "9"),
    dice("3d6 keep 0", "1 or more", "3d6 keep 1"),
    dice("4d{hit,-} count 5", "symbols of the dice: hit, blank", "4d{hit,-} count hit"),
    dice("3d6 zzzzzz 2", "see `balance dice --help`", "3d6 keep 2"),
    step("3d6 count me.skil+", "did you mean me.skill?", "3d6 count me.skill+"),
    step("3d6 count xy.zz+", "foe.save, me.skill", "3d6 count me.skill+"),
    step("3d6 count to_hit[1, 2]+", "one place", "3d6 count to_hit[1]+"),
    step("3d6 count to_wound[1]+", "a row and a column", "3d6 count to_wound[1, 2]+"),
    step("3d6; 3d6", "write each result as a step of its own, on its own line", "3d6"),
    step("3d6 keep (d6)", "to compare with a roll write count >= (d6)", "3d6 count >= (d6)"),
    Case(lambda: str(next(views_of(""))), "type an expression, such as 3d6 keep 2", lambda: [*views_of("3d6 keep 2")]),
    Case("dice '{1..90}d6 + {1..90}'", "at most 200", "dice '{1..2}d6 + {1..90}'"),
    Case("dice 99d9999 --every", "--json holds all of them", "dice 99d999 --json"),
    Case("dice '2d6 vs 2d8' --trials 900000000", "--trials", "dice '2d6 vs 2d8' --trials 1000"),
    Case(lambda: odds("d6").sample(30_000_000), "at most 20,000,000", lambda: len(odds("d6").sample(3)) and None),
    Case(lambda: parse("{1..3}d6"), "ask for it as a table", "dice {1..3}d6"),
    Case(
        lambda: check_rows([parse_family("{1..90}d6")] * 3), "at most", lambda: check_rows([parse_family("{1..90}d6")])
    ),
    Case(lambda: odds("2d6").weights_of("totl"), "did you mean total?", lambda: odds("2d6").weights_of("total")),
    Case(
        lambda: odds("2d6").results,
        "put two expressions against each other with vs",
        lambda: odds("2d6 vs 2d8").results,
    ),
    Case("dice", 'name an expression, such as "3d6 keep 2"', "dice '3d6 keep 2'"),
    Case("dice 2d6 count 4+", "put quotation marks around it: balance dice '2d6 count 4+'", "dice '2d6 count 4+'"),
    Case(
        Typed("dice 2d6 --page odds", {"odds": "mine"}),
        "name a folder, or end the page in .html or .pdf",
        Typed("dice 2d6 --page odds.html", {"odds": "mine"}),
    ),
    dice("highest 2 4d6", "for the highest dice of a pool write highest 2 of 4d6", "highest 2 of 4d6"),
    dice("highest 2 of 7", "or dice: highest 2 of 4d6", "highest 2 of 4d6"),
    dice("2W6", "w is the word for dice in German: write 2d6", "2d6"),
    dice("6k4", "to roll 6d10 and keep 4 write 6d10 keep 4", "6d10 keep 4"),
    dice(
        "a = 3d6; b = 2d6; a count >= b keep 1",
        "put brackets around it: (b keep ...)",
        "a = 3d6; b = 2d6; a count >= (b keep 1)",
    ),
    dice(
        "a = 3d6; x = a + 1; b = (x)d6; (a pairs > b) + (b pairs > a)",
        "put the steps of a and b together",
        "a = 3d6; b = 3d6; (a pairs > b) + (b pairs > a)",
    ),
    Case(
        f"dice '(d6! - 1) {HUGE}'",
        "count in larger units",
        "dice 'd6! * 1000000'",
    ),
    Case(
        lambda: outcomes_of(parse(f"(d6! - 1) {HUGE}"), 9, 1) and None,
        "count in larger units",
        lambda: outcomes_of(parse("d6!"), 9, 1) and None,
    ),
    Case(
        under({f"{ROLLING}.sampling.MOST_DICE_OUTCOMES": 9}, lambda: outcomes_of(parse("d100"), 99, 1)),
        "ask for fewer trials=, or count in larger units",
        under({f"{ROLLING}.sampling.MOST_DICE_OUTCOMES": 9}, lambda: outcomes_of(parse("d100"), 9, 1) and None),
    ),
    Case(
        under({f"{ROLLING}.dice.MOST_DICE_ROLLS": 100_000}, lambda: outcomes_of(parse("3d6!"), 99999, 1)),
        "ask for fewer dice or fewer trials=",
        under({f"{ROLLING}.dice.MOST_DICE_ROLLS": 100_000}, lambda: outcomes_of(parse("3d6"), 9, 1) and None),
    ),
    Case(
        Typed("dice 3d6 --rolled rolls.csv", {"rolls.csv": "expression,result\n3d6,9\n"}),
        "leave out everything beside it",
        Typed("dice --rolled rolls.csv", {"rolls.csv": "expression,result\n3d6,9\n"}),
    ),
    dice("3d6 explode", "write ! after the dice: 3d6!", "3d6!"),
    dice("3d6 explodes on 5+", "write ! after the dice: 3d6!>=5", "3d6!>=5"),
    dice("3d6 exploding 6", "write ! after the dice: 3d6!6", "3d6!6"),
]

"""Patterns of equal and following dice, pairs of two sides, cards of a deck: against every way they fall."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, perm

import pytest

from balance.chance.dice import odds, parse, table
from tests.chance.dice.test_side_by_side import (
    Law,
    Ways,
    check_laws,
    check_rolling,
    exact,
    fault_of,
    law,
    some_dice,
    some_pick,
    throws,
)
from tests.chance.dice.test_simulated import ERROR_RATE, p_value
from tests.chance.dice.twin import COMPARE


def longest_run(dice: Sequence[int]) -> int:
    values = {*dice}
    return max((n for n in range(1, len(values) + 1) for v in values if {*range(v, v + n)} <= values), default=0)


def pattern(luck: random.Random) -> tuple[str, Callable[[Sequence[int]], int]]:
    size = luck.randint(2, 3)
    patterns: list[tuple[str, Callable[[Sequence[int]], int]]] = [
        ("largest set", lambda dice: max(Counter(dice).values(), default=0)),
        ("longest run", longest_run),
        ("different", lambda dice: len({*dice})),
        (f"sets of {size}", lambda dice: sum(n // size for n in Counter(dice).values())),
    ]
    return luck.choice(patterns)


def draws(cards: Sequence[int], n: int) -> Ways:
    """Return every way in which so many cards are drawn one after the other."""
    return [(way, Fraction(1, perm(len(cards), n))) for way in itertools.permutations(cards, n)]


def some_cards(luck: random.Random) -> tuple[str, list[int], int]:
    """Return cards drawn from a small deck, as text, with the deck and how many are drawn."""
    times = [luck.randint(1, 2) for _ in range(luck.randint(2, 4))]
    values = luck.sample(range(-1, 8), len(times))
    deck = [value for value, many in zip(values, times, strict=True) for _ in range(many)]
    n = luck.randint(1, min(4, len(deck)))
    text = ",".join(f"{value}*{many}" for value, many in zip(values, times, strict=True))
    return f"{n} from {{{text}}}", deck, n


def shown_together(luck: random.Random) -> tuple[str, Law]:
    """Return a pattern of dice, kept or not."""
    text, sides = some_dice(luck)
    pick, stays = some_pick(luck, len(sides)) if luck.random() < 0.4 else ("", sorted)
    told, of = pattern(luck)
    written = f"{text} {pick} {told}" if luck.random() < 0.7 else f"{told} of {text} {pick}"
    return " ".join(written.split()), law([(of(stays(way)), chance) for way, chance in throws(sides)])


def drawn(luck: random.Random) -> tuple[str, Law]:
    """Return cards that are kept, counted, or told of together."""
    text, deck, n = some_cards(luck)
    pick, stays = some_pick(luck, n) if luck.random() < 0.5 else ("", sorted)
    begin, shape, value = f"{text} {pick}".strip(), luck.random(), luck.randint(-1, 7)
    if shape < 0.3:
        return begin, law([(sum(stays(way)), chance) for way, chance in draws(deck, n)])
    if shape < 0.6:
        counted = [(sum(card >= value for card in stays(way)), chance) for way, chance in draws(deck, n)]
        return f"{begin} count >={value}" if value >= 0 else f"{begin} count >= {value}", law(counted)
    told, of = pattern(luck)
    return f"{begin} {told}", law([(of(stays(way)), chance) for way, chance in draws(deck, n)])


def paired(luck: random.Random) -> tuple[str, Law]:
    """Return pairs of two sides, the highest against the highest; one side may be cards."""
    sign, text_of, ways_of = luck.choice(list(COMPARE)), list[str](), list[list[tuple[list[int], Fraction]]]()
    for _ in range(2):
        text, sides = some_dice(luck, 3)
        ways, n = throws(sides), len(sides)
        if luck.random() < 0.2:
            text, deck, n = some_cards(luck)
            ways = draws(deck, n)
        pick, stays = some_pick(luck, n) if luck.random() < 0.4 else ("", sorted)
        text_of.append(f"{text} {pick}".strip())
        alike = Counter[tuple[int, ...]]()
        for way, chance in ways:
            alike[tuple(sorted(stays(way), reverse=True))] += chance  # type: ignore[assignment]
        ways_of.append([(list(way), Fraction(chance)) for way, chance in alike.items()])
    pairs = [
        (sum(COMPARE[sign](x, y) for x, y in zip(one, other, strict=False)), p * q)
        for (one, p), (other, q) in itertools.product(*ways_of)
    ]
    return f"{text_of[0]} pairs {sign} {text_of[1]}", law(pairs)


KINDS = (shown_together, drawn, paired)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(3))
def test_the_laws_are_those_of_every_way(kind: Callable[[random.Random], tuple[str, Law]], part: int) -> None:
    check_laws(kind, part)


SEEN = [kind(random.Random(seed))[0] for kind in KINDS for seed in range(12)] + [
    "(2d4)d6 longest run",
    "5d6! sets of 2",
    "(5d6, 3 from {1..6*2}) different",
    "5d6 reroll up to 2 of 1-3 different",
    "(d4) from {1..4*2} keep 2",
    "2 from {hit*3,crit+hit,-*5}",
    "3 from {hit*3,crit+hit,-*5} count failing hit",
    "3d6! pairs > 2d6 reroll 1",
    "(d3)d6 pairs >= (d3)d6",
    "hand = 5 from {1..13*4}; (hand largest set) + 10 * (hand different)",
    "5 from {1..13*4} each at most 10 keep 3",
    "r = 5d6 reroll up to 2 of 1-2; 10 * (r largest set) + (r different)",
    "r = (3d6 reroll up to 1 of 1, 2 from {1..4*2}); 10 * (r longest run) + (r keep 2)",
    "r = (2d6, d8); (r keep 1) - (r keep lowest 1)",
]


def test_rolling_agrees_with_the_laws() -> None:
    check_rolling(SEEN, seed=12, least=35)


def test_a_wrong_law_is_called_wrong() -> None:
    """The negative control: cards that are put back."""
    sample = odds("3 from {1..6} different").simulate(4096, seed=12)
    assert p_value(odds("3d6 different"), sample) < ERROR_RATE / len(SEEN)
    sample = odds("5 from {1..6*2} keep 1").simulate(16_384, seed=12)
    assert p_value(odds("5d6 keep 1"), sample) < ERROR_RATE / len(SEEN)


def test_dice_of_several_kinds_are_told_of_in_several_ways() -> None:
    ways = throws([4, 4, 6])
    spread = law([(max(dice) - min(dice), chance) for dice, chance in ways])
    assert exact("r = (2d4, d6); (r keep 1) - (r keep lowest 1)") == spread
    both = law([(10 * longest_run(dice) + len({*dice}), chance) for dice, chance in ways])
    assert exact("r = (2d4, d6); 10 * (r longest run) + (r different)") == both


def test_cards_are_told_of_in_several_ways() -> None:
    deck = [1, 1, 2, 3, 3, 4]
    ways = draws(deck, 3)
    both = law([(10 * max(Counter(cards).values()) + max(cards), chance) for cards, chance in ways])
    assert exact("r = 3 from {1*2,2,3*2,4}; 10 * (r largest set) + (r keep 1)") == both


# -- what others published --------------------------------------------------------------------------------------------


def test_battles_of_risk() -> None:
    """Osborne, Markov Chains for the RISK Board Game Revisited (Mathematics Magazine 76, 2003), table 2."""
    three = odds("3d6 pairs > 2d6")
    assert [three.fraction(n) for n in (2, 1, 0)] == [Fraction(n, 7776) for n in (2890, 2611, 2275)]
    two = odds("2d6 pairs > 2d6")
    assert [two.fraction(n) for n in (2, 1, 0)] == [Fraction(n, 1296) for n in (295, 420, 581)]
    assert odds("2d6 pairs > 1d6").fraction(1) == Fraction(125, 216)
    assert odds("1d6 pairs > 2d6").fraction(1) == Fraction(55, 216)
    assert exact("2d6 pairs <= 3d6") == {2 - n: p for n, p in sorted(exact("2d6 pairs > 3d6").items(), reverse=True)}


HANDS = comb(52, 5)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("5 from {1..13*4} largest set = 4", 624),
        ("5 from {1..13*4} different = 4", 1_098_240),
        ("5 from {1..13*4} different = 2", 3744 + 624),
        ("hand = 5 from {1..13*4}; (hand largest set) = 3 and (hand different) = 3", 54_912),
        ("hand = 5 from {1..13*4}; (hand sets of 2) = 2 and (hand largest set) = 2", 123_552),
        ("5 from {1..13*4} longest run = 5", 9 * 4**5),
        ("5 from {heart*13,-*39} count heart = 5", comb(13, 5)),
    ],
)
def test_hands_of_poker(text: str, hands: int) -> None:
    """The usual table of hands of five cards; without suits a full house is two values, an ace is low."""
    assert odds(text).fraction(1) == Fraction(hands, HANDS)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("5d6 longest run = 5", 240),
        ("5d6 longest run >= 4", 1200),
        ("5d6 different = 2", 450),
        ("5d6 largest set >= 3", 1656),
        ("5d6 sets of 2 = 2", 1800 + 300 + 150 + 6),
    ],
)
def test_first_throws_of_five_dice(text: str, ways: int) -> None:
    """Straights, full houses (300) with four of a kind (150), three of a kind, two pairs (1800): of 7776."""
    assert odds(text).fraction(1) == Fraction(ways, 7776)


def test_lots_and_birthdays() -> None:
    lot = odds("6 from {hit*6,-*43} count hit")
    assert [lot.fraction(n) for n in (6, 3)] == [
        Fraction(1, 13_983_816),
        Fraction(comb(6, 3) * comb(43, 3), 13_983_816),
    ]
    assert odds("23d365 different < 23").chance(1) == pytest.approx(0.507297, abs=5e-7)
    assert odds("13 from {spade*13,-*39} count spade").mean() == pytest.approx(3.25)
    assert odds("52 from {1..13*4}").weights == {364: 1}


def test_the_collector_of_six_faces() -> None:
    """Of n dice, faces that come: 6 (1 - (5/6)^n)."""
    assert odds("10d6 different").mean() == pytest.approx(6 * (1 - (5 / 6) ** 10))


# -- how it is said ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 from {1..6*1000} * 0 + 1 from {1..6}", "1d6"),
        ("3 from {1..4}", "10 - 1 from {1..4}"),
        ("1 from {1..6} pairs > 1d6", "1d6 > 1d6"),
        ("5d6 keep 1 pairs >= 3d6 keep lowest 1", "(5d6 keep 1) >= (3d6 keep lowest 1)"),
        ("(2d6, 3d6) different", "5d6 different"),
        ("5d6 each at least 6 different", "1 + 0 * d6"),
        ("2 from {hit*3,-*10} count hit", "2 from {1*3,0*10}"),
    ],
)
def test_two_ways_to_say_one_thing_have_one_law(one: str, other: str) -> None:
    assert exact(one) == exact(other)


def test_in_a_row_all_cards_are_drawn() -> None:
    assert [row.weights for row in table("{3,4,5} from {1..4}")][1:] == [{10: 1}, {10: 1}]


def test_no_dice_show_nothing_together() -> None:
    for text in (
        "0d6 different",
        "0d6 longest run",
        "0d6 sets of 2",
        "0d6 pairs > 3d6",
        "0 from {1,2}",
        "0 from {1} different",
    ):
        assert odds(text).weights == {0: 1}
        assert set(odds(text).sample(5).tolist()) == {0}


REFUSED: dict[str, str] = {
    "5d6 count 3 longest run": "is told of dice that are not counted",
    "5d6 different count > d6": "is told of dice that are counted",
    "(5d6 keep 3)! largest set": "is told of dice that are not counted",
    "5d6 largest set different": "is told of dice that are not counted",
    "5d6 sets of 1": "'1' is no size of a set; allowed: 2 or more",
    "5d6 sets of": "how many equal dice make a set",
    "4d{hit,-} different": "symbols, which have no order",
    "largest set of 3": "begins no dice",
    "5d6 pairs": "for sets of 2 equal dice write 5d6 sets of 2",
    "5d6 pairs > 3": "'3' begins no dice that compare in pairs",
    "5d6 count 3 pairs > 2d6": "compares dice in pairs",
    "5d6 pairs > 4d{hit,-}": "begins no dice that compare in pairs",
    "4d{hit,-} pairs > 2d6": "compares dice in pairs",
    "6 from {1..5}": "'6' are more cards than there are; allowed: at most 5",
    "(d6) from {1..5}": "more cards than there are",
    "(d6!) from {1..5}": "may be more cards than the deck has",
    "3 from {1..5} reroll 1": "cards, each of which is drawn once",
    "3 from {1..5}!": "cards, each of which is drawn once",
    "(3 from {1..5}, d6)!": "cards, each of which is drawn once",
    "3 from d6": "the cards of a deck: 3 from {1..13*4}",
    "3 from": "the cards of a deck",
    "3 from {hit,-} keep 1": "symbols, which have no order",
    "5d6 straight": "write 5d6 longest run",
    "5d6 unique": "5d6 different",
    "draw 3": "3 from {1..13*4}",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_said_is_refused_by_name(text: str) -> None:
    assert REFUSED[text] in fault_of(text)


@pytest.mark.parametrize(
    ("italian", "english"),
    [
        ("5d6 scala più lunga", "5d6 longest run"),
        ("5d6 gruppi di 2", "5d6 sets of 2"),
        ("5d6 diversi", "5d6 different"),
        ("3d6 coppie > 2d6", "3d6 pairs > 2d6"),
        ("3 da {1..13*4} tieni 2", "3 from {1..13*4} keep 2"),
    ],
)
def test_the_same_in_italian(italian: str, english: str) -> None:
    assert str(parse(italian)) == english


@pytest.mark.parametrize("large", ["2000d6 largest set", "40d6 pairs > 40d10"])
def test_what_is_too_large_is_simulated(large: str) -> None:
    assert not odds(large, trials=None).is_exact

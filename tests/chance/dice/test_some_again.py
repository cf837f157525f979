"""Dice of which only so many are rolled again, least and highest values, rounding: against every way they fall."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from balance.chance.dice import odds, parse
from tests.chance.dice.test_side_by_side import Law, check_laws, check_rolling, fault_of, law, some_pick
from tests.chance.dice.test_simulated import ERROR_RATE, p_value


def rolled_again(dice: Sequence[int], again: set[int], most: int) -> list[int]:
    """Return the places that are rolled again, the lowest first."""
    return sorted((place for place, die in enumerate(dice) if die in again), key=lambda place: dice[place])[:most]


def some_again(luck: random.Random) -> tuple[str, Law]:
    """Return a pool of which at most so many dice are rolled again, kept or counted, as text and its law."""
    n, sides, most = luck.randint(1, 4), luck.choice((2, 3, 4)), luck.randint(1, 3)
    faces = range(1, sides + 1)
    low = luck.randint(1, sides - 1)
    again = {low, luck.randint(low, sides)}
    always = luck.random() < 0.3 and len(again) < sides
    fresh = [face for face in faces if face not in again] if always else list(faces)
    pick, stays = some_pick(luck, n) if luck.random() < 0.5 else ("", sorted)
    text = f"{n}d{sides} reroll {'always ' if always else ''}up to {most} of {','.join(map(str, sorted(again)))}"
    counted, shape = luck.randint(1, sides), luck.random()

    def gives(dice: Sequence[int]) -> int:
        shown = stays(dice)
        return sum(die >= counted for die in shown) if shape < 0.4 else sum(shown)

    pairs = []
    for dice in itertools.product(faces, repeat=n):
        places = rolled_again(dice, again, most)
        for new in itertools.product(fresh, repeat=len(places)):
            shown = list(dice)
            for place, face in zip(places, new, strict=True):
                shown[place] = face
            pairs.append((gives(shown), Fraction(1, sides**n * len(fresh) ** len(places))))
    return " ".join([text, pick, f"count {counted}+" if shape < 0.4 else ""]).strip(), law(pairs)


@pytest.mark.parametrize("part", range(4))
def test_the_laws_are_those_of_every_way(part: int) -> None:
    check_laws(some_again, part)


SEEN = [some_again(random.Random(seed))[0] for seed in range(20)] + [
    "10d6 reroll up to 2 of 1-3 count 4+",
    "4d6! once reroll up to 2 of 1-3 count 4+",
    "(4d6! once reroll up to 2 of 1-3 keep 2) reroll 6",
    "(d4)d6 reroll up to 1 of 1 keep 2",
    "4d{hit,-,-} reroll up to 2 of blank",
    "(4d6 reroll up to 2 of 1, d8) keep 2",
    "5d6! reroll up to 2 of 1 each at most 7",
    "(8d4 keep 4)! each at most 6",
    "(3d6! keep 2) reroll 1",
    "4d{hit,crit,-} count failing hit",
    "(2d6, d8) each at least 3 keep 2",
    "7d6 / 4 rounded off",
    "-7d6 / 4 rounded up",
    "5d6 each at least 3 largest set",
    "roll = 4d6 each at most 5; (roll count 5) + (roll keep 1)",
    "roll = 4d6 reroll up to 2 of 1-2; 10 * (roll count 6) + (roll count 3-5)",
    "roll = (3d6 reroll up to 1 of 1, 2d8); 10 * (roll count 6+) + (roll count 3-5)",
    "roll = 2d{2 hit,hit+crit,-} reroll up to 1 of blank; 10 * (roll count every hit) + (roll count crit)",
]


def test_rolling_agrees_with_the_laws() -> None:
    check_rolling(SEEN, seed=11, least=30)


def test_a_wrong_law_is_called_wrong() -> None:
    """The negative control: one die fewer is rolled again."""
    sample = odds("10d6 reroll up to 3 of 1-3 count 4+").simulate(16_384, seed=11)
    assert p_value(odds("10d6 reroll up to 2 of 1-3 count 4+"), sample) < ERROR_RATE / len(SEEN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("6d6 reroll up to 6 of 1-3 keep 2", "6d6 reroll 1-3 keep 2"),
        ("(4d6 keep 2) each at least 3", "4d6 each at least 3 keep 2"),
        ("(4d6 each at least 3 keep 2) each at most 2", "2d1 * 2"),
        ("10d6 count failing 4+", "10d6 count <4"),
        ("10d6 reroll at most 2 dice of 1-3", "10d6 reroll up to 2 of 1-3"),
        ("3d6 each die at least 2", "3d6 each at least 2"),
        ("10d6 reroll failing 4+ count 4+", "10d6 reroll 1-3 count 4+"),
        ("10d6 count 4+ double failing 1-5 cancel 1", "10d6 count 4+ double 6 cancel 1"),
        ("4d{hit,crit,-} count failing hit", "4d{hit,crit,-} count crit,blank"),
        ("7d6 / 2 rounded down", "7d6 // 2"),
        ("3d6 / 1 rounded up", "3d6"),
        ("d20 each at least 10", "d{10*10,11..20}"),
        ("3d6! each at most 9", "3d{1..5,7..9} * 0 + 3d6! each at most 9"),
    ],
)
def test_two_ways_to_say_one_thing_have_one_law(one: str, other: str) -> None:
    assert odds(one).pmf == odds(other).pmf


@pytest.mark.parametrize(("total", "half"), [(-3, -1), (-2, -1), (-1, 0), (0, 0), (1, 1), (2, 1), (3, 2)])
def test_exactly_a_half_goes_up(total: int, half: int) -> None:
    assert odds(f"({total}) / 2 rounded off").weights == {half: 1}


def test_a_die_that_counts_at_least_so_much_is_one_sum() -> None:
    """Of dice that explode: as where dice are kept, its rolls are added before it is counted."""
    assert odds("5d6! each at least 1 count 4+").mean() == pytest.approx(2.5)
    assert odds("5d6! count 4+").mean() == pytest.approx(3)


@pytest.mark.slow("test_rolling_agrees_with_the_laws")
@pytest.mark.parametrize("large", ["2000d6 reroll up to 5 of 1-2", "300d6 reroll up to 5 of 1-2 count 4+"])
def test_what_is_too_large_is_simulated(large: str) -> None:
    assert not odds(large).is_exact


REFUSED: dict[str, str] = {
    "4d{hit,crit,-} reroll up to 2 of blank,hit": "name symbols that one kind of face shows",
    "(2d6, d8) reroll up to 1 of 1": "write it in the brackets, for dice of one kind",
    "(3d6 keep 2) reroll up to 1 of 1": "write it in the brackets, before dice are kept",
    "3d6 reroll up to 2": "the word of, and faces",
    "3d6 reroll up to 0 of 1": "is too few",
    "7d6 / 2": "rounded up, or rounded off",
    "7d6 // 2 rounded up": "rounds down, and not up",
    "7d6 / 0 rounded up": "cannot be divided by",
    "3d6 each at least 5 each at most 2": "leaves nothing from 5 to 2",
    "3d6 each at least 5 each at least 2": "is said twice",
    "4d{hit,-} each at least 2": "symbols, which have no order",
    "3d6 each at least": "something is missing",
    "3d6 count failing": "something is missing",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_said_is_refused_by_name(text: str) -> None:
    assert REFUSED[text] in fault_of(text)


@pytest.mark.parametrize(
    ("italian", "english"),
    [
        ("3d6 ritira fino a 2 di 1-3", "3d6 reroll up to 2 of 1-3"),
        ("3d6 ognuno almeno 2 ognuno al massimo 5", "3d6 each at least 2 each at most 5"),
        ("7d6 / 2 arrotondato per eccesso", "7d6 / 2 rounded up"),
        ("10d6 conta falliti 4+", "10d6 count failing >=4"),
    ],
)
def test_the_same_in_italian(italian: str, english: str) -> None:
    assert str(parse(italian)) == english

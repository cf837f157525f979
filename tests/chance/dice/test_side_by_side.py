"""Dice of several kinds, dice that are kept and rolled on, sets, skipped rolls: against every way they can fall."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

import pytest

from balance.base.errors import UsageError
from balance.chance.dice import odds, parse
from tests.chance.dice.test_simulated import p_value
from tests.chance.dice.twin import COMPARE

Law = dict[int, Fraction]
Ways = list[tuple[tuple[int, ...], Fraction]]
ERROR_RATE = 0.001
"""Chance that any of all simulated expressions is called wrong though none is (Bonferroni)."""


def law(pairs: Sequence[tuple[int, Fraction]]) -> Law:
    found: Law = {}
    for value, chance in pairs:
        found[value] = found.get(value, Fraction()) + chance
    return {value: chance for value, chance in sorted(found.items()) if chance}


def exact(text: str) -> Law:
    found = odds(text)
    assert found.is_exact
    assert found.tail == 0
    return {value: Fraction(weight, found.total) for value, weight in found.weights.items()}


def check_laws(kind: Callable[[random.Random], tuple[str, Law]], seed: int) -> None:
    """Assert that expressions of a kind, and what they are written as, have the laws of every way their dice fall."""
    luck = random.Random(seed)
    for _ in range(40):
        text, ways = kind(luck)
        assert exact(text) == ways, text
        again = str(parse(text))
        assert str(parse(again)) == again
        assert exact(again) == ways, (text, again)


def check_rolling(texts: Sequence[str], seed: int, least: int) -> None:
    """Assert that no law is called wrong by rolling, and that more than `least` are rolled."""
    laws = {text: odds(text) for text in texts}
    values = {text: p_value(o, o.simulate(4096, seed=seed)) for text, o in laws.items() if len(o.weights) > 1}
    assert len(values) > least
    assert {text: p for text, p in values.items() if p < ERROR_RATE / len(texts)} == {}


def fault_of(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse(text)
    return str(caught.value)


def throws(sides: Sequence[int]) -> Ways:
    """Return every way in which dice of these sides fall."""
    chance = Fraction(1, prod(sides))
    return [(way, chance) for way in itertools.product(*(range(1, side + 1) for side in sides))]


def some_dice(luck: random.Random, most: int = 4) -> tuple[str, list[int]]:
    """Return dice of one to three kinds side by side, as text and as their sides."""
    kinds = luck.sample((2, 3, 4, 5, 6), luck.randint(1, 3))
    sides = [side for side in kinds for _ in range(luck.randint(1, max(1, most // len(kinds))))]
    counted = Counter(sides)
    text = ", ".join(f"{n}d{side}" for side, n in counted.items())
    return (f"({text})" if len(counted) > 1 else text), sides


def some_pick(luck: random.Random, n: int) -> tuple[str, Callable[[Sequence[int]], list[int]]]:
    k = luck.randint(1, n)
    picks: list[tuple[str, Callable[[Sequence[int]], list[int]]]] = [
        (f"keep {k}", lambda dice: sorted(dice)[-k:]),
        (f"keep lowest {k}", lambda dice: sorted(dice)[:k]),
    ]
    if k < n:
        picks += [(f"drop {k}", lambda dice: sorted(dice)[k:])]
        picks += [(f"drop highest {k}", lambda dice: sorted(dice)[: len(dice) - k])]
    return luck.choice(picks)


# -- several kinds of dice --------------------------------------------------------------------------------------------


def side_by_side(luck: random.Random) -> tuple[str, Law]:
    text, sides = some_dice(luck)
    do = luck.random()
    if do < 0.25:
        most = [(max(Counter(way).values()), chance) for way, chance in throws(sides)]
        return f"{text} largest set", law(most)
    pick, stays = some_pick(luck, len(sides)) if luck.random() < 0.7 else ("", sorted)
    begin = f"{text} {pick}".strip()
    if do < 0.5:
        return begin, law([(sum(stays(way)), chance) for way, chance in throws(sides)])
    sign, value = luck.choice(list(COMPARE)), luck.randint(1, 5)
    if do < 0.75:
        holds = COMPARE[sign]
        counted = [(sum(holds(die, value) for die in stays(way)), chance) for way, chance in throws(sides)]
        return f"{begin} count {sign}{value}", law(counted)
    other, others = some_dice(luck, 2)
    higher = f"{other} keep 1" if len(others) > 1 else other
    pairs = itertools.product(throws(sides), throws(others))
    beaten = [(sum(COMPARE[sign](die, max(two)) for die in stays(one)), p * q) for (one, p), (two, q) in pairs]
    return f"{begin} count {sign} ({higher})", law(beaten)


def rolled_on(luck: random.Random) -> tuple[str, Law]:
    """Return dice of which some are kept, and those rolled again, exploded and counted."""
    n, sides = luck.randint(1, 3), luck.choice((2, 3, 4))
    pick, stays = some_pick(luck, n)
    again = luck.randint(1, sides) if luck.random() < 0.5 else 0
    bursts = luck.choice((sides, 2)) if not again or luck.random() < 0.5 else 0
    most, together = luck.randint(1, 2), luck.random() < 0.4
    counted = luck.randint(1, sides) if luck.random() < 0.5 else 0
    text = f"({n}d{sides} {pick})"
    text += f"{'!!' if together else '!'}{bursts} at most {most}" if bursts else ""
    text += f" reroll {again}" if again else ""
    text += f" count {counted}" if counted else ""
    single = [(face, Fraction(1, sides)) for face in range(1, sides + 1)]

    def shown(face: int) -> list[tuple[int, Fraction]]:
        return single if face == again else [(face, Fraction(1))]

    def rolls(face: int, left: int) -> list[tuple[tuple[int, ...], Fraction]]:
        """Return all rolls of a die that shows a face, the extra ones too."""
        found = []
        for value, chance in shown(face):
            if value == bursts and left:
                found += [
                    ((value, *more), chance * p * q)
                    for next_face, p in single
                    for more, q in rolls(next_face, left - 1)
                ]
            else:
                found.append(((value,), chance))
        return found

    def gives(values: Sequence[int]) -> int:
        if not counted:
            return sum(values)
        return int(sum(values) == counted) if together else sum(value == counted for value in values)

    def counts(face: int) -> Law:
        return law([(gives(values), chance) for values, chance in rolls(face, most)])

    pairs = []
    for way, chance in throws([sides] * n):
        every = itertools.product(*(counts(face).items() for face in stays(way)))
        pairs += [(sum(v for v, _ in ends), chance * prod((p for _, p in ends), start=Fraction(1))) for ends in every]
    return text, law(pairs)


def skipping(luck: random.Random) -> tuple[str, Law]:
    """Return hits, of which some need no roll to wound, with their wounds."""
    n, hit, wound = luck.randint(1, 3), luck.randint(2, 4), luck.randint(2, 4)
    word, times = luck.choice((("", 1), (" double 4", 2), (" triple 4", 3)))
    pick, stays = some_pick(luck, n) if luck.random() < 0.4 else ("", sorted)
    kept = luck.random() < 0.3
    pairs = []
    for way, chance in throws([4] * n):
        dice = stays(way)
        hits = sum((times if die == 4 else 1) for die in dice if die >= hit or die == 4)
        sure = sum(times for die in dice if die == 4)
        for rolls, share in throws([4] * (hits - sure)):
            shown = sorted(rolls)[-1:] if kept else rolls
            pairs.append((sure + sum(die >= wound for die in shown), chance * share))
    begin = f"{n}d4 {pick} count {hit}+{word} skip 4"
    return f"{begin} then d4{' keep 1' if kept else ''} count {wound}+", law(pairs)


@pytest.mark.parametrize("kind", [side_by_side, rolled_on, skipping])
@pytest.mark.parametrize("part", range(3))
def test_the_laws_are_those_of_every_way(kind: Callable[[random.Random], tuple[str, Law]], part: int) -> None:
    check_laws(kind, part)


SEEN = [kind(random.Random(seed))[0] for kind in (side_by_side, rolled_on, skipping) for seed in range(12)] + [
    "(2d6, d8, d12) count > (3d6, 2d8, d12) keep 1",
    "(2d6!, d8 reroll 1) keep 2",
    "(8d4 keep 4)!",
    "(8d4 keep 4)! count 4",
    "((2d3)d6 keep 2)! once",
    "(2d4)d6 largest set",
    "6d6! largest set",
    "5d6! count >= (d8)",
    "10d6 count 3+ triple 6 skip 6 then d6 count 5+ skip 6 then d6! count 4+",
    "abs(2d6 - 7)",
    "3d6 = 9..12",
    "(0d6, 2d8) keep 1",
]


def test_rolling_agrees_with_the_laws() -> None:
    values = {
        text: p_value(odds(text), odds(text).simulate(4096, seed=11)) for text in SEEN if len(odds(text).weights) > 1
    }
    assert len(values) > 40
    assert {text: p for text, p in values.items() if p < ERROR_RATE / len(SEEN)} == {}


def test_a_wrong_law_is_called_wrong() -> None:
    """The negative control: all dice explode, and not the kept ones alone."""
    sample = odds("(8d4 keep 4)!").simulate(65_536, seed=11)
    assert p_value(odds("(7d4 keep 4)!"), sample) < ERROR_RATE / len(SEEN)


# -- what was asked in public -----------------------------------------------------------------------------------------


def test_the_largest_set_of_five_dice() -> None:
    ways = [Fraction(5, 54), Fraction(25, 36), Fraction(125, 648), Fraction(25, 1296), Fraction(1, 1296)]
    for text in ("5d6 largest set", "5d6 largest set of equal dice", "largest set of 5d6"):
        assert exact(text) == dict(zip(range(1, 6), ways, strict=True))
    assert exact("(5d6, 0d8) largest set") == exact("5d6 largest set")
    assert odds("0d6 largest set").weights == {0: 1}


def test_more_than_the_highest_of_others() -> None:
    found = odds("(2d6, d8, d12) count > (3d6, 2d8, d12) keep 1")
    assert found.mean() == pytest.approx(0.482514, abs=5e-7)
    assert found.chance(0) == pytest.approx(0.607088, abs=5e-7)


def test_a_six_that_wounds_by_itself() -> None:
    found = odds("10d6 count 3+ skip 6 then d6 count 5+")
    assert found.mean() == float(Fraction(10, 3))
    assert exact("10d6 count 3+ skip 6 then d6 count 5+") == exact("10d{0*4,1*2}")
    assert odds("10d6 reroll 1 count 3+ skip 6 then d6 count 5+").mean() == float(20 * Fraction(7, 36))
    assert odds("60d6 count 3+ skip 6 then d6 count 5+").is_exact


def test_dice_that_explode_once_they_are_kept() -> None:
    assert odds("(8d4 keep 4)!").mean() == pytest.approx(19.949544, abs=5e-7)
    assert odds("(2d6)! keep 1").weights == odds("2d6! keep 1").weights
    assert odds("(5d6 keep 3) drop 1 count 5+").weights == odds("5d6 keep 2 count 5+").weights


def test_a_mix_of_one_kind_is_a_pool() -> None:
    assert exact("(2d6, 3d6) keep 2") == exact("5d6 keep 2")
    assert exact("(2d6, 3d6)") == exact("5d6")
    assert exact("(d4, d6) drop 1") == exact("max(d4, d6)")
    assert exact("(2d6, 1d6!>=7 once) keep 1".replace("!>=7 once", "")) == exact("3d6 keep 1")


def test_the_size_of_a_total() -> None:
    assert exact("abs(d6 - d6)") == law([(abs(one - two), p) for (one, two), p in throws([6, 6])])
    assert odds("abs(d6 - 10)").mean() == 6.5
    assert odds("abs(-2d6) vs 7").results == odds("2d6 vs 7").results


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10d6 count 3+ skip 6", "goes past a roll that does not follow"),
        ("10d6 count 3+ skip 6 then d6", "goes past a roll that does not follow"),
        ("(10d6, d8) count 3+ skip 6 then d6 count 5+", "goes past a roll that does not follow"),
        ("10d6 count 3+ then d6 count 5+ skip 6", "goes past a roll that does not follow"),
        ("10d6 count 3+ cancel 1 skip 6 then d6 count 5+", "may be below 0"),
        ("(3d6! keep 2)!", "is said twice"),
        ("(3d6 keep 2)! keep 1", "rolled on after others were kept"),
        ("(2d6, d8) keep 2!", "write it in the brackets: (2d6!, 1d8!) keep 2"),
        ("(2d6, 3) keep 1", "dice side by side"),
        ("(2d6 keep 1, d8) keep 1", "dice side by side"),
        ("(2d6, d{hit,-}) keep 1", "dice side by side"),
        ("(2d6, d8", "something is missing"),
        ("5d6 count 3 largest set", "is told of dice that are not counted"),
        ("(5d6 keep 3)! largest set", "is told of dice that are not counted"),
        ("5d6 largest set largest set", "is told of dice that are not counted"),
        ("4d{hit,-} largest set", "symbols, which have no order"),
        ("5d6 largest", "the word set"),
        ("5d6 count > d6 double 6", "counts one"),
        ("5d6 count > (4)", "is a number in brackets"),
        ("abs 3", "abs(2d6 - 7)"),
        ("abs(2d6) keep 1", "is a total and no dice"),
        ("3d6 = 12..9", "a range that falls"),
        ("largest set of 3", "begins no dice"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert told in str(caught.value)


@pytest.mark.slow("test_rolling_agrees_with_the_laws")
def test_what_is_too_large_is_simulated() -> None:
    for text in ("500d6 count 3+ skip 6 then d6 count 5+", "(200d6, 200d8, 200d12) keep 90"):
        found = odds(text)
        assert not found.is_exact
        assert found.n_trials >= 1000

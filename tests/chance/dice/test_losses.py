"""Symbols that others take away, wounds that hits take from figures: against every way they fall."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from balance.chance.dice import odds, parse
from tests.chance.dice.test_side_by_side import Law, check_laws, check_rolling, exact, fault_of, law
from tests.chance.dice.test_simulated import ERROR_RATE, p_value

SYMBOLS = ("hit", "crit")


def wounds_left(wounds: int, damages: Sequence[int], size: int | None) -> int:
    """Return the wounds left, figure by figure: the first that stands is struck until it falls."""
    if size is None:
        return max(0, wounds - sum(damages))
    figures = [wounds % size] if wounds % size else []
    figures += [size] * (wounds // size)
    for damage in damages:
        if figures:
            figures[0] -= min(damage, figures[0])
            figures = figures if figures[0] else figures[1:]
    return sum(figures)


def wounded(luck: random.Random) -> tuple[str, Law]:
    """Return what is left of wounds after hits, as text and its law."""
    wounds, n, need = luck.randint(0, 9), luck.randint(0, 3), luck.randint(1, 4)
    sides, more = luck.choice((1, 2, 3)), luck.randint(0, 2)
    size = luck.choice((None, 1, 2, 3, 4))
    pairs = []
    for hits in itertools.product(range(1, 5), repeat=n):
        n_hits = sum(die >= need for die in hits)
        for damages in itertools.product(range(1, sides + 1), repeat=n_hits):
            left = wounds_left(wounds, [damage + more for damage in damages], size)
            pairs.append((left, Fraction(1, 4**n * sides**n_hits)))
    figures = "" if size is None else f" on figures of {size}"
    return f"{wounds} after {n}d4 count {need}+ hits of d{sides} + {more}{figures}", law(pairs)


def some_faces(luck: random.Random) -> tuple[str, list[Counter[str]]]:
    """Return a die of symbols as text and as what each face shows."""
    faces = [Counter({name: luck.randint(0, 2) for name in SYMBOLS}) for _ in range(luck.randint(1, 3))]
    faces += [Counter({name: 1}) for name in SYMBOLS]
    texts = ["+".join(f"{many} {name}" for name, many in face.items() if many) or "-" for face in faces]
    return ",".join(texts), faces


def taken(luck: random.Random) -> tuple[str, Law]:
    """Return how many symbols are left of some that others take away, as text and its law."""
    (text_a, faces_a), (text_b, faces_b) = some_faces(luck), some_faces(luck)
    n_a, n_b, names = luck.randint(1, 2), luck.randint(1, 2), luck.choice((("hit",), ("crit",), SYMBOLS))
    pairs = []
    for way in itertools.product(*[faces_a] * n_a, *[faces_b] * n_b):
        shown, against = sum(way[:n_a], Counter()), sum(way[n_a:], Counter())
        left = sum(max(0, shown[name] - against[name]) for name in names)
        pairs.append((left, Fraction(1, len(faces_a) ** n_a * len(faces_b) ** n_b)))
    return f"({n_a}d{{{text_a}}} less {n_b}d{{{text_b}}}) count every {','.join(names)}", law(pairs)


KINDS = (wounded, taken)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(3))
def test_the_laws_are_those_of_every_way(kind: Callable[[random.Random], tuple[str, Law]], part: int) -> None:
    check_laws(kind, part)


SEEN = [kind(random.Random(seed))[0] for kind in KINDS for seed in range(12)] + [
    "4d{hit,hit,-} less 3d{hit,-}",
    "4d{hit,crit,-} + d{hit} less 3d{hit,-} less d{crit,-}",
    "((4d{hit,-} less 3d{hit,-}) count every hit)d6",
    "20 after (10d6 count 5+) hits of d3 on figures of 2",
    "(3d6) after (d3) hits of d6! on figures of (d3)",
    "hits = 10d6 count 5+; hits + (20 after hits hits of d3 on figures of 2)",
]


def test_rolling_agrees_with_the_laws() -> None:
    check_rolling(SEEN, seed=13, least=20)


def test_a_wrong_law_is_called_wrong() -> None:
    """The negative control: what is beyond a figure goes on to the next."""
    sample = odds("20 after 5 hits of d3 on figures of 2").simulate(4096, seed=13)
    assert p_value(odds("20 after 5 hits of d3"), sample) < ERROR_RATE / len(SEEN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("20 after 3 hits of d6", "max(0, 20 - 3d6)"),
        ("20 after 1 hit of d6 on models of 2", "20 after 1 hits of d6 on figures of 2"),
        ("20 after (10d6 count 5+) hits of 1 on figures of 2", "20 - 10d6 count 5+"),
        ("20 after (10d6 count 5+) hits of d3 on figures of 1", "20 - 10d6 count 5+"),
        ("20 after (10d6 count 5+) hits of d3 + 1 on figures of 2", "20 - 2 * (10d6 count 5+)"),
        ("7 after 1 hits of 6 on figures of 3", "6"),
        ("0 after 3 hits of d6 on figures of 2", "0"),
        ("5 after 0 hits of d6", "5"),
        ("(4d{hit,-} less 4d{block}) count every hit".replace("block", "2 hit"), "0"),
        ("(4d{hit,-} + 2d{hit,-}) count every hit", "6d{hit,-} count hit"),
        ("(4d{hit,-} less 1d{hit}) count every hit", "max(0, (4d2 count 2) - 1)"),
    ],
)
def test_two_ways_to_say_one_thing_have_one_law(one: str, other: str) -> None:
    assert exact(one) == exact(other)


def test_each_kind_of_symbol_is_taken_by_its_own() -> None:
    found = odds("d{2 hit+crit} less d{3 hit+flag}")
    assert found.columns == ("hit", "crit", "flag")
    assert found.weights == {(0, 1, 0): 1}
    assert found.sample(3).tolist() == [[0, 1, 0]] * 3


REFUSED: dict[str, str] = {
    "3d6 less 2d6": "of totals the rest is max(0, 3d6 - 2d6)",
    "4d{hit,-} less 2": "is no symbols, on both sides of `less`",
    "4d{hit,-} less 3d{block,-}": "take nothing away; allowed: some of hit",
    "(4d{hit,-} less 3d{hit,-}) count hit": "the word every",
    "(4d{hit,-} less 3d{hit,-}) keep 1": "is unexpected here",
    "(4d{hit,-} less 3d{hit,-}) + 1": "count them: ((4d{hit,-} less 3d{hit,-}) count every hit)",
    "20 after 3": "hits and their damage",
    "20 after 3 hits of": "something is missing",
    "20 after (d6 - 3) hits of 1": "begins a number that may be below 0",
    "20 after 3 hits of d6 - 2": "begins a number that may be below 0",
    "20 after 3 hits of d6 on figures of 0": "begins a number that may be below 1",
    "20 after 3 hits of d6 on figures of 2 + 1": "put brackets around it to go on",
    "20 after 10000d6 hits of 2": "begins too many hits; allowed: at most 10,000",
    "20 after 3 hits of 2d{hit,-}": "where a total is needed",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_said_is_refused_by_name(text: str) -> None:
    assert REFUSED[text] in fault_of(text)


def test_the_same_in_italian() -> None:
    english = parse("20 after 3 hits of d6 on figures of 2")
    assert parse("20 dopo 3 colpi di d6 su figure di 2").node == english.node
    assert parse("4d{hit,-} meno 3d{hit,-}").node == parse("4d{hit,-} less 3d{hit,-}").node


def test_a_name_may_be_one_of_these_words() -> None:
    """`hits` and `run` mean something with the word after them alone."""
    assert odds("hits = 4d6 count 4+; run = 2d6; hits + run").mean() == 9
    assert odds("4d{hits,run,-} count hits,run").mean() == pytest.approx(8 / 3)


def test_what_is_too_large_is_simulated() -> None:
    assert not odds("100000 after 1000d6 hits of d100 on figures of 70").is_exact

"""Laws of expressions against an independent twin that counts every way the dice can fall."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from balance.chance.dice import odds, parse
from tests.chance.dice.twin import Made, combined, expressions, law_of

MADE = cache(lambda: expressions(14, 400))


def exact(text: str) -> dict[int, Fraction]:
    found = odds(text)
    assert found.is_exact
    return {value: Fraction(weight, found.total) for value, weight in found.weights.items()}


@pytest.mark.parametrize("part", range(8))
def test_the_laws_are_those_of_the_twin(part: int) -> None:
    for text, law in MADE()[part::8]:
        assert exact(text) == law, text


def test_the_expressions_are_of_many_kinds() -> None:
    """So that the twin proves what it seems to prove."""
    texts = " | ".join(text for text, _ in MADE())
    words = [
        "reroll always",
        "reroll",
        "!! ",
        "once",
        "keep lowest",
        "drop highest",
        "count",
        "double",
        "cancel",
        "twice",
    ]
    words += ["//", "max(", "lowest of", "highest 2 of", "then", "dF", "*", ">=", "!=", "at most 2"]
    words += ["failing", "each at least", "each at most", "rounded up", "rounded off"]
    assert [word for word in words if word not in texts] == []


def test_a_wrong_law_is_seen() -> None:
    """The negative control: one face read wrong changes the law of nearly every expression with dice of six sides."""
    wrong = [(text.replace("d6", "d{1,2,3,4,5,6,6}"), law) for text, law in MADE() if "d6" in text]
    assert len(wrong) > 50
    assert sum(exact(text) != law for text, law in wrong) > 0.6 * len(wrong)


@pytest.mark.parametrize("part", range(4))
def test_an_expression_said_back_reads_the_same(part: int) -> None:
    for text, law in MADE()[part::4]:
        again = str(parse(text))
        assert str(parse(again)) == again
        assert exact(again) == law, (text, again)


def _contests() -> list[tuple[Made, Made]]:
    pairs = zip(MADE()[::2], MADE()[1::2], strict=True)
    return [pair for pair in pairs if len(pair[0][1]) * len(pair[1][1]) < 400][:60]


def test_contests_are_won_as_often_as_the_twin_counts() -> None:
    for (one, first), (other, second) in _contests():
        found = odds(f"({one}) vs ({other})")
        margins = combined([first, second], lambda v: v[0] - v[1])
        assert {m: Fraction(w, found.total) for m, w in found.weights.items()} == margins
        signs = law_of(((m > 0) - (m < 0), p) for m, p in margins.items())
        names = {"win": 1, "tie": 0, "lose": -1}
        assert found.result_fractions == {name: signs.get(sign, 0) for name, sign in names.items()}

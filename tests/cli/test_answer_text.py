"""Sentences of an answer, word for word."""

from __future__ import annotations

import pytest

from balance.cli.answer_text import _agreement, _marks, _typically
from balance.pmf import Pmf

BOTH = Pmf.of({(1, 5): 1, (1, 6): 1, (2, 5): 1, (2, 6): 1}, ("winner", "turns"))
TOGETHER = "(G-tests of all columns together, 3 degrees of freedom, and of each by itself, by Holm)"
RARE = "That is rare for a simulation that is right (in"
WRONG = "simulation or law is wrong. Please report this."


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((1000, 1000, 1000, 1000), f"p = 1.00 {TOGETHER}. The simulation agrees with the exact law."),
        (
            (1100, 1100, 1000, 1000),
            f"p = 0.00608 {TOGETHER}. {RARE} winner); try another seed or more trials.",
        ),
        (
            (1600, 1400, 1400, 1600),
            f"p = 0.0000206 {TOGETHER}. {RARE} all columns together); try another seed or more trials.",
        ),
        ((1200, 1200, 1000, 1000), f"p = 0.00000000480 {TOGETHER}. They do not agree in winner: {WRONG}"),
    ],
)
def test_the_agreement_of_columns_is_told_by_how_rare_it_is(counts: tuple[int, ...], told: str) -> None:
    sample = Pmf.of(dict(zip([(1, 5), (1, 6), (2, 5), (2, 6)], counts, strict=True)), ("winner", "turns"))
    assert _agreement(BOTH.agreement(sample)) == f"Agreement: {told}"


def test_the_agreement_of_one_column_is_one_test() -> None:
    one, sample = Pmf.of({1: 1, 2: 1}, ("winner",)), Pmf.of({1: 1100, 2: 1000}, ("winner",))
    said = "Agreement: p = 0.0291 (G-test, 1 degrees of freedom). The simulation agrees with the exact law."
    assert _agreement(one.agreement(sample)) == said
    nothing = "Agreement: nothing to test; the trials are too few, or the outcome is all but certain."
    assert _agreement(one.agreement(Pmf.of({1: 1}, ("winner",)))) == nothing


def rounds(first: int, last: int) -> Pmf:
    return Pmf.of(dict.fromkeys(range(first, last + 1), 1), ("rounds",))


def test_a_story_is_told_from_one_on_or_spread_where_it_happens() -> None:
    assert list(_marks(rounds(1, 8), "rounds", 0.99)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert _marks(rounds(1, 9), "rounds", 0.99) == [1, 2, 3, 4, 6, 7, 8, 9]
    assert list(_marks(rounds(1, 16), "rounds", 0.5)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert _marks(rounds(101, 199), "rounds", 0.5) == [105, 118, 132, 145, 159, 172, 186, 199]
    assert _marks(rounds(30, 32), "rounds", 0.5) == [30, 31, 32]


def test_how_long_it_takes_has_a_mean_a_half_and_nine_tenths() -> None:
    said = "50.0 on average, at most 50 half of the time, 5 to 95 in 90% of cases"
    assert _typically(rounds(1, 99), "rounds") == said

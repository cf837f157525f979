"""Wherever a number stands in what is done with dice, a name may stand, a bracket of names, or a look-up."""

from __future__ import annotations

import pytest

from balance.base.errors import UsageError
from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.text.steps import Step, StepReader
from balance.chance.dice.text.tokens import Vocabulary


class Chart:
    """A look-up table: a place and one more."""

    n_places = 1

    def at(self, *places: int) -> int:
        """Return the number at a place."""
        return places[0] + 1


VOCABULARY = Vocabulary(
    frozenset({"me.dice", "me.n", "foe.wounds", "foe.size"}),
    {"more": Chart()},
    {"red": "{hit,hit,-}", "deck": "{1..13*4}"},
)


def step_of(text: str) -> Step:
    reader = StepReader(VOCABULARY)
    reader.add("past", "me.dice d6 count failing 4+")
    reader.add("hits", "past d6 count 4+")
    reader.add("last", text)
    return reader.steps(["last"])[-1]


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("me.dice d6 each at least me.n each at most more[me.n]", (3, 4), "3d6 each at least 4 each at most 5"),
        ("me.dice d6 reroll up to me.n of failing 4+", (3, 0), "3d6 reroll up to 0 of failing >=4"),
        ("me.dice d6 reroll up to (me.n - 1) of 1", (3, 3), "3d6 reroll up to 2 of 1"),
        ("me.dice d6 keep (me.n + 1)", (3, 4), "3d6 keep 5"),
        ("me.dice d6 drop more[me.n]", (9, 2), "9d6 drop 3"),
        ("me.dice d6 keep me.n", (3, -2), "3d6 keep 0"),
        ("me.dice d6 sets of me.n", (5, 3), "5d6 sets of 3"),
        ("me.n from deck keep 2", (3,), "3 from {1..13*4} keep 2"),
        ("(me.n + 1) from deck", (60,), "52 from {1..13*4}"),
        ("me.dice d6 pairs >= me.n d6", (3, 2), "3d6 pairs >= 2d6"),
        ("foe.wounds / (me.n + 1) rounded up", (9, 1), "9 / 2 rounded up"),
        ("foe.wounds // (me.n - 2)", (9, 5), "9 // 3"),
        ("me.dice red less me.n red", (3, 1), "(3d{hit,hit,-} less 1d{hit,hit,-})"),
        (
            "foe.wounds after past hits of more[me.n] on figures of foe.size",
            (20, 3, 1, 2),
            "(20 after 3 hits of 2 on figures of 2)",
        ),
        ("foe.wounds after hits hits of d3", (20, 4), "(20 after 4 hits of 1d3)"),
    ],
)
def test_a_step_is_made_for_its_values(text: str, values: tuple[int, ...], expected: str) -> None:
    (node,) = step_of(text).nodes(values)
    assert str(node) == expected


def test_values_that_cannot_be_are_none_or_refused() -> None:
    """Wounds, hits and damage below 0 are 0, a figure has a wound; nothing is divided by 0."""
    (node,) = step_of("(foe.wounds - 30) after (me.n - 9) hits of me.n on figures of foe.size").nodes((20, 2, 0))
    assert law_of(node, Work()) == {0: 1}
    (node,) = step_of("foe.wounds after 3 hits of (me.n - 9) on figures of foe.size").nodes((20, 2, 0))
    assert law_of(node, Work()) == {20: 1}
    with pytest.raises(UsageError, match="cannot be divided by"):
        step_of("foe.wounds // (me.n - 2)").nodes((9, 2))
    with pytest.raises(UsageError, match="begins dice where a number should be"):
        step_of("me.dice d6 keep (d6)")

"""What is told of optimal openings."""

from __future__ import annotations

from balance.games.edadh.solving.solve import never_played, useless_table
from balance.protocol.solution import SolutionTable

OPENING = SolutionTable(
    "opening", "", ("card", "a most", "b most"), ((1, 0.5, 0.2), (2, 0.0, 0.3), (3, 0.5, 0.5), (4, 0.0, 1e-12))
)


def test_cards_that_no_optimal_opening_plays_are_listed_side_by_side() -> None:
    assert [never_played(OPENING, side) for side in "ab"] == [(2, 4), (4,)]
    assert useless_table(OPENING).rows == (("a", "2, 4"), ("b", "4"))


def test_a_side_that_plays_every_card_has_none() -> None:
    rows = tuple((card, 0.25, 0.25) for card in range(1, 5))
    assert useless_table(SolutionTable("opening", "", OPENING.columns, rows)).rows == (("a", "none"), ("b", "none"))

"""What `card` says of small changes whose effects are written by hand."""

from __future__ import annotations

from balance.analysis.changes.neighbours.card_changes import CardChanges, SmallChange
from balance.answers.blocks.tables import Table
from balance.answers.form import Terms
from balance.answers.media.frames import frame_of
from balance.answers.words.prices import card as words
from balance.chance.trials.estimate import Estimate
from balance.game.loaded import load

HALF = Estimate.exact(0.5)


def health(to: int, gain: float | None) -> SmallChange:
    """Return a change of health from 4, and by how much the score grows; None where that has no effect."""
    score = None if gain is None else Estimate.exact(gain)
    return SmallChange("health", "4", str(to), None, score, None, None)


def test_the_best_change_comes_first_in_every_table_and_what_has_no_effect_last() -> None:
    changes = health(2, -0.2), health(9, None), health(6, 0.2), health(3, -0.1), health(5, 0.1)
    card = CardChanges(
        1, "warforged", "card", "ox", ("ox",), ("elk",), HALF, None, None, changes, (), (), None, 0, "1", "0" * 64, 0
    )
    best_first = ["health 4 to 6", "health 4 to 5", "health 4 to 3", "health 4 to 2"]
    assert frame_of(words.tables(card)["changes"])["change"].to_list() == [*best_first, "health 4 to 9"]
    terms = Terms.of(load("warforged"), "lineup")
    for blocks in (words.WORDS.short(card, terms).body, words.WORDS.full(card, terms)):
        (table,) = [block for block in blocks if isinstance(block, Table)]
        assert [row[0].text for row in table.rows] == best_first

"""What a report says where exact distributions could not be had and trials were played instead."""

from __future__ import annotations

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import show_count
from balance.game.question.question import SIMULATED_TRIALS
from balance.reporting import Callout
from balance.reporting.sections.common.words import Pages


def inexact_callout(pages: Pages) -> list[Block]:
    """Return a box, as a list, on tables that rest on trials in part; [] where none does."""
    counts = {name: n for name in ("attacks", "kills", "duels") if (n := pages.n_simulated(name))}
    if not counts:
        return []
    parts = [f"{show_count(n)} of {show_count(pages.run.table(name).height)} {name}" for name, n in counts.items()]
    text = (
        f"The exact distributions of {list_words(parts)} could not be had. Wherever these pages call their numbers "
        f"exact, they come from {show_count(SIMULATED_TRIALS)} trials each: a chance is right to about 0.4 percentage "
        "points (95 %)."
    )
    return [Callout("caution", "What is not exact", text)]

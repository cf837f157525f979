"""The first screen of an answer: a sentence, the tables that matter most, and what was asked otherwise than by default.

All of it follows from what the columns of the kind of question are declared to be for, so that it holds for any game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from balance.answers.media.terminal import Shortened
from balance.game.question.question import Question

MOST_CLASSES = 8
SPARKS = 16, 8
"""Bars of a distribution drawn in a row: one for each value up to so many, else fewer, of several values each."""
LONGEST_MEANING = 40
MOST_NAMES = 3
EVENT = "1 if "
"""How what a column counts begins where it only says whether something happened."""
MORE = "every distribution and setting"


def how_played_shortly(question: Question) -> Iterator[RenderableType]:
    """Yield a line on how it is played, and one on what the answer leaves out, each cut to the terminal's width."""
    kind = question.kind
    if kind.played:
        yield Shortened(f"How it is played: {kind.played}")
    if kind.cannot_see:
        heads = [text.partition(":")[0].rstrip(".") for text in kind.cannot_see]
        yield Shortened(f"What it cannot see: {'; '.join(head[:1].lower() + head[1:] for head in heads)}.")

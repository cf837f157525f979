"""One trial in words, step by step: how it starts, what happens, how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.game.question.board_story import BoardStory


@dataclass(frozen=True)
class Line:
    """The narration of one step.

    Attributes
    ----------
    moment, actor, text
        Such as "Round 2", "Ecarus" and "attacks with Great Axe"; the text may be empty.
    remaining_counts
        What is left of each of `Narration.counters` after the step.
    dice
        Each throw in words, if the game tells them.
    score
        Rows of the score after the step, each with its value for both sides.
    events
        The same step as plain data, one event after the other, if the game provides it.

    >>> str(Line("Round 2", "Ecarus", "stays", (7,))), str(Line("Round 2", "Event (Lull)", "", (7,)))
    ('Round 2. Ecarus: stays.', 'Round 2. Event (Lull).')
    """

    moment: str
    actor: str
    text: str
    remaining_counts: tuple[int, ...]
    dice: tuple[str, ...] = ()
    score: tuple[tuple[str, str, str], ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()

    def __str__(self) -> str:
        """Return "moment. actor: text." as one sentence."""
        return f"{self.moment}. {self.actor}{': ' if self.text else ''}{self.text}."


@dataclass(frozen=True)
class Narration:
    """One trial in words: its start, a line for each step in which something happens, its end.

    Attributes
    ----------
    counters, begun_with
        Names of what is counted from line to line, such as the health of each hero, and the counts at the start.
    board
        The same trial for drawing, where it is played on a board; None elsewhere.
    record, begin
        Data that the events refer to: what does not change, and the state before the first event.
    """

    start: str
    lines: tuple[Line, ...]
    end: str
    counters: tuple[str, ...]
    begun_with: tuple[int, ...]
    board: BoardStory | None = None
    record: Mapping[str, Any] | None = None
    begin: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        """Return start, lines and end, a sentence per line."""
        return "\n".join([f"{self.start}.", *map(str, self.lines), self.end])


def told_on_board(start: str, story: BoardStory, end: str) -> Narration:
    """Return the narration of a battle on a board: a line for each frame after the first, with both sides' health.

    `start` and `end` are the sentences before the first line and after the last.
    """
    lines = tuple(
        Line(
            story.turn_of(number),
            frame.actor,
            frame.text,
            story.health_left(number),
            frame.dice,
            frame.score,
            frame.events,
        )
        for number, frame in enumerate(story.frames)
        if number
    )
    return Narration(start, lines, end, story.sides, story.health_left(0), story)

"""One trial in words, step by step: how it starts, what happens, how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from balance.base.answers import ASKED_FOR, BEHIND, Opaque
from balance.game.question.board_story import BoardStory


@dataclass(frozen=True)
class Line:
    """The narration of one step.

    Attributes
    ----------
    moment, actor, text
        Such as "Round 2", "Ecarus" and "attacks with Great Axe"; the text may be empty.
    left
        What is left of each of those that are counted after the step.
    dice
        Each throw in words, if the game tells them.
    score
        Rows of the score after the step, each with its value for both sides, if there are more than what is left.
    events
        The same step as plain data, one event after the other, if the game provides it.

    >>> str(Line("Round 2", "Ecarus", "stays", {"Ecarus": 7})), str(Line("Round 2", "Event (Lull)", "", {"Ecarus": 7}))
    ('Round 2. Ecarus: stays.', 'Round 2. Event (Lull).')
    """

    moment: str
    actor: str
    text: str
    left: Mapping[str, int]
    dice: tuple[str, ...] | None = field(default=None, metadata=ASKED_FOR)
    score: Mapping[str, Mapping[str, str]] | None = field(default=None, metadata=ASKED_FOR)
    events: tuple[Mapping[str, Any], ...] | None = field(default=None, metadata=ASKED_FOR)

    def __str__(self) -> str:
        """Return "moment. actor: text." as one sentence."""
        return f"{self.moment}. {self.actor}{': ' if self.text else ''}{self.text}."


@dataclass(frozen=True)
class Narration:
    """One trial in words: its start, a line for each step in which something happens, its end.

    Attributes
    ----------
    begun_with
        What is counted from line to line, such as the health of each hero, as it is at the start.
    board
        The same trial for drawing, where it is played on a board; None elsewhere.
    record, begin
        Data that the events refer to: what does not change, and the state before the first event.
    """

    start: str
    lines: tuple[Line, ...]
    end: str
    begun_with: Mapping[str, int]
    board: Annotated[BoardStory | None, Opaque()] = field(default=None, metadata=BEHIND)
    record: Mapping[str, Any] | None = field(default=None, metadata=ASKED_FOR)
    begin: Mapping[str, Any] | None = field(default=None, metadata=ASKED_FOR)

    def counts(self) -> dict[str, list[int]]:
        """Return what is left of each that is counted: at the start, and after each line."""
        return {name: [self.begun_with[name], *(line.left[name] for line in self.lines)] for name in self.begun_with}

    def __str__(self) -> str:
        """Return start, lines and end, a sentence per line."""
        return "\n".join([f"{self.start}.", *map(str, self.lines), self.end])


def told_on_board(start: str, story: BoardStory, end: str) -> Narration:
    """Return the narration of a battle on a board: a line for each frame after the first, with both sides' health.

    `start` and `end` are the sentences before the first line and after the last.
    """
    health = [dict(zip(story.sides, story.health_left(number), strict=True)) for number in range(len(story.frames))]
    scores = [
        {name: dict(zip(story.sides, values, strict=True)) for name, *values in frame.score} for frame in story.frames
    ]
    lines = tuple(
        Line(
            story.turn_of(number),
            frame.actor,
            frame.text,
            health[number],
            frame.dice or None,
            scores[number] or None,
            frame.events or None,
        )
        for number, frame in enumerate(story.frames)
        if number
    )
    return Narration(start, lines, end, health[0], story)


def changed_parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a state after something that differ from those before, nested tables part by part.

    >>> changed_parts({"round": 1, "health": {"a1": 3, "b1": 2}}, {"round": 1, "health": {"a1": 3, "b1": 0}})
    {'health': {'b1': 0}}
    """
    parts = dict[str, Any]()
    for name, value in after.items():
        old = before.get(name)
        if value != old:
            parts[name] = changed_parts(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return parts

"""One trial of a simulation narrated step by step, so that people can see what they ask about.

>>> from balance.game.loaded import load
>>> asked = load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush")
>>> replay(asked, trial=3, seed=1).narration.end
'The heroes have won: no enemy is left.'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.base.errors import Fault, UsageError, suggestion
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import check_seed
from balance.chance.trials.collect import play_block

if TYPE_CHECKING:
    from balance.game.question.board_story import BoardStory
    from balance.game.question.question import Question

MOST_BLOCKS = 32
"""Blocks of trials that are searched for one that ends as asked."""


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

    Parameters
    ----------
    start
        The sentence before the first line.
    story
        The battle as frames.
    end
        The sentence after the last line.
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


@dataclass(frozen=True, repr=False)
class Replay:
    """A narrated trial, and its number and seed: it is that trial of any simulation that plays its whole block."""

    narration: Narration
    trial: int
    seed: int

    def __repr__(self) -> str:
        """Return the number of the trial, its seed and its number of lines in short."""
        return f"<Replay of trial {self.trial} of seed {self.seed}: {len(self.narration.lines)} steps>"


def replay(question: Question, trial: int = 0, seed: int = 0, winner: str = "") -> Replay:
    """Return the narration of one trial of the simulation with this seed.

    Parameters
    ----------
    trial
        Number of the trial, from 0.
    winner
        Name of a result, to take the first trial from there on that ends so; empty for that trial itself.

    Raises
    ------
    UsageError
        This kind of question is not told, the number or seed is none, or no trial of 32 blocks ends so.
    """
    kind = question.kind
    if kind.tell is None:
        able = [kind.name for kind in question.game.definition.kinds.values() if kind.tell is not None]
        tip = f"in {question.game.definition.name}, ask {', '.join(able)}" if able else ""
        raise UsageError(f"a trial of {question.game.definition.name} {kind.name} cannot be told", tip)
    check_seed(seed)
    if not 0 <= trial <= question.block_trials << 20:
        legal_text = f"0 to {question.block_trials << 20:,}"
        raise UsageError(Fault("is no trial", "trial", found=f"{trial:,}", allowed=legal_text))
    number = _first_with(question, trial, seed, winner) if winner else trial
    block, place = divmod(number, question.block_trials)
    return Replay(kind.tell(question.setup, _rolls(question, seed, block), place), number, seed)


def _rolls(question: Question, seed: int, block: int) -> RandomRolls:
    return RandomRolls(seed, question.task().key, block, question.block_trials)


def _first_with(question: Question, trial: int, seed: int, winner: str) -> int:
    """Return the number of the first trial from `trial` on with this result; raise UsageError after 32 blocks."""
    kind = question.kind
    if winner not in kind.winners:
        winners, tip = ", ".join(kind.winners), suggestion(winner, kind.winners)
        raise UsageError(Fault("is no result", "winner", found=winner, allowed=winners, tip=tip))
    processes = kind.processes(question.setup, "literal")
    size, begin = question.block_trials, trial // question.block_trials
    for block in range(begin, begin + MOST_BLOCKS):
        ends = play_block(processes, _rolls(question, seed, block), in_order=True)
        is_winner = ends[kind.winner] == kind.winners[winner]
        trials = block * size + np.flatnonzero(is_winner)
        if len(trials := trials[trials >= trial]):
            return int(trials[0])
    problem = f"none of {(begin + MOST_BLOCKS) * size - trial:,} trials from {trial:,} on ends with {winner}"
    raise UsageError(problem, "choose another result, or change what is asked")

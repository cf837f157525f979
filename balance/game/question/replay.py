"""One trial of a simulation told step by step, so that people can see what they ask about.

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
    """What happened in one step.

    Attributes
    ----------
    moment, actor, text
        Such as "Round 2", "Ecarus" and "attacks with Great Axe"; the text may be empty.
    remaining_counts
        What is left afterwards of each thing that `Narration.counters` names.
    dice
        Each throw in words, where they are told apart.
    score
        Rows of the score after it, each with its value for both sides.
    events
        The same as plain data, one by one in the order in which it happened, where a game tells it.

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
        """Return the line as one sentence."""
        return f"{self.moment}. {self.actor}{': ' if self.text else ''}{self.text}."


@dataclass(frozen=True)
class Narration:
    """One trial in words: how it starts, what happens, a line for each step in which something does, how it ends.

    Attributes
    ----------
    counters, begun_with
        What is counted from line to line, such as the health of each hero, and how much of it there is at first.
    board
        The same trial as a page draws it, where it is played on a board.
    record, begin
        What the events of the lines rest on, as plain data: what does not change, and the state before the first.
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
        """Return all of it, a sentence per line."""
        return "\n".join([f"{self.start}.", *map(str, self.lines), self.end])


def told_on_board(start: str, story: BoardStory, end: str) -> Narration:
    """Return a battle on a board, told: a line for each frame after the first, with the health left of both sides.

    Parameters
    ----------
    start
        The line before the first frame.
    story
        The frames and what stands on the board.
    end
        The line after the last frame.
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
    """A trial that was told, and which one: that of any simulation with this seed that plays its whole block."""

    narration: Narration
    trial: int
    seed: int

    def __repr__(self) -> str:
        """Return it in short."""
        return f"<Replay of trial {self.trial} of seed {self.seed}: {len(self.narration.lines)} steps>"


def replay(question: Question, trial: int = 0, seed: int = 0, winner: str = "") -> Replay:
    """Return one trial of the simulation with this seed, told.

    Parameters
    ----------
    trial
        Which, from 0.
    winner
        A result: then the first trial from there on that ends so.

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
    """Return the first trial from there on that ends with a result."""
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

"""One trial of a simulation narrated step by step, so that people can see what they ask about.

>>> from balance.game.loaded import load
>>> asked = load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush")
>>> replay(asked, trial=3, seed=1).end
'The heroes have lost: all are ghosts.'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from balance.base.answers import Count, Doc, Seed
from balance.base.errors import Fault, UsageError, suggestion
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import check_seed
from balance.chance.trials.collect import play_block
from balance.game.question.findings import AboutQuestion
from balance.game.question.narration import Narration
from balance.game.question.question import Question

MOST_BLOCKS = 32
"""Blocks of trials that are searched for one that ends as asked."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Replay(Narration, AboutQuestion):
    """One trial in words: it is that trial of any simulation with its seed that plays its whole block."""

    verb: Literal["replay"]
    trial: Annotated[Count, Doc("Its number, from 0.")]
    seed: Seed

    def __repr__(self) -> str:
        """Return the number of the trial, its seed and its number of lines in short."""
        return f"<Replay of trial {self.trial} of seed {self.seed}: {len(self.lines)} steps>"


def replay(question: Question, trial: int = 0, seed: int = 0, winner: str = "") -> Replay:
    """Return the narration of one trial, counted from 0, of the simulation with this seed.

    With the name of a result as `winner`, it is the first trial from there on that ends so. Raise UsageError for a kind
    of question that is not told, an invalid number or seed, or if no trial of 32 blocks ends so.
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
    narration = kind.tell(question.setup, _rolls(question, seed, block), place)
    return Replay.of(question, "replay", **vars(narration), trial=number, seed=seed)


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

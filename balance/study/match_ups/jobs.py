"""What workers do: play blocks of streams, and solve exact distributions.

A job carries all it needs: the games' sources, and the tasks as text. A worker keeps the last streams it compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter

import numpy as np

from balance.base.errors import RulesError
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import Task
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.memory import keep_freed_memory
from balance.chance.trials.pairs import mirrored_task, paired_task
from balance.chance.trials.tally import Tally, add_results, count_rows
from balance.engine.source import Source
from balance.engine.store import Expected
from balance.game.game import Lane, QuestionKind
from balance.game.question.question import Question
from balance.study.match_ups.plan import MatchUpTask


@dataclass(frozen=True)
class Recipe:
    """How to play a stream: one task, or the same match-up before and after a change, on the same dice.

    `key` names the dice; `sides` holds one or two (place of the source among the sources, task).
    """

    key: str
    sides: tuple[tuple[int, MatchUpTask], ...]
    lane: Lane

    @property
    def pairs_per_block(self) -> int:
        """Trials in a block, a mirrored pair of games each."""
        return self.sides[0][1].pairs_per_block


@dataclass(frozen=True)
class Piece:
    """Consecutive blocks of one stream, from number `first` on; `index` is the stream's place among all."""

    index: int
    recipe: Recipe
    first: int
    n_blocks: int


@dataclass(frozen=True)
class BlockResult:
    """A piece's counts; `index` is that of its stream."""

    index: int
    tally: Tally
    seconds: float = field(compare=False)


def play(sources: Sequence[Source], seed: int, pieces: Sequence[Piece]) -> list[BlockResult]:
    """Play consecutive blocks, a piece of one stream each, and return their counts with the time each took.

    Recipes refer to the sources, from which games are loaded, by place. Dice follow from the seed of the study with key
    and block number.
    """
    keep_freed_memory()
    results = []
    for piece in pieces:
        start = perf_counter()
        task = _task(tuple(sources), piece.recipe)
        blocks = range(piece.first, piece.first + piece.n_blocks)
        sample = [task.sample(RandomRolls(seed, task.key, block, piece.recipe.pairs_per_block)) for block in blocks]
        tally = Tally(add_results(sample), piece.first, piece.n_blocks)
        results.append(BlockResult(piece.index, tally, perf_counter() - start))
    return results


@lru_cache(maxsize=16)
def _task(sources: tuple[Source, ...], recipe: Recipe) -> Task:
    questions = [task.games(sources[at].open()) for at, task in recipe.sides]
    processes = [tuple(_process(question, recipe.lane) for question in games) for games in questions]
    winner = questions[0][0].kind.winner
    if len(processes) == 2:
        before, after = processes
        return paired_task(recipe.key, before, after, winner)
    (games,) = processes
    if len(games) == 2:
        a_first, b_first = games
        return mirrored_task(recipe.key, a_first, b_first, winner)
    (only,) = games
    return _single_task(recipe.key, only, winner)


def _single_task(key: str, process: Process, winner: str) -> Task:
    """Return the task of a game in which nobody goes first: its only column is `game`, who won."""

    def sample(rolls: RandomRolls) -> Pmf:
        return count_rows({"game": simulate(process, rolls)[winner]})

    return Task(key, sample)


def _process(question: Question, lane: Lane) -> Process:
    processes = question.kind.processes(question.setup, lane)
    if len(processes) > 1:
        raise RulesError(f"{question.kind.name} is played in {len(processes)} ways at random, which pairs cannot be")
    return processes[0]


def solve(source: Source, tasks: Sequence[MatchUpTask]) -> list[Pmf | None]:
    """Return the exact distribution of each task: columns `seat` (0: side a first, 1: side b first) and `winner`.

    The weights of each turn order sum to 1. None where the distribution is too large to be had. All tasks are of the
    game of the source.
    """
    return [_distribution(task.games(source.open())) for task in tasks]


def _distribution(games: Sequence[Question]) -> Pmf | None:
    rows, weights = [], []
    for order, question in enumerate(games):
        if question.why_no_distribution:
            return None
        winner = question.kind.winner
        distribution = question.distribution.marginal(winner)
        rows += [(order, code) for code in distribution[winner].tolist()]
        weights += distribution.p.tolist()
    return Pmf.from_rows(["seat", "winner"], rows, np.array(weights, np.float64))


# -- what kept results can hold ----------------------------------------------------------------------------------------


def distribution_of(kind: QuestionKind) -> Expected:
    """Return the columns and values that a distribution from `solve` can have, to check kept ones."""
    return Expected({"seat": range(max(1, len(kind.mirrored_orders))), "winner": tuple(kind.winners.values())})


def counts_of(recipe: Recipe, kind: QuestionKind) -> Expected:
    """Return the columns and values that blocks of a recipe can have, to check kept ones."""
    games = range(max(1, len(kind.mirrored_orders)))
    if len(recipe.sides) == 2:
        names = [f"{moment}_{number}" for number in games for moment in ("before", "after")]
    else:
        names = ["a_first", "b_first"] if len(games) == 2 else ["game"]
    return Expected(dict.fromkeys(names, tuple(kind.winners.values())), recipe.pairs_per_block)

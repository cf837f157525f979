"""Blocks of trials of several questions, played in one run where their game can play them so.

A step costs much the same for a hundred trials as for one, so a few trials of each of many questions are best played
beside each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from balance.chance.rolls.keyed_rolls import JoinedRolls
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import play_block
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.memory import keep_freed_memory

MOST_TRIALS = 2**13
"""Trials of several blocks that are played in one run: more hold memory and save no time."""
Block: TypeAlias = tuple[Any, RandomRolls]
"""The setup of a question, and the rolls of a block of its trials."""


@dataclass(frozen=True)
class Joint:
    """How a game plays trials of several setups in one run, each as alone; all their luck follows from keys.

    Attributes
    ----------
    key
        setup -> what setups have in common that can be played together; None for one that is played alone.
    process
        (setups with the same key, trials of each) -> the process of these trials, one setup after the other.
    """

    key: Callable[[Any], Hashable | None]
    process: Callable[[Sequence[Any], Sequence[int]], Process]


def play_blocks(
    blocks: Sequence[Block], processes: Callable[[Any, Literal["literal"]], tuple[Process, ...]], joint: Joint | None
) -> list[State]:
    """Return the outcome columns of each block in the order of its trials, as it gives them when played alone.

    `processes` are those of a setup and a lane, and `joint` says which setups are played in one run; None for no two.
    """
    keep_freed_memory()
    outcomes = dict[int, State]()
    for places in _runs(blocks, joint):
        run = [blocks[place] for place in places]
        if joint is None or len(run) == 1:
            outcomes[places[0]] = play_block(processes(run[0][0], "literal"), run[0][1], in_order=True)
        else:
            outcomes |= zip(places, _play_together(run, joint), strict=True)
    return [outcomes[place] for place in range(len(blocks))]


def _runs(blocks: Sequence[Block], joint: Joint | None) -> Iterator[list[int]]:
    """Yield the places of the blocks of each run."""
    runs = dict[Hashable, list[int]]()
    for place, (setup, rolls) in enumerate(blocks):
        key = joint.key(setup) if joint is not None else None
        if key is None:
            yield [place]
            continue
        run = runs.setdefault(key, [])
        if run and sum(blocks[other][1].n for other in run) + rolls.n > MOST_TRIALS:
            yield run
            run = runs[key] = []
        run.append(place)
    yield from runs.values()


def _play_together(blocks: Sequence[Block], joint: Joint) -> Iterator[State]:
    sizes = [rolls.n for _, rolls in blocks]
    process = joint.process([setup for setup, _ in blocks], sizes)
    columns = simulate(process, JoinedRolls([rolls for _, rolls in blocks]), in_order=True)
    for start, size in zip(np.cumsum(sizes) - sizes, sizes, strict=True):
        yield {name: values[start : start + size] for name, values in columns.items()}

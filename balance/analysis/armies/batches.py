"""Many battles of armies in few batches: the largest army sets the pace of a batch, and small batches cost most.

Battles of about as many units are played together. On a board, where all luck of a battle follows from a key of its
own, so are those of several blocks, by whatever ways of playing; no number hangs on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.random_armies import same_width
from balance.base.arrays import IntArray
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.together import play_processes
from balance.game.armies.armies import Arena

BATCHES = (6, 13, 25)
"""Sizes of the larger army from which battles are played in the next batch."""
MIN_BATCH = 1024
"""Battles from which a batch of their own takes less time than the longer steps of larger armies."""


@dataclass(frozen=True, eq=False)
class Battles:
    """Battles in which army a (`int[n, w]`: places of members, -1 for nobody) goes first, with limits `int[n]`.

    Paired rolls of fewer trials than there are battles are repeated: battles so far apart have the same dice.
    """

    arena: Arena
    a: IntArray
    b: IntArray
    limits: IntArray
    rolls: RandomRolls

    def batches(self) -> IntArray:
        """Return the batch of each battle, by its larger army; a small batch joins the next larger size.

        All are one batch where units that do not act cost nothing.
        """
        if self.arena.together:
            return np.zeros(len(self.a), np.int64)
        sizes = np.maximum((self.a >= 0).sum(axis=1), (self.b >= 0).sum(axis=1))
        batch: IntArray = np.digitize(sizes, BATCHES)
        for number in range(len(BATCHES)):
            if np.sum(batch == number) < MIN_BATCH and np.any(batch > number):
                batch[batch == number] += 1
        return batch

    def dice(self, number: int, rows: IntArray) -> RandomRolls:
        """Return the rolls of the battles that are a batch."""
        name = f"batch {number}"
        if self.rolls.is_paired:
            return self.rolls.copies_of(name, rows % self.rolls.n)
        return self.rolls.child(name, len(rows))


def outcomes_of(groups: Sequence[Battles], columns: Sequence[str]) -> list[dict[str, IntArray]]:
    """Return outcome columns of each battle of each group, `int[n]`."""
    arena = groups[0].arena
    if len(groups) > 1 and arena.together and all(each.arena is arena and not each.rolls.is_paired for each in groups):
        return _as_one(groups, columns)
    values = [dict[str, IntArray]((name, np.zeros(len(battles.a), np.int64)) for name in columns) for battles in groups]
    batches = [battles.batches() for battles in groups]
    for number in np.unique(np.concatenate(batches)).tolist():
        rows = [np.flatnonzero(batch == number) for batch in batches]
        places = [at for at in range(len(groups)) if len(rows[at])]
        processes = _processes([groups[at] for at in places], [rows[at] for at in places])
        dice = [groups[at].dice(number, rows[at]) for at in places]
        for at, result in zip(places, play_processes(processes, dice), strict=True):
            for name in columns:
                values[at][name][rows[at]] = result[name]
    return values


def _as_one(groups: Sequence[Battles], columns: Sequence[str]) -> list[dict[str, IntArray]]:
    """Play groups in one arena in one run, on dice of the first."""
    a, b = (np.concatenate(same_width([getattr(battles, side) for battles in groups])) for side in "ab")
    dice = groups[0].rolls.child(f"{len(groups)} blocks", len(a))
    limits, ends = np.concatenate([each.limits for each in groups]), np.cumsum([len(each.a) for each in groups])[:-1]
    (values,) = outcomes_of([Battles(groups[0].arena, a, b, limits, dice)], columns)
    parts = {name: np.split(column, ends) for name, column in values.items()}
    return [{name: parts[name][at] for name in columns} for at in range(len(groups))]


def _processes(groups: Sequence[Battles], rows: Sequence[IntArray]) -> list[Process]:
    """Return the processes of some battles of each group, all armies of a side in as many columns."""
    sides = (
        same_width([_trim(getattr(battles, side)[some]) for battles, some in zip(groups, rows, strict=True)])
        for side in "ab"
    )
    return [
        battles.arena.process(a, b, battles.limits[some])
        for battles, some, a, b in zip(groups, rows, *sides, strict=True)
    ]


def _trim(armies: IntArray) -> IntArray:
    """Return armies with their units moved to the front and no column that is empty in all."""
    is_unit = armies >= 0
    ranks = np.take_along_axis(armies, np.argsort(~is_unit, axis=1, kind="stable"), axis=1)
    return ranks[:, : int(is_unit.sum(axis=1).max(initial=1))]

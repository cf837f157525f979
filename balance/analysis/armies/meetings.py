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
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.together import can_join, simulate_together
from balance.game.armies.armies import Arena

BATCHES = (6, 13, 25)
"""Sizes of the larger army from which battles are played in the next batch."""
MIN_BATCH = 1024
"""Battles from which a batch of their own takes less time than the longer steps of larger armies."""


@dataclass(frozen=True, eq=False)
class Meeting:
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


def columns_of(meetings: Sequence[Meeting], columns: Sequence[str]) -> list[dict[str, IntArray]]:
    """Return outcome columns of each battle of each meeting, `int[n]`."""
    arena = meetings[0].arena
    if len(meetings) > 1 and arena.together and all(m.arena is arena and not m.rolls.is_paired for m in meetings):
        return _as_one(meetings, columns)
    values = [
        dict[str, IntArray]((name, np.zeros(len(meeting.a), np.int64)) for name in columns) for meeting in meetings
    ]
    batches = [meeting.batches() for meeting in meetings]
    for number in np.unique(np.concatenate(batches)).tolist():
        rows = [np.flatnonzero(batch == number) for batch in batches]
        places = [at for at in range(len(meetings)) if len(rows[at])]
        processes = _processes([meetings[at] for at in places], [rows[at] for at in places])
        dice = [meetings[at].dice(number, rows[at]) for at in places]
        if len(places) > 1 and can_join(processes):
            results = simulate_together(processes, dice)
        else:
            results = [simulate(*each, in_order=True) for each in zip(processes, dice, strict=True)]
        for at, result in zip(places, results, strict=True):
            for name in columns:
                values[at][name][rows[at]] = result[name]
    return values


def _as_one(meetings: Sequence[Meeting], columns: Sequence[str]) -> list[dict[str, IntArray]]:
    """Play meetings in one arena in one run, on dice of the first."""
    a, b = (np.concatenate(same_width([getattr(meeting, side) for meeting in meetings])) for side in "ab")
    dice = meetings[0].rolls.child(f"{len(meetings)} blocks", len(a))
    limits, ends = np.concatenate([m.limits for m in meetings]), np.cumsum([len(m.a) for m in meetings])[:-1]
    (values,) = columns_of([Meeting(meetings[0].arena, a, b, limits, dice)], columns)
    parts = {name: np.split(column, ends) for name, column in values.items()}
    return [{name: parts[name][at] for name in columns} for at in range(len(meetings))]


def _processes(meetings: Sequence[Meeting], rows: Sequence[IntArray]) -> list[Process]:
    """Return the processes of some battles of each meeting, all armies of a side in as many columns."""
    sides = (
        same_width([_trim(getattr(meeting, side)[some]) for meeting, some in zip(meetings, rows, strict=True)])
        for side in "ab"
    )
    return [
        meeting.arena.process(a, b, meeting.limits[some])
        for meeting, some, a, b in zip(meetings, rows, *sides, strict=True)
    ]


def _trim(armies: IntArray) -> IntArray:
    """Return armies with their units moved to the front and no column that is empty in all."""
    is_unit = armies >= 0
    ranks = np.take_along_axis(armies, np.argsort(~is_unit, axis=1, kind="stable"), axis=1)
    return ranks[:, : int(is_unit.sum(axis=1).max(initial=1))]

"""Games played in pairs on the same dice: with the seats swapped, or before and after a change.

*Mirrored pair.* A match-up is played twice, once with each side first, and the dice stay with the seat: what the first
player rolls in one game, the other side rolls as first player in the other, as hands do in duplicate bridge. Luck that
favours a seat then favours both sides once, and most of it cancels in the pair's score. The datum is the pair.

*Paired run.* Two rule sets are played trial by trial on the same dice, so that what differs is what was changed.

Both need the outcome of trial i in both games, so the trials of a process are taken in their order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls, Rolls, with_names
from balance.chance.trials.collect import Task
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.tally import count_rows


def _swap(name: str) -> str:
    """Return the name of a request with sides a and b swapped, so that dice stay with the seat."""
    side, space, rest = name.partition(" ")
    return f"{ {'a': 'b', 'b': 'a'}.get(side, side) }{space}{rest}"


def _ordered_values(process: Process, rolls: Rolls, column: str) -> npt.NDArray[np.int16]:
    return simulate(process, rolls, in_order=True)[column].astype(np.int16)


def mirrored_task(key: str, a_first: Process, b_first: Process, column: str) -> Task:
    """Return the task that plays mirrored pairs: `column` of each game, as columns `a_first` and `b_first`.

    Both processes are the same match-up, with side a or side b first; the dice of a side are named "a ..." and "b ...".
    """

    def sample(rolls: RandomRolls) -> Pmf:
        with_a_first = _ordered_values(a_first, rolls.paired_rolls("pair"), column)
        with_b_first = _ordered_values(b_first, with_names(rolls.paired_rolls("pair"), _swap), column)
        return count_rows({"a_first": with_a_first, "b_first": with_b_first})

    return Task(key, sample)


def paired_task(key: str, before: tuple[Process, ...], after: tuple[Process, ...], column: str) -> Task:
    """Return the task that plays two rule sets on the same dice: `column` as `before_0`, `after_0`, `before_1`, ...

    Processes of the two rule sets are matched one to one (such as side a first, side b first).
    """

    def sample(rolls: RandomRolls) -> Pmf:
        columns = {}
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            columns[f"before_{number}"] = _ordered_values(old, rolls.paired_rolls(f"game {number}"), column)
            columns[f"after_{number}"] = _ordered_values(new, rolls.paired_rolls(f"game {number}"), column)
        return count_rows(columns)

    return Task(key, sample)

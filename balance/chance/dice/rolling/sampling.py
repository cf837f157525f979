"""Roll expressions many times, block by block, so that more trials leave the first ones unchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from balance.base.errors import DistributionError, UsageError
from balance.base.limits import MOST_DICE_OUTCOMES, MOST_DICE_ROLLS, MOST_DICE_SAMPLE
from balance.chance.dice.rolling.dice import too_many_rolls
from balance.chance.dice.rolling.roller import Roller
from balance.chance.rolls.streams import stream

if TYPE_CHECKING:
    from balance.chance.dice.text.parser import Expression

TRIALS = 65_536
"""Trials of an expression that is too large to be exact, if nothing else is asked for and it is no larger yet."""
FEWEST_TRIALS = 1000
FEW_BLOCKS = 16
BLOCK_TRIALS = 4096
BLOCK_DICE = 2**20
"""Dice that are held in memory at once."""
BLOCK_STEPS = 10_000
"""What a block takes beside its rolls, in rolls."""


def trials_for(expression: Expression, seed: int, n_rows: int = 1) -> int:
    """Return how many trials there is time for, 1,000 (100 in tables of 16 rows or more) to `TRIALS`.

    The cost is the number of dice that 16 trials roll; `n_rows` expressions share the time.
    """
    steps = _steps_of_few(expression, seed)
    rolls = MOST_DICE_ROLLS // max(10, 4 * n_rows)
    return max(FEWEST_TRIALS if n_rows < FEW_BLOCKS else FEWEST_TRIALS // 10, min(TRIALS, rolls * FEW_BLOCKS // steps))


def check_trials(expressions: Sequence[Expression], trials: int, seed: int) -> None:
    """Raise DistributionError, naming a possible number, if there is no time for `trials` of every expression."""
    steps = sum(_steps_of_few(expression, seed) for expression in expressions) / FEW_BLOCKS
    blocks = sum(BLOCK_STEPS / _size(_steps_of_few(expression, seed)) for expression in expressions)
    if trials * (steps + blocks) > MOST_DICE_ROLLS:
        raise too_many_rolls(_rounded_down(int(MOST_DICE_ROLLS / (steps + blocks))))


def _rounded_down(number: int) -> int:
    """Round a number down to its first digit."""
    scale = int(10 ** (len(str(number)) - 1))
    return max(1, number // scale * scale)


def outcomes_of(expression: Expression, trials: int, seed: int) -> dict[Any, int]:
    """Return how often each outcome came up in `trials` trials, sorted; outcomes of symbols are tuples.

    Raise DistributionError if more different outcomes come up than are kept.
    """
    totals: Counter[Any] = Counter()
    for block in _blocks(expression, trials, seed):
        outcomes, counts = np.unique(block, axis=0, return_counts=True)
        keys = map(tuple, outcomes.tolist()) if outcomes.ndim == 2 else outcomes.tolist()
        totals.update(dict(zip(keys, counts.tolist(), strict=True)))
        if len(totals) > MOST_DICE_OUTCOMES:
            problem = f"more than {MOST_DICE_OUTCOMES:,} different outcomes came up"
            raise DistributionError(problem, "ask for fewer §trials, or count in larger units")
    return dict(sorted(totals.items()))


def sample(expression: Expression, n: int, seed: int) -> npt.NDArray[np.int64]:
    """Return n rolls, `int64[n]`, of symbols `int64[n, k]`, of a contest the margins.

    Raise UsageError unless n is 1 to `MOST_DICE_SAMPLE`, DistributionError if that takes too long.
    """
    if n < 1:
        raise UsageError(f"a sample has 1 roll or more, found {n}")
    check_trials([expression], n, seed)
    if n > MOST_DICE_SAMPLE:
        raise UsageError(f"a sample of {n:,} rolls is too large", f"at most {MOST_DICE_SAMPLE:,}")
    return np.concatenate(list(_blocks(expression, n, seed)))


def _blocks(expression: Expression, n: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield n rolls in blocks of a size that depends on the expression alone, each with its own stream."""
    check_trials([expression], n, seed)
    size = _size(_steps_of_few(expression, seed))
    rolls = 0
    for block, begin in enumerate(range(0, n, size)):
        roller = _roller(expression, seed, block)
        roller.rolls = rolls
        yield roller.roll(expression.node, size)[: n - begin]
        rolls = roller.rolls


def _size(steps_of_few: int) -> int:
    """Return the trials in a block: fewer where one rolls many dice, to bound the memory."""
    return max(1, min(BLOCK_TRIALS, BLOCK_DICE * FEW_BLOCKS // steps_of_few))


def _steps_of_few(expression: Expression, seed: int) -> int:
    """Return how many dice 16 trials roll, at least one each, as an estimate of the cost."""
    roller = _roller(expression, seed, -1)
    roller.roll(expression.node, FEW_BLOCKS)
    return max(FEW_BLOCKS, roller.rolls)


def _roller(expression: Expression, seed: int, block: int) -> Roller:
    return Roller(stream(seed, f"dice {expression}", block + 1, "rolls"), expression.n_symbols)

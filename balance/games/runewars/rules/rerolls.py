"""Which dice an attacker rolls again: none, all without hit and mortal strike, or those that raise expected wounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.rules.dice import Hand, laid_out

EQUAL = 1e-9
"""Expected wounds closer than this are equal, and then fewer dice are rolled again."""


@dataclass(frozen=True, eq=False)
class Throw:
    """A roll as it lies, as the attacker sees it.

    * `hand` and `context`: the attacker's dice, and what differs from one attack to the next, the pool included.
    * `dice`: its dice one by one, `int64[n, dice]`.
    * `remaining`: how often any number of dice may be rolled again, this time included, `int[n]`.
    * `one_more`: whether one die may be rolled again after that, `bool[n]`.
    * `is_single`: whether that one die is what is asked for: options are 0 for none, or the place of a die from 1;
      otherwise bit i of the option stands for die i.
    * `wounds`: context -> the wounds that a roll brings as it lies, `int64[n]`; equal for equal attacks.
    """

    hand: Hand
    context: State
    dice: IntArray
    remaining: IntArray
    one_more: BoolArray
    is_single: bool
    wounds: Callable[[State], IntArray]


@dataclass(frozen=True)
class Rerolls:
    """Rolls again `no_hit` (RW-Q12), `none`, or what is `best` for the expected wounds of this attack."""

    policy: Literal["no_hit", "none", "best"]

    def choose(self, name: str, legal: Legal, view: Throw, rolls: Rolls) -> IntArray:
        """Return the dice to roll again as an option of the `Throw`, `int64[n]`; 0 where `legal`, `int[n]`, is 1."""
        if self.policy == "none":
            return np.zeros(len(view.dice), np.int64)
        option = _idle_dice(view) if self.policy == "no_hit" else _best_dice(view)
        return np.where(np.asarray(legal) > 1, option, 0)


def _idle_dice(view: Throw) -> IntArray:
    hand = view.hand
    idle = hand.idle.take(view.dice)
    if not view.is_single:
        return np.asarray(idle @ (1 << np.arange(hand.n_dice)))
    first = hand.worst_first.take(view.dice).argmin(axis=1)
    return np.where(idle.any(axis=1), first + 1, 0)


def _best_dice(view: Throw) -> IntArray:
    """Return the option with the most expected wounds, `int64[n]`, computed once for all trials of a context."""
    hand = view.hand
    names = sorted(name for name, values in view.context.items() if values.ndim == 1)
    numbers = view.context["pool"] @ hand.colour_of
    columns = [*(view.context[name] for name in names), view.remaining, view.one_more, *numbers.T]
    cases, case_of = np.unique(np.stack(columns, axis=1).astype(np.int64), axis=0, return_inverse=True)
    options_of_trials = np.zeros(len(view.dice), np.int64)
    for case, row in enumerate(cases.tolist()):
        rows = np.flatnonzero(case_of.ravel() == case)
        values_met, (remaining, one_more, *n_dice) = row[: len(names)], row[len(names) :]
        options = _options(
            view.wounds,
            view.hand,
            tuple(zip(names, values_met, strict=True)),
            remaining,
            one_more,
            view.is_single,
            (*n_dice,),
        )
        places = _pools(hand, (*n_dice,)).place
        options_of_trials[rows] = [options[places[tuple(pool)]] for pool in view.context["pool"][rows].tolist()]
    return options_of_trials


@lru_cache(maxsize=4096)
def _options(
    wounds: Callable[[State], IntArray],
    hand: Hand,
    context: tuple[tuple[str, int], ...],
    remaining: int,
    one_more: int,
    is_single: bool,
    n_dice: tuple[int, ...],
) -> list[int]:
    """Return the best option for each pool of such dice, by backward induction over the re-rolls that follow."""
    pools = _pools(hand, n_dice)
    n = len(pools.whole)
    state: State = {name: np.full(n, value, np.int16) for name, value in context}
    value = wounds({**state, "pool": pools.rows[:n]}).astype(np.float64)
    if is_single:
        return pools.best(value, pools.singles)[1]
    if one_more:
        value = pools.best(value, pools.singles)[0]
    for _ in range(remaining - 1):
        value = pools.best(value, pools.subsets)[0]
    return pools.best(value, pools.subsets)[1]


@dataclass(frozen=True)
class _Pools:
    """Every pool that so many dice of each colour can show, and that they can show without some of them.

    `rows` lists both, whole ones first and then by how many dice are missing; `place` finds them.
    """

    hand: Hand
    n_dice: tuple[int, ...]

    @cached_property
    def _row_tuples(self) -> list[tuple[int, ...]]:
        parts = [list(_counts(len(die.distinct), k)) for (die, _), k in zip(self.hand.dice, self.n_dice, strict=True)]
        pools = [tuple(n for part in parts for n in part) for parts in product(*parts)]
        return sorted(pools, key=lambda row: -sum(row))

    @cached_property
    def rows(self) -> IntArray:
        return np.array(self._row_tuples, np.int16)

    @cached_property
    def place(self) -> Mapping[tuple[int, ...], int]:
        return {row: number for number, row in enumerate(self._row_tuples)}

    @cached_property
    def whole(self) -> IntArray:
        return np.asarray(self.rows[self.rows.sum(axis=1) == sum(self.n_dice)])

    @cached_property
    def _successors(self) -> list[tuple[IntArray, IntArray, FloatArray]]:
        """By dice missing and colour: rows, those that one more die makes of them, and the probability of each."""
        steps: list[tuple[IntArray, IntArray, FloatArray]] = []
        for n_missing, ((die, _), span, k) in product(
            range(1, sum(self.n_dice) + 1), zip(self.hand.dice, self.hand.spans, self.n_dice, strict=True)
        ):
            missing = self.rows.sum(axis=1) == sum(self.n_dice) - n_missing
            missing &= self.rows[:, span].sum(axis=1) < k
            rows = np.flatnonzero(missing)
            more = np.eye(self.rows.shape[1], dtype=np.int16)[span]
            successors = [[self.place[tuple(row)] for row in (self.rows[row] + more).tolist()] for row in rows]
            if len(rows):
                steps.append((rows, np.array(successors), die.weights / len(die.faces)))
        return steps

    @cached_property
    def subsets(self) -> tuple[IntArray, IntArray]:
        """Options that name any dice, fewest first, and the row each leaves of a whole pool, `int[pools, options]`."""
        options = sorted(range(2 ** sum(self.n_dice)), key=lambda mask: (mask.bit_count(), mask))
        return self._rows_without(options, options)

    @cached_property
    def singles(self) -> tuple[IntArray, IntArray]:
        """Options that name one die at most, and the row each leaves of a whole pool, `int[pools, options]`."""
        n = sum(self.n_dice)
        return self._rows_without(range(n + 1), [0, *(1 << place for place in range(n))])

    def _rows_without(self, options: object, masks: list[int]) -> tuple[IntArray, IntArray]:
        dice = laid_out(self.hand, self.whole)[:, : sum(self.n_dice)]
        bits = (np.array(masks)[:, None] >> np.arange(dice.shape[1])) & 1
        faces = np.eye(self.rows.shape[1], dtype=np.int16)[dice]
        pools = self.whole[:, None, :] - np.einsum("md,sdf->smf", bits, faces)
        rows_after = [[self.place[tuple(row)] for row in rows] for rows in pools.tolist()]
        return np.array(list(options)), np.array(rows_after)  # type: ignore[call-overload]

    def best(self, value: FloatArray, choice: tuple[IntArray, IntArray]) -> tuple[FloatArray, list[int]]:
        """Return the expected value of each whole pool under its best option, and that option; of equals the first."""
        worth_of_row = np.zeros(len(self.rows))
        worth_of_row[: len(value)] = value
        for rows, successors, p in self._successors:
            worth_of_row[rows] = worth_of_row[successors] @ p
        options, rows_after = choice
        worth = worth_of_row[rows_after]
        best = worth.max(axis=1)
        first = (worth >= best[:, None] - EQUAL).argmax(axis=1)
        return best, [int(option) for option in options[first]]


@lru_cache(maxsize=256)
def _pools(hand: Hand, n_dice: tuple[int, ...]) -> _Pools:
    return _Pools(hand, n_dice)


def _counts(n_faces: int, n_dice: int) -> Iterator[tuple[int, ...]]:
    """Yield the number of dice on each face, for every way in which at most so many equal dice can fall."""
    if n_faces == 0:
        yield ()
        return
    for n in range(n_dice + 1):
        for rest in _counts(n_faces - 1, n_dice - n):
            yield (n, *rest)

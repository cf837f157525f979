"""Requests for dice: the faces of each, which and how many succeed, and what symbols a pool of them shows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import RollsError
from balance.chance.pmf.arrays import WeightArray
from balance.chance.rolls.requests import Answer, Request, Source, Weighting, WrittenExample, first_of_each
from balance.chance.rolls.symbols import SymbolDie

MOST_ROLLED = 256
"""Dice of one pool up to which each is rolled, where they are only counted."""
Success: TypeAlias = Sequence[int] | BoolArray
"""Faces that succeed: a list of them, or of each face whether it does, `bool[faces]` or `bool[n, faces]`."""


@dataclass(frozen=True, eq=False)
class Dice(Request[IntArray]):
    """k dice with faces 1 to `faces`; a die that `is_rolled` (`bool[n, k]`) leaves out is not rolled and shows 0."""

    faces: int
    k: int
    is_rolled: BoolArray | None = None
    number: Callable[[int | str], int | str] = lambda face: face

    def at_random(self, source: Source) -> IntArray:
        """Return the faces, `int16[n, k]`; dice that are left out use up random numbers too."""
        dice = source.stream(self.name).integers(1, self.faces + 1, size=(self.k, source.n_drawn), dtype=np.int16)
        return self._left_out(source.take(dice.T))

    def as_written(self, fixed_rolls: WrittenExample) -> IntArray:
        """Return the next faces of this name, `int16[1, k]`."""
        places = np.arange(self.k) if self.is_rolled is None else np.flatnonzero(self.is_rolled[0])
        numbers = [self.number(face) for face in fixed_rolls.take(self.name, len(places))]
        for face in numbers:
            if not isinstance(face, int) or not 1 <= face <= self.faces:
                raise RollsError(f"a die named {self.name!r} with faces 1 to {self.faces} cannot show {face!r}")
        dice = np.zeros((1, self.k), np.int16)
        dice[0, places] = numbers + [min(self.faces, fixed_rolls.fill)] * (len(places) - len(numbers))
        return dice

    def n_ways(self) -> int | IntArray:
        """Return faces**k, of the dice that are rolled."""
        return self.faces**self.k if self.is_rolled is None else np.asarray(self.faces ** self.is_rolled.sum(axis=1))

    def way(self, number: IntArray) -> IntArray:
        """Return the faces, `int64[n, k]`, the first die's changing fastest."""
        if self.k == 1 and self.is_rolled is None:
            return number[:, None] + 1
        place = np.arange(self.k) if self.is_rolled is None else np.maximum(self.is_rolled.cumsum(axis=1) - 1, 0)
        return self._left_out(number[:, None] // self.faces**place % self.faces + 1)

    def weigh(self, number: IntArray) -> Weighting:
        """Return weight 1 of faces**k for every fall, exactly."""
        if self.is_rolled is None:
            return None, self.faces**self.k
        return None, _powers(self.faces, self.k)[self.is_rolled.sum(axis=1)]

    def _left_out(self, dice: IntArray) -> IntArray:
        return dice if self.is_rolled is None else np.where(self.is_rolled, dice, dice.dtype.type(0))


@dataclass(frozen=True, eq=False)
class _ReadDice(Request[Answer]):
    """A request for a reading of dice (a count, symbols), which has fewer ways than the dice can fall."""

    @abstractmethod
    def dice(self) -> Dice:
        """Return the request for the dice."""

    @abstractmethod
    def read(self, dice: IntArray) -> Answer:
        """Return the reading of dice, `int[n, k]`."""

    def at_random(self, source: Source) -> Answer:
        """Roll every die, and read them."""
        return self.read(self.dice().at_random(source))

    def as_written(self, fixed_rolls: WrittenExample) -> Answer:
        """Read the next dice written under this name."""
        return self.read(self.dice().as_written(fixed_rolls))

    def by_die(self) -> Request[Answer]:
        """Return the request enumerated by the faces of each die."""
        return _EachDie(self.name, self)


@dataclass(frozen=True, eq=False)
class _EachDie(Request[Answer]):
    """A reading of dice, enumerated by the faces of each die: the reference for its merged enumeration."""

    reading: _ReadDice[Answer]

    def at_random(self, source: Source) -> Answer:
        """Answer as the reading does."""
        return self.reading.at_random(source)

    def as_written(self, fixed_rolls: WrittenExample) -> Answer:
        """Answer as the reading does."""
        return self.reading.as_written(fixed_rolls)

    def n_ways(self) -> int | IntArray:
        """Return the number of falls of the dice, faces**k."""
        return self.reading.dice().n_ways()

    def way(self, number: IntArray) -> Answer:
        """Return the reading of one fall of the dice."""
        return self.reading.read(self.reading.dice().way(number))

    def weigh(self, number: IntArray) -> Weighting:
        """Return the weight of every fall, 1."""
        return self.reading.dice().weigh(number)


@dataclass(frozen=True, eq=False)
class Count(_ReadDice[IntArray]):
    """How many of the first `n_dice` of k dice show a face in `success`, `int[n]`."""

    faces: int
    k: int
    success: Success
    n_dice: IntArray | int | None = None

    def dice(self) -> Dice:
        """Return all k dice, so that every batch asks for the same number of them."""
        return Dice(self.name, self.faces, self.k)

    def at_random(self, source: Source) -> IntArray:
        """Roll every die and count; of very many dice, draw the binomial count instead."""
        if self.k <= MOST_ROLLED or source.is_paired:
            return super().at_random(source)
        n_dice = np.broadcast_to(np.asarray(self.k if self.n_dice is None else self.n_dice), source.n_drawn)
        return np.asarray(source.stream(self.name).binomial(n_dice, self._chance()), np.int16)

    def _chance(self) -> IntArray | float:
        """Return the probability of a success, for all trials or for each, `float[n]`."""
        if isinstance(self.success, np.ndarray):
            return np.asarray(self.success.sum(axis=-1) / self.faces)
        return len({*self.success}) / self.faces

    def read(self, dice: IntArray) -> IntArray:
        """Return the number of successes, `int16[n]`."""
        return count_successes(dice, self.faces, self.success, self.n_dice)

    def as_written(self, fixed_rolls: WrittenExample) -> IntArray:
        """Count the next dice of this name, only as many as `n_dice`."""
        n_used = self.k if self.n_dice is None else min(self.k, int(np.max(self.n_dice)))
        return self.read(Dice(self.name, self.faces, n_used).as_written(fixed_rolls))

    def n_ways(self) -> int:
        """Return k + 1: from no success to k."""
        return self.k + 1

    def way(self, number: IntArray) -> IntArray:
        """Return that number of successes, `int16[n]`."""
        return number.astype(np.int16)

    def weigh(self, number: IntArray) -> Weighting:
        """Return the binomial weights of the counts, exactly."""
        if not isinstance(self.success, np.ndarray) and not np.ndim(0 if self.n_dice is None else self.n_dice):
            n = self.k if self.n_dice is None else min(self.k, int(self.n_dice))
            row = _binomial_row(n, len(set(self.success)), self.faces, self.k)
            return np.array(row, np.int64 if self.faces**self.k < 2**63 else object)[number], self.faces**self.k
        n_good = success_faces(self.faces, self.success).sum(axis=-1)
        n_used = np.minimum(np.asarray(self.k if self.n_dice is None else self.n_dice), self.k)
        return _binomial_weights(number, n_used, n_good, self.faces, self.k), self.faces**self.k


@dataclass(frozen=True, eq=False)
class Successes(_ReadDice[BoolArray]):
    """Which of k dice show a face in `success`, `bool[n, k]`."""

    faces: int
    k: int
    success: Sequence[int]

    def dice(self) -> Dice:
        """Return the request for all k dice."""
        return Dice(self.name, self.faces, self.k)

    def read(self, dice: IntArray) -> BoolArray:
        """Return which dice succeed, `bool[n, k]`."""
        return _flags_of_faces(dice, self._flags)

    def n_ways(self) -> int:
        """Return 2**k."""
        return 1 << self.k

    def way(self, number: IntArray) -> BoolArray:
        """Return one set of dice that succeed, `bool[n, k]`, bit i of the number for die i."""
        return np.asarray(number[:, None] >> np.arange(self.k) & 1, bool)

    def weigh(self, number: IntArray) -> Weighting:
        """Return the number of falls with these successes."""
        n_good = int(self._flags.sum())
        weights = np.array([n_good**n * (self.faces - n_good) ** (self.k - n) for n in range(self.k + 1)], object)
        way_weights = weights[self.way(number).sum(axis=1)]
        return way_weights if self.faces**self.k > 2**62 else way_weights.astype(np.int64), self.faces**self.k

    @property
    def _flags(self) -> BoolArray:
        return success_faces(self.faces, self.success)


@dataclass(frozen=True, eq=False)
class Pool(_ReadDice[dict[str, IntArray]]):
    """How often each symbol shows on k dice, or on the first `n_dice` (`int[n]`) of them, by symbol."""

    die: SymbolDie
    k: int
    n_dice: IntArray | None = None

    def dice(self) -> Dice:
        """Return the request for the dice; those beyond `n_dice` are not rolled."""
        return Dice(self.name, len(self.die.faces), self.k, first_of_each(self.n_dice, self.k), self.die.number)

    def read(self, dice: IntArray) -> dict[str, IntArray]:
        """Return the number of each symbol, `int16[n]`."""
        return self.die.count(dice)

    def n_ways(self) -> int | IntArray:
        """Return the number of distinct combinations of symbols, for the dice of each trial."""
        if self.n_dice is None:
            return len(self.die.distribution(self.k))
        return np.array([len(self.die.distribution(k)) for k in range(self.k + 1)])[self._n_used(self.n_dice)]

    def way(self, number: IntArray) -> dict[str, IntArray]:
        """Return a combination of symbols, `int16[n]` each, in lexicographic order."""
        return {symbol: self._of_distribution(number, symbol, np.int16) for symbol, _ in self.die.symbols}

    def weigh(self, number: IntArray) -> Weighting:
        """Return the multinomial weights of the combinations."""
        if self.n_dice is None:
            return self.die.distribution(self.k).weights[number], self.die.distribution(self.k).total
        return self._of_distribution(number, None, object), _powers(len(self.die.faces), self.k)[
            self._n_used(self.n_dice)
        ]

    def _of_distribution(self, number: IntArray, symbol: str | None, kind: type) -> WeightArray:
        """Return a column (None: the weights) at these outcomes of the distribution for each trial's dice."""
        if self.n_dice is None:
            distribution = self.die.distribution(self.k)
            return np.asarray(distribution.weights if symbol is None else distribution[symbol]).astype(kind)[number]
        starts, column = self.die.column_up_to(self.k, symbol, kind)
        return np.asarray(column[starts[self._n_used(self.n_dice)] + number])

    def _n_used(self, n_dice: IntArray) -> IntArray:
        return np.clip(n_dice, 0, self.k)


def success_faces(faces: int, success: Success) -> BoolArray:
    """Return which faces succeed, `bool[faces]`, from a list of them; flags are returned as given.

    Flags are `bool[faces]`, or `bool[n, faces]` where they differ by trial.

    >>> success_faces(6, [3, 4, 5]).tolist()
    [False, False, True, True, True, False]
    """
    if isinstance(success, np.ndarray) and success.dtype == bool:
        return success
    flags = np.zeros(faces, bool)
    flags[np.asarray(success, dtype=np.int64) - 1] = True
    return flags


def count_successes(dice: IntArray, faces: int, success: Success, n_dice: IntArray | int | None) -> IntArray:
    """Return how many of the first `n_dice` (None: all) dice of each row show a face in `success`, `int[n]`.

    `dice` is `int[n, k]`, faces from 1.
    """
    flags = success_faces(faces, success)
    is_success = (
        _flags_of_faces(dice, flags)
        if flags.ndim == 1
        else np.take_along_axis(flags, dice.astype(np.int64) - 1, axis=1)
    )
    if n_dice is None:
        return np.asarray(is_success.sum(axis=1, dtype=np.int16))
    counts = np.zeros(len(dice), np.int16)
    for place in range(dice.shape[1]):
        counts += is_success[:, place] & (n_dice > np.int64(place))
    return counts


def _flags_of_faces(dice: IntArray, flags: BoolArray) -> BoolArray:
    """Return the flag of the face of each die; flags are `bool[faces]` or `bool[n, faces]`."""
    matches = np.zeros_like(dice, dtype=bool)
    for face in np.flatnonzero(flags) + 1:  # comparing is ten times faster than indexing
        matches |= dice == face
    return matches


def _powers(base: int, k: int) -> WeightArray:
    """Return base**0 to base**k exactly, as Python integers if int64 cannot hold them."""
    return np.array([base**n for n in range(k + 1)], object)


def _distinct(counts: IntArray) -> list[int]:
    """Return the distinct values of small counts, rising; `numpy.unique` would import masked arrays, for 15 ms."""
    values: list[int] = np.flatnonzero(np.bincount(np.ravel(counts))).tolist()
    return values


def _binomial_row(n: int, good: int, faces: int, k: int) -> list[int]:
    """Return the number of falls of k dice with 0 to k successes among the first n."""
    ways = [comb(n, h) * good**h * (faces - good) ** (n - h) * faces ** (k - n) for h in range(n + 1)]
    return ways + [0] * (k - n)


def _binomial_weights(hits: IntArray, n_dice: IntArray, n_good: IntArray, faces: int, k: int) -> WeightArray:
    """Return C(n, h) good**h bad**(n-h) faces**(k-n) by row: falls of k dice with h successes among the first n."""
    kind = np.int64 if faces**k < 2**63 else object
    table = np.zeros((k + 1, faces + 1, k + 1), kind)
    for n in _distinct(n_dice):
        for good in _distinct(n_good):
            table[n, good] = _binomial_row(n, good, faces, k)
    return np.asarray(table[n_dice, n_good, hits])

"""The same dice for trials that read them differently: requests whose ways mean one fall of the dice for all trials.

Where the dice of a request count differently from trial to trial (so many of them, those faces), the number of a way
stands for different dice in different trials. `shared` lists such a request by what lies on the table instead: dice are
cut into *segments* at every number of dice that some trial rolls, faces that every trial reads alike are one *class*,
and a way is how many dice of each segment show each class. Two trials in one way have then rolled the same dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial, lcm, prod
from typing import Any

import numpy as np

from balance.base.errors import DistributionError
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.dice import Count, Dice, Pool, success_faces
from balance.chance.rolls.requests import (
    Answer,
    BoolArray,
    Deal,
    Draw,
    Request,
    Source,
    Uniform,
    Weighting,
    WrittenExample,
)


def shared(request: Request[Answer], before: Request[Answer] | None = None) -> Request[Answer]:
    """Return a request with the same answers, whose way of one number is the same fall of the dice in every trial.

    Parameters
    ----------
    before
        What this returned for the same request of more trials, whose numbers are to mean the same.

    Raises
    ------
    DistributionError
        There is no such list: a deck that differs from trial to trial, or an outcome drawn as a whole.

    Examples
    --------
    >>> armour = Count("armour", 6, 3, [4, 5, 6], np.array([1, 3]))
    >>> listed = shared(armour)
    >>> listed.n_ways(), listed.way(np.array([0, 0])).tolist()
    (6, [1, 3])
    """
    reading: Any = request
    if isinstance(request, Count):
        flags = success_faces(request.faces, request.success)
        if not _is_one(request.n_dice) or flags.ndim == 2:
            reading = _SharedDice(request.name, request, _of_count(request, flags, _segments_of(before)))
    elif isinstance(request, Pool):
        if not _is_one(request.n_dice):
            reading = _SharedDice(request.name, request, _of_pool(request, _segments_of(before)))
    elif isinstance(request, Dice):
        reading = request if request.is_rolled is None else _WithoutMask(request.name, request)
    elif isinstance(request, Uniform):
        if not isinstance(request.m, int):
            scale = before.scale if isinstance(before, _SharedUniform) else _scale(request.m)
            reading = _SharedUniform(request.name, request, scale)
    elif (isinstance(request, Deal) and request.n_cards is not None) or (
        isinstance(request, Draw) and not isinstance(request.place, int)
    ):
        raise DistributionError(f"{request.name!r} is not drawn alike in all trials, so none can share it with another")
    else:
        reading = request.by_fall(before)
    return reading  # type: ignore[no-any-return]


def _is_one(number: IntArray | int | None) -> bool:
    return number is None or isinstance(number, int) or np.ndim(number) == 0


def _segments_of(before: Request[Any] | None) -> _Segments | None:
    return before.reading.segments if isinstance(before, _SharedDice) else None


@dataclass(frozen=True, eq=False)
class _Segments:
    """How dice are cut up.

    Attributes
    ----------
    sizes
        Dice in each segment; those that no trial rolls are in none.
    faces
        One face of each class, from 0.
    ways
        `int64[w, segments, classes]`: dice of each segment that show each class.
    weights
        In how many ways the dice can fall so, Python integers `object[w]`.
    """

    sizes: tuple[int, ...]
    faces: IntArray
    ways: IntArray
    weights: Any

    @classmethod
    def of(
        cls, n_dice: IntArray | int | None, k: int, marks: IntArray, face_weights: Sequence[int] | None = None
    ) -> _Segments:
        """Cut k dice; faces with equal `marks`, `int[faces, ...]`, are one class."""
        _, faces, class_of = np.unique(marks, axis=0, return_index=True, return_inverse=True)
        sums = [0] * len(faces)
        for place, weight in zip(class_of.ravel().tolist(), face_weights or [1] * len(marks), strict=True):
            sums[place] += weight
        classes = tuple(sums)
        ends = [k] if n_dice is None else sorted({0, *np.clip(np.ravel(n_dice), 0, k).tolist()} - {0})
        sizes = tuple(np.diff([0, *ends]).tolist())
        n_ways = prod(comb(size + len(classes) - 1, size) for size in sizes)
        if n_ways > MOST_WAYS:
            raise DistributionError(f"{n_ways:,} falls of {k} dice are too many to list", "simulate this one")
        compositions = [list(_compositions(size, len(classes))) for size in sizes]
        places = np.indices([len(class_counts) for class_counts in compositions]).reshape(len(compositions), n_ways)
        ways = np.stack(
            [np.array(class_counts)[at] for class_counts, at in zip(compositions, places, strict=True)], axis=1
        )
        weights = [prod(_falls(counts, classes) for counts in way) for way in ways.tolist()]
        return cls(sizes, faces, ways, np.array(weights, object))


MOST_WAYS = 100_000
"""Falls of the dice of one request that are listed."""


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write n as a sum of so many numbers from 0."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


def _falls(counts: list[int], classes: tuple[int, ...]) -> int:
    """Return in how many ways dice can show so many faces of each class."""
    orders = factorial(sum(counts)) // prod(map(factorial, counts))
    return int(orders * prod(faces**n for faces, n in zip(classes, counts, strict=True)))


@dataclass(frozen=True, eq=False)
class _Reading:
    """What a request reads from segments: what each class adds, and how many segments each trial counts.

    Attributes
    ----------
    segments
        How the dice are cut up.
    adds
        By what is read, `int64[classes]` or `int64[n, classes]`: what a die of a class adds to it.
    is_used
        `bool[n, segments]` (`bool[1, segments]` where all trials are alike): which segments count.
    total
        What the weights sum to.
    """

    segments: _Segments
    adds: dict[str, IntArray]
    is_used: BoolArray
    total: int

    def read(self, number: IntArray) -> dict[str, IntArray]:
        """Return what is read, in the way of this number."""
        counts = (self.segments.ways[number] * self.is_used[:, :, None]).sum(axis=1)
        return {name: (counts * adds).sum(axis=1).astype(np.int16) for name, adds in self.adds.items()}


def _of_count(request: Count, flags: BoolArray, known_segments: _Segments | None) -> _Reading:
    table = np.atleast_2d(flags).astype(np.int64)
    segments = known_segments or _Segments.of(request.n_dice, request.k, table.T)
    return _reading(segments, {"": table[:, segments.faces]}, request.n_dice, request.faces)


def _of_pool(request: Pool, known_segments: _Segments | None) -> _Reading:
    n_faces = len(request.die.faces)
    face_symbols = request.die.count(np.arange(1, n_faces + 1)[:, None])
    segments = known_segments or _Segments.of(request.n_dice, request.k, np.stack(list(face_symbols.values()), axis=1))
    adds = {symbol: counts[segments.faces] for symbol, counts in face_symbols.items()}
    return _reading(segments, adds, request.n_dice, n_faces)


def _reading(segments: _Segments, adds: dict[str, IntArray], n_dice: IntArray | int | None, n_faces: int) -> _Reading:
    ends = np.cumsum(segments.sizes)
    limit = ends[-1:] if n_dice is None else np.minimum(np.atleast_1d(n_dice), ends[-1])
    return _Reading(segments, adds, ends[None, :] <= limit[:, None], n_faces ** int(ends[-1]))


def shared_dice(
    request: Request[Answer],
    n_dice: IntArray,
    face_weights: Sequence[int],
    adds: Mapping[str, IntArray],
    before: Request[Any] | None,
) -> Request[Answer]:
    """Return a request for the first so many of some equal dice, listed by how these fall in all trials.

    Parameters
    ----------
    request
        What is asked for; its answer is a number for each name of `adds`.
    n_dice
        How many dice each trial rolls, `int[n]`.
    face_weights
        Of each face, whole numbers.
    adds
        Name -> what a die that shows a face adds to it, `int[n, faces]`.
    before
        What this returned for the same request of more trials.

    Raises
    ------
    DistributionError
        The dice can fall in too many ways.
    """
    segments = _segments_of(before)
    if segments is None:
        marks = np.concatenate([np.unique(table, axis=0).T for table in adds.values()], axis=1)
        segments = _Segments.of(n_dice, int(n_dice.max(initial=0)), marks, face_weights)
    by_class = {name: table[:, segments.faces] for name, table in adds.items()}
    return _SharedDice(request.name, request, _reading(segments, by_class, n_dice, sum(face_weights)))


@dataclass(frozen=True, eq=False)
class _AsList(Request[Answer]):
    """A request that is only listed; whoever plays asks the one behind it."""

    behind: Request[Answer]

    def at_random(self, source: Source) -> Answer:
        """Answer as the request behind does."""
        return self.behind.at_random(source)

    def as_written(self, fixed_rolls: WrittenExample) -> Answer:
        """Answer as the request behind does."""
        return self.behind.as_written(fixed_rolls)


@dataclass(frozen=True, eq=False)
class _SharedDice(_AsList[Any]):
    """What dice show, listed by segments and classes."""

    reading: _Reading

    def n_ways(self) -> int:
        """Return in how many ways the dice can fall that differ for some trial."""
        return len(self.reading.segments.ways)

    def way(self, number: IntArray) -> Any:
        """Return what each trial reads from one of them."""
        value = self.reading.read(number)
        return value[""] if isinstance(self.behind, Count) else value

    def weigh(self, number: IntArray) -> Weighting:
        """Weigh it by in how many ways the dice can fall so."""
        weights = self.reading.segments.weights[number]
        return weights if self.reading.total > 2**62 else weights.astype(np.int64), self.reading.total


@dataclass(frozen=True, eq=False)
class _WithoutMask(_AsList[IntArray]):
    """Dice of which some are not rolled, listed as if all were: those that are not show 0 all the same."""

    @property
    def _all_dice(self) -> Dice:
        dice: Any = self.behind
        return Dice(dice.name, dice.faces, dice.k)

    def n_ways(self) -> int | IntArray:
        """Return faces**k, of all dice."""
        return self._all_dice.n_ways()

    def way(self, number: IntArray) -> IntArray:
        """Return the faces of those that are rolled."""
        mask: Any = getattr(self.behind, "is_rolled")  # noqa: B009 - of `Dice`, which a generic base hides
        return np.where(mask, self._all_dice.way(number), 0)

    def weigh(self, number: IntArray) -> Weighting:
        """Return that each fall of all dice weighs the same."""
        return self._all_dice.weigh(number)


def _scale(m: IntArray) -> int:
    common_multiple = lcm(*set(m.tolist()))
    if common_multiple > MOST_WAYS:
        raise DistributionError(f"{common_multiple:,} numbers are too many to list", "simulate this one")
    return common_multiple


@dataclass(frozen=True, eq=False)
class _SharedUniform(_AsList[IntArray]):
    """One of as many numbers as each trial has, listed on a scale that all of them divide."""

    scale: int

    def n_ways(self) -> int:
        """Return the length of the scale."""
        return self.scale

    def way(self, number: IntArray) -> IntArray:
        """Return the number of each trial at this place of the scale."""
        m = np.asarray(getattr(self.behind, "m"))  # noqa: B009 - of `Uniform`, which a generic base hides
        return np.asarray(number * m // self.scale)

    def weigh(self, number: IntArray) -> Weighting:
        """Return that all places of the scale weigh the same."""
        return None, self.scale

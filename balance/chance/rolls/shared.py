"""Common random numbers for trials that read their dice differently.

Where the dice of a request count differently from trial to trial (so many of them, those faces), the number of a way
stands for different dice in different trials. `shared` enumerates such a request by what lies on the table instead:
dice are cut into *segments* at every number of dice that some trial rolls, faces that every trial reads alike are one
*class*, and a way is how many dice of each segment show each class. Two trials in one way have then rolled the same
dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial, lcm, prod
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import DistributionError
from balance.chance.rolls.dice import Count, Dice, Pool, success_faces
from balance.chance.rolls.requests import Answer, Deal, Draw, Request, Source, Uniform, Weighting, WrittenExample


def shared(request: Request[Answer], before: Request[Answer] | None = None) -> Request[Answer]:
    """Return a request with the same answers, each of whose ways is one fall of the dice in all trials.

    `before` is what this returned for the same request of more trials, whose numbering is kept. Raise DistributionError
    for a deck that differs from trial to trial, and for outcomes drawn as a whole.
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
    return reading  # type: ignore[no-any-return]


def _is_one(number: IntArray | int | None) -> bool:
    return number is None or isinstance(number, int) or np.ndim(number) == 0


def _segments_of(before: Request[Any] | None) -> _Segments | None:
    return before.reading.segments if isinstance(before, _SharedDice) else None


@dataclass(frozen=True, eq=False)
class _Segments:
    """Dice cut into segments, and all w ways in which they can show classes of faces.

    `sizes`: number of dice in each segment; dice that no trial rolls are in none. `faces`: one face of each class, from
    0. `ways`: `int64[w, segments, classes]`: number of dice of each segment that show each class. `weights`: number of
    falls of each way, Python integers `object[w]`.
    """

    sizes: tuple[int, ...]
    faces: IntArray
    ways: IntArray
    weights: Any

    @classmethod
    def of(
        cls, n_dice: IntArray | int | None, k: int, marks: IntArray, face_weights: Sequence[int] | None = None
    ) -> _Segments:
        """Cut k dice at every number of `n_dice`; faces with equal `marks`, `int[faces, ...]`, are one class.

        Raise DistributionError if there are more than 100,000 ways.
        """
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
    """Yield every way to write n as an ordered sum of so many parts of 0 or more."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


def _falls(counts: list[int], classes: tuple[int, ...]) -> int:
    """Return the multinomial number of falls with so many dice in each class, whose faces `classes` counts."""
    orders = factorial(sum(counts)) // prod(map(factorial, counts))
    return int(orders * prod(faces**n for faces, n in zip(classes, counts, strict=True)))


@dataclass(frozen=True, eq=False)
class _Reading:
    """The reading of segments by a request: what a die of each class adds, and which segments each trial counts.

    `adds`: by name, `int64[classes]` or `int64[n, classes]`: what a die of a class adds. `is_used`: `bool[n,
    segments]`, or `bool[1, segments]` where all trials are alike: which segments count. `total`: sum of the weights of
    all ways.
    """

    segments: _Segments
    adds: dict[str, IntArray]
    is_used: BoolArray
    total: int

    def read(self, number: IntArray) -> dict[str, IntArray]:
        """Return the reading of each trial, `int16[n]` by name, in the way of this number."""
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


@dataclass(frozen=True, eq=False)
class _AsList(Request[Answer]):
    """A request that is only enumerated; random and written answers come from the request behind it."""

    behind: Request[Answer]

    def at_random(self, source: Source) -> Answer:
        """Answer as the request behind does, without sharing."""
        return self.behind.at_random(source)

    def as_written(self, fixed_rolls: WrittenExample) -> Answer:
        """Answer as the request behind does."""
        return self.behind.as_written(fixed_rolls)


@dataclass(frozen=True, eq=False)
class _SharedDice(_AsList[Any]):
    """A reading of dice, enumerated by segments and classes."""

    reading: _Reading

    def n_ways(self) -> int:
        """Return the number of falls that differ for some trial."""
        return len(self.reading.segments.ways)

    def way(self, number: IntArray) -> Any:
        """Return the reading of each trial from the fall of this number."""
        value = self.reading.read(number)
        return value[""] if isinstance(self.behind, Count) else value

    def weigh(self, number: IntArray) -> Weighting:
        """Return the number of falls merged into each way, and that of all falls."""
        weights = self.reading.segments.weights[number]
        return weights if self.reading.total > 2**62 else weights.astype(np.int64), self.reading.total


@dataclass(frozen=True, eq=False)
class _WithoutMask(_AsList[IntArray]):
    """Dice some of which are not rolled, enumerated as if all were; those not rolled show 0."""

    @property
    def _all_dice(self) -> Dice:
        dice: Any = self.behind
        return Dice(dice.name, dice.faces, dice.k)

    def n_ways(self) -> int | IntArray:
        """Return faces**k, for all k dice."""
        return self._all_dice.n_ways()

    def way(self, number: IntArray) -> IntArray:
        """Return the faces, `int[n, k]`, 0 for dice that are not rolled."""
        mask: Any = getattr(self.behind, "is_rolled")  # noqa: B009 - of `Dice`, which a generic base hides
        return np.where(mask, self._all_dice.way(number), 0)

    def weigh(self, number: IntArray) -> Weighting:
        """Return weight 1 of faces**k."""
        return self._all_dice.weigh(number)


def _scale(m: IntArray) -> int:
    common_multiple = lcm(*set(m.tolist()))
    if common_multiple > MOST_WAYS:
        raise DistributionError(f"{common_multiple:,} numbers are too many to list", "simulate this one")
    return common_multiple


@dataclass(frozen=True, eq=False)
class _SharedUniform(_AsList[IntArray]):
    """A uniform number below each trial's m, enumerated on a scale that every m divides."""

    scale: int

    def n_ways(self) -> int:
        """Return the least common multiple of all m."""
        return self.scale

    def way(self, number: IntArray) -> IntArray:
        """Return the number of each trial at this place of the scale, floor(place * m / scale)."""
        m = np.asarray(getattr(self.behind, "m"))  # noqa: B009 - of `Uniform`, which a generic base hides
        return np.asarray(number * m // self.scale)

    def weigh(self, number: IntArray) -> Weighting:
        """Return equal weights, 1 of `scale`."""
        return None, self.scale

"""Rectangles on the table, as functions of arrays: whether they overlap or touch, how far apart they are, what stops.

Lengths are micrometres and headings thousandths of a degree, clockwise from the direction of side b, both whole; so a
table turned by half a turn gives the same numbers with the other sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from balance.base.arrays import Array, BoolArray, FloatArray, IntArray

MM, DEGREE = 1_000, 1_000
TURN = 360 * DEGREE
OVERLAP, TOUCH = 20.0, 50.0
"""How far rectangles reach into each other before they overlap, and the widest gap at which they touch."""
FRONT, RIGHT, REAR, LEFT = range(4)
"""Edges of a rectangle."""
Vector: TypeAlias = tuple[Array, Array]


def direction(heading: IntArray) -> Vector:
    """Return the unit vector of headings; exact to the last bit for a turn by any number of right angles.

    >>> [(part + 0.0).round(3).tolist() for part in direction(np.array([0, 90_000, 30_000]))]
    [[0.0, 1.0, 0.5], [1.0, 0.0, 0.866]]
    """
    quarter, rest = np.divmod(np.asarray(heading) % TURN, TURN // 4)
    sine, cosine = np.sin(np.radians(rest / DEGREE)), np.cos(np.radians(rest / DEGREE))
    swaps, negates = quarter % 2 == 1, np.where(quarter >= 2, -1.0, 1.0)
    x, y = np.where(swaps, cosine, sine), np.where(swaps, -sine, cosine)
    return x * negates, y * negates


def dot(a: Vector, b: Vector) -> FloatArray:
    """Return the scalar product of vectors."""
    return np.asarray(a[0] * b[0] + a[1] * b[1])


@dataclass(frozen=True)
class Box:
    """Rectangles: centres, half of width and depth, and headings, all of shapes that go together."""

    x: Array
    y: Array
    half_width: Array
    half_depth: Array
    heading: Array

    def __getitem__(self, index: Any) -> Box:
        """Return some of the rectangles, or the same with new axes."""
        box = Box(*(getattr(self, name)[index] for name in ("x", "y", "half_width", "half_depth", "heading")))
        box.__dict__["axes"] = tuple((x[index], y[index]) for x, y in self.axes)
        return box

    @cached_property
    def axes(self) -> tuple[Vector, Vector]:
        """Unit vectors to the right and forward."""
        x, y = direction(self.heading)
        return (y, -x), (x, y)

    def reach(self, axis: Vector) -> FloatArray:
        """Return half of its extent along an axis."""
        right, forward = self.axes
        return np.asarray(abs(dot(right, axis)) * self.half_width + abs(dot(forward, axis)) * self.half_depth)

    def seen_from(self, x: Array | float, y: Array | float) -> Vector:
        """Return points in its own frame: to the right of its centre, and forward."""
        right, forward = self.axes
        offset = (np.asarray(x - self.x, float), np.asarray(y - self.y, float))
        return dot(offset, right), dot(offset, forward)

    def at(self, right: Array | float, forward: Array | float) -> Vector:
        """Return points of its own frame on the table."""
        (rx, ry), (fx, fy) = self.axes
        return self.x + rx * right + fx * forward, self.y + ry * right + fy * forward

    def points(self) -> Vector:
        """Return its four corners and its centre, on a new last axis."""
        box = self[..., None]
        signs = np.array([[-1, 1, 1, -1, 0], [1, 1, -1, -1, 0]])
        return box.at(signs[0] * box.half_width, signs[1] * box.half_depth)

    def gaps(self, other: Box) -> FloatArray:
        """Return the gap along its axes to the right and forward, below 0 where extents overlap, on a first axis."""
        frame = self.seen_from(other.x, other.y)
        halves = (self.half_width, self.half_depth)
        parts = zip(frame, halves, self.axes, strict=True)
        return np.stack([abs(offset) - half - other.reach(axis) for offset, half, axis in parts])

    def gap(self, other: Box) -> FloatArray:
        """Return the largest gap along the four axes of two rectangles, below 0 where they overlap."""
        return np.asarray(np.maximum(self.gaps(other).max(axis=0), other.gaps(self).max(axis=0)))

    def overlaps(self, other: Box) -> BoolArray:
        """Return which rectangles overlap."""
        return np.asarray(self.gap(other) < -OVERLAP)

    def touches(self, other: Box) -> BoolArray:
        """Return which rectangles touch or overlap."""
        return np.asarray(self.gap(other) <= TOUCH)

    def edge_towards(self, other: Box) -> IntArray:
        """Return the edge at which another rectangle stands: across the wider gap, of equal ones front or rear."""
        (right, forward), (aside, ahead) = self.seen_from(other.x, other.y), self.gaps(other)
        return np.where(ahead >= aside - TOUCH, np.where(forward >= 0, FRONT, REAR), np.where(right >= 0, RIGHT, LEFT))

    def distance(self, other: Box) -> FloatArray:
        """Return the distance between the nearest points of two rectangles, 0 where they overlap (RW-LOS.5)."""
        apart = np.minimum(_from_corners(self, other), _from_corners(other, self))
        return np.where(self.gap(other) <= 0, 0.0, apart)

    def half(self, edge: IntArray) -> Array:
        """Return the distance from its centre to an edge."""
        return np.where(edge % 2 == 0, self.half_depth, self.half_width)

    def within(self, half_table: tuple[int, int], gap: int = 0) -> BoolArray:
        """Return which rectangles lie on the table, at least a gap from its edges."""
        wide, deep = np.array(1.0), np.array(0.0)
        inside_x = abs(self.x) + self.reach((wide, deep)) <= half_table[0] - gap + OVERLAP
        return np.asarray(inside_x & (abs(self.y) + self.reach((deep, wide)) <= half_table[1] - gap + OVERLAP))


def _from_corners(box: Box, other: Box) -> FloatArray:
    x, y = other.points()
    right, forward = box[..., None].seen_from(x[..., :4], y[..., :4])
    aside = np.maximum(abs(right) - box.half_width[..., None], 0)
    return np.asarray(np.hypot(aside, np.maximum(abs(forward) - box.half_depth[..., None], 0)).min(axis=-1))


def stop_of(mover: Box, way: Vector, distance: Array, other: Box) -> FloatArray:
    """Return how far a rectangle goes along unit vectors until it meets another, infinite where it does not.

    What it touches already stops it at once if it would run into it, and not if it slides along.
    """
    enters, stops, leaves = (np.full(np.broadcast(mover.x, other.x).shape, end) for end in (-np.inf, 0.0, np.inf))
    offset = (np.asarray(other.x - mover.x, float), np.asarray(other.y - mover.y, float))
    for axis in (*mover.axes, *other.axes):
        far, speed, reach = dot(offset, axis), dot(way, axis), mover.reach(axis) + other.reach(axis)
        far, speed = far * np.where(speed < 0, -1, 1), abs(speed)
        still = speed < 1e-12
        pace = np.where(still, 1.0, speed)
        beside = np.where(abs(far) < reach - OVERLAP, -np.inf, np.inf)
        enters = np.maximum(enters, np.where(still, beside, (far - reach + OVERLAP) / pace))
        leaves = np.minimum(leaves, np.where(still, -beside, (far + reach - OVERLAP) / pace))
        stops = np.maximum(stops, np.where(still, 0.0, (far - reach) / pace))
    return np.where((enters < leaves) & (leaves > 0) & (stops <= distance), stops, np.inf)


def edge_of_table(mover: Box, way: Vector, half_table: tuple[int, int]) -> FloatArray:
    """Return how far a rectangle goes along unit vectors until it is at the edge of the table."""
    ends = []
    one, none = np.array(1.0), np.array(0.0)
    for place, speed, axis, half in zip((mover.x, mover.y), way, ((one, none), (none, one)), half_table, strict=True):
        room = half - mover.reach(axis) - place * np.where(speed < 0, -1, 1)
        ends.append(np.where(abs(speed) < 1e-12, np.inf, room / np.maximum(abs(speed), 1e-12)))
    return np.maximum(np.minimum(*ends), 0.0)


def crosses(x: Vector, y: Vector, box: Box) -> BoolArray:
    """Return which lines cross a rectangle made smaller on all sides; `x` and `y` are those of both ends."""
    begin, end = (box.seen_from(x[at], y[at]) for at in (0, 1))
    low, high = np.array(0.0), np.array(1.0)
    for a, b, half in zip(begin, end, (box.half_width - OVERLAP, box.half_depth - OVERLAP), strict=True):
        change = b - a
        still = abs(change) < 1e-9
        pace = np.where(still, 1.0, change)
        first, last = (-half - a) / pace, (half - a) / pace
        aside = abs(a) >= half
        low = np.maximum(low, np.where(still, np.where(aside, np.inf, -np.inf), np.minimum(first, last)))
        high = np.minimum(high, np.where(still, np.inf, np.maximum(first, last)))
    return np.asarray(low < high)

"""Rectangles on a table in plain Python: overlap and contact, what a move runs into, distances, lines through them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, hypot, inf, radians, sin

OVERLAP, TOUCH = 0.02, 0.05
"""How deep in mm rectangles must be in each other to overlap, and how far apart they may be to touch."""
NORTH, EAST, SOUTH, WEST = range(4)
"""Edges and directions of a rectangle: front, right, rear, left."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Block:
    """A rectangle: centre in mm, heading in degrees clockwise from the y axis, width across and depth along it."""

    x: float
    y: float
    heading: float
    width: float
    depth: float

    def way(self, direction: int) -> Point:
        """Return the unit vector from the centre towards an edge."""
        angle = radians(self.heading + 90 * direction)
        return sin(angle), cos(angle)

    def at(self, right: float, ahead: float) -> Point:
        """Return the point so far to the right of the centre and ahead of it."""
        (fx, fy), (rx, ry) = self.way(NORTH), self.way(EAST)
        return self.x + rx * right + fx * ahead, self.y + ry * right + fy * ahead

    def frame(self, point: Point) -> Point:
        """Return how far to the right of the centre and ahead of it a point lies."""
        (fx, fy), (rx, ry) = self.way(NORTH), self.way(EAST)
        dx, dy = point[0] - self.x, point[1] - self.y
        return dx * rx + dy * ry, dx * fx + dy * fy

    def half(self, direction: int) -> float:
        """Return how far the edge of a direction is from the centre."""
        return (self.width if direction in (EAST, WEST) else self.depth) / 2

    @property
    def centre(self) -> Point:
        return self.x, self.y

    def corners(self) -> list[Point]:
        """Return front left, front right, rear right and rear left."""
        w, d = self.width / 2, self.depth / 2
        return [self.at(-w, d), self.at(w, d), self.at(w, -d), self.at(-w, -d)]

    def moved(self, direction: int, length: float) -> Block:
        x, y = self.way(direction)
        return replace(self, x=self.x + x * length, y=self.y + y * length)

    def rounded(self) -> Block:
        """Return it to a thousandth of a mm and of a degree, its heading from 0 to 360."""
        heading = round(self.heading % 360, 3) % 360
        return replace(self, x=round(self.x, 3) + 0.0, y=round(self.y, 3) + 0.0, heading=heading)


def pivoted(block: Block, degrees: float, about: Point) -> Block:
    """Return a rectangle turned clockwise about a point."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    dx, dy = block.x - about[0], block.y - about[1]
    x, y = about[0] + dx * c + dy * s, about[1] - dx * s + dy * c
    return replace(block, x=x, y=y, heading=block.heading + degrees)


def shadow(block: Block, axis: Point) -> Point:
    """Return the least and the greatest place of a rectangle along an axis."""
    places = [x * axis[0] + y * axis[1] for x, y in block.corners()]
    return min(places), max(places)


def shared(one: Block, other: Block) -> float:
    """Return how deep two rectangles are in each other along that of their four axes where it is least."""
    depth = inf
    for axis in (one.way(NORTH), one.way(EAST), other.way(NORTH), other.way(EAST)):
        (low, high), (least, most) = shadow(one, axis), shadow(other, axis)
        depth = min(depth, high - least, most - low)
    return depth


def overlap(one: Block, other: Block) -> bool:
    return shared(one, other) > OVERLAP


def touch(one: Block, other: Block) -> bool:
    return shared(one, other) >= -TOUCH


def distance(one: Block, other: Block) -> float:
    """Return how far the nearest points of two rectangles are from each other."""
    if shared(one, other) >= 0:
        return 0.0
    return min(_outside(a, point) for a, b in ((one, other), (other, one)) for point in b.corners())


def _outside(block: Block, point: Point) -> float:
    right, ahead = block.frame(point)
    return hypot(max(0.0, abs(right) - block.width / 2), max(0.0, abs(ahead) - block.depth / 2))


def free_way(block: Block, direction: int, length: float, other: Block) -> float:
    """Return how far a rectangle goes straight on until it is stopped by another, infinity if it is not."""
    way = block.way(direction)
    (enters, leaves), contact = (-inf, inf), -inf
    for axis in (block.way(NORTH), block.way(EAST), other.way(NORTH), other.way(EAST)):
        (low, high), (least, most) = shadow(block, axis), shadow(other, axis)
        speed = way[0] * axis[0] + way[1] * axis[1]
        if abs(speed) < 1e-6:
            if min(high - least, most - low) <= OVERLAP:
                return inf
            continue
        first, last = sorted(((least - high) / speed, (most - low) / speed))
        contact, hair = max(contact, first), OVERLAP / abs(speed)
        enters, leaves = max(enters, first + hair), min(leaves, last - hair)
    return max(0.0, contact) if enters < leaves and leaves > 0 and contact <= length + 1e-6 and enters > 0 else inf


def crosses(start: Point, end: Point, block: Block) -> bool:
    """Return whether a line passes through a rectangle made smaller by a hair on all sides."""
    low, high = 0.0, 1.0
    for at, to, side in zip(block.frame(start), block.frame(end), (block.width, block.depth), strict=True):
        half = side / 2 - OVERLAP
        if abs(to - at) < 1e-9:
            if abs(at) > half:
                return False
            continue
        near, far = sorted(((-half - at) / (to - at), (half - at) / (to - at)))
        low, high = max(low, near), min(high, far)
    return low < high


def struck_edge(of: Block, by: Block) -> int:
    """Return the edge of one rectangle that another is at: the axis of the larger gap, of equals the heading's."""
    gaps = []
    for direction in (NORTH, EAST):
        (low, high), (least, most) = shadow(of, of.way(direction)), shadow(by, of.way(direction))
        gaps.append((abs(low + high - least - most) - (high - low) - (most - least)) / 2)
    right, ahead = of.frame(by.centre)
    if gaps[0] >= gaps[1] - TOUCH:
        return NORTH if ahead >= 0 else SOUTH
    return EAST if right >= 0 else WEST

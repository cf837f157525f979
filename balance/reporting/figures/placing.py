"""Where labels go: beside their point, inside the frame, over no other label or point; with no place left, nowhere.

Boxes are (left, bottom, right, top) in pixels. The search is greedy and in order, so the first labels get the best
places: hand in the important ones first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
_ANGLES = (0.0, 0.25, -0.25, 1.0, 0.75, -0.75, 0.5, -0.5, 0.125, -0.125, 0.875, -0.875)
_DISTANCES = (5.0, 9.0, 15.0, 23.0, 33.0, 45.0, 60.0, 78.0)


def overlap(first: Box, second: Box) -> bool:
    """Return whether two boxes share more than an edge.

    >>> overlap((0, 0, 2, 2), (1, 1, 3, 3)), overlap((0, 0, 2, 2), (2, 0, 3, 2))
    (True, False)
    """
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def place_labels(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    obstacles: Sequence[Box] = (),
    unit: float = 1.0,
) -> list[Box | None]:
    """Return a box for each of n labels, or None where no free place is near its point; the first ones choose first.

    Points and sizes (width, height) are in pixels; labels stay inside `frame` and off `obstacles`. `unit` is the pixels
    in a point of type, the unit of the distances tried.

    >>> place_labels([(50, 50)], [(20, 8)], (0, 0, 100, 100))
    [(55.0, 46.0, 75.0, 54.0)]
    """
    occupied_boxes = list(obstacles)
    boxes: list[Box | None] = []
    for point, size in zip(points, sizes, strict=True):
        candidates = (_box(point, size, angle, far * unit) for far in _DISTANCES for angle in _ANGLES)
        free = (
            box
            for box in candidates
            if _inside(box, frame) and not any(overlap(box, obstacle) for obstacle in occupied_boxes)
        )
        best = next(free, None)
        boxes.append(best)
        if best is not None:
            occupied_boxes.append(best)
    return boxes


def _box(point: tuple[float, float], size: tuple[float, float], turn: float, far: float) -> Box:
    """Return the box of a label `far` pixels from its point, in direction `turn` half-turns from the right."""
    across, up = cos(turn * pi), sin(turn * pi)
    x, y = point[0] + far * across, point[1] + far * up
    left = x - size[0] * (1 - across) / 2
    bottom = y - size[1] * (1 - up) / 2
    return left, bottom, left + size[0], bottom + size[1]


def _inside(box: Box, frame: Box) -> bool:
    return frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]


def spread(targets: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near n targets, in their order, at least `gap` apart and within low to high while there is room.

    >>> spread([5.0, 5.0, 0.0], 2.0, 0.0, 10.0)
    [4.0, 6.0, 0.0]
    """
    order = sorted(range(len(targets)), key=lambda index: (targets[index], index))
    groups: list[list[float]] = []
    for index in order:
        groups.append([targets[index], 1])
        while len(groups) > 1 and _is_too_close(groups[-2], groups[-1], gap):
            centre, count = groups.pop()
            before, count_before = groups.pop()
            groups.append([(before * count_before + centre * count) / (count_before + count), count_before + count])
    places = [centre + (place - (count - 1) / 2) * gap for centre, count in groups for place in range(int(count))]
    places = _squeeze(places, gap, low, high)
    return [places[order.index(index)] for index in range(len(targets))]


def _is_too_close(lower: list[float], upper: list[float], gap: float) -> bool:
    """Return whether two neighbouring groups (centre, count) of places `gap` apart overlap."""
    return upper[0] - lower[0] < gap * (lower[1] + upper[1]) / 2


def _squeeze(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Return ascending places, `gap` apart, pushed below high and then above low; too many overrun the high end."""
    for index in range(len(places) - 1, -1, -1):
        limit = high if index == len(places) - 1 else places[index + 1] - gap
        places[index] = min(places[index], limit)
    for index in range(len(places)):
        limit = low if index == 0 else places[index - 1] + gap
        places[index] = max(places[index], limit)
    return places

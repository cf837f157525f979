from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.reporting.figures.placing import overlap, place_labels, spread

spots = st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), max_size=25)


@given(spots)
def test_labels_keep_inside_and_apart(points: list[tuple[float, float]]) -> None:
    dots = [(x - 3, y - 3, x + 3, y + 3) for x, y in points]
    boxes = [box for box in place_labels(points, [(60.0, 10.0)] * len(points), (0, 0, 400, 300), dots) if box]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlap(box, dot) for box in boxes for dot in dots)
    assert all(min(box) >= 0 and box[2] <= 400 and box[3] <= 300 for box in boxes)


def test_no_room_is_told() -> None:
    assert place_labels([(5, 5)], [(60, 10)], (0, 0, 10, 10)) == [None]


def test_a_lone_label_sits_right_of_its_point() -> None:
    box = place_labels([(50, 50)], [(20, 8)], (0, 0, 100, 100))[0]
    assert box is not None
    assert box[0] > 50


@given(st.lists(st.floats(0, 100), min_size=1, max_size=10))
def test_spread_keeps_apart_inside_and_in_order(wanted: list[float]) -> None:
    placed = spread(wanted, 10.0, 0.0, 100.0)
    ordered = sorted(placed)
    assert all(after - before >= 10.0 - 1e-6 for before, after in pairwise(ordered))
    assert ordered[0] >= -1e-6
    assert ordered[-1] <= 100 + 1e-6
    assert sorted(range(len(wanted)), key=lambda i: (wanted[i], i)) == sorted(
        range(len(placed)), key=lambda i: placed[i]
    )


def test_places_with_room_stay() -> None:
    assert spread([10.0, 50.0, 90.0], 10.0, 0.0, 100.0) == [10.0, 50.0, 90.0]


RINGS = [
    *((55.0, 48.5), (52.7, 53.1), (52.7, 43.9), (39.0, 48.5), (41.3, 53.1), (41.3, 43.9), (47.0, 59.0), (47.0, 38.0)),
    *((65.0, 48.5), (59.7, 60.2), (59.7, 36.8), (29.0, 48.5), (34.3, 60.2), (34.3, 36.8), (47.0, 65.0), (47.0, 32.0)),
    *((63.6, 54.8), (63.6, 42.2), (30.4, 54.8), (30.4, 42.2), (73.0, 48.5), (65.4, 65.8), (65.4, 31.2), (21.0, 48.5)),
]


def test_labels_go_round_their_point_and_then_farther_off_in_the_order_handed_in() -> None:
    """Right, up and down of it, left, over and under; the next ring where the one before is full."""
    boxes = place_labels([(50, 50)] * len(RINGS), [(6, 3)] * len(RINGS), (0, 0, 100, 100))
    assert [box and (round(box[0], 1), round(box[1], 1)) for box in boxes] == RINGS
    assert all(box and (round(box[2] - box[0], 9), round(box[3] - box[1], 9)) == (6, 3) for box in boxes)


def test_a_unit_scales_the_distances_not_the_labels() -> None:
    assert place_labels([(50, 50)], [(20, 8)], (0, 0, 100, 100), unit=2.0) == [(60.0, 46.0, 80.0, 54.0)]


@pytest.mark.parametrize(
    ("frame", "fits"),
    [((0, 46, 75, 54), True), ((0, 46.1, 75, 54), False), ((0, 46, 74.9, 54), False), ((0, 46, 75, 53.9), False)],
)
def test_a_label_may_touch_the_frame(frame: tuple[float, float, float, float], fits: bool) -> None:
    taken = [(0.0, 0.0, 52.0, 100.0)]
    assert place_labels([(50, 50)], [(20, 8)], frame, taken)[0] == ((55.0, 46.0, 75.0, 54.0) if fits else None)


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ((0, 0, 2, 2), (1, 1, 3, 3), True),
        ((0, 0, 2, 2), (2, 0, 3, 2), False),
        ((0, 0, 2, 2), (0, 2, 2, 3), False),
        ((0, 0, 9, 9), (1, 1, 2, 2), True),
        ((0, 0, 2, 2), (3, 1, 4, 2), False),
        ((0, 0, 2, 2), (1, 3, 2, 4), False),
    ],
)
def test_boxes_that_share_an_edge_do_not_overlap(
    one: tuple[float, ...], other: tuple[float, ...], shared: bool
) -> None:
    assert overlap(one, other) == overlap(other, one) == shared


@pytest.mark.parametrize(
    ("wanted", "placed"),
    [
        ([5.0, 5.0, 0.0], [4.0, 6.0, 0.0]),
        ([5.0, 5.0, 5.0], [3.0, 5.0, 7.0]),
        ([0.0, 0.0], [0.0, 2.0]),
        ([10.0, 10.0, 9.5], [8.0, 10.0, 6.0]),
        ([1.0, 2.0, 8.0], [0.5, 2.5, 8.0]),
        ([1.0, 2.5, 3.0, 9.0], [0.17, 2.17, 4.17, 9.0]),
        ([5.0] * 7, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]),
        ([], []),
    ],
)
def test_crowded_places_spread_about_their_mean(wanted: list[float], placed: list[float]) -> None:
    assert [round(place, 2) for place in spread(wanted, 2.0, 0.0, 10.0)] == placed

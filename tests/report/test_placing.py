from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from balance.report.placing import overlap, place_labels, spread

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

"""Rows, their keys and their weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.base.arrays import IntArray
from balance.chance.pmf import arrays
from balance.chance.pmf.arrays import as_weights, decode, encode, lattice, merge_columns, merge_rows, widen

tables = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.tuples(*[st.integers(-(2**61), 2**61) | st.integers(-3, 3)] * k), min_size=1, max_size=30)
)
small = st.lists(st.tuples(st.integers(-300, 300), st.integers(0, 9), st.just(4)), min_size=1, max_size=30)


@pytest.mark.slow("test_places_on_a_lattice_are_ordered_as_rows_and_lead_back")
@given(tables, st.data())
def test_merged_rows_are_sorted_distinct_and_keep_all_weight(rows: list[tuple[int, ...]], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows)))
    expected: dict[tuple[int, ...], int] = {}
    for row, weight in zip(rows, weights, strict=True):
        if weight:
            expected[row] = expected.get(row, 0) + weight
    merged, sums = merge_rows(np.array(rows, np.int64), np.array(weights))
    assert [tuple(row) for row in merged.tolist()] == sorted(expected)
    assert sums.tolist() == [expected[row] for row in sorted(expected)]


@given(small)
def test_places_on_a_lattice_are_ordered_as_rows_and_lead_back(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows, np.int64)
    columns = [table[:, place] for place in range(3)]
    lows, spans = lattice(columns)
    keys = encode(columns, lows, spans)
    assert decode(keys, lows, spans).tolist() == table.tolist()
    assert np.argsort(keys, kind="stable").tolist() == sorted(range(len(rows)), key=lambda place: rows[place])


def test_narrow_columns_do_not_overflow() -> None:
    columns: list[IntArray] = [np.array([-32768, 32767], np.int16), np.array([-128, 127], np.int8)]
    lows, spans = lattice(columns)
    assert spans == [65536, 256]
    assert decode(encode(columns, lows, spans), lows, spans).tolist() == [[-32768, -128], [32767, 127]]


def test_weights_are_64_bit_integers_while_their_sum_fits() -> None:
    assert as_weights([2**61, 2**61]).dtype == np.int64
    assert as_weights([2**61, 2**61 + 1]).dtype == object
    assert as_weights([1, 2**63]).tolist() == [1, 2**63]
    assert as_weights([True, False]).tolist() == [1, 0]
    assert as_weights(np.array([2**62, 2**62])).dtype == object


def test_weights_are_widened_only_where_they_must_be() -> None:
    weights = np.array([3])
    assert widen(weights, 2**62) is weights
    assert widen(weights, 2**62 + 1).dtype == object
    assert widen(np.array([0.5]), 2**80).dtype == np.float64


@pytest.mark.parametrize(
    ("weights", "kind", "values"),
    [
        ([1, 2], np.int64, [1, 2]),
        (iter([3, 4]), np.int64, [3, 4]),
        ([2**62], np.int64, [2**62]),
        ([2**62, 1], object, [2**62, 1]),
        ([-(2**62), 2**62], object, [-(2**62), 2**62]),
        ([np.int64(5), np.uint8(250)], np.int64, [5, 250]),
        ([1, 0.5], np.float64, [1.0, 0.5]),
        (np.array([0.5], np.float32), np.float64, [0.5]),
        (np.array([1.0]), np.float64, [1.0]),
        (np.array([200, 100], np.uint8), np.int64, [200, 100]),
        (np.array([True, False]), np.int64, [1, 0]),
        ([], np.int64, []),
    ],
)
def test_weights_are_of_the_narrowest_kind_that_is_exact(weights: object, kind: type, values: list[object]) -> None:
    found = as_weights(weights)  # type: ignore[arg-type]
    assert found.dtype == kind
    assert found.tolist() == values


def test_a_lattice_is_told_by_lowest_values_and_spans() -> None:
    columns: list[IntArray] = [np.array([3, -2, 5]), np.array([7, 7, 7]), np.array([-9, -8, -9], np.int8)]
    lows, spans = lattice(columns)
    assert (lows, spans) == ([-2, 7, -9], [8, 1, 2])
    assert encode(columns, lows, spans).tolist() == [10, 1, 14]
    assert encode(columns, lows, spans).dtype == np.int64
    assert decode(np.array([10, 1, 14]), lows, spans).tolist() == [[3, 7, -9], [-2, 7, -8], [5, 7, -9]]


@pytest.mark.parametrize(("highest", "is_ranked"), [(2**31 - 1, False), (2**31, True)])
def test_rows_go_by_their_rank_where_a_lattice_has_more_than_2_to_the_62_points(
    highest: int, is_ranked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, place = list[int](), encode

    def watched(columns: object, lows: object, spans: object) -> IntArray:
        asked.append(1)
        return place(columns, lows, spans)  # type: ignore[arg-type]

    monkeypatch.setattr(arrays, "encode", watched)
    rows = np.array([[highest, 0], [0, 2**31 - 1], [0, 0], [highest, 0], [0, 2**31 - 1]])
    kept, weights = merge_columns([rows[:, 0], rows[:, 1]], np.array([1, 2, 4, 8, 16]))
    assert (kept.tolist(), weights.tolist()) == ([2, 1, 0], [4, 18, 9])
    assert bool(asked) is not is_ranked


def test_rows_without_weight_are_left_out_and_where_the_others_first_stand_is_told() -> None:
    rows = np.array([[5], [3], [5], [4], [3]])
    kept, weights = merge_columns([rows[:, 0]], np.array([0, 1, 2, 0, 4]))
    assert (kept.tolist(), weights.tolist()) == ([1, 2], [5, 2])
    kept, weights = merge_columns([rows[:, 0]], np.array([0.0] * 5))
    assert (kept.tolist(), weights.tolist()) == ([], [])
    merged, sums = merge_rows(rows, np.array([2**70, 1, 1, 0, 1], object))
    assert (merged.tolist(), sums.tolist()) == ([[3], [5]], [2, 2**70 + 1])

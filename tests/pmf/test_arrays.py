"""Rows, their keys and their weights."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance.pmf.arrays import IntArray, as_weights, decode, encode, lattice, merge_rows, widen

tables = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.tuples(*[st.integers(-(2**61), 2**61) | st.integers(-3, 3)] * k), min_size=1, max_size=30)
)
small = st.lists(st.tuples(st.integers(-300, 300), st.integers(0, 9), st.just(4)), min_size=1, max_size=30)


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

"""Tallies add up exactly, in order and without gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.trials.tally import Rows, Tally, add_results, count_rows, keep_rows

counts = st.dictionaries(st.integers(-3, 3), st.integers(1, 1000), min_size=1).map(Pmf.of)
columns = st.lists(st.tuples(*[st.integers(-300, 300)] * 2), min_size=1, max_size=200)


@given(counts, counts, counts)
def test_adding_is_associative(a: Pmf, b: Pmf, c: Pmf) -> None:
    one, two, three = Tally(a, 0), Tally(b, 1), Tally(c, 2)
    left, right = (one + two) + three, one + (two + three)
    assert left.counts.to_dict() == right.counts.to_dict()
    assert (left.first_block, left.n_blocks) == (right.first_block, right.n_blocks) == (0, 3)


@given(counts, counts)
def test_adding_loses_no_trial(a: Pmf, b: Pmf) -> None:
    total = Tally(a, 4, 2) + Tally(b, 6)
    assert total.n_trials == a.total + b.total
    for value in range(-3, 4):
        weights = [int(distribution.weight(lambda value, v=value: value == v)) for distribution in (a, b, total.counts)]
        assert weights[0] + weights[1] == weights[2]


@pytest.mark.parametrize("first_block", [0, 2, 3])
def test_overlaps_and_gaps_are_refused(first_block: int) -> None:
    block = Pmf.of({1: 5})
    with pytest.raises(UsageError, match="do not follow"):
        Tally(block, 0, 1) + Tally(block, first_block)


def test_other_columns_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot add Pmf of"):
        Tally(Pmf.of([1], "a")) + Tally(Pmf.of([1], "b"), 1)


@given(columns)
def test_rows_are_counted_as_a_dictionary_would(rows: list[tuple[int, int]]) -> None:
    table = np.array(rows, np.int16)
    expected: dict[tuple[int, int], int] = {}
    for row in rows:
        expected[row] = expected.get(row, 0) + 1
    distribution = count_rows({"a": table[:, 0], "b": table[:, 1]})
    assert [tuple(row) for row in distribution.outcomes.tolist()] == sorted(expected)
    assert distribution.weights.tolist() == [expected[row] for row in sorted(expected)]


def test_few_and_many_values_are_counted_alike() -> None:
    """The lattice of values is counted densely where it is small, by sorting where a column is large."""
    small = np.array([0, 1, 1], np.int16)
    assert count_rows({"a": small}).weights.tolist() == [1, 2]
    wide = {name: np.array([-32768, 32767, 32767], np.int16) for name in "abcd"}
    assert count_rows(wide).to_dict() == {name: [-32768, 32767] for name in "abcd"} | {"weight": [1, 2]}


@pytest.mark.parametrize(("n_columns", "spread"), [(2, 9), (12, 3), (20, 4), (3, 60), (2, 30_000)])
def test_many_columns_are_counted_as_sorting_would(n_columns: int, spread: int) -> None:
    """Scattered rows are numbered column by column; each column alone may be small or large beside the sample."""
    rng = np.random.default_rng(7)
    few = rng.integers(-spread, spread, size=(300, n_columns))
    rows = few[rng.integers(0, len(few), 2000)].astype(np.int16)
    distribution = count_rows({f"c{i}": rows[:, i] for i in range(n_columns)})
    expected, weights = np.unique(rows, axis=0, return_counts=True)
    assert distribution.outcomes.tolist() == expected.tolist()
    assert distribution.weights.tolist() == weights.tolist()


def test_booleans_are_counted_as_0_and_1() -> None:
    assert count_rows({"hit": np.array([True, False, True])}).to_dict() == {"hit": [0, 1], "weight": [1, 2]}


# -- rows -----------------------------------------------------------------------------------------------------

blocks = st.lists(st.lists(st.tuples(*[st.integers(-(2**40), 2**40)] * 2), min_size=1, max_size=9), min_size=1)


def block(rows: list[tuple[int, int]]) -> dict[str, np.ndarray]:
    return dict(zip(("x", "y"), np.array(rows, np.int64).T, strict=True))


@given(blocks)
def test_rows_keep_the_order_of_their_trials(parts: list[list[tuple[int, int]]]) -> None:
    total, *later = (Tally(keep_rows(block(rows)), number) for number, rows in enumerate(parts))
    for tally in later:
        total += tally
    assert total.n_trials == sum(map(len, parts))
    assert total.result.values.tolist() == [list(row) for rows in parts for row in rows]  # type: ignore[union-attr]


def test_what_cannot_be_added_is_told_in_full() -> None:
    one, other = Pmf.of({1: 5}, "a"), Pmf.of({1: 5}, "b")
    refused: dict[str, Callable[[], object]] = {
        "blocks 5 and on do not follow blocks 2 to 3": lambda: Tally(one, 2, 2) + Tally(one, 5),
        "blocks 2 and on do not follow blocks 0 to 0": lambda: Tally(one) + Tally(one, 2),
        "cannot add Pmf of ('b',) to Pmf of ('a',)": lambda: Tally(one) + Tally(other, 1),
        "cannot add Rows of ('a',) to Pmf of ('a',)": lambda: add_results([one, one, keep_rows({"a": np.ones(2)})]),
        "this task keeps rows, and no counts": lambda: Tally(keep_rows({"a": np.ones(2)})).counts,
    }
    for message, asked in refused.items():
        with pytest.raises(UsageError) as error:
            asked()
        assert str(error.value) == message


def test_results_are_added_in_their_order_and_of_any_number() -> None:
    assert add_results([Pmf.of({1: 5})]) == Pmf.of({1: 5})
    assert add_results([Pmf.of({1: 5}), Pmf.of({1: 1}), Pmf.of({1: 2})]) == Pmf.of({1: 8})
    assert add_results([Pmf.of({1: 5}), Pmf.of({0: 1, 2: 1}), Pmf.of({1: 2})]) == Pmf.of({0: 1, 1: 7, 2: 1})
    rows = add_results([keep_rows({"x": np.array(values)}) for values in ([3], [1, 2], [0])])
    assert isinstance(rows, Rows)
    assert (rows.columns, rows.values.tolist(), rows.n_trials) == (("x",), [[3], [1], [2], [0]], 4)


def test_rows_of_one_column_that_spans_much_of_two_that_do_and_of_none_that_does() -> None:
    """However rows are counted, the result is sorted, and every row is there as often as it came."""
    rng = np.random.default_rng(3)
    for spans in ((1,), (10,), (50, 1), (200, 200), (10_000, 2), (3, 10_000, 3), (5,) * 9, (40_000, 40_000)):
        rows = np.stack([rng.integers(-span, span, 300) for span in spans], axis=1)
        found = count_rows({str(place): column for place, column in enumerate(rows.T)})
        expected = Counter(map(tuple, rows.tolist()))
        assert [tuple(row) for row in found.outcomes.tolist()] == sorted(expected)
        assert found.weights.tolist() == [expected[row] for row in sorted(expected)]

"""Laws as tables of other libraries."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from balance.pmf import Pmf, pool

LAW = Pmf.of({(0, -1): 1, (1, 0): 2, (1, 5): 1}, ["hits", "flags"])


def test_polars_keeps_columns_order_and_types() -> None:
    frame = LAW.to_polars()
    assert frame.schema == {"hits": pl.Int64, "flags": pl.Int64, "p": pl.Float64}
    assert frame.rows() == [(0, -1, 0.25), (1, 0, 0.5), (1, 5, 0.25)]


def test_pandas_holds_the_same_numbers() -> None:
    frame = LAW.to_pandas()
    assert list(frame.columns) == ["hits", "flags", "p"]
    assert frame["hits"].dtype == np.int64
    assert frame.to_numpy().tolist() == [list(row) for row in LAW.to_polars().rows()]


def test_markdown_is_a_table_with_as_many_digits_as_asked_for() -> None:
    assert LAW.to_markdown(2).splitlines() == [
        "| hits | flags | p |",
        "|---:|---:|---:|",
        "| 0 | -1 | 0.25 |",
        "| 1 | 0 | 0.50 |",
        "| 1 | 5 | 0.25 |",
    ]


def test_weights_beyond_64_bits_export_as_probabilities() -> None:
    law = pool(Pmf.of([0, 1]), 100)
    assert law.to_polars()["p"].to_list() == law.to_pandas()["p"].tolist() == law.p.tolist()
    assert law.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert law.to_dict()["weight"][0] == 1


def test_a_dictionary_holds_the_exact_weights() -> None:
    assert LAW.to_dict() == {"hits": [0, 1, 1], "flags": [-1, 0, 5], "weight": [1, 2, 1]}
    assert Pmf.from_rows(["hits", "flags"], LAW.outcomes, LAW.to_dict()["weight"]) == LAW

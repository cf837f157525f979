"""Distributions as tables of other libraries."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from balance.chance.pmf import Pmf, export, pool

DISTRIBUTION = Pmf.of({(0, -1): 1, (1, 0): 2, (1, 5): 1}, ["hits", "flags"])


def test_polars_keeps_columns_order_and_types() -> None:
    frame = DISTRIBUTION.to_polars()
    assert frame.schema == {"hits": pl.Int64, "flags": pl.Int64, "p": pl.Float64}
    assert frame.rows() == [(0, -1, 0.25), (1, 0, 0.5), (1, 5, 0.25)]


def test_pandas_holds_the_same_numbers() -> None:
    frame = DISTRIBUTION.to_pandas()
    assert list(frame.columns) == ["hits", "flags", "p"]
    assert frame["hits"].dtype == np.int64
    assert frame.to_numpy().tolist() == [list(row) for row in DISTRIBUTION.to_polars().rows()]


def test_markdown_is_a_table_with_as_many_digits_as_asked_for() -> None:
    assert DISTRIBUTION.to_markdown(2).splitlines() == [
        "| hits | flags | p |",
        "|---:|---:|---:|",
        "| 0 | -1 | 0.25 |",
        "| 1 | 0 | 0.50 |",
        "| 1 | 5 | 0.25 |",
    ]


def test_markdown_has_four_digits_if_nobody_asks() -> None:
    assert DISTRIBUTION.to_markdown().splitlines()[2:] == [
        "| 0 | -1 | 0.2500 |",
        "| 1 | 0 | 0.5000 |",
        "| 1 | 5 | 0.2500 |",
    ]
    assert export.to_markdown(DISTRIBUTION) == DISTRIBUTION.to_markdown(4)


def test_weights_beyond_64_bits_export_as_probabilities() -> None:
    distribution = pool(Pmf.of([0, 1]), 100)
    assert distribution.to_polars()["p"].to_list() == distribution.to_pandas()["p"].tolist() == distribution.p.tolist()
    assert distribution.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert distribution.to_dict()["weight"][0] == 1


def test_a_dictionary_holds_the_exact_weights() -> None:
    assert DISTRIBUTION.to_dict() == {"hits": [0, 1, 1], "flags": [-1, 0, 5], "weight": [1, 2, 1]}
    assert Pmf.from_rows(["hits", "flags"], DISTRIBUTION.outcomes, DISTRIBUTION.to_dict()["weight"]) == DISTRIBUTION

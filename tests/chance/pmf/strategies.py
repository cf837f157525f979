"""Small distributions for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from balance.chance.pmf import Pmf

weights = st.one_of(st.integers(1, 20), st.integers(2**55, 2**70))
"""Weights that fit 64 bits, and weights that soon do not."""


def distributions(*columns: str, max_size: int = 5) -> st.SearchStrategy[Pmf]:
    """Return distributions over some columns, with values from -6 to 6."""
    rows = st.tuples(*[st.integers(-6, 6)] * len(columns))
    return st.dictionaries(rows, weights, min_size=1, max_size=max_size).map(lambda table: Pmf.of(table, columns))

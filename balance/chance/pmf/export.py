"""Distributions as tables of polars or pandas, which nothing else below the games imports, and this only on call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from balance.base.parts import demand

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from balance.chance.pmf.arrays import Table


def to_polars(distribution: Table) -> pl.DataFrame:
    """Return a polars frame: one row per outcome, its columns as Int64 and its probability `p` as Float64.

    >>> from balance.chance.pmf import die
    >>> to_polars(die(2)).columns
    ['value', 'p']
    """
    import polars as pl

    return pl.DataFrame({**{name: distribution[name] for name in distribution.columns}, "p": distribution.p})


def to_pandas(distribution: Table) -> pd.DataFrame:
    """Return a pandas frame: one row per outcome, its columns as int64 and its probability `p`.

    >>> from balance.chance.pmf import die
    >>> list(to_pandas(die(2)).columns)
    ['value', 'p']
    """
    demand("a frame of pandas", "pandas")
    import pandas as pd

    return pd.DataFrame({**{name: distribution[name] for name in distribution.columns}, "p": distribution.p})


def to_markdown(distribution: Table, digits: int = 4) -> str:
    """Return a Markdown table: one row per outcome, and its probability with so many decimals.

    >>> from balance.chance.pmf import die
    >>> print(to_markdown(die(2), 2))
    | value | p |
    |---:|---:|
    | 1 | 0.50 |
    | 2 | 0.50 |
    """
    head = [*distribution.columns, "p"]
    body = [
        [*map(str, row), f"{p:.{digits}f}"]
        for row, p in zip(distribution.outcomes.tolist(), distribution.p.tolist(), strict=True)
    ]
    return "\n".join(
        ["| " + " | ".join(line) + " |" for line in [head]]
        + ["|" + "---:|" * len(head)]
        + ["| " + " | ".join(line) + " |" for line in body]
    )
